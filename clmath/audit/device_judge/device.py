"""The judge on a device: arguments, the built-in's results and what is said of them lie there; launches stay short."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from clmath.audit.arguments.floats import RUN
from clmath.audit.device_judge import source
from clmath.audit.device_judge.found import Found, no_counts
from clmath.audit.spread import BINS
from clmath.audit.subject import SubjectError
from clmath.engines.device.calibration import calibrate
from clmath.numbers.lane_rounding import MODE_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.audit.device_judge.asked import Asked
    from clmath.audit.device_judge.summary import Summary
    from clmath.audit.spread import Stretches
    from clmath.engines.device.machine import Machine

__all__ = ["DeviceJudge", "Evaluate"]

HEAD = RUN  # lanes that are judged before all others of a row: where all are exact, all are the worst so far
FIRST = 1 << 16  # lanes of the first launch of a row
LAUNCH = 0.2  # seconds that a launch may take: a display driver kills those of seconds
ANSWER = 1.0  # seconds after which the host hears what was found so far
MANY = 1 << 10  # lanes on a list that is made once more
FEW = 1 << 7  # the same, of a list that was shortened
SHOWN = 1 << 6  # inputs at each end of a launch, and in its middle, that the host makes as well
ROOM = 1 << 18  # runs of lanes that are listed together; of a range with more, a part at a time
LISTED = 1 << 22  # lanes, about, whose list is an answer: another process of the host may take the next one
GUARD = np.full(128, source.POISON, np.uint8)  # behind the last result
WIDEST = 16  # bytes that an input has, with its result, in a launch of the most lanes: beyond, fewer go together
EACH = 64  # lanes that one work item looks at: their counts are added up before they are stored
BUSY = 1 << 14  # work items that keep a device busy: of a list, each looks at fewer lanes
SEEN = 1 << 24  # lanes of a row after which lists tell how long the next ones are: the first ones find larger errors
WORTH = 1 << 18  # lanes to come on lists that take the host longer than a program takes to compile
SOON = 1 << 3  # so many times as many of a narrow format: hardly one needs the reference


class Thresholds(NamedTuple):
    """The encodings of the least errors that may be the worst of a row: of floats up to the one ``at``, and behind."""

    before: np.int64
    behind: np.int64
    at: np.int64


class Evaluate(Protocol):
    """Runs a row's built-in on ``lanes`` lanes of buffers."""

    def __call__(self, asked: Asked, lanes: int, sources: Sequence[Any], targets: Sequence[Any], /) -> None:
        """Run it to its end."""


