"""pow, powr, pown and rootn as 2^(y log2 x), the logarithm and the product as pairs.

Narrower enclosures take one Newton step from that logarithm, and the power of two in pairs.
"""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients, table
from clmath.kernels.accurate.boundaries import (
    SLIGHT,
    from_power_of_two,
    gap,
    magnitude,
    normalised,
    power_beyond,
    refined,
    side_of_root,
)
from clmath.kernels.accurate.exponential import (
    GROWTH,
    LEAST,
    LN2_PAIR,
    NARROW_BOUND,
    change_of_power,
    scaled_exp,
    scaled_exp_in_pairs,
)
from clmath.kernels.accurate.narrower import narrower
from clmath.kernels.accurate.pairs import over_pair, plus, plus_pair, times, times_pair
from clmath.kernels.records import kernel, narrows, refines

COARSE, FINE = table("accurate/power", "coarse"), table("accurate/power", "fine")
COARSE_HI, COARSE_LO = table("accurate/power", "coarse_hi"), table("accurate/power", "coarse_lo")
FINE_HI, FINE_LO = table("accurate/power", "fine_hi"), table("accurate/power", "fine_lo")
LOG2_E_HI, LOG2_E_LO = map(float, table("accurate/power", "log2_of_e"))
LN2_HI, LN2_LO = map(float, table("accurate/power", "ln2"))
LOG2_TAIL = coefficients("accurate/power", "log2_tail")
LOG2_E = 1.0 / LN2_PAIR[0]
SQRT2 = 1.4142135623730951
SQRT2_PLACE = 53  # the place of [1, 2) that holds sqrt(2): from here on m counts as 2 (m/2)
LOW_HALF = (1 << 26) - 1  # of a mantissa: times reciprocals of 9 and 15 bits, both halves are exact

BOUND_OF_EXPONENT = 2.0**-80
# error bound of p, which is y log2 x or log2 x over n, times ln 2, from the certificates; the bound of 2^p is LEAST +
# GROWTH r^2
TINY = 2.0**-60  # |y log2 x| below this: x^y rounds like 1 + 2^-80 or 1 - 2^-80
TOP = 1200.0  # 2^1200 and 2^-1200 lie beyond every double
LEAST_POWER = 1023 - 130 << 52  # the encoding of 2^-130: y log2 x is tiny for |y| below it and every x
GREATEST_POWER = 1023 + 66 << 52  # of 2^66: for |y| above it x^y is beyond every double for every x but 1
LONGEST = 2.0**54  # numbers with more significant bits are neither doubles nor midpoints
MOST = 64.0  # no odd m > 1 has m^n below 2^54 for n > 34


def reduced(m: Real, j: Integer) -> tuple[Real, Real, Integer]:
    """(r, r_lo, i) with 1 + r + r_lo = m c1 c2, |r| < 2^-13.67, c1 and c2 being the reciprocals number j and i.

    The products of both halves of m with them are exact, and so is the first one minus 1.
    """
    coarse = take(COARSE, j)
    first = from_bits(bits(m) & ~LOW_HALF)
    upper = first * coarse - 1.0
    _, n = nearest(upper * 8192.0)
    i = mark("i", mark("nearest", n) + 64)
    fine = take(FINE, i)
    r, r_lo = mark("r r_lo", *two_sum(upper * fine + (fine - 1.0), (m - first) * coarse * fine))
    return r, r_lo, i


def log2_beside_one(r: Real, r_lo: Real) -> tuple[Real, Real, Real]:
    """(t, u, rest) with log2(1 + r + r_lo) = t + u + rest, u below 2^-14 t and rest below 2^-42 t.

    With t = r log2(e) it is t (1 - r/2 + r^2 P(r)). r^3 P, below 2^-28.9 r, has five roundings: 2^-79.6; all else has
    2^-100 r.
    """
    t, t_lo = two_product(r, LOG2_E_HI)
    t_lo = t_lo + (r * LOG2_E_LO + r_lo * LOG2_E_HI)
    u, u_lo = two_product(t, -0.5 * r)
    rest = t_lo + (u_lo + (t * (r * r * polynomial(r, LOG2_TAIL)) - 0.5 * (t_lo * r + t * r_lo)))
    return mark("t u rest", t, u, rest)


