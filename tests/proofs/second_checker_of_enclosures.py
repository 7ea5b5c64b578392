"""The second checker of inverse roots; powers by the binomial series, angles by the series of the arc tangent.

As in ``second_checker``, of ``proofs`` there are plain data alone. Besides the rules there:

- (a - (s - t)) + (b - t) with s = RN(a + b), t = RN(s - a) is a + b - s (Knuth, The Art of Computer Programming 2).
- Encodings of numbers that are not known serve for two things: their sign is set or changed, or their last bits are
  cleared, which takes a positive number down by less than a unit of the last bit that is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isqrt

from clmath.ir.program import Constant
from tests.proofs.second_checker import (
    LEAST,
    ONE,
    Double,
    Evaluation,
    Form,
    K,
    Undecided,
    _up,
    logarithm,
)

SIGN = -(1 << 63)
INFINITE = Constant("double", 0x7FF << 52)
POWERS = 40  # terms of series
STEEPEST = Fraction(1, 32)  # of slopes whose angles are summed


@dataclass(frozen=True)
class Encoded:
    """The encoding of a number."""

    number: Double


class Enclosure(Evaluation):
    """The operations that exponentials have not."""

    def double_div(self, number, a, b):
        return self.rounded(number, self(a).form * power_of(self(b).form, Fraction(-1)), LEAST)

    def sqrt(self, number, a):
        return self.rounded(number, power_of(self(a).form, Fraction(1, 2)), LEAST)

    def sum(self, number, parts):
        found = self.of_two_sum(parts)
        if found is None:
            return super().sum(number, parts)
        s, a, b = map(self, found)
        return Double(a.form + b.form - s.form, min(a.grid, b.grid))

    def of_two_sum(self, parts):
        """(s, a, b) where this is their error, as above."""
        (one, first), (two, second) = parts
        outer, inner = self.operation(first), self.operation(second)
        back = self.operation(outer[1][1]) if outer[0] == "double.sub" else ("", ())
        if (one, two, inner[0], back[0]) != (1, 1, "double.sub", "double.sub"):
            return None
        a, b, (s, t) = outer[1][0], inner[1][0], back[1]
        is_so = inner[1][1] == t and self.operation(t) == ("double.sub", (s, a))
        return (s, a, b) if is_so and self.operation(s) in {("double.add", (a, b)), ("double.add", (b, a))} else None

    def bits(self, number, a):
        try:
            return super().bits(number, a)
        except Undecided:
            return Encoded(self(a))

    def from_bits(self, number, a):
        found = self(a)
        return found.number if isinstance(found, Encoded) else super().from_bits(number, a)

    def long_and(self, _number, a, b):
        x, mask = self(a), self(b)
        if not isinstance(x, Encoded):
            return x & mask
        form = x.number.form
        if mask == SIGN and form.least():
            return SIGN if form.p[0] < 0 else 0
        cleared = (-mask).bit_length() - 1
        assert mask == -(1 << cleared)
        assert cleared < 52
        if not (form.p[0] > 0 and form.least()):
            raise Undecided("the last bits of a number that is not known to be positive")
        last = (form.size().bit_length() - 53 + cleared, form.least().bit_length() - 53 + cleared)
        half = 1 << last[0] - 1
        lowered = form - Form([half]) + self.symbol(half)
        return Encoded(Double(lowered, max(last[1] - K, x.number.grid), 53 - cleared))

    def long_or(self, number, a, b):
        x, y = self(a), self(b)
        if not isinstance(x, Encoded):
            return x | y
        if y and not (y == SIGN and x.number.form.p[0] > 0 and x.number.form.least()):
            raise Undecided("bits of a number that is not known to be positive")
        return self.with_sign_changed(number, x, y)

    def long_xor(self, number, a, b):
        x, y = self(a), self(b)
        return self.with_sign_changed(number, x, y) if isinstance(x, Encoded) else x ^ y

    def with_sign_changed(self, _number, x, y):
        assert y in {0, SIGN}
        form = x.number.form.times(-1 if y else 1)
        return Encoded(Double(form, x.number.grid, x.number.bits))

    def long_mul(self, _number, a, b):
        return self(a) * self(b)

    def compare(self, name, a, b):
        """Known values are finite."""
        if b == INFINITE:
            return name in {"lt", "le", "ne"}
        return super().compare(name, a, b)

    def bool_and(self, _number, a, b):
        return bool(self(a)) and bool(self(b))

    def bool_xor(self, _number, a, b):
        return bool(self(a)) ^ bool(self(b))

    def bool_not(self, _number, a):
        return not self(a)


# functions of forms


def scaled(form, factor):
    """``factor``, a fraction, times a form."""
    p = [c * factor.numerator // factor.denominator for c in form.p]
    terms = {k: c * factor.numerator // factor.denominator for k, c in form.terms.items()}
    rest = -(-form.rest * abs(factor.numerator) // factor.denominator)
    return Form(p, terms, rest + len(p) + len(terms))


def series(u, coefficients, beyond):
    """The sum of c_n u^n, and something no larger than ``beyond`` units."""
    total = Form([0])
    for c in reversed(coefficients):
        total = total * u + Form([c.numerator * ONE // c.denominator], None, 1)
    return total + Form([0], None, beyond)


def tail_of(u, count):
    """The sum of terms u^n from n = ``count`` on, their factors being no larger than 1: |u| is below 1/2."""
    size = u.size()
    if 2 * size > ONE:
        raise Undecided("a series on a long cell")
    left = ONE
    for _ in range(count):
        left = _up(left * size)
    return 2 * left


def about_middle(form):
    """(middle, u): the form is middle (1 + u), the middle a fraction."""
    if not form.least():
        raise Undecided("a power of what may be zero")
    middle = Fraction(form.p[0], ONE)
    return middle, scaled(form - Form([form.p[0]]), 1 / middle)


def power_of(form, exponent):
    """The form to the power -1, 1/2 or 1/3: no binomial coefficient of these is larger than 1 in size."""
    middle, u = about_middle(form)
    coefficients = [Fraction(1)]
    for n in range(POWERS - 1):
        coefficients.append(coefficients[-1] * (exponent - n) / (n + 1))
    return series(u, coefficients, tail_of(u, POWERS)) * power_of_number(middle, exponent)


def power_of_number(x, exponent):
    """The same of a fraction."""
    if exponent == -1:
        return Form([x.denominator * ONE // x.numerator], None, 1)
    if x < 0:
        raise Undecided("a root of a negative number")
    if exponent == Fraction(1, 2):
        return Form([isqrt((x.numerator << 2 * K) // x.denominator)], None, 1)
    assert exponent == Fraction(1, 3)
    return Form([_cube_root((x.numerator << 3 * K) // x.denominator)], None, 1)


def _cube_root(n):
    """The integer below the cube root of an integer."""
    low, high = 0, 1 << (n.bit_length() // 3 + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= n else (low, middle)
    return low


def arc_tangent(z):
    """Of forms that are small."""
    if z.size() > STEEPEST * ONE:
        raise Undecided("the angle of a steep slope")
    square = z * z
    coefficients = [Fraction((-1) ** n, 2 * n + 1) for n in range(POWERS)]
    return z * series(square, coefficients, tail_of(square, POWERS))


@cache
def angle_of(slope):
    """The arc tangent of a fraction: twice that of s / (1 + sqrt(1 + s^2)), until that is small."""
    z, times = Form([slope.numerator * ONE // slope.denominator], None, 1), 1
    while z.size() > STEEPEST * ONE:
        root = power_of(Form([ONE]) + z * z, Fraction(1, 2))
        z, times = z * power_of(Form([ONE]) + root, Fraction(-1)), 2 * times
    return scaled(arc_tangent(z), Fraction(times))


# statements


# logarithms


def logarithm_of(form):
    """That of a positive form: of its middle, and of what it is as many times as large."""
    middle, u = about_middle(form)
    coefficients = [Fraction(0), *(Fraction((-1) ** (n + 1), n) for n in range(1, POWERS))]
    return series(u, coefficients, tail_of(u, POWERS)) + _logarithm_of_number(middle)


def _logarithm_of_number(x):
    """That of a positive fraction: 2^e x with x from 1/2 to 2, 2 atanh((x - 1) / (x + 1))."""
    if x <= 0:
        raise Undecided("the logarithm of what may be zero or less")
    e = x.numerator.bit_length() - x.denominator.bit_length()
    x /= Fraction(2) ** e
    z = (x - 1) / (x + 1)
    assert 3 * abs(z) <= 1
    return scaled(logarithm("2"), Fraction(e)) + scaled(_inverse_tangent(z), Fraction(2))


def _inverse_tangent(z):
    """The series atanh z = z + z^3/3 + ..., |z| <= 1/3: each term is below a ninth of the one before it."""
    power, count = z.numerator * ONE // z.denominator, 2 * K // 3
    square, total = _product(power, power), 0
    for n in range(count):
        total += power // (2 * n + 1)
        power = _product(power, square)
    return Form([total], None, 8 * count)


def _product(a, b):
    return a * b >> K


def _inverse_sine(x):
    one = Form([ONE])
    if x.p[0] < 0:
        return _inverse_sine(x.times(-1)).times(-1)
    return logarithm_of(x + power_of(x * x + one, Fraction(1, 2)))


def _inverse_cosine(x):
    one = Form([ONE])
    return logarithm_of(x + power_of((x - one) * (x + one), Fraction(1, 2)))


def _inverse_hyperbolic_tangent(x):
    one = Form([ONE])
    return scaled(logarithm_of(one + x) - logarithm_of(one - x), Fraction(1, 2))


HYPERBOLIC = {"asinh": _inverse_sine, "acosh": _inverse_cosine, "atanh": _inverse_hyperbolic_tangent}
