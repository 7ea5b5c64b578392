"""An audit as JSON: written row by row, so that one that was killed can be taken up again."""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import math
import platform
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import clmath
from clmath import errors
from clmath.audit.belief import begun_faults, digest, faults, own_faults
from clmath.audit.exact.types import form_of
from clmath.audit.foreign import message_of
from clmath.audit.plan import item_named
from clmath.audit.run import Begun
from clmath.audit.spread import Spread, stretch_of, stretch_text
from clmath.audit.tally import Elsewhere, Example, Otherwise, Tally, Verdict
from clmath.audit.values import encoding_text
from clmath.numbers.formats import FORMATS
from clmath.spec import editions, files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from clmath.audit.plan import Item, Plan
    from clmath.audit.subject import Subject
    from clmath.numbers.formats import Format

__all__ = [
    "SCHEMA",
    "TABLES",
    "Found",
    "Read",
    "header",
    "load",
    "made_by",
    "read",
    "row_text",
    "save",
    "verdict_of",
    "written",
]

SCHEMA = 1  # raised whenever a key changes its meaning
TABLES = (
    "builtins.toml",
    "families.toml",
    "inputs.toml",
)  # and those of every edition, and the hard inputs of every format


def header(plan: Plan, subject: Subject, chosen: Sequence[str] = (), asked: str = "") -> dict[str, Any]:
    """What an audit is of: versions, subject, plan, table digests. Two audits of equal headers give equal rows.

    ``chosen``: why the subject is this one, where nobody named it; ``asked``: the SUBJECT of the command line.
    """
    made = made_by(plan)
    return {
        "schema": SCHEMA,
        "versions": made["versions"],
        "subject": {
            "name": subject.name,
            **({"asked": asked} if asked else {}),
            **subject.describe(),
            **({"chosen": "; ".join(chosen)} if chosen else {}),
        },
        **made,
    }


def made_by(plan: Plan) -> dict[str, Any]:
    """What inputs and verdicts depend on beside the subject: versions, plan and the digests of tables."""
    return {
        "versions": _versions(),
        "plan": {
            "functions": list(dict.fromkeys(row.name for row in plan.functions)),
            "types": [form.name for form in plan.formats],
            "widths": list(plan.widths),
            "edition": plan.edition,
            "profile": plan.profile,
            "inputs": plan.inputs,
            **({"part": "{}/{}".format(*plan.part)} if plan.has_parts else {}),
            "seed": plan.seed,
            "oracle": plan.oracle,
            **({} if plan.closer else {"second look": False}),
        },
        "tables": {name: files.digest(name) for name in _tables(plan)},
    }


def _tables(plan: Plan) -> Iterator[str]:
    """The tables that verdicts and inputs depend on; those of all editions, by which each row is judged."""
    yield from TABLES
    judging = dict.fromkeys((plan.edition, *editions.known()))
    yield from dict.fromkeys(name for edition in judging for name in editions.tables(edition))
    yield from (f"hard/{form}.toml" for form in FORMATS if form in plan.formats)
    yield "hard/known.toml"


def _versions() -> dict[str, str]:
    import gmpy2

    return {
        "clmath": clmath.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "gmpy2": gmpy2.version(),
        "mpfr": gmpy2.mpfr_version(),
        "mpmath": importlib.metadata.version("mpmath"),
        "platform": platform.platform(),
    }


