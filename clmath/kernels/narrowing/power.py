"""pow, powr, pown and rootn as 2^(y log2 x): log2 x of the accurate kernels, and one step of Newton's."""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.kernels.accurate.boundaries import magnitude, normalised
from clmath.kernels.accurate.pairs import over_pair, plus, plus_pair, times, times_pair
from clmath.kernels.accurate.power import TOP, log2_of, within_reach
from clmath.kernels.narrowing.enclosures import narrower
from clmath.kernels.narrowing.exponential import BOUND, LN2, change_of_power, scaled_exp
from clmath.kernels.records import narrows

LOG2_E = 1.0 / LN2[0]
SQRT2 = 1.4142135623730951


def in_steps_of_two(p: Real, p_lo: Real) -> tuple[Real, Real, Integer]:
    """(r, r_lo, n) with 2^(p + p_lo) = 2^(n/256) e^(r + r_lo), the rest of p times ln 2 to 2^-102 of it."""
    whole, n = mark("whole steps", *nearest(p * 256.0))
    rest, rest_lo = mark("left left_lo", *fast_two_sum(p - whole * 0.00390625, p_lo))
    r, r_lo = mark("s s_lo", *times_pair(rest, rest_lo, *LN2))
    return r, r_lo, n


def log2_of_any(encoding: Integer) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of log2 x, x > 0 being encoded as ``normalised`` does.

    log2 x = l + log2(1 + d) with d = m 2^-t - 1 where x = m 2^k and t = l - k. d is below 2^-69.4, and its square, left
    out, 2^-139.9, or 2^-160 l^2 where k = 0. d = (m - 1) + m (2^-t - 1), where the first term is exact and the second
    has the error of ``change_of_power``, 2 GROWTH_BOUND |t| and, where t is at least 1/512, 2 STEP_BOUND; times m
    log2(e), which is 2.05 at most. The last sum has 2^-104.
    """
    l, l_lo = log2_of(encoding)
    m = mark("mantissa", from_bits((encoding & FRACTION) | ONE))
    upper = m > SQRT2
    m = mark("halved", select(upper, 0.5 * m, m))
    k = mark("binade", (encoding >> 52) - 1023 + select(upper, 1, 0))
    t, t_lo = mark("y y_lo", *plus(l, l_lo, -mark("as_double", real(k))))
    r, r_lo, n = in_steps_of_two(-t, -t_lo)
    scale = two_to(-(n >> 8))
    change, change_lo, change_err = change_of_power(r, r_lo, n & 255, scale)
    change, change_lo = times(change, change_lo, m / scale)
    d, _ = plus_pair(m - 1.0, 0.0, change, change_lo)
    hi, lo = plus(l, l_lo, mark("step", d * LOG2_E))
    change_err = mark("change", change_err * (2.125 / scale))
    err = abs(hi) * 2.0**-103 + change_err
    err = err + select(mark("near", k == 0), 0.0, 2.0**-139)
    return mark("log log_lo log_err", hi, lo, err)


def two_to_power(p: Real, p_lo: Real, p_err: Real) -> Parts:
    """The parts of 2^(p + p_lo ± p_err), p moved into -1200 .. 1200.

    e^r carries the error of r, ln 2 p_err, in addition to BOUND.
    """
    p, p_lo, p_err = mark("p p_lo p_err", p, p_lo, p_err)
    r, r_lo, n = in_steps_of_two(mark("clipped", clamp(p, -TOP, TOP)), p_lo)
    hi, lo = mark("power power_lo", *scaled_exp(r, r_lo, n & 255))
    return hi, lo, mark("power_err", hi * (BOUND + p_err)), mark("power_k", n >> 8)


def narrowed(hi: Real, lo: Real, err: Real, exponent: Integer, found: Enclosed) -> Parts:
    """The parts narrowed by the parts ``found`` of the result's size."""
    new_hi, new_lo, new_err, new_exponent = found
    sign = select(mark("negative", hi < 0.0), -1.0, 1.0)
    return narrower(hi, lo, err, exponent, (new_hi * sign, new_lo * sign, new_err, new_exponent))


@narrows("pow", "pown", "powr")
def pow(x: Real, y: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """x^y."""
    l, l_lo, l_err = mark("l l_lo l_err", *scope("log", log2_of_any)(normalised(magnitude(x))))
    reach = within_reach(y)
    p, p_lo = times(l, l_lo, reach)
    return narrowed(hi, lo, err, exponent, two_to_power(p, p_lo, abs(reach) * l_err + abs(p) * 2.0**-103))


pown = powr = pow


@narrows("rootn")
def rootn(x: Real, y: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """x^(1/y) for integer y."""
    l, l_lo, l_err = mark("l l_lo l_err", *scope("log", log2_of_any)(normalised(magnitude(x))))
    n = mark("divisor", select(y == 0.0, 1.0, y))
    p, p_lo = over_pair(l, l_lo, n, 0.0)
    return narrowed(hi, lo, err, exponent, two_to_power(p, p_lo, l_err / abs(n) + abs(p) * 2.0**-100))
