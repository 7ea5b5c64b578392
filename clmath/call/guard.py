"""Refuses to compute in a thread whose processor flushes subnormal numbers to zero."""

from __future__ import annotations

from clmath.errors import FlushToZeroError

__all__ = ["refuse_flush_to_zero"]

_SMALLEST_NORMAL = 2.0**-1022
_SMALLEST_SUBNORMAL = 5e-324


def refuse_flush_to_zero(call: str) -> None:
    """Raise FlushToZeroError where this thread loses subnormal results (FTZ) or operands (DAZ).

    The two are flags of each thread that any shared library linked with -Ofast or -ffast-math may set when it is
    loaded. Two multiplications by the same instructions that NumPy and compiled loops use tell.
    """
    if _SMALLEST_NORMAL * 0.5 == 0.0 or _SMALLEST_SUBNORMAL * 2.0**60 == 0.0:
        raise FlushToZeroError(
            f"{call}: results must keep subnormal numbers, and this thread flushes them to zero (FTZ or DAZ is set): "
            "a library linked with -Ofast or -ffast-math was loaded; rebuild it without, or load it in another process"
        )
