"""The scalar and vector data types of OpenCL by name: their dtype, their lanes, their size."""

from __future__ import annotations

import re
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.formats import DOUBLE, Format, format_of
from clmath.rounding import round_real

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "INTEGERS",
    "SCALARS",
    "WIDTHS",
    "DataType",
    "as_array",
    "checked_lanes",
    "instead_of_vector",
    "operand",
    "type_name",
    "type_named",
    "weak",
]

WIDTHS = (2, 3, 4, 8, 16)

SCALARS: dict[str, np.dtype[Any]] = {
    "bool": np.dtype(np.bool_),
    "char": np.dtype(np.int8),
    "uchar": np.dtype(np.uint8),
    "short": np.dtype(np.int16),
    "ushort": np.dtype(np.uint16),
    "int": np.dtype(np.int32),
    "uint": np.dtype(np.uint32),
    "long": np.dtype(np.int64),
    "ulong": np.dtype(np.uint64),
    "half": np.dtype(np.float16),
    "float": np.dtype(np.float32),
    "double": np.dtype(np.float64),
}
INTEGERS = {name: dtype for name, dtype in SCALARS.items() if dtype.kind in "iu"}
_NAMES = {dtype: name for name, dtype in SCALARS.items()}
_BY_KIND = {(dtype.kind, dtype.itemsize) for dtype in SCALARS.values()}
_NAME = re.compile(r"([a-z]+?)(2|3|4|8|16)?")
_NUMPY_NAME = re.compile(r"[<>=|]?(f[248]|[iu][1248])|(u?int|float)(32|64)")  # without int8, float16 ...: vectors
_CLASSES = {np.dtype(code).type for code in "?bBhHiIlLqQefd"}
_PYTHON = {bool: "bool", int: "long", float: "double"}


@dataclass(frozen=True)
class DataType:
    """A scalar type (``lanes`` is 1) or a vector type."""

    name: str
    dtype: np.dtype[Any]
    lanes: int

    @property
    def form(self) -> Format | None:
        """The floating-point format, None for an integer type and bool."""
        return format_of(self.dtype)

    @property
    def size(self) -> int:
        """Bytes that a value takes: a vector of 3 lanes takes as many as one of 4."""
        return self.dtype.itemsize * (4 if self.lanes == 3 else self.lanes)


def type_name(dtype: np.dtype[Any]) -> str:
    """The name of a NumPy dtype of either byte order in OpenCL; the dtype's own where OpenCL has none."""
    return _NAMES.get(dtype.newbyteorder("="), str(dtype))


def type_named(call: str, name: Any) -> DataType:
    """The data type called ``name``, such as ``"uchar"`` or ``"half4"``; UnknownNameError for any other.

    A NumPy dtype, its class, and those of its names that OpenCL does not use itself stand for their scalar type.
    """
    if isinstance(name, type) and name in _PYTHON:
        fact = f"type={name.__name__} is a class of Python, not a type of OpenCL"
        raise errors.UnknownNameError(f"{call}: {fact}; its numbers are of type {_PYTHON[name]!r}")
    spelled = _in_opencl(name)
    match = _NAME.fullmatch(spelled)
    if match is None or match[1] not in SCALARS:
        remedy = f"known are {', '.join(SCALARS)}, each also with 2, 3, 4, 8 or 16 lanes as in 'float4'"
        raise errors.unknown(call, "type", spelled, tuple(SCALARS), remedy)
    return DataType(spelled, SCALARS[match[1]], int(match[2] or 1))


def _in_opencl(name: Any) -> str:
    """A type's name in OpenCL where NumPy's is given, otherwise the name itself."""
    if isinstance(name, str):
        is_numpys = bool(_NUMPY_NAME.fullmatch(name))
    else:
        is_numpys = isinstance(name, np.dtype) or (isinstance(name, type) and name in _CLASSES)
    return type_name(np.dtype(name)) if is_numpys else str(name)


def instead_of_vector(target: DataType) -> str:
    """The end of a message about a vector type whose name is a scalar's in NumPy: what that is called."""
    if target.name not in ("int8", "int16", "uint8", "uint16", "float16"):
        return ""
    return f", or say {type_name(np.dtype(target.name))!r} for NumPy's {target.name}"


def as_array(call: str, argument: str, value: Any) -> NDArray[Any]:
    """``value`` as an array; a ClmathError where it is a ragged list, or integers that NumPy would round to doubles."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise errors.ShapeError(f"{call}: {argument} is a ragged list; an array needs rows of one length") from None
    if array.dtype == DOUBLE.dtype and not hasattr(value, "dtype") and _were_integers(array, value):
        fact = "integers below 0 and from 2^63 on, which no integer type holds together"
        raise errors.DTypeError(f"{call}: {argument} lists {fact}: give an array of one type")
    return array


def _were_integers(doubles: NDArray[Any], value: Any) -> bool:
    return bool(
        doubles.size
        and doubles.min() < 0.0
        and doubles.max() >= 2.0**63
        and all(isinstance(v, Integral) for v in np.asarray(value, object).flat)
    )


def weak(number: float, form: Format) -> NDArray[Any]:
    """A plain Python number rounded once to ``form``, rte; beyond its largest number it is infinite."""
    if type(number) is int and abs(number) > 2**53:  # NumPy would round it twice
        return np.asarray(round_real(number, form, "rte"))
    with np.errstate(all="ignore"):
        return np.asarray(number, form.dtype)


def operand(call: str, argument: str, value: Any) -> NDArray[Any]:
    """``value`` as an array of one of the twelve scalar types, in the byte order it has.

    A Python int is a long, or a ulong from 2^63 on; a Python float is a double; a Python bool is a bool.
    """
    array = as_array(call, argument, value)
    if (array.dtype.kind, array.dtype.itemsize) not in _BY_KIND:
        needed = "an integer type, half, float, double or bool"
        raise errors.wrong_dtype(call, argument, array.dtype, needed, "give numbers that one of them holds")
    return array


def checked_lanes(call: str, argument: str, array: NDArray[Any], lanes: int, otherwise: str = "") -> None:
    """ShapeError where the last axis is not a vector of ``lanes``; nothing is asked of scalars (``lanes`` is 1).

    ``otherwise`` ends the message.
    """
    if lanes > 1 and (array.ndim == 0 or array.shape[-1] != lanes):
        fact = (
            f"{argument} is a scalar" if array.ndim == 0 else f"the last axis of {argument} has {array.shape[-1]} lanes"
        )
        remedy = f"give an array of shape (..., {lanes}){otherwise}"
        raise errors.ShapeError(f"{call}: {fact}; {lanes} lanes are needed: {remedy}")
