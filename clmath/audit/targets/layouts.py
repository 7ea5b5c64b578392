"""Memory layouts and shapes of arrays for which a function has to return the same results as before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Self, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray"

SAMPLE = 1024  # calls that are repeated in another layout or order
LARGE = 100_001  # elements of large arrays


class Layout(NamedTuple):
    """A layout with the name ``text``: ``made`` returns an array in it, ``places`` selects some of the calls.

    ``required``: whether every function must accept it; if not, one-dimensional arrays of some elements suffice.
    """

    text: str
    made: Callable[[Array], Array]
    places: Callable[[Array], Array] = np.copy
    required: bool = True


class LaidOut(tuple[Array, ...]):  # noqa: SLOT001 - a tuple can have no slots
    """Arguments for a target, to be passed in the layout with number ``layout``."""

    layout: int

    @classmethod
    def of(cls, args: Sequence[Array], layout: int) -> Self:
        """Return the arguments for a layout."""
        found = cls(args)
        found.layout = layout
        return found


def copied(args: Sequence[Array]) -> tuple[Array, ...]:
    """Return copies of the arguments, for the same layout if they have one."""
    own = tuple(a.copy() for a in args)
    return LaidOut.of(own, args.layout) if isinstance(args, LaidOut) else own


def in_memory(args: Sequence[Array]) -> list[Array]:
    """Return the arrays that a target is given: in their layout, if they have one."""
    return [LAYOUTS[args.layout].made(a) for a in args] if isinstance(args, LaidOut) else list(args)


def layouts(count: int, function: object = None, sample: int = SAMPLE) -> Iterator[tuple[Layout, Array]]:
    """Yield the layouts for ``count`` calls, each with the places of its calls: a ``sample``, or a layout's own choice.

    ``np.vectorize`` makes single calls, and gets no large array.
    """
    some = np.unique(np.linspace(0, count - 1, min(count, sample)).astype(np.int64))
    for layout in LAYOUTS:
        if layout.places is not _large or not isinstance(function, np.vectorize):
            yield layout, layout.places(some)


def in_one_dimension(results: object, count: int) -> object:
    """Return the results of ``count`` calls along one axis; results with another number of elements are unchanged."""
    if isinstance(results, tuple):
        return tuple(in_one_dimension(one, count) for one in results)
    array = np.asarray(results)
    return array.reshape(count, -1) if array.ndim > 2 else array.reshape(-1) if array.size == count else results


def by_layout(said: str, layout: Layout) -> str:
    """Return the message on results that fail only in a layout, without the replay, which would pass."""
    facts = said.partition("\nreplay: ")[0]
    return f"{facts}\ndepends on the layout of the arguments in memory: they were {layout.text}"


def _misaligned(a: Array) -> Array:
    memory = bytearray(a.nbytes + 1)
    found: Array = np.frombuffer(memory, a.dtype, a.size, offset=1).reshape(a.shape)
    found[...] = a
    return found


def _read_only(a: Array) -> Array:
    found = a.copy()
    found.flags.writeable = False
    return found


def _in_two_rows(a: Array) -> Array:
    return a.reshape(2, len(a) // 2, *a.shape[1:]).copy()


def _large(some: Array) -> Array:
    """Return the places of all calls in turn; ``some`` ends with the last one."""
    return np.arange(LARGE) % (int(some[-1]) + 1)


def _middle(some: Array) -> Array:
    """Return the place in the middle: special values come first."""
    return some[len(some) // 2 :][:1]


def _even(some: Array) -> Array:
    return some[: len(some) // 2 * 2]


LAYOUTS = (
    Layout("every other element of an array, a.repeat(2, axis=0)[::2]", lambda a: a.repeat(2, axis=0)[::2]),
    Layout("an array from its end, a[::-1].copy()[::-1]", lambda a: a[::-1].copy()[::-1]),
    Layout("an array at an odd address", _misaligned),
    Layout("a read-only array", _read_only),
    Layout(
        "one element many times, np.broadcast_to",
        lambda a: np.broadcast_to(a[0], a.shape),
        lambda some: np.repeat(_middle(some), SAMPLE),
    ),
    Layout("an array of two dimensions, a.reshape(2, -1)", _in_two_rows, _even, required=False),
    Layout(
        "the transpose of a matrix, np.asfortranarray(a.reshape(2, -1))",
        lambda a: np.asfortranarray(_in_two_rows(a)),
        _even,
        required=False,
    ),
    Layout("an array without dimensions, np.array(a[0])", lambda a: np.array(a[0]), _middle, required=False),
    Layout("an empty array", np.copy, lambda some: some[:0], required=False),
    Layout(f"an array of {LARGE} elements", np.copy, _large),
)
