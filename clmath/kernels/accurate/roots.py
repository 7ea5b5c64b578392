"""cbrt, rsqrt, hypot: a root in double, and the exact difference between the argument and the root's power."""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients, table
from clmath.kernels.accurate.boundaries import in_54_bits, magnitude, normalised, refined, side_of_root
from clmath.kernels.accurate.pairs import signed
from clmath.kernels.records import kernel, refines

RECIPROCAL, ROOT = table("accurate/roots", "reciprocal"), table("accurate/roots", "root")
CBRT_TAIL = coefficients("accurate/roots", "cbrt_tail")

TO_17_BITS = 1.5 * 2.0**36  # added to a number below 2 and taken off again, leaves 16 binary places
TO_34_BITS = 1.5 * 2.0**19  # 33 binary places
LONGER_THAN_18 = (1 << 35) - 1  # bits of an encoding that are zero where a number has 18 significant bits at most
CBRT_ERROR = 2.0**-82
# from the certificate: y is within 2^-34 of the root, and one Newton step is rounded
RSQRT_ERROR = 2.0**-101
# from the certificate, for a value above 1/2: squares of remainders are left out
HYPOT_ERROR = 2.0**-100.5
# from the certificate, for a value of at least 1: the square of lo is left out
SLIGHT = 1023 - 31 << 52  # the encoding of 2^-31: below this times a, sqrt(a^2 + b^2) < a (1 + 2^-63)


def missed_square(m: Real, first: Real, second: Real) -> Real:
    """The remainder m - (first + second)^2, for the sum the rounded root of m: exact except for the last rounding."""
    rest = (m - mark("s1s1", first * first)) - mark("s1s2", 2.0 * first * second)
    return rest - mark("s2s2", second * second)


@kernel()
def cbrt(x: Real) -> Enclosed:
    """Cube root: |x| = m 2^(3 n), the root y of m in 34 bits, and m - y^3, which is nearly exact, over 3 y^2."""
    encoding = mark("normal", normalised(magnitude(x)))
    exponent = (encoding >> 52) + (1200 - 1023)  # more by 3 x 400, to be positive
    thirds = exponent * 21846 >> 16  # rounded down: 21846/65536 is 1/3 + 2^-16.6, and the exponent below 2^12
    rest = mark("rest", exponent - 3 * thirds)
    fraction = encoding & FRACTION
    j = mark("j", fraction >> 45)
    v = mark("v", from_bits(mark("code_v", fraction | ONE)))
    s = v * take(RECIPROCAL, j) - 1.0
    near = take(ROOT, (rest << 7) + j)
    m = mark("m", from_bits(mark("code_m", (fraction | ONE) + (rest << 52))))
    hi, lo, exact = root_of(m, near + near * (s * polynomial(s, CBRT_TAIL)))
    plain = mark("plain", (x != 0.0) & (abs(x) < INFINITY))
    err = select(plain & ~exact, CBRT_ERROR, 0.0)
    exponent = select(plain, thirds - 400, 0)
    return select(plain, copysign(hi, x), x), signed(select(plain, lo, 0.0), x), err, exponent


def root_of(m: Real, near: Real) -> tuple[Real, Real, Truth]:
    """(hi, lo, whether it is exact) of the cube root of m = 1 .. 8, ``near`` being within 2^-36.5 of it.

    y = yh + yl, of 17 and 17 bits: yh^3, 3 yh^2 yl and their differences from m are exact. Cube roots of doubles have
    at most 18 bits where they are doubles or midpoints; then all of m - y^3 is.
    """
    yh = mark("h", (near + TO_17_BITS) - TO_17_BITS)
    yl = mark("l", ((near - yh) + TO_34_BITS) - TO_34_BITS)
    y = mark("y", yh + yl)
    square = mark("square", yh * yh)
    missed = (m - mark("cube", square * yh)) - mark("second", 3.0 * square * yl)
    missed = mark("missed", missed - mark("third", yl * yl * (3.0 * yh + yl)))
    inverse = 1.0 / y
    step = missed * (inverse * inverse) * (1.0 / 3.0)
    hi, lo = fast_two_sum(y, step - step * step * inverse)
    return hi, lo, mark("exact", (missed == 0.0) & ((bits(y) & LONGER_THAN_18) == 0))


@kernel()
def rsqrt(x: Real) -> Enclosed:
    """Inverse square root; exact at even powers of two and nowhere else."""
    encoding = normalised(magnitude(x))
    exponent = (encoding >> 52) - 1023
    m = mark("m", from_bits(mark("code", ((encoding & FRACTION) | ONE) + ((exponent & 1) << 52))))
    s = mark("s", sqrt(m))
    y = mark("y", 1.0 / s)
    s1, s2 = mark("s1 s2", *split(s))
    y1, y2 = mark("y1 y2", *split(y))
    missed = ((1.0 - mark("s1y1", s1 * y1)) - mark("s1y2", s1 * y2)) - mark("s2y1", s2 * y1)
    missed = mark("missed", missed - mark("s2y2", s2 * y2))  # 1 - s y
    missed_of_m = mark("missed_square", missed_square(m, s1, s2))
    hi, lo = fast_two_sum(y, y * (missed - 0.5 * missed_of_m * (y * y)))
    plain = mark("positive", x > 0.0) & mark("finite", x < INFINITY)
    outside = select(x == 0.0, select(bits(x) < 0, -INFINITY, INFINITY), select(x == INFINITY, 0.0, NAN))
    err = select(plain & mark("not_one", m != 1.0), RSQRT_ERROR, 0.0)
    return select(plain, hi, outside), select(plain, lo, 0.0), err, select(plain, -mark("half", exponent >> 1), 0)


