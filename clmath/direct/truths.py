"""Tests of floating-point numbers on Python's floats, which hold those of half, float and double."""

from __future__ import annotations

import functools
import math
import operator
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clmath.callables import AnyFunction
    from clmath.numbers.formats import Format

__all__ = ["OF_TRUTH", "ON_FLOATS", "OfTruth", "OnFloats"]

OnFloats: TypeAlias = "Callable[..., bool]"
Made: TypeAlias = "Callable[[Format], OnFloats]"
"""Makes the test of numbers of a format."""


def _is_normal(form: Format) -> OnFloats:
    least, most = form.smallest_normal, form.largest
    return lambda x: least <= abs(x) <= most


_WHATEVER: Mapping[str, OnFloats] = MappingProxyType(
    {
        "isequal": operator.eq,
        "isnotequal": operator.ne,
        "isgreater": operator.gt,
        "isgreaterequal": operator.ge,
        "isless": operator.lt,
        "islessequal": operator.le,
        "islessgreater": lambda x, y: x < y or x > y,
        "isordered": lambda x, y: x == x and y == y,
        "isunordered": lambda x, y: x != x or y != y,
        "isfinite": math.isfinite,
        "isinf": math.isinf,
        "isnan": math.isnan,
        "signbit": lambda x: math.copysign(1.0, x) < 0.0,
    }
)

ON_FLOATS: Mapping[str, Made] = MappingProxyType(
    {name: functools.partial(lambda test, _: test, test) for name, test in _WHATEVER.items()} | {"isnormal": _is_normal}
)

OfTruth: TypeAlias = "AnyFunction"

OF_TRUTH: Mapping[str, OfTruth] = MappingProxyType(
    {"any": lambda true: true, "all": lambda true: true, "select": lambda true, a, b: b if true else a}
)
"""What follows from whether the last argument, of one lane, is true, and from the arguments before it."""
