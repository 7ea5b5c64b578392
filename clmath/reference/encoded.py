"""The second oracle's built-ins that do not round: integer arithmetic on encodings and fractions, sharing no code."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from clmath.callables import AnyFunction
from clmath.numbers.formats import Format

_INT_MAX = 2**31 - 1
_INT_MIN = -(2**31)
_LOW_BITS = 128  # remquo stores |k| modulo this


def _code(form: Format, x: float) -> int:
    """The encoding of x as a signed magnitude: consecutive integers are consecutive numbers; both zeros are 0."""
    bits = int(form.bits(x))
    magnitude = bits & form.magnitude
    return -magnitude if bits != magnitude else magnitude


def _is_nan(form: Format, x: float) -> bool:
    return abs(_code(form, x)) > form.infinite


def _is_finite(form: Format, x: float) -> bool:
    return abs(_code(form, x)) < form.infinite


def _is_minus(form: Format, x: float) -> bool:
    return bool(int(form.bits(x)) >> form.width - 1)


def _decoded(form: Format, magnitude: int, *, minus: bool) -> float:
    """The number of an encoding; a NaN keeps its payload."""
    with np.errstate(all="ignore"):
        return float(form.from_bits(minus << form.width - 1 | magnitude).astype(np.float64))


def _with_sign_of(form: Format, value: Fraction | int, x: float) -> float:
    """An exact value, which is a number of the format, as one; a zero has x's sign."""
    return float(value) if value else _decoded(form, 0, minus=_is_minus(form, x))


def _to_integer(whole: Callable[[int, int], int]) -> Callable[[Format, float], float]:
    """A rounding of the fraction n/d to an integer as a built-in."""

    def builtin(form: Format, x: float) -> float:
        return _with_sign_of(form, whole(*x.as_integer_ratio()), x) if _is_finite(form, x) else x

    return builtin


def _toward_zero(n: int, d: int) -> int:
    return abs(n) // d if n > 0 else -(abs(n) // d)


def _nearest_even(n: int, d: int) -> int:
    below, rest = divmod(n, d)
    return below + (2 * rest > d or (2 * rest == d and below % 2 == 1))


def _nearest_away(n: int, d: int) -> int:
    size = (2 * abs(n) + d) // (2 * d)
    return size if n > 0 else -size


_trunc = _to_integer(_toward_zero)


def _copysign(form: Format, x: float, y: float) -> float:
    return _decoded(form, abs(_code(form, x)), minus=_is_minus(form, y))


def _fabs(form: Format, x: float) -> float:
    return _decoded(form, abs(_code(form, x)), minus=False)


def _is_less(form: Format, x: float, y: float) -> bool:
    return not _is_nan(form, x) and not _is_nan(form, y) and _code(form, x) < _code(form, y)


def _max(form: Format, x: float, y: float) -> float:
    return y if _is_less(form, x, y) else x


def _min(form: Format, x: float, y: float) -> float:
    return y if _is_less(form, y, x) else x


def _fmax(form: Format, x: float, y: float) -> float:
    return y if _is_nan(form, x) else _max(form, x, y)


def _fmin(form: Format, x: float, y: float) -> float:
    return y if _is_nan(form, x) else _min(form, x, y)


def _maxmag(form: Format, x: float, y: float) -> float:
    if _is_less(form, _fabs(form, x), _fabs(form, y)):
        return y
    return x if _is_less(form, _fabs(form, y), _fabs(form, x)) else _fmax(form, x, y)


def _minmag(form: Format, x: float, y: float) -> float:
    if _is_less(form, _fabs(form, x), _fabs(form, y)):
        return x
    return y if _is_less(form, _fabs(form, y), _fabs(form, x)) else _fmin(form, x, y)


def _clamp(form: Format, x: float, minval: float, maxval: float) -> float:
    return _fmin(form, _fmax(form, x, minval), maxval)


def _step(form: Format, edge: float, x: float) -> float:
    return 1.0 - _is_less(form, x, edge)


