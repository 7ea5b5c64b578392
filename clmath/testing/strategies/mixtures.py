"""Mixtures of inputs, stated once: single calls from bits that Hypothesis shrinks, and arrays of many calls."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from clmath import errors
from clmath.numbers.formats import Format, format_of
from clmath.numbers.guard import refuse_altered_arithmetic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from hypothesis.strategies import SearchStrategy
    from numpy.typing import NDArray

    from clmath.testing.strategies.spans import Integers, Span

T = TypeVar("T")
NO_LIMIT = 1 << 16
_DIGITS = (1, 2, 3, 4, 6, 7, 8, 12, 16, 24, 32)  # counts of significant bits to which values shrink
_REACHES = (0, 1, 2, 3, 4, 6, 8, 11, 16, 32, 64)  # exponents to which they shrink
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


def strategies() -> ModuleType:
    """Return ``hypothesis.strategies``; MissingDependencyError if it is not installed."""
    try:
        from hypothesis import strategies as found
    except ImportError:
        raise errors.missing("clmath.testing.strategies", "hypothesis", "test") from None
    return found


class Bits:
    """Bits that are taken one group after the other; zeros follow the last one. Groups of zeros mean simple values."""

    def __init__(self, data: bytes) -> None:
        refuse_altered_arithmetic("clmath.testing.strategies")  # values are made when they are generated
        self._value, self._left = int.from_bytes(data, "big"), 8 * len(data)

    def take(self, count: int) -> int:
        """Return the next ``count`` bits as a number."""
        self._left -= count
        if self._left < 0:
            self._value, self._left = self._value << -self._left, 0
        taken = self._value >> self._left
        self._value &= (1 << self._left) - 1
        return taken

    def below(self, limit: int) -> int:
        """Return a number below ``limit``, all about equally likely; it grows with the bits."""
        count = limit.bit_length() + 6
        count += -count % 8  # whole bytes: Hypothesis shrinks byte by byte
        return self.take(count) * limit >> count

    def at_most(self, steps: Sequence[int]) -> int:
        """Return a limit: nearly always one without effect, otherwise one of ``steps``, the first for zeros.

        It takes one byte: of two, Hypothesis would shrink the second one while the first one makes it void, and be
        stuck.
        """
        step = self.take(8)
        return steps[step] if step < len(steps) else NO_LIMIT


class Plain(NamedTuple):
    """The plainness of values: at most this number of significant bits, and exponents of at most this size."""

    digits: int = NO_LIMIT
    reach: int = NO_LIMIT

    @classmethod
    def of(cls, bits: Bits) -> Plain:
        """Decode the plainness from bits; nearly always, values stay unchanged."""
        return cls(bits.at_most(_DIGITS), bits.at_most(_REACHES))

    def made_of(self, values: np.ndarray) -> np.ndarray:
        """Return plain values; zeros stay unchanged; with limited exponents all become finite, and NaN becomes one."""
        form = format_of(values.dtype)
        if form is not None:
            return self._numbers(values, form)
        if self.digits == NO_LIMIT:
            return values
        length = np.frexp(np.abs(values.astype(np.float64)))[1]
        return np.asarray(values >> np.maximum(length - self.digits, 0).astype(values.dtype))

    def _numbers(self, numbers: np.ndarray, form: Format) -> np.ndarray:
        if self.digits < form.precision:
            bits, lost = form.bits(numbers), form.bits_dtype.type(form.precision - self.digits)
            numbers = np.where(np.isfinite(numbers), form.from_bits(bits >> lost << lost), numbers)
        if self.reach < -form.quantum:
            finite = np.where(np.isfinite(numbers), numbers, np.where(np.isnan(numbers), 1.0, np.sign(numbers)))
            fraction, exponent = np.frexp(finite)
            exponent = np.where(np.isinf(numbers), form.emax + 1, exponent)
            numbers = np.ldexp(fraction, np.clip(exponent, 1 - self.reach, 1 + self.reach)).astype(form.dtype)
        return np.asarray(numbers)


def generated(size: int, made: Callable[[Bits], T]) -> SearchStrategy[T]:
    """Strategy of the values that ``made`` makes from ``size`` random bytes."""
    quiet = np.errstate(all="ignore")(made)  # numbers of other packages warn of signaling NaN
    strategy: SearchStrategy[T] = strategies().binary(min_size=size, max_size=size).map(lambda data: quiet(Bits(data)))
    return strategy


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
        strategy: SearchStrategy[Columns]
        if size <= _FEW:
            strategy = st.tuples(*[single] * size).map(lambda singles: self._laid(size, b"", singles))
        else:
            ground = st.binary(min_size=_GROUND, max_size=_GROUND)
            strategy = st.tuples(ground, st.lists(single, max_size=_ALONE)).map(lambda made: self._laid(size, *made))
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
