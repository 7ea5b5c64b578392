"""The built-ins that correspond to functions of NumPy, SciPy and others."""

from __future__ import annotations

import tomllib
from typing import Any

from clmath.spec import files
from website.markdown import code, table

__all__ = ["page"]

_HEAD = """# NumPy and SciPy names

Which built-in of clmath computes what a function of another library computes: the table by which `clmath audit numpy`
and its like call them. A name that is left out is another function with a similar name: `np.round` takes decimals,
`np.remainder` is a floored quotient, `np.maximum` differs on NaN. In Python a foreign name is refused with the one that
is meant: `clmath.arcsin` says "did you mean 'asin'?".
"""
SHOWN = ("numpy", "scipy", "torch", "jax", "cupy")


def page() -> str:
    """The page in Markdown."""
    tables = tomllib.loads(files.path("libraries.toml").read_text(encoding="utf-8"))
    libraries = [tables[name] for name in SHOWN if name in tables]
    called = [_called(library) for library in libraries]
    names = sorted({name for one in called for name in one})
    rows = [[code(f"clmath.{name}"), *(code(one.get(name, "")) for one in called)] for name in names]
    heads = ["built-in", *(library["title"] for library in libraries)]
    return f"{_HEAD}\n{table(heads, rows, marks='sortable wide')}\n"


def _called(library: dict[str, Any]) -> dict[str, str]:
    """The functions of a library by the built-ins that they compute."""
    same = {name: name for name in library.get("same", ())}
    return same | dict(library.get("other", {}))
