"""The first oracle's built-ins that do not round: Python arithmetic on doubles has no error there."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import TypeVar

from clmath.callables import AnyFunction
from clmath.numbers.formats import Format

FP_ILOGB0 = -(2**31)
FP_ILOGBNAN = 2**31 - 1
_INFINITE_LOGB = 2**31 - 1  # result of ilogb for an infinity: INT_MAX, as in C99
_QUOTIENT_BITS = 0x7F  # remquo: the seven low bits of |k|, with the sign of x/y
Function = TypeVar("Function", bound="AnyFunction")

PLAIN: dict[str, AnyFunction] = {}
"""Built-ins that do not round, by name: functions of the format and the arguments."""


def unrounded(function: Function) -> Function:
    """Add ``function``, which has the built-in's name, perhaps with an underscore after it, to ``PLAIN``."""
    PLAIN[function.__name__.rstrip("_")] = function
    return function


def _to_integer(whole: Callable[[float], int]) -> Callable[[Format, float], float]:
    """Return a rounding of finite numbers to integers as a built-in; the sign of a zero result is x's."""
    return lambda _, x: math.copysign(float(whole(x)), x) if math.isfinite(x) else x


def _to_nearest(x: float) -> int:
    """Round to the nearest integer, ties away from zero."""
    below = math.floor(abs(x))
    return below + (abs(x) - below >= 0.5)


PLAIN |= {"ceil": _to_integer(math.ceil), "floor": _to_integer(math.floor), "trunc": _to_integer(math.trunc)}
PLAIN |= {"rint": _to_integer(round), "round": _to_integer(_to_nearest)}


@unrounded
def fabs(_: Format, x: float) -> float:
    """The number x with a positive sign."""
    return abs(x)


@unrounded
def copysign(_: Format, x: float, y: float) -> float:
    """The number x with the sign of y."""
    return math.copysign(x, y)


@unrounded
def fmax(_: Format, x: float, y: float) -> float:
    """The number y if x < y, otherwise x; the other argument of one NaN."""
    return y if x < y or x != x else x


@unrounded
def fmin(_: Format, x: float, y: float) -> float:
    """The number y if y < x, otherwise x; the other argument of one NaN."""
    return y if y < x or x != x else x


@unrounded
def max_(_: Format, x: float, y: float) -> float:
    """The number y if x < y, otherwise x: also for NaN, for which the specification leaves the result unspecified."""
    return y if x < y else x  # noqa: FURB136 - which one of equal or unordered arguments matters


@unrounded
def min_(_: Format, x: float, y: float) -> float:
    """The number y if y < x, otherwise x: to the letter also for NaN, where the specification leaves it open."""
    return y if y < x else x  # noqa: FURB136 - as above


@unrounded
def maxmag(form: Format, x: float, y: float) -> float:
    """The number of greater magnitude, or fmax(x, y) if neither is greater."""
    if abs(x) > abs(y):
        return x
    return y if abs(y) > abs(x) else fmax(form, x, y)


@unrounded
def minmag(form: Format, x: float, y: float) -> float:
    """The number of lesser magnitude, or fmin(x, y) if neither is lesser."""
    if abs(x) < abs(y):
        return x
    return y if abs(y) < abs(x) else fmin(form, x, y)


@unrounded
def clamp(form: Format, x: float, minval: float, maxval: float) -> float:
    """The number fmin(fmax(x, minval), maxval)."""
    return fmin(form, fmax(form, x, minval), maxval)


@unrounded
def step(_: Format, edge: float, x: float) -> float:
    """0 if x < edge, otherwise 1."""
    return 0.0 if x < edge else 1.0


@unrounded
def sign(_: Format, x: float) -> float:
    """1, -1 or x itself where it is a zero; 0 for NaN."""
    if x != x:
        return 0.0
    return x if x == 0.0 else math.copysign(1.0, x)


@unrounded
def frexp(_: Format, x: float) -> tuple[float, int]:
    """Mantissa in [1/2, 1) and exponent; the exponent of zeros, infinities and NaN is 0."""
    return math.frexp(x)


