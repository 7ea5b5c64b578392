"""A result of one call: its exact value, and the numbers of a format around it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import reference
from clmath.audit.counting.tally import ulps_text
from clmath.audit.inputs import layout, values
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.types import Text, Whole
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import MODES, Enclosure, round_enclosure, ulps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["Value", "converted", "modes_of", "values_of"]

DIGITS = 40
_FAR = 2**1000  # ulp, which a double holds
_BITS = 600  # of the bracket from which distances are computed
_ROUNDED = ("conversions", "memory")  # chapters of built-ins that only round an argument


@dataclass(frozen=True)
class Value:
    """One result of the call: a bracket of the exact value, and the numbers of the format around it."""

    form: Format
    near: Enclosure
    real: Any

    @property
    def exact(self) -> Fraction:
        """The value, or a number so close that every displayed distance is the same."""
        low, high = self.real.bracket(_BITS)
        return (_fraction(low) + _fraction(high)) / 2

    @property
    def is_finite(self) -> bool:
        """Whether the exact value is a number."""
        return bool(np.isfinite(self.near.hi[0]))

    @property
    def unit(self) -> Fraction:
        """An ulp."""
        return Fraction(float(ulps(self.near, self.form)[0]))

    def rounded(self, mode: Rounding) -> np.ndarray:
        """Return the value rounded in a mode."""
        return np.asarray(round_enclosure(self.near, self.form, mode)[0])

    def text(self, value: np.ndarray) -> str:
        """Return a number of the format, with its bits and its error."""
        shown = values.number_text(int(self.form.bits(value).reshape(-1)[0]), "gentype", self.form)
        return f"{shown}{self.off(float(value.reshape(-1)[0]))}"

    def off(self, value: float) -> str:
        """Return ``, +0.123 ulp``, or "" if the error is not finite."""
        if not (math.isfinite(value) and self.is_finite):
            return ""
        error = (Fraction(value) - self.exact) / self.unit
        if abs(error) > _FAR:
            return f", {ulps_text(math.inf if error > 0 else -math.inf)}"
        return ", exact" if error == 0 else f", {ulps_text(float(error))}"

    def lines(self) -> Iterator[str]:
        """Yield the exact value, an ulp, the neighbours with their modes, and the distance from halfway."""
        yield f"exact     {self.real.decimal(DIGITS)}"
        if not self.is_finite:
            return
        below, above = self.rounded("rtn"), self.rounded("rtp")
        yield f"ulp       2^{math.frexp(float(self.unit))[1] - 1}"
        if below == above:
            yield f"is        {self.text(below)}: every mode gives it"
            return
        for name, end in (("above", above), ("below", below)):
            modes = ", ".join(mode for mode in MODES if self.rounded(mode) == end)
            yield f"{name:9} {self.text(end)}{f'  {modes}' if modes else ''}"
        if np.isfinite(below).all() and np.isfinite(above).all():
            yield f"halfway   {self._from_halfway(float(below[0]), float(above[0]))}"

    def _from_halfway(self, below: float, above: float) -> str:
        """Return the distance from the midpoint at which rounding to nearest changes, and the required precision."""
        distance = abs(self.exact - (Fraction(below) + Fraction(above)) / 2) / self.unit
        if distance == 0:
            return "a tie: to even"
        bits = -math.log2(distance)
        need = self.form.precision + math.ceil(max(bits, 0.0))
        return f"{float(distance):.4g} ulp away, 2^{-bits:.1f}: about {need} bits tell which neighbour is nearer"


def _fraction(value: Any) -> Fraction:
    return Fraction(*map(int, value.as_integer_ratio()))


def values_of(item: Item, columns: Sequence[np.ndarray]) -> Sequence[Value | int]:
    """Return the results of a call, one for each vector component; empty if results are not rounded numbers."""
    if isinstance(item, ExactItem):
        return converted(item, columns)
    near = reference.enclose(item.builtin.called, columns, item.form)
    arguments = (a[0] for a in layout.arguments(item, tuple(columns)))
    reals = reference.exact(item.builtin.called, *arguments, form=item.form)
    pairs = zip(near, reals if isinstance(reals, tuple) else (reals,), strict=True)
    return [Value(item.form, one, real) if isinstance(one, Enclosure) else int(one[0]) for one, real in pairs]


def modes_of(item: Item, modes: Sequence[Rounding]) -> Sequence[Rounding]:
    """Return the mode in the name of a conversion, a load or a store, else ``modes``."""
    return [mode for mode in MODES if mode in item.builtin.name.split("_")] or modes


def converted(item: ExactItem, columns: Sequence[np.ndarray]) -> list[Value]:
    """Return the results of a call that only rounds its arguments; empty for another call.

    A NaN may keep its payload, which no rounding gives.
    """
    is_rounding = item.builtin.chapter in _ROUNDED and not item.builtin.moves_bits
    if not is_rounding or isinstance(item.result, (Whole, Text)) or any(np.isnan(c).any() for c in columns):
        return []
    return [_converted(item.result, column) for column in columns]


def _converted(form: Format, argument: np.ndarray) -> Value:
    """Return the exact value of a conversion: the argument, in two parts for any double or 64-bit integer."""
    high = argument.astype(np.float64)
    rest = int(argument[0]) - int(high[0]) if argument.dtype.kind in "iu" else -0.0
    parts = (high, np.array([rest], np.float64))
    (near,) = reference.enclose("add", parts, DOUBLE)
    assert isinstance(near, Enclosure)
    return Value(form, near, reference.exact("add", *(part[0] for part in parts), form=DOUBLE))
