"""Remainders of a division, exact for any difference of exponents: modular powers of two instead of long division."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.numbers.errorfree import mantissa, scaled, widen
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import narrow

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.numbers.errorfree import F64, I64
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["fmod", "remainder", "remquo"]

Block: TypeAlias = "NDArray[Any]"
Result: TypeAlias = "tuple[NDArray[Any]]"

_FRACTION = DOUBLE.precision - 1
_LAST = 10  # binades of the last step, which counts the quotient: 53 bits so shifted are still an int64
_SQUARINGS = 6  # exponents differ by less than 2^12: that leaves a first power of at most 2^32
_QUOTIENT_BITS = 0x7F


class _Division(NamedTuple):
    """|x| = (k divisor + rest) 2^unit: the low bits of the quotient k, and 0 <= rest < divisor.

    ``whole``: |x| < |y|/2 is a remainder itself. ``invalid``: x is infinite, y is zero, or either is NaN.
    """

    quotient: I64
    rest: I64
    divisor: I64
    unit: I64
    whole: NDArray[np.bool_]
    invalid: NDArray[np.bool_]


def fmod(form: Format, mode: Rounding, x: Block, y: Block) -> Result:  # noqa: ARG001 - the result is exact
    """The remainder x - y trunc(x/y); a zero has x's sign. NaN where x is infinite, y zero or either NaN."""
    return (_remainder(form, x, _divided(widen(x), widen(y))),)


def remainder(form: Format, mode: Rounding, x: Block, y: Block) -> Result:  # noqa: ARG001
    """The remainder x - n y, n the integer nearest to x/y, the even one of two; zeros and NaN as for ``fmod``."""
    return (_remainder(form, x, _to_nearest(_divided(widen(x), widen(y)))),)


def remquo(form: Format, mode: Rounding, x: Block, y: Block) -> tuple[NDArray[Any], NDArray[np.int32]]:  # noqa: ARG001
    """The value of remainder(x, y), and the seven low bits of |n| with the sign of x/y: 0 where that is NaN."""
    division = _to_nearest(_divided(widen(x), widen(y)))
    low = division.quotient & _QUOTIENT_BITS
    low *= ~(division.whole | division.invalid)
    negative = np.signbit(x) != np.signbit(y)
    return _remainder(form, x, division), np.where(negative, -low, low).astype(np.int32)


def _divided(x: F64, y: F64) -> _Division:
    (m, e), (n, f) = mantissa(x), mantissa(y)
    gap = e - f
    invalid = ~np.isfinite(x) | (y == 0.0) | np.isnan(y)
    whole = (gap < -1) | np.isinf(y)
    gap[invalid | whole] = 0
    below = gap < 0  # |y|/2 < |x| < |y| or so: counted in x's unit
    dividend, divisor = _significand(m), _significand(n) << below
    far = np.flatnonzero(gap > _LAST)
    if far.size:
        dividend[far] = _times_power_of_two(dividend[far], gap[far] - _LAST, divisor[far])
    dividend <<= np.clip(gap, 0, _LAST)
    quotient, rest = _quotient_and_rest(dividend, divisor)
    return _Division(quotient, rest, divisor, f - _FRACTION - below, whole, invalid)


def _significand(m: F64) -> I64:
    return np.abs(m * 2.0**_FRACTION).astype(np.int64)


def _quotient_and_rest(dividend: I64, divisor: I64) -> tuple[I64, I64]:
    """Quotients of less than 2^12: the estimate in doubles errs by 1 at most."""
    quotient = (dividend / divisor).astype(np.int64)
    rest = dividend - quotient * divisor
    correction = (rest >= divisor).astype(np.int64) - (rest < 0)
    return quotient + correction, rest - correction * divisor


def _times_power_of_two(x: I64, exponent: I64, modulus: I64) -> I64:
    """The residue x 2^exponent mod ``modulus``, of 53 bits: the exponent is read from its top bits by squaring."""
    inverse = 1.0 / modulus
    power = np.int64(1) << (exponent >> _SQUARINGS)
    for bit in reversed(range(_SQUARINGS)):
        power = _product(power, power, modulus, inverse) << ((exponent >> bit) & 1)
        power = _centred(power, modulus, inverse)
    rest = _centred(_product(_centred(x, modulus, inverse), power, modulus, inverse), modulus, inverse)
    return rest + modulus * (rest < 0)


def _product(a: I64, b: I64, modulus: I64, inverse: F64) -> I64:
    """A number congruent to a b, of less than 1.5 ``modulus``, for |a|, |b| of about half of it.

    a b / modulus < 2^51 is known to within 1, and the difference of the two products is exact modulo 2^64.
    """
    return a * b - np.rint(a.astype(np.float64) * b * inverse).astype(np.int64) * modulus


def _centred(x: I64, modulus: I64, inverse: F64) -> I64:
    """The residue of least magnitude, or its neighbour where they are about equal."""
    return x - np.rint(x * inverse).astype(np.int64) * modulus


def _to_nearest(division: _Division) -> _Division:
    """The same with the quotient rounded to nearest even and the rest's sign with it."""
    twice = 2 * division.rest
    up = (twice > division.divisor) | ((twice == division.divisor) & (division.quotient & 1 == 1))
    return division._replace(quotient=division.quotient + up, rest=division.rest - division.divisor * up)


def _remainder(form: Format, x: Block, division: _Division) -> Block:
    value = scaled(division.rest.astype(np.float64), division.unit)
    value *= np.copysign(1.0, widen(x))
    value = np.where(division.whole, widen(x), value)
    value[division.invalid] = np.nan
    return narrow(value, form, "rtz")
