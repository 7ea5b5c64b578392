"""Encodings of doubles, and integers."""

from __future__ import annotations

import operator
import struct
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from proofs.check.forms import LEAST, ONE, Double, K, require

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["INTEGER_OPERATIONS", "ORDERS", "Encoding", "float_of", "of_integers", "ordered"]

_SIGN = -(1 << 63)
_BINADE = 1 << 52  # in encodings
ORDERS = {name: getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")}


def float_of(encoding: int) -> float:
    """Return the double of an encoding."""
    return float(struct.unpack("<d", struct.pack("<q", encoding))[0])


def _encoding_of(units: int) -> int:
    """Return the encoding of the double next to a number of units."""
    return int(struct.unpack("<q", struct.pack("<d", float(Fraction(units, ONE))))[0])


@dataclass(frozen=True)
class Encoding:
    """The encoding of a double of several values, its last ``cut`` bits 0, and ``added`` to it if that is positive."""

    of: Double
    added: int = 0
    cut: int = 0

    @classmethod
    def known(cls, x: Double) -> int | Encoding:
        """Return the encoding as an integer where that is known; zeros have two."""
        return cls(x) if x.form.radius() or not x.form.p[0] else _encoding_of(x.form.p[0])

    def ends(self) -> tuple[int, int]:
        """Return the least and the greatest integer that it may be."""
        low, high = self.of.form.ends()
        require(low > 0 and not self.cut, "the encoding of what may not be positive")
        return _encoding_of(low) + self.added, _encoding_of(high) + self.added

    def __add__(self, n: int) -> Encoding:
        self.ends()
        return replace(self, added=self.added + n)

    def __rshift__(self, count: int) -> int:
        if count == 63 and not self.added:
            return -1 if self.of.sign() < 0 else 0
        least, greatest = (end >> count for end in self.ends())
        require(least == greatest, "an integer that is not the same on the whole cell")
        return least

    def __and__(self, mask: int) -> int | Encoding:
        """Return the bits of a mask: the sign, all other bits, the first ones, the fraction, or a few."""
        if mask == _SIGN:
            return (self >> 63) << 63
        if mask == ~_SIGN:
            return self if self.of.sign() > 0 else self ^ _SIGN
        if mask & ~_SIGN == _BINADE - 1:
            return self + -(self >> 52) * _BINADE
        last = (mask & -mask).bit_length() - 1
        if mask == -1 << last and last <= 52 and not self.added:
            return replace(self, cut=max(self.cut, last))
        return (self >> last) << last & mask

    def __or__(self, bits: int) -> Encoding:
        """Return the encoding with these bits set: the sign, or the exponent where all its bits are 0."""
        if bits in {0, _SIGN}:
            return self ^ bits if bits == 0 or self.of.sign() > 0 else self
        require(bits % _BINADE == self >> 52 == 0, "bits of an encoding")
        return self + bits

    def __xor__(self, bits: int) -> Encoding:
        """Return the encoding with the sign changed, if the integer ``bits`` is the sign's bit, or unchanged for 0."""
        if bits == 0:
            return self
        require(bits == _SIGN and not self.added, "changed bits of an encoding")
        return replace(self, of=-self.of)

    def uncut(self) -> Double:
        """Return the double whose last bits are yet to be cut off: each 2^52 that was added is a factor of 2."""
        power, rest = divmod(self.added, _BINADE)
        require(rest == 0, "the double of an encoding that is not known")
        if not power:
            return self.of
        least, size = (n.bit_length() - K + power for n in (self.of.form.least(), self.of.form.size()))
        require(least > LEAST + 53 and size <= 1000, "a double that may be subnormal or infinite")
        return self.of.scaled(power)


def ordered(name: str, one: int | Encoding, other: int | Encoding) -> bool:
    """Return whether two integers are in that order."""
    (least, greatest), (first, last) = (x.ends() if isinstance(x, Encoding) else (x, x) for x in (one, other))
    found = {ORDERS[name](*ends) for ends in ((least, last), (greatest, first))}
    is_apart = name not in {"eq", "ne"} or least >= last or first >= greatest
    require(len(found) == 1 and is_apart, "a comparison of encodings")
    return bool(found.pop())


INTEGER_OPERATIONS: dict[str, Callable[[Any, int], Any]] = {
    **{f"long.{name.strip('_')}": getattr(operator, name) for name in ("and_", "or_", "xor", "add", "mul")},
    "long.sub": lambda n, other: n + -other,
    "long.shr": operator.rshift,
    "long.shl": lambda n, count: ((n << count) - _SIGN) % (1 << 64) + _SIGN,
}


def of_integers(name: str, one: int | Encoding, other: int) -> int | Encoding:
    """Return the result of an operation, which has to be an integer of 64 bits."""
    is_known = isinstance(one, int) or name not in {"long.mul", "long.shl"}
    require(is_known and isinstance(other, int), f"{name} of encodings")
    found: int | Encoding = INTEGER_OPERATIONS[name](one, other)
    assert isinstance(found, Encoding) or _SIGN <= found < -_SIGN
    return found
