"""Ufuncs of NumPy made from loops, through the table of NumPy's own C API: no compiler, no ``Python.h``.

A loop is compiled code, which calls Python for the elements that it leaves undecided, or a function of arrays. NumPy
keeps the addresses of names, types, loops and their data, so all of these live as long as the process.
"""

from __future__ import annotations

import ctypes
import importlib
import threading
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from clmath.locks import once
from clmath.numbers import guard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


__all__ = ["RAISED", "Decide", "Loop", "Types", "Vectors", "raise_own", "ufunc"]

Decide: TypeAlias = "Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]"
"""Results of arrays of one axis: of the elements that a loop leaves undecided."""

Types: TypeAlias = "tuple[Sequence[np.dtype], Sequence[np.dtype]]"
"""Types of the arguments, and of the results, of a loop."""

_MOST_WIDTH = 4  # as in templates/vectors.c
_POINTER, _INT, _NO_IDENTITY = ctypes.c_void_p, ctypes.c_int, -1
_DONE, _STOPPED = 1, 2
_BLOCK = 16384  # elements for one call of a function: its temporaries stay in a core's cache
_BLOCK_OF_SHORT = 65536  # the same for elements of at most 2 bytes, whose results come from tables
_FIRST_OF_OTHER_PACKAGES = 256  # first number of dtypes of other packages
_HALF = 2  # bytes
RAISED: list[tuple[int, BaseException]] = []  # errors of callbacks, by thread, that their calls have yet to raise
_ANSWERS: list[Callable[[int, Any, Any], None]] = []
_KEPT: list[Any] = []


class _Data(ctypes.Structure):
    """``struct ufunc`` of templates/ufuncs.c: the function of a loop, and the callback for elements that it leaves."""

    evaluated: int
    undecided: int
    _fields_: ClassVar[Sequence[Any]] = (
        ("number", ctypes.c_int64),
        ("form", ctypes.c_int64),
        ("mode", ctypes.c_int64),
        ("halves", ctypes.c_int64),
        ("evaluated", ctypes.c_int64),
        ("undecided", ctypes.c_int64),
        ("id", ctypes.c_int64),
        ("answer", _POINTER),
    )


class _OfVectors(ctypes.Structure):
    """``struct vectors`` of templates/vectors.c: the loops by the width of vectors."""

    _fields_: ClassVar[Sequence[Any]] = (
        ("of", _POINTER * _MOST_WIDTH),
        ("other", _POINTER),
        ("operands", ctypes.c_int64),
        ("vectors", ctypes.c_int64),
    )


class Vectors(NamedTuple):
    """A generalised ufunc: the ``function`` takes each component of its arguments, and returns each of its results.

    ``are_vectors``: the arguments, and the results, that have an axis of components.
    """

    types: Types
    are_vectors: Sequence[bool]
    function: Decide

    def lanes(self, width: int) -> Types:
        """Return the types of the arguments and results of ``function`` for vectors of that width."""
        flags = iter(self.are_vectors)
        inputs, outputs = ([dtype for dtype in some for _ in range(width if next(flags) else 1)] for some in self.types)
        return inputs, outputs


class Loop(NamedTuple):
    """One loop of a ufunc: its types, arguments first, the address of its code, and its data.

    ``data`` is empty for a loop that calls a function. ``others``: the loops that compiled code calls.
    """

    dtypes: tuple[np.dtype, ...]
    address: int
    data: _Data | _OfVectors
    others: tuple[Loop, ...] = ()

    @classmethod
    def of(
        cls, address: int, numbers: tuple[int, int, int], types: Types, decide: Decide, *, halves_as_floats: bool
    ) -> Loop:
        """Return the loop at ``address`` for a kernel, format and mode by their ``numbers``, or a whole built-in."""
        inputs, outputs = types
        halves = sum(1 << i for i, dtype in enumerate(inputs) if halves_as_floats and dtype.itemsize == _HALF)
        number = _answering(decide, types)
        return cls((*inputs, *outputs), address, _Data(*numbers, halves, 0, 0, number, _ANSWER))

    @classmethod
    def of_function(cls, label: str, types: Types, function: Decide) -> Loop:
        """Return the loop that stores the results of ``function`` for blocks of arguments; ``label``: in messages."""
        inputs, outputs = types
        callback = _GENERIC(_calling(label, types, function))
        _KEPT.append(callback)
        return cls((*inputs, *outputs), ctypes.cast(callback, _POINTER).value or 0, _Data())

    @classmethod
    def of_vectors(cls, label: str, vectors: Vectors) -> Loop:
        """Return the loop of a generalised ufunc that calls the function of ``vectors`` for blocks of components."""
        inputs, outputs = vectors.types
        callback = _GENERIC(_calling_with_lanes(label, vectors))
        _KEPT.append(callback)
        return cls((*inputs, *outputs), ctypes.cast(callback, _POINTER).value or 0, _Data())

    @classmethod
    def of_widths(cls, address: int, by_width: Mapping[int, Loop], other: Loop, vectors: Vectors) -> Loop:
        """Return the compiled loop of a generalised ufunc, which has an elementwise loop for vectors of each width.

        ``other``, as ``of_vectors`` has it, runs for vectors of other widths.
        """
        places = (_POINTER * _MOST_WIDTH)()
        for width, loop in by_width.items():
            places[width - 1] = ctypes.addressof(loop.data)
        flags = sum(1 << i for i, is_vector in enumerate(vectors.are_vectors) if is_vector)
        data = _OfVectors(places, other.address, len(vectors.are_vectors), flags)
        return cls(other.dtypes, address, data, (*by_width.values(), other))

    @property
    def counts(self) -> tuple[int, int]:
        """Return how many elements were evaluated so far, and left undecided."""
        loops = [self, *self.others]
        found = [loop.data for loop in loops if isinstance(loop.data, _Data)]
        return sum(data.evaluated for data in found), sum(data.undecided for data in found)


