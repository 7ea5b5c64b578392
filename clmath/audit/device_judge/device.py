"""The judge on a device: arguments, the built-in's results and what is said of them lie there; launches stay short."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from clmath.audit.device_judge import source
from clmath.audit.device_judge.summary import Summary
from clmath.audit.device_judge.sweep import PIECE
from clmath.audit.spread import BINS
from clmath.audit.subject import SubjectError
from clmath.engines.device.calibration import calibrate
from clmath.numbers.lane_rounding import MODE_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.device_judge.asked import Asked
    from clmath.audit.spread import Stretches
    from clmath.engines.device.machine import Machine

__all__ = ["DeviceJudge", "Evaluate"]

FIRST = 1 << 16  # lanes of the first launch of a row
LAUNCH = 0.2  # seconds that a launch may take: a display driver kills those of seconds
ANSWER = 1.0  # seconds after which the host hears what was found so far
MANY = 1 << 10  # lanes on a list that is made once more
ROOM = 1 << 20  # lanes that a launch may list; a range with more is cut in two
GUARD = np.full(16, source.POISON, np.uint32)  # behind the last result
EACH = 64  # lanes that one work item looks at: their counts are added up before they are stored


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
        self._row: tuple[Any, _Row] | None = None

    def judged(self, asked: Asked, parts: range, floor: float = 0.0, known: Stretches = ()) -> Summary:
        """What is found of the ``parts`` of all floats, or of the first of them: as many as take a second or two.

        ``floor``, ``known``: errors that need not be looked for, as of ``judge.judge``.
        """
        row = self._begun(asked, parts)
        row.learn(self._machine, floor, known)
        begun, found = time.perf_counter(), _Found(row.targets)
        while found.lanes < len(parts) * PIECE:
            is_late = time.perf_counter() - begun > ANSWER or found.listed_lanes > ROOM
            left = -found.lanes % PIECE if is_late else len(parts) * PIECE - found.lanes
            if not left:
                break
            started, lanes = time.perf_counter(), min(row.size, left)
            self._launch(row, parts, found, lanes)
            seconds = time.perf_counter() - started
            found.pace = min(found.pace, seconds / lanes)  # the first launch may compile
            row.resize(seconds, self._most)
        return found.summary()

    def _begun(self, asked: Asked, parts: range) -> _Row:
        """The row at hand, with what is known of its largest errors; they hold for the same parts only."""
        key = (asked, parts.step, parts.start % parts.step)
        if self._row is None or self._row[0] != key:
            self._row = None  # memory on the device is freed before more is taken
            self._row = (key, self._built(asked))
        return self._row[1]

    def _built(self, asked: Asked) -> _Row:
        machine, results = self._machine, asked.kernel.results
        judging = source.judging(asked)
        entries = machine.build(source.sweeping(results)), machine.build(judging)
        best = np.zeros(1 + source.STRETCHES * len(asked.item.columns), np.uint32)
        kept = [machine.room(4 * ROOM) for _ in range(1 + results)]
        return _Row(asked, *entries, machine.put(judging.tables), machine.put(best), kept, results)

    def _launch(self, row: _Row, parts: range, found: _Found, lanes: int) -> None:
        """Evaluate and judge the next ``lanes`` lanes."""
        machine = self._machine
        row.ensure(machine, lanes)
        bounds = np.uint64(found.lanes), np.uint64(lanes)
        machine.run(
            row.sweep, lanes, *bounds, np.uint32(parts.start), np.uint32(parts.step), *row.sources, *row.results
        )
        for buffer in row.results:
            machine.set(buffer, GUARD, 4 * lanes)
        self._evaluate(row.asked, lanes, row.sources, row.results)
        row.check_guards(machine, lanes)
        ahead = [(0, lanes)]
        while ahead:
            first, count = ahead.pop()
            counts, listed = self._judge(row, first, count)
            if listed > MANY:  # what was found may have led so far only, and now something else is known to lead
                counts, listed = self._judge(row, first, count)
            if listed > ROOM:
                ahead += [(first + count // 2, count - count // 2), (first, count // 2)]
            else:
                found.add(machine, row, counts, listed)
        found.lanes += lanes

    def _judge(self, row: _Row, first: int, count: int) -> tuple[NDArray[np.uint32], int]:
        """How many lanes are in which bin, are left open and do not count; and how many were to be listed."""
        machine = self._machine
        counts, listed = np.zeros(len(BINS) + 2, np.uint32), np.zeros(1, np.uint32)
        counters = machine.put(counts), machine.put(listed)
        items = -(-count // EACH)
        bounds = np.uint64(first), np.uint64(count), np.uint64(items)
        mode, kept = np.int32(MODE_NUMBERS[row.asked.law.mode]), row.kept[1:]
        given = row.tables, *row.sources, *row.results, *kept, row.best, counters[0]
        machine.run(row.judge, items, *bounds, mode, *given, np.uint32(ROOM), counters[1], row.kept[0])
        machine.get(counters[0], counts)
        machine.get(counters[1], listed)
        counts[0] = count - int(listed[0]) - int(counts[:-2].sum()) - int(counts[-1]) if listed[0] <= ROOM else 0
        return counts, int(listed[0])


@dataclass
class _Row:
    """What lies on the device for the row at hand; ``size``: lanes of the next launch."""

    asked: Asked
    sweep: Any
    judge: Any
    tables: Any
    best: Any
    kept: list[Any]  # the numbers of the lanes that are listed, and their results
    targets: int
    sources: list[Any] = field(default_factory=list)
    results: list[Any] = field(default_factory=list)
    lanes: int = 0
    size: int = FIRST

    def learn(self, machine: Machine, floor: float, known: Stretches) -> None:
        """Raise the errors below which nothing is listed."""
        best = np.empty(1 + source.STRETCHES * len(self.asked.item.columns), np.uint32)
        machine.get(self.best, best)
        best[0] = max(best[0], half_of(floor))
        for n, stretches in enumerate(known):
            for stretch, error in stretches:
                place = 1 + n * source.STRETCHES + stretch
                best[place] = max(best[place], half_of(error))
        machine.set(self.best, best, 0)

    def ensure(self, machine: Machine, lanes: int) -> None:
        """Buffers of so many lanes at least."""
        if lanes > self.lanes:
            self.sources, self.results = [], []
            self.sources = [machine.room(4 * lanes) for _ in self.asked.item.columns]
            self.results = [machine.room(4 * lanes + GUARD.nbytes) for _ in range(self.targets)]
            self.lanes = lanes

    def check_guards(self, machine: Machine, lanes: int) -> None:
        """SubjectError where something was written beyond the results; the host tells what."""
        for buffer in self.results:
            found = np.empty_like(GUARD)
            machine.get(buffer, found, 4 * lanes)
            if (found != GUARD).any():
                raise SubjectError(f"{self.asked.item}: the device wrote beyond its last result")

    def resize(self, seconds: float, most: int) -> None:
        """Let the next launch take as long as one may."""
        self.size = int(min(max(self.size * min(LAUNCH / max(seconds, 1e-9), 4.0), FIRST), most)) // FIRST * FIRST


def half_of(error: float) -> int:
    """The upper half of a double, as errors are compared on the device."""
    return int(np.float64(error).view(np.int64)) >> 32


class _Found:
    """What is found so far."""

    def __init__(self, results: int) -> None:
        self.lanes = 0
        self.listed_lanes = 0
        self.pace = np.inf
        self._counts = np.zeros(len(BINS) + 2, np.int64)
        self._listed: list[NDArray[np.uint64]] = [np.empty(0, np.uint64)]
        self._results: list[list[NDArray[np.uint32]]] = [[np.empty(0, np.uint32)] for _ in range(results)]

    def add(self, machine: Machine, row: _Row, counts: NDArray[np.uint32], listed: int) -> None:
        """What one launch counted and listed."""
        self._counts += counts
        self.listed_lanes += listed
        if not listed:
            return
        some = np.empty(listed, np.uint32)
        machine.get(row.kept[0], some)
        self._listed.append(some.astype(np.uint64) + np.uint64(self.lanes))
        for all_of_one, buffer in zip(self._results, row.kept[1:], strict=True):
            all_of_one.append(np.empty(listed, np.uint32))
            machine.get(buffer, all_of_one[-1])

    def summary(self) -> Summary:
        """All of it."""
        results = tuple(np.concatenate(parts) for parts in self._results)
        *counts, unjudged, uncounted = self._counts.tolist()
        return Summary(self.lanes, self.pace, tuple(counts), unjudged, uncounted, np.concatenate(self._listed), results)
