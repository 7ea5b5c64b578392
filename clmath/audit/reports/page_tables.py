"""The elements of the page, and its tables: a summary by chapter, all cases by chapter, targets side by side."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from clmath.audit.counting.spread import Spread
from clmath.audit.counting.tally import Verdict
from clmath.audit.plan.item import Item
from clmath.audit.protocol.printable import printable
from clmath.audit.reports.known_failures import by_severity
from clmath.audit.reports.outcome import Outcome, Whole
from clmath.audit.reports.terminal import error_text, share_text, worst_text


def element(tag: str, *content: ET.Element | str, **attributes: str) -> ET.Element:
    """Return an element that contains text and elements; ``class_`` is its class."""
    found = ET.Element(tag, {key.rstrip("_"): printable(value) for key, value in attributes.items()})
    last: ET.Element | None = None
    for part in content:
        if not isinstance(part, str):
            found.append(part)
            last = part
        elif last is None:
            found.text = (found.text or "") + printable(part)
        else:
            last.tail = (last.tail or "") + printable(part)
    return found


def raw(tag: str, text: str) -> ET.Element:
    """Return a script or style of this package, which is not escaped."""
    found = ET.Element(tag)
    found.text = text
    return found


def table(head: Iterable[ET.Element], rows: Iterable[ET.Element], *foot: ET.Element, **attributes: str) -> ET.Element:
    """Return a table with a line of headings, and ``foot`` lines of totals."""
    parts = [element("thead", element("tr", *head)), element("tbody", *rows)]
    parts += [element("tfoot", *foot)] if foot else []
    return element("div", element("table", *parts, **attributes), class_="scroll", tabindex="0")


def cell(text: str, class_: str = "", tag: str = "td") -> ET.Element:
    """Return a cell of a table."""
    return element(tag, text, **({"class_": class_} if class_ else {}), **({"scope": "col"} if tag == "th" else {}))


def copied(command: str) -> ET.Element:
    """Return a command to copy: with a button if our script runs, else as text that is selected as a unit."""
    button = element("button", "Copy", type="button", hidden="hidden")
    return element("p", element("code", command), button, class_="replay")


COLOURS = {
    "pass": "pass",
    "fail": "fail",
    "missing": "fail",
    "worse than known": "fail",
    "listed, but passes": "fail",
    "known failure": "open",
    "not judged": "open",
}
_COLUMNS = ("built-in", "type", "limit", "worst (ulp)", "at", "correctly rounded", "inputs", "failed", "verdict")


class Numbers:
    """The number of each case: its section has the id ``row-NUMBER``."""

    def __init__(self, whole: Whole) -> None:
        self._numbers = {(id(outcome), v.item): n for n, (outcome, v) in enumerate(whole.pairs)}

    def __call__(self, outcome: Outcome, verdict: Verdict) -> int:
        """Return the number of a case of ``outcome``."""
        return self._numbers[id(outcome), verdict.item]


def _by_chapter(outcome: Outcome) -> dict[str, list[Verdict]]:
    return outcome.grouped(lambda verdict: verdict.item.builtin.chapter)


def summed(whole: Whole) -> Element:
    """Return a line for each target and chapter, for each type if not all of a chapter passes, and the totals."""
    used = [s for s in COLOURS if any(outcome.standing(v) == s for outcome, v in whole.pairs)]
    names = ["rows", *used, "inputs", "correctly rounded", "seconds"]
    texts = [*(["target"] if whole.together else []), "chapter", "type"]
    rows = [
        element("tr", *map(cell, (*_target(outcome, whole), *named)), *_counted([(outcome, v) for v in verdicts], used))
        for outcome in whole.outcomes.values()
        for named, verdicts in _groups(outcome)
    ]
    foot = _summed(["total", *("" for _ in texts[1:])], list(whole.pairs), used)
    return table([*(cell(n, tag="th") for n in texts), *(cell(n, "number", "th") for n in names)], rows, foot)


def _summed(texts: Sequence[str], pairs: Sequence[tuple[Outcome, Verdict]], used: Sequence[str]) -> Element:
    return element("tr", *map(cell, texts), *_counted(pairs, used))


def _target(outcome: Outcome, whole: Whole) -> list[str]:
    """Return the cells of the column with the target's name, which is present only if there may be several targets."""
    return [whole.name(outcome)] if whole.together else []


def _groups(outcome: Outcome) -> Iterator[tuple[tuple[str, str], list[Verdict]]]:
    """Yield chapter, type and their cases; if a whole chapter passes, its types come together."""
    for chapter, verdicts in _by_chapter(outcome).items():
        types = list(dict.fromkeys(v.item.form.name for v in verdicts))
        if len(types) == 1 or all(outcome.standing(v) == "pass" for v in verdicts):
            yield (chapter, ", ".join(types)), verdicts
            continue
        for name in types:
            yield (chapter, name), [v for v in verdicts if v.item.form.name == name]


def _counted(pairs: Sequence[tuple[Outcome, Verdict]], used: Sequence[str]) -> Iterator[Element]:
    """Yield the numbers of a line: cases, counts by status, inputs, share and seconds."""
    standings = [str(outcome.standing(v)) for outcome, v in pairs]
    spread = sum((Spread(v.tally.spread.counts) for _, v in pairs), Spread())
    seconds = sum(outcome.run.seconds.get(v.item, 0.0) for outcome, v in pairs)
    yield cell(f"{len(pairs)}", "number")
    for s in used:
        yield cell(f"{standings.count(s)}", f"number {COLOURS[s] if s in standings else ''}".rstrip())
    tried = sum(v.tally.tried for _, v in pairs)
    for text in (f"{tried}", share_text(spread), f"{seconds:.1f}" if seconds else "-"):
        yield cell(text, "number")


