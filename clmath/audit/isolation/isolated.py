"""A target in a process of its own: a crash, a hang or a changed processor state there costs only one case."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Self

import numpy as np

from clmath import errors
from clmath.audit.counting.tally import NONE_KNOWN, KnownErrors, Verdict
from clmath.audit.device_judge.question import Question, Summary
from clmath.audit.inputs.exhaustive import swept_columns
from clmath.audit.inputs.layout import Columns
from clmath.audit.isolation.child import TEXT
from clmath.audit.isolation.choosing import target_named
from clmath.audit.isolation.culprit import UNTRIED, culprit, unsearched, was_lost
from clmath.audit.isolation.described import Described, Facts
from clmath.audit.isolation.limits import Limits, default_memory
from clmath.audit.isolation.process import LateError, Printed, Process
from clmath.audit.opencl.programs import group_of
from clmath.audit.plan.item import Item
from clmath.audit.plan.rows import item_for
from clmath.audit.protocol.memory import BEHIND, Memory, Place, is_shared
from clmath.audit.protocol.printable import printable
from clmath.audit.protocol.target import UNDER_WAY, FaultError, Target, TargetError
from clmath.audit.targets.declared import NOTHING, Declaration
from clmath.numbers.formats import Format
from clmath.spec.builtins import Builtin

TIMEOUT = 60.0  # seconds for a batch
TOGETHER_SECONDS = 10.0  # processor time for such a program; one by one its kernels may take longer
COMPILING = 5  # loading a target, or compiling one built-in, may take this many times the timeout
SEARCHING = 10  # all searches for the input at fault together may take this many times the timeout
SWEPT = (8 << 20) + 2 * BEHIND  # bytes for two results of 32 bits of a part of all floats, with guards behind them
ANSWERED = 1 << 28  # bytes: the longest answer with a device's summary
DEATHS = 2  # of one width in a chapter, after which such cases get no search for the input at fault
HANGING = 8  # in a search, a part of a batch may take this fraction of the timeout, 1/8


class _Child(Process):
    """A process with a target; the kernels that it has compiled, and the question that its device received last."""

    def __init__(self, seconds: float, *, alone: bool) -> None:
        super().__init__(seconds, alone=alone)
        self.built: set[Item] = set()
        self.judged: Question | None = None


class Isolated(Described):
    """The target that ``text`` names (see ``clmath.audit.isolation.choosing.target_named``), run in a child process.

    One child serves until it dies, or is killed because it does not answer within ``timeout`` seconds, or because it
    and its own children take more than ``memory`` resident bytes together (default: a quarter of the machine's, at most
    4 GB). Another one then takes its place. A target that cannot be made is a ClmathError. Close it, or use it in a
    with statement. ``alone``: only the audit runs in this process, and no thread yet, so that the child may be a copy
    of it.

    Kernels are compiled several at a time. If a program makes the compiler die or take too long, its kernels are
    compiled alone from then on; a kernel that makes it die alone is not compiled again.
    """

    def __init__(
        self,
        text: str,
        build_options: str = "",
        call: str = "clmath audit",
        timeout: float = TIMEOUT,
        *,
        alone: bool = False,
        declared: Declaration = NOTHING,
        memory: float | None = None,
    ) -> None:
        self._asked = text, build_options, call, declared
        most, processors = default_memory() if memory is None else memory, os.cpu_count() or 1
        self._timeout = timeout
        self._running = Limits(timeout, processors * timeout, most)
        self._loading = self._running.times(COMPILING)
        self._building = Limits(COMPILING * timeout, COMPILING * timeout, most)  # one processor, as compilers use
        self._building_together = Limits(2 * TOGETHER_SECONDS, TOGETHER_SECONDS, most)  # others may be busy, too
        self._left = SEARCHING * timeout
        self._is_gone = False
        self._together: dict[Item, tuple[Item, ...]] = {}  # by each case, all cases of its program
        self._alone: set[Item] = set()  # cases whose kernels are to be compiled alone, as the program of several failed
        self._is_searching = False
        self._deaths: Counter[tuple[str, int]] = Counter()  # number of lost cases, by chapter and width
        self._refused: dict[Item, str] = {}  # cases that do not compile, with the reasons
        self._expected: dict[Item, int] = {}  # the cases to come, with their places
        self.logs: dict[Item, str] = {}  # output of the compiler for kernels that it built
        self._said = Printed()
        self._process: _Child | None = None
        self._trouble: TargetError | None = None  # with the request that was sent last
        self._memory = Memory(SWEPT) if is_shared() else None
        self._facts = self._loaded(alone=alone)
        self.name = self._facts["name"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def close(self) -> None:
        """End the child process."""
        if self._process is not None:
            self._process.close()
            self._process = None

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        """Have a new process answer within the block; the process that answered before waits."""
        self._close_if_due()
        kept = self._process, self._together, self._expected, self._is_gone
        self._process, self._expected = None, {}
        try:
            yield
        finally:
            self.close()
            self._process, self._together, self._expected, self._is_gone = kept

    def printed(self) -> str:
        """Return a remark on the target's standard output and error since the last call of this method."""
        said, self._said = self._said, Printed()
        return str(said)

    def expect(self, items: Sequence[Item]) -> None:
        """Take note of the cases to come, in their order, so that several kernels can be compiled at a time."""
        expected = items if self._facts["prepares_together"] else ()
        self._expected = {item: place for place, item in enumerate(expected)}

    def _loaded(self, *, alone: bool = False, again: bool = False) -> Facts:
        """Start a child that makes the target; return the target's description, unless it is known."""
        self._process, self._together = _Child(self._timeout, alone=alone), {}
        try:
            facts: Facts = json.loads(bytes(self._process.ask("", self._loading, "load", again, *self._asked)))
        except TargetError as error:
            self._hear()
            self.close()
            raise self._not_loaded(error) from None
        except BaseException:
            self.close()
            raise
        self._hear()
        self.printed()  # output while a target is loaded does not belong to a case
        if self._is_searching:
            self._process.ending = 0.0  # it is lost, and no reason is needed
        return facts

    def _not_loaded(self, error: TargetError) -> errors.ClmathError:
        (text, _, call, _), remark = self._asked, self.printed()
        if isinstance(error, FaultError) and error.lasting:
            fact = f"the process that loads it {error.deed}{f'; {remark}' if remark else ''}"
            return errors.ClmathError(f"{call}: {text!r} cannot be audited: {fact}")
        return errors.ClmathError(f"{call}: {error}" if isinstance(error, FaultError) else str(error))

    def _close_if_due(self) -> None:
        """End a child with answers that nobody waits for: they must not be taken for the next ones."""
        if self._process is not None and self._process.due:
            self.close()

    def _ready(self) -> _Child:
        """Return the running child; a new one if the last has ended, unless starting one has failed before."""
        if self._process is None:
            if self._is_gone:
                raise TargetError(f"{self.name}: not tried: the target could not be loaded again before")
            try:
                self._loaded(again=True)
            except errors.ClmathError as error:
                self._is_gone = True
                raise TargetError(f"{self.name}: the target could not be loaded again: {error}") from None
        assert self._process is not None
        return self._process

    def _send(self, item: Item, kind: str, given: Sequence[object], answers: int) -> None:
        """Send a request about a case, with this number of answers; the first answer raises an error of the request."""
        self._close_if_due()
        self._trouble = None
        try:
            process = self._prepared(item)
            with self._losses():
                process.send(self._call(item), kind, item, *given, answers=answers)
        except TargetError as error:
            self._trouble = error

    def _answer(self, limits: Limits, size: int) -> memoryview:
        """Return the next answer, of at most ``size`` bytes."""
        if self._trouble is not None:
            raise self._trouble
        process = self._ready()
        with self._losses():
            answer = process.answer(limits, size)
        if not process.due:
            self._hear()
        return answer

    @contextlib.contextmanager
    def _losses(self) -> Iterator[None]:
        """Close a child that is lost within the block; a refusal ends the answers."""
        try:
            yield
        except TargetError as error:
            self._hear()
            if error.lasting:
                self.close()
            raise

    def _meddled(self, item: Item) -> FaultError:
        """Return the error for an answer that is not valid."""
        self.close()
        return FaultError(self._call(item), "wrote into its connection to the audit", lasting=True)

    def _prepared(self, item: Item) -> _Child:
        """Return the running child, after it has compiled the kernel of the case."""
        if self._facts["prepares"] and not self._is_built(item):
            if item in self._refused:
                raise TargetError(self._refused[item])
            self._make_room()
            self._build(item)
        return self._ready()

    def _is_built(self, item: Item) -> bool:
        return self._process is not None and item in self._process.built

    def _make_room(self) -> None:
        """End a child that occupies half of its memory limit: a case is not to blame for earlier ones."""
        if self._process is not None and self._process.built and self._process.memory() > self._building.memory / 2:
            self.close()

    def _build(self, item: Item) -> None:
        """Have the kernel compiled; store the output of the compiler, or the reason why the kernel is missing."""
        try:
            with self._losses():
                said = self._compiled(item)
        except FaultError as fault:
            if fault.lasting:
                self._count_death(item)
            self._refused[item] = f"{self._call(item)}: the compiler {fault.deed}, {UNTRIED}"
            raise TargetError(self._refused[item]) from None
        except TargetError as error:
            self._refused[item] = self.logs[item] = str(error)
            raise
        self._hear()
        self.logs[item] = printable(bytes(said).decode("utf-8", "replace"))
        self._ready().built.add(item)

    def _compiled(self, item: Item) -> memoryview:
        """Have the kernel compiled together with the next ones; if the child dies of that, one by one from then on."""
        if len(group := self._group(item)) > 1:
            ready = self._ready()
            self._together.update(dict.fromkeys(group, group))
            try:
                return ready.ask(self._call(item), self._building_together, "build", *group)
            except FaultError as fault:
                if not fault.lasting:
                    raise
                self.close()
                self._separate(item)
        return self._ready().ask(self._call(item), self._building, "build", item)

    def _group(self, item: Item) -> tuple[Item, ...]:
        """Return the case, and the next ones whose kernels can be compiled in the same program."""
        return (item,) if self._is_searching else group_of(item, self._expected, self._is_free)

    def _is_free(self, item: Item) -> bool:
        """Whether the kernel of a case may be compiled in a program of several."""
        is_known = any(item in known for known in (self._together, self._alone, self._refused))
        return not is_known and not self._is_built(item)

    def _separate(self, item: Item) -> bool:
        """Have the kernels of the program of a case compiled alone from now on; return whether it has several cases."""
        group = () if item in self._alone else self._together.get(item, ())
        self._alone.update(group)
        return bool(group)

    def _count_death(self, item: Item) -> None:
        self._deaths[item.builtin.chapter, item.components] += 1

    def _call(self, item: Item) -> str:
        return f"{self.name}: {item.builtin.name}({item.form})"

    def _hear(self) -> None:
        """Keep the output of the child."""
        if self._process is not None:
            self._said = self._said.and_then(*self._process.printed())

    def recall(self, verdicts: Iterable[Verdict]) -> None:
        """Count the lost cases of an earlier run that is resumed."""
        for verdict in verdicts:
            if was_lost(verdict.item, verdict.reason):
                self._count_death(verdict.item)

    def evaluate(self, row: Builtin, form: Format, args: Columns) -> Columns:
        """Return the results of a batch; TargetError on failure, with the input at fault if one is found."""
        return next(self.started(row, form, [args]))

    def started(self, row: Builtin, form: Format, batches: Sequence[Columns]) -> Iterator[Columns]:
        """Begin with batches; the iterator waits for the results of one after the other, and ends with a failure.

        The results of batches from an earlier call are lost.
        """
        item = item_for(row, form, batches[0])
        self._send(item, "run", (batches,), len(batches))
        return self._results(item, batches)

    def judging(self, question: Question | None, parts: range, known: KnownErrors = NONE_KNOWN) -> Summary | None:
        """Return the device's own summary of its results; TargetError, without an input, on failure.

        If no summary is returned, the target's output meanwhile is dropped.
        """
        self._close_if_due()
        process = self._ready() if question is None else self._prepared(question.item)
        limits = self._loading if question is None or question != process.judged else self._running
        process.judged, found, said = question, None, self._said
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
        found = Summary.unpacked(payload, total, question.encodings, len(question.all_criteria))
        if found is None or (found.elements % question.piece and found.elements != total):
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
            except TargetError as error:
                for left in places[number:]:  # nothing will be stored there
                    self.give_back(left)
                under_way = parts[number : number + (UNDER_WAY if self._facts["stores"] else 1)]
                raise self._blamed(error, item, swept_columns(item, under_way)) from None
            yield place

    def _results(self, item: Item, batches: Sequence[Columns]) -> Iterator[Columns]:
        """Yield the results of all batches; results that have arrived are yielded together, which is quicker."""
        found: list[Columns] = []
        for number, args in enumerate(batches):
            try:
                found.append(self._finish(item, args, self._running))
            except TargetError as error:
                yield from found
                if error.lasting and self._separate(item):
                    yield from self.started(item.builtin, item.form, batches[number:])  # others may be to blame
                    return
                raise self._blamed(error, item, args) from None
            if not self._is_answered():
                yield from found
                found = []

    def _is_answered(self) -> bool:
        """Whether some of the next answer has arrived."""
        return self._process is not None and self._process.due > 0 and self._process.has_answer()

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

    def _blamed(self, error: TargetError, item: Item, args: Columns) -> TargetError:
        """Return the error of a batch; for a fault, with the arguments of the single call at fault, if one is found."""
        return TargetError(f"{error}{self._culprit(item, args, error)}") if isinstance(error, FaultError) else error

    def _culprit(self, item: Item, args: Columns, fault: FaultError) -> str:
        """Return the end of the message of a fault."""
        if fault.lasting:
            self._count_death(item)
            if self._deaths[item.builtin.chapter, item.components] > DEATHS:
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
) -> contextlib.AbstractContextManager[Target]:
    """Return the target that ``text`` names, for a with block; in this process on systems without POSIX processes."""
    if os.name != "posix":
        return contextlib.nullcontext(target_named(text, build_options, call, declared))
    return Isolated(text, build_options, call, timeout, alone=alone, declared=declared, memory=memory)
