"""Kernels for double: two doubles, the bound of their error and an exponent."""
