"""Sets of results that limits allow, from an exact value or an enclosure of it.

Two sets follow from an enclosure. Results in the inner set are acceptable wherever the exact value lies in it, results
outside of the outer set are acceptable nowhere. An exact value is an enclosure without width: both sets are the same,
except with rules whose further results no set holds (``is_left_to_rule``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from clmath.audit.acceptance.criteria import Requirement
from clmath.audit.acceptance.relaxed import Ends, gives_anything, sides
from clmath.audit.acceptance.sets import (
    BEYOND,
    Set,
    any_of,
    between,
    choice,
    chosen,
    everything,
    holds_nowhere,
    nothing,
    place_of,
    single,
    spans_hold,
    united,
)
from clmath.audit.acceptance.steps import factor_of
from clmath.audit.acceptance.values import Point, Value, binade, moved, rounded
from clmath.ir.primitives import everywhere, filled, greater, lesser, select
from clmath.ir.values import Integer, Real, Truth
from clmath.kernels.whole.arithmetic import rounded_product, rounded_sum
from clmath.numbers.encodings import encoded, sign_of
from clmath.numbers.formats import Format
from clmath.numbers.rounded_encodings import RTN, RTP
from clmath.numbers.rounding import MODES
from clmath.spec.formulas import RelaxedArithmetic, RoundedSteps, TwoRoundings
from clmath.spec.limits import (
    Absolute,
    Derived,
    Rule,
    Ulps,
    Unlimited,
    absolute_error,
    number_of_ulps,
    opens_integers,
)
from clmath.spec.notation import meets

LARGE = 2.0**900  # a reach, in units of a point, that may overflow
SHIFT, SCALE = 100, 2.0**-100  # keep a tolerance away from the largest numbers
STICKY = 5e-324  # a tail that tells the side of a head


Found = TypeVar("Found")
Side = TypeVar("Side", Set, "Truth")


class Sides(NamedTuple, Generic[Side]):
    """The inner and the outer set, or two conditions: that hold certainly, and perhaps."""

    inner: Side
    outer: Side

    @classmethod
    def of(cls, side: Callable[[int], Side], *, same: bool) -> Sides[Side]:
        """Return ``side(0)`` and ``side(1)``; the inner one is not evaluated if it equals the outer one (``same``)."""
        found = side(1)
        return cls(found if same else side(0), found)

    @property
    def is_one(self) -> bool:
        """Whether both are known to be equal."""
        return self.inner is self.outer


class Rounded(NamedTuple):
    """The rounded ends between which a value lies, as encodings and as places; an exact value has one end."""

    codes: Sequence[Integer]
    places: list[Integer]

    @property
    def is_known(self) -> Truth:
        """Whether both are the same result."""
        found: Truth = self.codes[0] == self.codes[-1]
        return found

    def zeros(self, *, negative: bool, form: Format) -> Truth:
        """Return whether one of them is a zero of that sign."""
        found: Truth = any_of(
            ((code & form.magnitude) == 0) & (((code & sign_of(form)) != 0) == negative) for code in self.codes
        )
        return found


class Limited(NamedTuple):
    """Results that limits allow.

    ``sets``: the inner and the outer set. ``is_unspecified``: whether no limit holds for the arguments. ``due``: the
    value rounded. ``is_tiny``: whether the value is subnormal before it is rounded, certainly and perhaps. ``border``:
    the place of the largest number that is subnormal before it is rounded: the largest subnormal one, or the smallest
    normal one, if a smaller one may round to it.
    """

    sets: Sides[Set]
    is_unspecified: Truth
    due: Rounded
    is_tiny: Sides[Truth]
    border: Integer


class Reach(NamedTuple):
    """Results that one rule allows.

    ``least``, ``most``: the distances of a result from the exact value that pass certainly and perhaps, for the least
    and the greatest ulp of an enclosure; they are negative if only the correctly rounded result passes. ``ulps``: the
    greater distance in ulp. ``is_unspecified``: whether all results are allowed. ``tolerance``: the value of an
    absolute limit. ``others``: sets of further results.
    """

    least: Real
    most: Real
    ulps: Real
    tolerance: Real
    is_unspecified: Truth
    others: Sides[Set]


OfFormula: TypeAlias = "Callable[[Derived, Reach, Mapping[str, Real], Value, Requirement], Reach]"


def is_left_to_rule(rule: Rule, need: Requirement) -> bool:
    """Return whether sets do not hold all results that a rule allows: ``steps.gives`` finds the others."""
    if not isinstance(rule, Derived) or isinstance(rule.formula, RelaxedArithmetic | TwoRoundings):
        return False
    formula = rule.formula
    return not isinstance(formula, RoundedSteps) or factor_of(formula, need.form, MODES[need.mode]) is None


def holds_subnormal(one: Set, side: int, by_limit: Limited, decided: Truth, form: Format) -> Truth:
    """Return whether a set, certainly or perhaps, holds a result that is subnormal before it is rounded.

    ``decided``: whether special values have replaced the set; these are not rounded.
    """
    largest = (1 << form.precision - 1) - 1
    prescribed = select(by_limit.border < 0, -largest, largest)
    found = spans_hold(one, select(decided, prescribed, by_limit.border))
    for place in by_limit.due.places:
        found = found | (by_limit.is_tiny[side] & spans_hold(one, place))
    return found


def _reach(
    rule: Rule, args: Mapping[str, Real], value: Value, need: Requirement, of_formula: OfFormula | None = None
) -> Reach:
    """Return the reach of a rule."""
    zero, empty = filled(0.0, value.least_ulp), nothing(value.least_ulp)
    never = empty.quiet
    equality = Reach(zero - 1.0, zero - 1.0, zero - 1.0, zero, never, Sides(empty, empty))
    if isinstance(rule, Unlimited):
        return equality._replace(is_unspecified=~never)
    if isinstance(rule, Derived):
        otherwise = None if rule.otherwise is None else _reach(rule.otherwise, args, value, need)
        return (of_formula or _with_formula)(rule, otherwise or equality, args, value, need)
    if isinstance(rule, Absolute):
        return _absolute(rule, args, value, equality, need)
    return _in_ulp(rule, args, value, equality, need) if isinstance(rule, Ulps) else equality


def _unknown(like: Real) -> Sides[Set]:
    """Return sets by which any result may be acceptable, and none is for certain."""
    return Sides(nothing(like), everything(like))


def _in_ulp(rule: Ulps, args: Mapping[str, Real], value: Value, like: Reach, need: Requirement) -> Reach:
    """Return the reach of a limit in ulp."""
    count = number_of_ulps(rule, args, need.width, like.least)
    least, most = count * value.least_ulp, count * value.most_ulp
    if rule.relative:
        sizes = [abs(end.head) for end in value.distance]
        least, most = least + rule.relative * lesser(*sizes), most + rule.relative * greater(*sizes)
    return like._replace(least=least, most=most, ulps=count)


def _absolute(rule: Absolute, args: Mapping[str, Real], value: Value, like: Reach, need: Requirement) -> Reach:
    """Return the reach of a limit that is absolute, or a share of the largest element's square."""
    tolerance = absolute_error(rule, args, need.width, need.form)
    reach = filled(0.0, like.least) + tolerance * value.one
    return like._replace(least=reach, most=reach, ulps=filled(1.0, like.ulps), tolerance=like.tolerance + tolerance)