@unrounded
def modf(_: Format, x: float) -> tuple[float, float]:
    """Fraction and integral part, both with x's sign."""
    return math.modf(x)


@unrounded
def ilogb(_: Format, x: float) -> int:
    """Exponent of x as an int; INT_MIN for zero, INT_MAX for infinities and NaN."""
    if x == 0.0:
        return FP_ILOGB0
    if x != x:
        return FP_ILOGBNAN
    return _INFINITE_LOGB if math.isinf(x) else math.frexp(x)[1] - 1


@unrounded
def logb(_: Format, x: float) -> float:
    """Exponent of x; -inf for zero, +inf for infinities."""
    if x == 0.0:
        return -math.inf
    return float(math.frexp(x)[1] - 1) if math.isfinite(x) else abs(x)


@unrounded
def nextafter(form: Format, x: float, y: float) -> float:
    """The number of the format next to x in the direction of y; y where they are equal."""
    if x != x or y != y:
        return math.nan
    if x == y:
        return y
    if x == 0.0:
        return math.copysign(form.smallest_subnormal, y)
    outward = (y > x) == (x > 0.0)
    return math.copysign(_neighbour(form, abs(x), outward=outward), x)


def _neighbour(form: Format, x: float, *, outward: bool) -> float:
    """The number of the format next to x > 0."""
    if math.isinf(x):
        return form.largest
    mantissa, exponent = math.frexp(x)
    exponent -= mantissa == 0.5 and not outward  # below a power of two the numbers lie closer
    gap = math.ldexp(1.0, max(exponent - form.precision, form.quantum))
    if not outward:
        return x - gap
    return math.inf if x == form.largest else x + gap


@unrounded
def remquo(_: Format, x: float, y: float) -> tuple[float, int]:
    """The IEEE remainder and the seven low bits of the quotient's magnitude with the sign of x/y."""
    if x != x or y != y or math.isinf(x) or y == 0.0:
        return math.nan, 0
    if math.isinf(y):
        return x, 0
    rest, quotient = _remainder(abs(x), abs(y))
    low = quotient & _QUOTIENT_BITS
    negative = math.copysign(1.0, x) != math.copysign(1.0, y)
    return math.copysign(1.0, x) * rest, -low if negative else low


def _remainder(x: float, y: float) -> tuple[float, int]:
    """The rest x - k y and k, the integer nearest to x/y (ties to even), for x >= 0 and y > 0."""
    (n, d), (p, q) = x.as_integer_ratio(), y.as_integer_ratio()
    scale = max(d, q)  # both are powers of two
    whole, divisor = n * (scale // d), p * (scale // q)
    k, rest = divmod(whole, divisor)
    if 2 * rest > divisor or (2 * rest == divisor and k & 1):
        k, rest = k + 1, rest - divisor
    return rest / scale, k  # a true quotient of ints is correctly rounded, and this one is exact


@unrounded
def remainder(form: Format, x: float, y: float) -> float:
    """The IEEE remainder; a zero has x's sign."""
    return remquo(form, x, y)[0]


@unrounded
def fmod(_: Format, x: float, y: float) -> float:
    """The rest x - y trunc(x/y); a zero has x's sign."""
    if x != x or y != y or math.isinf(x) or y == 0.0:
        return math.nan
    return math.fmod(x, y)  # exact in every C library


@unrounded
def nan(form: Format, nancode: int) -> float:
    """The quiet NaN of the format with ``nancode``'s low bits as payload, as a double that narrows to it."""
    payload = (nancode & ((1 << form.precision - 2) - 1)) << 53 - form.precision
    return float(struct.unpack("<d", struct.pack("<Q", 0x7FF8 << 48 | payload))[0])


def sign_of_gamma(x: float) -> int:
    """The sign of gamma(x) as lgamma_r stores it: 0 at zeros and negative integers, 1 at infinities and NaN."""
    if x > 0.0 or not math.isfinite(x):
        return 1
    if x == math.floor(x):
        return 0
    return -1 if math.floor(x) % 2 else 1
