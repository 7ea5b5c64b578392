"""Lemmas of the accurate kernels (``clmath.kernels.accurate``): pairs of doubles and a bound, for double."""
