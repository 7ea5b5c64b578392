"""A device that does not compute as the host is refused with the reason: here, one whose program text is broken."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from clmath.engines.device import source
from clmath.engines.device.calibration import calibrate
from clmath.engines.device.machine import UnfitDeviceError
from clmath.kernels import RUNGS

KERNELS = [kernel for rung in RUNGS.values() for kernel in rung.kernels.values()]
DEFINED = dict(re.findall(r"#define ((?:double|long|bool)_\w+|fused|root|bits|from_bits|float_bits|from_float_bits"
                          r"|integer|take)(\(.*)", source.header("opencl")))  # fmt: skip


UNUSED = {"bool_select", "double_of_bool", "long_abs", "long_not", "long_of_bool"}  # by kernels and their rounding


def used():
    """The operations of all kernels and their rounding, as the headers name them; to trace all takes a second."""
    found = set()
    for kernel in KERNELS:
        types = ["double"] * source.arguments(kernel)
        for form in ("half", "float") if kernel.rung == "quick" else ("double",):
            found |= set(re.findall(r"= (\w+)\(", source.rounded(kernel, form, types).text))
    return found & set(DEFINED)


pytestmark = pytest.mark.planted("operation", "fault", "sum")


@pytest.fixture(scope="module")
def context(opencl):
    """One for all: PoCL loads what programs are linked with for each context."""
    import pyopencl

    return pyopencl.Context([opencl])


@pytest.fixture(scope="module")
def refusal(opencl, context):
    """Why a device is refused on which the definitions of some operations are others; empty where it is not."""
    from clmath.engines.device.opencl import OpenCLMachine

    def call(changes=(), options=()):
        text = source.header("opencl")
        for operation, meaning in dict(changes).items():
            arguments = DEFINED[operation].split(")")[0] + ")"
            text = text.replace(f"#define {operation}{DEFINED[operation]}", f"#define {operation}{arguments} {meaning}")
        assert (text != source.header("opencl")) == bool(changes)
        try:
            calibrate(OpenCLMachine(opencl, options, text, context))
        except UnfitDeviceError as error:
            return str(error)
        return ""

    return call


CONDITIONS = ("_lt", "_le", "_gt", "_ge", "_eq", "_ne", "bool_and", "bool_or", "bool_xor", "bool_not")
INTEGERS = ("long_", "bits", "float_bits", "integer")


def slightly_wrong(operation):
    """The operation with the last bit of its result changed, or its condition turned around."""
    meaning = re.match(r"\([\w, ]*\) (.*?)(?: /\*.*)?$", DEFINED[operation])[1]
    if operation.endswith(CONDITIONS):
        return f"(!({meaning}))"
    changed = f"(({meaning}) ^ 1L)" if operation.startswith(INTEGERS) else ""
    return changed or f"as_double(as_long((double)({meaning})) ^ 1L)"


def test_the_device_is_right(refusal):
    assert not refusal()


def test_operations_that_kernels_use_are_those_that_are_checked():
    assert used() == set(DEFINED) - UNUSED


@pytest.mark.parametrize("operation", sorted(set(DEFINED) - UNUSED))
def test_no_operation_of_a_kernel_goes_unchecked(refusal, operation):
    assert "cannot run kernels: " in refusal({operation: slightly_wrong(operation)})


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


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_operation_is_refused_with_its_name(refusal, fault):
    operation, meaning, reason = WRONG[fault]
    assert re.search(reason, refusal({operation: meaning}))


FLUSHED = "(fabs({0}) < 0x1p-1022 ? 0.0 * ({0}) : ({0}))"


@pytest.mark.parametrize("operation, meaning", [("add", "((a) + (b))"), ("mul", "((a) * (b))"), ("div", "((a) / (b))")])
def test_a_device_that_flushes_results_is_refused(refusal, operation, meaning):
    assert "it flushes subnormal doubles: " in refusal({f"double_{operation}": FLUSHED.format(meaning)})


def test_a_device_that_flushes_operands_is_refused(refusal):
    meaning = f"({FLUSHED.format('(a)')} * {FLUSHED.format('(b)')})"
    assert "it flushes subnormal doubles: " in refusal({"double_mul": meaning})


@pytest.mark.parametrize("sum, sign", [("double_add", ""), ("double_sub", "-")])
def test_a_device_that_contracts_is_refused(opencl, context, sum, sign):
    """A compiler that joins a product and the sum it goes into, whatever the program says."""
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
