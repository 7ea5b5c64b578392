"""Lemmas of the accurate kernels (``clmath.kernels.double``): pairs of doubles and a bound, for double."""

from proofs.accurate import error_function, exponential, gamma, hyperbolic, inverse_hyperbolic, logarithm, power, roots

__all__ = ["MODULES"]

MODULES = (
    exponential,
    hyperbolic,
    logarithm,
    error_function,
    power,
    roots,
    inverse_hyperbolic,
    gamma,
)
