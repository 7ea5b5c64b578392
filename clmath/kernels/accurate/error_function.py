"""erf as x S(x), erfc as e^(-x^2) R(x); S and R are polynomials on subintervals, with pairs as leading terms."""

from __future__ import annotations

from collections.abc import Sequence

from clmath.ir.lanes import *
from clmath.kernels import pieces
from clmath.kernels.accurate.exponential import fine_exp, reduced
from clmath.kernels.accurate.near_zero import in_range
from clmath.kernels.accurate.pairs import times_pair
from clmath.kernels.records import kernel

ERF_HI, ERF_LO, ERF_REST = (
    pieces("accurate/error_function", f"erf_over_x_{part}", 102) for part in ("hi", "lo", "rest")
)
ERFC_HI, ERFC_LO, ERFC_REST = (
    pieces("accurate/error_function", f"scaled_erfc_{part}", 154) for part in ("hi", "lo", "rest")
)

BOUND, ERF_BOUND = 2.0**-73, 1.5 * 2.0**-76
# from the certificates: most of the error comes from the polynomials' terms from t^4 on
SATURATED = 6.3125  # from this on erfc x < 2^-60: erf x rounds like 1 - 2^-80, erfc(-x) like 2 - 2^-80
TOP = 27.3  # erfc of it is below 2^-1080
TINY = 2.0**-62  # below it erfc x rounds like 1 - 2^-80 or 1 + 2^-80, and x^2 in erf x / x is nothing
BELOW_HALF = (1 << 46) - 1  # half of 1/32 binade in the encoding of a double, less its last place: ties go down
FIRST_PLACE = 1023 << 5


def step(t: Real, hi: Real, lo: Real, head: Real, tail: Real) -> Pair:
    """(head + tail) + t (hi + lo) as a pair, not normalised: the error is below 2^-104 of its terms."""
    p, e = two_product(t, hi)
    s, d = two_sum(head, p)
    return s, (d + (e + t * lo)) + tail


def smooth(t: Real, piece: Integer, heads: Sequence[Real], tails: Sequence[Real], rest: Sequence[Real]) -> Pair:
    """The polynomial number ``piece`` in ``t`` as a pair; four leading coefficients are pairs."""
    hi, lo = two_sum(take(heads[3], piece), t * piecewise(t, piece, rest))
    hi, lo = step(t, hi, lo + take(tails[3], piece), take(heads[2], piece), take(tails[2], piece))
    hi, lo = step(t, hi, lo, take(heads[1], piece), take(tails[1], piece))
    return step(t, hi, lo, take(heads[0], piece), take(tails[0], piece))


def tame(x: Real, top: float) -> Real:
    """``x`` without its sign, at most ``top``, and 0 where it is tiny: nothing underflows."""
    a = abs(x)
    return select(a < TINY, 0.0, clamp(a, 0.0, top))


@kernel()
def erf(x: Real) -> Enclosed:
    """Error function."""
    a = tame(x, SATURATED)
    centre, piece = nearest(a * 16.0)
    s, s_lo = smooth(a - centre * 0.0625, piece, ERF_HI, ERF_LO, ERF_REST)
    negative, saturated = mark("negative saturated", x < 0.0, abs(x) >= SATURATED)
    infinite = mark("infinite", abs(x) == INFINITY)
    scaled, exponent = in_range(select(saturated, 1.0, x))
    p, e = two_product(scaled, s)
    hi, lo = fast_two_sum(p, e + scaled * s_lo)
    sign = select(negative, -1.0, 1.0)
    hi = select(saturated, sign, select(x == 0.0, x, hi))
    lo = select(saturated, select(infinite, 0.0, sign * -(2.0**-80)), select(x == 0.0, x, lo))
    return hi, lo, select(saturated, 0.0, abs(hi) * ERF_BOUND), exponent


def tail_of(a: Real) -> tuple[Real, Real, Integer]:
    """(hi, lo, k) with erfc a = (hi + lo) 2^k, 0 <= a <= TOP: relative error below BOUND."""
    place = mark("place", (mark("code", bits(a + 1.0)) + BELOW_HALF) >> 47)
    centre, piece = mark("centre piece", from_bits(place << 47) - 1.0, place - FIRST_PLACE)
    t = a - centre  # exact: t = a, or a is at least half of the centre
    r, r_lo = mark("r r_lo", *smooth(t, piece, ERFC_HI, ERFC_LO, ERFC_REST))
    square, square_lo = mark("square square_lo", *two_product(a, a))
    rest, rest_lo, n = reduced(-square)
    rest, rest_lo = fast_two_sum(rest, rest_lo - square_lo)  # error 2^-96 if |rest| does not exceed the other term
    rest, rest_lo = mark("rest rest_lo", rest, rest_lo)
    k, j = mark("k j", n >> 8, n & 255)
    e, e_lo = mark("e e_lo", *fine_exp(rest, rest_lo, j))
    hi, lo = times_pair(e, e_lo, r, r_lo)
    return hi, lo, k


@kernel()
def erfc(x: Real) -> Enclosed:
    """Complementary error function."""
    tail, tail_lo, k = tail_of(tame(x, TOP))
    scale = two_to(greater(k, -200))
    below, below_lo = two_sum(2.0, -tail * scale)
    below, below_lo = fast_two_sum(below, below_lo - tail_lo * scale)
    negative, saturated, tiny = mark("negative saturated tiny", x < 0.0, x <= -SATURATED, abs(x) < TINY)
    zero, infinite = mark("zero infinite", x == 0.0, abs(x) == INFINITY)
    hi, lo = select(negative, below, tail), select(negative, below_lo, tail_lo)
    lo = select(tiny, select(zero, 0.0, select(negative, 2.0**-80, -(2.0**-80))), lo)
    hi = select(tiny, 1.0, select(saturated, 2.0, select(infinite, 0.0, hi)))
    lo = select(infinite, 0.0, select(saturated, -(2.0**-80), lo))
    decided = tiny | saturated | infinite
    return hi, lo, select(decided, 0.0, abs(hi) * BOUND), select(mark("unscaled", negative | decided), 0, k)
