"""tgamma and lgamma: by log gamma, below zero by the reflection formula, about the zeros of lgamma by themselves.

Narrower enclosures: Stirling's series in pairs beyond 32, a product of 32 factors before, reflection below zero.
"""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import pairs, table
from clmath.kernels.accurate.angles import PI, TINY_TURNS
from clmath.kernels.accurate.boundaries import magnitude, normalised
from clmath.kernels.accurate.exponential import GROWTH, LN2_PAIR, reduced, scaled_exp
from clmath.kernels.accurate.log_gamma import (
    CLOSER_ERROR,
    LOG_BOUND,
    MIRRORED_ERROR,
    NEAR_BOUND,
    NEAR_ERROR,
    SERIES,
    about_zero,
    ahead_of,
    difference,
    from_pole,
    log_gamma,
    log_gamma_piece,
    sine,
    stirling,
)
from clmath.kernels.accurate.logarithm import log_pair
from clmath.kernels.accurate.narrower import narrower
from clmath.kernels.accurate.pairs import over_pair, pair_polynomial, plus, plus_pair, times, times_pair
from clmath.kernels.accurate.power import log2_of_any, two_to_power_in_pairs
from clmath.kernels.accurate.sines import of_turns, sinpi_pair
from clmath.kernels.records import far, kernel, narrows, ordinary, refines

AT_ZERO, SLOPE_AT_ZERO = map(float, table("accurate/gamma", "at_zero"))
LOG_PI, LOG_PI_LO = map(float, table("accurate/gamma", "log_of_pi"))
STIRLING = pairs("narrowing/gamma", "stirling")
STIRLING_TAIL = [hi for hi, _ in STIRLING[3:]]
(CONSTANT,), (LOG2_E,) = pairs("narrowing/gamma", "constant"), pairs("narrowing/gamma", "log2_of_e")

PIECES_BELOW, GROWING_FROM = 15.0, 28.0  # sizes up to which log gamma is a polynomial, and from which its bound grows
ORDINARY_LEAST, GAMMA_LEAST, GROWING_LEAST, GROWTH_OF_LOG = 2.0**-71.15, 2.0**-69.7, 2.0**-71.65, 1.03125 * 2.0**-78
# bounds from the certificates without the term in r of scaled_exp: most of the error is Stirling's series at 16
TOP = 175.0  # gamma(175) > 2^1048
BOTTOM = -185.0  # |gamma| of every double below is less than 2^-1080: next to -185 it is 2^45/185! < 2^-1082
SMALL, SMALL_BOUND = 2.0**-30, 2.0**-82
# of 1/x - 0.58 + 0.99 x, from the certificate
TOUCHING = 2.0**-60  # below this gamma of a power of two rounds like 1/x (1 - 2^-80)
VANISHING = 2.0**-110  # below this gamma of all others rounds like 1/x, as ``over_pair`` gives it
LEAST, HUGE = 2.0**-200, 2.0**300  # between them lgamma is more than -log x or x (log x - 1)

STEPS = 32  # from here on the series: its thirteen terms leave out 2^-118
HALF_ZETA_OF_2 = 0.8224670334241132  # pi^2/12
ALONE_ERROR = 2.0**-91.75  # where the logarithm is alone: of x (0.58 - 0.82 x) where x is tiny, of log x beyond HUGE
SUM_BOUND = 2.0**-100
# of b log2 b, the largest of the terms of log2 gamma(b), b >= 32, from the certificate
PRODUCT_BOUND = 2.0**-97.25
# of gamma, from the certificates: most of the error comes from the product of 32 factors


def from_integer(x: Real) -> tuple[Real, Integer]:
    """(r, n) with x = r + n and |r| <= 1/2 for -2^51 < x < 0; zeros above."""
    below = select(x < 0.0, x, 0.0)
    whole, n = nearest(below)
    return below - whole, n


