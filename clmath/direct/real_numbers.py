"""Exact numbers of other packages, and of Python, rounded once: fractions, decimals, mpfr, mpf, long double."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any

import numpy as np

from clmath.numbers.formats import format_of
from clmath.numbers.rounding import Rounding, fraction, round_real

_PACKAGES = ("gmpy2", "mpmath")
_REACH = 1 << 15  # larger than the exponents of every format and integer type
_HUGE, _TINY = Fraction(2) ** _REACH, Fraction(1, 2**_REACH)
_TO_INTEGER: dict[str, Callable[[Fraction], int]] = {
    "rte": round,
    "rtz": math.trunc,
    "rtp": math.ceil,
    "rtn": math.floor,
}


def are_reals(value: object) -> bool:
    """Whether ``value`` is an exact number that no type of OpenCL holds, a list of them, or an array."""
    if isinstance(value, (list, tuple)):
        one_of_each = {type(v): v for v in value if not isinstance(v, (list, tuple))}
        return any(map(are_reals, one_of_each.values())) or any(
            are_reals(v) for v in value if isinstance(v, (list, tuple))
        )
    if isinstance(value, np.ndarray):
        return value.dtype.char == "g" or (value.dtype.hasobject and any(map(are_reals, value.flat)))
    if isinstance(value, np.generic):
        return value.dtype.char == "g"
    is_known = isinstance(value, (Decimal, Rational)) and not isinstance(value, int)
    return is_known or (type(value).__module__.partition(".")[0] in _PACKAGES and hasattr(value, "__float__"))


def converted(value: object, target: np.dtype, mode: Rounding, *, sat: bool) -> np.ndarray:
    """Return ``value``, numbers or nested lists of them, as an array of ``target``, each rounded once in ``mode``.

    Integer types saturate and NaN becomes 0 in them, as in conversions of a format; Python ints and ``mpz`` wrap
    without ``sat``. TypeError for other objects.
    """
    array = np.asarray(value) if isinstance(value, np.ndarray) else np.asarray(value, object)
    found = np.empty(array.shape, target)
    for place, number in np.ndenumerate(array):
        found[place] = _converted(number, target, mode, sat=sat)
    return found


def _converted(number: Any, target: np.dtype, mode: Rounding, *, sat: bool) -> Any:
    if number.is_nan() if isinstance(number, Decimal) else number != number:
        return np.nan if target.kind == "f" else target.kind == "b"
    if target.kind == "b":
        return number != 0
    real, form = _bounded(number), format_of(target)
    if form is not None:
        return round_real(real, form, mode)
    info = np.iinfo(target)
    least, most = int(info.min), int(info.max)
    if real in (math.inf, -math.inf):
        return most if real > 0 else least
    whole = _TO_INTEGER[mode](fraction(real))
    if isinstance(number, Integral) and not sat:
        return (whole - least) % 2 ** (8 * target.itemsize) + least
    return min(max(whole, least), most)


def _bounded(number: Any) -> Any:
    """``number``, or one as large as it needs to be: exponents of some packages have no end."""
    if number in (math.inf, -math.inf):
        return float(number)
    if number == 0 or isinstance(number, (Rational, float, np.floating)):
        return number
    if isinstance(number, Decimal):
        is_huge, is_tiny = number.adjusted() > _REACH, number.adjusted() < -_REACH
    else:
        is_huge, is_tiny = abs(number) > 2**_REACH, abs(number) * 2**_REACH < 1
    size = _HUGE if is_huge else _TINY if is_tiny else None
    return number if size is None else size if number > 0 else -size
