"""Remainders, which need no rounding, for devices: the way that is exact for any difference of exponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.direct.lane_remainders import fmod, remainder, remquo
from clmath.ir.lanes import lane

if TYPE_CHECKING:
    from clmath.ir.values import Integer, Real


__all__ = ["fmod", "quotient", "remainder"]


@lane
def quotient(x: Real, y: Real) -> Integer:
    """The second of ``remquo``."""
    return remquo(x, y)[1]
