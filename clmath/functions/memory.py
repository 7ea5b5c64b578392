"""Vectors read from and written to memory, halves stored as such, and shuffles: OpenCL C++ 1.0, 3.22.

A pointer is a one-dimensional array, an offset counts vectors. Offsets may be arrays: the result of a load has their
shape with the lanes as a further, last axis, and a store scatters. Everything is checked before anything is written.
"""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import call, errors, pragmas
from clmath.call.arguments import as_array, as_floats, checked_width, common_shape, is_weak, operand, weak
from clmath.numbers.datatypes import WIDTHS, type_name
from clmath.numbers.formats import DOUBLE, FLOAT, HALF, format_of
from clmath.numbers.rounding import Rounding, checked_mode

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


def vload(offset: Any, p: Any, /, n: int) -> NDArray[Any]:
    """The ``n`` lanes that begin at ``p[offset * n]``: ``vload<n>(offset, p)``.

    ``p``: one-dimensional, any type that ``convert`` takes but bool. ``offset``: integers of any shape; the result has
    that shape and a last axis of ``n`` lanes, 2, 3, 4, 8 or 16. A copy, never a view.

    ValueError: ``n``, or an offset that is negative or reaches beyond ``p``. TypeError: a dtype.
    Source: OpenCL C++ 1.0, 3.22.2.

    >>> vload([0, 2], np.arange(12), 4)
    array([[ 0,  1,  2,  3], [ 8,  9, 10, 11]])
    """
    _check_width("vload()", n, WIDTHS)
    source = _pointer("vload()", p)
    return _loaded("vload()", offset, source, n, step=n)


