"""The results of built-ins that are ints: by the arguments, as arrays and one by one."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["INTEGER_PARTS", "INTEGER_PARTS_OF_NUMBERS", "gamma_sign", "gamma_sign_of_number"]


def gamma_sign(x: np.ndarray) -> NDArray[np.int32]:
    """The sign of gamma(x): 0 at zeros and negative integers, where it is a pole, and 1 at -inf and NaN."""
    sign = np.ones(x.shape, np.int32)
    lanes = np.flatnonzero(x <= 0)
    if not lanes.size:
        return sign
    lanes = lanes[x[lanes] > -np.inf]
    low = x[lanes]
    below = np.floor(low)
    half = below * x.dtype.type(0.5)
    sign[lanes] = np.where(low == below, 0, np.where(half == np.floor(half), 1, -1))
    return sign


def gamma_sign_of_number(x: float) -> int:
    """The same of a Python float."""
    if not x < 0.0 or x == -math.inf:
        return int(x != 0.0)
    below = math.floor(x)
    return 0 if below == x else -1 if below % 2 else 1


INTEGER_PARTS = MappingProxyType({"gamma_sign": gamma_sign})
INTEGER_PARTS_OF_NUMBERS = MappingProxyType({"gamma_sign": gamma_sign_of_number})
