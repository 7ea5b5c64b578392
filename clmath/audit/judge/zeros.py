"""Zeros that a target returns for exact zeros, of which there may be millions: one call is judged for many."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.acceptance.findings import judged
from clmath.audit.acceptance.on_host import are_free
from clmath.ladder import Bounds
from clmath.spec.limits import Absolute, CorrectlyRounded, LowerBits, NoRounding, Ulps, Unlimited
from clmath.spec.notation import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.batch import Batch
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.spec.limits import Rule

__all__ = ["Zeros", "border", "flushes_more", "zeros"]

Bools: TypeAlias = "NDArray[np.bool_]"
Codes: TypeAlias = "NDArray[np.int16]"
F64: TypeAlias = "NDArray[np.float64]"

FEW = 64  # calls: so few are judged by the reference, which takes no longer
AT_ONCE = 1 << 14  # calls looked at a time, so that temporaries stay in cache
_SPLIT = "multiply_then_add"  # the list of built-ins whose product alone may be flushed
# rules that need no more than the size of an error, the correctly rounded result, or an int
_RULES = (CorrectlyRounded, LowerBits, NoRounding, Ulps, Unlimited)


class Zeros(NamedTuple):
    """Calls that return zeros for exact zeros: ``lanes``, and by edition the numbers of reasons by (calls, results)."""

    lanes: NDArray[np.intp]
    codes: tuple[Codes, ...]


def zeros(batch: Batch, laws: Sequence[Law]) -> Zeros:
    """The calls that return a zero, of either sign, where the exact value is zero and the limits of all ``laws`` hold.

    Some functions have millions of zeros, and devices give half of them the wrong sign. The first of these calls is
    left out, since it may be the worst input of a row without errors.
    """
    lanes = _lanes(batch) if _is_told(batch, laws) else np.empty(0, np.intp)
    if len(lanes) <= FEW:
        return Zeros(np.empty(0, np.intp), tuple(np.empty((0, len(batch.results)), np.int16) for _ in laws))
    chosen, like = _unlike(batch, laws, lanes)
    parts = [_zeros(batch.lanes(lanes[chosen[i : i + AT_ONCE]]), laws) for i in range(0, len(chosen), AT_ONCE)]
    is_held, *codes = (np.concatenate(column)[like] for column in zip(*parts, strict=True))
    return Zeros(lanes[is_held][1:], tuple(c[is_held][1:] for c in codes))


def _lanes(batch: Batch) -> NDArray[np.intp]:
    """The calls of one result that return a zero where the exact value is zero."""
    (exact, *more), mode = batch.exact, batch.law.mode
    if more or not isinstance(exact, Bounds) or mode == "rtn":
        return np.empty(0, np.intp)
    value = exact.value
    return np.flatnonzero((value.hi == 0.0) & (batch.results[0] == 0) & (value.lo == 0.0) & (value.err == 0.0))


def _unlike(batch: Batch, laws: Sequence[Law], lanes: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which of ``lanes`` to judge, and for each lane which of these stands for it.

    Beyond the ``border``, one call stands for all that have the same signs of argument, result and correct result.
    """
    every, beyond = np.arange(len(lanes)), border(batch.item, laws)
    if len(lanes) < AT_ONCE or not beyond < batch.form.largest:
        return every, every
    part = batch.lanes(lanes).rounded()
    (x,), (actual,), (due,) = part.values, part.results, part.due
    is_far = (np.abs(x) > beyond) & np.isfinite(x)
    if not is_far.any():
        return every, every
    signs = (np.signbit(x) * 4 + np.signbit(actual) * 2 + np.signbit(due)).astype(np.int8)
    near, like = np.flatnonzero(~is_far), np.empty(len(lanes), np.intp)
    like[near] = np.arange(len(near))
    first: list[int] = []
    for sign in range(8):
        same = np.flatnonzero(is_far & (signs == sign))
        like[same] = len(near) + len(first)
        first += same[:1].tolist()
    return np.concatenate([near, np.array(first, np.intp)]), like


def border(item: Item, laws: Sequence[Law]) -> float:
    """The largest finite number that edges or limits name, or from which on all numbers are even, if that is larger.

    For a built-in of one argument. Beyond, edges and limits treat all numbers of one sign alike.
    """
    clauses = [clause for law in laws for clause in law.limit(item).clauses]
    if item.columns != ("gentype",) or not all(_is_simple(rule) for rule, _ in clauses):
        return np.inf
    edges = [edge for law in laws for edge in law.edges(item)]
    conditions = [condition for _, condition in clauses] + [edge.condition for edge in edges]
    named = [text for condition in conditions if condition for text in condition.numbers]
    named += [pattern.constant for edge in edges for pattern in edge.patterns if pattern.constant]
    sizes = [abs(number(text, item.form)) for text in named]
    return max([2.0 ** (item.form.precision + 1), *(size for size in sizes if np.isfinite(size))])


def _zeros(batch: Batch, laws: Sequence[Law]) -> tuple[np.ndarray, ...]:
    """Return where limits of every edition hold for these zeros, and for each edition the numbers of reasons."""
    batch = batch.rounded()
    calls = [batch.under(law) for law in laws]
    is_held = np.logical_and.reduce([~are_free(one, 0) for one in calls])
    return is_held, *(judged(one).numbers for one in calls)


def flushes_more(law: Law, item: Item) -> bool:
    """Whether flushing excuses more than zeros for subnormal numbers, or flushes normal ones, too."""
    return _is_excused(law, item) or item.builtin.called in law.openings["flushed_below"]


def _is_excused(law: Law, item: Item) -> bool:
    """Whether flushing excuses more than zeros for subnormal numbers."""
    return bool(law.flushing_edges(item)) or item.builtin.called in law.openings[_SPLIT]


def _is_told(batch: Batch, laws: Sequence[Law]) -> bool:
    """Whether limits and edges alone decide, so that neither flushing nor signs of zeros excuse a result."""
    return not any(law.may_flush(batch.item) or law.waives("signs of zero", batch.item) for law in laws)


def _is_simple(rule: Rule) -> bool:
    return type(rule) in _RULES or (isinstance(rule, Absolute) and not rule.scaled)
