"""Benchmarks of clmath against gmpy2, mpmath, NumPy, SciPy and gfloat: ``python -m benchmarks`` from the repository."""