def vstore(data: Any, offset: Any, p: NDArray[Any], /, n: int | None = None) -> None:
    """Write vectors of ``n`` lanes (None: as the last axis of ``data`` has) from ``p[offset * n]`` on.

    ``data``: of the type of ``p``, shape of ``offset`` (or one that broadcasts to it) and a last axis of 2, 3, 4, 8
    or 16 lanes. Where an offset stands twice, one of its vectors is kept; which one is not said.

    ValueError: the lanes, a shape, an offset outside ``p``, or ``p`` is read-only. TypeError: ``p`` is no array or has
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
    _store("vstore()", values, offset, target, lanes, step=lanes)


def vload_half(offset: Any, p: Any, /, n: int = 1) -> Any:
    """The ``n`` halves that begin at ``p[offset * n]`` as floats, exactly: ``vload_half<n>(offset, p)``.

    ``p``: one-dimensional, half. ``offset``: integers of any shape; the result has that shape and, unless ``n`` is 1,
    a last axis of ``n`` lanes, 2, 3, 4, 8 or 16.

    ValueError: ``n``, or an offset that is negative or reaches beyond ``p``. TypeError: ``p`` is not half.
    Source: OpenCL C++ 1.0, 3.22.3.

    >>> vload_half(1, np.float16([0.5, 1.5]))
    np.float32(1.5)
    """
    _check_width("vload_half()", n, HALF_WIDTHS)
    return _loaded_half("vload_half()", offset, p, n, step=n)


def vstore_half(
    data: Any, offset: Any, p: NDArray[np.float16], /, n: int = 1, *, rounding: Rounding | None = None
) -> None:
    """Round ``data`` to half and write ``n`` lanes from ``p[offset * n]`` on: ``vstore_half<n>[_<mode>]``.

    ``data``: float or double (a Python number is a double), shape of ``offset`` or one that broadcasts to it; unless
    ``n`` is 1 with a further, last axis of ``n`` lanes, 2, 3, 4, 8 or 16. ``rounding``: by default the mode in force
    (``select_rounding_mode``). Rounded once, subnormals included; beyond 65504 the mode decides.

    Errors as for ``vstore``; nothing is written then. Source: OpenCL C++ 1.0, 3.22.3.

    >>> p = np.zeros(2, np.float16)
    >>> vstore_half(np.float32(0.1), 1, p, rounding="rtz")
    >>> float(p[1])
    0.0999755859375
    """
    _check_width("vstore_half()", n, HALF_WIDTHS)
    _store_half("vstore_half()", data, offset, p, n, step=n, rounding=rounding)


def vloada_half(offset: Any, p: Any, /, n: int) -> NDArray[np.float32]:
    """The ``n`` halves of an aligned vector as floats, exactly: ``vloada_half<n>(offset, p)``.

    As ``vload_half`` with 2, 3, 4, 8 or 16 lanes, but 3 lanes begin at ``p[offset * 4]``: a vector of 3 is stored
    where one of 4 would be. Its fourth place is not read and need not be there. Source: OpenCL C++ 1.0, 3.22.4.

    >>> vloada_half(1, np.arange(8, dtype=np.float16), 3)
    array([4., 5., 6.], dtype=float32)
    """
    _check_width("vloada_half()", n, WIDTHS)
    result: NDArray[np.float32] = _loaded_half("vloada_half()", offset, p, n, step=_aligned(n))
    return result


def vstorea_half(
    data: Any, offset: Any, p: NDArray[np.float16], /, n: int | None = None, *, rounding: Rounding | None = None
) -> None:
    """Round ``data`` to half and write an aligned vector: ``vstorea_half<n>[_<mode>](data, offset, p)``.

    As ``vstore_half`` with 2, 3, 4, 8 or 16 lanes (``n`` None: as the last axis of ``data`` has), but 3 lanes begin at
    ``p[offset * 4]``; the fourth place keeps what it held. Source: OpenCL C++ 1.0, 3.22.4.

    >>> p = np.zeros(8, np.float16)
    >>> vstorea_half(np.float32([1, 2, 3]), 1, p)
    >>> p
    array([0., 0., 0., 0., 1., 2., 3., 0.], dtype=float16)
    """
    lanes = _lanes("vstorea_half()", as_array("vstorea_half()", "data", data), n, WIDTHS)
    _store_half("vstorea_half()", data, offset, p, lanes, step=_aligned(lanes), rounding=rounding)


def shuffle(x: Any, mask: Any, /) -> NDArray[Any]:
    """The lanes of ``x`` that ``mask`` numbers.

    ``x``: any type that ``convert`` takes but bool, a last axis of m = 2, 3, 4, 8 or 16 lanes. ``mask``: the unsigned
    integer type as wide as the elements of ``x`` (or Python ints), a last axis of 2, 3, 4, 8 or 16 lanes, which is the
    width of the result; the axes before broadcast. Only the low log2(m) bits of a number count; 3 lanes are numbered
    as 4, of which the last, undefined in the specification, is 0.

    TypeError: another type of mask. ValueError: the lanes or the shapes. Source: OpenCL C 2.0, 6.13.12.

    >>> shuffle(np.int32([10, 11, 12, 13]), [3, 2, 1, 4])
    array([13, 12, 11, 10], dtype=int32)
    """
    return _picked("shuffle()", _vector("shuffle()", "x", x), mask)


def shuffle2(x: Any, y: Any, mask: Any, /) -> NDArray[Any]:
    """The lanes of ``x`` and ``y``, numbered through, that ``mask`` numbers.

    As ``shuffle``; ``y`` has the type and the width of ``x``, and its lanes are numbered from m on (from 4 on where
    there are 3). Source: OpenCL C 2.0, 6.13.12.

    >>> shuffle2(np.int32([10, 11]), np.int32([20, 21]), [3, 0, 2, 1])
    array([21, 10, 20, 11], dtype=int32)
    """
    first, second = _vector("shuffle2()", "x", x), _vector("shuffle2()", "y", y)
    if first.dtype != second.dtype:
        fact = f"{first.dtype}, the type of x"
        raise errors.wrong_dtype("shuffle2()", "y", second.dtype, fact, errors.conversion("y", type_name(first.dtype)))
    widths = np.shape(x)[-1], np.shape(y)[-1]
    if widths[0] != widths[1]:
        raise errors.ShapeError(
            f"shuffle2(): x has {widths[0]} lanes, y {widths[1]}; one width is needed: cut or pad one"
        )
    leading = common_shape("shuffle2()", ("x", "y"), (first.shape[:-1], second.shape[:-1]))
    lanes = [np.broadcast_to(v, (*leading, v.shape[-1])) for v in (first, second)]
    return _picked("shuffle2()", np.concatenate(lanes, axis=-1), mask)


def _vector(call: str, argument: str, value: Any) -> NDArray[Any]:
    """A native vector, 3 lanes made 4."""
    array = operand(call, argument, value)
    if array.dtype.kind == "b":
        raise errors.wrong_dtype(call, argument, "bool", "any other type", errors.conversion(argument, "uchar"))
    _lanes(call, array, None, WIDTHS, argument)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    if array.shape[-1] == 3:
        array = np.concatenate([array, np.zeros((*array.shape[:-1], 1), array.dtype)], axis=-1)
    return array


def _picked(call: str, lanes: NDArray[Any], mask: Any) -> NDArray[Any]:
    unsigned = np.dtype(f"u{lanes.dtype.itemsize}")
    numbers = as_array(call, "mask", mask)
    weak = not hasattr(mask, "dtype") and numbers.dtype.kind in "iu"
    if not weak and numbers.dtype.newbyteorder("=") != unsigned:
        raise errors.wrong_dtype(
            call, "mask", numbers.dtype, f"{unsigned}", errors.conversion("mask", type_name(unsigned))
        )
    _lanes(call, numbers, None, WIDTHS, "mask")
    index = (numbers & numbers.dtype.type(lanes.shape[-1] - 1)).astype(np.intp)
    leading = common_shape(call, ("x", "mask"), (lanes.shape[:-1], index.shape[:-1]))
    lanes = np.broadcast_to(lanes, (*leading, lanes.shape[-1]))
    return np.take_along_axis(lanes, np.broadcast_to(index, (*leading, index.shape[-1])), axis=-1)


def _aligned(n: int) -> int:
    return 4 if n == 3 else n


def _check_width(call: str, n: Any, widths: tuple[int, ...]) -> None:
    if isinstance(n, bool) or not isinstance(n, Integral) or n not in widths:
        raise errors.ShapeError(
            f"{call}: n={errors.shown(n)} is not one of {', '.join(map(str, widths))}: give one of them"
        )


def _lanes(call: str, array: NDArray[Any], n: int | None, widths: tuple[int, ...], argument: str = "data") -> int:
    """The width of a vector argument, which must be ``n`` where that is said."""
    if n is not None:
        _check_width(call, n, widths)
    return checked_width(call, argument, array, widths if n is None else (n,))


def _pointer(call: str, p: Any) -> NDArray[Any]:
    array = operand(call, "p", p)
    if array.dtype.kind == "b":
        raise errors.wrong_dtype(call, "p", "bool", "any other type", errors.conversion("p", "uchar"))
    if array.ndim != 1:
        raise errors.ShapeError(f"{call}: p has shape {array.shape}; memory has one axis: use p.reshape(-1)")
    return array


def _target(call: str, p: Any) -> NDArray[Any]:
    if not isinstance(p, np.ndarray):
        way = "a copy could not be seen; make p one, np.asarray(p), and look into that"
        raise errors.wrong_dtype(call, "p", type(p).__name__, "a NumPy array", way)
    array = _pointer(call, p)
    if not array.flags.writeable:
        raise errors.ShapeError(f"{call}: p is read-only; a writable array is needed: use p.copy()")
    return array


def _half_pointer(call: str, array: NDArray[Any]) -> NDArray[Any]:
    if format_of(array.dtype) is not HALF:
        remedy = f"{errors.conversion('p', 'half')}, or take its memory for halfs, p.view(np.float16)"
        raise errors.wrong_dtype(call, "p", array.dtype, "half (float16)", remedy)
    return array


def _first_lanes(call: str, offset: Any, size: int, n: int, step: int) -> NDArray[np.intp]:
    """Where each vector begins; ShapeError where one is not wholly inside the ``size`` elements of p."""
    offsets = as_array(call, "offset", offset)
    if offsets.dtype.kind not in "iu" and offsets.size and type(offset) is not int:
        raise errors.wrong_dtype(call, "offset", offsets.dtype, "an integer type", errors.conversion("offset", "long"))
    if offsets.size:
        for worst in (int(offsets.min()), int(offsets.max())):
            if worst < 0 or worst * step + n > size:
                fact = f"offset {worst} means elements {worst * step} to {worst * step + n - 1} of {size}"
                way = f"offsets 0 to {(size - n) // step} do" if size >= n else f"give {n} elements or more"
                raise errors.ShapeError(f"{call}: {fact}; every vector must lie inside p: {way}")
    return offsets.astype(np.intp) * step


def _loaded(call: str, offset: Any, source: NDArray[Any], n: int, *, step: int) -> NDArray[Any]:
    first = _first_lanes(call, offset, source.size, n, step)
    native = source.dtype.newbyteorder("=")
    if first.size == 0:
        return np.empty((*first.shape, n), native)
    vectors = np.lib.stride_tricks.sliding_window_view(source, n)[first.reshape(-1)]
    return vectors.reshape(*first.shape, n).astype(native, copy=False)


def _loaded_half(name: str, offset: Any, p: Any, n: int, *, step: int) -> Any:
    source = _half_pointer(name, _pointer(name, p))
    floats = call.converted(name, _loaded(name, offset, source, n, step=step), FLOAT.dtype, "rte")
    return floats[..., 0][()] if n == 1 else floats


def _store(call: str, values: NDArray[Any], offset: Any, target: NDArray[Any], n: int, *, step: int) -> None:
    first = _first_lanes(call, offset, target.size, n, step)
    _check_fits(call, values.shape, (*first.shape, n))
    if first.size:
        np.lib.stride_tricks.sliding_window_view(target, n, writeable=True)[first] = values


def _check_fits(call: str, shape: tuple[int, ...], needed: tuple[int, ...]) -> None:
    try:
        fits = np.broadcast_shapes(shape, needed) == needed
    except ValueError:
        fits = False
    if not fits:
        raise errors.ShapeError(
            f"{call}: data has shape {shape}; the offsets and lanes ask for {needed}: give it that shape"
        )


def _store_half(name: str, data: Any, offset: Any, p: Any, n: int, *, step: int, rounding: Rounding | None) -> None:
    mode = pragmas.rounding_mode() if rounding is None else checked_mode(name, rounding)
    target = _half_pointer(name, _target(name, p))
    values = weak(name, "data", data, DOUBLE) if is_weak(data) else as_floats(name, "data", data)
    if format_of(values.dtype) not in (FLOAT, DOUBLE):
        raise errors.wrong_dtype(name, "data", values.dtype, "float or double", errors.conversion("data", "float"))
    if n == 1:
        values = values[..., np.newaxis]
    else:
        _lanes(name, values, n, WIDTHS)
    _store(name, call.rounded_to_format(values, HALF, mode, name), offset, target, n, step=step)
