"""Reports for programs: JUnit's XML, comma-separated values, and the JSON that OpenCL-CTS writes."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from xml.etree import ElementTree as ET

from clmath.audit.counting.tally import Verdict
from clmath.audit.protocol.printable import printable
from clmath.audit.records.several_reports import name_of
from clmath.audit.reports.outcome import UNREACHED, Outcome, Whole
from clmath.audit.reports.terminal import named_failure, share_text, worst_text
from clmath.spec import files

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
    reported: set[tuple[str, str]] = set()
    for outcome in whole.outcomes.values():
        suites = list(_suites(outcome, whole.name(outcome)))
        for first in suites[:1]:
            first.insert(0, _properties(fact for fact in outcome.facts() if fact not in reported))
        reported.update(outcome.facts())
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
    return "skipped" if verdict.is_unspecified else _ELEMENTS.get(outcome.standing(verdict), "")


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


COLUMNS = ("subject", "chapter", "built-in", "type", "lanes", "width", "profile", "limit", "source", "status",
           "verdict", "reason", "worst ulp", "worst at", "correctly rounded %", "tried", "sampled", "failed", "flushed",
           "left open", "seconds", "replay", "asked")  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\n")


def sheet(whole: Whole) -> str:
    """Return the lines, with a heading; a target that could not be audited has one line with the reason."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_cells(verdict, outcome) for outcome, verdict in whole.pairs)
    for name, why in whole.troubles.items():
        writer.writerow(_without_rows(name, "not audited", why))
    writer.writerows(_without_rows(name, "missing", UNREACHED) for name in whole.unreached)
    return text.getvalue()


def _without_rows(name: str, status: str, why: str) -> list[str]:
    """Return the line of a target without cases."""
    known = {"status": status, "reason": _plain(why), "asked": _plain(name)}
    return [known.get(column, "") for column in COLUMNS]


def _cells(verdict: Verdict, outcome: Outcome) -> list[object]:
    item, tally = verdict.item, verdict.tally
    error, seconds = verdict.worst_error, outcome.run.seconds.get(item)
    return [
        _plain(outcome.head["subject"]["name"]),
        item.builtin.chapter,
        item.builtin.name,
        item.form.name,
        item.width,
        item.vector,
        verdict.profile,
        verdict.limit,
        verdict.source,
        outcome.standing(verdict),
        verdict.with_share(outcome.standing(verdict)),
        _plain(outcome.explained(verdict)),
        "" if math.isnan(error) else f"{error:.6g}",
        worst_text(verdict),
        share_text(tally.spread, 7).removesuffix(" %").replace("-", ""),
        tally.tried,
        int(verdict.is_sampled),
        tally.failed,
        tally.flushed,
        tally.unjudged,
        "" if seconds is None else f"{seconds:.3f}",
        outcome.replay.command(item, named_failure(verdict, outcome.known)),
        _plain(name_of(outcome.head)),
    ]


def _plain(text: str) -> str:
    """Return foreign text on one line, so that a spreadsheet does not take it for a formula."""
    line = " ".join(printable(text).split())
    return f"'{line}" if line.startswith(_FORMULA) else line


def cts(whole: Whole) -> str:
    """Return one test for all cases of a built-in, as in OpenCL-CTS: 'fail' if one fails, 'skip' if one is missing.

    A test is 'skip', too, if nothing of it was judged. A known failure is a failure, since OpenCL-CTS does not have
    known failures. All results belong to one device.
    """
    (outcome,) = whole.outcomes.values()
    rows = outcome.grouped(lambda verdict: _test_of(verdict, outcome))
    results = {name: _result(verdicts) for name, verdicts in rows.items()}
    return json.dumps({"cmd": "clmath_audit", "results": results}, indent="\t") + "\n"


def _test_of(verdict: Verdict, outcome: Outcome) -> str:
    """Return the test of OpenCL-CTS to which a case belongs."""
    names, builtin = files.load("cts_tests.toml"), verdict.item.builtin
    built = outcome.head["subject"].get("build options", "").split()
    if names["option"]["option"] in built and verdict.item.form.name in names["option"]["types"]:
        special: str = names["option"]["named"].get(builtin.called, "")
        if special:
            return special
    return str(names["named"].get(builtin.called) or names["prefix"].get(builtin.chapter, "") + builtin.called)


def _result(verdicts: Sequence[Verdict]) -> str:
    if any(v.status == "fail" or (v.status == "not judged" and not v.is_unspecified) for v in verdicts):
        return "fail"
    if any(v.status == "missing" for v in verdicts):
        return "skip"
    return "pass" if any(v.status == "pass" for v in verdicts) else "skip"
