"""The text of one compiled loop over arrays, and the first lines of all files of a library."""

from __future__ import annotations

import functools
import math
import re
from string import Template
from typing import TYPE_CHECKING

from clmath.engines.device.source import templates, with_operators
from clmath.ir.printing import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clmath.ir.program import Tables

NONE = "0"  # a missing loop


template = templates(__file__)


def operations() -> str:
    """Return the definitions of the operations of traced programs in C11."""
    return with_operators(template("c.h"))


@functools.cache
def header() -> str:
    """Return the text that precedes traced programs and loops."""
    return operations() + template("native.h")


def tables_text(tables: Tables) -> str:
    """Return the tables as an array, of one entry if they are empty."""
    return f"static const double TABLES[] = {{{', '.join(map(_number, tables.entries.tolist()))}}};\n"


def _number(x: float) -> str:
    if math.isfinite(x):
        return x.hex()
    return '__builtin_nan("")' if math.isnan(x) else "-__builtin_inf()" if x < 0.0 else "__builtin_inf()"


def call(function: str, values: Sequence[str], types: Sequence[str]) -> str:
    """Return the call of a traced function with ``values``, and before it its results q0, q1 ... of the C ``types``."""
    declared = " ".join(f"{type} q{i};" for i, type in enumerate(types))
    return f"{declared} {function}({', '.join([*values, 'TABLES', listed('&q', len(types))])});"


def loop(
    name: str, reads: Sequence[str], writes: Sequence[str], body: str, *, vectors: str = "VECTORS", count: str = "count"
) -> str:
    """Return the loop ``name``, which runs ``body`` for each element i of arrays.

    It reads a0, a1 ... and writes b0, b1 ..., of these C types. ``body`` adds flagged elements to ``found``, or only
    notes that there are some: that is faster. ``vectors``: how many vectors are computed together, by the macro's name.
    ``count``: how many elements there are.
    """
    arrays = [f"const {type} *restrict a{i}" for i, type in enumerate(reads)]
    arrays += [f"{type} *restrict b{i}" for i, type in enumerate(writes)]
    passed = [f"x[{i}]" for i in range(len(reads))] + [f"y[{i}]" for i in range(len(writes))]
    fill = {"name": name, "parameters": ", ".join(arrays), "passed": ", ".join(passed), "body": body}
    fill["type"] = "bool" if "found |=" in body else "Long"
    return Template(template("loop.c")).substitute(fill, vectors=vectors, count=count)


def declared(names: Iterable[str]) -> str:
    """Return the declarations of loops, each once."""
    return "".join(f"HIDDEN Loop {name};\n" for name in dict.fromkeys(names) if name != NONE)


def defined(texts: Iterable[str]) -> set[str]:
    """Return the names of the loops that ``texts`` define."""
    return set(re.findall(r"^HIDDEN Long (\w+)\(", "\n".join(texts), re.MULTILINE))
