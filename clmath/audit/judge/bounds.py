"""What enclosures tell of exact values and of results held against them: roundings, and bounds on errors in ulp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.numbers.errorfree import power_of_two
from clmath.numbers.formats import DOUBLE
from clmath.numbers.lane_rounding import near_boundary, wide
from clmath.numbers.rounding import narrow, round_enclosure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.ladder import Bounds
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Enclosure, Rounding

__all__ = [
    "MAGNITUDE",
    "ROUNDED",
    "binade_of",
    "bits_of",
    "error_bounds",
    "finer_bounds",
    "in_scale",
    "is_close",
    "may_be_number",
    "off_in_ulp",
    "rounded_value",
]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"
I64: TypeAlias = "NDArray[np.int64]"

MAGNITUDE = (1 << 63) - 1
ROUNDED = 2.0**-40  # of an error: far more than the roundings on the way to it
_VANISHED = 6  # so many places below the last one of all, kernels let a value stand for any that is nearer to zero
_BIAS = DOUBLE.emax
_ENDS = (1 << 28) - 1  # a normal float, and a midpoint of two, ends in 28 zeros as a double


def bits_of(x: F64) -> I64:
    """The encodings of doubles."""
    return x.view(np.int64)


def binade_of(value: Enclosure) -> I64:
    """The exponent e with 2^e <= |value| < 2^(e + 1), lower where ``hi`` is subnormal; meaningless for infinities."""
    return ((bits_of(value.hi) & MAGNITUDE) >> 52) - _BIAS + value.exponent


def in_scale(got: F64, value: Enclosure, form: Format) -> F64:
    """The results ``got`` as multiples of 2^exponent, of the same size as ``hi`` where they are near to the value."""
    return got if form.is_narrow else (bits_of(got) - (value.exponent << 52)).view(np.float64)


def off_in_ulp(exact: Bounds, form: Format) -> float:
    """``exact.off`` in ulp of ``form``."""
    return exact.off * 2.0 ** (form.precision - exact.widest.precision)


def may_be_number(value: Enclosure, form: Format) -> Bools:
    """Where a normal value may be a number of the format: in one double, also where it may be a midpoint of two."""
    if form.is_narrow:
        return np.asarray((bits_of(value.hi) & _ENDS) == 0)
    return np.asarray(np.abs(value.lo) <= value.err)


def is_close(value: Enclosure, form: Format) -> Bools:
    """Where an enclosure contains, or may contain, a number of the format or a midpoint of two."""
    hi, lo, err, _ = value
    if form.is_narrow:
        return np.asarray((near_boundary(hi, form) | wide(hi, err)) & (err > 0.0))
    return np.asarray(((np.abs(lo) <= err) | (hi + (lo - err) != hi + (lo + err))) & (err > 0.0))


def rounded_value(value: Enclosure, form: Format, mode: Rounding) -> NDArray[Any]:
    """``value`` rounded, whatever its error."""
    return narrow(value.hi, form, mode) if form.is_narrow else round_enclosure(value, form, mode)[0]


def error_bounds(exact: Bounds, actual: NDArray[Any], form: Format) -> tuple[F64, F64]:
    """The least and the greatest size of the error in ulp, measured as ``rounding.ulp_errors`` does."""
    hi, lo, err, exponent = exact.value
    infinite, binade = np.isinf(actual), binade_of(exact.value)
    place = _place_of_ulp(exact.value, form)
    scale = _powers_of_two(-place)
    due, rest, width = _times(_powers_of_two(exponent - place) if exponent.any() else scale, hi, lo, err)
    (got,) = _times(scale, actual.astype(np.float64))
    if infinite.any():
        one, other = _powers_of_two(form.emax + 1 - place)
        ceiling = one * other  # what an infinite result counts as
        got, clamped = np.where(infinite, np.copysign(ceiling, got), got), infinite & (np.abs(due) >= ceiling)
        due, rest = np.where(clamped, np.copysign(ceiling, due), due), np.where(clamped, 0.0, rest)
    beyond = (got - due) - rest
    is_told = (infinite & (binade >= form.emax + 2)) | _is_difference(beyond, got, due, np.abs(rest) + width)
    beyond = np.copysign(beyond, beyond * hi)  # positive where the result is too large in size
    inward, outward = _reach(exact, form)
    slack = np.where(is_told, 0.0, width + np.abs(beyond) * ROUNDED)
    low, high = beyond - outward - slack, beyond + inward + slack
    same = (actual == hi) | (np.isnan(actual) & np.isnan(hi))
    apart = ~np.isfinite(hi) | np.isnan(actual)
    special = np.where(same, 0.0, np.inf)
    least, most = np.maximum(np.maximum(low, -high), 0.0), np.maximum(-low, high)
    # such a value may stand for any that is larger, and a finite result is as far from it as it is
    far = (binade >= exact.widest.emax + 2) & ~infinite & (hi != 0.0) | ~np.isfinite(beyond)
    least = np.where(far, np.where(infinite & np.isinf(beyond), np.inf, 0.0), least)
    most = np.where(far, np.inf, most)
    return np.where(apart, special, least), np.where(apart, special, most)


def _is_difference(beyond: F64, got: F64, due: F64, tail: F64) -> Bools:
    """Where ``beyond`` is ``got - due`` without any rounding, and the value has no ``tail`` beside it."""
    return np.asarray((got - beyond == due) & (due + beyond == got) & (tail == 0.0))


def finer_bounds(exact: Bounds, actual: NDArray[Any], form: Format) -> tuple[F64, F64]:
    """As ``error_bounds`` of a narrow format, by enclosures in two doubles: the reference rounds to one, to odd.

    So it is as far from the exact value as the next double at most, and on the same side of ``hi``.
    """
    least, most = error_bounds(exact, actual, form)
    hi, lo, err, exponent = exact.value
    place = _place_of_ulp(exact.value, form)
    (got,) = _times(_powers_of_two(-place), actual.astype(np.float64))
    (due,) = _times(_powers_of_two(exponent - place), hi)
    apart, is_whole = got - due, (lo == 0.0) & (err == 0.0)
    margin = np.where(is_whole, 0.0, 2.0 ** (form.precision - DOUBLE.precision + 1))
    least, most = np.maximum(least - margin, 0.0), most + margin
    is_beside = _is_difference(apart, got, due, np.zeros_like(lo)) & (np.abs(lo) > err)
    nearer = is_beside & (np.signbit(apart) == np.signbit(lo)) & (apart != 0.0)
    farther = is_beside & (np.signbit(apart) != np.signbit(lo))
    return np.where(farther, np.abs(apart), least), np.where(nearer, np.minimum(most, np.abs(apart)), most)


def _place_of_ulp(value: Enclosure, form: Format) -> I64:
    """The exponent of the ulp; meaningless where the value is not a number."""
    encoding = bits_of(value.hi) & MAGNITUDE
    outward = (bits_of(value.hi) ^ bits_of(value.lo) >= 0) & (value.lo != 0.0)
    # less one, a power of two counts among the numbers below it, whose ulp is the smaller
    place = ((encoding - 1 + outward) >> 52) - (_BIAS - 1 + form.precision) + value.exponent
    return np.where(encoding == 0, form.quantum, np.clip(place, form.quantum, form.emax - form.precision + 1))


def _powers_of_two(exponent: I64) -> tuple[F64, F64]:
    """Two powers of two that are doubles, and 2^exponent together."""
    bounded = np.clip(exponent, -2 * _BIAS + 2, 2 * _BIAS)
    half = bounded >> 1
    return power_of_two(half), power_of_two(bounded - half)


def _times(powers: tuple[F64, F64], *numbers: F64) -> list[F64]:
    """Numbers scaled in two steps."""
    return [x * powers[0] * powers[1] for x in numbers]


def _reach(exact: Bounds, form: Format) -> tuple[F64, F64]:
    """How many ulp exact values may lie nearer to zero, and farther from it, than values whose err does not say so.

    A normal number, or a midpoint of two, is the exact value; in one double, the one next to it stands for all that
    lies beyond it.
    """
    off, value, binade = off_in_ulp(exact, form), exact.value, binade_of(exact.value)
    end = bits_of(value.hi) & _ENDS if exact.widest.is_narrow else (value.lo != 0.0).astype(np.int64) << 1
    is_normal = binade >= exact.widest.emin
    stands = (value.err == 0.0) & ((end != 0) | ~is_normal) & (binade < exact.widest.emax + 2)
    stands |= binade < exact.widest.quantum - _VANISHED
    stands &= value.hi != 0.0  # a zero is the exact value
    beside = 2.0 ** (form.precision - DOUBLE.precision + 1)  # from a number to the double next to it, at most
    inward = np.where(stands, np.where(is_normal & (end == 1), beside, off), 0.0)
    return inward, np.where(stands, np.where(is_normal & (end == _ENDS), beside, off), 0.0)
