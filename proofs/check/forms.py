"""Forms: the values that a number may have on a cell, in integers; doubles are forms whose values have few bits.

A form is

    p(t) + c_1 e_1 + c_2 e_2 + ... + r,    |t| <= 1, |e_k| <= 1, |r| <= rest,

where p is a polynomial; its coefficients, all c_k and the rest are integers in units of 2^-448. t is the place in the
cell, scaled to -1 .. 1; each e_k is an error, scaled to its bound. Each integer that an operation rounds down adds a
unit to the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["LEAST", "ONE", "Double", "Form", "K", "Undecided", "between", "double", "number", "require", "up"]

K = 448  # units of 2^-448
ONE = 1 << K
LEAST = -1074  # the grid of all doubles
_DEGREE = 10


class Undecided(Exception):  # noqa: N818 - a reason to look at a shorter cell
    """Something is not the same on the whole cell."""


def require(holds: object, what: str) -> None:
    """Go on where something holds on the whole cell."""
    if not holds:
        raise Undecided(what)


def up(product: int) -> int:
    """Return the size of a product of two numbers in units, in units, rounded up."""
    return -(-abs(product) >> K)


class Form:
    """The values of a number on a cell, as described in the module."""

    __slots__ = ("p", "rest", "terms")

    def __init__(self, p: list[int], terms: dict[int, int] | None = None, rest: int = 0) -> None:
        self.p, self.terms, self.rest = p, terms or {}, rest

    def wiggle(self) -> int:
        """Return how far p is from its first coefficient at most."""
        return sum(map(abs, self.p[1:]))

    def off(self) -> int:
        """Return how far the value is from p at most."""
        return sum(map(abs, self.terms.values())) + self.rest

    def radius(self) -> int:
        """Return how far the value is from the first coefficient at most."""
        return self.wiggle() + self.off()

    def size(self) -> int:
        """Return a bound of the sizes of all values."""
        return abs(self.p[0]) + self.radius()

    def least(self) -> int:
        """Return a number that no value is smaller than in size."""
        return max(abs(self.p[0]) - self.radius(), 0)

    def ends(self) -> tuple[int, int]:
        """Return the ends of an interval around all values."""
        return self.p[0] - self.radius(), self.p[0] + self.radius()

    def middle(self) -> Fraction:
        """Return the first coefficient as a number."""
        return Fraction(self.p[0], ONE)

    def beside(self) -> Form:
        """Return the form without its first coefficient."""
        return Form([0, *self.p[1:]], self.terms, self.rest)

    def __add__(self, other: Form) -> Form:
        long, short = (self.p, other.p) if len(self.p) >= len(other.p) else (other.p, self.p)
        p = [a + b for a, b in zip(long, short, strict=False)] + long[len(short) :]
        terms = dict(self.terms)
        for k, c in other.terms.items():
            terms[k] = terms.get(k, 0) + c
        return Form(p, terms, self.rest + other.rest)

    def __neg__(self) -> Form:
        return Form([-c for c in self.p], {k: -c for k, c in self.terms.items()}, self.rest)

    def __sub__(self, other: Form) -> Form:
        return self + -other

    def __mul__(self, other: Form) -> Form:
        return self._whole_multiple(other) or other._whole_multiple(self) or self._product(other)

    def _whole_multiple(self, factor: Form) -> Form | None:
        """Return the product with a number if no unit is dropped. Return None if one is dropped, or if the factor is
        not a number.
        """
        c = factor.p[0]
        if factor.radius() or any(c * x % ONE for x in (*self.p, *self.terms.values(), self.rest)):
            return None
        if not c:
            return Form([0])
        terms = {k: c * x // ONE for k, x in self.terms.items()}
        return Form([c * x // ONE for x in self.p], terms, abs(c) * self.rest // ONE)

    def _product(self, other: Form) -> Form:
        full = [0] * (len(self.p) + len(other.p) - 1)
        for i, a in enumerate(self.p):
            for j, b in enumerate(other.p):
                full[i + j] += a * b
        p = [c >> K for c in full[: _DEGREE + 1]]
        rest = sum(c % ONE != 0 for c in full[: _DEGREE + 1]) + sum(map(up, full[_DEGREE + 1 :]))
        terms: dict[int, int] = {}
        for x, y in ((self, other), (other, self)):
            wiggle, size = y.wiggle(), y.wiggle() + abs(y.p[0])
            for k, c in x.terms.items():
                terms[k] = terms.get(k, 0) + (c * y.p[0] >> K)
                rest += (c * y.p[0] % ONE != 0) + up(c * wiggle)
            rest += up(x.rest * size)
        return Form(p, terms, rest + up(self.off() * other.off()))

    def scaled(self, factor: Fraction) -> Form:
        """Return the product with a rational number."""
        n, d = factor.numerator, factor.denominator
        dropped = sum(c * n % d != 0 for c in (*self.p, *self.terms.values()))
        terms = {k: c * n // d for k, c in self.terms.items()}
        return Form([c * n // d for c in self.p], terms, dropped - (-self.rest * abs(n) // d))


def number(x: float | Fraction) -> Form:
    """Return a known number, which may be finer than a unit."""
    scaled = Fraction(x) * ONE
    return Form([scaled.numerator // scaled.denominator], None, int(scaled.denominator != 1))


def between(low: Fraction, high: Fraction) -> Form:
    """Return the numbers from ``low`` to ``high``, t going from -1 to 1."""
    middle, half = number((low + high) / 2), number((high - low) / 2)
    require(middle.rest == half.rest == 0, "a cell that is finer than a unit")
    return Form([*middle.p, *half.p])


@dataclass(frozen=True)
class Double:
    """A double: all its values are multiples of 2^grid, and have ``bits`` significant bits at most."""

    form: Form
    grid: int
    bits: int = 53

    def __neg__(self) -> Double:
        return Double(-self.form, self.grid, self.bits)

    def scaled(self, power: int) -> Double:
        """Return 2^power times the double, which does not overflow or underflow."""
        return Double(self.form.scaled(Fraction(2) ** power), self.grid + power, self.bits)

    def sign(self) -> int:
        """Return -1 or 1."""
        require(self.form.least(), "a sign")
        return 1 if self.form.p[0] > 0 else -1

    def binade(self) -> int:
        """Return e where 2^e <= |x| < 2^(e+1)."""
        e = self.form.least().bit_length() - 1 - K
        require(self.form.least() and self.form.size() < 1 << e + 1 + K, "the bits of numbers of several binades")
        return e


def double(x: float | Fraction) -> Double:
    """Return a double that is known."""
    x = Fraction(x)
    if x == 0:
        return Double(Form([0]), 4000, 0)
    odd = abs(x.numerator)
    twos = (odd & -odd).bit_length() - 1
    return Double(number(x), twos - (x.denominator.bit_length() - 1), (odd >> twos).bit_length())
