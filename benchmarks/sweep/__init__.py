"""Sweeps over millions of inputs through the compiled kernels, judged by MPFR where it matters."""
