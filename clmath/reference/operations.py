"""Each real-valued built-in in MPFR: a method of the target context, or a few lines if MPFR has none."""

from __future__ import annotations

import functools
import math

import gmpy2

from clmath.callables import AnyFunction
from clmath.reference import geometry  # noqa: F401 - its definitions
from clmath.reference.arithmetic import DEFINITIONS, Arithmetic, Context, Mpfr, decided, decided_at, definition, exactly
from clmath.reference.plain import PLAIN, sign_of_gamma
from clmath.spec.builtins import precise

_TRUNCATING = gmpy2.context(precision=64, round=gmpy2.RoundToZero)
_SQUARES = gmpy2.context(precision=106)  # of doubles, which are exact
_MOST_BY_FRACTION = 256  # bits: the number of levels grows with their square
_FAR = 5000  # a shift by more binades than this takes every number of every format out of every format's range

_OTHER_NAMES = {"tgamma": "gamma"}  # of MPFR's functions


def operation(name: str, on: Arithmetic) -> AnyFunction:
    """The built-in ``name`` as a function of Python floats and ints.

    It returns an mpfr of the target's precision whose ``.rc`` is 0 where it is exact, a float or int where the
    result always is a number of the format, or a tuple of those.
    """
    stem = precise(name)
    if stem in DEFINITIONS:
        return functools.partial(DEFINITIONS[stem], on)
    if stem in PLAIN:
        return functools.partial(PLAIN[stem], on.form)
    found: AnyFunction | None = getattr(on.target, _OTHER_NAMES.get(stem, stem), None)
    if found is None:
        raise NotImplementedError(name)
    return found


@definition
def recip(on: Arithmetic, x: float) -> Mpfr:
    """1/x."""
    return on.target.div(1, x)


@definition
def rsqrt(on: Arithmetic, x: float) -> Mpfr:
    """1/sqrt(x); MPFR's own gives +inf at -0."""
    root = on.target.sqrt(x)
    return on.target.rec_sqrt(x) if root > 0 else on.target.div(1, root)


@definition
def powr(on: Arithmetic, x: float, y: float) -> Mpfr:
    """The power x^y = exp(y log x): where an argument is special, so is y log x."""
    if 0.0 < x < math.inf and math.isfinite(y):
        return on.target.pow(x, y)
    return on.target.exp(on.target.mul(y, on.target.log(x)))


@definition
def pown(on: Arithmetic, x: float, y: int) -> Mpfr:
    """The power x^y for an integer y."""
    return on.target.pow(x, exactly(float(y)))  # a context would cut an int to its own precision


@definition
def rootn(on: Arithmetic, x: float, y: int) -> Mpfr:
    """The root x^(1/y): if x has 53 bits, the root has at most as many or is irrational."""
    if y >= 0:
        return on.target.rootn(x, y)

    def approximate(wide: Context) -> Mpfr:
        return wide.div(1, wide.rootn(x, -y))

    found = decided_at(on, max(on.target.precision + 16, 64), approximate)
    if found is not None:
        return found
    root = _TRUNCATING.rootn(x, -y)
    return on.target.div(1, root) if root.rc == 0 else decided(on, approximate)


@definition
def ldexp(on: Arithmetic, x: float, k: int) -> Mpfr:
    """The product x 2^k."""
    return on.target.mul(x, gmpy2.exp2(min(max(k, -_FAR), _FAR)))


@definition
def erfc(on: Arithmetic, x: float) -> Mpfr:
    """1 - erf(x): from 3.5 to 18, where MPFR sums a series that loses 1.44 x^2 bits, by Laplace's continued fraction.

    sqrt(pi) e^(x^2) erfc(x) = 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))).
    """
    if not 3.5 < x < 18.0 or on.precision > _MOST_BY_FRACTION:
        return on.target.erfc(x)

    def approximate(wide: Context) -> Mpfr:
        level = exactly(x)
        for n in range(_levels(x, wide.precision), 0, -1):
            level = wide.add(wide.div(0.5 * n, level), x)
        return wide.div(wide.exp(_SQUARES.mul(-x, x)), wide.mul(level, wide.sqrt(wide.const_pi())))

    return decided(on, approximate)


