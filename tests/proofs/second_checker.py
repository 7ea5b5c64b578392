"""Cells of the prover's, verified again by other means: integers in place of balls, other rules, smaller cells.

Of ``proofs`` this takes statements alone, which are plain data. A value on a cell is

    p(t) + c_1 e_1 + c_2 e_2 + ... + r,    |t| <= 1, |e_k| <= 1, |r| <= rest,

p a polynomial with coefficients in units of 2^-448, all c_k integers in the same unit: the cell is scaled to -1 .. 1,
and each e_k to its bound. What is dropped goes to the rest, one unit per integer that is rounded down. Cells are
halved until every condition is the same on them, and the claim is seen to hold.

What is not rounded, by these rules alone (g: all values are multiples of 2^g; b: of so many bits):

- g >= -1074 and no value is larger than 2^(g + 53): such multiples are doubles.
- A product with b_1 + b_2 <= 53, or with a power of two, and g_1 + g_2 >= -1074: its digits fit.
- s - a where s is a + b rounded, |a| >= |b| or |b| < 2^(g + 53) for a, and then (s - a) - b (Dekker 1971; Rump, Ogita,
  Oishi 2008): the error of a sum is a double.
- (a - (s - t)) + (b - t) where s is a + b rounded and t is s - a rounded (Knuth): the error of that sum, a double.
- RN(a b) subtracted from a b, g_1 + g_2 >= -1074: the error of a product is a double.
- With t = RN((2^s + 1) a), w = RN(t - a), 2 <= s <= 51: h = t - w and a - h (Dekker, Veltkamp). For 2^e <= |a| <
  2^(e+1), t and w are multiples of 2^(e+s-52), so h is one, no larger than 2^(e+1): 53 - s bits; a - h has s - 1.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import isqrt

from clmath.ir.program import Constant, Place, Value

K = 448  # units of 2^-448
ONE = 1 << K
DEGREE = 10
LEAST = -1074
TERMS = 26  # of the series of e^x
INVERSE_TERMS = 24


class Undecided(Exception):  # noqa: N818 - a reason to halve the cell
    """Something is not the same on the whole cell."""


class Cases(Exception):  # noqa: N818 - a case distinction
    """The statement ``number`` gives one of a few numbers on the cell: each is a case."""

    def __init__(self, number, values):
        super().__init__(number, values)
        self.number, self.values = number, values


class Form:
    """A value on a cell, as at the beginning of the file."""

    __slots__ = ("p", "rest", "terms")

    def __init__(self, p, terms=None, rest=0):
        self.p, self.terms, self.rest = p, terms or {}, rest

    def wiggle(self):
        """How far p is from its first coefficient at most."""
        return sum(map(abs, self.p[1:]))

    def off(self):
        """How far the value is from p at most."""
        return sum(map(abs, self.terms.values())) + self.rest

    def radius(self):
        return self.wiggle() + self.off()

    def size(self):
        return abs(self.p[0]) + self.radius()

    def least(self):
        """No value is smaller in size."""
        return max(abs(self.p[0]) - self.radius(), 0)

    def __add__(self, other):
        long, short = (self.p, other.p) if len(self.p) >= len(other.p) else (other.p, self.p)
        p = [a + b for a, b in zip(long, short, strict=False)] + long[len(short) :]
        terms = dict(self.terms)
        for k, c in other.terms.items():
            terms[k] = terms.get(k, 0) + c
        return Form(p, terms, self.rest + other.rest)

    def times(self, sign):
        return self if sign == 1 else Form([-c for c in self.p], {k: -c for k, c in self.terms.items()}, self.rest)

    def __sub__(self, other):
        return self + other.times(-1)

    def __mul__(self, other):
        return self.multiple(other) or other.multiple(self) or self.product(other)

    def multiple(self, number):
        """The product with a number where its units are whole; None where they are not, or it is no number."""
        c = number.p[0]
        if number.radius() or any(c * x % ONE for x in (*self.p, *self.terms.values(), self.rest)):
            return None
        if not c:
            return Form([0])
        terms = {k: c * x // ONE for k, x in self.terms.items()}
        return Form([c * x // ONE for x in self.p], terms, abs(c) * self.rest // ONE)

    def product(self, other):
        """The product, with what its units leave out."""
        full = [0] * (len(self.p) + len(other.p) - 1)
        for i, a in enumerate(self.p):
            for j, b in enumerate(other.p):
                full[i + j] += a * b
        p = [c >> K for c in full[: DEGREE + 1]]
        rest = sum(c % ONE != 0 for c in full[: DEGREE + 1]) + sum(_up(c) for c in full[DEGREE + 1 :])
        terms = {}
        for x, y in ((self, other), (other, self)):
            wiggle, size = y.wiggle(), y.wiggle() + abs(y.p[0])
            for k, c in x.terms.items():
                terms[k] = terms.get(k, 0) + (c * y.p[0] >> K)
                rest += (c * y.p[0] % ONE != 0) + _above(c * wiggle)
            rest += _above(x.rest * size)
        return Form(p, terms, rest + _above(self.off() * other.off()))

    def divided(self, x):
        """The quotient by a fraction other than 0."""
        terms = {k: _quotient(c, x) for k, c in self.terms.items()}
        rest = abs(_quotient(self.rest, x)) + len(self.p) + len(terms) + 1
        return Form([_quotient(c, x) for c in self.p], terms, rest)


def _quotient(c, x):
    """C / x, rounded down."""
    return c * x.denominator // x.numerator


def _up(product):
    """A product of two numbers in units, in units: no less than its size."""
    return -(-abs(product) >> K)


def _above(product):
    """A product of two numbers in units, in units: 0 for 0, else as ``_up``."""
    return _up(product) if product else 0


def exact(x):
    """A number that is known; Undecided where it is finer than a unit."""
    scaled = Fraction(x) * ONE
    if scaled.denominator != 1:
        raise Undecided(f"{x} is finer than 2^-{K}")
    return Form([scaled.numerator])


@dataclass(frozen=True)
class Double:
    """A double: all its values are multiples of 2^grid, and have ``bits`` bits at most."""

    form: Form
    grid: int
    bits: int = 53


def is_first(a, b):
    """Whether |a| >= |b|, or a is a multiple of the last bit of b: the error of a + b rounded is a double then."""
    return a.form.least() >= b.form.size() or (a.grid > -K and b.form.size() < 1 << a.grid + 53 + K)


def double(x):
    """A double that is known."""
    x = Fraction(x)
    if x == 0:
        return Double(exact(0), 4000, 0)
    odd = abs(x.numerator)
    twos = (odd & -odd).bit_length() - 1
    return Double(exact(x), twos - (x.denominator.bit_length() - 1), (odd >> twos).bit_length())


@dataclass
class Evaluation:
    """The values of a program on a cell; ``known``: those that are given, by number; ``cases``: those of this case."""

    program: object
    tables: object
    known: dict
    cases: dict
    found: dict = field(default_factory=dict)
    symbols: int = 0
    came_back: dict = field(default_factory=dict)

    def symbol(self, bound):
        """Something no larger than ``bound`` units."""
        self.symbols += 1
        return Form([0], {self.symbols: bound})

    def __call__(self, operand):
        if isinstance(operand, Constant):
            return double(_float(operand.encoding)) if operand.kind == "double" else operand.encoding
        if isinstance(operand, Place):
            return operand
        number = operand.number
        if number in self.known:
            return self.known[number]
        if number not in self.found:
            self.found[number] = self.statement(number)
        return self.found[number]

    def operation(self, operand):
        """(name, operands) of what an operand is, if it is a statement."""
        at = operand.number - len(self.program.inputs) if isinstance(operand, Value) else -1
        return self.program.statements[at][1:] if at >= 0 else ("", ())

    def statement(self, number):
        name, operands = self.operation(Value(number))
        if name.endswith(".select"):
            return self(operands[1] if self(operands[0]) else operands[2])
        if name in {"double.add", "double.sub"}:
            return self.sum(number, [(1, operands[0]), (1 if name == "double.add" else -1, operands[1])])
        return getattr(self, name.replace(".", "_"))(number, *operands)

    # sums and products

    def sum(self, number, parts):
        x, y = ((sign, self(operand)) for sign, operand in parts)
        for (_, zero), (sign, other) in ((x, y), (y, x)):
            if not zero.form.size():
                return Double(other.form.times(sign), other.grid, other.bits)
        form = x[1].form.times(x[0]) + y[1].form.times(y[0])
        grid = min(x[1].grid, y[1].grid)
        summed = self.summed(parts)
        if summed is not None:
            total, a, b = map(self, summed)
            return Double(a.form + b.form - total.form, min(a.grid, b.grid))
        bits = self.bits_of_split(number)
        if bits or self.is_error_of_sum(number, parts):
            return Double(form, grid, bits or 53)
        return self.rounded(number, form, grid)

    def parts(self, operand):
        """(sign, operand) of both operands of a sum or difference; () of others."""
        name, operands = self.operation(operand)
        second = {"double.add": 1, "double.sub": -1}.get(name)
        return () if second is None else ((1, operands[0]), (second, operands[1]))

    def is_error_of_sum(self, number, parts):
        """Whether these are s - a, or a - s, with s = RN(a + b) and |a| >= |b|, or that with the b taken off."""
        for (sign, s), other in (parts, parts[::-1]):
            if (s, other) in self.remainders(sign):
                return True
            added = self.parts(s)
            for (one, a), (two, b) in (added, added[::-1]) if added else ():
                if other == (-sign * one, a) and self.is_first(a, b):
                    self.came_back[number] = (sign * two, b)
                    return True
        return False

    def is_first(self, a, b):
        """Whether |a| >= |b|, or a is a multiple of the last place of b."""
        x, y = self(a), self(b)
        size = y.form.size()
        return x.form.least() >= size or (x.grid >= -K and size < 1 << x.grid + 53 + K)

    def summed(self, parts):
        """(s, a, b) where these are (a - (s - t)) + (b - t), s = RN(a + b), t = RN(s - a); None of others."""
        (_, first), (sign, second) = parts
        (name, (a, back)), (other, (b, t)) = (self.difference(part) for part in (first, second))
        inner, (s, same) = self.difference(back)
        outer, taken = self.difference(t)
        if sign < 0 or not (name and other and inner and outer) or same != t or taken != (s, a):
            return None
        return (s, a, b) if self.operation(s) in {("double.add", (a, b)), ("double.add", (b, a))} else None

    def difference(self, operand):
        """(whether ``operand`` is a difference, its operands, None where it is not)."""
        name, operands = self.operation(operand)
        return (True, operands) if name == "double.sub" else (False, (None, None))

    def remainders(self, sign):
        """The pattern that leaves the error of a sum: (s - a) with b or its negative, added with these signs."""
        return {(Value(number), (-sign * two, b)) for number, (two, b) in self.came_back.items()}

    def bits_of_split(self, number):
        """The bits of the head or the tail where the statement is one of Veltkamp's split; 0 of others."""
        shift, _ = self.head(Value(number))
        if shift:
            return 53 - shift
        name, operands = self.operation(Value(number))
        shift, a = self.head(operands[1]) if name == "double.sub" else (0, None)
        return shift - 1 if shift and operands[0] == a else 0

    def head(self, operand):
        """(s, a) where ``operand`` is t - (t - a), t = (2^s + 1) a."""
        name, operands = self.operation(operand)
        inner = self.operation(operands[1]) if name == "double.sub" else ("", ())
        factors = self.operation(operands[0]) if inner[0] == "double.sub" else ("", ())
        if factors[0] != "double.mul" or inner[1][0] != operands[0] or inner[1][1] not in factors[1]:
            return 0, None
        a = inner[1][1]
        c = factors[1][factors[1][0] == a]
        power = _float(c.encoding) - 1.0 if isinstance(c, Constant) and c.kind == "double" else 0.0
        shifts = [s for s in range(2, 52) if power == 2.0**s]
        return (shifts[0], a) if shifts else (0, None)

    def double_mul(self, number, a, b):
        x, y = self(a), self(b)
        if not (x.form.size() and y.form.size()):
            return double(0)
        form, grid = self.product(x.form, y.form), x.grid + y.grid
        is_double = grid >= LEAST and form.size() < ONE << 1000
        if x.bits + y.bits <= 53 and is_double:
            return Double(form, grid, x.bits + y.bits)
        if min(x.bits, y.bits) == 1 and is_double and number not in self.cases:
            return self.one_of_few(number, Double(form, grid, max(x.bits, y.bits)))
        return self.rounded(number, form, grid)

    def product(self, a, b):
        """A product of forms."""
        return a * b

    def fma(self, number, a, b, c):
        x, y, z = self(a), self(b), self(c)
        if not (x.form.size() and y.form.size()):
            return z
        form, grid = self.product(x.form, y.form) + z.form, min(x.grid + y.grid, z.grid)
        name, negated = self.operation(c)
        if name == "double.neg" and self.operation(*negated) == ("double.mul", (a, b)) and x.grid + y.grid >= LEAST:
            return Double(form, x.grid + y.grid)
        return self.rounded(number, form, grid)

    def double_div(self, number, a, b):
        """A quotient, of which nothing is known to be exact."""
        x, y = self(a).form, self(b).form
        if y.radius() or not y.p[0]:
            return self.rounded(number, x * inverse(y), -5000)
        return self.rounded(number, x.divided(Fraction(y.p[0], ONE)), -5000)

    def double_neg(self, _number, a):
        x = self(a)
        return Double(x.form.times(-1), x.grid, x.bits)

    def double_abs(self, number, a):
        x = self(a)
        if not x.form.size():
            return x  # 0
        if not x.form.least():
            raise Undecided("a size")
        return x if x.form.p[0] > 0 else self.double_neg(number, a)

    def rounded(self, number, form, grid):
        """``form`` rounded to nearest, even where ``number`` is among the cases that are looked at."""
        if number in self.cases:
            return double(self.cases[number])
        size, least = form.size(), form.least()
        if size >= ONE << 1000:
            raise Undecided("something large")
        if not form.radius():
            return double(Fraction(float(Fraction(form.p[0], ONE))))  # one number: rounded to even half way
        if grid >= LEAST and Fraction(size, ONE) <= Fraction(2) ** min(grid + 53, 1100):
            return self.one_of_few(number, Double(form, grid))
        unit = 1 << max(size.bit_length() - 53, 1)
        nearest = (form.p[0] + unit // 2) // unit * unit
        if least.bit_length() == size.bit_length() and abs(form.p[0] - nearest) + form.radius() < unit // 2:
            return double(Fraction(nearest, ONE))  # all values are rounded to this one
        bound = 1 << max(size.bit_length() - 54, 0)
        finest = max(grid, LEAST, least.bit_length() - 1 - K - 52 if least else LEAST)
        return self.one_of_few(number, Double(form + self.symbol(bound), finest))

    def one_of_few(self, number, found):
        """``found``, unless only one or two multiples of 2^grid are among its values."""
        if found.grid < -K or found.grid > 1000 or found.form.radius() >= 1 << max(found.grid + K, 0):
            return found
        unit = Fraction(2) ** (found.grid + K)
        low, high = found.form.p[0] - found.form.radius(), found.form.p[0] + found.form.radius()
        values = [Fraction(2) ** found.grid * m for m in range(-(-low // unit), high // unit + 1)]
        if len(values) == 1:
            return double(values[0])
        raise Cases(number, values)

    # conditions, tables, integers

    def compare(self, name, a, b):
        x, y = self(a), self(b)
        if isinstance(x, Double):
            if a == b:
                return name in {"le", "ge", "eq"}
            difference = x.form - y.form
            if difference.size() and not difference.least():
                raise Undecided("a comparison")
            x, y = difference.p[0], 0
        return {"lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y, "eq": x == y, "ne": x != y}[name]

    def __getattr__(self, name):
        kind, _, test = name.partition("_")
        if kind in {"double", "long"} and test in {"lt", "le", "gt", "ge", "eq", "ne"}:
            return lambda _number, a, b: self.compare(test, a, b)
        raise AttributeError(f"the operation {name} is not known")

    def bool_or(self, _number, a, b):
        return bool(self(a)) | bool(self(b))

    def bool_and(self, _number, a, b):
        try:
            return bool(self(a)) & bool(self(b))
        except Undecided:
            if not self(b):
                return False
            raise

    def take(self, _number, index, place):
        at = self(index)
        assert 0 <= at < place.length
        return double(float(self.tables[place.first + at]))

    def bool_not(self, _number, a):
        return not self(a)

    def long_xor(self, _number, a, b):
        return self(a) ^ self(b)

    def bits(self, _number, a):
        form = self(a).form
        if form.radius() or not form.p[0]:
            raise Undecided("the encoding of a number that is not known, or of a zero with any sign")
        return struct.unpack("<q", struct.pack("<d", float(Fraction(form.p[0], ONE))))[0]

    def from_bits(self, _number, a):
        name, operands = self.operation(a)
        inner, values = self.operation(operands[0]) if name in {"long.and", "long.xor"} else ("", ())
        x = self(values[0]) if inner == "bits" else None
        if x is None or not (x.form.radius() or not x.form.p[0]):
            return double(_float(self(a)))
        mask = self(operands[1])
        if name == "long.xor":
            assert mask in {0, -(1 << 63)}
            return x if mask == 0 else Double(x.form.times(-1), x.grid, x.bits)
        low, high = x.form.p[0] - x.form.radius(), x.form.p[0] + x.form.radius()
        is_of_one = low > 0 and low.bit_length() == high.bit_length()  # binade
        return self.without_last(x, -mask) if is_of_one else self.cut(x, (-mask).bit_length() - 1)

    def without_last(self, x, unit):
        """A positive double of one binade without its last bits, those below ``unit`` in its encoding: off by less."""
        low = x.form.p[0] - x.form.radius()
        assert unit & (unit - 1) == 0
        last = low.bit_length() - 1 - K - 52
        half = 1 << last + K + unit.bit_length() - 2
        off = Form([-half]) + self.symbol(half)
        return Double(x.form + off, last + unit.bit_length() - 1, 54 - unit.bit_length())

    def double_of_long(self, _number, a):
        integer = self(a)
        if abs(integer) > 1 << 53:
            raise Undecided("an integer that may be rounded")
        return double(integer)

    def long_and(self, _number, a, b):
        return self(a) & self(b)

    def cut(self, x, count):
        """A double without its last bits: toward zero by less than a unit of what is left, and a multiple still."""
        if x.grid < -1000:
            raise Undecided("a number that may be subnormal")
        unit = 1 << max(x.form.size().bit_length() - 53 + count, 0)
        return Double(x.form + self.symbol(unit), x.grid, 53 - count)

    def long_shr(self, _number, a, b):
        return self(a) >> self(b)

    def long_shl(self, _number, a, b):
        return _wrapped(self(a) << self(b))

    def long_add(self, _number, a, b):
        return _fits(self(a) + self(b))

    def long_sub(self, _number, a, b):
        return _fits(self(a) - self(b))


def _fits(n):
    assert -(2**63) <= n < 2**63
    return n


def _wrapped(n):
    """Modulo 2^64, as shifts to the left are."""
    return (n + (1 << 63)) % (1 << 64) - (1 << 63)


def _float(encoding):
    return struct.unpack("<d", struct.pack("<q", encoding))[0]


# exact functions


def exponential(z):
    """e^z of a form below 1/2 in size: 1 + z (1 + z/2 (1 + z/3 (...))), and what the series leaves."""
    assert z.size() * 2 <= ONE
    total = Form([ONE])
    for n in range(TERMS, 0, -1):
        product = z * total
        total = Form([ONE]) + Form(
            [c // n for c in product.p],
            {k: c // n for k, c in product.terms.items()},
            product.rest // n + 1 + len(product.p) + len(product.terms),
        )
    left = ONE
    for n in range(1, TERMS + 2):
        left = _up(left * z.size()) // n + 1  # |z|^27 / 27!, and twice that is more than all that follows
    return total + Form([0], None, 2 * left)


def two_to(power, steps):
    """2^(power/steps), 0 <= power < steps, steps a power of two: square roots, rounded down and up."""
    assert 0 <= power < steps
    assert steps & (steps - 1) == 0
    low = high = ONE << power
    while steps > 1:
        steps //= 2
        low, high = isqrt(low << K), isqrt(high << K) + 1
    return Form([low], None, high - low)


@cache
def logarithm(base):
    """The natural logarithm of 2, 10, e or 1/e: 2 atanh((base - 1) / (base + 1)), base below 2 or a product of such."""
    if base in {"e", "1/e"}:
        return Form([ONE if base == "e" else -ONE])
    if base == "10":  # 8 * 5/4
        two, rest = logarithm("2"), _atanh(9)
        return Form([3 * two.p[0] + 2 * rest.p[0]], None, 3 * two.rest + 2 * rest.rest)
    third = _atanh(3)
    return Form([2 * third.p[0]], None, 2 * third.rest)


def _atanh(n):
    """atanh(1/n) = 1/n + 1/(3 n^3) + ...: what follows a term is below a quarter of it."""
    total, power, i = 0, ONE // n, 0
    while power:
        total += power // (2 * i + 1)
        power //= n * n
        i += 1
    return Form([total], None, 3 * i + 3)


def inverse(form):
    """1/c for c = m (1 - d), m its first coefficient, |d| < 1/2: (1 + d + d^2 + ...)/m, and what the series leaves."""
    m = form.p[0]
    if form.radius() * 2 >= abs(m):
        raise Undecided("a divisor that may be small")
    one_by_m = Form([ONE * ONE // m], None, 1)
    d = Form([ONE]) - form * one_by_m
    total = Form([ONE])
    for _ in range(INVERSE_TERMS):
        total = Form([ONE]) + d * total
    left = ONE
    for _ in range(INVERSE_TERMS + 1):
        left = _up(left * d.size())
    return (total + Form([0], None, 2 * left)) * one_by_m


@cache
def pi(one=ONE):
    """Machin: 16 atan(1/5) - 4 atan(1/239), in units of which ``one`` are 1."""
    five, other = _atan(5, one), _atan(239, one)
    return Form([16 * five.p[0] - 4 * other.p[0]], None, 16 * five.rest + 4 * other.rest)


def _atan(n, one):
    """atan(1/n) = 1/n - 1/(3 n^3) + ...: what follows a term is smaller than it."""
    total, power, i = 0, one // n, 0
    while power:
        total += (-1) ** i * (power // (2 * i + 1))
        power //= n * n
        i += 1
    return Form([total], None, 3 * i + 3)


def sine_and_cosine(z):
    """Of a form below 2 in size: z - z^3/6 + ..., 1 - z^2/2 + ..., and what the series leave: no more than 2^-220."""
    assert z.size() <= 2 * ONE
    square, series = z * z, []
    for first in (1, 0):
        total = Form([ONE])
        for n in range(2 * TERMS + first, first, -2):
            product, by = square * total, n * (n - 1)
            divided = Form(
                [c // by for c in product.p],
                {k: c // by for k, c in product.terms.items()},
                product.rest // by + 1 + len(product.p) + len(product.terms),
            )
            total = Form([ONE]) - divided
        series.append(total)
    left = ONE
    for n in range(1, 2 * TERMS + 2):
        left = _up(left * z.size()) // n + 1  # |z|^53 / 53!, and what follows is less
    beyond = Form([0], None, 2 * left)
    return z * series[0] + beyond, series[1] + beyond


def _logarithm_of_number(c):
    """By log c = 2 atanh((c - 1) / (c + 1)), 1/2 <= c <= 2: a term is below a ninth of the one before it."""
    assert Fraction(1, 2) <= c <= 2
    ratio = (c - 1) / (c + 1)
    power, square = Form([0]) + exactly(ratio), exactly(ratio * ratio)
    total = Form([0])
    for i in range(K // 3 + 8):  # 9^-(K/3) < 2^-K
        total += Form([power.p[0] // (2 * i + 1)], None, power.rest + 1)
        power *= square
    return total + total + Form([0], None, 8)


def exactly(x):
    """A number that may be finer than a unit."""
    return Form([int(x * ONE)], None, 1)


# cells


@dataclass
class Answer:
    """Whether a claim was seen to hold on a cell, on how many smaller cells, and the largest share of the bound."""

    holds: bool
    cells: int
    share: Fraction


def verified(traced, statement, low, high, share=1, *, deepest=7, shares=None):
    """Whether ``statement`` holds for arguments between ``low`` and ``high``, the error ``share`` times err at most.

    ``shares``: what gives the shares of its bounds on a cell, for statements of other files.
    """
    low, high = Fraction(low), Fraction(high)
    cells = _few_arguments(statement, low, high) or [(low, high)]
    try:
        worst = max((s for ends in cells for s in (shares or _shares)(traced, statement, *ends)), default=Fraction(0))
    except Undecided:
        worst = None
    if worst is not None and worst <= share:
        return Answer(True, 1, worst)
    if deepest == 0:
        return Answer(False, 1, Fraction(-1) if worst is None else worst)
    middle = (low + high) / 2
    halves = []
    for a, b in pairwise((low, middle, high)):
        halves.append(verified(traced, statement, a, b, share, deepest=deepest - 1, shares=shares))
        if not halves[-1].holds:
            return halves[-1]
    return Answer(True, sum(h.cells for h in halves), max(h.share for h in halves))


def _few_arguments(statement, low, high):
    """The arguments of a cell, each as a cell, if there are one or two: a value that depends on them may be one of few.

    Such values are cases, of which it is not said to which arguments they belong.
    """
    known = getattr(statement, "known", None)
    if known is None or known.grid <= LEAST:
        return []
    unit = Fraction(2) ** known.grid
    first, last = -(-low // unit), high // unit
    return [(unit * i, unit * i) for i in range(first, last + 1)] if last - first < 2 else []


def _shares(traced, statement, low, high):
    """Shares of bounds, for every case and power.

    Numbers are the same for every k, but for a factor 2^k that they have where the kernel gives one double: the least,
    the greatest and none are looked at, between which nothing overflows or underflows. That n enters by its rest and
    by k alone, and k where it is said to, is seen from the program.
    """
    judge, powers = _JUDGES.get(type(statement).__name__, _enclosed), [0]
    if judge is _enclosed:
        powers = [0] if statement.exponent is not None else [-statement.most, 0, statement.most]
        _check_integers(traced.program, statement)
    elif judge is in_steps:
        _check_residue(traced.program, *statement.known.residues[0])
    for power in powers:
        pending = [{}]
        while pending:
            cases = pending.pop()
            run = Evaluation(traced.program, traced.tables, {}, cases)
            _begin(run, statement, low, high, power)
            try:
                yield from judge(run, statement, power)
            except Cases as found:
                if len(found.values) > 3 or len(cases) > 4:
                    raise Undecided("many cases") from None
                pending += [{**cases, found.number: value} for value in found.values]


def _check_integers(program, statement):
    """Undecided where n, or its multiple k of the steps, is used for anything else than is said of it."""
    ((n, _, modulus),) = statement.known.residues
    powers = {n} if modulus == 1 else _multiples(program, n, modulus)
    outputs = [operand for _, operand in program.outputs]
    conditions = dict.fromkeys(statement.known.false, False) | dict.fromkeys(statement.known.true, True)
    if statement.exponent is not None:
        powers = {_selected(program, k, conditions) for k in powers}
        if any(_uses(program, k) for k in powers) or outputs[statement.exponent] not in map(Value, powers):
            raise Undecided("an exponent is something else, or used for something else")
        return
    for operation, constant in (("long.add", Constant("long", 1023)), ("long.shl", Constant("long", 52))):
        used = [use for k in powers for use in _uses(program, k)]
        if any(found != (operation, (Value(k), constant)) for k in powers for _, found in _uses(program, k)):
            raise Undecided("a power of two is something else")
        powers = {number for number, _ in used}
    if any(name != "from_bits" for k in powers for _, (name, _) in _uses(program, k)):
        raise Undecided("the encoding of a power of two is used otherwise")


def _multiples(program, n, modulus):
    """Where the multiple of ``modulus`` in n is, which is used for that and for its rest alone."""
    ways = {("long.and", Constant("long", modulus - 1)), ("long.shr", Constant("long", modulus.bit_length() - 1))}
    found = set()
    for used, (name, operands) in _uses(program, n):
        if operands[0] != Value(n) or (name, operands[1]) not in ways:
            raise Undecided("an integer is used otherwise")
        if name == "long.shr":
            found.add(used)
    return found


def _selected(program, number, conditions):
    """Where the value ``number`` is, if a select with a condition that is known is all that it is used for."""
    uses = _uses(program, number)
    if len(uses) != 1 or not uses[0][1][0].endswith(".select"):
        return number
    ((found, (_, (condition, *branches))),) = uses
    chosen = branches[not conditions[condition.number]] if condition.number in conditions else None
    return found if chosen == Value(number) else number


def _uses(program, number):
    """(number, (operation, operands)) of statements that use a value."""
    first = len(program.inputs)
    return [
        (first + i, (s.operation, s.operands)) for i, s in enumerate(program.statements) if Value(number) in s.operands
    ]


def _begin(run, statement, low, high, power):
    """The value of the statement."""
    known = statement.known
    ends = exact((low + high) / 2).p + exact((high - low) / 2).p
    run.known[known.argument] = Double(Form(ends), known.grid)
    for number, bound in known.bounded:
        run.known[number] = Double(run.symbol(_units(bound)), LEAST)
    for number, rest, modulus in known.residues:
        run.known[number] = rest + modulus * power
    for number, value in known.exactly:
        run.known[number] = double(value) if isinstance(value, float) else value
    run.known |= dict.fromkeys(known.false, False) | dict.fromkeys(known.true, True)


def _units(bound):
    """No less than ``bound``."""
    return int(Fraction(bound) * ONE) + 1


def _enclosed(run, statement, power):
    """The largest error as a share of the least bound."""
    outputs = [operand for _, operand in run.program.outputs]
    value = sum((run(outputs[part]).form for part in statement.parts), Form([0]))
    err = run(outputs[statement.err]).form
    known = statement.known
    z = run.known[known.argument].form + run.symbol(_units(statement.off))
    for number, _ in known.bounded:
        z += run.known[number].form
    _, j, _ = known.residues[0]
    ideal = (exponential(z) * two_to(j, statement.steps)).times(-1 if statement.negative else 1)
    least = err.least() if err.p[0] > 0 else 0
    if statement.exponent is None:
        ideal *= exact(Fraction(2) ** power)
        size = value.size() + err.size()
        least -= 1 << max(size.bit_length() - 54, 0)
    yield _share((value - ideal).size(), least)


def in_steps(run, statement, _power):
    """The errors of functions of n pi/1024 and an angle, which is so many steps or radians."""
    known = statement.known
    ((_, n, _),) = known.residues
    quarters, rest = divmod(n, 512)
    step = pi() * exact(Fraction(1, 1024))
    z = run.known[known.argument].form
    for number, _ in known.bounded:
        z += run.known[number].form
    if statement.off:
        z += run.symbol(_units(statement.off))
    s, c = sine_and_cosine(step * exact(rest))
    sine, cosine = sine_and_cosine(z if statement.is_angle else step * z)
    over, under = s * cosine + c * sine, c * cosine - s * sine
    values = over, under, over.times(-1), under.times(-1)
    outputs = [run(operand).form for _, operand in run.program.outputs]
    for i, function in enumerate(statement.functions):
        hi, lo, err = outputs[3 * i : 3 * i + 3]
        least = err.least() if err.p[0] > 0 else 0
        sine, cosine = values[quarters % 4], values[(quarters + 1) % 4]
        if function == "tan":  # |value - sin/cos| <= least where |value cos - sin| <= least |cos|
            yield _share(((hi + lo) * cosine - sine).size(), least * cosine.least() >> K)
        else:
            yield _share((hi + lo - (sine if function == "sin" else cosine)).size(), least)


def _check_residue(program, number, rest, modulus):
    """Undecided where what integers do depends on more than the rest: on k, the integer being rest + modulus k."""
    for k in range(-8, 9):
        changed = {number: (rest, rest + modulus * k)}
        for used, (name, operands) in enumerate((s[1:] for s in program.statements), len(program.inputs)):
            inputs = [operand.number for operand in operands if isinstance(operand, Value)]
            if used in changed or not any(n in changed for n in inputs):
                continue
            if not isinstance(operands[1], Constant):
                raise Undecided("an integer is used with another")
            by, first = operands[1].encoding, changed[inputs[0]]
            how = {
                "long.add": lambda n, by=by: _fits(n + by),
                "long.shr": lambda n, by=by: n >> by,
                "long.shl": lambda n, by=by: _wrapped(n << by),
                "long.and": lambda n, by=by: n & by,
            }.get(name)
            if how is None:
                raise Undecided("an integer is used otherwise")
            found = how(first[0]), how(first[1])
            if found[0] != found[1]:
                changed[used] = found


def reduced(run, statement, _power):
    """How much is left, and how large the parts are."""
    parts = [run(Value(number)) for number in statement.rest]
    n = run(Value(statement.n))
    fraction = Form([n * ONE // statement.steps], None, 1)
    whole = run.known[statement.known.argument].form
    for number, _ in statement.known.bounded:
        whole += run.known[number].form
    left = whole * logarithm(statement.base) - fraction * logarithm("2")
    for part in parts:
        left -= part.form
    yield _share(left.size(), int(Fraction(statement.off) * ONE))
    for part, bound in zip(parts, statement.bounds, strict=True):
        yield _share(part.form.size(), int(Fraction(bound) * ONE))
    yield _share(abs(n), statement.steps * statement.most)
    if parts[0].grid < statement.grid:
        raise Undecided("a number is finer than was said")


_JUDGES = {
    "EnclosedSine": in_steps,
    "Reduced": reduced,
}


def _share(size, bound):
    return Fraction(size, bound) if bound > 0 else Fraction(0) if size == 0 else Fraction(10**9)
