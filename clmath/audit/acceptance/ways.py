"""Results that rules allow at any distance from the exact value, which no set holds; only on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.acceptance.squares import may_be_root, sums_of_squares
from clmath.audit.acceptance.steps import given_by_products, given_by_steps, same
from clmath.direct import operators
from clmath.spec.limits import Derived, FusedOrNot, RootOfSquares, UlpsOrArgument
from clmath.spec.steps import RoundedSteps, SumOfProducts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.acceptance.steps import Sample
    from clmath.spec.limits import Rule

__all__ = ["gives"]

Bools: TypeAlias = "NDArray[np.bool_]"


def gives(rule: Rule, sample: Sample) -> Bools:
    """Return which results a rule allows that ``is_left_to_rule``."""
    args, actual, form, mode = sample.args, sample.actual, sample.form, sample.mode
    match rule:
        case Derived(formula=RoundedSteps() as formula):
            return given_by_steps(formula, sample)
        case Derived(formula=SumOfProducts() as formula):
            return given_by_products(formula, sample)
        case RootOfSquares(allowed=allowed):
            sums = sums_of_squares(args, form, mode, flushing=sample.flushing)
            return np.asarray(np.logical_or.reduce([may_be_root(actual, s, allowed, form) for s in sums]))
        case UlpsOrArgument():
            unchanged = same(actual, args[0], form).all(axis=-1, keepdims=True)
            return np.broadcast_to(unchanged, actual.shape)
        case FusedOrNot():
            (product,) = operators.mul(form, mode, args[0], args[1])
            (total,) = operators.add(form, mode, product, args[2])
            return same(actual, total, form)
    raise TypeError(rule)
