"""Read reports again, to show them, or to resume the audit that wrote them, if each of their cases can be trusted."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from clmath import errors
from clmath.audit.acceptance.findings import elsewhere
from clmath.audit.counting.spread import has_regions
from clmath.audit.counting.tally import JUDGEMENTS, KEPT, Example, Tally, Verdict
from clmath.audit.inputs.row_inputs import chunks, length
from clmath.audit.inputs.values import span
from clmath.audit.judge.piece import criteria_of
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.printable import message_of
from clmath.audit.protocol.target import Target
from clmath.audit.records.record import MISSING, SCHEMA, Head, Report, Seal, differing, due_rows, verdict_of, written
from clmath.audit.running.run import Begun

RESUMING = "clmath audit: --resume"
TO_RESUME = "remove it or name another with --json"
TO_READ = "name a file that clmath audit --json has written"
NOT_COMPLETE = "is not complete; add --resume to the audit that wrote it"


class Found(NamedTuple):
    """The contents of an earlier report: the verdicts by case, and the unfinished case."""

    verdicts: dict[Item, Verdict]
    begun: Begun | None = None


class Read(NamedTuple):
    """A report to be shown: its head, its verdicts by case, and the cases that it must have.

    ``is_ended``: whether the report says that it is complete.
    """

    head: Head
    verdicts: dict[Item, Verdict]
    due: tuple[Item, ...]
    is_ended: bool = True

    @property
    def complete(self) -> bool:
        """Whether no case is missing, and the report says that it is complete."""
        return self.is_ended and not self.missing

    @property
    def missing(self) -> tuple[Item, ...]:
        """The required cases that the report lacks."""
        return tuple(item for item in self.due if item not in self.verdicts)

    @property
    def rows(self) -> list[Verdict]:
        """The verdicts on all cases; a missing case has a verdict that says so."""
        profile = self.head["plan"]["profile"]
        missing = (Verdict(item, profile, "", "", "missing", Tally(), MISSING) for item in self.due)
        return [self.verdicts.get(verdict.item, verdict) for verdict in missing]


class Reader(NamedTuple):
    """Reader of the file ``path``; ``call`` and ``remedy`` are for errors about cases that cannot be trusted."""

    path: Path
    call: str
    remedy: str

    def parsed(self) -> object:
        """Return the JSON of the file as Python values."""
        try:
            return json.loads(self.path.read_text(encoding="utf-8"), parse_constant=_no_number)
        except OSError as error:
            raise errors.not_read(self.call, self.path, error, "a file that clmath audit --json has written") from None
        except (ValueError, RecursionError):
            raise self.no_report() from None

    def report(self, report: object) -> Report:
        """Return the parsed values if they look like a report of one target; raise ClmathError otherwise."""
        if not isinstance(report, dict):
            raise self.no_report()
        if "reports" in report:
            fact = "holds the reports of several targets; name a report of one"
            raise errors.ClmathError(f"{self.call}: {self.path} {fact}")
        try:
            heads = [report[key] for key in ("schema", "versions", "subject", "plan", "tables")]
            if not all(isinstance(head, dict) for head in heads[1:]) or not isinstance(report["rows"], list):
                raise TypeError  # noqa: TRY301 - one message for all malformed reports
        except (KeyError, TypeError):
            raise self.no_report() from None
        return cast("Report", report)

    def no_report(self) -> errors.ClmathError:
        """Return the error for a file that is not a report."""
        return errors.ClmathError(f"{self.call}: {self.path} is not a report of clmath; {self.remedy}")

    def read(self, parsed: object) -> Read:
        """Return a report of any audit; ClmathError if a case was changed after it was written."""
        report = self.report(parsed)
        if report["schema"] != SCHEMA:
            raise errors.ClmathError(
                f"{self.call}: {self.path} has schema {report['schema']!r}, this clmath reads {SCHEMA}; audit again"
            )
        head = cast("Head", {key: value for key, value in report.items() if key not in ("complete", "rows", "begun")})
        due = self._due(head)
        verdicts = self.verdicts(report["rows"], head, own_faults, due)
        return Read(head, verdicts, due, report.get("complete") is True)

    def _due(self, head: Head) -> tuple[Item, ...]:
        """Return the cases that the report must have."""
        try:
            if not isinstance(head["plan"]["profile"], str):
                raise TypeError("the profile is not text")  # noqa: TRY301 - one message for all malformed plans
            return due_rows(head)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise self.no_report() from None

    def verdicts(
        self,
        rows: Sequence[object],
        head: Mapping[str, object],
        faults_of: Callable[[Verdict], Iterable[str]],
        due: Sequence[Item],
    ) -> dict[Item, Verdict]:
        """Return the verdicts on all cases, each of which must be ``due``."""
        found: dict[Item, Verdict] = {}
        seal, asked = Seal(head), frozenset(due)
        for row in rows:
            verdict = self.believed(row, seal, faults_of)
            if verdict.item in found:
                raise self.refused(row, "stands there twice")
            if verdict.item not in asked:
                raise self.refused(row, "is not in the plan")
            found[verdict.item] = verdict
        return found

    def believed(self, row: Any, seal: Seal, faults_of: Callable[[Verdict], Iterable[str]]) -> Verdict:
        """Return the verdict of a stored row; raise ClmathError if it has faults."""
        try:
            verdict = verdict_of(row)
            fault = next(iter(faults_of(verdict)), None)
            if fault is None and not written(verdict).items() <= row.items():
                fault = "does not say in its texts what its numbers say"
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise self.refused(row, f"is not a case of a report ({message_of(error)})") from None
        if fault is None and row.get("digest") != seal.of(row):
            fault = "was changed after it was written: its digest is another"
        if fault is not None:
            raise self.refused(row, fault)
        return verdict

    def refused(self, row: object, fault: str) -> errors.ClmathError:
        """Return the error for a row that has a fault."""
        facts = row if isinstance(row, dict) else {}
        name = f"{facts.get('built-in', '?')} {facts.get('type', '?')}{_components_shown(facts)}"
        return errors.ClmathError(f"{self.call}: {self.path}: case {name} {fault}; {self.remedy}")


def _components_shown(facts: Mapping[str, object]) -> str:
    """Return the number of components as the name of a case shows it; empty for scalars."""
    components = facts.get("lanes") or facts.get("width")
    return "" if components in (None, 1) else str(components)


def read(path: Path, call: str) -> Read:
    """Return a report of any audit; ClmathError if the file is not a report, or a case was changed later."""
    reader = Reader(path, call, TO_READ)
    return reader.read(reader.parsed())


def load(path: Path, head: Head, plan: Plan, target: Target) -> Found:
    """Return an earlier report of the same audit; empty if the file does not exist.

    Raise ClmathError if it belongs to another audit, or if any row differs from the row that an audit wrote.
    """
    if not path.exists():
        return Found({})
    return taken_up(path, Reader(path, RESUMING, TO_RESUME).parsed(), head, plan, target)


def taken_up(path: Path, parsed: object, head: Head, plan: Plan, target: Target) -> Found:
    """Return an earlier report of the same audit, from the values ``parsed`` from the file ``path``."""
    report = Reader(path, RESUMING, TO_RESUME).report(parsed)
    known = {key: value for key, value in head.items() if key in report or key != "due"}  # older reports lack it
    _same(path, report, json.loads(json.dumps(known)))
    reader = Reader(path, RESUMING, "remove the report, or write it anew with --force")
    due = due_rows(head)
    verdicts = reader.verdicts(report["rows"], known, lambda verdict: faults(verdict, plan, target), due)
    begun = report.get("begun")
    return Found(verdicts, None if begun is None else _begun_of(reader, begun, Seal(known), plan, verdicts))


def _no_number(word: str) -> float:
    raise ValueError(word)  # JSON has neither NaN nor infinities


def _begun_of(reader: Reader, entry: object, seal: Seal, plan: Plan, verdicts: Mapping[Item, Verdict]) -> Begun:
    row = entry.get("row") if isinstance(entry, dict) else entry
    pieces = row.get("pieces") if isinstance(row, dict) else None
    so_far = reader.believed(row, seal, lambda v: begun_faults(v.item, pieces, v.tally, plan))  # type: ignore[arg-type]
    if so_far.item in verdicts:
        raise reader.refused(row, "stands there twice, finished and not")
    return Begun(so_far.item, int(pieces or 0), so_far.tally)


def _same(path: Path, report: Mapping[str, object], head: Mapping[str, object]) -> None:
    """Refuse a report of another audit, to which no cases may be added."""
    for name, now, was in differing(head, {part: report.get(part) for part in head}):
        raise errors.ClmathError(
            f"clmath audit: --resume: {path} was made with {name} {_short(was)}, this audit has {_short(now)};"
            " ask for the same audit, or write it anew with --force"
        )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def faults(verdict: Verdict, plan: Plan, target: Target) -> Iterator[str]:
    """Yield the faults of a finished case, in words that follow its name."""
    item, tally = verdict.item, verdict.tally
    if item not in plan.items():
        yield "is not in the plan"
        return
    criteria = criteria_of(item, plan, target)
    limit = criteria.limit(item)
    if (verdict.profile, verdict.limit, verdict.source) != (criteria.profile, limit.text, limit.source):
        yield f"was judged by {verdict.limit!r} ({verdict.source}); the limit is {limit.text!r} ({limit.source})"
    yield from own_faults(verdict)
    if {other.edition for other in tally.others} - {other.edition for other in criteria.others(item)}:
        yield "has counts by an edition that asks nothing else of it"
    elif verdict.others and verdict.others != elsewhere(item, criteria, tally):
        yield "has verdicts by other editions that its counts do not give"
    if verdict.status == "pass" and tally.tried < length(item, plan, chunks(item, plan)):
        yield f"passes with {tally.tried} inputs tried; the plan has {length(item, plan, chunks(item, plan))}"


def own_faults(verdict: Verdict) -> Iterator[str]:
    """Yield the faults of a finished case that do not depend on the plan."""
    item, tally = verdict.item, verdict.tally
    if not all(isinstance(text, str) for text in (verdict.reason, *verdict.notes)):
        yield "has a reason or a note that is not text"
    yield from _wrong_counts(tally)
    yield from _wrong_examples(item, tally)
    if verdict.status not in JUDGEMENTS:
        yield f"has the status {verdict.status!r}"
    elif (verdict.status == "fail") != (tally.failed > 0):
        yield f"has the status {verdict.status!r} with {tally.failed} failed inputs"
    yield from _wrong_spread(item, tally)


def begun_faults(item: Item, pieces: int, tally: Tally, plan: Plan) -> Iterator[str]:
    """Yield the faults of an unfinished case."""
    if item not in plan.items():
        yield "is not in the plan"
        return
    if type(pieces) is not int or not 0 < pieces <= chunks(item, plan):
        yield f"has {pieces!r} chunks judged of {chunks(item, plan)}"
        return
    yield from _wrong_counts(tally)
    if tally.tried != length(item, plan, pieces):
        yield f"has {tally.tried} inputs tried; {pieces} pieces have {length(item, plan, pieces)}"
    yield from _wrong_examples(item, tally)
    yield from _wrong_spread(item, tally)


def _wrong_counts(tally: Tally) -> Iterator[str]:
    counts = {name: getattr(tally, name) for name in ("tried", "unjudged", "flushed", "failed")}
    counts |= {f"{o.edition}: {name}": getattr(o, name) for o in tally.others for name in ("unjudged", "failed")}
    counts |= {f"reasons: {reason!r}": count for reason, count in tally.reasons}
    for name, count in counts.items():
        if type(count) is not int or count < 0:
            yield f"has {name} {count!r}; a count is needed"
            return
        if count > tally.tried:
            yield f"has {name} {count} of {tally.tried} inputs tried"
    if tally.failed + tally.flushed > tally.tried:
        yield f"has {tally.failed} failed and {tally.flushed} flushed of {tally.tried} inputs tried"
    named = sum(count for _, count in tally.reasons)
    if named != tally.failed:
        yield f"has {tally.failed} failed inputs and reasons for {named}"


def _wrong_spread(item: Item, tally: Tally) -> Iterator[str]:
    counts = [count for _, count in tally.spread.counts]
    if min(counts, default=1) < 1:
        yield f"has a histogram with the count {min(counts)}"
    worst = tally.spread.worst
    if len(worst) != (len(item.measured) if counts else 0) or any(stretch < 0 for one in worst for stretch, _ in one):
        yield "has errors by binade of arguments or binades that there are not"
    regions = tally.spread.regions
    if regions and not has_regions(item):
        yield "has errors by region of arguments that have none"
    if not all(error >= 0.0 for _, error in regions):
        yield "has an error by region that is not 0 or more"
    if not all(error >= 0.0 for one in worst for _, error in one):  # may be infinite
        yield "has an error by binade that is not 0 or more"


def _wrong_examples(item: Item, tally: Tally) -> Iterator[str]:
    shown = [e.reason for e in tally.failures]
    for reason, _ in tally.reasons:
        if not 1 <= shown.count(reason) <= KEPT:
            yield f"shows {shown.count(reason)} inputs that fail by {reason!r}; 1 to {KEPT} are kept"
    if set(shown) - {reason for reason, _ in tally.reasons}:
        yield "shows a failure whose reason is not counted"
    for example in (*tally.failures, *((tally.worst,) if tally.worst else ())):
        yield from _wrong_example(item, example)


def _wrong_example(item: Item, example: Example) -> Iterator[str]:
    if math.isnan(example.error):
        yield "has an input with the error NaN"
    indices = (example.index, example.output)
    if not all(type(i) is int and i >= 0 for i in indices) or example.output >= len(item.results):
        yield f"has an input at {example.index!r}, result {example.output!r}, which there is not"
        return
    if any(len(call) != len(item.columns) for call in (example.args, *example.vector)):
        yield f"has an input of {len(example.args)} values; {len(item.columns)} are needed"
        return
    yield from _wrong_vector(item, example)
    result = item.results[example.output]
    stored = [*zip(item.columns, example.args, strict=True), (result, example.got), (result, example.expected)]
    stored += [pair for call in example.vector for pair in zip(item.columns, call, strict=True)]
    for kind, value in stored:
        least, most = span(kind, item.form)
        if type(value) is not int or not least <= value <= most:
            yield f"has the value {value!r} for a {kind}"


def _wrong_vector(item: Item, example: Example) -> Iterator[str]:
    components = 0 if item.vector == 1 else item.vector
    if len(example.vector) != components:
        yield f"has an input in a vector of {len(example.vector)} components; {components} are needed"
    elif components and example.vector[example.index % components] != example.args:
        yield "has an input that is not in its component of the vector"
