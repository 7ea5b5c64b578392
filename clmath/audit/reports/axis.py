"""The axis of a chart of errors: the tested intervals of an argument, in ascending order from left to right."""

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
    """The axis of a chart. ``shown``: the intervals from left to right. ``ends``: the numbers at its ends, if known.

    ``places``: the place of each interval, counted from the left. Intervals nearer to zero than all shown ones have the
    place next to zero.
    """

    form: Format
    shown: tuple[int, ...]
    places: Mapping[int, int]
    ends: tuple[float, float] | None

    @classmethod
    def of(cls, item: Item, stretches: Iterable[int]) -> Axis:
        """Return the axis that shows all ``stretches``; for cases with one argument, the whole domain of their inputs.

        Arguments below the domain act like zero and are put next to zero.
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
        """The number of intervals."""
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
        """Return the SVG attributes of the drawing inside a chart; it is as wide as the chart."""
        box = f"0 0 {UNIT * self.count} {height}"
        return {"viewBox": box, "preserveAspectRatio": "none", "width": "100%", "height": f"{height}"}

    def labels(self, name: str) -> Iterator[tuple[float, str]]:
        """Yield texts below the axis with their places, as shares of the width, in descending order of importance."""
        if self.zero is not None:
            yield self.zero, f"{name} = 0"
        yield 0.0, self._end(self.shown[0], 0)
        yield 1.0, self._end(self.shown[-1], 1)
        for step in (8, 4, 2):
            for place in range(0, self.count, max(self.count // step, 1)):
                yield (place + 0.5) / self.count, self._power(self.shown[place])

    def _end(self, stretch: int, side: int) -> str:
        """Return the number at an end: the domain's end if it lies in the last interval, else a power of two."""
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
    """Return the interval that contains a number."""
    return int(form.bits(np.array(value, form.dtype))) >> shift(form)
