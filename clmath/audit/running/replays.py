"""Tries the calls that would replay the failures of a row, and finds what a result depends on if its call passes."""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.counting.tally import DEPENDS, Tally
from clmath.audit.inputs import row_inputs
from clmath.audit.inputs.values import stored_columns
from clmath.audit.judge.piece import judge
from clmath.audit.protocol.subject import UNSTEADY, Anew, SubjectError
from clmath.audit.subjects.attempt import evaluated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clmath.audit.counting.tally import Example
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.subject import Subject

__all__ = ["CALLS", "MORE", "OTHERS", "POSITION", "SIZE", "with_replays_tried"]

POSITION = f"{DEPENDS}the position in the batch"
SIZE = f"{DEPENDS}the size of the batch"
OTHERS = f"{DEPENDS}other inputs of the batch"
CALLS = f"{DEPENDS}the number of the call, earlier calls or chance"
MORE = f"{DEPENDS}more than the input: the batch, the number of the call, earlier calls or chance"


def with_replays_tried(plan: Plan, subject: Subject, item: Item, law: Law, tally: Tally) -> Tally:
    """Return the tally; failures whose input passes alone have another reason, which begins with what they depend on.

    If no input that is kept of a reason fails alone, none of the reason is taken to.
    """
    worst = (tally.worst,) if tally.worst and tally.worst.reason else ()
    examples = {(e.place, e.reason): e for e in (*worst, *tally.failures)}
    trial = _Trial(plan, subject, item, law)
    causes = trial.causes(list(examples.values()))
    reasons = [_reason(cause, reason) for cause, (_, reason) in zip(causes, examples, strict=True)]
    return _renamed(tally, examples, dict(zip(examples, reasons, strict=True))) if any(causes) else tally


_Key: TypeAlias = "tuple[tuple[int, int], str]"


def _renamed(tally: Tally, examples: Mapping[_Key, Example], reasons: Mapping[_Key, str]) -> Tally:
    """Return the tally in which ``examples``, by place and reason, have other ``reasons``, and are counted so."""
    counts, now = Counter(dict(tally.reasons)), {key: replace(e, reason=reasons[key]) for key, e in examples.items()}
    for before in {reason for _, reason in examples}:
        others = [new for (_, reason), new in reasons.items() if reason == before]
        moved = Counter(new for new in others if new != before)
        if before not in others:
            moved[moved.most_common(1)[0][0]] += counts[before] - len(others)
        counts.subtract({before: moved.total()})
        counts.update(moved)
    kept = {(e.place, e.reason) for e in tally.failures}
    return Tally() + replace(
        tally,
        reasons=tuple(sorted((reason, count) for reason, count in counts.items() if count)),
        worst=now.get((tally.worst.place, tally.worst.reason), tally.worst) if tally.worst else None,
        failures=tuple(new for key, new in now.items() if key in kept or new.reason != key[1]),
    )


def _reason(cause: str, before: str) -> str:
    """Return the reason of a failure; without a ``cause`` it stays as it is."""
    if not cause or before.startswith(UNSTEADY):
        return cause or before
    return f"{cause}; {before}"


class _Trial:
    """Asks the subject for the inputs of one row again, alone and in batches."""

    def __init__(self, plan: Plan, subject: Subject, item: Item, law: Law) -> None:
        self._plan = plan
        self._subject = subject
        self._item = item
        self._law = law

    def causes(self, examples: Sequence[Example]) -> list[str]:
        """Return what the result of each example depends on; empty where it fails alone."""
        fails = self._fail_alone(examples)
        return ["" if alone else self._cause(example) for example, alone in zip(examples, fails, strict=True)]

    def _fail_alone(self, examples: Sequence[Example]) -> list[bool]:
        """Return whether each example fails alone, as the first call of a process.

        As long as calls of a process fail, the next example is asked of the same process, which is quicker.
        """
        found: list[bool] = []
        with contextlib.ExitStack() as process:
            for example in examples:
                alone = self._alone(example)
                fails = bool(found) and found[-1] and self._fails(alone, 0)
                if not fails:
                    process.close()
                    process.enter_context(self._new_process())
                    fails = self._fails(alone, 0)
                found.append(fails)
        return found

    def _cause(self, example: Example) -> str:
        """Return what the result of an example that passes alone depends on, as far as some more calls show it."""
        alone = self._alone(example)
        batch, start = ((), 0) if example.reason.startswith(UNSTEADY) else self._batch(example, alone)
        count = (len(batch[0]) if batch else row_inputs.chunk_size(self._item)) // self._item.vector
        copies = tuple(np.tile(v, count) for v in alone)
        try:
            with self._new_process():
                if batch and not all(self._fails(batch, start) for _ in range(2)):
                    return CALLS
                results = evaluated(self._subject, self._item, copies)
        except SubjectError:
            return MORE
        rows = [np.ascontiguousarray(r).reshape(count, -1).view(np.uint8) for r in results]
        if any((row != row[0]).any() for row in rows):
            return POSITION
        if judge(self._item, copies, results, self._law).failed:
            return SIZE
        return OTHERS if batch else MORE

    def _alone(self, example: Example) -> Columns:
        """Return the input of an example, or its vector."""
        return stored_columns(self._item, example.vector or (example.args,))

    def _new_process(self) -> contextlib.AbstractContextManager[None]:
        return self._subject.anew() if isinstance(self._subject, Anew) else contextlib.nullcontext()

    def _fails(self, values: Columns, start: int) -> bool:
        """Return whether the call, or vector, at ``start`` of a batch fails, or the whole batch cannot be evaluated."""
        try:
            results = evaluated(self._subject, self._item, values)
        except SubjectError:
            return True
        part = slice(start, start + self._item.vector)
        given, got = tuple(v[part] for v in values), tuple(r[part] for r in results)
        return bool(judge(self._item, given, got, self._law).failed)

    def _batch(self, example: Example, alone: Columns) -> tuple[Columns, int]:
        """Return the piece of the row in which an example stands, and its place there; empty if it is not found."""
        item, plan = self._item, self._plan
        numbers = () if row_inputs.is_swept(item, plan) else range(row_inputs.chunks(item, plan))
        for number in numbers:
            first = row_inputs.places(item, plan, number)
            start = example.index - example.index % item.vector - int(first)  # an array only where all floats are tried
            if 0 <= start < row_inputs.chunk_size(item):
                values = row_inputs.columns(item, plan, number)
                found = tuple(v[start : start + item.vector] for v in values)
                if all(a.tobytes() == b.tobytes() for a, b in zip(found, alone, strict=True)):
                    return values, start
        return (), 0
