"""tgamma and lgamma: Stirling's series beyond 32, a product of 32 factors before, reflection below zero."""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.kernels import pairs
from clmath.kernels.accurate.boundaries import magnitude, normalised
from clmath.kernels.accurate.gamma import AT_ZERO, HUGE
from clmath.kernels.accurate.pairs import over_pair, pair_polynomial, plus, plus_pair, times, times_pair
from clmath.kernels.accurate.trigonometric import TINY_TURNS
from clmath.kernels.narrowing.enclosures import narrower
from clmath.kernels.narrowing.exponential import LN2
from clmath.kernels.narrowing.power import log2_of_any, two_to_power
from clmath.kernels.narrowing.trigonometric import PI, of_turns
from clmath.kernels.records import narrows

STIRLING = pairs("narrowing/gamma", "stirling")
TAIL = [hi for hi, _ in STIRLING[3:]]
(CONSTANT,), (LOG2_E,) = pairs("narrowing/gamma", "constant"), pairs("narrowing/gamma", "log2_of_e")
STEPS = 32  # from here on the series: its thirteen terms leave out 2^-118
HALF_ZETA_OF_2 = 0.8224670334241132  # pi^2/12
ALONE_ERROR = 2.0**-91.75  # where the logarithm is alone: of x (0.58 - 0.82 x) where x is tiny, of log x beyond HUGE

SUM_BOUND = 2.0**-100
# of b log2 b, the largest of the terms of log2 gamma(b), b >= 32, from the certificate
PRODUCT_BOUND = 2.0**-97.25
# of gamma, from the certificates: most of the error comes from the product of 32 factors


def product(a: Real) -> Pair:
    """(hi, lo) = a (a + 1) ... (a + 31), relative error below 2^-98.5: factors as far from the ends belong together."""
    second, second_lo = two_sum(a, STEPS - 1.0)
    q, q_lo = mark("ends ends_lo", *times(second, second_lo, a))
    hi, lo = q, q_lo
    for i in range(1, STEPS // 2):
        factor, factor_lo = mark("factor factor_lo", *plus(q, q_lo, float(i * (STEPS - 1 - i))))
        hi, lo = mark("product product_lo", *times_pair(hi, lo, factor, factor_lo))
    return hi, lo


def stirling(b: Real, b_lo: Real) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of log2 gamma(b + b_lo) for b >= 32.

    It is (b - 1/2) log2 b - (b - log(2 pi)/2 - s/b) log2(e), s the series in 1/b^2.
    """
    inverse, inverse_lo = over_pair(1.0, 0.0, b, b_lo)
    z, z_lo = times_pair(inverse, inverse_lo, inverse, inverse_lo)
    s, s_lo = pair_polynomial(z, z_lo, STIRLING[:3], polynomial(z, TAIL))
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
    hi, lo, err = stirling(b, b_lo)
    return hi, lo, err, *mark("below below_lo", select(near, below, 1.0), select(near, below_lo, 0.0))


def mirror(x: Real) -> Pair:
    """(hi, lo) of -gamma(x) gamma(-x) / pi without its inverse: x sin(pi x), 1 where x is not negative."""
    sine, sine_lo, _, _ = of_turns(x)
    hi, lo = mark("mirror mirror_lo", *times(sine, sine_lo, x))
    return select(x < 0.0, hi, 1.0), select(x < 0.0, lo, 0.0)


@narrows("tgamma")
def tgamma(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Gamma function; for negative x it is -pi / (x sin(pi x) gamma(-x))."""
    p, p_lo, p_err, below, below_lo = shifted(abs(x))
    power, power_lo, power_err, k = two_to_power(p, p_lo, p_err)
    negative = mark("negative", x < 0.0)
    of_pi, of_pi_lo = select(negative, -PI[0], 1.0), select(negative, -PI[1], 0.0)
    over, over_lo = mark("over over_lo", *times_pair(below, below_lo, of_pi, of_pi_lo))
    under, under_lo = mark("under under_lo", *times_pair(power, power_lo, *mirror(x)))
    top, top_lo = select(negative, over, power), select(negative, over_lo, power_lo)
    bottom, bottom_lo = select(negative, under, below), select(negative, under_lo, below_lo)
    new_hi, new_lo = over_pair(top, top_lo, bottom, bottom_lo)
    new_err = abs(new_hi) * (mark("share", power_err / power) + PRODUCT_BOUND)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_err, select(negative, -k, k)))


@narrows("lgamma")
def lgamma(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
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
    new_hi, new_lo = times_pair(total, total_lo, *LN2)
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