def _in_two_steps(args: Mapping[str, Real], need: Requirement) -> Integer:
    """Return the encoding of a b + c, product and sum each rounded in the mode."""
    (a, b, c), name = args.values(), need.form.name
    return encoded(rounded_sum(rounded_product(a, b, name, need.mode), c, name, need.mode), need.form)


def _with_formula(rule: Derived, found: Reach, args: Mapping[str, Real], value: Value, need: Requirement) -> Reach:
    """Return the reach of a rule with a formula: results of the formula, and results within another limit."""
    form, formula, empty = need.form, rule.formula, nothing(value.least_ulp)
    if is_left_to_rule(rule, need):
        return found._replace(others=_unknown(value.least_ulp))
    if isinstance(formula, RoundedSteps | TwoRoundings):
        if isinstance(formula, RoundedSteps):
            other = _products(formula, args, form, need.mode)
        else:
            other = single(_in_two_steps(args, need), form)
        return found._replace(others=Sides(other, other))
    assert isinstance(formula, RelaxedArithmetic)
    ends = sides(formula.tree, args, formula.allowed)
    values = Sides.of(lambda side: _of_ends(ends[side], form, empty), same=ends[0] is ends[1])
    return found._replace(is_unspecified=found.is_unspecified | gives_anything(ends[0]), others=values)


def _products(formula: RoundedSteps, args: Mapping[str, Real], form: Format, mode: int) -> Set:
    """Return the set of all products of an argument with constants between the least and the greatest one."""
    factor = factor_of(formula, form, MODES[mode])
    assert factor is not None
    x, constants = args[factor.name], (factor.least, factor.most)
    codes = [encoded(rounded_product(filled(one, x), x, form.name, mode), form) for one in constants]
    nan, places = (codes[0] & form.magnitude) > form.infinite, [place_of(code, form) for code in codes]
    found = between(lesser(*places), greater(*places), ~nan)
    return found._replace(quiet=nan)


