"""The results of built-ins that are ints: functions of the arguments."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray


def gamma_sign(x: np.ndarray) -> NDArray[np.int32]:
    """The sign of gamma(x): 0 at zeros and negative integers, where it is a pole, and 1 at -inf and NaN."""
    sign = np.ones(x.shape, np.int32)
    elements = np.flatnonzero(x <= 0)
    if not elements.size:
        return sign
    elements = elements[x[elements] > -np.inf]
    low = x[elements]
    below = np.floor(low)
    half = below * x.dtype.type(0.5)
    sign[elements] = np.where(low == below, 0, np.where(half == np.floor(half), 1, -1))
    return sign


INTEGER_PARTS = MappingProxyType({"gamma_sign": gamma_sign})
