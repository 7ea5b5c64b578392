"""Protocol of a package of arrays on devices, so that built-ins are computed where their arguments lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from clmath.engines.device.engine import Device

Opened: TypeAlias = "tuple[Sequence[object], Callable[[object], object]]"
"""The arguments of a call as arrays of a library, Python numbers unchanged, and a function that returns results."""

Piece: TypeAlias = "tuple[Sequence[Any], Sequence[Any]]"
"""Arguments and results of a part of a call, contiguous, of one size and on one device."""


class Library(Protocol):
    """A package of arrays on devices; its arrays have ``dtype`` and ``shape``.

    ``name``: as messages call it. ``broadcasts``: whether arguments of several shapes are brought to one.
    """

    name: str
    broadcasts: bool

    def owns(self, value: object) -> bool:
        """Whether ``value`` is an array on one of its devices; imports nothing."""

    def opened(self, call: str, names: Sequence[str], args: Sequence[object]) -> Opened:
        """Return the arguments; an error if one that is not a Python number lies elsewhere than the others."""

    def sent(self, value: np.ndarray, beside: object) -> Any:
        """An array with ``value``, on the device of ``beside``."""

    def empty(self, shape: tuple[int, ...], dtype: np.dtype, beside: object) -> Any:
        """A new contiguous array on the device of ``beside``."""

    def unfit(self, out: object, beside: object) -> str:
        """Say why results cannot be written to ``out``, with the remedy; empty if it lies where ``beside`` lies."""

    def overlap(self, array: object, results: Sequence[object]) -> bool:
        """Whether one of ``results``, which are contiguous, has memory in common with ``array``."""

    def pieces(self, args: Sequence[object], results: Sequence[object]) -> Iterator[Piece]:
        """Return the call in parts, after all work that writes to the arguments has ended or is queued.

        The results of a part, and of parts before it, never overwrite the arguments of the part.
        """

    def engine(self, array: object) -> Device:
        """Return the engine on the device of ``array``."""

    def buffer(self, array: object) -> Any:
        """Return the contiguous ``array`` as a buffer of the engine's machine."""

    def taken(self, array: object, elements: NDArray[np.int64]) -> np.ndarray:
        """Copy the elements numbered ``elements`` of the contiguous ``array`` to the host."""

    def put(self, array: object, elements: NDArray[np.int64], values: np.ndarray) -> None:
        """Write ``values`` there."""
