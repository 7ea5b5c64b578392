"""The two charts of a row: the error over an argument with the limit drawn in, and the histogram."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from clmath import errors, reference
from clmath.audit.spread import BINS, shift, stretch_of
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import Enclosure
from clmath.spec.limits import Limit, Ulps, parse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clmath.audit.plan import Item
    from clmath.audit.tally import Verdict
    from clmath.numbers.formats import Format

__all__ = ["allowed", "error_chart", "histogram"]

Point: TypeAlias = tuple[int, float]

WIDTH, HEIGHT = 760, 190  # of the error chart, in its own units
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 12, 26
_TICKS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 1024.0, 1e6, 1e12, 1e24, 1e48, 1e96)  # ulp
_EXPONENTS = {HALF: (-7, 0, 7, 15), FLOAT: (-64, 0, 64, 127), DOUBLE: (-511, 1, 513, 1017)}  # labelled binades
_EQUALITY = 0.5  # where nothing but the correctly rounded result passes: no other has so small an error in rte


def allowed(verdict: Verdict) -> dict[int, float]:
    """The limit in ulp for each stretch of the only argument, or one for all at -1; empty where it is no number."""
    item = verdict.item
    try:
        clauses = parse(verdict.limit, "limit")
    except errors.TableError:
        return {}
    limit = Limit(verdict.limit, verdict.source, tuple(p.name for p in item.builtin.inputs), clauses)
    if item.columns == ("gentype",):
        return _by_stretch(limit, item)
    rule, condition = clauses[0]
    if limit.is_equality:
        return {-1: _EQUALITY}
    if len(clauses) == 1 and condition is None and isinstance(rule, Ulps) and not rule.growing:
        shape = (1, item.width) if item.width else (1,)
        args = tuple(np.ones(shape, item.form.dtype) for _ in item.builtin.inputs)
        return {-1: float(limit.bound(args, Enclosure.of(np.ones(1)), item.form).reshape(-1)[0])}
    return {}


def _by_stretch(limit: Limit, item: Item) -> dict[int, float]:
    """What is allowed at the ends of each stretch: the more of the two."""
    form, place = item.form, shift(item.form)
    starts = np.arange(1 << form.width - place, dtype=form.bits_dtype) << form.bits_dtype.type(place)
    ends = starts | form.bits_dtype.type((1 << place) - 1)
    found = []
    for x in (form.from_bits(starts), form.from_bits(ends)):
        (exact, *_) = reference.enclose(item.builtin.name, (x,), form)
        if not isinstance(exact, Enclosure):
            return {}
        found.append(limit.bound((x,), exact, form))
    most = np.where(np.isnan(found[0]), _EQUALITY, np.fmax(*found))
    return {int(s): float(m) for s, m in enumerate(most) if math.isfinite(m)}


def error_chart(worst: Sequence[tuple[int, float]], limits: Mapping[int, float], name: str, form: Format) -> Element:
    """Bars for the worst error of each stretch of the argument ``name``, those beyond the limit in another colour."""
    finite = [error for _, error in worst if math.isfinite(error)]
    lines = list(limits.values())
    scale = _Scale(max([1.0, *finite, *lines]) * 1.3, form)
    chart = Element("svg", {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "class": "errors", "role": "img"})
    SubElement(chart, "title").text = f"largest error over {name}, by binade, in ulp"
    _axes(chart, scale, name, form)
    within: list[Point] = []
    beyond: list[Point] = []
    for stretch, error in worst:
        line = limits.get(stretch, limits.get(-1, math.inf))
        (beyond if error > line or (line == _EQUALITY and error > 0) else within).append((stretch, error))
    for kind, bars in (("within", within), ("beyond", beyond)):
        path = "".join(f"M{scale.x(s):.1f},{scale.y(0):.1f}V{scale.y(e):.1f}" for s, e in bars)
        SubElement(chart, "path", {"class": kind, "d": path, "stroke-width": f"{scale.bar:.2f}"})
    if limits:
        SubElement(chart, "path", {"class": "limit", "d": _limit_path(scale, limits)})
    return chart


class _Scale:
    """Places of arguments, from left to right as they grow, and of errors, by their logarithms."""

    def __init__(self, most: float, form: Format) -> None:
        self.most = most
        self._half = 1 << form.width - shift(form) - 1
        self.bar = 0.8 * (WIDTH - _LEFT - _RIGHT) / (2 * self._half)

    def x(self, stretch: int) -> float:
        """The middle of a stretch; the first half of them are the positive ones."""
        place = self._half + stretch if stretch < self._half else 2 * self._half - 1 - stretch
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (place + 0.5) / (2 * self._half)

    def y(self, error: float) -> float:
        """The height of an error; infinities are at the top."""
        share = min(math.log1p(error) / math.log1p(self.most), 1.0)
        return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * share

    def stretches(self) -> list[int]:
        """All of them, from left to right."""
        return sorted(range(2 * self._half), key=self.x)


def _axes(chart: Element, scale: _Scale, name: str, form: Format) -> None:
    shown = math.inf
    for tick in (t for t in _TICKS if t <= scale.most):
        y = scale.y(tick)
        grid = {"class": "grid", "x1": f"{_LEFT}", "x2": f"{WIDTH - _RIGHT}", "y1": f"{y:.1f}", "y2": f"{y:.1f}"}
        SubElement(chart, "line", grid)
        if shown - y >= 11:  # labels do not lie on one another
            _label(chart, _LEFT - 6, y + 4, f"{tick:g}", "end")
            shown = y
    exponents = _EXPONENTS[form]
    for sign, exponent in [(s, e) for s in ("", "-") for e in exponents]:
        x = scale.x(stretch_of(f"{sign}0x1p{exponent:+d}", form))
        anchor = "middle" if exponent != exponents[-1] else "start" if sign else "end"
        _label(chart, x, HEIGHT - 8, f"{'−' if sign else ''}2^{exponent}", anchor)
    _label(chart, scale.x(0), HEIGHT - 8, f"{name} = 0", "middle")


def _label(chart: Element, x: float, y: float, text: str, anchor: str) -> None:
    SubElement(chart, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}).text = text


def _limit_path(scale: _Scale, limits: Mapping[int, float]) -> str:
    if -1 in limits:
        return f"M{_LEFT},{scale.y(limits[-1]):.1f}H{WIDTH - _RIGHT}"
    path, last = "", None
    for stretch in scale.stretches():
        limit = limits.get(stretch)
        if limit is not None:
            left, right, y = scale.x(stretch) - scale.bar * 0.625, scale.x(stretch) + scale.bar * 0.625, scale.y(limit)
            path += f"M{left:.1f},{y:.1f}H{right:.1f}" if last is None else f"V{y:.1f}H{right:.1f}" if y != last else ""
            path += f"H{right:.1f}" if last == y else ""
        last = None if limit is None else scale.y(limit)
    return path


def histogram(counts: Sequence[tuple[str, int]]) -> Element:
    """A bar a bin, by the logarithm of its count, from the first bin to the last that has any."""
    known = dict(counts)
    bins = [name for i, name in enumerate(BINS) if known.get(name) or any(known.get(later) for later in BINS[i:-2])]
    total, most = sum(known.values()), math.log1p(max(known.values(), default=1))
    chart = Element("svg", {"viewBox": f"0 0 520 {16 * len(bins) + 4}", "class": "histogram", "role": "img"})
    SubElement(chart, "title").text = "inputs by the distance of the result from the correctly rounded one"
    for row, name in enumerate(bins):
        count, y = known.get(name, 0), 16 * row + 2
        width = 260 * math.log1p(count) / most
        _label(chart, 96, y + 11, name, "end")
        bar = {"class": "right" if name == BINS[0] else "within", "x": "102", "y": f"{y + 1}", "height": "12"}
        SubElement(chart, "rect", {**bar, "width": f"{width:.1f}"})
        _label(chart, 108 + width, y + 11, f"{count} ({_percent(count, total)})", "start")
    return chart


def _percent(count: int, total: int) -> str:
    share = 100.0 * count / total
    return f"{share:.3g} %" if share < 99.9 or count == total else f"{math.floor(share * 1e4) / 1e4} %"
