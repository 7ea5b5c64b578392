"""A subject in a process of its own: a crash, a hang or a changed processor state there costs one row."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from clmath.audit.device_judge.summary import Summary
from clmath.audit.inputs.floats import swept_columns
from clmath.audit.isolation.asking import TIMEOUT, Asking, LateFaultError
from clmath.audit.isolation.choosing import subject as subject_named
from clmath.audit.isolation.culprit import culprit, unsearched, was_lost
from clmath.audit.protocol.subject import UNDER_WAY, FaultError, SubjectError
from clmath.audit.subjects import wire
from clmath.audit.subjects.declared import NOTHING, Declaration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clmath.audit.counting.spread import Stretches
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

ANSWERED = 1 << 28  # bytes: the longest answer about what a device finds
DEATHS = 2  # of one width in a chapter, after which no input at fault is searched for in rows like these
HANGING = 8  # in a search, a part of a batch may take this fraction of the timeout, 1/8


class Isolated(Asking):
    """The subject that ``text`` names, asked for results, for what a device finds of them, or to leave them in memory.

    See ``Asking``.
    """

    def recall(self, verdicts: Iterable[Verdict]) -> None:
        """Count the rows of an earlier run, which is resumed, that were lost."""
        for verdict in verdicts:
            if was_lost(verdict.item, verdict.reason):
                self._count_death(verdict.item)

    def evaluate(self, row: Builtin, form: Format, args: Columns) -> Columns:
        """The results of a batch; if it fails, SubjectError, which names the input at fault if one is found."""
        return next(self.started(row, form, [args]))

    def started(self, row: Builtin, form: Format, batches: Sequence[Columns]) -> Iterator[Columns]:
        """Begin with batches; the iterator waits for the results of one after the other.

        Batches that were begun before have no results any more; after one that fails there are no more.
        """
        item = wire.item_for(row, form, batches[0])
        trouble = None
        try:
            self._start(item, batches)
        except SubjectError as error:
            trouble = error
        return self._results(item, batches, trouble)

    def judging(
        self, question: Question | None, parts: range, floor: float = 0.0, known: Stretches = (), at: int | None = None
    ) -> Summary | None:
        """What the device finds of its results; if that fails, SubjectError, which names no input.

        If nothing is found, what the subject has printed meanwhile is dropped.
        """
        if self._due:
            self.close()  # as before batches
        process = self._ready() if question is None else self._prepared(question.item)
        compiles = question is None or question not in self._judged
        self._judged = set() if question is None else {question}
        call = self.name if question is None else self._call(question.item)
        request = wire.judging_request(question, parts, floor, known, at)
        limits = self._loading if compiles else self._running
        found, said = None, (bytes(self._said), self._said_size)
        try:
            with self._lost(call):
                answer = process.ask(wire.JUDGE, [request], limits, ANSWERED)
            self._keep_output()
            payload = self._checked(answer).payload
            found = None if question is None else self._found(question, parts, payload)
        finally:
            if found is None:
                self._said, self._said_size = bytearray(said[0]), said[1]
        return found

    def _found(self, question: Question, parts: range, payload: memoryview) -> Summary:
        """The summary in an answer."""
        total = question.count(parts)
        found = Summary.unpacked(payload, total, question.encodings, len(question.laws))
        if found is None or (found.lanes % question.piece and found.lanes != total):
            raise self._meddled(self._call(question.item))
        return found

    @property
    def can_sweep(self) -> bool:
        """Whether results can be stored in memory that other processes read."""
        return self._memory is not None

    def swept(self, item: Item, parts: Sequence[int]) -> Iterator[Place]:
        """Begin with parts of all floats; the iterator waits for the places of the results of one after the other.

        Otherwise as ``started``. A place has to be given back when it is no longer needed.
        """
        assert self._memory is not None
        places, trouble = [self._memory.take() for _ in parts], None
        try:
            self._send(item, wire.SWEEP, wire.sweep_packed(item, parts, places), len(parts))
        except SubjectError as error:
            trouble = error
        return self._lying(item, parts, places, trouble)

    def give_back(self, place: Place) -> None:
        """Allow that the place is used for other results."""
        if self._memory is not None:
            self._memory.give_back(place)

    def _lying(
        self, item: Item, parts: Sequence[int], places: list[Place], trouble: SubjectError | None
    ) -> Iterator[Place]:
        """The places of the results, one after the other, once results are there."""
        for number, place in enumerate(places):
            try:
                if trouble is not None:
                    raise trouble
                if self._answer(item, self._running, wire.TEXT):
                    raise self._meddled(self._call(item))
            except SubjectError as error:
                for left in places[number:]:  # where nothing is stored any more
                    self.give_back(left)
                if not isinstance(error, FaultError):
                    raise
                under_way = parts[number : number + (UNDER_WAY if self._facts["stores"] else 1)]
                raise SubjectError(f"{error}{self._culprit(item, swept_columns(item, under_way), error)}") from None
            yield place

    def _results(self, item: Item, batches: Sequence[Columns], trouble: SubjectError | None) -> Iterator[Columns]:
        """The results of all batches; those that are there are taken together, which is quicker."""
        found: list[Columns] = []
        for number, args in enumerate(batches):
            try:
                if trouble is None:
                    found.append(self._finish(item, args, self._running))
            except SubjectError as error:
                trouble = error
            if trouble is None and self._is_answered():
                continue
            yield from found
            found = []
            if isinstance(trouble, FaultError) and trouble.lasting and self._separate(item):
                yield from self.started(item.builtin, item.form, batches[number:])  # others may be to blame
                return
            if isinstance(trouble, FaultError):
                raise SubjectError(f"{trouble}{self._culprit(item, args, trouble)}") from None
            if trouble is not None:
                raise trouble

    def _is_answered(self) -> bool:
        """Whether some of the next answer has arrived."""
        return bool(self._due) and self._process is not None and self._process.has_answer()

    def _start(self, item: Item, batches: Sequence[Columns]) -> None:
        """Send batches to a child that has the built-in ready and has sent all its answers."""
        self._send(item, wire.RUN, wire.packed(item, batches), len(batches))

    def _finish(self, item: Item, args: Columns, limits: Limits) -> Columns:
        """The results of the first batch that was sent and not yet answered."""
        payload = self._answer(item, limits, max(wire.size_of(item, len(args[0])), wire.TEXT))
        results = wire.results_of(payload, item, len(args[0]))
        if results is None:
            raise self._meddled(self._call(item))
        return results

    def _culprit(self, item: Item, args: Columns, fault: FaultError) -> str:
        """The end of the message: the arguments of the single call that fails, if one is found."""
        if fault.lasting:
            self._count_death(item)
            if self._deaths[item.builtin.chapter, item.lanes] > DEATHS:
                return unsearched(item, DEATHS)
        remark, begun = (bytes(self._said), self._said_size), time.monotonic()
        limits = self._running.times(1 / HANGING) if isinstance(fault, LateFaultError) else self._running

        def evaluate(part: Columns) -> None:
            self._start(item, [part])
            self._finish(item, part, limits)

        self._is_searching = True
        try:
            return culprit(item, args, evaluate, self._left)
        finally:
            self._is_searching = False
            self._left -= time.monotonic() - begun
            self._said, self._said_size = bytearray(remark[0]), remark[1]


@contextlib.contextmanager
def isolated(
    text: str,
    build_options: str,
    call: str,
    timeout: float = TIMEOUT,
    *,
    alone: bool = False,
    declared: Declaration = NOTHING,
    memory: float | None = None,
) -> Iterator[Subject]:
    """The subject that ``text`` names, within a with block; in this process on systems without POSIX processes."""
    if os.name != "posix":
        yield subject_named(text, build_options, call, declared)
        return
    with Isolated(text, build_options, call, timeout, alone=alone, declared=declared, memory=memory) as subject:
        yield subject
