"""Tells on which side of a double, or of a midpoint, results lie that are too close to it for their bounds to tell."""

from __future__ import annotations

from typing import Any

from clmath.ir.lanes import SIGN, bits, fast_two_sum, from_bits, lane, mark, real, select, two_product

__all__ = [
    "INFINITE",
    "MANTISSA",
    "ONE",
    "SLIGHT",
    "from_power_of_two",
    "gap",
    "in_54_bits",
    "magnitude",
    "normalised",
    "power_beyond",
    "refined",
    "side_of_root",
]

MANTISSA = 0xFFFFFFFFFFFFF
ONE = 0x3FF0000000000000  # the encoding of 1
INFINITE = 0x7FF0000000000000  # of infinity
LEAST_NORMAL = 0x10000000000000  # of 2^-1022
SLIGHT = 2.0**-33  # numbers 1 + d with |d| below this are close to 1, as is (1 + d)^y where |y d| is, too


@lane
def magnitude(x: Any) -> Any:
    """The encoding of |x|."""
    return bits(x) & ~SIGN


@lane
def normalised(encoding: Any) -> Any:
    """``encoding`` of a number that is not negative, with exponents 0 and below for the subnormal ones."""
    subnormal = mark("subnormal", mark("encoding", encoding) < LEAST_NORMAL)
    return select(subnormal, mark("scaled", bits(real(encoding))) - (1074 << 52), encoding)


@lane
def from_power_of_two(encoding: Any) -> Any:
    """(d, k) with (1 + d) 2^k the number that ``normalised`` encodes, 2^k the power of two close to it if one is."""
    k = (encoding + (1 << 51) >> 52) - 1023
    return from_bits(encoding - (k << 52)) - 1.0, k


@lane
def in_54_bits(hi: Any, lo: Any) -> Any:
    """What ``lo`` is where hi + lo is rounded to 54 bits."""
    place = from_bits(bits(hi) & INFINITE) * 0.375  # its last place is a quarter of that of hi
    return (lo + place) - place


@lane
def gap(hi: Any, lo: Any) -> Any:
    """|hi + lo|, rounded to 54 bits, divided by the power of two close to it, minus 1; exact where one is."""
    nearest_power = (magnitude(hi) + (1 << 51)) & INFINITE
    rest = (abs(hi) - from_bits(nearest_power)) + from_bits(bits(in_54_bits(hi, lo)) ^ (bits(hi) & SIGN))
    return rest * from_bits((2 * 1023 << 52) - nearest_power)


@lane
def power_beyond(d: Any, y: Any, g: Any) -> Any:
    """Positive where (1 + d)^y > 1 + g, negative where it is less, 0 where this does not tell.

    For |d|, |y d|, |g| < 2^-33 and y d so close to g that their difference is exact. (1 + d)^y - 1 is
    y d + (y d)(y - 1) d/2 and at most 2^-33 of the latter more.
    """
    first, rest = two_product(y, d)
    second = 0.5 * first * (d * (y - 1.0))
    missed = ((first - g) + rest) + second
    return select(abs(missed) > abs(second) * 2.0**-30, missed, 0.0)


@lane
def side_of_root(x: Any, n: Any, hi: Any, lo: Any) -> Any:
    """Which side of |hi + lo| in 54 bits |x|^(1/n), |n| <= 2^31, lies on, both close to powers of two; 0 elsewhere.

    These are 2^k and 2^(k/n) then: the least other root of a power of two, 2^(1/n), is not as close to 1.
    """
    d, _ = from_power_of_two(normalised(magnitude(x)))
    g = gap(hi, lo)
    return select((abs(d) < SLIGHT) & (abs(g) < SLIGHT), -n * power_beyond(g, n, d), 0.0)


@lane
def refined(exact: Any, side: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    """The parts where the size of the result is |hi + lo| in 54 bits and ``exact``, or on that ``side`` of it."""
    rounded = in_54_bits(hi, lo)
    little = from_bits(bits(hi) & INFINITE) * 2.0**-80
    beside = select((side > 0.0) == (hi > 0.0), little, -little)
    found = (err > 0.0) & (exact | ((side != 0.0) & (abs(lo - rounded) <= err)))
    new_hi, new_lo = fast_two_sum(hi, select(exact, rounded, rounded + beside))
    return select(found, new_hi, hi), select(found, new_lo, lo), select(found, 0.0, err), exponent
