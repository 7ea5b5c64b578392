"""A target in a process of its own: a crash, a hang or a changed processor state there costs only one case."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import time
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.device_judge.summary import Summary
from clmath.audit.inputs.exhaustive import swept_columns
from clmath.audit.isolation.asking import TIMEOUT, Asking
from clmath.audit.isolation.child import TEXT
from clmath.audit.isolation.choosing import subject as subject_named
from clmath.audit.isolation.culprit import culprit, unsearched, was_lost
from clmath.audit.isolation.process import LateError
from clmath.audit.judge.known_errors import NONE_KNOWN, KnownErrors
from clmath.audit.plan.rows import item_for
from clmath.audit.protocol.subject import UNDER_WAY, FaultError, SubjectError
from clmath.audit.subjects.declared import NOTHING, Declaration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.device_judge.question import Question
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.isolation.limits import Limits
    from clmath.audit.plan.item import Item
    from clmath.audit.protocol.memory import Place
    from clmath.audit.protocol.subject import Subject
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["TIMEOUT", "Isolated", "isolated"]

ANSWERED = 1 << 28  # bytes: the longest answer with a device's summary
DEATHS = 2  # of one width in a chapter, after which such cases get no search for the input at fault
HANGING = 8  # in a search, a part of a batch may take this fraction of the timeout, 1/8


class Isolated(Asking):
    """The target that ``text`` names: it returns results, judges them if it is a device, or stores them in memory.

    See ``Asking``.
    """

    def recall(self, verdicts: Iterable[Verdict]) -> None:
        """Count the lost cases of an earlier run that is resumed."""
        for verdict in verdicts:
            if was_lost(verdict.item, verdict.reason):
                self._count_death(verdict.item)

    def evaluate(self, row: Builtin, form: Format, args: Columns) -> Columns:
        """Return the results of a batch; SubjectError on failure, with the input at fault if one is found."""
        return next(self.started(row, form, [args]))

    def started(self, row: Builtin, form: Format, batches: Sequence[Columns]) -> Iterator[Columns]:
        """Begin with batches; the iterator waits for the results of one after the other, and ends with a failure.

        The results of batches from an earlier call are lost.
        """
        item = item_for(row, form, batches[0])
        self._send(item, "run", (batches,), len(batches))
        return self._results(item, batches)

    def judging(self, question: Question | None, parts: range, known: KnownErrors = NONE_KNOWN) -> Summary | None:
        """Return the device's own summary of its results; SubjectError, without an input, on failure.

        If no summary is returned, the target's output meanwhile is dropped.
        """
        if self._due:
            self.close()  # as before batches
        process = self._ready() if question is None else self._prepared(question.item)
        limits = self._loading if question is None or question != self._judged else self._running
        self._judged, found, said = question, None, self._said
        try:
            call = self.name if question is None else self._call(question.item)
            with self._losses():
                answer = process.ask(call, limits, "judge", question, parts, known, size=ANSWERED)
            self._hear()
            found = None if question is None else self._found(question, parts, answer)
        finally:
            if found is None:
                self._said = said
        return found

    def _found(self, question: Question, parts: range, payload: memoryview) -> Summary:
        """Return the summary in an answer."""
        total = question.count(parts)
        found = Summary.unpacked(payload, total, question.encodings, len(question.laws))
        if found is None or (found.lanes % question.piece and found.lanes != total):
            raise self._meddled(question.item)
        return found

    @property
    def can_sweep(self) -> bool:
        """Whether results can be stored in memory that other processes read."""
        return self._memory is not None

    def swept(self, item: Item, parts: Sequence[int]) -> Iterator[Place]:
        """Begin with parts of all floats; the iterator waits for the places of the results of one after the other.

        In all else it is like ``started``. A place has to be given back when it is no longer needed.
        """
        assert self._memory is not None
        places = [self._memory.take() for _ in parts]
        self._send(item, "sweep", (parts, places), len(parts))
        return self._lying(item, parts, places)

    def give_back(self, place: Place) -> None:
        """Allow the place to be used for other results."""
        if self._memory is not None:
            self._memory.give_back(place)

    def _lying(self, item: Item, parts: Sequence[int], places: list[Place]) -> Iterator[Place]:
        """Yield the places of the results, one after the other, once they are complete."""
        for number, place in enumerate(places):
            try:
                if self._answer(self._running, TEXT):
                    raise self._meddled(item)
            except SubjectError as error:
                for left in places[number:]:  # nothing will be stored there
                    self.give_back(left)
                if not isinstance(error, FaultError):
                    raise
                under_way = parts[number : number + (UNDER_WAY if self._facts["stores"] else 1)]
                raise SubjectError(f"{error}{self._culprit(item, swept_columns(item, under_way), error)}") from None
            yield place

    def _results(self, item: Item, batches: Sequence[Columns]) -> Iterator[Columns]:
        """Yield the results of all batches; results that have arrived are yielded together, which is quicker."""
        found: list[Columns] = []
        for number, args in enumerate(batches):
            try:
                found.append(self._finish(item, args, self._running))
            except SubjectError as error:
                yield from found
                if error.lasting and self._separate(item):
                    yield from self.started(item.builtin, item.form, batches[number:])  # others may be to blame
                    return
                if not isinstance(error, FaultError):
                    raise
                raise SubjectError(f"{error}{self._culprit(item, args, error)}") from None
            if not self._is_answered():
                yield from found
                found = []

    def _is_answered(self) -> bool:
        """Whether some of the next answer has arrived."""
        return bool(self._due) and self._process is not None and self._process.has_answer()

    def _finish(self, item: Item, args: Columns, limits: Limits) -> Columns:
        """Return the results of the first batch that was sent and not yet answered."""
        layout = item.layout(len(args[0]))
        sizes = [dtype.itemsize * math.prod(shape) for dtype, shape in layout]
        answer = self._answer(limits, max(sum(sizes), TEXT))
        if len(answer) != sum(sizes):
            raise self._meddled(item)
        starts = itertools.accumulate(sizes, initial=0)
        return tuple(
            np.frombuffer(answer, dtype, math.prod(shape), start).reshape(shape).copy()
            for (dtype, shape), start in zip(layout, starts, strict=False)
        )

    def _culprit(self, item: Item, args: Columns, fault: FaultError) -> str:
        """Return the end of the message: the arguments of the single call that fails, if one is found."""
        if fault.lasting:
            self._count_death(item)
            if self._deaths[item.builtin.chapter, item.lanes] > DEATHS:
                return unsearched(item, DEATHS)
        said, begun = self._said, time.monotonic()
        limits = self._running.times(1 / HANGING) if isinstance(fault, LateError) else self._running

        def evaluate(part: Columns) -> None:
            self._send(item, "run", ([part],), 1)
            self._finish(item, part, limits)

        self._is_searching = True
        try:
            return culprit(item, args, evaluate, self._left)
        finally:
            self._is_searching = False
            self._left -= time.monotonic() - begun
            self._said = said


def isolated(
    text: str,
    build_options: str,
    call: str,
    timeout: float = TIMEOUT,
    *,
    alone: bool = False,
    declared: Declaration = NOTHING,
    memory: float | None = None,
) -> contextlib.AbstractContextManager[Subject]:
    """Return the target that ``text`` names, for a with block; in this process on systems without POSIX processes."""
    if os.name != "posix":
        return contextlib.nullcontext(subject_named(text, build_options, call, declared))
    return Isolated(text, build_options, call, timeout, alone=alone, declared=declared, memory=memory)
