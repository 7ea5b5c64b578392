"""What limits allow for a result, and where edges may prescribe it, in lane arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clmath.audit.acceptance.relaxed import ends_of, gives_anything, is_known_formula, may_give
from clmath.ir.lanes import everywhere, greater, lesser, select
from clmath.numbers.formats import FLOAT
from clmath.numbers.lane_codes import decoded, encoded
from clmath.numbers.lane_rounding import RTE
from clmath.numbers.rounding import MODES
from clmath.spec.derived import RelaxedArithmetic, parsed
from clmath.spec.limits import (
    Absolute,
    CorrectlyRounded,
    Derived,
    FusedOrNot,
    LowerBits,
    NoRounding,
    Ulps,
    UlpsAndRelative,
    Unlimited,
)
from clmath.spec.notation import meets, number
from clmath.spec.steps import RoundedSteps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.ir.values import Real, Truth
    from clmath.numbers.formats import Format
    from clmath.spec.edges import Edge
    from clmath.spec.limits import Limit, Rule

__all__ = [
    "Allowed",
    "Got",
    "asked_by_edges",
    "concerned",
    "is_known_edge",
    "is_known_limit",
    "limited",
    "may_be_concerned",
]

INFINITY = float("inf")
_EQUALITIES = (
    CorrectlyRounded,
    NoRounding,
    LowerBits,
    FusedOrNot,
)  # of these rules lanes pass only the correctly rounded result, and leave others to the host


def is_known_limit(limit: Limit, form: Format) -> bool:
    """Whether ``limited`` can evaluate every rule of a limit."""
    return all(_is_known_rule(rule, limit, form) for rule, condition in limit.clauses)


def _is_known_rule(rule: Rule, limit: Limit, form: Format) -> bool:
    if isinstance(rule, Absolute):
        return form.is_narrow and not rule.scaled
    if isinstance(rule, Derived):
        return _is_known_derived(rule, limit, form)
    if type(rule) in _EQUALITIES:
        return True
    if type(rule) in (Ulps, UlpsAndRelative):
        return len(limit.parameters) == 1 or not rule.growing  # type: ignore[attr-defined] # it is Ulps
    return isinstance(rule, Unlimited)


def _is_known_derived(rule: Derived, limit: Limit, form: Format) -> bool:
    if rule.otherwise is not None and not _is_known_rule(rule.otherwise, limit, form):
        return False
    formula = rule.formula
    if isinstance(formula, RoundedSteps):
        return formula.factor(form, "rte") is not None
    if not isinstance(formula, RelaxedArithmetic) or form is not FLOAT:
        return False
    return is_known_formula(parsed(formula.text, "limits.toml"), formula.allowed)


def is_known_edge(edge: Edge, form: Format) -> bool:
    """Whether ``concerned`` can tell where an edge holds; it knows edges of built-ins of one argument."""
    if len(edge.patterns) != 1:
        return False
    (pattern,) = edge.patterns
    if pattern.constant is None:
        return not (pattern.halfway or pattern.either)
    return pattern.either or number(pattern.constant, form) != 0.0  # without a variable there is no condition


class Got(NamedTuple):
    """A result: its value ``number``, the number of ulp in one, ``scale``, its format, and the number of the mode.

    ``given``: what rules with formulas allow, if it is known beforehand.
    """

    number: Real
    scale: Real
    form: Format
    mode: int
    given: tuple[tuple[Rule, Allowed], ...] = ()


class Allowed(NamedTuple):
    """What a limit allows: an error below ``error`` ulp.

    ``gives``, ``may_give``: whether the result certainly, or perhaps, passes for another reason, whatever its error.
    ``is_open``: whether the limit allows any result, where that ``is_known``.
    """

    error: Real
    gives: Truth
    may_give: Truth
    is_open: Truth
    is_known: Truth


def limited(args: Sequence[Any], got: Got, limit: Limit) -> Allowed:
    """What the limit of a row allows for a result."""
    form, scale = got.form, got.scale
    named = dict(zip(limit.parameters, args, strict=True))
    always = everywhere(scale)
    found = Allowed(scale * 0.0 + INFINITY, ~always, always, always, always)  # for arguments that meet no condition
    for rule, condition in reversed(limit.clauses):
        holds = always if condition is None else meets(condition, named, form)
        here = by_rule(rule, named, got)
        error = select(holds, here.error, found.error)
        others = zip(here[1:], found[1:], strict=True)
        found = Allowed(error, *((holds & one) | (~holds & other) for one, other in others))
    return found


def by_rule(rule: Rule, named: dict[str, Any], got: Got) -> Allowed:
    """What one rule of a limit allows for a result."""
    scale, always, (x, *_) = got.scale, everywhere(got.scale), named.values()
    if not isinstance(rule, Derived):
        is_more = always & isinstance(rule, UlpsAndRelative)  # lanes know only the first of its two parts
        return Allowed(passing(rule, x, scale), ~always, is_more, always & rule.is_open, always)
    formula, error = rule.formula, scale * 0.0 - 1.0 if rule.otherwise is None else passing(rule.otherwise, x, scale)
    known = next((allowed for one, allowed in got.given if one is rule), None)
    if known is not None:
        return known._replace(error=greater(error, known.error))
    if isinstance(formula, RoundedSteps):
        return Allowed(error, is_product(formula, named, got), always, ~always, always)
    assert isinstance(formula, RelaxedArithmetic)
    tree, allowed = parsed(formula.text, "limits.toml"), formula.allowed
    inner, outer = (ends_of(tree, named, allowed, inner=inner) for inner in (True, False))
    is_open = gives_anything(inner)
    given = may_give(inner, got.number), may_give(outer, got.number)
    return Allowed(error, *given, is_open, is_open | ~gives_anything(outer))


def is_product(formula: RoundedSteps, named: dict[str, Any], got: Got) -> Any:
    """Whether a result lies between the argument's products with the least and with the greatest constant, rounded."""
    found = formula.factor(got.form, MODES[got.mode])
    assert found is not None
    if not got.form.is_narrow and got.mode != RTE:
        return got.number != got.number  # left to the host
    ends = [rounded(named[found.name] * factor, got) for factor in (found.least, found.most)]
    return (lesser(*ends) <= got.number) & (got.number <= greater(*ends))


