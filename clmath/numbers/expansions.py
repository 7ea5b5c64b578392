"""Exact sums of many doubles: expansions, after Shewchuk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clmath.ir.primitives import *

__all__ = ["expansion", "expansion_product", "head_and_rest", "odd_sum", "pair"]


def expansion(terms: Sequence[Real]) -> list[Real]:
    """Their sum as numbers that do not overlap, the least first, zeros anywhere (Shewchuk's grow-expansion).

    With ties to even no two are adjacent: those below a component are together less than half its last bit.
    """
    found: list[Real] = []
    for term in terms:
        carried = term
        for number, part in enumerate(found):
            carried, found[number] = two_sum(carried, part)
        found.append(carried)
    return found


def odd_sum(parts: Sequence[Real]) -> Real:
    """The sum of an expansion rounded to odd: as no parts are adjacent, rounded bits stay below the following part."""
    total = parts[0]
    for part in parts[1:]:
        total = to_odd(*two_sum(part, total))
    return total


def pair(parts: Sequence[Real]) -> Pair:
    """The sum of an expansion of two parts or more as a number that is it rounded to nearest, and the rest rounded to
    odd.
    """
    head, lows = parts[0], []
    for part in parts[1:]:  # adds the least to the others: an expansion again, its head within a place of the sum
        head, low = two_sum(part, head)
        lows.append(low)
    return two_sum(head, odd_sum(lows))


def head_and_rest(terms: Sequence[Real]) -> Pair:
    """The sum of arrays as its nearest double, zeros positive, and the rest rounded to odd."""
    parts = expansion(terms)
    parts = [part for part in parts if part.any()] or parts[:1]
    head, rest = pair(parts) if len(parts) > 1 else (parts[0], np.zeros_like(parts[0]))
    return head + 0.0, rest


def expansion_product(a: Sequence[Real], b: Sequence[Real]) -> list[Real]:
    """The exact product of two sums, as parts."""
    return [part for x in a for y in b for part in two_product(x, y)]
