"""What the specification asks of a result of one argument, in lane arithmetic: its limits, and what edges concern."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any

from clmath.numbers.formats import FLOAT
from clmath.numbers.lanes import bits, nearest, select
from clmath.spec.limits import Absolute, Ulps, UlpsAndRelative, Unlimited
from clmath.spec.notation import RELATIONS, number, variable

if TYPE_CHECKING:
    from clmath.spec.edges import Edge
    from clmath.spec.limits import Limit, Rule
    from clmath.spec.notation import Condition

__all__ = ["concerned", "is_known_edge", "is_known_limit", "limited"]

INFINITY = float("inf")
WHOLE = 2.0**51  # from here on every float is an integer
ADJECTIVES = ("finite", "infinite", "non-finite", "NaN", "non-NaN", "integer", "non-integer")


def is_known_limit(limit: Limit) -> bool:
    """Whether ``limited`` knows all that the limit says."""
    return all(_is_known_rule(rule) and _is_known_condition(condition) for rule, condition in limit.clauses)


def _is_known_rule(rule: Rule) -> bool:
    return type(rule) in (Ulps, UlpsAndRelative, Unlimited) or (isinstance(rule, Absolute) and not rule.scaled)


def _is_known_condition(condition: Condition | None) -> bool:
    return condition is None or all(a in ADJECTIVES for clause in condition.clauses for a in clause.adjectives)


def is_known_edge(edge: Edge) -> bool:
    """Whether ``concerned`` knows the edge."""
    (pattern,) = edge.patterns
    if pattern.constant is None:
        return not (pattern.halfway or pattern.either) and _is_known_condition(edge.condition)
    return edge.condition is None and (pattern.either or number(pattern.constant, FLOAT) != 0.0)


def everywhere(x: Any) -> Any:
    """True of every lane."""
    return bits(x) == bits(x)


def limited(x: Any, scale: Any, limit: Limit) -> Any:
    """(an error in ulp that passes, whether the limit leaves every result open) at ``x``.

    ``scale``: how many ulp one is.
    """
    allowed, is_open = scale * 0.0 + INFINITY, everywhere(x)  # arguments that meet no condition
    for rule, condition in reversed(limit.clauses):
        holds = everywhere(x) if condition is None else met(condition, {limit.parameters[0]: x})
        allowed = select(holds, passing(rule, x, scale), allowed)
        is_open = (holds | is_open) if rule.is_open else (is_open & ~holds)
    return allowed, is_open


def passing(rule: Rule, x: Any, scale: Any) -> Any:
    """An error in ulp that passes where the rule holds."""
    if isinstance(rule, Unlimited):
        return scale * 0.0 + INFINITY
    if isinstance(rule, Absolute):
        return scale * rule.tolerance
    assert isinstance(rule, Ulps)
    if rule.growing:  # by floor(|2x|), which is more than |2x| - 1
        return rule.constant + select(abs(x) > 0.5, abs(x + x) - 1.0, 0.0)
    return scale * 0.0 + rule.constant


def concerned(x: Any, edges: tuple[Edge, ...]) -> Any:
    """Whether an edge says anything of the result at ``x``."""
    found = ~everywhere(x)
    for edge in edges:
        (pattern,) = edge.patterns
        if pattern.constant is not None:
            value = number(pattern.constant, FLOAT)
            here = x != x if value != value else (abs(x) if pattern.either else x) == value
        else:
            here = everywhere(x)
        if edge.condition is not None:
            here = here & met(edge.condition, {str(pattern.variable): x})
        found = found | here
    return found


def met(condition: Condition, values: dict[str, Any]) -> Any:
    """Whether a condition holds."""
    truths = []
    for clause in condition.clauses:
        terms = [term_of(text, values) for text in clause.terms]
        subject = next(value for text, value in zip(clause.terms, terms, strict=True) if variable(text))
        truths += [is_of_kind(adjective, subject) for adjective in clause.adjectives]
        between = zip(terms, clause.relations, terms[1:], strict=False)
        truths += [RELATIONS[relation](left, right) for left, relation, right in between]
    return functools.reduce(operator.and_, truths)


def term_of(text: str, values: dict[str, Any]) -> Any:
    """A number, or a variable or its size."""
    name = variable(text)
    if name is None:
        return number(text, FLOAT)
    return abs(values[name]) if text.startswith("|") else values[name]


def is_of_kind(adjective: str, x: Any) -> Any:
    """Whether a lane is what one of ``ADJECTIVES`` says."""
    if adjective.endswith("NaN"):
        return x == x if adjective == "non-NaN" else x != x
    finite = x - x == 0.0
    if adjective == "finite":
        return finite
    if adjective == "infinite":
        return abs(x) == INFINITY
    if adjective == "non-finite":
        return ~finite
    rounded, _ = nearest(select(abs(x) < WHOLE, x, 0.0))
    whole = (abs(x) >= WHOLE) | (rounded == x)
    return finite & (whole if adjective == "integer" else ~whole)
