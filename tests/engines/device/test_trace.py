"""Kernel functions are traced to statements; a function that branches on an element is refused, and no kernel does."""

import importlib
import inspect
import math
import re

import numpy as np
import pytest

from clmath.engines.device import source
from clmath.ir import primitives, printing
from clmath.ir.primitives import (
    SIGN,
    bits,
    clamp,
    from_bits,
    greater,
    lesser,
    nearest,
    polynomial,
    select,
    take,
    two_product,
    two_sum,
)
from clmath.ir.program import Constant, Place, Statement, Tables, Value
from clmath.ir.trace import TraceError, trace
from clmath.kernels import PHASES, Kernel
from clmath.kernels.for_devices import BY_FORMAT
from tests.cases import for_each

tracing = importlib.import_module("clmath.ir.trace")
KERNELS = [kernel for phase in PHASES.values() for kernel in phase.kernels.values()]
KERNELS += dict.fromkeys(kernel for found in BY_FORMAT.values() for kernels in found.values() for kernel in kernels)
INTEGERS = [kernel for kernel in KERNELS if kernel.is_integer]
ENTRIES = np.array([1.0, 2.0, 4.0])


def traced(function, *inputs, outputs=("double",), known=()):
    return trace(function, inputs, outputs, Tables(), *known)


def operations(program):
    return [statement.operation for statement in program.statements]


REAL = [kernel for kernel in KERNELS if not kernel.is_integer]


@pytest.mark.slow
@for_each("kernel", REAL[::4])
def test_kernels_are_traced(kernel):
    is_traced(kernel)


@pytest.mark.exhaustive
@for_each("kernel", REAL)
def test_every_kernel_is_traced(kernel):
    is_traced(kernel)


def is_traced(kernel):
    """No kernel branches on an element, nor do its functions that refine, narrow, or select and evaluate ordinary
    arguments.
    """
    types = ["double"] * source.arguments(kernel)
    texts = [
        source.rounded(kernel, form, types).text
        for form in (("half", "float") if kernel.phase == "fast" else ("double",))
    ]
    if kernel.narrow:
        texts.append(source.narrowed(kernel, types).text)
    for text in texts:
        assert ("void refine(" in text) == (kernel.record.refine is not None)
        assert ("void is_ordinary(" in text) == (kernel.record.ordinary is not None)
        assert not re.search(r"const \w+ v\w+ = [^;\n]* [-+*/] ", text), "an operation that no header defines"


@for_each("kernel", INTEGERS)
def test_every_kernel_of_ints_is_traced(kernel):
    types = ["double"] * len(inspect.signature(kernel.function).parameters)
    assert "targets[i] = (int)found" in source.integers(kernel, types).text


def test_equal_statements_are_one():
    def function(x, y):
        return (x + y) * (x + y) - select(x < y, x + y, 0.0)

    assert operations(traced(function, "double", "double")) == [
        "double.add", "double.mul", "double.lt", "double.select", "double.sub"
    ]  # fmt: skip


def test_statements_that_no_result_needs_are_left_out():
    def function(x):
        return nearest(x)[0] + 1.0

    program = traced(function, "double")
    assert operations(program) == ["double.add", "double.sub", "double.add"]
    assert program.statements[-1].operands == (Value(2), Constant("double", int(np.float64(1.0).view(np.int64))))


def test_zeros_of_both_signs_are_two_constants():
    def function(x):
        return (x + 0.0) * (x + -0.0)

    assert operations(traced(function, "double")) == ["double.add", "double.add", "double.mul"]


def test_numbers_take_the_type_of_the_other_operand():
    def function(x, i):
        return i + 1, i * 0.5, (x > 0) & True, select(x > 0.0, 1, 2.0), -i, 1 << i, abs(x) / 2, i == 3

    outputs = ("long", "double", "bool", "double", "long", "long", "double", "bool")
    program = traced(function, "double", "long", outputs=outputs)
    assert operations(program) == [
        "long.add", "double.of_long", "double.mul", "double.gt", "bool.and", "double.select", "long.neg", "long.shl",
        "double.abs", "double.div", "long.eq",
    ]  # fmt: skip


@pytest.mark.parametrize("machine, spelled_out", [("device", set()), ("python", {"two_product"})])
def test_every_primitive_has_a_meaning(machine, spelled_out):
    """Every primitive that is not a composite function has a meaning; polynomials are loops over known numbers."""
    known = {"polynomial", "in_halves"}
    plain = {name for name in primitives.__all__ if inspect.isfunction(getattr(primitives, name))} - known
    assert plain - set(tracing._PRIMITIVES | tracing._OF_MACHINES[machine]) == spelled_out | {
        "ceil", "everywhere", "fast_two_sum", "floor", "inward", "nearest", "nextdown", "nextup", "outward", "split",
        "to_odd", "two_sum", "two_to",
    }  # fmt: skip


