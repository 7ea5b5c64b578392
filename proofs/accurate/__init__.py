"""Lemmas of the accurate kernels (``clmath.kernels.accurate``): pairs of doubles and a bound, for double."""

from proofs.accurate import (
    error_function,
    exponential,
    gamma,
    hyperbolic,
    inverse_hyperbolic,
    inverse_trigonometric,
    logarithm,
    power,
    roots,
    trigonometric,
)

__all__ = ["MODULES", "SECOND"]

MODULES = (
    exponential,
    hyperbolic,
    logarithm,
    error_function,
    power,
    roots,
    inverse_hyperbolic,
    inverse_trigonometric,
    trigonometric,
    gamma,
)
SECOND = (trigonometric,)  # second functions; their kernels are proven elsewhere
