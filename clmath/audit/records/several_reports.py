"""File with the reports of several targets, written and read again; reports of the parts of one audit are joined."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeGuard, cast

from clmath import errors
from clmath.audit.acceptance.findings import of_the_whole
from clmath.audit.counting.tally import Verdict
from clmath.audit.inputs.row_inputs import chunks, is_parted, length
from clmath.audit.offline.folder import FILES
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import PARTS, Plan
from clmath.audit.records.reading import NOT_COMPLETE, RESUMING, TO_READ, TO_RESUME, Read, Reader
from clmath.audit.records.record import SCHEMA, Head, PlanFacts, Report, Seal, differing


@dataclass(frozen=True)
class Reports:
    """The reports of a file, by the SUBJECT of the command line; ``troubles``: why targets could not be audited.

    ``together``: whether the reports are from one run over several targets, even if only one was found.
    ``unreached``: the targets that the run did not reach.
    """

    reports: Mapping[str, Read]
    together: bool
    troubles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    unreached: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every target is reached and has all its cases."""
        return not self.unreached and all(one.complete for one in self.reports.values())


def text(targets: Sequence[str], reports: Mapping[str, str], troubles: Mapping[str, str]) -> str:
    """Return the text of the file: ``reports`` by ``record.report_text``, in the order of ``targets``."""
    not_audited = {name: troubles[name] for name in targets if name in troubles}
    parts = [f'"schema": {SCHEMA}', f'"subjects": {_json(list(targets))}', f'"not audited": {_json(not_audited)}']
    parts.append(f'"digest": {_json(digest(list(targets), not_audited))}')
    parts.append('"reports": [\n' + ",\n".join(reports[name].rstrip("\n") for name in targets if name in reports) + "]")
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def again(report: Mapping[str, object]) -> str:
    """Return the text of a target's earlier report, which stays in the file until the run continues it."""
    return json.dumps(report, ensure_ascii=False, indent=1)


def digest(targets: Sequence[str], troubles: Mapping[str, str]) -> str:
    """Return the first 16 hex digits of a SHA-256 of a run's targets, and of the reasons why some were not audited."""
    return Seal({"subjects": list(targets)}).of({"not audited": dict(troubles)})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def read(path: Path, call: str) -> Reports:
    """Return the reports of a file, or its only one; ClmathError if a report cannot be trusted.

    Cases of a target that could not be audited later are left out; ``earlier`` has them.
    """
    reader = Reader(path, call, TO_READ)
    parsed = reader.parsed()
    if not _is_of_several(parsed):
        one = reader.read(parsed)
        return Reports({name_of(one.head): one}, together=False)
    targets, troubles, listed = _reported(reader, parsed)
    reports = {name_of(one.head): one for one in map(reader.read, listed)}
    if not reports.keys() | troubles.keys() <= set(targets) or len(reports) != len(listed):
        raise reader.no_report()
    whole = {name: one for name, one in reports.items() if name not in troubles}
    unreached = tuple(name for name in targets if name not in troubles and name not in whole)
    return Reports(whole, together=True, troubles=troubles, unreached=unreached)


def earlier(path: Path, targets: Sequence[str]) -> dict[str, Report]:
    """Return the reports of an earlier run over these ``targets``, to be continued; {} if the file does not exist.

    Raise ClmathError if the file is something else, or has a report of another target, which would be lost.
    """
    if not path.exists():
        return {}
    reader = Reader(path, RESUMING, TO_RESUME)
    parsed = reader.parsed()
    if not _is_of_several(parsed):
        reader.report(parsed)
        raise errors.ClmathError(f"{RESUMING}: {path} is of one target; name it alone, or another file with --json")
    *_, listed = _reported(reader, parsed)
    found = {name_of(one): one for one in map(reader.report, listed)}
    for name in found:
        if name not in targets:
            fact = f"{path} holds a report of {name}, which is not asked for"
            raise errors.ClmathError(f"{RESUMING}: {fact}; name it too, or write the file anew with --force")
    return found


def name_of(head: Head) -> str:
    """Return the SUBJECT of the command line of a report; for an audit from Python, the target's name."""
    return str(head["subject"].get("asked", head["subject"]["name"]))


def _is_of_several(parsed: object) -> TypeGuard[dict[str, object]]:
    return isinstance(parsed, dict) and "reports" in parsed


def _reported(reader: Reader, parsed: Mapping[str, object]) -> tuple[list[str], dict[str, str], list[object]]:
    """Return the targets of a run, the reasons why some could not be audited, and the reports of others."""
    if parsed.get("schema") != SCHEMA:
        fact = f"has schema {parsed.get('schema')!r}, this clmath reads {SCHEMA}; audit again"
        raise errors.ClmathError(f"{reader.call}: {reader.path} {fact}")
    targets, troubles, reports = (parsed.get(key) for key in ("subjects", "not audited", "reports"))
    if not (isinstance(targets, list) and isinstance(troubles, dict) and isinstance(reports, list)):
        raise reader.no_report()
    if not all(isinstance(one, str) for one in (*targets, *troubles.values())) or len({*targets}) < len(targets):
        raise reader.no_report()
    if parsed.get("digest") != digest(targets, troubles):
        fact = "the list of its targets was changed after it was written: its digest is another"
        raise errors.ClmathError(f"{reader.call}: {reader.path}: {fact}; audit again")
    return targets, troubles, reports


