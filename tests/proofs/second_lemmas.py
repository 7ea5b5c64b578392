"""The independent checker of lemmas: one interpreter of their terms, properties and claims, on short cells.

Of ``proofs`` it takes statements alone, which are plain data. Values are ``second_checker``'s forms. Where a
statement holds for many exponents q, integers i, or numbers of which bounds are known, special cases are verified.
"""

from __future__ import annotations

import importlib
import inspect
import math
from fractions import Fraction

from clmath.ir.program import Constant, Place, Tables, Value
from clmath.ir.trace import trace
from tests.proofs.second_checker import (
    LEAST,
    ONE,
    Cases,
    Double,
    Form,
    K,
    Undecided,
    _float,
    _logarithm_of_number,
    _share,
    double,
    exact,
    exactly,
    exponential,
    logarithm,
    pi,
    sine_and_cosine,
    two_to,
)
from tests.proofs.second_checker_of_enclosures import power_of
from tests.proofs.second_checker_of_gamma import Encodings, encoding_of, gamma, log_gamma
from tests.proofs.second_sums import PI, Encoding, Longer, arctangent, error_function, inverse, scaled_complement

INFINITIES = {Constant("double", 0x7FF << 52): 1, Constant("double", (0x7FF << 52) - (1 << 63)): -1}
RESULTS = {1: ("value",), 2: ("value", "err"), 3: ("hi", "lo", "err"), 4: ("hi", "lo", "err", "exponent")}
SIZES = {"least", "least_size", "most"}
OF_PRODUCTS = 16  # units of 2^-448 by which products of the checker are larger: all that differs from an exact claim


class Checked(Longer):
    """Evaluations with what integer facts need besides, and with numbers that are finer than a unit."""

    few = True

    def __call__(self, operand):
        if isinstance(operand, Constant) and operand.kind == "double":
            x = Fraction(_float(operand.encoding))
            if x.denominator > ONE:
                return Double(exactly(x), LEAST)
        return super().__call__(operand)

    def one_of_few(self, number, found):
        """As it is where steps follow one another: each case would double those of all that follows."""
        try:
            return super().one_of_few(number, found)
        except Cases as several:
            if several.values and not self.few:
                return found
            raise

    def long_or(self, number, a, b):
        code = self(a)
        if not isinstance(code, Encoding):
            return code | self(b)
        if code.cut or code.of.form.p[0] <= 0 or not code.of.form.least():
            raise Undecided("bits of a number that may be negative")
        return self.long_xor(number, a, b)  # a sign, or nothing

    def double_abs(self, number, a):
        x = self(a)
        if x.form.least() or not x.form.size():
            return super().double_abs(number, a)
        half = x.form.size() // 2 + 1  # of either sign
        return Double(Form([half]) + self.symbol(half), x.grid, x.bits)

    def bool_xor(self, _number, a, b):
        return self(a) != self(b)

    def long_shr(self, number, a, b):
        code = self(a)
        if isinstance(code, Encodings):
            if code.least >> self(b) != code.greatest >> self(b):
                raise Undecided("an integer that is not the same on the whole cell")
            return code.least >> self(b)
        if not isinstance(code, Encoding):
            return super().long_shr(number, a, b)
        if self(b) != 63 or not code.of.form.least():
            raise Undecided("a part of an encoding")
        return -1 if code.of.form.p[0] < 0 else 0

    def double_div(self, number, a, b):
        x, y = self(a).form, self(b).form
        if x.radius() or y.radius() or not y.p[0]:
            return super().double_div(number, a, b)
        return double(Fraction(float(Fraction(x.p[0], y.p[0]))))  # Python rounds quotients of integers to nearest

    def sqrt(self, number, a):
        x = self(a).form
        root = 0 if x.radius() else math.isqrt(x.p[0] << K)
        if root * root == x.p[0] << K:
            return double(Fraction(root, ONE))
        return self.rounded(number, power_of(x, Fraction(1, 2)), LEAST)

    def double_mul(self, number, a, b):
        """A product, without error where one factor is a power of two that is known."""
        if not (self(a).form.size() and self(b).form.size()):
            return double(0)
        x, y = sorted(map(self, (a, b)), key=lambda z: (z.bits, z.form.radius()))
        if x.bits == 1 and not x.form.radius() and x.grid + y.grid >= LEAST and y.form.size() < ONE << 900:
            return Double(x.form * y.form, x.grid + y.grid, y.bits)
        return super().double_mul(number, a, b)

    def fma(self, number, a, b, c):
        return super().fma(number, a, b, c) if self(a).form.size() and self(b).form.size() else self(c)

    def long_add(self, number, a, b):
        x, y = self(a), self(b)
        if not isinstance(x, Encoding) or x.cut:
            return super().long_add(number, a, b)
        ends = [x.of.form.p[0] + side * x.of.form.radius() for side in (-1, 1)]
        if ends[0] <= 0:
            raise Undecided("the encoding of what may not be positive")
        return Encodings(*(encoding_of(end) + y for end in ends))

    def integer(self, _number, a):
        form = self(a).form
        if form.radius():
            raise Undecided("the integer of a number that is not known")
        return int(Fraction(form.p[0], ONE))

    def compare(self, name, a, b):
        for one, other, sign in ((a, b, 1), (b, a, -1)):  # with an infinity: all else is finite
            if one in INFINITIES:
                size = sign * INFINITIES[one]
                return {"lt": size < 0, "le": size < 0, "gt": size > 0, "ge": size > 0}.get(name, name == "ne")
            if isinstance(one, Constant) and one.kind == "double" and 0.0 < abs(_float(one.encoding)) < 2.0**-K:
                x = self(other).form  # anything else is larger, if it is not zero
                if not x.least():
                    raise Undecided("a comparison with a number that is finer than a unit")
                size = -sign if x.p[0] > 0 else sign
                return {"lt": size < 0, "le": size < 0, "gt": size > 0, "ge": size > 0}.get(name, name == "ne")
        return super().compare(name, a, b)


