"""Calls for which enclosures tell what the law by exact values says, so that the reference measures few of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.judge.bounds import error_bounds, is_close, rounded_value
from clmath.audit.judge.screen import lanes_of
from clmath.audit.law.batch import Batch, side_by_side
from clmath.audit.law.conformity import codes_of
from clmath.audit.law.flushing import subnormal_operands, zero_operands
from clmath.audit.law.measure import Truth
from clmath.ladder import Bounds
from clmath.numbers.rounding import Enclosure
from clmath.spec.limits import Absolute, CorrectlyRounded, LowerBits, NoRounding, Ulps, Unlimited
from clmath.spec.notation import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.judge.screen import Exact
    from clmath.audit.law.batch import Call
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.spec.limits import Rule

__all__ = ["Certain", "border", "certain", "flushes_more", "zeros"]

Bools: TypeAlias = "NDArray[np.bool_]"
Codes: TypeAlias = "NDArray[np.int16]"
F64: TypeAlias = "NDArray[np.float64]"

FEW = 64  # calls: so few are judged by the reference, which takes no longer
AT_ONCE = 1 << 14  # calls looked at a time, so that temporaries stay in cache
_SPLIT = "multiply_then_add"  # the list of built-ins whose product alone may be flushed
# rules that need no more than the size of an error, the correctly rounded result, or an int
_RULES = (CorrectlyRounded, LowerBits, NoRounding, Ulps, Unlimited)


class Certain(NamedTuple):
    """Calls for which it is certain what the reference would find.

    ``lanes``: which calls these are. ``codes``: for each law, the codes of ``conformity`` by (calls, results).
    """

    lanes: NDArray[np.intp]
    codes: tuple[Codes, ...]


@dataclass(frozen=True)
class _Measured(Truth):
    """The truth of a result whose error is given as a bound from its enclosure: ``sizes``, in ulp."""

    sizes: F64

    def errors(self, actual: np.ndarray) -> F64:  # noqa: ARG002 - they are those of one result
        return self.sizes


def certain(call: Call, laws: Sequence[Law], exact: Sequence[Exact], lanes: NDArray[np.intp]) -> Certain:
    """Which of ``lanes`` need no reference by any of ``laws``; ``exact``: enclosures for all calls.

    For these it is known how their exact values are rounded, and the law by exact values gives the same codes for the
    least and for the largest error that they may have. There are none where other arguments may excuse results, or
    where a limit has a rule that needs more than the size of the error.
    """
    simple = all(_is_simple(rule) for law in laws for rule, _ in law.limit(call.item).clauses)
    if simple and len(lanes) > FEW and not _is_told(call, laws):
        lanes = lanes[_is_beyond_excuse(call.lanes(lanes), laws)]
    if not (simple and len(lanes) > FEW):
        return _none(call, laws)
    parts = [_certain(call, laws, exact, lanes[i : i + AT_ONCE]) for i in range(0, len(lanes), AT_ONCE)]
    codes = tuple(np.concatenate(column) for column in zip(*(part.codes for part in parts), strict=True))
    return Certain(np.concatenate([part.lanes for part in parts]), codes)


def zeros(call: Call, laws: Sequence[Law], exact: Sequence[Exact]) -> Certain:
    """The calls that return a zero, of either sign, where the exact value is zero and the limits of all ``laws`` hold.

    Some functions have millions of zeros, and devices give half of them the wrong sign. The first of these calls is
    left out, since it may be the worst input of a row without errors.
    """
    if len(exact) > 1 or not isinstance(exact[0], Bounds) or call.law.mode == "rtn" or not _is_told(call, laws):
        return _none(call, laws)
    (actual,), value = call.results, exact[0].value
    lanes = np.flatnonzero((value.hi == 0.0) & (actual == 0))
    lanes = lanes[(value.lo[lanes] == 0.0) & (value.err[lanes] == 0.0)]
    if len(lanes) <= FEW:
        return _none(call, laws)
    chosen, like = _unlike(call, laws, value.hi, lanes)
    parts = [_zeros(call, laws, value.hi, lanes[chosen[i : i + AT_ONCE]]) for i in range(0, len(chosen), AT_ONCE)]
    is_held, *codes = (np.concatenate(column)[like] for column in zip(*parts, strict=True))
    return Certain(lanes[is_held][1:], tuple(c[is_held][1:] for c in codes))


def _unlike(
    call: Call, laws: Sequence[Law], due: F64, lanes: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which of ``lanes`` to judge, and for each lane which of these stands for it.

    Beyond the ``border``, one call stands for all that have the same signs of argument, result and correct result.
    """
    every, beyond = np.arange(len(lanes)), border(call.item, laws)
    if len(lanes) < AT_ONCE or not beyond < call.form.largest:
        return every, every
    x, actual = call.values[0][lanes], call.results[0][lanes]
    is_far = (np.abs(x) > beyond) & np.isfinite(x)
    if not is_far.any():
        return every, every
    signs = (np.signbit(x) * 4 + np.signbit(actual) * 2 + np.signbit(due[lanes])).astype(np.int8)
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