FOLDER = ("asked", "results")  # facts about the folder of an offline run, which differ from part to part


class Part(NamedTuple):
    """The report of a part, and the file it was read from."""

    path: Path
    report: Read

    @property
    def name(self) -> str:
        """The name of the part on the command line: K/N."""
        return str(self.report.head["plan"].get("part", ""))

    @property
    def head(self) -> Head:
        """The head of the report, without the facts about an offline run's folder: every part has its own."""
        head = self.report.head
        if not head["subject"].get("kind", "").startswith(FILES):
            return head
        return {**head, "subject": {key: value for key, value in head["subject"].items() if key not in FOLDER}}

    @property
    def plan(self) -> Plan:
        """The plan of the part."""
        plan = self.report.head["plan"]
        return Plan.of(
            plan["functions"],
            plan["types"],
            profile=plan["profile"],
            inputs=plan["inputs"],
            seed=plan["seed"],
            oracle=plan["oracle"],
            part=plan["part"],
            edition=plan["edition"],
            widths=plan["widths"],
        )


def joined(parts: Sequence[Part], call: str) -> tuple[Head, list[Verdict]]:
    """Return the head and the verdicts as of an audit without parts; for random inputs, without local search.

    Raise ClmathError unless the reports cover all parts of one audit, each once and complete.
    """
    first = parts[0]
    for part in parts:
        if not part.name:
            raise errors.ClmathError(
                f"{call}: {part.path} is of no part; only audits of exhaustive or many random inputs have parts"
            )
        if not part.report.complete:
            raise errors.ClmathError(f"{call}: {part.path} {NOT_COMPLETE}")
        _same_audit(first, part, call)
    _each_once(parts, call)
    # parts of random inputs have no local search: an undivided audit would have tried more inputs
    without_search = {"second look": False} if first.plan.is_numbered else {}
    plan = cast("PlanFacts", {**first.head["plan"], "part": "1/1", **without_search})
    return {**first.head, "plan": plan}, [_row(item, parts, call) for item in first.report.verdicts]


def _same_audit(first: Part, part: Part, call: str) -> None:
    """Refuse a part whose plan, target, versions or tables differ from the first."""
    for name, fact, other in differing(first.head, part.head):
        if name != "plan: part":
            raise errors.ClmathError(
                f"{call}: {part.path} was made with {name} {other!r}, {first.path} with {fact!r};"
                " name the parts of one audit"
            )
    if list(first.report.verdicts) != list(part.report.verdicts):
        raise errors.ClmathError(f"{call}: {part.path} has other cases than {first.path}; name the parts of one audit")


def _each_once(parts: Sequence[Part], call: str) -> None:
    """Refuse parts that have inputs in common, and parts that do not cover all inputs."""
    owners: dict[int, Part] = {}
    for part in parts:
        k, n = part.plan.part
        for piece in range(k - 1, PARTS, n):
            if piece in owners:
                other = owners[piece]
                raise errors.ClmathError(
                    f"{call}: {other.path} is part {other.name} and {part.path} part {part.name}, which have inputs in"
                    " common; name every part once"
                )
            owners[piece] = part
    if len(owners) < PARTS:
        n = max(part.plan.part[1] for part in parts)
        missing = [f"{k}/{n}" for k in range(1, n + 1) if any(p not in owners for p in range(k - 1, PARTS, n))]
        shown = ", ".join(missing[:8]) + (", ..." if len(missing) > 8 else "")
        raise errors.ClmathError(f"{call}: the reports of {shown} are missing; name those of all parts")


def _row(item: Item, parts: Sequence[Part], call: str) -> Verdict:
    """Return the verdict on a case: the sum if the parts have different inputs, else the verdict of any part."""
    found = [part.report.verdicts[item] for part in parts]
    if not is_parted(item, parts[0].plan):
        for part, verdict in zip(parts, found, strict=True):
            if repr(verdict) != repr(found[0]):
                raise errors.ClmathError(
                    f"{call}: {part.path}: case {item} is another than in {parts[0].path}, though all parts have the"
                    " same inputs: the target does not always give the same results"
                )
        return found[0]
    for part, verdict in zip(parts, found, strict=True):
        if verdict.tally.tried != length(item, part.plan, chunks(item, part.plan)):
            raise errors.ClmathError(
                f"{call}: {part.path}: row {item} was not judged to its end"
                f" ({verdict.reason or verdict.notes[-1]}); add --resume to the audit that wrote it, or --force"
            )
    return of_the_whole(found, [part.plan for part in parts])
