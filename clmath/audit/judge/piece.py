"""Judges one chunk of a row: by enclosures if these decide, else by exact values."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.audit.acceptance.batch import Batch, Call
from clmath.audit.acceptance.criteria import Criteria, modes_of
from clmath.audit.acceptance.findings import Findings, by_reason
from clmath.audit.counting.tally import KEPT, NONE_KNOWN, Example, KnownErrors, Otherwise, Tally
from clmath.audit.exact import bitwise as exact_judge
from clmath.audit.exact import exact_criteria
from clmath.audit.inputs.layout import Columns
from clmath.audit.inputs.vectors import with_vectors
from clmath.audit.judge import compiled_loop
from clmath.audit.judge.compiled_loop import Block, Screening
from clmath.audit.judge.screen import fewer_leaders, is_screened, screened, spread_of
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.target import Target, has_infinities, mode_in
from clmath.numbers import guard
from clmath.numbers.formats import FLOAT
from clmath.phases import Bounds
from clmath.spec.limits import Absolute, CorrectlyRounded, LowerBits, NoRounding, Rule, Ulps, Unlimited
from clmath.spec.notation import number

Bools: TypeAlias = "NDArray[np.bool_]"

# rules that need no more than the size of an error, the correctly rounded result, or an int
_RULES = (CorrectlyRounded, LowerBits, NoRounding, Ulps, Unlimited)


def alike(
    item: Item, all_criteria: Sequence[Criteria], x: np.ndarray, result: np.ndarray, is_zero: Bools, *, few: int
) -> list[NDArray[np.intp]]:
    """Return groups of more than ``few`` calls beyond the ``border``, which have the same signs in each group.

    ``is_zero``: where calls return zeros, and have exact values that are zeros, so that all calls of a group have the
    same verdict. The first calls are left out: reports show the first failures, and the first call may be the worst
    one of a row without errors.
    """
    chosen = np.flatnonzero(is_zero)
    if len(chosen) <= few or not (beyond := border(item, all_criteria)) < item.form.largest:
        return []
    x, signs = x[chosen], np.signbit(x[chosen]) * 2 + np.signbit(result[chosen])
    is_far = (np.abs(x) > beyond) & np.isfinite(x)
    groups = (chosen[is_far & (signs == sign)][KEPT:] for sign in range(4))
    return [group for group in groups if len(group) > few]


def border(item: Item, all_criteria: Sequence[Criteria]) -> float:
    """Return a number beyond which special values and limits treat all numbers of one sign alike.

    It is the largest finite number that these name, or a bound beyond which all numbers are even, if that is larger.
    It is infinite for built-ins of several arguments and for limits that depend on arguments.
    """
    clauses = [clause for criteria in all_criteria for clause in criteria.limit(item).clauses]
    if item.columns != ("gentype",) or not all(_is_simple(rule) for rule, _ in clauses):
        return np.inf
    special_values = [special_value for criteria in all_criteria for special_value in criteria.special_values(item)]
    conditions = [condition for _, condition in clauses] + [special_value.condition for special_value in special_values]
    named = [text for condition in conditions if condition for text in condition.numbers]
    named += [
        pattern.constant for special_value in special_values for pattern in special_value.patterns if pattern.constant
    ]
    sizes = [abs(number(text, item.form)) for text in named]
    return max([2.0 ** (item.form.precision + 1), *(size for size in sizes if np.isfinite(size))])


def _is_simple(rule: Rule) -> bool:
    return type(rule) in _RULES or (isinstance(rule, Absolute) and not rule.scaled)


FEW = 1 << 12  # number of zeros that take as long to judge as a single one
AT_ONCE = 1 << 15  # calls that the reference judges at a time, so that memory stays bounded


@functools.singledispatch
def criteria_of(item: Item, plan: Plan, target: Target) -> Criteria:
    """Return the acceptance criteria for one row of one implementation under test."""
    form = item.form
    in_force = mode_in(target, item.builtin, form)
    mode, *also = modes_of(item, in_force, plan.profile, plan.edition)
    declared = (mode, target.flushes(form), plan.oracle, target.build_options(), plan.edition)
    default = None if mode == in_force else in_force
    return Criteria(plan.profile, *declared, has_infinities(target, form), tuple(also), default)


@functools.singledispatch
@np.errstate(all="ignore")
def judge(  # noqa: PLR0917 - the facts of one chunk, in the order they come about
    item: Item,
    values: Columns,
    results: tuple[np.ndarray, ...],
    criteria: Criteria,
    places: int | np.ndarray = 0,
    known: KnownErrors = NONE_KNOWN,
) -> Tally:
    """Return the tally of one chunk of a row: inputs ``values`` (columns) and ``results``, checked before.

    ``places``: the inputs' places in the row, in ascending order; or the place of the first input if the others follow
    it, as on vectors. Examples of calls on vectors name the other calls of their vector. ``known``: errors that the
    row has elsewhere; smaller errors are not looked for.

    The reference judges the results that enclosures leave undecided, and measures all errors that are shown. So the
    tally is the same as with the reference alone. The counts by other editions of the specification are of the same
    inputs.
    """
    guard.refuse_altered_arithmetic("clmath audit")  # a driver's library may have set the flags of this thread
    standing = places + np.arange(len(values[0])) if isinstance(places, int) else places
    found = _tally(Call.on(item, values, results, criteria), standing, known)
    return found if item.vector == 1 else with_vectors(item, found, values, int(standing[0]))


@functools.singledispatch
@np.errstate(all="ignore")
def fails(item: Item, values: Columns, results: tuple[np.ndarray, ...], criteria: Criteria) -> bool:
    """Return whether ``judge`` counts a failure among a few calls; only the reference is used, and nothing counted."""
    guard.refuse_altered_arithmetic("clmath audit")
    call = Call.on(item, values, results, criteria)
    chosen = np.arange(len(values[0]))
    conform = [_conforming(call.under(one), chosen) for one in (criteria.each() if criteria.also else (criteria,))]
    return not np.logical_or.reduce(conform).all()


def judge_blocks(item: Item, blocks: Iterable[Block], criteria: Criteria, known: KnownErrors = NONE_KNOWN) -> Tally:
    """Return the tally of calls on floats, as ``judge`` does, for a row that the compiled loop serves.

    The places of the calls in the row are their encodings.

    Blocks come in any order. A block may be overwritten when the next one is requested. The few calls that enclosures
    or the reference must judge are judged at the end, so that a block may be small enough for a cache.
    """
    guard.refuse_altered_arithmetic("clmath audit")
    screening, rest = Screening(item, criteria, known), list[Call]()
    for block in blocks:
        for part in (block,) if screening.is_symmetric(block) else block.apart():
            rest += part.elements(screening.others(part)).calls(item, criteria)
    if not rest:
        return Tally()
    left = Call.joined(rest)
    left = left.elements(np.argsort(FLOAT.bits(left.values[0])))
    return screening.tally() + _decided(left, FLOAT.bits(left.values[0]), known)


def _tally(call: Call, standing: np.ndarray, known: KnownErrors) -> Tally:
    """Return the tally of calls at the places ``standing`` of the row."""
    if call.criteria.also:
        return _by_either(call, standing, known)
    if not is_screened(call.item, call.criteria):
        return _judged(call, standing)
    if not compiled_loop.serves(call.item, call.criteria):
        return _decided(call, standing, known)
    screening = Screening(call.item, call.criteria, known)
    rest = screening.others(Block(call.values, call.results))
    return screening.tally() + _decided(call.elements(rest), standing[rest], known)


def _by_either(call: Call, standing: np.ndarray, known: KnownErrors) -> Tally:
    """Return the tally if texts disagree on the rounding mode.

    A result passes if all modes allow it, and is not judged if only some modes allow it. If no mode allows it, it fails
    by the first mode.
    """
    each = [call.under(criteria) for criteria in call.criteria.each()]
    right = np.stack([_conforming(one, _in_question(one)) for one in each])
    is_judged = right.all(axis=0) | ~right.any(axis=0)
    without = known._replace(floor=np.inf)  # errors of calls that are not judged do not count
    tally = _tally(each[0].elements(is_judged), standing[is_judged], known)
    for k, one in enumerate(each):
        alone = right[k] & ~is_judged & ~right[:k].any(axis=0)
        if alone.any():
            found = _tally(one.elements(alone), standing[alone], without)
            others = tuple(o._replace(unjudged=found.tried - o.failed) for o in found.others)
            tally += Tally(tried=found.tried, unjudged=found.tried, others=others)
    return tally


def _conforming(call: Call, doubtful: NDArray[np.intp]) -> Bools:
    """Return which calls conform, if all calls that are not ``doubtful`` do."""
    right = np.ones(len(call.values[0]), np.bool_)
    for found in _findings(call, np.arange(len(right)), doubtful):
        right[found.places[found.failing()]] = False
    return right


def _in_question(call: Call) -> NDArray[np.intp]:
    """Return the calls that do not conform for certain."""
    if not is_screened(call.item, call.criteria):
        return np.arange(len(call.values[0]))
    found = screened(Batch.by_kernels(call), 0.0)
    return np.sort(np.concatenate([found.in_doubt, found.chosen[found.refused]]))


def _decided(call: Call, standing: np.ndarray, known: KnownErrors) -> Tally:
    """Return the tally of calls, most of which enclosures decide; zeros for large arguments are judged in groups."""
    all_criteria, batch, tally = (call.criteria, *call.criteria.others(call.item)), Batch.by_kernels(call), Tally()
    is_left = np.ones(len(standing), np.bool_)
    for group in _zeros(batch, all_criteria):
        first = group[:1]
        tally += _enclosed(batch.elements(first), standing[first], known._replace(floor=np.inf)).times(len(group))
        is_left[group] = False
    left = slice(None) if is_left.all() else is_left
    return tally + _enclosed(batch.elements(left), standing[left], known)


def _zeros(batch: Batch, all_criteria: Sequence[Criteria]) -> list[NDArray[np.intp]]:
    """Return groups of calls that return zeros of one sign for exact values that are zeros."""
    exact = batch.exact[0]
    if len(batch.exact) > 1 or not isinstance(exact, Bounds) or batch.criteria.mode == "rtn":
        return []
    (hi, lo, err, _), (result,) = exact.value, batch.results
    is_zero = (hi == 0.0) & (lo == 0.0) & (err == 0.0) & (result == 0)
    return alike(batch.item, all_criteria, batch.values[0], result, is_zero, few=FEW)


def _enclosed(batch: Batch, standing: np.ndarray, known: KnownErrors) -> Tally:
    """Return the tally of calls whose exact values are enclosed."""
    others = batch.criteria.others(batch.item)
    found = screened(batch, known.floor, others)
    asked = found.in_doubt
    unspecified = [int(np.count_nonzero(one & found.is_known)) for one in found.unjudged]
    counts = tuple(
        Otherwise(other.edition, left, int(np.count_nonzero(found.is_known & codes.any(axis=-1))))
        for other, left, codes in zip(others, unspecified[1:], found.codes[1:], strict=True)
    )
    tally = Tally(tried=len(standing) - len(asked), unjudged=unspecified[0], others=counts)
    tally += _refused(batch, standing, found.chosen[found.refused], found.codes[0][found.refused])
    tally += _judged(batch, standing, asked)
    leaders = found.leaders(max(abs(tally.worst.error) if tally.worst else 0.0, known.floor))
    tally += Tally(worst=_judged(batch, standing, fewer_leaders(found.batch, leaders)).worst)
    return tally + Tally(spread=spread_of(found.batch, asked, known.stretches))


def _refused(call: Call, standing: np.ndarray, chosen: NDArray[np.intp], codes: NDArray[np.int16]) -> Tally:
    """Return the counts of failing calls ``chosen``, and the first failures of each reason by the reference."""
    reasons = by_reason(codes, np.flatnonzero(codes.any(axis=-1)), call)
    first = [chosen[ones[:KEPT]] for ones in reasons.values()]
    shown = _judged(call, standing, np.sort(np.concatenate(first))) if first else Tally()
    counts = tuple(sorted((text, len(ones)) for text, ones in reasons.items()))
    return Tally(failed=sum(count for _, count in counts), reasons=counts, failures=shown.failures)


@np.errstate(all="ignore")
def worst_failures(
    item: Item, values: Columns, results: tuple[np.ndarray, ...], criteria: Criteria, count: int
) -> tuple[Example, ...]:
    """Return the ``count`` failing inputs with the largest errors, the worst first; each with its worst result."""
    call = Call.on(item, values, results, criteria)
    kept: list[Example] = []
    for found in _findings(call, np.arange(len(values[0])), _in_question(call)):
        kept = sorted([*kept, *found.worst_failures(count)], key=lambda e: (-abs(e.error), e.place))[:count]
    return tuple(kept)


def _judged(call: Call, places: np.ndarray, chosen: NDArray[np.intp] | None = None) -> Tally:
    """Return the tally of the calls ``chosen`` (default: all) by the reference."""
    found = _findings(call, places, np.arange(len(places)) if chosen is None else chosen)
    return sum((one.tally() + Tally(others=one.otherwise()) for one in found), Tally())


def _findings(call: Call, places: np.ndarray, chosen: NDArray[np.intp]) -> Iterator[Findings]:
    """Yield the reference's findings on the calls ``chosen``, ``AT_ONCE`` calls at a time."""
    for part in (chosen[i : i + AT_ONCE] for i in range(0, len(chosen), AT_ONCE)):
        values, results = (tuple(column[part] for column in columns) for columns in (call.values, call.results))
        yield Findings.of(Batch.of(call.item, values, results, call.criteria), places[part])


criteria_of.register(ExactItem, exact_criteria.criteria_of)
judge.register(ExactItem, exact_judge.judge)
fails.register(ExactItem, exact_judge.fails)
