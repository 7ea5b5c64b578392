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

from typing import TYPE_CHECKING, cast

import numpy as np

from clmath import call, errors, pragmas
from clmath.call import NEW, Into, exact
from clmath.call.arguments import as_array, as_floats, checked_width, common_shape, is_weak, operand, weak
from clmath.call.evaluation import Evaluation, by_ufunc
from clmath.call.readers import INTS
from clmath.call.results import as_given, mask_of, picked
from clmath.functions import pointers
from clmath.functions.pointers import aligned, broadcasts, check_type, of_any_type, pointer, writable
from clmath.numbers.datatypes import WIDTHS, type_name
from clmath.numbers.formats import DOUBLE, FLOAT, HALF, format_of
from clmath.numbers.rounding import Rounding, checked_mode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.typing import FloatLike, Floats, IntLike, Out, Where

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

_MANY = 1 << 12  # vectors that are shuffled at a time
_COUNTED = np.arange(1 << 10)
_UNSIGNED = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}
_INTP = np.dtype(np.int64)
_ROUNDED = (float, np.float32, np.float64)  # classes of numbers that can be rounded to half


def vload(
    offset: IntLike, p: FloatLike | IntLike, /, n: int, *, out: Out = None, where: Where = True, threads: int = 1
) -> Floats:
    """The ``n`` components that begin at ``p[offset * n]``: ``vload<n>(offset, p)``.

    ``p``: one-dimensional, any type of ``convert`` except bool. ``offset``: integers of any shape; the result has
    that shape and a last axis of ``n`` components, 2, 3, 4, 8 or 16. A copy, never a view.
    ``out``, ``where`` (for each offset) and ``threads``: see ``help(clmath)``.

    ValueError: ``n``, or an offset that is negative or reaches beyond ``p``. TypeError: a dtype.
    Source: OpenCL C++ 1.0, 3.22.2.

    >>> vload([0, 2], np.arange(12), 4)
    array([[ 0,  1,  2,  3], [ 8,  9, 10, 11]])
    """
    n, results = _width("vload()", n, WIDTHS), call.into("vload()", out, where, threads)
    source = pointer("vload()", "p", p)
    native = source.dtype if source.dtype.isnative else source.dtype.newbyteorder("=")
    return _loaded("vload()", offset, source, n, results, native, step=n)


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

    >>> p = np.zeros(6, np.int16)
    >>> vstore(np.int16([1, 2]), 1, p)
    >>> p
    array([0, 0, 1, 2, 0, 0], dtype=int16)
    """
    target = writable("vstore()", "p", p)
    values = operand("vstore()", "data", data)
    check_type("vstore()", "data", values, "p", target.dtype)
    components = _components("vstore()", values, n, WIDTHS)
    _store("vstore()", values, offset, target, components, step=components, where=where)


def vload_half(
    offset: IntLike, p: FloatLike, /, n: int = 1, *, out: Out = None, where: Where = True, threads: int = 1
) -> Floats:
    """The ``n`` halves that begin at ``p[offset * n]`` as floats, exactly: ``vload_half<n>(offset, p)``.

    As ``vload``, but ``p`` is half, and if ``n`` is 1 the result has the shape of ``offset`` alone.
    Source: OpenCL C++ 1.0, 3.22.3.

    >>> vload_half(1, np.float16([0.5, 1.5]))
    np.float32(1.5)
    """
    n, results = _width("vload_half()", n, HALF_WIDTHS), call.into("vload_half()", out, where, threads)
    source = _halfs("vload_half()", pointer("vload_half()", "p", p))
    return _loaded("vload_half()", offset, source, n, results, FLOAT.dtype, step=n)


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
    n, results = _width("vstore_half()", n, HALF_WIDTHS), call.into("vstore_half()", None, where, threads)
    _store_half("vstore_half()", data, offset, p, n, step=n, rounding=rounding, results=results)


def vloada_half(
    offset: IntLike, p: FloatLike, /, n: int, *, out: Out = None, where: Where = True, threads: int = 1
) -> Floats:
    """The ``n`` halves of an aligned vector as floats, exactly: ``vloada_half<n>(offset, p)``.

    As ``vload_half`` with 2, 3, 4, 8 or 16 components, but vectors of 3 begin at ``p[offset * 4]``, as vectors of 4 do.
    The fourth place is not read and need not exist. Source: OpenCL C++ 1.0, 3.22.4.

    >>> vloada_half(1, np.arange(8, dtype=np.float16), 3)
    array([4., 5., 6.], dtype=float32)
    """
    n, results = _width("vloada_half()", n, WIDTHS), call.into("vloada_half()", out, where, threads)
    source = _halfs("vloada_half()", pointer("vloada_half()", "p", p))
    return _loaded("vloada_half()", offset, source, n, results, FLOAT.dtype, step=aligned(n))


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
    components = _components("vstorea_half()", as_array("vstorea_half()", "data", data), n, WIDTHS)
    results = call.into("vstorea_half()", None, where, threads)
    _store_half(
        "vstorea_half()", data, offset, p, components, step=aligned(components), rounding=rounding, results=results
    )


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
    check_type("shuffle2()", "y", second, "x", first.dtype)
    widths = first.shape[-1], second.shape[-1]
    if widths[0] != widths[1]:
        raise errors.ShapeError(
            f"shuffle2(): x has {widths[0]} components, y {widths[1]}; one width is needed: cut or pad one"
        )
    return _shuffled("shuffle2()", ("x", "y"), (first, second), mask, (out, where, threads))


def _vector(call: str, argument: str, value: object) -> np.ndarray:
    array = of_any_type(call, argument, value)
    _components(call, array, None, WIDTHS, argument)
    return array


def _shuffled(
    name: str, names: tuple[str, ...], vectors: tuple[np.ndarray, ...], mask: object, given: tuple[Out, Where, int]
) -> np.ndarray:
    """Return the components of ``vectors``, of one type and width, at the numbers in ``mask``."""
    numbers, results = _numbers(name, mask, vectors[0].dtype.itemsize), call.into(name, *given)
    arguments, dtype = (*vectors, numbers), vectors[0].dtype.newbyteorder("=")
    if results is NEW and _lie_in_c(arguments):
        return _shuffled_at_once(*arguments)
    shapes, are_vectors = [a.shape[:-1] for a in arguments], (True,) * (len(arguments) + 1)
    if results is NEW and all(a.flags.c_contiguous for a in arguments):  # others decide how results lie in memory
        shape = common_shape(name, (*names, "mask"), shapes, arguments)
        return _shuffled_at_once(*_in_c(arguments, shape))
    asked = Evaluation(name, (*names, "mask"), arguments, arguments, shapes, [dtype], numbers.shape[-1], are_vectors)
    out, where, threads = results
    store = by_ufunc(exact.as_ufunc(_shuffle))
    shuffled: np.ndarray = asked.evaluated(store, out, where, restore=None, threads=threads)
    return shuffled


def _shuffle(*arrays: np.ndarray, out: tuple[np.ndarray]) -> None:
    """Store shuffled vectors, like a ufunc."""
    out[0][...] = _shuffled_at_once(*_in_c(arrays, out[0].shape[:-1]))


def _in_c(arrays: Sequence[np.ndarray], shape: tuple[int, ...]) -> Iterator[np.ndarray]:
    """Yield as many vectors of each array, which lie in memory as in C."""
    for array in arrays:
        whole = np.broadcast_to(array, (*shape, array.shape[-1]))
        yield np.ascontiguousarray(whole, array.dtype.newbyteorder("="))


def _lie_in_c(arrays: Sequence[np.ndarray]) -> bool:
    """Whether vectors lie in memory as in C, as many in each array."""
    shape = arrays[0].shape[:-1]
    for array in arrays:
        flags = array.flags
        if not (flags.c_contiguous and flags.aligned and array.dtype.isnative and array.shape[:-1] == shape):
            return False
    return True


def _shuffled_at_once(*arrays: np.ndarray) -> np.ndarray:
    """Return shuffled vectors that lie as in C; the numbers are the last of ``arrays``."""
    *vectors, numbers = arrays
    if numbers.ndim <= 2 and numbers.size <= _MANY:
        return _picked(vectors, numbers)
    result = np.empty(numbers.shape, vectors[0].dtype)
    *rows, places, results = [a.reshape(-1, a.shape[-1]) for a in (*arrays, result)]
    for start in range(0, len(places), _MANY):
        block = slice(start, start + _MANY)
        results[block] = _picked([v[block] for v in rows], places[block])
    return result


def _picked(vectors: Sequence[np.ndarray], numbers: np.ndarray) -> np.ndarray:
    """Return the components of ``vectors`` on at most two axes at the low bits of ``numbers``; 3 count as 4."""
    if vectors[0].shape[-1] == 3:
        vectors = [np.concatenate([v, np.zeros_like(v[..., :1])], axis=-1) for v in vectors]
    components = vectors[0] if len(vectors) == 1 else np.concatenate(vectors, axis=-1)
    size, width = components.size, components.shape[-1]
    places = numbers & numbers.dtype.type(width - 1)
    if places.dtype == _UNSIGNED[8]:  # with int64 NumPy would make doubles of them
        places = places.astype(np.intp)
    if components.ndim > 1:
        first = _COUNTED[:size:width] if size <= _COUNTED.size else np.arange(0, size, width)
        places = places + first[:, np.newaxis]
    found: np.ndarray = components.take(places)
    return found


def _numbers(call: str, mask: object, size: int) -> np.ndarray:
    """Return the component numbers, of the unsigned type of ``size`` bytes, or Python ints."""
    unsigned, numbers = _UNSIGNED[size], as_array(call, "mask", mask)
    if numbers.dtype != unsigned:
        weak = not hasattr(mask, "dtype") and numbers.dtype.kind in "iu"
        if not weak and numbers.dtype.newbyteorder("=") != unsigned:
            raise errors.wrong_dtype(
                call, "mask", numbers.dtype, f"{unsigned}", errors.conversion("mask", type_name(unsigned))
            )
    _components(call, numbers, None, WIDTHS, "mask")
    return numbers


def _components(call: str, array: np.ndarray, n: int | None, widths: tuple[int, ...], argument: str = "data") -> int:
    """Return the width of a vector argument, which must be ``n`` if given."""
    return checked_width(call, argument, array, widths if n is None else (_width(call, n, widths),))


def _width(call: str, n: object, widths: tuple[int, ...]) -> int:
    return pointers.checked_width(call, "n", n, widths)


def _halfs(call: str, array: np.ndarray) -> np.ndarray:
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


def _first_of_one(offset: object, size: int, n: int, step: int) -> int | None:
    """Return the place of the vector at an offset that is one number, or None for other offsets, and outside."""
    if type(offset) not in INTS:
        return None
    first = int(cast("int", offset)) * step
    return first if 0 <= first <= size - n else None


def _loaded(  # noqa: PLR0917 - a memory, its offsets, and the results
    name: str, offset: object, source: np.ndarray, n: int, results: Into, dtype: np.dtype, *, step: int
) -> Floats:
    """Return the ``n`` components at each offset in their own type, or in a format that holds them all."""
    if results is not NEW:
        return _gathered(name, offset, source, n, results, dtype, step=step)
    begin = _first_of_one(offset, source.size, n, step)
    if begin is None:
        offsets = _offsets(name, offset)
        _check_inside(name, offsets, source.size, n, step)
        found = _at(source, n, step, offsets)
    elif n == 1:
        return call.converted_number(name, source[begin], dtype, "rte")
    else:
        found = source[begin : begin + n]
    if source.dtype == dtype:
        return found.astype(dtype, copy=begin is not None)
    return call.converted(name, found, dtype, "rte")[()]


def _gathered(  # noqa: PLR0917 - as ``_loaded``
    name: str, offset: object, source: np.ndarray, n: int, results: Into, dtype: np.dtype, *, step: int
) -> Floats:
    """Return the components at some offsets, by threads, or in a given array."""
    offsets, (out, where, threads) = _offsets(name, offset), results
    given = as_given(name, out, 1)[0]
    if isinstance(given, np.ndarray) and np.may_share_memory(given, source):
        source = source.copy()
    convert = exact.converting(name, source.dtype, dtype, "rte", sat=False)

    def check(call: str, chosen: Sequence[np.ndarray]) -> None:
        _check_inside(call, chosen[0], source.size, n, step)

    def gather(places: np.ndarray, out: tuple[np.ndarray]) -> None:
        convert(_at(source, n, step, places), out=out)

    components = n if n > 1 else None
    asked = Evaluation(name, ("offset",), [offsets], [offsets], [offsets.shape], [dtype], components, (False, n > 1))
    store = by_ufunc(exact.as_ufunc(gather))
    return asked.evaluated(store, out, where, restore=None, threads=threads, check=check)


def _at(memory: np.ndarray, n: int, step: int, offsets: np.ndarray) -> np.ndarray:
    """Return the vectors at some offsets; ``take`` is faster, but would first copy memory that is not contiguous."""
    flags, places = memory.flags, offsets.astype(np.intp, copy=False)
    is_whole = n == step or memory.size % step == 0  # also the last vector of 3, with a fourth place
    if not (flags.c_contiguous and flags.aligned and is_whole):
        return np.asarray(_rows(memory, n, step)[places])
    found = np.asarray(_rows(memory, step, step).take(places, axis=0))
    return found if n == step else found[..., :n]


def _rows(memory: np.ndarray, n: int, step: int) -> np.ndarray:
    """Return the vectors of ``n`` elements that begin at every ``step``-th element of memory, or numbers, as a view."""
    if n == step:
        return memory if n == 1 else memory[: memory.size // n * n].reshape(-1, n)
    stride = memory.strides[0]
    return np.lib.stride_tricks.as_strided(memory, ((memory.size - n) // step + 1, n), (step * stride, stride))


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
    components = (n,) if n > 1 else ()
    begin = _first_of_one(offset, target.size, n, step) if where is True else None
    if begin is not None:
        _check_fits(call, values.shape, components)
        target[begin : begin + n] = values if stored is None else stored(values)
        return
    offsets = _offsets(call, offset)
    mask = None if where is True else mask_of(call, where, ("offset",), [offsets.shape])
    _check_fits(call, values.shape, (offsets if mask is None else mask).shape + components)
    if mask is not None:
        values, offsets = picked(mask, values, components), picked(mask, offsets)
    _check_inside(call, offsets, target.size, n, step)
    places = offsets.astype(np.intp, copy=False)
    if stored is not None:
        values = stored(values)
    _rows(target, n, step)[places] = values


def _check_fits(call: str, shape: tuple[int, ...], needed: tuple[int, ...]) -> None:
    if not broadcasts(shape, needed):
        fact = f"data has shape {shape}; the offsets and components ask for {needed}"
        raise errors.ShapeError(f"{call}: {fact}: give it that shape")


def _store_half(
    name: str, data: object, offset: object, p: object, n: int, *, step: int, rounding: Rounding | None, results: Into
) -> None:
    mode = pragmas.rounding_mode() if rounding is None else checked_mode(name, rounding)
    target, (_, where, threads) = _halfs(name, writable(name, "p", p)), results
    if n == 1 and results is NEW and type(data) in _ROUNDED:
        begin = _first_of_one(offset, target.size, 1, step)
        if begin is not None:
            target[begin] = call.converted_number(name, data, HALF.dtype, mode)
            return
    values = weak(name, "data", data, DOUBLE) if is_weak(data) else as_floats(name, "data", data)
    if format_of(values.dtype) not in (FLOAT, DOUBLE):
        raise errors.wrong_dtype(name, "data", values.dtype, "float or double", errors.conversion("data", "float"))
    if n > 1:
        _components(name, values, n, WIDTHS)

    def stored(chosen: np.ndarray) -> np.ndarray:
        return call.rounded_to_format(chosen, HALF, mode, name, threads=threads)

    _store(name, values, offset, target, n, step=step, where=where, stored=stored)
