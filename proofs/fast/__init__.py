"""Lemmas of the fast kernels (``clmath.kernels.fast``): one double and a bound, for float and half."""

from proofs.fast import (
    error_function,
    exponential,
    gamma,
    hyperbolic,
    inverse_trigonometric,
    logarithm,
    power,
    power_refined,
    trigonometric,
)

__all__ = ["MODULES", "SECOND"]

MODULES = (
    error_function,
    exponential,
    gamma,
    hyperbolic,
    inverse_trigonometric,
    logarithm,
    power,
    trigonometric,
)
SECOND = (power_refined,)  # second functions; their kernels are proven elsewhere