def from_integer_modulo_2(x: Real) -> tuple[Real, Integer, Truth]:
    """(r, n, whether x is a negative integer or -inf) with x = r + n (mod 2) for any x < 0; zeros above."""
    below = clamp(x, -(2.0**52), 0.0)  # from there on every double is an integer, and even
    rest = below - 2.0 * nearest(0.5 * below)[0]
    whole, n = nearest(rest)
    r = rest - whole
    return r, n, (x < 0.0) & (r == 0.0)


def signed(r: Real, n: Integer) -> Real:
    """(-1)^n r."""
    return from_bits(bits(r) ^ (n << 63))


def numerator(x: Real, log: Real, log_lo: Real) -> Enclosed:
    """(hi, lo, error, exponent) of gamma(x) times ``denominator``, given log gamma at the place of ``ahead_of``.

    It is 1 at 1. gamma(x) = gamma(1 + x)/x, and pi/(gamma(1 - x) sin(pi x)) where sin(pi x) = (-1)^n sin(pi r).
    ``error`` is the part of the bound of ``scaled_exp`` that grows with r.
    """
    r, r_lo, n = reduced(mark("log", select(mark("negative", x < 0.0), -log, log)))
    r, r_lo = mark("r r_lo", *fast_two_sum(r, r_lo + mark("log_lo", select(x < 0.0, -log_lo, log_lo))))
    hi, lo = mark("power power_lo", *scaled_exp(r, r_lo, n & 255))
    return hi, lo, GROWTH * (r * r), n >> 8


def denominator(x: Real, r: Real, n: Integer) -> Pair:
    """(hi, lo) of the divisor of ``numerator``."""
    hi, lo = sine(signed(r, n))
    return select(x < 0.0, hi, select(x < 0.5, x, 1.0)), select(x < 0.0, lo, 0.0)


def is_ordinary_tgamma(x: Real) -> Truth:
    """Whether ``ordinary_tgamma`` holds: -14.9 < x < 15.9, but no negative integer and not next to 0."""
    found: Truth = (x > -14.9) & (x < 15.9) & (abs(x) > SMALL) & ((x > 0.0) | (nearest(x)[0] != x))
    return found


@ordinary("tgamma", holds=is_ordinary_tgamma)
def ordinary_tgamma(x: Real) -> Enclosed:
    """Gamma function where log gamma is a polynomial on a subinterval."""
    r, n = from_integer(x)
    log, log_lo = log_gamma_piece(ahead_of(x), abs(x))
    hi, lo, error, exponent = numerator(x, log, log_lo)
    pairs = mark("dividend dividend_lo divisor divisor_lo", hi, lo, *denominator(x, r, n))
    hi, lo = mark("quotient quotient_lo", *over_pair(*pairs))
    return hi, lo, abs(hi) * (ORDINARY_LEAST + error), exponent


@kernel()
def tgamma(x: Real) -> Enclosed:
    """Gamma function; infinite at 0, undefined at the negative integers and -inf."""
    r, n, is_pole = from_integer_modulo_2(x)
    plain = mark("plain", (abs(x) > SMALL) & ~is_pole)
    kept = select(plain, clamp(x, BOTTOM, TOP), 1.0)
    log, log_lo, _ = log_gamma(ahead_of(kept), abs(kept), 1.0)
    hi, lo, error, exponent = numerator(kept, log, log_lo)
    d, d_lo = denominator(kept, select(plain, r, 0.5), n)
    found = hi, lo, error_of_size(abs(kept)) + error, exponent
    return tgamma_at_ends(x, r, n, is_pole, over_small(found, x, d, d_lo))


def error_of_size(size: Real) -> Real:
    """The bound of the relative error of gamma(+-size), without ``numerator``'s error."""
    growing = GROWING_LEAST + size * GROWTH_OF_LOG
    return select(size < PIECES_BELOW, ORDINARY_LEAST, select(size < GROWING_FROM, GAMMA_LEAST, growing))


