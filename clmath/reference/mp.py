"""The second oracle: mpmath and exact fractions, one element at a time; it shares no code with the first."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import mpmath
import numpy as np
from numpy.typing import NDArray

from clmath.callables import AnyFunction
from clmath.numbers.formats import Format, is_float
from clmath.numbers.rounding import ZERO_SUM, Enclosure, enclosed, fraction
from clmath.reference.encoded import ENCODED
from clmath.reference.rational import OPPOSED, RATIONAL
from clmath.reference.special import special
from clmath.spec.builtins import precise

_BITS = 124  # this many bits distinguish an exact value from its neighbours
_FIRST = 192  # precision of the first approximation
_LAST = 12288  # precision of the last: a value that looks representable is, unless nearer to a number than 2^-6000
_SLACK = 16  # the bits of an approximation that are not believed
_HUGE, _TINY = Fraction(2) ** 5000, Fraction(1, 2**5000)  # represent all values beyond the range of every format

_GAMMA_SIGN = "gamma_sign"
_SEVERAL_RESULTS = {"sincos": ("sin", "cos"), "lgamma_r": ("lgamma", _GAMMA_SIGN)}

mp = mpmath.mp

Mpf: TypeAlias = Any
"""A number of mpmath, which has no types."""


def enclose(name: str, args: Sequence[np.ndarray], form: Format) -> tuple[Enclosure | NDArray[np.int32], ...]:
    """Enclosures (err = 0) as ``reference.enclose`` describes; here they all have head, tail and exponent."""
    stem = precise(name)
    with np.errstate(all="ignore"):  # a signalling NaN becomes a quiet one
        elements = [a.astype(np.float64) if is_float(a.dtype) else a for a in args]
    exact: AnyFunction | None = RATIONAL.get(stem) or ENCODED.get(stem)
    if exact is None:
        return tuple(_collected(_values(part, elements)) for part in _SEVERAL_RESULTS.get(stem, (stem,)))
    rows = [exact(form, *row) for row in zip(*(a.tolist() for a in elements), strict=True)]
    results = zip(*rows, strict=True) if isinstance(rows[0], tuple) else [rows]
    return tuple(_collected(list(r)) for r in results)


def _collected(values: Sequence[object]) -> Enclosure | NDArray[np.int32]:
    """One result's elements as an array of ints or an enclosure."""
    if isinstance(values[0], int):
        return np.array(values, np.int32)
    elements = [_element(v) for v in values]
    return Enclosure(*(np.array([element[i][()] for element in elements]) for i in range(4)))


def _element(value: object) -> Enclosure:
    if value == OPPOSED:
        return Enclosure.of(0.0, exponent=ZERO_SUM)
    return enclosed(value) if isinstance(value, Fraction) else Enclosure.of(value)


def _values(name: str, args: Sequence[np.ndarray]) -> Sequence[Fraction | float]:
    """The exact values, or ones that lie on the same side of every number of 124 bits."""
    rows = list(zip(*(a.tolist() for a in args), strict=True))
    if name == _GAMMA_SIGN:
        return [_sign_of_gamma(*row) for row in rows]
    prescribed = special(name, args)
    return [_value(name, *row) if value is None else value for value, row in zip(prescribed, rows, strict=True)]


def _value(name: str, *args: float) -> Fraction:
    """The value to the precision needed, or a representative if no precision up to the last would be enough."""
    rule = _SATURATIONS.get(name)
    saturated = None if rule is None else rule(*args)
    return _decided(_APPROXIMATIONS[name], args) if saturated is None else saturated


