"""Lemmas of the fast kernels (``clmath.kernels.quick``): one double and a bound, for float and half."""

from proofs.fast import exponential, logarithm, power, trigonometric

__all__ = ["MODULES"]

MODULES = (
    exponential,
    logarithm,
    power,
    trigonometric,
)
