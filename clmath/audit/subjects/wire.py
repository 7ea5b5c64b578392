"""The messages between an audit and the process that runs its subject: frames of numbers and text, never objects."""

from __future__ import annotations

import json
import math
import struct
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.audit.device_judge.question import Drawn, Question
from clmath.audit.law.law import Law
from clmath.audit.plan.rows import item_named, item_of
from clmath.audit.plan.types import TYPES
from clmath.audit.subjects.layouts import LaidOut
from clmath.numbers.formats import FORMATS, format_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.audit.counting.spread import Stretches
    from clmath.audit.plan.item import Item
    from clmath.audit.protocol.memory import Place
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = [
    "BUILD",
    "DONE",
    "HEAD",
    "JUDGE",
    "LOAD",
    "REFUSED",
    "RUN",
    "SWEEP",
    "TEXT",
    "Buffer",
    "JudgingRequest",
    "batches_of",
    "frame",
    "item_for",
    "judging_request",
    "judging_request_of",
    "packed",
    "results_of",
    "rows_of",
    "rows_packed",
    "size_of",
    "sweep_of",
    "sweep_packed",
    "text_of",
    "values_of",
]

HEAD = struct.Struct("<16scQ")  # which request this is or answers: 16 random bytes; what it is; bytes to follow
LOAD, BUILD, RUN = b"L", b"B", b"R"  # requests: make the subject, compile a built-in, evaluate batches
SWEEP = b"S"  # evaluate parts of all floats, each into a place
JUDGE = b"J"  # have the device judge its results
DONE, REFUSED = b"D", b"X"  # answers: one for each batch, none after a refusal
TEXT = 1 << 20  # bytes: the longest text that an answer may be
_LENGTH = struct.Struct("<I")


class Buffer:
    """Memory for received messages, which is used again: new pages for every batch would take longer than copying."""

    def __init__(self) -> None:
        self._memory = bytearray()

    def view(self, length: int) -> memoryview:
        """A view of ``length`` bytes, with the contents that they had; earlier views must not be used any more."""
        if length > len(self._memory):
            self._memory = bytearray(length)
        return memoryview(self._memory)[:length]


def item_for(row: Builtin, form: Format, args: Sequence[np.ndarray]) -> Item:
    """The row that a call of ``evaluate`` belongs to; its width is that of the arrays' vectors.

    A row whose argument is no vector, as that of packed channels, has one width.
    """
    lanes = next((a.shape[-1] for a in args if a.ndim > 1), 0)
    return item_of(row, form, lanes or row.widths[0]) if row.widths else item_of(row, form, vector=lanes or 1)


def frame(number: bytes, kind: bytes, parts: Sequence[bytes | memoryview]) -> bytes:
    """A request or an answer as it is sent."""
    return b"".join((HEAD.pack(number, kind, sum(map(len, parts))), *parts))


def packed(item: Item, batches: Sequence[Sequence[np.ndarray]]) -> list[bytes | memoryview]:
    """The parts of a message with batches: row and types of the arrays in JSON, then the values."""
    arrays = [
        [args.layout if isinstance(args, LaidOut) else None, [[_word(a.dtype), a.shape] for a in args]]
        for args in batches
    ]
    head = json.dumps([item.builtin.name, item.form.name, item.width, item.vector, arrays]).encode()
    return [_LENGTH.pack(len(head)), head, *(values_of(a) for args in batches for a in args)]


def rows_packed(items: Sequence[Item]) -> list[bytes | memoryview]:
    """Rows in JSON."""
    return [json.dumps([[item.builtin.name, item.form.name, item.width, item.vector] for item in items]).encode()]


def rows_of(payload: memoryview) -> list[Item]:
    """The rows that were ``rows_packed``."""
    return [item_named(*row) for row in text_of(payload)]


class JudgingRequest(NamedTuple):
    """A question for a device: about a row, or whether it can judge at all; fields as of ``Judging.judging``."""

    question: Question | None
    parts: range
    floor: float = 0.0
    known: Stretches = ()
    at: int | None = None


