"""One HTML page that needs nothing else: summary, filterable table, and the charts and failures of every row."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from clmath.audit.foreign import printable
from clmath.audit.report import FAILING, error_text, exit_code, share_text, summary, worst_text
from clmath.audit.reports.charts import allowed, error_chart, histogram
from clmath.audit.reports.outcome import UNREACHED
from clmath.audit.spread import Spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clmath.audit.reports.outcome import Outcome, Whole
    from clmath.audit.tally import Verdict

__all__ = ["page"]

_COLOURS = {
    "pass": "pass",
    "fail": "fail",
    "missing": "fail",
    "worse than known": "fail",
    "listed, but passes": "fail",
    "known failure": "open",
    "not judged": "open",
}
_COLUMNS = ("built-in", "type", "limit", "worst (ulp)", "at", "correctly rounded", "inputs", "failed", "verdict")
_NUMBERS = ("worst (ulp)", "correctly rounded", "inputs", "failed")


def page(whole: Whole) -> str:
    """The document: text goes through the element tree, which escapes it; nothing is fetched, only our script runs."""
    style, script = (resources.files(__package__).joinpath(f"page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    names = [str(outcome.head["subject"]["name"]) for outcome in whole.outcomes.values()]
    title = f"clmath audit: {', '.join(dict.fromkeys(names)) or 'nothing'}"
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    root = _element(
        "html",
        _element(
            "head",
            _element("meta", charset="utf-8"),
            _element("meta", **{"http-equiv": "Content-Security-Policy", "content": policy}),
            _element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            _element("title", title),
            _raw("style", style),
        ),
        _element("body", *_body(whole, title), _raw("script", script)),
        lang="en",
    )
    return "<!DOCTYPE html>\n" + ET.tostring(root, encoding="unicode", method="html") + "\n"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _raw(tag: str, text: str) -> ET.Element:
    """A script or style of ours, which is not escaped."""
    element = ET.Element(tag)
    element.text = text
    return element


def _element(tag: str, *content: ET.Element | str, **attributes: str) -> ET.Element:
    """An element with text and elements in it; whatever a terminal would obey is shown as an escape."""
    element = ET.Element(tag, {key.rstrip("_"): printable(value) for key, value in attributes.items()})
    last: ET.Element | None = None
    for part in content:
        if not isinstance(part, str):
            element.append(part)
            last = part
        elif last is None:
            element.text = (element.text or "") + printable(part)
        else:
            last.tail = (last.tail or "") + printable(part)
    return element


def _body(whole: Whole, title: str) -> Iterator[ET.Element]:
    yield _element("h1", title)
    for outcome in whole.outcomes.values():
        yield from _subject(outcome, whole)
    for name, why in whole.troubles.items():
        yield _element("p", f"{name}: could not be audited: {why}", class_="verdict open")
    for name in whole.unreached:
        yield _element("p", f"{name}: missing: {UNREACHED}", class_="verdict fail")
    yield _element("h2", "Summary")
    yield _summary(whole)
    yield _element("h2", "Rows")
    yield _filters(whole)
    yield _rows(whole)
    yield _element("h2", "Each row")
    yield _element(
        "p",
        _element("span", "largest error of a binade, within the limit", class_="key within"),
        _element("span", "beyond the limit", class_="key beyond"),
        _element("span", "limit", class_="key limit"),
        class_="soft",
    )
    for number, (outcome, verdict) in enumerate(whole.pairs):
        yield _section(number, verdict, outcome, whole.name(outcome))
    yield _element("h2", "To do it again")
    for outcome in whole.outcomes.values():
        yield from ([_element("h3", whole.name(outcome))] if whole.together else [])
        yield _facts(outcome)


def _subject(outcome: Outcome, whole: Whole) -> Iterator[ET.Element]:
    """What was audited, and the verdict."""
    colour = ("pass", "fail", "open")[exit_code(outcome.verdicts, outcome.known)]
    if any(verdict.status == "missing" for verdict in outcome.verdicts):
        colour = "fail"
    name = whole.name(outcome)
    facts = f"{name} · {outcome.head['subject']['name']} · {_device(outcome)}" if name else _device(outcome)
    yield _element("p", facts, class_="soft")
    said = f"{name}: " * bool(name) + summary(outcome.verdicts, outcome.known)
    yield _element("p", said, class_=f"verdict {colour}")


def _device(outcome: Outcome) -> str:
    subject, plan = outcome.head["subject"], outcome.head["plan"]
    known = [subject.get(key) for key in ("driver", "device version", "version", "build options")]
    facts = [*(str(fact) for fact in known if fact), f"profile {plan['profile']}", f"seed {plan['seed']}"]
    return " · ".join([*facts, *([outcome.run.started] if outcome.run.started else [])])


def _table(head: Iterable[ET.Element], rows: Iterable[ET.Element], **attributes: str) -> ET.Element:
    table = _element("table", _element("thead", _element("tr", *head)), _element("tbody", *rows), **attributes)
    return _element("div", table, class_="scroll")


def _cell(text: str, class_: str = "", tag: str = "td") -> ET.Element:
    return _element(tag, text, **({"class_": class_} if class_ else {}))


def _summary(whole: Whole) -> ET.Element:
    """A line for each subject, chapter and type."""
    used = [s for s in _COLOURS if any(outcome.standing(v) == s for outcome, v in whole.pairs)]
    names = ["rows", *used, "inputs", "correctly rounded", "seconds"]
    texts = [*_texts(whole, "subject"), "chapter", "type"]
    rows = [row for outcome in whole.outcomes.values() for row in _groups(outcome, whole, used)]
    return _table([*(_cell(n, tag="th") for n in texts), *(_cell(n, "number", "th") for n in names)], rows)


def _texts(whole: Whole, text: str) -> list[str]:
    """What stands in a column that is there where there may be several subjects."""
    return [text] if whole.together else []


def _groups(outcome: Outcome, whole: Whole, used: Sequence[str]) -> Iterator[ET.Element]:
    """The lines of the summary on one subject."""
    groups: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in outcome.verdicts:
        groups.setdefault((verdict.item.builtin.chapter, verdict.item.form.name), []).append(verdict)
    for named, verdicts in groups.items():
        standings = [str(outcome.standing(v)) for v in verdicts]
        counts = [_cell(f"{standings.count(s)}", f"number {_COLOURS[s] if s in standings else ''}") for s in used]
        spread = sum((Spread(v.tally.spread.counts) for v in verdicts), Spread())
        seconds = sum(outcome.run.seconds.get(v.item, 0.0) for v in verdicts)
        after = [f"{sum(v.tally.tried for v in verdicts)}", share_text(spread), f"{seconds:.1f}" if seconds else "-"]
        cells = [_cell(f"{len(verdicts)}", "number"), *counts, *(_cell(text, "number") for text in after)]
        yield _element("tr", *map(_cell, (*_texts(whole, whole.name(outcome)), *named)), *cells)


def _filters(whole: Whole) -> ET.Element:
    """What the script filters the table by; hidden until it runs."""
    pairs = list(whole.pairs)
    choices: dict[str, list[str]] = {"subject": [whole.name(outcome) for outcome, _ in pairs]} if whole.together else {}
    choices |= {
        "chapter": [v.item.builtin.chapter for _, v in pairs],
        "type": [v.item.form.name for _, v in pairs],
        "status": [str(outcome.standing(v)) for outcome, v in pairs],
    }
    if any(v.item.lanes > 1 for _, v in pairs):
        choices["width"] = [str(v.item.lanes) for _, v in pairs]
    selects = [
        _element("select", _element("option", f"every {name}", value=""),
                 *(_element("option", value, value=value) for value in dict.fromkeys(values)),
                 **{"name": name, "aria-label": name})
        for name, values in choices.items()
    ]  # fmt: skip
    text = _element("input", **{"type": "search", "name": "text", "placeholder": "filter", "aria-label": "filter"})
    return _element("form", text, *selects, _element("span", id="shown", class_="soft"), hidden="hidden")


def _rows(whole: Whole) -> ET.Element:
    columns = (*_texts(whole, "subject"), *_COLUMNS)
    heads = [_cell(name, "number" if name in _NUMBERS else "", "th") for name in columns]
    rows = [_row(n, v, outcome, whole) for n, (outcome, v) in enumerate(whole.pairs)]
    return _table(heads, rows, id="rows")


def _name(verdict: Verdict) -> str:
    return verdict.item.builtin.name


def _type(verdict: Verdict) -> str:
    return str(verdict.item).removeprefix(f"{_name(verdict)} ")


def _row(number: int, verdict: Verdict, outcome: Outcome, whole: Whole) -> ET.Element:
    tally, standing = verdict.tally, outcome.standing(verdict)
    return _element(
        "tr",
        *map(_cell, _texts(whole, whole.name(outcome))),
        _element("td", _element("a", _name(verdict), href=f"#row-{number}"), class_="name"),
        _cell(_type(verdict), "name"),
        _cell(verdict.limit),
        _cell(error_text(verdict.worst_error), "number"),
        _element("td", _element("code", worst_text(verdict))),
        _cell(share_text(tally.spread), "number"),
        _cell(f"{tally.tried} {'sampled' if verdict.is_sampled else 'all'}", "number"),
        _cell(str(tally.failed), "number"),
        _cell(standing, f"status {_COLOURS[standing]}"),
        **{
            "data-subject": whole.name(outcome),
            "data-chapter": verdict.item.builtin.chapter,
            "data-type": verdict.item.form.name,
            "data-width": str(verdict.item.lanes),
            "data-status": standing,
            "data-section": f"row-{number}",
        },
    )


def _section(number: int, verdict: Verdict, outcome: Outcome, subject: str) -> ET.Element:
    standing = outcome.standing(verdict)
    name = f"{subject}: {verdict.item} " if subject else f"{verdict.item} "
    head = _element("summary", name, _element("span", standing, class_=_COLOURS[standing]))
    section = _element("details", head, *_told(verdict, outcome), *_charts(verdict), id=f"row-{number}")
    if standing in FAILING:
        section.set("open", "open")
    if verdict.status == "fail":
        section.append(_element("h3", "Failures"))
        section.append(_element("pre", "\n".join(outcome.failure(verdict))))
    log = outcome.run.logs.get(verdict.item)
    if log:
        section.append(_element("h3", "Compiler log"))
        section.append(_element("pre", log))
    return section


def _told(verdict: Verdict, outcome: Outcome) -> Iterator[ET.Element]:
    if verdict.status == "missing":
        yield _element("p", outcome.explained(verdict))
        return
    tally, seconds = verdict.tally, outcome.run.seconds.get(verdict.item)
    took = "" if seconds is None else f" · {seconds:.2f} s"
    yield _element("p", f"limit {verdict.limit} ({verdict.source})")
    share = f"correctly rounded: {share_text(tally.spread)} of {tally.spread.counted} inputs"
    yield _element("p", f"{share} · {tally.flushed} flushed · {tally.unjudged} left open{took}", class_="soft")
    lines: Sequence[str] = (outcome.explained(verdict), *verdict.notes)
    yield from (_element("p", line) for line in lines if line)
    worst = tally.worst
    if worst is not None and worst.error != 0:
        text = (f"largest error {error_text(verdict.worst_error)} ulp at {verdict.arguments_text(worst)}:"
                f" got {verdict.result_text(worst, worst.got)},"
                f" correctly rounded {verdict.result_text(worst, worst.expected)}")  # fmt: skip
        yield _element("p", _element("code", text))
        yield _element("p", _element("code", outcome.replay.commands(verdict.item, worst)[1]))


def _charts(verdict: Verdict) -> Iterator[ET.Element]:
    spread = verdict.tally.spread
    if not spread.counted:
        return
    limits = allowed(verdict)
    for name, worst in zip(verdict.item.measured, spread.worst, strict=True):
        if worst:
            lane = " (its first lane)" if verdict.item.width else ""
            yield _element("h3", f"Error in ulp over {name}{lane}")
            yield error_chart(worst, limits, name, verdict.item.form)
    yield _element("h3", "Inputs by the distance of the result from the correctly rounded one")
    yield histogram(spread.counts)


def _facts(outcome: Outcome) -> ET.Element:
    rows = [_element("tr", _cell(name), _element("td", _element("code", value))) for name, value in outcome.facts()]
    return _table([_cell("fact", tag="th"), _cell("value", tag="th")], rows)
