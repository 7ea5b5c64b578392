"""Refuses to compute in a thread whose processor flushes subnormal numbers or does not round to nearest even."""

from __future__ import annotations

import struct

from clmath.errors import FlushToZeroError, ProcessorRoundingError

__all__ = ["flushes", "refuse_altered_arithmetic", "rounds_otherwise"]

# Made of bits: a module that is first compiled in such a thread has wrong literals, such as 0 for 5e-324.
_CONSTANTS: tuple[float, ...] = struct.unpack(
    "=6d",
    struct.pack(
        "=6Q",
        0x0000_0000_0000_0001,
        0x0010_0000_0000_0000,
        0x3FF0_0000_0000_0000,
        0x3CA0_0000_0000_0000,  # 2^-53: 1 + 2^-53 lies half-way between 1 and the next double: 1 to even, more upward
        0x3CA8_0000_0000_0000,  # 3 * 2^-54: 1 + 3 * 2^-54 is more than 1 to nearest, 1 toward zero or downward
        0x43B0_0000_0000_0000,  # 2^60
    ),
)
_SMALLEST_SUBNORMAL, _SMALLEST_NORMAL, _ONE, _TIE, _ABOVE_TIE, _LARGE = _CONSTANTS


def flushes() -> bool:
    """Whether this thread loses subnormal results (FTZ) or operands (DAZ)."""
    return _SMALLEST_NORMAL * 0.5 == 0.0 or _SMALLEST_SUBNORMAL * _LARGE == 0.0


def rounds_otherwise() -> bool:
    """Whether this thread rounds in another mode than to nearest even."""
    return _ONE + _TIE != 1.0 or _ONE + _ABOVE_TIE == 1.0


def refuse_altered_arithmetic(call: str) -> None:
    """Raise FlushToZeroError where this thread flushes subnormals, ProcessorRoundingError where it rounds otherwise.

    These are flags of each thread that any shared library may set: a library linked with -Ofast or -ffast-math sets
    them when it is loaded, and a library that calls fesetround when it runs. Four operations detect them, by the same
    instructions that NumPy and compiled loops use; the modes of this package are computed and do not touch the flags.
    Modules are not loaded in such a thread either: Python would misread their constants, and keep them so in its
    compiled files.
    """
    if flushes():
        raise FlushToZeroError(
            f"{call}: results must keep subnormal numbers, and this thread flushes them to zero (FTZ or DAZ is set): "
            "a library linked with -Ofast or -ffast-math was loaded; rebuild it without, or load it in another process"
        )
    if rounds_otherwise():
        raise ProcessorRoundingError(
            f"{call}: the processor must round to nearest even, and this thread has another mode set (fesetround was "
            "called and its mode left behind); set FE_TONEAREST again, or call the library in another process"
        )
