"""The process that runs a target for an audit: it makes the target, and answers requests, one after the other."""

from __future__ import annotations

import contextlib
import importlib
import json
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.inputs.exhaustive import swept_columns
from clmath.audit.isolation.choosing import target_named
from clmath.audit.isolation.described import facts_of
from clmath.audit.isolation.limits import without_core
from clmath.audit.protocol.memory import BEHIND, spans
from clmath.audit.protocol.printable import message_of, printable
from clmath.audit.protocol.target import (
    UNDER_WAY,
    FaultError,
    Storing,
    TargetError,
    check_results,
)
from clmath.audit.targets.attempt import attempt, c_library, contained
from clmath.audit.targets.layouts import copied
from clmath.audit.targets.lifetime import behind_another, close_all_but, die_with
from clmath.errors import ClmathError
from clmath.stopping import unhandled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from multiprocessing.connection import Connection

    from numpy.typing import NDArray

    from clmath.audit.counting.tally import KnownErrors
    from clmath.audit.device_judge.question import Question
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.audit.protocol.memory import Place
    from clmath.audit.targets.declared import Declaration

    _Parts: TypeAlias = Sequence[bytes | memoryview]

DONE, REFUSED = b"D", b"X"  # begin an answer, after the number of its request; a refusal is the last one
TEXT = 1 << 20  # bytes: the longest text of an answer
_PATIENCE = 5.0  # seconds to wait for the end of this process after the connection is closed


def serve(connection: Connection, output: Connection, environment: Mapping[str, str]) -> None:
    """Answer the requests of the audit until it closes the connection, or ends; print into ``output``.

    Requests are objects; answers are numbers and text, which may be wrong but do no harm. An intermediate process
    between the audit and the target is the target's parent. Everything that the target has started ends with the audit
    as well. A crash of the target leaves no core file.
    """
    os.setsid()
    unhandled()
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in (1, 2):
        os.dup2(output.fileno(), number)
    os.environ.clear()
    os.environ.update(environment)
    importlib.invalidate_caches()
    np.random.seed()  # noqa: NPY002 - a target may use it, and no two copies of a process should agree
    without_core()
    audit = multiprocessing.parent_process()
    assert audit is not None
    die_with(behind_another(audit.sentinel))
    resource_tracker._resource_tracker._fd = None  # type: ignore[attr-defined]  # noqa: SLF001 - a target has its own
    close_all_but(0, 1, 2, connection.fileno())  # the target may write into any open file
    _Server(connection).serve()
    os._exit(0)  # exit handlers of the target do not concern an audit


