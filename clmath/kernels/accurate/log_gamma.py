"""Log gamma: polynomials on subintervals up to 16, Stirling's series beyond, about zeros below -2; and the sine of
reflections.
"""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients, pieces, table
from clmath.kernels.accurate.logarithm import log1p_pair, log_pair
from clmath.kernels.accurate.pairs import over_pair

PIECES, ZEROS = 81, 29  # of log gamma, and about zeros of log|gamma|
C_0, C_1, C_2, C_3 = table("accurate/gamma", "head").reshape(4, PIECES + ZEROS)
C_0_LO, C_1_LO, C_2_LO, C_3_LO = table("accurate/gamma", "rest").reshape(4, PIECES + ZEROS)
TAIL = pieces("accurate/gamma", "tail", PIECES + ZEROS)
SINC_0, SINC_1, SINC_2, SINC_3, SINC_4 = (tuple(map(float, table("accurate/gamma", f"sinc_{i}"))) for i in range(5))
SINC_TAIL = tuple(map(float, table("accurate/gamma", "sinc_tail")))
STIRLING_TAIL = coefficients("accurate/gamma", "stirling_tail")
CONSTANT, CONSTANT_LO = map(float, table("accurate/gamma", "stirling_constant"))
ZERO, ZERO_OFF, ZERO_REACH = (table("accurate/gamma", name) for name in ("zero", "zero_off", "zero_reach"))
ZERO_VALUE, ZERO_VALUE_LO = table("accurate/gamma", "zero_value"), table("accurate/gamma", "zero_value_lo")
TWELFTH, TWELFTH_LO = map(float, table("accurate/gamma", "twelfth"))
LOWEST = 0x3FE0000000000000 >> 48  # the first subinterval of log gamma, at 1/2
HALF_A_PIECE = (1 << 47) - 1

SERIES = 16.0  # from here on Stirling's series
NEAR_BOUND, NEAR_ERROR, LOG_BOUND = 2.0**-67.2, 2.0**-72.6, 2.0**-73
MIRRORED_ERROR, CLOSER_ERROR = 2.0**-68.2, 2.0**-72.2
# from the certificates. Polynomials: the terms from t^4 on, next to 1 and 2 relative to t; Stirling's series: the
# roundings after its logarithm; below 0 the errors of a sine, a logarithm and a polynomial add up.
POLE_BOUND, POLE_ERROR, SMOOTH_BOUND = 2.0**-68, 2.0**-78, 2.0**-70
# about a zero, from the certificate: a polynomial, and the logarithm of the distance from the pole


def next_term(t: Real, s: Real, e: Real, c: Real | float, c_lo: Real | float) -> Pair:
    """(hi, lo) of c + c_lo + t (s + e), |t s| <= |c|."""
    p, p_lo = two_product(t, s)
    hi, rest = fast_two_sum(c, p)
    return hi, (p_lo + t * e) + (rest + c_lo)


def log_gamma_piece(ahead: Real | float, x: Real) -> Pair:
    """(hi, lo) with hi + lo = log gamma(ahead + x) for 1/2 <= ahead + x <= 16, ahead 0 or 1, x >= 0; exact at 1 and 2.

    The distance t from the centre is exact: a multiple of x's last place that is at most x, or x itself; to this end, a
    number halfway between two centres belongs to the lower one.
    """
    ahead, x = mark("piece_ahead piece_x", ahead, x)
    place = (bits(ahead + x) + HALF_A_PIECE) >> 48
    t = x + (ahead - from_bits(place << 48))
    piece = place - LOWEST
    return mark("piece piece_lo", *piece_at(t, piece))


def piece_at(t: Real, piece: Integer) -> Pair:
    """(hi, lo) of the polynomial number ``piece`` at t from its centre."""
    s, e = fast_two_sum(take(C_3, piece), t * piecewise(t, piece, TAIL))
    s, e = next_term(t, s, e + take(C_3_LO, piece), take(C_2, piece), take(C_2_LO, piece))
    s, e = next_term(t, s, e, take(C_1, piece), take(C_1_LO, piece))
    return next_term(t, s, e, take(C_0, piece), take(C_0_LO, piece))


def stirling(a: Real, a_lo: Real | float, inverse: Real, log: Real, log_lo: Real) -> Pair:
    """(hi, lo) with hi + lo = log gamma(a + a_lo) for 16 <= a < 2^300, given log a and 1/a, to a few roundings.

    It is (a - 1/2)(log a - 1) + (log(2 pi) - 1)/2 + (1/12 + z Q(z))/a with z = 1/a^2, and a_lo times its derivative.
    """
    a, a_lo, inverse, log, log_lo = mark("far far_lo far_inverse far_log far_log_lo", a, a_lo, inverse, log, log_lo)
    m = log - 1.0  # exact
    b, b_lo = fast_two_sum(a, -0.5)
    p, p_lo = two_product(b, m)
    q = TWELFTH * inverse
    back, back_lo = two_product(q, a)
    z = inverse * inverse
    q_lo = inverse * ((((TWELFTH - back) - back_lo) + TWELFTH_LO) + z * polynomial(z, STIRLING_TAIL))
    s, s_lo = fast_two_sum(CONSTANT, q)
    y, y_lo = fast_two_sum(p, s)
    slope = log - inverse * (0.5 + TWELFTH * inverse)
    rest = (p_lo + (b * log_lo + (b_lo * m + a_lo * slope))) + (s_lo + (q_lo + CONSTANT_LO))
    return mark("series series_lo", *fast_two_sum(y, y_lo + rest))


