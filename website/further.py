"""Pages of public functions and classes that no audit has a row for: operators, pragmas, images, clmath's own."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import clmath
import clmath.testing
from clmath import pytest_plugin
from clmath.spec.synonyms import unaudited
from website import builtin
from website.markdown import escaped, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

__all__ = ["pages", "testing"]

_HEAD = """# Further functions

Functions of `import clmath` in addition to the [built-ins](builtins.md). Audits have no case for them; the reason is
given for each. Names with a width or a mode (`convert_float4_rtz`, `vload16`) are variants of the built-in with whose
name they begin.
"""


def pages() -> dict[str, str]:
    """The list of all further functions, and their pages."""
    known = builtin.named()
    names = [name for name in unaudited() if name not in known and _computes(getattr(clmath, name, None))]
    lines = [(f"[`{name}`]({name}.md)", _first(name), escaped(unaudited()[name])) for name in names]
    found = {
        "further.md": f"{_HEAD}\n{table(('function', 'what it is', 'why it has no row'), lines, marks='sortable')}\n"
    }
    return found | {f"{name}.md": _page(name) for name in names}


def _computes(member: object) -> bool:
    """Whether it is a function, or one of the classes of OpenCL C++."""
    return inspect.isroutine(member) or (inspect.isclass(member) and member.__module__.startswith("clmath.functions"))


def _first(name: str) -> str:
    """Return the first paragraph of the docstring."""
    text = inspect.getdoc(getattr(clmath, name)) or ""
    return builtin.prose(text.split("\n\n", maxsplit=1)[0])


def _page(name: str) -> str:
    return (
        "\n\n".join([
            f"# {name}", *builtin.documented(name), *_methods(name), f"It has no case in audits: {unaudited()[name]}."
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


_FIXTURES = ("conformance", "ulp", "clmath_rng", "opencl_device")
_TESTING = """# clmath.testing

Every assertion, strategy and fixture for tests of numeric code. [The guide](guide/testing.md) says when to use which;
`pip install 'clmath[test]'` brings Hypothesis and pytest.
"""


def testing() -> str:
    """The page of clmath.testing: every public name with its signature, docstring and examples."""
    strategies = clmath.testing.strategies
    parts = [_TESTING.rstrip(), "## Assertions and tests {#assertions}"]
    parts += _members(clmath.testing, [name for name in clmath.testing.__all__ if name != "strategies"])
    parts += ["## Strategies {#strategies}", builtin.prose((inspect.getdoc(strategies) or "").partition("\n\n")[0])]
    parts += _members(strategies, strategies.__all__)
    parts += ["## Fixtures of pytest {#fixtures}"]
    for name in _FIXTURES:
        fixture = getattr(pytest_plugin, name)
        parts += [f"### {name} {{#{name}}}", builtin.prose(inspect.getdoc(fixture) or "")]
    return "\n\n".join(parts) + "\n"


def _members(module: ModuleType, names: Iterable[str]) -> Iterator[str]:
    """Functions and classes of a module, each with a heading of its own."""
    for name in names:
        yield f"### {name} {{#{name.lower()}}}"
        yield from builtin.described(f"{module.__name__}.{name}", getattr(module, name))
