"""Join the reports of the parts of one audit into the report of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clmath import errors
from clmath.audit.acceptance.verdict import of_the_whole
from clmath.audit.inputs.row_inputs import chunks, is_parted, length
from clmath.audit.offline.folder import FILES
from clmath.audit.plan.plan import PARTS, Plan
from clmath.audit.records.reading import NOT_COMPLETE
from clmath.audit.records.record import differing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.plan.item import Item
    from clmath.audit.records.reading import Read

__all__ = ["Part", "joined"]

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
    def head(self) -> dict[str, Any]:
        """The head of the report, without the facts about an offline run's folder: every part has its own."""
        head = self.report.head
        if not head["subject"].get("kind", "").startswith(FILES):
            return head
        return {**head, "subject": {key: value for key, value in head["subject"].items() if key not in FOLDER}}

    @property
    def plan(self) -> Plan:
        """The plan of the part."""
        plan = self.report.head["plan"]
        given = {key: plan[key] for key in ("edition", "profile", "inputs", "seed", "oracle", "part", "widths")}
        return Plan.of(plan["functions"], plan["types"], **given)


def joined(parts: Sequence[Part], call: str) -> tuple[dict[str, Any], list[Verdict]]:
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
    plan = {**first.head["plan"], "part": "1/1"}
    if first.plan.is_numbered:
        plan["second look"] = False  # parts of random inputs have none: an undivided audit would have tried more inputs
    head = {**first.head, "plan": plan}
    return head, [_row(item, parts, call) for item in first.report.verdicts]


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
