"""The profiles of the specification, by the names that options and reports have for them."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

__all__ = ["PROFILES", "Profile"]

Profile: TypeAlias = Literal["full", "embedded", "relaxed", "relaxed embedded"]
PROFILES: tuple[Profile, ...] = get_args(Profile)
