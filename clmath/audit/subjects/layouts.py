"""Layouts of arrays in memory, and shapes, for which a function has to give the results that it gave before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["LARGE", "SAMPLE", "Layout", "by_layout", "in_one_dimension", "layouts"]

Array: TypeAlias = "np.ndarray[Any, Any]"

SAMPLE = 1024  # calls that are made again, in another layout or order
LARGE = 100_001  # elements of large arrays


class Layout(NamedTuple):
    """A layout: ``text`` says what it is, ``made`` gives an array in it, for calls at ``places`` among all.

    ``required``: a function that raises for it is wrong; without, it takes arrays of one dimension and some elements.
    """

    text: str
    made: Callable[[Array], Array]
    places: Array
    required: bool = True


def layouts(count: int, function: object = None) -> Iterator[Layout]:
    """The layouts of ``count`` calls; for ``np.vectorize``, which makes single calls, without a large array."""
    some = np.unique(np.linspace(0, count - 1, min(count, SAMPLE)).astype(np.int64))
    even = some[: len(some) // 2 * 2]
    yield Layout("every other element of an array, a.repeat(2, axis=0)[::2]", _strided, some)
    yield Layout("an array from its end, a[::-1].copy()[::-1]", _reversed, some)
    yield Layout("an array at an odd address", _misaligned, some)
    yield Layout("a read-only array", _read_only, some)
    yield Layout("one element many times, np.broadcast_to", _repeated, np.full(SAMPLE, count // 2))
    yield Layout("an array of two dimensions, a.reshape(2, -1)", _in_two_rows, even, required=False)
    yield Layout("the transpose of a matrix, np.asfortranarray(a.reshape(2, -1))", _in_columns, even, required=False)
    yield Layout("an array without dimensions, np.array(a[0])", _single, some[:1], required=False)
    yield Layout("an empty array", np.copy, some[:0], required=False)
    if not isinstance(function, np.vectorize):
        yield Layout(f"an array of {LARGE} elements", np.copy, np.arange(LARGE) % count)


def in_one_dimension(results: object, count: int) -> object:
    """Return the results of ``count`` calls along one axis; those of another number of elements are unchanged."""
    if isinstance(results, tuple):
        return tuple(in_one_dimension(one, count) for one in results)
    array = np.asarray(results)
    return array.reshape(count, -1) if array.ndim > 2 else array.reshape(-1) if array.size == count else results


def by_layout(said: str, layout: Layout) -> str:
    """Return the message about results that fail in a layout alone, without a replay that passes."""
    facts = said.partition("\nreplay: ")[0]
    return f"{facts}\ndepends on the layout of the arguments in memory: they were {layout.text}"


def _strided(a: Array) -> Array:
    return np.repeat(a, 2, axis=0)[::2]


def _reversed(a: Array) -> Array:
    return a[::-1].copy()[::-1]


def _misaligned(a: Array) -> Array:
    memory = bytearray(a.nbytes + 1)
    found: Array = np.frombuffer(memory, a.dtype, a.size, offset=1).reshape(a.shape)
    found[...] = a
    return found


def _read_only(a: Array) -> Array:
    found = a.copy()
    found.flags.writeable = False
    return found


def _repeated(a: Array) -> Array:
    return np.broadcast_to(a[0], a.shape)


def _in_two_rows(a: Array) -> Array:
    return a.reshape(2, len(a) // 2, *a.shape[1:]).copy()


def _in_columns(a: Array) -> Array:
    return np.asfortranarray(_in_two_rows(a))


def _single(a: Array) -> Array:
    return np.array(a[0])
