"""Built-ins without an enclosure: arithmetic and conversions, one function for all modes, and bit operations.

OpenCL C has a conversion for each mode, e.g. convert_half_rtp. The format of a function is the format of its argument;
the result of a conversion has the format in the name.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

from clmath.engines.device.source import in_each_mode
from clmath.ir.printing import printed
from clmath.ir.trace import trace
from clmath.kernels.whole import arithmetic
from clmath.kernels.whole.conversions import from_number
from clmath.kernels.whole.rounding import exactly
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import precise
from clmath.spec.families import exact_builtins

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clmath.callables import AnyFunction
    from clmath.ir.program import Kind, Tables
    from clmath.ir.values import Integer, Real
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

_CHAPTER = "conversions"


@functools.cache
def conversions() -> tuple[Builtin, ...]:
    """Return one conversion to each format, from the other formats."""
    found = ((exact_builtins()[f"convert_{form}"], form) for form in FORMATS)
    return tuple(replace(row, formats=tuple(other for other in FORMATS if other != form)) for row, form in found)


def is_conversion(row: Builtin) -> bool:
    """Whether ``row`` is a conversion."""
    return row.chapter == _CHAPTER


def is_whole(row: Builtin) -> bool:
    """Whether the results of ``row`` need no enclosure, in any format."""
    if is_conversion(row):
        return True
    return set(FORMATS) <= set(row.formats) and (precise(row.name) in arithmetic.__all__ or row.name in _MOVED)


def _converted(x: Real, form: str, mode: int) -> Integer:
    """Return the encoding of the number x in a format, as a function of the language."""
    return exactly(form, x) if form == "double" else from_number(x, form, mode)


def _fabs(x: Integer, width: int) -> Integer:
    """Return the encoding of the magnitude."""
    return x & _largest(width)


def _copysign(x: Integer, y: Integer, width: int) -> Integer:
    """Return the encoding of the magnitude of x with the sign of y."""
    return (x & _largest(width)) | (y & ~_largest(width))


def _largest(width: int) -> int:
    """Return all bits except the sign."""
    return (1 << (width - 1)) - 1


_MOVED: Mapping[str, AnyFunction] = {"fabs": _fabs, "copysign": _copysign}  # of encodings


def text(name: str, row: Builtin, form: Format, outputs: Sequence[Kind], tables: Tables) -> str:
    """Return the function ``name_in_mode``, and one for each mode; or ``name_moved``, of encodings."""
    if row.moves_bits:
        return printed(f"{name}_moved", trace(_MOVED[row.name], _kinds("long", row), outputs, tables, form.width))
    inputs = _kinds("double", row)
    if is_conversion(row):
        function, target = _converted, row.result
    else:
        function, target = getattr(arithmetic, precise(row.name)), form.name
    programs = [trace(function, inputs, outputs, tables, target, number) for number in range(len(MODES))]
    return in_each_mode(f"{name}_in_mode", inputs, programs, outputs)


def _kinds(kind: Kind, row: Builtin) -> list[Kind]:
    return [kind] * len(row.inputs)