def log2_of(encoding: Integer) -> Pair:
    """(hi, lo) with log2 x = hi + lo, x > 0 being encoded as ``normalised`` does; relative error below 2^-79.5.

    That of log2(1 + r), |r| being below the result; the rests of the tables 2^-95 of a result above 2^-13.5.
    """
    j = mark("j", (encoding >> 45) & 127)
    r, r_lo, i = reduced(mark("m", from_bits(mark("code", (encoding & FRACTION) | ONE))), j)
    t, u, rest = log2_beside_one(r, r_lo)
    k = mark("k", (encoding >> 52) - 1023 + select(j >= SQRT2_PLACE, 1, 0))
    head = mark("with_k", real(k) + mark("head", take(COARSE_HI, j) + take(FINE_HI, i)))
    hi, lo = fast_two_sum(head, t)
    hi, u = fast_two_sum(hi, u)
    return mark("l l_lo", *fast_two_sum(hi, lo + u + (rest + mark("tail", take(COARSE_LO, j) + take(FINE_LO, i)))))


def log2_of_times(encoding: Integer, y: Real) -> Pair:
    """(p, p_lo) with p + p_lo = y log2 x."""
    hi, lo = log2_of(encoding)
    p, p_lo = two_product(hi, y)
    return fast_two_sum(p, p_lo + lo * y)


def log2_of_divided(encoding: Integer, n: Real) -> Pair:
    """(q, q_lo) with q + q_lo = (log2 x) / n."""
    hi, lo = log2_of(encoding)
    q = hi / n
    p, p_lo = two_product(q, n)
    return q, mark("left", ((hi - p) - p_lo) + lo) / n


def reduced_exponent(p: Real, p_lo: Real) -> tuple[Real, Real, Integer]:
    """(s, s_lo, n) with p + p_lo = n/256 + (s + s_lo) log2(e); p is moved into -1200 .. 1200 first."""
    clipped = mark("clipped", clamp(p, -TOP, TOP))
    step, n = nearest(clipped * 256.0)
    r, r_lo = fast_two_sum(clipped - step * 0.00390625, select(clipped == p, p_lo, 0.0))
    s, s_lo = two_product(r, LN2_HI)
    return mark("s s_lo steps", s, s_lo + (r * LN2_LO + r_lo * LN2_HI), n)


def two_to_power(p: Real, p_lo: Real) -> Enclosed:
    """The parts of 2^(p + p_lo), where the relative error of p + p_lo is below 2^-79.49."""
    s, s_lo, n = reduced_exponent(*mark("p p_lo", p, p_lo))
    hi, lo = scaled_exp(s, s_lo, n & 255)
    size = mark("size", abs(p))
    tiny = mark("tiny", size < TINY)
    lo = select(tiny, select(p > 0.0, 2.0**-80, select(p < 0.0, -(2.0**-80), 0.0)), lo)
    bound = (LEAST + GROWTH * (s * s)) + size * BOUND_OF_EXPONENT
    return hi, lo, select(mark("usual", (size <= TOP) & ~tiny), hi * bound, 0.0), n >> 8


def within_reach(y: Real) -> Real:
    """``y`` with its size moved into 2^-130 .. 2^66; a NaN, too."""
    return mark("factor", from_bits(clamp(magnitude(y), LEAST_POWER, GREATEST_POWER) | (bits(y) & SIGN)))


def power(x: Real, y: Real) -> Enclosed:
    """The parts of |x|^y; not for zeros, infinities and NaN."""
    p, p_lo = log2_of_times(normalised(magnitude(x)), y)
    return two_to_power(p, p_lo)


