"""Rounding of enclosures in portable arithmetic: their middles and both ends, for kernels of any format.

Each function returns three encodings, of the middle, of the lower and of the upper end; they are equal if the
enclosure decides. ``mode`` is known when a program is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.engines.device.lane_ends import to_narrow
from clmath.ir.lanes import SIGN, bits, clamp, fast_two_sum, from_bits, select, to_odd, two_to
from clmath.numbers.lane_rounding import encoded_ends, to_double

if TYPE_CHECKING:
    from clmath.ir.values import Integer, Real

__all__ = ["ends"]

MANTISSA = (1 << 52) - 1
ONE = 0x3FF << 52  # the encoding of 1
FARTHEST = 500  # powers of two beyond which half and float have no numbers, and double still has


def scaled(hi: Real, lo: Real, exponent: Integer) -> Real:
    """Round (hi + lo) 2^exponent to odd, as an intermediate for every narrow format; ``hi`` is hi + lo rounded.

    An inexact result takes that neighbour whose last bit is 1: 53 bits are at least two more than in a float, so that
    it is neither a float nor half-way between two. Exponents are clamped to ±500, beyond the range of float and half;
    signs are kept.
    """
    code = bits(to_odd(hi, lo))
    place = ((code >> 52) & 0x7FF) - 0x3FF + exponent
    number = from_bits((code & (SIGN | MANTISSA)) | ONE) * two_to(clamp(place, -FARTHEST, FARTHEST))
    return select((hi == 0.0) | (hi - hi != 0.0), hi, number)


def odd_ends(hi: Real, lo: Real, err: Real, exponent: Integer) -> tuple[Real, Real, Real]:
    """Return the middle, the lower and the upper end of (hi + lo ± err) 2^exponent, each rounded to odd."""
    below_hi, below_lo = fast_two_sum(hi, lo - err)
    above_hi, above_lo = fast_two_sum(hi, lo + err)
    middle, is_exact = scaled(hi, lo, exponent), ~(err > 0.0)
    below = select(is_exact, middle, scaled(below_hi, below_lo, exponent))
    return middle, below, select(is_exact, middle, scaled(above_hi, above_lo, exponent))


def ends_of_one(value: Real, err: Real) -> tuple[Real, Real, Real]:
    """Return the middle, the lower and the upper end of value ± err."""
    is_exact = ~(err > 0.0)
    return value, select(is_exact, value, value - err), select(is_exact, value, value + err)


def ends(*given: Any) -> tuple[Integer, ...]:
    """Round the middle and both ends of an enclosure of one double, or of two; the format and the mode come last."""
    *parts, form, mode = given
    if form != "double":
        found = ends_of_one(*parts) if len(parts) == 2 else odd_ends(*parts)
        return tuple([to_narrow(end, form, mode) for end in found])
    hi, lo, err, exponent = parts
    middle, is_exact = to_double(hi, lo, exponent, mode), ~(err > 0.0)
    below, above = encoded_ends(hi, lo, err, exponent, mode)
    return middle, select(is_exact, middle, below), select(is_exact, middle, above)
