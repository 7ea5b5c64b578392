"""Decide which cases a device judges, and have the host judge the inputs that the device lists."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Literal, TypeAlias, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from clmath.audit.acceptance.findings import out_of_limit
from clmath.audit.counting.spread import BINS, Spread
from clmath.audit.counting.tally import NONE_KNOWN, KnownErrors, Otherwise, Tally
from clmath.audit.device_judge.question import Judging, Question, Runs, Summary, question_of, refusal
from clmath.audit.inputs import random
from clmath.audit.inputs.exhaustive import is_swept, swept_columns, swept_parts
from clmath.audit.inputs.row_inputs import columns, fixed_chunks, places
from clmath.audit.judge.compiled_loop import serves
from clmath.audit.judge.piece import alike, judge
from clmath.audit.plan.item import Item
from clmath.audit.protocol.target import Sweeping, Target, TargetError
from clmath.audit.running import swept
from clmath.audit.running.case import Case
from clmath.audit.running.workers import Here
from clmath.spec.special_values import SpecialValue


def far_zeros(question: Question, runs: Runs) -> tuple[Tally, Runs]:
    """Return a tally of runs beyond a border that returned zeros, if special values prescribe zeros, and other runs.

    If a special value prescribes zero for one of these inputs, it does so for all inputs of that sign. So one input is
    judged for all. The first runs stay among the others, because reports show the first inputs of a row.
    """
    item, form, tally = question.item, question.item.form, Tally()
    is_left = np.ones(len(runs.firsts), np.bool_)
    if question.generated is None and len(runs.results) == 1:
        x, last = runs.firsts.view(form.dtype), (runs.firsts + (runs.lengths - 1).astype(runs.firsts.dtype))
        (result,) = runs.results
        for group in alike(
            item, question.all_criteria, x, result, np.isfinite(last.view(form.dtype)) & (result == 0), few=0
        ):
            if _is_prescribed(question, first := runs.picked(group[:1])):
                judged = judge(item, question.inputs(first.firsts), first.results, question.criteria, first.firsts)
                tally += judged.times(int(runs.lengths[group].sum()))
                is_left[group] = False
    return tally, runs if is_left.all() else runs.picked(is_left)


def _is_prescribed(question: Question, run: Runs) -> bool:
    """Whether special values of every edition in question prescribe zero for the first input of a run."""
    args, form = question.inputs(run.firsts), question.item.form

    def is_zero(special_value: SpecialValue) -> bool:
        return bool(
            special_value.prescribes_exactly
            and special_value.matches(args, form).all()
            and special_value.expected(args, form)[0][0] == 0
        )

    return all(any(map(is_zero, need.special_values)) for need in question.terms.needs)


AT_ONCE = 1 << 20  # inputs that are judged together
MANY = 64  # one of this many runs is judged before the others: the worst errors known then spare work


def placed(question: Question, parts: range, runs: Runs) -> Runs:
    """Return the runs of a list in the order of the row, in which the inputs of a run follow one another."""
    firsts, ends, which = _within_units(runs, np.uint64(question.neighbours.bit_length() - 1))
    places = question.places(parts, firsts)
    order = np.argsort(places)
    dtypes = [dtype for dtype, _ in question.item.layout(0)]
    results = (r[which[order]].view(dtype) for r, dtype in zip(runs.results, dtypes, strict=True))
    return Runs(places[order], (ends - firsts)[order].astype(np.intp), tuple(results))


def _within_units(runs: Runs, bits: np.uint64) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.intp]]:
    """Cut runs at multiples of 2^bits, and return the first and end of each part and the index of its run."""
    firsts, one = runs.firsts, np.uint64(1)
    ends = firsts + runs.lengths
    units = ((ends - one >> bits) - (firsts >> bits)).astype(np.intp) + 1
    which = np.repeat(np.arange(len(firsts)), units)
    if len(which) == len(firsts):
        return firsts, ends, which
    starts = (firsts >> bits) - (np.cumsum(units) - units).astype(np.uint64)  # may wrap
    unit = np.repeat(starts, units) + np.arange(len(which), dtype=np.uint64)
    return np.maximum(firsts[which], unit << bits), np.minimum(ends[which], unit + one << bits), which


def in_order(runs: Runs) -> Iterator[tuple[np.ndarray, tuple[np.ndarray, ...]]]:
    """Yield places and results, first of one in ``MANY`` runs, then of the others; places ascend in both groups."""
    few = np.arange(0, len(runs.lengths), MANY)
    is_left = np.ones(len(runs.lengths), np.bool_)
    is_left[few] = False
    for some in (few, np.flatnonzero(is_left)):
        elements = np.cumsum(runs.lengths[some])
        ends = np.searchsorted(elements, np.arange(AT_ONCE, elements[-1] if len(elements) else 0, AT_ONCE))
        for part in np.split(some, ends):
            if len(part):
                yield runs.picked(part).each()


Judge: TypeAlias = Literal["auto", "host", "device"]
T = TypeVar("T")
JUDGES: tuple[Judge, ...] = get_args(Judge)
FEW = 16  # chunks of all floats: with fewer, the host judges, and no program is compiled for the device
FIRST = 1 << 20  # inputs of the first request to the device, and of one more request; they take several launches
FEW_DRAWN = 64  # chunks of random inputs: with fewer, the host judges, like ``FEW``


class Judges:
    """Have cases of ``target`` judged by the device if it can and, for ``auto``, if it is faster than the host.

    The tallies do not depend on the judge. ``tell``: called once, with the reason, if a device that was to judge
    cannot. ``tell_who``: called with the judge of a case with many inputs, and again whenever the judge changes.
    """

    def __init__(
        self,
        wanted: Judge,
        target: Target,
        tell: Callable[[str], None],
        tell_who: Callable[[Item, str], None],
    ) -> None:
        self._wanted, self._target, self._tell, self._tell_who = wanted, target, tell, tell_who
        self._device: Judging | None = None
        self._is_tried = wanted == "host" or not getattr(target, "can_judge", isinstance(target, Judging))
        if self._is_tried and wanted == "device":
            self._tell(f"{target.name} is not a device that can judge: the host judges")

    def pieces(
        self, case: Case, numbers: range, pool: Executor, known: Callable[[], KnownErrors]
    ) -> Iterator[tuple[int, Future[Tally]]]:
        """Judge the chunks ``numbers`` of a case on the device; yield the last chunk's number so far, and their tally.

        Chunks of structured inputs are not among them: the host judges these. The iterator ends early if the host has
        to go on, or is faster. ``known``: returns the largest errors so far. The first inputs are judged completely,
        lists included, before the device receives more: a device with the same error at many inputs lists all of them
        until that error is passed to it. If the host may be faster, a second request has as few inputs as the first:
        its list then shows how long the lists of the other inputs will be.
        """
        item, plan = case.item, case.plan
        question = self._question(case, len(numbers))
        if question is None:
            return
        pieces = swept_parts(plan) if is_swept(item, plan) else random.parts(plan)
        ahead = fixed_chunks(item, plan)
        device, done, is_chosen, requests = self._judging(), numbers.start, self._wanted == "device", 0
        first = NONE_KNOWN
        while device is not None and done < numbers.stop:
            requests += 1
            is_trial = requests == 1 or not is_chosen
            until = min(done + FIRST // question.piece, numbers.stop) if is_trial else numbers.stop
            parts = pieces[done - ahead : until - ahead]
            errors = first.joined(known())
            found = self._found(device, question, parts, errors)
            if found is None:
                return
            done += -(-found.elements // question.piece)
            begun = time.perf_counter()
            future = (pool if is_chosen else Here()).submit(tally_of, question, parts, found, errors)  # here to time it
            listing = (time.perf_counter() - begun) / found.elements
            if requests == 1:
                first = KnownErrors.of(future.result())
            self._tell_who(item, "device")
            yield done - 1, future
            if not is_chosen and requests > 1:
                taken = found.pace + listing / plan.jobs
                is_chosen = taken < seconds_of_host(case, first, taken)
                if not is_chosen:
                    self._tell_who(item, "host: it is faster")
                    return

    def _question(self, case: Case, pieces: int) -> Question | None:
        """Return the question for the device about ``pieces`` chunks of a case, or None if the host judges them."""
        item, plan = case.item, case.plan
        if not pieces or not (is_swept(item, plan) or plan.is_numbered):
            return None
        why = "it was asked for" if self._wanted == "host" else refusal(item, case.criteria, plan)
        few = FEW if is_swept(item, plan) else FEW_DRAWN
        if not why and self._wanted == "auto" and pieces < few:
            why = f"the device is asked about {few} pieces or more"
        if not why and self._wanted == "auto" and _is_own_processor(case):
            why = "the device is its processor"
        if not why and self._judging() is None:
            why = "there is no device that can"
        if why:
            self._tell_who(item, f"host: {why}")
            if self._wanted == "device" and self._judging() is not None:
                self._tell(f"{item}: the host judges: {why}")
        return None if why else question_of(item, case.criteria, plan)

    def _judging(self) -> Judging | None:
        """Return the calibrated device if it is to judge and can, else None."""
        if not self._is_tried:
            self._is_tried = True
            assert isinstance(self._target, Judging)
            try:
                self._target.judging(None, range(0))
                self._device = self._target
            except TargetError as error:
                self._tell(f"the host judges: {error}")
        return self._device

    def _found(self, device: Judging, question: Question, parts: range, errors: KnownErrors) -> Summary | None:
        """Return the device's summary, or None after an error: the host meets the same error and reports it."""
        try:
            return device.judging(question, parts, errors)
        except TargetError as error:
            self._tell(f"{question.item}: the host judges the rest of the case: {error}")
            self._tell_who(question.item, "host: the device has failed")
            return None


