"""Narrow the accurate kernels' enclosures of undecided elements to 2^-80 or better, computing in pairs throughout."""
