"""Check whether results follow the rounding mode at all, for limits that hold in every mode."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.testing.steadiness import tuple_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.testing.cells import Cell
    from clmath.testing.terms import Limited

__all__ = ["Pair", "same", "told_apart", "unmoved", "warn_of_unjudged_mode"]

FEW = 16  # inputs at which correctly rounded results differ; an inexact function may hit none of fewer


class Pair(NamedTuple):
    """Results of the same calls in two modes, and the correctly rounded ones."""

    one: object
    other: object
    one_wanted: object
    other_wanted: object


def told_apart(cell: Cell, criteria: Limited) -> bool:
    """Return whether results of another mode fail, or cannot differ."""
    item = cell.item
    if item is None or not cell.measured:
        return True
    limit = criteria.limit(item)
    return limit.is_exact or limit.is_equality


def unmoved(pair: Pair) -> tuple[int, int, bool] | None:
    """Return an output of which no results differ in the direction in which exact ones do, and a call.

    Last: whether its correctly rounded result in the first mode is the larger one.
    """
    for output, results in enumerate(zip(*map(_arrays, pair), strict=True)):
        one, other, one_wanted, other_wanted = results
        if one_wanted.dtype.kind in "iub":
            continue
        due, got = _order(one_wanted, other_wanted), _order(one, other)
        moves = due != 0
        if moves.sum() >= FEW and not (got[moves] == due[moves]).any():
            place = tuple(np.argwhere(moves)[0])
            return output, int(place[0]), bool(due[place] > 0)
    return None


def _order(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return -1, 0 or 1 as ``one`` is below, equal to, or above ``other``; 0 for NaN."""
    return (one > other).astype(np.int8) - (one < other).astype(np.int8)


def same(call: str, modes: Sequence[str], due: Sequence[str]) -> str:
    """Say that a call, and every other one, has results that do not follow the mode, and which are ``due``."""
    one, other = (f"rounding={mode!r}" for mode in modes)
    return (
        f"{call} gives the same for {one} and for {other}, or moves the wrong way, as it does for all inputs; want "
        f"{due[0]} and {due[1]}, the correctly rounded results"
    )


def warn_of_unjudged_mode(call: str, cells: Sequence[Cell]) -> None:
    """Warn that a test judges no effect of its only mode."""
    warnings.warn(
        f"{call}: {', '.join(map(str, cells))}: the limit holds for the results of every mode, so that nothing of the "
        "mode is judged; name a second mode, or ask for correctly_rounded=True",
        stacklevel=4,
    )


def _arrays(results: object) -> tuple[np.ndarray, ...]:
    return tuple(map(np.asarray, tuple_of(results)))
