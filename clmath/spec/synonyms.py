"""Names of the built-ins in other libraries and languages, read from ``tables/synonyms.toml``."""

from __future__ import annotations

import functools
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["synonyms"]


@functools.cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """The built-ins that each foreign name may stand for, the likeliest first."""
    from clmath.spec import files

    return MappingProxyType(
        {name: tuple(meant) for group in files.load("synonyms.toml").values() for name, meant in group.items()}
    )
