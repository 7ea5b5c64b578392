"""Remedies for an argument of a wrong type: a type that holds it, or a call that converts it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import TYPE_CHECKING, SupportsFloat

import numpy as np

from clmath import errors
from clmath.numbers.datatypes import SCALARS, type_name
from clmath.numbers.formats import format_of

if TYPE_CHECKING:
    from collections.abc import Sequence


Dtype = np.dtype


def holds(wide: Dtype, narrow: Dtype) -> bool:
    """Whether the type ``wide`` has every value of the type ``narrow``."""
    form, other = format_of(wide), format_of(narrow)
    if form is None:
        return other is None and wide.kind in "biu" and narrow.kind in "biu" and np.can_cast(narrow, wide)
    if other is not None:
        return form.holds(other)
    bits = 8 * narrow.itemsize - (narrow.kind == "i")
    return narrow.kind == "b" or (narrow.kind in "iu" and bits <= min(form.precision, form.emax))


def best_of(sources: Iterable[Dtype], known: Sequence[Dtype]) -> Dtype:
    """Return the smallest of the types ``known`` that holds all ``sources``, else long if known, else the last."""
    fitting = [t for t in known if all(holds(t, s) for s in sources)]
    if fitting:
        return min(fitting, key=lambda t: t.itemsize)
    return SCALARS["long"] if SCALARS["long"] in known else known[-1]


def into(argument: str, source: Dtype, target: Dtype, known: Sequence[Dtype] = ()) -> str:
    """Describe how ``argument`` of the type ``source`` is converted to the type ``target``, and the effect.

    ``known``: all accepted types, one of which may hold its bits.
    """
    name = type_name(target)
    if holds(target, source):
        return errors.conversion(argument, name)
    if format_of(target) is not None:
        return f"{errors.conversion(argument, name)}, which rounds it"
    if format_of(source) is None:
        return f"{errors.conversion(argument, name, ', sat=True')}, the nearest one, or without sat its low bits"
    rounded, encoding = errors.conversion(argument, name), np.dtype(f"i{source.itemsize}")
    takes_bits = f"; clmath.as_type({argument}, {type_name(encoding)!r}) has its bits" if encoding in known else ""
    return f"{rounded}, which rounds it toward zero{takes_bits}"


def of_objects(argument: str, value: object, array: np.ndarray) -> tuple[str, str]:
    """Say why ``value``, an ``array`` of Python objects to NumPy, is wrong, and how it becomes an array of numbers."""
    is_mask = argument == "where"
    if array.ndim == 0 and array.tolist() is None:
        return "is None", "leave where away, or give True" if is_mask else "give one, or a number"
    if array.ndim == 0 and isinstance(value, Iterable):
        calls = f"list({argument}.values())" if isinstance(value, Mapping) else f"list({argument})"
        return f"is a {type(value).__name__}", f"{calls} has its elements"
    kinds = {type(v): v for v in array.flat}
    wrong = [kind.__name__ for kind, v in kinds.items() if v is not None and not _becomes_float(v)]
    if wrong:
        return f"holds objects of type {wrong[0]}", "give real numbers instead"
    if is_mask:
        return "holds Python objects", "np.asarray(where, bool)"
    if all(isinstance(v, Integral) for v in kinds.values()):
        least, most = min(array.flat), max(array.flat)
        for kind in map(np.dtype, (np.int64, np.uint64)):
            if np.iinfo(kind).min <= least <= most <= np.iinfo(kind).max:
                return "holds Python objects", f"np.asarray({argument}, '{kind}') has their values"
    missing = ", to NaN where one is None" if type(None) in kinds else ""
    return "holds Python objects", f"np.asarray({argument}, 'float64') rounds them{missing}"


def _becomes_float(value: object) -> bool:
    """Whether NumPy converts ``value`` to a float; it does not convert complex numbers, and classes such as int."""
    return isinstance(value, SupportsFloat) and not isinstance(value, type)


def likewise(others: Iterable[str]) -> str:
    """Return the end of a remedy that also helps for ``others``."""
    return "".join(f", likewise {name}" for name in others)


def to_one_type(typed: Sequence[tuple[str, Dtype]], known: Sequence[Dtype]) -> str:
    """Describe how arguments get one type of ``known``: the smallest that holds them all, if there is one."""
    first, sources = typed[0][1], {dtype for _, dtype in typed}
    best = best_of(sources, known)
    target = best if first not in known or all(holds(best, dtype) for dtype in sources) else first
    others = [(name, dtype) for name, dtype in typed if dtype != target]
    if len(others) == 1:
        return into(*others[0], target)
    calls = " and ".join(f"clmath.convert({name}, {type_name(target)!r})" for name, _ in others)
    return f"convert them, e.g. {calls}"