def _sign(form: Format, x: float) -> float:
    code = _code(form, x)
    if code == 0:
        return x
    return 0.0 if _is_nan(form, x) else float(code // abs(code))


def _frexp(form: Format, x: float) -> tuple[float, int]:
    """Return (significand, exponent), where 2^exponent is the least power of two above |x|."""
    if not _is_finite(form, x) or _code(form, x) == 0:
        return x, 0
    exponent = _floor_of_log2(x) + 1
    return float(Fraction(x) / Fraction(2) ** exponent), exponent


def _floor_of_log2(x: float) -> int:
    """For finite x that is not 0: a number n/d in lowest terms has a power of two for d."""
    n, d = x.as_integer_ratio()
    return abs(n).bit_length() - d.bit_length()


def _modf(form: Format, x: float) -> tuple[float, float]:
    if _is_nan(form, x):
        return x, x
    whole = _trunc(form, x)
    rest = Fraction(x) - Fraction(whole) if _is_finite(form, x) else 0
    return _with_sign_of(form, rest, x), whole


def _ilogb(form: Format, x: float) -> int:
    if _code(form, x) == 0:
        return _INT_MIN
    return _floor_of_log2(x) if _is_finite(form, x) else _INT_MAX


def _logb(form: Format, x: float) -> float:
    if _code(form, x) == 0:
        return _decoded(form, form.infinite, minus=True)
    return float(_floor_of_log2(x)) if _is_finite(form, x) else _fabs(form, x)


def _nextafter(form: Format, x: float, y: float) -> float:
    """The encodings of one sign are consecutive from zero through subnormals to infinity."""
    here, there = _code(form, x), _code(form, y)
    if _is_nan(form, x) or _is_nan(form, y):
        return math.nan
    if here == there:
        return y
    code = here + (1 if here < there else -1)
    return _decoded(form, abs(code), minus=code < 0 if code else _is_minus(form, x))


def _fmod(form: Format, x: float, y: float) -> float:
    return _rest(form, x, y, _toward_zero)[0]


def _remainder(form: Format, x: float, y: float) -> float:
    return _rest(form, x, y, _nearest_even)[0]


def _remquo(form: Format, x: float, y: float) -> tuple[float, int]:
    rest, quotient = _rest(form, x, y, _nearest_even)
    low = abs(quotient) % _LOW_BITS
    return rest, low if _is_minus(form, x) == _is_minus(form, y) else -low


def _rest(form: Format, x: float, y: float, whole: Callable[[int, int], int]) -> tuple[float, int]:
    """The number x - k y and k, the quotient x/y rounded to an integer by ``whole``."""
    if _is_nan(form, y) or not _is_finite(form, x) or _code(form, y) == 0:
        return math.nan, 0
    if not _is_finite(form, y):
        return x, 0
    quotient = Fraction(x) / Fraction(y)
    k = whole(quotient.numerator, quotient.denominator)
    return _with_sign_of(form, Fraction(x) - k * Fraction(y), x), k


def _nan(form: Format, nancode: int) -> float:
    """Quiet: the first bit of the fraction is set, the others are the low bits of the code."""
    quiet = 1 << form.precision - 2
    return _decoded(form, form.infinite | quiet | nancode % quiet, minus=False)


_FUNCTIONS: tuple[AnyFunction, ...] = (
    *(_fabs, _copysign, _max, _min, _fmax, _fmin, _maxmag, _minmag, _clamp, _step, _sign),
    *(_frexp, _modf, _ilogb, _logb, _nextafter, _fmod, _remainder, _remquo, _nan),
)
ENCODED: dict[str, AnyFunction] = {
    **{function.__name__.removeprefix("_"): function for function in _FUNCTIONS},
    "ceil": _to_integer(lambda n, d: -(-n // d)),
    "floor": _to_integer(lambda n, d: n // d),
    "rint": _to_integer(_nearest_even),
    "round": _to_integer(_nearest_away),
    "trunc": _trunc,
}
