"""Arguments of calls: arrays and all that NumPy takes for one, plain Python numbers, vectors, shapes that broadcast."""

from __future__ import annotations

import array as arrays
import math
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from clmath import errors
from clmath.call import containers
from clmath.call.remedies import of_objects, to_one_type
from clmath.numbers.datatypes import SCALARS, type_name
from clmath.numbers.formats import DOUBLE, is_float
from clmath.numbers.rounding import round_real

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from clmath.numbers.formats import Format

_TYPED = (str, bytes, bytearray, memoryview, arrays.array)  # sequences that have a type of their own
_BY_KIND = {(dtype.kind, dtype.itemsize) for dtype in SCALARS.values()}


def is_weak(value: object) -> TypeIs[float]:
    """Whether ``value`` is a plain Python number, which takes the type of the arrays among the arguments."""
    return type(value) in (int, float)


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    """Whether ``value`` is a list, a tuple, a range or another sequence of Python objects, which have no type yet."""
    return isinstance(value, (list, tuple)) or (isinstance(value, Sequence) and not isinstance(value, _TYPED))


def _is_weak_list(value: object) -> bool:
    """Whether ``value`` is a list (of lists) of plain Python numbers."""
    if isinstance(value, range):
        return True
    return _is_sequence(value) and all(_is_weak_list(v) or is_weak(v) for v in value)


def is_typed_array(value: object) -> TypeGuard[np.ndarray]:
    """Whether ``value`` is an array of NumPy whose elements are not Python objects."""
    return type(value) is np.ndarray and not value.dtype.hasobject


def as_array(call: str, argument: str, value: object) -> np.ndarray:
    """Return ``value`` as an array; ClmathError if that fails, or if NumPy would round listed integers to doubles."""
    if is_typed_array(value):
        return value
    containers.refuse(call, argument, value)
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, RuntimeError) as error:
        if "inhomogeneous" in str(error):
            raise _ragged(call, argument) from None
        raise containers.unreadable(call, argument, value, error) from error
    if _is_sequence(value) and (
        array.dtype == object or (array.dtype == DOUBLE.dtype and np.any(np.abs(array) >= 2.0**53))
    ):
        array = _as_integers(call, argument, value, array)
    if array.dtype.kind == "O" and type(value) is not int:
        fact, way = of_objects(argument, value, array)
        raise errors.DTypeError(f"{call}: {argument} {fact}; an array of numbers or bools is needed: {way}")
    return array


def _ragged(call: str, argument: str) -> errors.ShapeError:
    return errors.ShapeError(f"{call}: {argument} is a ragged list; an array needs lists of one length")


def _as_integers(call: str, argument: str, value: object, made: np.ndarray) -> np.ndarray:
    """Return a list of integers only, in the type that holds them all; NumPy's ``made`` may be doubles, or objects."""
    numbers = np.asarray(value, object)
    if not all(isinstance(v, Integral) for v in numbers.flat):
        return made
    least, most = min(numbers.flat), max(numbers.flat)
    for dtype in (SCALARS["long"], SCALARS["ulong"]):
        if np.iinfo(dtype).min <= least and most <= np.iinfo(dtype).max:
            return numbers.astype(dtype)
    large = "beyond 64 bits" if least < -(2**63) or most >= 2**64 else "below 0 and from 2^63 on"
    fact = f"integers {large}, which no integer type holds together"
    low = f"(np.asarray({argument}, object) % 2**64).tolist() has their low bits"
    raise errors.DTypeError(f"{call}: {argument} lists {fact}: np.asarray({argument}, float) rounds them, {low}")


def as_floats(call: str, argument: str, value: object) -> np.ndarray:
    """Return ``value`` as a floating-point array; Python numbers in lists, ints too, are doubles."""
    if not (_is_sequence(value) and _is_weak_list(value)):
        return as_array(call, argument, value)
    try:
        return np.asarray(value, np.float64)
    except ValueError as error:
        if "inhomogeneous" in str(error):
            raise _ragged(call, argument) from None
        raise containers.unreadable(call, argument, value, error) from error
    except OverflowError:
        raise _too_large(call, argument, "lists a Python int", DOUBLE) from None


def weak(call: str, argument: str, number: float, form: Format) -> np.ndarray:
    """Return a plain Python number rounded once to ``form``, rte; an error if it is finite and becomes an infinity."""
    if type(number) is int and abs(number) > min(form.largest, 2**53):  # above 2^53 NumPy would round twice
        rounded = np.asarray(round_real(number, form, "rte"))
    else:
        with np.errstate(all="ignore"):
            rounded = np.asarray(number, form.dtype)
    if abs(number) > form.largest and not math.isfinite(rounded) and (type(number) is int or math.isfinite(number)):
        fact = f"is a Python int of {number.bit_length()} bits" if type(number) is int else f"is {number!r}"
        raise _too_large(call, argument, fact, form)
    return rounded


