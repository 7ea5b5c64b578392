"""Sums of powers, and quotients of such, verified by the second checker on short cells: see second_checker."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from clmath.ir.program import Value
from tests.proofs.second_checker import (
    LEAST,
    ONE,
    Cases,
    Double,
    Evaluation,
    Form,
    K,
    Undecided,
    double,
    exact,
    exponential,
    in_steps,
    reduced,
    two_to,
)

SIGN = -(1 << 63)
TERMS = 40  # of 1/(1 + w)


def inverse(y):
    """1/y: i/(1 + w) with i near 1/y_0 and w = i y - 1 small, a geometric series."""
    if not y.least():
        raise Undecided("a divisor may be zero")
    near = Form([ONE * ONE // y.p[0]])
    w = near * y - Form([ONE])
    if w.size() * 2 > ONE:
        raise Undecided("a divisor is not nearly the same on the cell")
    total = Form([ONE])
    for _ in range(TERMS):
        total = Form([ONE]) - w * total
    left = ONE
    for _ in range(TERMS + 1):
        left = (left * w.size() >> K) + 1
    return near * (total + Form([0], None, 2 * left))


@dataclass(frozen=True)
class Encoding:
    """That of a double, its last ``cut`` bits being 0."""

    of: Double
    cut: int = 0


class Longer(Evaluation):
    """Evaluations with division, with negatives of integers, and with more that is not rounded.

    What is dropped gets a name, to cancel where it is added and taken off. The head of a split is one of few numbers:
    it is a multiple of 2^(e+s-52), and as near to a as these are, 2^e <= |a| < 2^(e+1). Besides: 0 + a; a + a; and with
    s = a + b, rounded, and t = s - a, (a - (s - t)) + (b - t), which is a + b - s (Knuth 1969).
    """

    def statement(self, number):
        found = super().statement(number)
        if not isinstance(found, Double) or not found.form.rest:
            return found
        form = Form(found.form.p, found.form.terms) + self.symbol(found.form.rest)
        return Double(form, found.grid, found.bits)

    def sum(self, number, parts):
        shift, a = self.head(Value(number))
        if shift:
            return self.head_of(number, self(a).form, shift)
        if parts[0] == parts[1]:
            twice = self(parts[0][1])
            return Double(twice.form + twice.form, twice.grid + 1, twice.bits)
        sum_of = self.lacking(parts)
        if sum_of:
            a, b, s = map(self, sum_of)
            return Double(a.form + b.form - s.form, min(a.grid, b.grid))
        for (_, zero), (sign, other) in (parts, parts[::-1]):
            if not self(zero).form.size():
                found = self(other)
                return Double(found.form.times(sign), found.grid, found.bits)
        return super().sum(number, parts)

    def one_of_few(self, number, found):
        """As there, but not of a difference from a product, which is to cancel with what the product lacks."""
        name, operands = self.operation(Value(number))
        if name == "double.sub" and self.operation(operands[1])[0] == "double.mul":
            return found
        return super().one_of_few(number, found)

    def head_of(self, number, a, shift):
        """The head of ``a`` without its last ``shift`` bits."""
        if number in self.cases:
            return double(self.cases[number])
        power = a.least().bit_length() - 1 - K
        if not a.least() or a.size() >= 1 << (power + 1 + K):
            raise Undecided("the head of numbers of several binades")
        unit = power + shift - 52
        return self.one_of_few(number, Double(a + Form([0], None, 1 << (unit - 1 + K)), unit, 53 - shift))

    def bool_and(self, _number, a, b):
        return bool(self(a)) and bool(self(b))  # what is beside a False, an infinity perhaps, is not looked at

    # encodings, of which the last bits are cut off or the sign is changed

    def bits(self, number, a):
        found = self(a)
        known = not found.form.radius() and found.form.p[0]
        return super().bits(number, a) if known else Encoding(found)

    def long_and(self, number, a, b):
        code, mask = self(a), self(b)
        if not isinstance(code, Encoding):
            return super().long_and(number, a, b)
        if mask == SIGN:
            if not code.of.form.least():
                raise Undecided("a sign")
            return SIGN if code.of.form.p[0] < 0 else 0
        return Encoding(code.of, cut=(-mask).bit_length() - 1)

    def long_xor(self, _number, a, b):
        code, sign = self(a), self(b)
        if isinstance(code, Encoding):
            assert sign in {0, SIGN}
            return Encoding(Double(code.of.form.times(-1 if sign else 1), code.of.grid, code.of.bits))
        return code ^ sign

    def from_bits(self, number, a):
        code = self(a)
        if not isinstance(code, Encoding):
            return super().from_bits(number, a)
        return self.shortened(number, code.of, code.cut) if code.cut else code.of

    def shortened(self, number, a, cut):
        """``a`` toward zero to a number without its last ``cut`` bits, a multiple of 2^(e-52+cut): one of few."""
        if number in self.cases:
            return double(self.cases[number])
        power = a.form.least().bit_length() - 1 - K
        if not a.form.least() or a.form.size() >= 1 << (power + 1 + K):
            raise Undecided("the bits of numbers of several binades")
        unit = power + cut - 52
        half = Form([1 << (unit - 1 + K)]).times(-1 if a.form.p[0] > 0 else 1)
        off = Form([0], None, 1 << (unit - 1 + K))
        return self.one_of_few(number, Double(a.form + half + off, unit, 53 - cut))

    def long_mul(self, _number, a, b):
        return self(a) * self(b)

    def lacking(self, parts):
        """(a, b, s) where these are the two sides of the last sum of Knuth's."""
        back, left = (self.operation(operand) for _, operand in parts)
        if [sign for sign, _ in parts] != [1, 1] or back[0] != "double.sub" or left[0] != "double.sub":
            return ()
        (a, inner), (b, t) = back[1], left[1]
        difference, again = self.operation(inner), self.operation(t)
        s = difference[1][0] if difference[0] == "double.sub" and difference[1][1] == t else None
        is_sum = s is not None and self.operation(s) == ("double.add", (a, b)) and again == ("double.sub", (s, a))
        return (a, b, s) if is_sum else ()

    def double_div(self, number, a, b):
        """A quotient; exact where the divisor is a power of two."""
        x, y = self(a), self(b)
        if y.bits == 1 and not y.form.radius() and abs(y.form.p[0]) <= ONE << K:
            by = double(Fraction(ONE, y.form.p[0]))
            if x.grid + by.grid >= LEAST and number not in self.cases:
                return self.one_of_few(number, Double(x.form * by.form, x.grid + by.grid, x.bits))
        return self.rounded(number, x.form * inverse(y.form), LEAST)

    def long_neg(self, _number, a):
        return -self(a)


