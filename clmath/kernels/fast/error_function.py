"""erf as x S(x), erfc as e^(-x^2) R(x), with S and R as polynomials on subintervals."""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import pieces
from clmath.kernels.fast.exponential import reduced, scaled_exp
from clmath.kernels.records import kernel

ERF_OVER_X = pieces("fast/error_function", "erf_over_x", 257)
SCALED_ERFC = pieces("fast/error_function", "scaled_erfc", 345)

ERF_BOUND, ERFC_BOUND = 2.05 * 2.0**-52, 2.75 * 2.0**-52
# from the certificates, and 2^-53 for the rounding of value -+ err
SATURATED = 4.0  # beyond it erfc |x| < 2^-25: no float or midpoint between erf x and +-1, nor between erfc(-x) and 2
TO_64TH = 1.5 * 2.0**46  # adding and taking it off rounds to multiples of 1/64, ties to even
TO_64TH_BITS = 0x42D8000000000000  # its encoding: the low bits of a sum count these
TOP = 10.75  # erfc of it is below 2^-167
SLIGHT = 2.0**-28  # below it |erfc x - 1| < 2^-27


@kernel()
def erf(x: Real) -> Pair:
    """Error function."""
    saturated = mark("saturated", abs(x) >= SATURATED)
    a = select(saturated, SATURATED, abs(x))
    shifted = a + TO_64TH
    y = x * piecewise(a - (shifted - TO_64TH), bits(shifted) - TO_64TH_BITS, ERF_OVER_X)
    limit = select(abs(x) == INFINITY, 1.0, 1.0 - 2.0**-53)
    y = select(saturated, copysign(limit, x), y)
    return y, select(saturated, 0.0, abs(y) * ERF_BOUND)


@kernel()
def erfc(x: Real) -> Pair:
    """Complementary error function."""
    a = clamp(abs(x), 0.0, TOP)
    centre, piece = nearest(a * 32.0)
    r, n = reduced(-(a * a))
    tail = scaled_exp(r, n) * piecewise(a - centre * 0.03125, piece, SCALED_ERFC)
    y = select(x < 0.0, 2.0 - tail, tail)
    y = select(mark("saturated", x < -SATURATED), 2.0 - 2.0**-52, y)
    beside = select(x == 0.0, 1.0, select(x > 0.0, 1.0 - 2.0**-53, 1.0 + 2.0**-52))
    slight = mark("slight", abs(x) < SLIGHT)
    y = select(slight, beside, y)
    y = select(abs(x) == INFINITY, select(x > 0.0, 0.0, 2.0), y)
    decided = slight | (x < -SATURATED) | (x == INFINITY) | (x != x)
    return y, select(decided, 0.0, y * ERFC_BOUND)
