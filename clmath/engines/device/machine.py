"""Protocol of a device for the engine: build programs, hold buffers, and run programs over buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from clmath import errors

if TYPE_CHECKING:
    import numpy as np

    from clmath.engines.device.source import Language, Source

ELEMENTS = {"float16": "half", "float32": "float", "float64": "double", "int32": "int"}  # of arguments, by dtype


class UnfitDeviceError(errors.ClmathError, RuntimeError):
    """A device does not compute as IEEE 754 says, or not in double at all: it cannot judge or run kernels."""


class Machine(Protocol):
    """One device; entries and buffers are of kinds that it alone knows.

    ``name``: its name in messages. ``language``: the language that it compiles.
    """

    name: str
    language: Language

    def build(self, source: Source) -> object:
        """Return the entry of ``source``, compiled; UnfitDeviceError if the device cannot compile it."""

    def put(self, array: np.ndarray) -> object:
        """Return a buffer with the bytes of ``array``, which is contiguous."""

    def room(self, size: int) -> object:
        """A buffer of ``size`` bytes, at least one."""

    def counter(self) -> object:
        """A buffer with an unsigned int, 0."""

    def get(self, buffer: object, array: np.ndarray, first: int = 0) -> None:
        """Fill ``array`` with bytes of ``buffer`` from number ``first`` on, after all running work has ended."""

    def set(self, buffer: object, array: np.ndarray, first: int) -> None:
        """Write the bytes of ``array`` into ``buffer`` from that numbered ``first`` on."""

    def run(self, entry: object, elements: int, *args: object) -> None:
        """Start ``entry`` for at least so many ``elements`` on ``args``, scalars of NumPy and buffers."""
