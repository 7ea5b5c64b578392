"""Programs as text: a C function of straight-line statements.

C, OpenCL C and CUDA C share the text; a header of each language defines the operations. A value is called by its number
and, where a kernel marks it, the name of the mark: ``v12_r``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from clmath.ir.program import Constant, Kind, Operand, Place, Program, Value

__all__ = ["C_TYPES", "function", "listed", "printed"]

C_TYPES: dict[Kind, str] = {"double": "double", "long": "Long", "bool": "bool"}
_INFINITE = 0x7FF << 52
_ALL_BITS = (1 << 64) - 1
_OPERATIONS = {"fma": "fused", "sqrt": "root"}  # the languages have functions named fma and sqrt


def printed(name: str, program: Program) -> str:
    """The function ``name`` of a program's inputs, the tables, and pointers to its outputs."""
    values = _values(program)
    lines = [
        f"const {C_TYPES[kind]} {value} = {_name(operation)}({', '.join(_operand(one, values) for one in operands)});"
        for value, (kind, operation, operands) in zip(values[len(program.inputs) :], program.statements, strict=True)
    ]
    lines += [f"*r{i} = {_operand(operand, values)};" for i, (_, operand) in enumerate(program.outputs)]
    outputs = [C_TYPES[kind] for kind, _ in program.outputs]
    return function(name, [C_TYPES[kind] for kind in program.inputs], outputs, lines)


def function(name: str, inputs: Sequence[str], outputs: Sequence[str], lines: Iterable[str]) -> str:
    """The function ``name`` of values v0, v1 ... of C types, the tables, and pointers r0, r1 ... to its outputs."""
    values = [f"const {type} v{i}" for i, type in enumerate(inputs)]
    places = [f"{type} *r{i}" for i, type in enumerate(outputs)]
    body = "".join(f"    {line}\n" for line in lines)
    return f"FUNCTION void {name}({', '.join([*values, 'TABLE', *places])}) {{\n{body}}}\n"


def listed(prefix: str, count: int) -> str:
    """The names of ``count`` values that begin with ``prefix``, separated by commas."""
    return ", ".join(f"{prefix}{i}" for i in range(count))


def _values(program: Program) -> list[str]:
    """The names of inputs and statements in the printed text."""
    found = [f"v{number}" for number in range(len(program.inputs) + len(program.statements))]
    for name, value in program.names.items():
        if isinstance(value, Value) and value.number >= len(program.inputs) and "_" not in found[value.number]:
            found[value.number] += f"_{name.replace('.', '_')}"
    return found


def _name(operation: str) -> str:
    return _OPERATIONS.get(operation, operation.replace(".", "_"))


def _operand(operand: Operand, values: Sequence[str]) -> str:
    match operand:
        case Value(number):
            return values[number]
        case Place(first, length):
            return f"{first}, {length}"
        case Constant("double", encoding):
            return _double(encoding)
        case Constant("bool", encoding):
            return "true" if encoding else "false"
        case Constant(_, encoding):
            return f"LONG({encoding & _ALL_BITS:#x})"
    raise AssertionError(operand)


def _double(encoding: int) -> str:
    if encoding & _INFINITE == _INFINITE:
        return f"ENCODED({encoding & _ALL_BITS:#x})"
    return float(np.int64(encoding).view(np.float64)).hex()