def tgamma_at_ends(x: Real, r: Real, n: Integer, is_pole: Truth, parts: Enclosed) -> Enclosed:
    """Replace the ``parts`` of gamma(x) where it is too small, infinite or undefined."""
    hi, lo, err, exponent = parts
    below = mark("vanished", (x < BOTTOM) & ~mark("pole", is_pole))
    hi = select(below, select(bits(signed(r, n)) < 0, -1.0, 1.0), hi)
    hi = select(x == 0.0, from_bits(bits(x) | INFINITE), select(x == INFINITY, INFINITY, hi))
    undefined = is_pole | (x != x)
    exact = below | undefined | (x == 0.0) | (x == INFINITY)
    hi = select(undefined, NAN, hi)
    return hi, select(exact, 0.0, lo), select(exact, 0.0, err), select(below, -1100, exponent)


def is_far_tgamma(x: Real) -> Truth:
    """Whether ``far_tgamma`` holds: |x| <= SMALL, or gamma(x) is out of range, infinite or undefined."""
    return ~((abs(x) > SMALL) & (x >= BOTTOM) & (x <= TOP))


@far("tgamma", holds=is_far_tgamma)
def far_tgamma(x: Real) -> Enclosed:
    """Gamma function where it takes no logarithm of itself."""
    r, n, is_pole = from_integer_modulo_2(x)
    hi, lo, err, exponent = over_small((1.0, 0.0, 0.0, 0), x, 1.0, 0.0)
    above = mark("above", x > TOP)
    parts = select(above, 1.0, hi), select(above, 0.0, lo), select(above, 0.0, err), select(above, 1100, exponent)
    return tgamma_at_ends(x, r, n, is_pole, parts)


def over_small(
    value: tuple[Real | float, Real | float, Real | float, Integer | int], x: Real, d: Real | float, d_lo: Real | float
) -> Enclosed:
    """(hi, lo, err, exponent) of ``value`` over d + d_lo or, where |x| <= SMALL, of 1/x - 0.58 + 0.99 x, given 1.

    ``value`` has a relative error as its third, which is the quotient's where it is divided by d + d_lo.

    1/x, unless it is a double, lies 2^-107 or more from doubles and midpoints in [1/2, 1]: no quotient as a pair is on
    another side of one.
    """
    hi, lo, error, exponent = value
    small, vanishing = mark("small vanishing", (abs(x) <= SMALL) & (x != 0.0), abs(x) < VANISHING)
    divisor = select(small, x, 1.0) * select(vanishing, 2.0**600, 1.0)
    pairs = mark("dividend dividend_lo divisor divisor_lo", hi, lo, select(small, divisor, d), d_lo)
    hi, lo = mark("quotient quotient_lo", *over_pair(*pairs))
    hi, lo = fast_two_sum(hi, lo + select(small & ~vanishing, AT_ZERO + divisor * SLOPE_AT_ZERO, 0.0))
    touching = mark("touching", (abs(x) < TOUCHING) & ((bits(divisor) & FRACTION) == 0))
    lo = select(touching, abs(hi) * -(2.0**-80), lo)
    err = abs(hi) * select(small, select(vanishing | touching, 0.0, SMALL_BOUND), error)
    return hi, lo, err, select(vanishing, 600, exponent)