def _levels(x: float, bits: int) -> int:
    """Return the number of levels of erfc's continued fraction whose relative error is below 2^-bits.

    Level k divides the error by 2 t^2/k for the value t = (x + sqrt(x^2 + 2k))/2 that all deeper levels have about. The
    sum of the logarithms, 2 asinh(x / sqrt(2k)) each, is taken as an integral, which Newton's method solves for k.
    """
    square, n = 0.5 * x * x, 1.0
    for _ in range(5):
        slope = math.asinh(math.sqrt(square / n))
        n += (0.5 * math.log(2.0) * bits - n * slope - math.sqrt(square * (n + square)) + square) / slope
    return math.ceil(n) + 1


@definition
def lgamma(on: Arithmetic, x: float) -> Mpfr:
    """The logarithm log |gamma(x)|."""
    return on.target.lgamma(x)[0]


@definition
def lgamma_r(on: Arithmetic, x: float) -> Mpfr:
    """The value of lgamma(x) and the sign of gamma(x)."""
    return lgamma(on, x), sign_of_gamma(x)


@definition
def sincos(on: Arithmetic, x: float) -> Mpfr:
    """Sine and cosine."""
    return on.target.sin(x), on.target.cos(x)


@definition
def fdim(on: Arithmetic, x: float, y: float) -> Mpfr:
    """The difference x - y if x > y, +0 otherwise."""
    return on.constant(0.0) if x <= y else on.target.sub(x, y)


@definition
def fract(on: Arithmetic, x: float) -> Mpfr:
    """The difference x - floor(x), held at the largest number below 1 of the format, and floor(x)."""
    if x == 0.0 or not math.isfinite(x):
        return on.constant(math.copysign(0.0, x) if x == x else x), x
    whole = float(math.floor(x))
    if x == whole:
        return on.constant(0.0), whole
    most = 1.0 - math.ldexp(1.0, -on.form.precision)
    return on.target.plus(min(on.exact.sub(x, whole), exactly(most))), whole


@definition
def mix(on: Arithmetic, x: float, y: float, a: float) -> Mpfr:
    """The blend x + (y - x) a."""
    return on.target.plus(on.exact.fma(on.exact.sub(y, x), a, x))


@definition
def smoothstep(on: Arithmetic, edge0: float, edge1: float, x: float) -> Mpfr:
    """The cubic t t (3 - 2 t) for t = (x - edge0)/(edge1 - edge0), as one fraction of exact sums."""
    if x != x or edge0 != edge0 or edge1 != edge1:
        return on.constant(math.nan)
    if x <= edge0 or x >= edge1:
        return on.constant(0.0 if x <= edge0 else 1.0)
    if math.isinf(edge0) or math.isinf(edge1):
        return on.constant(0.0)  # t = x/inf = 0, and for two infinite terms clamp(NaN, 0, 1) = 0
    exact = on.exact
    rise, run = exact.sub(x, edge0), exact.sub(edge1, edge0)
    factor = exact.sub(exact.mul(3, run), exact.mul(2, rise))
    return on.target.div(exact.mul(exact.mul(rise, rise), factor), exact.mul(exact.mul(run, run), run))


@definition
def degrees(on: Arithmetic, x: float) -> Mpfr:
    """(180/π) x, irrational unless 0."""
    if x == 0.0 or not math.isfinite(x):
        return on.constant(x)
    return decided(on, lambda wide: wide.div(wide.mul(x, 180), wide.const_pi()))


@definition
def radians(on: Arithmetic, x: float) -> Mpfr:
    """(π/180) x, irrational unless 0."""
    if x == 0.0 or not math.isfinite(x):
        return on.constant(x)
    return decided(on, lambda wide: wide.div(wide.mul(x, wide.const_pi()), 180))


def _octant(x: float) -> tuple[int, float]:
    """The integer n mod 4 and r with x = n/2 + r (mod 2), |r| <= 1/4: all exact."""
    turn = math.fmod(x, 2.0)
    half_turns = round(2.0 * turn)
    return half_turns % 4, turn - half_turns / 2.0


