"""Plot time per call over the number of elements, from a file of ``python -m benchmarks calls --json``, as SVG.

``python -m benchmarks.picture results.json calls.svg``. Each function and type has its plot; axes are logarithmic.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["generated", "main"]

LINES = {
    "clmath": "#0b5fa5",
    "rtp": "#7db6e0",
    "every second": "#3f9c35",
    "NumPy": "#c0392b",
    "loop over numbers": "#8d8d8d",
}
WIDTH, HEIGHT = 420, 300  # of a plot
LEFT, TOP, RIGHT, BOTTOM = 60, 34, 12, 40  # margins around its axes
COLUMNS = 2
LEAST, MOST = 0.1, 1e6  # microseconds: range of the vertical axis


class _Axis(NamedTuple):
    """Logarithmic axis: its range of values, and the coordinates of its ends."""

    least: float
    most: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the coordinate of a value; values out of range are at an end."""
        inside = min(max(value, self.least), self.most)
        share = math.log10(inside / self.least) / math.log10(self.most / self.least)
        return round(self.start + share * (self.end - self.start), 2)

    def powers(self) -> list[int]:
        """Return the exponents of the powers of ten on the axis."""
        return list(range(round(math.log10(self.least)), math.floor(math.log10(self.most)) + 1))


def generated(rows: Sequence[Mapping[str, Any]]) -> ET.Element:
    """Return the SVG picture of the rows of the section ``calls``."""
    parts: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        parts.setdefault((row["function"], row["type"]), []).append(row)
    lines = math.ceil(len(parts) / COLUMNS)
    size = WIDTH * COLUMNS, HEIGHT * lines + 24
    picture = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {size[0]} {size[1]}",
            "font-family": "sans-serif",
            "font-size": "11",
        },
    )
    ET.SubElement(picture, "rect", {"width": f"{size[0]}", "height": f"{size[1]}", "fill": "#ffffff"})
    for number, ((name, type), some) in enumerate(parts.items()):
        place = f"translate({number % COLUMNS * WIDTH} {number // COLUMNS * HEIGHT})"
        _draw(ET.SubElement(picture, "g", {"transform": place}), f"{name}, {type}", some)
    legend = ET.SubElement(picture, "g", {"transform": f"translate({LEFT} {HEIGHT * lines + 12})"})
    for number, (key, color) in enumerate(LINES.items()):
        _text(legend, key, number * 150 + 20, 4, fill=color)
        _line(legend, (number * 150, 0), (number * 150 + 15, 0), color, "2")
    return picture


def _draw(part: ET.Element, title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    counts = [int(row["elements"]) for row in rows]
    across = _Axis(1.0, max(10.0, *counts), LEFT, WIDTH - RIGHT)
    upward = _Axis(LEAST, MOST, HEIGHT - BOTTOM, TOP)
    _text(part, title, LEFT, TOP - 12, weight="bold")
    for power in upward.powers():
        y = upward.at(10.0**power)
        _line(part, (LEFT, y), (WIDTH - RIGHT, y), "#dddddd")
        _text(part, _microseconds(power), LEFT - 6, y + 4, anchor="end")
    for power in across.powers():
        x = across.at(10.0**power)
        _line(part, (x, TOP), (x, HEIGHT - BOTTOM), "#dddddd")
        _text(part, f"10^{power}" if power > 3 else f"{10**power}", x, HEIGHT - BOTTOM + 16, anchor="middle")
    _text(part, "elements", WIDTH - RIGHT, HEIGHT - BOTTOM + 32, anchor="end")
    for key, color in LINES.items():
        points = [(across.at(n), upward.at(row[key])) for n, row in zip(counts, rows, strict=True) if row.get(key)]
        path = " ".join(f"{x},{y}" for x, y in points)
        line = {"points": path, "fill": "none", "stroke": color, "stroke-width": "2", "class": key.replace(" ", "-")}
        ET.SubElement(part, "polyline", line)


def _microseconds(power: int) -> str:
    """Return 10^power microseconds as text, with a unit that keeps the number below 1000."""
    for most, unit in ((0, "ns"), (3, "µs"), (6, "ms")):
        if power < most:
            return f"{10 ** (power - most + 3)} {unit}"
    return f"{10 ** (power - 6)} s"


def _line(part: ET.Element, start: tuple[float, float], end: tuple[float, float], color: str, width: str = "1") -> None:
    (x1, y1), (x2, y2) = start, end
    places = {"x1": f"{x1}", "y1": f"{y1}", "x2": f"{x2}", "y2": f"{y2}"}
    ET.SubElement(part, "line", {**places, "stroke": color, "stroke-width": width})


def _text(  # noqa: PLR0917
    part: ET.Element,
    text: str,
    x: float,
    y: float,
    anchor: str = "start",
    weight: str = "normal",
    fill: str = "#222222",
) -> None:
    places = {"x": f"{x}", "y": f"{y}", "text-anchor": anchor, "font-weight": weight, "fill": fill}
    ET.SubElement(part, "text", places).text = text


def main() -> None:
    """Read results from one file and write the picture to another."""
    results, picture = map(Path, sys.argv[1:3])
    sections = json.loads(results.read_text(encoding="utf-8"))["sections"]
    rows = [row for section in sections if section["section"] == "calls" for row in section["rows"]]
    picture.write_text(ET.tostring(generated(rows), encoding="unicode") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
