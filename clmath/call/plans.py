"""Calls on single numbers and short vectors: what the types of the arguments decide is found once and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["INTS", "NUMPYS", "Plan", "Planner", "of_numbers"]

Plan: TypeAlias = "Callable[[tuple[Any, ...]], Any]"
"""Evaluates a call on arguments of certain kinds; None for what is left to arrays, such as an int that does not fit."""

Planner: TypeAlias = "Callable[..., Plan | None]"
"""Makes the plan for a name, an option and the kinds of the arguments; None where arrays must do it."""

NUMPYS: frozenset[Any] = frozenset({np.longlong, np.ulonglong, *(dtype.type for dtype in SCALARS.values())})
INTS: frozenset[Any] = frozenset({int, *(kind for kind in NUMPYS if np.dtype(kind).kind in "iu")})
_LANES = 4  # of a vector, at most
_VECTORS = frozenset((form.dtype, lanes) for form in FORMATS for lanes in range(1, _LANES + 1))
_KNOWN = frozenset({bool, int, float, *NUMPYS, *_VECTORS})
_PLANS: dict[tuple[Any, ...], Plan | None] = {}


def of_numbers(planner: Planner, name: str, option: object, args: tuple[object, ...], *more: object) -> Any:
    """Evaluate ``name`` by the plan that ``planner(name, option, kinds, *more)`` makes for the kinds of ``args``.

    None for what is left to arrays. The kind of a number, a plain Python number or a scalar or 0-d array of NumPy, is
    its class; that of a vector, an array of one axis, is its dtype and its lanes. ``more`` follows from the name and
    the option.
    """
    kinds: tuple[Any, ...] = tuple(map(type, args))
    if np.ndarray in kinds:
        for a in args:
            if type(a) is np.ndarray and (a.size > _LANES or a.ndim > 1):
                return None
        args = tuple([a[()] if type(a) is np.ndarray and not a.ndim else a for a in args])
        kinds = tuple([(a.dtype, a.size) if type(a) is np.ndarray else type(a) for a in args])
    try:
        plan = _PLANS[planner, name, option, kinds]
    except KeyError:
        if not _KNOWN.issuperset(kinds):
            return None
        plan = _PLANS[planner, name, option, kinds] = planner(name, option, kinds, *more)
    return None if plan is None else plan(args)