def _is_own_processor(case: Case) -> bool:
    """Whether the device is this processor, and the host's compiled loop serves the case.

    The loop is twice as fast then, so that no program is compiled for the device just to measure that.
    """
    is_own = getattr(case.target, "is_processor", False) and 2 * case.plan.jobs >= (os.cpu_count() or 1)
    return is_own and swept.is_served(case) and serves(case.item, case.criteria)


def tally_of(question: Question, parts: range, found: Summary, known: KnownErrors) -> Tally:
    """Return the tally of the first ``parts``: the device's counts, and the host's tally of the listed inputs."""
    item, criteria = question.item, question.criteria
    bins = dict(zip(BINS, found.bins, strict=True))
    spread = Spread.of(bins, [{} for _ in item.measured]) if any(found.bins) else Spread()
    (unjudged, *by_others), flushed, failed = found.others
    counts = zip(criteria.others(item), by_others, strict=True)
    others = tuple(Otherwise(other.edition, count, failed) for other, count in counts)
    tally = Tally(tried=found.decided, unjudged=unjudged, flushed=flushed, others=others, spread=spread)
    if failed:
        tally += Tally(failed=failed, reasons=((out_of_limit(criteria.limit(item)), failed),))
    far, runs = far_zeros(question, placed(question, parts, found.runs))
    tally += far
    for standing, results in in_order(runs):
        tally += judge(
            item, question.inputs(standing), results, criteria, standing, known.joined(KnownErrors.of(tally))
        )
    return tally


