"""Run an audit: the target evaluates one chunk after the other, and workers judge the results."""

from __future__ import annotations

import contextlib
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clmath.audit.counting.tally import Tally
from clmath.audit.exact.exact_law import ExactLaw
from clmath.audit.inputs import second_look
from clmath.audit.inputs.exhaustive import is_swept
from clmath.audit.inputs.random import is_numbered
from clmath.audit.inputs.row_inputs import CHUNK, chunks, columns, fixed_chunks, is_parted, places
from clmath.audit.judge.piece import judge, law_of
from clmath.audit.judge.screen import is_screened
from clmath.audit.law.verdict import conclude, of_part, trouble
from clmath.audit.protocol.subject import Expects, Subject, SubjectError, has_groups_of, widths_of
from clmath.audit.running import companions, swept
from clmath.audit.running.again import asked_again, is_repeatable
from clmath.audit.running.by_layout import asked_in_layouts
from clmath.audit.running.device_rows import Judges, known_from
from clmath.audit.running.replays import with_replays_tried
from clmath.audit.running.workers import Here, Workers, ready
from clmath.audit.subjects.attempt import evaluated_ahead, printed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterator
    from concurrent.futures import Executor, Future

    import numpy as np

    from clmath.audit.counting.spread import Stretches
    from clmath.audit.counting.tally import Example, Verdict
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.running.cluster import Cluster
    from clmath.audit.running.device_rows import Judge, Known

__all__ = ["Begun", "audit", "items_of"]

Progress: TypeAlias = "Callable[[Item, int, int], None]"
Around: TypeAlias = "Callable[[Item, Example | None], tuple[int, ...] | None]"
_AHEAD = 3  # chunks under way for each worker: memory stays bounded, and no worker waits for the device
_TOGETHER = 8  # chunks in one request: waking a process takes longer than a quick target's evaluation
_REQUEST = 1 << 20  # bytes: a request of this size gets no further chunk


def items_of(plan: Plan, subject: Subject) -> tuple[Item, ...]:
    """Return the cases of ``plan`` whose formats, vector widths and work-group sizes the target has."""
    offered, widths = subject.formats(), widths_of(subject)
    found = (item for item in plan.items() if item.is_offered(offered) and item.vector in widths)
    return tuple(item for item in found if has_groups_of(subject, item))


class Begun(NamedTuple):
    """State of an unfinished case: its first ``pieces`` chunks are judged, with this tally."""

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
    workers: Cluster | None = None,
    judge: Judge = "auto",
    on_remark: Callable[[str], None] | None = None,
    around: Around = lambda _, worst: second_look.around(worst),
    on_judge: Callable[[Item, str], None] | None = None,
) -> Generator[Verdict, None, None]:
    """Judge every case of ``plan`` that the target's formats allow, except ``done``; yield verdicts in plan order.

    ``on_progress(item, piece, pieces)`` is called in this process as chunks are judged. ``on_begun`` is called after
    it, and its argument can be passed as ``begun`` to a later audit, which then goes on from there. ``judge``: the
    judge of all floats, or of many random inputs: 'host', 'device' (the target itself), or 'auto' for the faster one.
    ``on_judge`` is called with the judge of each such case, and ``on_remark`` with the reason if a device that was to
    judge does not. ``around``: maps the worst input of a case to the input around which the local search samples, or
    to None for no local search. ``workers``: a cluster that judges in place of processes on this machine. Verdicts do
    not depend on ``judge``, ``plan.jobs`` and ``workers``.

    With more than one job, processes are spawned: a script that calls this needs ``if __name__ == "__main__":``. An
    exception kills them, even while they judge, and so does closing the generator.
    """
    waiting: deque[_Piece] = deque()
    if isinstance(subject, Expects):
        subject.expect([i for i in items_of(plan, subject) if i not in done and subject.defines(i.builtin, i.form)])
    with _executor(plan.jobs, workers) as pool:
        ahead = _AHEAD * (workers.workers if workers else plan.jobs)
        judges = Judges(judge, subject, on_remark, on_judge)
        again = is_repeatable(subject)
        rows = _Rows(plan, begun, on_progress, on_begun, judges, around=around, asks_again=again)

        def judged(pieces: Iterator[_Piece]) -> Iterator[Verdict]:
            for piece in pieces:
                waiting.append(piece)
                while waiting and (len(waiting) > ahead or waiting[0].result.done()):
                    yield from rows.collect(waiting.popleft())

        yield from judged(_started(plan, subject, pool, frozenset(done), rows))
        while waiting:
            yield from rows.collect(waiting.popleft())
            yield from judged(_looked_closer(plan, subject, pool, rows))


