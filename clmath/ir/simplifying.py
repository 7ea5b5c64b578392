"""Simpler programs from the traces of rules: the same program in fewer statements, and the program for usual elements.

A rule is written once, for all elements, and names conditions that hold for few of them with ``primitives.rarely``. The
program for usual elements follows from its trace: these conditions are assumed false, and all that depends on them is
removed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from clmath.callables import AnyFunction
from clmath.ir import primitives
from clmath.ir.program import Constant, Kind, Operand, Program, Statement, Value

__all__ = ["simplified", "usual"]

TRUE, FALSE = Constant("bool", 1), Constant("bool", 0)
# an integer compared with itself
_OF_ITSELF = dict.fromkeys(("eq", "le", "ge"), TRUE) | dict.fromkeys(("ne", "lt", "gt"), FALSE)
Moved = TypeVar("Moved", bound=Operand)
_FUNCTIONS: Mapping[str, AnyFunction] = {
    "bits": primitives.bits,
    "from_bits": primitives.from_bits,
    "float_bits": primitives.float_bits,
    "from_float_bits": primitives.from_float_bits,
    "integer": primitives.integer,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "abs": np.abs,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
    "shl": np.left_shift,
    "shr": np.right_shift,
    "of_long": np.float64,
}


def simplified(program: Program) -> Program:
    """Return a program with the same outputs, without operations whose results are operands or known conditions."""
    writer = _Writer(program)
    for statement in program.statements:
        writer.add(statement)
    return writer.program


def usual(program: Program) -> Program:
    """Return the program for elements for which no ``rarely`` condition holds, of a trace for the machine "usual".

    It has one more output, the last: whether such a condition holds, so that the other outputs are meaningless. Each
    condition is evaluated as if the conditions before it did not hold, which is right for the first one that holds.
    """
    writer = _Writer(program)
    rare: Value | Constant = FALSE
    for kind, operation, operands in program.statements:
        if operation != "rarely":
            writer.add(Statement(kind, operation, operands))
            continue
        rare = writer.written(Statement("bool", "bool.or", (rare, writer.moved(operands[0]))))
        writer.values.append(FALSE)
    writer.outputs.append(("bool", rare))
    return writer.program


class _Writer:
    """Write the statements of a program again; ``values``: its inputs and statements in terms of those written."""

    def __init__(self, program: Program) -> None:
        self._before, self._statements, self._known = program, list[Statement](), dict[Statement, Value]()
        self.values: list[Value | Constant] = [Value(i) for i in range(len(program.inputs))]
        self.outputs: list[tuple[Kind, Value | Constant]] = []  # outputs in addition to the program's

    @property
    def program(self) -> Program:
        """The part of the program that has been written so far."""
        before = self._before
        outputs = [(kind, self.moved(one)) for kind, one in before.outputs]
        return Program.needed(before.inputs, self._statements, outputs + self.outputs, {})

    def moved(self, operand: Moved) -> Moved | Value | Constant:
        """Return an operand in terms of the written values."""
        return self.values[operand.number] if isinstance(operand, Value) else operand

    def add(self, statement: Statement) -> None:
        """Write a statement of the program."""
        self.values.append(self.written(statement._replace(operands=tuple(map(self.moved, statement.operands)))))

    def written(self, statement: Statement) -> Value | Constant:
        """Return the value of a statement in terms of the written values; the statement is written if no value equals
        it.
        """
        equal = _equal(statement)
        if isinstance(equal, (Value, Constant)):
            return equal
        if statement not in self._known:
            self._known[statement] = Value(len(self._before.inputs) + len(self._statements))
            self._statements.append(statement)
        return self._known[statement]


def _equal(statement: Statement) -> Operand | None:
    """Return the operand or the constant that equals the value of a statement, or None."""
    (kind, _, name), operands = statement.operation.partition("."), statement.operands
    if name == "select":
        condition, yes, no = operands
        if isinstance(condition, Constant):
            return yes if condition.encoding else no
        return yes if yes == no else None
    if statement.operation == "bool.not" and isinstance(operands[0], Constant):
        return FALSE if operands[0].encoding else TRUE
    if statement.operation in {"bool.and", "bool.or"}:
        return _of_two(statement.operation == "bool.or", *operands)
    constants = [one for one in operands if isinstance(one, Constant)]
    if operands and len(constants) == len(operands):
        return _computed(statement, constants)
    is_same = kind == "long" and len(operands) == 2 and operands[0] == operands[1]
    return _OF_ITSELF.get(name) if is_same else None


def _computed(statement: Statement, operands: Sequence[Constant]) -> Constant | None:
    """Return the value of an operation on constants, or None for NaN and for operations that machines evaluate."""
    function = _FUNCTIONS.get(statement.operation) or _FUNCTIONS.get(statement.operation.rpartition(".")[2])
    if function is None:
        return None
    with np.errstate(all="ignore"):
        found = function(*map(_number, operands))
    if statement.kind == "double":
        return None if np.isnan(found) else Constant("double", int(np.float64(found).view(np.int64)))
    return Constant(statement.kind, int(found))


def _number(operand: Constant) -> np.generic:
    """Return a constant as a NumPy scalar."""
    code = np.int64(operand.encoding)
    return code.view(np.float64) if operand.kind == "double" else code if operand.kind == "long" else np.bool_(code)


def _of_two(decides: bool, one: Operand, other: Operand) -> Operand | None:
    """Return "and" or "or" of two conditions if it is known; a condition whose truth is ``decides`` decides it."""
    for a, b in ((one, other), (other, one)):
        if isinstance(a, Constant):
            return a if bool(a.encoding) == decides else b
    return one if one == other else None
