"""sin, cos, tan and sinpi, cospi, tanpi: exact reduction to an eighth of a turn, then two polynomials."""

from __future__ import annotations

from typing import Any

from clmath.engines.lanes import bits, from_bits, inward, lane, nearest, outward, polynomial, select, take
from clmath.kernels import coefficients, table

__all__ = ["cos", "cospi", "sin", "sinpi", "tan", "tanpi"]

TWO_OVER_PI_HI = table("trigonometric", "two_over_pi_hi")
TWO_OVER_PI_MID = table("trigonometric", "two_over_pi_mid")
TWO_OVER_PI_LO = table("trigonometric", "two_over_pi_lo")
HALF_PI, HALF_PI_LO = map(float, table("trigonometric", "half_pi"))
PI_HI, PI_LO = map(float, table("trigonometric", "pi"))
SINE_TAIL = coefficients("trigonometric", "sine_tail")
COSINE_TAIL = coefficients("trigonometric", "cosine_tail")
INFINITY = float("inf")
NAN = float("nan")

BOUND = 2.0**-50
# The angle t carries 2^-52.4 (two products, their sum) and 2^-83 absolute from the reduction, at worst 2^-51 where a
# float lies within 2^-32 of a multiple of pi/2; sine adds 2^-53 for t + t z P and 2^-55 for t z P < t/8, cosine
# 2^-53 for 1 - (z/2 - z^2 Q) and 2^-55 for z/2 < 0.31; the polynomials 2^-55. Near pi/4 a relative error of t
# enters cosine multiplied by t tan t < 0.8. Together below 2^-50.6; 2^-53 more for value -+ err being rounded.
TANGENT_BOUND = 2.0**-49  # a quotient of two of them
TINY = 2.0**-14  # sin x, tan x = x (1 -+ 2^-28): no float and no midpoint between; cos x > 1 - 2^-29 likewise


@lane
def reduced(x: Any) -> Any:
    """(t, quadrant) with x = t + quadrant pi/2 (mod 2 pi), |t| <= pi/4: Payne and Hanek, by exponent of x.

    x = m 2^e with a 24-bit integer m; each of the first two pieces of 2^e 2/pi mod 4 has 28 bits, so that m times
    it is exact, and so are the sums up to the last one.
    """
    exponent = (bits(x) >> 52) & 0x7FF
    exponent = select(exponent < 896, 896, select(exponent > 1151, 1151, exponent))
    m = x * from_bits((2069 - exponent) << 52)  # x 2^(1046 - exponent)
    row = exponent - 896
    hi = m * take(TWO_OVER_PI_HI, row)
    mid = m * take(TWO_OVER_PI_MID, row)
    whole, count = nearest(hi)
    rest = hi - whole
    more, extra = nearest(rest + mid)
    rest = (rest - more) + mid
    lo = m * take(TWO_OVER_PI_LO, row)
    r = rest + lo
    r_lo = (rest - r) + lo
    return r * HALF_PI + (r * HALF_PI_LO + r_lo * HALF_PI), count + extra


@lane
def sine_cosine(t: Any) -> Any:
    """(sin t, cos t) for |t| <= pi/4."""
    z = t * t
    sine = t + t * (z * polynomial(z, SINE_TAIL))
    cosine = 1.0 - (0.5 * z - z * z * polynomial(z, COSINE_TAIL))
    return sine, cosine


@lane
def turned(t: Any, quadrant: Any) -> Any:
    """sin(t + quadrant pi/2)."""
    sine, cosine = sine_cosine(t)
    y = select((quadrant & 1) != 0, cosine, sine)
    return from_bits(bits(y) ^ ((quadrant & 2) << 62))


@lane
def tangent(t: Any, quadrant: Any) -> Any:
    """tan(t + quadrant pi/2)."""
    sine, cosine = sine_cosine(t)
    odd = (quadrant & 1) != 0
    return select(odd, -cosine, sine) / select(odd, sine, cosine)


@lane
def near_zero(x: Any, tiny_value: Any, y: Any, bound: Any) -> Any:
    """(value, err) of a function that is x plus something too small to see near zero."""
    tiny = abs(x) < TINY
    y = select(tiny, select(x == 0.0, x, tiny_value), y)
    return y, select(tiny, 0.0, abs(y) * bound)


@lane
def near_one(x: Any, y: Any) -> Any:
    """(value, err) of a function that is 1 minus something too small to see near zero."""
    tiny = abs(x) < TINY
    y = select(tiny, select(x == 0.0, 1.0, 1.0 - 2.0**-53), y)
    return y, select(tiny, 0.0, abs(y) * BOUND)


@lane
def sin(x: Any) -> Any:
    """Sine; NaN at the infinities, which the reduction turns into inf - inf."""
    t, quadrant = reduced(x)
    return near_zero(x, inward(x), turned(t, quadrant), BOUND)


@lane
def cos(x: Any) -> Any:
    """Cosine."""
    t, quadrant = reduced(x)
    return near_one(x, turned(t, quadrant + 1))


@lane
def tan(x: Any) -> Any:
    """Tangent; no float comes so close to a pole that it overflows."""
    t, quadrant = reduced(x)
    return near_zero(x, outward(x), tangent(t, quadrant), TANGENT_BOUND)


@lane
def half_turns(x: Any) -> Any:
    """(r, t, quadrant) with x = r + quadrant/2 (mod 2), |r| <= 1/4, t = pi r; even from 2^24 on, NaN if infinite."""
    x = select(abs(x) > 16777216.0, (x - x), x)
    whole, quadrant = nearest(x + x)
    r = x - 0.5 * whole
    return r, r * PI_HI + r * PI_LO, quadrant


@lane
def signed_zero(x: Any) -> Any:
    """Zero with the sign of ``x``."""
    return from_bits(bits(x) & -0x8000000000000000)


@lane
def sinpi(x: Any) -> Any:
    """sin(pi x); exact at multiples of 1/2 and nowhere else (Niven), zeros signed like x."""
    r, t, quadrant = half_turns(x)
    y = turned(t, quadrant)
    exact = r == 0.0
    y = select(exact & ((quadrant & 1) == 0), signed_zero(x), y)
    return y, select(exact, 0.0, abs(y) * BOUND)


@lane
def cospi(x: Any) -> Any:
    """cos(pi x); exact at multiples of 1/2 and nowhere else, zeros positive."""
    r, t, quadrant = half_turns(x)
    y = turned(t, quadrant + 1)
    exact = r == 0.0
    y = select(exact & ((quadrant & 1) != 0), 0.0, y)
    y = select((abs(x) < TINY) & (x != 0.0), 1.0 - 2.0**-53, y)
    return y, select(exact | (abs(x) < TINY), 0.0, abs(y) * BOUND)


@lane
def tanpi(x: Any) -> Any:
    """tan(pi x); exact at multiples of 1/4: 0 at integers (sign of x at even ones, the other at odd), poles between."""
    r, t, quadrant = half_turns(x)
    y = tangent(t, quadrant)
    zero = signed_zero(x)
    zero = select((quadrant & 2) != 0, -zero, zero)
    pole = select((quadrant & 2) != 0, -INFINITY, INFINITY)
    y = select(r == 0.0, select((quadrant & 1) != 0, pole, zero), y)
    unit = select((quadrant & 1) != 0, -r, r) * 4.0
    one = abs(r) == 0.25
    y = select(one, unit, y)
    return y, select((r == 0.0) | one, 0.0, abs(y) * TANGENT_BOUND)
