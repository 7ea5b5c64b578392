"""The error by binade as one line of text: a chart for the terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clmath.audit.reports.axis import Axis
from clmath.audit.reports.terminal import error_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.audit.counting.tally import Verdict

__all__ = ["between", "sparks"]

COLUMNS = 56
_BARS = " ▁▂▃▄▅▆▇█"


def sparks(verdict: Verdict) -> Iterator[str]:
    """Yield for each argument its name, bars whose height is the logarithm of the error, and the ends of the axis.

    Empty for cases whose results are all correctly rounded.
    """
    for name, worst in zip(verdict.item.measured, verdict.tally.spread.worst, strict=False):
        if worst:
            axis = Axis.of(verdict.item, [stretch for stretch, _ in worst])
            labels = [text for share, text in axis.labels(name) if share in {0.0, 1.0}]
            most = max(error for _, error in worst)
            yield f"{name:8} {labels[0]:>8} {_bars(axis, worst, most)} {labels[1]}  up to {error_text(most)} ulp"


def _bars(axis: Axis, worst: Sequence[tuple[int, float]], most: float) -> str:
    columns = min(COLUMNS, axis.count)
    heights = [0.0] * columns
    for stretch, error in worst:
        column = axis.places[stretch] * columns // axis.count
        heights[column] = max(heights[column], error)
    return "".join(_bar(error, most) for error in heights)


def _bar(error: float, most: float) -> str:
    """Return the character for a bar; the highest one is for the largest error, and for infinity."""
    if not error:
        return _BARS[0]
    share = math.log1p(min(error, most)) / math.log1p(most) if math.isfinite(most) else float(math.isinf(error))
    return _BARS[max(1, math.ceil(share * (len(_BARS) - 1)))]


def between(share: float, columns: int = 41) -> str:
    """Return a picture of two neighbouring numbers, their midpoint, and a value at this share of their distance."""
    line = ["|", *"-" * (columns - 2), "|"]
    line[columns // 2] = "+"
    line[min(max(round(share * (columns - 1)), 1), columns - 2)] = "*"
    return "".join(line)
