"""The state of one row on a device: its programs, arguments and results, and the largest errors known so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.audit.counting.tally import KEPT
from clmath.audit.device_judge import source
from clmath.audit.protocol.target import TargetError

if TYPE_CHECKING:
    from clmath.audit.device_judge.question import Question
    from clmath.audit.judge.known_errors import KnownErrors
    from clmath.engines.device.machine import Machine

__all__ = ["FIRST", "GUARD", "SEEN", "RowOnDevice", "Thresholds", "half_of"]

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
        told = source.STRETCHES * len(self.question.item.measured)
        for n, stretches in enumerate(known.stretches):
            for stretch, error in stretches:
                place = 1 + n * source.STRETCHES + stretch
                best[place] = max(best[place], half_of(error))
                best[place + told] = max(best[place + told], half_of(error))
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