def log_gamma(ahead: Real | float, x: Real, d: Real | float) -> tuple[Real, Real, Real]:
    """(hi, lo, 1/d), hi + lo = log gamma(ahead + x) for 1/2 <= ahead + x < 2^300, ahead 0 or 1, x >= 0.

    One division for two: 1/d to a few roundings, 2^-500 < d < 2^500.
    """
    hi, lo = log_gamma_piece(ahead, lesser(x, SERIES - ahead))
    a, a_lo = mark("a a_lo", *fast_two_sum(x, ahead))  # exact where x >= 1
    far = greater(a, SERIES)
    inverse = 1.0 / (far * d)
    far_hi, far_lo = stirling(far, a_lo, inverse * d, *scope("of_series", log_pair)(far))
    is_piece = mark("is_piece", a < SERIES)
    return mark("base base_lo over_d", select(is_piece, hi, far_hi), select(is_piece, lo, far_lo), inverse * far)


def ahead_of(x: Real) -> Real:
    """The number that is added to |x| as log gamma's argument: 0 from 1/2 on, so that this is x, else 1."""
    return select(x < 0.5, 1.0, 0.0)


def from_pole(x: Real) -> Pair:
    """(r, whole) with x = whole + r, an integer and |r| <= 1/2, for any x < 0; zeros above."""
    below = clamp(x, -(2.0**52), 0.0)  # from there on every double is an integer
    whole = (below - 2.0**52) + 2.0**52
    return mark("r whole", below - whole, whole)


def sine(r: Real) -> Pair:
    """(hi, lo) with hi + lo = sin(pi r)/pi for |r| <= 1/2: r times a polynomial in y + y_lo = r^2 - 1/8."""
    z, z_lo = two_product(mark("of_sine", r), r)
    y, y_lo = two_sum(z, -0.125)
    y_lo = y_lo + z_lo
    s_4, e = fast_two_sum(SINC_4[0], y * polynomial(y, SINC_TAIL))
    s_3, e = next_term(y, s_4, e + SINC_4[1], *SINC_3)
    s_2, e = next_term(y, s_3, e + y_lo * s_4, *SINC_2)
    s_1, e = next_term(y, s_2, e + y_lo * s_3, *SINC_1)
    s_0, e = next_term(y, s_1, e + y_lo * s_2, *SINC_0)
    p, p_lo = two_product(r, s_0)
    return mark("sine sine_lo", *fast_two_sum(p, p_lo + r * (e + y_lo * s_1)))


def difference(hi: Real, lo: Real, b: Real, b_lo: Real) -> Pair:
    """(hi + lo) - (b + b_lo) as a pair, whether they cancel or not."""
    s, e = two_sum(hi, -b)
    return fast_two_sum(s, e + (lo - b_lo))  # exact: s is 0 or a multiple of the last place of the second term


def about_zero(x: Real) -> tuple[Real, Real, Real, Truth]:
    """(hi, lo, err, whether that holds) of log|gamma(x)| about the zero z that is next to ``x``, below -2.

    With t = x - z, exact, it is the value at z, which is a double, a polynomial through 0 and -log(1 + t/o), where o is
    the distance of z from the pole next to it.
    """
    r, whole = from_pole(x)
    zero = mark("next_zero", integer(clamp(-2.0 * whole - 4.0 - select(r > 0.0, 1.0, 0.0), 0.0, ZEROS - 1.0)))
    t = x - take(ZERO, zero)
    is_near = mark("is_near", abs(t) <= take(ZERO_REACH, zero))
    t = select(is_near, t, 0.0)
    share, share_lo = mark("share share_lo", *over_pair(t, 0.0, take(ZERO_OFF, zero), 0.0))
    log, log_lo = mark("log_of_sum log_of_sum_lo", *scope("of_sum", log1p_pair)(share, share_lo))
    s, s_lo = piece_at(t, zero + PIECES)
    value, rest = two_sum(take(ZERO_VALUE, zero), s)
    hi, lo = difference(value, rest + (s_lo + take(ZERO_VALUE_LO, zero)), log, log_lo)
    size = abs(log)
    err = lesser(size * POLE_BOUND, POLE_ERROR) + (abs(t) * SMOOTH_BOUND + abs(hi) * 2.0**-90)
    return hi, lo, err, is_near