def _of_ends(ends: Ends, form: Format, empty: Set) -> Set:
    """Return the set of the values of a relaxed formula; it is ``unspecified`` if these are all numbers and NaN."""
    low, high = place_of(encoded(ends.low, form, RTP), form), place_of(encoded(ends.high, form, RTN), form)
    sure, never = ends.sure & ~empty.quiet, empty.quiet
    found = between(low, high, sure)
    return found._replace(quiet=sure & ends.nan, unspecified=never | gives_anything(ends))


def _span(low: Point, high: Point, reach: Real, form: Format) -> tuple[Integer, Integer]:
    """Return the places from ``low`` - reach to ``high`` + reach; an infinity counts as 2^(emax + 1)."""
    bottom, top = moved(low, -reach, form), moved(high, reach, form)
    first, last = place_of(rounded(bottom, form, RTP), form), place_of(rounded(top, form, RTN), form)
    first = select((bottom.head < 0.0) & (binade(bottom) > form.emax), -form.infinite, first)
    return first, select((top.head > 0.0) & (binade(top) > form.emax), form.infinite, last)


def _of_large_tolerance(
    value: Value, found: Reach, span: tuple[Integer, Integer], form: Format
) -> tuple[Integer, Integer]:
    """Return the places within an absolute tolerance that is too large for the unit of the points.

    The value is so small compared with the tolerance that only its sign matters to the ends.
    """
    is_large, size = found.most > LARGE, found.tolerance * SCALE
    side = select(value.zero, 0.0, select(value.negative, -STICKY, STICKY))
    ends = Point(-size, side, SHIFT), Point(size, side, SHIFT)
    low, high = (place_of(rounded(end, form, mode), form) for end, mode in zip(ends, (RTP, RTN), strict=True))
    return select(is_large, low, span[0]), select(is_large, high, span[1])


def by_clause(
    args: Mapping[str, Real],
    need: Requirement,
    otherwise: Found,
    of_rule: Callable[[Rule], Found],
    chosen: Callable[[Truth, Found, Found], Found],
) -> Found:
    """Return the facts ``of_rule`` for the clause that applies to each call, or ``otherwise`` if none applies."""
    found = otherwise
    for rule, condition in reversed(need.clauses):
        if condition is None:
            found = of_rule(rule)
        elif not holds_nowhere(holds := meets(condition, args, need.form)):
            found = chosen(holds, of_rule(rule), found)
    return found


def reaches(args: Mapping[str, Real], value: Value, need: Requirement, of_formula: OfFormula | None = None) -> Reach:
    """Return the reach of the clause that applies to each call; arguments that meet no condition have no limit.

    ``of_formula``: returns the reach of a rule with a formula, if that is known, from the reach of its other limit.
    """
    zero, empty = filled(0.0, value.least_ulp), nothing(value.least_ulp)
    unlimited = Reach(zero, zero, zero, zero, ~empty.quiet, Sides(empty, empty))
    return by_clause(args, need, unlimited, lambda rule: _reach(rule, args, value, need, of_formula), _chosen_reach)


def _chosen_reach(condition: Truth, yes: Reach, no: Reach) -> Reach:
    """Return the reach ``yes`` where a condition holds and ``no`` elsewhere."""
    condition = condition & everywhere(yes.least)
    return Reach(
        select(condition, yes.least, no.least),
        select(condition, yes.most, no.most),
        select(condition, yes.ulps, no.ulps),
        select(condition, yes.tolerance, no.tolerance),
        choice(condition, yes.is_unspecified, no.is_unspecified),
        _chosen_sides(condition, yes.others, no.others),
    )


def _chosen_sides(condition: Truth, yes: Sides[Set], no: Sides[Set]) -> Sides[Set]:
    """Return the sets ``yes`` where a condition holds and ``no`` elsewhere."""
    return Sides.of(lambda side: chosen(condition, yes[side], no[side]), same=yes.is_one and no.is_one)


def limited(args: Mapping[str, Real], value: Value, need: Requirement) -> Limited:
    """Return the results that the limits of a requirement allow."""
    return within(reaches(args, value, need), value, need)


