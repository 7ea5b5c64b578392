"""Results that are right for a device that flushes subnormals: OpenCL C++ 1.0, 4.5.3."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.exact.allowed_results import Known, allowed_results
from clmath.numbers.formats import format_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.exact.exact_law import ExactLaw
    from clmath.audit.plan.exact_item import ExactItem
    from clmath.numbers.formats import Format

__all__ = ["excused"]

Args: TypeAlias = "tuple[np.ndarray, ...]"
Bools: TypeAlias = "NDArray[np.bool_]"


def excused(item: ExactItem, args: Args, got: np.ndarray, law: ExactLaw) -> Bools:
    """Return which calls have results that are right with subnormal arguments or results flushed to zeros of any sign.

    Intermediate results of expressions may be flushed, too. Components of vectors are flushed independently.
    """
    right, flushed = np.zeros(got.shape, np.bool_), law.flushed_in(item)
    if not flushed or not len(got) or item.builtin.moves_bits:
        return np.zeros(len(got), np.bool_)
    law = replace(law, flushing=item.form.name in flushed)
    flushes_result = item.result.name in flushed
    choices = (_kept_or_flushed(a, t in flushed) for a, t in zip(args, item.arguments, strict=True))
    for chosen in itertools.product(*choices):
        values, changed = zip(*chosen, strict=True)
        # the other calls belong to another choice
        here = np.flatnonzero(np.logical_and.reduce(changed) & ~right.reshape(len(got), -1).all(axis=-1))
        if here.size:
            of_calls = replace(law, members=tuple(m[here] for m in law.members))
            right[here] |= _is_right(item, tuple(v[here] for v in values), got[here], of_calls, flushes_result)
    return np.asarray(right.reshape(len(got), -1).all(axis=-1))


def _is_right(item: ExactItem, args: Args, got: np.ndarray, law: ExactLaw, flushes_result: bool) -> Bools:
    """Return which results are right for these arguments; zeros replace subnormal results if ``flushes_result``."""
    asked = allowed_results(item, args, law, Known(got))
    right = asked.accepts(got) | asked.is_free
    if flushes_result:
        is_small = _flushed((asked.wanted, *asked.also), item.result) if asked.is_small is None else asked.is_small
        right |= is_small & (got == 0)
    return np.asarray(right)


def _kept_or_flushed(values: np.ndarray, is_flushed: bool) -> list[tuple[np.ndarray, Bools]]:
    """Return an argument unchanged, and with subnormal numbers flushed to 0 and -0, each with a mask of its calls."""
    kept = (values, np.ones(len(values), np.bool_))
    form = format_of(values.dtype)
    if not is_flushed or form is None:
        return [kept]
    small = (np.abs(values) < form.smallest_normal) & (values != 0)
    zero, changed = values.dtype.type(0), small.reshape(len(values), -1).any(axis=-1)
    flushed = [(np.where(small, end, values), changed) for end in (zero, -zero)]
    return [kept, *flushed] if small.any() else [kept]


def _flushed(values: Args, type: Format) -> Bools:
    """Return where a result that is right is subnormal."""
    small = [(np.abs(v) < type.smallest_normal) & (v != 0) for v in values]
    return np.asarray(np.logical_or.reduce(small))
