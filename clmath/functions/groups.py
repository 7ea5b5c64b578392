"""Functions of work-groups and sub-groups over an axis of work-items: OpenCL C++ 1.0, 3.15.

Common to all of them:

- ``axis`` is the axis of the work-items of a group, in the order of their linear local id. A group of two or three
  dimensions has a tuple of axes, for x, y and z: x counts fastest. The other axes are groups.
- A reduction returns one value to all work-items, so it is returned once, without those axes. A scan returns one value
  to each work-item, so the shape stays.
- ``out``: see ``help(clmath)``; it may be an argument.
- The functions of sub-groups compute the same results as the functions of work-groups.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath import errors
from clmath.call.arguments import any_of, operand
from clmath.call.results import delivery
from clmath.call.subnormals import as_here
from clmath.direct import sums
from clmath.functions.families import Arguments, of_one, of_two
from clmath.functions.pointers import is_whole
from clmath.numbers.datatypes import SCALARS, type_name
from clmath.numbers.formats import Format, format_of
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.numbers.rounding import Rounding, canonical, checked_mode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.typing import Floats, GroupOperation, Ints, NumberLike, Out

__all__ = [
    "group_sum_range",
    "sub_group_all",
    "sub_group_any",
    "sub_group_broadcast",
    "sub_group_reduce",
    "sub_group_scan_exclusive",
    "sub_group_scan_inclusive",
    "work_group_all",
    "work_group_any",
    "work_group_broadcast",
    "work_group_reduce",
    "work_group_scan_exclusive",
    "work_group_scan_inclusive",
]

_Axes: TypeAlias = "int | Sequence[int]"

_OPERATIONS = ("add", "min", "max")
_OVER = ("reduce", "scan_inclusive", "scan_exclusive")
_TYPES = ("int", "uint", "long", "ulong", "half", "float", "double")


def truth(name: str, args: Arguments, /, *, axis: _Axes = -1, out: Out = None) -> Ints:
    """Evaluate whether all, or any, of the work-items of a group have a true value."""
    (predicate,), call = args, f"{name}()"
    operation = np.logical_and if name.endswith("_all") else np.logical_or
    refuse_altered_arithmetic(call)
    known = [name for name, dtype in SCALARS.items() if dtype.kind in "biu"]
    lines, shape, restore = _lines(call, _operand(call, "predicate", predicate, known), axis, reduces=True)
    deliver = delivery(call, shape, SCALARS["bool"], out)
    return deliver(restore(operation.reduce(lines != 0, axis=-1)))


def combined(
    name: str, args: Arguments, /, *, axis: _Axes = -1, rounding: Rounding | None = None, out: Out = None
) -> Floats:
    """Evaluate the reduction or the scan that the name of a function ends with."""
    call, over, (x, op) = f"{name}()", name.partition("_group_")[2], args
    refuse_altered_arithmetic(call)
    if not isinstance(op, str) or op not in _OPERATIONS:
        raise errors.not_one_of(call, "op", op, _OPERATIONS)
    mode = "rte" if rounding is None else checked_mode(call, rounding)
    lines, shape, restore = _lines(call, _operand(call, "x", x, _TYPES), axis, reduces=over == "reduce")
    deliver = delivery(call, shape, lines.dtype, out)
    identity, results = _identity(op, lines.dtype), _sums if op == "add" else _extremes
    return deliver(restore(_over(over, lines, identity, lambda last: results(lines, op, mode, last=last))))


@of_one(truth)
def work_group_all(predicate: NumberLike, /) -> Ints:
    """Whether ``predicate`` is true, unequal to 0, for all work-items of a group: ``work_group_all``.

    ``predicate``: bool or integers. The result is bool, of the shape without ``axis``; true for an empty group.
    ShapeError: an axis. TypeError: a dtype. Source: OpenCL C++ 1.0, 3.15.2.

    >>> work_group_all(np.int32([[1, 2], [0, 3]]))
    array([ True, False])
    """


@of_one(truth)
def work_group_any(predicate: NumberLike, /) -> Ints:
    """Whether ``predicate`` is true, unequal to 0, for any work-item of a group: ``work_group_any``.

    As ``work_group_all``; false for an empty group. Source: OpenCL C++ 1.0, 3.15.2.
    """


def work_group_broadcast(a: NumberLike, /, *local_id: int, axis: _Axes = -1, out: Out = None) -> Floats:
    """The value that the work-item ``local_id`` has: ``work_group_broadcast(a, x)``, ``(a, x, y)`` or ``(a, x, y, z)``.

    ``a``: int, uint, long, ulong, half, float or double; bits are kept. ``local_id``: as many ints as there are axes.
    The result has the shape without ``axis``.

    ShapeError: an axis, or an id outside of the group, which the text leaves undefined. TypeError: a dtype. Source:
    OpenCL C++ 1.0, 3.15.3.

    >>> work_group_broadcast(np.int32([[3, 1, 7], [4, 1, 6]]), 2)
    array([7, 6], dtype=int32)
    """
    return _broadcast("work_group_broadcast", a, local_id, axis, out)


@of_two(combined)
def work_group_reduce(x: NumberLike, op: GroupOperation, /) -> Floats:
    """The sum, the least or the greatest value of a group: ``work_group_reduce_add``, ``_min`` and ``_max``.

    ``x``: int, uint, long, ulong, half, float or double; a list of Python ints is long. ``op``: "add", "min" or "max".
    The result has the type of ``x`` and the shape without ``axis``; an empty group has the identity of ``op``.

    - Sums of integers wrap. Sums of floating-point numbers are exact and rounded once, in ``rounding``, by default
      rte: the text leaves the order of additions unspecified, and ``group_sum_range`` gives bounds for all orders. A
      sum is NaN if an item is NaN or both infinities occur; a zero has the sign of one IEEE 754 addition of all.
    - "min" and "max" ignore NaN, as ``fmin`` and ``fmax`` do, and -0 is less than +0: both are unspecified.
    - Identities: 0 for "add"; for "min" the greatest integer or inf, for "max" the least integer or -inf.

    UnknownNameError: ``op``. ShapeError: an axis. TypeError: a dtype. RoundingError: a mode.
    Source: OpenCL C++ 1.0, 3.15.4.

    >>> work_group_reduce(np.int32([3, 1, 7, 0, 4, 1, 6, 3]), "add")
    np.int32(25)
    >>> work_group_reduce(np.float32([1e8, 1, -1e8]), "add"), work_group_reduce(np.float32([]), "max")
    (np.float32(1.0), np.float32(-inf))
    """


@of_two(combined)
def work_group_scan_inclusive(x: NumberLike, op: GroupOperation, /) -> Floats:
    """Scan of a group: ``work_group_reduce`` up to and with each work-item; ``work_group_scan_inclusive_add`` etc.

    Arguments, types and errors as for ``work_group_reduce``; the result has the shape of ``x``.
    Source: OpenCL C++ 1.0, 3.15.4.

    >>> work_group_scan_inclusive(np.int32([3, 1, 7, 0, 4, 1, 6, 3]), "add")
    array([ 3,  4, 11, 11, 15, 16, 22, 25], dtype=int32)
    """


@of_two(combined)
def work_group_scan_exclusive(x: NumberLike, op: GroupOperation, /) -> Floats:
    """Scan of a group: ``work_group_reduce`` of the work-items before each; ``work_group_scan_exclusive_add`` etc.

    Arguments, types and errors as for ``work_group_reduce``; the result has the shape of ``x``, and the first work-item
    has the identity.
    Source: OpenCL C++ 1.0, 3.15.4.

    >>> work_group_scan_exclusive(np.int32([3, 1, 7, 0, 4, 1, 6, 3]), "add")
    array([ 0,  3,  4, 11, 11, 15, 16, 22], dtype=int32)
    """


@of_one(truth)
def sub_group_all(predicate: NumberLike, /) -> Ints:
    """As ``work_group_all``, for the work-items of a sub-group. Source: OpenCL C++ 1.0, 3.15.2."""


@of_one(truth)
def sub_group_any(predicate: NumberLike, /) -> Ints:
    """As ``work_group_any``, for the work-items of a sub-group. Source: OpenCL C++ 1.0, 3.15.2."""


def sub_group_broadcast(a: NumberLike, sub_group_local_id: int, /, *, axis: int = -1, out: Out = None) -> Floats | Ints:
    """As ``work_group_broadcast``, for the work-items of a sub-group, which has one axis.

    Source: OpenCL C++ 1.0, 3.15.3.

    >>> sub_group_broadcast(np.float32([3, 1, 7]), 1)
    np.float32(1.0)
    """
    return _broadcast("sub_group_broadcast", a, (sub_group_local_id,), axis, out)


@of_two(combined)
def sub_group_reduce(x: NumberLike, op: GroupOperation, /) -> Floats | Ints:
    """As ``work_group_reduce``, for the work-items of a sub-group. Source: OpenCL C++ 1.0, 3.15.4.

    >>> sub_group_reduce(np.uint32([3, 1, 7]), "max")
    np.uint32(7)
    """


@of_two(combined)
def sub_group_scan_inclusive(x: NumberLike, op: GroupOperation, /) -> Floats | Ints:
    """As ``work_group_scan_inclusive``, for the work-items of a sub-group. Source: OpenCL C++ 1.0, 3.15.4."""


@of_two(combined)
def sub_group_scan_exclusive(x: NumberLike, op: GroupOperation, /) -> Floats | Ints:
    """As ``work_group_scan_exclusive``, for the work-items of a sub-group. Source: OpenCL C++ 1.0, 3.15.4."""


def group_sum_range(
    x: NumberLike, over: str = "reduce", /, *, axis: _Axes = -1, rounding: Rounding | None = None
) -> tuple[Floats, Floats]:
    """Bounds of a sum of floating-point numbers for every order of its rounded additions.

    ``x``: half, float or double. ``over``: "reduce", "scan_inclusive" or "scan_exclusive". ``rounding``: the mode of
    every addition, by default rte. Returns the least and the greatest number that additions in any order may give, or
    numbers a little further out, each in the type of ``x`` and the shape of the reduction or the scan: a value outside
    is not the sum of a conforming device that keeps subnormal numbers. The two are equal if additions are exact,
    and for two numbers; they are -inf and inf if an addition may overflow: the sum may be NaN then.

    Errors as for ``work_group_reduce``; UnknownNameError for ``over``. Source: OpenCL C++ 1.0, 3.15.4, the note on the
    order of operations; N. J. Higham, Accuracy and Stability of Numerical Algorithms, 4.2.

    >>> group_sum_range(np.float32([1e8, 1, -1e8]))
    (np.float32(-22.84186), np.float32(24.84186))
    >>> group_sum_range(np.float32([1, 2, 3]))
    (np.float32(6.0), np.float32(6.0))
    """
    call = "group_sum_range()"
    if not isinstance(over, str) or over not in _OVER:
        raise errors.not_one_of(call, "over", over, _OVER)
    refuse_altered_arithmetic(call)
    mode = "rte" if rounding is None else checked_mode(call, rounding)
    array = _operand(call, "x", x, ("half", "float", "double"))
    lines, _, restore = _lines(call, array, axis, reduces=over == "reduce")
    form = _form(lines)
    found = _over(
        over, lines, np.zeros((2, 1, 1), form.dtype), lambda last: sums.any_order(lines, form, mode, last=last)
    )
    canonical(found, form)
    return restore(found[0])[()], restore(found[1])[()]


def _broadcast(name: str, a: object, local_id: tuple[object, ...], axis: _Axes, out: Out) -> Floats | Ints:
    call = f"{name}()"
    refuse_altered_arithmetic(call)
    array = _operand(call, "a", a, _TYPES)
    axes = _axes(call, array, axis)
    if len(local_id) != len(axes):
        fact = f"{len(local_id)} ids are given for {len(axes)} axes"
        raise errors.ShapeError(f"{call}: {fact}; a group has one for each of its dimensions: give as many")
    place: list[slice | int] = [slice(None)] * array.ndim
    for dimension, number in zip(axes, local_id, strict=True):
        size = array.shape[dimension]
        if not (is_whole(number) and 0 <= number < size):
            fact = f"id {errors.shown(number)} is not one of the {size} work-items of axis {dimension}"
            raise errors.ShapeError(f"{call}: {fact}; beyond the group the value is undefined: give 0 to {size - 1}")
        place[dimension] = int(number)
    found = np.asarray(array[tuple(place)].astype(array.dtype.newbyteorder("=")))
    return delivery(call, found.shape, found.dtype, out)(found)


def _over(over: str, lines: np.ndarray, identity: np.ndarray, combined: Callable[[bool], np.ndarray]) -> np.ndarray:
    """Return the results ``combined`` of all lines: of a reduction the last one of each line alone.

    The ``identity``, with axes for lines and numbers, is the result of empty lines, and the first of exclusive scans.
    """
    reduces = over == "reduce"
    if not lines.size:
        return np.full((*identity.shape[:-2], len(lines), 1 if reduces else lines.shape[1]), identity)
    found = combined(reduces)
    if over != "scan_exclusive":
        return found
    results = np.empty_like(found)
    results[..., :1], results[..., 1:] = identity, found[..., :-1]
    return results


def _operand(call: str, name: str, value: object, known: Sequence[str]) -> np.ndarray:
    """Return ``value`` as an array of one of the types."""
    array = operand(call, name, value)
    if type_name(array.dtype) not in known:
        target = "int" if "int" in known else known[-1]
        remedy = errors.conversion(name, target)
        raise errors.wrong_dtype(call, name, type_name(array.dtype), any_of(known), remedy, SCALARS[target])
    return array


def _axes(call: str, array: np.ndarray, axis: object) -> tuple[int, ...]:
    """Return the axes of x, y and z, counted from the first one."""
    given = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    whole = [is_whole(a) and -array.ndim <= a < array.ndim for a in given]
    axes = tuple(int(a) % array.ndim for a in given) if all(whole) and array.ndim else ()
    if not 1 <= len(axes) <= 3 or len(set(axes)) < len(axes):
        fact = f"axis={errors.shown(axis)} of an array with {array.ndim} axes"
        way = "give one, or a tuple of those of x, y and z" if array.ndim else "give an array of work-items"
        raise errors.ShapeError(f"{call}: {fact}; the work-items of a group need one to three different axes: {way}")
    return axes


def _lines(
    call: str, array: np.ndarray, axis: object, *, reduces: bool
) -> tuple[np.ndarray, tuple[int, ...], Callable[[np.ndarray], np.ndarray]]:
    """Return a group on each line, in the order of linear ids, the shape of results, and a function that gives it."""
    axes = _axes(call, array, axis)
    places = tuple(range(array.ndim - len(axes), array.ndim))
    moved = array if axes == places == (array.ndim - 1,) else np.moveaxis(array, axes[::-1], places)
    shape, outer = moved.shape, moved.shape[: array.ndim - len(axes)]
    lines = np.ascontiguousarray(moved, array.dtype if array.dtype.isnative else array.dtype.newbyteorder("="))
    lines = lines.reshape(math.prod(outer), math.prod(shape[len(outer) :]))

    def restore(found: np.ndarray) -> np.ndarray:
        whole = found.reshape(outer if reduces else shape)
        return whole if reduces or moved is array else np.ascontiguousarray(np.moveaxis(whole, places, axes[::-1]))

    return lines, outer if reduces else array.shape, restore


def _form(lines: np.ndarray) -> Format:
    form = format_of(lines.dtype)
    assert form is not None  # integers have returned before
    return form


@functools.cache
def _identity(op: str, dtype: np.dtype) -> np.ndarray:
    """Return the identity of an operation as the one number of one line."""
    least, most = (-np.inf, np.inf) if dtype.kind == "f" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return np.full((1, 1), {"add": 0, "min": most, "max": least}[op], dtype)


def _sums(lines: np.ndarray, _: str, mode: Rounding, *, last: bool) -> np.ndarray:
    """Return sums, of integers wrapped, of floating-point numbers rounded once."""
    if lines.dtype.kind != "f":
        return sums.over(np.add, lines, last=last, dtype=lines.dtype)
    form = _form(lines)
    found = as_here(sums.exact(as_here(lines), form, mode, last=last))
    canonical(found, form)
    return found


def _extremes(lines: np.ndarray, op: str, _: Rounding, *, last: bool) -> np.ndarray:
    """Return the least or the greatest values; NaN if all are NaN."""
    is_least = op == "min"
    if lines.dtype.kind != "f":
        return sums.over(np.minimum if is_least else np.maximum, lines, last=last)
    lines = as_here(lines)
    with np.errstate(invalid="ignore"):  # signaling NaN
        found = sums.over(np.fmin if is_least else np.fmax, lines, last=last)
    is_zero = found == 0
    if is_zero.any():  # fmin and fmax may return either zero
        is_there = sums.over(np.logical_or, (lines == 0) & (np.signbit(lines) == is_least), last=last)
        np.copyto(found, np.where(is_there == is_least, -0.0, 0.0).astype(found.dtype), where=is_zero)
    canonical(found, _form(lines))
    return found
