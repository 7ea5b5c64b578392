"""Mixtures of inputs, stated once: single calls from bits that Hypothesis shrinks, and arrays of many calls."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from clmath import errors
from clmath.testing.strategies.entropy import Bits, Plain, generated, strategies

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypothesis.strategies import SearchStrategy
    from numpy.typing import NDArray

    from clmath.testing.strategies.spans import Integers, Span

__all__ = ["Args", "Columns", "Kind", "Mixture", "listed", "sizes_of"]

Columns: TypeAlias = "tuple[np.ndarray, ...]"
Args: TypeAlias = "tuple[np.ndarray | np.generic, ...]"
Kind: TypeAlias = "Columns | Random"
"""Inputs of one kind: a list, the simplest call first, or a function that makes random ones."""

_SIZE = 8  # bytes for one call: its plainness and its kind, and a place in a list or a seed
_FEW = 16  # up to this number, calls are generated one by one
_ALONE = 8  # calls among more that are generated one by one, at most
_PLACE = 4  # bytes that hold the place of a call
_QUARTERINGS = 8  # leave one element of 65 536
_GROUND = 16  # bytes of the seed of a ground


class Random(Protocol):
    """Makes the columns of ``n`` calls."""

    def __call__(self, rng: np.random.Generator, n: int, /) -> Columns:
        """Make them."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """Calls of several kinds, each with its weight; shrinking prefers the first kind.

    ``spans``: the values that each column may have. ``defined``: changes undefined calls to defined ones.
    """

    kinds: Sequence[tuple[float, Kind]]
    spans: Sequence[Span | Integers]
    defined: Callable[[Columns], Columns] = tuple

    @functools.cached_property
    def _known(self) -> tuple[tuple[Kind, ...], NDArray[np.float64]]:
        """The kinds that have calls, and their shares."""
        weights, kinds = zip(*(one for one in self.kinds if callable(one[1]) or len(one[1][0])), strict=True)
        return kinds, np.array(weights) / sum(weights)

    @functools.cached_property
    def _table(self) -> list[Kind]:
        """The kinds, each as often as its share says."""
        kinds, shares = self._known
        return [kind for kind, share in zip(kinds, shares.tolist(), strict=True) for _ in range(math.ceil(400 * share))]

    @functools.cached_property
    def zeros(self) -> Columns:
        """The simplest call."""
        return self.defined(tuple(span.fitted(np.zeros(1, span.dtype)) for span in self.spans))

    def scaled(self, total: float) -> list[tuple[float, Kind]]:
        """Return the kinds with weights whose sum is ``total``."""
        kinds, shares = self._known
        return [(total * float(share), kind) for kind, share in zip(kinds, shares, strict=True)]

    def one(self, bits: Bits) -> tuple[np.generic, ...]:
        """Return the values of one call."""
        plain = Plain.of(bits)
        kind = self._table[bits.take(16) * len(self._table) >> 16]
        if callable(kind):
            columns = kind(np.random.default_rng(bits.take(32)), 1)
        else:
            place = bits.below(len(kind[0]))
            columns = tuple(column[place : place + 1] for column in kind)
        return tuple(column[0] for column in self._fitted(plain, columns))

    def many(self, rng: np.random.Generator, n: int, plain: Plain = Plain()) -> Columns:  # noqa: B008 - immutable
        """Return ``n`` calls, in any order of kinds."""
        kinds, shares = self._known
        parts = [
            kind(rng, k) if callable(kind) else _chosen(rng, kind, k)
            for kind, k in zip(kinds, rng.multinomial(n, shares).tolist(), strict=True)
            if k
        ]
        order = rng.permutation(n)
        return self._fitted(plain, tuple(np.concatenate(part)[order] for part in zip(*parts, strict=True)))

    def _fitted(self, plain: Plain, columns: Columns) -> Columns:
        """Return plain calls that are allowed and defined."""
        pairs = zip(self.spans, columns, strict=True)
        return self.defined(tuple(span.fitted(plain.made_of(column)) for span, column in pairs))

    def alone(self) -> SearchStrategy[tuple[np.generic, ...]]:
        """Strategy of the values of one call."""
        return generated(_SIZE, self.one)

    def in_shape(self, call: str, shape: object, components: tuple[int, ...] = ()) -> SearchStrategy[Columns]:
        """Strategy of columns of ``components`` in a ``shape``, which is an int, a tuple or a strategy."""
        found: SearchStrategy[Columns]
        if isinstance(shape, strategies().SearchStrategy):
            found = shape.flatmap(lambda generated_shape: self.in_shape(call, generated_shape, components))
            return found
        sizes = (*sizes_of(call, shape), *components)
        columns = self._columns(int(np.prod(sizes, dtype=int)))
        return columns.map(lambda values: tuple(column.reshape(sizes) for column in values))

    def _columns(self, size: int) -> SearchStrategy[Columns]:
        """The columns of ``size`` calls: generated one by one if they are few, else a few single ones among many."""
        st = strategies()
        single = st.binary(min_size=_PLACE + _SIZE, max_size=_PLACE + _SIZE)
        if size <= _FEW:
            below, singles = st.just(b""), st.tuples(*[single] * size)
        else:
            below, singles = st.binary(min_size=_GROUND, max_size=_GROUND), st.lists(single, max_size=_ALONE)
        strategy: SearchStrategy[Columns] = st.tuples(below, singles).map(lambda given: self._laid(size, *given))
        return strategy

    @np.errstate(all="ignore")  # signaling NaN, in formats that have them
    def _laid(self, size: int, below: bytes, singles: Sequence[bytes]) -> Columns:
        """Return calls with single ones among them; they shrink to plain ones, then to few of them among zeros."""
        columns = tuple(np.repeat(zero, size) for zero in self.zeros)
        if below:
            bits = Bits(below)
            kept, plain = slice(*_window(bits, size)), Plain.of(bits)
            many = self.many(np.random.default_rng(bits.take(32)), size, plain)
            for column, values in zip(columns, many, strict=True):
                column[kept] = values[kept]
        for number, data in enumerate(singles):
            bits = Bits(data)
            place = bits.take(8 * _PLACE) % size if below else number
            for column, value in zip(columns, self.one(bits), strict=True):
                column[place] = value
        return columns


def listed(columns: Columns) -> SearchStrategy[Args]:
    """Strategy of single calls that are listed in columns."""
    places: SearchStrategy[int] = strategies().integers(0, len(columns[0]) - 1)
    return places.map(lambda place: tuple(column[place] for column in columns))


def _chosen(rng: np.random.Generator, calls: Columns, count: int) -> Columns:
    places = rng.integers(0, len(calls[0]), count)
    return tuple(column[places] for column in calls)


def _window(bits: Bits, size: int) -> tuple[int, int]:
    """Return the range of elements that are kept: nearly always all; shrinking quarters it repeatedly."""
    first, end = 0, size
    for _ in range(_QUARTERINGS):
        quarter, length = bits.take(8), end - first
        if quarter < 4:
            first, end = first + length * quarter // 4, first - (-length * (quarter + 1) // 4)
    return first, end


def sizes_of(call: str, shape: object) -> tuple[int, ...]:
    """Return a shape as a tuple; ShapeError if it is neither an int nor a tuple of ints."""
    sizes = shape if isinstance(shape, tuple) else (shape,)
    if not all(isinstance(s, (int, np.integer)) and not isinstance(s, bool) and s >= 0 for s in sizes):
        raise errors.ShapeError(
            f"{call}: shape={shape!r} is not a shape; give an int, a tuple of ints or a strategy of them"
        )
    return tuple(map(int, sizes))