class _Server:
    """Takes requests and answers each: once, or once per batch, up to the first batch that fails."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._target: Any = None
        self._process = os.getpid()
        self._rooms: dict[int, NDArray[np.uint32]] = {}  # memory for the arguments of parts of all floats

    def serve(self) -> None:
        """Answer one request after the other, until the connection is closed."""
        with contextlib.suppress(EOFError):
            while True:
                number, kind, given = self._connection.recv()
                answers = getattr(self, kind)(*given)
                while (answer := self.next_of(answers)) is not None:
                    if os.getpid() != self._process:
                        os._exit(0)  # a copy of this process that the target made and did not end
                    _flush()
                    self._send(b"".join((number, *answer)))

    def _send(self, answer: bytes) -> None:
        try:
            self._connection.send_bytes(answer)
        except OSError:  # the target closed the connection: the audit notices, and kills the rest
            time.sleep(_PATIENCE)
            os._exit(1)

    def next_of(self, answers: Iterator[_Parts]) -> tuple[bytes | memoryview, ...] | None:
        """Return the next of ``answers``, or the refusal that ends them; None after that."""
        try:
            for parts in answers:
                return DONE, *parts
        except FaultError as error:
            refusal: dict[str, str | bool] = {"call": error.call, "deed": error.deed, "lasting": error.lasting}
        except (TargetError, ClmathError) as error:
            refusal = {"text": str(error)}
        except BaseException as error:  # noqa: BLE001 - code of others
            refusal = {"call": getattr(self._target, "name", "the target"), "deed": f"raised {message_of(error)}"}
        else:
            return None
        bounded = {key: printable(v)[: TEXT // 32] if isinstance(v, str) else v for key, v in refusal.items()}
        return REFUSED, json.dumps(bounded).encode()

    def load(self, again: bool, text: str, build_options: str, call: str, declared: Declaration) -> Iterator[_Parts]:
        """Make the target, and answer with its description of itself, unless the audit knows it."""
        self._target = target_named(text, build_options, call, declared)
        yield [json.dumps({} if again else facts_of(self._target)).encode()]

    def build(self, item: Item, *others: Item) -> Iterator[_Parts]:
        """Compile a built-in, with others in the same program; answer with the output of the compiler."""
        said = self._target.prepare(item, *others)
        yield [printable(said).encode()[: TEXT // 32]] if isinstance(said, str) else []

    def run(self, item: Item, batches: Sequence[Columns]) -> Iterator[_Parts]:
        """Evaluate batches."""
        for args in batches:
            own = copied(args)  # a target may write into them, and batches may share them
            yield list(map(_bytes_of, self._evaluated(item, own)))

    def sweep(self, item: Item, parts: Sequence[int], places: Sequence[Place]) -> Iterator[_Parts]:
        """Evaluate parts of all floats, each into its place."""
        under_way: deque[Callable[[], object]] = deque()
        stores = isinstance(self._target, Storing)  # checked once, since this takes too long for every part
        most = UNDER_WAY if stores else 1
        try:
            for number, (part, place) in enumerate(zip(parts, places, strict=True)):
                if len(under_way) == most:
                    under_way.popleft()()
                    yield []
                args = self._all_floats(item, part, number % most)
                under_way.append(self._begun(item, args, place.bytes(writable=True), stores=stores))
            while under_way:
                under_way.popleft()()
                yield []
        finally:
            for wait in under_way:  # so that nothing is stored after an error
                with contextlib.suppress(BaseException):
                    wait()

    def _all_floats(self, item: Item, part: int, number: int) -> Columns:
        """Return a part of all floats, in memory that is reused by number, since getting memory takes longer."""
        args = swept_columns(item, [part], self._rooms.get(number))
        self._rooms[number] = args[0].view(np.uint32)
        return args

    def _begun(self, item: Item, args: Columns, room: NDArray[np.uint8], *, stores: bool) -> Callable[[], object]:
        """Have results stored in ``room``; return a function that waits until they are complete."""
        places = spans(item.layout(len(args[0])))
        if stores:
            call = self._call(item)
            rooms = [room[place.start : place.stop + BEHIND] for place in places]
            wait = contained(call, lambda: self._target.storing(item.builtin, item.form, args, rooms))
            return lambda: contained(call, wait)
        for place, result in zip(places, self._evaluated(item, args), strict=True):
            room[place] = _bytes_of(result)
        return lambda: None

    def judge(self, question: Question | None, parts: range, known: KnownErrors) -> Iterator[_Parts]:
        """Have the device judge its results."""
        call = self._target.name if question is None else self._call(question.item)
        found = contained(call, lambda: self._target.judging(question, parts, known))
        yield [] if found is None else found.packed()

    def _evaluated(self, item: Item, args: Columns) -> Columns:
        count = len(args[0])
        try:
            found = attempt(self._target, item.builtin, item.form, args)
        except KeyboardInterrupt as error:  # no key reaches this process
            raise FaultError(self._call(item), f"raised {message_of(error)}") from None
        return check_results(item, found, count)

    def _call(self, item: Item) -> str:
        return f"{self._target.name}: {item.builtin.name}({item.form})"


def _bytes_of(array: np.ndarray) -> memoryview:
    """Return the bytes of an array, read without the methods of its class, which may be the target's."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _flush() -> None:
    """Flush the output of the target, from Python and from C, so that it belongs to the current case."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):  # the target may have put anything there
            stream.flush()
    if (library := c_library()) is not None:
        library.fflush(None)
