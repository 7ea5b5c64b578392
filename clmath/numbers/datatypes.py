"""The scalar and vector data types of OpenCL by name: their dtype, number of components, and size."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

import numpy as np

from clmath import errors
from clmath.numbers.formats import FORMATS, KNOWN, Format, dtype_of, format_of

__all__ = [
    "CLASHING",
    "INTEGERS",
    "SCALARS",
    "WIDTHS",
    "DataType",
    "declared",
    "refuse_clash",
    "spelled_type",
    "type_name",
    "type_named",
]

WIDTHS = (2, 3, 4, 8, 16)

SCALARS: dict[str, np.dtype] = {
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
_NUMPY_NAME = re.compile(r"[<>=|]?(f[248]|[iu][1248])|(u?int|float)(32|64)")
CLASHING = ("int8", "int16", "uint8", "uint16", "float16")
"""Names of scalars in NumPy, and of vectors in OpenCL."""
_OTHER_FORMATS = {form.name: form for form in KNOWN if form not in FORMATS}  # computed in, though not of OpenCL C
_PYTHON = {bool: "bool", int: "long", float: "double"}


@dataclass(frozen=True)
class DataType:
    """A scalar type (``components`` is 1) or a vector type."""

    name: str
    dtype: np.dtype
    components: int

    @functools.cached_property
    def form(self) -> Format | None:
        """The floating-point format, None for an integer type and bool."""
        return format_of(self.dtype)

    @property
    def size(self) -> int:
        """Bytes that a value takes: a vector of 3 components takes the space of one of 4."""
        return self.dtype.itemsize * (4 if self.components == 3 else self.components)


def type_name(dtype: np.dtype) -> str:
    """The name of a NumPy dtype of either byte order in OpenCL; the dtype's own where OpenCL has none."""
    return _NAMES.get(dtype) or _NAMES.get(dtype.newbyteorder("=")) or str(dtype)


def declared(word: str, gentype: np.dtype) -> np.dtype:
    """The dtype of a component of the type that ``word`` names in a declaration, which may depend on ``gentype``."""
    size, kind = gentype.itemsize, gentype.kind
    if word in ("gentype", "scalar"):
        return gentype
    if word == "intn":
        return INTEGERS["int"]
    if word in ("ugentype", "nancode"):
        return np.dtype(f"u{size}")
    if word in ("igentype", "condition"):
        return np.dtype(f"i{size}")
    return np.dtype(f"{kind}{2 * size}") if word == "wgentype" else INTEGERS[word]


def type_named(call: str, name: object) -> DataType:
    """The data type called ``name``, such as ``"uchar"`` or ``"half4"``; UnknownNameError for any other.

    A NumPy dtype, its class, and its names that OpenCL does not use itself denote their scalar type. A scalar type and
    a number of components, ``("float", 16)``, are a vector type, too. UnknownNameError for a name that is a scalar's in
    NumPy and a vector's in OpenCL.
    """
    refuse_clash(call, name)
    return spelled_type(call, name)


def refuse_clash(call: str, name: object) -> None:
    """Raise UnknownNameError where NumPy and OpenCL call different types ``name``."""
    if isinstance(name, str) and name in CLASHING:
        components = _NAME.fullmatch(name)
        assert components is not None  # every name of a vector matches
        fact = f"{name!r} is a scalar in NumPy and a vector of {components[2]} {components[1]} in OpenCL"
        scalar, vector = type_name(np.dtype(name)), (components[1], int(components[2]))
        raise errors.UnknownNameError(f"{call}: {fact}; say {scalar!r} for the scalar, {vector} for the vector")


def spelled_type(call: str, name: object) -> DataType:
    """Return the same type where ``name`` is a part of a name of OpenCL, such as ``convert_float16``."""
    try:
        return _known_type(call, name)
    except TypeError:  # an unhashable object is not a name
        return _type_named(call, name)


def _type_named(call: str, name: object) -> DataType:
    if isinstance(name, type) and name in _PYTHON:
        fact = f"type={name.__name__} is a class of Python, not a type of OpenCL"
        raise errors.UnknownNameError(f"{call}: {fact}; its numbers are of type {_PYTHON[name]!r}")
    spelled = _in_opencl(name)
    if isinstance(name, tuple) and len(name) == 2 and isinstance(name[1], int):
        spelled = f"{_in_opencl(name[0])}{name[1]}"
    if spelled in _OTHER_FORMATS:
        return DataType(spelled, _OTHER_FORMATS[spelled].dtype, 1)
    match = _NAME.fullmatch(spelled)
    if match is None or match[1] not in SCALARS:
        remedy = f"known are {', '.join(SCALARS)}, each also with 2, 3, 4, 8 or 16 components as in 'float4'"
        raise errors.unknown(call, "type", spelled, tuple(SCALARS), remedy)
    return DataType(spelled, SCALARS[match[1]], int(match[2] or 1))


_known_type = functools.lru_cache(maxsize=512, typed=True)(_type_named)


def _in_opencl(name: object) -> str:
    """A type's name in OpenCL where NumPy's is given, otherwise the name itself."""
    if isinstance(name, str):
        return type_name(np.dtype(name)) if _NUMPY_NAME.fullmatch(name) else name
    dtype = dtype_of(name)
    return errors.text_of(name) if dtype is None else type_name(dtype)