def in_steps_of_two(p: Real, p_lo: Real) -> tuple[Real, Real, Integer]:
    """(r, r_lo, n) with 2^(p + p_lo) = 2^(n/256) e^(r + r_lo), the rest of p times ln 2 to 2^-102 of it."""
    whole, n = mark("whole steps", *nearest(p * 256.0))
    rest, rest_lo = mark("left left_lo", *fast_two_sum(p - whole * 0.00390625, p_lo))
    r, r_lo = mark("s s_lo", *times_pair(rest, rest_lo, *LN2_PAIR))
    return r, r_lo, n


def log2_of_any(encoding: Integer) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of log2 x, x > 0 being encoded as ``normalised`` does.

    log2 x = l + log2(1 + d) with d = m 2^-t - 1 where x = m 2^k and t = l - k. d is below 2^-69.4, and its square, left
    out, 2^-139.9, or 2^-160 l^2 where k = 0. d = (m - 1) + m (2^-t - 1), where the first term is exact and the second
    has the error of ``change_of_power``, 2 GROWTH_BOUND |t| and, where t is at least 1/512, 2 STEP_BOUND; times m
    log2(e), which is 2.05 at most. The last sum has 2^-104.
    """
    l, l_lo = log2_of(encoding)
    m = mark("mantissa", from_bits((encoding & FRACTION) | ONE))
    upper = m > SQRT2
    m = mark("halved", select(upper, 0.5 * m, m))
    k = mark("binade", (encoding >> 52) - 1023 + select(upper, 1, 0))
    t, t_lo = mark("y y_lo", *plus(l, l_lo, -mark("as_double", real(k))))
    r, r_lo, n = in_steps_of_two(-t, -t_lo)
    scale = two_to(-(n >> 8))
    change, change_lo, change_err = change_of_power(r, r_lo, n & 255, scale)
    change, change_lo = times(change, change_lo, m / scale)
    d, _ = plus_pair(m - 1.0, 0.0, change, change_lo)
    hi, lo = plus(l, l_lo, mark("step", d * LOG2_E))
    change_err = mark("change", change_err * (2.125 / scale))
    err = abs(hi) * 2.0**-103 + change_err
    err = err + select(mark("near", k == 0), 0.0, 2.0**-139)
    return mark("log log_lo log_err", hi, lo, err)


def two_to_power_in_pairs(p: Real, p_lo: Real, p_err: Real) -> Parts:
    """The parts of 2^(p + p_lo ± p_err), p moved into -1200 .. 1200.

    e^r carries the error of r, ln 2 p_err, in addition to NARROW_BOUND.
    """
    p, p_lo, p_err = mark("p p_lo p_err", p, p_lo, p_err)
    r, r_lo, n = in_steps_of_two(mark("clipped", clamp(p, -TOP, TOP)), p_lo)
    hi, lo = mark("power power_lo", *scaled_exp_in_pairs(r, r_lo, n & 255))
    return hi, lo, mark("power_err", hi * (NARROW_BOUND + p_err)), mark("power_k", n >> 8)


def narrowed(hi: Real, lo: Real, err: Real, exponent: Integer, found: Enclosed) -> Parts:
    """The parts narrowed by the parts ``found`` of the result's size."""
    new_hi, new_lo, new_err, new_exponent = found
    sign = select(mark("negative", hi < 0.0), -1.0, 1.0)
    return narrower(hi, lo, err, exponent, (new_hi * sign, new_lo * sign, new_err, new_exponent))


def whole(y: Real) -> tuple[Truth, Integer]:
    """(whether y is an integer, its lowest bit in the place of the sign where it is), y not NaN, 0 or subnormal."""
    size = clamp(abs(y), 0.0, 9007199254740992.0)  # 2^53; larger numbers are even
    count = integer(size)
    is_whole = real(count) == size
    return is_whole, select(is_whole, count << 63, 0)


def overlaid(special: Truth, value: Real, parts: Enclosed) -> Enclosed:
    """``value`` where ``special``, else ``parts``."""
    hi, lo, err, exponent = parts
    special = mark("special", special)
    lo, err = select(special, 0.0, lo), select(special, 0.0, err)
    return select(special, value, hi), lo, err, select(special, 0, exponent)


