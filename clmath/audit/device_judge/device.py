"""Runs the judge on a device: arguments, results and counts stay there, and launches stay short."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from clmath.audit.counting.spread import BINS
from clmath.audit.counting.tally import KEPT, NONE_KNOWN, KnownErrors
from clmath.audit.device_judge import source
from clmath.audit.device_judge.question import Question, Runs, Summary, no_counts
from clmath.audit.inputs.exhaustive import RUN
from clmath.audit.protocol.target import TargetError
from clmath.engines.device.calibration import calibrate
from clmath.engines.device.machine import Machine
from clmath.engines.device.source import Source
from clmath.numbers.rounded_encodings import MODE_NUMBERS

FIRST = 1 << 16  # inputs of the first launch of a row
LAUNCH = 0.2  # seconds that a launch may take: display drivers kill launches of several seconds
SHOWN = 1 << 6  # number of inputs at both ends of a launch, and in its middle, that the host compares with its own
GUARD = np.full(128, source.POISON, np.uint8)  # bytes behind the last result, which must not change
SEEN = 1 << 24  # inputs of a row after which lists have their typical length: before, larger errors are still found
WORTH = 1 << 18  # listed inputs that take the host longer than compiling a program
MISSED = 2  # the mark of an input that fails for certain
SOON = 1 << 3  # factor on WORTH for narrow formats, whose inputs rarely need the reference


class Thresholds(NamedTuple):
    """Encodings of the least errors that may be the worst of a row.

    ``before``: for places up to ``at``. ``behind``: for later places. ``shown``: failing inputs are listed up to this
    place.
    """

    before: np.int64
    behind: np.int64
    at: np.int64
    shown: np.int64


@dataclass
class RowOnDevice:
    """The buffers and programs on the device for one row; ``size``: number of inputs of the next launch.

    ``sheds``: whether a list gets shorter when it is made again, now that larger errors are known. ``decides``: whether
    narrower enclosures make it shorter. ``due``: the next chunk to judge, and the step between chunks, as long as
    ``best`` holds the errors of the chunks before it.
    """

    question: Question
    make: tuple[object, object]  # the entry that makes inputs, and its tables
    judge: tuple[object, object]
    lister: object
    best: object
    ends: tuple[object, object]  # the numbers of the first and last inputs of runs
    kept: list[object]  # the results of runs
    marks: object = None  # a byte per input: not 0 if it is to be listed
    sources: list[object] = field(default_factory=list)
    results: list[object] = field(default_factory=list)
    elements: int = 0
    size: int = FIRST
    seen: int = 0  # number of inputs so far
    sheds: bool = True
    decides: bool = True
    finely: tuple[object, object] | None = None  # judges by narrower enclosures
    due: tuple[int, int] | None = None
    is_led: bool = False  # whether errors were found among the inputs that were judged first
    floor: int = 0  # one more than the encoding of the error below which nothing is listed, or 0
    at: int | None = None  # the place among all floats of the first one with that error
    shown: int | None = None  # the place of the last of the first inputs that miss the limit, if all of these are known

    @property
    def bytes(self) -> int:
        """Number of bytes of an input and its results."""
        return self.question.item.size // 8 + sum(dtype.itemsize for dtype in self.question.encodings)

    def is_worth(self, ahead: float) -> bool:
        """Whether to compile the program for narrower enclosures if lists will have ``ahead`` more inputs."""
        worth = WORTH * SOON if self.question.item.form.is_narrow else WORTH
        return self.finely is None and self.question.finer is not None and self.seen >= SEEN and ahead >= worth

    def forget(self, machine: Machine) -> None:
        """Forget the errors known so far, which a new audit may not have."""
        machine.set(self.best, np.zeros(source.errors(self.question), np.uint32), 0)
        self.is_led, self.shown, self.seen, self.size = False, None, 0, FIRST

    def learn(self, machine: Machine, known: KnownErrors) -> None:
        """Raise the errors below which inputs are not listed to those that are known."""
        best = np.empty(source.errors(self.question), np.uint32)
        machine.get(self.best, best)
        best[0] = max(best[0], half_of(known.floor) + 1 if known.floor else 0)
        is_known = known.floor > 0.0 or known.at is not None  # the largest error of a row may be 0
        self.floor, self.at = int(np.float64(known.floor).view(np.int64)) + 1 if is_known else 0, known.at
        count = source.STRETCHES * len(self.question.item.measured)
        for n, stretches in enumerate(known.stretches):
            for stretch, error in stretches:
                place = 1 + n * source.STRETCHES + stretch
                best[place] = max(best[place], half_of(error))
                best[place + count] = max(best[place + count], half_of(error))
        machine.set(self.best, best, 0)

    def largest(self, machine: Machine) -> int:
        """Return the largest error so far, as one more than the upper half of its encoding; 0 without errors."""
        best = np.empty(1, np.uint32)
        machine.get(self.best, best)
        return int(best[0])

    def known(self, machine: Machine) -> Thresholds:
        """Return the least errors that may be the worst, see ``judge.c``.

        Random inputs come in the row's order, so that a later input is the worst only if its error is larger than all
        errors before. All floats come in another order: an error equal to the largest one that the host knows may be
        the worst, unless its place is later. But the floats that are judged first are the first of the row: if some of
        their errors count, and all known errors are 0, the first of these floats is the worst.
        """
        found = self.largest(machine)
        shown = np.int64(np.iinfo(np.int64).max if self.shown is None else self.shown)
        if self.question.generated is None:
            first = int(found == 1 and self.is_led)
            least, at = max(first, self.floor - 1), np.iinfo(np.int64).max if self.at is None else self.at
            return Thresholds(np.int64(least), np.int64(max(first, self.floor)), np.int64(at), shown)
        least = max(self.floor, ((found - 1) << 32) + 1 if found else 0)
        return Thresholds(np.int64(least), np.int64(least), np.int64(0), shown)

    def show(self, machine: Machine, parts: range, first: int, start: int, end: int) -> None:
        """Find the place of the last failing input that reports show, in a launch that begins at number ``first``.

        Random inputs come in the row's order, so that no later one is shown.
        """
        if self.shown is not None or self.seen >= SEEN:
            return
        marks = np.empty(end - start, np.uint8)
        machine.get(self.marks, marks, start)
        numbers = (np.flatnonzero(marks == MISSED) + start + first).astype(np.uint64)
        if len(numbers) >= KEPT:
            places = self.question.places(parts, numbers)
            self.shown = int(np.partition(places, KEPT - 1)[KEPT - 1]) if self.question.generated is None else -1

    def ensure(self, machine: Machine, elements: int) -> None:
        """Make the buffers large enough for ``elements``."""
        if elements > self.elements:
            self.sources, self.results, self.marks = [], [], None
            sizes = [4 if kind == "intn" else self.question.item.form.width // 8 for kind in self.question.item.columns]
            self.sources = [machine.room(size * elements) for size in sizes]
            self.results = [machine.room(dtype.itemsize * elements + GUARD.nbytes) for dtype in self.question.encodings]
            self.marks = machine.room(elements)
            self.elements = elements

    def check_guards(self, machine: Machine, elements: int) -> None:
        """Raise TargetError if something was written behind the results."""
        for buffer, dtype in zip(self.results, self.question.encodings, strict=True):
            found = np.empty_like(GUARD)
            machine.get(buffer, found, dtype.itemsize * elements)
            if (found != GUARD).any():
                raise TargetError(f"{self.question.item}: the device wrote beyond its last result")

    def check_inputs(self, machine: Machine, parts: range, first: int, elements: int) -> None:
        """Raise TargetError if ``elements`` from ``first`` on, inputs of a launch, differ from the host's."""
        count = min(SHOWN, elements)
        starts = 0, (elements - count) // 2, elements - count
        numbers = np.concatenate([np.arange(start, start + count) for start in starts]) + first
        question = self.question
        for buffer, wanted in zip(
            self.sources, question.inputs(question.places(parts, numbers.astype(np.uint64))), strict=True
        ):
            for start, part in zip(starts, np.split(wanted, len(starts)), strict=True):
                found = np.empty_like(part)
                machine.get(buffer, found, start * part.itemsize)
                if found.tobytes() != part.tobytes():
                    raise TargetError(f"{question.item}: the device has not made the inputs that it was asked about")

    def resize(self, seconds: float, most: int) -> None:
        """Set the size of the next launch so that it takes about as long as a launch may."""
        self.size = int(min(max(self.size * min(LAUNCH / max(seconds, 1e-9), 4.0), FIRST), most)) // FIRST * FIRST


