"""Find the exact operations of a trace: shapes of operations whose results fit in a double, each by a theorem.

Dekker, A floating-point technique for extending the available precision, Numer. Math. 18 (1971); Knuth, The Art of
Computer Programming 2, 4.2.2; Sterbenz, Floating-Point Computation (1974); Muller et al., Handbook of Floating-Point
Arithmetic (2018), 4.3 and 4.4 (Veltkamp's splitting, theorem 4.8). Results that are exact because they are multiples of
2^g of at most 2^(g + 53) are recognized where results are rounded, not here. tests/proofs shows each theorem by
exhaustion.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from clmath.ir.program import Constant, Operand, Program, Statement, Value

_DIGITS = 53


def _splitter(product: Statement) -> tuple[int, Operand | None]:
    """(s, a) of a product (2^s + 1) a, 2 <= s <= 51; (0, None) of others."""
    for c, a in (product.operands, product.operands[::-1]):
        if isinstance(c, Constant) and c.kind == "double":
            x = float(np.int64(c.encoding).view(np.float64))
            if 4.0 < x < 2.0**52 and math.frexp(x - 1.0)[0] == 0.5:
                return math.frexp(x - 1.0)[1] - 1, a
    return 0, None


class Shapes:
    """The shapes of the statements of ``program``, by their numbers.

    ``exact``: the theorem by which a sum may be exact, and the operands of its condition. ``sums``: the sum, and its
    operands, whose error the statement is as in two_sum. ``products``: the product whose error an fma is. ``heads``:
    (a, s) where the statement is the head of a splitting of a, by 2^s + 1. For |a| >= 2^e the head is a multiple of
    2^(e + s - 52): t = RN((2^s + 1) a) is one, no smaller than 2^(e + s), and so is w = RN(t - a), for t - a = 2^s a +
    d, |d| being half a unit of t at most, and 0 if a = 2^e; the head is t - w.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._inputs = len(program.inputs)
        self.exact: dict[int, tuple[str, tuple[Operand, ...]]] = {}
        self.sums: dict[int, tuple[int, Any, Any]] = {}
        self.products: dict[int, int] = {}
        self.heads: dict[int, tuple[Operand, int]] = {}
        self._tails: dict[int, int] = {}
        self.recovered: set[int] = set()
        self.steps: set[int] = set()
        self.residuals: set[int] = set()
        self.paired: set[int] = set()
        self.ordered: dict[int, tuple[Operand, Operand]] = {}
        for i, statement in enumerate(program.statements):
            self._look(self._inputs + i, statement)
        self.paired |= self._errors_of_heads()
        self.residuals = self._less_products()
        self.kept = self._operands_of_recovered() | self._used_twice()

    def _used_twice(self) -> set[int]:
        """Numbers that more than one product or sum uses: their errors may cancel, or reach the result less."""
        arithmetic = [s for s in self._program.statements if s.operation in {"double.mul", "double.add", "double.sub"}]
        uses = Counter(o.number for s in arithmetic for o in s.operands if isinstance(o, Value))
        return {number for number, count in uses.items() if count > 1}

    def _errors_of_heads(self) -> set[int]:
        """Values whose rounding error enters a head and, with the other sign, its tail, and so their products."""
        statements = self._program.statements
        return {statements[head - self._inputs].operands[1].number for head in self.heads}  # type: ignore[union-attr]

    def _less_products(self) -> set[int]:
        """Differences from products whose errors are recovered: both remainders cancel, even if this is zero."""
        products = {Value(number) for number in self.products.values()}
        statements = enumerate(self._program.statements, self._inputs)
        return {i for i, s in statements if s.operation == "double.sub" and s.operands[1] in products}

    def _operands_of_recovered(self) -> set[int]:
        """Operands of operations whose errors are recovered: they occur twice, and cancel with all their errors."""
        found = {n: self._program.statements[n - self._inputs].operands for n in self.recovered if n >= self._inputs}
        return {o.number for operands in found.values() for o in operands if isinstance(o, Value)}

    def is_negative_of(self, a: Operand, b: Operand) -> bool:
        """Whether the integer a is -b."""
        negative = self._statement(a, "long.neg")
        return negative is not None and negative.operands[0] == b

    def factors_beside(self, a: Operand, b: Operand) -> tuple[Operand, Operand] | None:
        """(c, d) where a = c f and b = d f, rounded, for some f."""
        products = self._statement(a, "double.mul"), self._statement(b, "double.mul")
        if products[0] is None or products[1] is None:
            return None
        (c, f), (d, g) = products[0].operands, products[1].operands
        return (c, d) if f == g else (f, g) if c == d else (c, g) if f == d else (f, d) if c == g else None

    def _statement(self, operand: Operand, operation: str) -> Statement | None:
        """The statement of ``operand`` where it is of that operation."""
        if not isinstance(operand, Value) or operand.number < self._inputs:
            return None
        found = self._program.statements[operand.number - self._inputs]
        return found if found.operation == operation else None

    def _look(self, number: int, statement: Statement) -> None:
        if statement.operation in {"double.add", "double.sub"}:
            self._mark(statement)
        if statement.operation == "double.sub":
            self._look_at_difference(number, *statement.operands)
            self._look_at_sum(number, *statement.operands, sign="double.sub")
        elif statement.operation == "double.add":
            self._look_at_sum(number, *statement.operands)
        elif statement.operation == "fma":
            self._look_at_fma(number, *statement.operands)

    def _look_at_difference(self, number: int, a: Operand, s: Operand) -> None:
        pair = self._pair(a, s)
        if pair is not None:  # a - (a + b)
            self.exact[number] = ("fast_two_sum", (a, pair))
            self.ordered[s.number] = (a, pair)  # type: ignore[union-attr]
        if isinstance(s, Value) and s.number in self.heads and self.heads[s.number][0] == a:  # a - h
            self._tails[number] = self.heads[s.number][1]
            self.exact[number] = ("Veltkamp", (a,))
        self._look_at_split(number, a, s)

    def _look_at_split(self, number: int, t: Operand, other: Operand) -> None:
        """H = t - (t - a) with t = (2^s + 1) a."""
        inner, product = self._statement(other, "double.sub"), self._statement(t, "double.mul")
        if inner is None or product is None or inner.operands[0] != t:
            return
        bits, a = _splitter(product)
        if a is not None and a == inner.operands[1]:
            self.heads[number] = (a, bits)
            self.exact[number] = ("Veltkamp", (a,))
            self.ordered.pop(other.number, None)  # type: ignore[union-attr]
            self.recovered |= {t.number, other.number}  # type: ignore[union-attr]

    def width(self, number: int) -> int:
        """How many bits the results of that statement have at most: of heads and tails of splittings."""
        if number in self.heads:
            return _DIGITS - self.heads[number][1]
        return self._tails[number] - 1 if number in self._tails else _DIGITS

    def _mark(self, statement: Statement) -> None:
        """Mark sums from which an operand is subtracted again: their error is recovered."""
        for s, other in (statement.operands, statement.operands[::-1]):
            for operation in ("double.add", "double.sub"):
                total = self._statement(s, operation)
                if total is not None and other in total.operands:
                    self.recovered.add(s.number)  # type: ignore[union-attr]
                    if isinstance(other, Constant):  # (x + c) - c: x to a grid, whose error is squared where x is
                        self.paired.add(s.number)  # type: ignore[union-attr]
                        self.steps.add(s.number)  # type: ignore[union-attr]

    def _pair(self, a: Operand, s: Operand) -> Operand | None:
        """B where s is a + b, b + a or a - b."""
        total = self._statement(s, "double.add")
        if total is not None and a in total.operands:
            return total.operands[1] if total.operands[0] == a else total.operands[0]
        difference = self._statement(s, "double.sub")
        return difference.operands[1] if difference is not None and difference.operands[0] == a else None

    def _look_at_sum(self, number: int, x: Operand, b: Operand, *, sign: str = "double.add") -> None:
        first = self._statement(x, "double.sub")
        if first is None:
            return
        a, s = first.operands
        if self._pair(a, s) == b and self._statement(s, sign) is not None:  # (a - (a + b)) + b, (a - (a - b)) - b
            self.exact[number] = ("fast_two_sum, second", (a, b))
        elif sign == "double.add":
            self._look_at_two_sum(number, first, b)

    def _look_at_two_sum(self, number: int, first: Statement, b: Operand) -> None:
        """(a - (s - t)) + (b - t) with s = a + b and t = s - a."""
        second, inner = self._statement(b, "double.sub"), self._statement(first.operands[1], "double.sub")
        if second is None or inner is None or inner.operands[1] != second.operands[1]:
            return
        a, y, s, t = first.operands[0], second.operands[0], inner.operands[0], inner.operands[1]
        total, back = self._statement(s, "double.add"), self._statement(t, "double.sub")
        if total is None or back is None or back.operands != (s, a):
            return
        if set(total.operands) == {a, y} and (total.operands in {(a, y), (y, a)}):
            self.sums[number] = (s.number, a, y)  # type: ignore[union-attr]
            self.recovered.add(s.number)  # type: ignore[union-attr]

    def _look_at_fma(self, number: int, a: Operand, b: Operand, c: Operand) -> None:
        """fma(a, b, -p) with p = a b."""
        negative = self._statement(c, "double.neg")
        product = None if negative is None else self._statement(negative.operands[0], "double.mul")
        if product is not None and product.operands in {(a, b), (b, a)}:
            self.products[number] = negative.operands[0].number  # type: ignore[union-attr]
            self.recovered.add(self.products[number])