def with_sign(sign: Integer, parts: Enclosed) -> Enclosed:
    """``parts`` with their signs changed where ``sign`` has a sign bit."""
    hi, lo, err, exponent = parts
    sign, hi, lo = mark("sign unsigned unsigned_lo", sign, hi, lo)
    return from_bits(bits(hi) ^ sign), from_bits(bits(lo) ^ sign), err, exponent


def extreme(size: Integer, y: Real) -> Real:
    """0 or infinity: |x|^y for |x| = 0 or infinite, or y infinite; ``size`` is the encoding of |x|."""
    return select((size > ONE) == (y > 0.0), INFINITY, 0.0)


def first_power(is_first: Truth, parts: Enclosed) -> Enclosed:
    """``parts`` as exact results where the exponent is 1: hi, the nearest double, is the result."""
    hi, lo, err, exponent = parts
    is_first = mark("first", is_first)
    return hi, select(is_first, 0.0, lo), select(is_first, 0.0, err), exponent


def with_special_values(x: Real, y: Real, parts: Enclosed) -> Enclosed:
    """C99's rules laid over the ``parts`` of |x|^y."""
    is_whole, odd = whole(within_reach(y))
    size, of_y = magnitude(x), magnitude(y)
    one = (y == 0.0) | (x == 1.0) | ((size == ONE) & (of_y == INFINITE))
    invalid = (size > INFINITE) | (of_y > INFINITE) | ((x < 0.0) & (size < INFINITE) & ~is_whole)
    outside = one | invalid | (size == 0) | (size >= INFINITE) | (of_y >= INFINITE)
    value = select(one, 1.0, select(invalid, NAN, extreme(size, y)))
    return with_sign(odd & bits(x), overlaid(outside, value, parts))


@kernel()
def pow(x: Real, y: Real) -> Enclosed:
    """x^y by C99's rules."""
    return with_special_values(x, y, power(x, within_reach(y)))


@kernel()
def pown(x: Real, y: Real) -> Enclosed:
    """x^y for integer y, by the rules of pow."""
    return with_special_values(x, y, first_power(y == 1.0, power(x, within_reach(y))))


@kernel()
def powr(x: Real, y: Real) -> Enclosed:
    """x^y for x >= 0, as e^(y log x): NaN where that is 0 times infinity."""
    parts = power(x, within_reach(y))
    size, of_y = magnitude(x), magnitude(y)
    ends = (size == 0) | (size == INFINITE)
    invalid = (x < 0.0) | (x != x) | (y != y) | ((y == 0.0) & ends) | ((x == 1.0) & (of_y == INFINITE))
    value = select(invalid, NAN, select(y == 0.0, 1.0, extreme(size, y)))
    return overlaid(invalid | ends | (y == 0.0) | (of_y == INFINITE), value, parts)


def odd_part(encoding: Integer) -> tuple[Real, Integer]:
    """(m, k) with the number that ``normalised`` encodes m 2^k and m odd."""
    mantissa = mark("mantissa", (mark("of_odd", encoding) & FRACTION) | (FRACTION + 1))
    low = bits(real(mark("lowest_bit", mantissa & -mantissa)))
    inverse = from_bits((2 * 1023 << 52) - low)
    odd = mark("odd", mark("whole", real(mantissa)) * inverse)
    return odd, mark("k_odd", (encoding >> 52) + (low >> 52) - (2 * 1023 + 52))


def small_power(m: Real, n: Integer) -> Real:
    """m^n for n = 0 .. 63 as a double: exact where it is below 2^53."""
    y = select((n & 1) != 0, m, 1.0)
    square = m * m
    y = y * select((n & 2) != 0, square, 1.0)
    square = square * square
    y = y * select((n & 4) != 0, square, 1.0)
    square = square * square
    y = y * select((n & 8) != 0, square, 1.0)
    square = square * square
    return y * select((n & 16) != 0, square, 1.0) * select((n & 32) != 0, square * square, 1.0)


