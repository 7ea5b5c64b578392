"""The README of an exported library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import clmath
from clmath.export import climb
from clmath.export.functions import Function, filled
from clmath.export.whole import is_conversion
from clmath.numbers.formats import DOUBLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.export.request import Language, Request
    from clmath.spec.builtins import Builtin

_LICENCES = {"LICENSE-MIT": "MIT.txt", "LICENSE-APACHE": "Apache-2.0-WITH-LLVM-exception.txt"}
_SPDX = "MIT OR Apache-2.0 WITH LLVM-exception"
_UNDECIDED = "`_array` tells how many there are, and which."
_ON_DEVICES = "The kernels `_array` count and list them."
_ROUNDING: dict[Language, str] = {
    "c": "The processor's own mode has to be to nearest, and it must not flush subnormal numbers.",
    "opencl": "",
    "cuda": "Subnormal numbers of all formats are kept, whatever `--ftz` says.",
}


def files(asked: Request) -> dict[str, str]:
    """Return README.md, and both licences."""
    place = Path(__file__).parent / "licences"
    found = {name: (place / file).read_text(encoding="utf-8") for name, file in _LICENCES.items()}
    return {"README.md": filled(f"README_{asked.language}.md", _fill(asked)), **found}


def head(what: str) -> str:
    """Return the first line of every file of sources."""
    return f"/* {what}, by clmath {clmath.__version__}. SPDX-License-Identifier: {_SPDX} */\n"


def _fill(asked: Request) -> dict[str, str]:
    names = ",".join(row.name for row in asked.builtins)
    functions = [Function(row, form) for row, form in asked.functions]
    language = asked.language
    return {
        "title": f"{names.replace(',', ', ')}: correctly rounded in four modes",
        "names": names,
        "types": ",".join(map(str, asked.formats)),
        "version": clmath.__version__,
        "first": asked.builtins[0].name,
        "functions": "\n".join(_reported(function) for function in functions),
        "example": _example(Function(asked.builtins[0], asked.formats_of(asked.builtins[0])[-1])),
        "guarantees": filled(
            "guarantees.md",
            {
                "processor": _ROUNDING[language] and f" {_ROUNDING[language]}",
                "tried": _tried(asked),
                "defined": "".join(map(_defined, asked.builtins)),
                "seldom": _seldom(asked.builtins),
                "undecided": _UNDECIDED if language == "c" else _ON_DEVICES,
            },
        ).rstrip(),
    }


def _tried(asked: Request) -> str:
    """Return the inputs on which functions of one argument were compared with clmath, without a difference.

    ``python -m benchmarks.exported`` compares them on all floats, except conversions.
    """
    unary = [row for row in asked.builtins if len(row.inputs) == 1]
    formats = {form.name for form in asked.formats} if unary else set()
    of_floats = {
        "all floats": [row.name for row in unary if not is_conversion(row)],
        "a sample of floats": [row.name for row in unary if is_conversion(row)],
    }
    parts = ["all halves"] if "half" in formats else []
    if "float" in formats:
        parts += [f"{what} with `{'`, `'.join(names)}`" for what, names in of_floats.items() if names]
    return f"\n  Tried in every mode: {'; '.join(parts)}." if parts else ""


def _defined(row: Builtin) -> str:
    """Return the line of a built-in whose definition is a formula; empty for others."""
    if row.formula:
        return f"- `{row.name}` is `{row.formula}`:\n  every operation is rounded, but a product and its sum at once.\n"
    if row.uncontracted:
        return f"- `{row.name}` is `{row.uncontracted}`, rounded once.\n"
    return f"- `{row.name}` keeps the payload of a NaN.\n" if row.moves_bits else ""


def _seldom(rows: Sequence[Builtin]) -> str:
    """Return the share of a million random doubles that was left undecided."""
    narrowed = "less than once in a million random arguments"
    names = ", ".join(f"`{row.name}`" for row in rows if not _is_narrowed(row))
    return f": {narrowed}, a few times at most by {names}" if names else f": {narrowed}"


def _is_narrowed(row: Builtin) -> bool:
    """Whether every inexact result has a narrower enclosure than the first kernel's."""
    climbs = [(result.kernel, *climb.further(result)) for result in Function(row, DOUBLE).results]
    return all(any(kernel.is_exact or kernel.narrow for kernel in kernels) for kernels in climbs)


def _reported(function: Function) -> str:
    """Return one line: the function on numbers, and the names of its other functions."""
    more = f", `{function.name}_array`" + f", `{function.name}_interval`" * function.has_ends
    return f"- `{function.declared}`{more}"


def _example(function: Function) -> str:
    """Return a call that rounds upwards."""
    names = ", ".join(name for _, name in function.inputs)
    more = "".join(f", &{name}" for _, name in function.outputs[1:])
    return f"{function.outputs[0][0]} above = {function.name}({names}{more}, CLMATH_RTP);"
