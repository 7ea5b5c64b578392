"""Remainders, which need no rounding, for devices: the way that is exact for any difference of exponents."""

from __future__ import annotations

from typing import Any

from clmath.direct.lane_remainders import fmod, remainder, remquo
from clmath.ir.lanes import lane

__all__ = ["fmod", "quotient", "remainder"]


@lane
def quotient(x: Any, y: Any) -> Any:
    """The second of ``remquo``."""
    return remquo(x, y)[1]
