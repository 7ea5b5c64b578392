"""The scalar and vector data types of OpenCL by name: their dtype, their lanes, their size."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from clmath import errors
from clmath.formats import Format, format_of

__all__ = [
    "INTEGERS",
    "SCALARS",
    "WIDTHS",
    "DataType",
    "type_name",
    "type_named",
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
_NAME = re.compile(r"([a-z]+?)(2|3|4|8|16)?")


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
    return _NAMES.get(dtype) or _NAMES.get(dtype.newbyteorder("=")) or str(dtype)


def type_named(call: str, name: Any) -> DataType:
    """The data type called ``name``, such as ``"uchar"`` or ``"half4"``; UnknownNameError for any other."""
    match = _NAME.fullmatch(name) if isinstance(name, str) else None
    if match is None or match[1] not in SCALARS:
        remedy = f"known are {', '.join(SCALARS)}, each also with 2, 3, 4, 8 or 16 lanes as in 'float4'"
        raise errors.unknown(call, "type", str(name), tuple(SCALARS), remedy)
    return DataType(name, SCALARS[match[1]], int(match[2] or 1))
