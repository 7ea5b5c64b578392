"""All floats, evaluated and judged in shared memory: neither arguments nor results pass between processes."""

from __future__ import annotations

import itertools
import threading
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from clmath.audit.inputs.floats import OPPOSITE, RUN, RUNS, swept_columns, swept_parts
from clmath.audit.inputs.row_inputs import is_swept, length
from clmath.audit.isolation.asking import SWEPT
from clmath.audit.judge.piece import Block, judge, judge_blocks, takes_blocks
from clmath.audit.judge.screen import is_screened
from clmath.audit.protocol.memory import BEHIND, spans
from clmath.audit.protocol.subject import SubjectError, Sweeping
from clmath.numbers.formats import FLOAT
from clmath.spec.symmetries import symmetry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor, Future

    from numpy.typing import NDArray

    from clmath.audit.counting.spread import Stretches
    from clmath.audit.counting.tally import Tally
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.memory import Place
    from clmath.audit.protocol.subject import Subject

__all__ = ["is_served", "judged", "judged_part"]

REQUEST = 16  # parts that the subject is asked for at a time: it has nothing to do from the last one to the next
TOGETHER = 4  # parts that are judged together, each of a million calls: what a judge does once for many takes a
SHARES = 4  # quarter of the time then; but each worker gets some of a row that has few
IN_ALL = 16  # parts that all workers judge at a time, where few of them have room for more than TOGETHER each
BLOCK = 1 << 17  # calls whose inputs stay in a processor's second cache while they are screened
LENGTH = BLOCK // RUN  # of a block, in runs
FEW = BLOCK // 32  # calls, up to which a block takes longer to begin with than to screen
TWO = OPPOSITE // 2  # the run of 2.0: many results before it are next to their arguments, with errors next to none
_KEPT = threading.local()


def is_served(subject: Subject, item: Item, plan: Plan) -> bool:
    """Whether all floats are tried of a row, in scalars, and the subject's results lie where all can read them."""
    if not is_swept(item, plan) or len(item.columns) > 1 or item.vector > 1 or not getattr(subject, "can_sweep", False):
        return False
    *_, last = spans(item.layout(length(item, plan, 1)))
    return int(last.stop) + BEHIND <= SWEPT


def judged(  # noqa: PLR0917 - what a row is, who evaluates it, and who judges it
    plan: Plan,
    subject: Subject,
    item: Item,
    law: Law,
    numbers: range,
    pool: Executor,
    known: Callable[[], tuple[float, Stretches]],
) -> Iterator[tuple[int, Future[Tally] | SubjectError]]:
    """Evaluate and judge the pieces ``numbers`` of a row: the number of the last one so far, and their tally.

    After what goes wrong with a piece there are no more.
    """
    share, most = len(numbers) // (SHARES * plan.jobs), max(TOGETHER, IN_ALL // plan.jobs)
    together = min(max(share, 1), most) if is_screened(item, law) else 1
    parts = swept_parts(plan)
    for some, places, trouble in _evaluated(cast("Sweeping", subject), item, parts, numbers, together):
        done = [parts[n] for n in some[: len(places)]]
        if done:
            yield some[len(done) - 1], _submitted(pool, subject, places, item, law, done, known())
        if trouble is not None:
            yield some[len(done)], trouble
            return


def _evaluated(
    subject: Sweeping, item: Item, parts: Sequence[int], numbers: range, together: int
) -> Iterator[tuple[range, list[Place], SubjectError | None]]:
    """The pieces ``numbers``, so many ``together``, where their results lie, and why there are no more.

    The subject is asked for the next ones before the last of those that it was asked for are handed out.
    """
    asked = numbers[:REQUEST]
    found = subject.swept(item, [parts[n] for n in asked])
    while asked:
        following = range(asked.stop, min(asked.stop + REQUEST, numbers.stop))
        for start in range(asked.start, asked.stop, together):
            some = range(start, min(start + together, asked.stop))
            places, trouble = _taken(found, len(some))
            if some.stop == asked.stop and following and trouble is None:
                found = subject.swept(item, [parts[n] for n in following])
            yield some, places, trouble
        asked = following


def _taken(found: Iterator[Place], count: int) -> tuple[list[Place], SubjectError | None]:
    """Up to ``count`` places of results, and why there are no more."""
    places: list[Place] = []
    try:
        places.extend(itertools.islice(found, count))
    except SubjectError as error:
        return places, error
    return places, None


def _submitted(pool: Executor, subject: Subject, places: list[Place], item: Item, *given: Any) -> Future[Tally]:
    """Have results judged, and their places then used again."""
    future = pool.submit(judged_part, item, places, *given)

    def give_back(_: object) -> None:
        for place in places:
            cast("Sweeping", subject).give_back(place)

    future.add_done_callback(give_back)
    return future


