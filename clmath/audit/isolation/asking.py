"""Sends requests to a subject's process, starts another process if it is lost, and says what happened to it."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
from collections import Counter
from typing import TYPE_CHECKING, Any, Self

from clmath import errors
from clmath.audit.isolation.culprit import UNTRIED
from clmath.audit.isolation.limits import Limits, default_memory
from clmath.audit.isolation.process import LateError, LostError, Process
from clmath.audit.opencl.exact_calls import TOGETHER, kind_of_program
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.protocol.memory import BEHIND, Memory, is_shared
from clmath.audit.protocol.printable import printable
from clmath.audit.protocol.subject import PRINTED, FaultError, SubjectError
from clmath.audit.subjects import wire
from clmath.audit.subjects.declared import NOTHING, Declaration
from clmath.numbers.formats import KNOWN

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from clmath.audit.device_judge.question import Question
    from clmath.audit.isolation.process import Answer
    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

__all__ = ["COMPILING", "SWEPT", "TIMEOUT", "Asking", "Described", "LateFaultError"]


class Described:
    """The methods of a subject that do not evaluate: they answer from ``_facts``, which it gave when it was loaded."""

    _facts: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        """The plain attributes of the subject itself: profile, exact_divide."""
        try:
            return self.__dict__["_facts"]["attributes"][name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}") from None

    def describe(self) -> dict[str, str]:
        """What the subject says of itself."""
        return dict(self._facts["describe"])

    def formats(self) -> tuple[Format, ...]:
        """The formats of the subject."""
        return tuple(f for f in KNOWN if f.name in self._facts["formats"])

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the subject has ``row`` for ``form``."""
        return row.name in self._facts["defines"].get(form.name, ())

    def flushes(self, form: Format) -> bool:
        """Whether the subject may flush subnormals of ``form``."""
        return bool(self._facts["formats"][form.name]["flushes"])

    def mode(self, form: Format) -> Rounding:
        """The default mode of the subject."""
        mode: Rounding = self._facts["formats"][form.name]["mode"]
        return mode

    def mode_of(self, row: Builtin, form: Format) -> Rounding:
        """The mode in which ``row`` rounds."""
        mode: Rounding = self._facts["formats"][form.name]["modes"].get(row.name, self.mode(form))
        return mode

    def has_infinities(self, form: Format) -> bool:
        """Whether the subject has infinities and NaN of ``form``."""
        return bool(self._facts["formats"][form.name]["infinities"])

    def build_options(self) -> tuple[str, ...]:
        """The options that kernels are built with."""
        return tuple(self._facts["build options"])

    @property
    def widths(self) -> tuple[int, ...]:
        """The vector widths of the subject."""
        return tuple(self._facts["widths"])

    @property
    def can_judge(self) -> bool:
        """Whether the subject is a device that may judge its own results."""
        return bool(self._facts["judges"])


TIMEOUT = 60.0  # seconds that a batch may take
TOGETHER_SECONDS = 10.0  # of processor time that such a program may take; one by one its kernels may take longer
COMPILING = 5  # loading a subject, or compiling one built-in, may take so many times the timeout
SEARCHING = 10  # all searches for the input at fault may take so many times the timeout together
SWEPT = (8 << 20) + 2 * BEHIND  # bytes for two results of 32 bits of a part of all floats, with guards behind them
_SHOWN = 200  # characters that a remark shows of what a subject prints