class DeviceJudge:
    """Judges on ``machine``, which is calibrated first; UnfitDeviceError where it does not compute as the host.

    ``evaluate``: runs the built-in that is judged, compiled by itself. ``most``: lanes of a launch, at most.
    """

    def __init__(self, machine: Machine, evaluate: Evaluate, most: int) -> None:
        calibrate(machine)
        self._machine, self._evaluate, self._most = machine, evaluate, most
        self._row: _Row | None = None

    def judged(
        self, asked: Asked, parts: range, floor: float = 0.0, known: Stretches = (), at: int | None = None
    ) -> Summary:
        """What is found of the pieces ``parts`` of inputs, or of the first of them: as many as take a second or two.

        ``floor``, ``known``, ``at``: errors that need not be looked for, as of ``Judging.judging``.
        """
        row = self._begun(asked, parts)
        row.learn(self._machine, floor, known, at)
        row.sheds = row.decides = True
        begun, found, total = time.perf_counter(), Found(asked), asked.count(parts)
        while found.lanes < total:
            is_late = time.perf_counter() - begun > ANSWER or found.runs > ROOM or found.listed > LISTED
            left = min(-found.lanes % asked.piece, total - found.lanes) if is_late else total - found.lanes
            if not left:
                break
            listed = self._timed_launch(row, parts, found, min(row.size, left))
            if row.is_worth(listed * (total - found.lanes)):
                row.look_closer(self._machine)
        row.due = (parts.start + parts.step * -(-found.lanes // asked.piece), parts.step)
        return found.summary()

    def _timed_launch(self, row: _Row, parts: range, found: Found, lanes: int) -> float:
        """Evaluate and judge the next ``lanes`` lanes, and size what follows; the share of them that is listed."""
        begun, listed, runs = time.perf_counter(), found.listed, found.runs
        self._launch(row, parts, found, lanes)
        seconds, listed, runs = time.perf_counter() - begun, found.listed - listed, found.runs - runs
        found.pace = min(found.pace, seconds / lanes)  # the first launch may compile
        fit = lanes * min(ROOM / max(runs, 1), LISTED / max(listed, 1))  # on a list, if as many are listed as before
        row.resize(seconds, min(self._most * WIDEST // max(row.bytes, WIDEST), max(int(fit), FIRST)))
        row.seen += lanes
        return listed / lanes

    def _begun(self, asked: Asked, parts: range) -> _Row:
        """The row at hand, with what is known of its largest errors where it goes on from what it has told."""
        if self._row is None or self._row.asked != asked:
            self._row = None  # memory on the device is freed before more is taken
            self._row = self._built(asked)
        if self._row.due != (parts.start, parts.step):
            self._row.forget(self._machine)
        return self._row

    def _built(self, asked: Asked) -> _Row:
        machine = self._machine
        judging = source.judging(asked)
        making = source.making(asked)
        entries = machine.build(making), machine.put(making.tables), machine.build(judging), machine.put(judging.tables)
        best = machine.room(4 * source.errors(asked))
        ends = machine.room(4 * ROOM), machine.room(4 * ROOM)
        kept = [machine.room(dtype.itemsize * ROOM) for dtype in asked.encodings]
        return _Row(asked, *entries, machine.build(source.listing(asked)), best, ends, kept)

    def _launch(self, row: _Row, parts: range, found: Found, lanes: int) -> None:
        """Evaluate and judge the next ``lanes`` lanes."""
        machine = self._machine
        row.ensure(machine, lanes)
        bounds = np.uint64(found.lanes), np.uint64(lanes), np.uint32(parts.start), np.uint32(parts.step)
        machine.run(row.make, lanes, *bounds, row.seeds, *row.sources, *row.results)
        for buffer, dtype in zip(row.results, row.asked.encodings, strict=True):
            machine.set(buffer, GUARD, dtype.itemsize * lanes)
        self._evaluate(row.asked, lanes, row.sources, row.results)
        row.check_guards(machine, lanes)
        row.check_inputs(machine, parts, found.lanes, lanes)
        head = 0 if row.largest(machine) else min(HEAD, lanes)
        if head:
            self._look(row, found, 0, head)
            row.is_led = row.largest(machine) > 0
        self._look(row, found, head, lanes)
        found.lanes += lanes

    def _look(self, row: _Row, found: Found, start: int, end: int) -> None:
        """Judge the lanes from ``start`` to ``end``, exclusively, of a launch; those before were judged."""
        if start == end:
            return
        known = row.known(self._machine)  # what these lanes find is not known before all of them
        counts, listed = self._judge(row, start, end, known)
        is_closer = row.finely is not None and row.decides
        if listed > MANY and row.sheds and not is_closer:  # what led so far need not lead any more
            before = listed
            counts, listed = self._judge(row, start, end, known)
            row.sheds = 4 * listed < 3 * before  # not what fails
        if is_closer and listed:
            decided, lanes = self._look_closer(row, start, end, known)
            counts, listed = counts + decided, listed - lanes
        found.count(counts, listed)
        if listed:
            told = sum(found.add(self._machine, row.ends, row.kept, runs) for runs in self._marked(row, start, end))
            _check_count(row.asked, "listed", told, listed)

    def _judge(self, row: _Row, start: int, end: int, known: Thresholds) -> tuple[NDArray[np.uint32], int]:
        """How many lanes are in which bin, do not count, are left open by each law, flushed; how many are marked."""
        return self._run(row, (row.judge, row.tables), start, end - start, known)

    def _look_closer(self, row: _Row, start: int, end: int, known: Thresholds) -> tuple[NDArray[np.uint32], int]:
        """The same of marked lanes that narrower enclosures decide, and how many these are; no more are they marked."""
        assert row.finely is not None
        counts, decided = no_counts(row.asked).astype(np.uint32), 0
        for lanes in self._marked(row, start, end, apart=True):
            found, left = self._run(row, row.finely, 0, lanes, known, row.ends[0])
            if left > FEW:
                found, left = self._run(row, row.finely, 0, lanes, known, row.ends[0])
            counts, decided = counts + found, decided + lanes - left
            row.decides = lanes < MANY or 4 * left < 3 * lanes
            if not row.decides:
                break
        return counts, decided

    def _run(
        self, row: _Row, program: tuple[Any, Any], first: int, count: int, known: Thresholds, *before: Any
    ) -> tuple[NDArray[np.uint32], int]:
        """Run a program that judges lanes, or those on the list ``before``, and marks those that it leaves."""
        machine, (entry, tables) = self._machine, program
        counts, listed = no_counts(row.asked).astype(np.uint32), np.zeros(2, np.uint32)
        counters = machine.put(counts), machine.put(listed)
        items = max(-(-count // EACH), min(count, BUSY)) if before else -(-count // EACH)
        bounds = np.uint64(first), np.uint64(count), np.uint64(items)
        mode = np.int32(MODE_NUMBERS[row.asked.law.mode])
        given = tables, *row.sources, *row.results, row.best, *known
        machine.run(entry, items, *bounds, mode, *given, *counters, row.marks, *before)
        machine.get(counters[0], counts)
        machine.get(counters[1], listed)
        _check_count(row.asked, "judged", int(listed[1]), count)
        rest = count - int(listed[0]) - int(counts[: len(BINS) + 1].sum())
        _check_count(row.asked, "counted", count - min(rest, 0), count)
        counts[0] = rest
        return counts, int(listed[0])

    def _marked(self, row: _Row, start: int, end: int, *, apart: bool = False) -> Iterator[int]:
        """How many runs of marked lanes lie in ``row.ends`` and ``row.kept``: of ranges, as many as find room there.

        ``apart``: each lane is a run of its own.
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


@dataclass
class _Row:
    """What lies on the device for the row at hand; ``size``: lanes of the next launch.

    ``sheds``: whether a list gets shorter when it is made once more, now that larger errors are known; ``decides``:
    whether narrower enclosures make it shorter.
    ``due``: the piece that follows those that were judged, and their step, where the errors in ``best`` are of those.
    """

    asked: Asked
    make: Any
    seeds: Any  # the tables of the entry that makes inputs
    judge: Any
    tables: Any
    lister: Any
    best: Any
    ends: tuple[Any, Any]  # the numbers of the lanes that runs begin and end with
    kept: list[Any]  # their results
    marks: Any = None  # of the lanes that are to be listed
    sources: list[Any] = field(default_factory=list)
    results: list[Any] = field(default_factory=list)
    lanes: int = 0
    size: int = FIRST
    seen: int = 0  # lanes so far
    sheds: bool = True
    decides: bool = True
    finely: tuple[Any, Any] | None = None  # the entry that judges by narrower enclosures, and its tables
    due: tuple[int, int] | None = None
    is_led: bool = False  # whether errors were found among the lanes that were judged first
    floor: int = 0  # one more than the encoding of the error below which nothing is listed, 0 for none
    at: int | None = None  # where among all floats the first one with that error stands

    @property
    def bytes(self) -> int:
        """Those of an input with its results."""
        return self.asked.item.size // 8 + sum(dtype.itemsize for dtype in self.asked.encodings)

    def is_worth(self, ahead: float) -> bool:
        """Whether to compile what judges by narrower enclosures, where so many lanes on lists lie ahead."""
        worth = WORTH * SOON if self.asked.item.form.is_narrow else WORTH
        return self.finely is None and self.asked.finer is not None and self.seen >= SEEN and ahead >= worth

    def look_closer(self, machine: Machine) -> None:
        """Have what judges by narrower enclosures."""
        judging = source.judging_finely(self.asked)
        self.finely = machine.build(judging), machine.put(judging.tables)

    def forget(self, machine: Machine) -> None:
        """Have no errors: those of an audit before need not be among those that are told now."""
        machine.set(self.best, np.zeros(source.errors(self.asked), np.uint32), 0)
        self.is_led = False

    def learn(self, machine: Machine, floor: float, known: Stretches, at: int | None) -> None:
        """Raise the errors below which nothing is listed."""
        best = np.empty(source.errors(self.asked), np.uint32)
        machine.get(self.best, best)
        best[0] = max(best[0], half_of(floor) + 1 if floor else 0)
        self.floor, self.at = int(np.float64(floor).view(np.int64)) + 1 if floor else 0, at
        told = source.STRETCHES * len(self.asked.item.measured)
        for n, stretches in enumerate(known):
            for stretch, error in stretches:
                place = 1 + n * source.STRETCHES + stretch
                best[place] = max(best[place], half_of(error))
                best[place + told] = max(best[place + told], half_of(error))
        machine.set(self.best, best, 0)

    def largest(self, machine: Machine) -> int:
        """The largest error so far, as the device keeps it; 0 for none."""
        best = np.empty(1, np.uint32)
        machine.get(self.best, best)
        return int(best[0])

    def known(self, machine: Machine) -> Thresholds:
        """The least errors that may be the worst, see ``judge.c``.

        Random inputs come in their order: of those that follow, it is one that is larger than all before. Of all floats
        it may be as large as the host has told, and behind the one with that error it must be larger; but those that
        are judged first stand before all others: if there are
        errors among them that count, and all that are known are zero, the first of them is the worst.
        """
        found = self.largest(machine)
        if self.asked.drawn is None:
            first = int(found == 1 and self.is_led)
            least, at = max(first, self.floor - 1), np.iinfo(np.int64).max if self.at is None else self.at
            return Thresholds(np.int64(least), np.int64(max(first, self.floor)), np.int64(at))
        least = max(self.floor, ((found - 1) << 32) + 1 if found else 0)
        return Thresholds(np.int64(least), np.int64(least), np.int64(0))

    def ensure(self, machine: Machine, lanes: int) -> None:
        """Buffers of so many lanes at least."""
        if lanes > self.lanes:
            self.sources, self.results, self.marks = [], [], None
            sizes = [4 if kind == "intn" else self.asked.item.form.width // 8 for kind in self.asked.item.columns]
            self.sources = [machine.room(size * lanes) for size in sizes]
            self.results = [machine.room(dtype.itemsize * lanes + GUARD.nbytes) for dtype in self.asked.encodings]
            self.marks = machine.room(lanes)
            self.lanes = lanes

    def check_guards(self, machine: Machine, lanes: int) -> None:
        """SubjectError where something was written beyond the results; the host tells what."""
        for buffer, dtype in zip(self.results, self.asked.encodings, strict=True):
            found = np.empty_like(GUARD)
            machine.get(buffer, found, dtype.itemsize * lanes)
            if (found != GUARD).any():
                raise SubjectError(f"{self.asked.item}: the device wrote beyond its last result")

    def check_inputs(self, machine: Machine, parts: range, first: int, lanes: int) -> None:
        """SubjectError where inputs of a launch are not those of the host: some of the ``lanes`` from ``first`` on."""
        count = min(SHOWN, lanes)
        starts = 0, (lanes - count) // 2, lanes - count
        numbers = np.concatenate([np.arange(start, start + count) for start in starts]) + first
        asked = self.asked
        for buffer, wanted in zip(
            self.sources, asked.inputs(asked.places(parts, numbers.astype(np.uint64))), strict=True
        ):
            for start, part in zip(starts, np.split(wanted, len(starts)), strict=True):
                found = np.empty_like(part)
                machine.get(buffer, found, start * part.itemsize)
                if found.tobytes() != part.tobytes():
                    raise SubjectError(f"{asked.item}: the device has not made the inputs that it was asked about")

    def resize(self, seconds: float, most: int) -> None:
        """Let the next launch take as long as one may."""
        self.size = int(min(max(self.size * min(LAUNCH / max(seconds, 1e-9), 4.0), FIRST), most)) // FIRST * FIRST


def _check_count(asked: Asked, deed: str, done: int, due: int) -> None:
    """SubjectError where a launch has left lanes out: a driver may end it early and say nothing."""
    if done != due:
        raise SubjectError(f"{asked.item}: the device {deed} {done} of {due} inputs")


def half_of(error: float) -> int:
    """The upper half of a double, as errors are compared on the device."""
    return int(np.float64(error).view(np.int64)) >> 32
