"""Evaluate and judge all floats in shared memory: neither arguments nor results pass between processes."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.counting.tally import KnownErrors, Tally
from clmath.audit.inputs.exhaustive import OPPOSITE, RUN, RUNS, is_swept, swept_columns, swept_parts
from clmath.audit.inputs.layout import Columns
from clmath.audit.inputs.row_inputs import length
from clmath.audit.isolation.isolated import SWEPT
from clmath.audit.judge import compiled_loop
from clmath.audit.judge.compiled_loop import Block
from clmath.audit.judge.piece import judge, judge_blocks
from clmath.audit.judge.screen import is_screened
from clmath.audit.plan.item import Item
from clmath.audit.protocol.memory import BEHIND, Place, spans
from clmath.audit.protocol.target import Sweeping, TargetError
from clmath.audit.running.case import Case, answered
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import symmetry

REQUEST = 16  # parts in one request to the target: it is idle between two requests
TOGETHER = 4  # parts that are judged together, each of a million calls: work done once for many takes a
SHARES = 4  # quarter of the time then; but each worker gets some parts of a case that has few
IN_ALL = 16  # parts that all workers judge at a time, if this allows few workers more than TOGETHER each
BLOCK = 1 << 17  # calls whose inputs stay in a processor's second cache while they are screened
LENGTH = BLOCK // RUN  # of a block, in runs
FEW = BLOCK // 32  # calls, up to which a block takes longer to set up than to screen
TWO = OPPOSITE // 2  # the run of 2.0: many results before it are close to their arguments, with hardly any error
_KEPT = threading.local()


def is_served(case: Case) -> bool:
    """Whether a case tries all floats, in scalars, and the target's results lie in shared memory."""
    item, plan = case.item, case.plan
    is_scalar = is_swept(item, plan) and len(item.columns) == 1 and item.vector == 1
    if not (is_scalar and getattr(case.target, "can_sweep", False)):
        return False
    *_, last = spans(item.layout(length(item, plan, 1)))
    return int(last.stop) + BEHIND <= SWEPT


def judged(
    case: Case, numbers: range, pool: Executor, known: Callable[[], KnownErrors]
) -> Iterator[tuple[int, Future[Tally] | TargetError]]:
    """Evaluate and judge the chunks ``numbers`` of a case; yield the number of the last one so far, and their tally.

    The first chunk with an error is the last one.
    """
    target, item, parts, jobs = cast("Sweeping", case.target), case.item, swept_parts(case.plan), case.plan.jobs
    share, most = len(numbers) // (SHARES * jobs), max(TOGETHER, IN_ALL // jobs)
    together = min(max(share, 1), most) if is_screened(item, case.criteria) else 1
    requests = (numbers[i : i + REQUEST] for i in range(0, len(numbers), REQUEST))
    waiting: dict[int, Place] = {}  # by number
    for number, found in answered(requests, lambda request: target.swept(item, [parts[n] for n in request])):
        if not isinstance(found, TargetError):
            waiting[number] = found
            if len(waiting) < together and number != numbers[-1]:
                continue
        if waiting:
            places, some = [*waiting.values()], [parts[n] for n in waiting]
            future = pool.submit(judged_part, item, places, case.criteria, some, known())
            future.add_done_callback(functools.partial(_give_back, target, places))
            yield max(waiting), future
            waiting = {}
        if isinstance(found, TargetError):
            yield number, found


def _give_back(target: Sweeping, places: Sequence[Place], _: object) -> None:
    """Release the places of results that are judged."""
    for place in places:
        target.give_back(place)


def judged_part(
    item: Item, places: Sequence[Place], criteria: Criteria, parts: Sequence[int], known: KnownErrors
) -> Tally:
    """Judge a worker's part: generate the inputs again, and read the results in place."""
    lie = _Lying(item, parts, [place.bytes() for place in places])
    if compiled_loop.serves(item, criteria):
        known = known if known.stretches else KnownErrors(lie.floor(criteria))
        return judge_blocks(item, _few_last(lie.blocks()), criteria, known)
    values, results = lie.together()
    return judge(item, values, results, criteria, values[0].view(np.uint32), known)


