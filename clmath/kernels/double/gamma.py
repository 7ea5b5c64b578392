"""tgamma and lgamma: log gamma piece by piece up to 16, Stirling's series beyond, the reflection formula below zero.

lgamma is refined next to its zeros below -2, where the terms of that formula cancel.
"""

from __future__ import annotations

from typing import Any

from clmath.kernels import coefficients, pieces, table
from clmath.kernels.double.exponential import reduced, scaled_exp
from clmath.kernels.double.logarithm import log1p_pair, log_pair
from clmath.kernels.double.pairs import over_pair, times
from clmath.kernels.double.trigonometric import sinpi_pair
from clmath.numbers.lanes import (
    bits,
    clamp,
    fast_two_sum,
    from_bits,
    greater,
    integer,
    lane,
    lesser,
    nearest,
    piecewise,
    polynomial,
    select,
    take,
    two_product,
    two_sum,
)

__all__ = [
    "is_ordinary_lgamma",
    "is_ordinary_tgamma",
    "lgamma",
    "ordinary_lgamma",
    "ordinary_tgamma",
    "refined_lgamma",
    "refined_tgamma",
    "tgamma",
]


PIECES, ZEROS = 81, 29  # of log gamma, and about zeros of log|gamma|
C_0, C_1, C_2, C_3 = table("double/gamma", "head").reshape(4, PIECES + ZEROS)
C_0_LO, C_1_LO, C_2_LO, C_3_LO = table("double/gamma", "rest").reshape(4, PIECES + ZEROS)
TAIL = pieces("double/gamma", "tail", PIECES + ZEROS)
SINC_0, SINC_1, SINC_2, SINC_3, SINC_4 = (tuple(map(float, table("double/gamma", f"sinc_{i}"))) for i in range(5))
SINC_TAIL = tuple(map(float, table("double/gamma", "sinc_tail")))
STIRLING_TAIL = coefficients("double/gamma", "stirling_tail")
CONSTANT, CONSTANT_LO = map(float, table("double/gamma", "stirling_constant"))
ZERO, ZERO_OFF, ZERO_REACH = (table("double/gamma", name) for name in ("zero", "zero_off", "zero_reach"))
ZERO_VALUE, ZERO_VALUE_LO = table("double/gamma", "zero_value"), table("double/gamma", "zero_value_lo")
LOG_PI, LOG_PI_LO = map(float, table("double/gamma", "log_of_pi"))
TWELFTH, TWELFTH_LO = map(float, table("double/gamma", "twelfth"))
AT_ZERO, SLOPE_AT_ZERO = map(float, table("double/gamma", "at_zero"))
LOWEST = 0x3FE0000000000000 >> 48  # the piece of log gamma at 1/2, the first
HALF_A_PIECE = (1 << 47) - 1
INFINITE, FRACTION = 0x7FF0000000000000, 0xFFFFFFFFFFFFF
INFINITY = float("inf")
NAN = float("nan")