def _too_large(call: str, argument: str, fact: str, form: Format) -> errors.RangeError:
    reach = f"the largest {form} is {form.largest:.6g}"
    return errors.RangeError(f"{call}: {argument} {fact}; {reach}: give float('inf') where an infinity is meant")


def misfit(array: np.ndarray, dtype: np.dtype) -> int | None:
    """Return a value of the integers ``array`` that the integer type ``dtype`` does not hold, else None."""
    if array.size and not np.can_cast(array.dtype, dtype):
        info = np.iinfo(dtype)
        for value in (int(array.max()), int(array.min())):
            if not info.min <= value <= info.max:
                return value
    return None


def all_integers(*args: object) -> bool:
    """Whether a call of a built-in that integers and floating-point numbers share is the integers' own."""
    try:
        typed = "".join(map(_kind, args))
    except (ValueError, TypeError, RuntimeError):  # not an array; the other built-in refuses it
        return False
    return not typed.strip("iub") if typed else all(map(_lists_ints, args))


def _kind(value: object) -> str:
    """Return the kind of dtype of an argument; empty for plain Python numbers, lists of these, and a masked number."""
    if is_weak(value) or value is np.ma.masked or _is_weak_list(value):
        return ""
    if not containers.opens(value):
        containers.refuse("", "", value)
    return np.asarray(value).dtype.kind


def _lists_ints(value: object) -> bool:
    return isinstance(value, range) or (all(map(_lists_ints, value)) if _is_sequence(value) else type(value) is int)


def operand(call: str, argument: str, value: object) -> np.ndarray:
    """Return ``value`` as an array of one of the twelve scalar types, in its own byte order.

    A Python int is a long, or a ulong from 2^63 on; a Python float is a double; a Python bool is a bool.
    """
    array = as_array(call, argument, value)
    if (array.dtype.kind, array.dtype.itemsize) not in _BY_KIND and not is_float(array.dtype):
        needed = "an integer type, half, float, double or bool"
        raise errors.wrong_dtype(call, argument, array.dtype, needed, "give numbers that one of them holds")
    return array


def agreed(call: str, typed: Sequence[tuple[str, np.dtype]], kind: str, known: Sequence[np.dtype]) -> np.dtype | None:
    """Return the one type (``kind``: 'format' or 'type') of all gentype arguments, or None without any; else an error.

    ``typed``: the arguments with their types; ``known``: the types of the built-in.
    """
    if len({dtype for _, dtype in typed}) > 1:
        facts = ", ".join(f"{name} is {type_name(dtype)}" for name, dtype in typed)
        raise errors.DTypeError(f"{call}: all gentype arguments need one {kind}; {facts}: {to_one_type(typed, known)}")
    return typed[0][1] if typed else None


def any_of(names: Sequence[object]) -> str:
    """``half, float or double``."""
    *rest, last = map(str, names)
    return f"{', '.join(rest)} or {last}" if rest else last


def checked_width(call: str, argument: str, array: np.ndarray, widths: Sequence[int]) -> int:
    """Return the components of the vectors on the last axis of ``array``, one of ``widths``; a scalar has one."""
    count = array.shape[-1] if array.ndim else 1
    if count not in widths or (array.ndim == 0 and 1 not in widths):
        remedy = f": give an array of shape (..., {widths[0] if len(widths) == 1 else 'components'})"
        fact = f"the last axis of {argument} has {count}" if array.ndim else f"{argument} is a scalar and has 1"
        raise errors.ShapeError(f"{call}: {fact} components; {any_of(widths)} are needed{remedy}")
    return count


def common_shape(
    call: str, names: Sequence[str], shapes: Sequence[tuple[int, ...]], whole: Sequence[np.ndarray] = ()
) -> tuple[int, ...]:
    """Return the shape that ``shapes`` broadcast to; an error shows the shapes of ``whole``, the arguments."""
    if shapes.count(shapes[0]) == len(shapes):
        return shapes[0]
    found = broadcast(shapes)
    if found is None:
        raise errors.no_shape(call, names, [a.shape for a in whole] or shapes)
    return found


def broadcast(shapes: Iterable[tuple[int, ...]]) -> tuple[int, ...] | None:
    """Return the shape that ``shapes`` broadcast to, or None if they do not."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None
