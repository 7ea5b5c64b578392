"""Remainders, which need no rounding: the quotient's digits, 50 bits at a time, as many as numbers can be apart."""

from __future__ import annotations

from typing import Any

from clmath.kernels.exact import trunc
from clmath.numbers.lanes import SIGN, bits, copysign, from_bits, integer, lane, select, two_product, two_to

__all__ = [
    "fmod_double",
    "fmod_quick",
    "quotient_double",
    "quotient_quick",
    "remainder_double",
    "remainder_quick",
]

INFINITY, NAN = float("inf"), float("nan")
DIGITS, ONE = (1 << 52) - 1, 1023 << 52
BITS = 50  # of a quotient at a time: it stays below 2^52
QUICK = 6  # times: floats are up to 2^277 apart
DOUBLE = 42  # doubles 2^2098
LOW = 7  # bits of a quotient that are kept


@lane
def parts(x: Any) -> Any:
    """The size of x as m 2^e with 1 <= m < 2; meaningless where it is zero or not finite."""
    small = abs(x) < 2.0**-1022
    code = bits(abs(select(small, x * 2.0**64, x)))
    return from_bits((code & DIGITS) | ONE), (code >> 52) - select(small, 1023 + 64, 1023)


@lane
def reduced(r: Any, n: Any) -> Any:
    """What ``r``, less than 2^51 n, leaves when it is divided by n: the quotient, rounded, may be off by one."""
    product, rest = two_product(trunc(r / n), n)
    left = (r - product) - rest
    left = select(left < 0.0, left + n, left)
    return select(left >= n, left - n, left)


def divided(m: Any, n: Any, places: Any, times: int) -> Any:
    """What m 2^places leaves when it is divided by n, for at most BITS x ``times`` places; m where they are negative.

    It is a multiple of the last place of 1 throughout, and less than 2^53 of these.
    """
    left, r = places, select(m >= n, m - n, m)  # which is less than 2 n
    for _ in range(times):
        now = select(left > BITS, BITS, select(left < 0, 0, left))
        r, left = reduced(r * two_to(now), n), left - now
    return r


@lane
def scaled(r: Any, exponent: Any) -> Any:
    """The number r 2^exponent, which is a double, for exponents of doubles: in two steps."""
    half = exponent >> 1
    return r * two_to(half) * two_to(exponent - half)


@lane
def special(x: Any, y: Any, found: Any) -> Any:
    """``found``; x where it is zero or y infinite, and NaN where x is infinite, y zero or either NaN."""
    found = select((x == 0.0) | (abs(y) == INFINITY), x, found)
    return select((x - x != 0.0) | (y == 0.0) | (y != y), NAN, found)


def fmod_of(x: Any, y: Any, times: int) -> Any:
    """The remainder x - n y, n being x/y rounded toward zero; it has the sign of x."""
    (m, e), (n, f) = parts(x), parts(y)
    found = copysign(scaled(divided(m, n, e - f, times), f), x)
    return special(x, y, select(abs(x) < abs(y), x, found))


def remainder_of(x: Any, y: Any, times: int) -> Any:
    """The remainder x - n y, n being the integer nearest to x/y, the even one of two; of zeros that of x."""
    (m, e), (n, f) = parts(x), parts(y)
    below = e < f  # by one place: x may still be nearer to y than to zero
    r = select(below, m * 0.5, divided(m, n + n, e - f, times))
    odd = r >= n
    r = select(odd, r - n, r)
    up = (r + r > n) | (odd & (r + r == n))
    return signed_like(scaled(select(up, r - n, r), f), x, y, e - f)


def remquo_of(x: Any, y: Any, times: int) -> Any:
    """The remainder x - n y as ``remainder_of`` gives it, and the seven low bits of |n| with the sign of x/y; 0 of NaN.

    What is left where all but the last seven places are divided gives as many bits, and tells the nearer integer.
    """
    (m, e), (n, f) = parts(x), parts(y)
    places = e - f
    last = select(places > LOW, LOW, select(places < -1, -1, places))
    rest = select(places > LOW, divided(m, n, places - LOW, times), m) * two_to(last)
    count = trunc(rest / n)
    product, low = two_product(count, n)
    left = (rest - product) - low
    count, left = select(left < 0.0, count - 1.0, count), select(left < 0.0, left + n, left)
    count, left = select(left >= n, count + 1.0, count), select(left >= n, left - n, left)
    bits_found = integer(count)
    up = (left + left > n) | ((left + left == n) & ((bits_found & 1) != 0))
    found = (bits_found + select(up, 1, 0)) & ((1 << LOW) - 1)
    is_number = (x - x == 0.0) & (x != 0.0) & (y - y == 0.0) & (y != 0.0) & (places >= -1)
    quotient = select(is_number, select((bits(x) ^ bits(y)) < 0, -found, found), 0)
    return signed_like(scaled(select(up, left - n, left), f), x, y, places), quotient


def signed_like(found: Any, x: Any, y: Any, places: Any) -> Any:
    """The remainder of x from that of |x|; x itself where it is smaller than y by two ``places`` or more."""
    found = select(found == 0.0, copysign(abs(found), x), from_bits(bits(found) ^ (bits(x) & SIGN)))
    return special(x, y, select(places < -1, x, found))


def quotient_of(x: Any, y: Any, times: int) -> Any:
    """The second of ``remquo_of``."""
    return remquo_of(x, y, times)[1]


@lane
def fmod_quick(x: Any, y: Any) -> Any:
    """``fmod_of`` halves and floats."""
    return fmod_of(x, y, QUICK)


@lane
def fmod_double(x: Any, y: Any) -> Any:
    """``fmod_of`` doubles."""
    return fmod_of(x, y, DOUBLE)


@lane
def remainder_quick(x: Any, y: Any) -> Any:
    """``remainder_of`` halves and floats."""
    return remainder_of(x, y, QUICK)


@lane
def remainder_double(x: Any, y: Any) -> Any:
    """``remainder_of`` doubles."""
    return remainder_of(x, y, DOUBLE)


@lane
def quotient_quick(x: Any, y: Any) -> Any:
    """``quotient_of`` halves and floats."""
    return quotient_of(x, y, QUICK)


@lane
def quotient_double(x: Any, y: Any) -> Any:
    """``quotient_of`` doubles."""
    return quotient_of(x, y, DOUBLE)
