"""Random arguments of a row, the same for the same generator."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.inputs import draws, operands
from clmath.audit.inputs.aims import interval, recipe_word
from clmath.audit.inputs.layout import dtypes
from clmath.audit.inputs.special import specials
from clmath.audit.plan.exact_item import ExactItem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

__all__ = [
    "random_columns",
]

LANES = 16  # that a device may work on at once


def random_columns(rng: np.random.Generator, item: Item, n: int) -> Columns:
    """``n`` random calls, the same for the same ``rng``."""
    return _random_of(item, rng, n)


@functools.singledispatch
def _random_of(item: Item, rng: np.random.Generator, n: int) -> Columns:
    """Three in four by the table's recipe, the others of any size.

    One number in eight is moved beside one of few bits; a few calls have special numbers.
    """
    with np.errstate(all="ignore"):
        return _drawn(rng, item, n)


def _drawn(rng: np.random.Generator, item: Item, n: int) -> Columns:
    if len(item.columns) == 1 and not item.width and item.columns[0] == "gentype":
        aimed: Columns = (draws.interval(rng, item.form, interval(item), n),)
    else:
        aimed = draws.recipe(recipe_word(item))(rng, item, n)
    loose = draws.recipe("any")(rng, item, n)
    chosen = rng.random(n) < 0.75
    drawn = [np.where(chosen, a, b).astype(t, copy=False) for a, b, t in zip(aimed, loose, dtypes(item), strict=True)]
    return _with_specials(rng, item, [_with_few_bits(rng, item.form, column) for column in drawn])


def _with_few_bits(rng: np.random.Generator, form: Format, column: NDArray[Any]) -> NDArray[Any]:
    """One number in eight beside one of few bits."""
    if column.dtype != form.dtype:
        return column
    chosen = (rng.random(len(column)) < 1 / 8) & np.isfinite(column)
    return np.where(chosen, draws.beside_borders(rng, form, np.where(chosen, column, 0)), column)


def _with_specials(rng: np.random.Generator, item: Item, drawn: Sequence[NDArray[Any]]) -> Columns:
    """One call in 16 has a special number in one place: each of them in every lane of a device of 16 lanes.

    It may be wrong about a number in one of them; among the structured inputs that stands in few.
    """
    n, known = len(drawn[0]), specials(item.form, short=True)
    chosen, place = rng.random(n) < 1 / 16, rng.integers(0, len(drawn), n)
    calls = np.flatnonzero(chosen)
    by_lane = calls[np.argsort(calls % LANES, kind="stable")]  # those of a lane have one special number after the other
    special = np.zeros(n, item.form.dtype)
    special[by_lane] = known[(np.arange(len(calls)) + rng.integers(len(known))) % len(known)]
    numbers = [c.dtype == item.form.dtype for c in drawn]
    return tuple(np.where(chosen & (place == i), special, c) if numbers[i] else c for i, c in enumerate(drawn))


# rows whose results are prescribed one by one have arguments of their own
_random_of.register(ExactItem, operands.random_columns)
