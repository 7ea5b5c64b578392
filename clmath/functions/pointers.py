"""Memory that functions read and write: one-dimensional arrays, and the widths of vectors in them."""

from __future__ import annotations

from numbers import Integral
from typing import TypeGuard

import numpy as np

from clmath import errors
from clmath.call.arguments import operand
from clmath.numbers.datatypes import SCALARS, type_name

__all__ = [
    "aligned",
    "broadcasts",
    "check_type",
    "checked_width",
    "is_whole",
    "of_any_type",
    "pointer",
    "writable",
]

_USUAL = frozenset({*SCALARS.values()} - {SCALARS["bool"]})


def pointer(call: str, name: str, value: object) -> np.ndarray:
    """Return memory as an array with one axis, of any type except bool."""
    if type(value) is np.ndarray and value.ndim == 1 and value.dtype in _USUAL:
        return value
    array = of_any_type(call, name, value)
    if array.ndim != 1:
        raise errors.ShapeError(f"{call}: {name} has shape {array.shape}; memory has one axis: use {name}.reshape(-1)")
    return array


def of_any_type(call: str, name: str, value: object) -> np.ndarray:
    """Return an array of any type except bool."""
    array = operand(call, name, value)
    if array.dtype.kind == "b":
        raise errors.wrong_dtype(call, name, "bool", "any other type", errors.conversion(name, "uchar"))
    return array


def check_type(call: str, name: str, array: np.ndarray, other: str, needed: np.dtype) -> None:
    """Raise DTypeError if an array, of either byte order, is not of the type that the argument ``other`` has."""
    if array.dtype != needed and array.dtype.newbyteorder("=") != needed.newbyteorder("="):
        remedy = errors.conversion(name, type_name(needed.newbyteorder("=")))
        raise errors.wrong_dtype(call, name, array.dtype, f"{needed}, the type of {other}", remedy)


def writable(call: str, name: str, value: object, *, is_memory: bool = True) -> np.ndarray:
    """Return an array that a function may write to, memory with one axis by default."""
    if not isinstance(value, np.ndarray):
        way = f"a copy could not be seen; make {name} one, np.asarray({name}), and look into that"
        raise errors.wrong_dtype(call, name, type(value).__name__, "a NumPy array", way)
    array = (pointer if is_memory else operand)(call, name, value)
    if not array.flags.writeable:
        raise errors.ShapeError(f"{call}: {name} is read-only; a writable array is needed: use {name}.copy()")
    return array


def checked_width(call: str, name: str, value: object, known: tuple[int, ...]) -> int:
    """Return the number of components ``value``, one of ``known``."""
    if is_whole(value) and value in known:
        return int(value)
    fact = f"{name}={errors.shown(value)} is not one of {', '.join(map(str, known))}"
    raise errors.ShapeError(f"{call}: {fact}: give one of them")


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is an integer, of Python or of NumPy, and not a bool."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def aligned(width: int) -> int:
    """Return the components that a vector takes in memory: 3 take the space of 4."""
    return 4 if width == 3 else width


def broadcasts(shape: tuple[int, ...], needed: tuple[int, ...]) -> bool:
    """Whether an array of ``shape`` broadcasts to the shape ``needed``."""
    try:
        return shape == needed or np.broadcast_shapes(shape, needed) == needed
    except ValueError:
        return False
