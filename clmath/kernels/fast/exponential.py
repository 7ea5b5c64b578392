"""exp, exp2, exp10: 2^n e^r with a polynomial; expm1 and e^r for others: 2^k x 2^(j/128) x e^r with a table.

The polynomial is precise enough for floats, and reading tables takes longest in SIMD code.
"""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients, table
from clmath.kernels.records import kernel, refines

EXP2_HI, EXP2_LO = table("fast/exponential", "exp2_hi"), table("fast/exponential", "exp2_lo")
LN2_HI, LN2_LO = map(float, table("fast/exponential", "ln2"))
WHOLE_HI, WHOLE_LO = LN2_HI * 128.0, LN2_LO * 128.0  # of ln(2) itself, where the others are of ln(2)/128
LN2 = WHOLE_HI + WHOLE_LO
STEPS_PER_E = float(table("fast/exponential", "steps")[0])
BINADES_PER_E = STEPS_PER_E / 128.0
LOG2_10_HI, LOG2_10_LO = map(float, table("fast/exponential", "log2_10"))
BINADES_PER_TEN = LOG2_10_HI + LOG2_10_LO
EXP_SLOPE = coefficients("fast/exponential", "exp_slope")
EXP_TAIL = coefficients("fast/exponential", "exp_tail")
EXPM1_TAIL = coefficients("fast/exponential", "expm1_tail")

BOUND, EXPM1_BOUND = 1.8 * 2.0**-52, 1.3 * 2.0**-52
# from the certificates: mostly roundings; 2^-53 more for the rounding of value -+ err
TINY = 2.0**-30  # below this e^x lies strictly between 1 and the floats next to 1, and their midpoints with 1
TOP = 110.0  # e^110 > 2^158, e^-110 < 2^-158: beyond +-110 e^x rounds as there, above or below every float
SATURATED = -18.0  # below it e^x < 2^-25: no float and no midpoint lies between -1 and e^x - 1


def scaled_exp(r: Real, n: Integer) -> Real:
    """2^(n/128) e^r for |r| < 0.0028, relative error below 2^-52.8."""
    j = n & 127
    high = take(EXP2_HI, j)
    p = r + r * r * polynomial(r, EXP_TAIL)
    return (high + (high * p + take(EXP2_LO, j))) * two_to(n >> 7)


def reduced(x: Real) -> tuple[Real, Integer]:
    """(r, n) with x = n ln(2)/128 + r, |r| <= 0.00271: n LN2_HI is exact (17 + 34 bits), and so is x minus it."""
    step, n = nearest(x * STEPS_PER_E)
    return (x - step * LN2_HI) - step * LN2_LO, n


def power_of_e(r: Real, n: Integer) -> Real:
    """2^n e^r for |r| < 0.3467, relative error below 1.1 x 2^-52: half of it is the last two roundings, at r < 0."""
    return (1.0 + r * in_halves(r, EXP_SLOPE)) * two_to(n)


def finished(x: Real, y: Real) -> Pair:
    """(value, err) of an exponential ``y`` of ``x``, with the tiny arguments, zero and the infinities laid over."""
    near_one = select(x > 0.0, 1.0 + 2.0**-52, select(x < 0.0, 1.0 - 2.0**-53, 1.0))
    tiny, is_infinite = mark("tiny infinite", abs(x) < TINY, abs(x) == INFINITY)
    exact = tiny | is_infinite
    known = select(is_infinite, select(x > 0.0, INFINITY, 0.0), near_one)
    return select(exact, known, y), select(exact, 0.0, y * BOUND)


def whole_rest(x: Real) -> tuple[Real, Integer]:
    """(r, n) with x = n ln(2) + r, |r| < 0.3467: n times the 34 bits of ln(2) is exact, and so is x minus it."""
    step, n = nearest(x * BINADES_PER_E)
    return (x - step * WHOLE_HI) - step * WHOLE_LO, n


def rest_of_two(x: Real) -> tuple[Real, Integer, Real]:
    """(r, n, x - n) with x = n + r/ln(2)."""
    step, n = nearest(x)
    rest = x - step  # exact
    return rest * LN2, n, rest


def rest_of_ten(x: Real) -> tuple[Real, Integer]:
    """(r, n) with 10^x = 2^n e^r: x LOG2_10_HI is exact (24 + 29 bits), and so is that minus n."""
    step, n = nearest(x * BINADES_PER_TEN)
    return ((x * LOG2_10_HI - step) + x * LOG2_10_LO) * LN2, n


@kernel()
def exp(x: Real) -> Pair:
    """e^x."""
    r, n = mark("r n", *whole_rest(mark("tame", clamp(x, -TOP, TOP))))
    return finished(x, power_of_e(r, n))


@kernel()
def exp2(x: Real) -> Pair:
    """2^x; exact at the integers and nowhere else."""
    r, n, rest = rest_of_two(mark("tame", clamp(x, -160.0, 160.0)))
    r, n = mark("r n", r, n)
    y, err = finished(x, power_of_e(r, n))
    return y, select(mark("exact", rest == 0.0), 0.0, err)


@kernel()
def exp10(x: Real) -> Pair:
    """10^x."""
    r, n = mark("r n", *rest_of_ten(mark("tame", clamp(x, -50.0, 50.0))))
    return finished(x, power_of_e(r, n))


@refines("exp10")
def refined_exp10(x: Real, value: Real, err: Real) -> Pair:
    """(value, err) of 10^x with the exact results found: at 0 .. 10 (5^11 has 26 bits: no float and no midpoint)."""
    whole, _ = nearest(clamp(x, 0.0, 10.0))
    whole, exact = mark("whole exact", whole, whole == x)
    return select(exact, nearest(value)[0], value), select(exact, 0.0, err)


@kernel()
def expm1(x: Real) -> Pair:
    """e^x - 1; x + x^2 q(x) near zero, else 2^k T_hi - 1 as an exact sum plus the rest."""
    small = x + x * x * polynomial(x, EXPM1_TAIL)
    clamped = clamp(x, SATURATED, TOP)
    r, n = reduced(clamped)
    j = n & 127
    scale = two_to(n >> 7)
    high = take(EXP2_HI, j) * scale
    p = r + r * r * polynomial(r, EXP_TAIL)
    head, tail = two_sum(high, -1.0)
    large = head + (tail + (high * p + take(EXP2_LO, j) * scale))
    y = select(abs(x) < 0.25, small, large)
    y = select(mark("saturated", x < SATURATED), -1.0 + 2.0**-53, y)
    tiny = mark("tiny", abs(x) < TINY)
    y = select(tiny, select(x == 0.0, x, nextup(x)), y)
    y = select(x == INFINITY, INFINITY, select(x == -INFINITY, -1.0, y))
    exact = tiny | (x < SATURATED) | (x == INFINITY)
    return y, select(exact, 0.0, abs(y) * EXPM1_BOUND)
