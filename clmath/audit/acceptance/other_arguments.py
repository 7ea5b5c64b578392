"""Results that are acceptable for other arguments: flushed ones (OpenCL C++ 1.0, 4.5.3), zeros of the other sign."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.acceptance.batch import side_by_side
from clmath.audit.acceptance.on_host import accepted
from clmath.spec.notation import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clmath.audit.acceptance.batch import Batch, Call
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.law.law import Requirement
    from clmath.audit.plan.item import Item
    from clmath.ir.values import Truth

__all__ = ["are_acceptable"]


def are_acceptable(batch: Batch, need: Requirement, *, any_zero: bool = False) -> Truth:
    """Return which calls may pass: all results are acceptable for the arguments, or for one choice of zeros among them.

    If the target flushes, subnormal arguments may be zeros of either sign (results: see ``acceptable``). ``any_zero``:
    arguments that are zero may have the other sign, since a build option ignores signs of zeros. With enclosures of
    kernels, calls may pass unless they fail for certain.
    """
    fine, replaced = _all_acceptable(batch, need), _replaceable(batch, need, any_zero=any_zero)
    for zeros in _choices(batch.item):
        tried = ~fine
        for column in zeros:
            tried = tried & replaced[column]
        if tried.any():
            values = _with_zeros(batch.values, zeros, tried)
            fine[tried] = _all_acceptable(batch.again(values, tuple(r[tried] for r in batch.results)), need)
    return fine


def _all_acceptable(batch: Batch, need: Requirement) -> Truth:
    return np.asarray(side_by_side([one.perhaps for one in accepted(batch, need)]).all(axis=-1))


def _with_zeros(values: Columns, zeros: Mapping[int, float], tried: Truth) -> Columns:
    """Return the arguments of the calls ``tried``, with some columns replaced by ``zeros``."""
    count = int(np.count_nonzero(tried))
    return tuple(np.full(count, zeros[i], v.dtype) if i in zeros else v[tried] for i, v in enumerate(values))


def _replaceable(call: Call, need: Requirement, *, any_zero: bool = False) -> Sequence[Truth]:
    """Return which arguments, column by column, may be flushed, or may be zeros of the other sign."""
    border = number(need.flushed_below, need.form)
    found = []
    for values, kind in zip(call.values, call.item.columns, strict=True):
        small = (np.abs(values) < border) & (values != 0) & need.flushes
        found.append(np.asarray((small | ((values == 0) & any_zero)) & (kind == "gentype")))
    return found


def _choices(item: Item) -> Iterator[Mapping[int, float]]:
    """Yield all choices of zeros for columns, most columns first; elements of vectors are replaced by +0.

    For vectors +0 is enough: signs of zeros among their results are unspecified then.
    """
    columns = [i for i, kind in enumerate(item.columns) if kind == "gentype"]
    signs = (0.0,) if item.width else (0.0, -0.0)
    for count in range(len(columns), 0, -1):
        for chosen in itertools.combinations(columns, count):
            for zeros in itertools.product(signs, repeat=count):
                yield dict(zip(chosen, zeros, strict=True))
