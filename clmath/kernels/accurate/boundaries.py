"""Find the side of a double, or of a midpoint, on which results lie that are closer to it than their bounds."""

from __future__ import annotations

from clmath.ir.primitives import *

LEAST_NORMAL = 0x10000000000000  # of 2^-1022
SLIGHT = 2.0**-33  # numbers 1 + d with |d| below this are close to 1, as is (1 + d)^y where |y d| is, too


def magnitude(x: Real) -> Integer:
    """The encoding of |x|."""
    return bits(x) & ~SIGN


def normalised(encoding: Integer) -> Integer:
    """``encoding`` of a number that is not negative, with exponents 0 and below for the subnormal ones."""
    subnormal = mark("subnormal", mark("encoding", encoding) < LEAST_NORMAL)
    return mark("normal", select(subnormal, mark("scaled", bits(real(encoding))) - (1074 << 52), encoding))


def from_power_of_two(encoding: Integer) -> tuple[Real, Integer]:
    """(d, k) with (1 + d) 2^k the number that ``normalised`` encodes, 2^k the power of two close to it if one is."""
    k = mark("k_near", (encoding + (1 << 51) >> 52) - 1023)
    return mark("d", mark("near", from_bits(mark("code_near", encoding - (k << 52)))) - 1.0), k


def in_54_bits(hi: Real, lo: Real) -> Real:
    """The value of ``lo`` if hi + lo is rounded to 54 bits."""
    code = mark("place", mark("code_of_hi", bits(hi)) & INFINITE)
    place = mark("power_of_hi", from_bits(code)) * 0.375  # its last place is a quarter of hi's
    return mark("rounded", (lo + place) - place)


def gap(hi: Real, lo: Real) -> Real:
    """|hi + lo|, rounded to 54 bits, divided by the power of two close to it, minus 1; exact where one is."""
    nearest_power = mark("next_power", (mark("size_of_hi", magnitude(hi)) + (1 << 51)) & INFINITE)
    from_power = mark("abs_hi", abs(hi)) - mark("power_near", from_bits(nearest_power))
    rest = from_power + mark("added", from_bits(bits(in_54_bits(hi, lo)) ^ (bits(hi) & SIGN)))
    inverse = mark("inverse_near", from_bits(mark("inverse_code", (2 * 1023 << 52) - nearest_power)))
    return mark("g", rest * inverse)


def power_beyond(d: Real, y: Real | float, g: Real) -> Real:
    """Positive where (1 + d)^y > 1 + g, negative where it is less, 0 where the sign remains unknown.

    For |d|, |y d|, |g| < 2^-33 and y d so close to g that their difference is exact. (1 + d)^y - 1 is
    y d + (y d)(y - 1) d/2 and at most 2^-33 of the latter more.
    """
    d, y, g = mark("base_offset degree power_offset", d, y, g)
    first, rest = mark("first rest", *two_product(y, d))
    second = mark("second", 0.5 * first * (d * (y - 1.0)))
    missed = mark("missed", (mark("difference", first - g) + rest) + second)
    told = mark("told", abs(missed) > mark("threshold", abs(second) * 2.0**-30))
    return mark("beyond", select(told, missed, 0.0))


def side_of_root(x: Real, n: Real | float, hi: Real, lo: Real) -> Real:
    """Which side of |hi + lo| in 54 bits |x|^(1/n), |n| <= 2^31, lies on, both close to powers of two; 0 elsewhere.

    These are 2^k and 2^(k/n) then: the least other root of a power of two, 2^(1/n), is not as close to 1.
    """
    d, _ = from_power_of_two(normalised(magnitude(x)))
    g = gap(hi, lo)
    slight = mark("slight", mark("slight_d", abs(d) < SLIGHT) & mark("slight_g", abs(g) < SLIGHT))
    return select(slight, mark("times_beyond", -n * power_beyond(g, n, d)), 0.0)


def refined(exact: Truth, side: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts where the size of the result is |hi + lo| in 54 bits and ``exact``, or on that ``side`` of it."""
    exact, side = mark("exact side", exact, side)
    rounded = in_54_bits(hi, lo)
    little = from_bits(bits(hi) & INFINITE) * 2.0**-80
    beside = select(mark("outward", (side > 0.0) == (hi > 0.0)), little, -little)
    is_undecided, given, close = mark("open given close", err > 0.0, side != 0.0, abs(lo - rounded) <= err)
    found = mark("found", is_undecided & (exact | (given & close)))
    new_hi, new_lo = fast_two_sum(hi, select(exact, rounded, rounded + beside))
    return select(found, new_hi, hi), select(found, new_lo, lo), select(found, 0.0, err), exponent