@dataclass(frozen=True)
class _Piece:
    """A chunk that is being judged; ``result`` will be its tally, or the reason why the case is not judged.

    The first pass over the case, or the local search, ends before chunk ``until``; the case has at most ``pieces``
    chunks. ``around``: the input around which the local search samples.
    """

    item: Item
    law: Law
    number: int
    until: int
    pieces: int
    result: Future[Tally] | Future[Tally | str]
    remark: str = ""  # on the text that the target printed, once the case is evaluated
    around: tuple[int, ...] | None = None
    is_repeated: bool = False  # whether some inputs are evaluated again; the case ends with them
    note: str = ""  # a remark on the results of evaluating again

    @property
    def is_last(self) -> bool:
        """Whether this pass over the case ends with the chunk."""
        return self.number == self.until - 1


class _Rows:
    """Add up the chunks of cases; decide which cases get a local search, and which inputs are evaluated again."""

    def __init__(
        self,
        plan: Plan,
        begun: Begun | None,
        on_progress: Progress | None,
        on_begun: Callable[[Begun], None] | None,
        judges: Judges,
        *,
        around: Around,
        asks_again: bool,
    ) -> None:
        self._plan = plan
        self.judges = judges
        self._around = around
        self._asks_again = asks_again
        self._resumed = begun
        self._on_progress = on_progress
        self._on_begun = on_begun
        self._open: dict[Item, Begun] = {}  # in the order of the plan
        self._verdicts: dict[Item, Verdict] = {}  # verdicts that wait for the verdicts on earlier cases
        self.due: deque[_Piece] = deque()

    def start(self, row: _Piece) -> int:
        """Begin a case; return the number of its first chunk to judge."""
        begun = self._resumed if self._resumed and self._resumed.item == row.item else Begun(row.item, 0, Tally())
        self._open[row.item] = begun
        if begun.pieces == row.until:
            self._goes_on(row, begun.tally)
        return begun.pieces

    def known(self, item: Item) -> Known:
        """Return the largest errors of ``item`` so far; smaller ones need no close look."""
        return known_from(self._open[item].tally)

    def collect(self, piece: _Piece) -> Iterator[Verdict]:
        """Add the tally of one chunk; yield the verdicts that are complete now."""
        outcome = piece.result.result()
        trouble, found = (outcome, Tally()) if isinstance(outcome, str) else ("", outcome)
        if (
            not piece.is_repeated
            and is_numbered(piece.item, self._plan)
            and piece.number >= fixed_chunks(piece.item, self._plan)
        ):
            found = found.without_regions()  # a device that judges these inputs has no errors by region
        tally = found if piece.is_repeated and not trouble else self._open[piece.item].tally + found
        begun = Begun(piece.item, piece.number + 1, tally)
        self._open[piece.item] = begun
        ended = bool(trouble) or (piece.is_last and not self._goes_on(piece, begun.tally))
        is_done = ended or self._is_repeated_next(piece.item)
        if self._on_progress is not None and not piece.is_repeated:
            self._on_progress(piece.item, piece.pieces if is_done else begun.pieces, piece.pieces)
        if ended:
            self._verdicts[piece.item] = _verdict(self._plan, piece, begun.tally, trouble)
        elif self._on_begun is not None and not is_done and self._can_be_resumed(piece):
            self._on_begun(begun)
        yield from self._ready()

    def _is_repeated_next(self, item: Item) -> bool:
        """Whether a case is judged except for the inputs that are evaluated again."""
        return bool(self.due) and self.due[-1].item == item and self.due[-1].is_repeated

    def _can_be_resumed(self, piece: _Piece) -> bool:
        """Whether ``--resume`` can go on with a case after ``piece``."""
        return piece.around is None and piece.item == next(iter(self._open))

    def tally(self, item: Item) -> Tally:
        """Return the tally of ``item`` so far."""
        return self._open[item].tally

    def _goes_on(self, piece: _Piece, tally: Tally) -> bool:
        """Whether the case goes on after ``piece``, with the local search or with inputs that are evaluated again."""
        if piece.is_repeated or self._look_closer(piece, tally):
            return not piece.is_repeated
        if self._asks_again:
            self.due.append(replace(piece, is_repeated=True))
        return self._asks_again

    def _look_closer(self, piece: _Piece, tally: Tally) -> bool:
        """Whether the case gets a local search after ``piece``."""
        around = None if piece.around or piece.until == piece.pieces else self._around(piece.item, tally.worst)
        if around is not None:
            self.due.append(replace(piece, number=piece.until, until=piece.pieces, around=around))
        return around is not None

    def _ready(self) -> Iterator[Verdict]:
        while self._open and (item := next(iter(self._open))) in self._verdicts:
            del self._open[item]
            yield self._verdicts.pop(item)


