"""The second oracle's special values, after OpenCL C++ 1.0, 4.5.1 and C99, F.9: a Python float, or None elsewhere."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SPECIAL", "special"]

INF, NAN = math.inf, math.nan


def _is_odd(y: float) -> bool:
    """Whether y is an odd integer."""
    return math.isfinite(y) and math.fmod(y, 2.0) in (1.0, -1.0)


def _is_integer(y: float) -> bool:
    return math.isfinite(y) and y == math.floor(y)


def at_zero_and_beyond(zero: float | None, infinity: float) -> Callable[[float], float | None]:
    """Odd functions: f(±0) = ±zero (None: ±0 itself), f(±inf) = ±infinity, f(NaN) = NaN."""

    def rule(x: float) -> float | None:
        if x != x:
            return x
        if x == 0.0:
            return x if zero is None else math.copysign(zero, x)
        return math.copysign(infinity, x) if math.isinf(x) else None

    return rule


def even(zero: float, infinity: float) -> Callable[[float], float | None]:
    """Even functions: one value at both zeros, one at both infinities."""

    def rule(x: float) -> float | None:
        if x != x:
            return x
        return zero if x == 0.0 else infinity if math.isinf(x) else None

    return rule


def growing(minus: float, zero: float, plus: float) -> Callable[[float], float | None]:
    """Values at -inf, at both zeros and at +inf."""

    def rule(x: float) -> float | None:
        if x != x:
            return x
        if x == 0.0:
            return zero
        return None if math.isfinite(x) else plus if x > 0.0 else minus

    return rule


def arc(one: float | None, minus_one: float | None, *, odd: bool = True) -> Callable[[float], float | None]:
    """Functions on [-1, 1]: values at 1 and -1 (None: the general case); ``odd`` ones are ±0 at ±0."""

    def rule(x: float) -> float | None:
        if not abs(x) <= 1.0:
            return NAN
        if x == 0.0 and odd:
            return x
        return one if x == 1.0 else minus_one if x == -1.0 else None

    return rule


def logarithm(zero_at: float, pole: float) -> Callable[[float], float | None]:
    """Logarithms: -inf at ``pole``, NaN below it, +inf at +inf; +0 at 1, or ±0 itself where ``zero_at`` is 0."""

    def rule(x: float) -> float | None:
        if x != x or x < pole:
            return NAN
        if x == pole:
            return -INF
        if x == zero_at:
            return x if x == 0.0 else 0.0
        return x if x == INF else None

    return rule


def acosh(x: float) -> float | None:
    """NaN below 1, +0 at 1."""
    if not x >= 1.0:
        return NAN
    return 0.0 if x == 1.0 else INF if x == INF else None


def sinpi(x: float) -> float | None:
    """±0 at integers with the sign of x."""
    if not math.isfinite(x):
        return NAN
    return math.copysign(0.0, x) if _is_integer(x) else None


def cospi(x: float) -> float | None:
    """+0 at odd multiples of 1/2."""
    if not math.isfinite(x):
        return NAN
    return 0.0 if _is_odd(2.0 * math.fmod(x, 2.0)) else None


def tanpi(x: float) -> float | None:
    """Zeros at integers and infinities at odd multiples of 1/2, with alternating signs."""
    if not math.isfinite(x):
        return NAN
    turn = math.fmod(x, 2.0)
    if _is_integer(turn):
        return math.copysign(0.0, -x if _is_odd(turn) else x)
    if _is_odd(2.0 * turn):
        return -INF if _is_odd(math.floor(turn)) else INF
    return None


def atan2(y: float, x: float) -> float | None:
    """Zeros only: the other values are not numbers of a format, apart from NaN."""
    if x != x or y != y:
        return NAN
    positive = math.copysign(1.0, x) > 0.0
    if positive and (y == 0.0 or (x == INF and math.isfinite(y))):
        return math.copysign(0.0, y)
    return None


def pow(x: float, y: float) -> float | None:
    """C99, F.9.4.4."""
    if x == 1.0 or y == 0.0:
        return 1.0
    if x != x or y != y:
        return NAN
    if x == 0.0:
        size = 0.0 if y > 0.0 else INF
        return math.copysign(size, x) if _is_odd(y) else size
    if math.isinf(y):
        if x == -1.0:
            return 1.0
        return INF if (abs(x) > 1.0) == (y > 0.0) else 0.0
    if math.isinf(x):
        size = INF if y > 0.0 else 0.0
        return math.copysign(size, x) if _is_odd(y) else size
    return NAN if x < 0.0 and not _is_integer(y) else None


def pown(x: float, y: int) -> float | None:
    """The same as pow with an integer: 1 for y = 0, whatever x."""
    if y == 0:
        return 1.0
    if x != x:
        return NAN
    return pow(x, float(y))


def powr(x: float, y: float) -> float | None:
    """exp(y log x): NaN wherever that is 0 times infinity."""
    if x != x or y != y or x < 0.0:
        return NAN
    if x == 0.0:
        return NAN if y == 0.0 else 0.0 if y > 0.0 else INF
    if x == INF:
        return NAN if y == 0.0 else INF if y > 0.0 else 0.0
    if math.isinf(y):
        return NAN if x == 1.0 else INF if (x > 1.0) == (y > 0.0) else 0.0
    return 1.0 if y == 0.0 or x == 1.0 else None


def rootn(x: float, y: int) -> float | None:
    """The root x to the power 1/y."""
    if y == 0 or x != x or (x < 0.0 and y % 2 == 0):
        return NAN
    if x == 0.0 or math.isinf(x):
        size = abs(x) if y > 0 else INF if x == 0.0 else 0.0
        return math.copysign(size, x) if y % 2 else size
    return None


def rsqrt(x: float) -> float | None:
    """±inf at ±0, as IEEE 754, 9.2.1."""
    if x == 0.0:
        return math.copysign(INF, x)
    if not x > 0.0:
        return NAN
    return 0.0 if x == INF else None


def lgamma(x: float) -> float | None:
    """+inf at zeros, negative integers and infinities; +0 at 1 and 2."""
    if x != x:
        return NAN
    if math.isinf(x) or (x <= 0.0 and x == math.floor(x)):
        return INF
    return 0.0 if x in (1.0, 2.0) else None


def tgamma(x: float) -> float | None:
    """±inf at ±0, NaN at negative integers and -inf."""
    if x == 0.0:
        return math.copysign(INF, x)
    if x != x or x == -INF or (x < 0.0 and x == math.floor(x)):
        return NAN
    return INF if x == INF else None


SPECIAL: dict[str, Callable[..., float | None]] = {
    "acos": arc(0.0, None, odd=False),
    "acosh": acosh,
    "acospi": arc(0.0, 1.0, odd=False),
    "asin": arc(None, None),
    "asinh": at_zero_and_beyond(None, INF),
    "asinpi": arc(0.5, -0.5),
    "atan": lambda x: x if x == 0.0 or x != x else None,
    "atan2": atan2,
    "atan2pi": atan2,
    "atanh": arc(INF, -INF),
    "atanpi": at_zero_and_beyond(None, 0.5),
    "cbrt": at_zero_and_beyond(None, INF),
    "cos": even(1.0, NAN),
    "cosh": even(1.0, INF),
    "cospi": cospi,
    "degrees": at_zero_and_beyond(None, INF),
    "erf": at_zero_and_beyond(None, 1.0),
    "erfc": growing(2.0, 1.0, 0.0),
    "exp": growing(0.0, 1.0, INF),
    "exp10": growing(0.0, 1.0, INF),
    "exp2": growing(0.0, 1.0, INF),
    "expm1": lambda x: x if x == 0.0 else growing(-1.0, 0.0, INF)(x),
    "lgamma": lgamma,
    "log": logarithm(1.0, 0.0),
    "log10": logarithm(1.0, 0.0),
    "log1p": logarithm(0.0, -1.0),
    "log2": logarithm(1.0, 0.0),
    "pow": pow,
    "pown": pown,
    "powr": powr,
    "radians": at_zero_and_beyond(None, INF),
    "rootn": rootn,
    "rsqrt": rsqrt,
    "sin": at_zero_and_beyond(None, NAN),
    "sinh": at_zero_and_beyond(None, INF),
    "sinpi": sinpi,
    "tan": at_zero_and_beyond(None, NAN),
    "tanh": at_zero_and_beyond(None, 1.0),
    "tanpi": tanpi,
    "tgamma": tgamma,
}


def special(name: str, *args: float) -> float | None:
    """The prescribed value of the built-in ``name``, or None where it is to be computed."""
    rule = SPECIAL.get(name)
    return None if rule is None else rule(*args)
