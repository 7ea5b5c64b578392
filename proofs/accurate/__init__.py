"""Lemmas of the accurate kernels (``clmath.kernels.accurate``): pairs of doubles and a bound, for double."""

from proofs.accurate import (
    arc_tangent,
    error_function,
    exponential,
    gamma,
    half_turns,
    hyperbolic,
    inverse_hyperbolic,
    inverse_trigonometric,
    logarithm,
    power,
    roots,
    trigonometric,
    trigonometric_refined,
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
    arc_tangent,
    half_turns,
    gamma,
)
SECOND = (trigonometric_refined,)  # second functions; their kernels are proven elsewhere
