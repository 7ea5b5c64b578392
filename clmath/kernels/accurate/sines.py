"""Sine, cosine and tangent of n pi/1024 + r: a table of 1024 sines, and short polynomials in r.

Narrower enclosures take the sines and the series of sin r and cos r as pairs.
"""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients, pairs, table
from clmath.kernels.accurate.angles import PI, STEP_PAIR, angle, any_steps_of_turns, halves, steps_of, steps_of_turns
from clmath.kernels.accurate.pairs import pair_polynomial, plus, plus_pair, times, times_pair

SINE_HI, SINE_LO = table("accurate/trigonometric", "sine_hi"), table("accurate/trigonometric", "sine_lo")
SINE_TAIL = coefficients("accurate/trigonometric", "sine_tail")
COSINE_TAIL = coefficients("accurate/trigonometric", "cosine_tail")
SINE_REST = table("narrowing/trigonometric", "sine_rest")
SINE_SERIES = pairs("narrowing/trigonometric", "sine_series")
COSINE_SERIES = pairs("narrowing/trigonometric", "cosine_series")
SINE_SERIES_TAIL, COSINE_SERIES_TAIL = ([hi for hi, _ in series[2:]] for series in (SINE_SERIES, COSINE_SERIES))
HALF_TURN = 1024  # steps
QUARTER = 512

# from the certificates of sinpi and tanpi: (S + S_lo) bend and C rest grow like r^2 and are largest at j = 1, r =
# -pi/2048, where the result is half of S; the angle, C_lo sine and S_lo remain at r = 0
LEAST, GROWTH = 1.5 * 2.0**-75, 0.8125 * 2.0**-50
BOUND = 1.046875 * 2.0**-69  # at least LEAST + GROWTH r^2
TANGENT_LEAST, TANGENT_GROWTH = 1.5 * 2.0**-74, 2.0**-50
TANGENT_BOUND = 1.3125 * 2.0**-69
NARROW_BOUND = 2.0**-100.5
# S + (S bend + C sine): the second term is at most as large as the result (j = 1, r = -pi/2048), or is the result (j =
# 0); its error comes from the product with C, the sine of r with its product of pairs, and two sums.
NARROW_TANGENT_BOUND = 2.0**-99.8  # both, and the quotient: from the certificates


def tails(r: Real, r_lo: Real) -> tuple[Real, Real, Real, Real]:
    """(first, rest, sine, bend) with first + rest = sin(r + r_lo), first of 26 bits; sine the sum; bend = cos - 1."""
    first, second = halves(r)
    z = r * r
    cubic = r * (z * polynomial(z, SINE_TAIL))
    return first, (second + r_lo) + cubic, r + cubic, z * polynomial(z, COSINE_TAIL)


def entry(n: Integer) -> Pair:
    """(hi, lo) = sin(n pi/1024), hi of 26 bits; zeros have either sign."""
    j, sign = n & (HALF_TURN - 1), (n << 53) & SIGN
    return from_bits(bits(take(SINE_HI, j)) ^ sign), from_bits(bits(take(SINE_LO, j)) ^ sign)


def turned(s: Real, s_lo: Real, slope: Pair, tail: tuple[Real, Real, Real, Real]) -> Pair:
    """(hi, lo) of (s + s_lo) cos r + (c + c_lo) sin r for the slope (c, c_lo); the product of its heads is exact."""
    c, c_lo = slope
    first, rest, sine, bend = tail
    head, lost = fast_two_sum(s, c * first)
    small = lost + (s_lo + (c * rest + c_lo * sine))
    return fast_two_sum(head, small + (s + s_lo) * bend)


def bounded(hi: Real, lo: Real, r: Real, error: float) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of a sine or cosine at ``r`` from a table's entry; the angle's error is at most ``error``."""
    return hi, lo, abs(hi) * (LEAST + GROWTH * (r * r)) + error


def sine_at(r: Real, r_lo: Real, n: Integer, error: float) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of sin(n pi/1024 + r + r_lo), the angle with ``error`` at most."""
    s, s_lo = entry(mark("steps", n))
    hi, lo = turned(s, s_lo, entry(n + QUARTER), tails(r, r_lo))
    return bounded(hi, lo, r, error)


def cosine_at(r: Real, r_lo: Real, n: Integer, error: float) -> tuple[Real, Real, Real]:
    """The parts of the cosine, as ``sine_at`` computes them."""
    return sine_at(r, r_lo, n + QUARTER, error)


def sine_and_cosine(r: Real, r_lo: Real, n: Integer) -> tuple[Pair, Pair]:
    """((hi, lo) of the sine, (hi, lo) of the cosine) of n pi/1024 + r + r_lo."""
    s, s_lo = entry(mark("steps", n))
    c, c_lo = entry(n + QUARTER)
    tail = tails(r, r_lo)
    return turned(s, s_lo, (c, c_lo), tail), turned(c, c_lo, (-s, -s_lo), tail)


def both_at(r: Real, r_lo: Real, n: Integer, error: float) -> tuple[tuple[Real, Real, Real], tuple[Real, Real, Real]]:
    """The results of ``sine_at`` and of ``cosine_at``."""
    (hi, lo), (cos_hi, cos_lo) = sine_and_cosine(r, r_lo, n)
    return bounded(hi, lo, r, error), bounded(cos_hi, cos_lo, r, error)


def tangent_at(r: Real, r_lo: Real, n: Integer, error: float) -> tuple[Real, Real, Real]:
    """The parts of the tangent: the angle's error is multiplied by 1 + tan^2."""
    sine, cosine = sine_and_cosine(r, r_lo, n)
    hi, lo = quotient(*sine, *cosine)
    return hi, lo, abs(hi) * (TANGENT_LEAST + TANGENT_GROWTH * (r * r)) + (1.0 + hi * hi) * error


