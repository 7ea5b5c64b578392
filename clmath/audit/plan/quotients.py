"""Quotients of integers that the text leaves open: inputs avoid them, and the law asks nothing of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["DIVIDED", "is_no_quotient"]

DIVIDED = "the divisor is 0, or the quotient overflows"  # a rule of the tables


def is_no_quotient(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a divisor is 0, or a quotient is one more than the greatest number: ISO/IEC 14882:2014, 5.6."""
    opposite = (y == -1) & (x == np.iinfo(x.dtype).min) if x.dtype.kind == "i" else np.zeros(x.shape, np.bool_)
    return np.asarray((y == 0) | opposite)
