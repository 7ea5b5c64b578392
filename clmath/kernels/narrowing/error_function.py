"""erf and erfc: for |x| < 3.46 the series of erf(x) e^(x^2) / x in x^2, all of whose terms are positive.

Beyond, the continued fraction erfc(x) e^(x^2) sqrt(pi) = 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))).
"""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.kernels import pairs
from clmath.kernels.accurate.error_function import TINY, TOP
from clmath.kernels.accurate.exponential import reduced
from clmath.kernels.accurate.near_zero import in_range
from clmath.kernels.accurate.pairs import over_pair, pair_polynomial, plus, plus_pair, times, times_pair
from clmath.kernels.narrowing.enclosures import narrower
from clmath.kernels.narrowing.exponential import scaled_exp
from clmath.kernels.records import narrows

SERIES = pairs("narrowing/error_function", "series")
PAIRS = 50  # the later terms are 2^-52 of the series at 12
TAIL = [hi for hi, _ in SERIES[PAIRS:]]
LARGEST_SQUARE = 12.0  # from here on the fraction
ROOT = 3.4641016151377544  # of that
INVERSE_ROOT_OF_PI = (0.5 * SERIES[0][0], 0.5 * SERIES[0][1])
LEVELS, LEVELS_IN_PAIRS = 60, 32

BOUND = 1.625 * 2.0**-100
# of erf x, from its certificate: the largest error is at x^2 = 12
FRACTION_BOUND = 1.25 * 2.0**-99
# of erfc x, from its certificate: omitted levels, and quotients and sums of the first ones


def decay(z: Real, z_lo: Real) -> tuple[Real, Real, Integer]:
    """(hi, lo, k) with e^-(z + z_lo) = (hi + lo) 2^k for 0 <= z < 800."""
    z, z_lo = mark("square square_lo", z, z_lo)
    r, r_lo, n = reduced(-z)
    r, r_lo = mark("rest rest_lo", *plus_pair(-z_lo, 0.0, r, r_lo))
    hi, lo = mark("e e_lo", *scaled_exp(r, r_lo, mark("j", n & 255)))
    return hi, lo, mark("k", n >> 8)


def near_zero(x: Real) -> Parts:
    """(hi, lo, err, exponent) of erf(x); err is infinite where x^2 > 12."""
    usable = mark("usable", x * x <= LARGEST_SQUARE)
    kept = select(usable, x, 1.0)
    tame = select(mark("tiny", abs(kept) < TINY), 0.0, kept)
    z, z_lo = two_product(tame, tame)
    hi, lo = pair_polynomial(z, z_lo, SERIES[:PAIRS], mark("tail", polynomial(z, TAIL)))
    scaled, exponent = in_range(kept)
    hi, lo = times(hi, lo, scaled)
    e, e_lo, k = scope("near", decay)(z, z_lo)
    scale = two_to(k)
    hi, lo = times_pair(hi, lo, *mark("scaled scaled_lo", e * scale, e_lo * scale))
    return hi, lo, select(usable, abs(hi) * BOUND, float("inf")), exponent


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


@narrows("erf")
def erf(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Error function."""
    near_hi, near_lo, near_err, near_exponent = near_zero(x)
    tail, tail_lo, k = from_fraction(clamp(abs(x), ROOT, TOP))
    scale = two_to(greater(k, -200))
    far_hi, far_lo, far_err = less(1.0, tail * scale, tail_lo * scale, tail * scale * FRACTION_BOUND)
    sign, far = select(mark("negative", x < 0.0), -1.0, 1.0), mark("far", mark("size", abs(x)) > ROOT)
    new_hi, new_lo = select(far, far_hi * sign, near_hi), select(far, far_lo * sign, near_lo)
    found = new_hi, new_lo, select(far, far_err, near_err), select(far, 0, near_exponent)
    return narrower(hi, lo, err, exponent, found)


@narrows("erfc")
def erfc(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
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
