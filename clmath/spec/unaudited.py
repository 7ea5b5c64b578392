"""Public names without a case in an audit, each with the reason, read from ``tables/unaudited.toml``."""

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

__all__ = ["case_of_vectors", "not_audited", "unaudited"]

_WIDTH = re.compile(r"(?<=[a-z])(2|3|4|8|16)(?=_|$)")


@functools.cache
def unaudited() -> Mapping[str, str]:
    """Return the reason for every name."""
    groups = files.load("unaudited.toml").values()
    return MappingProxyType({name: group["reason"] for group in groups for name in group["names"]})


def not_audited(call: str, name: str, known: Sequence[str]) -> errors.UnknownNameError:
    """Error for a ``name`` without cases in an audit: the reason if clmath has it, or else a suggestion."""
    case = case_of_vectors(name, known)
    if case is not None:
        fact = f"{name!r} has no case of its own; the case of {case!r} has vectors of every width"
        return errors.UnknownNameError(f"{call}: {fact}: write {case}")
    reason = unaudited().get(name)
    if reason is None:
        return unknown_builtin(call, name, known)
    return errors.UnknownNameError(
        f"{call}: {name!r} has no case: {reason}; name others, 'clmath list' shows all cases"
    )


def case_of_vectors(name: str, known: Sequence[str]) -> str | None:
    """Return the audit's case in ``known`` that covers the vectors of alias ``name``: convert_int for convert_int4."""
    case = _WIDTH.sub("", name)
    return case if name in aliases() and name != case and case in known else None