def rounded(product: Real, got: Got) -> Real:
    """A product of two numbers of the format, rounded once; a product of doubles has been rounded to nearest."""
    return decoded(encoded(product, got.form, got.mode), got.form)


def passing(rule: Rule, x: Real, scale: Real) -> Real:
    """An error in ulp that passes by a rule; the correctly rounded result always passes."""
    if isinstance(rule, Unlimited):
        return scale * 0.0 + INFINITY
    if isinstance(rule, Absolute):
        return scale * rule.tolerance
    if type(rule) in _EQUALITIES:
        return scale * 0.0
    assert isinstance(rule, Ulps)
    if rule.growing:  # floor(|2x|) is more than |2x| - 1
        return rule.constant + select(abs(x) > 0.5, abs(x + x) - 1.0, 0.0)
    return scale * 0.0 + rule.constant


def concerned(x: Real, edges: tuple[Edge, ...], form: Format) -> Truth:
    """Whether an edge prescribes the result at ``x``; edges that are not ``is_known_edge`` are left out."""
    found = ~everywhere(x)
    for edge in edges:
        if not is_known_edge(edge, form):
            continue
        (pattern,) = edge.patterns
        if pattern.constant is not None:
            value = number(pattern.constant, form)
            here = is_constant(abs(x) if pattern.either else x, value)
        elif edge.condition is not None:
            here = meets(edge.condition, {str(pattern.variable): x}, form)
        else:
            here = everywhere(x)
        found = found | here
    return found


def asked_by_edges(args: Sequence[Any], edges: tuple[Edge, ...], form: Format) -> tuple[Truth, Truth]:
    """(whether an edge may prescribe the result; whether this is certain)."""
    if all(is_known_edge(edge, form) for edge in edges):
        return concerned(args[0], edges, form), everywhere(args[0])
    found = may_be_concerned(args, edges, form)
    return found, ~found


def may_be_concerned(args: Sequence[Any], edges: tuple[Edge, ...], form: Format) -> Truth:
    """Whether an edge may prescribe the result: True where it does, and where lane arithmetic cannot tell."""
    found = ~everywhere(args[0])
    for edge in edges:
        here, values = everywhere(args[0]), {}
        for pattern, x in zip(edge.patterns, args, strict=True):
            size = abs(x) if pattern.either else x
            if pattern.constant is not None:
                here = here & is_constant(size, number(pattern.constant, form))
            elif not pattern.halfway:
                values[str(pattern.variable)] = size
        condition = edge.condition
        if condition is not None and condition.variables <= values.keys():
            here = here & meets(condition, values, form)
        found = found | here
    return found


def is_constant(x: Real, value: float) -> Truth:
    """Whether a lane equals a number known in advance, or both are NaN."""
    found: Truth = x != x if value != value else x == value
    return found
