"""log, log2 and log10 from log2 x, one step of Newton's from that of the power functions."""

from __future__ import annotations

from typing import Any

from clmath.kernels import pairs
from clmath.kernels.double.boundaries import magnitude, normalised
from clmath.kernels.double.pairs import times_pair
from clmath.kernels.fine.enclosures import narrower
from clmath.kernels.fine.exponential import LN2
from clmath.kernels.fine.power import log2_of_any
from clmath.numbers.lanes import lane

__all__ = ["log", "log2", "log10"]

(LOG10_2,) = pairs("fine/logarithm", "log10_of_2")
PRODUCT_BOUND = 2.0**-101


@lane
def log2(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    """Logarithm to the base 2."""
    new_hi, new_lo, new_err = log2_of_any(normalised(magnitude(x)))
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_err + abs(new_hi) * PRODUCT_BOUND, 0))


@lane
def times_log2(x: Any, given: Any, factor: Any) -> Any:
    """The parts ``given``, narrowed to log2(x) times ``factor``, a pair below 1."""
    hi, lo, err, exponent = given
    log, log_lo, log_err = log2_of_any(normalised(magnitude(x)))
    new_hi, new_lo = times_pair(log, log_lo, *factor)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, log_err + abs(new_hi) * PRODUCT_BOUND, 0))


@lane
def log(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    """Natural logarithm."""
    return times_log2(x, (hi, lo, err, exponent), LN2)


@lane
def log10(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    """Logarithm to the base 10."""
    return times_log2(x, (hi, lo, err, exponent), LOG10_2)
