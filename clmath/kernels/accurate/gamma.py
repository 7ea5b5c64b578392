"""tgamma and lgamma: by log gamma, below zero by the reflection formula, about the zeros of lgamma by themselves."""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.kernels import table
from clmath.kernels.accurate.exponential import GROWTH, reduced, scaled_exp
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
from clmath.kernels.accurate.pairs import over_pair, times
from clmath.kernels.accurate.trigonometric import sinpi_pair
from clmath.kernels.records import far, kernel, ordinary, refines

AT_ZERO, SLOPE_AT_ZERO = map(float, table("accurate/gamma", "at_zero"))
LOG_PI, LOG_PI_LO = map(float, table("accurate/gamma", "log_of_pi"))

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
