"""Decides which rows a device judges, and has the host judge the inputs that the device lists."""

from __future__ import annotations

import math
import os
import time
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from clmath.audit.counting.spread import BINS, Spread
from clmath.audit.counting.tally import Otherwise, Tally
from clmath.audit.device_judge.constant_tails import far_zeros
from clmath.audit.device_judge.input_lists import in_order, placed
from clmath.audit.device_judge.judging import Judging
from clmath.audit.device_judge.question import question_of, refusal
from clmath.audit.inputs import numbered
from clmath.audit.inputs.floats import swept_parts
from clmath.audit.inputs.row_inputs import fixed_chunks, is_swept
from clmath.audit.judge.compiled_loop import can_serve
from clmath.audit.judge.piece import judge
from clmath.audit.judge.screen import is_screened
from clmath.audit.law.conformity import out_of_limit
from clmath.audit.law.deviation import joined as joined_stretches
from clmath.audit.protocol.subject import SubjectError
from clmath.audit.running import pace, swept
from clmath.audit.running.workers import ready

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor, Future

    from clmath.audit.counting.spread import Stretches
    from clmath.audit.device_judge.question import Question
    from clmath.audit.device_judge.summary import Summary
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.subject import Subject

__all__ = ["JUDGES", "Judge", "Judges", "Known", "joined", "known_from", "tally_of"]

Judge: TypeAlias = Literal["auto", "host", "device"]
JUDGES: tuple[Judge, ...] = get_args(Judge)
FEW = 16  # pieces of all floats that are judged sooner than a program is compiled
FIRST = 1 << 20  # inputs that the device is asked about first, and once more: several launches
FEW_DRAWN = 64  # such pieces of random inputs


class Known(NamedTuple):
    """Errors that need not be looked for: the largest of a row, those of stretches; and where the first one stands."""

    floor: float = 0.0
    stretches: Stretches = ()
    at: int | None = None


