"""Exact sums of many doubles: expansions, after Shewchuk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clmath.ir.lanes import to_odd, two_product, two_sum
from clmath.ir.values import Real

__all__ = ["expanded", "expansion_product", "head_and_rest"]


def expanded(parts: Sequence[Real]) -> list[Real]:
    """The sum as components of rising magnitude whose bits do not even touch; some are zero."""
    components = [parts[0]]
    for part in parts[1:]:
        total = part
        for number, component in enumerate(components):
            total, components[number] = two_sum(total, component)
        components.append(total)
    return [c for c in components if c.any()] or components[:1]


def head_and_rest(parts: Sequence[Real]) -> tuple[Real, Real]:
    """The sum of ``parts`` as its nearest double and the rest rounded to odd."""
    head, *higher = expanded(parts)
    errors = []
    for component in higher:
        head, error = two_sum(component, head)
        errors.append(error)
    rest = np.zeros_like(head)
    for error in errors:  # each is a multiple of a unit that all before it together do not reach
        rest = to_odd(*two_sum(error, rest))
    return two_sum(head, rest)


def expansion_product(a: Sequence[Real], b: Sequence[Real]) -> list[Real]:
    """The exact product of two sums, as parts."""
    return [part for x in a for y in b for part in two_product(x, y)]