def written(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain JSON values; encodings are hex strings, ints numbers, errors numbers or "inf"."""
    tally, item = verdict.tally, verdict.item
    return {
        "built-in": item.builtin.name,
        "type": item.form.name,
        "lanes": item.width,
        "width": item.vector,
        "profile": verdict.profile,
        "limit": verdict.limit,
        "source": verdict.source,
        "status": verdict.status,
        "reason": verdict.reason,
        "left open": verdict.left_open,
        "notes": list(verdict.notes),
        "tried": tally.tried,
        "sampled": verdict.is_sampled,
        "unjudged": tally.unjudged,
        "flushed": tally.flushed,
        "failed": tally.failed,
        "reasons": dict(tally.reasons),
        "other editions": _others_written(verdict),
        "correctly rounded": tally.spread.share,
        "histogram": dict(tally.spread.counts),
        "worst by binade": _stretches_written(item, tally.spread),
        "worst": _written(verdict, tally.worst) if tally.worst else None,
        "failures": [_written(verdict, e) for e in tally.failures],
    }


def _others_written(verdict: Verdict) -> dict[str, Any]:
    """The counts by other editions; once the row is finished, their verdicts and limits too."""
    said = {other.edition: other for other in verdict.others}
    found: dict[str, Any] = {}
    for edition, unjudged, failed in verdict.tally.others:
        found[edition] = {"unjudged": unjudged, "failed": failed}
        if edition in said:
            _, status, limit, source = said[edition]
            found[edition] |= {"status": status, "limit": limit, "source": source}
    return found


def _stretches_written(item: Item, spread: Spread) -> dict[str, dict[str, float | str]]:
    """The worst errors by the name of the argument and the number of its stretch that is nearest to zero."""
    return {
        name: {stretch_text(stretch, item.form): _number(error) for stretch, error in worst}
        for name, worst in zip(item.measured, spread.worst, strict=False)  # without a spread, nothing
    }


def _spread(row: Mapping[str, Any], item: Item) -> Spread:
    worst = [
        {stretch_of(text, item.form): float(error) for text, error in one.items()}
        for one in row["worst by binade"].values()
    ]
    return Spread.of(row["histogram"], worst)


def _written(verdict: Verdict, example: Example) -> dict[str, Any]:
    item = verdict.item
    result = item.results[example.output]
    return {
        **asdict(example),
        "args": _call_written(example.args, item),
        "vector": [_call_written(args, item) for args in example.vector],
        "got": _stored(example.got, result, item.form),
        "expected": _stored(example.expected, result, item.form),
        "exact": None if example.exact is None else [*(part.hex() for part in example.exact[:2]), example.exact[2]],
        "error": _number(example.error),
        "text": {
            "args": verdict.arguments_text(example),
            "got": verdict.result_text(example, example.got),
            "expected": verdict.result_text(example, example.expected),
        },
    }


def _call_written(args: Sequence[int], item: Item) -> list[int | str]:
    return [_stored(v, kind, item.form) for v, kind in zip(args, item.columns, strict=True)]


def _stored(value: int, kind: str, form: Format) -> int | str:
    return value if form_of(kind, form) is None else encoding_text(value, kind, form)


def _number(value: float) -> float | str:
    """JSON has no infinities."""
    return float(value) if math.isfinite(value) else str(float(value))


def verdict_of(row: Mapping[str, Any]) -> Verdict:
    """The verdict that ``written`` wrote; KeyError, TypeError or ValueError where the row is not one."""
    item = item_named(row["built-in"], row["type"], int(row["lanes"]), int(row["width"]))
    return Verdict(
        item,
        row["profile"],
        row["limit"],
        row["source"],
        row["status"],
        Tally(
            row["tried"],
            row["unjudged"],
            row["flushed"],
            row["failed"],
            tuple(row["reasons"].items()),
            _example(row["worst"]) if row["worst"] else None,
            tuple(_example(e) for e in row["failures"]),
            tuple(Otherwise(name, o["unjudged"], o["failed"]) for name, o in row["other editions"].items()),
            _spread(row, item),
        ),
        row["reason"],
        tuple(row["notes"]),
        bool(row["left open"]),
        tuple(
            Elsewhere(name, o["status"], o["limit"], o["source"])
            for name, o in row["other editions"].items()
            if "status" in o
        ),
    )


def _example(row: Mapping[str, Any]) -> Example:
    exact = row["exact"]
    return Example(
        row["index"],
        tuple(_value(v) for v in row["args"]),
        row["output"],
        _value(row["got"]),
        _value(row["expected"]),
        None if exact is None else (float.fromhex(exact[0]), float.fromhex(exact[1]), exact[2]),
        float(row["error"]),
        row["reason"],
        tuple(tuple(_value(v) for v in args) for args in row["vector"]),
    )


def _value(stored: int | str) -> int:
    return int(stored, 16) if isinstance(stored, str) else stored


def save(
    path: Path, head: Mapping[str, Any], rows: Sequence[str], *, complete: bool, begun: Begun | None = None
) -> None:
    """Write the report so that ``path`` always holds a whole one: beside it first, then in its place.

    ``rows``: what ``row_text`` gives.
    """
    parts = [f"{json.dumps(key)}: {_text(value)}" for key, value in {**head, "complete": complete}.items()]
    parts.append('"rows": [' + ",".join(rows) + "\n ]")
    if begun:
        parts.append(f'"begun": {_text(_begun_written(head, begun))}')
    beside = path.with_name(f"{path.name}.part")
    try:
        beside.write_text("{\n " + ",\n ".join(parts) + "\n}\n", encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise errors.not_written("clmath audit", path, error) from None


def row_text(head: Mapping[str, Any], verdict: Verdict) -> str:
    """A finished row as it stands in the report, signed by its digest."""
    return "\n  " + _text(_signed(head, written(verdict)), deep=2)


def _text(value: Any, deep: int = 1) -> str:
    """JSON, each value on a line of its own, ``deep`` places to the right."""
    return json.dumps(value, indent=1, ensure_ascii=False).replace("\n", "\n" + " " * deep)


def _signed(head: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "digest": digest(head, row)}


def _begun_written(head: Mapping[str, Any], begun: Begun) -> dict[str, Any]:
    """A row that is not finished: what a verdict would say, and how far it has come."""
    so_far = Verdict(begun.item, "full", "", "", "not judged", begun.tally)
    return {"pieces": begun.pieces, "row": _signed(head, {**written(so_far), "pieces": begun.pieces})}


class Found(NamedTuple):
    """What an earlier report holds: the verdicts by row, and the row that was not finished."""

    verdicts: dict[Item, Verdict]
    begun: Begun | None = None


class Read(NamedTuple):
    """A report that is to be looked at: what it is of, its verdicts by row, and whether no row is missing."""

    head: dict[str, Any]
    verdicts: dict[Item, Verdict]
    complete: bool


class _Reader(NamedTuple):
    """Reads the file ``path``; ``call`` and ``remedy`` stand in the error where a row is not to be believed."""

    path: Path
    call: str
    remedy: str

    def report(self) -> dict[str, Any]:
        """The parsed file, which looks like a report."""
        try:
            report = json.loads(self.path.read_text(encoding="utf-8"), parse_constant=_no_number)
            heads = [report[key] for key in ("schema", "versions", "subject", "plan", "tables")]
            if not all(isinstance(head, dict) for head in heads[1:]) or not isinstance(report["rows"], list):
                raise TypeError  # noqa: TRY301 - one message for whatever is no report
        except OSError as error:
            raise errors.ClmathError(f"{self.call}: {self.path} cannot be read: {error.strerror}") from None
        except (KeyError, TypeError, ValueError, RecursionError):
            message = f"{self.call}: {self.path} is not a report of clmath; {self.remedy}"
            raise errors.ClmathError(message) from None
        return dict(report)

    def verdicts(
        self, rows: Sequence[Any], head: Mapping[str, Any], faults_of: Callable[[Verdict], Iterable[str]]
    ) -> dict[Item, Verdict]:
        """The verdicts of all rows."""
        found: dict[Item, Verdict] = {}
        for row in rows:
            verdict = self.believed(row, head, faults_of)
            if verdict.item in found:
                raise self.refused(row, "stands there twice")
            found[verdict.item] = verdict
        return found

    def believed(self, row: Any, head: Mapping[str, Any], faults_of: Callable[[Verdict], Iterable[str]]) -> Verdict:
        """The verdict of a row, if nothing speaks against it."""
        try:
            verdict = verdict_of(row)
            fault = next(iter(faults_of(verdict)), None)
            if fault is None and not written(verdict).items() <= row.items():
                fault = "does not say in its texts what its numbers say"
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise self.refused(row, f"is not a row of a report ({message_of(error)})") from None
        if fault is None and row.get("digest") != digest(head, row):
            fault = "was changed after it was written: its digest is another"
        if fault is not None:
            raise self.refused(row, fault)
        return verdict

    def refused(self, row: Any, fault: str) -> errors.ClmathError:
        """The error that names a row."""
        facts = row if isinstance(row, dict) else {}
        name = f"{facts.get('built-in', '?')} {facts.get('type', '?')}{_lanes_shown(facts)}"
        return errors.ClmathError(f"{self.call}: {self.path}: row {name} {fault}; {self.remedy}")


def _lanes_shown(facts: Mapping[str, Any]) -> str:
    """The lanes as they stand in the name of a row."""
    lanes = facts.get("lanes") or facts.get("width")
    return "" if lanes in (None, 1) else str(lanes)


def read(path: Path, call: str) -> Read:
    """A report, whatever audit it is of; ClmathError where it is none, or a row was changed after it was written."""
    reader = _Reader(path, call, "name a file that clmath audit --json has written")
    report = reader.report()
    if report["schema"] != SCHEMA:
        raise errors.ClmathError(
            f"{call}: {path} has schema {report['schema']!r}, this clmath reads {SCHEMA}; audit again"
        )
    head = {key: value for key, value in report.items() if key not in ("complete", "rows", "begun")}
    verdicts = reader.verdicts(report["rows"], head, own_faults)
    return Read(head, verdicts, report.get("complete") is True)


def load(path: Path, head: Mapping[str, Any], plan: Plan, subject: Subject) -> Found:
    """An earlier report of the same audit, empty where there is no file.

    ClmathError where it is of another audit, or where a row is not what an audit has written: nothing is believed.
    """
    if not path.exists():
        return Found({})
    call, remedy = "clmath audit: --resume", "remove the report, or write it anew with --force"
    report = _Reader(path, call, "remove it or name another with --json").report()
    _same(path, report, json.loads(json.dumps(head)))
    reader = _Reader(path, call, remedy)
    verdicts = reader.verdicts(report["rows"], head, lambda verdict: faults(verdict, plan, subject))
    begun = report.get("begun")
    return Found(verdicts, None if begun is None else _begun_of(reader, begun, head, plan, verdicts))


def _no_number(word: str) -> float:
    raise ValueError(word)  # NaN and infinities are no JSON


def _begun_of(
    reader: _Reader, entry: Any, head: Mapping[str, Any], plan: Plan, verdicts: Mapping[Item, Verdict]
) -> Begun:
    row = entry.get("row") if isinstance(entry, dict) else entry
    pieces = row.get("pieces") if isinstance(row, dict) else None
    so_far = reader.believed(row, head, lambda v: begun_faults(v.item, pieces, v.tally, plan))  # type: ignore[arg-type]
    if so_far.item in verdicts:
        raise reader.refused(row, "stands there twice, finished and not")
    return Begun(so_far.item, int(pieces or 0), so_far.tally)


def _same(path: Path, report: Mapping[str, Any], head: Mapping[str, Any]) -> None:
    """Rows may only be joined to those of the same audit."""
    for part, wanted in head.items():
        found = report.get(part)
        if found == wanted:
            continue
        pairs = [(part, found, wanted)]
        if isinstance(wanted, dict) and isinstance(found, dict):
            keys = dict.fromkeys([*wanted, *found])
            pairs = [(f"{part}: {k}", found.get(k), wanted.get(k)) for k in keys if found.get(k) != wanted.get(k)]
        name, was, now = pairs[0]
        raise errors.ClmathError(
            f"clmath audit: --resume: {path} was made with {name} {_short(was)}, this audit has {_short(now)};"
            " ask for the same audit, or write it anew with --force"
        )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
