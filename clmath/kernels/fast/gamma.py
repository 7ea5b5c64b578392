"""tgamma and lgamma: polynomials on subintervals from 1 on, Stirling's series beyond 9, reflection below zero."""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients, pieces, table
from clmath.kernels.fast.logarithm import log_at
from clmath.kernels.fast.trigonometric import half_turns, sine_of_half_turns
from clmath.kernels.records import kernel

GAMMA = pieces("fast/gamma", "gamma", 345)
LOG_GAMMA = pieces("fast/gamma", "log_gamma", 257)
STIRLING_TAIL = coefficients("fast/gamma", "stirling_tail")
STIRLING_CONSTANT, LOG_PI, PI = map(float, table("fast/gamma", "constants"))

TGAMMA_BOUND, LGAMMA_BOUND = 0.75 * 2.0**-49, 0.9375 * 2.0**-49  # from the certificates
TOP = 40.0  # gamma(40) exceeds every float
BOTTOM = -43.0  # |gamma| of every float below is less than 2^-151: nearest to a pole at -43 it is 2^18/43!
SLIGHT = 2.0**-30  # below it gamma x = 1/x (1 - 0.58 x), next to 1/x where that is a float: at powers of two
SERIES = 9.0  # from here on Stirling's series


def gamma_from_one(x: Real) -> Real:
    """Gamma of 1 <= x <= 44."""
    centre, piece = nearest((x - 1.0) * 8.0)
    return piecewise((x - 1.0) - centre * 0.125, piece, GAMMA)


@kernel()
def tgamma(x: Real) -> Pair:
    """Gamma function; exact at 1 .. 15 (15!/2^11 has 30 bits) and nowhere else known, poles at 0, -1, -2 ..."""
    a = clamp(x, BOTTOM, TOP)
    a = select(a == a, a, 1.0)
    base = gamma_from_one(select(mark("above", a >= 1.0), a, select(mark("below", a < 0.0), 1.0 - a, 1.0 + a)))
    r, n = half_turns(a)
    sine = sine_of_half_turns(r, n)
    divided = select(a < 0.0, PI, base) / select(a >= 1.0, 1.0, select(a < 0.0, sine * base, a))
    y = select(a >= 1.0, base, divided)
    whole, _ = nearest(a)
    factorial = mark("factorial", (whole == x) & (x >= 1.0) & (x <= 15.0))
    y = select(factorial, nearest(select(factorial, y, 0.0))[0], y)
    touching = mark("touching", (abs(x) < SLIGHT) & ((bits(x) & 0xFFFFFFFFFFFFF) == 0))
    y = select(touching & (x != 0.0), select(x > 0.0, inward(y), outward(y)), y)
    y = select(mark("zero", x == 0.0), from_bits(bits(x) | 0x7FF0000000000000), y)
    y, is_pole = below_the_floats(x, y)
    y = select(x == INFINITY, x, y)
    decided = factorial | touching | (x == INFINITY) | is_pole | (x < BOTTOM) | (x != x)
    return select(x != x, x, y), select(decided, 0.0, abs(y) * TGAMMA_BOUND)


def below_the_floats(x: Real, y: Real) -> tuple[Real, Truth]:
    """(y, whether x is a negative integer or -inf): NaN there, and +-2^-170 below BOTTOM between the poles."""
    kept = clamp(x, -16777216.0, 0.0)  # from 2^23 on every float is an integer
    whole, n = nearest(kept)
    above_x = n + select(kept > whole, 1, 0)  # the least integer above x
    tiny = select((above_x & 1) != 0, 2.0**-170, -(2.0**-170))
    y = select(mark("beyond", x < BOTTOM) & (whole != kept), tiny, y)
    is_pole = mark("pole", (x < 0.0) & (whole == kept))
    return select(is_pole, NAN, y), is_pole


def log_gamma_from_one(x: Real) -> Real:
    """Log gamma of 1 <= x, relative error below 2^-50.5: Stirling's series is taken apart so that nothing cancels."""
    near = clamp(x, 1.0, SERIES)
    centre, piece = nearest((near - 1.0) * 32.0)
    factor = piecewise((near - 1.0) - centre * 0.03125, piece, LOG_GAMMA)
    far = mark("large", clamp(x, SERIES, 1e40))
    inverse = 1.0 / far
    series = (far - 0.5) * (mark("log_of_large", log_at(far)) - 1.0)
    series = series + (STIRLING_CONSTANT + inverse * polynomial(inverse * inverse, STIRLING_TAIL))
    return select(mark("near", x < SERIES), (near - 1.0) * (near - 2.0) * factor, series)


@kernel(is_wide=True)
def lgamma(x: Real) -> Pair:
    """Logarithm of |gamma(x)|; exact at its zeros 1 and 2; +inf at the poles and the infinities.

    Below 1: log gamma(1 + x) - log x. Below 0: log(pi) - log|sin(pi x)| - log gamma(1 - x), whose terms cancel near
    the zeros between the poles, so that the bound there is one of the terms, not of their sum.
    """
    a = clamp(x, -16777216.0, 1e40)
    a = select(mark("plain", (a == a) & (a != 0.0)), a, 1.0)
    negative = mark("below", a < 0.0)
    at = mark("at", select(mark("above", a >= 1.0), a, select(negative, 1.0 - a, 1.0 + a)))
    base = mark("base", log_gamma_from_one(at))
    r, n = mark("r turns", *half_turns(a))
    sine = mark("abs_sine", abs(sine_of_half_turns(r, n)))
    is_pole = mark("pole", ((r == 0.0) & negative) | (x == 0.0))
    argument = mark("argument", select(negative, select(is_pole, 1.0, sine), select(a < 1.0, a, 1.0)))
    log = mark("log", log_at(argument))
    y = select(a >= 1.0, base, select(negative, LOG_PI - log - base, base - log))
    err = (abs(base) + abs(log) + select(negative, LOG_PI, 0.0)) * LGAMMA_BOUND
    zero = mark("zero", (x == 1.0) | (x == 2.0))
    y = select(zero, 0.0, y)
    y = select(is_pole | (abs(x) == INFINITY), INFINITY, y)
    return select(x != x, x, y), select(zero | is_pole | (abs(x) == INFINITY) | (x != x), 0.0, err)
