"""Charts of a case: the error over an argument with the limit as a line, the histogram; bars of text for terminals."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from clmath import errors, reference
from clmath.audit.counting.spread import BINS, shift, stretch_text
from clmath.audit.counting.tally import Verdict
from clmath.audit.inputs.aims import domain
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.audit.reports.terminal import error_text
from clmath.numbers.formats import Format
from clmath.numbers.rounding import Enclosure
from clmath.spec.limits import Limit, Ulps, parse

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


Point: TypeAlias = tuple[int, float]

HEIGHT = 200  # of the error chart, in pixels
BASE = 176  # the height of the base line of its bars
PEAKS = 3  # errors that are labelled
_TOP = 16
_TICKS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 1024.0, 1e6, 1e12, 1e24, 1e48, 1e96)  # ulp
_LETTER = 0.0125  # the width of a letter with its share of a gap, as a share of a narrow chart
ALL = -1  # in place of an interval's number: all intervals
EQUALITY = 0.5  # ulp: shown as the limit if only the correctly rounded result passes; in rte all others have more


def allowed(verdict: Verdict) -> Mapping[int, float]:
    """Return the limit in ulp by interval, or for ``ALL`` if it is constant; empty if it is not a number of ulp."""
    return _allowed(verdict.item, verdict.limit, verdict.source)


@functools.lru_cache(maxsize=1024)
def _allowed(item: Item, text: str, source: str) -> Mapping[int, float]:
    try:
        clauses = parse(text, "limit")
    except errors.TableError:
        return {}
    limit = Limit(text, source, tuple(p.name for p in item.builtin.inputs), clauses)
    rule, condition = clauses[0]
    if limit.is_equality:
        return {ALL: EQUALITY}
    if len(clauses) == 1 and condition is None and isinstance(rule, Ulps) and not rule.growing:
        shape = (1, item.width) if item.width else (1,)
        args = tuple(np.ones(shape, item.form.dtype) for _ in item.builtin.inputs)
        return {ALL: float(limit.bound(args, Enclosure.of(np.ones(1)), item.form).reshape(-1)[0])}
    return _by_stretch(limit, item) if item.columns == ("gentype",) else {}


def _by_stretch(limit: Limit, item: Item) -> dict[int, float]:
    """Return the larger of the limits at both ends of each interval."""
    form, place = item.form, shift(item.form)
    starts = np.arange(1 << form.width - place, dtype=form.bits_dtype) << form.bits_dtype.type(place)
    ends = starts | form.bits_dtype.type((1 << place) - 1)
    found = []
    for x in (form.from_bits(starts), form.from_bits(ends)):
        (exact, *_) = reference.enclose(item.builtin.called, (x,), form)
        if not isinstance(exact, Enclosure):
            return {}
        found.append(limit.bound((x[:, np.newaxis] if item.width else x,), exact, form))
    most = np.where(np.isnan(found[0]), EQUALITY, np.fmax(*found))
    return {int(s): float(m) for s, m in enumerate(most) if math.isfinite(m)}


def share_of_limit(verdict: Verdict) -> float:
    """Return the largest error as a share of the limit; NaN if no error was measured or the limit is not in ulp."""
    most = max(allowed(verdict).values(), default=math.nan)
    return verdict.worst_error / most if most else math.inf


def error_chart(item: Item, name: str, worst: Sequence[Point], limits: Mapping[int, float]) -> Element:
    """Return bars for the worst error of each interval of the argument ``name``; errors beyond the limit are coloured.

    Places are in percent and heights in pixels, so that the size of text does not depend on the width of the page.
    """
    finite = [error for _, error in worst if math.isfinite(error)]
    axis = Axis.of(item, [stretch for stretch, _ in worst])
    generated = {s: limit for s, limit in limits.items() if s == ALL or s in axis.shown}
    most = max([1.0, *finite, *generated.values()]) * 1.3
    chart = Element("svg", {"class": "errors", "role": "img", "height": f"{HEIGHT}"})
    SubElement(chart, "title").text = _said(item, name, worst, generated)
    _grid(chart, most)
    _draw(SubElement(chart, "svg", axis.frame(HEIGHT)), axis, most, worst, limits)
    _names(chart, axis, name)
    _peaks(chart, axis, most, worst)
    if generated:
        _name_limit(chart, axis, most, generated)
    return chart


def _said(item: Item, name: str, worst: Sequence[Point], limits: Mapping[int, float]) -> str:
    """Return a description of the chart for screen readers."""
    stretch, error = max(worst, key=lambda point: point[1], default=(0, 0.0))
    limit = f"; {_limit_text(limits)}" if limits else ""
    where = stretch_text(stretch, item.form)
    return f"largest error over {name} by binade, logarithmic: up to {error:.4g} ulp, from {where} on{limit}"


def _limit_text(limits: Mapping[int, float]) -> str:
    low, high = min(limits.values()), max(limits.values())
    if high == EQUALITY:
        return "limit: correctly rounded"
    return f"limit {low:.4g} ulp" if low == high else f"limit {low:.4g} to {high:.4g} ulp"


def _height(error: float, most: float) -> float:
    """Return the height of an error above the base line, by its logarithm; infinities reach the top."""
    return (BASE - _TOP) * min(math.log1p(error) / math.log1p(most), 1.0)


def _grid(chart: Element, most: float) -> None:
    shown = math.inf
    for tick in (t for t in _TICKS if t <= most):
        y = BASE - _height(tick, most)
        SubElement(chart, "line", {"class": "grid", "x1": "0", "x2": "100%", "y1": f"{y:.0f}", "y2": f"{y:.0f}"})
        if shown - y >= 12:  # so that labels do not overlap
            label(chart, "-6", y + 4, f"{tick:g}", "end")
            shown = y


def _draw(plot: Element, axis: Axis, most: float, worst: Sequence[Point], limits: Mapping[int, float]) -> None:
    """Draw the limit and the bars; neighbours of the same height become one bar."""
    bars: dict[str, list[tuple[int, int, int]]] = {"within": [], "beyond": []}  # first place, count, height
    highest = {axis.places[s]: (s, e) for s, e in sorted(worst, key=lambda point: point[1])}
    for place, (stretch, error) in sorted(highest.items()):
        line = limits.get(stretch, limits.get(ALL, math.inf))
        runs = bars["beyond" if error > line or (line == EQUALITY and error > 0) else "within"]
        height = max(round(_height(error, most)), 1)
        if runs and sum(runs[-1][:2]) == place and runs[-1][2] == height:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1, height)
        else:
            runs.append((place, 1, height))
    for kind, runs in bars.items():
        path = "".join(f"M{at * UNIT},{BASE}v{-h}h{n * UNIT}v{h}z" for at, n, h in runs)
        if path:
            SubElement(plot, "path", {"class": kind, "d": path})
    path = _limit_path(axis, most, limits)
    if path:
        SubElement(plot, "path", {"class": "limit", "d": path, "vector-effect": "non-scaling-stroke"})


def _limit_path(axis: Axis, most: float, limits: Mapping[int, float]) -> str:
    path, last = "", None
    for place, stretch in enumerate(axis.shown):
        limit = limits.get(stretch, limits.get(ALL))
        y = None if limit is None else round(BASE - _height(limit, most))
        if y is not None and y != last:
            path += f"M{place * UNIT},{y}" if last is None else f"H{place * UNIT}V{y}"
        elif y is None and last is not None:
            path += f"H{place * UNIT}"
        last = y
    return path + (f"H{axis.count * UNIT}" if last is not None else "")


def _names(chart: Element, axis: Axis, name: str) -> None:
    """Write the texts below the axis: its ends, zero, and powers of two that do not overlap."""
    y, taken = HEIGHT - 8, list[tuple[float, float]]()
    for share, text in axis.labels(name):
        anchor = "start" if share < 0.02 else "end" if share > 0.98 else "middle"
        width = _LETTER * len(text)
        left = share - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        if all(left + width < begin or end < left for begin, end in taken):
            taken.append((left, left + width))
            found = label(chart, f"{100 * share:.2f}%", y, text, anchor)
            if len(taken) > 3:  # in addition to both ends and zero
                found.set("class", "minor")
    if axis.zero is not None:
        x = f"{100 * axis.zero:.2f}%"
        SubElement(chart, "line", {"class": "grid", "x1": x, "x2": x, "y1": f"{_TOP}", "y2": f"{BASE}"})


def _peaks(chart: Element, axis: Axis, most: float, worst: Sequence[Point]) -> None:
    """Write the three largest errors that are not neighbours as numbers above their bars."""
    taken: list[float] = []
    for stretch, error in sorted(worst, key=lambda point: -point[1]):
        share = (axis.places[stretch] + 0.5) / axis.count
        if error > 0 and all(abs(share - other) >= 0.12 for other in taken):
            taken.append(share)
            anchor = "start" if share < 0.04 else "end" if share > 0.96 else "middle"
            text = label(chart, f"{100 * share:.2f}%", BASE - _height(error, most) - 4, f"{error:.4g}", anchor)
            text.set("class", "peak")
        if len(taken) == PEAKS:
            return


def _name_limit(chart: Element, axis: Axis, most: float, limits: Mapping[int, float]) -> None:
    """Write the limit's number above its line, at the left, where a growing limit is small."""
    first = limits.get(ALL) or next(limits[s] for s in axis.shown if s in limits)
    y = BASE - _height(first, most)
    label(chart, "4", y - 4 if y > _TOP + 8 else y + 12, _limit_text(limits), "start").set("class", "limit")