SERIES = 16.0  # from here on Stirling's series
NEAR_BOUND, NEAR_ERROR, LOG_BOUND = 2.0**-67.2, 2.0**-72.6, 2.0**-73
MIRRORED_ERROR, CLOSER_ERROR = 2.0**-68.2, 2.0**-72.2
# A piece: c_4 t^4 + ... carries 2^-53 for each of c_4, its sum with the rest and the product with t, 2^-51.3 with what
# the rest carries; all else is exact to 2^-100 and the fit to 2^-76. |c_4 t^4| is largest at the edges of pieces: below
# 4 it is 2^-21.6, which makes 2^-72.9, or 2^-67.3 of log gamma next to 1 and 2, where that is t (c_1 + ...); up to 8
# 2^-21.0, 2^-73.1 of log gamma; up to 16 2^-20.3, 2^-74.7 of it.
# Stirling's series, log gamma(a) > 1.77 (a - 1/2): the logarithm's 2^-78 are 2^-78.8; z Q/a < 2^-20.4 carries ten
# roundings, 2^-70.1 or 2^-74.9 of 27.9; 1/(120 a^4), left out of what a_lo is multiplied by, makes 2^-77.7: 2^-74.6.
# sin(pi r)/(pi r) > 0.63: terms from y^5 on, below 2^-23.8, carry 2^-51.3 like those of a piece and y_lo's share,
# 2^-76.2: 2^-73.9. Logarithms: 2^-78.
# Below 0 the errors add up: 2^-72.9, 2^-73.9 and 2^-78, or 2^-73 of log gamma(1 - x) in place of the first: 2^-72.29.
# With sinpi_pair's 2^-68.3 in place of the second, and 2^-73 log pi besides 2^-73 of log(gamma(1 - x)/pi): 2^-68.23.
POLE_BOUND, POLE_ERROR, SMOOTH_BOUND = 2.0**-68, 2.0**-78, 2.0**-70
# About a zero: log1p_pair's; a polynomial's as above, |t|^3 c_4 < 2^-19.4, which makes 2^-70.7 of t, the fit 2^-73.
GAMMA_BOUND, ORDINARY_BOUND = 2.0**-68.3, 2.0**-68.7
# the logarithm: Stirling's series at 16 2^-69.9, at 185 185 x 2^-78 = 2^-70.4; ordinary arguments have pieces, 2^-71.6;
# scaled_exp 2^-69; the sine 2^-73.9; the quotient 2^-100: 2^-68.35, ordinary ones 2^-68.74
TOP = 175.0  # gamma(175) > 2^1048
BOTTOM = -185.0  # |gamma| of every double below is less than 2^-1080: next to -185 it is 2^45/185! < 2^-1082
SMALL, SMALL_BOUND = 2.0**-30, 2.0**-82
# 1/x - 0.58 + 0.99 x leaves out 0.91 x^2, 2^-90 of 1/x; two roundings of 0.58, 2^-83.8
TOUCHING = 2.0**-60  # below this gamma of a power of two rounds like 1/x (1 - 2^-80)
VANISHING = 2.0**-110  # below this gamma of all others rounds like 1/x, as ``over_pair`` gives it
LEAST, HUGE = 2.0**-200, 2.0**300  # between them lgamma is more than -log x or x (log x - 1)


@lane
def next_term(t: Any, s: Any, e: Any, c: Any, c_lo: Any) -> Any:
    """(hi, lo) of c + c_lo + t (s + e), |t s| <= |c|."""
    p, p_lo = two_product(t, s)
    hi, rest = fast_two_sum(c, p)
    return hi, (p_lo + t * e) + (rest + c_lo)


@lane
def log_gamma_piece(ahead: Any, x: Any) -> Any:
    """(hi, lo) with hi + lo = log gamma(ahead + x) for 1/2 <= ahead + x <= 16, ahead 0 or 1, x >= 0; exact at 1 and 2.

    The distance t from the centre is exact: a multiple of x's last place and no larger than x, or x itself; for that,
    what lies halfway between two centres belongs to the lower one.
    """
    place = (bits(ahead + x) + HALF_A_PIECE) >> 48
    t = x + (ahead - from_bits(place << 48))
    piece = place - LOWEST
    return piece_at(t, piece)


@lane
def piece_at(t: Any, piece: Any) -> Any:
    """(hi, lo) of the polynomial number ``piece`` at t from its centre."""
    s, e = fast_two_sum(take(C_3, piece), t * piecewise(t, piece, TAIL))
    s, e = next_term(t, s, e + take(C_3_LO, piece), take(C_2, piece), take(C_2_LO, piece))
    s, e = next_term(t, s, e, take(C_1, piece), take(C_1_LO, piece))
    return next_term(t, s, e, take(C_0, piece), take(C_0_LO, piece))


@lane
def stirling(a: Any, a_lo: Any, log: Any, log_lo: Any) -> Any:
    """(hi, lo) with hi + lo = log gamma(a + a_lo) for 16 <= a < 2^300, given log a.

    It is (a - 1/2)(log a - 1) + (log(2 pi) - 1)/2 + (1/12 + z Q(z))/a with z = 1/a^2, and a_lo times its derivative.
    """
    m = log - 1.0  # exact
    b, b_lo = fast_two_sum(a, -0.5)
    p, p_lo = two_product(b, m)
    inverse = 1.0 / a
    q = TWELFTH * inverse
    back, back_lo = two_product(q, a)
    z = inverse * inverse
    q_lo = inverse * ((((TWELFTH - back) - back_lo) + TWELFTH_LO) + z * polynomial(z, STIRLING_TAIL))
    s, s_lo = fast_two_sum(CONSTANT, q)
    y, y_lo = fast_two_sum(p, s)
    slope = log - inverse * (0.5 + TWELFTH * inverse)
    rest = (p_lo + (b * log_lo + (b_lo * m + a_lo * slope))) + (s_lo + (q_lo + CONSTANT_LO))
    return fast_two_sum(y, y_lo + rest)


