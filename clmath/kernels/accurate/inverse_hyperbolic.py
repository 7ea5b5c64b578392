"""asinh, acosh and atanh: logarithms of pairs, and polynomials near their zeros.

Narrower enclosures are logarithms of 1 + q, by one Newton step from the results.
"""

from __future__ import annotations

from collections.abc import Sequence

from clmath.ir.primitives import *
from clmath.kernels import coefficients
from clmath.kernels.accurate.logarithm import log_at_pair, narrowed_log1p, placed, stepped
from clmath.kernels.accurate.narrower import narrower, with_sign_of
from clmath.kernels.accurate.pairs import over_pair, plus, plus_pair, square_root, times_pair
from clmath.kernels.records import kernel, narrows

ASINH_TAIL = coefficients("accurate/inverse_hyperbolic", "asinh_tail")
ATANH_TAIL = coefficients("accurate/inverse_hyperbolic", "atanh_tail")

SMALL = 2.0**-9  # below this a polynomial: x + x^3 P(x^2)
TAIL_BOUND = 2.0**-47
# error bound of x^3 P(x^2), eight times as large as needed: enclosures stay wider than 2^-103, the resolution of pairs
# of doubles, which the reference also uses
WIDEST = 2.0**-77
# error of the logarithm, and the effect of a quarter of its argument's error, from the certificates
ATANH_WIDEST = 2.0**-78.9  # half of the logarithm's, and the quotient 2^-100
ACOSH_BOUND = 2.0**-69
# of s + s^3 P(s^2), from the certificate
DECIDED = 1.5 * 2.0**-27  # below this asinh x and atanh x lie within 0.3 last places of x
TINY = 2.0**-100  # below this they are as good as x -+ |x| 2^-80, which is scaled
LARGE = 2.0**40  # above this asinh x and acosh x are log(2x), except for less than 2^-82
NARROW_LARGE = 2.0**60  # above this e^asinh x and e^acosh x are 2x, except for 2^-122


def cubic(x: Real, tail: Sequence[float]) -> Real:
    """x^3 P(x^2)."""
    z = x * x
    return x * z * polynomial(z, tail)


def log_sum(a: Real, b: Real, b_lo: Real, x: Real) -> Pair:
    """(hi, lo), not normalised: log(a + b + b_lo) for a >= b > 0, or log(2x) where x is large."""
    y, y_lo = mark("y y_lo", *fast_two_sum(a, b))
    large = mark("large", x > LARGE)
    k, j, m = placed(mark("encoding", select(large, bits(x) + (1 << 52), bits(y))))
    m_lo = mark("rest", y_lo + b_lo) * mark("unit", from_bits((1023 - k) << 52))
    return mark("l l_lo", *log_at_pair(k, j, m, mark("m_lo", select(large, 0.0, m_lo))))


def odd(x: Real, inside: Truth, near_zero: Real, found: Pair, beside: float, widest: float) -> Enclosed:
    """The parts of an odd function, which is ``found``, a pair for |x|, or |x| + ``near_zero`` where that is small.

    ``beside``: 2^510 with the sign of f(x) - x for positive x; ``widest``: the error of ``found``. lo = err = 0 where
    not ``inside``.
    """
    a, sign = abs(x), bits(x) & SIGN
    small, tiny = mark("small tiny", a < SMALL, a < TINY)
    hi, lo = mark("log log_lo", *fast_two_sum(select(small, a, found[0]), select(small, near_zero, found[1])))
    hi, lo = select(tiny, a * 2.0**590, hi), select(tiny, 0.0 + a * beside, lo)  # 0.0 + -0.0 is +0, as lo of zero is
    err = select(mark("decided", a < DECIDED), 0.0, select(small, abs(near_zero) * TAIL_BOUND, widest))
    hi, lo = from_bits(bits(hi) ^ sign), from_bits(bits(lo) ^ sign)
    return hi, select(inside, lo, 0.0), select(inside, err, 0.0), select(tiny, -590, 0)


def squared(a: Real) -> Pair:
    """(p, rest) with p + rest = a^2: the error is below 2^-77 a^2; p is exact, and the rest below 2^-24 of it."""
    first, second = split(a)
    return first * first, second * (a + first)


@kernel()
def asinh(x: Real) -> Enclosed:
    """Inverse hyperbolic sine: log(b + sqrt(b^2 + 1))."""
    a = abs(x)
    inside = mark("inside", a < INFINITY)
    kept = select(inside & ~(a < TINY), a, 1.0)
    b = mark("b", lesser(kept, LARGE))
    square, rest = squared(b)
    z, z_lo = two_sum(square, 1.0)
    z, z_lo = mark("z z_lo", *fast_two_sum(z, z_lo + rest))
    s, s_lo = mark("s s_lo", *square_root(z, z_lo))
    hi, lo, err, exponent = odd(x, inside, cubic(b, ASINH_TAIL), log_sum(s, b, s_lo, kept), -(2.0**510), WIDEST)
    return select(inside, hi, x), lo, err, exponent


