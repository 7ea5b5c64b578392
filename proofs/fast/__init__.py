"""Lemmas of the fast kernels (``clmath.kernels.fast``): one double and a bound, for float and half.

``LEMMAS`` of each module: by the name of a kernel, a function that takes the name and returns the lemmas. Lemmas of one
kernel have different names.
"""

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
