"""Requirements on results in float by range of the one argument: limits, evaluated on ranges."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from clmath.audit.acceptance.acceptable import Asked, are_waived
from clmath.audit.acceptance.criteria import Criteria, Requirement, requirement
from clmath.audit.acceptance.limits import Reach, is_left_to_rule, reaches
from clmath.audit.acceptance.relaxed import is_known_formula
from clmath.audit.acceptance.relaxed_ranges import may_give_anything
from clmath.audit.acceptance.sets import any_of
from clmath.audit.acceptance.steps import factor_of
from clmath.audit.acceptance.values import Ends, Point, Value
from clmath.audit.plan.item import Item
from clmath.audit.screens.loop import FREE, NOTHING, WAIVED
from clmath.ir.primitives import everywhere, greater, select
from clmath.ir.program import Kind, Tables
from clmath.ir.ranges import Range, Truth, given
from clmath.ir.trace import trace
from clmath.ir.values import Real
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounded_encodings import RTE
from clmath.spec.formulas import RelaxedArithmetic, RoundedSteps
from clmath.spec.limits import Absolute, Derived, Rule
from clmath.spec.special_values import holds

Kinds: TypeAlias = "NDArray[np.int8]"
F64: TypeAlias = "NDArray[np.float64]"

RANGE = 20  # number of low bits of an encoding that vary within a range: a binade has eight ranges
# requirements in a range: not known; none; the limits; only special values, if any applies; or only a range of results
UNDECIDED, OPEN, JUDGED, EDGED, BOUNDED = range(5)
_KINDS: tuple[Kind, ...] = ("double", "bool", "bool")  # types of the three facts about a formula
_OUTPUTS: tuple[Kind, ...] = (*("double",) * 3, *("bool",) * 5)
INFINITY = float("inf")


@dataclass(frozen=True, eq=False)
class Regimes:
    """The requirements for every range, by its number: the first bits of an encoding.

    ``kinds``: UNDECIDED, OPEN, JUDGED, EDGED or BOUNDED. In a JUDGED range a result conforms if it is correctly
    rounded, or its error is at most ``allowed`` ulp or at most ``tolerance``. A result fails if its error exceeds both
    ``refused`` ulp and ``tolerance``, unless it is waived. In a range that is BOUNDED, special values of some editions
    prescribe a range of results, and nothing else is required. ``left_out``: which results are neither judged nor
    measured, a number of ``screens.loop``; if it is FREE, no limit holds for the row, so that errors are only measured.
    """

    kinds: Kinds
    allowed: F64
    refused: F64
    tolerance: F64
    left_out: int = NOTHING

    def both(self, other: Regimes) -> Regimes:
        """Return requirements by which results conform, or fail, by both; they are UNDECIDED where the two differ."""
        edged = (self.kinds == EDGED) | (other.kinds == EDGED)
        bounded = self.is_of(OPEN, BOUNDED) & other.is_of(OPEN, BOUNDED) & (self.kinds != other.kinds)
        alike = (self.kinds == other.kinds) & ((self.kinds != JUDGED) | (self.tolerance == other.tolerance))
        kinds = np.select([edged, bounded, alike], [EDGED, BOUNDED, self.kinds], UNDECIDED).astype(np.int8)
        allowed, refused = np.minimum(self.allowed, other.allowed), np.maximum(self.refused, other.refused)
        return replace(self, kinds=kinds, allowed=allowed, refused=refused)

    def is_of(self, *kinds: int) -> NDArray[np.bool_]:
        """Return which ranges are of one of ``kinds``."""
        return np.isin(self.kinds, kinds)

    @property
    def limits(self) -> tuple[F64, F64, F64]:
        """The limits by range, as a ``Screen`` has them."""
        return self.allowed, self.refused, self.tolerance

    @functools.cached_property
    def of_both_signs(self) -> Regimes:
        """Requirements for an argument and its opposite at once; UNDECIDED where special values apply to one."""
        half = len(self.kinds) // 2
        kinds, (allowed, refused, tolerance) = np.roll(self.kinds, half), np.roll(self.limits, half, axis=-1)
        found = self.both(Regimes(kinds, allowed, refused, tolerance))
        return replace(found, kinds=np.where(found.is_of(EDGED), UNDECIDED, found.kinds).astype(np.int8))

    def of(self, x: NDArray[np.float32]) -> Kinds:
        """Return the kind of each argument's range, or the only kind from the least to the greatest argument."""
        if not x.size:
            return np.array([JUDGED], np.int8)
        codes = FLOAT.bits(x)
        among = self.kinds[int(codes.min()) >> RANGE : (int(codes.max()) >> RANGE) + 1]
        return among[:1] if (among == among[0]).all() else self.kinds[codes >> RANGE]


