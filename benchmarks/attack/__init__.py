"""Search for the arguments at which the errors of kernels are largest, as a share of the proven bound."""
