"""The files of an exported library by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.engines.device.source import header
from clmath.engines.native.loops import operations
from clmath.export import checking, functions, readme, rounding
from clmath.export.functions import Function, filled
from clmath.export.infix import in_decimal, in_infix
from clmath.export.tables import SharedTables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.export.request import Language, Request

_EXTENSIONS: dict[Language, str] = {"c": "c", "opencl": "cl", "cuda": "cu"}
_OPERATIONS = "clmath_operations.h"
_ROUNDING = "clmath_rounding.h"
_TABLES = "clmath_tables.h"
_WHAT = {
    "clmath.h": "built-ins of OpenCL C",
    _OPERATIONS: "operations of one rounding each",
    _ROUNDING: "rounding",
    _TABLES: "tables of several built-ins",
}


def files(asked: Request) -> dict[str, str]:
    """Return the files: the header, the shared part, one file for each built-in, the test program, README, licences."""
    sources = _sources(asked) | checking.files(asked)
    if asked.language == "c":
        sources = {name: in_infix(in_decimal(content)) for name, content in sources.items()}
    headed = {name: f"{readme.head(_about(name))}{text}" for name, text in sources.items()}
    return headed | readme.files(asked)


def _about(name: str) -> str:
    return _WHAT.get(name) or ("hard calls" if name.startswith("tests/") else "correctly rounded in four modes")


def _sources(asked: Request) -> dict[str, str]:
    found = {
        "clmath.h": filled(f"clmath_{asked.language}.h", _header_fill(asked)),
        _OPERATIONS: _guarded("CLMATH_OPERATIONS_H", _operations(asked.language)),
        _ROUNDING: _guarded("CLMATH_ROUNDING_H", _rounding(asked)),
    }
    return found | _built_ins(asked)


def _header_fill(asked: Request) -> dict[str, str]:
    return {
        "modes": filled("modes.h", {}),
        "about": filled(f"about_{'c' if asked.language == 'c' else 'device'}.h", {}),
        "declarations": "".join(_declarations(asked)),
    }


def _declarations(asked: Request) -> Iterator[str]:
    for row, form in asked.functions:
        function = Function(row, form)
        yield functions.declarations(function, asked.language)


def _guarded(name: str, content: str) -> str:
    return f"#ifndef {name}\n#define {name}\n{content}\n#endif\n"


def _operations(language: Language) -> str:
    own = operations() if language == "c" else header(language)
    return "\n".join([filled(f"operations_{language}.h", {}), own, filled(f"forms_{language}.h", {})])


def _rounding(asked: Request) -> str:
    none = "CLMATH_TABLES clmath_none[] = {0}; /* for what reads no table */\n"
    return "\n".join([f'#include "clmath.h"\n#include "{_OPERATIONS}"\n', none, rounding.source(asked)])


def _built_ins(asked: Request) -> dict[str, str]:
    """Return a file for each built-in, and the header of the tables that several of them read."""
    written = {row.name: functions.source(row, asked) for row in asked.builtins}
    shared = SharedTables([tables for tables, _ in written.values()], asked.language)
    macros = shared.header()
    headers = ("clmath.h", _OPERATIONS, _ROUNDING, *([_TABLES] if macros else []))
    includes = "".join(f'#include "{name}"\n' for name in headers)
    found = {_TABLES: _guarded("CLMATH_TABLES_H", macros)} if macros else {}
    for name, (tables, content) in written.items():
        found[f"clmath_{name}.{_EXTENSIONS[asked.language]}"] = f"{includes}\n{shared.array(name, tables)}\n{content}"
    return found
