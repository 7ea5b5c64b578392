"""cbrt, rsqrt, hypot; pow, powr, pown and rootn as 2^(y log2 x) with a double-double logarithm."""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients, table
from clmath.kernels.fast.exponential import LN2, scaled_exp
from clmath.kernels.fast.logarithm import LOG1P_TAIL, LOG2_HI, LOG2_LO, RECIPROCAL, placed
from clmath.kernels.records import kernel, refines

CBRT_HI, CBRT_LO = table("fast/power", "cbrt_hi"), table("fast/power", "cbrt_lo")
CBRT_TAIL = coefficients("fast/power", "cbrt_tail")
LOG2_E_HI, LOG2_E_LO = map(float, table("fast/power", "log2_of_e"))

CBRT_BOUND = 1.05 * 2.0**-52
# from the certificate, and 2^-53 as below
BOUND, RSQRT_BOUND = 2.0**-51, 1.4 * 2.0**-52
# powers and hypot, rsqrt: from the certificates, and 2^-53 for the rounding of value -+ err
SLIGHT = 2.0**-28  # |y log2 x| below this: no float and no midpoint lies between x^y and 1
TOP = 180.3  # 2^TOP exceeds every float, 2^-TOP lies below a quarter of the smallest: results beyond round as there
LONGEST = 67108864.0  # 2^26: numbers with more significant bits are neither floats nor midpoints


def shortened(x: Real) -> Real:
    """``x`` rounded to 26 significant bits."""
    high, _ = split(x)
    return high


@kernel()
def cbrt(x: Real) -> Pair:
    """Cube root; the values computed for zero, the infinities and NaN are not used, as these are their own roots."""
    encoding = mark("encoding", bits(abs(x)))
    exponent = mark("exponent", (encoding >> 52) - 1023)
    _, thirds = nearest((real(exponent) - 1.0) * (1.0 / 3.0))
    rest = mark("rest", exponent - 3 * mark("thirds", thirds))  # 0, 1 or 2
    j = mark("j", (encoding >> 45) & 127)
    row = rest * 128 + j
    m = mark("m", from_bits(mark("code", (encoding & FRACTION) | 0x3FF0000000000000)))
    s = m * mark("reciprocal", take(RECIPROCAL, j)) - 1.0
    high = mark("high", take(CBRT_HI, row))
    y = (high + (mark("low", take(CBRT_LO, row)) + high * (s * polynomial(s, CBRT_TAIL)))) * two_to(thirds)
    ordinary = mark("nonzero", x != 0.0) & mark("finite", abs(x) < INFINITY)
    return select(ordinary, copysign(y, x), x), select(ordinary, y * CBRT_BOUND, 0.0)


@refines("cbrt")
def refined_cbrt(x: Real, value: Real, err: Real) -> Pair:
    """(value, err) of the cube root with the exact results found: where the nearest 17-bit number is one."""
    shift = value * 68719476736.0  # 2^36: leaves 17 bits
    short = mark("short", (value + shift) - shift)
    exact = mark("exact", mark("equal", mark("cube", short * short * short) == x) & (err > 0.0))
    return select(exact, short, value), select(exact, 0.0, err)


@kernel()
def rsqrt(x: Real) -> Pair:
    """Inverse square root; exact at even powers of two and nowhere else."""
    y = 1.0 / sqrt(x)
    even = mark("even", ((bits(x) & FRACTION) == 0) & ((bits(x) >> 52 & 1) != 0))
    y = select(mark("zero", x == 0.0), copysign(select(x == x, INFINITY, INFINITY), x), y)
    return y, select(even | (x == 0.0) | (x == INFINITY) | (y != y), 0.0, y * RSQRT_BOUND)


@kernel()
def hypot(x: Real, y: Real) -> Pair:
    """sqrt(x^2 + y^2): the squares are exact."""
    a, b = mark("larger smaller", greater(abs(x), abs(y)), lesser(abs(x), abs(y)))
    root = sqrt(mark("total", a * a + b * b))
    slight = mark("slight", b < a * 2.0**-14)  # sqrt(a^2 + b^2) < a (1 + 2^-29): no float and no midpoint between
    root = select(slight, select(b == 0.0, a, outward(a)), root)
    infinite = mark("infinite", (abs(x) == INFINITY) | (abs(y) == INFINITY))
    invalid = mark("invalid", (x != x) | (y != y))
    root = select(infinite, INFINITY, select(invalid, NAN, root))
    return root, select(slight | infinite | invalid, 0.0, root * BOUND)


@refines("hypot")
def refined_hypot(x: Real, y: Real, value: Real, err: Real) -> Pair:
    """(value, err) of hypot with exact results found, and the sides of numbers of 26 bits that close results lie on.

    The squares of the legs and of the number are exact, and so are the sum, as a pair, and the difference of its head.
    """
    high, low = mark("high low", *two_sum(mark("square_x", x * x), mark("square_y", y * y)))
    short = mark("short", shortened(value))
    missed = mark("missed", mark("difference", high - mark("square", short * short)) + low)
    found = mark("found", mark("close", abs(value - short) <= 2.0 * err) & mark("open", err > 0.0))
    beside = short + short * select(mark("more", missed > 0.0), 2.0**-50, -(2.0**-50))
    return select(found, select(mark("level", missed == 0.0), short, beside), value), select(found, 0.0, err)