@functools.lru_cache(maxsize=256)
def regimes(item: Item, criteria: Criteria) -> Regimes | None:
    """Return the requirements of all editions on a row of one argument, or None if none are known in any range."""
    all_criteria, integers = (criteria, *criteria.others(item)), gives_integers(item)
    needs = [requirement(item, one) for one in all_criteria]
    facts = {(need.gives_no_number, need.not_finite_waived) for need in needs}
    if len(facts) > 1 or not (
        all(map(_is_decided, needs)) and all(one.has_usual_special_values(item) for one in all_criteria)
    ):
        return None
    if integers and any(need.may_open_integers for need in needs):
        return None
    ((is_free, waives),) = facts
    left_out = FREE if is_free and not integers else WAIVED if waives else NOTHING
    found = functools.reduce(Regimes.both, [_required(item, one) for one in all_criteria])
    return replace(found, left_out=left_out) if found.kinds.any() else None


def _is_decided(need: Requirement) -> bool:
    """Return whether ``requirements`` can evaluate all rules of a requirement, in round to nearest."""
    return need.mode == RTE and not need.positive_zeros and all(is_elementwise(rule, need) for rule, _ in need.clauses)


def is_elementwise(rule: Rule, need: Requirement) -> bool:
    """Whether elementwise functions evaluate a rule: its formula, if any, is of doubles, and it is not of vectors."""
    if isinstance(rule, Absolute) and rule.scaled:
        return False
    if not isinstance(rule, Derived):
        return True
    if rule.otherwise is not None and not is_elementwise(rule.otherwise, need):
        return False
    if isinstance(rule.formula, RelaxedArithmetic):
        return need.form is FLOAT and is_known_formula(rule.formula.tree, rule.formula.allowed)
    return not is_left_to_rule(rule, need)


def gives_integers(item: Item) -> bool:
    """Whether a result is an int; if so, a part of every call is judged."""
    return any(p.type == "intn" for p in item.builtin.outputs)


@np.errstate(all="ignore")
def _required(item: Item, criteria: Criteria) -> Regimes:
    """Return the requirements of one edition in each range.

    In rows without any limit, all results pass for finite arguments, at which errors are measured.
    """
    starts = np.arange(1 << FLOAT.width - RANGE, dtype=np.uint32) << RANGE
    first, last = (FLOAT.from_bits(ends).astype(np.float64) for ends in (starts, starts + ((1 << RANGE) - 1)))
    need, infinite = requirement(item, criteria), np.full(first.shape, INFINITY)
    found, is_finite = requirements(need, first, last), np.isfinite(last)
    is_unspecified, edged = found.is_of(OPEN), found.is_of(EDGED, BOUNDED)
    if not need.gives_no_number:
        is_left = found.is_of(EDGED) | (found.is_of(BOUNDED) & gives_integers(item))
        kinds = np.where(is_left, UNDECIDED, found.kinds)
        return replace(found, kinds=kinds, refused=infinite if _flushes_more(need) else found.refused)
    edged &= is_finite & (not need.not_finite_waived)
    others = np.where(is_unspecified & (not gives_integers(item)), OPEN, np.where(edged, EDGED, UNDECIDED))
    return replace(
        found, kinds=np.where(is_unspecified & is_finite, JUDGED, others), allowed=infinite, refused=infinite
    )


def _flushes_more(need: Requirement) -> bool:
    """Whether flushing allows more than zeros for subnormal numbers, or flushes normal numbers, too."""
    return bool(need.flushing_special_values) or need.product_flushed or need.flushed_below != "smallest normal"