def test_equal_tables_are_kept_once():
    def function(i):
        return take(ENTRIES, i) + take(ENTRIES.copy(), i + 1) + take(np.array([8.0]), i)

    tables = Tables()
    program = trace(function, ["long"], ["double"], tables)
    assert tables.entries.tolist() == [1.0, 2.0, 4.0, 8.0]
    places = [s.operands[1] for s in program.statements if s.operation == "take"]
    assert places == [Place(0, 3), Place(0, 3), Place(3, 1)]


def test_two_product_is_one_fused_operation():
    def function(x, y):
        return two_product(x, y)

    program = traced(function, "double", "double", outputs=("double", "double"))
    assert operations(program) == ["double.mul", "double.neg", "fma"]
    assert program.statements[2] == Statement("double", "fma", (Value(0), Value(1), Value(3)))


def test_two_sum_is_not():
    assert "fma" not in operations(traced(two_sum, "double", "double", outputs=("double", "double")))


def test_a_constant_mode_is_not_recorded():
    def function(x, mode):
        return x + 1.0 if mode == 2 else x

    assert operations(traced(function, "double", known=(2,))) == ["double.add"]
    assert operations(traced(function, "double", known=(0,))) == []


def by_if(x):
    return x if x > 0.0 else -x


def by_and(x):
    return select((x > 0.0) and (x < 1.0), x, 0.0)


def by_not(x):
    return select(not x > 0.0, x, 0.0)


def by_minimum(x):
    return min(x, 1.0)


def by_a_chain(x):
    return select(0.0 < x < 1.0, x, 0.0)


def branching(x):
    return by_if(x) + 1.0, 0.0


@for_each("function", [by_if, by_and, by_not, by_minimum, by_a_chain, branching])
def test_a_branch_on_an_element_is_refused(function):
    with pytest.raises(TraceError, match=rf"{function.__name__} cannot run on a device: it branches on a lane.*select"):
        traced(function, "double")


@pytest.mark.parametrize("function", [lambda x: math.floor(x) + 1, lambda x: range(x, 2), lambda x: [*x]])
def test_reading_the_number_in_an_element_is_refused(function):
    with pytest.raises(TraceError, match="asks for the number in a lane"):
        traced(function, "double")


def test_a_kernel_that_branches_is_refused(monkeypatch):
    """As the engine meets it: through its module."""
    from clmath.kernels.fast import exponential

    monkeypatch.setattr(exponential, "branching", branching, raising=False)
    with pytest.raises(TraceError, match="branching cannot run on a device"):
        source.rounded(Kernel("fast", "exponential", "branching"), "float", ["float"])


def test_functions_of_single_numbers_are_refused():
    with pytest.raises(TraceError, match="is not a lane function"):
        traced(math.floor, "double")


@pytest.mark.parametrize(
    "function, kinds, fact",
    [
        (lambda x: bits(x) + 2**64, ("double",), "more than 64 bits"),
        (lambda x: from_bits(x + 0.0), ("double",), "takes a double for a long"),
        (lambda i: from_bits(i + 0.5), ("long",), "takes a double for a long"),
        (lambda i: take([1.0], i), ("long",), "no one-dimensional table"),
    ],
)
def test_a_wrong_kind_is_refused(function, kinds, fact):
    with pytest.raises(TraceError, match=fact):
        traced(function, *kinds)


def everything(x, y):
    i = bits(y) & SIGN
    return polynomial(clamp(x, -1.0, 1.0), (1.0, 2.0, 3.0)) + greater(x, lesser(y, 2.0)) + from_bits(i | bits(x))


def test_the_text_of_both_languages_is_one():
    text = printing.printed("everything", traced(everything, "double", "double"))
    for language in ("opencl", "cuda"):
        defined = set(re.findall(r"#define (\w+)", source.header(language)))
        used = set(re.findall(r"= (\w+)\(", text)) | {"ENCODED", "LONG"}
        assert used <= defined
    assert "0x1.8000000000000p+1" in text


def test_both_headers_define_the_same_operations():
    names = [set(re.findall(r"#define (\w+)", source.header(language))) for language in ("opencl", "cuda")]
    assert names[0] - names[1] == {"TABLE_SPACE", "TABLE_TYPE", "TABLE_VALUE"}  # macros that only OpenCL needs
    assert not names[1] - names[0]


def test_every_constant_is_exact():
    def function(x):
        return x + 0.1, x + math.inf, x + math.nan, x + -0.0, select(x > 0.0, SIGN, 5)

    text = printing.printed("constants", traced(function, "double", outputs=(*["double"] * 4, "long")))
    encoded = ("ENCODED(0x7ff0000000000000)", "ENCODED(0x7ff8000000000000)")
    for one in ((0.1).hex(), "-0x0.0p+0", *encoded, "LONG(0x8000000000000000)", "LONG(0x5)"):
        assert one in text
