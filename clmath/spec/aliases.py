"""The aliases of OpenCL C: names that spell type, width, saturation, rounding mode or operation out.

    convert_<type><n>[_sat][_<mode>]        as_<type><n>                 {work,sub}_group_{reduce,scan_...}_<operation>
    vload<n>  vload_half<n>  vloada_half<n>  vstore<n>                   vstore{,a}_half[<n>][_<mode>]

Python's standard library is enough for this module: a build writes the stub by it before anything is installed.
"""

from __future__ import annotations

import ast
import functools
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PREFIXES = ("convert_", "as_", "vload", "vstore", "work_group_", "sub_group_")
INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
FLOATS = ("half", "float", "double")
VECTORS = (2, 3, 4, 8, 16)
WIDTHS = ("", *map(str, VECTORS))
MODES = ("", "rte", "rtz", "rtp", "rtn")
STUB_HEAD = '''"""The aliases of OpenCL C for type checkers and editors, written by a build of clmath: do not edit."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clmath.typing import FloatLike, IntLike, NumberLike, Out, Where
'''


class Alias(NamedTuple):
    """A name and the call that it abbreviates: ``base`` of the parameters, of ``fixed`` values and of ``options``.

    ``kind``: the function of clmath/functions/aliases.py that makes it.
    """

    name: str
    kind: str
    base: str
    parameters: str
    fixed: tuple[str | int | tuple[str, int], ...] = ()
    options: tuple[tuple[str, str | bool], ...] = ()

    @property
    def call(self) -> str:
        """The call as Python code."""
        options = [f"{key}={_literal(value)}" for key, value in self.options]
        return f"{self.base}({', '.join([self.parameters, *map(_literal, self.fixed), *options])})"


@functools.cache
def aliases() -> Mapping[str, Alias]:
    """Return all aliases by name."""
    return {alias.name: alias for alias in (*_conversions(), *_reinterpretations(), *_groups(), *_memory())}


def _conversions() -> Iterator[Alias]:
    """Conversions: only conversions to integers saturate, and conversions to bool have no rounding mode."""
    for type, width in product(("bool", *INTEGERS, *FLOATS), WIDTHS):
        for sat, mode in product(("", "_sat") if type in INTEGERS else ("",), MODES if type != "bool" else ("",)):
            options = (*((("sat", True),) if sat else ()), *_rounded(mode))
            name = f"convert_{type}{width}{sat}{_suffix(mode)}"
            yield Alias(name, "conversion", "convert", "x", (_type(type, width),), options)


def _reinterpretations() -> Iterator[Alias]:
    for type, width in product((*INTEGERS, *FLOATS), WIDTHS):
        yield Alias(f"as_{type}{width}", "reinterpretation", "as_type", "x", (_type(type, width),))


def _groups() -> Iterator[Alias]:
    forms = ("reduce", "scan_exclusive", "scan_inclusive")
    for group, form, operation in product(("work_group", "sub_group"), forms, ("add", "min", "max")):
        yield Alias(f"{group}_{form}_{operation}", "reduction", f"{group}_{form}", "x", (operation,))


def _memory() -> Iterator[Alias]:
    """Loads and stores; a half without a width and a mode is ``vstore_half`` itself, which is not an alias."""
    for width in VECTORS:
        yield Alias(f"vstore{width}", "store", "vstore", "data, offset, p", (width,))
        for base in ("vload", "vload_half", "vloada_half"):
            yield Alias(f"{base}{width}", "load", base, "offset, p", (width,))
        for base, mode in product(("vstore_half", "vstorea_half"), MODES):
            name = f"{base}{width}{_suffix(mode)}"
            yield Alias(name, "rounding_store", base, "data, offset, p", (width,), _rounded(mode))
    for mode in MODES[1:]:
        name = f"vstore_half_{mode}"
        yield Alias(name, "rounding_store", "vstore_half", "data, offset, p", (), _rounded(mode))


def _rounded(mode: str) -> tuple[tuple[str, str | bool], ...]:
    return (("rounding", mode),) if mode else ()


def _type(type: str, width: str) -> str | tuple[str, int]:
    """Return the argument ``type`` of ``clmath.convert``: some names of vectors are scalars in NumPy."""
    clashes = width in ("8", "16") and type in ("int", "uint", "float") and (type, width) != ("float", "8")
    return (type, int(width)) if clashes else f"{type}{width}"


def _suffix(mode: str) -> str:
    return f"_{mode}" if mode else ""


def _literal(value: str | int | tuple[str, int]) -> str:
    return repr(value).replace("'", '"')


def stub(makers: str) -> str:
    """Return a stub of all aliases; ``makers``, the text of clmath/functions/aliases.py, has the signatures."""
    outer = [node for node in ast.parse(makers).body if isinstance(node, ast.FunctionDef)]
    kinds = {node.name: _signature(part) for node in outer for part in node.body if isinstance(part, ast.FunctionDef)}
    defined = (f'def {a.name}{kinds[a.kind]}:\n    """``{a.call}``."""\n' for a in aliases().values())
    return "\n".join([STUB_HEAD, *defined])


def _signature(function: ast.FunctionDef) -> str:
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(function.args)}){result}"