def _answering(decide: Decide, types: Types) -> int:
    """Return the number by which a loop requests the results of ``decide`` for arrays of one axis."""
    inputs, outputs = types

    def answered(count: int, arguments: Any, results: Any) -> None:
        args = [_at(arguments[i], count, dtype) for i, dtype in enumerate(inputs)]
        found = decide([a.copy() for a in args])
        for i, (dtype, value) in enumerate(zip(outputs, found, strict=True)):
            _at(results[i], count, dtype)[...] = value

    _ANSWERS.append(answered)
    return len(_ANSWERS) - 1


def _at(address: int, count: int, dtype: np.dtype, step: int | None = None) -> np.ndarray:
    """Return the elements that lie ``step`` bytes apart, or next to each other, from ``address`` on."""
    step = dtype.itemsize if step is None else step
    reach = (count - 1) * step
    room = (ctypes.c_char * (abs(reach) + dtype.itemsize)).from_address(address + min(reach, 0))
    return np.ndarray(count, dtype, memoryview(room), -min(reach, 0), (step,))


def _answer(number: int, count: int, arguments: Any, results: Any) -> int:
    """Compute the undecided elements of a loop; an error stops it, and is raised by the call of the ufunc."""
    if RAISED and _own():  # NumPy may run a loop several times in a call
        return _STOPPED
    try:
        with np.errstate(all="ignore"):
            _ANSWERS[number](count, arguments, results)
    except BaseException as error:  # noqa: BLE001 - raised by the call
        RAISED.append((threading.get_ident(), error))
        return _STOPPED
    return _DONE


def _calling(label: str, types: Types, function: Decide) -> Callable[[Any, Any, Any, Any], None]:
    """Return a loop of a ufunc that calls ``function``."""
    inputs, outputs = types
    dtypes = (*inputs, *outputs)

    def loop(places: Any, lengths: Any, steps: Any, _: Any) -> None:
        operands = [_at(places[i], lengths[0], dtype, steps[i]) for i, dtype in enumerate(dtypes)]
        _run(label, function, operands[: len(inputs)], operands[len(inputs) :])

    return loop


def _calling_with_lanes(label: str, vectors: Vectors) -> Callable[[Any, Any, Any, Any], None]:
    """Return a loop of a generalised ufunc that calls the function of ``vectors``."""
    (inputs, outputs), are_vectors, function = vectors
    dtypes = (*inputs, *outputs)

    def loop(places: Any, lengths: Any, steps: Any, _: Any) -> None:
        count, width = lengths[0], lengths[1]
        operands: list[list[np.ndarray]] = []
        between = iter(steps[len(dtypes) : len(dtypes) + sum(are_vectors)])
        for i, (dtype, is_vector) in enumerate(zip(dtypes, are_vectors, strict=True)):
            apart = next(between) if is_vector else 0
            lanes = range(width if is_vector else 1)
            operands.append([_at(places[i] + lane * apart, count, dtype, steps[i]) for lane in lanes])
        args, results = (
            [lane for one in some for lane in one] for some in (operands[: len(inputs)], operands[len(inputs) :])
        )
        _run(label, function, args, results)

    return loop


def _run(label: str, function: Decide, args: Sequence[np.ndarray], results: Sequence[np.ndarray]) -> None:
    """Store the results of ``function``; an error is raised by the call of the ufunc."""
    if RAISED and _own():
        return
    try:
        guard.refuse_altered_arithmetic(label)
        with np.errstate(all="ignore"):
            _store(function, args, results)
    except BaseException as error:  # noqa: BLE001 - raised by the call
        RAISED.append((threading.get_ident(), error))
    np.add(*_ONES)  # clears the floating-point flags, of which NumPy would warn


