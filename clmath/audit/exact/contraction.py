"""Values that an expression may have with contraction on, and the one value that it has with contraction off."""

from __future__ import annotations

import itertools
import re

import numpy as np

from clmath.audit.counting.spread import same
from clmath.audit.exact.exact_criteria import AllowedResults, Args, Calls
from clmath.audit.plan.exact_item import ExactItem
from clmath.ir.values import Truth
from clmath.numbers.formats import Format
from clmath.numbers.rounding import Rounding
from clmath.reference.bitwise.expressions import evaluated

DIRECTED: tuple[Rounding, ...] = ("rtz", "rtp", "rtn")

_PRODUCT = r"(?:(\w) \* (\w))"
_SUM = re.compile(rf"(?:{_PRODUCT}|(\w)) ([+-]) (?:{_PRODUCT}|(\w))")


def allowed(calls: Calls) -> AllowedResults:
    """Return the acceptable values of an expression; all are, if a build option allows the results of mad."""
    wanted, *also = _results(calls, calls.criteria.mode)
    is_flushed = calls.item.result.name in calls.criteria.flushed_in(calls.item)
    is_small = _is_small(calls) if is_flushed else None
    return AllowedResults(wanted, np.asarray(calls.criteria.contracts), tuple(also), is_small=is_small)


def _is_small(calls: Calls) -> Truth:
    """Return where a value that the expression may have is subnormal, but not zero, before it is rounded."""
    cut, up, down = (_results(calls._replace(got=None), mode) for mode in DIRECTED)
    border = calls.item.result.smallest_normal
    small = [(np.abs(c) < border) & ((u > 0) | (d < 0)) for c, u, d in zip(cut, up, down, strict=True)]
    return np.asarray(np.logical_or.reduce(small))


def _results(calls: Calls, mode: Rounding) -> list[np.ndarray]:
    """Return the value with every operation rounded, then, if contraction is on, the values with exact products.

    If steps are flushed, also return the values with subnormal products flushed to zeros of either sign.
    """
    form = calls.item.form
    left, right, is_difference = _terms(calls.item, calls.args)
    lefts, rights = (_rounded(factors, form, mode, flushing=calls.flushing) for factors in (left, right))
    if is_difference:  # a product is rounded first
        right, rights = _opposite(right), [_opposite(term) for term in rights]
    sums = [*itertools.product(lefts, rights)]
    if calls.item.builtin.formula:
        sums += reversed(_contracted(left, right, lefts, rights))  # most targets leave all products exact
    return _values(sums, form, mode, calls.got)


def _values(sums: list[tuple[Args, Args]], form: Format, mode: Rounding, got: np.ndarray | None) -> list[np.ndarray]:
    """Return the values of the sums; if a call's result ``got`` equals a value, it also replaces all later values."""
    first, *others = sums
    found = [evaluated(first, form, mode)]
    if got is None:
        return found + [evaluated(terms, form, mode) for terms in others]
    for terms in others:
        left, value = np.nonzero(~same(got, found[-1])), found[-1].copy()
        value[left] = evaluated([[factor[left] for factor in factors] for factors in terms], form, mode)
        found.append(value)
    return found


def _terms(item: ExactItem, args: Args) -> tuple[Args, Args, bool]:
    """Return the factors of both terms, one if a term is not a product, and whether the second term is subtracted."""
    row = item.builtin
    values = dict(zip(row.names, args, strict=True))
    match = _SUM.fullmatch(row.formula or row.uncontracted)
    assert match is not None  # as the table has them
    left, right = (tuple(values[word] for word in words if word) for words in (match.groups()[:3], match.groups()[4:]))
    return left, right, match[4] == "-"


def _opposite(factors: Args) -> Args:
    return (np.negative(factors[0]), *factors[1:])


def _rounded(factors: Args, form: Format, mode: Rounding, *, flushing: bool) -> list[Args]:
    """Return a rounded product, and each zero in its place if it may be flushed; or a term that is not a product."""
    if len(factors) < 2:
        return [factors]
    product = evaluated([factors], form, mode)
    if not flushing:
        return [(product,)]
    is_one = (factors[0] != 0) & (factors[1] != 0)
    small = is_one & (np.abs(evaluated([factors], form, "rtz")) < form.smallest_normal)
    zeros = (form.dtype.type(0.0), form.dtype.type(-0.0))
    return [(product,), *((np.where(small, zero, product),) for zero in zeros)]


def _contracted(left: Args, right: Args, lefts: list[Args], rights: list[Args]) -> list[tuple[Args, Args]]:
    """Return the sums with one or both products exact; ``lefts`` and ``rights``: the terms with rounded products."""
    found: list[tuple[Args, Args]] = []
    if len(left) == 2:
        found += [(left, term) for term in rights]
    if len(right) == 2:
        found += [(right, term) for term in lefts]
        if len(left) == 2:
            found.append((left, right))
    return found