def squared(a: Real) -> Pair:
    """(p, e) with p + e = a^2 exactly."""
    first, second = split(a)
    p = a * a
    return p, ((first * first - p) + 2.0 * first * second) + second * second


def ordered(x: Real, y: Real) -> tuple[Integer, Integer]:
    """The encodings of |x| and |y|, the larger one first; NaN counts as larger than infinity."""
    one, other = magnitude(x), magnitude(y)
    return mark("larger smaller", greater(one, other), lesser(one, other))


def scaled_legs(larger: Integer, smaller: Integer) -> tuple[Real, Real, Integer, Truth, Truth]:
    """(a, b, n, slight, special): the numbers encoded are a 2^n, a = 1 .. 2, and b 2^n.

    ``slight``: b < 2^-31, and then is not given. ``special``: both are zero, or one is infinite or NaN.
    """
    special = mark("special", (larger == 0) | (larger >= INFINITE))
    upper, lower = mark("upper lower", scope("larger", normalised)(larger), scope("smaller", normalised)(smaller))
    n = mark("n", (upper >> 52) - 1023)
    lower = lower - (n << 52)
    slight = mark("slight", (lower < SLIGHT) | (smaller == 0))
    a = mark("a", from_bits(mark("code_a", (upper & FRACTION) | ONE)))
    return a, mark("b", from_bits(mark("code_b", select(slight | special, ONE, lower)))), n, slight, special


@kernel()
def hypot(x: Real, y: Real) -> Enclosed:
    """sqrt(x^2 + y^2): the root of the leading part of the sum, and the difference between the sum and its square."""
    larger, smaller = ordered(x, y)
    a, b, n, slight, special = scaled_legs(larger, smaller)
    p, p_lo = mark("p p_lo", *squared(a))
    q, q_lo = mark("q q_lo", *squared(b))
    total, rest = mark("t rest", *fast_two_sum(p, q))
    root = mark("root", sqrt(total))
    first, second = split(root)
    missed = missed_square(total, first, second) + (rest + (p_lo + q_lo))
    hi, lo = fast_two_sum(root, missed / (2.0 * root))
    hi = select(slight, a, hi)
    lo = select(slight, select(smaller == 0, 0.0, 2.0**-80), lo)
    outside = from_bits(select(smaller == INFINITE, INFINITE, larger))
    err = select(slight | special, 0.0, HYPOT_ERROR)
    return select(special, outside, hi), select(special, 0.0, lo), err, select(special, 0, n)


@refines("cbrt")
def refined_cbrt(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts of the cube root with the sides of boundaries found that it lies on next to powers of 8."""
    none = err < 0.0  # all exact results are known
    return refined(none, side_of_root(x, 3.0, hi, lo), hi, lo, err, exponent)


@refines("rsqrt")
def refined_rsqrt(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts of the inverse square root with the sides of boundaries found that it lies on next to powers of 4."""
    none = err < 0.0  # all exact results are known
    return refined(none, side_of_root(x, -2.0, hi, lo), hi, lo, err, exponent)


@refines("hypot")
def refined_hypot(x: Real, y: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts of hypot with exact results and midpoints found, and the sides of them that close results lie on.

    A root r of 54 bits is a multiple of 2^-54, and so is a. b, as a multiple of that, is an integer and a rest, which
    is 0 if r is exact. The integer a^2 + b^2 - r^2 without that rest, as a multiple of 2^-108, is known modulo 2^64,
    and so at all: hi + lo -+ 2^-100 holds the root, and if r lies in there it is below 2^53. The product that is added
    to it is exact, and so is their sum, which is below 2^12; rounding the square of the rest leaves the sign unchanged.
    """
    larger, smaller = ordered(x, y)
    a, b, _, slight, special = scaled_legs(larger, smaller)
    b = mark("scaled_b", b * 2.0**54)
    a_count, b_count = mark("count_a count_b", integer(mark("scaled_a", a * 2.0**54)), integer(b))
    hi_count = integer(mark("scaled_hi", hi * 2.0**54))
    r_count = mark("count_r", hi_count + integer(mark("scaled_rest", in_54_bits(hi, lo) * 2.0**54)))
    whole = mark("whole", real(b_count))
    rest = mark("rest_of_b", b - whole)
    counted = mark("counted", a_count * a_count + b_count * b_count - r_count * r_count)
    total = mark("sum", mark("real_counted", real(counted)) + mark("product", 2.0 * whole * rest))
    missed = mark("missed", total + rest * rest)
    known = mark("known", (abs(lo - in_54_bits(hi, lo)) <= err) & ~(slight | special))
    exact = known & mark("level", missed == 0.0) & mark("no_rest", rest == 0.0)
    return refined(exact, select(known, missed, 0.0), hi, lo, err, exponent)
