"""The axis of a chart of errors: the stretches of an argument that were tried, from left to right as they grow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.counting.spread import shift
from clmath.audit.inputs.aims import domain
from clmath.audit.plan.exact_item import ExactItem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

__all__ = ["UNIT", "Axis"]

UNIT = 4  # the width of a bar


@dataclass(frozen=True)
class Axis:
    """The axis of a chart. ``shown``: the stretches from left to right. ``ends``: the numbers at its ends, if known.

    ``places``: of each stretch, counted from the left; those nearer to zero than all shown have the place beside zero.
    """

    form: Format
    shown: tuple[int, ...]
    places: Mapping[int, int]
    ends: tuple[float, float] | None

    @classmethod
    def of(cls, item: Item, stretches: Iterable[int]) -> Axis:
        """The axis that shows all ``stretches``; for rows of one argument, the whole domain of their inputs.

        Arguments that are too small for the domain, since they act like zero, are put beside zero.
        """
        form, found = item.form, set(stretches)
        half, ends, least = 1 << form.width - shift(form) - 1, None, 0
        if item.columns == ("gentype",) and not isinstance(item, ExactItem):
            tried = domain(item)
            ends = (tried.least, tried.greatest)
            least = _stretch(2.0**tried.lowest, form)
            found |= {_stretch(end, form) for end in ends if end}
        sides = [{max(s % half, least) for s in found if s // half == negative} for negative in (1, 0)]
        below, above = (range(min(side) if ends is None else least, max(side) + 1) if side else () for side in sides)
        shown = (*(half + m for m in reversed(list(below))), *above)
        places = {stretch: place for place, stretch in enumerate(shown)}
        nearest = {half * negative: places.get(half * negative + least, 0) for negative in (0, 1)}
        inner = {s: nearest[s - s % half] for s in found if s not in places}
        return cls(form, shown or (0,), {**places, **inner}, ends)

    @property
    def count(self) -> int:
        """The number of stretches."""
        return len(self.shown)

    @property
    def zero(self) -> float | None:
        """The place of zero as a share of the width; None if all arguments shown have the same sign."""
        below = sum(1 for stretch in self.shown if stretch >= self._half)
        return below / self.count if 0 < below < self.count else None

    @property
    def _half(self) -> int:
        return 1 << self.form.width - shift(self.form) - 1

    def frame(self, height: int) -> dict[str, str]:
        """The SVG attributes of the drawing inside a chart; it is as wide as the chart."""
        box = f"0 0 {UNIT * self.count} {height}"
        return {"viewBox": box, "preserveAspectRatio": "none", "width": "100%", "height": f"{height}"}

    def labels(self, name: str) -> Iterator[tuple[float, str]]:
        """Texts below the axis with their places, as shares of the width; the more important ones come first."""
        if self.zero is not None:
            yield self.zero, f"{name} = 0"
        yield 0.0, self._end(self.shown[0], 0)
        yield 1.0, self._end(self.shown[-1], 1)
        for step in (8, 4, 2):
            for place in range(0, self.count, max(self.count // step, 1)):
                yield (place + 0.5) / self.count, self._power(self.shown[place])

    def _end(self, stretch: int, side: int) -> str:
        """The number at an end: the domain's end if it lies in the last stretch, else a power of two."""
        if self.ends is not None and stretch == _stretch(self.ends[side], self.form):
            return f"{self.ends[side]:.5g}".replace("-", "−")
        return self._power(stretch)

    def _power(self, stretch: int) -> str:
        value = float(self.form.from_bits(stretch << shift(self.form)))
        if not math.isfinite(value):
            return str(value).replace("-", "−")
        sign = "−" if stretch >= self._half else ""
        return f"{sign}2^{math.frexp(value)[1] - 1}" if value else "0"


def _stretch(value: float, form: Format) -> int:
    """The stretch of a number."""
    return int(form.bits(np.array(value, form.dtype))) >> shift(form)
