"""Call the target with each failing input alone; if it passes, find the state of the target on which it depends."""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.counting.tally import DEPENDS, Tally
from clmath.audit.inputs import row_inputs
from clmath.audit.inputs.exhaustive import is_swept
from clmath.audit.inputs.values import stored_columns
from clmath.audit.protocol.target import UNSTEADY, Anew, TargetError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.counting.tally import Example
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.running.case import Case

__all__ = ["CALLS", "MORE", "OTHERS", "POSITION", "SIZE", "with_replays_tried"]

POSITION = f"{DEPENDS}the position in the batch"
SIZE = f"{DEPENDS}the size of the batch"
OTHERS = f"{DEPENDS}other inputs of the batch"
CALLS = f"{DEPENDS}the number of the call, earlier calls or chance"
MORE = f"{DEPENDS}more than the input: the batch, the number of the call, earlier calls or chance"


def with_replays_tried(case: Case, tally: Tally) -> Tally:
    """Return the tally with a new reason, such as POSITION, for each failure whose input passes alone.

    If no example of a reason fails alone, all failures with that reason get the new one.
    """
    worst = (tally.worst,) if tally.worst and tally.worst.reason else ()
    examples = {(e.place, e.reason): e for e in (*worst, *tally.failures)}
    passing, causes = _tried(case, list(examples.values()))
    if not passing:
        return tally
    counts = Counter(dict(tally.reasons))
    for reason, cause in causes.items():
        some_fail = any(e.reason == reason and e not in passing for e in examples.values())
        moved = sum(e.reason == reason for e in passing) if some_fail else counts[reason]
        counts.subtract({reason: moved})
        counts.update({_reason(cause, reason): moved})
    reasons = tuple(sorted((reason, count) for reason, count in counts.items() if count))
    now = {(e.place, e.reason): replace(e, reason=_reason(causes[e.reason], e.reason)) for e in passing}
    kept = tuple(e for e in tally.failures if (e.place, e.reason) not in now)
    shown = now.get((tally.worst.place, tally.worst.reason), tally.worst) if tally.worst else None
    return Tally() + replace(tally, reasons=reasons, worst=shown, failures=(*kept, *now.values()))


def _reason(cause: str, before: str) -> str:
    """Return the reason for a failure whose input passes alone: the cause, followed by the error."""
    return cause if before.startswith(UNSTEADY) else f"{cause}; {before}"


def _tried(case: Case, examples: Sequence[Example]) -> tuple[list[Example], dict[str, str]]:
    """Return the examples that pass alone, and the state on which they depend, by the reasons of these examples."""
    tried = zip(examples, _fail_alone(case, examples), strict=True)
    passing = [example for example, fails in tried if not fails]
    causes: dict[str, str] = {}
    for example in passing:
        if causes.get(example.reason, MORE) == MORE:
            causes[example.reason] = _cause(case, example)
    return passing, causes


def _fail_alone(case: Case, examples: Sequence[Example]) -> list[bool]:
    """Return whether each example fails alone, as the first call of a process.

    As long as calls fail, the next example is called in the same process, which is quicker.
    """
    found: list[bool] = []
    with contextlib.ExitStack() as process:
        for example in examples:
            alone = _alone(case, example)
            fails = bool(found) and found[-1] and _fails(case, alone, 0)
            if not fails:
                process.close()
                process.enter_context(_new_process(case))
                fails = _fails(case, alone, 0)
            found.append(fails)
    return found


def _cause(case: Case, example: Example) -> str:
    """Return the state on which an example that passes alone depends; three more calls show it."""
    alone = _alone(case, example)
    batch, start = ((), 0) if example.reason.startswith(UNSTEADY) else _batch(case, example, alone)
    item = case.item
    count = (len(batch[0]) if batch else row_inputs.chunk_size(item)) // item.vector
    copies = tuple(np.tile(v, count) for v in alone)
    try:
        with _new_process(case):
            if batch and not all(_fails(case, batch, start) for _ in range(2)):
                return CALLS
            results = case.evaluated(copies)
    except TargetError:
        return MORE
    rows = [np.ascontiguousarray(r).reshape(count, -1).view(np.uint8) for r in results]
    if any((row != row[0]).any() for row in rows):
        return POSITION
    if case.fails(copies, results):
        return SIZE
    return OTHERS if batch else MORE


def _alone(case: Case, example: Example) -> Columns:
    """Return the input of an example, or its vector."""
    return stored_columns(case.item, example.vector or (example.args,))


def _new_process(case: Case) -> contextlib.AbstractContextManager[None]:
    target = case.target
    return target.anew() if isinstance(target, Anew) else contextlib.nullcontext()


def _fails(case: Case, values: Columns, start: int) -> bool:
    """Return whether the call, or vector, at ``start`` of a batch fails, or the whole batch cannot be evaluated."""
    try:
        results = case.evaluated(values)
    except TargetError:
        return True
    part = slice(start, start + case.item.vector)
    return case.fails(tuple(v[part] for v in values), tuple(r[part] for r in results))


def _batch(case: Case, example: Example, alone: Columns) -> tuple[Columns, int]:
    """Return the batch in which an example was evaluated, and its place there; empty if the batch is not found."""
    item, plan = case.item, case.plan
    numbers = () if is_swept(item, plan) else range(row_inputs.chunks(item, plan))
    for number in numbers:
        first = row_inputs.places(item, plan, number)
        start = example.index - example.index % item.vector - int(first)  # an array only where all floats are tried
        if 0 <= start < row_inputs.chunk_size(item):
            values = row_inputs.columns(item, plan, number)
            found = tuple(v[start : start + item.vector] for v in values)
            if all(a.tobytes() == b.tobytes() for a, b in zip(found, alone, strict=True)):
                return values, start
    return (), 0