@refines("tgamma")
def refined_tgamma(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts with those found that are exact: (x - 1)! at 1 .. 23; 23! has 56 bits."""
    in_range = mark("in_range", (x >= 1.0) & (x <= 23.0))
    factorial = mark("factorial", in_range & mark("integer", mark("whole", nearest(x)[0]) == x))
    return hi, select(factorial, 0.0, lo), select(factorial, 0.0, err), exponent


def product(a: Real) -> Pair:
    """(hi, lo) = a (a + 1) ... (a + 31), relative error below 2^-98.5: factors as far from the ends belong together."""
    second, second_lo = two_sum(a, STEPS - 1.0)
    q, q_lo = mark("ends ends_lo", *times(second, second_lo, a))
    hi, lo = q, q_lo
    for i in range(1, STEPS // 2):
        factor, factor_lo = mark("factor factor_lo", *plus(q, q_lo, float(i * (STEPS - 1 - i))))
        hi, lo = mark("product product_lo", *times_pair(hi, lo, factor, factor_lo))
    return hi, lo


def stirling_in_pairs(b: Real, b_lo: Real) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of log2 gamma(b + b_lo) for b >= 32.

    It is (b - 1/2) log2 b - (b - log(2 pi)/2 - s/b) log2(e), s the series in 1/b^2.
    """
    inverse, inverse_lo = over_pair(1.0, 0.0, b, b_lo)
    z, z_lo = times_pair(inverse, inverse_lo, inverse, inverse_lo)
    s, s_lo = pair_polynomial(z, z_lo, STIRLING[:3], polynomial(z, STIRLING_TAIL))
    s, s_lo = times_pair(s, s_lo, inverse, inverse_lo)
    s, s_lo = plus_pair(s, s_lo, *CONSTANT)
    log, log_lo, log_err = mark("log_b log_b_lo log_b_err", *scope("log", log2_of_any)(normalised(magnitude(b))))
    log, log_lo = plus(log, log_lo, b_lo * inverse * LOG2_E[0])
    less, less_lo = plus(b, b_lo, -0.5)
    first, first_lo = times_pair(less, less_lo, log, log_lo)
    rest, rest_lo = plus_pair(s, s_lo, -b, -b_lo)
    rest, rest_lo = times_pair(rest, rest_lo, *LOG2_E)
    hi, lo = plus_pair(first, first_lo, rest, rest_lo)
    return mark("p p_lo p_err", hi, lo, b * log_err + first * SUM_BOUND)


def shifted(a: Real) -> tuple[Real, Real, Real, Real, Real]:
    """(hi, lo, err, below, below_lo): log2 of gamma(a) times ``below``, the product, or 1 from 32 on; a > 0."""
    near = mark("raised", a < STEPS)
    below, below_lo = product(mark("multiplied", select(near, a, 1.0)))
    b, b_lo = mark("b b_lo", *two_sum(a, select(near, float(STEPS), 0.0)))
    hi, lo, err = stirling_in_pairs(b, b_lo)
    return hi, lo, err, *mark("below below_lo", select(near, below, 1.0), select(near, below_lo, 0.0))


def mirror(x: Real) -> Pair:
    """(hi, lo) of -gamma(x) gamma(-x) / pi without its inverse: x sin(pi x), 1 where x is not negative."""
    sine, sine_lo, _, _ = of_turns(x)
    hi, lo = mark("mirror mirror_lo", *times(sine, sine_lo, x))
    return select(x < 0.0, hi, 1.0), select(x < 0.0, lo, 0.0)


@narrows("tgamma")
def narrow_tgamma(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Gamma function; for negative x it is -pi / (x sin(pi x) gamma(-x))."""
    p, p_lo, p_err, below, below_lo = shifted(abs(x))
    power, power_lo, power_err, k = two_to_power_in_pairs(p, p_lo, p_err)
    negative = mark("negative", x < 0.0)
    of_pi, of_pi_lo = select(negative, -PI[0], 1.0), select(negative, -PI[1], 0.0)
    over, over_lo = mark("over over_lo", *times_pair(below, below_lo, of_pi, of_pi_lo))
    under, under_lo = mark("under under_lo", *times_pair(power, power_lo, *mirror(x)))
    top, top_lo = select(negative, over, power), select(negative, over_lo, power_lo)
    bottom, bottom_lo = select(negative, under, below), select(negative, under_lo, below_lo)
    new_hi, new_lo = over_pair(top, top_lo, bottom, bottom_lo)
    new_err = abs(new_hi) * (mark("share", power_err / power) + PRODUCT_BOUND)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_err, select(negative, -k, k)))


def error_above_zero(x: Real, hi: Real) -> Real:
    """The bound of the error of log gamma(x) for positive x."""
    return select(mark("near", x < 4.0), lesser(abs(hi) * NEAR_BOUND, NEAR_ERROR), abs(hi) * LOG_BOUND)


def is_ordinary_lgamma(x: Real) -> Truth:
    """Whether ``ordinary_lgamma`` holds."""
    return (x > LEAST) & (x < HUGE)


@ordinary("lgamma", holds=is_ordinary_lgamma)
def ordinary_lgamma(x: Real) -> Enclosed:
    """Logarithm of gamma(x) for positive x; below 1/2 it is log gamma(1 + x) - log x."""
    hi, lo = log_gamma_piece(ahead_of(x), lesser(x, SERIES))
    log, log_lo = mark("log log_lo", *scope("of_x", log_pair)(x))
    inside, is_piece = mark("inside is_piece", x < 0.5, x < SERIES)
    hi, lo = difference(hi, lo, select(inside, log, 0.0), select(inside, log_lo, 0.0))
    far = greater(x, SERIES)
    far_hi, far_lo = stirling(far, 0.0, 1.0 / far, log, log_lo)
    hi, lo = select(is_piece, hi, far_hi), select(is_piece, lo, far_lo)
    return hi, lo, error_above_zero(x, hi), 0


@kernel()
def lgamma(x: Real) -> Enclosed:
    """Logarithm of |gamma(x)|; 0 at 1 and 2, infinite at the poles and the infinities.

    Below 0 it is log(pi) - log gamma(1 - x) - log|sin(pi r)|.
    """
    r, _ = from_pole(x)
    is_pole = mark("pole", (x < 0.0) & (r == 0.0))
    kept = select(mark("plain", (abs(x) > LEAST) & (x < HUGE) & ~is_pole), x, 1.0)
    negative, huge = mark("negative huge", kept < 0.0, (x >= HUGE) & (x < INFINITY))
    d, d_lo = mark("d d_lo", *sinpi_pair(mark("turns", select(negative, abs(r), 0.5))))
    base, base_lo, inverse = log_gamma(ahead_of(kept), abs(kept), d)
    base, rest = two_sum(base, select(negative, -LOG_PI, 0.0))
    base_lo = base_lo + (rest + select(negative, -LOG_PI_LO, 0.0))
    sign = select(negative, -1.0, 1.0)
    inside = mark("inside", x < 0.5)
    of_log = mark("of_log", select(negative, d, select(inside | huge, abs(x), 1.0)))
    log, log_lo = mark("log log_lo", *scope("of_sine", log_pair)(of_log))
    log_lo = log_lo + select(negative, mark("ratio", d_lo * inverse), 0.0)
    hi, lo = difference(sign * base, sign * base_lo, log, log_lo)
    err = select(negative, mirrored_error(base, MIRRORED_ERROR), error_above_zero(x, hi))
    return lgamma_at_ends(x, is_pole, log, log_lo, (hi, lo, err))


def is_far_lgamma(x: Real) -> Truth:
    """Whether ``far_lgamma`` holds: x is tiny, huge, not above -2^52, or NaN."""
    return ~((abs(x) > LEAST) & (x > -(2.0**52)) & (x < HUGE))


@far("lgamma", holds=is_far_lgamma)
def far_lgamma(x: Real) -> Enclosed:
    """Logarithm of |gamma(x)| where log |x| suffices, or x is a pole."""
    size = mark("size", abs(x))
    of_log = mark("of_log", select((x < 0.5) | ((x >= HUGE) & (x < INFINITY)), size, 1.0))
    log, log_lo = mark("log log_lo", *scope("of_size", log_pair)(of_log))
    return lgamma_at_ends(x, x <= -(2.0**52), log, log_lo, (-log, -log_lo, error_above_zero(x, -log)))


def lgamma_at_ends(x: Real, is_pole: Truth, log: Real, log_lo: Real, parts: tuple[Real, Real, Real]) -> Enclosed:
    """Replace the ``parts`` of log gamma(x) where x is huge, given log x, and where the result is infinite or NaN."""
    hi, lo, err = parts
    huge = mark("huge", (x >= HUGE) & (x < INFINITY))
    far_hi, far_lo = times(log - 1.0, log_lo, select(huge, x, 2.0**600) * 2.0**-600)
    hi, lo, err = select(huge, far_hi, hi), select(huge, far_lo, lo), select(huge, abs(far_hi) * LOG_BOUND, err)
    infinite = is_pole | mark("zero", x == 0.0) | (abs(x) == INFINITY)
    exact = infinite | (x != x)
    hi = select(x != x, NAN, select(infinite, INFINITY, hi))
    return hi, select(exact, 0.0, lo), select(exact, 0.0, err), select(huge, 600, 0)


def mirrored_error(base: Real, error: float) -> Real:
    """The bound of the error below 0, given log gamma(1 - x), with or without log pi."""
    return abs(base) * LOG_BOUND + error


@refines("lgamma")
def refined_lgamma(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts with those below 0 found more closely, by ``sine`` or about the zero next to them."""
    negative = mark("negative", (x < -LEAST) & (err > 0.0))
    kept = select(negative, x, -2.5)
    near, near_lo, near_err, is_near = about_zero(kept)
    closer, closer_lo, closer_err = mirrored(kept)
    near, near_lo = select(is_near, near, closer), select(is_near, near_lo, closer_lo)
    near_err = select(is_near, near_err, closer_err)
    hi, lo = select(negative, near, hi), select(negative, near_lo, lo)
    return hi, lo, select(negative, near_err, err), exponent


def mirrored(x: Real) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of log|gamma(x)| below 0, where it is -log gamma(1 - x) - log|sin(pi r)/pi|."""
    r, _ = from_pole(x)
    d, d_lo = sine(r)
    base, base_lo, inverse = log_gamma(1.0, -x, d)
    log, log_lo = mark("log log_lo", *scope("of_sine", log_pair)(mark("of_log", abs(d))))
    hi, lo = difference(-base, -base_lo, log, log_lo + mark("ratio", d_lo * inverse))
    return hi, lo, mirrored_error(base, CLOSER_ERROR)


@narrows("lgamma")
def narrow_lgamma(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Logarithm of |gamma(x)|; for negative ``x``, of |pi / (x sin(pi x) gamma(-x))|.

    For tiny x it is -log|x| - 0.58 x + 0.82 x^2, except for 2^-121; for huge x, x (log x - 1), except for 2^-300.
    """
    a = abs(x)
    tiny, huge, negative, far = mark("tiny huge negative far", a < TINY_TURNS, x >= HUGE, x < 0.0, a >= HUGE)
    kept = select(tiny | far, 1.0, x)
    p, p_lo, p_err, below, below_lo = shifted(abs(kept))
    over, over_lo = mark("over over_lo", *times_pair(below, below_lo, *PI))
    over, over_lo = mark("reflected reflected_lo", *over_pair(over, over_lo, *mirror(kept)))
    below_zero = mark("kept_negative", kept < 0.0)
    ratio, ratio_lo = mark("ratio ratio_lo", select(below_zero, over, below), select(below_zero, over_lo, below_lo))
    alone = tiny | huge
    log, log_lo, log_err = scope("of_ratio", log2_of_any)(normalised(magnitude(select(alone, x, ratio))))
    log, log_lo, log_err = mark("log_ratio log_ratio_lo log_ratio_err", log, log_lo, log_err)
    log, log_lo = plus(log, log_lo, mark("step", select(alone, 0.0, ratio_lo / ratio * LOG2_E[0])))
    total, total_lo = plus_pair(p, p_lo, -log, -log_lo)
    total, total_lo = select(alone, log, total), select(alone, log_lo, total_lo)
    new_hi, new_lo = times_pair(total, total_lo, *LN2_PAIR)
    new_err = (
        log_err + abs(log) * 2.0**-102 + abs(new_hi) * 2.0**-101 + select(alone, ALONE_ERROR, p_err + PRODUCT_BOUND)
    )
    x_scaled = select(huge, x * 2.0**-600, 1.0)
    beside = select(tiny, -x * (AT_ZERO + x * HALF_ZETA_OF_2), 0.0)
    less, less_lo = plus(new_hi, new_lo, select(huge, -1.0, beside))
    less, less_lo = times(less, less_lo, x_scaled)
    sign = select(tiny | negative, -1.0, 1.0)
    found = less * sign, less_lo * sign, new_err * x_scaled * 1.125
    return narrower(hi, lo, err, exponent, (*found, select(huge, 600, 0)))