def _decided(approximate: AnyFunction, args: Sequence[object]) -> Fraction:
    """Double the precision until the approximation and its distance from the last one decide 124 bits."""
    precision, last = _FIRST, None
    while True:
        with mpmath.workprec(precision):
            value = fraction(approximate(*args))
        if last is not None:
            radius = max(abs(value - last), abs(value) / 2 ** (precision // 2 - _SLACK))
            low, high = _cut(value - radius), _cut(value + radius)
            if low == high:
                return low
            if precision >= _LAST:
                return _between(low, high)
        precision, last = 2 * precision, value


def _cut(value: Fraction) -> Fraction:
    """124 bits of value, and one more that marks a truncated value."""
    places = _BITS - (abs(value.numerator).bit_length() - value.denominator.bit_length())
    scaled = value * Fraction(2) ** places
    whole = math.floor(scaled)
    return (whole + Fraction(whole != scaled, 2)) / Fraction(2) ** places


def _between(low: Fraction, high: Fraction) -> Fraction:
    """The number of few bits between two cut ones: the exact value."""
    middle = (low + high) / 2
    places = _BITS - 4 - (abs(middle.numerator).bit_length() - middle.denominator.bit_length())
    return round(middle * Fraction(2) ** places) / Fraction(2) ** places


def _beyond(exponent: float, sign: int = 1) -> Fraction | None:
    """Some value of about 2^exponent, if that is beyond every format."""
    if abs(exponent) < 5000.0:
        return None
    return sign * (_HUGE if exponent > 0.0 else _TINY)


def _exponential(per_unit: float) -> Callable[[float], Fraction | None]:
    return lambda x: _beyond(x * per_unit)


def _power(x: float, y: float) -> Fraction | None:
    sign = -1 if x < 0.0 and y % 2.0 == 1.0 else 1
    near_one = abs(abs(x) - 1.0) < 0.5
    logarithm = math.log1p(abs(x) - 1.0) if near_one else math.log(abs(x))  # 1 - |x| is exact near 1
    return _beyond(logarithm * 1.4426950408889634 * float(y), sign)


def _hyperbolic(x: float) -> Fraction | None:
    return _beyond(abs(x) * 1.44, -1 if x < 0.0 else 1)


def _near_one(beyond: float) -> Callable[[float], Fraction | None]:
    """Nearly 1 with the sign of x, if x is ``beyond`` that in size."""
    return lambda x: int(math.copysign(1.0, x)) * (1 - _TINY) if abs(x) > beyond else None


def _erfc(x: float) -> Fraction | None:
    if x < -60.0:
        return 2 - _TINY
    return _TINY if x > 60.0 else None


def _expm1(x: float) -> Fraction | None:
    return _TINY - 1 if x < -4000.0 else _beyond(max(x, 0.0) * 1.44)


def _tgamma(x: float) -> Fraction | None:
    """Here gamma(2000) > 2^10000, and its mirror image lies below -2000."""
    if abs(x) < 2000.0:
        return None
    return _HUGE if x > 0.0 else _sign_of_gamma(x) * _TINY


def _sign_of_gamma(x: float) -> int:
    """Left of 0 by reflection: gamma(x) gamma(1 - x) = π / sin(π x); 0 at poles, 1 at infinities and NaN."""
    return 1 if x > 0.0 or not math.isfinite(x) else int(mp.sign(mp.sinpi(x)))


_SATURATIONS: dict[str, Callable[..., Fraction | None]] = {
    "cosh": lambda x: _beyond(abs(x) * 1.44),
    "erf": _near_one(60.0),  # 1 - exp(-x^2)/(x sqrt π)
    "erfc": _erfc,
    "exp": _exponential(1.4426950408889634),
    "exp10": _exponential(3.321928094887362),
    "exp2": _exponential(1.0),
    "expm1": _expm1,
    "pow": _power,
    "pown": _power,
    "powr": _power,
    "sinh": _hyperbolic,
    "tanh": _near_one(2000.0),  # 1 - 2 exp(-2x)
    "tgamma": _tgamma,
}


def _atan2(y: float, x: float) -> Mpf:
    """The zeros of mpmath have no sign; of infinities, which count as ones, its versions think differently."""
    if math.isinf(x) or math.isinf(y):
        y, x = (math.copysign(float(math.isinf(v)), v) for v in (y, x))
    angle = mp.pi if y == 0.0 else mp.atan2(abs(y), x)
    return angle if math.copysign(1.0, y) > 0.0 else -angle


def _lgamma(x: float) -> Mpf:
    """Left of 0 by reflection: log(π / |x sin(π x)|) - lgamma(-x)."""
    if x > 0:
        return mp.loggamma(x)
    return mp.log(mp.pi / abs(x * mp.sinpi(x))) - mp.loggamma(-x)


def _signed_power(x: float, y: float) -> Mpf:
    size = mp.power(abs(x), y)
    return -size if x < 0 and y % 2 == 1 else size


def _rootn(x: float, y: int) -> Mpf:
    size = mp.exp(mp.log(abs(x)) / y)
    return -size if x < 0 else size


def _in_half_turns(angle: AnyFunction) -> AnyFunction:
    """Return the function ``angle`` in half turns: its results over π."""
    return lambda *args: angle(*args) / mp.pi


_ANGLES: dict[str, AnyFunction] = {"acos": mp.acos, "asin": mp.asin, "atan": mp.atan, "atan2": _atan2}
_OF_MPMATH = "acosh asinh atanh cos cosh cospi erf erfc exp expm1 log log1p sin sinh sinpi tan tanh"
_APPROXIMATIONS: dict[str, AnyFunction] = {
    **{name: getattr(mp, name) for name in _OF_MPMATH.split()},
    **_ANGLES,
    **{f"{name}pi": _in_half_turns(angle) for name, angle in _ANGLES.items()},
    "cbrt": lambda x: _rootn(x, 3),
    "degrees": lambda x: mp.mpf(x) * 180 / mp.pi,
    "exp10": lambda x: mp.power(10, x),
    "exp2": lambda x: mp.power(2, x),
    "lgamma": _lgamma,
    "log10": lambda x: mp.log(x) / mp.log(10),
    "log2": lambda x: mp.log(x) / mp.log(2),
    "pow": _signed_power,
    "pown": _signed_power,
    "powr": mp.power,
    "radians": lambda x: mp.mpf(x) * mp.pi / 180,
    "rootn": _rootn,
    "rsqrt": lambda x: 1 / mp.sqrt(x),
    "tanpi": lambda x: mp.sinpi(x) / mp.cospi(x),
    "tgamma": mp.gamma,
}
