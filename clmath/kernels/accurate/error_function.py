"""erf as x S(x), erfc as e^(-x^2) R(x); S and R are polynomials on subintervals, with pairs as leading terms.

Narrower enclosures: for |x| < 3.46 the series of erf(x) e^(x^2) / x in x^2, all of whose terms are positive; beyond it,
the continued fraction erfc(x) e^(x^2) sqrt(pi) = 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))).
"""

from __future__ import annotations

from collections.abc import Sequence

from clmath.ir.primitives import *
from clmath.kernels import pairs, pieces
from clmath.kernels.accurate.exponential import fine_exp, reduced, scaled_exp_in_pairs
from clmath.kernels.accurate.narrower import narrower
from clmath.kernels.accurate.near_zero import in_range
from clmath.kernels.accurate.pairs import over_pair, pair_polynomial, plus, plus_pair, times, times_pair
from clmath.kernels.records import kernel, narrows

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

SERIES = pairs("narrowing/error_function", "series")
PAIRS = 50  # the later terms are 2^-52 of the series at 12
SERIES_TAIL = [hi for hi, _ in SERIES[PAIRS:]]
LARGEST_SQUARE = 12.0  # from here on the fraction
ROOT = 3.4641016151377544  # of that
INVERSE_ROOT_OF_PI = (0.5 * SERIES[0][0], 0.5 * SERIES[0][1])
LEVELS, LEVELS_IN_PAIRS = 60, 32
NARROW_BOUND = 1.625 * 2.0**-100
# of erf x, from its certificate: the largest error is at x^2 = 12
FRACTION_BOUND = 1.25 * 2.0**-99
# of erfc x, from its certificate: omitted levels, and quotients and sums of the first ones


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


def decay(z: Real, z_lo: Real) -> tuple[Real, Real, Integer]:
    """(hi, lo, k) with e^-(z + z_lo) = (hi + lo) 2^k for 0 <= z < 800."""
    z, z_lo = mark("square square_lo", z, z_lo)
    r, r_lo, n = reduced(-z)
    r, r_lo = mark("rest rest_lo", *plus_pair(-z_lo, 0.0, r, r_lo))
    hi, lo = mark("e e_lo", *scaled_exp_in_pairs(r, r_lo, mark("j", n & 255)))
    return hi, lo, mark("k", n >> 8)


def near_zero(x: Real) -> Parts:
    """(hi, lo, err, exponent) of erf(x); err is infinite where x^2 > 12."""
    usable = mark("usable", x * x <= LARGEST_SQUARE)
    kept = select(usable, x, 1.0)
    base = select(mark("tiny", abs(kept) < TINY), 0.0, kept)
    z, z_lo = two_product(base, base)
    hi, lo = pair_polynomial(z, z_lo, SERIES[:PAIRS], mark("tail", polynomial(z, SERIES_TAIL)))
    scaled, exponent = in_range(kept)
    hi, lo = times(hi, lo, scaled)
    e, e_lo, k = scope("near", decay)(z, z_lo)
    scale = two_to(k)
    hi, lo = times_pair(hi, lo, *mark("scaled scaled_lo", e * scale, e_lo * scale))
    return hi, lo, select(usable, abs(hi) * NARROW_BOUND, float("inf")), exponent


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


@narrows("erf")
def narrow_erf(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Error function."""
    near_hi, near_lo, near_err, near_exponent = near_zero(x)
    tail, tail_lo, k = from_fraction(clamp(abs(x), ROOT, TOP))
    scale = two_to(greater(k, -200))
    far_hi, far_lo, far_err = less(1.0, tail * scale, tail_lo * scale, tail * scale * FRACTION_BOUND)
    sign, far = select(mark("negative", x < 0.0), -1.0, 1.0), mark("far", mark("size", abs(x)) > ROOT)
    new_hi, new_lo = select(far, far_hi * sign, near_hi), select(far, far_lo * sign, near_lo)
    found = new_hi, new_lo, select(far, far_err, near_err), select(far, 0, near_exponent)
    return narrower(hi, lo, err, exponent, found)


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


def from_fraction(a: Real) -> tuple[Real, Real, Integer]:
    """(hi, lo, k) of erfc(a) for sqrt(12) <= a <= TOP."""
    level = mark("level", 0.5 * a + sqrt(0.25 * a * a + 0.5 * (LEVELS + 1)))
    for n in range(LEVELS, LEVELS_IN_PAIRS, -1):
        level = mark("level", a + 0.5 * n / level)
    hi: Real = level
    lo: Real | float = 0.0
    for n in range(LEVELS_IN_PAIRS, 0, -1):
        hi, lo = over_pair(0.5 * n, 0.0, hi, lo)
        hi, lo = mark("level level_lo", *plus(hi, lo, a))
    hi, lo = mark("fraction fraction_lo", hi, lo)
    e, e_lo, k = scope("beyond", decay)(*two_product(a, a))
    e, e_lo = times_pair(e, e_lo, *INVERSE_ROOT_OF_PI)
    return *over_pair(e, e_lo, hi, lo), k


def less(whole: float, hi: Real, lo: Real, err: Real) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of ``whole`` - (hi + lo ± err), which is positive."""
    new_hi, new_lo = plus_pair(whole, 0.0, -hi, -lo)
    return new_hi, new_lo, err + new_hi * 2.0**-103


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


@narrows("erfc")
def narrow_erfc(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Complementary error function."""
    part, part_lo, part_err, _ = near_zero(x)
    near_hi, near_lo, near_err = less(1.0, part, part_lo, part_err)
    tail, tail_lo, k = from_fraction(clamp(abs(x), ROOT, TOP))
    tail_err, scale = tail * FRACTION_BOUND, two_to(greater(k, -200))
    below, below_lo, below_err = less(2.0, tail * scale, tail_lo * scale, tail_err * scale)
    far, negative = mark("far negative", mark("size", abs(x)) > ROOT, x < 0.0)
    far_hi, far_lo = select(negative, below, tail), select(negative, below_lo, tail_lo)
    far_err = select(negative, below_err, tail_err)
    new_hi, new_lo = select(far, far_hi, near_hi), select(far, far_lo, near_lo)
    found = new_hi, new_lo, select(far, far_err, near_err), select(mark("above", far & ~negative), k, 0)
    return narrower(hi, lo, err, exponent, found)
