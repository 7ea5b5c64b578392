"""Writes clmath/functions/spelled.py, the names of OpenCL C that spell type, saturation and mode out.

``python tables/spell.py`` writes the file; with ``--check`` it only compares, and exits with 1 where it is not current.
"""

from __future__ import annotations

import re
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from generated import written

if TYPE_CHECKING:
    from collections.abc import Iterator

TARGET = Path(__file__).resolve().parent.parent / "clmath" / "functions" / "spelled.py"

INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
FLOATS = ("half", "float", "double")
WIDTHS = ("", "2", "3", "4", "8", "16")
OPERATIONS = ("add", "min", "max")
MODES = ("", "rte", "rtz", "rtp", "rtn")

HEAD = '''"""The spelled names of OpenCL C: written by tables/spell.py, do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.functions.conversion import as_type, convert
from clmath.functions.groups import (
    sub_group_reduce,
    sub_group_scan_exclusive,
    sub_group_scan_inclusive,
    work_group_reduce,
    work_group_scan_exclusive,
    work_group_scan_inclusive,
)
from clmath.functions.memory import vload, vload_half, vloada_half, vstore, vstore_half, vstorea_half

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.typing import Out, Where

__all__: list[str] = [
'''


KEYWORDS = {
    "axis": "axis: int | Sequence[int] = -1",
    "out": "out: Out = None",
    "where": "where: Where = True",
    "threads": "threads: int = 1",
}
ALL = ("out", "where", "threads")
LONGEST = 120  # characters of a line


class Spelled(NamedTuple):
    """A function: its name, its parameters, the call that it stands for, and what of ``KEYWORDS`` it takes as well.

    A store returns nothing.
    """

    name: str
    parameters: str
    call: str
    keywords: tuple[str, ...] = ()
    stores: bool = False

    def source(self) -> str:
        """The definition."""
        result, statement = ("None", "") if self.stores else ("Any", "return ")
        passed = "".join(f", {name}={name}" for name in self.keywords)
        return f'{self._head(result)}\n    """``{self.call}``."""\n    {statement}{self.call[:-1]}{passed})\n'

    def _head(self, result: str) -> str:
        own = [f"{p}: Any" for p in self.parameters.split(", ")]
        parameters = ", ".join([*own, "/", *(["*"] if self.keywords else []), *(KEYWORDS[k] for k in self.keywords)])
        whole = f"def {self.name}({parameters}) -> {result}:"
        return whole if len(whole) <= LONGEST else f"def {self.name}(\n    {parameters}\n) -> {result}:"


def conversions() -> Iterator[Spelled]:
    """convert_<type><n>[_sat][_<mode>]: saturation is for integer types alone; nothing is rounded to bool."""
    for width in WIDTHS:
        yield Spelled(f"convert_bool{width}", "x", f'convert(x, "bool{width}")', ALL)
    for name, width, sat, mode in product(INTEGERS + FLOATS, WIDTHS, (False, True), MODES):
        if sat and name in FLOATS:
            continue
        suffix = ("_sat" if sat else "") + (f"_{mode}" if mode else "")
        options = (", sat=True" if sat else "") + (f', rounding="{mode}"' if mode else "")
        yield Spelled(f"convert_{name}{width}{suffix}", "x", f'convert(x, "{name}{width}"{options})', ALL)


def reinterpretations() -> Iterator[Spelled]:
    """as_<type><n>."""
    for name, width in product(INTEGERS + FLOATS, WIDTHS):
        yield Spelled(f"as_{name}{width}", "x", f'as_type(x, "{name}{width}")', ("out",))


def memory() -> Iterator[Spelled]:
    """Loads and stores that spell the width, and stores of halves that spell the mode."""
    for width in WIDTHS[1:]:
        yield Spelled(f"vload{width}", "offset, p", f"vload(offset, p, {width})", ALL)
        yield Spelled(f"vstore{width}", "data, offset, p", f"vstore(data, offset, p, {width})", ("where",), stores=True)
        yield Spelled(f"vload_half{width}", "offset, p", f"vload_half(offset, p, {width})", ALL)
        yield Spelled(f"vloada_half{width}", "offset, p", f"vloada_half(offset, p, {width})", ALL)
    for name, width, mode in product(("vstore_half", "vstorea_half"), WIDTHS, MODES):
        if (name == "vstorea_half" and not width) or not (width or mode):
            continue
        suffix = f"_{mode}" if mode else ""
        options = (f", {width}" if width else "") + (f', rounding="{mode}"' if mode else "")
        call = f"{name}(data, offset, p{options})"
        yield Spelled(f"{name}{width}{suffix}", "data, offset, p", call, ("where", "threads"), stores=True)


def groups() -> Iterator[Spelled]:
    """Functions of groups that spell the operation."""
    forms = ("reduce", "scan_exclusive", "scan_inclusive")
    for of, form, op in product(("work_group", "sub_group"), forms, OPERATIONS):
        yield Spelled(f"{of}_{form}_{op}", "x", f'{of}_{form}(x, "{op}")', ("axis", "out"))


def _natural(name: str) -> list[tuple[bool, int, str]]:
    return [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", name)]


def source() -> str:
    """The whole file."""
    functions = [*conversions(), *reinterpretations(), *groups(), *memory()]
    names = "".join(f'    "{name}",\n' for name in sorted((f.name for f in functions), key=_natural))
    return f"{HEAD}{names}]\n" + "".join(f"\n\n{f.source()}" for f in functions)


def main() -> int:
    """Write the file, or compare it."""
    return written(TARGET, source(), "spell.py", sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
