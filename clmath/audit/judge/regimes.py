"""What a row's law requires of results in float, for ranges of the one argument: the law in lanes, run on ranges."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.judge.zeros import flushes_more
from clmath.audit.lanes.lane_limits import is_known_limit
from clmath.audit.lanes.lane_measure import OneLaw
from clmath.audit.lanes.lane_screen import required_there
from clmath.engines.native.screens import FREE, NOTHING, WAIVED
from clmath.ir.program import Tables
from clmath.ir.ranges import Range, Truth, given
from clmath.ir.trace import trace
from clmath.numbers.formats import FLOAT
from clmath.spec.derived import RelaxedArithmetic
from clmath.spec.limits import Derived
from clmath.spec.steps import RoundedSteps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.ir.program import Kind

__all__ = [
    "EDGED",
    "JUDGED",
    "OPEN",
    "RANGE",
    "UNTOLD",
    "Kinds",
    "Regimes",
    "gives_integers",
    "regimes",
    "requirements",
]

Kinds: TypeAlias = "NDArray[np.int8]"
Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"

RANGE = 20  # low bits of an encoding that do not tell its range: a binade has eight ranges
# what is required of results in a range: not known, nothing, what limits say, or only what edges may prescribe
UNTOLD, OPEN, JUDGED, EDGED = range(4)
_KINDS: tuple[Kind, ...] = ("double", "bool", "bool")  # types of the three facts about a formula
_OUTPUTS: tuple[Kind, ...] = ("double", "bool", "bool", "bool", "bool", "bool")
_ROUNDED = 0.5  # ulp: the largest error of correctly rounded results, which any limit allows


class Requirements(NamedTuple):
    """What is required for all arguments of a range: arrays with one entry per range.

    ``is_open``: nothing is required. ``is_judged``: results conform that are correctly rounded, or have an error of up
    to ``allowed`` ulp, or of up to ``tolerance``; results fail whose error exceeds both ``refused`` ulp and
    ``tolerance``, unless something excuses them. ``is_edged``: no limit holds, but edges may prescribe results. If none
    of these is true, the requirements depend on the argument, or are not known.
    """

    is_open: Bools
    is_judged: Bools
    is_edged: Bools
    allowed: F64
    refused: F64
    tolerance: F64

    @property
    def sizes(self) -> tuple[F64, F64, F64]:
        """Copies of ``allowed``, ``refused`` and ``tolerance``."""
        return np.array(self.allowed), np.array(self.refused), np.array(self.tolerance)

    @classmethod
    def both(cls, one: Requirements, other: Requirements) -> Requirements:
        """The requirements by which results conform, or fail, by both of two laws; not known if tolerances differ."""
        is_judged = one.is_judged & other.is_judged & (one.tolerance == other.tolerance)
        allowed, refused = np.minimum(one.allowed, other.allowed), np.maximum(one.refused, other.refused)
        is_edged = one.is_edged | other.is_edged
        return cls(one.is_open & other.is_open, is_judged, is_edged, allowed, refused, one.tolerance)


@dataclass(frozen=True, eq=False)
class Regimes:
    """The requirements for every range, by its number: the first bits of an encoding.

    ``edged``: where only edges prescribe results, for some arguments. ``is_free``: no limit holds for the row, so that
    errors are only measured. ``left_out``: which results are neither judged nor measured, a number of
    ``native.screens``.
    """

    requirements: Requirements
    edged: Bools
    is_free: bool
    left_out: int

    @functools.cached_property
    def kinds(self) -> Kinds:
        """For each range UNTOLD, OPEN, JUDGED or EDGED."""
        kinds = np.where(self.edged, EDGED, UNTOLD)
        return np.where(self.requirements.is_open, OPEN, np.where(self.requirements.is_judged, JUDGED, kinds)).astype(
            np.int8
        )

    @functools.cached_property
    def only(self) -> int:
        """The kind of all ranges if they have the same one, else UNTOLD."""
        return int(self.kinds[0]) if (self.kinds == self.kinds[0]).all() else UNTOLD

    @functools.cached_property
    def of_both_signs(self) -> Regimes:
        """The requirements for an argument and its opposite at once; not known where edges hold for one of them."""
        half = len(self.kinds) // 2
        there = Requirements._make(np.roll(values, half) for values in self.requirements)
        return replace(self, requirements=Requirements.both(self.requirements, there), edged=np.zeros_like(self.edged))

    def of_all(self, x: NDArray[np.float32]) -> int:
        """The kind of all arguments if all ranges from the least to the greatest have the same one, else UNTOLD."""
        if not x.size:
            return JUDGED
        if self.only != UNTOLD:
            return self.only
        codes = FLOAT.bits(x)
        among = self.kinds[int(codes.min()) >> RANGE : (int(codes.max()) >> RANGE) + 1]
        return int(among[0]) if (among == among[0]).all() else UNTOLD

    def of(self, x: NDArray[np.float32]) -> Kinds:
        """The kind of each argument."""
        kinds: Kinds = self.kinds[FLOAT.bits(x) >> RANGE]
        return kinds


@functools.lru_cache(maxsize=256)
def regimes(item: Item, law: Law) -> Regimes | None:
    """What the laws of all editions require of a row of one argument; None if no range has known requirements."""
    laws, integers = (law, *law.others(item)), gives_integers(item)
    if not all(is_known_limit(one.limit(item), FLOAT) for one in laws):
        return None
    facts = {(one.limit(item).gives_no_number, one.waives("not finite", item)) for one in laws}
    if len(facts) > 1 or (integers and any(_opens_integers(item, one) for one in laws)):
        return None
    ((is_free, waives),) = facts
    left_out = FREE if is_free and not integers else WAIVED if waives else NOTHING
    told, edged = zip(*[_required(item, one) for one in laws], strict=True)
    found = Regimes(functools.reduce(Requirements.both, told), np.logical_or.reduce(edged), is_free, left_out)
    return found if found.kinds.any() else None


def gives_integers(item: Item) -> bool:
    """Whether a result is an int; if so, every call has something that is judged."""
    return any(p.type == "intn" for p in item.builtin.outputs)


def _opens_integers(item: Item, law: Law) -> bool:
    """Whether ``law`` leaves ints open for some arguments."""
    limit = law.limit(item)
    waived = limit.gives_no_number and law.waives("not finite", item)
    return waived or any(rule.integers_open for rule, _ in limit.clauses)


@np.errstate(all="ignore")
def _required(item: Item, law: Law) -> tuple[Requirements, Bools]:
    """What one law requires in each range, and where only edges prescribe results.

    In rows without any limit, all results pass for finite arguments, at which errors are measured.
    """
    starts = np.arange(1 << FLOAT.width - RANGE, dtype=np.uint32) << RANGE
    first, last = (FLOAT.from_bits(ends).astype(np.float64) for ends in (starts, starts + ((1 << RANGE) - 1)))
    found, is_free = requirements(OneLaw.of(law, item), first, last), law.limit(item).gives_no_number
    is_finite, infinite = np.isfinite(last), np.full(first.shape, np.inf)
    edged = found.is_edged & is_finite & (is_free and not law.waives("not finite", item))
    if is_free:
        found = found._replace(is_judged=found.is_open & is_finite, allowed=infinite, refused=infinite)
        is_open = np.zeros_like(is_finite) if gives_integers(item) else found.is_open & ~is_finite
        return found._replace(is_open=is_open), edged
    return (found._replace(refused=infinite) if flushes_more(law, item) else found), edged


def requirements(law: OneLaw, first: F64, last: F64) -> Requirements:
    """What a law requires of results for arguments between ``first`` and ``last``, by the law in lanes run on ranges.

    The two ends of a range have the same sign, and the second may be NaN. The error that passes is a number of ulp,
    which is the same whatever the size of an ulp, or an absolute error, which then changes in proportion.
    """
    (name,), of_x, none = law.limit.parameters, Range.of(first, last), np.zeros(first.shape)
    formulas = [_of_formula(rule, name, first, last) for rule, _ in law.limit.clauses if isinstance(rule, Derived)]
    of_rules: list[Range | Truth] = [fact for facts in formulas for fact in facts]
    inputs: list[Kind] = ["double", "double", *_KINDS * len(formulas)]
    program = trace(required_there, inputs, _OUTPUTS, Tables(), law)
    found = [given(program, [of_x, Range.of(scale, scale), *of_rules]) for scale in (none, none + 1.0)]
    (in_ulp, may_give, is_free, is_waived, leaves_open, is_edged), (by_one, *_) = found
    is_absolute = (in_ulp.high <= 0.0) & (by_one.low == by_one.high) & (by_one.low > 0.0)
    is_excused = may_give.some | is_edged.some | in_ulp.may_be_nan
    is_in_ulp = (in_ulp.low == by_one.low) & (in_ulp.high == by_one.high)
    refused = np.where(is_in_ulp & ~is_excused, in_ulp.high, np.inf)
    is_open = is_waived.all | leaves_open.all
    return Requirements(
        is_open=is_open,
        is_judged=~(is_waived.some | is_free.some),
        is_edged=is_free.all & ~is_open,
        allowed=np.where(in_ulp.may_be_nan, 0.0, np.maximum(in_ulp.low, 0.0)),
        refused=np.where(is_absolute & ~is_excused, _ROUNDED, refused + float(law.limit.grows)),
        tolerance=np.where(is_absolute, by_one.low, 0.0),
    )


def _of_formula(rule: Derived, name: str, first: F64, last: F64) -> tuple[Range, Truth, Truth]:
    """(errors that pass, whether other results may pass, whether all may) by a formula of the argument ``name``."""
    formula, none, never = rule.formula, np.zeros(first.shape), np.zeros(first.shape, np.bool_)
    if isinstance(formula, RelaxedArithmetic):
        is_finite = np.isfinite(last)
        sometimes, always = formula.may_give_anything({name: (np.minimum(first, last), np.maximum(first, last))})
        least = np.where(is_finite & ~sometimes, formula.least, -1.0)
        return Range.of(least, least), Truth(never, ~never), Truth(is_finite & always, ~is_finite | sometimes)
    factor = formula.factor(FLOAT, "rte") if isinstance(formula, RoundedSteps) and rule.otherwise is None else None
    if factor is None:
        return Range.of(none - 1.0, none - 1.0), Truth(never, ~never), Truth(never, never)
    return Range.of(*factor.errors(first, last, FLOAT)), Truth(never, never), Truth(never, never)
