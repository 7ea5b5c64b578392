"""An audit as JSON: written case by case, by one audit at a time, so that an audit that was killed can be resumed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypedDict, cast

from clmath import errors
from clmath.audit.counting.spread import Spread, region_of, region_texts, stretch_of, stretch_text
from clmath.audit.counting.tally import Elsewhere, Example, Otherwise, Tally, Verdict
from clmath.audit.inputs.provenance import made_by
from clmath.audit.inputs.values import encoding_text
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_called, item_named
from clmath.audit.plan.types import form_of
from clmath.audit.protocol.target import Target
from clmath.audit.running.run import Begun
from clmath.numbers.formats import Format

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def locked(path: Path, call: str) -> Iterator[None]:
    """Keep other audits from writing ``path`` within a with block; ClmathError if another one is writing it.

    The lock is on a file next to it, and the system releases it when this process ends, even if it is killed.
    """
    beside = path.with_name(f"{path.name}.lock")
    descriptor = _opened(beside, path, call)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
        os.close(descriptor)


def _opened(beside: Path, path: Path, call: str) -> int:
    """Return the descriptor of the lock file, locked by this process, while the file still has that name."""
    while True:
        try:
            descriptor = os.open(beside, os.O_CREAT | os.O_RDWR, 0o644)
        except OSError as error:
            raise errors.not_written(call, path, error) from None
        try:
            _take(descriptor)
            if beside.stat().st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        except FileNotFoundError:  # another audit has just removed it
            pass
        except OSError:
            os.close(descriptor)
            raise errors.ClmathError(
                f"{call}: --json {path} is being written by another audit; wait for it, or name another file"
            ) from None
        os.close(descriptor)


MISSING = "the report lacks this case, and the audit was to judge it"


class PlanFacts(TypedDict, total=False):
    """The plan of an audit, as its report names it; earlier reports lack some facts, and others have one more."""

    functions: list[str]
    types: list[str]
    widths: list[int]
    edition: str
    profile: str
    inputs: int | str
    part: str
    seed: int
    oracle: str


class Head(TypedDict, total=False):
    """The head of a report: all that is known before the first case is judged. Equal heads imply equal cases."""

    schema: int
    versions: dict[str, str]
    subject: dict[str, str]
    plan: PlanFacts
    tables: dict[str, str]
    due: list[str]


class Report(Head, total=False):
    """A report as it is read: its head, and its cases, which are not trusted yet."""

    complete: bool
    rows: list[object]
    begun: object


def due_rows(head: Head) -> tuple[Item, ...]:
    """Return the cases that a report must have.

    Earlier reports do not name them: they must have all cases of the plan, even cases that the target lacks. KeyError,
    TypeError or ValueError if ``head`` is malformed.
    """
    if "due" not in head:
        plan = head["plan"]
        return Plan.of(plan["functions"], plan["types"], widths=plan["widths"]).items()
    if not isinstance(head["due"], list):
        raise TypeError("the names of cases are not a list")
    items = tuple(item_called(str(name)) for name in head["due"])
    if len(set(items)) < len(items):
        raise ValueError("a case is due twice")
    return items


AS_WRITTEN = ("build options", "declared")  # facts that keep their blanks, since command lines repeat them
SCHEMA = 1  # raised whenever a key changes its meaning


def header(plan: Plan, target: Target, items: Sequence[Item], chosen: Sequence[str] = (), asked: str = "") -> Head:
    """Return the head of a report: versions, target, plan, digests of tables.

    ``items``: the cases of the plan that the target has. ``chosen``: why this target was chosen if nobody named it.
    ``asked``: the SUBJECT of the command line.
    """
    made = made_by(plan)
    head = {
        "schema": SCHEMA,
        "versions": made["versions"],
        "subject": {
            "name": _spaced(target.name),
            **({"asked": asked} if asked else {}),
            **{name: _fact(name, value) for name, value in target.describe().items()},
            **({"chosen": "; ".join(chosen)} if chosen else {}),
        },
        **made,
        "due": [str(item) for item in items],
    }
    return cast("Head", head)


def differing(one: Mapping[str, object], other: Mapping[str, object]) -> Iterator[tuple[str, object, object]]:
    """Yield the facts in which the heads of two reports differ: name, as 'plan: seed', and both values."""
    for section in dict.fromkeys([*one, *other]):
        facts, others = one.get(section), other.get(section)
        if not isinstance(facts, dict) or not isinstance(others, dict):
            facts, others = {"": facts}, {"": others}
        for key in dict.fromkeys([*facts, *others]):
            if facts.get(key) != others.get(key):
                yield f"{section}: {key}".removesuffix(": "), facts.get(key), others.get(key)


def _fact(name: str, value: str) -> str:
    """Return a fact about a target, with single blanks; options stay as they were written."""
    return value if name in AS_WRITTEN else _spaced(value)


def _spaced(text: str) -> str:
    """Return the text with single blanks: drivers may have more, which the files of an offline run do not keep."""
    return " ".join(text.split())


def written(verdict: Verdict) -> dict[str, object]:
    """Return a verdict as plain JSON values; encodings are hex strings, ints numbers, errors numbers or "inf"."""
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
        "left open": verdict.is_unspecified,
        "notes": list(verdict.notes),
        "tried": tally.tried,
        "sampled": verdict.is_sampled,
        "unjudged": tally.unjudged,
        "unspecified share": tally.unjudged / tally.tried if tally.tried else 0.0,
        "flushed": tally.flushed,
        "failed": tally.failed,
        "reasons": dict(tally.reasons),
        "other editions": _others_written(verdict),
        "correctly rounded": tally.spread.share,
        "histogram": dict(tally.spread.counts),
        "worst by binade": _stretches_written(item, tally.spread),
        **({"worst by region": _regions_written(item, tally.spread)} if tally.spread.regions else {}),
        "worst": _written(verdict, tally.worst) if tally.worst else None,
        "failures": [_written(verdict, e) for e in tally.failures],
    }


def _others_written(verdict: Verdict) -> dict[str, dict[str, object]]:
    """Return the counts by other editions, and for a finished case its verdicts and limits."""
    said = {other.edition: other for other in verdict.others}
    found: dict[str, dict[str, object]] = {}
    for edition, unjudged, failed in verdict.tally.others:
        found[edition] = {"unjudged": unjudged, "failed": failed}
        if edition in said:
            _, status, limit, source, alike = said[edition]
            found[edition] |= {"status": status, "limit": limit, "source": source, "alike": list(alike)}
    return found


def _stretches_written(item: Item, spread: Spread) -> dict[str, dict[str, float | str]]:
    """Return the worst errors, by the names of the argument and of the interval."""
    return {
        name: {stretch_text(stretch, item.form): _number(error) for stretch, error in worst}
        for name, worst in zip(item.measured, spread.worst, strict=False)  # empty without a spread
    }


def _regions_written(item: Item, spread: Spread) -> dict[str, dict[str, float | str]]:
    """Return the worst errors by the names of regions."""
    found: dict[str, dict[str, float | str]] = {}
    for region, error in spread.regions:
        first, second = region_texts(region, item.form)
        found.setdefault(first, {})[second] = _number(error)
    return found


def _spread(row: Mapping[str, Any], item: Item) -> Spread:
    worst = [
        {stretch_of(text, item.form): float(error) for text, error in one.items()}
        for one in row["worst by binade"].values()
    ]
    regions = {
        region_of(first, second, item.form): float(error)
        for first, errors_of in row.get("worst by region", {}).items()  # older reports have none
        for second, error in errors_of.items()
    }
    return Spread.of(row["histogram"], worst, regions)


def _written(verdict: Verdict, example: Example) -> dict[str, object]:
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
    """Return a number for JSON, which has no infinities: these become text."""
    return float(value) if math.isfinite(value) else str(float(value))


def verdict_of(row: Mapping[str, Any]) -> Verdict:
    """Return the verdict that ``written`` wrote; KeyError, TypeError or ValueError if ``row`` is malformed."""
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
            Elsewhere(name, o["status"], o["limit"], o["source"], tuple(o["alike"]))
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


class Seal:
    """Digests of the cases of one audit; the report's long head is hashed only once."""

    def __init__(self, head: Mapping[str, object]) -> None:
        self._begun = hashlib.sha256(f"[{_canonical(head)}, ".encode())

    def of(self, row: Mapping[str, object]) -> str:
        """Return the first 16 hex digits of a SHA-256 of the report's head and of the row."""
        total = self._begun.copy()
        rest = {key: value for key, value in row.items() if key != "digest"}
        total.update(f"{_canonical(rest)}]".encode())
        return total.hexdigest()[:16]


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True)


