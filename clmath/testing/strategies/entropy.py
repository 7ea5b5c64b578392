"""Turn random bits that Hypothesis generates and shrinks into values.

Each value is made from one string of bytes: its bits are all equally likely, while ``st.integers`` and
``st.sampled_from`` prefer small numbers and the first elements, and Hypothesis does not copy parts of one value into
another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar, overload

import numpy as np

from clmath import errors
from clmath.numbers.guard import refuse_altered_arithmetic

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from hypothesis.strategies import SearchStrategy

__all__ = ["Bits", "Part", "generated", "mixed", "pool", "strategies"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
NO_LIMIT = 1 << 16


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

    @overload
    def one_of(self, values: Sequence[T]) -> T: ...

    @overload
    def one_of(self, values: np.ndarray) -> np.generic: ...

    def one_of(self, values: Sequence[T] | np.ndarray) -> T | np.generic:
        """Return one of ``values``, all about equally likely."""
        return values[self.below(len(values))]


class Part(Protocol[T_co]):
    """Makes a value from bits."""

    def __call__(self, bits: Bits) -> T_co:
        """Make it."""


def pool(values: np.ndarray) -> Part[np.generic] | None:
    """Return a part that is one of some numbers, or None without any; zeros mean the first ones."""
    return (lambda bits: bits.one_of(values)) if len(values) else None


def mixed(parts: Sequence[tuple[int, Part[T] | None]]) -> Part[T]:
    """One of the parts, each as often as its weight says; None is left out."""
    table = [part for weight, part in parts if part is not None for _ in range(weight)]
    return lambda bits: bits.one_of(table)(bits)


def generated(size: int, made: Part[T]) -> SearchStrategy[T]:
    """Strategy of the values that ``made`` makes from ``size`` random bytes."""
    quiet = np.errstate(all="ignore")(made)  # numbers of other packages warn of signaling NaN
    strategy: SearchStrategy[T] = strategies().binary(min_size=size, max_size=size).map(lambda data: quiet(Bits(data)))
    return strategy
