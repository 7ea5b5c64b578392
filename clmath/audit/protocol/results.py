"""Check a target's results: their number, dtypes and shapes must be as the protocol requires."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.protocol.target import TargetError

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item

__all__ = ["check_results"]


def check_results(item: Item, results: object, count: int) -> tuple[np.ndarray, ...]:
    """Return ``results`` as a tuple of arrays; TargetError if their number, dtypes or shapes are wrong.

    ``count``: number of calls, or of vectors if a target is given calls in vectors.
    """
    outputs = item.builtin.outputs
    if not isinstance(results, (tuple, list)) or len(results) != len(outputs):
        fact = f"{len(results)} results" if isinstance(results, (tuple, list)) else f"a {type(results).__name__}"
        raise TargetError(f"{item}: the target returned {fact}; a tuple of {len(outputs)} arrays is needed")
    for output, result, (dtype, shape) in zip(outputs, results, item.layout(count), strict=True):
        if not isinstance(result, np.ndarray) or result.dtype != dtype or result.shape != shape:
            fact = f"{getattr(result, 'dtype', type(result).__name__)} of shape {getattr(result, 'shape', '?')}"
            raise TargetError(f"{item}: {output.name} is {fact}; {dtype} of shape {shape} is needed")
    return tuple(results)