def report_text(head: Mapping[str, object], rows: Sequence[str], *, complete: bool, begun: Begun | None = None) -> str:
    """Return the text of a report file; ``rows``: texts by ``row_text``."""
    parts = [f"{json.dumps(key)}: {_text(value)}" for key, value in {**head, "complete": complete}.items()]
    parts.append('"rows": [' + ",".join(rows) + "\n ]")
    if begun:
        parts.append(f'"begun": {_text(_begun_written(head, begun))}')
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def put(path: Path, text: str, call: str = "clmath audit", option: str = "--json") -> None:
    """Write a file so that ``path`` is always complete: write a file next to it, which then replaces it."""
    beside = path.with_name(f"{path.name}.part")
    try:
        beside.write_text(text, encoding="utf-8", newline="")
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise errors.not_written(call, path, error, option) from None


def row_text(seal: Seal, verdict: Verdict) -> str:
    """Return the text of a finished case in a report, with its digest."""
    return "\n  " + _text(_signed(seal, written(verdict)), deep=2)


def _text(value: object, deep: int = 1) -> str:
    """Return JSON with one value per line, indented by ``deep`` places."""
    return json.dumps(value, indent=1, ensure_ascii=False).replace("\n", "\n" + " " * deep)


def _signed(seal: Seal, row: Mapping[str, object]) -> dict[str, object]:
    return {**row, "digest": seal.of(row)}


def _begun_written(head: Mapping[str, object], begun: Begun) -> dict[str, object]:
    """Return an unfinished case as JSON: its tally so far, and the number of its judged chunks."""
    so_far = Verdict(begun.item, "full", "", "", "not judged", begun.tally)
    return {"pieces": begun.pieces, "row": _signed(Seal(head), {**written(so_far), "pieces": begun.pieces})}
