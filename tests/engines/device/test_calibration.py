"""A device that does not compute as the host is refused with the reason: here, one whose program text is broken."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from clmath.engines.device import source
from clmath.engines.device.calibration import calibrate
from clmath.engines.device.machine import UnfitDeviceError
from clmath.kernels import PHASES
from tests.cases import for_each

KERNELS = [kernel for phase in PHASES.values() for kernel in phase.kernels.values()]
DEFINED = dict(re.findall(r"#define ((?:double|long|bool)_\w+|fused|root|bits|from_bits|float_bits|from_float_bits"
                          r"|integer|take)(\(.*)", source.header("opencl")))  # fmt: skip


UNUSED = {"bool_select", "double_of_bool", "long_abs", "long_not", "long_of_bool"}  # by kernels and their rounding


def used():
    """The operations of all kernels and their rounding, as the headers name them; to trace all takes a second."""
    found = set()
    for kernel in KERNELS:
        types = ["double"] * source.arguments(kernel)
        for form in ("half", "float") if kernel.phase == "fast" else ("double",):
            found |= set(re.findall(r"= (\w+)\(", source.rounded(kernel, form, types).text))
    return found & set(DEFINED)


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def context(opencl):
    """One for all: PoCL loads linked programs again for each context."""
    import pyopencl

    return pyopencl.Context([opencl])


CONDITIONS = ("_lt", "_le", "_gt", "_ge", "_eq", "_ne", "bool_and", "bool_or", "bool_xor", "bool_not")
INTEGERS = ("long_", "bits", "float_bits", "integer")


def slightly_wrong(operation):
    """The operation with the last bit of its result changed, or its condition turned around."""
    meaning = re.match(r"\([\w, ]*\) (.*?)(?: /\*.*)?$", DEFINED[operation])[1]
    if operation.endswith(CONDITIONS):
        return f"(!({meaning}))"
    changed = f"(({meaning}) ^ 1L)" if operation.startswith(INTEGERS) else ""
    return changed or f"as_double(as_long((double)({meaning})) ^ 1L)"


NEWTON = "fma(fma(-(double)(b), (a) * (1.0 / (b)), (a)), 1.0 / (b), (a) * (1.0 / (b)))"
FLUSHED_FLOAT = "((long)as_int(fabs(a) < 0x1p-126 ? copysign(0.0f, (float)(a)) : convert_float(a)))"
FLUSHED_IN = "(((i) & 0x7f800000) == 0 ? 0.0 : convert_double(as_float((int)(i))))"
# right but where the exact quotient is within 2^-31 of a midpoint; blind to the last four digits
ALMOST = (
    "(fabs((a) / (b)) > 0x1p-900 && fabs((a) / (b)) < 0x1p900 && fabs((double)(a)) > 0x1p-800"
    " && fabs(fma(-((a) / (b)), (double)(b), (double)(a)) / (b))"
    " > 0x1.fffffffcp-2 * (nextafter(fabs((a) / (b)), (double)INFINITY) - fabs((a) / (b)))"
    " ? nextafter((a) / (b), (double)INFINITY) : (a) / (b))"
)
SHORT = "((long)as_int(convert_float(as_double(as_long((double)(a)) & ~0xfL))))"
WRONG = {
    "+ is -": ("double_add", "((a) - (b))", r"a \+ b differs in \d+ of \d+ cases, first at a = .*, not "),
    "+ of float": ("double_add", "((double)((float)(a) + (float)(b)))", r"a \+ b differs"),
    "reciprocal": ("double_div", "((a) * (1.0 / (b)))", "a / b differs"),
    "one Newton step": ("double_div", NEWTON, "a / b differs"),
    "one quotient in billions": ("double_div", ALMOST, "a / b differs"),
    "root of float": ("root", "((double)sqrt((float)(a)))", r"sqrt\(\|a\|\) differs"),
    "root by rsqrt": ("root", "((a) == 0.0 ? 0.0 : (a) * (1.0 / sqrt((double)(a))))", r"sqrt\(\|a\|\) differs"),
    "fma rounded twice": ("fused", "((a) * (b) + (c))", "by fma differs"),
    "float of fewer digits": ("float_bits", SHORT, "double to float differs"),
    "float cut off": ("float_bits", "((long)as_int(convert_float_rtz(a)))", "double to float differs"),
    "subnormal floats out": ("float_bits", FLUSHED_FLOAT, "double to float differs"),
    "subnormal floats in": ("from_float_bits", FLUSHED_IN, "float to double differs"),
    "integers up": ("double_of_long", "convert_double_rtp(i)", "integer to double differs"),
    "integers to nearest": ("integer", "convert_long_rte(a)", "double to integer differs"),
    "logical shift": ("long_shr", "as_long(as_ulong(a) >> (n))", "i >> n differs"),
    "-0 lost": ("double_neg", "(0.0 - (a))", "-a differs"),
    "NaN is less": ("double_lt", "(!((a) >= (b)))", "comparisons of a and b differs"),
    "table unguarded": ("take", "tables[first + ((i) & (length - 1))]", "beyond its ends differs"),
}


FLUSHED = "(fabs({0}) < 0x1p-1022 ? 0.0 * ({0}) : ({0}))"


FLUSHING = {"add": "((a) + (b))", "mul": "((a) * (b))", "div": "((a) / (b))"}
CHECKED = sorted(set(DEFINED) - UNUSED)
# every fault: an operation, and its replacement
FAULTS = {
    **{operation: (operation, slightly_wrong(operation)) for operation in CHECKED},
    **{fault: (operation, meaning) for fault, (operation, meaning, _) in WRONG.items()},
    **{f"{name} flushes": (f"double_{name}", FLUSHED.format(meaning)) for name, meaning in FLUSHING.items()},
    "operands are flushed": ("double_mul", f"({FLUSHED.format('(a)')} * {FLUSHED.format('(b)')})"),
}
NUMBERS = {fault: number for number, fault in enumerate(FAULTS, 1)}


def with_all_faults():
    """The header of OpenCL C with the fault that FAULT numbers in its operations, or none for 0."""
    text = source.header("opencl")
    for operation in dict.fromkeys(operation for operation, _ in FAULTS.values()):
        arguments, right = re.match(r"(\(.*?\)) (.*?)(?: /\*.*)?$", DEFINED[operation]).groups()
        wrong = {NUMBERS[fault]: meaning for fault, (other, meaning) in FAULTS.items() if other == operation}
        chosen = "".join(f"FAULT == {number} ? {meaning} : " for number, meaning in wrong.items())
        before = f"#define {operation}{DEFINED[operation]}"
        assert before in text
        text = text.replace(before, f"#define {operation}{arguments} ({chosen}{right})")
    return text


@pytest.fixture(scope="module")
def refusal(opencl, context):
    """The reason why a device with a wrong operation is refused; empty if it is accepted.

    One program has all faults: the number of the chosen one follows its tables.
    """
    from clmath.engines.device.opencl import OpenCLMachine

    class Faulty(OpenCLMachine):
        def __init__(self):
            super().__init__(opencl, (), with_all_faults(), context)
            self.built, self.tables = {}, None

        def build(self, given):
            self.tables = given.tables
            if given.text not in self.built:
                text = f"#define FAULT ((int)tables[{given.tables.size}])\n{given.text}"
                self.built[given.text] = super().build(source.Source(given.entry, text, given.tables))
            return self.built[given.text]

        def put(self, array):
            return super().put(np.append(array, np.float64(self.number)) if array is self.tables else array)

    machine = Faulty()

    def call(fault=None):
        machine.number = 0 if fault is None else NUMBERS[fault]
        try:
            calibrate(machine)
        except UnfitDeviceError as error:
            return str(error)
        return ""

    return call


def test_the_device_is_right(opencl, context, refusal):
    from clmath.engines.device.opencl import OpenCLMachine

    calibrate(OpenCLMachine(opencl, context=context))
    assert not refusal()


def test_kernels_use_exactly_the_checked_operations():
    assert used() == set(CHECKED)


@for_each("operation", CHECKED)
def test_no_operation_of_a_kernel_goes_unchecked(refusal, operation):
    assert "cannot run kernels: " in refusal(operation)


@for_each("fault", WRONG)
def test_a_wrong_operation_is_refused_with_its_name(refusal, fault):
    assert re.search(WRONG[fault][2], refusal(fault))


@pytest.mark.parametrize("operation", FLUSHING)
def test_a_device_that_flushes_results_is_refused(refusal, operation):
    assert "it flushes subnormal doubles: " in refusal(f"{operation} flushes")


def test_a_device_that_flushes_operands_is_refused(refusal):
    assert "it flushes subnormal doubles: " in refusal("operands are flushed")


@pytest.mark.parametrize("sum, sign", [("double_add", ""), ("double_sub", "-")])
def test_a_device_that_contracts_is_refused(opencl, context, sum, sign):
    """Simulate a compiler that contracts a product and a sum into a fused operation, contrary to the program."""
    from clmath.engines.device.opencl import OpenCLMachine

    class Contracting(OpenCLMachine):
        def build(self, given):
            products = dict(re.findall(r"(v\d+) = double_mul\((.*)\);", given.text))
            text = re.sub(
                rf"{sum}\((v\d+), (\S+)\)",
                lambda m: f"fused({products[m[1]]}, {sign}({m[2]}))" if m[1] in products else m[0],
                given.text,
            )
            assert text != given.text
            return super().build(source.Source(given.entry, text, given.tables))

    with pytest.raises(UnfitDeviceError, match="it contracts or reorders operations: a \\* b"):
        calibrate(Contracting(opencl, context=context))


def test_a_device_without_double_is_refused():
    from clmath.engines.device.opencl import OpenCLMachine

    platform = SimpleNamespace(name="Any platform ")
    with pytest.raises(UnfitDeviceError, match="Any platform: small has no double"):
        OpenCLMachine(SimpleNamespace(platform=platform, name="small", extensions="cl_khr_fp16 cl_khr_icd"))


def test_a_program_that_does_not_compile_is_shown(opencl):
    from clmath.engines.device.opencl import OpenCLMachine

    with pytest.raises(UnfitDeviceError, match="the program does not compile"):
        OpenCLMachine(opencl).build(source.Source("none", "kernel void none() { undeclared += 1; }", np.zeros(1)))
