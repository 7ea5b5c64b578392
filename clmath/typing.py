"""The types in the signatures of the public functions."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, SupportsFloat, SupportsIndex, TypeAlias, TypeVar

import numpy as np

from clmath.engines.choice import EngineName as Engine
from clmath.numbers.rounding import Rounding
from clmath.spec.editions import Profile

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Addressing",
    "ChannelOrder",
    "ChannelType",
    "Edition",
    "Engine",
    "Filter",
    "FloatLike",
    "Floats",
    "Format",
    "GroupOperation",
    "IntLike",
    "Ints",
    "NumPyName",
    "NumberLike",
    "Numbers",
    "OnDevice",
    "Out",
    "Outs",
    "Printable",
    "Profile",
    "RealLike",
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

NumPyName: TypeAlias = Literal["float32", "float64", "int32", "int64", "uint32", "uint64"]
"""NumPy's names of scalar types that OpenCL C does not use itself."""

Type: TypeAlias = TypeName | NumPyName | tuple[TypeName, int] | np.dtype | type[np.generic]
"""A type by name, a vector as its scalar type and its number of components, or a scalar type of NumPy."""

Format: TypeAlias = Literal["half", "float", "double"] | np.dtype[np.floating] | type[np.floating]
"""A format for which the specification has limits."""

Edition: TypeAlias = Literal["opencl-c++-1.0", "opencl-c-3.1.1", "opencl-cts"] | PathLike[str]
"""A published text of the specification, or a folder with the tables of another."""

GroupOperation: TypeAlias = Literal["add", "min", "max"]
"""The operation on the values of a group."""

ChannelType: TypeAlias = Literal[
    "unorm_int8", "unorm_int16", "snorm_int8", "snorm_int16",
    "unorm_short_565", "unorm_short_555", "unorm_int_101010", "half_float", "float",
    "signed_int8", "signed_int16", "signed_int32", "unsigned_int8", "unsigned_int16", "unsigned_int32",
]  # fmt: skip
"""The type of the channels of an image."""

ChannelOrder: TypeAlias = Literal[
    "r", "rx", "a", "rg", "rgx", "ra", "rgb", "rgbx", "rgba", "bgra", "argb", "abgr",
    "intensity", "luminance", "depth", "srgb", "srgbx", "srgba", "sbgra",
]  # fmt: skip
"""The order of the channels of an image."""

Addressing: TypeAlias = Literal["none", "clamp", "clamp_to_edge", "repeat", "mirrored_repeat"]
"""The texels outside of an image."""

Filter: TypeAlias = Literal["nearest", "linear"]
"""The choice of texels around a place."""

T_co = TypeVar("T_co", bound=np.dtype, covariant=True)
Item_co = TypeVar("Item_co", covariant=True)


class SupportsArray(Protocol[T_co]):
    """Anything that NumPy can see as an array: arrays and scalars of NumPy, series, memory-mapped files."""

    def __array__(self) -> np.ndarray[Any, T_co]:
        """Return the array."""


class OpenCLArray(Protocol):
    """An array of pyopencl, ``pyopencl.array.Array``."""

    @property
    def queue(self) -> object:
        """The queue for its work."""

    def get(self) -> object:
        """Return a copy as an array of NumPy."""


class CudaArray(Protocol):
    """An array on a CUDA device: of CuPy, PyTorch and others."""

    @property
    def __cuda_array_interface__(self) -> object:
        """Its place, type and shape."""


OnDevice: TypeAlias = OpenCLArray | CudaArray
"""An array on a device: its results are on the device as well. Its format is not checked before the call."""


class Items(Protocol[Item_co]):
    """A list, a tuple, a range or another sequence, but not text: a str contains only str."""

    def __contains__(self, item: object, /) -> bool:
        """Return whether the item is one of the sequence."""

    def __getitem__(self, index: SupportsIndex, /) -> Item_co:
        """Return one item."""

    def __iter__(self) -> Iterator[Item_co]:
        """Return an iterator over all items."""

    def __len__(self) -> int:
        """Return the number of items."""

    def __reversed__(self) -> Iterator[Item_co]:
        """Return an iterator from the last item to the first."""


Numbers: TypeAlias = Items[float] | Items["Numbers"]
"""Python numbers in a sequence, or in sequences of sequences."""

FloatLike: TypeAlias = float | SupportsArray[np.dtype[np.floating]] | OnDevice | Items["FloatLike"]
"""A gentype argument: half, float or double; a plain Python number takes the format of the other arguments' arrays."""

IntLike: TypeAlias = int | SupportsArray[np.dtype[np.integer]] | OnDevice | Items["IntLike"]
"""Integers: for an intn argument of any width whose values fit an int, for a gentype argument of its type."""

NumberLike: TypeAlias = FloatLike | IntLike | SupportsArray[np.dtype[np.bool_]]
"""Numbers of any kind: half, float, double, integers or bool."""

RealLike: TypeAlias = NumberLike | SupportsFloat | Items["RealLike"]
"""Numbers of any kind, and exact ones of other packages: fractions, decimals, mpfr, mpf."""

UnsignedLike: TypeAlias = int | SupportsArray[np.dtype[np.unsignedinteger]]
"""The code of a NaN: ushort, uint or ulong."""

Floats: TypeAlias = Any
"""A result in the arguments' format: a NumPy scalar if all arguments are, else an array; Any, as for ufuncs."""

Ints: TypeAlias = Any
"""A result of an integer type: a NumPy scalar if all arguments are, otherwise an array."""

_Array: TypeAlias = np.ndarray | OnDevice

Out: TypeAlias = _Array | tuple[_Array | None, ...] | None
"""The target of results: an array of the result's shape and dtype (a tuple for several), or None for fresh ones."""

Outs: TypeAlias = tuple[_Array | None, ...] | None
"""The targets of a function with several results: a tuple of ``Out``'s arrays, or None for fresh ones."""

Printable: TypeAlias = NumberLike | str
"""An argument of ``sprintf``: numbers, or the text of ``%s``."""

Where: TypeAlias = bool | SupportsArray[np.dtype[np.bool_]] | Items["Where"]
"""The elements to compute: True for all, or truth values that broadcast with the arguments."""

Truth: TypeAlias = type[bool | np.bool_] | np.dtype[np.bool_] | None
"""The type of results of tests: bool, or None for the type in the specification."""
