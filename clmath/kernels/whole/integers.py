"""Products of 64-bit integers, whole: others are quick in NumPy, which has types twice as wide."""

from __future__ import annotations

from typing import Any

from clmath.numbers.lane_integers import high_product, mad_saturated

__all__ = ["mad_hi", "mad_sat", "mul_hi"]


def mul_hi(x: Any, y: Any, signed: bool) -> Any:
    """The high half of the product."""
    return high_product(x, y, signed)


def mad_hi(a: Any, b: Any, c: Any, signed: bool) -> Any:
    """The high half of a b, and c: wrapped."""
    return high_product(a, b, signed) + c


def mad_sat(a: Any, b: Any, c: Any, signed: bool) -> Any:
    """The exact a b + c, or the end of the type that it passes."""
    return mad_saturated(a, b, c, signed)
