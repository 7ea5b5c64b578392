"""Calls on single numbers, for which the ways of arrays cost a hundred times what there is to compute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.call import guard
from clmath.call.arguments import weak
from clmath.formats import DOUBLE, FORMATS, Format
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.rounding import Rounding

__all__ = ["of_numbers"]

_FORMATS = {form.dtype.type: form for form in FORMATS}
_WHOLE = frozenset({int, *(np.dtype(code).type for code in "bBhHiIlLqQ")})
_KNOWN = frozenset({float, *_FORMATS, *_WHOLE})
_PLANS: dict[tuple[Any, ...], Callable[..., Any] | None] = {}


def of_numbers(name: str, args: tuple[Any, ...], mode: Rounding) -> Any:
    """The built-in ``name`` on numbers; None for what is left to arrays: other arguments, and those that do not fit.

    Numbers are the scalars and 0-d arrays of NumPy and plain Python numbers. A NaN whose payload is kept is no number.
    """
    kinds = tuple(map(type, args))
    if np.ndarray in kinds:
        if any(type(a) is np.ndarray and a.ndim for a in args):
            return None
        args = tuple(a[()] if type(a) is np.ndarray else a for a in args)
        kinds = tuple(map(type, args))
    try:
        plan = _PLANS[name, mode, kinds]
    except KeyError:
        if not _KNOWN.issuperset(kinds):
            return None
        plan = _PLANS[name, mode, kinds] = _planned(name, mode, kinds)
    return None if plan is None else plan(args)


def _planned(name: str, mode: Rounding, kinds: tuple[type, ...]) -> Callable[..., Any] | None:
    """What evaluates ``name`` on arguments of these types; None where the ways of arrays must be gone."""
    row = builtin(name)
    form = _common_format(row, kinds)
    if form is None or row.lanes or row.formula or row.uncontracted:
        return None
    from clmath.reference.number import rounded_operation

    label, operation = f"{name}()", rounded_operation(name, form, mode)
    readers = [_reader(label, p, kind, form) for p, kind in zip(row.inputs, kinds, strict=True)]
    types = [np.int32 if p.type == "intn" else form.dtype.type for p in row.outputs]

    def plan(args: tuple[Any, ...]) -> Any:
        guard.refuse_altered_arithmetic(label)
        numbers = [read(a) for read, a in zip(readers, args, strict=True)]
        if any(n is None or (n != n and row.moves_bits) for n in numbers):
            return None
        found = operation(*numbers)
        results = [convert(v) if v == v else form.nan for convert, v in zip(types, found, strict=True)]
        return results[0] if len(results) == 1 else tuple(results)

    return plan


def _common_format(row: Builtin, kinds: tuple[type, ...]) -> Format | None:
    """The one format of all gentype arguments; None where a type is not the parameter's or formats differ."""
    found = set()
    for parameter, kind in zip(row.inputs, kinds, strict=True):
        if parameter.type == "intn":
            if kind not in _WHOLE:
                return None
        elif parameter.type != "gentype" or (kind in _WHOLE and kind is not int):
            return None
        elif kind in _FORMATS:
            found.add(_FORMATS[kind])
    if len(found) > 1:
        return None
    form = found.pop() if found else DOUBLE if DOUBLE in row.formats else row.formats[0]
    return form if form in row.formats else None


def _reader(call: str, parameter: Parameter, kind: type, form: Format) -> Callable[[Any], float | None]:
    """What turns an argument of the type ``kind`` into a Python number that the format, or int, holds."""
    if parameter.type == "intn":
        return _as_int
    if kind in _FORMATS or (kind is float and form is DOUBLE):
        return float
    return lambda number: float(weak(call, parameter.name, number, form))


def _as_int(number: Any) -> int | None:
    """An int of 32 bits, None for what does not fit."""
    return int(number) if -(2**31) <= number < 2**31 else None