def is_integer_below(m: Real, n: Real) -> Truth:
    """Whether m^n is an integer of at most 54 bits, m > 1 being an odd integer: n = 1 .. 34 then."""
    m, n = mark("base n", m, n)
    count, index = nearest(clamp(n, 0.0, MOST - 1.0))
    is_integer = mark("is_integer", mark("count", count) == n)
    found: Truth = mark("below", is_integer & (n >= 1.0) & (small_power(m, index) <= LONGEST))
    return found


def exact_scale(k: Integer, y: Real) -> Truth:
    """Whether k y is an integer."""
    product, rest = mark("product product_rest", *two_product(mark("real_k", real(k)), y))
    no_rest = mark("no_rest", rest == 0.0)
    is_whole = mark("is_whole", mark("whole_product", nearest(clamp(product, -2.0 * TOP, 2.0 * TOP))[0]) == product)
    found: Truth = mark("scale", no_rest & is_whole)
    return found


def side_of_power(x: Real, y: Real, hi: Real, lo: Real) -> Real:
    """Which side of hi + lo in 54 bits |x|^y lies on, |x| = (1 + d) 2^k, d slight, k y an integer; 0 elsewhere."""
    d, k = from_power_of_two(normalised(magnitude(x)))
    slight = mark("slight_d", abs(d) < SLIGHT) & mark("slight_yd", abs(y * d) < SLIGHT)
    return mark("side_of_power", select(slight & exact_scale(k, y), power_beyond(d, y, gap(hi, lo)), 0.0))


def side_of_slight_power(x: Real, y: Real, hi: Real, lo: Real) -> Real:
    """Which side of |hi + lo| in 54 bits |x|^y lies on, y log |x| slight and next to the boundary; 0 elsewhere.

    The boundary is 1 + g, and log(1 + g) is g - g^2/2 with an error below 2^-34 g^2; y log |x| has the relative error
    2^-79.
    """
    p, p_lo = mark("p p_lo", *scope("log", log2_of_times)(normalised(magnitude(x)), y))
    g = gap(hi, lo)
    s, s_lo = two_product(p, LN2_HI)
    s, s_lo = mark("s s_lo", s, s_lo + (p * LN2_LO + p_lo * LN2_HI))
    square = g * g
    missed = mark("missed_of_s", mark("apart", s - g) + mark("others", s_lo + 0.5 * square))
    near = mark("slight_g", abs(g) < SLIGHT) & mark("close_to_g", abs(s - g) < 0.25 * abs(g))
    more = mark("more_than_s", abs(missed) > mark("bound_of_s", abs(g) * 2.0**-77 + square * 2.0**-33))
    return mark("side_of_slight", select(mark("told_of_s", near & more), missed, 0.0))


def halved_root(base: Real, root: Real, n: Real) -> Pair:
    """(root, 2 n) if n is not an integer and ``root``, perhaps rounded, is an integer whose square is ``base``; else
    (base, n).

    That of n^2 -+ 1 is rounded to n where n is beyond 2^26, and is not n.
    """
    base, root, n = mark("base root n", base, root, n)
    fraction = nearest(n)[0] != n
    is_whole = mark("is_whole", mark("whole_root", nearest(root)[0]) == root)
    usable = fraction & is_whole & mark("equal", mark("square", root * root) == base)
    return mark("next_base next_n", select(usable, root, base), select(usable, mark("twice", n + n), n))


def root_of_power_of_3(x: Real) -> Real:
    """The square root of 9 and of 81, 0.5 for other numbers."""
    return select(x == 9.0, 3.0, select(x == 81.0, 9.0, 0.5))


