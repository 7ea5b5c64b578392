"""Layouts of arrays in memory, and shapes, for which a function has to give the results that it gave before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = [
    "LARGE",
    "LAYOUTS",
    "SAMPLE",
    "LaidOut",
    "Layout",
    "by_layout",
    "copied",
    "in_memory",
    "in_one_dimension",
    "layouts",
]

Array: TypeAlias = "np.ndarray[Any, Any]"

SAMPLE = 1024  # calls that are made again, in another layout or order
LARGE = 100_001  # elements of large arrays


class Layout(NamedTuple):
    """A layout with the name ``text``: ``made`` gives an array in it, ``places`` selects from some calls.

    ``required``: a function that raises for it is wrong; without, it takes arrays of one dimension and some elements.
    """

    text: str
    made: Callable[[Array], Array]
    places: Callable[[Array], Array] = np.copy
    required: bool = True


class LaidOut(tuple[Array, ...]):  # noqa: SLOT001 - a tuple can have no slots
    """Arguments that a target is given in a layout: the one with the number ``layout``."""

    layout: int

    @classmethod
    def of(cls, args: Sequence[Array], layout: int) -> Self:
        """The arguments for a layout."""
        found = cls(args)
        found.layout = layout
        return found


def copied(args: Sequence[Array]) -> tuple[Array, ...]:
    """Copies of the arguments, for the same layout if they have one."""
    own = tuple(a.copy() for a in args)
    return LaidOut.of(own, args.layout) if isinstance(args, LaidOut) else own


def in_memory(args: Sequence[Array]) -> list[Array]:
    """The arrays that a target is given: in their layout, if they have one."""
    return [LAYOUTS[args.layout].made(a) for a in args] if isinstance(args, LaidOut) else list(args)


def layouts(count: int, function: object = None, sample: int = SAMPLE) -> Iterator[tuple[Layout, Array]]:
    """The layouts for ``count`` calls, each with the places of its calls: a ``sample``, or as it needs.

    ``np.vectorize`` makes single calls, and gets no large array.
    """
    some = np.unique(np.linspace(0, count - 1, min(count, sample)).astype(np.int64))
    for layout in LAYOUTS:
        if layout.places is not _large or not isinstance(function, np.vectorize):
            yield layout, layout.places(some)


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


def _large(some: Array) -> Array:
    """The places of all calls in turn; ``some`` ends with the last one."""
    return np.arange(LARGE) % (int(some[-1]) + 1)


def _middle(some: Array) -> Array:
    """The place in the middle: special values come first."""
    return some[len(some) // 2 :][:1]


def _even(some: Array) -> Array:
    return some[: len(some) // 2 * 2]


LAYOUTS = (
    Layout("every other element of an array, a.repeat(2, axis=0)[::2]", _strided),
    Layout("an array from its end, a[::-1].copy()[::-1]", _reversed),
    Layout("an array at an odd address", _misaligned),
    Layout("a read-only array", _read_only),
    Layout("one element many times, np.broadcast_to", _repeated, lambda some: np.repeat(_middle(some), SAMPLE)),
    Layout("an array of two dimensions, a.reshape(2, -1)", _in_two_rows, _even, required=False),
    Layout("the transpose of a matrix, np.asfortranarray(a.reshape(2, -1))", _in_columns, _even, required=False),
    Layout("an array without dimensions, np.array(a[0])", _single, _middle, required=False),
    Layout("an empty array", np.copy, lambda some: some[:0], required=False),
    Layout(f"an array of {LARGE} elements", np.copy, _large),
)