def requirements(need: Requirement, first: F64, last: F64) -> Regimes:
    """Return the requirements for arguments between ``first`` and ``last``: limits, evaluated on ranges.

    The two ends of a range have the same sign, and the second may be NaN.
    """
    x, one = Range.of(first, last), np.ones(first.shape)
    facts = [fact for rule in _formulas(need) for fact in _of_formula(rule, need.parameters[0], first, last)]
    inputs: list[Kind] = ["double", "double", *_KINDS * (len(facts) // len(_KINDS))]
    program = trace(_required_there, inputs, _OUTPUTS, Tables(), need, machine="ranges")
    found = given(program, [x, Range.of(one, one), *facts])
    least, most, tolerance, is_free, is_waived, leaves_open, is_bounded, is_edged = found
    is_unsure = most.may_be_nan | is_edged.some | (tolerance.low != tolerance.high)
    is_unspecified, is_judged = is_waived.all | leaves_open.all, ~(is_waived.some | is_free.some)
    conditions = [is_unspecified, is_judged, is_bounded.all & ~is_waived.some, is_free.all]
    return Regimes(
        kinds=np.select(conditions, [OPEN, JUDGED, BOUNDED, EDGED], UNDECIDED).astype(np.int8),
        allowed=np.where(least.may_be_nan, 0.0, np.maximum(least.low, 0.0)),
        refused=np.where(is_unsure, INFINITY, np.maximum(most.high, 0.0)),
        tolerance=tolerance.low,
    )


def _formulas(need: Requirement) -> list[Derived]:
    """Return the rules with a formula."""
    return [rule for rule, _ in need.clauses if isinstance(rule, Derived)]


def _required_there(x: Real, ulp: Real, *rest: object) -> tuple[np.ndarray, ...]:
    """Return the facts of a requirement that hold for an argument with any exact value.

    (the error that certainly passes, and the largest that may pass, in ulp; an absolute error that passes; whether no
    limit holds; whether everything is waived; whether everything is unspecified; whether only a range of results is
    prescribed; whether a special value may be a normal number). ``ulp``: the number 1. ``rest``: for each rule with a
    formula, an error that passes, whether other results may pass, and whether all may; then the requirement.
    """
    parts, need = cast("Sequence[np.ndarray]", rest[:-1]), cast("Requirement", rest[-1])
    facts = dict(zip(_formulas(need), zip(parts[::3], parts[1::3], parts[2::3], strict=True), strict=True))

    def of_formula(rule: Derived, found: Reach, *_: object) -> Reach:
        error, may_give, is_unspecified = facts[rule]
        least, most = greater(found.least, error), greater(found.most, error)
        return found._replace(
            least=least, most=select(may_give, INFINITY, most), is_unspecified=found.is_unspecified | is_unspecified
        )

    never, (name,) = ~everywhere(ulp), need.parameters
    found = reaches({name: x}, _of_any_size(ulp), need, of_formula)
    about = [
        (special_value, holds(special_value, (x,), FLOAT))
        for special_value in need.special_values
        if special_value.prescribes
    ]
    bounded = any_of([never, *(here for special_value, here in about if special_value.bounds is not None)])
    exactly = any_of([never, *(here for special_value, here in about if special_value.bounds is None)])
    normal = any_of([never, *(here for special_value, here in about if special_value.may_prescribe_normal(FLOAT))])
    waived = are_waived(Asked((x,), {}, never, never, x - x == 0.0), 0, need)  # type: ignore[arg-type] # of any result
    is_unspecified, is_bounded = (found.is_unspecified & here & ~exactly for here in (~bounded, bounded))
    return found.least, found.most, found.tolerance, found.is_unspecified, waived, is_unspecified, is_bounded, normal


def _of_any_size(ulp: Real) -> Value:
    """Return a value that may have any size, in ulp; absolute limits are not converted to its ulp."""
    zero, never = ulp * 0.0, ~everywhere(ulp)
    ends = Ends(Point(zero, 0.0, 0), Point(zero + INFINITY, 0.0, 0))
    return Value(never, never, never, never, ends, ends, (), ulp, ulp, zero, never)


def _of_formula(rule: Derived, name: str, first: F64, last: F64) -> tuple[Range, Truth, Truth]:
    """Return which errors pass, whether other results may, and whether all may, by a formula of argument ``name``."""
    formula, none, never = rule.formula, np.zeros(first.shape), np.zeros(first.shape, np.bool_)
    if isinstance(formula, RelaxedArithmetic):
        is_finite = np.isfinite(last)
        sometimes, always = may_give_anything(formula, {name: (np.minimum(first, last), np.maximum(first, last))})
        least = np.where(is_finite & ~sometimes, formula.least, -1.0)
        return Range.of(least, least), Truth(never, ~never), Truth(is_finite & always, ~is_finite | sometimes)
    factor = factor_of(formula, FLOAT, "rte") if isinstance(formula, RoundedSteps) and rule.otherwise is None else None
    if factor is None:
        return Range.of(none - 1.0, none - 1.0), Truth(never, ~never), Truth(never, never)
    return Range.of(*factor.errors(first, last, FLOAT)), Truth(never, never), Truth(never, never)
