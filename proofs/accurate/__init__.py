"""Lemmas of the accurate kernels (``clmath.kernels.double``): pairs of doubles and a bound, for double."""

from proofs.accurate import (
    error_function,
    exponential,
    hyperbolic,
    logarithm,
    power,
    roots_refined,
    trigonometric_refined,
)

__all__ = ["MODULES", "SECOND"]

MODULES = (
    exponential,
    hyperbolic,
    logarithm,
    error_function,
    power,
)
SECOND = (
    roots_refined,
    trigonometric_refined,
)  # second functions; their kernels are proven elsewhere
