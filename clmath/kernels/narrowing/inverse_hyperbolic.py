"""asinh, acosh and atanh as logarithms of 1 + q, by one Newton step from the accurate kernels' results."""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.kernels.accurate.pairs import over_pair, plus, plus_pair, square_root, times_pair
from clmath.kernels.narrowing.enclosures import narrower, with_sign_of
from clmath.kernels.narrowing.logarithm import odd, stepped
from clmath.kernels.records import narrows

LARGE = 2.0**60  # above it e^asinh x and e^acosh x are 2x, except for 2^-122


@narrows("asinh")
def asinh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Inverse hyperbolic sine: q = a + a^2/(1 + sqrt(1 + a^2)) or, where a is large, 2a - 1."""
    a = abs(x)
    large = mark("large", a > LARGE)
    b = lesser(a, LARGE)
    z, z_lo = two_product(b, b)
    root, root_lo = fast_two_sum(*square_root(*plus(z, z_lo, 1.0)))
    part, part_lo = over_pair(z, z_lo, *plus(root, root_lo, 1.0))
    q, q_lo = plus(part, part_lo, b)
    q, q_lo = select(large, a, q), select(large, -0.5, q_lo)
    return odd(x, (hi, lo, err, exponent), (q, q_lo), select(large, 1, 0))


@narrows("acosh")
def acosh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Inverse hyperbolic cosine: q = t + sqrt(t (t + 2)) with t = x - 1 or, where x is large, 2x - 1."""
    large = mark("large", x > LARGE)
    b = clamp(x, 1.0, LARGE)
    t, t_lo = two_sum(b, -1.0)
    z, z_lo = times_pair(t, t_lo, *two_sum(b, 1.0))
    root, root_lo = fast_two_sum(*square_root(z, z_lo))
    q, q_lo = plus_pair(root, root_lo, t, t_lo)
    q, q_lo = select(large, x, q), select(large, -0.5, q_lo)
    return odd(x, (hi, lo, err, exponent), (q, q_lo), select(large, 1, 0))


@narrows("atanh")
def atanh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Inverse hyperbolic tangent: half of log(1 + q) with q = 2a/(1 - a)."""
    a = abs(x)
    size, size_lo = with_sign_of(x, hi, lo)
    q = over_pair(a + a, 0.0, *two_sum(1.0, -a))
    new_hi, new_lo, new_err = stepped(2.0 * size, 2.0 * size_lo, 2.0 * err, q, 0)
    new_hi, new_lo = with_sign_of(x, 0.5 * new_hi, 0.5 * new_lo)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, 0.5 * new_err, 0))
