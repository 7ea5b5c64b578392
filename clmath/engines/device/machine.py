"""What a device must do for the engine: build a program and run it over buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from clmath import errors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.engines.device.source import Language, Source

__all__ = ["Machine", "Run", "UnfitDeviceError"]

# lanes, the number of a mode, arrays that are read, arrays that are written: each of so many lanes, contiguous
Run: TypeAlias = "Callable[[int, int, Sequence[NDArray[Any]], Sequence[NDArray[Any]]], None]"


class UnfitDeviceError(errors.ClmathError, RuntimeError):
    """A device does not compute as IEEE 754 says, or does not compute in double at all: no judge, and no engine."""


class Machine(Protocol):
    """One device. ``name``: as messages call it. ``language``: what it compiles."""

    name: str
    language: Language

    def build(self, source: Source) -> Run:
        """The entry of ``source``, compiled; UnfitDeviceError where the device cannot."""
