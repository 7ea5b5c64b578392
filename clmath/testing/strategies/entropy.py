"""Turn random bits that Hypothesis generates and shrinks into values.

Each value is made from one string of bytes: its bits are all equally likely, while ``st.integers`` and
``st.sampled_from`` prefer small numbers and the first elements, and Hypothesis does not copy parts of one value into
another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from clmath import errors
from clmath.numbers.formats import Format, format_of
from clmath.numbers.guard import refuse_altered_arithmetic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from hypothesis.strategies import SearchStrategy

__all__ = ["Bits", "Plain", "generated", "strategies"]

T = TypeVar("T")
NO_LIMIT = 1 << 16
_DIGITS = (1, 2, 3, 4, 6, 7, 8, 12, 16, 24, 32)  # counts of significant bits to which values shrink
_REACHES = (0, 1, 2, 3, 4, 6, 8, 11, 16, 32, 64)  # exponents to which they shrink


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
