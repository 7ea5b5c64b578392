"""The audit's side of a judge on the device: who judges a row, and the host's last word on what the device lists."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from clmath.audit.attempt import evaluated
from clmath.audit.device_judge.asked import asked
from clmath.audit.inputs import PIECE, columns, places, swept, swept_parts
from clmath.audit.judge import judge
from clmath.audit.spread import BINS, Spread
from clmath.audit.subject import Judging, SubjectError
from clmath.audit.tally import Otherwise, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor, Future

    from clmath.audit.device_judge.asked import Asked
    from clmath.audit.device_judge.summary import Summary
    from clmath.audit.law import Law
    from clmath.audit.plan import Item, Plan
    from clmath.audit.subject import Subject

__all__ = ["JUDGES", "Judge", "Judges"]

Judge: TypeAlias = Literal["auto", "host", "device"]
JUDGES: tuple[Judge, ...] = get_args(Judge)
FEW = 16  # pieces that are judged sooner than a program is compiled
SAMPLE = 1 << 17  # inputs that the host is timed with
WARM = 1 << 13  # inputs that it judges before: its loops are compiled then


class Judges:
    """Who judges the rows of one audit of ``subject``: the device where it can and, for ``auto``, where it is faster.

    ``tell``: is told once why a device that was to judge cannot. The tallies are the same whoever judges.
    """

    def __init__(self, wanted: Judge, subject: Subject, tell: Callable[[str], None] | None = None) -> None:
        self._wanted, self._subject = wanted, subject
        self._tell = tell or (lambda _: None)
        self._device: Judging | None = None
        self._is_tried = wanted == "host" or not _may_judge(subject)
        if self._is_tried and wanted == "device":
            self._tell(f"{subject.name} is no device that can judge: the host judges")

    def pieces(  # noqa: PLR0917 - what a row is, and who judges it
        self, plan: Plan, item: Item, law: Law, numbers: range, pool: Executor, floor: Callable[[], float]
    ) -> Iterator[tuple[int, Future[Tally]]]:
        """Judge the pieces ``numbers`` of a row on the device: the number of the last one so far, and their tally.

        It ends early, or at once, where the host has to go on, or is faster. ``floor``: as of ``judge.judge``.
        """
        question = asked(item, law, plan)
        if question is None or not numbers or (self._wanted == "auto" and len(numbers) < FEW):
            return
        device, done, is_chosen = self._judging(), numbers.start, self._wanted == "device"
        while device is not None and done < numbers.stop:
            parts = swept_parts(plan)[done : numbers.stop]
            found = self._found(device, question, parts)
            if found is None:
                return
            done += found.lanes // PIECE
            future = pool.submit(tally_of, item, law, parts, found, floor())
            if not is_chosen:
                worst = future.result().worst
                least = max(abs(worst.error) if worst else 0.0, floor())
                is_chosen = found.seconds / found.lanes < self._seconds_of_host(plan, item, law, least)
            yield done - 1, future
            if not is_chosen:
                return

    def _judging(self) -> Judging | None:
        """The device, calibrated, if it is to judge and can."""
        if not self._is_tried:
            self._is_tried = True
            assert isinstance(self._subject, Judging)
            try:
                self._subject.judging(None, range(0))
                self._device = self._subject
            except SubjectError as error:
                self._tell(f"the host judges: {error}")
        return self._device

    def _found(self, device: Judging, question: Asked, parts: range) -> Summary | None:
        """What the device finds; None where something goes wrong, which the host will name when it comes to it."""
        try:
            return device.judging(question, parts)
        except SubjectError as error:
            self._tell(f"{question.item}: the host judges the rest of the row: {error}")
            return None

    def _seconds_of_host(self, plan: Plan, item: Item, law: Law, floor: float) -> float:
        """How long the host takes for an input, all its processes judging while the device evaluates."""
        values = tuple(v[:SAMPLE] for v in columns(item, plan, 0))
        where = np.asarray(places(item, plan, 0))[:SAMPLE]
        try:
            begun = time.perf_counter()
            results = evaluated(self._subject, item, values)
            between = time.perf_counter()
        except SubjectError:
            return np.inf
        for count in (WARM, SAMPLE):
            started = time.perf_counter()
            judge(item, tuple(v[:count] for v in values), tuple(r[:count] for r in results), law, where[:count], floor)
        return (between - begun + (time.perf_counter() - started) / plan.jobs) / SAMPLE


def _may_judge(subject: Subject) -> bool:
    """Whether the subject, perhaps in a process of its own, is a device that may judge."""
    return bool(getattr(subject, "can_judge", isinstance(subject, Judging)))


def tally_of(item: Item, law: Law, parts: range, found: Summary, floor: float) -> Tally:
    """The tally of what a device found of the first of the ``parts``: its counts, and the host's tally of its list."""
    codes = swept(parts, found.listed)
    order = np.argsort(codes)
    codes, results = codes[order], [r[order] for r in found.results]
    counted = sum(found.counts)
    spread = Spread.of(dict(zip(BINS, found.counts, strict=True)), [{}]) if counted else Spread()
    others = tuple(Otherwise(other.edition, 0, 0) for other in law.others(item))
    tally = Tally(tried=counted, others=others, spread=spread)
    for first in range(0, len(codes), PIECE):
        some = slice(first, first + PIECE)
        given = tuple(r[some].view(item.form.dtype) for r in results)
        tally += judge(item, (codes[some].view(item.form.dtype),), given, law, codes[some], floor)
    return tally