def log2_of(x: Real) -> Pair:
    """(hi, lo) with log2 x = hi + lo for positive finite x, relative error below 2^-66; zero at 1."""
    k, j, m = placed(x)
    r = m * take(RECIPROCAL, j) - 1.0  # exact
    square, square_lo = two_product(r, r)
    a, b = fast_two_sum(r, -0.5 * square)
    b = b - (0.5 * square_lo - square * r * polynomial(r, LOG1P_TAIL))
    p, p_lo = two_product(a, LOG2_E_HI)
    p_lo = p_lo + (a * LOG2_E_LO + b * LOG2_E_HI)
    hi, lo = two_sum(k + take(LOG2_HI, j), p)
    return mark("l l_lo", *fast_two_sum(hi, lo + (p_lo + take(LOG2_LO, j))))


def two_to_power(hi: Real, lo: Real) -> Real:
    """2^(hi + lo), relative error below 2^-52.7; a double next to 1 if hi is slight; beyond +-TOP as at +-TOP."""
    hi, lo = mark("p p_lo", hi, lo)
    clipped = mark("clipped", clamp(hi, -TOP, TOP))
    step, n = nearest(clipped * 128.0)
    rest = (clipped - step * 0.0078125) + select(clipped == hi, lo, 0.0)
    y = scaled_exp(mark("s", rest * LN2), mark("steps", n))
    beside = select(hi > 0.0, 1.0 + 2.0**-52, 1.0 - 2.0**-53)
    return select(mark("slight", abs(hi) < SLIGHT), select(hi == 0.0, 1.0, beside), y)


def odd_part(x: Real) -> Real:
    """The odd integer m with |x| = m 2^k, for finite x other than zero."""
    mantissa = mark("mantissa", (mark("of_odd", bits(x)) & FRACTION) | 0x10000000000000)
    whole = mark("whole", real(mantissa))
    return mark("odd", whole / real(mark("lowest_bit", mantissa & -mantissa)))


def small_power(m: Real, n: Integer) -> Real:
    """m^n for n = 0 .. 31 as a double: exact where it is below 2^53."""
    square = m * m
    fourth = square * square
    eighth = fourth * fourth
    y = select((n & 1) != 0, m, 1.0) * select((n & 2) != 0, square, 1.0)
    y = y * (select((n & 4) != 0, fourth, 1.0) * select((n & 8) != 0, eighth, 1.0))
    return y * select((n & 16) != 0, eighth * eighth, 1.0)


def is_whole(y: Real) -> tuple[Truth, Truth]:
    """(whether y is an integer, whether it is odd)."""
    kept = select(abs(y) < 2251799813685248.0, y, 0.0)  # 2^51; larger floats are even
    whole, n = nearest(kept)
    is_whole = mark("is_whole", mark("rounded", whole) == mark("kept", kept))
    return is_whole, is_whole & ((n & 1) != 0)


def power_of_two_exponent(x: Real) -> tuple[Truth, Real]:
    """(whether positive x is a power of two, its exponent)."""
    lone = mark("lone", (mark("code", bits(x)) & FRACTION) == 0)
    return lone, mark("real_k", real(mark("k", (bits(x) >> 52) - 1023)))


def is_short_power(x: Real, y: Real) -> Truth:
    """Whether x^y, x > 0, has at most 26 significant bits.

    With x = m 2^k, m odd: a power of two where m = 1 and k y is an integer. Otherwise y = n/2^s with n <= 16
    (3^17 > 2^26), m the 2^s-th power of t, s <= 3 (3^16 > 2^24), and t^n <= 2^26.
    """
    lone, k = power_of_two_exponent(x)
    whole, _ = is_whole(mark("product", k * y))
    base, n = x, y
    for i in range(3):
        base, n = mark(f"base_{i} n_{i}", base, n)
        root = mark(f"root_{i}", sqrt(base))
        few = mark(f"few_{i}", (bits(root) & 0x7FFFFFF) == 0)
        usable = (n != nearest(clamp(n, -LONGEST, LONGEST))[0]) & few
        usable = usable & mark(f"equal_{i}", mark(f"square_{i}", root * root) == base)
        base = mark(f"next_base_{i}", select(usable, root, base))
        n = mark(f"next_n_{i}", select(usable, mark(f"twice_{i}", n + n), n))
    count, index = nearest(clamp(mark("n", n), 0.0, 31.0))
    fits = mark("power", small_power(odd_part(base), index)) <= LONGEST
    exact = lone & whole
    fits = fits & mark("is_integer", mark("count", count) == n)
    found: Truth = exact | mark("short", fits & mark("at_least_1", n >= 1.0) & mark("at_most_16", n <= 16.0))
    return found


