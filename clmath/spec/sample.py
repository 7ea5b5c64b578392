"""Calls with their exact values and results, which rules of limits judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["Sample"]

F64: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True)
class Sample:
    """The arguments, exact values and results of calls, element by element.

    ``flushing``: whether the device that gave the results may have flushed subnormals on the way (4.5.3).
    """

    args: tuple[np.ndarray, ...]
    exact: Any
    actual: np.ndarray
    form: Format
    mode: Rounding
    parameters: tuple[str, ...]
    flushing: bool = False

    @property
    def named(self) -> dict[str, np.ndarray]:
        """The arguments by the names of their parameters."""
        return dict(zip(self.parameters, self.args, strict=True))

    @property
    def lanes(self) -> int:
        """The width of the vectors: the last axis."""
        return int(self.args[0].shape[-1])

    def along_lanes(self, values: np.ndarray) -> np.ndarray:
        """``values``, one per call, in the shape that compares with results that may be vectors."""
        return values[..., np.newaxis] if values.ndim < self.actual.ndim else values
