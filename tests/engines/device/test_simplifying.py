"""Simplified programs are shorter with equal results; programs for usual elements omit rare cases and report them."""

from __future__ import annotations

import numpy as np

from clmath.ir.primitives import bits, everywhere, filled, float_bits, from_bits, rarely, select
from clmath.ir.program import Constant, Tables, Value
from clmath.ir.simplifying import simplified, usual
from clmath.ir.trace import trace
from tests.cases import for_each


def traced(function, *inputs, outputs=("double",), machine="device"):
    return trace(function, inputs, outputs, Tables(), machine=machine)


def operations(program):
    return [statement.operation for statement in program.statements]


def number(value):
    return Constant("double", int(np.float64(value).view(np.int64)))


ALIKE = [
    (lambda x: select(x < 1.0, x, x), Value(0)),
    (lambda x: select(everywhere(x), x, x + 1.0), Value(0)),
    (lambda x: select(~everywhere(x) & (x < 1.0), x + 1.0, x), Value(0)),
    (lambda x: select((x < 1.0) | everywhere(x), x, x + 1.0), Value(0)),
    (lambda x: select(bits(x) < bits(x), 1.0, 2.0), number(2.0)),
    (lambda x: filled(-0.0, x) * 2.0, number(-0.0)),
    (lambda x: from_bits(float_bits(filled(1.5, x)) << 3), number(np.int64(0x3FC00000 << 3).view(np.float64))),
    (lambda x: select(filled(3.0, x) >= 3.0, x, 0.0), Value(0)),
]


@for_each("function, output", ALIKE)
def test_operations_that_give_an_operand_or_a_known_number_fall_away(function, output):
    program = simplified(traced(function, "double"))
    assert (program.statements, program.outputs) == ((), (("double", output),))


KEPT = [
    (lambda x: select(x == x, x, 1.0), ["double.eq", "double.select"]),  # not for NaN
    (lambda x: x + 0.0, ["double.add"]),  # -0 becomes +0
    (lambda x: filled(np.inf, x) - np.inf, ["double.sub"]),  # machines give different NaNs
]


@for_each("function, kept", KEPT)
def test_operations_that_may_change_results_are_kept(function, kept):
    assert operations(simplified(traced(function, "double"))) == kept


def test_equal_statements_are_one_once_their_operands_are():
    def function(x):
        return (x + 1.0) * (select(everywhere(x), x, 0.0) + 1.0)

    assert operations(simplified(traced(function, "double"))) == ["double.add", "double.mul"]


def clipped(x):
    small = rarely(abs(x) < 1.0)
    large = rarely(select(small, 1.0, x) > 8.0)
    return select(small, x * 0.5, select(large, 8.0, x)) + 1.0


def test_rare_conditions_fall_away_with_all_that_depends_on_them():
    program = usual(traced(clipped, "double", machine="usual"))
    assert operations(program) == ["double.abs", "double.lt", "double.gt", "bool.or", "double.add"]
    assert program.outputs == (("double", Value(5)), ("bool", Value(4)))


def test_other_machines_keep_rare_conditions():
    x = np.array([0.5, 3.0, 9.0])
    assert clipped(x).tolist() == [1.25, 4.0, 9.0]
    assert "rarely" not in operations(traced(clipped, "double"))


def test_nothing_is_rare_in_a_program_that_names_no_rare_condition():
    program = usual(traced(lambda x: x + 1.0, "double", machine="usual"))
    assert program.outputs == (("double", Value(1)), ("bool", Constant("bool", 0)))
