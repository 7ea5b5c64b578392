"""The types in the signatures of the public functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from clmath.engines.choice import EngineName as Engine
from clmath.numbers.rounding import Rounding
from clmath.spec.editions import Edition

__all__ = [
    "Edition",
    "Engine",
    "FloatLike",
    "Floats",
    "IntLike",
    "Ints",
    "OnDevice",
    "Out",
    "Rounding",
    "Truth",
    "UnsignedLike",
    "Where",
]

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

Out: TypeAlias = NDArray[Any] | OnDevice | tuple[NDArray[Any] | OnDevice | None, ...] | None
"""Where results go: an array of the result's shape and dtype (a tuple for several results), or None for fresh ones."""

Where: TypeAlias = bool | SupportsArray[np.dtype[np.bool_]] | Sequence["Where"]
"""Which elements are computed: True for all, or truth values that broadcast with the arguments."""

Truth: TypeAlias = type[bool | np.bool_] | np.dtype[np.bool_] | None
"""What says whether results of tests are bool, or what the specification says: None."""
