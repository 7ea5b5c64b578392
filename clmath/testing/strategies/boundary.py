"""Strategies for calls that are hard to round: known ones from the tables, and random ones next to a boundary."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.audit.acceptance.batch import exact_values
from clmath.audit.inputs import layout, structured
from clmath.audit.inputs.hard import hard_lines
from clmath.audit.inputs.random import random_columns
from clmath.audit.plan.item import Item
from clmath.numbers.rounding import Enclosure, Rounding, checked_mode, round_enclosure, ulp_errors
from clmath.testing.strategies.calls import builtin_of
from clmath.testing.strategies.entropy import strategies
from clmath.testing.strategies.mixtures import listed
from clmath.testing.strategies.spans import format_called

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy
    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.testing.strategies.mixtures import Args
    from clmath.typing import Type

__all__ = ["hard", "near_boundary"]

_SEEDS = 64
_TRIED = 512  # random calls of a seed, of which the closest are kept
_KEPT = 16


def hard(name: str, type: Type) -> SearchStrategy[Any]:
    """Arguments of ``name`` that are hard to round or known to break implementations, by ``tables/hard``.

    With them their neighbours, and for the built-ins that must be correctly rounded calls next to a midpoint. A tuple
    in declaration order. RangeError if the tables have none; then use ``near_boundary``.

    >>> @given(cl.hard("exp", "double"))
    ... def the_modes_are_in_order(args):
    ...     assert clmath.exp(*args, rounding="rtn") <= clmath.exp(*args, rounding="rtp")
    >>> the_modes_are_in_order()
    """
    row, known = builtin_of("hard()", name, type)
    form = format_called(known)
    others = "arguments()" if row.exact or form is None else "near_boundary() or arguments()"
    there: list[SearchStrategy[Args]] = []
    if form is not None:
        item = Item(row, form)
        parts = structured.parts(item)
        groups = hard_lines(item), parts["hard"], parts["halfway"]
        there = [listed(columns) for columns in groups if len(columns[0])]
    if not there:
        raise errors.RangeError(f"hard(): name={name!r} has no hard inputs of type {type}; use {others}")
    found: SearchStrategy[Args] = strategies().one_of(there)
    return found


def near_boundary(name: str, type: Type, mode: Rounding = "rte") -> SearchStrategy[Any]:
    """Arguments of ``name`` whose exact results lie next to a rounding boundary of ``mode``.

    That is a midpoint of two numbers for rte, and a number for rtz, rtp and rtn; the nearest 16 in 512 random calls of
    an audit, by the exact reference, again and again. A tuple in declaration order, vectors as one-dimensional arrays.
    RangeError for built-ins whose results are exact in every mode.

    >>> @given(cl.near_boundary("log", "float", "rtz"))
    ... def the_mode_matters(args):
    ...     assert clmath.log(*args, rounding="rtn") <= clmath.log(*args, rounding="rtz")
    >>> the_mode_matters()
    """
    checked = checked_mode("near_boundary()", mode)
    row, known = builtin_of("near_boundary()", name, type)
    form = format_called(known)
    if row.exact or form is None:
        raise errors.RangeError(f"near_boundary(): results of {name} are exact in every mode; use arguments()")

    @np.errstate(all="ignore")
    def made(width: int, seed: int, place: int) -> Args:
        item = Item(row, form, width)
        return layout.arguments(item, tuple(column[place] for column in _closest(item, checked == "rte", seed)))

    st = strategies()
    widths, seeds, places = st.sampled_from(row.widths or (0,)), st.integers(0, _SEEDS - 1), st.integers(0, _KEPT - 1)
    found: SearchStrategy[Args] = st.builds(made, widths, seeds, places)
    return found


@functools.lru_cache(maxsize=1024)
def _closest(item: Item, to_midpoint: bool, seed: int) -> Columns:
    """Return the calls among random ones of this seed whose results are closest to a boundary."""
    values = random_columns(np.random.default_rng([seed, 1]), item, _TRIED)
    with np.errstate(all="ignore"):
        apart = _distances(item, values, to_midpoint)
    chosen = np.argsort(apart, kind="stable")[:_KEPT]
    return tuple(column[chosen] for column in values)


def _distances(item: Item, values: Columns, to_midpoint: bool) -> NDArray[np.float64]:
    """Return the distance in ulp of exact results from the nearest midpoint, or number; infinite for numbers."""
    found = np.full(len(values[0]), np.inf)
    for exact in exact_values(item, values, "auto"):
        if isinstance(exact, Enclosure):
            off = np.abs(ulp_errors(round_enclosure(exact, item.form, "rte")[0], exact, item.form))
            apart = np.where(np.isfinite(off) & (off > 0.0), np.abs(0.5 - off) if to_midpoint else off, np.inf)
            found = np.minimum(found, apart.min(axis=-1) if apart.ndim > 1 else apart)
    return found