def _started(plan: Plan, subject: Subject, pool: Executor, done: frozenset[Item], rows: _Rows) -> Iterator[_Piece]:
    """Evaluate one chunk after the other and pass each to the workers; then begin the local searches."""
    for item in items_of(plan, subject):
        if item in done:
            continue
        law = _law(item, plan, subject)
        if not subject.defines(item.builtin, item.form):
            reason = f"{subject.name} does not define {item.builtin.name} for {item.form}"
            row = _Piece(item, law, 0, 1, 1, ready(reason))
            rows.start(row)
            yield row
            continue
        first = chunks(item, plan)
        row = _Piece(item, law, 0, first, first + second_look.pieces(item, plan), ready(""))
        yield from _pieces(plan, subject, pool, replace(row, number=rows.start(row)), rows)
        yield from _looked_closer(plan, subject, pool, rows)


def _law(item: Item, plan: Plan, subject: Subject) -> Law:
    """Return the acceptance criteria of a case; for a macro they contain the results with which it must agree."""
    law = law_of(item, plan, subject)
    if isinstance(law, ExactLaw) and item.builtin.returned_by and subject.defines(item.builtin, item.form):
        return replace(law, returned=companions.returned(item, plan, subject))  # type: ignore[arg-type] # its law says so
    return law


def _looked_closer(plan: Plan, subject: Subject, pool: Executor, rows: _Rows) -> Iterator[_Piece]:
    """Yield the chunks of local searches and of repeated evaluations of cases whose first pass is judged."""
    while rows.due:
        row = rows.due.popleft()
        if row.is_repeated:
            yield _asked_again(plan, subject, row, rows)
        else:
            yield from _pieces(plan, subject, pool, row, rows)


def _asked_again(plan: Plan, subject: Subject, row: _Piece, rows: _Rows) -> _Piece:
    """Evaluate some inputs of a case again, and its failures alone; return the chunk with the final tally."""
    row, tally = replace(row, number=row.until - 1), rows.tally(row.item)
    try:
        found, note = asked_again(plan, subject, row.item, row.law, tally)
        tally = with_replays_tried(plan, subject, row.item, row.law, tally + found)
        tally += Tally() if tally.failed else asked_in_layouts(plan, subject, row.item, row.law)
    except SubjectError as error:
        return replace(row, result=ready(f"asked the same again: {error}"))
    finally:
        printed(subject)  # dropped: the report has the remark of the first time
    return replace(row, result=ready(tally), note=note)


def _pieces(plan: Plan, subject: Subject, pool: Executor, row: _Piece, rows: _Rows) -> Iterator[_Piece]:
    item, law = row.item, row.law
    if row.around is None:
        first = fixed_chunks(item, plan) if is_numbered(item, plan) else 0
        if row.number < first:  # structured inputs first, which the host judges
            goes_on = yield from _on_host(plan, subject, pool, row, first, rows)
            if not goes_on:
                return
            row = replace(row, number=first)
        numbers = range(row.number, row.until)
        for number, tally in rows.judges.pieces(plan, item, law, numbers, pool, lambda: rows.known(item)):
            remark = _remark(subject, row) if number == row.until - 1 else row.remark
            yield replace(row, number=number, result=tally, remark=remark)
            row = replace(row, number=number + 1)
    if row.number < row.until:
        yield from _on_host(plan, subject, pool, row, row.until, rows)


def _on_host(  # noqa: PLR0917 - the case, its end, and the place of judging
    plan: Plan, subject: Subject, pool: Executor, row: _Piece, until: int, rows: _Rows
) -> Generator[_Piece, None, bool]:
    """Yield the chunks of a case up to ``until``, judged by the host; return whether the target still works."""
    if row.around is None and isinstance(pool, (Here, Workers)) and swept.is_served(subject, row.item, plan):
        numbers, known = range(row.number, until), lambda: rows.known(row.item)[:2]
        judged = swept.judged(plan, subject, row.item, row.law, numbers, pool, known)
    else:
        judged = _sent(plan, subject, pool, replace(row, until=until), rows)
    for number, found in judged:
        is_over = isinstance(found, SubjectError)
        remark = _remark(subject, row) if is_over or number == row.until - 1 else row.remark
        result = ready(str(found)) if isinstance(found, SubjectError) else found
        yield replace(row, number=number, result=result, remark=remark)
        if is_over:
            return False
    return True


