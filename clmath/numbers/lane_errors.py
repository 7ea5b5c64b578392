"""Measures results in float against enclosures of one double each, in lane arithmetic: for compiled loops."""

from __future__ import annotations

from typing import Any

from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.numbers.lane_rounding import INFINITE, INFINITY, MAGNITUDE, RTE, near_float, to_float, wide
from clmath.numbers.lanes import SIGN, bits, from_bits, from_float_bits, greater, lane, real, select

__all__ = [
    "bin_of",
    "float_errors",
    "is_beyond",
    "is_rounded_to_float",
    "is_well_within_float",
    "ulps_of_float",
]

ENDS = (1 << DOUBLE.precision - FLOAT.precision - 1) - 1  # a normal float, and a midpoint of two, ends in 28 zeros
FLOAT_QUIET_NAN = int(FLOAT.bits(FLOAT.nan))
FLOAT_MAGNITUDE = 0x7FFFFFFF
ROUNDED = 2.0**-40  # of an error: far more than the roundings on the way to it
BIAS = DOUBLE.emax
LEAST_PLACE = BIAS + FLOAT.emin  # of the encoding of a normal float as a double
LARGEST_PLACE = BIAS + FLOAT.emax
BEYOND_PLACE = LARGEST_PLACE + 2  # from here on an exact value counts as the infinity that a result is
VANISHING_PLACE = BIAS + FLOAT.quantum - 7  # below, a zero is off by less than 2^-7 ulp, and rounds right
LARGEST_POWER = 2.0**FLOAT.emax
FRACTION_PLACES = FLOAT.precision - 1
VANISHED = 2.0**-7


@lane
def is_rounded_to_float(hi: Any, err: Any, code: Any) -> Any:
    """Where results, of the encodings ``code``, are certainly ``hi ± err`` rounded to nearest; or both are quiet NaN.

    Such a result is off by half an ulp at most.
    """
    unsure = (near_float(hi) | wide(hi, err)) & (err != 0.0)
    return ((code == to_float(hi, RTE)) & ~unsure) | _are_quiet(hi, code)


@lane
def _are_quiet(hi: Any, code: Any) -> Any:
    """Where an exact value is NaN, and the result as well, and not a signaling one."""
    return (hi != hi) & ((code & FLOAT_MAGNITUDE) >= FLOAT_QUIET_NAN)


@lane
def float_errors(hi: Any, err: Any, code: Any, off: Any) -> Any:
    """(least, most, steps): bounds on the error in ulp of results, and how many floats they are from the right ones.

    The exact values are ``hi ± err``, or where err is 0 up to ``off`` ulp from hi, by the promise of quick kernels: hi
    itself where ``off`` is 0. ``code`` are the results' encodings. ``most`` is infinite where this does not tell: the
    exact value may be a float or a midpoint of two and is not known to be, or is subnormal or next to the largest
    number, or the result is a special one that is not plainly right.
    """
    encoding, got = bits(hi), from_float_bits(code)
    magnitude, sign, actual = encoding & MAGNITUDE, encoding & SIGN, bits(got)
    place, end, exact = magnitude >> 52, encoding & ENDS, err == 0.0
    apart = abs(got - hi)
    usual = (end != 0) & (place > LEAST_PLACE) & (place < LARGEST_PLACE)
    unsure = (near_float(hi) | wide(hi, err)) & ~exact
    # in the usual range, 2^place of an ulp; elsewhere whatever it is, it is not used
    per_ulp = from_bits((2 * BIAS + FRACTION_PLACES - select(usual, place, BIAS)) << 52)
    slack = err * per_ulp + apart * per_ulp * ROUNDED
    beyond = apart * per_ulp * select(abs(got) < abs(hi), -1.0, 1.0)
    low = beyond - select(exact & (end != ENDS), off, 0.0) - slack
    high = beyond + select(exact & (end != 1), off, 0.0) + slack
    same = exact & (actual == encoding)
    normal = (place > LEAST_PLACE) & (place <= LARGEST_PLACE)
    same = same & (normal | (hi == 0.0) | (magnitude == INFINITE) | (off == 0.0) & (hi == hi))  # NaN: see _are_quiet
    finite = magnitude < INFINITE
    overflows = finite & (place >= BEYOND_PLACE) & (actual == (INFINITE | sign))
    vanishes = (magnitude > 0) & (place < VANISHING_PLACE) & (actual == sign)
    # LLVM vectorises this as it stands: not with a switch over magnitudes, nor with apart < INFINITY
    right = same | overflows | _are_quiet(hi, code)
    inside = usual & ~unsure & (bits(apart) < INFINITE)
    least = select(right | vanishes, 0.0, greater(greater(low, -high), 0.0))
    most = select(right, 0.0, select(vanishes, off + VANISHED, select(inside, greater(-low, high), INFINITY)))
    return least, most, select(right | vanishes, 0, abs(code - to_float(hi, RTE)))


@lane
def is_beyond(hi: Any, err: Any, size: Any) -> Any:
    """Where exact values ``hi ± err`` are certainly NaN, or of that size or larger."""
    return (hi != hi) | (abs(hi) - err >= size)


@lane
def is_well_within_float(hi: Any, err: Any) -> Any:
    """Where exact values are certainly finite in float, the largest binade left out."""
    return abs(hi) + err < LARGEST_POWER


@lane
def ulps_of_float(hi: Any) -> Any:
    """How many ulp of normal exact values 1 is."""
    place = (bits(hi) & MAGNITUDE) >> 52
    bounded = select(place < LEAST_PLACE, LEAST_PLACE, select(place > LARGEST_PLACE, LARGEST_PLACE, place))
    return from_bits((2 * BIAS + FRACTION_PLACES - bounded) << 52)


@lane
def bin_of(steps: Any) -> Any:
    """In which bin of a spread a result is counted that is so many floats from the right one: 0, 1, 2, 3-4, 5-8 ..."""
    return select(steps == 0, 0, (bits(real(2 * steps - 1)) >> 52) - (BIAS - 1))
