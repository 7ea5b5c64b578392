"""Lemmas of the kernels that narrow the enclosures of the accurate kernels (``clmath.kernels.narrowing``)."""
