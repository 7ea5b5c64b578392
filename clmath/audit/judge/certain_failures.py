"""Calls for which enclosures tell what the law by exact values says, so that the reference measures few of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath import ladder
from clmath.audit.acceptance.on_host import accepted, are_free
from clmath.audit.acceptance.other_arguments import other_calls, with_zeros
from clmath.audit.acceptance.reasons import numbers_of_reasons
from clmath.audit.judge.screen import lanes_of, rounded_results
from clmath.audit.law.batch import Call, side_by_side
from clmath.audit.law.law import requirement
from clmath.ladder import Bounds
from clmath.numbers.rounding import Enclosure
from clmath.spec.limits import Absolute, CorrectlyRounded, LowerBits, NoRounding, Ulps, Unlimited
from clmath.spec.notation import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.judge.screen import Exact
    from clmath.audit.law.law import Law
    from clmath.audit.law.requirement import Requirement
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


def certain(call: Call, laws: Sequence[Law], exact: Sequence[Exact], lanes: NDArray[np.intp]) -> Certain:
    """Return which of ``lanes`` need no reference by any of ``laws``; ``exact``: enclosures for all calls.

    For these it is known how their exact values are rounded, and the enclosures decide for every law whether the calls
    conform: without flushing, or not at all.
    """
    if len(lanes) <= FEW:
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
    """Return where the limits of all laws hold for these zeros, and for each law the numbers of reasons."""
    part, hi = call.lanes(lanes), due[lanes]
    exact, rounded = [Enclosure.of(hi)], [hi.astype(call.form.dtype)]
    calls = [part.under(law) for law in laws]
    is_held = np.logical_and.reduce([~are_free(one, 0, rounded) for one in calls])
    return is_held, *(_told(one, exact, rounded).numbers for one in calls)


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


def _is_simple(rule: Rule) -> bool:
    return type(rule) in _RULES or (isinstance(rule, Absolute) and not rule.scaled)


@np.errstate(all="ignore")
def _certain(call: Call, laws: Sequence[Law], exact: Sequence[Exact], lanes: NDArray[np.intp]) -> Certain:
    part, found = call.lanes(lanes), [lanes_of(e, lanes) for e in exact]
    due, is_known = rounded_results(part, found)
    told = [_told(part.under(law), found, due) for law in laws]
    is_known &= np.logical_and.reduce([one.is_known for one in told])
    return Certain(lanes[is_known], tuple(one.numbers[is_known] for one in told))


class _Told(NamedTuple):
    """Whether enclosures decide whether calls conform by one law, and the numbers of reasons by (calls, results)."""

    is_known: Bools
    numbers: Codes


def _told(call: Call, exact: Sequence[Exact | Enclosure], due: Sequence[np.ndarray]) -> _Told:
    """Return what enclosures decide by the law of the calls; a call that only flushing excuses is left open."""
    law, item = call.law, call.item
    need = requirement(item, law, flushing=False)
    found = accepted(call, exact, due, need)
    surely = side_by_side([one.surely for one in found])
    perhaps = side_by_side([one.perhaps for one in found])
    passes, may_pass = np.asarray(surely.all(axis=-1)), np.asarray(perhaps.all(axis=-1))
    is_known = (surely | ~perhaps).all(axis=-1)
    waives = law.waives("signs of zero", item)
    if law.may_flush(item) or waives:
        may_pass |= _may_pass(call, exact, due, ~passes, any_zero=waives)
    numbers = side_by_side(numbers_of_reasons(call, exact, due, need, [~one.surely for one in found]))
    return _Told(is_known & (passes | ~may_pass), numbers)


def _may_pass(
    call: Call, exact: Sequence[Exact | Enclosure], due: Sequence[np.ndarray], tried: Bools, *, any_zero: bool
) -> Bools:
    """Return which of the calls ``tried`` may conform with flushed results or for other arguments, by enclosures."""
    need, found = requirement(call.item, call.law), np.zeros(len(tried), np.bool_)
    part, index = call.lanes(tried), np.flatnonzero(tried)
    dues = [d[tried] for d in due]
    may_pass = _perhaps(part, [_lanes_of_any(e, tried) for e in exact], dues, need)
    for zeros_, others in other_calls(part, need, may_pass, any_zero=any_zero):
        values = with_zeros(part.values, zeros_, others)
        other = Call.on(part.item, values, tuple(r[others] for r in part.results), part.law)
        enclosed = ladder.enclose(other.name, other.args, other.form)
        may_pass[others] = _perhaps(other, enclosed, rounded_results(other, enclosed)[0], need)
    found[index] = may_pass
    return found


def _perhaps(call: Call, exact: Sequence[Exact | Enclosure], due: Sequence[np.ndarray], need: Requirement) -> Bools:
    return np.asarray(side_by_side([one.perhaps for one in accepted(call, exact, due, need)]).all(axis=-1))


def _lanes_of_any(exact: Exact | Enclosure, index: Bools) -> Exact | Enclosure:
    return exact.lanes(index) if isinstance(exact, Enclosure) else lanes_of(exact, index)
