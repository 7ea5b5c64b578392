"""Runs an audit: the subject evaluates here, piece by piece, while workers work out the truth and judge."""

from __future__ import annotations

import contextlib
from collections import deque
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from clmath.audit.inputs import arguments, chunks, columns, is_swept, places
from clmath.audit.judge import Law, conclude, judge, law_of, trouble
from clmath.audit.measure import check_results
from clmath.audit.screen import is_screened
from clmath.audit.subject import Subject, SubjectError
from clmath.audit.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from numpy.typing import NDArray

    from clmath.audit.plan import Item, Plan
    from clmath.audit.tally import Verdict

__all__ = ["Begun", "audit", "items_of"]

Progress: TypeAlias = "Callable[[Item, int, int], None]"
_AHEAD = 3  # pieces in flight for each worker: memory stays bounded, and no worker waits for the device


def items_of(plan: Plan, subject: Subject) -> tuple[Item, ...]:
    """The rows of ``plan`` in the formats the subject has."""
    offered = subject.formats()
    return tuple(item for item in plan.items() if item.form in offered)


class Begun(NamedTuple):
    """How far a row has come: its first ``pieces`` pieces are judged, with this tally."""

    item: Item
    pieces: int
    tally: Tally


def audit(
    plan: Plan,
    subject: Subject,
    *,
    on_progress: Progress | None = None,
    on_begun: Callable[[Begun], None] | None = None,
    done: Collection[Item] = (),
    begun: Begun | None = None,
) -> Iterator[Verdict]:
    """Judge every row of ``plan`` that the subject's formats allow, except those ``done``; verdicts come in that order.

    ``on_progress(item, piece, pieces)`` is called in this process as pieces are judged, and then ``on_begun``, of what
    the last call may be given back as ``begun`` to go on from there. Verdicts do not depend on ``plan.jobs``. With
    more than one job, workers are started afresh (spawned): a script that calls this needs the usual
    ``if __name__ == "__main__":``.
    """
    waiting: deque[_Piece] = deque()
    with _executor(plan.jobs) as pool:
        rows = _Rows(plan, begun, on_progress, on_begun)
        for piece in _started(plan, subject, pool, frozenset(done), rows):
            waiting.append(piece)
            while waiting and (len(waiting) > _AHEAD * plan.jobs or waiting[0].result.done()):
                yield from rows.collect(waiting.popleft())
        while waiting:
            yield from rows.collect(waiting.popleft())


@dataclass(frozen=True)
class _Piece:
    """A piece of a row on its way; ``result`` holds its tally, or the reason why the row is not judged."""

    item: Item
    law: Law
    number: int
    pieces: int
    result: Future[Tally | str]


class _Rows:
    """Sums the pieces of one row after the other."""

    def __init__(
        self,
        plan: Plan,
        begun: Begun | None,
        on_progress: Progress | None,
        on_begun: Callable[[Begun], None] | None,
    ) -> None:
        self._plan = plan
        self._begun = begun
        self._on_progress = on_progress
        self._on_begun = on_begun

    def first_piece(self, item: Item) -> int:
        """The piece of ``item`` to begin with."""
        return self._begun.pieces if self._begun and self._begun.item == item else 0

    def floor(self, item: Item) -> float:
        """The largest error of ``item`` so far: smaller ones need not be looked at closely."""
        worst = self._begun.tally.worst if self._begun and self._begun.item == item else None
        return abs(worst.error) if worst else 0.0

    def collect(self, piece: _Piece) -> Iterator[Verdict]:
        """Take one piece in; the verdict when it was its row's last."""
        outcome = piece.result.result()
        before = self._begun.tally if self._begun and self._begun.item == piece.item else Tally()
        tally = before + outcome if isinstance(outcome, Tally) else before
        self._begun = Begun(piece.item, piece.number + 1, tally)
        if self._on_progress is not None:
            self._on_progress(piece.item, piece.number + 1, piece.pieces)
        if isinstance(outcome, str) or piece.number == piece.pieces - 1:
            self._begun = None
            yield _verdict(self._plan, piece, tally, outcome if isinstance(outcome, str) else "")
        elif self._on_begun is not None:
            self._on_begun(self._begun)


def _started(plan: Plan, subject: Subject, pool: Executor, done: frozenset[Item], rows: _Rows) -> Iterator[_Piece]:
    """Evaluate piece after piece on the subject and hand each to the workers."""
    for item in items_of(plan, subject):
        if item in done:
            continue
        law = law_of(item, plan, subject)
        if not subject.defines(item.builtin, item.form):
            yield _Piece(item, law, 0, 1, _ready(f"{subject.name} does not define {item.builtin.name} for {item.form}"))
            continue
        yield from _pieces(plan, subject, pool, _Piece(item, law, 0, chunks(item, plan), _ready("")), rows)


def _pieces(plan: Plan, subject: Subject, pool: Executor, row: _Piece, rows: _Rows) -> Iterator[_Piece]:
    item, law = row.item, row.law
    here = is_screened(item, law) and not is_swept(item, plan)  # sooner done than handed to a worker
    for number in range(rows.first_piece(item), row.pieces):
        values = columns(item, plan, number)
        try:
            # a subject may write into its arguments
            found = subject.evaluate(item.builtin, item.form, arguments(item, tuple(v.copy() for v in values)))
            results = check_results(item, found, len(values[0]))
        except SubjectError as error:
            yield replace(row, number=number, result=_ready(str(error)))
            return
        floor = rows.floor(item)
        if here:
            result: Future[Any] = _ready(judge(item, values, results, law, places(item, plan, number), floor))
        else:
            # a subject may hand out the same buffer again: what is judged later must be what it returned now
            kept = tuple(r.copy() for r in results)
            result = pool.submit(_judged, item, plan, law, number, kept, floor)
        yield replace(row, number=number, result=result)


def _judged(  # noqa: PLR0917 - what a worker is sent
    item: Item, plan: Plan, law: Law, number: int, results: tuple[NDArray[Any], ...], floor: float
) -> Tally:
    """A worker's part: the inputs are drawn again rather than sent, and judged."""
    return judge(item, columns(item, plan, number), results, law, places(item, plan, number), floor)


def _verdict(plan: Plan, piece: _Piece, tally: Tally, why: str) -> Verdict:
    """The verdict on the row of ``piece``, its last, from the tally of all; ``why``: the trouble with the subject."""
    item, law = piece.item, piece.law
    if why:
        return trouble(item, law, tally, why)
    swept = is_swept(item, plan) and plan.part != (1, 1)
    return conclude(item, law, tally, (f"part {plan.part[0]} of {plan.part[1]} of all floats",) if swept else ())


def _ready(outcome: Tally | str) -> Future[Tally | str]:
    future: Future[Tally | str] = Future()
    future.set_result(outcome)
    return future


class _Here(Executor):
    """Does the work at once, in this process."""

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The finished result of ``function``."""
        return _ready(function(*args, **kwargs))


class _Workers(Executor):
    """Processes, spawned rather than forked because a device's driver has threads of its own; when they are needed."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The result of ``function`` to come."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._jobs, mp_context=get_context("spawn"))
        return self._pool.submit(function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, if there are any."""
        if self._pool is not None:
            self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)


@contextlib.contextmanager
def _executor(jobs: int) -> Iterator[Executor]:
    pool = _Workers(jobs) if jobs > 1 else _Here()
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