@lane
def log_gamma(ahead: Any, x: Any) -> Any:
    """(hi, lo) with hi + lo = log gamma(ahead + x) for 1/2 <= ahead + x < 2^300, ahead 0 or 1, x >= 0."""
    hi, lo = log_gamma_piece(ahead, lesser(x, SERIES - ahead))
    a, a_lo = fast_two_sum(x, ahead)  # exact where x >= 1
    far = greater(a, SERIES)
    far_hi, far_lo = stirling(far, a_lo, *log_pair(far))
    return select(a < SERIES, hi, far_hi), select(a < SERIES, lo, far_lo)


@lane
def ahead_of(x: Any) -> Any:
    """How far ahead of |x| log gamma is asked for: at x itself from 1/2 on, at 1 + x above 0, at 1 - x below."""
    return select(x < 0.5, 1.0, 0.0)


@lane
def from_integer(x: Any) -> Any:
    """(r, n) with x = r + n and |r| <= 1/2 for -2^51 < x < 0; zeros above."""
    below = select(x < 0.0, x, 0.0)
    whole, n = nearest(below)
    return below - whole, n


@lane
def from_integer_modulo_2(x: Any) -> Any:
    """(r, n, whether x is a negative integer or -inf) with x = r + n (mod 2) for any x < 0; zeros above."""
    below = clamp(x, -(2.0**52), 0.0)  # from there on every double is an integer, and even
    rest = below - 2.0 * nearest(0.5 * below)[0]
    whole, n = nearest(rest)
    r = rest - whole
    return r, n, (x < 0.0) & (r == 0.0)


@lane
def from_pole(x: Any) -> Any:
    """(r, whole) with x = whole + r, an integer and |r| <= 1/2, for any x < 0; zeros above."""
    below = clamp(x, -(2.0**52), 0.0)  # from there on every double is an integer
    whole = (below - 2.0**52) + 2.0**52
    return below - whole, whole


@lane
def sine(r: Any) -> Any:
    """(hi, lo) with hi + lo = sin(pi r)/pi for |r| <= 1/2: r times a polynomial in y + y_lo = r^2 - 1/8."""
    z, z_lo = two_product(r, r)
    y, y_lo = two_sum(z, -0.125)
    y_lo = y_lo + z_lo
    s_4, e = fast_two_sum(SINC_4[0], y * polynomial(y, SINC_TAIL))
    s_3, e = next_term(y, s_4, e + SINC_4[1], *SINC_3)
    s_2, e = next_term(y, s_3, e + y_lo * s_4, *SINC_2)
    s_1, e = next_term(y, s_2, e + y_lo * s_3, *SINC_1)
    s_0, e = next_term(y, s_1, e + y_lo * s_2, *SINC_0)
    p, p_lo = two_product(r, s_0)
    return fast_two_sum(p, p_lo + r * (e + y_lo * s_1))


@lane
def signed(r: Any, n: Any) -> Any:
    """(-1)^n r."""
    return from_bits(bits(r) ^ (n << 63))


@lane
def numerator(x: Any, log: Any, log_lo: Any) -> Any:
    """(hi, lo, exponent) of gamma(x) times ``denominator``, given log gamma at the place of ``ahead_of``: 1 at 1.

    gamma(x) = gamma(1 + x)/x, and pi/(gamma(1 - x) sin(pi x)) where sin(pi x) = (-1)^n sin(pi r).
    """
    r, r_lo, n = reduced(select(x < 0.0, -log, log))
    r, r_lo = fast_two_sum(r, r_lo + select(x < 0.0, -log_lo, log_lo))
    hi, lo = scaled_exp(r, r_lo + r * r_lo, n & 255)
    return hi, lo, n >> 8


@lane
def denominator(x: Any, r: Any, n: Any) -> Any:
    """(hi, lo) of what ``numerator`` is to be divided by."""
    hi, lo = sine(signed(r, n))
    return select(x < 0.0, hi, select(x < 0.5, x, 1.0)), select(x < 0.0, lo, 0.0)


@lane
def is_ordinary_tgamma(x: Any) -> Any:
    """Whether ``ordinary_tgamma`` holds: -14.9 < x < 15.9, but no negative integer and not next to 0."""
    return (x > -14.9) & (x < 15.9) & (abs(x) > SMALL) & ((x > 0.0) | (nearest(x)[0] != x))


