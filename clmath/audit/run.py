"""Runs an audit: the subject evaluates here, piece by piece, while workers work out the truth and judge."""

from __future__ import annotations

import contextlib
from collections import deque
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, TypeAlias

from clmath.audit.inputs import CHUNK, arguments, chunks, columns
from clmath.audit.judge import Law, judge, law_of, remarks
from clmath.audit.measure import check_results
from clmath.audit.subject import Subject, SubjectError
from clmath.audit.tally import Tally, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from numpy.typing import NDArray

    from clmath.audit.plan import Item, Plan

__all__ = ["audit", "items_of"]

Progress: TypeAlias = "Callable[[Item, int, int], None]"
_AHEAD = 3  # pieces in flight for each worker: memory stays bounded, and no worker waits for the device


def items_of(plan: Plan, subject: Subject) -> tuple[Item, ...]:
    """The rows of ``plan`` in the formats the subject has."""
    offered = subject.formats()
    return tuple(item for item in plan.items() if item.form in offered)


def audit(
    plan: Plan, subject: Subject, *, on_progress: Progress | None = None, done: Collection[Item] = ()
) -> Iterator[Verdict]:
    """Judge every row of ``plan`` that the subject's formats allow, except those ``done``; verdicts come in that order.

    ``on_progress(item, piece, pieces)`` is called in this process as pieces are judged. Verdicts do not depend on
    ``plan.jobs``. With more than one job, workers are started afresh (spawned): a script that calls this needs the
    usual ``if __name__ == "__main__":``.
    """
    waiting: deque[_Piece] = deque()
    with _executor(plan.jobs) as pool:
        row: list[_Piece] = []
        for piece in _started(plan, subject, pool, frozenset(done)):
            waiting.append(piece)
            while waiting and (len(waiting) > _AHEAD * plan.jobs or waiting[0].result.done()):
                yield from _collected(waiting.popleft(), row, on_progress)
        while waiting:
            yield from _collected(waiting.popleft(), row, on_progress)


@dataclass(frozen=True)
class _Piece:
    """A piece of a row on its way; ``result`` holds its tally, or the reason why the row is not judged."""

    item: Item
    law: Law
    number: int
    pieces: int
    result: Future[Tally | str]

    @property
    def is_last(self) -> bool:
        return self.number == self.pieces - 1


def _started(plan: Plan, subject: Subject, pool: Executor, done: frozenset[Item]) -> Iterator[_Piece]:
    """Evaluate piece after piece on the subject and hand each to the workers."""
    for item in items_of(plan, subject):
        if item in done:
            continue
        law = law_of(item, plan, subject)
        if not subject.defines(item.builtin, item.form):
            yield _Piece(item, law, 0, 1, _ready(f"{subject.name} does not define {item.builtin.name} for {item.form}"))
            continue
        yield from _pieces(plan, subject, pool, item, law)


def _pieces(plan: Plan, subject: Subject, pool: Executor, item: Item, law: Law) -> Iterator[_Piece]:
    count = chunks(item, plan)
    for number in range(count):
        values = columns(item, plan, number)
        try:
            found = subject.evaluate(item.builtin, item.form, arguments(item, values))
            results = check_results(item, found, len(values[0]))
        except SubjectError as error:
            yield _Piece(item, law, count - 1, count, _ready(str(error)))
            return
        # a subject may hand out the same buffer again: what is judged later must be what it returned now
        kept = tuple(r.copy() for r in results)
        yield _Piece(item, law, number, count, pool.submit(_judged, item, plan, law, number, kept))


def _judged(item: Item, plan: Plan, law: Law, number: int, results: tuple[NDArray[Any], ...]) -> Tally:
    """A worker's part: the inputs are drawn again rather than sent, and judged."""
    return judge(item, columns(item, plan, number), results, law, number * CHUNK)


def _collected(piece: _Piece, row: list[_Piece], on_progress: Progress | None) -> Iterator[Verdict]:
    """Take one piece in; the verdict when it was its row's last."""
    row.append(piece)
    piece.result.result()
    if on_progress is not None:
        on_progress(piece.item, piece.number + 1, piece.pieces)
    if piece.is_last:
        yield _verdict(row)
        row.clear()


def _verdict(row: list[_Piece]) -> Verdict:
    """The verdict on a row from all its pieces."""
    item, law = row[0].item, row[0].law
    outcomes = [piece.result.result() for piece in row]
    tally = sum((o for o in outcomes if isinstance(o, Tally)), Tally())
    limit = law.limit(item)
    common = (item, law.profile, limit.text, limit.source)
    troubles = [o for o in outcomes if isinstance(o, str)]
    if troubles:
        return Verdict(*common, "not judged", tally, troubles[0])
    notes = remarks(item, law, tally)
    if tally.failed:
        return Verdict(*common, "fail", tally, max(tally.reasons, key=lambda r: r[1])[0], notes)
    return Verdict(*common, "pass", tally, "", notes)


def _ready(outcome: Tally | str) -> Future[Tally | str]:
    future: Future[Tally | str] = Future()
    future.set_result(outcome)
    return future


class _Here(Executor):
    """Does the work at once, in this process."""

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The finished result of ``function``."""
        return _ready(function(*args, **kwargs))


@contextlib.contextmanager
def _executor(jobs: int) -> Iterator[Executor]:
    """Workers, spawned rather than forked: a device's driver has threads of its own."""
    if jobs == 1:
        yield _Here()
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