def filters(whole: Whole) -> Element:
    """Return the controls by which the script filters the cases; hidden until it runs."""
    pairs = list(whole.pairs)
    choices: dict[str, list[str]] = {"target": [whole.name(outcome) for outcome, _ in pairs]} if whole.together else {}
    choices |= {
        "chapter": [v.item.builtin.chapter for _, v in pairs],
        "type": [v.item.form.name for _, v in pairs],
        "status": [str(outcome.standing(v)) for outcome, v in pairs],
    }
    if any(v.item.components > 1 for _, v in pairs):
        choices["width"] = [str(v.item.components) for _, v in pairs]
    selects = [
        element("select", element("option", f"every {name}", value=""),
                *(element("option", value, value=value) for value in dict.fromkeys(values)),
                **{"name": name, "aria-label": name})
        for name, values in choices.items()
    ]  # fmt: skip
    text = element("input", **{"type": "search", "name": "text", "placeholder": "filter", "aria-label": "filter"})
    shown = element("span", id="shown", class_="soft", role="status")
    return element("form", text, *selects, shown, hidden="hidden")


def chapters(whole: Whole, numbers: Numbers, detailed: Collection[int]) -> Iterator[Element]:
    """Yield the cases of each chapter, folded if all pass; ``detailed``: the numbers of cases that have a section."""
    for outcome in whole.outcomes.values():
        for chapter, verdicts in _by_chapter(outcome).items():
            yield _chapter(chapter, verdicts, outcome, whole, numbers, detailed)


def _chapter(  # noqa: PLR0917 - a chapter of an outcome of a run, and its content on the page
    chapter: str,
    verdicts: Sequence[Verdict],
    outcome: Outcome,
    whole: Whole,
    numbers: Numbers,
    detailed: Collection[int],
) -> Element:
    standings = [str(outcome.standing(v)) for v in verdicts]
    counts = ", ".join(f"{standings.count(s)} {s}" for s in COLOURS if s in standings)
    name = " · ".join([*_target(outcome, whole), chapter])
    worst = next((COLOURS[s] for s in reversed(COLOURS) if s in standings and COLOURS[s] != "pass"), "pass")
    worst = "fail" if any(COLOURS[s] == "fail" for s in standings) else worst
    head = element("summary", f"{name} ", element("span", counts, class_=worst))
    heads = [cell(name, tag="th") for name in _COLUMNS]
    rows = [_row(numbers(outcome, v), v, outcome, detailed) for v in by_severity(verdicts, outcome.known)]
    facts = {"data-chapter": chapter, "data-target": whole.name(outcome)}
    found = element("details", head, table(heads, rows, class_="rows"), class_="chapter", **facts)
    if worst != "pass":
        found.set("open", "open")
    return found


def type_text(item: Item) -> str:
    """Return the type of a case with its width: ``float4``."""
    return str(item).removeprefix(f"{item.builtin.name} ")


def _row(number: int, verdict: Verdict, outcome: Outcome, detailed: Collection[int]) -> Element:
    """Return a line of a case; as there may be thousands, the style sheet counts cells and no cell has a class."""
    tally, standing, item = verdict.tally, outcome.standing(verdict), verdict.item
    name = item.builtin.name
    at, said = worst_text(verdict), verdict.with_share(standing)
    return element(
        "tr",
        element("td", element("a", name, href=f"#row-{number}")) if number in detailed else cell(name),
        cell(type_text(item)),
        cell(verdict.limit),
        cell(error_text(verdict.worst_error)),
        element("td", *([element("code", at)] if at else [])),
        cell(share_text(tally.spread)),
        cell(f"{tally.tried} {'sampled' if verdict.is_sampled else 'all'}"),
        cell(str(tally.failed)),
        cell(said, COLOURS[standing]),
        **{"data-type": item.form.name, "data-width": str(item.components), "data-row": str(number)},
        **({"data-status": standing} if said != standing else {}),
    )


def matrix(whole: Whole, numbers: Numbers, detailed: Collection[int]) -> Element:
    """Return targets side by side: a line for each case that any of them has, a column for each target."""
    found: dict[Item, dict[str, Verdict]] = {}
    for outcome, verdict in whole.pairs:
        found.setdefault(verdict.item, {})[whole.name(outcome)] = verdict
    heads = [cell(name, tag="th") for name in ("built-in", "type")]
    heads += [cell(name, "number", "th") for name in whole.outcomes]
    lines = [_line(item, verdicts, whole, numbers, detailed) for item, verdicts in found.items()]
    return table(heads, lines, class_="matrix")


def _line(
    item: Item, verdicts: Mapping[str, Verdict], whole: Whole, numbers: Numbers, detailed: Collection[int]
) -> Element:
    cells = []
    for name, outcome in whole.outcomes.items():
        verdict = verdicts.get(name)
        cells.append(cell("–", "number soft") if verdict is None else _of_target(outcome, verdict, numbers, detailed))
    return element("tr", cell(item.builtin.name), cell(type_text(item)), *cells)


def _of_target(outcome: Outcome, verdict: Verdict, numbers: Numbers, detailed: Collection[int]) -> Element:
    """Return the worst error of a case of one target, and its status in words unless it passes."""
    standing, number = outcome.standing(verdict), numbers(outcome, verdict)
    text = "" if math.isnan(verdict.worst_error) else error_text(verdict.worst_error)
    said = f"{text} {standing}".strip() if standing != "pass" else text or standing
    said = verdict.with_share(said)
    shown = element("a", said, href=f"#row-{number}") if number in detailed else said
    return element("td", shown, class_=f"number {COLOURS[standing]}")
