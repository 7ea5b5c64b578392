"""Run an audit: the target evaluates one chunk after the other, and workers judge the results."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.acceptance.findings import conclude, of_part, trouble
from clmath.audit.counting.tally import Example, KnownErrors, Tally, Verdict
from clmath.audit.inputs import local_search
from clmath.audit.inputs.exhaustive import is_swept
from clmath.audit.inputs.layout import Columns
from clmath.audit.inputs.random import is_numbered
from clmath.audit.inputs.row_inputs import CHUNK, chunks, columns, fixed_chunks, is_parted, places
from clmath.audit.judge.piece import judge
from clmath.audit.judge.screen import is_screened
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.target import Expects, Target, TargetError, has_groups_of, widths_of
from clmath.audit.running import swept
from clmath.audit.running.again import asked_again, asked_in_layouts, is_repeatable, with_replays_tried
from clmath.audit.running.case import Case, answered
from clmath.audit.running.device_rows import Judge, Judges
from clmath.audit.running.workers import Cluster, Here, Workers, ready
from clmath.audit.targets.attempt import evaluated_ahead, printed

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


def _ignore(*_: object) -> None:
    """Do nothing about progress."""


def audit(
    plan: Plan,
    target: Target,
    *,
    on_progress: Progress = _ignore,
    on_begun: Callable[[Begun], None] = _ignore,
    done: Collection[Item] = (),
    begun: Begun | None = None,
    workers: Cluster | None = None,
    judge: Judge = "auto",
    on_remark: Callable[[str], None] = _ignore,
    around: Around = lambda _, worst: local_search.around(worst),
    on_judge: Callable[[Item, str], None] = _ignore,
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
        started = _Audit(plan, target, pool, judges, begun, on_progress, on_begun, around)
        yield from started.verdicts(items, ahead)


@dataclass
class _Row:
    """A case under way: the tally of its ``judged`` chunks, and the end of the current pass over its inputs.

    The first pass ends before chunk ``until``; with the local search, whose inputs are sampled ``around`` an input, the
    case has at most ``pieces`` chunks. The last pass evaluates some inputs again.
    """

    case: Case
    until: int
    pieces: int
    judged: int = 0
    tally: Tally = field(default_factory=Tally)
    around: tuple[int, ...] | None = None
    is_repeated: bool = False
    remark: str = ""  # on the text that the target printed when it evaluated inputs for the first time
    note: str = ""  # a remark on the results of evaluating again
    verdict: Verdict | None = None

    @property
    def item(self) -> Item:
        """The row of the case."""
        return self.case.item

    def known(self) -> KnownErrors:
        """Return the largest errors so far; smaller ones need no close look."""
        return KnownErrors.of(self.tally)


class _Chunk(NamedTuple):
    """A chunk that is being judged; ``result`` will be its tally, or the reason why the case is not judged."""

    row: _Row
    number: int
    result: Future[Tally] | Future[str] | Future[Tally | str]


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
    open: deque[_Row] = field(default_factory=deque)  # cases without a verdict, and those behind one, in their order
    due: deque[_Row] = field(default_factory=deque)  # cases whose next pass is to begin
    waiting: deque[_Chunk] = field(default_factory=deque)

    def verdicts(self, items: Iterable[Item], ahead: int) -> Iterator[Verdict]:
        """Yield the verdicts on cases in their order; about ``ahead`` chunks are judged at a time."""
        yield from self._judged(self._started(items), ahead)
        while self.waiting:
            yield from self._collect(self.waiting.popleft())
            yield from self._judged(self._looked_closer(), ahead)

    def _judged(self, chunks: Iterator[_Chunk], ahead: int) -> Iterator[Verdict]:
        for chunk in chunks:
            self.waiting.append(chunk)
            while self.waiting and (len(self.waiting) > ahead or self.waiting[0].result.done()):
                yield from self._collect(self.waiting.popleft())

    def _started(self, items: Iterable[Item]) -> Iterator[_Chunk]:
        """Evaluate one chunk after the other and pass each to the workers; then begin the local searches."""
        for item in items:
            case, first = Case.of(self.plan, self.target, item), chunks(item, self.plan)
            if not self.target.defines(item.builtin, item.form):
                row = _Row(case, 1, 1)
                self.open.append(row)
                reason = f"{self.target.name} does not define {item.builtin.name} for {item.form}"
                yield _Chunk(row, 0, ready(reason))
                continue
            row = _Row(case, first, first + local_search.pieces(item, self.plan))
            self.open.append(row)
            if self.resumed and self.resumed.item == item:
                row.judged, row.tally = self.resumed.pieces, self.resumed.tally
            if row.judged == row.until:
                self._goes_on(row)
            else:
                yield from self._evaluated(row)
            yield from self._looked_closer()

    def _collect(self, chunk: _Chunk) -> Iterator[Verdict]:
        """Add the tally of one chunk; yield the verdicts that are complete now."""
        row, outcome = chunk.row, chunk.result.result()
        trouble, found = (outcome, Tally()) if isinstance(outcome, str) else ("", outcome)
        is_first, was_repeated = row.around is None, row.is_repeated
        if not was_repeated and is_numbered(row.item, self.plan) and chunk.number >= fixed_chunks(row.item, self.plan):
            found = found.without_regions()  # a device that judges these inputs has no errors by region
        row.tally = found if was_repeated and not trouble else row.tally + found
        row.judged = chunk.number + 1
        ended = bool(trouble) or (row.judged == row.until and not self._goes_on(row))
        is_done = ended or row.is_repeated
        if not was_repeated:
            self.on_progress(row.item, row.pieces if is_done else row.judged, row.pieces)
        if ended:
            row.verdict = _verdict(row, trouble)
        elif not is_done and is_first and row is self.open[0]:  # --resume can go on from here
            self.on_begun(Begun(row.item, row.judged, row.tally))
        while self.open and (verdict := self.open[0].verdict):
            self.open.popleft()
            yield verdict

    def _goes_on(self, row: _Row) -> bool:
        """Whether another pass over the case is due: the local search, or inputs that are evaluated again."""
        if row.is_repeated:
            return False
        is_first = row.around is None and row.until < row.pieces
        around = self.around(row.item, row.tally.worst) if is_first else None
        if around is not None:
            row.until, row.around = row.pieces, around
        elif is_repeatable(self.target):
            row.is_repeated = True
        else:
            return False
        self.due.append(row)
        return True

    def _looked_closer(self) -> Iterator[_Chunk]:
        """Yield the chunks of the passes that are due."""
        while self.due:
            row = self.due.popleft()
            if row.is_repeated:
                yield _Chunk(row, row.until - 1, ready(_asked_again(row)))
            else:
                yield from self._evaluated(row)

    def _evaluated(self, row: _Row) -> Iterator[_Chunk]:
        """Yield the chunks of a pass: structured inputs, which the host judges, then others."""
        item, number, until = row.item, row.judged, row.until
        if row.around is None:
            first = fixed_chunks(item, self.plan) if is_numbered(item, self.plan) else 0
            if number < first:
                goes_on = yield from self._on_host(row, range(number, first))
                if not goes_on:
                    return
                number = first
            for last, tally in self.judges.pieces(row.case, range(number, until), self.pool, row.known):
                yield self._chunk(row, last, tally)
                number = last + 1
        if number < until:
            yield from self._on_host(row, range(number, until))

    def _chunk(self, row: _Row, number: int, found: Future[Tally] | TargetError) -> _Chunk:
        """Return a chunk; the last one of a pass adds the remark on the text that the target has printed."""
        is_over = isinstance(found, TargetError)
        if is_over or number == row.until - 1:
            remark = printed(self.target)
            row.remark = row.remark or remark
        return _Chunk(row, number, ready(str(found)) if isinstance(found, TargetError) else found)

    def _on_host(self, row: _Row, numbers: range) -> Generator[_Chunk, None, bool]:
        """Yield chunks of a case, judged by the host; return whether the target still works."""
        if row.around is None and isinstance(self.pool, (Here, Workers)) and swept.is_served(row.case):
            judged = swept.judged(row.case, numbers, self.pool, row.known)
        else:
            judged = self._sent(row, numbers)
        for number, found in judged:
            yield self._chunk(row, number, found)
            if isinstance(found, TargetError):
                return False
        return True

    def _sent(self, row: _Row, numbers: range) -> Iterator[tuple[int, Future[Tally] | TargetError]]:
        """Yield the tallies of the chunks of a case whose arguments and results pass through this process."""
        item, criteria = row.item, row.case.criteria
        is_quick = is_screened(item, criteria) and not is_swept(item, self.plan)  # no slower than a worker

        def ask(request: Sequence[tuple[int, Columns]]) -> Iterator[Columns]:
            return evaluated_ahead(self.target, item, [values for _, values in request])

        for (number, values), results in answered(_generated_together(row, numbers), ask):
            if isinstance(results, TargetError):
                yield number, results
                return
            known = row.known()
            if is_quick and len(values[0]) <= CHUNK:
                yield number, ready(judge(item, values, results, criteria, places(item, self.plan, number), known))
            else:
                # a target may return the same buffer again, so that results which are judged later are copied
                kept = tuple(r.copy() for r in results)
                at_hand = values if isinstance(self.pool, Here) else None
                given = item, self.plan, criteria, number, kept, known, row.around, at_hand
                yield number, self.pool.submit(_judged, *given)


def _asked_again(row: _Row) -> Tally | str:
    """Evaluate some inputs of a case again, and its failures alone; return the final tally, or an error."""
    try:
        found, row.note = asked_again(row.case, row.tally)
        tally = with_replays_tried(row.case, row.tally + found)
        return tally + (Tally() if tally.failed else asked_in_layouts(row.case))
    except TargetError as error:
        row.note = ""
        return f"asked the same again: {error}"
    finally:
        printed(row.case.target)  # dropped: the report has the remark of the first time


def _generated_together(row: _Row, numbers: range) -> Iterator[list[tuple[int, Columns]]]:
    """Yield the inputs of chunks, in groups that are sent to a target in one request."""
    group: list[tuple[int, Columns]] = []
    size = 0
    for number in numbers:
        group.append((number, _inputs(row.item, row.case.plan, number, row.around)))
        size += sum(column.nbytes for column in group[-1][1])
        if len(group) == _TOGETHER or size >= _REQUEST or number == numbers[-1]:
            yield group
            group, size = [], 0


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


def _verdict(row: _Row, why: str) -> Verdict:
    """Return the verdict on a case; ``why``: the trouble with the target."""
    item, criteria, plan, tally = row.item, row.case.criteria, row.case.plan, row.tally
    notes = tuple(filter(None, (row.remark, row.note)))
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