def log_of(z):
    """The logarithm of any positive form: a power of two taken out."""
    e = z.p[0].bit_length() - ONE.bit_length()
    z = z.divided(Fraction(2) ** e)
    c = Fraction(z.p[0], ONE)
    u = Form([0, *z.p[1:]], z.terms, z.rest).divided(c)
    if c <= 0 or u.size() * 8 > ONE:
        raise Undecided("a logarithm")
    total, left = Form([0]), ONE
    for n in range(40, 0, -1):
        total = u * (Form([ONE // n], None, 1) - total)
        left = (left * u.size() >> K) + 1  # in the end |u|^40, and more than all that follows
    return total + Form([0], None, left) + Form([e * ONE]) * logarithm("2") + _logarithm_of_number(c)


def exponential_of(z):
    """e^z of any form: a power of two taken out."""
    n = round(Fraction(z.p[0], logarithm("2").p[0]))
    return exponential(z - Form([n * ONE]) * logarithm("2")) * exact(Fraction(2) ** n)


def root(z):
    """The square root."""
    return power_of(z, Fraction(1, 2))


def inverse_sine(z):
    """The arc sine of any form, as the arc tangent of z / sqrt(1 - z^2)."""
    if not z.radius() and abs(z.p[0]) == ONE:
        return PI * exact(Fraction(z.p[0], 2 * ONE))
    return odd(arctangent)(z * inverse(power_of(exact(1) - z * z, Fraction(1, 2))))


def complement(z):
    """Erfc z = e^(-z^2) w(z), w the scaled one; 2 - erfc(-z) below zero."""
    if z.p[0] < 0:
        return exact(2) - complement(z.times(-1))
    return exponential_of((z * z).times(-1)) * scaled_complement(z)


def power_of_2(x):
    whole = math.floor(x)
    found = exact(Fraction(2) ** whole)
    rest = x - whole
    return found * two_to(rest.numerator, rest.denominator) if rest else found


def odd(function):
    """A function of both signs from that of positive forms."""
    return lambda z: function(z.times(-1)).times(-1) if z.p[0] < 0 else function(z)


FUNCTIONS = {
    "exp": exponential_of,
    "log": log_of,
    "inverse": inverse,
    "sqrt": root,
    "sin": lambda z: sine_and_cosine(z)[0] if z.size() else z,
    "cos": lambda z: sine_and_cosine(z)[1] if z.size() else exact(1),
    "atan": odd(arctangent),
    "asin": inverse_sine,
    "acos": lambda z: PI * exact(Fraction(1, 2)) - inverse_sine(z),
    "erf": odd(error_function),
    "erfc": complement,
    "erfcx": scaled_complement,
    "log_gamma": log_gamma,
    "log_gamma_1p": lambda z: log_gamma(z + Form([ONE])),
    "gamma_less_pole": lambda z: gamma(z) - inverse(z),
}


def nearest_multiple(a, most):
    """The least distance of m a from integers, 0 < m < most: by Euclid's algorithm, the same at both ends of a."""

    def denominator(x):
        before, here, x = 0, 1, x % 1
        while x:
            quotient, x = divmod(1 / x, 1)
            if quotient * here + before >= most:
                break
            before, here = here, quotient * here + before
        return int(here)

    low, high = (Fraction(a.p[0] + side * a.radius(), ONE) for side in (-1, 1))
    if (m := denominator(low)) != denominator(high):
        raise Undecided("a number is not known to enough bits")
    rest = m * a.p[0] % ONE
    return Form([min(rest, ONE - rest)], None, m * a.radius())


def ends(t, bits):
    """The ends of a number as fractions, pi to that many bits; LookupError where a term is not known."""
    name, operands = t.operation, t.operands
    if name in {"number", "power_of_2"}:
        x = Fraction(*operands)
        if name == "power_of_2" and x.denominator != 1:
            raise LookupError(name)
        return (x, x) if name == "number" else (Fraction(2) ** int(x),) * 2
    if name == "precise":
        return ends(*operands)
    if name not in {"add", "mul", "neg", "inverse", "atan"}:
        raise LookupError(name)
    parts = [ends(one, bits) for one in operands]
    low, high = parts[0]
    match name:
        case "add":
            return low + parts[1][0], high + parts[1][1]
        case "mul":
            found = [x * y for x in parts[0] for y in parts[1]]
            return min(found), max(found)
        case "inverse":
            assert low > 0
            return 1 / high, 1 / low
        case "atan":
            assert low == high == 1
            turn = pi(1 << bits)
            return tuple(Fraction(turn.p[0] + side * turn.rest, 4 << bits) for side in (-1, 1))
    return -high, -low


def conjunction(*parts):
    """Whether all hold; None where that is not known."""
    return False if False in parts else None if None in parts else True


FOLLOWS = {  # conditions that follow from others
    "bool.and": conjunction,
    "bool.or": lambda *parts: True if True in parts else None if None in parts else False,
    "bool.not": lambda part: None if part is None else not part,
}


def least_size(low, high):
    """The least size of the numbers between the two."""
    return 0.0 if low < 0 < high else min(abs(low), abs(high))


def numbers(program, tables, known, conditions, arguments=()):
    """A function from operands to numbers: equal ones for the same operations on the same values.

    Conditions that are known select one of two values; ``known`` has the numbers so far. ``arguments``: the numbers of
    the arguments, where these are values of another program.
    """

    def number(operand):
        if isinstance(operand, Value):
            return found[operand.number]
        if isinstance(operand, Place):
            return tables[operand.first : operand.first + operand.length].tobytes()
        return operand

    found = list(arguments) or [known.setdefault(i, len(known)) for i in range(len(program.inputs))]
    for kind, operation, operands in program.statements:
        chosen = conditions.get(getattr(operands[0], "number", None)) if operation.endswith(".select") else None
        statement = kind, operation, *map(number, operands)
        is_known = isinstance(chosen, bool)
        found.append(statement[3 if chosen else 4] if is_known else known.setdefault(statement, len(known)))
    return number


class Checking:
    """A statement on a cell, for one q and one i; ``fixed``: numbers for names of which bounds are assumed."""

    def __init__(self, traced, statement, ends, case, cases, sign=1):  # noqa: PLR0917
        self.traced, self.of_case, self.cases, self.sign = traced, case, cases, sign
        self.statement, self.program, (self.q, self.i, self.fixed) = statement, traced.program, case
        self.run = Checked(traced.program, traced.tables, {}, cases)
        # bounds of unknown numbers are multiples of this, which 2^(power q) times them has no loss of
        powers = [found.power * self.q for _, found in statement.assume if type(found).__name__ == "Number"]
        self.unit = 1 << -min(powers, default=0) if min(powers, default=0) < 0 else 1
        self.ends = low, high = [Fraction(end) for end in ends]
        self.variable = Form(exact((low + high) / 2).p + exact((high - low) / 2).p)
        self.free, self.ideals = {}, {}
        derived = [(name, found) for name, found in statement.assume if self.is_derived(found)]
        for name, found in sorted(statement.assume, key=lambda one: one[0] in self.program.names):
            if (name, found) in derived:
                continue
            known = self.known(name, found)
            if name not in self.program.names:
                self.free[name] = known.form
            elif known is not None:
                self.run.known[self.program.names[name].number] = known
        for name, found in derived:
            self.run.known[self.program.names[name].number] = self.number(name, found)
        for name, found in statement.assume:  # that follow from other values
            if type(found).__name__ == "Times":
                x, by = self.run(self.place(found.name)), Fraction(2) ** found.power
                number = self.program.names[name].number
                self.run.known[number] = Double(x.form * exact(by), x.grid + found.power, x.bits)
        for number, (_, operation, operands) in enumerate(self.program.statements, len(self.program.inputs)):
            if operation in FOLLOWS:
                parts = [self.run.known.get(getattr(operand, "number", None)) for operand in operands]
                if (found := FOLLOWS[operation](*parts)) is not None:
                    self.run.known.setdefault(number, found)
        self.run.few = not statement.through
        for step in statement.through:
            self.through(step)

    def through(self, step):
        """Know of values but how far their sum is from an exact value, and how large all but the first are."""
        places = [self.place(name) for name in step.names]
        found = [self.run(place) for place in places]
        total = self.ideals[id(step.ideal)] = self.term(step.ideal)  # which is a part of the next one
        total += self.run.symbol(sum((x.form for x in found), total.times(-1)).size())
        for place, x in zip(places[1:], found[1:], strict=True):
            low = self.run.symbol(x.form.size())
            total, self.run.known[place.number] = total - low, Double(low, x.grid)
        self.run.known[places[0].number] = Double(total, found[0].grid)

    def place(self, name):
        results = RESULTS.get(len(self.program.outputs), ())
        if results and results[0] in self.program.names:  # of a function that refines results
            results = tuple(f"new_{result}" for result in results)
        return self.program.outputs[results.index(name)][1] if name in results else self.program.names[name]

    def is_derived(self, found):
        """Whether a number is a term of values that the kernel computes."""
        computed = set(self.program.names) - {name for name, _ in self.statement.assume}
        return type(found).__name__ == "Number" and bool(found.value.names() & computed)

    def known(self, name, found):
        """A value with that property."""
        kind = type(found).__name__
        if kind == "Number":
            return self.number(name, found)
        if kind == "Exponent":
            integer = found.sign * self.q + found.added
            at = self.place(name).number - len(self.program.inputs)
            return double(integer) if self.program.statements[at].kind == "double" else integer
        if kind == "Residue":
            return found.rest + found.modulus * self.q
        if kind == "Encoding":
            return found.period * self.q + found.first + self.i * (found.count - 1)
        return None if kind in {"Times", "Computed"} else found

    def number(self, name, found):
        grid, by = LEAST if found.grid is None else found.grid, found.power * self.q
        if found.value.operation == "variable":
            least = least_size(*self.ends)
            grid = max(grid, math.frexp(float(least))[1] - found.bits) if least else grid
        form = self.term(found.value)
        if name in self.fixed:
            chosen = exact(Fraction(self.fixed[name]))
            if (form - chosen).least():
                raise ValueError(f"{name} does not have its property")
            form = chosen
        if self.sign < 0 and self.program.names.get(name) == Value(0):
            form = form.times(-1)
        if not form.radius():
            known = double(Fraction(form.p[0], ONE) * Fraction(2) ** by)
            return known if found.grid is None else Double(known.form, max(grid + by, known.grid), known.bits)
        return Double(form * exact(Fraction(2) ** by) if by else form, grid + by, found.bits)

    def term(self, t, power=0):
        """A term as a form."""
        name, operands = t.operation, t.operands
        if id(t) in self.ideals:
            return self.ideals[id(t)]
        if name == "number":
            (x,) = operands
            return exact(x) if x.denominator & (x.denominator - 1) == 0 and x.denominator <= ONE else exactly(x)
        if name == "power_of_2":
            return power_of_2(*operands)
        if name == "variable":
            return self.variable
        if name == "unknown":
            bound = self.bound(operands[0], power)
            is_exact = operands[0].operation == "number" and (operands[0].operands[0] * ONE).denominator == 1
            units = bound + (not is_exact)
            multiple = -(-units // self.unit) * self.unit
            return self.run.symbol(multiple if multiple - units <= units >> 20 else units) if bound else Form([0])
        if name == "value":
            return self.value(*operands, power)
        if name == "precise":
            return self.precise(*operands)
        if name == "distance":
            return nearest_multiple(self.term(operands[0]), operands[1])
        if name in SIZES | {"lesser"}:
            return Form([self.bound(t, power)])
        parts = [self.term(one, power) for one in operands]
        if name == "two_to":
            return exact(Fraction(2) ** (parts[0].p[0] // ONE))
        if name == "add":
            return parts[0] + parts[1]
        if name == "mul":
            return parts[0] * parts[1]
        return parts[0].times(-1) if name == "neg" else FUNCTIONS[name](*parts)

    def precise(self, t, bits):
        """A number that is found with that many bits; other terms unchanged."""
        try:
            low, high = ends(t, bits)
        except LookupError:
            return self.term(t)
        return Form([int((low + high) / 2 * ONE)], None, int((high - low) * ONE) + 2)

    def value(self, name, power):
        if name in self.free:
            return self.free[name]
        found = self.run(self.place(name))
        if not isinstance(found, Double):
            return Form([int(found) * ONE])
        assumed = dict(self.statement.assume).get(name)
        by = getattr(assumed, "power", 0) if assumed is not None else power
        return found.form * exact(Fraction(2) ** -(by * self.q)) if by else found.form

    def bound(self, t, power):
        """A number of units that is no more than a bound is, or no less than a size."""
        name, operands = t.operation, t.operands
        if name == "add":
            return sum(self.bound(one, power) for one in operands)
        if name == "mul":
            one, other = (self.bound(one, power) for one in operands)
            return one * other >> K
        if name == "half_unit":
            return 1 << self.bound(operands[0], power).bit_length() - 54
        if name == "lesser":
            return min(self.bound(one, power) for one in operands)
        if name in SIZES:
            form = self.term(*operands, power)
            return form.size() if name == "most" else form.least() if form.p[0] > 0 or name == "least_size" else 0
        return int(operands[0] * ONE)

    def share(self, claim):
        """The error that a claim speaks of as a share of its bound."""
        kind = type(claim).__name__
        if kind in {"Even", "OfNegative"}:
            other = Checking(self.traced, self.statement, self.ends, self.of_case, self.cases, -1)
            if kind == "OfNegative":
                return other.share(claim.claim)
            same = self.run(self.place(claim.name)).form - other.run(other.place(claim.name)).form
            return _share(same.p[0], 0)  # what is rounded is so by the same amounts
        if kind == "Bounded":
            bound = self.bound(claim.bound, claim.power)
            if claim.rounded is not None:
                bound -= 1 << max(self.bound(claim.rounded, claim.power).bit_length() - 54, 0)
            return _share(self.term(claim.error, claim.power).size(), bound or OF_PRODUCTS)
        if kind == "When":
            chosen = claim.claims if self.run(self.place(claim.condition)) else claim.otherwise
            return max(map(self.share, chosen), default=Fraction(0))
        if kind in {"Same", "SameIn", "Formula", "RestOfSum", "Calls"}:
            if not self.is_so(claim):
                raise AssertionError(claim)
            return Fraction(0)
        found = self.run(self.place(claim.name))
        if kind == "OnGrid":
            holds = found.bits <= claim.bits and found.grid >= claim.grid + claim.power * self.q
        else:
            expected = claim.expected if isinstance(claim.expected, tuple) else (claim.expected,)
            known = [self.known(claim.name, x) for x in expected]
            holds = any(found == x and isinstance(found, bool) == isinstance(x, bool) for x in known)
        if not holds:
            raise Undecided(f"{claim.name} is {found}")
        return Fraction(0)

    # claims of the program itself

    def is_so(self, claim):
        """Whether a claim of the operations holds: of what a value literally is."""
        match type(claim).__name__:
            case "Same":
                own = self.numbered({})
                return own(self.place(claim.name)) == own(self.place(claim.other))
            case "SameIn":
                return self.is_in(claim)
            case "Formula":
                return self.matches(self.place(claim.name), claim.operation)
            case "Calls":
                return self.is_call(claim)
        high, low = self.place(claim.high), self.place(claim.low)  # low = (a - high) + b, high = a + b
        name, (back, b) = self.run.operation(low)
        inner, (a, total) = self.run.operation(back)
        sums = [("double.add", (a, b)), ("double.add", (b, a))]
        is_rest = (name, inner, total) == ("double.add", "double.sub", high) and self.run.operation(high) in sums
        if is_rest and self.run(a).form.least() < self.run(b).form.size():
            raise Undecided("which number of a sum is larger")
        return is_rest

    def numbered(self, known):
        """The numbers of values where the conditions hold that are assumed, or follow."""
        return numbers(self.program, self.traced.tables, known, self.run.known)

    def is_call(self, claim):
        """Whether values are the results of a function: the same operations and entries of tables."""
        own = self.numbered(known := {})
        given = [own(self.place(name)) for name in claim.arguments]
        called = numbers(claim.program, claim.tables, known, {}, given)
        return [own(self.place(name)) for name in claim.names] == [called(found) for _, found in claim.program.outputs]

    def is_in(self, claim):
        """Whether another kernel computes a value by the same operations."""
        kernel, tables = getattr(importlib.import_module(claim.module), claim.function), Tables()
        inputs = ["double"] * len(inspect.signature(kernel).parameters)
        other, known = trace(kernel, inputs, ("double", "double", "double", "long"), tables), {}
        there = numbers(other, tables.entries, known, {})(other.names[claim.name])
        return there == numbers(self.program, self.run.tables, known, {})(self.place(claim.name))

    def matches(self, operand, expected):
        """Whether an operand is the expected name, number or operation."""
        if isinstance(expected, str):
            return operand == self.place(expected)
        if isinstance(expected, tuple):
            name, operands = self.run.operation(operand)
            return name == expected[0] and all(map(self.matches, operands, expected[1:]))
        if not isinstance(operand, Constant):
            return False
        return (_float(operand.encoding) if operand.kind == "double" else operand.encoding) == expected


def snapped(statement, low, high):
    """The cell from the first number of so many bits, on the grid, to the last, where no others are meant."""
    numbers = [found for _, found in statement.assume if getattr(found, "snapped", False)]
    if not numbers:
        return low, high
    least, grid = least_size(low, high), LEAST if numbers[0].grid is None else numbers[0].grid
    unit = Fraction(2) ** (max(grid, math.frexp(least)[1] - numbers[0].bits) if least else grid)
    first = -(-Fraction(low) // unit) * unit
    return first, max(first, Fraction(high) // unit * unit)


def share(traced, statement, low, high, q=None, i=0, fixed=()):  # noqa: PLR0917
    """The largest error as a share of its bound on a short cell, with that q and that i of integers."""
    case, (low, high) = (statement.powers[0] if q is None else q, i, dict(fixed)), snapped(statement, low, high)
    if low > high:
        return Fraction(0)
    pending, worst = [{}], Fraction(0)
    while pending:
        cases = pending.pop()
        try:
            checking = Checking(traced, statement, (low, high), case, cases)
            worst = max(worst, *(checking.share(claim) for claim in statement.claims))
        except Cases as found:
            if len(found.values) > 3 or len(cases) > 8:
                raise Undecided("many cases") from None
            pending += [{**cases, found.number: value} for value in found.values]
    return worst
