"""Checks whether a case of an earlier report can be trusted: by its own counts, by the plan, and by its digest."""

from __future__ import annotations

import hashlib
import json
import math
from typing import TYPE_CHECKING

from clmath.audit.acceptance.findings import elsewhere
from clmath.audit.counting.spread import has_regions
from clmath.audit.counting.tally import JUDGEMENTS, KEPT
from clmath.audit.inputs.row_inputs import chunks, length
from clmath.audit.inputs.values import span
from clmath.audit.judge.piece import criteria_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clmath.audit.counting.tally import Example, Tally, Verdict
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.target import Target

__all__ = ["Seal", "begun_faults", "digest", "faults", "own_faults"]


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


def digest(head: Mapping[str, object], row: Mapping[str, object]) -> str:
    """Return the digest of one row of a report with this ``head``."""
    return Seal(head).of(row)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True)


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
