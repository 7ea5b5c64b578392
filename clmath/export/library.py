"""The files of an exported library by name, all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.engines.device.source import header
from clmath.engines.native import text
from clmath.export import checking, functions, readme, rounding
from clmath.export.decimals import in_decimal
from clmath.export.functions import Function, filled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.export.request import Language, Request
    from clmath.spec.builtins import Builtin

__all__ = ["files"]

_EXTENSIONS: dict[Language, str] = {"c": "c", "opencl": "cl", "cuda": "cu"}
_OPERATIONS = "clmath_operations.h"
_ROUNDING = "clmath_rounding.h"
_WHAT = {"clmath.h": "built-ins of OpenCL C", _OPERATIONS: "operations of one rounding each", _ROUNDING: "rounding"}


def files(asked: Request) -> dict[str, str]:
    """Header, what all built-ins share, one file for each, the test program, README and licences."""
    sources = _sources(asked) | checking.files(asked)
    if asked.language == "c":
        sources = {name: in_decimal(content) for name, content in sources.items()}
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
    found |= {f"clmath_{row.name}.{_EXTENSIONS[asked.language]}": _built_in(row, asked) for row in asked.builtins}
    return found


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
    own = text.header() if language == "c" else header(language)
    return "\n".join([filled(f"operations_{language}.h", {}), own, filled(f"forms_{language}.h", {})])


def _rounding(asked: Request) -> str:
    none = "CLMATH_TABLES clmath_none[] = {0}; /* for what reads no table */\n"
    return "\n".join([f'#include "clmath.h"\n#include "{_OPERATIONS}"\n', none, rounding.source(asked)])


def _built_in(row: Builtin, asked: Request) -> str:
    includes = "".join(f'#include "{name}"\n' for name in ("clmath.h", _OPERATIONS, _ROUNDING))
    return f"{includes}\n{functions.source(row, asked)}"