@refines("pow", "powr")
def refined_pow(x: Real, y: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts of x^y with exact results and midpoints found.

    With |x| = m 2^k, m odd, and y = n/2^s: k y is an integer and m = 1, or m is the 2^s-th power of t and t^n has at
    most 54 bits; s <= 5, for 3^64 > 2^53. The eighth root of m is below 100: of 9, 25, 49 and 81 there is a root.
    """
    m, k = odd_part(normalised(magnitude(x)))
    usual = within_reach(y)
    base, n = m, clamp(usual, -MOST, MOST)
    for i in range(3):
        base, n = scope(f"step_{i}", halved_root)(base, sqrt(base), n)
    root = select(base == 25.0, 5.0, select(base == 49.0, 7.0, root_of_power_of_3(base)))
    base, n = scope("step_3", halved_root)(base, root, n)
    base, n = scope("step_4", halved_root)(base, root_of_power_of_3(base), n)
    exact = (mark("m_is_one", m == 1.0) | is_integer_below(base, n)) & scope("of_m", exact_scale)(k, usual)
    side = side_of_power(x, usual, hi, lo)
    side = select(mark("told_of_power", side != 0.0), side, side_of_slight_power(x, usual, hi, lo))
    return refined(exact, side, hi, lo, err, exponent)


@refines("pown")
def refined_pown(x: Real, y: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts of x^y, y an integer, with exact results and midpoints found."""
    m, _ = odd_part(normalised(magnitude(x)))
    side = side_of_power(x, within_reach(y), hi, lo)
    return refined(mark("m_is_one", m == 1.0) | is_integer_below(m, y), side, hi, lo, err, exponent)


@narrows("pow", "pown", "powr")
def narrow_pow(x: Real, y: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """x^y."""
    l, l_lo, l_err = mark("l l_lo l_err", *scope("log", log2_of_any)(normalised(magnitude(x))))
    reach = within_reach(y)
    p, p_lo = times(l, l_lo, reach)
    return narrowed(hi, lo, err, exponent, two_to_power_in_pairs(p, p_lo, abs(reach) * l_err + abs(p) * 2.0**-103))


@refines("rootn")
def refined_rootn(x: Real, n: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts of x^(1/n) with exact results found: hi^n = x.

    With |x| = m 2^k and hi = v 2^q, m and v odd: hi is a root where v^n = m, for hi is so close to it that q n = k.
    No midpoint is a root: its power would be longer than x. Where m = 1, it is one where n divides k.
    """
    m, k = scope("of_x", odd_part)(normalised(magnitude(x)))
    v, _ = scope("of_hi", odd_part)(magnitude(hi))
    quotient = mark("quotient", nearest(mark("ratio", mark("real_k", real(k)) / n))[0])
    power_of_two = mark("m_is_one", m == 1.0) & mark("divides", mark("multiple", quotient * n) == real(k))
    in_range = (n >= 1.0) & (n < MOST)
    raised = mark("raised", small_power(v, integer(clamp(n, 0.0, MOST - 1.0))))
    exact = power_of_two | mark("is_power", in_range & mark("equal", raised == m))
    return refined(exact, side_of_root(x, n, hi, lo), hi, lo, err, exponent)


@kernel()
def rootn(x: Real, y: Real) -> Enclosed:
    """x^(1/y) for integer y."""
    n = mark("divisor", select(y == 0.0, 1.0, y))
    q, q_lo = log2_of_divided(normalised(magnitude(x)), n)
    parts = first_power(n == 1.0, two_to_power(q, q_lo))
    size = magnitude(x)
    odd = integer(n) << 63
    invalid = (y == 0.0) | (x != x) | ((x < 0.0) & (odd == 0))
    value = select(invalid, NAN, extreme(size, n))
    return with_sign(odd & bits(x), overlaid(invalid | (size == 0) | (size == INFINITE), value, parts))


@narrows("rootn")
def narrow_rootn(x: Real, y: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """x^(1/y) for integer y."""
    l, l_lo, l_err = mark("l l_lo l_err", *scope("log", log2_of_any)(normalised(magnitude(x))))
    n = mark("divisor", select(y == 0.0, 1.0, y))
    p, p_lo = over_pair(l, l_lo, n, 0.0)
    return narrowed(hi, lo, err, exponent, two_to_power_in_pairs(p, p_lo, l_err / abs(n) + abs(p) * 2.0**-100))
