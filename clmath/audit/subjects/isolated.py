"""A subject in a process of its own: what dies, hangs, prints or leaves the processor changed there costs a row."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any, Self

from clmath import errors
from clmath.audit.device_judge.summary import Summary
from clmath.audit.exact.rows import ExactItem
from clmath.audit.foreign import printable
from clmath.audit.inputs import swept_columns
from clmath.audit.subject import PRINTED, FaultError, SubjectError
from clmath.audit.subjects import subject as subject_named
from clmath.audit.subjects import wire
from clmath.audit.subjects.culprit import culprit
from clmath.audit.subjects.declared import NOTHING, Declaration
from clmath.audit.subjects.described import Described
from clmath.audit.subjects.memory import Memory, is_shared
from clmath.audit.subjects.process import LateError, LostError, Process

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.audit.device_judge.asked import Asked
    from clmath.audit.inputs import Columns
    from clmath.audit.plan import Item
    from clmath.audit.spread import Stretches
    from clmath.audit.subject import Subject
    from clmath.audit.subjects.memory import Place
    from clmath.audit.subjects.process import Answer
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["TIMEOUT", "Isolated", "isolated"]

TIMEOUT = 60.0  # seconds for a batch
TOGETHER = 16  # kernels in a program: more save little, and hold up the first
COMPILING = 5  # timeouts for loading a subject, and for compiling one built-in
SEARCHING = 10  # timeouts that all searches for the input at fault may take together
ANSWERED = 1 << 28  # bytes: no answer about what a device finds is longer
SWEPT = 8 << 20  # bytes: two results of 32 bits for a part of all floats
HANGING = 8  # a part of a batch that hangs is given up after so many parts of the timeout
_SHOWN = 200  # characters of what a subject prints


class Isolated(Described):
    """The subject that ``text`` names (see ``clmath.audit.subjects.subject``), run in a child process.

    One child serves until it dies or is killed because it does not answer within ``timeout`` seconds; another one
    then takes its place. A subject that cannot be made is a ClmathError. Close it, or use it in a with statement.
    ``alone``: nothing but the audit runs in this process, and no thread yet, so that the child may be a copy of it.
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
    ) -> None:
        self._asked = {"text": text, "build_options": build_options, "call": call, "declared": declared}
        self._timeout = timeout
        self._left = SEARCHING * timeout
        self._is_gone = False
        self._built: set[Item] = set()
        self._expected: dict[Item, int] = {}  # and the places in their order
        self._judged: set[Asked] = set()  # the row that the device was asked about last
        self.logs: dict[Item, str] = {}  # what the compiler said of kernels that it built
        self._said, self._said_size = bytearray(), 0
        self._process: Process | None = None
        self._due = 0  # answers
        self._memory = Memory(SWEPT) if is_shared() else None
        self._facts: dict[str, Any] = {}
        self._facts = self._loaded(copied=alone and sys.platform == "linux")
        self.name: str = self._facts["name"]

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
            self._due = 0

    def printed(self) -> str:
        """A remark on what the subject has written to standard output and error since this was asked last."""
        text, size = bytes(self._said), self._said_size
        self._said, self._said_size = bytearray(), 0
        if not size:
            return ""
        shown = " ".join(printable(text.decode("utf-8", "backslashreplace")).split())
        return f'{PRINTED} {size} bytes: "{shown[:_SHOWN]}{"..." if len(shown) > _SHOWN else ""}"'

    def expect(self, items: Sequence[Item]) -> None:
        """The rows that come, in their order: kernels are compiled several at a time."""
        expected = items if self._facts["prepares together"] else ()
        self._expected = {item: place for place, item in enumerate(expected)}

    def evaluate(self, row: Builtin, form: Format, args: Columns) -> Columns:
        """The results of a batch; the SubjectError of one that goes wrong names the input at fault if there is one."""
        return next(self.started(row, form, [args]))

    def started(self, row: Builtin, form: Format, batches: Sequence[Columns]) -> Iterator[Columns]:
        """Begin with batches; what is returned waits for the results of one after the other.

        Only the last batches begun have any; after one that goes wrong there are no more.
        """
        item = wire.item_for(row, form, batches[0])
        trouble = None
        try:
            self._start(item, batches, self._timeout)
        except SubjectError as error:
            trouble = error
        return self._results(item, batches, trouble)

    def judging(self, asked: Asked | None, parts: range, floor: float = 0.0, known: Stretches = ()) -> Summary | None:
        """What the device finds of its results; the SubjectError of one that goes wrong names no input."""
        if self._due:
            self.close()  # as before batches
        process = self._ready() if asked is None else self._prepared(asked.item)
        compiles = asked is None or asked not in self._judged
        self._judged = set() if asked is None else {asked}
        call = self.name if asked is None else self._call(asked.item)
        question, seconds = wire.question(asked, parts, floor, known), self._timeout * (COMPILING if compiles else 1)
        with self._lost(call):
            answer = process.ask(wire.JUDGE, [question], seconds, ANSWERED)
        self._keep_output()
        payload = self._checked(answer).payload
        if asked is None:
            return None
        total = asked.count(parts)
        found = Summary.unpacked(payload, total, asked.encodings)
        if found is None or (found.lanes % asked.piece and found.lanes != total):
            raise self._meddled(call)
        return found

    @property
    def can_sweep(self) -> bool:
        """Whether results may lie where other processes read them."""
        return self._memory is not None

    def swept(self, item: Item, parts: Sequence[int]) -> Iterator[Place]:
        """Begin with parts of all floats; what is returned waits for the results of one after the other.

        As of ``started``; each is given back when it is no longer needed.
        """
        assert self._memory is not None
        places, trouble = [self._memory.take() for _ in parts], None
        try:
            self._send(item, wire.SWEEP, wire.sweep_packed(item, parts, places), len(parts), self._timeout)
        except SubjectError as error:
            trouble = error
        return self._lying(item, parts, places, trouble)

    def give_back(self, place: Place) -> None:
        """Have the place used for other results."""
        if self._memory is not None:
            self._memory.give_back(place)

    def _lying(
        self, item: Item, parts: Sequence[int], places: list[Place], trouble: SubjectError | None
    ) -> Iterator[Place]:
        """The places of the results, when they are there."""
        for part, place in zip(parts, places, strict=True):
            try:
                if trouble is not None:
                    raise trouble
                if self._answer(item, self._timeout, wire.TEXT):
                    raise self._meddled(self._call(item))
            except FaultError as fault:
                raise SubjectError(f"{fault}{self._culprit(item, swept_columns(item, [part]), fault)}") from None
            yield place

    def _results(self, item: Item, batches: Sequence[Columns], trouble: SubjectError | None) -> Iterator[Columns]:
        """The results of all batches, each with those that are there by then: taking them together is cheaper."""
        found: list[Columns] = []
        for args in batches:
            try:
                if trouble is None:
                    found.append(self._finish(item, args, self._timeout))
            except SubjectError as error:
                trouble = error
            if trouble is None and self._is_answered():
                continue
            yield from found
            found = []
            if isinstance(trouble, FaultError):
                raise SubjectError(f"{trouble}{self._culprit(item, args, trouble)}") from None
            if trouble is not None:
                raise trouble

    def _is_answered(self) -> bool:
        """Whether something is there of an answer that is due."""
        return bool(self._due) and self._process is not None and self._process.has_answer()

    def _new_process(self, copied: bool) -> Process:
        return Process(copied=copied, memory=None if self._memory is None else self._memory.descriptor)

    def _loaded(self, *, copied: bool = False) -> dict[str, Any]:
        """Start a child that makes the subject; what the subject says of itself."""
        self._process, self._built, self._judged = self._new_process(copied), set(), set()
        text, call = str(self._asked["text"]), str(self._asked["call"])
        try:
            answer = self._process.ask(wire.LOAD, [json.dumps(self._asked).encode()], COMPILING * self._timeout)
        except LostError as lost:
            self._keep_output()
            remark = self.printed()
            self.close()
            fact = f"the process that loads it {lost}{f'; {remark}' if remark else ''}"
            raise errors.ClmathError(f"{call}: {text!r} cannot be audited: {fact}") from None
        except BaseException:
            self.close()
            raise
        self._keep_output()
        self.printed()  # what is printed while a subject is loaded belongs to no row
        facts: dict[str, Any] = wire.text_of(answer.payload)
        if not answer.is_done:
            self.close()
            raise errors.ClmathError(facts.get("text") or f"{call}: {facts['call']} {facts['deed']}")
        return facts

    def _ready(self) -> Process:
        """The child at work; a new one where the last has gone, unless starting one has failed before."""
        if self._process is None:
            if self._is_gone:
                raise SubjectError(f"{self.name}: not tried: the subject could not be loaded again before")
            try:
                self._loaded()
            except errors.ClmathError as error:
                self._is_gone = True
                raise SubjectError(f"{self.name}: the subject could not be loaded again: {error}") from None
        assert self._process is not None
        return self._process

    def _start(self, item: Item, batches: Sequence[Columns], seconds: float) -> None:
        """Send batches to a child that has the built-in ready, and that has nothing more to say, so that it listens."""
        self._send(item, wire.RUN, wire.packed(item, batches), len(batches), seconds)

    def _send(self, item: Item, kind: bytes, parts: Sequence[bytes | memoryview], answers: int, seconds: float) -> None:
        """Send a request that has so many answers."""
        if self._due:
            self.close()  # an answer that nobody waits for must not be taken for the next one
        process = self._prepared(item)
        self._due = answers
        with self._losses(item):
            process.send(kind, parts, seconds)

    def _prepared(self, item: Item) -> Process:
        """The child at work, which has compiled the built-in where it compiles."""
        process = self._ready()
        if self._facts["prepares"] and item not in self._built:
            answer = self._build(item)
            self.logs[item] = printable(bytes(self._checked(answer).payload).decode("utf-8", "replace"))
            self._built.add(item)
            process = self._ready()
        return process

    def _build(self, item: Item) -> Answer:
        """Have the kernel compiled, with the next ones; by itself, as all then, where the child does not survive it."""
        seconds = COMPILING * self._timeout
        if len(together := self._together(item)) > 1:
            try:
                return self._ready().ask(wire.BUILD, wire.rows_packed(together), seconds)
            except LostError:
                self.close()
                self._expected = {}
        with self._losses(item):
            return self._ready().ask(wire.BUILD, wire.rows_packed([item]), seconds)

    def _together(self, item: Item) -> list[Item]:
        """The row and those of its format that come next; what is judged bit by bit shares kernels in its own way."""
        if item not in self._expected or isinstance(item, ExactItem):
            return [item]
        following = itertools.islice(self._expected, self._expected[item], None)
        fitting = (
            one
            for one in following
            if one.form is item.form and one not in self._built and not isinstance(one, ExactItem)
        )
        return list(itertools.islice(fitting, TOGETHER))

    def _finish(self, item: Item, args: Columns, seconds: float) -> Columns:
        """The results of the first batch that was sent and not yet answered."""
        payload = self._answer(item, seconds, max(4 * sum(a.nbytes for a in args), wire.TEXT))
        results = wire.results_of(payload, item, len(args[0]))
        if results is None:
            raise self._meddled(self._call(item))
        return results

    def _answer(self, item: Item, seconds: float, size: int) -> memoryview:
        """The next answer that is due, of at most ``size`` bytes."""
        process = self._ready()
        with self._losses(item):
            answer = process.answer(seconds, size)
        self._due = self._due - 1 if answer.is_done else 0
        if not self._due:
            self._keep_output()
        return self._checked(answer).payload

    def _meddled(self, call: str) -> FaultError:
        """What is said of an answer that is none."""
        self.close()
        return FaultError(call, "wrote into its connection to the audit", lasting=True)

    def _losses(self, item: Item) -> contextlib.AbstractContextManager[None]:
        """A child that is of no more use is closed, and the batch is a FaultError."""
        return self._lost(self._call(item))

    @contextlib.contextmanager
    def _lost(self, call: str) -> Iterator[None]:
        """The same of whatever is called."""
        try:
            yield
        except LostError as lost:
            self._keep_output()
            self.close()
            problem = _LateFaultError if isinstance(lost, LateError) else FaultError
            raise problem(call, str(lost), lasting=True) from None

    def _checked(self, answer: Answer) -> Answer:
        if not answer.is_done:
            self._refuse(wire.text_of(answer.payload))
        return answer

    def _refuse(self, refusal: dict[str, Any]) -> None:
        if "text" in refusal:
            raise SubjectError(refusal["text"])
        if refusal.get("lasting"):
            self.close()
        raise FaultError(refusal["call"], refusal["deed"])

    def _call(self, item: Item) -> str:
        return f"{self.name}: {item.builtin.name}({item.form})"

    def _keep_output(self) -> None:
        if self._process is not None:
            self._process.listen()
            self._said += self._process.output
            self._said_size += self._process.printed
            self._process.output, self._process.printed = bytearray(), 0

    def _culprit(self, item: Item, args: Columns, fault: FaultError) -> str:
        """The end of the message: the arguments of the single call that does it, where one is found."""
        remark, begun = (bytes(self._said), self._said_size), time.monotonic()
        seconds = self._timeout / HANGING if isinstance(fault, _LateFaultError) else self._timeout

        def evaluate(part: Columns) -> None:
            self._start(item, [part], seconds)
            self._finish(item, part, seconds)

        try:
            return culprit(item, args, evaluate, self._left)
        finally:
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
) -> Iterator[Subject]:
    """The subject that ``text`` names, while the with block lasts; in this process where there are no POSIX ones."""
    if os.name != "posix":
        yield subject_named(text, build_options, call, declared)
        return
    with Isolated(text, build_options, call, timeout, alone=alone, declared=declared) as subject:
        yield subject


class _LateFaultError(FaultError):
    """A batch was not answered in time."""