def label(chart: Element, x: str, y: float, text: str, anchor: str) -> Element:
    """Return text in a chart; ``anchor``: the part of it that is at ``x``: start, middle or end."""
    found = SubElement(chart, "text", {"x": x, "y": f"{y:.0f}", "text-anchor": anchor})
    found.text = text
    return found


def histogram(counts: Sequence[tuple[str, int]]) -> Element:
    """Return one bar per bin, from the first bin to the last that has a count; its height is log(count)."""
    known = dict(counts)
    bins = [name for i, name in enumerate(BINS) if known.get(name) or any(known.get(later) for later in BINS[i:-2])]
    total, most = sum(known.values()), math.log1p(max(known.values(), default=1))
    chart = Element("svg", {"viewBox": f"0 0 520 {16 * len(bins) + 4}", "class": "histogram", "role": "img"})
    said = ", ".join(f"{name}: {known.get(name, 0)}" for name in bins)
    SubElement(chart, "title").text = f"inputs by the distance of the result, bars logarithmic: {said}"
    for row, name in enumerate(bins):
        count, y = known.get(name, 0), 16 * row + 2
        width = 260 * math.log1p(count) / most
        label(chart, "96", y + 11, name, "end")
        bar = {"class": "right" if name == BINS[0] else "within", "x": "102", "y": f"{y + 1}", "height": "12"}
        SubElement(chart, "rect", {**bar, "width": f"{width:.1f}"})
        label(chart, f"{108 + width:.1f}", y + 11, f"{count} ({_percent(count, total)})", "start")
    return chart


def _percent(count: int, total: int) -> str:
    share = 100.0 * count / total
    return f"{share:.3g} %" if share < 99.9 or count == total else f"{math.floor(share * 1e4) / 1e4} %"


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
