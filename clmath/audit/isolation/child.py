"""The process that runs a subject for an audit: it makes the subject, and answers requests, one after the other."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import os
import socket
import sys
import time
from collections import deque
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.device_judge.judging import Judging
from clmath.audit.inputs.floats import swept_columns
from clmath.audit.isolation.choosing import host_subjects
from clmath.audit.isolation.choosing import subject as subject_named
from clmath.audit.isolation.limits import without_core
from clmath.audit.plan.types import TYPES
from clmath.audit.protocol.memory import BEHIND, mapped, spans
from clmath.audit.protocol.printable import message_of, printable
from clmath.audit.protocol.results import check_results
from clmath.audit.protocol.subject import (
    UNDER_WAY,
    FaultError,
    Storing,
    SubjectError,
    has_infinities,
    mode_in,
    widths_of,
)
from clmath.audit.subjects import wire
from clmath.audit.subjects.attempt import attempt, contained
from clmath.audit.subjects.declared import Declaration
from clmath.audit.subjects.lifetime import behind_another, die_with, kill_group_at_end_of
from clmath.errors import ClmathError
from clmath.spec.families import audited_builtins, conversions_beyond

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.audit.protocol.subject import Subject

    _Parts: TypeAlias = list[bytes | memoryview]

__all__ = ["prepare", "serve"]

_PATIENCE = 5.0  # seconds to wait for the end of this process after the connection is closed


def prepare() -> None:
    """Read the tables that every child needs, and load what most do, so that copies of this process have them."""
    audited_builtins()
    host_subjects()


def serve(descriptor: int, lifeline: int, memory: int | None = None) -> None:
    """Answer the requests of the audit until it closes the connection ``descriptor``, or ends.

    A process stands between the audit and the subject, whose parent it is. ``lifeline``: a pipe whose other end is the
    audit's alone. What the subject has started ends with the audit as well. ``memory``: a descriptor of memory that the
    audit reads. No core file is left where the subject crashes.
    """
    without_core()
    kill_group_at_end_of(lifeline, descriptor)
    die_with(behind_another(descriptor, *(() if memory is None else (memory,))))
    _Server(socket.socket(fileno=descriptor), memory).serve()
    os._exit(0)  # what the subject has registered for the end of its process does not concern an audit


class _Server:
    """Takes requests and answers each: once, or once per batch, up to the first batch that fails."""

    def __init__(self, connection: socket.socket, memory: int | None) -> None:
        self._connection, self._memory = connection, memory
        self._head, self._buffer = bytearray(wire.HEAD.size), wire.Buffer()
        self._subject: Any = None
        self._process = os.getpid()
        self._rooms: dict[int, NDArray[np.uint32]] = {}  # memory for the arguments of parts of all floats
        self._answers: dict[bytes, Callable[[memoryview], Iterator[_Parts]]] = {
            wire.LOAD: self._load,
            wire.BUILD: self._build,
            wire.RUN: self._run,
            wire.SWEEP: self._sweep,
            wire.JUDGE: self._judge,
        }

    def serve(self) -> None:
        """Answer one request after the other, until the connection is closed."""
        while self._received(memoryview(self._head)):
            number, kind, length = wire.HEAD.unpack(self._head)
            request = self._buffer.view(length)
            self._received(request)
            answers = self._answers[kind](request)
            while (answer := self._next(answers)) is not None:
                if os.getpid() != self._process:
                    os._exit(0)  # a copy of this process that the subject made and did not end
                _flush()
                self._send(wire.frame(number, *answer))

    def _send(self, frame: bytes) -> None:
        try:
            self._connection.sendall(frame)
        except OSError:  # the subject closed the connection: the audit notices, and kills what is still there
            time.sleep(_PATIENCE)
            os._exit(1)

    def _received(self, view: memoryview) -> bool:
        """Fill ``view`` from the connection; False if that is closed before."""
        while view:
            count = self._connection.recv_into(view)
            if count == 0:
                return False
            view = view[count:]
        return True

    def _next(self, answers: Iterator[_Parts]) -> tuple[bytes, _Parts] | None:
        """The next of ``answers``, or the refusal that ends them; None after that."""
        try:
            for parts in answers:
                return wire.DONE, parts
        except FaultError as error:
            refusal: dict[str, Any] = {"call": error.call, "deed": error.deed, "lasting": error.lasting}
        except (SubjectError, ClmathError) as error:
            refusal = {"text": str(error)}
        except BaseException as error:  # noqa: BLE001 - code of others
            refusal = {"call": getattr(self._subject, "name", "the subject"), "deed": f"raised {message_of(error)}"}
        else:
            return None
        bounded = {key: printable(v)[: wire.TEXT // 32] if isinstance(v, str) else v for key, v in refusal.items()}
        return wire.REFUSED, [json.dumps(bounded).encode()]

    def _load(self, payload: memoryview) -> Iterator[_Parts]:
        asked = wire.text_of(payload)
        again = asked.pop("again")  # the audit knows what it says about itself
        asked["declared"] = Declaration.of(asked["declared"])
        self._subject = subject_named(**asked)
        yield [json.dumps({} if again else _facts(self._subject)).encode()]

    def _build(self, payload: memoryview) -> Iterator[_Parts]:
        item, *others = wire.rows_of(payload)
        if others:
            self._subject.prepare_together([(one.builtin, one.form, one.lanes) for one in (item, *others)])
        said = self._subject.prepare(item.builtin, item.form, item.lanes)
        yield [printable(said).encode()[: wire.TEXT // 32]] if isinstance(said, str) else []

    def _run(self, payload: memoryview) -> Iterator[_Parts]:
        item, batches = wire.batches_of(payload)
        for args in batches:
            yield list(map(wire.values_of, self._evaluated(item, args)))

    def _sweep(self, payload: memoryview) -> Iterator[_Parts]:
        assert self._memory is not None
        item, parts = wire.sweep_of(payload)
        under_way: deque[Callable[[], Any]] = deque()
        stores = isinstance(self._subject, Storing)  # checked once, since this takes too long for every part
        most = UNDER_WAY if stores else 1
        try:
            for number, (part, *place) in enumerate(parts):
                if len(under_way) == most:
                    under_way.popleft()()
                    yield []
                args = self._all_floats(item, part, number % most)
                under_way.append(self._begun(item, args, mapped(self._memory, *place), stores=stores))
            while under_way:
                under_way.popleft()()
                yield []
        finally:
            for wait in under_way:  # so that nothing is stored after an error
                with contextlib.suppress(BaseException):
                    wait()

    def _all_floats(self, item: Item, part: int, number: int) -> Columns:
        """A part of all floats, in memory that is used again by its number, since getting memory takes longer."""
        args = swept_columns(item, [part], self._rooms.get(number))
        self._rooms[number] = args[0].view(np.uint32)
        return args

    def _begun(self, item: Item, args: Columns, room: NDArray[np.uint8], *, stores: bool) -> Callable[[], Any]:
        """Have results stored in ``room``; returns a function that waits until they are there."""
        subject, layout = self._subject, item.layout(len(args[0]))
        places = spans(layout)
        if stores:
            call = f"{self._subject.name}: {item.builtin.name}({item.form})"
            rooms = [room[place.start : place.stop + BEHIND] for place in places]
            wait = contained(call, lambda: subject.storing(item.builtin, item.form, args, rooms))
            return lambda: contained(call, wait)
        for place, result in zip(places, self._evaluated(item, args), strict=True):
            room[place] = wire.values_of(result)
        return lambda: None

    def _judge(self, payload: memoryview) -> Iterator[_Parts]:
        request = wire.judging_request_of(payload)
        row = (
            "" if request.question is None else f": {request.question.item.builtin.name}({request.question.item.form})"
        )
        found = contained(f"{self._subject.name}{row}", lambda: self._subject.judging(*request))
        yield [] if found is None else found.packed()

    def _evaluated(self, item: Item, args: Columns) -> Columns:
        count = len(args[0])
        try:
            found = attempt(self._subject, item.builtin, item.form, args)
        except KeyboardInterrupt as error:  # no key reaches this process
            call = f"{self._subject.name}: {item.builtin.name}({item.form})"
            raise FaultError(call, f"raised {message_of(error)}") from None
        return check_results(item, found, count)


def _facts(subject: Subject) -> dict[str, Any]:
    """The answers of the protocol's other methods, and the subject's plain attributes."""
    rows, formats = (*audited_builtins(), *conversions_beyond().values()), subject.formats()
    plain = {n: getattr(subject, n) for n in dir(subject) if not n.startswith("_")}
    return {
        "name": printable(subject.name),
        "describe": {k: printable(v) for k, v in subject.describe().items()},
        "formats": {
            form.name: {
                "flushes": subject.flushes(form),
                "mode": subject.mode(form),
                "modes": {row.name: mode_in(subject, row, form) for row in rows if row.takes(form.name)},
                "infinities": has_infinities(subject, form),
            }
            for form in formats
        },
        "defines": {
            type.name: [row.name for row in rows if row.takes(type.name) and subject.defines(row, type)]
            for type in TYPES.values()
        },
        "build options": list(subject.build_options()),
        "widths": widths_of(subject),
        "prepares": hasattr(subject, "prepare"),
        "prepares together": hasattr(subject, "prepare_together"),
        "judges": isinstance(subject, Judging),
        "stores": isinstance(subject, Storing),
        "attributes": {n: v for n, v in plain.items() if isinstance(v, (str, bool, int, float))},
    }


@functools.cache
def _library() -> Any:
    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):
        return None


def _flush() -> None:
    """Flush what the subject has printed, from Python and from C, so that it belongs to the current row."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):  # the subject may have put anything there
            stream.flush()
    if _library() is not None:
        _library().fflush(None)


if __name__ == "__main__":
    serve(*map(int, sys.argv[1:]))