@lane
def ordinary_tgamma(x: Any) -> Any:
    """Gamma function where log gamma is a piece."""
    r, n = from_integer(x)
    log, log_lo = log_gamma_piece(ahead_of(x), abs(x))
    hi, lo, exponent = numerator(x, log, log_lo)
    hi, lo = over_pair(hi, lo, *denominator(x, r, n))
    return hi, lo, abs(hi) * ORDINARY_BOUND, exponent


@lane
def tgamma(x: Any) -> Any:
    """Gamma function; infinite at 0, undefined at the negative integers and -inf."""
    r, n, is_pole = from_integer_modulo_2(x)
    plain = (abs(x) > SMALL) & ~is_pole
    kept = select(plain, clamp(x, BOTTOM, TOP), 1.0)
    log, log_lo = log_gamma(ahead_of(kept), abs(kept))
    hi, lo, exponent = numerator(kept, log, log_lo)
    d, d_lo = denominator(kept, select(plain, r, 0.5), n)
    hi, lo, err, exponent = over_small((hi, lo, exponent), x, d, d_lo)
    below = (x < BOTTOM) & ~is_pole
    hi = select(below, select(bits(signed(r, n)) < 0, -1.0, 1.0), hi)
    hi = select(x == 0.0, from_bits(bits(x) | INFINITE), select(x == INFINITY, INFINITY, hi))
    undefined = is_pole | (x != x)
    exact = below | undefined | (x == 0.0) | (x == INFINITY)
    hi = select(undefined, NAN, hi)
    return hi, select(exact, 0.0, lo), select(exact, 0.0, err), select(below, -1100, exponent)


@lane
def over_small(value: Any, x: Any, d: Any, d_lo: Any) -> Any:
    """(hi, lo, err, exponent) of ``value`` over d + d_lo or, where |x| <= SMALL, of 1/x - 0.58 + 0.99 x, given 1.

    1/x, unless it is a double, lies 2^-107 or more from doubles and midpoints in [1/2, 1]: no quotient as a pair is on
    another side of one.
    """
    hi, lo, exponent = value
    small, vanishing = (abs(x) <= SMALL) & (x != 0.0), abs(x) < VANISHING
    divisor = select(small, x, 1.0) * select(vanishing, 2.0**600, 1.0)
    hi, lo = over_pair(hi, lo, select(small, divisor, d), d_lo)
    hi, lo = fast_two_sum(hi, lo + select(small & ~vanishing, AT_ZERO + divisor * SLOPE_AT_ZERO, 0.0))
    touching = (abs(x) < TOUCHING) & ((bits(divisor) & FRACTION) == 0)
    lo = select(touching, abs(hi) * -(2.0**-80), lo)
    err = abs(hi) * select(small, select(vanishing | touching, 0.0, SMALL_BOUND), GAMMA_BOUND)
    return hi, lo, err, select(vanishing, 600, exponent)


