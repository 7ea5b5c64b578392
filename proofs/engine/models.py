"""Values on a cell of arguments, as polynomials with terms for roundings: p(t) + sum of c_k(t) e_k + something small.

t is the distance of the argument from the middle of the cell, |t| <= radius; e_k are unknown numbers of which only a
bound is known, |e_k| <= b_k: a rounding error, for example. Each c_k is a polynomial, too, so that a rounding whose
error is recovered later, as two_sum recovers it, cancels. All coefficients are balls of Arb: facts about a model hold
for every t and e_k.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import arb, arb_poly, ctx

GREATEST = sys.float_info.max
PRECISION = 200  # bits of Arb's balls
_LONGEST = 26  # terms that a polynomial may have; later terms go into the radius
_TERMS = 10  # terms of the polynomial factor of a rounding error
_DIGITS = 53


class Unproven(ArithmeticError):  # noqa: N818 - the proof failed, which need not be an error
    """Something that the proof needs does not hold on the cell, or cannot be seen to."""


def precisely() -> None:
    """Have Arb compute with ``PRECISION`` bits from here on."""
    ctx.prec = PRECISION
    ctx.cap = 64  # terms of series


def upper(x: arb) -> float:
    """A double that is at least |x|."""
    return 0.0 if x.is_zero() else _upward(float(abs(x).upper()))


def lower(x: arb) -> float:
    """A double that is at most |x|; 0 if the ball contains zero."""
    found = float(x.abs_lower())
    return max(math.nextafter(found * (1.0 - 2.0**-40), -math.inf), 0.0)


def _upward(x: float) -> float:
    if not math.isfinite(x):
        raise Unproven("a value is not bounded on the cell")
    return math.nextafter(x * (1.0 + 2.0**-40), math.inf)


def half_ulp(size: float) -> float:
    """Half the distance of doubles around ``size``: the largest error of one rounding to nearest, up to that size."""
    if size == 0.0:
        return 0.0
    return math.ldexp(1.0, math.frexp(size)[1] - _DIGITS - 1)


@dataclass
class Cell:
    """The arguments between ``low`` and ``high``, and the unknown numbers on them.

    ``powers``: the least and the greatest k if values may carry a common factor 2^k. ``paired``: unknown numbers whose
    products with each other are terms of their own, ``products`` by their numbers; ``wide``: unknown numbers whose
    products with all others are terms, for they are as large as the values they are added to.
    """

    low: arb
    high: arb
    powers: tuple[int, int] = (0, 0)
    bounds: list[arb] = field(default_factory=list)
    paired: set[int] = field(default_factory=set)
    wide: set[int] = field(default_factory=set)
    products: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.middle = ((self.low + self.high) / 2).mid()
        self.radius = ((self.high - self.low) / 2).upper() + (self.middle - (self.high + self.low) / 2).abs_upper()
        self.place = arb(0, self.radius)

    def argument(self) -> Model:
        """The model of the argument: middle + t."""
        return Model(self, arb_poly([self.middle, 1]))

    def constant(self, value: Any) -> Model:
        """A number, or a ball."""
        return Model(self, arb_poly([arb(value)]))

    def unknown(self, bound: Any) -> Model:
        """An unknown number of at most ``bound`` in size."""
        self.bounds.append(arb(bound))
        return Model(self, arb_poly([]), {len(self.bounds) - 1: arb_poly([1])})

    def product(self, a: int, b: int) -> int:
        """The number of the product of the unknown numbers ``a`` and ``b``: the same whenever it is asked for."""
        key = min(a, b), max(a, b)
        if key not in self.products:
            self.bounds.append(self.bounds[a] * self.bounds[b])
            self.products[key] = len(self.bounds) - 1
        return self.products[key]


class Model:
    """p + sum of c_k e_k + r with |r| <= ``rest``; see the module."""

    __slots__ = ("_off", "_range", "cell", "p", "rest", "terms")

    def __init__(
        self, cell: Cell, p: arb_poly, terms: dict[int, arb_poly] | None = None, rest: arb | None = None
    ) -> None:
        self.cell, self.p, self.terms, self.rest = cell, p, terms or {}, arb(0) if rest is None else rest
        self._range: arb | None = None
        self._off: arb | None = None

    def polynomial_range(self) -> arb:
        """All values of p, without the rest."""
        return self.p(self.cell.place)

    def off(self) -> arb:
        """All values of the model minus p."""
        if self._off is None:
            total = self.rest
            for k, c in self.terms.items():
                total += c(self.cell.place) * arb(0, self.cell.bounds[k])
            self._off = total
        return self._off

    def range(self) -> arb:
        """All values."""
        if self._range is None:
            self._range = self.polynomial_range() + self.off()
        return self._range

    def ends(self) -> tuple[arb, arb]:
        """A lower and an upper bound of all values, to nearly all bits: the radii of balls have thirty only."""
        middle, *others = self.p.coeffs() or [arb(0)]
        away = _most(others, self.cell.radius) * self.cell.radius + self.rest.abs_upper()
        for k, c in self.terms.items():
            away += _most(c.coeffs(), self.cell.radius) * self.cell.bounds[k].abs_upper()
        return (middle - away).lower(), (middle + away).upper()

    def most(self) -> arb:
        """A bound of the size of all values, as precise."""
        low, high = self.ends()
        return max(-low, high)

    def __add__(self, other: Model) -> Model:
        return Model(self.cell, self.p + other.p, _joined(self.terms, other.terms), self.rest + other.rest)

    def __neg__(self) -> Model:
        return Model(self.cell, -self.p, {k: -c for k, c in self.terms.items()}, -self.rest)

    def __sub__(self, other: Model) -> Model:
        return self + -other

    def __mul__(self, other: Model) -> Model:
        rest = arb(0)
        if not other.rest.is_zero():
            rest += self.polynomial_range() * other.rest
        if not self.rest.is_zero():
            rest += other.polynomial_range() * self.rest
        terms = _joined(
            {k: c * other.p for k, c in self.terms.items()}, {k: c * self.p for k, c in other.terms.items()}
        )
        if not (self._is_sharp() or other._is_sharp()):
            for pairs, beyond in self._products(other):
                terms, rest = _joined(terms, pairs), rest + beyond
        return Model(self.cell, self.p * other.p, terms, rest).trimmed()

    def _products(self, other: Model) -> Iterator[tuple[dict[int, arb_poly], arb]]:
        """Products of the unknown parts of both models, without wide ones and with them: terms, and the rest."""
        (wide, narrow), (others, rest) = self._split(self.cell.wide), other._split(self.cell.wide)
        yield Model._paired(narrow, rest)
        if wide.terms or others.terms:
            pairs: dict[int, arb_poly] = {}
            for one, two in ((wide, others), (wide, rest), (narrow, others)):
                pairs = _crossed(one, two, pairs)
            yield pairs, wide.off() * rest.rest + others.off() * narrow.rest

    def _split(self, numbers: set[int]) -> tuple[Model, Model]:
        """The terms of these numbers, and all else that is not p."""
        chosen = {k: c for k, c in self.terms.items() if k in numbers}
        others = {k: c for k, c in self.terms.items() if k not in numbers}
        none = arb_poly([])
        return Model(self.cell, none, chosen), Model(self.cell, none, others, self.rest)

    def _paired(self, other: Model) -> tuple[dict[int, arb_poly], arb]:
        """The product of the unknown parts of both models: terms for the products of paired numbers, and the rest."""
        (mine, unpaired), (others, rest) = self._split(self.cell.paired), other._split(self.cell.paired)
        if not (mine.terms and others.terms):
            return {}, self.off() * other.off()
        return _crossed(mine, others, {}), unpaired.off() * other.off() + mine.off() * rest.off()

    def _is_sharp(self) -> bool:
        return not self.terms and self.rest.is_zero()

    def scaled(self, factor: Any) -> Model:
        """The product with a number."""
        by = arb(factor)
        return Model(self.cell, self.p * by, {k: c * by for k, c in self.terms.items()}, self.rest * by)

    def widened(self, bound: Any) -> Model:
        """The model plus an error of at most ``bound`` in size that nothing needs to recover."""
        return Model(self.cell, self.p, self.terms, self.rest + arb(0, bound))

    def named(self) -> Model:
        """With a term in place of the radius."""
        size, middle = self.rest.rad(), self.rest.mid()
        p = self.p + middle
        return Model(self.cell, p, dict(self.terms)) + self.cell.unknown(size)

    def trimmed(self) -> Model:
        """The model with its highest terms moved into the rest."""
        rest, p = self.rest, self.p
        if p.length() > _LONGEST:
            p, rest = _cut(p, _LONGEST, rest, self.cell.place, arb(1))
        terms = {}
        for k, c in self.terms.items():
            kept = c
            if c.length() > _TERMS:
                kept, rest = _cut(c, _TERMS, rest, self.cell.place, arb(0, self.cell.bounds[k]))
            terms[k] = kept
        return Model(self.cell, p, terms, rest)


def _most(coefficients: Sequence[arb], radius: arb) -> arb:
    """A bound of a polynomial's size for |t| of at most ``radius``, which is an exact number."""
    total = arb(0)
    for c in reversed(coefficients):
        total = total * radius + c.abs_upper()
    return total


def _crossed(a: Model, b: Model, found: dict[int, arb_poly]) -> dict[int, arb_poly]:
    """``found``, and a term for the product of each term of a and each term of b."""
    for (i, c), (k, d) in itertools.product(a.terms.items(), b.terms.items()):
        found = _joined(found, {a.cell.product(i, k): c * d})
    return found


def _joined(a: dict[int, arb_poly], b: dict[int, arb_poly]) -> dict[int, arb_poly]:
    total = dict(a)
    for k, c in b.items():
        total[k] = total[k] + c if k in total else c
    return {k: c for k, c in total.items() if c.length()}


def _cut(p: arb_poly, length: int, rest: arb, place: arb, factor: arb) -> tuple[arb_poly, arb]:
    """The first ``length`` terms, and ``rest`` plus a bound of the others."""
    head = p.truncate(length)
    return head, rest + (p - head)(place) * factor