SAMPLE = 1 << 17  # random inputs that the host is timed with
REPEATED = 4  # repetitions: the first one loads tables, and others may be disturbed


def seconds_of_host(case: Case, known: KnownErrors, most: float) -> float:
    """Return the seconds per input if all processes of the host judge while the device evaluates; inf on failure.

    ``known``: largest errors so far. If evaluating alone takes more than ``most``, judging is not timed.
    """
    timed = _of_sweep if swept.is_served(case) else _of_sample
    try:
        return timed(case, known, most)
    except TargetError:
        return np.inf


def _of_sweep(case: Case, known: KnownErrors, most: float) -> float:
    """Return the seconds per input if all floats are tried and results are judged in shared memory."""
    parts, target = [swept_parts(case.plan)[0]], cast("Sweeping", case.target)
    elements = len(swept_columns(case.item, parts)[0])

    def evaluate() -> None:
        (place,) = target.swept(case.item, parts)
        target.give_back(place)

    evaluating, _ = least_time(evaluate)
    if evaluating > most * elements:
        return evaluating / elements
    (place,) = target.swept(case.item, parts)
    judging, _ = least_time(lambda: swept.judged_part(case.item, [place], case.criteria, parts, known))
    target.give_back(place)
    return (evaluating + judging / case.plan.jobs) / elements


def _of_sample(case: Case, known: KnownErrors, most: float) -> float:
    """Return the seconds per input if arguments are sent and results are fetched."""
    item, plan = case.item, case.plan
    chunk, begun = fixed_chunks(item, plan), time.perf_counter()
    values = columns(item, plan, chunk)
    drawing = (time.perf_counter() - begun) / len(values[0]) * SAMPLE
    values = tuple(v[:SAMPLE] for v in values)
    first = places(item, plan, chunk)
    where = first if isinstance(first, int) else first[:SAMPLE]
    evaluating, results = least_time(lambda: case.evaluated(values))
    if evaluating > most * SAMPLE:
        return evaluating / SAMPLE
    judging, _ = least_time(lambda: judge(item, values, results, case.criteria, where, known))
    return (drawing + evaluating + (drawing + judging) / plan.jobs) / SAMPLE  # judging generates the inputs again


def least_time(work: Callable[[], T]) -> tuple[float, T]:
    """Return the shortest of several times of ``work``, in seconds, and its result."""
    seconds = []
    for _ in range(REPEATED):
        begun = time.perf_counter()
        found = work()
        seconds.append(time.perf_counter() - begun)
    return min(seconds), found
