"""A self-contained HTML page: failures first, then a summary by chapter, all cases, and their charts."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from importlib import resources
from xml.etree import ElementTree as ET

from clmath.audit.reports.outcome import UNREACHED, Outcome, Whole
from clmath.audit.reports.page_tables import Numbers, cell, chapters, element, filters, matrix, raw, summed, table
from clmath.audit.reports.sections import Sections, sections
from clmath.audit.reports.terminal import exit_code, summary

ROOM = 2_800_000  # bytes of a page: beyond, cases that pass have no section of their own
LEAST = 400_000  # bytes for sections in any case, even if the tables are long


def page(whole: Whole) -> str:
    """Return the document: the element tree escapes its text, nothing is fetched, and only our script runs."""
    style, script = (resources.files(__package__).joinpath(f"page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    names = [str(outcome.head["subject"]["name"]) for outcome in whole.outcomes.values()]
    title = f"clmath audit: {', '.join(dict.fromkeys(names)) or 'nothing'}"
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    root = element(
        "html",
        element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", **{"http-equiv": "Content-Security-Policy", "content": policy}),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("title", title),
            raw("style", style),
        ),
        element("body", element("main", *_body(whole, title)), raw("script", script)),
        lang="en",
    )
    return "<!DOCTYPE html>\n" + ET.tostring(root, encoding="unicode", method="html") + "\n"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _body(whole: Whole, title: str) -> Iterator[ET.Element]:
    numbers = Numbers(whole)
    every = frozenset(range(len(list(whole.pairs))))
    tables = sum(len(ET.tostring(part)) for part in _tables(whole, numbers, every))
    found = sections(whole, numbers, max(ROOM - tables, LEAST))
    yield element("h1", title)
    yield from _targets(whole)
    yield from _failing(found)
    yield from _tables(whole, numbers, found.detailed)
    yield from _others(found)
    yield element("h2", "To do it again")
    for outcome in whole.outcomes.values():
        yield from ([element("h3", whole.name(outcome))] if whole.together else [])
        yield _facts(outcome)


def _targets(whole: Whole) -> Iterator[ET.Element]:
    """Yield the audited targets with their verdicts."""
    for outcome in whole.outcomes.values():
        yield from _target(outcome, whole)
    for name, why in whole.troubles.items():
        yield element("p", f"{name}: could not be audited: {why}", class_="verdict open")
    for name in whole.unreached:
        yield element("p", f"{name}: missing: {UNREACHED}", class_="verdict fail")


def _target(outcome: Outcome, whole: Whole) -> Iterator[ET.Element]:
    colour = ("pass", "fail", "open")[exit_code(outcome.verdicts, outcome.known)]
    if any(verdict.status == "missing" for verdict in outcome.verdicts):
        colour = "fail"
    name = whole.name(outcome)
    facts = f"{name} · {outcome.head['subject']['name']} · {_device(outcome)}" if name else _device(outcome)
    yield element("p", facts, class_="soft")
    said = f"{name}: " * bool(name) + summary(outcome.verdicts, outcome.known)
    yield element("p", said, class_=f"verdict {colour}")


def _device(outcome: Outcome) -> str:
    target, plan = outcome.head["subject"], outcome.head["plan"]
    known = [target.get(key) for key in ("driver", "device version", "version", "build options")]
    facts = [*(str(fact) for fact in known if fact), f"profile {plan['profile']}", f"seed {plan['seed']}"]
    return " · ".join([*facts, *([outcome.run.started] if outcome.run.started else [])])


def _failing(found: Sections) -> Iterator[ET.Element]:
    """Yield the cases that need attention, the most severe first."""
    count = len(found.failing) + found.left_out[0]
    if not count:
        return
    yield element("h2", f"What does not pass: {count} case{'s' * (count != 1)}, the most severe first")
    yield _key()
    yield from found.failing
    if found.left_out[0]:
        more = f"{found.left_out[0]} more cases do not pass; the tables below list them, in the same order"
        yield element("p", more, class_="verdict fail")


def _key() -> ET.Element:
    return element(
        "p",
        element("span", "largest error of a binade, within the limit", class_="key within"),
        element("span", "beyond the limit", class_="key beyond"),
        element("span", "limit", class_="key limit"),
        class_="soft",
    )


def _tables(whole: Whole, numbers: Numbers, detailed: frozenset[int]) -> Iterator[ET.Element]:
    """Yield totals, targets side by side, and the cases of each chapter."""
    yield element("h2", "Summary")
    yield summed(whole)
    if len(whole.outcomes) > 1:
        yield element("h2", "Side by side: the largest error of each target in ulp")
        yield matrix(whole, numbers, detailed)
    yield element("h2", "Rows")
    yield filters(whole)
    yield from chapters(whole, numbers, detailed)


def _others(found: Sections) -> Iterator[ET.Element]:
    """Yield sections of cases that need no attention."""
    if not found.others and not found.left_out[1]:
        return
    yield element("h2", "The other cases")
    if not found.failing:
        yield _key()
    yield from found.others
    if found.left_out[1]:
        more = f"{found.left_out[1]} cases with smaller errors are only in the tables, so that the page stays small"
        yield element("p", more, class_="soft")


def _facts(outcome: Outcome) -> ET.Element:
    rows = [element("tr", cell(name), element("td", element("code", value))) for name, value in outcome.facts()]
    return table([cell("fact", tag="th"), cell("value", tag="th")], rows)