def power(x: Real, y: Real) -> Pair:
    """(value, err) of x^y for positive finite x and finite y."""
    hi, lo = log2_of(x)
    p, p_lo = two_product(hi, y)
    p_lo = p_lo + lo * y
    p, p_lo = fast_two_sum(p, p_lo)
    value = select(mark("first", y == 1.0), x, two_to_power(p, p_lo))
    return value, select((y == 1.0) | (abs(p) < SLIGHT), 0.0, value * BOUND)


@refines("pow", "powr", "pown")
def refined_power(x: Real, y: Real, value: Real, err: Real) -> Pair:
    """(value, err) of x^y with exact results found, ``value`` being a little off them."""
    exact = mark("exact", is_short_power(abs(x), y) & mark("open", err > 0.0))
    return select(exact, shortened(value), value), select(exact, 0.0, err)


def ordinary(x: Real) -> Real:
    """|x| where it is positive and finite, 1 elsewhere."""
    return select((x == x) & (x != 0.0) & (abs(x) < INFINITY), abs(x), 1.0)


def at_the_ends(x: Real, y: Real, value: Real, err: Real) -> Pair:
    """Lay |x|^y for |x| = 0 or infinite, or y infinite, over ``value``."""
    a = abs(x)
    unbounded = abs(y) == INFINITY
    grows = (a > 1.0) == (y > 0.0)
    extreme = select(grows, INFINITY, 0.0)
    special = mark("special", unbounded | (a == 0.0) | (a == INFINITY))
    return select(special, select(unbounded & (a == 1.0), 1.0, extreme), value), select(special, 0.0, err)


@kernel()
def pow(x: Real, y: Real) -> Pair:
    """x^y by C99's rules; pown's are the same ones, for integer y."""
    finite_y = mark("factor", select(abs(y) < INFINITY, y, 1.0))
    value, err = power(ordinary(x), finite_y)
    value, err = at_the_ends(x, y, value, err)
    whole, odd = is_whole(y)
    negative = bits(x) < 0
    value = select(mark("negative", negative & odd), -value, value)
    invalid = (x < 0.0) & (abs(x) < INFINITY) & ~whole & (abs(y) < INFINITY)
    value = select(mark("invalid", invalid | (x != x) | (y != y)), NAN, value)
    one = mark("one", (y == 0.0) | (x == 1.0))
    decided = one | (value != value)
    return select(one, 1.0, value), select(decided, 0.0, err)


@kernel()
def pown(x: Real, y: Real) -> Pair:
    """x^y for integer y."""
    return pow(x, y)


@kernel()
def powr(x: Real, y: Real) -> Pair:
    """x^y for x >= 0, as e^(y log x): NaN where that is 0 times infinity."""
    finite_y = mark("factor", select(abs(y) < INFINITY, y, 1.0))
    value, err = power(ordinary(x), finite_y)
    value, err = at_the_ends(x, y, value, err)
    value = select(mark("zero", y == 0.0), 1.0, value)
    invalid = (x < 0.0) | (x != x) | (y != y)
    invalid = invalid | ((y == 0.0) & ((x == 0.0) | (x == INFINITY))) | ((x == 1.0) & (abs(y) == INFINITY))
    return select(mark("invalid", invalid), NAN, value), select(invalid | (y == 0.0), 0.0, err)


def is_short_root(x: Real, n: Real, value: Real) -> Truth:
    """Whether the n-th root of positive x has at most 26 bits: it is a power of two, or ``value`` raised gives x."""
    lone, k = power_of_two_exponent(x)
    quotient, _ = nearest(mark("ratio", k / n))
    quotient = mark("quotient", quotient)
    index = nearest(clamp(n, 0.0, 31.0))[1]
    raised = mark("raised", small_power(scope("of_short", odd_part)(shortened(value)), index))
    exact = lone & mark("divides", mark("multiple", quotient * n) == k)
    few = (n >= 1.0) & (n <= 16.0)
    found: Truth = exact | mark("short", few & mark("equal", raised == scope("of_x", odd_part)(x)))
    return found


@refines("rootn")
def refined_root(x: Real, n: Real, value: Real, err: Real) -> Pair:
    """(value, err) of x^(1/n) with exact results found, ``value`` being a little off them."""
    exact = mark("exact", is_short_root(abs(x), n, value) & mark("open", err > 0.0))
    return select(exact, shortened(value), value), select(exact, 0.0, err)


@kernel()
def rootn(x: Real, y: Real) -> Pair:
    """x^(1/y) for integer y."""
    n = mark("divisor", select(y == 0.0, 1.0, y))
    a = ordinary(x)
    hi, lo = log2_of(a)
    q = hi / n
    p, p_lo = two_product(q, n)
    q_lo = mark("left", ((hi - p) - p_lo) + lo) / n
    value = select(mark("first", n == 1.0), a, two_to_power(q, q_lo))
    err = select((n == 1.0) | (abs(q) < SLIGHT), 0.0, value * BOUND)
    value, err = at_the_ends(x, n, value, err)
    _, odd = is_whole(n)
    value = select(mark("negative", (bits(x) < 0) & odd), -value, value)
    invalid = (y == 0.0) | (x != x) | ((x < 0.0) & ~odd)
    return select(mark("invalid", invalid), NAN, value), select(invalid, 0.0, err)
