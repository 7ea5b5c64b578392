"""Sweeps of millions of inputs through the compiled kernels; MPFR checks the critical results."""