class Judges:
    """Who judges the rows of one audit of ``subject``: the device where it can and, for ``auto``, where it is faster.

    ``tell``: is told once why a device that was to judge cannot. The tallies are the same whoever judges. ``tell_who``:
    is told in words who judges a row of many inputs, the last time last.
    """

    def __init__(
        self,
        wanted: Judge,
        subject: Subject,
        tell: Callable[[str], None] | None = None,
        tell_who: Callable[[Item, str], None] | None = None,
    ) -> None:
        self._tell_who = tell_who or (lambda *_: None)
        self._wanted, self._subject = wanted, subject
        self._tell = tell or (lambda _: None)
        self._device: Judging | None = None
        self._is_tried = wanted == "host" or not _may_judge(subject)
        if self._is_tried and wanted == "device":
            self._tell(f"{subject.name} is no device that can judge: the host judges")

    def pieces(  # noqa: PLR0917 - what a row is, and who judges it
        self, plan: Plan, item: Item, law: Law, numbers: range, pool: Executor, known: Callable[[], Known]
    ) -> Iterator[tuple[int, Future[Tally]]]:
        """Judge the pieces ``numbers`` of a row on the device: the number of the last one so far, and their tally.

        None of them is one of structured inputs, which the host judges. It ends early, or at once, where the host has
        to go on, or is faster. ``known``: the errors that need not be looked for by now, of the row and by stretch,
        and where it stands. What the device is asked first is judged to its end before it is asked for more: a
        device that is off by the same at many inputs lists each of them until it is told how much they are off. Where
        it has still to be chosen, it is asked for as few once more: what it lists then, it lists to the end of the row.
        """
        question = self._asked(item, law, plan, len(numbers))
        if question is None:
            return
        pieces = swept_parts(plan) if is_swept(item, plan) else numbered.parts(plan)
        ahead = fixed_chunks(item, plan)
        device, done, is_chosen, requests = self._judging(), numbers.start, self._wanted == "device", 0
        first = Known()
        while device is not None and done < numbers.stop:
            requests += 1
            is_trial = requests == 1 or not is_chosen
            until = min(done + FIRST // question.piece, numbers.stop) if is_trial else numbers.stop
            parts = pieces[done - ahead : until - ahead]
            errors = joined(first, known())
            found = self._found(device, question, parts, errors)
            if found is None:
                return
            done += -(-found.lanes // question.piece)
            begun = time.perf_counter()
            future = (pool.submit if is_chosen else _at_once)(tally_of, question, parts, found, errors)
            listing = (time.perf_counter() - begun) / found.lanes
            if requests == 1:
                first = known_from(future.result())
            self._tell_who(item, "device")
            yield done - 1, future
            if not is_chosen and requests > 1:
                taken = found.pace + listing / plan.jobs
                is_chosen = taken < pace.of_host(plan, self._subject, item, law, first[:2], taken)
                if not is_chosen:
                    self._tell_who(item, "host: it is faster")
                    return

    def _asked(self, item: Item, law: Law, plan: Plan, pieces: int) -> Question | None:
        """What the device is asked about so many pieces of a row; None where the host judges them."""
        if not pieces or not (is_swept(item, plan) or plan.is_numbered):
            return None
        why = "it was asked for" if self._wanted == "host" else refusal(item, law, plan)
        few = FEW if is_swept(item, plan) else FEW_DRAWN
        if not why and self._wanted == "auto" and pieces < few:
            why = f"the device is asked about {few} pieces or more"
        if not why and self._wanted == "auto" and self._is_own_processor(item, law, plan):
            why = "the device is its processor"
        if not why and self._judging() is None:
            why = "there is no device that can"
        if why:
            self._tell_who(item, f"host: {why}")
            if self._wanted == "device" and self._judging() is not None:
                self._tell(f"{item}: the host judges: {why}")
        return None if why else question_of(item, law, plan)

    def _is_own_processor(self, item: Item, law: Law, plan: Plan) -> bool:
        """Whether the device is this processor, and a compiled loop of the host's judges the row: it is faster then.

        By a factor of two, for which half of the cores do; no program is compiled for the device to find that out.
        """
        is_own = getattr(self._subject, "is_processor", False) and 2 * plan.jobs >= (os.cpu_count() or 1)
        return is_own and swept.is_served(self._subject, item, plan) and is_screened(item, law) and can_serve(item, law)

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

    def _found(self, device: Judging, question: Question, parts: range, errors: Known) -> Summary | None:
        """What the device finds; None where something goes wrong, which the host will name when it comes to it."""
        try:
            return device.judging(question, parts, *errors)
        except SubjectError as error:
            self._tell(f"{question.item}: the host judges the rest of the row: {error}")
            self._tell_who(question.item, "host: the device has failed")
            return None


def _at_once(work: Callable[..., Tally], *given: Any) -> Future[Tally]:
    """What is found out here, to see how long it takes."""
    return ready(work(*given))


def _may_judge(subject: Subject) -> bool:
    """Whether the subject, perhaps in a process of its own, is a device that may judge."""
    return bool(getattr(subject, "can_judge", isinstance(subject, Judging)))


def tally_of(question: Question, parts: range, found: Summary, known: Known) -> Tally:
    """The tally of what a device found of the first of the ``parts``: its counts, and the host's tally of its list."""
    item, law = question.item, question.law
    counted = sum(found.counts)
    spread = Spread.of(dict(zip(BINS, found.counts, strict=True)), [{} for _ in item.measured]) if counted else Spread()
    unjudged, *by_others = found.unjudged
    counts = zip(law.others(item), by_others, strict=True)
    others = tuple(Otherwise(other.edition, count, found.failed) for other, count in counts)
    tally = Tally(tried=found.decided, unjudged=unjudged, flushed=found.flushed, others=others, spread=spread)
    if found.failed:
        tally += Tally(failed=found.failed, reasons=((out_of_limit(law.limit(item)), found.failed),))
    far, runs = far_zeros(question, placed(question, parts, found))
    tally += far
    for places, results in in_order(runs):
        tally += judge(item, question.inputs(places), results, law, places, *joined(known, known_from(tally))[:2])
    return tally


def known_from(tally: Tally) -> Known:
    """The errors that need not be looked for once there is this tally."""
    if tally.worst is None:
        return Known(stretches=tally.spread.worst)
    return Known(abs(tally.worst.error), tally.spread.worst, tally.worst.index)


def joined(one: Known, other: Known) -> Known:
    """The larger of the errors that are known from two tallies."""
    first = min(one, other, key=lambda known: (-known.floor, math.inf if known.at is None else known.at))
    stretches = joined_stretches(one.stretches, [dict(errors) for errors in other.stretches])
    return Known(first.floor, stretches, first.at)
