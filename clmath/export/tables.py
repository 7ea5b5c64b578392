"""The tables of the files of built-ins: a table that several of them read is written once, in a header."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from clmath.export.functions import filled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from clmath.export.request import Language
    from clmath.ir.program import Tables

_CONTINUED = " \\\n    "  # end of a line of a macro


class SharedTables:
    """The tables that more than one file reads: each is a macro, from which the files make their arrays."""

    def __init__(self, files: Iterable[Tables], language: Language) -> None:
        self._language = language
        readers = Counter(table.tobytes() for tables in files for table in tables.each)
        shared = [key for key, count in readers.items() if count > 1]
        self._names = {key: f"CLMATH_TABLE_{number}" for number, key in enumerate(shared)}

    def header(self) -> str:
        """Return the macros; empty if no table is shared."""
        return "".join(self._macro(name, np.frombuffer(key)) for key, name in self._names.items())

    def _macro(self, name: str, table: NDArray[np.float64]) -> str:
        return f"#define {name} \\\n    {self._numbers(table, _CONTINUED)}\n"

    def array(self, built_in: str, tables: Tables) -> str:
        """Return the array of a file: all its tables in order, or one entry if it has none."""
        parts = [self._part(table) for table in tables.each or (tables.entries,)]
        return filled("tables.c", {"row": built_in, "entries": ",\n    ".join(parts)})

    def _part(self, table: NDArray[np.float64]) -> str:
        return self._names.get(table.tobytes()) or self._numbers(table, "\n    ")

    def _numbers(self, table: NDArray[np.float64], end: str) -> str:
        """Return entries in lines of five; in OpenCL C as encodings."""
        if self._language == "opencl":
            entries = [f"{code:#018x}UL" for code in table.view(np.uint64).tolist()]
        else:
            entries = [_number(x) for x in table.tolist()]
        return f",{end}".join(_lines(entries))


def _lines(entries: list[str]) -> Iterator[str]:
    for i in range(0, len(entries), 5):
        yield ", ".join(entries[i : i + 5])


def _number(x: float) -> str:
    """Return a number in the form of an initialiser."""
    if math.isfinite(x):
        return x.hex()
    return "NOT_A_NUMBER" if math.isnan(x) else "-INFINITE" if x < 0.0 else "INFINITE"