def units(bound):
    """No less than ``bound``."""
    return int(Fraction(bound) * ONE) + 1


def total_of(terms, steps, z):
    """The sum of c 2^(j/steps) e^(s z)."""
    total = Form([0])
    for c, j, s in terms:
        power = exponential(Form([s * p for p in z.p], {k: s * t for k, t in z.terms.items()}, abs(s) * z.rest))
        total += exact(Fraction(c)) * two_to(j, steps) * power
    return total


def _euler(c):
    """atan(c), 0 <= c <= 1, in units, and how far off: the sum of 2^2n n!^2 / (2n+1)! c^(2n+1) / (1 + c^2)^(n+1)."""
    ratio = c * c / (1 + c * c)
    term, total, n = int(c / (1 + c * c) * ONE), 0, 0
    while term:
        total += term
        n += 1
        term = int(term * ratio * 2 * n / (2 * n + 1))
    return Form([total], None, 4 * n + 8)  # each term is off by less than 2, for ratios are 1/2 at most; so is the rest


PI = _euler(Fraction(1)) * Form([4 * ONE])


def arctangent(z):
    """The arc tangent of z > 0: that of c next to it and of w = (z - c) / (1 + c z); from 1 on pi/2 - atan(1/z)."""
    if z.p[0] > ONE:
        return PI * Form([ONE // 2]) - arctangent(inverse(z))
    c = Fraction(round(Fraction(z.p[0], ONE) * 2**40), 2**40)
    w = (z - exact(c)) * inverse(exact(1) + exact(c) * z)
    assert w.size() < ONE >> 20
    square, power, total = w * w, w, Form([0])
    for n in range(1, 14, 2):
        total += power * Form([(ONE // n) * (-1 if n & 2 else 1)], None, 1)
        power *= square
    return _euler(c) + total + Form([0], None, power.size())


# the error function

SLOPE = 128  # bits beyond those of units, of what is summed with larger numbers


def error_function(z):
    """Erf z, 0 <= z < 7: 2/sqrt(pi) times the sum of (-1)^n z^(2n+1) / (n! (2n+1))."""
    square, power, total, n = z * z, z, z, 0
    assert square.size() < 49 * ONE
    while power.size() > 4 * power.rest or n < 100:  # then terms fall by more than a half
        n += 1
        power = divided_by(power * square, -n)
        total += divided_by(power, 2 * n + 1)
    return (total + Form([0], None, 2 * power.size())) * over_root_of_pi()


def divided_by(form, n):
    """A form divided by an integer."""
    return form.divided(Fraction(n))


def over_root_of_pi():
    """2/sqrt(pi)."""
    inverse_of_pi = inverse(PI)
    low, high = (isqrt((4 * (inverse_of_pi.p[0] + side * inverse_of_pi.radius())) << K) for side in (-1, 1))
    return Form([low], None, high - low + 1)


def scaled_complement(z):
    """e^(z^2) erfc z = w, z >= 0: by Taylor's series about the middle c, for w' = 2 z w - 2/sqrt(pi).

    w is the integral of 2/sqrt(pi) e^(-t^2 - 2 z t) over t > 0, so that no coefficient is larger than it is for z = 0,
    where that of z^n is 1 over the gamma function of n/2 + 1, below 1.13. w(c) is e^(c^2) less 2/sqrt(pi) times the sum
    of 2^n c^(2n+1) / (1 3 5 .. (2n+1)), with as many bits more as e^(c^2) has, twice.
    """
    c = Fraction(z.p[0], ONE)
    more = 3 * int(c * c) + SLOPE + 8 * int(c)  # the n-th coefficient is off by (2 c)^n as much as w(c)
    unit = ONE << more
    square, up = c * c, Fraction(root_of_pi_over_2(more))
    power, term, total = unit, int(c * unit), 0
    powers = n = 0
    while power or term:
        powers, total = powers + power, total + term
        n += 1
        power, term = int(power * square / n), int(term * 2 * square / (2 * n + 1))
    w = [powers - int(Fraction(total) / up)]
    w.append(int(2 * c * w[0] - unit / up))
    for i in range(2, DEGREES):
        w.append(int((2 * c * w[i - 1] + 2 * w[i - 2]) / i))
    u, found = Form([0, *z.p[1:]], z.terms, z.rest), Form([0])
    for coefficient in reversed(w):
        found = Form([coefficient >> more], None, 2) + u * found
    left = 3 * ONE
    for _ in range(DEGREES):
        left = (left * u.size() >> K) + 1
    return found + Form([0], None, left)


DEGREES = 20


def root_of_pi_over_2(more):
    """sqrt(pi)/2 as a fraction, to nearly ``more`` bits beyond units: pi by Machin's formula."""
    bits = K + more + 32

    def angle(n):
        total, power, i = 0, (1 << bits) // n, 0
        while power:
            total += (-1) ** i * (power // (2 * i + 1))
            power, i = power // (n * n), i + 1
        return total

    return Fraction(isqrt((4 * angle(5) - angle(239)) << bits), 1 << bits)


def of_product(run, statement):
    """The exact product, or what it leaves of 2."""
    (first, second), (off, other) = statement.known.bounded, statement.offs
    a = run.known[statement.known.argument].form + run.known[first[0]].form + run.symbol(units(off))
    b = run.known[statement.factor[0]].form + run.known[second[0]].form + run.symbol(units(other))
    if statement.of_2 is None:
        return a * b
    return exact(2) - a * b * exact(Fraction(2) ** statement.of_2)


def share_of(run, statement):
    """The largest error as a share of the least bound."""
    if hasattr(statement, "functions"):
        return max(in_steps(run, statement, 0))
    if hasattr(statement, "base"):
        return max(reduced(run, statement, 0))
    value = Form([0])
    for part in statement.parts:
        value += run(Value(part)).form
    if hasattr(statement, "factor"):
        return share_of_bound(run, statement, value - of_product(run, statement))
    z = run.known[statement.known.argument].form + run.symbol(units(statement.off))
    for number, _ in statement.known.bounded:
        z += run.known[number].form
    return share_of_bound(run, statement, value - ideal_of(statement, z))


def share_of_bound(run, statement, error):
    """An error as a share of the least bound."""
    if getattr(statement, "bound", 0.0):
        least = int(Fraction(statement.bound) * ONE)
    else:
        err = run(Value(statement.err)).form
        least = err.least() if err.p[0] > 0 else 0
    return Fraction(error.size(), least) if least else Fraction(10**9)


def ideal_of(statement, z):
    """The exact value, by z."""
    if hasattr(statement, "function"):
        return error_function(z) if statement.function == "erf" else scaled_complement(z)
    if hasattr(statement, "added"):
        ratio = z * inverse(z + exact(Fraction(statement.added)))
        return ratio.times(statement.sign)
    if hasattr(statement, "over_pi"):
        return arctangent(z) * inverse(PI) if statement.over_pi else arctangent(z)
    ideal = total_of(statement.terms, statement.steps, z)
    return ideal * inverse(total_of(statement.over, statement.steps, z)) if statement.over else ideal


def begun(traced, statement, low, high, cases):
    """An evaluation with what the statement gives."""
    run = Longer(traced.program, traced.tables, {}, cases)
    ends = exact((low + high) / 2).p + exact((high - low) / 2).p
    finest = math.frexp(min(abs(float(low)), abs(float(high))))[1] - 53  # of doubles there, which have one sign
    run.known[statement.known.argument] = Double(Form(ends), max(statement.known.grid, finest))
    for number, bound in statement.known.bounded:
        run.known[number] = Double(run.symbol(units(bound)), LEAST)
    numbers = (*getattr(statement, "numbers", ()), *statement.known.exactly)
    run.known |= {n: double(x) if isinstance(x, float) else x for n, x in numbers}
    run.known |= {n: rest for n, rest, _ in statement.known.residues}
    if hasattr(statement, "factor"):
        number, least, greatest = (Fraction(x) for x in statement.factor)
        reach = run.symbol(units((greatest - least) / 2))
        run.known[int(number)] = Double(exact((least + greatest) / 2) + reach, -53)
    run.known |= dict.fromkeys(statement.known.false, False)
    return run


def share(traced, statement, low, high):
    """The largest share of the bound on a short cell, whatever numbers are rounded to that have few values there."""
    pending, worst = [{}], Fraction(0)
    while pending:
        cases = pending.pop()
        try:
            worst = max(worst, share_of(begun(traced, statement, Fraction(low), Fraction(high), cases), statement))
        except Cases as found:
            if len(found.values) > 3 or len(cases) > 8:
                raise Undecided("many cases") from None
            pending += [{**cases, found.number: value} for value in found.values]
    return worst
