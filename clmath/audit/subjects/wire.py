"""What passes between an audit and the process that runs its subject: frames of numbers and text, never objects."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.plan import Item
from clmath.numbers.formats import Format, format_named
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.spec.builtins import Builtin

__all__ = [
    "BUILD",
    "DONE",
    "HEAD",
    "LOAD",
    "REFUSED",
    "RUN",
    "TEXT",
    "batch_of",
    "item_for",
    "packed",
    "results_of",
]

HEAD = struct.Struct("<16scQ")  # which request this is or answers: 16 random bytes; what it is; bytes to follow
LOAD, BUILD, RUN = b"L", b"B", b"R"  # requests: make the subject, compile a built-in, evaluate a batch
DONE, REFUSED = b"D", b"X"  # answers
TEXT = 1 << 20  # bytes: no text that is longer is taken for an answer
_LENGTH = struct.Struct("<I")


def item_for(row: Builtin, form: Format, args: Sequence[NDArray[Any]]) -> Item:
    """The row that a call belongs to; the width is that of its vectors."""
    return Item(row, form, args[0].shape[-1] if row.lanes else 0)


def packed(item: Item, args: Sequence[NDArray[Any]]) -> bytes:
    """A batch as bytes: its row and the arrays' types in JSON, then their values."""
    arrays = [[a.dtype.str, a.shape] for a in args]
    head = json.dumps([item.builtin.name, item.form.name, item.width, arrays]).encode()
    return b"".join([_LENGTH.pack(len(head)), head, *(np.ascontiguousarray(a).data.cast("B") for a in args)])


def batch_of(payload: bytearray) -> tuple[Item, tuple[NDArray[Any], ...]]:
    """The row and the arguments that were ``packed``."""
    (length,) = _LENGTH.unpack_from(payload)
    start = _LENGTH.size + length
    name, form, width, arrays = json.loads(payload[_LENGTH.size : start])
    layout = [(np.dtype(dtype), tuple(shape)) for dtype, shape in arrays]
    return Item(builtin(name), format_named(form), width), _split(payload[start:], layout)


def results_of(payload: bytearray, item: Item, count: int) -> tuple[NDArray[Any], ...] | None:
    """The results of ``count`` calls from the bytes of an answer; None where these are too many or too few."""
    layout = [
        (
            np.dtype(np.int32) if p.type == "intn" else item.form.dtype,
            (count, item.width) if item.width and p.type == "gentype" else (count,),
        )
        for p in item.builtin.outputs
    ]
    if len(payload) != sum(_size(*part) for part in layout):
        return None
    return _split(payload, layout)


def _size(dtype: np.dtype[Any], shape: tuple[int, ...]) -> int:
    return dtype.itemsize * int(np.prod(shape))


def _split(payload: bytearray, layout: Sequence[tuple[np.dtype[Any], tuple[int, ...]]]) -> tuple[NDArray[Any], ...]:
    """Arrays that may be written to, one after the other in ``payload``."""
    arrays, start = [], 0
    for dtype, shape in layout:
        size = _size(dtype, shape)
        arrays.append(np.frombuffer(payload[start : start + size], dtype).reshape(shape))
        start += size
    return tuple(arrays)