def quotient(a_hi: Real | float, a_lo: Real | float, b_hi: Real, b_lo: Real) -> Pair:
    """(hi, lo) = (a_hi + a_lo) / (b_hi + b_lo), relative error below 2^-75.

    26 bits of the quotient times 26 of b_hi, and times its rest, are exact, and so is a_hi minus the first product.
    """
    inverse = 1.0 / b_hi
    first, _ = halves(a_hi * inverse)
    high, low = halves(b_hi)
    rest = ((a_hi - first * high) - first * low) + (a_lo - first * b_lo)
    return fast_two_sum(first, rest * inverse)


def sinpi_pair(x: Real) -> Pair:
    """(hi, lo) with hi + lo = sin(pi x) for 0 <= x <= 1/2: relative error below BOUND."""
    f, n = steps_of_turns(x)
    s, s_lo = take(SINE_HI, n), take(SINE_LO, n)
    slope = take(SINE_HI, QUARTER - n), take(SINE_LO, QUARTER - n)
    return turned(s, s_lo, slope, tails(*angle(f, 0.0)))


def entry_in_pairs(n: Integer) -> Pair:
    """(hi, lo) = sin(n pi/1024), a pair, relative error below 2^-106; zeros have either sign."""
    j, sign = n & (HALF_TURN - 1), (n << 53) & SIGN
    hi, lo = fast_two_sum(take(SINE_HI, j), take(SINE_LO, j))
    hi, lo = fast_two_sum(hi, lo + take(SINE_REST, j))
    return from_bits(bits(hi) ^ sign), from_bits(bits(lo) ^ sign)


def series(r: Real, r_lo: Real) -> tuple[Real, Real, Real, Real]:
    """(sine, sine_lo, bend, bend_lo): sin r and cos r - 1 as pairs."""
    z, z_lo = times_pair(r, r_lo, r, r_lo)
    hi, lo = pair_polynomial(z, z_lo, SINE_SERIES[:2], polynomial(z, SINE_SERIES_TAIL))
    hi, lo = times_pair(z, z_lo, hi, lo)
    hi, lo = times_pair(r, r_lo, hi, lo)
    bend, bend_lo = pair_polynomial(z, z_lo, COSINE_SERIES[:2], polynomial(z, COSINE_SERIES_TAIL))
    sine, cosine = plus_pair(r, r_lo, hi, lo), times_pair(z, z_lo, bend, bend_lo)
    return mark("sin_r sin_r_lo bend bend_lo", *sine, *cosine)


def turned_in_pairs(s: Real, s_lo: Real, slope: Pair, tail: tuple[Real, Real, Real, Real]) -> Pair:
    """(hi, lo) of s cos r + c sin r, given the slope (c, c_lo) and the results of ``series``."""
    sine, sine_lo, bend, bend_lo = tail
    bent, bent_lo = times_pair(s, s_lo, bend, bend_lo)
    risen, risen_lo = times_pair(sine, sine_lo, *slope)
    change, change_lo = plus_pair(bent, bent_lo, risen, risen_lo)
    return plus_pair(s, s_lo, change, change_lo)


def sine_and_cosine_in_pairs(r: Real, r_lo: Real, n: Integer) -> tuple[Real, Real, Real, Real]:
    """(sine, sine_lo, cosine, cosine_lo) of n pi/1024 + r + r_lo: relative errors below NARROW_BOUND.

    The error of r is added to them.
    """
    tail = series(r, r_lo)
    s, s_lo = entry_in_pairs(n)
    c, c_lo = entry_in_pairs(n + QUARTER)
    return *turned_in_pairs(s, s_lo, (c, c_lo), tail), *turned_in_pairs(c, c_lo, (-s, -s_lo), tail)


def of_radians(x: Real) -> tuple[Real, Real, Real, Real]:
    """``sine_and_cosine_in_pairs`` of ``x``, of TINY or more in size: ANGLE_ERROR is added to NARROW_BOUND."""
    f, f_lo, n = steps_of(x)
    r, r_lo = times_pair(f, f_lo, *STEP_PAIR)
    return sine_and_cosine_in_pairs(r, r_lo, n)


def of_turns(x: Real) -> tuple[Real, Real, Real, Real]:
    """``sine_and_cosine_in_pairs`` of pi x, or of 0 if x is tiny."""
    f, n = mark("f n", *any_steps_of_turns(x))
    r, r_lo = times(*STEP_PAIR, f)
    return mark("sin_x sin_x_lo cos_x cos_x_lo", *sine_and_cosine_in_pairs(r, r_lo, n))


def of_angle(hi: Real, lo: Real) -> tuple[Real, Real, Real, Real]:
    """``sine_and_cosine_in_pairs`` of hi + lo radians."""
    f, f_lo, n = steps_of(hi)
    r, r_lo = times_pair(f, f_lo, *STEP_PAIR)
    r, r_lo = plus(r, r_lo, lo)
    return sine_and_cosine_in_pairs(r, r_lo, n)


def of_half_turns(hi: Real, lo: Real) -> tuple[Real, Real, Real, Real]:
    """``sine_and_cosine_in_pairs`` of hi + lo half turns."""
    f, n = mark("f n", *steps_of_turns(hi))
    r, r_lo = times(*STEP_PAIR, f)
    r, r_lo = plus(r, r_lo, lo * PI[0])
    return sine_and_cosine_in_pairs(r, r_lo, n)
