"""Whether a device is to tell flushed results from wrong ones, and what it may return for flushed arguments."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.acceptance.batch import Batch
from clmath.audit.acceptance.other_arguments import are_acceptable
from clmath.audit.law.law import requirement
from clmath.numbers.formats import FLOAT

if TYPE_CHECKING:
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item

__all__ = ["flushed_results"]


@functools.lru_cache(maxsize=256)
def flushed_results(item: Item, laws: tuple[Law, ...]) -> tuple[int, ...] | None:
    """Encodings of what conforms, by every law, where an argument is flushed to zero: of one argument and one result.

    None where a device has not to tell: one that does not flush, or not float.
    """
    if item.form is not FLOAT or not all(law.may_flush(item) for law in laws):
        return None
    if item.columns != ("gentype",) or item.results != ("gentype",):
        return ()
    zeros = (np.array([0.0, -0.0], FLOAT.dtype),)
    found = Batch.of(item, zeros, zeros, laws[0]).due
    fine = [are_acceptable(Batch.of(item, zeros, found, law), requirement(item, law)) for law in laws]
    return tuple(dict.fromkeys(FLOAT.bits(found[0])[np.logical_and.reduce(fine)].tolist()))
