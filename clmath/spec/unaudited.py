"""Public names without a case in an audit, each with the reason, read from ``tables/without_rows.toml``."""

from __future__ import annotations

import functools
import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from clmath import errors
from clmath.spec import files
from clmath.spec.aliases import aliases
from clmath.spec.synonyms import unknown_builtin

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["no_row", "row_of_vectors", "without_rows"]

_WIDTH = re.compile(r"(?<=[a-z])(2|3|4|8|16)(?=_|$)")


@functools.cache
def without_rows() -> Mapping[str, str]:
    """Return the reason for every name."""
    groups = files.load("without_rows.toml").values()
    return MappingProxyType({name: group["reason"] for group in groups for name in group["names"]})


def no_row(call: str, name: str, known: Sequence[str]) -> errors.UnknownNameError:
    """Error for a ``name`` without cases in an audit: the reason if clmath has it, or else a suggestion."""
    row = row_of_vectors(name, known)
    if row is not None:
        fact = f"{name!r} has no case of its own; the case of {row!r} has vectors of every width"
        return errors.UnknownNameError(f"{call}: {fact}: write {row}")
    reason = without_rows().get(name)
    if reason is None:
        return unknown_builtin(call, name, known)
    return errors.UnknownNameError(
        f"{call}: {name!r} has no case: {reason}; name others, 'clmath list' shows all cases"
    )


def row_of_vectors(name: str, known: Sequence[str]) -> str | None:
    """Return the audit's case in ``known`` that covers the vectors of alias ``name``: convert_int for convert_int4."""
    row = _WIDTH.sub("", name)
    return row if name in aliases() and name != row and row in known else None
