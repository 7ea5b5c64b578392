"""The floating-point formats, one row each: three of OpenCL C, and bfloat16; and the rounding modes."""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from clmath import errors

__all__ = [
    "BFLOAT16",
    "DOUBLE",
    "FLOAT",
    "FORMATS",
    "HALF",
    "KNOWN",
    "MODES",
    "Format",
    "Rounding",
    "dtype_of",
    "format_named",
    "format_of",
    "is_float",
    "offered",
]

Rounding: TypeAlias = Literal["rte", "rtz", "rtp", "rtn"]
MODES: tuple[Rounding, ...] = get_args(Rounding)


@dataclass(frozen=True, eq=False)  # one object per format: equal is the same, and hashed as fast
class Format:
    """A binary format: ``precision`` significant bits, exponents ``emin`` to ``emax`` of 1.f x 2^e.

    ``storage``: the NumPy dtype, native byte order, or MODULE.NAME where another package brings it, with ``extra`` of
    clmath. ``quiet_nan``: the encoding of the NaN that computations give. ``infinities``: a format without them uses
    their encodings for numbers, except the largest encoding, and overflows to NaN. Every format has subnormals and
    zeros of both signs.
    """

    name: str
    storage: str
    precision: int
    emin: int
    emax: int
    quiet_nan: int
    infinities: bool = True
    extra: str = ""

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def quantum(self) -> int:
        """Exponent of the smallest subnormal number: every number of the format is a multiple of 2^quantum."""
        return self.emin - self.precision + 1

    @cached_property
    def width(self) -> int:
        """Size of the encoding in bits."""
        return self.precision + (self.emax - self.emin + 1).bit_length()

    @cached_property
    def magnitude(self) -> int:
        """All bits of an encoding except the sign."""
        return (1 << self.width - 1) - 1

    @cached_property
    def infinite(self) -> int:
        """The encoding with all exponent bits set, which is infinity in formats that have it."""
        return ((1 << self.width - self.precision) - 1) << self.precision - 1

    def holds(self, other: Format) -> bool:
        """Whether every number of ``other`` is a number of this format."""
        return self.precision >= other.precision and self.emax >= other.emax and self.quantum <= other.quantum

    @cached_property
    def is_narrow(self) -> bool:
        """Whether float holds every number of the format: then double holds sums and products of two as well."""
        return FLOAT.holds(self)

    @cached_property
    def is_short(self) -> bool:
        """Whether the encoding is shorter than float's: NumPy is slow then."""
        return self.width < FLOAT.width

    @cached_property
    def dtype(self) -> np.dtype:
        """The NumPy dtype, native byte order; MissingDependencyError where the package that brings it is not there."""
        module, _, name = self.storage.rpartition(".")
        try:
            found: np.dtype = np.dtype(getattr(importlib.import_module(module), name) if module else name)
        except ImportError:
            raise errors.missing(self.name, module, self.extra) from None
        return found

    @cached_property
    def bits_dtype(self) -> np.dtype:
        """The unsigned integer dtype of the same width."""
        return np.dtype(f"u{self.width // 8}")

    @cached_property
    def largest(self) -> float:
        """The largest finite number: all ones, or one less in the last place where that is NaN, x 2^emax."""
        last = 1 if self.infinities else 2
        return (2.0 - last * 2.0 ** (1 - self.precision)) * 2.0**self.emax

    @property
    def beyond(self) -> float:
        """The result of overflow: infinity, or NaN in a format without infinities."""
        return math.inf if self.infinities else math.nan

    @cached_property
    def smallest_normal(self) -> float:
        """The smallest positive normal number, 2^emin."""
        return 2.0**self.emin

    @cached_property
    def smallest_subnormal(self) -> float:
        """The smallest positive number, 2^quantum."""
        return 2.0**self.quantum

    @cached_property
    def nan(self) -> np.generic:
        """The NaN that computations give: quiet, positive, without payload; 0x7e00 in half."""
        found: np.generic = self.from_bits([self.quiet_nan])[0]
        return found

    @cached_property
    def eps(self) -> float:
        """Distance from 1 to the next larger number, 2^(1-precision)."""
        return 2.0 ** (1 - self.precision)

    def bits(self, values: object) -> np.ndarray:
        """The encodings of ``values`` (any shape) as unsigned integers."""
        return np.asarray(values, self.dtype).view(self.bits_dtype)

    def from_bits(self, bits: object) -> np.ndarray:
        """The numbers with the encodings ``bits`` (any shape, unsigned integers)."""
        return np.asarray(bits, self.bits_dtype).view(self.dtype)

    def signals(self, values: np.ndarray) -> NDArray[np.bool_]:
        """Where ``values`` are signaling NaN: NaN whose significand does not begin with a one."""
        quiet = self.bits_dtype.type(1 << (self.precision - 2))
        return np.asarray(np.isnan(values) & ((self.bits(values) & quiet) == 0))

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Callable[[str], Format], tuple[str]]:
        """Copies and unpickled objects are the format itself: every process has one object per format."""
        return _known, (self.name,)


