"""Rounding of enclosures in portable arithmetic: their middles and both ends, for kernels of any format.

Each function returns three encodings, of the middle, of the lower and of the upper end; they are equal if the
enclosure decides. ``mode`` is known when a program is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.ir.lanes import SIGN, bits, clamp, fast_two_sum, from_bits, select, to_odd, two_to
from clmath.numbers.lane_rounding import encoded_ends, to_double, to_float, to_half

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clmath.callables import AnyFunction
    from clmath.ir.values import Integer, Real

__all__ = ["ENDS"]

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


def ends(value: Real, err: Real) -> tuple[Real, Real, Real]:
    """Return the middle, the lower and the upper end of value ± err."""
    is_exact = ~(err > 0.0)
    return value, select(is_exact, value, value - err), select(is_exact, value, value + err)


def float_of_one(value: Real, err: Real, mode: int) -> tuple[Integer, Integer, Integer]:
    """Round an enclosure in one double to float."""
    middle, below, above = ends(value, err)
    return to_float(middle, mode), to_float(below, mode), to_float(above, mode)


def half_of_one(value: Real, err: Real, mode: int) -> tuple[Integer, Integer, Integer]:
    """Round an enclosure in one double to half."""
    middle, below, above = ends(value, err)
    return to_half(middle, mode), to_half(below, mode), to_half(above, mode)


def float_of_two(hi: Real, lo: Real, err: Real, exponent: Integer, mode: int) -> tuple[Integer, Integer, Integer]:
    """Round an enclosure in two doubles to float."""
    middle, below, above = odd_ends(hi, lo, err, exponent)
    return to_float(middle, mode), to_float(below, mode), to_float(above, mode)


def half_of_two(hi: Real, lo: Real, err: Real, exponent: Integer, mode: int) -> tuple[Integer, Integer, Integer]:
    """Round an enclosure in two doubles to half."""
    middle, below, above = odd_ends(hi, lo, err, exponent)
    return to_half(middle, mode), to_half(below, mode), to_half(above, mode)


def double_of_two(hi: Real, lo: Real, err: Real, exponent: Integer, mode: int) -> tuple[Integer, Integer, Integer]:
    """Round an enclosure in two doubles to double."""
    middle, is_exact = to_double(hi, lo, exponent, mode), ~(err > 0.0)
    below, above = encoded_ends(hi, lo, err, exponent, mode)
    return middle, select(is_exact, middle, below), select(is_exact, middle, above)


ENDS: Mapping[tuple[str, int], AnyFunction] = {  # by format, and by the number of parts of an enclosure
    ("float", 2): float_of_one,
    ("half", 2): half_of_one,
    ("float", 4): float_of_two,
    ("half", 4): half_of_two,
    ("double", 4): double_of_two,
}
