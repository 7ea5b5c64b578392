"""Lemmas of the fine kernels (``clmath.kernels.fine``), which narrow the enclosures of the accurate kernels."""

from proofs.narrowing import (
    exponential,
    gamma,
    hyperbolic,
    power,
)

__all__ = ["MODULES"]

MODULES = (
    exponential,
    gamma,
    hyperbolic,
    power,
)
