"""The types in the signatures of the public functions."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import numpy as np

from clmath.engines.choice import EngineName as Engine
from clmath.numbers.rounding import Rounding
from clmath.spec.profiles import Profile

__all__ = [
    "Edition",
    "Engine",
    "FloatLike",
    "Floats",
    "Format",
    "GroupOperation",
    "IntLike",
    "Ints",
    "OnDevice",
    "Out",
    "Profile",
    "Rounding",
    "Truth",
    "Type",
    "TypeName",
    "UnsignedLike",
    "Where",
]

TypeName: TypeAlias = Literal[
    "bool", "bool2", "bool3", "bool4", "bool8", "bool16",
    "char", "char2", "char3", "char4", "char8", "char16",
    "uchar", "uchar2", "uchar3", "uchar4", "uchar8", "uchar16",
    "short", "short2", "short3", "short4", "short8", "short16",
    "ushort", "ushort2", "ushort3", "ushort4", "ushort8", "ushort16",
    "int", "int2", "int3", "int4",
    "uint", "uint2", "uint3", "uint4",
    "long", "long2", "long3", "long4", "long8", "long16",
    "ulong", "ulong2", "ulong3", "ulong4", "ulong8", "ulong16",
    "half", "half2", "half3", "half4", "half8", "half16",
    "float", "float2", "float3", "float4", "float8",
    "double", "double2", "double3", "double4", "double8", "double16",
    "bfloat16",
]  # fmt: skip
"""The types of OpenCL C by name, and bfloat16; without the names of vectors that are scalars in NumPy."""

Type: TypeAlias = TypeName | tuple[TypeName, int] | np.dtype[Any] | type[np.generic]
"""A type by name, a vector as its scalar type and its number of lanes, or a scalar type as NumPy has it."""

Format: TypeAlias = Literal["half", "float", "double"] | np.dtype[np.floating[Any]] | type[np.floating[Any]]
"""A format that the specification has limits for."""

Edition: TypeAlias = Literal["opencl-c++-1.0", "opencl-c-3.1.1"] | PathLike[str]
"""A published text of the specification, or a folder with the tables of another."""

GroupOperation: TypeAlias = Literal["add", "min", "max"]
"""What is computed of the values of a group."""

T_co = TypeVar("T_co", bound=np.dtype[Any], covariant=True)


class SupportsArray(Protocol[T_co]):
    """Anything that NumPy can see as an array: arrays and scalars of NumPy, series, memory-mapped files."""

    def __array__(self) -> np.ndarray[Any, T_co]:
        """Return the array."""


class OpenCLArray(Protocol):
    """An array of pyopencl, ``pyopencl.array.Array``."""

    @property
    def queue(self) -> Any:
        """What its work is given to."""

    def get(self) -> Any:
        """Return a copy of NumPy's."""


class CudaArray(Protocol):
    """An array on a CUDA device: of CuPy, PyTorch and others."""

    @property
    def __cuda_array_interface__(self) -> Any:
        """Where it lies, and its type and shape."""


OnDevice: TypeAlias = OpenCLArray | CudaArray
"""An array that lies on a device: results of it lie there as well. Its format is not checked before the call."""

FloatLike: TypeAlias = float | SupportsArray[np.dtype[np.floating[Any]]] | OnDevice | Sequence["FloatLike"]
"""A gentype argument: half, float or double; a plain Python number takes the format of the arrays beside it."""

IntLike: TypeAlias = int | SupportsArray[np.dtype[np.integer[Any]]] | OnDevice | Sequence["IntLike"]
"""Integers: for an intn argument of any width whose values fit an int, for a gentype argument of its type."""

UnsignedLike: TypeAlias = int | SupportsArray[np.dtype[np.unsignedinteger[Any]]]
"""The code of a NaN: ushort, uint or ulong."""

Floats: TypeAlias = Any
"""A result in the arguments' format: a NumPy scalar where all arguments are, else an array; as ufuncs', Any."""

Ints: TypeAlias = Any
"""A result of an integer type: a NumPy scalar where all arguments are, otherwise an array."""

_Array: TypeAlias = np.ndarray[Any, np.dtype[Any]] | OnDevice

Out: TypeAlias = _Array | tuple[_Array | None, ...] | None
"""Where results go: an array of the result's shape and dtype (a tuple for several results), or None for fresh ones."""

Where: TypeAlias = bool | SupportsArray[np.dtype[np.bool_]] | Sequence["Where"]
"""Which elements are computed: True for all, or truth values that broadcast with the arguments."""

Truth: TypeAlias = type[bool | np.bool_] | np.dtype[np.bool_] | None
"""What says whether results of tests are bool, or what the specification says: None."""
