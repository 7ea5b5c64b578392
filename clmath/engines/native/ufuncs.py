"""Ufuncs of NumPy made from compiled loops, through the table of NumPy's own C API: no compiler, no ``Python.h``.

NumPy keeps the addresses of names, types, loops and their data, so all of these live as long as the process.
"""

from __future__ import annotations

import ctypes
import importlib
import threading
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from clmath.locks import once

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


__all__ = ["MOST", "RAISED", "Called", "Decide", "Loop", "Types", "raise_own", "ufunc"]

Decide: TypeAlias = "Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]"
"""Results of arrays of one axis: of the elements that a loop leaves undecided."""

Types: TypeAlias = "tuple[Sequence[np.dtype], Sequence[np.dtype]]"
"""Types of the arguments, and of the results, of a loop."""

MOST = 4, 2  # arguments and results: as in templates/called.c
_POINTER, _INT, _NO_IDENTITY = ctypes.c_void_p, ctypes.c_int, -1
_DONE, _STOPPED = 1, 2
_HALF = 2  # bytes; also how a half is read as a float
RAISED: list[tuple[int, BaseException]] = []  # errors of answers, by thread, that their calls have yet to raise
_ANSWERS: list[Callable[[int, Any, Any], None]] = []
_KEPT: list[Any] = []


class Called(ctypes.Structure):
    """``struct call`` of templates/called.c."""

    evaluated: int
    undecided: int
    _fields_: ClassVar[Sequence[Any]] = (
        ("number", ctypes.c_int64),
        ("form", ctypes.c_int64),
        ("mode", ctypes.c_int64),
        ("head", ctypes.c_int64),
        ("how", ctypes.c_int64 * MOST[0]),
        ("evaluated", ctypes.c_int64),
        ("undecided", ctypes.c_int64),
    )


class _Data(Called):
    """``struct ufunc`` of templates/ufuncs.c: what a loop computes, and who answers for the elements that it leaves."""

    _fields_ = (("id", ctypes.c_int64), ("answer", _POINTER))


class Loop(NamedTuple):
    """One loop of a ufunc: its types, arguments first, the address of its code, and what that computes."""

    dtypes: tuple[np.dtype, ...]
    address: int
    data: _Data

    @classmethod
    def of(
        cls, address: int, numbers: tuple[int, int, int], types: Types, decide: Decide, *, halves_as_floats: bool
    ) -> Loop:
        """Return the loop at ``address`` for a kernel, format and mode by their ``numbers``, or a whole built-in."""
        inputs, outputs = types
        how = [_HALF if halves_as_floats and dtype.itemsize == _HALF else 0 for dtype in inputs]
        how_all = (ctypes.c_int64 * MOST[0])(*how)
        number = _answering(decide, types)
        return cls((*inputs, *outputs), address, _Data(*numbers, 0, how_all, 0, 0, number, _ANSWER))

    @property
    def counts(self) -> tuple[int, int]:
        """How many elements were evaluated so far, and left undecided."""
        return self.data.evaluated, self.data.undecided


def _answering(decide: Decide, types: Types) -> int:
    """The number by which a loop asks for the results that ``decide`` gives of arrays of one axis."""
    inputs, outputs = types

    def answered(count: int, arguments: Any, results: Any) -> None:
        args = [_at(arguments[i], count, dtype) for i, dtype in enumerate(inputs)]
        found = decide([a.copy() for a in args])
        for i, (dtype, value) in enumerate(zip(outputs, found, strict=True)):
            _at(results[i], count, dtype)[...] = value

    _ANSWERS.append(answered)
    return len(_ANSWERS) - 1


def _at(address: int, count: int, dtype: np.dtype) -> np.ndarray:
    """The elements that lie next to each other from ``address`` on."""
    return np.frombuffer(memoryview((ctypes.c_char * (count * dtype.itemsize)).from_address(address)), dtype)


def _answer(number: int, count: int, arguments: Any, results: Any) -> int:
    """Answer for the undecided elements of a loop; an error stops it, and is raised where the ufunc was called."""
    if RAISED and _own():  # NumPy may run a loop several times in a call
        return _STOPPED
    try:
        with np.errstate(all="ignore"):
            _ANSWERS[number](count, arguments, results)
    except BaseException as error:  # noqa: BLE001 - raised by the call
        RAISED.append((threading.get_ident(), error))
        return _STOPPED
    return _DONE


_PLACES = ctypes.POINTER(_POINTER)
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, _PLACES, _PLACES)(_answer)
_ANSWER = ctypes.cast(_CALLBACK, _POINTER).value


def raise_own() -> None:
    """Raise the error of an answer in a call that this thread made, if there is one."""
    for entry in _own():
        RAISED.remove(entry)
        raise entry[1]


def _own() -> list[tuple[int, BaseException]]:
    """The error that this thread has yet to raise, if there is one."""
    here = threading.get_ident()
    return [entry for entry in RAISED if entry[0] == here]


@once
def _maker() -> Callable[..., np.ufunc]:
    """``PyUFunc_FromFuncAndData``, entry 1 of the table that ``import_umath()`` of extension modules uses."""
    capsule = importlib.import_module("numpy._core._multiarray_umath")._UFUNC_API  # noqa: SLF001 - where NumPy keeps it
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = _POINTER, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(pointer_of(capsule, None), ctypes.POINTER(_POINTER))
    types: list[Any] = [*[_POINTER] * 3, *[_INT] * 4, *[_POINTER] * 2, _INT]
    made: Callable[..., np.ufunc] = ctypes.PYFUNCTYPE(ctypes.py_object, *types)(table[1] or 0)
    return made


def ufunc(name: str, loops: Sequence[Loop], inputs: int) -> np.ufunc:
    """A ufunc of so many ``inputs`` that runs the first of ``loops`` whose types hold the arguments."""
    outputs = len(loops[0].dtypes) - inputs
    codes = (_POINTER * len(loops))(*[loop.address for loop in loops])
    data = (_POINTER * len(loops))(*[ctypes.addressof(loop.data) for loop in loops])
    types = ctypes.create_string_buffer(bytes(dtype.num for loop in loops for dtype in loop.dtypes))
    texts = ctypes.create_string_buffer(name.encode()), ctypes.create_string_buffer(b"")
    _KEPT.append((loops, codes, data, types, texts))
    first, second = (ctypes.addressof(text) for text in texts)
    where = ctypes.addressof(codes), ctypes.addressof(data), ctypes.addressof(types)
    return _maker()(*where, len(loops), inputs, outputs, _NO_IDENTITY, first, second, 0)
