"""Conversions of single numbers by Python's own operations, which are exact: ``conversions`` has those of arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.numbers.formats import DOUBLE, FORMATS, format_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["OnNumber", "clipped", "on_number", "reader", "wrapped"]

OnNumber: TypeAlias = "Callable[[Any], Any]"
"""A function of one number, which raises OverflowError where it leaves that to arrays."""

_INT, _LONG = (-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1)  # what literals of these types hold
_FORMS = {form.dtype: form for form in FORMATS}
_TO_INT: dict[str, Callable[[float], int]] = {"rte": round, "rtz": int, "rtp": math.ceil, "rtn": math.floor}


def on_number(source: np.dtype, target: np.dtype, mode: Rounding, *, sat: bool) -> OnNumber | None:
    """What converts numbers of ``source`` to ``target``, as ``conversions.conversion`` has it; None where nothing does.

    Narrower formats are left where NumPy does not round its numbers to them as asked.
    """
    form = format_of(target)
    if source.kind not in "biuf" or (form is not None and form not in FORMATS):
        return None
    if target.kind == "b":
        return bool
    if source.kind == "f":
        return _of_floats(source, target, form, mode)
    if form is not None:
        return _to_format(form, mode)
    return clipped(target) if sat else wrapped(target)


def _of_floats(source: np.dtype, target: np.dtype, form: Format | None, mode: Rounding) -> OnNumber | None:
    if form is None:
        return _to_integer(target, mode)
    known = format_of(source)
    if known not in FORMATS or known is form:
        return None
    is_exact = form.holds(known)
    return _to_other(form) if is_exact or (mode == "rte" and not form.is_short) else None


def _to_other(form: Format) -> OnNumber:
    """A number that the format holds, or NumPy rounds to it; the infinities of a narrower one are left."""
    nan, most = float(form.nan), form.largest

    def to_other(number: Any) -> float:
        x = float(number)
        if -most <= x <= most:
            return x
        if x == x:
            raise OverflowError
        return nan

    return to_other


def _to_integer(target: np.dtype, mode: Rounding) -> OnNumber:
    """Rounded to an integer, saturated; NaN becomes 0."""
    info, whole = np.iinfo(target), _TO_INT[mode]
    least, most = int(info.min), int(info.max)

    def to_integer(number: Any) -> int:
        x = float(number)
        if least <= x <= most:  # which Python compares exactly
            return whole(x)
        return least if x < least else most if x > most else 0

    return to_integer


def _to_format(form: Format, mode: Rounding) -> OnNumber:
    """Integers of at most 64 bits, rounded where they have more digits; beyond the largest number is left."""
    places, exact, most = form.precision, 1 << form.precision, int(form.largest)

    def to_format(number: Any) -> int:
        n = int(number)
        if -exact <= n <= exact:
            return n
        place = n.bit_length() - places
        if place > 0:
            n = _rounded(n, place, mode) << place
        if not -most <= n <= most:
            raise OverflowError
        return n

    return to_format


def _rounded(n: int, place: int, mode: Rounding) -> int:
    """The integer n / 2^place rounded in ``mode``."""
    below, rest = n >> place, n & ((1 << place) - 1)
    if mode == "rte":
        half = 1 << (place - 1)
        return below + (rest > half or (rest == half and below & 1))
    up = mode == "rtp" or (mode == "rtz" and n < 0)
    return below + (up and rest > 0)


def wrapped(target: np.dtype) -> Callable[[Any], int]:
    """Integers modulo 2^n in the range of the integer type ``target``."""
    least = int(np.iinfo(target).min)
    every = (1 << 8 * target.itemsize) - 1
    return lambda n: ((int(n) - least) & every) + least


def clipped(target: np.dtype) -> Callable[[Any], int]:
    """Integers brought into the range of the integer type ``target``."""
    info = np.iinfo(target)
    least, most = int(info.min), int(info.max)

    def clip(number: Any) -> int:
        n = int(number)
        return least if n < least else min(n, most)

    return clip


def reader(kind: Any, needed: np.dtype, *, as_floats: bool = False) -> OnNumber:
    """What turns a number of ``kind`` into one that ``needed`` holds; OverflowError where arrays must.

    ``as_floats``: ints become Python's floats, which takes less time, if ``needed`` is a format.
    """
    form = _FORMS.get(needed)
    if kind is needed.type and form is not None:
        return lambda x: x
    if form is not None:
        return _of_kind(kind, form, as_floats=as_floats)
    if kind is not int:
        return int if needed.kind == "b" or np.can_cast(kind, needed) else wrapped(needed)
    least, most = _LONG if needed.itemsize == 8 else _INT
    wrap = wrapped(needed)

    def literal(n: int) -> int:
        if not least <= n <= most:
            raise OverflowError
        return wrap(n)

    return literal


def _of_kind(kind: Any, form: Format, *, as_floats: bool) -> OnNumber:
    """What turns a number of another kind into one of ``form``: exactly, but a Python float is rounded to nearest."""
    if kind is float and form is DOUBLE:
        return float
    exact = kind is not float and np.dtype(kind).kind != "f"
    plain: OnNumber = int if exact else float
    nan, most = form.nan, 1 << form.precision if exact else form.largest
    number = float if exact and as_floats else form.dtype.type

    def of_kind(given: object) -> Any:
        x = plain(given)
        if -most <= x <= most:
            return number(x)
        if x == x:
            raise OverflowError
        return nan

    return of_kind
