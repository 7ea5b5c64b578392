"""The sections of the page: a case with its reason, worst input, replay line, charts and failures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element, SubElement

from clmath.audit.counting.spread import REGIONS, Regions, region_texts
from clmath.audit.counting.tally import Verdict
from clmath.audit.plan.item import Item
from clmath.audit.reports.charts import ALL, allowed, error_chart, histogram, label
from clmath.audit.reports.known_failures import largest_failure, needs_attention, severity
from clmath.audit.reports.outcome import Outcome, Whole
from clmath.audit.reports.page_tables import COLOURS, Numbers, copied, element
from clmath.audit.reports.terminal import (
    abridged,
    error_text,
    example_lines,
    failure_lines,
    limited,
    reasons,
    share_text,
)

LEVELS = (0.5, 1.0, 2.0, 4.0, 8.0, math.inf)  # ulp, the upper bounds of colours
_ROW = 22  # pixels
_BELOW = 26
_HALF = REGIONS // 2


def heat_map(item: Item, regions: Regions, limits: Mapping[int, float]) -> Element:
    """Return a cell for each region with errors: the first argument grows to the right, the second upwards."""
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
    """Return the place of a side of a region: negative numbers before positive ones, each by size."""
    return _HALF - 1 - side % _HALF if side >= _HALF else _HALF + side


def _side(place: int) -> int:
    """Return the number of the side of a region at a place."""
    return place - _HALF if place >= _HALF else REGIONS - 1 - place


def _paths(
    cells: Mapping[tuple[int, int], float], across: range, upward: range, limit: float
) -> Iterator[tuple[str, str]]:
    """Yield the SVG path of each colour."""
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
        if 0.06 < share < 0.94:  # the names of the arguments are elsewhere
            text = label(chart, f"{100 * share:.1f}%", height + 16, _power(place, item), "middle")
            text.set("class", "minor" if number % 2 else "major")
    for place in upward[:: max(len(upward) // 8, 1)]:
        y = (upward[-1] - place + 0.5) * _ROW + 4
        label(chart, "-6", y, _power(place, item), "end")
    label(chart, "100%", height + 16, f"{first} →", "end")
    label(chart, "-6", height + 16, f"{second} ↑", "end")


def _power(place: int, item: Item) -> str:
    """Return the number of a side that is nearest to zero, as a power of two."""
    text, _ = region_texts(_side(place) * REGIONS, item.form)
    number = float.fromhex(text)
    sign = "−" if text.startswith("-") else ""
    return f"{sign}2^{math.frexp(number)[1] - 1}" if number else f"{sign}0"


def levels() -> Sequence[str]:
    """Return the meanings of the colours, in their order."""
    names = [f"up to {most:g} ulp" for most in LEVELS[:-1]]
    return [*names, f"more than {LEVELS[-2]:g} ulp"]


OPENED = 10  # number of sections of failing cases that are unfolded at first
LINES = 100, 40  # numbers of lines of a message that are shown: first and last
_REST = "the JSON report and --log FILE have them"


class Sections(NamedTuple):
    """Sections ``failing`` of cases that need attention, the most severe first, and ``others`` in their order.

    ``detailed``: the numbers of the cases that have a section; ``left_out``: the number of cases of both kinds that
    have none.
    """

    failing: list[ET.Element]
    others: list[ET.Element]
    detailed: frozenset[int]
    left_out: tuple[int, int]


def sections(whole: Whole, numbers: Numbers, room: int) -> Sections:
    """Return the sections that fit in ``room`` bytes: first cases that need attention, then by size of errors."""
    pairs = sorted(whole.pairs, key=lambda pair: (severity(pair[1], pair[0].known), -_known_error(pair[1])))
    attention = sum(1 for outcome, verdict in pairs if needs_attention(verdict, outcome.known))
    found: dict[int, ET.Element] = {}
    for outcome, verdict in pairs:
        number = numbers(outcome, verdict)
        section = _section(number, verdict, outcome, whole.name(outcome))
        room -= len(ET.tostring(section))
        if room < 0:
            break
        if len(found) < min(attention, OPENED):
            section.set("open", "open")
        found[number] = section
    failing, detailed = list(found.values())[:attention], frozenset(found)
    others = [found[number] for number in sorted(list(found)[attention:])]
    return Sections(failing, others, detailed, (attention - len(failing), len(pairs) - attention - len(others)))


def _known_error(verdict: Verdict) -> float:
    return 0.0 if math.isnan(verdict.worst_error) else verdict.worst_error


def _section(number: int, verdict: Verdict, outcome: Outcome, target: str) -> ET.Element:
    standing = outcome.standing(verdict)
    name = f"{target}: {verdict.item} " if target else f"{verdict.item} "
    reason = outcome.explained(verdict).partition("\n")[0] if needs_attention(verdict, outcome.known) else ""
    said = element("span", f"{verdict.with_share(standing)}{': ' if reason else ''}{reason}", class_=COLOURS[standing])
    section = element("details", element("summary", name, said), *_reported(verdict, outcome), id=f"row-{number}")
    section.extend(_failures(verdict, outcome) if verdict.status == "fail" else ())
    section.extend(_charts(verdict))
    log = outcome.run.logs.get(verdict.item)
    if log:
        section.append(element("h3", "Compiler log"))
        section.append(element("pre", abridged(log, _REST, *LINES), tabindex="0"))
    return section


def _reported(verdict: Verdict, outcome: Outcome) -> Iterator[ET.Element]:
    lines = [line for line in (outcome.explained(verdict), *verdict.notes) if line]
    if verdict.status == "missing":
        yield from (element("p", line) for line in lines)
        return
    tally, seconds = verdict.tally, outcome.run.seconds.get(verdict.item)
    took = "" if seconds is None else f" · {seconds:.2f} s"
    yield element("p", f"{limited(verdict)} ({verdict.source})")
    share = f"correctly rounded: {share_text(tally.spread)} of {tally.spread.counted} inputs"
    yield element(
        "p", f"{share} · {tally.flushed} flushed as allowed · {tally.unjudged} unspecified{took}", class_="soft"
    )
    for line in lines:
        yield element("pre" if "\n" in line else "p", abridged(line, _REST, *LINES))
    worst = tally.worst
    if worst is not None and worst.error != 0:
        within = " (allowed)" if tally.failed and not worst.reason else ""
        text = (f"largest error{within} {error_text(verdict.worst_error)} ulp at {verdict.arguments_text(worst)}:"
                f" got {verdict.result_text(worst, worst.got)},"
                f" correctly rounded {verdict.result_text(worst, worst.expected)}")  # fmt: skip
        yield element("p", element("code", text))
        command = outcome.replay.command(verdict.item, worst)
        if command and not within:
            yield copied(command)


def _failures(verdict: Verdict, outcome: Outcome) -> Iterator[ET.Element]:
    """Yield the failure with the largest error unless it was shown, and some failures of each kind."""
    worst, shown = largest_failure(verdict), verdict.tally.worst
    if worst is not None and not (shown and shown.reason and abs(shown.error) >= abs(worst.error)):
        yield element("h3", "The failure with the largest error")
        lines = list(example_lines(verdict, worst, outcome.replay))[:-2]
        yield element("pre", "\n".join(lines), tabindex="0")
        if command := outcome.replay.command(verdict.item, worst):
            yield copied(command)
    head, *lines = failure_lines(verdict, outcome.replay)
    counts = "; ".join(f"{count} x {reason}" for reason, count in reasons(verdict.tally))
    yield element("p", f"{verdict.tally.failed} of {verdict.tally.tried} inputs fail: {counts}")
    text = element("pre", "\n".join([head, *lines]), tabindex="0")
    yield element("details", element("summary", "The worst failures kept of each kind"), text)


def _charts(verdict: Verdict) -> Iterator[ET.Element]:
    spread = verdict.tally.spread
    if not spread.counted:
        return
    limits = allowed(verdict)
    for name, worst in zip(verdict.item.measured, spread.worst, strict=False):
        if worst:
            component = " (its first component)" if verdict.item.width else ""
            yield element("h3", f"Error in ulp over {name}{component}, both logarithmic")
            yield error_chart(verdict.item, name, worst, limits)
    if spread.regions:
        first, second = verdict.item.measured
        yield element("h3", f"Error in ulp over {first} and {second}, by regions of their exponents")
        yield heat_map(verdict.item, spread.regions, limits)
        names = [element("span", name, class_=f"key level-{n}") for n, name in enumerate(levels())]
        rest = element("span", "no colour: all correctly rounded, or none tried")
        yield element("p", *names, element("span", "beyond the limit", class_="key beyond"), rest, class_="soft")
    yield element("h3", "Inputs by the distance of the result from the correctly rounded one, bars logarithmic")
    yield histogram(spread.counts)
