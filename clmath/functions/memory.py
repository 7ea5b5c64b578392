"""Loads and stores of vectors, loads and stores of halves, and shuffles: OpenCL C++ 1.0, 3.22.

A pointer is a one-dimensional array, an offset counts vectors. Offsets may be arrays: the result of a load has their
shape with the components as a further, last axis, and a store scatters. Everything is checked before anything is
written.

``out``, ``where`` and ``threads``: see ``help(clmath)``; ``where`` picks vectors, and the offset of a vector that it
leaves out is not checked. A store has no ``out``: its output is ``p``. A store that moves numbers unchanged has no
``threads``: vectors are written one after another, so that of several at one offset one is kept whole, the same in
every run.
"""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import call, errors, pragmas
from clmath.call import NEW, Into
from clmath.call.arguments import as_array, as_floats, checked_width, is_weak, operand, weak
from clmath.call.evaluation import Evaluation, by_step
from clmath.call.readers import INTS
from clmath.call.results import as_given, mask_of, picked
from clmath.numbers.datatypes import SCALARS, WIDTHS, type_name
from clmath.numbers.formats import DOUBLE, FLOAT, HALF, format_of
from clmath.numbers.rounding import Rounding, checked_mode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.phases import Step
    from clmath.typing import FloatLike, IntLike, Out, Where

__all__ = [
    "shuffle",
    "shuffle2",
    "vload",
    "vload_half",
    "vloada_half",
    "vstore",
    "vstore_half",
    "vstorea_half",
]

HALF_WIDTHS = (1, *WIDTHS)

_FEW = 512  # vectors that are processed whole, which takes less time than cutting them into chunks
_MANY = 1 << 12  # vectors that are shuffled at a time
_COUNTED = np.arange(2 * _FEW)
_UNSIGNED = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}
_MEMORY = frozenset({*SCALARS.values()} - {SCALARS["bool"]})  # usual types of p
_INTP = np.dtype(np.int64)
_ROUNDED = (float, np.float32, np.float64)  # classes of numbers that can be rounded to half


def vload(
    offset: IntLike, p: FloatLike | IntLike, /, n: int, *, out: Out = None, where: Where = True, threads: int = 1
) -> np.ndarray:
    """The ``n`` components that begin at ``p[offset * n]``: ``vload<n>(offset, p)``.

    ``p``: one-dimensional, any type of ``convert`` except bool. ``offset``: integers of any shape; the result has
    that shape and a last axis of ``n`` components, 2, 3, 4, 8 or 16. A copy, never a view.
    ``out``, ``where`` (for each offset) and ``threads``: see ``help(clmath)``.

    ValueError: ``n``, or an offset that is negative or reaches beyond ``p``. TypeError: a dtype.
    Source: OpenCL C++ 1.0, 3.22.2.

    >>> vload([0, 2], np.arange(12), 4)
    array([[ 0,  1,  2,  3], [ 8,  9, 10, 11]])
    """
    _check_width("vload()", n, WIDTHS)
    results, source = call.into("vload()", out, where, threads), _pointer("vload()", p)
    found: np.ndarray = _loaded("vload()", offset, source, n, results)
    return found


