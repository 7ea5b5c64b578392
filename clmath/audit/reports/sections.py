"""The sections of the page: a row with its reason, worst input, replay line, charts and failures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

from clmath.audit.reports.abridged import abridged
from clmath.audit.reports.charts import allowed, error_chart, histogram
from clmath.audit.reports.elements import copied, element
from clmath.audit.reports.heat import heat_map, levels
from clmath.audit.reports.page_tables import COLOURS
from clmath.audit.reports.severity import largest_failure, needs_attention, severity
from clmath.audit.reports.terminal import error_text, example_lines, failure_lines, limited, reasons, share_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.reports.outcome import Outcome, Whole
    from clmath.audit.reports.page_tables import Numbers

__all__ = ["Sections", "sections"]

OPENED = 10  # of the rows that fail, so many sections are unfolded at first
LINES = 100, 40  # lines of a message that are shown: its first and its last ones
_REST = "the JSON report and --log FILE have them"


class Sections(NamedTuple):
    """``failing``: of rows that need attention, the most severe first; ``others``: of the others, in their order.

    ``told``: the numbers of the rows that have a section; ``left_out``: how many of both kinds have none.
    """

    failing: list[ET.Element]
    others: list[ET.Element]
    told: frozenset[int]
    left_out: tuple[int, int]


def sections(whole: Whole, numbers: Numbers, room: int) -> Sections:
    """The sections that ``room`` bytes can hold: first of rows that need attention, then those with largest errors."""
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
    failing, told = list(found.values())[:attention], frozenset(found)
    others = [found[number] for number in sorted(list(found)[attention:])]
    return Sections(failing, others, told, (attention - len(failing), len(pairs) - attention - len(others)))


def _known_error(verdict: Verdict) -> float:
    return 0.0 if math.isnan(verdict.worst_error) else verdict.worst_error


def _section(number: int, verdict: Verdict, outcome: Outcome, subject: str) -> ET.Element:
    standing = outcome.standing(verdict)
    name = f"{subject}: {verdict.item} " if subject else f"{verdict.item} "
    reason = outcome.explained(verdict).partition("\n")[0] if needs_attention(verdict, outcome.known) else ""
    said = element("span", f"{verdict.with_share(standing)}{': ' if reason else ''}{reason}", class_=COLOURS[standing])
    section = element("details", element("summary", name, said), *_told(verdict, outcome), id=f"row-{number}")
    section.extend(_failures(verdict, outcome) if verdict.status == "fail" else ())
    section.extend(_charts(verdict))
    log = outcome.run.logs.get(verdict.item)
    if log:
        section.append(element("h3", "Compiler log"))
        section.append(element("pre", abridged(log, _REST, *LINES), tabindex="0"))
    return section


def _told(verdict: Verdict, outcome: Outcome) -> Iterator[ET.Element]:
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
    """The failure with the largest error, where it was not shown, and some of each kind."""
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
            lane = " (its first lane)" if verdict.item.width else ""
            yield element("h3", f"Error in ulp over {name}{lane}, both logarithmic")
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
