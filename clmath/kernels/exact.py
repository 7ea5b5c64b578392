"""Built-ins whose results need no rounding, as values: for devices and compiled loops, all of those of ``direct``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.direct.lane_arithmetic import in_two
from clmath.direct.lane_exact import (
    ceil,
    clamp,
    floor,
    fmax,
    fmin,
    frexp,
    frexp_exponent,
    ilogb,
    logb,
    max,
    maxmag,
    min,
    minmag,
    modf,
    rint,
    round,
    sign,
    step,
    trunc,
)
from clmath.ir.lanes import SIGN, bits, from_bits, lane, select
from clmath.ir.lanes import copysign as signed

if TYPE_CHECKING:
    from clmath.ir.values import Integer, Real


__all__ = [
    "ceil",
    "clamp",
    "copysign",
    "fabs",
    "floor",
    "fmax",
    "fmin",
    "frexp",
    "frexp_exponent",
    "gamma_sign",
    "ilogb",
    "in_one",
    "in_two",
    "logb",
    "max",
    "maxmag",
    "min",
    "minmag",
    "modf",
    "nextafter_double",
    "nextafter_float",
    "nextafter_half",
    "rint",
    "round",
    "sign",
    "step",
    "trunc",
]

INFINITY = float("inf")


@lane
def in_one(value: Real) -> tuple[Real, float]:
    """An exact value as an enclosure in one double."""
    return value, 0.0


@lane
def fabs(x: Real) -> Real:
    """The magnitude."""
    return abs(x)


@lane
def copysign(x: Real, y: Real) -> Real:
    """The magnitude of x with the sign of y."""
    return signed(abs(x), y)


@lane
def gamma_sign(x: Real) -> Integer:
    """The sign of gamma(x), as an int: 0 at zeros and negative integers, where it is a pole, and 1 at -inf and NaN."""
    whole = floor(x)
    half = whole * 0.5
    below = select(half == floor(half), 1, -1)
    return select((x <= 0.0) & (x > -INFINITY), select(whole == x, 0, below), 1)


@lane
def nextafter_double(x: Real, y: Real) -> Real:
    """The double next to x in the direction of y; y where they are equal; NaN where either is."""
    outward = select(y > x, select(x > 0.0, 1, -1), select(x > 0.0, -1, 1))
    beside = from_bits(bits(x) + select((x == 0.0) | (x != x), 0, outward))
    return directed(x, y, select(x == 0.0, from_bits((bits(y) & SIGN) | 1), beside))


@lane
def directed(x: Real, y: Real, beside: Real) -> Real:
    """The number ``beside`` x; y where the two are equal, and NaN where either is."""
    return select((x != x) | (y != y), x + y, select(x == y, y, beside))


@lane
def nextafter_float(x: Real, y: Real) -> Real:
    """The float next to x in the direction of y; y where they are equal; NaN where either is."""
    return directed(x, y, next_narrow(x, y, -149, 24, (2.0 - 2.0**-23) * 2.0**127))


@lane
def nextafter_half(x: Real, y: Real) -> Real:
    """The half next to x in the direction of y; y where they are equal; NaN where either is."""
    return directed(x, y, next_narrow(x, y, -24, 11, 65504.0))


@lane
def next_narrow(x: Real, y: Real, quantum: int, precision: int, largest: float) -> Real:
    """The number next to x toward y of a format with numbers of ``precision`` bits, multiples of 2^``quantum``."""
    size, grows = abs(x), (y > x) == (x > 0.0)
    code = bits(size) - select(grows, 0, 1)  # below a power of two places are half as wide
    place = (code >> 52) - (1022 + precision)
    unit = from_bits((select((place < quantum) | (size == 0.0), quantum, place) + 1023) << 52)
    moved = select(grows, size + unit, size - unit)
    moved = select(moved > largest, select(grows, INFINITY, largest), moved)
    return select(size == 0.0, signed(unit, y), signed(moved, x))
