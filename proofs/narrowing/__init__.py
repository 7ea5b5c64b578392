"""Lemmas of the fine kernels (``clmath.kernels.fine``), which narrow the enclosures of the accurate kernels."""

from proofs.narrowing import (
    error_function,
    exponential,
    gamma,
    hyperbolic,
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
    inverse_trigonometric,
    trigonometric,
    logarithm,
    power,
)