_ONES = np.float64(1.0), np.float64(1.0), np.empty(())


def _store(function: Decide, args: Sequence[np.ndarray], results: Sequence[np.ndarray]) -> None:
    """Store the results of ``function``, block by block."""
    count = results[0].size
    block = _BLOCK_OF_SHORT if max(one.itemsize for one in (*args, *results)) <= _HALF else _BLOCK
    size = 1 if _follow_each_other(args, results) else block
    for first in range(0, count, size):
        part = slice(first, first + size)
        found = function([np.ascontiguousarray(a[part]) for a in args])
        for result, value in zip(results, found, strict=True):
            result[part] = value


def _follow_each_other(args: Sequence[np.ndarray], results: Sequence[np.ndarray]) -> bool:
    """Whether the result of an element is an argument of a later one, as in reductions."""
    return any(
        np.may_share_memory(a, r) and (not any(r.strides) or (a.ctypes.data, a.strides) != (r.ctypes.data, r.strides))
        for a in args
        for r in results
    )


_PLACES = ctypes.POINTER(_POINTER)
_LENGTHS = ctypes.POINTER(ctypes.c_ssize_t)
_GENERIC = ctypes.CFUNCTYPE(None, _PLACES, _LENGTHS, _LENGTHS, _POINTER)
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, _PLACES, _PLACES)(_answer)
_ANSWER = ctypes.cast(_CALLBACK, _POINTER).value


def raise_own() -> None:
    """Raise the error, if any, of a callback in a call that this thread made."""
    for entry in _own():
        RAISED.remove(entry)
        raise entry[1]


def _own() -> list[tuple[int, BaseException]]:
    """Return the error, if any, that this thread has yet to raise."""
    here = threading.get_ident()
    return [entry for entry in RAISED if entry[0] == here]


@once
def _api() -> tuple[Callable[..., np.ufunc], Callable[..., int]]:
    """``PyUFunc_FromFuncAndDataAndSignature`` and ``PyUFunc_RegisterLoopForType``.

    Entries 31 and 2 of the table that ``import_umath()`` of extension modules uses.
    """
    capsule = importlib.import_module("numpy._core._multiarray_umath")._UFUNC_API  # noqa: SLF001 - where NumPy keeps it
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = _POINTER, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(pointer_of(capsule, None), ctypes.POINTER(_POINTER))
    types: list[Any] = [*[_POINTER] * 3, *[_INT] * 4, *[_POINTER] * 2, _INT, ctypes.c_char_p]
    made: Callable[..., np.ufunc] = ctypes.PYFUNCTYPE(ctypes.py_object, *types)(table[31] or 0)
    more: list[Any] = [ctypes.py_object, _INT, _POINTER, _POINTER, _POINTER]
    registered: Callable[..., int] = ctypes.PYFUNCTYPE(_INT, *more)(table[2] or 0)
    return made, registered


def ufunc(name: str, loops: Sequence[Loop], inputs: int, signature: str | None = None) -> np.ufunc:
    """Return a ufunc of so many ``inputs`` that runs the first of ``loops`` whose types hold the arguments.

    It is called clmath.``name``: other libraries would take "sin" for NumPy's, whose results are others.
    ``signature``: of a generalised ufunc, as NumPy writes it. Types of other packages than NumPy come after its own.
    """
    own = [loop for loop in loops if max(dtype.num for dtype in loop.dtypes) < _FIRST_OF_OTHER_PACKAGES]
    outputs = len(loops[0].dtypes) - inputs
    codes = (_POINTER * len(own))(*[loop.address for loop in own])
    data = (_POINTER * len(own))(*[ctypes.addressof(loop.data) for loop in own])
    types = ctypes.create_string_buffer(bytes(dtype.num for loop in own for dtype in loop.dtypes))
    texts = ctypes.create_string_buffer(f"clmath.{name}".encode()), ctypes.create_string_buffer(b"")
    core = None if signature is None else signature.encode()
    _KEPT.append((loops, codes, data, types, texts, core))
    first, second = (ctypes.addressof(text) for text in texts)
    where = ctypes.addressof(codes), ctypes.addressof(data), ctypes.addressof(types)
    made, registered = _api()
    found = made(*where, len(own), inputs, outputs, _NO_IDENTITY, first, second, 0, core)
    for loop in loops:
        others = {dtype.num for dtype in loop.dtypes if dtype.num >= _FIRST_OF_OTHER_PACKAGES}
        for number in others:
            numbers = (_INT * len(loop.dtypes))(*[dtype.num for dtype in loop.dtypes])
            registered(found, number, loop.address, ctypes.addressof(numbers), ctypes.addressof(loop.data))
    return found
