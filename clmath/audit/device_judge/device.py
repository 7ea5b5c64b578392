"""Runs the judge on a device: arguments, results and counts stay there, and launches stay short."""

from __future__ import annotations

import functools
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from clmath.audit.counting.spread import BINS
from clmath.audit.device_judge import source
from clmath.audit.device_judge.row_on_device import FIRST, GUARD, RowOnDevice
from clmath.audit.device_judge.summary import Runs, Summary, no_counts
from clmath.audit.inputs.exhaustive import RUN
from clmath.audit.judge.known_errors import NONE_KNOWN, KnownErrors
from clmath.audit.protocol.target import TargetError
from clmath.engines.device.calibration import calibrate
from clmath.numbers.rounded_encodings import MODE_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.audit.device_judge.question import Question
    from clmath.audit.device_judge.row_on_device import Thresholds
    from clmath.engines.device.machine import Machine
    from clmath.engines.device.source import Source

__all__ = ["DeviceJudge", "Evaluate"]


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
