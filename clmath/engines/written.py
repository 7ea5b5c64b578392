"""A program as a function of Python's floats and ints, whose branches compute what they need alone."""

from __future__ import annotations

import ast
import math
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.engines.branches import Assignment, laid_out
from clmath.ir.program import Constant, Place, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.callables import AnyFunction
    from clmath.engines.branches import Layout, Line
    from clmath.ir.program import Operand, Program, Statement, Tables

__all__ = ["written"]

_DOUBLE, _INTEGER, _ENCODING = struct.Struct("<d"), struct.Struct("<q"), struct.Struct("<Q")
_ALL_BITS, _SIGN = (1 << 64) - 1, 1 << 63
_BINARY = {
    "add": ast.Add,
    "sub": ast.Sub,
    "mul": ast.Mult,
    "div": ast.Div,
    "shl": ast.LShift,
    "shr": ast.RShift,
    "and": ast.BitAnd,
    "or": ast.BitOr,
    "xor": ast.BitXor,
}
_COMPARISONS = {"lt": ast.Lt, "le": ast.LtE, "gt": ast.Gt, "ge": ast.GtE, "eq": ast.Eq, "ne": ast.NotEq}
_OF_CONDITIONS = {"and": ast.And, "or": ast.Or}  # they evaluate what they need
_NAMES = {
    "absolute": abs,
    "real": float,
    "whole": int,
    "root": math.sqrt,
    "packed": _DOUBLE.pack,
    "encoding": _INTEGER.unpack,
    "packed_encoding": _ENCODING.pack,
    "decoded": _DOUBLE.unpack,
}


def written(name: str, program: Program, tables: Tables) -> AnyFunction:
    """The function ``name``: the inputs of ``program`` in, its outputs as a tuple, or the only one, out.

    What a float cannot do, such as dividing by zero, raises ArithmeticError or ValueError.
    """
    writer = _Writer(program, laid_out(program))
    module = ast.fix_missing_locations(ast.Module([writer.function(name)], type_ignores=[]))
    entries = tables.entries
    space: dict[str, Any] = dict(_NAMES)
    for place in writer.places:
        space[_table(place)] = entries[place.first : place.first + place.length].tolist()
    exec(compile(module, f"<{name} on numbers>", "exec"), space)  # noqa: S102 - our own lines
    found: AnyFunction = space[name]
    return found


class _Writer:
    """Writes the syntax tree of a program laid out in lines."""

    def __init__(self, program: Program, layout: Layout) -> None:
        self.program, self.layout = program, layout
        self.places: set[Place] = set()

    def function(self, name: str) -> ast.FunctionDef:
        """The whole of it."""
        parameters = [ast.arg(_name(i)) for i in range(len(self.program.inputs))]
        arguments = ast.arguments([], parameters, None, [], [], None, [])
        outputs = [self.operand(operand) for _, operand in self.program.outputs]
        result = outputs[0] if len(outputs) == 1 else ast.Tuple(outputs, ast.Load())
        return ast.FunctionDef(name, arguments, [*self.lines(self.layout.lines), ast.Return(result)], [])

    def lines(self, lines: Sequence[Line]) -> list[ast.stmt]:
        """Assignments, and branches."""
        found: list[ast.stmt] = []
        for line in lines:
            if isinstance(line, Assignment):
                found.append(_assigned(line.number, self.expression(self.statement(line.number))))
                continue
            sides = [
                [*self.lines(lines), *(_assigned(n, self.operand(self.statement(n).operands[i])) for n in line.selects)]
                for i, lines in ((1, line.yes), (2, line.no))
            ]
            found.append(ast.If(self.operand(line.condition), *sides))
        return found

    def statement(self, number: int) -> Statement:
        """The statement of a value."""
        return self.program.statements[number - len(self.program.inputs)]

    def operand(self, operand: Operand) -> ast.expr:
        """A value by its name, or written out where it has none; a number."""
        match operand:
            case Value(number) if number in self.layout.nested:
                return self.expression(self.statement(number))
            case Value(number):
                return ast.Name(_name(number), ast.Load())
            case Constant("double", encoding):
                return ast.Constant(float(np.int64(encoding).view(np.float64)))
            case Constant(kind, encoding):
                return ast.Constant(bool(encoding) if kind == "bool" else encoding)
        raise AssertionError(operand)

    def expression(self, statement: Statement) -> ast.expr:
        """What a statement computes."""
        kind, _, word = statement.operation.rpartition(".")
        if word == "take":
            return self._entry(*statement.operands)
        operands = [self.operand(o) for o in statement.operands]
        if word in _COMPARISONS:
            return ast.Compare(operands[0], [_COMPARISONS[word]()], operands[1:])
        if kind == "bool" and word in _OF_CONDITIONS:
            return ast.BoolOp(_OF_CONDITIONS[word](), operands)
        if word == "select":
            return ast.IfExp(*operands)
        if word == "shl":  # bits that are shifted out of 64 are lost
            shifted = ast.BinOp(operands[0], ast.LShift(), operands[1])
            return _combined(_combined(_combined(shifted, "add", _SIGN), "and", _ALL_BITS), "sub", _SIGN)
        if word in _BINARY:
            return ast.BinOp(operands[0], _BINARY[word](), operands[1])
        return _ALONE[statement.operation](operands[0])

    def _entry(self, index: Operand, place: Operand) -> ast.expr:
        """The entry of a table."""
        if not isinstance(place, Place):
            raise TypeError(place)
        self.places.add(place)
        return ast.Subscript(ast.Name(_table(place), ast.Load()), self.operand(index), ast.Load())


def _name(number: int) -> str:
    return f"v{number}"


def _table(place: Place) -> str:
    return f"t{place.first}"


def _assigned(number: int, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(_name(number), ast.Store())], value)


def _combined(left: ast.expr, word: str, right: int) -> ast.expr:
    return ast.BinOp(left, _BINARY[word](), ast.Constant(right))


def _called(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _bits(x: ast.expr) -> ast.expr:
    return _first(_called("encoding", _called("packed", x)))


def _from_bits(i: ast.expr) -> ast.expr:
    return _first(_called("decoded", _called("packed_encoding", _combined(i, "and", _ALL_BITS))))


def _first(values: ast.expr) -> ast.expr:
    return ast.Subscript(values, ast.Constant(0), ast.Load())


def _unary(operator: Callable[[], ast.unaryop]) -> Callable[[ast.expr], ast.expr]:
    return lambda x: ast.UnaryOp(operator(), x)


def _call_of(name: str) -> Callable[[ast.expr], ast.expr]:
    return lambda x: _called(name, x)


_ALONE: dict[str, Callable[[ast.expr], ast.expr]] = {
    "bool.not": _unary(ast.Not),
    "long.not": _unary(ast.Invert),
    "long.neg": _unary(ast.USub),
    "double.neg": _unary(ast.USub),
    "long.abs": _call_of("absolute"),
    "double.abs": _call_of("absolute"),
    "long.of_bool": _call_of("whole"),
    "double.of_bool": _call_of("real"),
    "double.of_long": _call_of("real"),
    "integer": _call_of("whole"),
    "sqrt": _call_of("root"),
    "bits": _bits,
    "from_bits": _from_bits,
}
