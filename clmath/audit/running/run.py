"""Run an audit: the target evaluates one chunk after the other, and workers judge the results."""

from __future__ import annotations

import contextlib
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clmath.audit.acceptance.findings import conclude, of_part, trouble
from clmath.audit.counting.tally import KnownErrors, Tally
from clmath.audit.exact.exact_criteria import ExactCriteria
from clmath.audit.inputs import local_search
from clmath.audit.inputs.exhaustive import is_swept
from clmath.audit.inputs.random import is_numbered
from clmath.audit.inputs.row_inputs import CHUNK, chunks, columns, fixed_chunks, is_parted, places
from clmath.audit.judge.piece import criteria_of, judge
from clmath.audit.judge.screen import is_screened
from clmath.audit.protocol.target import Expects, Target, TargetError, has_groups_of, widths_of
from clmath.audit.running import swept
from clmath.audit.running.again import asked_again, asked_in_layouts, is_repeatable, with_replays_tried
from clmath.audit.running.case import Case, answered, values_of_macro_calls
from clmath.audit.running.device_rows import Judges
from clmath.audit.running.workers import Here, Workers, ready
from clmath.audit.targets.attempt import evaluated_ahead, printed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Executor, Future

    from clmath.audit.acceptance.criteria import Criteria
    from clmath.audit.counting.tally import Example, Verdict
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.running.device_rows import Judge
    from clmath.audit.running.workers import Cluster

__all__ = ["Begun", "audit", "items_of"]

Progress: TypeAlias = "Callable[[Item, int, int], None]"
Around: TypeAlias = "Callable[[Item, Example | None], tuple[int, ...] | None]"
_AHEAD = 3  # chunks under way for each worker: memory stays bounded, and no worker waits for the device
_TOGETHER = 8  # chunks in one request: waking a process takes longer than a quick target's evaluation
_REQUEST = 1 << 20  # bytes: a request of this size gets no further chunk


def items_of(plan: Plan, target: Target) -> tuple[Item, ...]:
    """Return the cases of ``plan`` whose formats, vector widths and work-group sizes the target has."""
    offered, widths = target.formats(), widths_of(target)
    found = (item for item in plan.items() if item.is_offered(offered) and item.vector in widths)
    return tuple(item for item in found if has_groups_of(target, item))


class Begun(NamedTuple):
    """State of an unfinished case: its first ``pieces`` chunks are judged, with this tally."""

    item: Item
    pieces: int
    tally: Tally


