"""Calls of a row whose results are right and wrong in many ways."""

from __future__ import annotations

import numpy as np

from clmath.audit.inputs import numbered
from clmath.audit.inputs.structured import structured
from clmath.audit.law.batch import Batch
from clmath.audit.plan.item import Item
from clmath.spec.builtins import builtin


def spoiled(name, form, law):
    """Calls of a row, results right and wrong in many ways."""
    item = Item(builtin(name), form)
    fixed = structured(item)
    drawn = numbered.drawn(item, 0, np.arange(150))
    values = tuple(np.concatenate([a[:: max(len(a) // 150, 1)], b]) for a, b in zip(fixed, drawn, strict=True))
    truths = Batch.of(item, values, tuple(values[:1]) * len(item.builtin.outputs), law).truth
    rng = np.random.default_rng(3)
    return item, law, values, tuple(spoiled_result(rng, truth.rounded, form) for truth in truths)


def spoiled_result(rng, right, form):
    """Right in half of the lanes."""
    kind = rng.integers(0, 20, len(right))
    if right.dtype.kind == "i":
        return np.where(kind < 4, right + 1, np.where(kind < 6, right + 128, right)).astype(np.int32)
    moved = form.bits(right).astype(np.int64) + np.array([1, -1, 2, -3, 17, 4000])[kind % 6]
    moved = form.from_bits(moved.view(np.uint64).astype(form.bits_dtype))
    strange = np.choose(kind % 5, [form.dtype.type(v) for v in (np.inf, -np.inf, np.nan, 0.0, form.smallest_subnormal)])
    return np.select([kind < 6, kind < 8, kind == 8], [moved, strange, -right], right).astype(form.dtype)
