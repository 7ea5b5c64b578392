"""The three floating-point formats of OpenCL and what follows from their precision and exponent range."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["DOUBLE", "FLOAT", "FORMATS", "HALF", "Format", "format_named", "format_of"]


@dataclass(frozen=True)
class Format:
    """An IEEE 754 binary format: ``precision`` significant bits, exponents ``emin`` to ``emax`` of 1.f x 2^e."""

    name: str
    precision: int
    emax: int

    @property
    def emin(self) -> int:
        """Exponent of the smallest normal number."""
        return 1 - self.emax

    @property
    def quantum(self) -> int:
        """Exponent of the smallest subnormal number: every number of the format is a multiple of 2^quantum."""
        return self.emin - self.precision + 1

    @property
    def width(self) -> int:
        """Size of the encoding in bits."""
        return self.precision + self.emax.bit_length() + 1

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype, native byte order."""
        return np.dtype(f"f{self.width // 8}")

    @cached_property
    def bits_dtype(self) -> np.dtype[Any]:
        """The unsigned integer dtype of the same width."""
        return np.dtype(f"u{self.width // 8}")

    @cached_property
    def largest(self) -> float:
        """The largest finite number, (2 - 2^(1-precision)) x 2^emax."""
        return (2.0 - 2.0 ** (1 - self.precision)) * 2.0**self.emax

    @cached_property
    def smallest_normal(self) -> float:
        """The smallest positive normal number, 2^emin."""
        return 2.0**self.emin

    @cached_property
    def smallest_subnormal(self) -> float:
        """The smallest positive number, 2^quantum."""
        return 2.0**self.quantum

    @cached_property
    def nan(self) -> Any:
        """The NaN that computations give: quiet, positive, without payload; 0x7e00 in half."""
        return self.from_bits((4 * self.emax + 3) << (self.precision - 2))[()]

    @cached_property
    def eps(self) -> float:
        """Distance from 1 to the next larger number, 2^(1-precision)."""
        return 2.0 ** (1 - self.precision)

    def bits(self, values: Any) -> NDArray[Any]:
        """The encodings of ``values`` (any shape) as unsigned integers."""
        return np.asarray(values, self.dtype).view(self.bits_dtype)

    def from_bits(self, bits: Any) -> NDArray[Any]:
        """The numbers that the encodings ``bits`` (any shape, unsigned integers) stand for."""
        return np.asarray(bits, self.bits_dtype).view(self.dtype)

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """There is one object a format, in every process: a copy or an unpickled one is the format itself."""
        return format_named, (self.name,)


HALF = Format("half", 11, 15)
FLOAT = Format("float", 24, 127)
DOUBLE = Format("double", 53, 1023)
FORMATS = (HALF, FLOAT, DOUBLE)

_BY_NAME = {f.name: f for f in FORMATS}
_BY_CHAR = {"e": HALF, "f": FLOAT, "d": DOUBLE}


def format_of(dtype: np.dtype[Any]) -> Format | None:
    """The format of a NumPy dtype of either byte order, or None where it is not half, float or double."""
    return _BY_CHAR.get(dtype.char)


def format_named(name: str, call: str = "format") -> Format:
    """The format called ``name``; ValueError for any other name."""
    try:
        return _BY_NAME[name]
    except (KeyError, TypeError):
        raise errors.not_one_of(call, "type", name, tuple(_BY_NAME)) from None
