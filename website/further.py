"""Pages of public functions and classes that no audit has a row for: operators, pragmas, images, clmath's own."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import clmath
from clmath.spec.unaudited import without_rows
from website import builtin
from website.markdown import escaped, table

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["pages"]

_HEAD = """# Further functions

What `import clmath` has beside the [built-ins](builtins.md): functions that no audit has a row for, each with the
reason. Vectors of many widths and modes have names of their own (`convert_float4_rtz`, `vload16`): they are those of
the built-ins whose names they begin with.
"""


def pages() -> dict[str, str]:
    """The list of all further functions, and their pages."""
    known = builtin.named()
    names = [name for name in without_rows() if name not in known and _computes(getattr(clmath, name, None))]
    lines = [(f"[`{name}`]({name}.md)", _first(name), escaped(without_rows()[name])) for name in names]
    found = {
        "further.md": f"{_HEAD}\n{table(('function', 'what it is', 'why it has no row'), lines, marks='sortable')}\n"
    }
    return found | {f"{name}.md": _page(name) for name in names}


def _computes(member: object) -> bool:
    """Whether it is a function, or one of the classes of OpenCL C++."""
    return inspect.isroutine(member) or (inspect.isclass(member) and member.__module__.startswith("clmath.functions"))


def _first(name: str) -> str:
    """What the docstring begins with."""
    text = inspect.getdoc(getattr(clmath, name)) or ""
    return builtin.prose(text.split("\n\n", maxsplit=1)[0])


def _page(name: str) -> str:
    return (
        "\n\n".join([
            f"# {name}", *builtin.documented(name), *_methods(name), f"It has no row in audits: {without_rows()[name]}."
        ])
        + "\n"
    )  # fmt: skip


def _methods(name: str) -> Iterator[str]:
    """The methods of a class that have names of their own."""
    member = getattr(clmath, name)
    for method, function in vars(member).items() if inspect.isclass(member) else ():
        if inspect.isroutine(function) and not method.startswith("_"):
            yield f"## {method}"
            yield from builtin.documented(f"{name}.{method}")
