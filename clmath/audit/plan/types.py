"""The types that rows of an audit may have: the formats of the specification, and its integer types."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.numbers.datatypes import INTEGERS
from clmath.numbers.formats import FORMATS, Format

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["INTEGER_TYPES", "TYPES", "Whole", "form_of", "type_called"]


@dataclass(frozen=True, eq=False)
class Whole(Format):
    """An integer type where a row has one in the place of a format; ``precision`` is its size in bits."""

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

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """There is one object per type, in every process."""
        return _known, (self.name,)


INTEGER_TYPES = tuple(Whole(name, t.name, 8 * t.itemsize, 0, 0, 0) for name, t in INTEGERS.items())
TYPES: Mapping[str, Format] = MappingProxyType({t.name: t for t in (*FORMATS, *INTEGER_TYPES)})


def _known(name: str) -> Format:
    return TYPES[name]


def type_called(name: str, call: str = "clmath audit") -> Format:
    """The type of a row by its name in OpenCL; UnknownNameError for any other."""
    found = TYPES.get(name)
    if found is None:
        raise errors.not_one_of(call, "type", name, tuple(TYPES))
    return found


def form_of(kind: str, form: Format) -> Format | None:
    """The format of a value declared as ``kind`` in a row of the type ``form``; None where it is an integer."""
    found = form if kind in ("gentype", "scalar") else TYPES.get(kind)
    return None if isinstance(found, Whole) else found
