"""Every value of a traced program for doubles, computed by NumPy in arrays."""

from __future__ import annotations

import gmpy2
import numpy as np

from clmath.ir.program import Constant, Place
from clmath.ir.simplifying import _FUNCTIONS


def _fma(a, b, c):
    """The fused products and sums of arrays, rounded as doubles are, subnormal ones too."""
    with gmpy2.context(gmpy2.ieee(64)):
        return np.array([float(gmpy2.fma(*one)) for one in zip(a.tolist(), b.tolist(), c.tolist(), strict=True)])


OPERATIONS = _FUNCTIONS | {"fma": _fma, "select": np.where, "sqrt": np.sqrt}
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