@lane
def refined_tgamma(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    """The parts with those found that are exact: (x - 1)! at 1 .. 23; 23! has 56 bits."""
    factorial = (x >= 1.0) & (x <= 23.0) & (nearest(x)[0] == x)
    return hi, select(factorial, 0.0, lo), select(factorial, 0.0, err), exponent


@lane
def difference(hi: Any, lo: Any, b: Any, b_lo: Any) -> Any:
    """(hi + lo) - (b + b_lo) as a pair, whether they cancel or not."""
    s, e = two_sum(hi, -b)
    return two_sum(s, e + (lo - b_lo))


@lane
def error_above_zero(x: Any, hi: Any) -> Any:
    """The bound of the error of log gamma(x) for positive x."""
    return select(x < 4.0, lesser(abs(hi) * NEAR_BOUND, NEAR_ERROR), abs(hi) * LOG_BOUND)


@lane
def is_ordinary_lgamma(x: Any) -> Any:
    """Whether ``ordinary_lgamma`` holds."""
    return (x > LEAST) & (x < HUGE)


@lane
def ordinary_lgamma(x: Any) -> Any:
    """Logarithm of gamma(x) for positive x; below 1/2 it is log gamma(1 + x) - log x."""
    hi, lo = log_gamma_piece(ahead_of(x), lesser(x, SERIES))
    log, log_lo = log_pair(x)
    hi, lo = difference(hi, lo, select(x < 0.5, log, 0.0), select(x < 0.5, log_lo, 0.0))
    far_hi, far_lo = stirling(greater(x, SERIES), 0.0, log, log_lo)
    hi, lo = select(x < SERIES, hi, far_hi), select(x < SERIES, lo, far_lo)
    return hi, lo, error_above_zero(x, hi), 0


@lane
def lgamma(x: Any) -> Any:
    """Logarithm of |gamma(x)|; 0 at 1 and 2, infinite at the poles and the infinities.

    Below 0 it is log(pi) - log gamma(1 - x) - log|sin(pi r)|.
    """
    r, _ = from_pole(x)
    is_pole = (x < 0.0) & (r == 0.0)
    kept = select((abs(x) > LEAST) & (x < HUGE) & ~is_pole, x, 1.0)
    negative, huge = kept < 0.0, (x >= HUGE) & (x < INFINITY)
    base, base_lo = log_gamma(ahead_of(kept), abs(kept))
    base, rest = two_sum(base, select(negative, -LOG_PI, 0.0))
    base_lo = base_lo + (rest + select(negative, -LOG_PI_LO, 0.0))
    d, d_lo = sinpi_pair(select(negative, abs(r), 0.5))
    log, log_lo = log_pair(select(negative, d, select((x < 0.5) | huge, abs(x), 1.0)))
    log_lo = log_lo + select(negative, d_lo / d, 0.0)
    hi, lo = difference(select(negative, -base, base), select(negative, -base_lo, base_lo), log, log_lo)
    err = select(negative, mirrored_error(base, MIRRORED_ERROR), error_above_zero(x, hi))
    far_hi, far_lo = times(log - 1.0, log_lo, select(huge, x, 2.0**600) * 2.0**-600)
    hi, lo, err = select(huge, far_hi, hi), select(huge, far_lo, lo), select(huge, abs(far_hi) * LOG_BOUND, err)
    infinite = is_pole | (x == 0.0) | (abs(x) == INFINITY)
    exact = infinite | (x != x)
    hi = select(x != x, NAN, select(infinite, INFINITY, hi))
    return hi, select(exact, 0.0, lo), select(exact, 0.0, err), select(huge, 600, 0)


@lane
def mirrored_error(base: Any, error: Any) -> Any:
    """The bound of the error below 0, given log gamma(1 - x), with or without log pi."""
    return abs(base) * LOG_BOUND + error


@lane
def refined_lgamma(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    """The parts with those below 0 found more closely, by ``sine`` or about the zero next to them."""
    negative = (x < -LEAST) & (err > 0.0)
    kept = select(negative, x, -2.5)
    near, near_lo, near_err, is_near = about_zero(kept)
    closer, closer_lo, closer_err = mirrored(kept)
    near, near_lo = select(is_near, near, closer), select(is_near, near_lo, closer_lo)
    near_err = select(is_near, near_err, closer_err)
    hi, lo = select(negative, near, hi), select(negative, near_lo, lo)
    return hi, lo, select(negative, near_err, err), exponent


@lane
def mirrored(x: Any) -> Any:
    """(hi, lo, err) of log|gamma(x)| below 0, where it is -log gamma(1 - x) - log|sin(pi r)/pi|."""
    base, base_lo = log_gamma(1.0, -x)
    r, _ = from_pole(x)
    d, d_lo = sine(r)
    log, log_lo = log_pair(abs(d))
    hi, lo = difference(-base, -base_lo, log, log_lo + d_lo / d)
    return hi, lo, mirrored_error(base, CLOSER_ERROR)


@lane
def about_zero(x: Any) -> Any:
    """(hi, lo, err, whether that holds) of log|gamma(x)| about the zero z that is next to ``x``, below -2.

    With t = x - z, exact, it is the value at z, which is a double, a polynomial through 0 and -log(1 + t/o), where o is
    the distance of z from the pole next to it.
    """
    r, whole = from_pole(x)
    zero = integer(clamp(-2.0 * whole - 4.0 - select(r > 0.0, 1.0, 0.0), 0.0, ZEROS - 1.0))
    t = x - take(ZERO, zero)
    is_near = abs(t) <= take(ZERO_REACH, zero)
    t = select(is_near, t, 0.0)
    log, log_lo = log1p_pair(*over_pair(t, 0.0, take(ZERO_OFF, zero), 0.0))
    s, s_lo = piece_at(t, zero + PIECES)
    value, rest = two_sum(take(ZERO_VALUE, zero), s)
    hi, lo = difference(value, rest + (s_lo + take(ZERO_VALUE_LO, zero)), log, log_lo)
    size = abs(log)
    err = lesser(size * POLE_BOUND, POLE_ERROR) + (abs(t) * SMOOTH_BOUND + abs(hi) * 2.0**-90)
    return hi, lo, err, is_near
