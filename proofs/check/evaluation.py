"""The values of a program on a cell, one statement after the other.

Operations are exact by the patterns of ``patterns`` and by these rules (g: all values are multiples of 2^g; b: the
number of significant bits):

- g >= -1074 and no value is larger than 2^(g + 53): such multiples are doubles.
- A product with b_1 + b_2 <= 53, or with a power of two, and g_1 + g_2 >= -1074: its digits fit.
- s - a where s is a + b rounded, |a| >= |b| or |b| < 2^(g + 53) for a, and then (s - a) - b (Dekker 1971; Rump, Ogita,
  Oishi 2008): the error of a sum is a double.
- RN(a b) subtracted from a b, g_1 + g_2 >= -1074: the error of a product is a double.
- The head of a split is one of few numbers: a multiple of 2^(e+s-52), and as near to a as these are, 2^e <= |a| <
  2^(e+1). A number whose last bits are cleared is one of few numbers, too.

Where a value is one of a few doubles, each of them is a case, which the caller looks at by itself.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from clmath.ir.program import Constant, Place, Value
from proofs.check.encodings import INTEGER_OPERATIONS, ORDERS, Encoding, float_of, of_integers, ordered
from proofs.check.forms import LEAST, ONE, Double, Form, K, Undecided, double, require
from proofs.check.functions import inverse, root

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.ir.program import Operand
    from proofs.check.patterns import Parts, Traced

__all__ = ["Cases", "Evaluation", "of_all_cases"]

_OPERATIONS: dict[str, Callable[..., Any]] = {
    **{name: partial(of_integers, name) for name in INTEGER_OPERATIONS},
    "long.neg": partial(of_integers, "long.sub", 0),
    "bits": Encoding.known,
    "double.neg": operator.neg,
    "bool.or": operator.or_,
    "bool.xor": operator.ne,
    "bool.not": operator.not_,
}
_INFINITIES = {Constant("double", 0x7FF << 52): 1, Constant("double", (0x7FF << 52) - (1 << 63)): -1}


class Cases(Exception):  # noqa: N818 - a case distinction
    """The statement ``number`` gives one of a few numbers on the cell: each is a case."""

    def __init__(self, number: int, values: list[Fraction]) -> None:
        super().__init__(number, values)
        self.number, self.values = number, values


def of_all_cases(share: Callable[[dict[int, Fraction]], Fraction], deepest: int = 8) -> Fraction:
    """Return the largest share of all cases, given a function of the values that numbers have in a case."""
    pending: list[dict[int, Fraction]] = [{}]
    worst = Fraction(0)
    while pending:
        cases = pending.pop()
        try:
            worst = max(worst, share(cases))
        except Cases as found:
            if len(found.values) > 3 or len(cases) > deepest:
                raise Undecided("many cases") from None
            pending += [{**cases, found.number: value} for value in found.values]
    return worst


class Evaluation:
    """The values of a program on a cell; ``known``: the given values, by number; ``cases``: the values chosen for this
    case.

    ``most_cases``: if a value has this many cases or more, it stays a form instead of one double for each case.
    """

    def __init__(self, traced: Traced, cases: dict[int, Fraction], most_cases: int = 99) -> None:
        self.traced, self.cases, self.most_cases, self.symbols = traced, cases, most_cases, 0
        self.known: dict[int, Any] = {}
        self.found: dict[int, Any] = {}
        self.came_back: dict[int, tuple[int, Operand]] = {}

    def symbol(self, bound: int) -> Form:
        """Return something no larger than ``bound`` units."""
        self.symbols += 1
        return Form([0], {self.symbols: bound})

    def __call__(self, operand: Operand) -> Any:
        """Return a Double, an integer, the Encoding of a double, or a condition."""
        if isinstance(operand, Constant):
            return double(float_of(operand.encoding)) if operand.kind == "double" else operand.encoding
        assert isinstance(operand, Value)
        at = operand.number
        if at in self.known:
            return self.known[at]
        if at not in self.found:
            found = self._statement(at)
            if isinstance(found, Double) and found.form.rest:  # which gets a name, to cancel where it is taken off
                form = Form(found.form.p, found.form.terms) + self.symbol(found.form.rest)
                found = Double(form, found.grid, found.bits)
            self.found[at] = found
        return self.found[at]

    def double(self, operand: Operand) -> Double:
        """Return the double of an operand."""
        found = self(operand)
        assert isinstance(found, Double)
        return found

    def _whole(self, operand: Operand) -> int:
        found = self(operand)
        require(isinstance(found, int), "an integer")
        return int(found)

    def _statement(self, at: int) -> Any:
        name, operands = self.traced.operation(Value(at))
        last = name.rpartition(".")[2]
        if last == "select":
            return self(operands[1] if self(operands[0]) else operands[2])
        if last in ORDERS:
            return self._compare(last, *operands)
        if name in _OPERATIONS:
            return _OPERATIONS[name](*map(self, operands))
        if parts := self.traced.parts(Value(at)):
            return self._sum(at, parts)
        return getattr(self, "_" + name.replace(".", "_"))(at, *operands)

    # sums

    def _sum(self, at: int, parts: Parts) -> Double:
        shift, whole = self.traced.head(Value(at))
        if shift:
            return self._shortened(at, self.double(whole), shift)
        x, y = (self.double(one) if sign > 0 else -self.double(one) for sign, one in parts)
        if parts[0] == parts[1]:
            return Double(x.form + x.form, x.grid + 1, x.bits)
        if summed := self.traced.sum_with_error(Value(at)):
            a, b, s = map(self.double, summed)
            return Double(a.form + b.form - s.form, min(a.grid, b.grid))
        if not x.form.size() or not y.form.size():
            return y if not x.form.size() else x
        form, grid = x.form + y.form, min(x.grid, y.grid)
        bits = self.traced.bits_of_tail(Value(at))
        if bits or self._is_error_of_sum(at, parts):
            return Double(form, grid, bits or 53)
        return self._rounded(at, form, grid)

    def _is_error_of_sum(self, at: int, parts: Parts) -> bool:
        """Return whether these are s - a, or a - s, with s = RN(a + b) and |a| >= |b|, or that with the b taken off."""
        for (sign, s), other in (parts, parts[::-1]):
            if isinstance(s, Value) and s.number in self.came_back:
                of_rest, b = self.came_back[s.number]
                if other == (-sign * of_rest, b):
                    return True
            added = self.traced.parts(s)
            for (one, a), (two, b) in (added, added[::-1]) if added else ():
                if other == (-sign * one, a) and self._is_first(a, b):
                    self.came_back[at] = sign * two, b
                    return True
        return False

    def _is_first(self, a: Operand, b: Operand) -> bool:
        """Return whether |a| >= |b|, or a is a multiple of the last place of b."""
        x, size = self.double(a), self.double(b).form.size()
        return x.form.least() >= size or (x.grid >= -K and size < 1 << x.grid + 53 + K)

    # rounding

    def _rounded(self, at: int, form: Form, grid: int) -> Double:
        """Return ``form`` rounded to nearest, even where ``at`` is among the cases that are looked at."""
        if at in self.cases:
            return double(self.cases[at])
        size, least = form.size(), form.least()
        require(size < ONE << 1000, "something large")
        if not form.radius():
            return double(float(form.middle()))  # one number: rounded to even half way
        if grid >= LEAST and Fraction(size, ONE) <= Fraction(2) ** min(grid + 53, 1100):
            return self._one_of_few(at, Double(form, grid))
        unit = 1 << max(size.bit_length() - 53, 1)
        nearest = (form.p[0] + unit // 2) // unit * unit
        if least.bit_length() == size.bit_length() and abs(form.p[0] - nearest) + form.radius() < unit // 2:
            return double(Fraction(nearest, ONE))  # all values are rounded to this one
        bound = 1 << max(size.bit_length() - 54, 0)
        finest = max(grid, LEAST, least.bit_length() - 1 - K - 52 if least else LEAST)
        return self._one_of_few(at, Double(form + self.symbol(bound), finest))

    def _one_of_few(self, at: int, found: Double) -> Double:
        """Return ``found``, unless only one or two multiples of 2^grid are among its values."""
        name, operands = self.traced.operation(Value(at))
        is_error = name == "double.sub" and self.traced.operation(operands[1])[0] == "double.mul"
        if is_error or (found.form.terms and not any(found.form.p)):
            return found  # an error, of a product or of errors of others alone, cancels later by its symbols
        if found.grid < -K or found.grid > 1000 or found.form.radius() >= 1 << found.grid + K:
            return found
        unit, (low, high) = 1 << found.grid + K, found.form.ends()
        values = [Fraction(unit * m, ONE) for m in range(-(-low // unit), high // unit + 1)]
        if len(values) == 1:
            return double(values[0])
        if values and len(self.cases) >= self.most_cases:
            return found
        raise Cases(at, values)

    def _shortened(self, at: int, a: Double, cut: int, toward_zero: bool = False) -> Double:
        """Return ``a`` to nearest, or toward zero, without its last ``cut`` bits."""
        if at in self.cases or not a.form.size():
            return double(self.cases.get(at, 0))
        unit = a.binade() + cut - 52
        half = 1 << max(unit - 1 + K, 0)
        form = a.form - Form([half * a.sign()]) if toward_zero else a.form
        return self._one_of_few(at, Double(form + Form([0], None, half), unit, 53 - cut))

    # products, quotients, roots

    def _double_mul(self, at: int, a: Operand, b: Operand) -> Double:
        if not (self.double(a).form.size() and self.double(b).form.size()):
            return double(0)
        x, y = self.double(a), self.double(b)
        form, grid, bits = x.form * y.form, x.grid + y.grid, x.bits + y.bits
        if isinstance(b, Constant) and y.bits == 1 and grid >= LEAST and not y.form.p[0]:  # 2^y.grid, less than a unit
            return x.scaled(y.grid)
        is_double = grid >= LEAST and form.size() < ONE << 1000
        if is_double and any(z.bits == 1 and not z.form.radius() for z in (x, y)):
            return Double(form, grid, bits - 1)
        if is_double and bits <= 53:
            return Double(form, grid, bits)
        if is_double and min(x.bits, y.bits) == 1 and at not in self.cases:
            return self._one_of_few(at, Double(form, grid, bits - 1))
        return self._rounded(at, form, grid)

    def _fma(self, at: int, a: Operand, b: Operand, c: Operand) -> Double:
        if not (self.double(a).form.size() and self.double(b).form.size()):
            return self.double(c)
        x, y, z = map(self.double, (a, b, c))
        form, grid = x.form * y.form + z.form, min(x.grid + y.grid, z.grid)
        is_error = self.traced.match(c, ("double.neg", ("double.mul", "a", "b")), {"a": a, "b": b}) is not None
        if is_error and x.grid + y.grid >= LEAST:
            return Double(form, x.grid + y.grid)
        return self._rounded(at, form, grid)

    def _double_div(self, at: int, a: Operand, b: Operand) -> Double:
        x, y = self.double(a), self.double(b)
        if not y.form.radius() and y.form.p[0]:
            power = abs(y.form.p[0]).bit_length() - 1 - K
            if not x.form.radius():
                return double(float(x.form.middle() / y.form.middle()))
            if abs(y.form.p[0]).bit_count() == 1 and x.grid - power >= LEAST:
                return Double(x.form.scaled(1 / y.form.middle()), x.grid - power, x.bits)
        return self._rounded(at, x.form * inverse(y.form), LEAST)

    def _sqrt(self, at: int, a: Operand) -> Double:
        form = self.double(a).form
        found = -1 if form.radius() or form.p[0] < 0 else math.isqrt(form.p[0] << K)
        if found * found == form.p[0] << K:
            return double(Fraction(found, ONE))
        return self._rounded(at, root(form), LEAST)

    def _double_abs(self, _at: int, a: Operand) -> Double:
        x = self.double(a)
        if x.form.least() or not x.form.size():
            return x if x.form.p[0] >= 0 else -x
        half = x.form.size() // 2 + 1  # of either sign
        return Double(Form([half]) + self.symbol(half), x.grid, x.bits)

    # conditions

    def _compare(self, name: str, a: Operand, b: Operand) -> bool:
        """Return whether two finite numbers are in an order."""
        if a == b:
            return name in {"le", "ge", "eq"}
        for one, other, sign in ((a, b, 1), (b, a, -1)):
            if order := self._order_of_special(one, other):
                return bool(ORDERS[name](order * sign, 0))
        x, y = self(a), self(b)
        if not isinstance(x, Double):
            return ordered(name, x, y)
        difference = x.form - y.form
        require(difference.least() or not difference.size(), "a comparison")
        return bool(ORDERS[name](difference.p[0], 0))

    def _order_of_special(self, one: Operand, other: Operand) -> int:
        """Return 1 or -1 where an infinity, or a constant finer than a unit, is larger or smaller; 0 of others."""
        if not isinstance(one, Constant) or one.kind != "double":
            return 0
        if one in _INFINITIES:
            return _INFINITIES[one]
        return -self.double(other).sign() if 0.0 < abs(float_of(one.encoding)) < 2.0**-K else 0

    def _bool_and(self, _at: int, a: Operand, b: Operand) -> bool:
        return bool(self(a) and self(b))  # the second operand, perhaps infinite, is not evaluated after False

    # tables, integers and encodings

    def _take(self, _at: int, index: Operand, place: Operand) -> Double:
        at = self._whole(index)
        assert isinstance(place, Place)
        assert 0 <= at < place.length
        return double(float(self.traced.tables[place.first + at]))

    def _double_of_long(self, _at: int, a: Operand) -> Double:
        return double(float(self._whole(a)))

    def _integer(self, _at: int, a: Operand) -> int:
        form = self.double(a).form
        require(not form.radius(), "the integer of a number that is not known")
        return int(form.middle())

    def _from_bits(self, at: int, a: Operand) -> Double:
        code = self(a)
        if not isinstance(code, Encoding):
            return double(float_of(code))
        found = code.uncut()
        return self._shortened(at, found, code.cut, toward_zero=True) if code.cut else found