def _zeros(call: Call, laws: Sequence[Law], due: F64, lanes: NDArray[np.intp]) -> tuple[np.ndarray, ...]:
    """Where the limits of all laws hold for these zeros, and the codes of ``conformity`` for each law."""
    part, hi, none = call.lanes(lanes), due[lanes], np.zeros(len(lanes))
    truth = _Measured(Enclosure.of(hi), hi.astype(call.form.dtype), call.form, none)
    batches = [_batch(part.under(law), (truth,)) for law in laws]
    is_held = np.logical_and.reduce([~(b.has_no_limit(0) | b.waived(0)) for b in batches])
    return is_held, *(side_by_side(codes_of(b)) for b in batches)


def flushes_more(law: Law, item: Item) -> bool:
    """Whether flushing excuses more than zeros for subnormal numbers, or flushes normal ones, too."""
    return _is_excused(law, item) or item.builtin.name in law.openings["flushed_below"]


def _is_excused(law: Law, item: Item) -> bool:
    """Whether flushing excuses more than zeros for subnormal numbers."""
    return bool(law.flushing_edges(item)) or item.builtin.name in law.openings[_SPLIT]


def _none(call: Call, laws: Sequence[Law]) -> Certain:
    return Certain(np.empty(0, np.intp), tuple(np.empty((0, len(call.results)), np.int16) for _ in laws))


def _is_told(call: Call, laws: Sequence[Law]) -> bool:
    """Whether limits and edges alone decide, so that neither flushing nor signs of zeros excuse a result."""
    return not any(law.may_flush(call.item) or law.waives("signs of zero", call.item) for law in laws)


def _is_beyond_excuse(call: Call, laws: Sequence[Law]) -> Bools:
    """Which calls neither flushing nor signs of zeros can excuse: no argument is zero or subnormal, no result zero."""
    item = call.item
    if item.width or any(_is_excused(law, item) for law in laws):
        return np.zeros(len(call.values[0]), np.bool_)
    small = [here for law in laws for here in subnormal_operands(call.under(law))]
    zero = [r == 0 for r in call.results if r.dtype == call.form.dtype]
    return np.asarray(~np.logical_or.reduce([*small, *zero_operands(call), *zero]))


def _is_simple(rule: Rule) -> bool:
    return type(rule) in _RULES or (isinstance(rule, Absolute) and not rule.scaled)


@np.errstate(all="ignore")
def _certain(call: Call, laws: Sequence[Law], exact: Sequence[Exact], lanes: NDArray[np.intp]) -> Certain:
    part, is_known = call.lanes(lanes), np.ones(len(lanes), np.bool_)
    ends: tuple[list[Truth], list[Truth]] = [], []
    for e, actual in zip(exact, part.results, strict=True):
        least, most, is_told = _truths(part, lanes_of(e, lanes), actual)
        is_known &= is_told
        ends[0].append(least)
        ends[1].append(most)
    both = [[side_by_side(codes_of(_batch(part.under(law), tuple(end)))) for law in laws] for end in ends]
    for least_codes, most_codes in zip(*both, strict=True):
        is_known &= (least_codes == most_codes).all(axis=-1)
    return Certain(lanes[is_known], tuple(codes[is_known] for codes in both[0]))


def _truths(call: Call, exact: Exact, actual: np.ndarray) -> tuple[Truth, Truth, Bools]:
    """The truths with the least and the largest error that a result may have; where its correct rounding is known."""
    if not isinstance(exact, Bounds):
        truth = Truth(exact, exact, call.form)
        return truth, truth, np.ones(len(actual), np.bool_)
    is_told = ~is_close(exact.value, call.form)
    if call.law.mode == "rtn":  # the sign of a zero sum
        is_told &= exact.value.hi != 0.0
    middle = exact.value._replace(err=np.zeros(len(actual)))
    due = rounded_value(middle, call.form, call.law.mode)
    least, most = (_Measured(middle, due, call.form, sizes) for sizes in error_bounds(exact, actual, call.form))
    return least, most, is_told


def _batch(call: Call, truth: tuple[Truth, ...]) -> Batch:
    return Batch(call.item, call.law, call.limit, call.values, call.args, call.results, truth)
