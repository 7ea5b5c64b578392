"""Names of the built-ins in other libraries and languages, read from ``tables/synonyms.toml``."""

from __future__ import annotations

import functools
from types import MappingProxyType
from typing import TYPE_CHECKING

from clmath import errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["synonyms", "unknown_builtin"]


@functools.cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """The built-ins that each foreign name may stand for, the likeliest first."""
    from clmath.spec import files

    return MappingProxyType(
        {name: tuple(meant) for group in files.load("synonyms.toml").values() for name, meant in group.items()}
    )


def unknown_builtin(call: str, name: str, known: Sequence[str]) -> errors.UnknownNameError:
    """``name`` is none of the built-ins ``known``; what it stands for elsewhere is offered."""
    meant = synonyms().get(name, ())
    return errors.unknown(call, "built-in", name, known, "'clmath list' shows them all", meant)
