"""Calls of compiled code with arrays of NumPy as they are: the library reads from their heads where numbers lie."""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.engines.native.helpers import Job
from clmath.engines.ufuncs import MOST, Called
from clmath.locks import once

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.callables import AnyFunction
    from clmath.engines.native.helpers import Helpers

__all__ = [
    "FEW",
    "MOST",
    "NUMBERS",
    "PIECE",
    "Entries",
    "Loop",
    "are_readable",
    "bound_one",
    "bound_vectors",
    "bound_whole",
    "operands",
]

FEW = 2048  # lanes that are not worth letting other threads of Python run: as in templates/arrays.c
PIECE = 2048  # lanes that a thread takes at a time: likewise
_HEAD = object.__basicsize__  # bytes that every object of this Python begins with
NUMBERS = {"f": 0, "i": 4, "u": 5}  # the same of a number, by the kind of what it stands for


class _Array(ctypes.Structure):
    """What follows the head of an array of NumPy: ``PyArrayObject_fields``, which extension modules are compiled to."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("axes", ctypes.c_int),
        ("lengths", ctypes.POINTER(ctypes.c_ssize_t)),
        ("steps", ctypes.POINTER(ctypes.c_ssize_t)),
        ("base", ctypes.c_void_p),
        ("type", ctypes.c_void_p),
        ("flags", ctypes.c_int),
    )


class _Pair(ctypes.Structure):
    """``Pair`` of templates/arrays.c."""

    _fields_ = (("first", ctypes.c_double), ("second", ctypes.c_double))


class Entries(NamedTuple):
    """The functions of a library that take arrays, or numbers, as they are, and the threads that help with many."""

    few: Any
    many: Any
    one: Any
    two: Any
    helpers: Helpers

    @classmethod
    def declared(cls, few: Any, many: Any, one: Any, two: Any, helpers: Helpers) -> Entries:
        """The same, of which ctypes is told what they take."""
        read, written = MOST
        one.restype, two.restype = ctypes.c_double, _Pair
        one.argtypes = two.argtypes = [ctypes.c_void_p, *[ctypes.c_double] * read]
        few.restype, few.argtypes = ctypes.c_int64, [ctypes.c_void_p, *[ctypes.py_object] * (read + written)]
        return cls(few, _many(many), one, two, helpers)

    def of_vectors(self, few: Any, many: Any) -> Entries:
        """Those of arrays of vectors."""
        few.restype, few.argtypes = ctypes.c_int64, [ctypes.c_void_p, *[ctypes.py_object] * 3]
        return self._replace(few=few, many=_many(many))


def _many(many: Any) -> Any:
    """That function, of which ctypes is told what it takes."""
    operands = [ctypes.py_object] * sum(MOST)
    many.restype = ctypes.c_int64
    many.argtypes = [ctypes.c_void_p, *operands, ctypes.c_void_p, ctypes.py_object, ctypes.c_int64]
    return many


class Loop(NamedTuple):
    """A kernel that rounds to one format in one mode, or a whole built-in, for arguments of certain types.

    ``few`` and ``many`` take ``address``, four arguments and two results, None where there are fewer. ``few``, of at
    most ``FEW`` lanes, returns how many are undecided. ``many`` takes three things more: where the number of the lane
    is from which on there is work to do, which threads share, and behind it how many lanes are taken at a time, at
    least, of ``PIECE`` at most; an array of int64 that lists undecided lanes by their places in C order; and a number
    of lanes. It returns how many it has listed when that has less room than for ``PIECE``, or after so many lanes, or
    when all is done. Both return -1, and do nothing, where shapes do not broadcast to that of the results, memory is
    not aligned, a result is read-only or may share memory with another array, there are too many axes, or the
    arithmetic of the thread is altered. ``entry``: where ``many`` is, which ``helpers`` call.
    """

    few: Callable[..., int]
    many: Callable[..., int]
    address: int
    record: Called
    entry: int
    helpers: Helpers

    def job(self, given: Sequence[object], lanes: int, patience: int) -> Job:
        """What threads share for operands as ``many`` takes them."""
        return Job.of(self.entry, self.address, [0 if o is None else id(o) for o in given], lanes, patience)

    @property
    def counts(self) -> tuple[int, int]:
        """How many lanes were evaluated so far, and left undecided."""
        return self.record.evaluated, self.record.undecided


def bound_whole(entries: Entries, number: int, dtypes: Sequence[np.dtype]) -> Loop | None:
    """The loop of the whole built-in of that number; None where arrays are not read."""
    if len(dtypes) > MOST[0] or not are_readable():
        return None
    return _loop(entries, (number, 0, 0), [0 if dtype.isnative else 1 for dtype in dtypes])


def _loop(entries: Entries, numbers: tuple[int, int, int], how: Sequence[int]) -> Loop:
    record = Called(*numbers, _HEAD, (ctypes.c_int64 * MOST[0])(*how))
    entry = ctypes.cast(entries.many, ctypes.c_void_p).value or 0
    return Loop(entries.few, entries.many, ctypes.addressof(record), record, entry, entries.helpers)


def operands(args: Sequence[object], results: Sequence[object]) -> tuple[Any, ...]:
    """Arguments and results as ``few`` and ``many`` take them."""
    read, written = MOST
    return *args, *_NONE[len(args) : read], *results, *_NONE[len(results) : written]


_NONE = (None,) * MOST[0]


def bound_vectors(entries: Entries, number: int, vectors: int, *, is_vector: bool) -> Loop | None:
    """The loop of the geometric built-in of that number for arrays of so many vectors; None where arrays are not read.

    ``few`` takes ``address``, two vectors, None for a second one, and the one result, which ``is_vector`` or has no
    last axis.
    """
    return _loop(entries, (number, 0, 0), [vectors, int(is_vector)]) if are_readable() else None


def bound_one(one: Any, numbers: tuple[int, int, int], dtypes: Sequence[np.dtype]) -> AnyFunction:
    """What has one result as a function of numbers that ``dtypes`` hold; of ``two``, what has ``first`` and ``second``.

    NaN, or that first, where the result is that, or is undecided, or the arithmetic of the thread is altered.
    """
    record = Called(*numbers, 0, (ctypes.c_int64 * MOST[0])(*[NUMBERS[dtype.kind] for dtype in dtypes]))
    place = ctypes.byref(record)
    if len(dtypes) == 1:
        return lambda x: one(place, x, 0.0, 0.0, 0.0)
    if len(dtypes) == 2:
        return lambda x, y: one(place, x, y, 0.0, 0.0)
    if len(dtypes) == 3:
        return lambda x, y, z: one(place, x, y, z, 0.0)
    absent = (0.0,) * (MOST[0] - len(dtypes))
    return lambda *numbers: one(place, *numbers, *absent)


@once
def are_readable() -> bool:
    """Whether arrays of this Python and NumPy begin with what the library reads, as far as samples tell."""
    if sys.implementation.name != "cpython" or np.ndarray.__basicsize__ < _HEAD + ctypes.sizeof(_Array):
        return False
    made = np.arange(24.0).reshape(2, 3, 4)
    fixed = made[1].T
    fixed.flags.writeable = False
    samples: list[np.ndarray] = [
        made,
        made[::-1, :, ::2],
        fixed,
        made[0, 0, 0:1],
        np.frombuffer(bytes(9), ">f4", 2, 1),
    ]
    return all(map(_is_read, samples))


def _is_read(array: np.ndarray) -> bool:
    """Whether what stands after the head says what the array says."""
    found = _Array.from_address(id(array) + _HEAD)
    axes, flags = array.ndim, array.flags
    return (
        (found.data, found.axes, found.type) == (array.ctypes.data, axes, id(array.dtype))
        and tuple(found.lengths[:axes]) == array.shape
        and tuple(found.steps[:axes]) == array.strides
        and (bool(found.flags & 0x100), bool(found.flags & 0x400)) == (flags.aligned, flags.writeable)
    )
