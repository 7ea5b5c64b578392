"""Exact sums of many doubles: expansions, after Shewchuk, and products brought into one double's range."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.numbers.errorfree import power_of_two, sign_of, two_product, two_sum
from clmath.numbers.rounding import to_odd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.numbers.errorfree import F64, I64

__all__ = [
    "BASE",
    "PRODUCT_GAP",
    "Aligned",
    "Product",
    "aligned",
    "expanded",
    "expansion_product",
    "head_and_rest",
    "sign_of_sum",
]

BASE = 400  # where the largest product is put: what lies 1300 binades below is still a normal double
PRODUCT_GAP = 170  # between products: 104 bits below one, 54 more for a midpoint of the sum of higher ones, 12 to spare


class Product(NamedTuple):
    """The number a b 2^exponent of two mantissas; a zero has an exponent below every other's."""

    a: F64
    b: F64
    exponent: I64


class Aligned(NamedTuple):
    """Products as doubles in one scale: their sum, times 2^exponent.

    Gaps between exponents were shortened, which changes no sign and no rounding of the sum. But where all products
    before a gap cancel and the sum is thus below its ``floors``, the exponent is less by what was taken from the gap.
    """

    parts: list[F64]
    exponent: I64
    floors: list[F64]
    taken: list[I64]

    def exponent_of(self, head: F64) -> I64:
        """The exponent that belongs to the sum ``head``."""
        exponent = self.exponent
        for floor, taken in zip(self.floors, self.taken, strict=True):
            exponent = exponent - taken * (np.abs(head) < floor)
        return exponent


def aligned(products: Sequence[Product], gap: int) -> Aligned:
    """Bring ``products`` side by side, the largest to about 2^BASE and none more than ``gap`` binades below the next.

    A sum of products of exponent e and more is a multiple of 2^(e-104), or zero: what is below cannot reach it.
    """
    exponents = np.stack([p.exponent for p in products])
    falling = -np.sort(-exponents, axis=0)
    taken = list(np.maximum(falling[:-1] - falling[1:] - gap, 0))
    shifts = exponents - falling[0] + BASE
    place = np.full(falling[0].shape, BASE)
    floors = []
    for number, excess in enumerate(taken):
        shifts += excess * (exponents < falling[number])
        floors.append(power_of_two(place - 120))
        place = place - (falling[number] - falling[number + 1] - excess)
    parts: list[F64] = []
    for product, shift in zip(products, shifts, strict=True):
        scale = power_of_two(shift)
        parts += [part * scale for part in two_product(product.a, product.b)]
    return Aligned(parts, falling[0] - BASE, floors, taken)


def expanded(parts: Sequence[F64]) -> list[F64]:
    """The same sum as components of rising magnitude whose bits do not even touch; some are zero."""
    components = [parts[0]]
    for part in parts[1:]:
        total = part
        for number, component in enumerate(components):
            total, components[number] = two_sum(total, component)
        components.append(total)
    return [c for c in components if c.any()] or components[:1]


def head_and_rest(parts: Sequence[F64]) -> tuple[F64, F64]:
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


def sign_of_sum(parts: Sequence[F64]) -> I64:
    """-1, 0 or 1: the sign of the exact sum."""
    sign = np.zeros(parts[0].shape, np.int64)
    for component in expanded(parts):
        sign = np.where(component == 0.0, sign, sign_of(component))
    return sign


def expansion_product(a: Sequence[F64], b: Sequence[F64]) -> list[F64]:
    """The exact product of two sums, as parts."""
    return [part for x in a for y in b for part in two_product(x, y)]