def _sine_or_cosine(on: Arithmetic, quarter: int, rest: float) -> Mpfr:
    """sin(π (quarter/2 + rest)): rational for these arguments only where rest is 0."""
    if rest == 0.0:
        return on.constant((0.0, 1.0, 0.0, -1.0)[quarter])
    sign = -1 if quarter >= 2 else 1

    def approximate(wide: Context) -> Mpfr:
        angle = wide.mul(rest * sign, wide.const_pi())
        return wide.mul(wide.cos(angle), sign) if quarter % 2 else wide.sin(angle)

    return decided(on, approximate)


@definition
def sinpi(on: Arithmetic, x: float) -> Mpfr:
    """sin(π x): at an integer a zero with x's sign, like 0 x, which is NaN for an infinity."""
    if not math.isfinite(x) or x == math.floor(x):
        return on.target.mul(0, x)
    return _sine_or_cosine(on, *_octant(x))


@definition
def cospi(on: Arithmetic, x: float) -> Mpfr:
    """cos(π x) = sin(π (x + 1/2))."""
    if not math.isfinite(x):
        return on.constant(math.nan)
    quarter, rest = _octant(x)
    return _sine_or_cosine(on, (quarter + 1) % 4, rest)


@definition
def tanpi(on: Arithmetic, x: float) -> Mpfr:
    """tan(π x) = sin(π x) / cos(π x): rational where x is a multiple of 1/4."""
    if not math.isfinite(x):
        return on.constant(math.nan)
    quarter, rest = _octant(x)
    if rest == 0.0:
        return on.target.div(sinpi(on, x), cospi(on, x))
    if abs(rest) == 0.25:
        return on.constant(math.copysign(1.0, rest if quarter % 2 == 0 else -rest))

    def approximate(wide: Context) -> Mpfr:
        angle = wide.mul(rest, wide.const_pi())
        return wide.minus(wide.cot(angle)) if quarter % 2 else wide.tan(angle)

    return decided(on, approximate)


def _over_pi(on: Arithmetic, inverse: str, *args: float) -> Mpfr:
    return decided(on, lambda wide: wide.div(getattr(wide, inverse)(*args), wide.const_pi()))


_SIXTHS_OF_ACOS = {-1.0: 6, -0.5: 4, 0.0: 3, 0.5: 2, 1.0: 0}


@definition
def asinpi(on: Arithmetic, x: float) -> Mpfr:
    """asin(x)/π: rational where 2x is an integer (Niven)."""
    if not 0.0 < abs(x) <= 1.0:
        return on.constant(math.nan if x else x)
    if abs(x) in (0.5, 1.0):
        return on.target.div(math.copysign(1.0, x), 6 if abs(x) == 0.5 else 2)
    return _over_pi(on, "asin", x)


@definition
def acospi(on: Arithmetic, x: float) -> Mpfr:
    """acos(x)/π: rational where 2x is an integer (Niven)."""
    if not abs(x) <= 1.0:
        return on.constant(math.nan)
    if x in _SIXTHS_OF_ACOS:
        return on.target.div(_SIXTHS_OF_ACOS[x], 6)
    return _over_pi(on, "acos", x)


@definition
def atanpi(on: Arithmetic, x: float) -> Mpfr:
    """atan(x)/π: rational where x is -1, 0 or 1 (Niven) or infinite."""
    if not 0.0 < abs(x) < math.inf:
        return on.constant(math.copysign(0.5, x) if math.isinf(x) else x)
    if abs(x) == 1.0:
        return on.constant(x / 4.0)
    return _over_pi(on, "atan", x)


@definition
def atan2pi(on: Arithmetic, y: float, x: float) -> Mpfr:
    """atan2(y, x)/π: rational on the axes and diagonals."""
    if x != x or y != y:
        return on.constant(math.nan)
    acute = _rational_angle(abs(y), abs(x))
    if acute is None:
        return _over_pi(on, "atan2", y, x)
    return on.constant(math.copysign(acute if math.copysign(1.0, x) > 0.0 else 1.0 - acute, y))


def _rational_angle(y: float, x: float) -> float | None:
    """The angle of (x, y) over π for x, y >= 0 on an axis or the diagonal; (0, 0) lies on the axis of x."""
    if y in (0.0, x):
        return 0.25 if y else 0.0
    if math.isinf(x) or x == 0.0 or math.isinf(y):
        return 0.0 if math.isinf(x) else 0.5
    return None
