"""The editions of the specification whose limits and prescribed results are known."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

from clmath import errors

__all__ = ["EDITIONS", "Edition", "checked_edition"]

Edition: TypeAlias = Literal["opencl-c++-1.0"]
EDITIONS: tuple[Edition, ...] = get_args(Edition)


def checked_edition(call: str, edition: Any) -> Edition:
    """``edition``, UnknownNameError where it is not one of those known."""
    if edition not in EDITIONS:
        raise errors.not_one_of(call, "edition", edition, EDITIONS)
    return edition  # type: ignore[no-any-return]
