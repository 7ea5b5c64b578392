"""The map of a row with two arguments: the largest error of each region, beyond the limit in another colour."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement

from clmath.audit.counting.spread import REGIONS, region_texts
from clmath.audit.reports.charts import ALL, label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clmath.audit.counting.spread import Regions
    from clmath.audit.plan.item import Item

__all__ = ["heat_map", "levels"]

LEVELS = (0.5, 1.0, 2.0, 4.0, 8.0, math.inf)  # ulp, up to which a colour goes
_ROW = 22  # pixels
_BELOW = 26
_HALF = REGIONS // 2


def heat_map(item: Item, regions: Regions, limits: Mapping[int, float]) -> Element:
    """A cell for each region: the first argument grows to the right, the second upwards, as far as there are errors."""
    cells = {(_place(region // REGIONS), _place(region % REGIONS)): error for region, error in regions}
    across, upward = (range(min(c[k] for c in cells), max(c[k] for c in cells) + 1) for k in (0, 1))
    height = _ROW * len(upward)
    chart = Element("svg", {"class": "heat", "role": "img", "height": f"{height + _BELOW}"})
    first, second = item.measured
    worst = max(regions, key=lambda pair: pair[1])
    where = ", ".join(region_texts(worst[0], item.form))
    SubElement(chart, "title").text = (
        f"largest error over {first} (to the right) and {second} (upwards), both by exponents: up to {worst[1]:g} ulp"
        f" from {where} on"
    )
    box = {"viewBox": f"0 0 {len(across)} {len(upward)}", "preserveAspectRatio": "none", "width": "100%"}
    plot = SubElement(chart, "svg", {**box, "height": f"{height}"})
    for kind, path in _paths(cells, across, upward, limits.get(ALL, math.inf)):
        SubElement(plot, "path", {"class": kind, "d": path})
    _labels(chart, item, across, upward, height)
    return chart


def _place(side: int) -> int:
    """Where a side of a region is: negative numbers before positive ones, each by their size."""
    return _HALF - 1 - side % _HALF if side >= _HALF else _HALF + side


def _side(place: int) -> int:
    """The number of the side of a region that stands at a place."""
    return place - _HALF if place >= _HALF else REGIONS - 1 - place


def _paths(
    cells: Mapping[tuple[int, int], float], across: range, upward: range, limit: float
) -> Iterator[tuple[str, str]]:
    """The SVG path of each colour."""
    found: dict[str, str] = {}
    for (x, y), error in sorted(cells.items()):
        level = next(n for n, most in enumerate(LEVELS) if error <= most)
        kind = "beyond" if error > limit else f"within level-{level}"
        found[kind] = found.get(kind, "") + f"M{x - across[0]},{upward[-1] - y}h1v1h-1z"
    yield from sorted(found.items())


def _labels(chart: Element, item: Item, across: range, upward: range, height: int) -> None:
    first, second = item.measured
    for number, place in enumerate(across[:: max(len(across) // 6, 1)]):
        share = (place - across[0] + 0.5) / len(across)
        if 0.06 < share < 0.94:  # elsewhere stand the names of the arguments
            text = label(chart, f"{100 * share:.1f}%", height + 16, _power(place, item), "middle")
            text.set("class", "minor" if number % 2 else "major")
    for place in upward[:: max(len(upward) // 8, 1)]:
        y = (upward[-1] - place + 0.5) * _ROW + 4
        label(chart, "-6", y, _power(place, item), "end")
    label(chart, "100%", height + 16, f"{first} →", "end")
    label(chart, "-6", height + 16, f"{second} ↑", "end")


def _power(place: int, item: Item) -> str:
    """The number of a side that is nearest to zero, as a power of two."""
    text, _ = region_texts(_side(place) * REGIONS, item.form)
    number = float.fromhex(text)
    sign = "−" if text.startswith("-") else ""
    return f"{sign}2^{math.frexp(number)[1] - 1}" if number else f"{sign}0"


def levels() -> Sequence[str]:
    """What the colours stand for, in their order."""
    names = [f"up to {most:g} ulp" for most in LEVELS[:-1]]
    return [*names, f"more than {LEVELS[-2]:g} ulp"]