def half_of(error: float) -> int:
    """Return the upper half of the encoding of a double, by which the device compares errors."""
    return int(np.float64(error).view(np.int64)) >> 32


HEAD = RUN  # inputs judged before all others of a row: if all are exact, or all fail, each is the worst so far
ANSWER = 1.0  # seconds after which the host gets the results so far
MANY = 1 << 10  # a list with more inputs is made once more
FEW = 1 << 7  # a list of inputs judged by the finer kernel is made once more if it has more inputs than this
ROOM = 1 << 18  # runs of inputs that are listed together; a range with more runs is listed part by part
LISTED = 1 << 22  # listed inputs, about, after which the host gets an answer: another process may take the next one
WIDEST = 16  # bytes of an input with its result in the largest launch; if they have more, a launch has fewer inputs
EACH = 64  # inputs per work item, which adds up its counts before it stores them
BUSY = 1 << 14  # work items that keep a device busy: each takes fewer inputs if a list is short


class Evaluate(Protocol):
    """Runs a row's built-in on ``elements`` elements of buffers."""

    def __call__(
        self, question: Question, elements: int, sources: Sequence[object], targets: Sequence[object], /
    ) -> None:
        """Evaluate the row's built-in on buffers, and wait until that is done."""


class DeviceJudge:
    """Judges on ``machine``, which is calibrated first; UnfitDeviceError if it does not compute as the host does.

    ``evaluate``: runs the built-in that is judged, compiled by itself. ``most``: the largest number of inputs per
    launch.
    """

    def __init__(self, machine: Machine, evaluate: Evaluate, most: int) -> None:
        calibrate(machine)
        self._machine, self._evaluate, self._most = machine, evaluate, most
        self._row: RowOnDevice | None = None

    def judged(self, question: Question, parts: range, known: KnownErrors = NONE_KNOWN) -> Summary:
        """Judge the chunks ``parts`` of inputs, or the first of these chunks, for a second or two.

        ``known``: errors below which none need be looked for.
        """
        row = self._begun(question, parts)
        row.learn(self._machine, known)
        row.sheds = row.decides = True
        begun, total = time.perf_counter(), question.count(parts)
        none = Summary(
            0, np.inf, tuple(no_counts(len(question.all_criteria)).tolist()), Runs.joined([], question.encodings)
        )
        found = [none]
        done = listed = runs = 0
        while done < total:
            is_late = time.perf_counter() - begun > ANSWER or runs > ROOM or listed > LISTED
            is_late = is_late and done > 0  # a process that was stopped for a while answers as well
            left = min(-done % question.piece, total - done) if is_late else total - done
            if not left:
                break
            one = self._timed_launch(row, parts, done, min(row.size, left))
            found.append(one)
            done, listed, runs = done + one.elements, listed + one.listed, runs + len(one.runs.lengths)
            if row.is_worth(one.listed / one.elements * (total - done)):
                row.finely = self._program(source.judging_finely(question))
        row.due = (parts.start + parts.step * -(-done // question.piece), parts.step)
        return Summary.joined(found, question.encodings)

    def _timed_launch(self, row: RowOnDevice, parts: range, done: int, elements: int) -> Summary:
        """Evaluate and judge the next ``elements`` inputs after ``done`` ones, and set the next launch's size."""
        begun = time.perf_counter()
        found = self._launch(row, parts, done, elements)
        seconds = time.perf_counter() - begun
        # the number of inputs that fill a list, if the same share of inputs is listed
        fit = elements * min(ROOM / max(len(found.runs.lengths), 1), LISTED / max(found.listed, 1))
        row.resize(seconds, min(self._most * WIDEST // max(row.bytes, WIDEST), max(int(fit), FIRST)))
        row.seen += elements
        return replace(found, pace=seconds / elements)

    def _begun(self, question: Question, parts: range) -> RowOnDevice:
        """Return the state of the row. It keeps the largest errors known if ``parts`` continue the last answer."""
        if self._row is None or self._row.question != question:
            self._row = None  # memory on the device is freed before more is taken
            self._row = self._built(question)
        if self._row.due != (parts.start, parts.step):
            self._row.forget(self._machine)
        self._row.due = None  # until the host has the answer: an error before that loses the listed inputs
        return self._row

    def _built(self, question: Question) -> RowOnDevice:
        machine = self._machine
        programs = self._program(source.making(question)), self._program(source.judging(question))
        best = machine.room(4 * source.errors(question))
        ends = machine.room(4 * ROOM), machine.room(4 * ROOM)
        kept = [machine.room(dtype.itemsize * ROOM) for dtype in question.encodings]
        return RowOnDevice(question, *programs, machine.build(source.listing(question)), best, ends, kept)

    def _program(self, text: Source) -> tuple[object, object]:
        """Return the compiled entry of a program, and its tables."""
        return self._machine.build(text), self._machine.put(text.tables)

    def _launch(self, row: RowOnDevice, parts: range, done: int, elements: int) -> Summary:
        """Evaluate and judge the next ``elements`` inputs."""
        machine = self._machine
        row.ensure(machine, elements)
        bounds = np.uint64(done), np.uint64(elements), np.uint32(parts.start), np.uint32(parts.step)
        make, seeds = row.make
        machine.run(make, elements, *bounds, seeds, *row.sources, *row.results)
        for buffer, dtype in zip(row.results, row.question.encodings, strict=True):
            machine.set(buffer, GUARD, dtype.itemsize * elements)
        self._evaluate(row.question, elements, row.sources, row.results)
        row.check_guards(machine, elements)
        row.check_inputs(machine, parts, done, elements)
        head = 0 if row.seen and row.largest(machine) else min(HEAD, elements)
        found = []
        if head:
            found = [self._look(row, parts, done, 0, head)]
            row.is_led = row.largest(machine) > 0
        if head < elements:
            found.append(self._look(row, parts, done, head, elements))
        return Summary.joined(found, row.question.encodings)

    def _look(self, row: RowOnDevice, parts: range, done: int, start: int, end: int) -> Summary:
        """Judge the inputs from ``start`` to ``end``, exclusively, of a launch, after all inputs before ``start``."""
        known = row.known(self._machine)  # errors of these inputs are known only after all are judged
        judged = functools.partial(self._run, row, row.judge, start, end - start, known)
        counts, listed = judged()
        is_closer = row.finely is not None and row.decides
        if listed > MANY and row.sheds and not is_closer:  # the worst inputs so far may not be worst now
            before = listed
            counts, listed = judged()
            row.sheds = 4 * listed < 3 * before  # failing inputs stay on the list
        if is_closer and listed:
            decided, elements = self._look_closer(row, start, end, known)
            counts, listed = counts + decided, listed - elements
        runs = [self._runs(row, count, start) for count in self._marked(row, start, end)] if listed else []
        found = Summary(end - start, np.inf, tuple(counts.tolist()), Runs.joined(runs, row.question.encodings))
        _check_count(row.question, "listed", found.listed, listed)
        if listed:
            row.show(self._machine, parts, done, start, end)
        return found

    def _runs(self, row: RowOnDevice, count: int, start: int) -> Runs:
        """Return the runs that the device has stored, in any order, numbered from the input ``start`` on."""
        arrays = [np.empty(count, dtype) for dtype in (np.uint32, np.uint32, *row.question.encodings)]
        for buffer, array in zip((*row.ends, *row.kept), arrays, strict=True):
            self._machine.get(buffer, array)
        heads, tails, *results = arrays
        order = np.argsort(heads)
        lengths = np.sort(tails) - heads[order] + np.uint64(1)
        return Runs(heads[order] - np.uint64(start), lengths, tuple(r[order] for r in results))

    def _look_closer(self, row: RowOnDevice, start: int, end: int, known: Thresholds) -> tuple[NDArray[np.uint32], int]:
        """Judge marked inputs by narrower enclosures, and unmark those that are decided.

        Return the counts of the decided inputs, and their number.
        """
        assert row.finely is not None
        counts, decided = no_counts(len(row.question.all_criteria)).astype(np.uint32), 0
        for elements in self._marked(row, start, end, apart=True):
            found, left = self._run(row, row.finely, 0, elements, known, row.ends[0])
            if left > FEW:
                found, left = self._run(row, row.finely, 0, elements, known, row.ends[0])
            counts, decided = counts + found, decided + elements - left
            row.decides = elements < MANY or 4 * left < 3 * elements
            if not row.decides:
                break
        return counts, decided

    def _run(
        self,
        row: RowOnDevice,
        program: tuple[object, object],
        first: int,
        count: int,
        known: Thresholds,
        *before: object,
    ) -> tuple[NDArray[np.uint32], int]:
        """Run a program that judges inputs, or the inputs on the list ``before``, and marks those it cannot count.

        Return their counts, as a ``Summary`` has them, and how many are marked.
        """
        machine, (entry, tables) = self._machine, program
        counts, listed = no_counts(len(row.question.all_criteria)).astype(np.uint32), np.zeros(2, np.uint32)
        counters = machine.put(counts), machine.put(listed)
        items = max(-(-count // EACH), min(count, BUSY)) if before else -(-count // EACH)
        bounds = np.uint64(first), np.uint64(count), np.uint64(items)
        mode = np.int32(MODE_NUMBERS[row.question.criteria.mode])
        given = tables, *row.sources, *row.results, row.best, *known
        machine.run(entry, items, *bounds, mode, *given, *counters, row.marks, *before)
        machine.get(counters[0], counts)
        machine.get(counters[1], listed)
        _check_count(row.question, "judged", int(listed[1]), count)
        rest = count - int(listed[0]) - int(counts[: len(BINS) + 1].sum())
        _check_count(row.question, "counted", count - min(rest, 0), count)
        counts[0] = rest
        return counts, int(listed[0])

    def _marked(self, row: RowOnDevice, start: int, end: int, *, apart: bool = False) -> Iterator[int]:
        """Store runs of marked inputs in ``row.ends`` and ``row.kept``, part by part; yield their numbers.

        ``apart``: each input is a run of its own.
        """
        machine, ahead = self._machine, [(start, end)]
        while ahead:
            first, last = ahead.pop()
            counts = np.zeros(2, np.uint32)
            counter = machine.put(counts)
            pairs = (buffer for pair in zip(row.results, row.kept, strict=True) for buffer in pair)
            given = np.uint64(first), np.uint64(last), np.uint32(apart), row.marks, *pairs
            machine.run(row.lister, last - first, *given, np.uint32(ROOM), counter, *row.ends)
            machine.get(counter, counts)
            runs = int(counts[0])
            if runs > ROOM:
                size = max((last - first) * ROOM // (2 * runs), 1)
                ahead += [(i, min(i + size, last)) for i in range(first, last, size)][::-1]
            elif runs:
                yield runs


def _check_count(question: Question, deed: str, done: int, due: int) -> None:
    """Raise TargetError if a launch has left out inputs: a driver may end it early without an error."""
    if done != due:
        raise TargetError(f"{question.item}: the device {deed} {done} of {due} inputs")
