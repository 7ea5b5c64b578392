"""erf and erfc for |x| < 3.46 by the series of erf(x) e^(x^2) / x in x^2, all of whose terms are positive."""

from __future__ import annotations

from typing import Any

from clmath.kernels import pairs
from clmath.kernels.double.exponential import reduced
from clmath.kernels.double.pairs import pair_polynomial, plus_pair, times, times_pair
from clmath.kernels.fine.enclosures import narrower
from clmath.kernels.fine.exponential import scaled_exp
from clmath.numbers.lanes import fast_two_sum, lane, polynomial, select, two_product, two_to

__all__ = ["erf", "erfc"]

SERIES = pairs("fine/error_function", "series")
PAIRS = 50  # what follows is 2^-52 of the series at 12
TAIL = [hi for hi, _ in SERIES[PAIRS:]]
TOP = 12.0  # of x^2
INFINITY = float("inf")

BOUND = 2.0**-97
# of erf x: each step carries 2^-102 and 2^-104 of what it has summed, so that the term in x^2n has n times as much; the
# mean of n, weighted by the terms, is the slope of log(erf(x) e^(x^2) / x) times x^2, below x^2 = 12: 2^-98.1. The tail
# in double, with 34 roundings, 2^-100 at 12; it leaves out 2^-130. e^-(x^2) 2^-103, two products 2^-101.


@lane
def error_function(x: Any) -> Any:
    """(hi, lo, err) of erf(x); err is infinite where x^2 > 12."""
    usable = x * x <= TOP
    kept = select(usable, x, 1.0)
    z, z_lo = two_product(kept, kept)
    hi, lo = pair_polynomial(z, z_lo, SERIES[:PAIRS], polynomial(z, TAIL))
    hi, lo = times(hi, lo, kept)
    r, r_lo, n = reduced(-z)
    r, r_lo = fast_two_sum(r, r_lo - z_lo)
    decay, decay_lo = scaled_exp(r, r_lo, n & 255)
    scale = two_to(n >> 8)
    hi, lo = times_pair(hi, lo, decay * scale, decay_lo * scale)
    return hi, lo, select(usable, abs(hi) * BOUND, INFINITY)


@lane
def erf(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    """Error function."""
    new_hi, new_lo, new_err = error_function(x)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_err, 0))


@lane
def erfc(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    """Complementary error function."""
    part, part_lo, part_err = error_function(x)
    new_hi, new_lo = plus_pair(1.0, 0.0, -part, -part_lo)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, part_err + new_hi * 2.0**-102, 0))
