"""Every value of a traced program for doubles, computed by NumPy in arrays."""

from __future__ import annotations

import gmpy2
import numpy as np

from clmath.ir.lanes import float_bits, from_float_bits
from clmath.ir.program import Constant, Place


def _fma(a, b, c):
    """The fused products and sums of arrays, rounded as doubles are, subnormal ones too."""
    with gmpy2.context(gmpy2.ieee(64)):
        return np.array([float(gmpy2.fma(*one)) for one in zip(a.tolist(), b.tolist(), c.tolist(), strict=True)])


OPERATIONS = {
    "double.add": np.add,
    "double.sub": np.subtract,
    "double.mul": np.multiply,
    "double.div": np.divide,
    "double.neg": np.negative,
    "double.abs": np.abs,
    "double.of_long": lambda a: a.astype(np.float64),
    "sqrt": np.sqrt,
    "fma": _fma,
    "integer": lambda a: a.astype(np.int64),
    "bits": lambda a: a.view(np.int64),
    "from_bits": lambda a: a.view(np.float64),
    "float_bits": float_bits,
    "from_float_bits": from_float_bits,
    "bool.and": np.logical_and,
    "bool.or": np.logical_or,
    "bool.xor": np.logical_xor,
    "bool.not": np.logical_not,
    "long.and": np.bitwise_and,
    "long.or": np.bitwise_or,
    "long.xor": np.bitwise_xor,
    "long.mul": np.multiply,
    "long.shl": np.left_shift,
    "long.shr": np.right_shift,
    "long.add": np.add,
    "long.sub": np.subtract,
    "long.neg": np.negative,
    "long.abs": np.abs,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "select": np.where,
}
DTYPES = {"double": np.float64, "long": np.int64, "bool": np.bool_}


def values(traced, *arguments):
    """All values of the program, by number, as arrays of the arguments' length."""
    found = [np.asarray(a, DTYPES[kind]) for a, kind in zip(arguments, traced.program.inputs, strict=True)]
    shape = found[0].shape

    def value(operand):
        if isinstance(operand, Constant):
            bits = np.full(shape, operand.encoding, np.int64)
            return bits.view(np.float64) if operand.kind == "double" else bits.astype(DTYPES[operand.kind])
        return found[operand.number]

    with np.errstate(all="ignore"):
        for statement in traced.program.statements:
            found += [_result(traced, statement, value)]
    return found


def outputs(traced, found):
    """The values that the program returns."""
    return [operand_of(operand, found) for _, operand in traced.program.outputs]


def operand_of(operand, found):
    """A value, or a constant, for every argument."""
    if not isinstance(operand, Constant):
        return found[operand.number]
    numbers = np.full(found[0].shape, operand.encoding, np.int64)
    return numbers.view(np.float64) if operand.kind == "double" else numbers


def _result(traced, statement, value):
    if statement.operation == "take":
        index, place = statement.operands
        assert isinstance(place, Place)
        return traced.tables[place.first + np.clip(value(index), 0, place.length - 1)]
    name = statement.operation
    how = OPERATIONS.get(name) or OPERATIONS[name.rpartition(".")[2]]
    return np.ascontiguousarray(how(*map(value, statement.operands)))