def _sent(
    plan: Plan, subject: Subject, pool: Executor, row: _Piece, rows: _Rows
) -> Iterator[tuple[int, Future[Tally] | SubjectError]]:
    """Yield the tallies of the chunks of a case whose arguments and results pass through this process."""
    item, law = row.item, row.law
    is_quick = is_screened(item, law) and not is_swept(item, plan)  # no slower than a worker
    for number, values, results in _evaluated(plan, subject, row):
        if isinstance(results, SubjectError):
            yield number, results
            return
        known = rows.known(item)[:2]
        if is_quick and len(values[0]) <= CHUNK:
            yield number, ready(judge(item, values, results, law, places(item, plan, number), *known))
        else:
            # a target may return the same buffer again, so that results which are judged later are copied
            kept = tuple(r.copy() for r in results)
            at_hand = values if isinstance(pool, Here) else None
            yield number, pool.submit(_judged, item, plan, law, number, kept, known, row.around, at_hand)


def _evaluated(
    plan: Plan, subject: Subject, row: _Piece
) -> Iterator[tuple[int, Columns, tuple[np.ndarray, ...] | SubjectError]]:
    """Yield the chunks with the target's results; a target in its own process evaluates the next chunks meanwhile."""
    groups = _drawn_together(plan, row)
    pieces = next(groups, [])
    results = evaluated_ahead(subject, row.item, [values for _, values in pieces])
    while pieces:
        following = next(groups, [])
        for number, values in pieces:
            try:
                found = next(results)
            except SubjectError as error:
                yield number, values, error
                return
            if number == pieces[-1][0] and following:
                results = evaluated_ahead(subject, row.item, [values for _, values in following])
            yield number, values, found
        pieces = following


def _drawn_together(plan: Plan, row: _Piece) -> Iterator[list[tuple[int, Columns]]]:
    """Yield the inputs of the chunks of a pass, in groups that are sent to a target in one request."""
    pieces: list[tuple[int, Columns]] = []
    size = 0
    for number in range(row.number, row.until):
        pieces.append((number, _drawn(row.item, plan, number, row.around)))
        size += sum(column.nbytes for column in pieces[-1][1])
        if len(pieces) == _TOGETHER or size >= _REQUEST:
            yield pieces
            pieces, size = [], 0
    if pieces:
        yield pieces


def _remark(subject: Subject, row: _Piece) -> str:
    """Return the remark on the target's printed text in this pass, unless the pass before had one."""
    remark = printed(subject)
    return row.remark or remark


def _drawn(item: Item, plan: Plan, number: int, around: tuple[int, ...] | None) -> Columns:
    """Return the inputs of a chunk; the chunks of the local search follow the chunks of the first pass."""
    if around is None:
        return columns(item, plan, number)
    return second_look.columns(item, plan, around, number - chunks(item, plan))


def _judged(  # noqa: PLR0917 - the arguments that a worker receives
    item: Item,
    plan: Plan,
    law: Law,
    number: int,
    results: tuple[np.ndarray, ...],
    known: tuple[float, Stretches],
    around: tuple[int, ...] | None,
    values: Columns | None,
) -> Tally:
    """Judge a chunk on a worker, which generates the inputs again if ``values`` is None: sending them is slower."""
    given = _drawn(item, plan, number, around) if values is None else values
    return judge(item, given, results, law, places(item, plan, number), *known)


def _verdict(plan: Plan, piece: _Piece, tally: Tally, why: str) -> Verdict:
    """Return the verdict on the case of ``piece``, its last chunk; ``why``: the trouble with the target."""
    item, law = piece.item, piece.law
    notes = tuple(filter(None, (piece.remark, piece.note)))
    if why and not tally.failed:
        return trouble(item, law, tally, why, notes)
    if why:
        notes += (f"not judged to the end: {why}",)
    if is_parted(item, plan) and plan.part != (1, 1):
        notes += (of_part(plan),)
    return conclude(item, law, tally, notes)


@contextlib.contextmanager
def _executor(jobs: int, workers: Cluster | None) -> Iterator[Executor]:
    pool = workers or (Workers(jobs) if jobs > 1 else Here())
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