def vstore(
    data: FloatLike | IntLike, offset: IntLike, p: np.ndarray, /, n: int | None = None, *, where: Where = True
) -> None:
    """Write vectors of ``n`` components (None: the length of the last axis of ``data``) from ``p[offset * n]`` on.

    ``data``: of the type of ``p``, shape of ``offset`` (or one that broadcasts to it) and a last axis of 2, 3, 4, 8
    or 16 components. If an offset occurs twice, one of its vectors is kept, an unspecified one. ``where``, bools that
    broadcast with ``offset``: vectors at False are not written. There is no ``out``, since the output is ``p``, and no
    ``threads``: vectors are written one after another, so that the same one is kept in every run.

    ValueError: the components, a shape, an offset outside ``p``, or ``p`` is read-only. TypeError: ``p`` is not an
    array or has another type than ``data``. Nothing is written then. Source: OpenCL C++ 1.0, 3.22.2.
    another type than ``data``. Nothing is written then. Source: OpenCL C++ 1.0, 3.22.2.

    >>> p = np.zeros(6, np.int16)
    >>> vstore(np.int16([1, 2]), 1, p)
    >>> p
    array([0, 0, 1, 2, 0, 0], dtype=int16)
    """
    target = _target("vstore()", p)
    values = operand("vstore()", "data", data)
    if values.dtype.newbyteorder("=") != target.dtype.newbyteorder("="):
        remedy = errors.conversion("data", type_name(target.dtype))
        raise errors.wrong_dtype("vstore()", "data", values.dtype, f"{target.dtype}, the type of p", remedy)
    lanes = _lanes("vstore()", values, n, WIDTHS)
    _store("vstore()", values, offset, target, lanes, step=lanes, where=where)


def vload_half(
    offset: IntLike, p: FloatLike, /, n: int = 1, *, out: Out = None, where: Where = True, threads: int = 1
) -> Any:
    """The ``n`` halves that begin at ``p[offset * n]`` as floats, exactly: ``vload_half<n>(offset, p)``.

    ``p``: one-dimensional, half. ``offset``: integers of any shape; the result has that shape and, unless ``n`` is 1,
    a last axis of ``n`` components, 2, 3, 4, 8 or 16. ``out``, ``where`` (for each offset) and ``threads``: see
    ``help(clmath)``.

    ValueError: ``n``, or an offset that is negative or reaches beyond ``p``. TypeError: ``p`` is not half.
    Source: OpenCL C++ 1.0, 3.22.3.

    >>> vload_half(1, np.float16([0.5, 1.5]))
    np.float32(1.5)
    """
    _check_width("vload_half()", n, HALF_WIDTHS)
    return _loaded_half("vload_half()", offset, p, n, call.into("vload_half()", out, where, threads), step=n)


def vstore_half(
    data: FloatLike,
    offset: IntLike,
    p: NDArray[np.float16],
    /,
    n: int = 1,
    *,
    rounding: Rounding | None = None,
    where: Where = True,
    threads: int = 1,
) -> None:
    """Round ``data`` to half and write ``n`` components from ``p[offset * n]`` on: ``vstore_half<n>[_<mode>]``.

    ``data``: float or double (a Python number is a double), shape of ``offset`` or one that broadcasts to it; unless
    ``n`` is 1 with a further, last axis of ``n`` components, 2, 3, 4, 8 or 16. ``rounding``: by default the mode in
    force (``select_rounding_mode``). Rounded once, subnormals included; beyond 65504 the mode decides. ``where`` as for
    ``vstore``; ``threads`` share the rounding, and the results are written one after another.

    Errors as for ``vstore``; nothing is written then. Source: OpenCL C++ 1.0, 3.22.3.

    >>> p = np.zeros(2, np.float16)
    >>> vstore_half(np.float32(0.1), 1, p, rounding="rtz")
    >>> float(p[1])
    0.0999755859375
    """
    _check_width("vstore_half()", n, HALF_WIDTHS)
    results = call.into("vstore_half()", None, where, threads)
    _store_half("vstore_half()", data, offset, p, n, step=n, rounding=rounding, results=results)


def vloada_half(
    offset: IntLike, p: FloatLike, /, n: int, *, out: Out = None, where: Where = True, threads: int = 1
) -> NDArray[np.float32]:
    """The ``n`` halves of an aligned vector as floats, exactly: ``vloada_half<n>(offset, p)``.

    As ``vload_half`` with 2, 3, 4, 8 or 16 components, but vectors of 3 begin at ``p[offset * 4]``, as vectors of 4 do.
    The fourth place is not read and need not exist. Source: OpenCL C++ 1.0, 3.22.4.

    >>> vloada_half(1, np.arange(8, dtype=np.float16), 3)
    array([4., 5., 6.], dtype=float32)
    """
    _check_width("vloada_half()", n, WIDTHS)
    results = call.into("vloada_half()", out, where, threads)
    result: NDArray[np.float32] = _loaded_half("vloada_half()", offset, p, n, results, step=_aligned(n))
    return result


