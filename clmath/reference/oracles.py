"""What exact values can be computed by, by the names that plans and options have for it."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

__all__ = ["ORACLES", "Oracle"]

Oracle: TypeAlias = Literal["auto", "mpfr", "mpmath"]
ORACLES: tuple[Oracle, ...] = get_args(Oracle)
