"""Calls by the block, so that all numbers in between stay in a cache."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_CALLS = 4096


def in_blocks(function: Callable[..., np.ndarray], *args: np.ndarray) -> np.ndarray:
    """The results of an elementwise function of arrays; the first axis is the axis of calls."""
    count = len(args[0])
    if count <= _CALLS:
        return function(*args)
    return np.concatenate([function(*(a[start : start + _CALLS] for a in args)) for start in range(0, count, _CALLS)])
