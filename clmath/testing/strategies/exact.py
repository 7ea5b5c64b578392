"""Calls of the integer and relational built-ins, of which every bit counts."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.direct.expressions import is_no_quotient
from clmath.numbers.datatypes import spelled_type
from clmath.numbers.formats import format_of
from clmath.spec.builtins import DIVIDED
from clmath.spec.families import kinds_of
from clmath.testing.strategies.scalars import number
from clmath.testing.strategies.span import Bounds, Span
from clmath.testing.strategies.whole_numbers import integer, whole_range

if TYPE_CHECKING:
    from clmath.spec.builtins import Builtin
    from clmath.testing.strategies.entropy import Bits, Part

__all__ = ["exact_call", "signatures", "value_of"]


def signatures(row: Builtin, type: str) -> tuple[tuple[np.dtype, ...], ...]:
    """Return the dtypes of a built-in's arguments for gentype ``type``: one tuple, or one for each choice."""
    choices = [kinds_of(p.type, type) for p in row.inputs]
    found: list[tuple[str, ...]] = [()]
    for names in choices:
        found = [(*one, name) for one in found for name in names]
    return tuple(tuple(spelled_type("arguments()", name).dtype for name in _words(one)) for one in found)


def _words(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return ``names`` with uint for 'word' if every byte is unsigned, otherwise int; the first byte is of gentype."""
    word = "int" if "char" in names else "uint"
    return tuple(word if name == "word" else name for name in names)


def value_of(dtype: np.dtype, span: Span | None) -> Part:
    """Return a part that makes a value of a scalar type, NaN included."""
    form = format_of(dtype)
    if form is None:
        return integer(*whole_range(dtype))
    return number(span or Span.of("arguments()", form, Bounds()))


@functools.lru_cache(maxsize=256)
def exact_call(row: Builtin, dtypes: tuple[np.dtype, ...], lanes: int, span: Span | None) -> Part:
    """Make one call: a scalar for each component of each argument; later arguments are at times near earlier ones."""
    fresh = [value_of(dtype, span) for dtype in dtypes]
    divided = row.left_open == DIVIDED
    fields = [i for i, p in enumerate(row.inputs) if p.name in ("offset", "count") and p.type == "uint"]

    def made(bits: Bits) -> tuple[Any, ...]:
        values: list[list[Any]] = []
        for part, dtype in zip(fresh, dtypes, strict=True):
            earlier = [v for v in values if v[0].dtype == dtype]
            again = bits.take(8) & 3 == 3 and bool(earlier)
            values.append([_near(bits, earlier[-1][k]) if again else part(bits) for k in range(lanes)])
        return _divided(values) if divided else _within_width(values, fields)

    return made


def _near(bits: Bits, value: Any) -> Any:
    """Return a value itself, its opposite or a neighbour."""
    with np.errstate(all="ignore"):
        one = value.dtype.type(1)
        return bits.one_of([value, np.negative(value), value + one, value - one])


def _divided(values: list[list[Any]]) -> tuple[Any, ...]:
    """Keep quotients defined: division by zero and overflow are undefined, and processors trap on them."""
    dividends, divisors = values
    one = divisors[0].dtype.type(1)
    there = [one if is_no_quotient(x, y) else y for x, y in zip(dividends, divisors, strict=True)]
    return (*dividends, *there)


def _within_width(values: list[list[Any]], fields: list[int]) -> tuple[Any, ...]:
    """Keep bit fields within the width, beyond which they are undefined."""
    if fields:
        width = 8 * values[0][0].dtype.itemsize
        offset, count = fields
        for k in range(len(values[0])):
            first = int(values[offset][k]) % (width + 1)
            values[offset][k] = np.uint32(first)
            values[count][k] = np.uint32(int(values[count][k]) % (width - first + 1))
    return tuple(value for lanes in values for value in lanes)