def within(found: Reach, value: Value, need: Requirement) -> Limited:
    """Return the results within a reach of a value."""
    form, always = need.form, everywhere(value.least_ulp)
    low, high = value.distance
    outer = _beyond(value, found, _span(low, high, found.most, form), form)
    inner = outer if value.is_exact else _span(high, low, found.least, form)  # swapped: within reach of both ends
    spans = [inner, outer]
    if not form.is_narrow and any(isinstance(rule, Absolute) for rule in need.rules):
        spans = [_of_large_tolerance(value, found, span, form) for span in spans]
    due = Rounded(value.due, [place_of(code, form) for code in value.due])
    tiny = [binade(end) < form.emin for end in value.rounding]
    plain = value.is_number & ~value.zero

    def set_of(side: int) -> Set:
        by_distance = _allowed(spans[side], always if side else due.is_known, value, found.ulps >= 0.0, due, need)
        one = united(by_distance, _without_zeros(found.others[side], value))
        return chosen(found.is_unspecified, everything(value.least_ulp), one)

    sets = Sides.of(set_of, same=value.is_exact and found.others.is_one)
    is_tiny = Sides(tiny[0] & tiny[1] & plain, (tiny[0] | tiny[1]) & plain)
    return Limited(sets, found.is_unspecified, due, is_tiny, _border(value, found.ulps, form))


def _beyond(value: Value, found: Reach, span: tuple[Integer, Integer], form: Format) -> tuple[Integer, Integer]:
    """Return the outer places of values beyond 2^(emax + 2), which kernels represent by one value.

    Finite numbers are more than 2^precision ulp from all of them.
    """
    nearest = select(found.ulps < 2.0**form.precision, form.infinite, -BEYOND)
    positive, negative = value.stands_beyond & ~value.negative, value.stands_beyond & value.negative
    return select(positive, nearest, span[0]), select(negative, -nearest, span[1])


def _allowed(  # noqa: PLR0917 - the facts about a result
    span: tuple[Integer, Integer], is_sure: Truth, value: Value, has_distance: Truth, due: Rounded, need: Requirement
) -> Set:
    """Return the set of results within a reach, with the correctly rounded one, which always is acceptable."""
    form, empty = need.form, nothing(value.least_ulp)
    low, high = select(has_distance, span[0], BEYOND), select(has_distance, span[1], -BEYOND)
    reached = (low <= 0) & (high >= 0)
    low = select(is_sure & (due.places[0] < low), due.places[0], low)
    high = select(is_sure & (due.places[-1] > high), due.places[-1], high)
    plus, minus = (is_sure & due.zeros(negative=sign, form=form) for sign in (False, True))
    either, is_unspecified = plus | minus, need.zero_sign == "open"
    plus = reached | (either if is_unspecified or need.positive_zeros else plus)
    minus = reached | (either if is_unspecified else minus)
    plus, minus = _of_exact_zero(value, plus, minus, need)
    pole = select(value.negative, -form.infinite, form.infinite)
    low = select(value.infinite, pole, select(value.nan, 1, low))
    high = select(value.infinite, pole, select(value.nan, 0, high))
    plain = value.is_number
    return empty._replace(spans=((low, high),), plus=plus & plain, minus=minus & plain, quiet=value.nan)


def _of_exact_zero(value: Value, plus: Truth, minus: Truth, need: Requirement) -> tuple[Truth, Truth]:
    """Return which zeros are acceptable: for an exact zero the zero with its sign, if signs are judged."""
    if need.zero_sign != "judged":
        return plus | value.zero, minus | value.zero
    positive = ~value.negative | need.positive_zeros
    return (value.zero & positive) | (~value.zero & plus), (value.zero & value.negative) | (~value.zero & minus)


def _without_zeros(others: Set, value: Value) -> Set:
    """Return further results; of an exact zero only the sign's rule says which zeros are acceptable."""
    return others._replace(plus=others.plus & ~value.zero, minus=others.minus & ~value.zero)


def _border(value: Value, ulps: Real, form: Format) -> Integer:
    """Return the place of the largest number, with the sign of the value, that is subnormal before it is rounded."""
    normal = 1 << form.precision - 1
    size = select(ulps > 0.5, normal, normal - 1)
    return select(value.negative, -size, size)


def are_unspecified(args: Mapping[str, Real], need: Requirement, like: Real, *, is_integer: bool = False) -> Truth:
    """Return whether no limit holds for a result; some texts prescribe an int and leave the float unspecified.

    Arguments that meet no condition have no limit.
    """
    always = everywhere(like)

    def of_rule(rule: Rule) -> Truth:
        return always & opens_integers(rule) if is_integer else _gives_anything(rule, args, always)

    return by_clause(args, need, always, of_rule, choice)


def _gives_anything(rule: Rule, args: Mapping[str, Real], always: Truth) -> Truth:
    """Return whether a rule allows every result."""
    if isinstance(rule, Derived) and isinstance(rule.formula, RelaxedArithmetic):
        inner, _ = sides(rule.formula.tree, args, rule.formula.allowed)
        return always & gives_anything(inner)
    return always & isinstance(rule, Unlimited)
