"""Types that rows of an audit may have: floating-point formats, and the integer types of the specification."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import SupportsInt, cast

import numpy as np

from clmath import errors
from clmath.numbers.datatypes import INTEGERS
from clmath.numbers.formats import FORMATS, KNOWN, Format


class _Named(Format):
    """A type other than the formats; pickled by its name, so that every process has one object."""

    def __reduce__(self) -> tuple[Callable[[str], Format], tuple[str]]:
        return result_called, (self.name,)


@dataclass(frozen=True, eq=False)
class Whole(_Named):
    """An integer type, for rows whose type is not a format; ``precision`` is its size in bits."""

    @cached_property
    def width(self) -> int:
        """Size in bits."""
        return self.precision

    @cached_property
    def least(self) -> int:
        """The least value."""
        return int(np.iinfo(self.dtype).min)

    @cached_property
    def most(self) -> int:
        """The greatest value."""
        return int(np.iinfo(self.dtype).max)


@dataclass(frozen=True, eq=False)
class Text(_Named):
    """The type of printed texts: ``precision`` bytes, with zeros behind the text."""

    @cached_property
    def width(self) -> int:
        """Size in bits."""
        return 8 * self.precision


INTEGER_TYPES = tuple(Whole(name, t.name, 8 * t.itemsize, 0, 0, 0) for name, t in INTEGERS.items())
TYPES: Mapping[str, Format] = MappingProxyType({t.name: t for t in (*KNOWN, *INTEGER_TYPES)})
STANDARD = (*FORMATS, *INTEGER_TYPES)  # the types of the specification, which are the default of an audit

TEXT = Text("text", "S768", 768, 0, 0, 0)  # bytes: two doubles printed by %f have up to 635 characters


def result_called(name: str) -> Format:
    """Return the type of a result by its name: any of ``TYPES``, or ``TEXT``."""
    return TEXT if name == TEXT.name else TYPES[name]


def code_of(value: object) -> int:
    """Return a stored value as an int: an integer itself, or the big-endian number with the bytes of a text."""
    return int.from_bytes(value, "big") if isinstance(value, bytes) else int(cast("SupportsInt", value))


def text_of(code: int) -> bytes:
    """Return the text whose ``code_of`` is ``code``."""
    return code.to_bytes((code.bit_length() + 7) // 8, "big")


def without_components(name: str) -> str:
    """Return the name of a type without the width of its vectors: float for 'float4'."""
    known = next((t for t in TYPES if name.startswith(t) and name[-1:].isdecimal() and t[-1:].isdecimal()), "")
    return known or name.rstrip("0123456789")


def type_called(name: str, call: str = "clmath audit") -> Format:
    """Return the type of a row by its name in OpenCL; UnknownNameError for any other."""
    found = TYPES.get(name)
    if found is None:
        raise errors.not_one_of(call, "type", name, tuple(TYPES))
    return found


def form_of(kind: str, form: Format) -> Format | None:
    """Return the format of a value declared as ``kind`` in a row whose type is ``form``, or None for an integer."""
    found = form if kind in ("gentype", "scalar") else TYPES.get(kind)
    return None if isinstance(found, Whole) else found
