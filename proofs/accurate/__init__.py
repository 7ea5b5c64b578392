"""Lemmas of the accurate kernels (``clmath.kernels.double``): pairs of doubles and a bound, for double."""

from proofs.accurate import (
    arc_tangent,
    error_function,
    exponential,
    half_turns,
    hyperbolic,
    inverse_trigonometric,
    logarithm,
    power,
    roots,
    trigonometric,
)

__all__ = ["MODULES"]

MODULES = (
    exponential,
    hyperbolic,
    logarithm,
    error_function,
    power,
    roots,
    inverse_trigonometric,
    trigonometric,
    arc_tangent,
    half_turns,
)
