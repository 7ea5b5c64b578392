"""Reports without what is voluminous: small enough to lie in the repository, and still reports of ``clmath audit``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from clmath.audit.records.reading import TO_READ, Reader
from clmath.audit.records.trusted_rows import digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["slim", "thinned"]

CALL = "benchmarks.atlas"


def thinned(path: Path, functions: Sequence[str] = ()) -> str:
    """The report in ``path`` without errors by binade, and with one failure of each reason; ClmathError if it is none.

    All counts and the worst input stay, so that ``clmath report``, ``clmath diff`` and ``--resume`` take it.
    ``functions``: what the audit is to ask for from now on, if more than it did.
    """
    reader = Reader(path, CALL, TO_READ)
    report = reader.parsed()
    head = reader.read(report).head
    if set(functions) > set(report["plan"]["functions"]):
        plan = {**report["plan"], "functions": list(functions)}
        report = {key: value for key, value in report.items() if key != "due"} | {"plan": plan, "complete": False}
        head = {key: value for key, value in head.items() if key != "due"} | {"plan": plan}
    report["rows"] = [_thin(row, head) for row in report["rows"]]
    if "begun" in report:
        report["begun"]["row"] = _thin(report["begun"]["row"], head)
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"


def slim(path: Path) -> str:
    """The report in ``path`` with one failure of each reason and errors by binade, on as few lines as it has rows."""
    reader = Reader(path, CALL, TO_READ)
    report = reader.parsed()
    head = reader.read(report).head
    rows = [_with_errors(_thin(row, head), row, head) for row in report.pop("rows")]
    told = json.dumps(report, ensure_ascii=False, separators=(",", ":")).removesuffix("}")
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    return f'{told},"rows":[\n{lines}\n]}}\n'


def _with_errors(thin: Mapping[str, Any], row: Mapping[str, Any], head: Mapping[str, Any]) -> dict[str, Any]:
    """A thin row with the errors by binade of the whole one, signed anew."""
    known = {**thin, "worst by binade": row["worst by binade"]}
    return {**known, "digest": digest(head, known)}


def _thin(row: Mapping[str, Any], head: Mapping[str, Any]) -> dict[str, Any]:
    """A row, signed anew."""
    first = {failure["reason"]: failure for failure in reversed(row["failures"])}
    kept = [failure for failure in row["failures"] if first[failure["reason"]] is failure]
    whole = {key: value for key, value in row.items() if key != "worst by region"}
    slim = {**whole, "worst by binade": {name: {} for name in row["worst by binade"]}, "failures": kept}
    return {**slim, "digest": digest(head, slim)}
