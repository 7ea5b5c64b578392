"""sinh, cosh, tanh from the exponential; asinh, acosh, atanh from log(1 + x)."""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients
from clmath.kernels.fast.exponential import reduced, scaled_exp
from clmath.kernels.fast.logarithm import log1p_of
from clmath.kernels.fast.near_zero import TINY, near_zero
from clmath.kernels.records import kernel

SINH_TAIL = coefficients("fast/hyperbolic", "sinh_tail")

BOUND = 2.0**-50
# of atanh, log(1 + a) for a of two roundings, from the certificates
GROWTH_BOUND, INVERSE_BOUND, TANH_BOUND = 1.8 * 2.0**-52, 2.2 * 2.0**-52, 2.3 * 2.0**-52
# sinh and cosh, asinh and acosh, tanh: from the certificates, and 2^-53 for the rounding of value -+ err
SATURATED = 9.25  # above this 1 - tanh x < 2 e^-18.5 < 2^-25: no float or midpoint between tanh x and 1
TOP = 110.0  # at and beyond it sinh and cosh exceed every float


def exponential(a: Real) -> Real:
    """e^a for 0 <= a <= 110."""
    r, n = reduced(a)
    return scaled_exp(r, n)


def up_to_infinity(x: Real, value: Real, err: Real) -> Pair:
    """(value, err) with the infinities laid over, where the function is x."""
    infinite = abs(x) == INFINITY
    return select(infinite, x, value), select(infinite, 0.0, err)


def sinh_small(x: Real) -> Real:
    """Sinh x for |x| <= 1."""
    z = x * x
    return x + x * (z * polynomial(z, SINH_TAIL))


@kernel()
def sinh(x: Real) -> Pair:
    """Hyperbolic sine."""
    e = exponential(clamp(abs(x), 0.0, TOP))
    y = select(abs(x) < 1.0, sinh_small(clamp(x, -1.0, 1.0)), copysign(0.5 * (e - 1.0 / e), x))
    return up_to_infinity(x, *near_zero(x, outward(x), y, GROWTH_BOUND))


@kernel()
def cosh(x: Real) -> Pair:
    """Hyperbolic cosine."""
    e = exponential(clamp(abs(x), 0.0, TOP))
    y = 0.5 * (e + 1.0 / e)
    tiny = mark("tiny", abs(x) < TINY)
    y = select(tiny, select(x == 0.0, 1.0, 1.0 + 2.0**-52), y)
    y = select(abs(x) == INFINITY, INFINITY, y)
    return y, select(tiny | (abs(x) == INFINITY) | (x != x), 0.0, y * GROWTH_BOUND)


@kernel()
def tanh(x: Real) -> Pair:
    """Hyperbolic tangent."""
    s = sinh_small(clamp(x, -1.0, 1.0))
    small = s / sqrt(1.0 + s * s)
    e = exponential(clamp(abs(x) + abs(x), 0.0, 2.0 * SATURATED))
    large = copysign(1.0 - 2.0 / (e + 1.0), x)
    saturated = mark("saturated", abs(x) > SATURATED)
    large = select(saturated, select(x > 0.0, 1.0 - 2.0**-53, -1.0 + 2.0**-53), large)
    y, err = near_zero(x, inward(x), select(abs(x) < 1.0, small, large), TANH_BOUND)
    return select(abs(x) == INFINITY, select(x > 0.0, 1.0, -1.0), y), select(saturated, 0.0, err)


@kernel()
def asinh(x: Real) -> Pair:
    """Inverse hyperbolic sine: log(1 + |x| + x^2/(1 + sqrt(1 + x^2)))."""
    a = select(abs(x) < INFINITY, abs(x), 0.0)
    z = a * a
    y = copysign(mark("log", log1p_of(mark("w", a + z / (1.0 + sqrt(1.0 + z))))), x)
    return up_to_infinity(x, *near_zero(x, inward(x), select(x == x, y, x), INVERSE_BOUND))


@kernel()
def acosh(x: Real) -> Pair:
    """Inverse hyperbolic cosine: log(1 + t + sqrt(2t + t^2)) with t = x - 1, exact."""
    inside = (x >= 1.0) & (x < INFINITY)
    t = select(inside, x, 1.0) - 1.0
    y = mark("log", log1p_of(mark("w", t + sqrt(t * (t + 2.0)))))
    y = select(inside, y, select(x == INFINITY, x, NAN))
    return y, select(inside, y * INVERSE_BOUND, 0.0)


@kernel()
def atanh(x: Real) -> Pair:
    """Inverse hyperbolic tangent: log(1 + 2x/(1 - x)) / 2 for x >= 0."""
    a = abs(x)
    inside = a < 1.0
    kept = select(inside, a, 0.0)
    y = 0.5 * mark("log", log1p_of(mark("w", (kept + kept) / (1.0 - kept))))
    y, err = near_zero(x, outward(x), copysign(y, x), BOUND)
    beyond = copysign(select(a == 1.0, INFINITY, NAN), x)
    return select(inside, y, beyond), select(inside, err, 0.0)