@narrows("asinh")
def narrow_asinh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Inverse hyperbolic sine: q = a + a^2/(1 + sqrt(1 + a^2)) or, where a is large, 2a - 1."""
    a = abs(x)
    large = mark("large", a > NARROW_LARGE)
    b = lesser(a, NARROW_LARGE)
    z, z_lo = two_product(b, b)
    root, root_lo = fast_two_sum(*square_root(*plus(z, z_lo, 1.0)))
    part, part_lo = over_pair(z, z_lo, *plus(root, root_lo, 1.0))
    q, q_lo = plus(part, part_lo, b)
    q, q_lo = select(large, a, q), select(large, -0.5, q_lo)
    return narrowed_log1p(x, (hi, lo, err, exponent), (q, q_lo), select(large, 1, 0))


@kernel()
def acosh(x: Real) -> Enclosed:
    """Inverse hyperbolic cosine: log(b + s) with s = sqrt(2t + t^2), t = b - 1; next to 1 it is asinh s."""
    inside = mark("inside", (x > 1.0) & (x < INFINITY))
    kept = select(inside, x, 2.0)
    b = mark("b", lesser(kept, LARGE))
    t = b - 1.0
    square, rest = squared(t)
    z, z_lo = two_sum(t + t, square)
    z, z_lo = mark("z z_lo", *fast_two_sum(z, z_lo + rest))
    s, s_lo = mark("s s_lo", *square_root(z, z_lo))
    small = mark("small", s < SMALL)
    found = log_sum(b, s, s_lo, kept)
    near_zero = s_lo + cubic(s, ASINH_TAIL)
    hi, lo = mark("log log_lo", *fast_two_sum(select(small, s, found[0]), select(small, near_zero, found[1])))
    err = select(inside, lesser(hi * ACOSH_BOUND, WIDEST), 0.0)
    hi = select(x == 1.0, 0.0, select(x >= 1.0, select(x < INFINITY, hi, INFINITY), NAN))
    return hi, select(inside, lo, 0.0), err, 0


@narrows("acosh")
def narrow_acosh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Inverse hyperbolic cosine: q = t + sqrt(t (t + 2)) with t = x - 1 or, where x is large, 2x - 1."""
    large = mark("large", x > NARROW_LARGE)
    b = clamp(x, 1.0, NARROW_LARGE)
    t, t_lo = two_sum(b, -1.0)
    z, z_lo = times_pair(t, t_lo, *two_sum(b, 1.0))
    root, root_lo = fast_two_sum(*square_root(z, z_lo))
    q, q_lo = plus_pair(root, root_lo, t, t_lo)
    q, q_lo = select(large, x, q), select(large, -0.5, q_lo)
    return narrowed_log1p(x, (hi, lo, err, exponent), (q, q_lo), select(large, 1, 0))


@kernel()
def atanh(x: Real) -> Enclosed:
    """Inverse hyperbolic tangent: log((1 + a)/(1 - a)) / 2."""
    a = abs(x)
    inside = mark("inside", a < 1.0)
    kept = select(inside & ~(a < TINY), a, 0.5)
    y, y_lo = mark("y rest", *over_pair(*fast_two_sum(1.0, kept), *fast_two_sum(1.0, -kept)))
    k, j, m = placed(mark("encoding", bits(y)))
    hi, lo = mark("l l_lo", *log_at_pair(k, j, m, mark("m_lo", y_lo * mark("unit", from_bits((1023 - k) << 52)))))
    near_zero, half = cubic(kept, ATANH_TAIL), mark("half half_lo", 0.5 * hi, 0.5 * lo)
    hi, lo, err, exponent = odd(x, inside, near_zero, half, 2.0**510, ATANH_WIDEST)
    return select(a == 1.0, x * INFINITY, select(inside, hi, NAN)), lo, err, exponent


@narrows("atanh")
def narrow_atanh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Inverse hyperbolic tangent: half of log(1 + q) with q = 2a/(1 - a)."""
    a = abs(x)
    size, size_lo = with_sign_of(x, hi, lo)
    q = over_pair(a + a, 0.0, *two_sum(1.0, -a))
    new_hi, new_lo, new_err = stepped(2.0 * size, 2.0 * size_lo, 2.0 * err, q, 0)
    new_hi, new_lo = with_sign_of(x, 0.5 * new_hi, 0.5 * new_lo)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, 0.5 * new_err, 0))