def judging_request(*given: Any) -> bytes:
    """A ``JudgingRequest`` in JSON."""
    question, parts, floor, known, at = JudgingRequest(*given)
    item = None if question is None else [question.item.builtin.name, question.item.form.name, question.drawn]
    law = None if question is None else asdict(question.law)
    return json.dumps([item, law, [parts.start, parts.stop, parts.step], floor, known, at]).encode()


def judging_request_of(payload: memoryview) -> JudgingRequest:
    """The ``JudgingRequest`` from JSON."""
    item, law, parts, floor, known, at = text_of(payload)
    stretches = tuple(tuple((stretch, error) for stretch, error in one) for one in known)
    if item is None:
        return JudgingRequest(None, range(*parts), floor, stretches, at)
    declared = Law(**(law | {key: tuple(law[key]) for key in ("options", "also")}))
    name, form, drawn = item
    row = Question(item_named(name, form), declared, None if drawn is None else Drawn(*drawn))
    return JudgingRequest(row, range(*parts), floor, stretches, at)


def sweep_packed(item: Item, parts: Sequence[int], places: Sequence[Place]) -> list[bytes | memoryview]:
    """A row, parts of all floats, and the places for their results in shared memory, in JSON."""
    row = [item.builtin.name, item.form.name, item.width, item.vector]
    return [json.dumps([row, list(parts), [[place.start, place.size] for place in places]]).encode()]


def sweep_of(payload: memoryview) -> tuple[Item, list[tuple[int, int, int]]]:
    """The row that was ``sweep_packed``; part by part, its number, start and size."""
    row, parts, places = text_of(payload)
    return item_named(*row), [(part, *place) for part, place in zip(parts, places, strict=True)]


def text_of(payload: memoryview) -> Any:
    """The value of a text in JSON."""
    return json.loads(bytes(payload))


def values_of(array: np.ndarray) -> memoryview:
    """The bytes of an array, read without the methods of its class, which may be the subject's."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def batches_of(payload: memoryview) -> tuple[Item, Iterator[tuple[np.ndarray, ...]]]:
    """The row and the batches that were ``packed``; each batch is copied when it is taken."""
    (length,) = _LENGTH.unpack_from(payload)
    start = _LENGTH.size + length
    name, form, width, vector, batches = text_of(payload[_LENGTH.size : start])
    return item_named(name, form, width, vector), _batches(payload, batches, start)


def _word(dtype: np.dtype) -> str:
    """The word for a dtype: NumPy's, or the name of a format that NumPy does not have."""
    form = format_of(dtype)
    return dtype.str if form is None or form in FORMATS else form.name


def _dtype(word: str) -> np.dtype:
    """The dtype that ``_word`` gave the word for."""
    return TYPES[word].dtype if word in TYPES else np.dtype(word)


def _batches(payload: memoryview, batches: Sequence[Any], start: int) -> Iterator[tuple[np.ndarray, ...]]:
    for layout, arrays in batches:
        parts = [(_dtype(word), tuple(shape)) for word, shape in arrays]
        args = _split(payload, parts, start)
        yield args if layout is None else LaidOut.of(args, layout)
        start += sum(_size(*part) for part in parts)


def results_of(payload: memoryview, item: Item, count: int) -> tuple[np.ndarray, ...] | None:
    """The results of ``count`` calls from the bytes of an answer; None if these are too many or too few."""
    return _split(payload, item.layout(count)) if len(payload) == size_of(item, count) else None


def size_of(item: Item, count: int) -> int:
    """How many bytes the results of ``count`` calls have."""
    return sum(_size(*part) for part in item.layout(count))


def _size(dtype: np.dtype, shape: tuple[int, ...]) -> int:
    return dtype.itemsize * math.prod(shape)


def _split(
    payload: memoryview, layout: Sequence[tuple[np.dtype, tuple[int, ...]]], start: int = 0
) -> tuple[np.ndarray, ...]:
    """Writable copies of the arrays that lie one after the other in ``payload``."""
    arrays = []
    for dtype, shape in layout:
        arrays.append(np.frombuffer(payload, dtype, math.prod(shape), start).reshape(shape).copy())
        start += _size(dtype, shape)
    return tuple(arrays)