def _room(count: int, kind: DTypeLike, number: int) -> np.ndarray:
    """Return memory of this thread, which judges one chunk at a time: 0 for arguments, then a number per result."""
    size = count * np.dtype(kind).itemsize
    kept: NDArray[np.uint8] | None = _KEPT.__dict__.get(str(number))
    if kept is None or kept.size < size:
        kept = _KEPT.__dict__[str(number)] = np.empty(size, np.uint8)
    return kept[:size].view(kind)


class _Lying(NamedTuple):
    """Parts of all floats, with the bytes of their results."""

    item: Item
    parts: Sequence[int]
    data: Sequence[NDArray[np.uint8]]

    def floor(self, criteria: Criteria) -> float:
        """Return half of an error of the first part: as no error is known before, smaller ones are not searched for."""
        worst = judge_blocks(self.item, [self._block(self.parts[0], self._found(self.data[0]), TWO)], criteria).worst
        return abs(worst.error) / 2 if worst else 0.0

    def blocks(self) -> Iterator[Block]:
        """Yield the inputs and results of one part after the other; the inputs of a block are valid until the next one.

        For an odd or even function, inputs and their opposites come together if their results mirror each other.
        """
        kind = symmetry(self.item.builtin.called)
        for part, data in zip(self.parts, self.data, strict=True):
            found = self._found(data)
            for run in range(0, OPPOSITE if kind else RUNS, LENGTH):
                block = self._block(part, found, run)
                yield from _folded(block, _results(found, run + OPPOSITE), kind) if kind else (block,)

    def together(self) -> tuple[Columns, Columns]:
        """Return all inputs and results, ascending by the encodings of the inputs."""
        size = len(self.parts) * RUNS * RUN
        values, results = swept_columns(self.item, self.parts, _room(size, np.uint32, 0)), []
        for number, found in enumerate(zip(*map(self._found, self.data), strict=True), start=1):
            whole = _room(size, found[0].dtype, number)
            np.stack(found, axis=1, out=whole.reshape(RUNS, -1, RUN))
            results.append(whole)
        return values, tuple(results)

    def _block(self, part: int, found: Sequence[np.ndarray], run: int) -> Block:
        """Return the block of a part that begins with run number ``run``."""
        values = swept_columns(self.item, [part], _room(BLOCK, np.uint32, 0), slice(run, run + LENGTH))
        return Block(values, _results(found, run))

    def _found(self, data: NDArray[np.uint8]) -> list[np.ndarray]:
        """Return the results of a part, one run in each row of an array."""
        layout = self.item.layout(RUNS * RUN)
        return [data[span].view(dtype).reshape(-1, RUN) for (dtype, _), span in zip(layout, spans(layout), strict=True)]


def _results(found: Sequence[np.ndarray], run: int) -> Columns:
    """Return the results of the block that begins with run number ``run``."""
    return tuple(one[run : run + LENGTH].reshape(-1) for one in found)


def _few_last(blocks: Iterator[Block]) -> Iterator[Block]:
    """Yield ``blocks``; small ones without mirrored results are joined into a last one, ascending by encodings."""
    few = []
    for block in blocks:
        if block.mirrored or len(block.values[0]) > FEW:
            yield block
        else:
            few.append([*(column.copy() for column in (*block.values, *block.results))])
    if few:
        values, *results = map(np.concatenate, zip(*few, strict=True))
        yield Block((values,), tuple(results)).elements(np.argsort(FLOAT.bits(values)))


def _folded(block: Block, there: Columns, kind: str) -> Iterator[Block]:
    """Yield ``block`` and the opposite inputs, with results ``there``: together if results mirror each other.

    From the first two to the last two results that do not, inputs and their opposites come separately.
    """
    (values,), (here,), (other,) = block = block._replace(mirrored=there)
    differences = np.bitwise_xor(FLOAT.bits(here), FLOAT.bits(other))
    unlike = np.flatnonzero(differences != (FLOAT.magnitude + 1 if kind == "odd" else 0))
    start, stop = (int(unlike[0]), int(unlike[-1]) + 1) if unlike.size else (0, 0)
    for alike in (slice(0, start), slice(stop, None)):
        if values[alike].size:
            yield block.elements(alike)
    if unlike.size:
        yield from block.elements(slice(start, stop)).apart()
