"""Search for the arguments at which kernels err most, as a share of the bound that they claim."""