def vstorea_half(
    data: FloatLike,
    offset: IntLike,
    p: NDArray[np.float16],
    /,
    n: int | None = None,
    *,
    rounding: Rounding | None = None,
    where: Where = True,
    threads: int = 1,
) -> None:
    """Round ``data`` to half and write an aligned vector: ``vstorea_half<n>[_<mode>](data, offset, p)``.

    As ``vstore_half`` with 2, 3, 4, 8 or 16 components (``n`` None: the length of the last axis of ``data``), but
    vectors of 3 begin at ``p[offset * 4]``; the fourth place is not written. Source: OpenCL C++ 1.0, 3.22.4.

    >>> p = np.zeros(8, np.float16)
    >>> vstorea_half(np.float32([1, 2, 3]), 1, p)
    >>> p
    array([0., 0., 0., 0., 1., 2., 3., 0.], dtype=float16)
    """
    lanes = _lanes("vstorea_half()", as_array("vstorea_half()", "data", data), n, WIDTHS)
    results = call.into("vstorea_half()", None, where, threads)
    _store_half("vstorea_half()", data, offset, p, lanes, step=_aligned(lanes), rounding=rounding, results=results)


def shuffle(
    x: FloatLike | IntLike, mask: IntLike, /, *, out: Out = None, where: Where = True, threads: int = 1
) -> np.ndarray:
    """The components of ``x`` at the numbers in ``mask``.

    ``x``: any type of ``convert`` except bool, a last axis of m = 2, 3, 4, 8 or 16 components. ``mask``: the unsigned
    integer type as wide as the elements of ``x`` (or Python ints), a last axis of 2, 3, 4, 8 or 16 numbers, which is
    the width of the result; the axes before broadcast. Only the low log2(m) bits of a number count; 3 components are
    numbered as 4, of which the last, undefined in the specification, is 0. ``out``, ``where`` (for each vector) and
    ``threads``: see ``help(clmath)``.

    TypeError: another type of mask. ValueError: the components or the shapes. Source: OpenCL C 2.0, 6.13.12.

    >>> shuffle(np.int32([10, 11, 12, 13]), [3, 2, 1, 4])
    array([13, 12, 11, 10], dtype=int32)
    """
    return _shuffled("shuffle()", ("x",), (_vector("shuffle()", "x", x),), mask, (out, where, threads))


