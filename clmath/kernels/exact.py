"""Built-ins whose results need no rounding: numbers of the format that their arguments are of, as doubles."""

from __future__ import annotations

from clmath.ir.primitives import FRACTION, INFINITY, SIGN, bits, ceil, floor, from_bits, real, rint, select, trunc
from clmath.ir.primitives import copysign as signed
from clmath.ir.values import Integer, Pair, Real
from clmath.kernels.accurate.arithmetic import in_two

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

HALF = 0x3FE << 52  # the encoding of 1/2


def in_one(value: Real) -> tuple[Real, float]:
    """An exact value as an enclosure in one double."""
    return value, 0.0


def max(x: Real, y: Real) -> Real:
    """``y`` where x < y, else ``x``: where either is NaN, too."""
    return select(x < y, y, x)


def min(x: Real, y: Real) -> Real:
    """``y`` where y < x, else ``x``: where either is NaN, too."""
    return select(y < x, y, x)


def fmax(x: Real, y: Real | float) -> Real:
    """``y`` where x < y or x is NaN, else ``x``: of two zeros the first."""
    return select((x < y) | (x != x), y, x)


def fmin(x: Real, y: Real | float) -> Real:
    """``y`` where y < x or x is NaN, else ``x``: of two zeros the first."""
    return select((y < x) | (x != x), y, x)


def maxmag(x: Real, y: Real) -> Real:
    """The number of greater magnitude, or fmax(x, y) if neither is greater."""
    return select(abs(x) > abs(y), x, select(abs(y) > abs(x), y, fmax(x, y)))


def minmag(x: Real, y: Real) -> Real:
    """The number of lesser magnitude, or fmin(x, y) if neither is lesser."""
    return select(abs(x) < abs(y), x, select(abs(y) < abs(x), y, fmin(x, y)))


def clamp(x: Real, minval: Real | float, maxval: Real | float) -> Real:
    """The value of fmin(fmax(x, minval), maxval)."""
    return fmin(fmax(x, minval), maxval)


def step(edge: Real, x: Real) -> Real:
    """0 where x < edge, else 1: where either is NaN, too."""
    return select(x < edge, 0.0, 1.0)


def sign(x: Real) -> Real:
    """1 or -1 with x's sign, x where it is a zero, and +0 for NaN."""
    return select(x != x, 0.0, select(x == 0.0, x, signed(1.0, x)))


def round(x: Real) -> Real:
    """Round to the nearest integer, ties away from zero; -0 for -0.5 < x < 0."""
    size = abs(x)
    below = trunc(size)
    return signed(select(size - below >= 0.5, below + 1.0, below), x)


def modf(x: Real) -> Pair:
    """Fraction and integral part, both with x's sign: ±0 and ±inf for ±inf."""
    whole = trunc(x)
    return signed(abs(select(abs(x) == INFINITY, 0.0, x - whole)), x), whole


def exponent_of(x: Real) -> Integer:
    """The exponent e of x = m 2^e with 1 <= |m| < 2; meaningless for zeros, infinities and NaN."""
    small = abs(x) < 2.0**-1022
    return ((bits(select(small, x * 2.0**64, x)) >> 52) & 0x7FF) - select(small, 1023 + 64, 1023)


def logb(x: Real) -> Real:
    """floor(log2 |x|); -inf for zeros, +inf for infinities."""
    value = select(x == 0.0, -INFINITY, real(exponent_of(x)))
    return select(x - x == 0.0, value, abs(x))


def ilogb(x: Real) -> Integer:
    """floor(log2 |x|) as an int; INT_MIN (FP_ILOGB0) for zeros, INT_MAX (also FP_ILOGBNAN) for infinities and NaN."""
    found = select(x == 0.0, -(1 << 31), exponent_of(x))
    return select(x - x == 0.0, found, (1 << 31) - 1)


def frexp(x: Real) -> Real:
    """The mantissa m in [1/2, 1) of x = m 2^e; zeros, infinities and NaN are their own."""
    code = bits(select(abs(x) < 2.0**-1022, x * 2.0**64, x))
    ordinary = (x - x == 0.0) & (x != 0.0)
    return select(ordinary, from_bits((code & (SIGN | FRACTION)) | HALF), x)


def frexp_exponent(x: Real) -> Integer:
    """The exponent e of x = m 2^e with m in [1/2, 1), as an int; 0 for zeros, infinities and NaN."""
    return select((x - x == 0.0) & (x != 0.0), exponent_of(x) + 1, 0)


def fabs(x: Real) -> Real:
    """The magnitude."""
    return abs(x)


def copysign(x: Real, y: Real) -> Real:
    """The magnitude of x with the sign of y."""
    return signed(abs(x), y)


def gamma_sign(x: Real) -> Integer:
    """The sign of gamma(x), as an int: 0 at zeros and negative integers, where it is a pole, and 1 at -inf and NaN."""
    whole = floor(x)
    half = whole * 0.5
    below = select(half == floor(half), 1, -1)
    return select((x <= 0.0) & (x > -INFINITY), select(whole == x, 0, below), 1)


def nextafter_double(x: Real, y: Real) -> Real:
    """The double next to x in the direction of y; y where they are equal; NaN where either is."""
    outward = select(y > x, select(x > 0.0, 1, -1), select(x > 0.0, -1, 1))
    beside = from_bits(bits(x) + select((x == 0.0) | (x != x), 0, outward))
    return directed(x, y, select(x == 0.0, from_bits((bits(y) & SIGN) | 1), beside))


def directed(x: Real, y: Real, beside: Real) -> Real:
    """The number ``beside`` x; y where the two are equal, and NaN where either is."""
    return select((x != x) | (y != y), x + y, select(x == y, y, beside))


def nextafter_float(x: Real, y: Real) -> Real:
    """The float next to x in the direction of y; y where they are equal; NaN where either is."""
    return directed(x, y, next_narrow(x, y, -149, 24, (2.0 - 2.0**-23) * 2.0**127))


def nextafter_half(x: Real, y: Real) -> Real:
    """The half next to x in the direction of y; y where they are equal; NaN where either is."""
    return directed(x, y, next_narrow(x, y, -24, 11, 65504.0))


def next_narrow(x: Real, y: Real, quantum: int, precision: int, largest: float) -> Real:
    """The number next to x toward y of a format with numbers of ``precision`` bits, multiples of 2^``quantum``."""
    size, grows = abs(x), (y > x) == (x > 0.0)
    code = bits(size) - select(grows, 0, 1)  # below a power of two places are half as wide
    place = (code >> 52) - (1022 + precision)
    unit = from_bits((select((place < quantum) | (size == 0.0), quantum, place) + 1023) << 52)
    moved = select(grows, size + unit, size - unit)
    moved = select(moved > largest, select(grows, INFINITY, largest), moved)
    return select(size == 0.0, signed(unit, y), signed(moved, x))
