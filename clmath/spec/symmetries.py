"""Which built-ins of one argument are odd or even, read from ``tables/symmetries.toml``."""

from __future__ import annotations

import functools
from types import MappingProxyType
from typing import TYPE_CHECKING

from clmath.spec.builtins import precise

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["symmetry"]


def symmetry(name: str) -> str:
    """Return 'odd' or 'even', or empty for a built-in that is neither, or that has several arguments or results."""
    return _symmetries().get(precise(name), "")


@functools.cache
def _symmetries() -> Mapping[str, str]:
    from clmath.spec import files

    sections = files.load("symmetries.toml").values()
    return MappingProxyType({name: kind for one in sections for kind, names in one.items() for name in names})