def shuffle2(
    x: FloatLike | IntLike,
    y: FloatLike | IntLike,
    mask: IntLike,
    /,
    *,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> np.ndarray:
    """The components of ``x`` and ``y``, numbered consecutively, at the numbers in ``mask``.

    As ``shuffle``; ``y`` has the type and the width of ``x``, and its components are numbered from m on (from 4 on for
    vectors of 3). Source: OpenCL C 2.0, 6.13.12.

    >>> shuffle2(np.int32([10, 11]), np.int32([20, 21]), [3, 0, 2, 1])
    array([21, 10, 20, 11], dtype=int32)
    """
    first, second = _vector("shuffle2()", "x", x), _vector("shuffle2()", "y", y)
    if first.dtype != second.dtype and first.dtype.newbyteorder("=") != second.dtype.newbyteorder("="):
        fact, native = f"{first.dtype}, the type of x", type_name(first.dtype.newbyteorder("="))
        raise errors.wrong_dtype("shuffle2()", "y", second.dtype, fact, errors.conversion("y", native))
    widths = first.shape[-1], second.shape[-1]
    if widths[0] != widths[1]:
        raise errors.ShapeError(
            f"shuffle2(): x has {widths[0]} components, y {widths[1]}; one width is needed: cut or pad one"
        )
    return _shuffled("shuffle2()", ("x", "y"), (first, second), mask, (out, where, threads))


def _vector(call: str, argument: str, value: object) -> np.ndarray:
    array = operand(call, argument, value)
    if array.dtype.kind == "b":
        raise errors.wrong_dtype(call, argument, "bool", "any other type", errors.conversion(argument, "uchar"))
    _lanes(call, array, None, WIDTHS, argument)
    return array


def _shuffled(
    name: str, names: tuple[str, ...], vectors: tuple[np.ndarray, ...], mask: object, given: tuple[Out, Where, int]
) -> np.ndarray:
    """Return the components of ``vectors``, of one type and width, at the numbers in ``mask``."""
    numbers, results = _numbers(name, mask, vectors[0].dtype.itemsize), call.into(name, *given)
    if results is NEW:
        found = _shuffled_at_once(vectors, numbers)
        if found is not None:
            return found
    arguments, (out, where, threads) = (*vectors, numbers), results
    lanes = [array[..., lane] for array in arguments for lane in range(array.shape[-1])]
    width, count = numbers.shape[-1], len(lanes) - numbers.shape[-1]
    dtype = vectors[0].dtype.newbyteorder("=")
    asked = Evaluation(name, (*names, "mask"), arguments, lanes, [a.shape[:-1] for a in arguments], [dtype], width)
    step = _shuffle_step(dtype, count, len(vectors))
    shuffled: np.ndarray = asked.evaluated(by_step(name, step), out, where, restore=None, threads=threads)
    return shuffled


def _shuffle_step(dtype: np.dtype, count: int, vectors: int) -> Step:
    """Return a function that picks components of ``vectors``, ``count`` in all, by the numbers after them."""
    width = count // vectors
    stored = _aligned(width)  # components are numbered up to this

    def step(chunk: Sequence[np.ndarray], targets: Sequence[np.ndarray]) -> None:
        size = targets[0].size
        numbered = np.zeros((vectors, stored, size), dtype)
        numbered[:, :width] = np.reshape([*chunk[:count]], (vectors, width, size))
        flat, places = numbered.reshape(-1), np.arange(size)
        for numbers, target in zip(chunk[count:], targets, strict=True):
            target[...] = flat.take(
                (numbers & numbers.dtype.type(vectors * stored - 1)).astype(np.intp) * size + places
            )

    return step


def _shuffled_at_once(vectors: tuple[np.ndarray, ...], numbers: np.ndarray) -> np.ndarray | None:
    """Return shuffled native, C-contiguous vectors of other than 3 components, or None for other arguments."""
    first, width = vectors[0], vectors[0].shape[-1]
    if width == 3 or numbers.shape[:-1] != first.shape[:-1] or not _lie_as_in_c(*vectors, numbers):
        return None
    if len(vectors) > 1 and (vectors[1].shape != first.shape or vectors[1].dtype != first.dtype):
        return None
    low = numbers.dtype.type(len(vectors) * width - 1)
    if first.size <= _FEW and first.ndim <= 2:
        return _picked(vectors, numbers, low)
    result = np.empty((*first.shape[:-1], numbers.shape[-1]), first.dtype)
    rows, places, results = [_on_two_axes(v) for v in vectors], _on_two_axes(numbers), _on_two_axes(result)
    for start in range(0, len(places), _MANY):
        block = slice(start, start + _MANY)
        results[block] = _picked([v[block] for v in rows], places[block], low)
    return result


def _picked(vectors: Sequence[np.ndarray], numbers: np.ndarray, low: object) -> np.ndarray:
    """Return the components of ``vectors`` on at most two axes at the ``low`` bits of ``numbers``."""
    lanes = vectors[0] if len(vectors) == 1 else np.concatenate(vectors, axis=-1)
    places = numbers & low
    if places.dtype == _UNSIGNED[8]:  # with int64 NumPy would make doubles of them
        places = places.astype(np.intp)
    if lanes.ndim > 1:
        size, width = lanes.size, lanes.shape[-1]
        first = _COUNTED[:size:width] if size <= _COUNTED.size else np.arange(0, size, width)
        places = places + first[:, np.newaxis]
    found: np.ndarray = lanes.take(places)
    return found


def _lie_as_in_c(*arrays: np.ndarray) -> bool:
    for array in arrays:
        flags = array.flags
        if not (flags.c_contiguous and flags.aligned and array.dtype.isnative):
            return False
    return True


def _on_two_axes(vectors: np.ndarray) -> np.ndarray:
    return vectors.reshape(-1, vectors.shape[-1])


def _numbers(call: str, mask: object, size: int) -> np.ndarray:
    """Return the component numbers, of the unsigned type of ``size`` bytes, or Python ints."""
    unsigned, numbers = _UNSIGNED[size], as_array(call, "mask", mask)
    if numbers.dtype != unsigned:
        weak = not hasattr(mask, "dtype") and numbers.dtype.kind in "iu"
        if not weak and numbers.dtype.newbyteorder("=") != unsigned:
            raise errors.wrong_dtype(
                call, "mask", numbers.dtype, f"{unsigned}", errors.conversion("mask", type_name(unsigned))
            )
    _lanes(call, numbers, None, WIDTHS, "mask")
    return numbers


def _aligned(n: int) -> int:
    return 4 if n == 3 else n


def _check_width(call: str, n: object, widths: tuple[int, ...]) -> None:
    if type(n) is int and n in widths:
        return
    if isinstance(n, bool) or not isinstance(n, Integral) or n not in widths:
        raise errors.ShapeError(
            f"{call}: n={errors.shown(n)} is not one of {', '.join(map(str, widths))}: give one of them"
        )


def _lanes(call: str, array: np.ndarray, n: int | None, widths: tuple[int, ...], argument: str = "data") -> int:
    """Return the width of a vector argument, which must be ``n`` if given."""
    if n is not None:
        _check_width(call, n, widths)
    return checked_width(call, argument, array, widths if n is None else (n,))


def _pointer(call: str, p: object) -> np.ndarray:
    if type(p) is np.ndarray and p.ndim == 1 and p.dtype in _MEMORY:
        return p
    array = operand(call, "p", p)
    if array.dtype.kind == "b":
        raise errors.wrong_dtype(call, "p", "bool", "any other type", errors.conversion("p", "uchar"))
    if array.ndim != 1:
        raise errors.ShapeError(f"{call}: p has shape {array.shape}; memory has one axis: use p.reshape(-1)")
    return array


def _target(call: str, p: object) -> np.ndarray:
    if not isinstance(p, np.ndarray):
        way = "a copy could not be seen; make p one, np.asarray(p), and look into that"
        raise errors.wrong_dtype(call, "p", type(p).__name__, "a NumPy array", way)
    array = _pointer(call, p)
    if not array.flags.writeable:
        raise errors.ShapeError(f"{call}: p is read-only; a writable array is needed: use p.copy()")
    return array


def _half_pointer(call: str, array: np.ndarray) -> np.ndarray:
    if array.dtype != HALF.dtype and format_of(array.dtype) is not HALF:
        remedy = f"{errors.conversion('p', 'half')}, or take its memory for halfs, p.view(np.float16)"
        raise errors.wrong_dtype(call, "p", array.dtype, "half (float16)", remedy)
    return array


def _offsets(call: str, offset: object) -> np.ndarray:
    offsets = as_array(call, "offset", offset)
    if offsets.dtype.kind not in "iu" and offsets.size and type(offset) is not int:
        raise errors.wrong_dtype(call, "offset", offsets.dtype, "an integer type", errors.conversion("offset", "long"))
    return offsets


def _check_inside(call: str, offsets: np.ndarray, size: int, n: int, step: int) -> None:
    """Raise ShapeError if a vector is not wholly inside the ``size`` elements of p."""
    if offsets.size and not _are_inside(offsets, size, n, step):
        for worst in (int(offsets.min()), int(offsets.max())):
            if worst < 0 or worst * step + n > size:
                fact = f"offset {worst} means elements {worst * step} to {worst * step + n - 1} of {size}"
                way = f"offsets 0 to {(size - n) // step} do" if size >= n else f"give {n} elements or more"
                raise errors.ShapeError(f"{call}: {fact}; every vector must lie inside p: {way}")


def _are_inside(offsets: np.ndarray, size: int, n: int, step: int) -> bool:
    """Whether all offsets are integers and their vectors lie inside; negative ones are large without a sign."""
    if offsets.dtype.kind not in "iu" or size < n:
        return False
    codes = offsets.view(_UNSIGNED[8]) if offsets.dtype == _INTP else offsets.astype(_UNSIGNED[8])
    most = np.maximum.reduce(codes) if codes.ndim == 1 else np.maximum.reduce(codes, axis=None)
    return int(most) <= (size - n) // step


def _first_of_one(offset: Any, size: int, n: int, step: int) -> int | None:
    """Return the place of the vector at an offset that is one number, or None for other offsets, and outside."""
    if type(offset) not in INTS:
        return None
    first = int(offset) * step
    return first if 0 <= first <= size - n else None


def _loaded(name: str, offset: object, source: np.ndarray, n: int, results: Into) -> Any:
    native = source.dtype.newbyteorder("=")
    if results is NEW:
        begin = _first_of_one(offset, source.size, n, n)
        if begin is not None:
            return source[begin : begin + n].astype(native)
        if source.dtype.isnative:
            return _taken(name, offset, source, n)

    def moved(values: Sequence[np.ndarray], targets: Sequence[np.ndarray]) -> None:
        targets[0][...] = values[0]

    return _gathered(name, offset, source, n, moved, results, step=n, dtype=native, is_vector=True)


def _taken(name: str, offset: object, source: np.ndarray, n: int) -> np.ndarray:
    """Return a copy of the vectors of ``n`` components, or the numbers, at offsets that count them."""
    offsets = _offsets(name, offset)
    _check_inside(name, offsets, source.size, n, n)
    if not offsets.size:
        return np.empty((*offsets.shape, n) if n > 1 else offsets.shape, source.dtype)
    return _at(_rows(source, n) if n > 1 else source, offsets.astype(np.intp, copy=False))


def _at(memory: np.ndarray, places: NDArray[np.intp]) -> np.ndarray:
    """Return ``memory[places]``, a copy; ``take`` is faster, but would first copy all memory that is not contiguous."""
    flags = memory.flags
    found = memory.take(places, axis=0) if flags.c_contiguous and flags.aligned else memory[places]
    return np.asarray(found)


def _rows(memory: np.ndarray, n: int) -> np.ndarray:
    """Return the vectors of ``n`` elements that memory has one after another, as a view."""
    return memory[: memory.size // n * n].reshape(-1, n)


def _gathered(  # noqa: PLR0917 - a memory, its offsets, and the results
    name: str,
    offset: object,
    source: np.ndarray,
    n: int,
    write: Step,
    results: Into,
    *,
    step: int,
    dtype: np.dtype,
    is_vector: bool,
) -> Any:
    """Return the ``n`` components at each offset as ``write`` stores them: vectors, or numbers for one component."""
    offsets, (out, where, threads) = _offsets(name, offset), results
    given = as_given(name, out, 1)[0]
    if isinstance(given, np.ndarray) and np.may_share_memory(given, source):
        source = source.copy()

    def check(call: str, chosen: Sequence[np.ndarray]) -> None:
        _check_inside(call, chosen[0], source.size, n, step)

    def gather(chunk: Sequence[np.ndarray], targets: Sequence[np.ndarray]) -> None:
        first = chunk[0].astype(np.intp) * step
        for lane, target in enumerate(targets):
            write([_at(source, first + lane).astype(native, copy=False)], [target])

    native = source.dtype.newbyteorder("=")
    asked = Evaluation(name, ("offset",), [offsets], [offsets], [offsets.shape], [dtype], n if is_vector else None)
    return asked.evaluated(by_step(name, gather), out, where, restore=None, threads=threads, check=check)


def _loaded_half(name: str, offset: object, p: object, n: int, results: Into, *, step: int) -> Any:
    source = _half_pointer(name, _pointer(name, p))
    if results is NEW:
        begin = _first_of_one(offset, source.size, n, step)
        if begin is not None:
            if n == 1:
                return call.converted_number(name, source[begin], FLOAT.dtype, "rte")
            return call.converted(name, source[begin : begin + n], FLOAT.dtype, "rte")
        if step == n and getattr(offset, "size", 0) <= _FEW:  # lists are short
            return call.converted(name, _taken(name, offset, source, n), FLOAT.dtype, "rte")[()]
    write = call.conversion_step(HALF.dtype, FLOAT.dtype, "rte")
    return _gathered(name, offset, source, n, write, results, step=step, dtype=FLOAT.dtype, is_vector=n > 1)


def _store(
    call: str,
    values: np.ndarray,
    offset: object,
    target: np.ndarray,
    n: int,
    *,
    step: int,
    where: object,
    stored: Callable[[np.ndarray], np.ndarray] | None = None,
) -> None:
    """Write ``values``, as ``stored`` makes them, to the places of vectors of ``n`` components."""
    lanes = (n,) if n > 1 else ()
    begin = _first_of_one(offset, target.size, n, step) if where is True else None
    if begin is not None:
        _check_fits(call, values.shape, lanes)
        target[begin : begin + n] = values if stored is None else stored(values)
        return
    offsets = _offsets(call, offset)
    mask = None if where is True else mask_of(call, where, ("offset",), [offsets.shape])
    _check_fits(call, values.shape, (offsets if mask is None else mask).shape + lanes)
    if mask is not None:
        values, offsets = picked(mask, values, lanes), picked(mask, offsets)
    _check_inside(call, offsets, target.size, n, step)
    places = offsets.astype(np.intp, copy=False)
    if stored is not None:
        values = stored(values)
    if n == 1:
        target[places] = values
    elif n == step:
        _rows(target, n)[places] = values
    else:
        np.lib.stride_tricks.sliding_window_view(target, n, writeable=True)[places * step] = values


def _check_fits(call: str, shape: tuple[int, ...], needed: tuple[int, ...]) -> None:
    if shape == needed:
        return
    try:
        fits = np.broadcast_shapes(shape, needed) == needed
    except ValueError:
        fits = False
    if not fits:
        raise errors.ShapeError(
            f"{call}: data has shape {shape}; the offsets and components ask for {needed}: give it that shape"
        )


def _store_half(
    name: str, data: Any, offset: Any, p: Any, n: int, *, step: int, rounding: Rounding | None, results: Into
) -> None:
    mode = pragmas.rounding_mode() if rounding is None else checked_mode(name, rounding)
    target, (_, where, threads) = _half_pointer(name, _target(name, p)), results
    if n == 1 and results is NEW and type(data) in _ROUNDED:
        begin = _first_of_one(offset, target.size, 1, step)
        if begin is not None:
            target[begin] = call.converted_number(name, data, HALF.dtype, mode)
            return
    values = weak(name, "data", data, DOUBLE) if is_weak(data) else as_floats(name, "data", data)
    if format_of(values.dtype) not in (FLOAT, DOUBLE):
        raise errors.wrong_dtype(name, "data", values.dtype, "float or double", errors.conversion("data", "float"))
    if n > 1:
        _lanes(name, values, n, WIDTHS)

    def stored(chosen: np.ndarray) -> np.ndarray:
        return call.rounded_to_format(chosen, HALF, mode, name, threads=threads)

    _store(name, values, offset, target, n, step=step, where=where, stored=stored)
