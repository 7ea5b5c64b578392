"""Calls by which a function shows that its results depend on more than its arguments."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.testing.cells import Cell, Columns

__all__ = ["alike", "batches", "places_of", "twice", "unsteady"]

SAMPLE = 1024  # calls that are made again, in another order
LENGTHS = (*range(1, 18), *(2**k + off for k in range(5, 11) for off in (-1, 0, 1)))
"""How many calls a function is given at once: where loops of some lanes end, they have a tail."""
STRIDE = 37  # between the first calls of batches


def places_of(count: int) -> list[np.ndarray[Any, Any]]:
    """A sample of ``count`` calls in two orders, of one length and with the same call first."""
    sample = np.unique(np.linspace(0, count - 1, min(count, SAMPLE)).astype(np.int64))
    return [sample, np.concatenate([sample[:1], sample[:0:-1]])]


def batches(count: int) -> Iterator[np.ndarray[Any, Any]]:
    """The places of calls that are made once more, of ``count`` that were made at once."""
    yield from places_of(count)
    for number, length in enumerate(LENGTHS):
        if length < count:
            first = STRIDE * number % (count - length)
            yield np.arange(first, first + length)


def alike(found: Any, known: Any, places: np.ndarray[Any, Any]) -> bool:
    """Whether the results of some calls have the bits that they had among all."""
    pairs = zip(_several(found), _several(known), strict=True)
    return all(np.asarray(one).tobytes() == np.asarray(all_)[places].tobytes() for one, all_ in pairs)


def twice(results: Any, cell: Cell, one: Columns, other: Columns) -> bool:
    """Whether what the function returned for ``one`` is changed when it is called for ``other``."""
    first = results(cell, one)
    kept = copy.deepcopy(first)
    results(cell, other)
    pairs = zip(_several(first), _several(kept), strict=True)
    return any(np.asarray(now).tobytes() != np.asarray(then).tobytes() for now, then in pairs)


def unsteady(said: str, label: str) -> str:
    """What was said of a call that failed and, made again, did not; a line that replays it would not."""
    facts = said.partition("\nreplay: ")[0]
    return (
        f"{facts}\nnot deterministic: for the same arguments {label} gave what conforms, too; its results depend on "
        "earlier calls, or on memory that nobody has written"
    )


def _several(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)
