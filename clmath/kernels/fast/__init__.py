"""Kernels for half, float and every format between: one double and the bound of its error."""
