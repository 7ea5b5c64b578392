"""JUnit's XML for continuous integration: one suite per target, chapter and type, one test per case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from clmath.audit.protocol.printable import printable
from clmath.audit.reports.outcome import UNREACHED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.reports.outcome import Outcome, Whole

__all__ = ["junit"]

_ELEMENTS = {
    "fail": "failure",
    "worse than known": "failure",
    "listed, but passes": "failure",
    "known failure": "skipped",
    "not judged": "error",
    "missing": "error",
}


def junit(whole: Whole) -> str:
    """Return the document; control characters, which XML cannot hold, are escaped as on a terminal."""
    names = [str(outcome.head["subject"]["name"]) for outcome in whole.outcomes.values()]
    root = ET.Element("testsuites", name=printable(f"clmath audit {', '.join(names)}".strip()))
    told: set[tuple[str, str]] = set()
    for outcome in whole.outcomes.values():
        suites = list(_suites(outcome, whole.name(outcome)))
        for first in suites[:1]:
            first.insert(0, _properties(fact for fact in outcome.facts() if fact not in told))
        told.update(outcome.facts())
        root.extend(suites)
    root.extend(_trouble(name, why, "could not be audited") for name, why in whole.troubles.items())
    root.extend(_trouble(name, UNREACHED, "missing") for name in whole.unreached)
    targets = ["error" for _ in (*whole.troubles, *whole.unreached)]
    _count(root, [*(_element(v, outcome) for outcome, v in whole.pairs), *targets])
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _suites(outcome: Outcome, target: str) -> Iterator[ET.Element]:
    """Yield one suite for each chapter and type; ``target``: the target's name if there may be others."""
    suites = outcome.grouped(lambda verdict: (verdict.item.builtin.chapter, verdict.item.form.name))
    before = f"{_word(target)}." if target else ""
    for (chapter, form), verdicts in suites.items():
        yield _suite(f"{before}{chapter}.{form}", verdicts, outcome)


def _word(target: str) -> str:
    """Return a target's name as one part of a class name, without full stops, at which readers split."""
    return re.sub(r"[^\w:-]+", "_", printable(target))


def _trouble(name: str, why: str, kind: str) -> ET.Element:
    """Return a suite with one error: the target was not audited."""
    suite = ET.Element("testsuite", name=_word(name))
    _count(suite, ["error"])
    case = ET.SubElement(suite, "testcase", classname=f"clmath.{_word(name)}", name="audit")
    ET.SubElement(case, "error", message=printable(" ".join(why.split())), type=kind)
    return suite


def _suite(name: str, verdicts: Sequence[Verdict], outcome: Outcome) -> ET.Element:
    suite = ET.Element("testsuite", name=name)
    _count(suite, [_element(v, outcome) for v in verdicts])
    suite.set("time", f"{sum(outcome.run.seconds.get(v.item, 0.0) for v in verdicts):.3f}")
    if outcome.run.started:
        suite.set("timestamp", outcome.run.started.removesuffix("Z"))
    suite.extend(_case(name, verdict, outcome) for verdict in verdicts)
    return suite


def _properties(facts: Iterable[tuple[str, str]]) -> ET.Element:
    """Return the facts of a target's report that no earlier suite has; only its first suite lists them."""
    properties = ET.Element("properties")
    for key, value in facts:
        ET.SubElement(properties, "property", name=printable(key), value=printable(value))
    return properties


def _element(verdict: Verdict, outcome: Outcome) -> str:
    """Return the name of the element inside a case's test: failure, error or skipped; empty if the case passes."""
    return "skipped" if verdict.left_open else _ELEMENTS.get(outcome.standing(verdict), "")


def _count(element: ET.Element, kinds: Sequence[str]) -> None:
    element.set("tests", str(len(kinds)))
    for plural, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(plural, str(kinds.count(kind)))


def _case(suite: str, verdict: Verdict, outcome: Outcome) -> ET.Element:
    seconds = outcome.run.seconds.get(verdict.item, 0.0)
    name = str(verdict.item).removeprefix(f"{verdict.item.builtin.name} ")
    case = ET.Element("testcase", classname=f"clmath.{suite}", name=f"{verdict.item.builtin.name} {name}")
    case.set("time", f"{seconds:.3f}")
    kind, standing = _element(verdict, outcome), outcome.standing(verdict)
    if not kind and verdict.tally.unspecified:
        ET.SubElement(case, "system-out").text = verdict.with_share(standing)
    if kind:
        message = f"{verdict.with_share(standing)}: {outcome.explained(verdict)}"
        found = ET.SubElement(case, kind, message=printable(" ".join(message.split())), type=standing)
        if verdict.status == "fail":
            found.text = "\n" + printable("\n".join(outcome.failure(verdict))) + "\n"
    return case
