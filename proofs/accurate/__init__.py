"""Lemmas of the accurate kernels (``clmath.kernels.accurate``): pairs of doubles and a bound, for double."""

from proofs.accurate import (
    error_function,
    exponential,
    gamma,
    hyperbolic,
    inverse_hyperbolic,
    inverse_root,
    inverse_trigonometric,
    logarithm,
    power,
    roots,
    roots_refined,
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
    inverse_root,
    inverse_hyperbolic,
    inverse_trigonometric,
    trigonometric,
    gamma,
)
SECOND = (roots_refined, trigonometric)  # second functions; their kernels are proven elsewhere
