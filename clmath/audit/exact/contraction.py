"""The values that an expression may have with contraction on, and the one value that it has with contraction off."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import public
from clmath.numbers.formats import format_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.numbers.rounding import Rounding

__all__ = ["is_small", "results"]

Args: TypeAlias = "tuple[np.ndarray, ...]"

DIRECTED: tuple[Rounding, ...] = ("rtz", "rtp", "rtn")

_PRODUCT = r"(?:(\w) \* (\w))"
_SUM = re.compile(rf"(?:{_PRODUCT}|(\w)) ([+-]) (?:{_PRODUCT}|(\w))")


def results(item: ExactItem, args: Args, mode: Rounding, *, flushing: bool = False) -> list[np.ndarray]:
    """The value with every operation rounded; after it, if contraction is on, those with unrounded products.

    ``flushing``: with those, too, whose subnormal products are flushed to zeros of either sign.
    """
    left, right, is_difference = _terms(item, args)
    terms = itertools.product(_rounded(left, mode, flushing=flushing), _rounded(right, mode, flushing=flushing))
    found = [np.asarray(public.add(one, _signed(other, is_difference), rounding=mode)) for one, other in terms]
    if item.builtin.formula:
        found += _contracted(left, right, is_difference, mode, flushing=flushing)
    return found


def is_small(item: ExactItem, args: Args, *, flushing: bool) -> NDArray[np.bool_]:
    """Where a value that the expression may have is subnormal, but not zero, before it is rounded."""
    cut, up, down = (results(item, args, mode, flushing=flushing) for mode in DIRECTED)
    border = item.result.smallest_normal
    small = [(np.abs(c) < border) & ((u > 0) | (d < 0)) for c, u, d in zip(cut, up, down, strict=True)]
    return np.asarray(np.logical_or.reduce(small))


def _terms(item: ExactItem, args: Args) -> tuple[Args, Args, bool]:
    """The factors of the two terms, one factor if a term is no product; whether the second term is subtracted."""
    row = item.builtin
    values = dict(zip(row.names, args, strict=True))
    match = _SUM.fullmatch(row.formula or row.uncontracted)
    assert match is not None  # as the table has them
    left, right = _factors(match.groups()[:3], values), _factors(match.groups()[4:], values)
    return left, right, match[4] == "-"


def _signed(values: np.ndarray, is_subtracted: bool) -> np.ndarray:
    return np.asarray(np.negative(values)) if is_subtracted else values


def _factors(words: tuple[str | None, ...], values: dict[str, np.ndarray]) -> Args:
    return tuple(values[word] for word in words if word)


def _rounded(factors: Args, mode: Rounding, *, flushing: bool) -> Iterator[np.ndarray]:
    """A product, rounded, and with each zero in its place where it may be flushed; or a term that is no product."""
    if len(factors) < 2:
        yield factors[0]
        return
    product = np.asarray(public.mul(*factors, rounding=mode))
    yield product
    if flushing:
        form = format_of(product.dtype)
        assert form is not None  # the table has them for floats
        is_one = (factors[0] != 0) & (factors[1] != 0)
        small = is_one & (np.abs(public.mul(*factors, rounding="rtz")) < form.smallest_normal)
        for zero in (form.dtype.type(0.0), form.dtype.type(-0.0)):
            yield np.where(small, zero, product)


def _contracted(left: Args, right: Args, is_difference: bool, mode: Rounding, *, flushing: bool) -> list[np.ndarray]:
    """The sums of the terms with one or both of the products exact, rounded once."""
    found: list[Any] = []
    if len(left) == 2:
        others = _rounded(right, mode, flushing=flushing)
        found += [public.fma(*left, _signed(term, is_difference), rounding=mode) for term in others]
    if len(right) == 2:
        a, b = _signed(right[0], is_difference), right[1]
        found += [public.fma(a, b, term, rounding=mode) for term in _rounded(left, mode, flushing=flushing)]
        if len(left) == 2:
            with public.fp_contract("ON"):
                found.append(public.dot(np.stack([left[0], a], -1), np.stack([left[1], b], -1), rounding=mode))
    return found