def audit(
    plan: Plan,
    target: Target,
    *,
    on_progress: Progress | None = None,
    on_begun: Callable[[Begun], None] | None = None,
    done: Collection[Item] = (),
    begun: Begun | None = None,
    workers: Cluster | None = None,
    judge: Judge = "auto",
    on_remark: Callable[[str], None] | None = None,
    around: Around = lambda _, worst: local_search.around(worst),
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
    known = frozenset(done)
    items = [item for item in items_of(plan, target) if item not in known]
    if isinstance(target, Expects):
        target.expect([i for i in items if target.defines(i.builtin, i.form)])
    judges = Judges(judge, target, on_remark, on_judge)
    with _executor(plan.jobs, workers) as pool:
        ahead = _AHEAD * (workers.workers if workers else plan.jobs)
        started = _Audit(plan, target, pool, judges, begun, on_progress or _ignore, on_begun or _ignore, around)
        yield from started.verdicts(items, ahead)


def _ignore(*_: object) -> None:
    """Do nothing about progress."""


@dataclass(frozen=True)
class _Piece:
    """A chunk that is being judged; ``result`` will be its tally, or the reason why the case is not judged.

    The first pass over the case, or the local search, ends before chunk ``until``; the case has at most ``pieces``
    chunks. ``around``: the input around which the local search samples.
    """

    case: Case
    number: int
    until: int
    pieces: int
    result: Future[Tally] | Future[str]
    remark: str = ""  # on the text that the target printed, once the case is evaluated
    around: tuple[int, ...] | None = None
    is_repeated: bool = False  # whether some inputs are evaluated again; the case ends with them
    note: str = ""  # a remark on the results of evaluating again

    @property
    def item(self) -> Item:
        """The row of the case."""
        return self.case.item

    @property
    def is_last(self) -> bool:
        """Whether this pass over the case ends with the chunk."""
        return self.number == self.until - 1

    def with_remark(self) -> _Piece:
        """Return the chunk with a remark on the text that the target has printed, unless an earlier pass had one."""
        remark = printed(self.case.target)
        return replace(self, remark=self.remark or remark)


@dataclass
class _Audit:
    """Evaluates chunks, adds up their tallies, and decides which cases get a local search, and which are repeated."""

    plan: Plan
    target: Target
    pool: Executor
    judges: Judges
    resumed: Begun | None
    on_progress: Progress
    on_begun: Callable[[Begun], None]
    around: Around
    open: dict[Item, Begun] = field(default_factory=dict)  # in the order of the plan
    complete: dict[Item, Verdict] = field(default_factory=dict)  # verdicts that wait for the verdicts on earlier cases
    due: deque[_Piece] = field(default_factory=deque)  # local searches and repeated evaluations to begin
    waiting: deque[_Piece] = field(default_factory=deque)

    def verdicts(self, items: Iterable[Item], ahead: int) -> Iterator[Verdict]:
        """Yield the verdicts on cases in their order; about ``ahead`` chunks are judged at a time."""
        yield from self._judged(self._started(items), ahead)
        while self.waiting:
            yield from self._collect(self.waiting.popleft())
            yield from self._judged(self._looked_closer(), ahead)

    def _judged(self, pieces: Iterator[_Piece], ahead: int) -> Iterator[Verdict]:
        for piece in pieces:
            self.waiting.append(piece)
            while self.waiting and (len(self.waiting) > ahead or self.waiting[0].result.done()):
                yield from self._collect(self.waiting.popleft())

    def _started(self, items: Iterable[Item]) -> Iterator[_Piece]:
        """Evaluate one chunk after the other and pass each to the workers; then begin the local searches."""
        for item in items:
            case = Case(self.plan, self.target, item, _criteria(item, self.plan, self.target))
            if not self.target.defines(item.builtin, item.form):
                reason = f"{self.target.name} does not define {item.builtin.name} for {item.form}"
                row = _Piece(case, 0, 1, 1, ready(reason))
                self._start(row)
                yield row
                continue
            first = chunks(item, self.plan)
            row = _Piece(case, 0, first, first + local_search.pieces(item, self.plan), ready(""))
            yield from self._pieces(replace(row, number=self._start(row)))
            yield from self._looked_closer()

    def _start(self, row: _Piece) -> int:
        """Begin a case; return the number of its first chunk to judge."""
        begun = self.resumed if self.resumed and self.resumed.item == row.item else Begun(row.item, 0, Tally())
        self.open[row.item] = begun
        if begun.pieces == row.until:
            self._goes_on(row)
        return begun.pieces

    def _collect(self, piece: _Piece) -> Iterator[Verdict]:
        """Add the tally of one chunk; yield the verdicts that are complete now."""
        item, outcome = piece.item, piece.result.result()
        trouble, found = (outcome, Tally()) if isinstance(outcome, str) else ("", outcome)
        is_numbered_piece = is_numbered(item, self.plan) and piece.number >= fixed_chunks(item, self.plan)
        if is_numbered_piece and not piece.is_repeated:
            found = found.without_regions()  # a device that judges these inputs has no errors by region
        tally = found if piece.is_repeated and not trouble else self.open[item].tally + found
        begun = self.open[item] = Begun(item, piece.number + 1, tally)
        ended = bool(trouble) or (piece.is_last and not self._goes_on(piece))
        is_repeated_next = bool(self.due) and self.due[-1].item == item and self.due[-1].is_repeated
        is_done = ended or is_repeated_next
        if not piece.is_repeated:
            self.on_progress(item, piece.pieces if is_done else begun.pieces, piece.pieces)
        if ended:
            self.complete[item] = _verdict(piece, tally, trouble)
        elif not is_done and piece.around is None and item == next(iter(self.open)):  # --resume can go on from here
            self.on_begun(begun)
        while self.open and (first := next(iter(self.open))) in self.complete:
            del self.open[first]
            yield self.complete.pop(first)

    def _goes_on(self, piece: _Piece) -> bool:
        """Whether the case goes on after ``piece``, with the local search or with inputs that are evaluated again."""
        if piece.is_repeated:
            return False
        is_first = not piece.around and piece.until < piece.pieces
        around = self.around(piece.item, self.open[piece.item].tally.worst) if is_first else None
        if around is not None:
            self.due.append(replace(piece, number=piece.until, until=piece.pieces, around=around))
        elif is_repeatable(self.target):
            self.due.append(replace(piece, is_repeated=True))
        return around is not None or is_repeatable(self.target)

    def _looked_closer(self) -> Iterator[_Piece]:
        """Yield the chunks of local searches and of repeated evaluations of cases whose first pass is judged."""
        while self.due:
            row = self.due.popleft()
            if row.is_repeated:
                yield _asked_again(replace(row, number=row.until - 1), self.open[row.item].tally)
            else:
                yield from self._pieces(row)

    def _known(self, item: Item) -> KnownErrors:
        """Return the largest errors of a case so far; smaller ones need no close look."""
        return KnownErrors.of(self.open[item].tally)

    def _pieces(self, row: _Piece) -> Iterator[_Piece]:
        """Yield the chunks of a pass: structured inputs, which the host judges, then others."""
        item = row.item
        if row.around is None:
            first = fixed_chunks(item, self.plan) if is_numbered(item, self.plan) else 0
            if row.number < first:
                goes_on = yield from self._on_host(row, first)
                if not goes_on:
                    return
                row = replace(row, number=first)
            numbers = range(row.number, row.until)
            for number, tally in self.judges.pieces(row.case, numbers, self.pool, lambda: self._known(item)):
                piece = replace(row, number=number, result=tally)
                yield piece.with_remark() if piece.is_last else piece
                row = replace(row, number=number + 1)
        if row.number < row.until:
            yield from self._on_host(row, row.until)

    def _on_host(self, row: _Piece, until: int) -> Generator[_Piece, None, bool]:
        """Yield the chunks of a case up to ``until``, judged by the host; return whether the target still works."""
        if row.around is None and isinstance(self.pool, (Here, Workers)) and swept.is_served(row.case):
            numbers = range(row.number, until)
            judged = swept.judged(row.case, numbers, self.pool, lambda: self._known(row.item))
        else:
            judged = self._sent(replace(row, until=until))
        for number, found in judged:
            is_over = isinstance(found, TargetError)
            piece = replace(row, number=number, result=ready(str(found)) if isinstance(found, TargetError) else found)
            yield piece.with_remark() if is_over or number == row.until - 1 else piece
            if is_over:
                return False
        return True

    def _sent(self, row: _Piece) -> Iterator[tuple[int, Future[Tally] | TargetError]]:
        """Yield the tallies of the chunks of a case whose arguments and results pass through this process."""
        item, criteria = row.item, row.case.criteria
        is_quick = is_screened(item, criteria) and not is_swept(item, self.plan)  # no slower than a worker

        def ask(request: Sequence[tuple[int, Columns]]) -> Iterator[Columns]:
            return evaluated_ahead(self.target, item, [values for _, values in request])

        for (number, values), results in answered(_generated_together(row), ask):
            if isinstance(results, TargetError):
                yield number, results
                return
            known = self._known(item)
            if is_quick and len(values[0]) <= CHUNK:
                yield number, ready(judge(item, values, results, criteria, places(item, self.plan, number), known))
            else:
                # a target may return the same buffer again, so that results which are judged later are copied
                kept = tuple(r.copy() for r in results)
                at_hand = values if isinstance(self.pool, Here) else None
                given = item, self.plan, criteria, number, kept, known, row.around, at_hand
                yield number, self.pool.submit(_judged, *given)


def _criteria(item: Item, plan: Plan, target: Target) -> Criteria:
    """Return the acceptance criteria of a case; for a macro they contain the results with which it must agree."""
    criteria = criteria_of(item, plan, target)
    if isinstance(criteria, ExactCriteria) and item.builtin.returned_by and target.defines(item.builtin, item.form):
        return replace(criteria, returned=values_of_macro_calls(item, plan, target))  # type: ignore[arg-type] # its criteria say so
    return criteria


def _asked_again(row: _Piece, tally: Tally) -> _Piece:
    """Evaluate some inputs of a case again, and its failures alone; return the chunk with the final tally."""
    try:
        found, note = asked_again(row.case, tally)
        tally = with_replays_tried(row.case, tally + found)
        tally += Tally() if tally.failed else asked_in_layouts(row.case)
    except TargetError as error:
        return replace(row, result=ready(f"asked the same again: {error}"))
    finally:
        printed(row.case.target)  # dropped: the report has the remark of the first time
    return replace(row, result=ready(tally), note=note)


def _generated_together(row: _Piece) -> Iterator[list[tuple[int, Columns]]]:
    """Yield the inputs of the chunks of a pass, in groups that are sent to a target in one request."""
    pieces: list[tuple[int, Columns]] = []
    size = 0
    for number in range(row.number, row.until):
        pieces.append((number, _inputs(row.item, row.case.plan, number, row.around)))
        size += sum(column.nbytes for column in pieces[-1][1])
        if len(pieces) == _TOGETHER or size >= _REQUEST:
            yield pieces
            pieces, size = [], 0
    if pieces:
        yield pieces


def _inputs(item: Item, plan: Plan, number: int, around: tuple[int, ...] | None) -> Columns:
    """Return the inputs of a chunk; the chunks of the local search follow the chunks of the first pass."""
    if around is None:
        return columns(item, plan, number)
    return local_search.columns(item, plan, around, number - chunks(item, plan))


def _judged(  # noqa: PLR0917 - the arguments that a worker receives
    item: Item,
    plan: Plan,
    criteria: Criteria,
    number: int,
    results: Columns,
    known: KnownErrors,
    around: tuple[int, ...] | None,
    values: Columns | None,
) -> Tally:
    """Judge a chunk on a worker, which generates the inputs again if ``values`` is None: sending them is slower."""
    given = _inputs(item, plan, number, around) if values is None else values
    return judge(item, given, results, criteria, places(item, plan, number), known)


def _verdict(piece: _Piece, tally: Tally, why: str) -> Verdict:
    """Return the verdict on the case of ``piece``, its last chunk; ``why``: the trouble with the target."""
    item, criteria, plan = piece.item, piece.case.criteria, piece.case.plan
    notes = tuple(filter(None, (piece.remark, piece.note)))
    if why and not tally.failed:
        return trouble(item, criteria, tally, why, notes)
    if why:
        notes += (f"not judged to the end: {why}",)
    if is_parted(item, plan) and plan.part != (1, 1):
        notes += (of_part(plan),)
    return conclude(item, criteria, tally, notes)


@contextlib.contextmanager
def _executor(jobs: int, workers: Cluster | None) -> Iterator[Executor]:
    """Return the cluster, or an executor for so many jobs, and end it."""
    pool = workers or (Workers(jobs) if jobs > 1 else Here())
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