def _known(name: str) -> Format:
    """The format of this name; a function of the module, because a dict's own method would travel with the dict."""
    return _BY_NAME[name]


HALF = Format("half", "float16", precision=11, emin=-14, emax=15, quiet_nan=0x7E00)
FLOAT = Format("float", "float32", precision=24, emin=-126, emax=127, quiet_nan=0x7FC00000)
DOUBLE = Format("double", "float64", precision=53, emin=-1022, emax=1023, quiet_nan=0x7FF8000000000000)
BFLOAT16 = Format(
    "bfloat16", "ml_dtypes.bfloat16", precision=8, emin=-126, emax=127, quiet_nan=0x7FC0, extra="bfloat16"
)
FORMATS = (HALF, FLOAT, DOUBLE)  # the formats of the specification
KNOWN = (*FORMATS, BFLOAT16)

_BY_NAME = {f.name: f for f in KNOWN}
_BY_CHAR = {"e": HALF, "f": FLOAT, "d": DOUBLE}
_BY_STORAGE = {f.storage.rpartition(".")[2]: f for f in KNOWN}


def format_of(dtype: np.dtype) -> Format | None:
    """The format of a NumPy dtype of either byte order, or None where it is of none."""
    found = _BY_CHAR.get(dtype.char)
    return _BY_STORAGE.get(dtype.name) if found is None and dtype.kind in "Vf" else found


def is_float(dtype: np.dtype) -> bool:
    """Whether a dtype belongs to a floating-point format."""
    return format_of(dtype) is not None


@functools.cache
def offered() -> tuple[Format, ...]:
    """The available formats: the specification's, and formats whose package is installed."""
    return tuple(form for form in KNOWN if not form.extra or _is_installed(form))


def _is_installed(form: Format) -> bool:
    try:
        return form.dtype is not None
    except errors.MissingDependencyError:
        return False


def dtype_of(name: object) -> np.dtype | None:
    """The dtype that ``name`` is or is the class of; None for other objects, such as a name or an abstract class."""
    if isinstance(name, type) and issubclass(name, np.generic):
        try:
            return np.dtype(name)
        except TypeError:  # np.floating, np.generic
            return None
    return name if isinstance(name, np.dtype) else None


def format_named(name: object, call: str = "format", known: Sequence[Format] = FORMATS, what: str = "type") -> Format:
    """The format among ``known`` of this name, in OpenCL or, as a dtype, its class or its name, in NumPy.

    ValueError for any other; it calls the argument ``what``.
    """
    dtype = dtype_of(name)
    if dtype is not None:
        found = format_of(dtype)
    else:
        found = (_BY_NAME.get(name) or _BY_STORAGE.get(name)) if isinstance(name, str) else None
    if found in KNOWN and found not in known:
        needed = ", ".join(f.name for f in known)
        fact = f"no edition of the specification has {found}"
        raise errors.UnknownNameError(f"{call}: {fact}: use one of {needed}")
    if found is None:
        raise errors.not_one_of(call, what, name, tuple(f.name for f in known))
    return found