class Asking(Described):
    """The subject that ``text`` names (see ``clmath.audit.isolation.choosing.subject``), run in a child process.

    One child serves until it dies or is killed because it does not answer within ``timeout`` seconds; another one
    then takes its place. The same where it and what it has started take more than ``memory`` resident bytes together,
    a quarter of the machine's or 4 GB if left out. A subject that cannot be made is a ClmathError. Close it, or use it
    in a with statement. ``alone``: nothing but the audit runs in this process, and no thread yet, so that the child may
    be a copy of it.

    Kernels are compiled several at a time. Those of a program of which the compiler dies, or which takes it too long,
    are compiled alone from then on; one of which it dies alone is not compiled again.
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
        self._asked = {"text": text, "build_options": build_options, "call": call, "declared": declared}
        most, processors = default_memory() if memory is None else memory, os.cpu_count() or 1
        self._running = Limits(timeout, processors * timeout, most)
        self._loading = self._running.times(COMPILING)
        self._building = Limits(COMPILING * timeout, COMPILING * timeout, most)  # one processor, as compilers use
        self._building_together = Limits(2 * TOGETHER_SECONDS, TOGETHER_SECONDS, most)  # others may be at work, too
        self._left = SEARCHING * timeout
        self._is_gone = False
        self._built: set[Item] = set()
        self._together: dict[Item, tuple[Item, ...]] = {}  # rows whose kernels share a program, with all of these
        self._alone: set[Item] = set()  # rows whose kernels are to be compiled alone, as the program of several was bad
        self._is_searching = False
        self._deaths: Counter[tuple[str, int]] = Counter()  # rows that were lost, by chapter and width
        self._refused: dict[Item, str] = {}  # rows that do not compile, with the reasons
        self._expected: dict[Item, int] = {}  # the rows to come, with their places
        self._judged: set[Question] = set()  # the row that the device was asked about last
        self.logs: dict[Item, str] = {}  # what the compiler said of kernels that it built
        self._said, self._said_size = bytearray(), 0
        self._process: Process | None = None
        self._due = 0  # answers that are still to come
        self._memory = Memory(SWEPT) if is_shared() else None
        self._facts: dict[str, Any] = {}
        self._facts = self._loaded(alone=alone)
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

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        """Have a new process answer within the block; the process that answered before waits."""
        if self._due:
            self.close()
        kept = self._process, self._built, self._together, self._judged, self._expected, self._is_gone
        self._process, self._built, self._expected = None, set(), {}
        try:
            yield
        finally:
            self.close()
            self._process, self._built, self._together, self._judged, self._expected, self._is_gone = kept

    def printed(self) -> str:
        """A remark on what the subject has written to standard output and error since the last call of this."""
        text, size = bytes(self._said), self._said_size
        self._said, self._said_size = bytearray(), 0
        if not size:
            return ""
        shown = " ".join(printable(text.decode("utf-8", "backslashreplace")).split())
        return f'{PRINTED} {size} bytes: "{shown[:_SHOWN]}{"..." if len(shown) > _SHOWN else ""}"'

    def expect(self, items: Sequence[Item]) -> None:
        """Take note of the rows to come, in their order, so that several kernels can be compiled at a time."""
        expected = items if self._facts["prepares together"] else ()
        self._expected = {item: place for place, item in enumerate(expected)}

    def _new_process(self, alone: bool) -> Process:
        return Process(alone=alone, memory=None if self._memory is None else self._memory.descriptor)

    def _loaded(self, *, alone: bool = False, again: bool = False) -> dict[str, Any]:
        """Start a child that makes the subject; gives what the subject says about itself, unless that is known."""
        self._process = self._new_process(alone)
        self._built, self._together, self._judged = set(), {}, set()
        text, call = str(self._asked["text"]), str(self._asked["call"])
        request = json.dumps(self._asked | {"again": again}).encode()
        try:
            answer = self._process.ask(wire.LOAD, [request], self._loading)
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
        if self._is_searching:
            self._process.ending = 0.0  # that it is lost is enough
        return facts

    def _ready(self) -> Process:
        """The running child; a new one if the last has ended, unless starting one has failed before."""
        if self._process is None:
            if self._is_gone:
                raise SubjectError(f"{self.name}: not tried: the subject could not be loaded again before")
            try:
                self._loaded(again=True)
            except errors.ClmathError as error:
                self._is_gone = True
                raise SubjectError(f"{self.name}: the subject could not be loaded again: {error}") from None
        assert self._process is not None
        return self._process

    def _send(self, item: Item, kind: bytes, parts: Sequence[bytes | memoryview], answers: int) -> None:
        """Send a request to which there will be so many answers."""
        if self._due:
            self.close()  # an answer that nobody waits for must not be taken for the next one
        process = self._prepared(item)
        self._due = answers
        with self._losses(item):
            process.send(kind, parts, self._running.seconds)

    def _prepared(self, item: Item) -> Process:
        """The running child, after it has compiled the row's kernel if it compiles."""
        if self._facts["prepares"] and item not in self._built:
            if item in self._refused:
                raise SubjectError(self._refused[item])
            self._make_room()
            answer = self._build(item)
            self._keep_output()
            self._check_built(item, answer)
        return self._ready()

    def _make_room(self) -> None:
        """End a child that keeps half of the memory that it may have: no row is to blame for those before it."""
        if self._process is not None and self._built and self._process.memory() > self._building.memory / 2:
            self.close()

    def _check_built(self, item: Item, answer: Answer) -> None:
        """Remember what the compiler said about a kernel, or why there is none."""
        try:
            said = self._checked(answer).payload
        except FaultError as fault:
            raise self._not_built(item, fault.deed) from None
        except SubjectError as error:
            self._refused[item] = self.logs[item] = str(error)
            raise
        self.logs[item] = printable(bytes(said).decode("utf-8", "replace"))
        self._built.add(item)

    def _not_built(self, item: Item, deed: str) -> SubjectError:
        """Remember, and return, the error for a row at whose kernel the compiler fails in a way that it must not."""
        self._refused[item] = f"{self._call(item)}: the compiler {deed}, {UNTRIED}"
        return SubjectError(self._refused[item])

    def _build(self, item: Item) -> Answer:
        """Have the kernel compiled together with the next ones; if the child dies of that, one by one from then on."""
        if len(group := self._group(item)) > 1:
            ready = self._ready()
            self._together.update(dict.fromkeys(group, group))
            try:
                return ready.ask(wire.BUILD, wire.rows_packed(group), self._building_together)
            except LostError:
                self.close()
                self._separate(item)
        try:
            return self._ready().ask(wire.BUILD, wire.rows_packed([item]), self._building)
        except LostError as lost:
            self._keep_output()
            self.close()
            self._count_death(item)
            raise self._not_built(item, str(lost)) from None

    def _group(self, item: Item) -> tuple[Item, ...]:
        """The row, and the next ones whose kernels can be compiled in the same program."""
        kind = _kind(item)
        if self._is_searching or kind is None or item not in self._expected or not self._is_free(item):
            return (item,)
        following = itertools.islice(self._expected, self._expected[item], None)
        fitting = (one for one in following if _kind(one) == kind and self._is_free(one))
        return tuple(itertools.islice(fitting, TOGETHER))

    def _is_free(self, item: Item) -> bool:
        """Whether the kernel of a row may be compiled in a program of several."""
        return all(item not in known for known in (self._together, self._alone, self._built, self._refused))

    def _separate(self, item: Item) -> bool:
        """Have the kernels of a row's program compiled alone from now on; whether it is of several rows."""
        group = () if item in self._alone else self._together.get(item, ())
        self._alone.update(group)
        return bool(group)

    def _count_death(self, item: Item) -> None:
        self._deaths[item.builtin.chapter, item.lanes] += 1

    def _answer(self, item: Item, limits: Limits, size: int) -> memoryview:
        """The next answer, of at most ``size`` bytes."""
        process = self._ready()
        with self._losses(item):
            answer = process.answer(limits, size)
        self._due = self._due - 1 if answer.is_done else 0
        if not self._due:
            self._keep_output()
        return self._checked(answer).payload

    def _meddled(self, call: str) -> FaultError:
        """The error for an answer that is not valid."""
        self.close()
        return FaultError(call, "wrote into its connection to the audit", lasting=True)

    def _losses(self, item: Item) -> contextlib.AbstractContextManager[None]:
        """If the child is lost, close it and raise FaultError for the batch."""
        return self._lost(self._call(item))

    @contextlib.contextmanager
    def _lost(self, call: str) -> Iterator[None]:
        """The same for any call, by its words."""
        try:
            yield
        except LostError as lost:
            self._keep_output()
            self.close()
            problem = LateFaultError if isinstance(lost, LateError) else FaultError
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


class LateFaultError(FaultError):
    """A batch was not answered within the limits of time and memory."""


def _kind(item: Item) -> Hashable:
    """What rows have in common whose kernels may share a program; None for a row with a program of its own."""
    return kind_of_program(item) if isinstance(item, ExactItem) else item.form.name