def judged_part(
    item: Item, places: Sequence[Place], law: Law, parts: Sequence[int], known: tuple[float, Stretches]
) -> Tally:
    """A worker's part: the inputs are made again, the results are taken from where they lie."""
    lie = _Lying(item, parts, [place.bytes() for place in places])
    if takes_blocks(item, lie.first(), law):
        floor, stretches = known
        return judge_blocks(item, _few_last(lie.blocks()), law, floor if stretches else lie.floor(law), stretches)
    values, results = lie.together()
    return judge(item, values, results, law, values[0].view(np.uint32), *known)


def _room(count: int, kind: Any, number: int) -> np.ndarray:
    """Memory of this thread, which judges one thing at a time: numbered 0 for the arguments, then for every result."""
    size = count * np.dtype(kind).itemsize
    kept: NDArray[np.uint8] | None = _KEPT.__dict__.get(str(number))
    if kept is None or kept.size < size:
        kept = _KEPT.__dict__[str(number)] = np.empty(size, np.uint8)
    return kept[:size].view(kind)


class _Lying(NamedTuple):
    """Parts of all floats, and the bytes of their results."""

    item: Item
    parts: Sequence[int]
    data: Sequence[NDArray[np.uint8]]

    def first(self) -> Block:
        """The first block, without results for opposite inputs."""
        return self._block(self.parts[0], self._found(self.data[0]), 0)

    def floor(self, law: Law) -> float:
        """Half of an error that is there, for parts before which none is known: smaller ones are not looked for."""
        worst = judge_blocks(self.item, [self._block(self.parts[0], self._found(self.data[0]), TWO)], law).worst
        return abs(worst.error) / 2 if worst else 0.0

    def blocks(self) -> Iterator[Block]:
        """The inputs and results of one part after the other; inputs last until the next are asked for.

        Those of an odd or even function and their opposites come together, as far as results mirror each other.
        """
        kind = symmetry(self.item.builtin.called)
        for part, data in zip(self.parts, self.data, strict=True):
            found = self._found(data)
            for run in range(0, OPPOSITE if kind else RUNS, LENGTH):
                block = self._block(part, found, run)
                yield from _folded(block, _results(found, run + OPPOSITE), kind) if kind else (block,)

    def together(self) -> tuple[Columns, Columns]:
        """All inputs and results, ascending by the encodings of the inputs."""
        size = len(self.parts) * RUNS * RUN
        values, results = swept_columns(self.item, self.parts, _room(size, np.uint32, 0)), []
        for number, found in enumerate(zip(*map(self._found, self.data), strict=True), start=1):
            whole = _room(size, found[0].dtype, number)
            np.stack(found, axis=1, out=whole.reshape(RUNS, -1, RUN))
            results.append(whole)
        return values, tuple(results)

    def _block(self, part: int, found: Sequence[np.ndarray], run: int) -> Block:
        """The block of a part that begins with run number ``run``."""
        values = swept_columns(self.item, [part], _room(BLOCK, np.uint32, 0), slice(run, run + LENGTH))
        return Block(values, _results(found, run))

    def _found(self, data: NDArray[np.uint8]) -> list[np.ndarray]:
        """The results of a part, one run in each row."""
        layout = self.item.layout(RUNS * RUN)
        return [data[span].view(dtype).reshape(-1, RUN) for (dtype, _), span in zip(layout, spans(layout), strict=True)]


def _results(found: Sequence[np.ndarray], run: int) -> Columns:
    """The results of the block that begins with run number ``run``."""
    return tuple(one[run : run + LENGTH].reshape(-1) for one in found)


def _few_last(blocks: Iterator[Block]) -> Iterator[Block]:
    """``blocks``, those of few calls without mirrored results in one at the end, ascending by their encodings."""
    few = []
    for block in blocks:
        if block.mirrored or len(block.values[0]) > FEW:
            yield block
        else:
            few.append([*(column.copy() for column in (*block.values, *block.results))])
    if few:
        values, *results = map(np.concatenate, zip(*few, strict=True))
        yield Block((values,), tuple(results)).lanes(np.argsort(FLOAT.bits(values)))


def _folded(block: Block, there: Columns, kind: str) -> Iterator[Block]:
    """``block`` and the opposite inputs, whose results are ``there``: together as far as results mirror each other.

    From the first two results that do not to the last two, inputs and their opposites come apart.
    """
    (values,), (here,), (other,) = block = block._replace(mirrored=there)
    differences = np.bitwise_xor(FLOAT.bits(here), FLOAT.bits(other))
    unlike = np.flatnonzero(differences != (FLOAT.magnitude + 1 if kind == "odd" else 0))
    start, stop = (int(unlike[0]), int(unlike[-1]) + 1) if unlike.size else (0, 0)
    for alike in (slice(0, start), slice(stop, None)):
        if values[alike].size:
            yield block.lanes(alike)
    if unlike.size:
        yield from block.lanes(slice(start, stop)).apart()
