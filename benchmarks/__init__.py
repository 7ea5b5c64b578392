"""Benchmarks of clmath beside gmpy2, mpmath, NumPy, SciPy and gfloat: ``python -m benchmarks`` from the repository."""
