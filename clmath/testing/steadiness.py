"""Calls that reveal a function whose results depend on more than its arguments, or not on the rounding mode."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.audit.targets.layouts import SAMPLE, in_one_dimension, layouts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.audit.targets.layouts import Layout
    from clmath.callables import AnyFunction
    from clmath.testing.aliases import Columns
    from clmath.testing.cells import Cell

LENGTHS = (*range(1, 18), *(2**k + off for k in range(5, 11) for off in (-1, 0, 1)))
"""How many calls a function is given at once: where loops of some lanes end, they have a tail."""
SIMILAR = 16  # calls in arrays with equal first and last elements and sums
FEW = 16  # inputs at which correctly rounded results differ; an inexact function may hit none of fewer


def places_of(count: int) -> list[NDArray[np.int64]]:
    """Yield a sample of ``count`` calls in two orders, of one length and with the same first call."""
    sample = np.unique(np.linspace(0, count - 1, min(count, SAMPLE)).astype(np.int64))
    return [sample, np.concatenate([sample[:1], sample[:0:-1]])]


def batches(count: int) -> Iterator[NDArray[np.int64]]:
    """Yield the places of calls to repeat, among ``count`` calls that were made at once."""
    yield from places_of(count)
    for number, length in enumerate(LENGTHS):
        if length < count:
            first = number * (count - length) // len(LENGTHS)
            yield np.arange(first, first + length)


class InLayout(NamedTuple):
    """Some calls whose arguments have a layout: their results along one axis, or the error that the function raised."""

    layout: Layout
    places: NDArray[np.int64]
    results: object
    error: Exception | None = None


def in_layouts(
    function: AnyFunction, args: Columns, keywords: Mapping[str, object], *, vectors: bool = False
) -> Iterator[InLayout]:
    """Yield the results of some calls in each layout, without those that a function need not accept and does not.

    ``vectors``: the function takes vectors on the last axis.
    """
    for layout, places in layouts(len(args[0]), function):
        if vectors and not layout.required:
            continue
        try:
            with np.errstate(all="ignore"):
                found = function(*(layout.made(a[places]) for a in args), **keywords)
        except Exception as error:  # noqa: BLE001 - any exception is the function's failure
            if layout.required:
                yield InLayout(layout, places, None, error)
            continue
        if layout.required or hasattr(found, "dtype") or isinstance(found, tuple):  # else a Python number
            yield InLayout(layout, places, found if vectors else in_one_dimension(found, len(places)))


def alike(found: object, known: object, places: NDArray[np.int64]) -> bool:
    """Whether the results of some calls have the bits that they had among all."""
    some, every = tuple_of(found), tuple_of(known)
    pairs = zip(some, every, strict=False)
    return len(some) == len(every) and all(
        np.asarray(one).tobytes() == np.asarray(all_)[places].tobytes() for one, all_ in pairs
    )


def twice(results: Callable[[Cell, Columns], object], cell: Cell, one: Columns, other: Columns) -> bool:
    """Whether the function's results for ``one`` change when it is called for ``other``."""
    first = results(cell, one)
    kept = copy.deepcopy(first)
    results(cell, other)
    pairs = zip(tuple_of(first), tuple_of(kept), strict=True)
    return any(np.asarray(now).tobytes() != np.asarray(then).tobytes() for now, then in pairs)


def similar_calls(cell: Cell, args: Columns) -> tuple[Columns, list[Columns]]:
    """Return a few calls, and the same calls in other orders: first and last elements, sums and shapes stay.

    Numbers are short multiples of 1/16, half of them between -1 and 1: their sums are exact in every format and order.
    """
    count = min(len(args[0]), SIMILAR)
    places = np.linspace(0, len(args[0]) - 1, count).astype(np.int64)
    rng = np.random.default_rng(count)
    calls = tuple(_short(rng, a) if np.shape(a)[:1] == (count,) else a for a in cell.picked(args, places))
    return calls, [cell.picked(calls, order) for order in mixed_up(count)]


def _short(rng: np.random.Generator, values: np.ndarray) -> np.ndarray:
    """Return short numbers in the place of floating-point ``values``; integers are unchanged."""
    if values.dtype.kind in "iub":
        return values
    sixteenths = rng.integers(-16, 17, values.shape)
    sixteenths[::2] = 8 * rng.integers(-8, 17, values.shape)[::2]
    return np.asarray(sixteenths / 16, values.dtype)


def mixed_up(count: int) -> list[NDArray[np.int64]]:
    """Return orders of ``count`` places that keep the ends: two places exchanged, and all of them reversed."""
    if count < 4:
        return []
    exchanged, reverse = np.arange(count), np.arange(count)
    low, high = (1, 2) if count < SIMILAR // 2 else (count // 4 | 1, count // 2 | 1)
    exchanged[[low, high]] = high, low
    reverse[1:-1] = reverse[-2:0:-1]
    return [exchanged, reverse]


def stale(said: str, label: str) -> str:
    """Return the message about wrong results of which an earlier call is the reason, without a replay that passes."""
    facts = said.partition("\nreplay: ")[0]
    return (
        f"{facts}\ndepends on an earlier call: {label} was called before with arrays of the same shapes, first and "
        "last elements and sums, and other elements between them"
    )


def unsteady(said: str, label: str) -> str:
    """Return the message of a call that failed once and then did not; without a line that replays it."""
    facts = said.partition("\nreplay: ")[0]
    return (
        f"{facts}\nnot deterministic: for the same arguments {label} gave what conforms, too; its results depend on "
        "earlier calls, or on memory that nobody has written"
    )


def tuple_of(results: object) -> tuple[object, ...]:
    """Return results as a tuple, also if there is only one."""
    return results if isinstance(results, tuple) else (results,)


def unmoved(*results: object) -> tuple[int, int, bool] | None:
    """Return an output of which no results differ in the direction in which exact ones do, and a call.

    ``results``: of the same calls in two modes, and the correctly rounded ones. Last: whether the correctly rounded
    result in the first mode is the larger one.
    """
    for output, arrays in enumerate(zip(*(map(np.asarray, tuple_of(one)) for one in results), strict=True)):
        one, other, one_wanted, other_wanted = arrays
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
