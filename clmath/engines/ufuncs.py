"""Ufuncs of NumPy made from loops, through the table of NumPy's own C API: no compiler, no ``Python.h``.

A loop is compiled code, which calls Python for the elements that it leaves undecided, or a function of arrays. NumPy
keeps the addresses of names, types, loops and their data, so all of these live as long as the process.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import threading
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np

from clmath.locks import once
from clmath.numbers import guard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    class Numbers(Protocol):
        """An array of C, of addresses or lengths."""

        def __getitem__(self, index: int, /) -> int: ...

    PythonLoop: TypeAlias = Callable[[Numbers, Numbers, Numbers, object], None]

Decide: TypeAlias = "Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]"
"""Results of arrays of one axis: of the elements that a loop leaves undecided."""

Step: TypeAlias = "Callable[[Sequence[np.ndarray], Sequence[np.ndarray]], None]"
"""Stores the results of arrays of one axis, the first argument, into arrays, the second."""

Types: TypeAlias = "tuple[Sequence[np.dtype], Sequence[np.dtype]]"
"""Types of the arguments, and of the results, of a loop."""

_MOST_WIDTH = 4  # as in templates/vectors.c
_POINTER, _INT, _NO_IDENTITY = ctypes.c_void_p, ctypes.c_int, -1
_DONE, _STOPPED = 1, 2
_BLOCK = 16384  # elements for one call of a function: its temporaries stay in a core's cache
_BLOCK_OF_TABLES = 65536  # elements for one call of a function that reads tables
_TEMPORARIES = 24  # doubles that a function keeps for each element, at most
_FIRST_OF_OTHER_PACKAGES = 256  # first number of dtypes of other packages
_HALF = 2  # bytes
RAISED: list[tuple[int, BaseException]] = []  # errors of callbacks, by thread, that their calls have yet to raise
_ANSWERS: list[Callable[[int, Numbers, Numbers], None]] = []
_KEPT: list[object] = []


class _Data(ctypes.Structure):
    """``struct ufunc`` of templates/ufuncs.c: the function of a loop, and the callback for elements that it leaves."""

    evaluated: int
    undecided: int
    _fields_ = (
        *((name, ctypes.c_int64) for name in ("number", "form", "mode", "halves", "evaluated", "undecided", "id")),
        ("answer", _POINTER),
    )


class _OfVectors(ctypes.Structure):
    """``struct vectors`` of templates/vectors.c: the loops by the width of vectors."""

    _fields_ = (
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

    def components(self, width: int) -> Types:
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
        return cls.of_step(label, types, _storing(function))

    @classmethod
    def of_step(cls, label: str, types: Types, step: Step, *, looks_up: bool = False) -> Loop:
        """Return the loop that calls ``step`` for blocks of arguments and results; ``label``: in messages.

        ``looks_up``: whether the step finds most results in tables.
        """
        inputs, outputs = types
        store = functools.partial(_run, label, step, _BLOCK_OF_TABLES if looks_up else _BLOCK)
        return cls._of_python(inputs, outputs, [False] * (len(inputs) + len(outputs)), store)

    @classmethod
    def of_vectors(cls, label: str, vectors: Vectors) -> Loop:
        """Return the loop of a generalised ufunc that calls the function of ``vectors`` for blocks of components."""
        store = functools.partial(_run, label, _storing(vectors.function), _BLOCK)
        return cls._of_python(*vectors.types, vectors.are_vectors, store)

    @classmethod
    def _of_python(
        cls, inputs: Sequence[np.dtype], outputs: Sequence[np.dtype], are_vectors: Sequence[bool], store: Step
    ) -> Loop:
        """Return the loop that calls ``store`` with all components of arguments and results."""
        callback = _GENERIC(_calling((*inputs, *outputs), are_vectors, len(inputs), store))
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
    step = _storing(decide)

    def answered(count: int, arguments: Numbers, results: Numbers) -> None:
        args = [_at(arguments[i], count, dtype).copy() for i, dtype in enumerate(inputs)]
        step(args, [_at(results[i], count, dtype) for i, dtype in enumerate(outputs)])

    _ANSWERS.append(answered)
    return len(_ANSWERS) - 1


def _storing(function: Decide) -> Step:
    """Return the step that stores the results of ``function``."""

    def step(args: Sequence[np.ndarray], targets: Sequence[np.ndarray]) -> None:
        for target, value in zip(targets, function(args), strict=True):
            target[...] = value

    return step


def _at(address: int, count: int, dtype: np.dtype, step: int | None = None) -> np.ndarray:
    """Return the elements that lie ``step`` bytes apart, or next to each other, from ``address`` on."""
    step = dtype.itemsize if step is None else step
    reach = (count - 1) * step
    room = (ctypes.c_char * (abs(reach) + dtype.itemsize)).from_address(address + min(reach, 0))
    return np.ndarray(count, dtype, memoryview(room), -min(reach, 0), (step,))


def _answer(number: int, count: int, arguments: Numbers, results: Numbers) -> int:
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


def _calling(dtypes: Sequence[np.dtype], are_vectors: Sequence[bool], inputs: int, store: Step) -> PythonLoop:
    """Return the loop of a ufunc with so many ``inputs`` that calls ``store`` with all components of operands."""

    def loop(places: Numbers, lengths: Numbers, steps: Numbers, _: object) -> None:
        operands, vectors = [], 0
        for i, dtype in enumerate(dtypes):
            width, between = (lengths[1], steps[len(dtypes) + vectors]) if are_vectors[i] else (1, 0)
            operands.append([_at(places[i] + n * between, lengths[0], dtype, steps[i]) for n in range(width)])
            vectors += are_vectors[i]
        args, results = (
            [operand for one in some for operand in one] for some in (operands[:inputs], operands[inputs:])
        )
        store(args, results)

    return loop


def _run(label: str, step: Step, block: int, args: Sequence[np.ndarray], results: Sequence[np.ndarray]) -> None:
    """Store all results; an error is raised by the call of the ufunc."""
    if RAISED and _own():
        return
    try:
        guard.refuse_altered_arithmetic(label)
        with np.errstate(all="ignore"):
            _store(step, args, results, block)
    except BaseException as error:  # noqa: BLE001 - raised by the call
        RAISED.append((threading.get_ident(), error))
    np.add(*_ONES)  # clears the floating-point flags, of which NumPy would warn


_ONES = np.float64(1.0), np.float64(1.0), np.empty(())


@once
def keep_freed_memory(elements: int) -> None:
    """Make glibc keep the temporaries of a block for the next: returning them to the system doubles a kernel's time.

    Freeing one mapped allocation, which is never touched, raises glibc's threshold for giving back to twice the size of
    that: 6 MiB for blocks of 16384 elements. It holds for the process, as after freeing any array of that size.
    """
    np.empty(_TEMPORARIES * elements)


def _store(step: Step, args: Sequence[np.ndarray], results: Sequence[np.ndarray], block: int) -> None:
    """Store all results, block by block; a step may read its arguments after it has stored some."""
    keep_freed_memory(_BLOCK)
    count = results[0].size
    size = 1 if _follow_each_other(args, results) else block
    are_apart = not any(np.may_share_memory(a, r) for a in args for r in results)
    for first in range(0, count, size):
        part = slice(first, first + size)
        targets = [result[part] for result in results]
        found = targets if are_apart else [np.empty_like(target) for target in targets]
        step([np.ascontiguousarray(a[part]) for a in args], found)
        for target, values in zip(targets, found, strict=True) if not are_apart else ():
            target[...] = values


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
    types: list[type] = [*[_POINTER] * 3, *[_INT] * 4, *[_POINTER] * 2, _INT, ctypes.c_char_p]
    made: Callable[..., np.ufunc] = ctypes.PYFUNCTYPE(ctypes.py_object, *types)(table[31] or 0)
    more: list[type] = [ctypes.py_object, _INT, _POINTER, _POINTER, _POINTER]
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
