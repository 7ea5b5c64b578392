"""What a limit asks of results, told at once for all arguments between two numbers."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.spec.derived import RelaxedArithmetic
from clmath.spec.limits import Absolute, Derived, Ulps, Unlimited
from clmath.spec.steps import RoundedSteps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.numbers.formats import Format
    from clmath.spec.limits import Limit, Rule
    from clmath.spec.steps import Factor

__all__ = ["Requirements", "requirements"]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"

_SLACK = 1.0 + 2.0**-20  # far more than the roundings of bounds
_ROUNDED = 0.5  # ulp: correctly rounded results, which conform to whatever limit, are not off by more


class Requirements(NamedTuple):
    """What is asked for all arguments of a range, one entry each: arrays.

    ``is_open``: nothing is asked. ``is_judged``: results conform that are correctly rounded, off by up to ``allowed``
    ulp, or by up to ``tolerance``; those fail that are off by more than ``refused`` ulp and more than ``tolerance``,
    unless something else excuses them. Neither: it depends on the argument, or is not told.
    """

    is_open: Bools
    is_judged: Bools
    allowed: F64
    refused: F64
    tolerance: F64

    @property
    def sizes(self) -> tuple[F64, F64, F64]:
        """``allowed``, ``refused`` and ``tolerance``, in arrays of their own."""
        return np.array(self.allowed), np.array(self.refused), np.array(self.tolerance)

    def where(self, chosen: Bools) -> Requirements:
        """The same where ``chosen``, nothing told elsewhere."""
        return self._replace(is_open=self.is_open & chosen, is_judged=self.is_judged & chosen)

    @classmethod
    def both(cls, one: Requirements, other: Requirements) -> Requirements:
        """What conforms, and what fails, by both; nothing is told where they differ too much."""
        is_judged = one.is_judged & other.is_judged & (one.tolerance == other.tolerance)
        allowed, refused = np.minimum(one.allowed, other.allowed), np.maximum(one.refused, other.refused)
        return cls(one.is_open & other.is_open, is_judged, allowed, refused, one.tolerance)


@np.errstate(all="ignore")
def requirements(limit: Limit, first: F64, last: F64, form: Format) -> Requirements:
    """What ``limit`` asks of a built-in of one argument that lies between ``first`` and ``last``, both included.

    Each pair is of one sign, ``first`` nearer to zero, and at most an eighth of a binade apart, beyond the subnormal
    numbers; or infinite and NaN.
    """
    (name,) = limit.parameters
    ends = {name: first}, {name: last}
    none = np.zeros(first.shape, np.bool_)
    found, is_left = [], ~none
    for rule, met in limit.clauses:
        always, never = (~none, none) if met is None else met.between(*ends, form)
        found.append(_by_rule(rule, name, first, last, form).where(is_left & always))
        is_left &= never
    found.append(_by_rule(Unlimited("no clause"), name, first, last, form).where(is_left))
    return functools.reduce(_either, found)


def _either(one: Requirements, other: Requirements) -> Requirements:
    """What is told by one of two, which do not tell anything of the same ranges."""
    numbers = (np.where(other.is_judged, new, old) for old, new in zip(one[2:], other[2:], strict=True))
    return Requirements(one.is_open | other.is_open, one.is_judged | other.is_judged, *numbers)


def _by_rule(rule: Rule, name: str, first: F64, last: F64, form: Format) -> Requirements:
    """What one kind of limit asks."""
    some = np.ones(first.shape, np.bool_)
    match rule:
        case Unlimited():
            return _judged(~some, 0.0)._replace(is_open=some)
        case Absolute(scaled=False):
            return _judged(some, 0.0, _ROUNDED, rule.tolerance)
        case Derived(formula=RelaxedArithmetic() as formula):
            ranges = {name: (np.minimum(first, last), np.maximum(first, last))}
            sometimes, always = formula.may_give_anything(ranges)
            return _judged(np.isfinite(last) & ~sometimes, rule.least)._replace(is_open=np.isfinite(last) & always)
        case Derived(formula=RoundedSteps() as formula, otherwise=None) if factor := formula.factor(form, "rte"):
            return _by_factor(factor, first, last, form)
    if type(rule) is not Ulps or rule.per_lane:
        return _judged(some, rule.least)
    if not rule.growing:
        return _judged(some, rule.constant, rule.constant)
    nearer, farther = (rule.constant + np.floor(np.abs(2.0 * end)) for end in (first, last))
    return _judged(np.isfinite(last), nearer, farther)


def _by_factor(factor: Factor, first: F64, last: F64, form: Format) -> Requirements:
    """What is asked of the product with a constant that may be what lies between two others.

    Results conform from the rounded product with the one to that with the other. The exact product is 2^(p-1) to 2^p
    ulp, p being the precision, where it is normal: so many times the distance of the constants from the exact one, as a
    share of it, conform, or are what the product may be off by before it is rounded. Rounding moves it by half an ulp:
    one of the exact value's where it lies in the next binade.
    """
    shares = (1.0 - factor.least / factor.exact, factor.most / factor.exact - 1.0)
    allowed = max(min(shares), 0.0) * 2.0 ** (form.precision - 1) / _SLACK
    refused = max(shares) * 2.0**form.precision * _SLACK + 1.0
    nearer, farther = (np.abs(end) * factor.exact for end in (first, last))
    usual = (nearer >= 2.0 * form.smallest_normal) & (farther <= 0.5 * form.largest)
    return _judged(np.ones(first.shape, np.bool_), np.where(usual, allowed, 0.0), np.where(usual, refused, np.inf))


def _judged(where: Bools, allowed: F64 | float, refused: F64 | float = np.inf, tolerance: float = 0.0) -> Requirements:
    """Limits of ranges, in arrays."""
    sizes = [np.broadcast_to(np.asarray(size, np.float64), where.shape) for size in (allowed, refused, tolerance)]
    return Requirements(np.zeros(where.shape, np.bool_), where, *sizes)
