"""Zeros that a target returns for large arguments, of which there may be millions: one call is judged for many."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.counting.tally import KEPT
from clmath.spec.limits import Absolute, CorrectlyRounded, LowerBits, NoRounding, Ulps, Unlimited
from clmath.spec.notation import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.criteria import Criteria
    from clmath.audit.plan.item import Item
    from clmath.spec.limits import Rule

__all__ = ["alike"]

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
    edges = [edge for criteria in all_criteria for edge in criteria.edges(item)]
    conditions = [condition for _, condition in clauses] + [edge.condition for edge in edges]
    named = [text for condition in conditions if condition for text in condition.numbers]
    named += [pattern.constant for edge in edges for pattern in edge.patterns if pattern.constant]
    sizes = [abs(number(text, item.form)) for text in named]
    return max([2.0 ** (item.form.precision + 1), *(size for size in sizes if np.isfinite(size))])


def _is_simple(rule: Rule) -> bool:
    return type(rule) in _RULES or (isinstance(rule, Absolute) and not rule.scaled)
