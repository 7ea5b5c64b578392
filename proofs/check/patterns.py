"""Facts that the statements of a program show without their values: sums without error, and equal values.

- (a - (s - t)) + (b - t) where s is a + b rounded and t is s - a rounded is a + b - s (Knuth, two_sum).
- With t = RN((2^s + 1) a), w = RN(t - a), 2 <= s <= 51: h = t - w and a - h (Dekker, Veltkamp). For 2^e <= |a| <
  2^(e+1), t and w are multiples of 2^(e+s-52), so h is one, no larger than 2^(e+1): 53 - s bits; a - h has s - 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clmath.ir.program import Constant, Operand, Place, Program, Value
from proofs.check.encodings import float_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Operation", "Parts", "Traced"]

Operation = tuple[str, tuple[Operand, ...]]
Parts = tuple[tuple[int, Operand], ...]  # signs and operands of a sum
_SIGNS = {"double.add": 1, "double.sub": -1}  # of the second operand
_NO_OPERATION: Operation = "", ()
_TWO_SUM = "double.add", ("double.sub", "a", ("double.sub", "s", "t")), ("double.sub", "b", "t")


@dataclass(frozen=True)
class Traced:
    """A kernel: a program, and the entries of the tables that it reads."""

    program: Program
    tables: NDArray[np.float64]

    def operation(self, operand: Operand) -> Operation:
        """Return (name, operands) of the statement that an operand is; no name for others."""
        at = operand.number - len(self.program.inputs) if isinstance(operand, Value) else -1
        if at < 0:
            return _NO_OPERATION
        _, name, operands = self.program.statements[at]
        return name, operands

    def parts(self, operand: Operand) -> Parts:
        """Return the signs and operands of a sum or difference; none of others."""
        name, operands = self.operation(operand)
        return ((1, operands[0]), (_SIGNS[name], operands[1])) if name in _SIGNS else ()

    def match(self, operand: Operand, template: Any, bound: Mapping[str, Operand]) -> dict[str, Operand] | None:
        """Return the operands that match the names of a template. Return None if the operand does not have the
        template's form.

        A template is a name, a number or an operation on templates; names in ``bound`` are known already.
        """
        if isinstance(template, str):
            return {**bound, template: operand} if bound.get(template, operand) == operand else None
        if isinstance(template, tuple):
            name, operands = self.operation(operand)
            found: dict[str, Operand] | None = (
                {**bound} if (name, len(operands) + 1) == (template[0], len(template)) else None
            )
            for one, inner in zip(operands, template[1:], strict=False):
                found = None if found is None else self.match(one, inner, found)
            return found
        is_number = isinstance(operand, Constant) and template == (
            float_of(operand.encoding) if operand.kind == "double" else operand.encoding
        )
        return {**bound} if is_number else None

    def is_sum(self, s: Operand, a: Operand, b: Operand) -> bool:
        """Return whether s is a + b or b + a."""
        return self.operation(s) in {("double.add", (a, b)), ("double.add", (b, a))}

    def sum_with_error(self, operand: Operand) -> tuple[Operand, Operand, Operand] | None:
        """Return (a, b, s) where an operand is the error that two_sum finds: a + b - s."""
        found = self.match(operand, _TWO_SUM, {})
        if not found or not self.match(found["t"], ("double.sub", "s", "a"), found):
            return None
        s, a, b = (found[name] for name in "sab")
        return (a, b, s) if self.is_sum(s, a, b) else None

    def head(self, operand: Operand) -> tuple[int, Operand]:
        """Return (s, a) of the head of Veltkamp's split, t - (t - a) with t = (2^s + 1) a; s is 0 for others."""
        found = self.match(operand, ("double.sub", "t", ("double.sub", "t", "a")), {})
        name, factors = self.operation(found["t"]) if found else _NO_OPERATION
        if not found or name != "double.mul" or found["a"] not in factors:
            return 0, operand
        c = factors[1] if factors[0] == found["a"] else factors[0]
        power = float_of(c.encoding) - 1.0 if isinstance(c, Constant) and c.kind == "double" else 0.0
        return next((s for s in range(2, 52) if power == 2.0**s), 0), found["a"]

    def bits_of_tail(self, operand: Operand) -> int:
        """Return the number of bits of a - h, h the head of a; 0 of others."""
        found = self.match(operand, ("double.sub", "a", "h"), {})
        shift, a = self.head(found["h"]) if found else (0, operand)
        return shift - 1 if found and shift and found["a"] == a else 0

    def numbered(
        self, known: dict[Any, int], conditions: Mapping[int, Any], arguments: Sequence[int] = ()
    ) -> Callable[[Operand], Any]:
        """Return a function from operands to numbers: equal ones for the same operations on the same values.

        Conditions that are known select one of two values; ``known`` has the numbers so far. ``arguments``: the numbers
        of the arguments, where these are values of another program.
        """

        def number(operand: Operand) -> Any:
            if isinstance(operand, Value):
                return found[operand.number]
            if isinstance(operand, Place):
                return self.tables[operand.first : operand.first + operand.length].tobytes()
            return operand

        found = list(arguments) or [known.setdefault(i, len(known)) for i in range(len(self.program.inputs))]
        for kind, name, operands in self.program.statements:
            first = operands[0]
            chosen = conditions.get(first.number) if name.endswith(".select") and isinstance(first, Value) else None
            statement = kind, name, *map(number, operands)
            is_known = isinstance(chosen, bool)
            found.append(statement[3 if chosen else 4] if is_known else known.setdefault(statement, len(known)))
        return number
