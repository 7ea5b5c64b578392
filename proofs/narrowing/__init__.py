"""Lemmas of the kernels that narrow the enclosures of the accurate kernels (``clmath.kernels.narrowing``)."""

from proofs.narrowing import (
    error_function,
    exponential,
    gamma,
    hyperbolic,
    inverse_hyperbolic,
    inverse_trigonometric,
    logarithm,
    power,
    trigonometric,
)

__all__ = ["MODULES"]

MODULES = (
    error_function,
    exponential,
    gamma,
    hyperbolic,
    inverse_hyperbolic,
    inverse_trigonometric,
    trigonometric,
    logarithm,
    power,
)
