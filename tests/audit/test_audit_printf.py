"""printf: texts that the specification allows pass, faults fail, and the output of a real device is read."""

# ruff: noqa: ARG005 - every fault takes the arguments of the function

from __future__ import annotations

import ctypes
import json
import math
import os
from fractions import Fraction

import numpy as np
import pytest

import clmath
from clmath.audit.exact.printed_texts import is_right
from clmath.audit.opencl.printed_calls import captured, print_source, printed_lines, printed_texts
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.printed_rows import LITERAL, RETURNED, computed, formats_of
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import text_of
from clmath.audit.protocol.target import TargetError
from clmath.audit.records.reading import own_faults
from clmath.audit.records.record import verdict_of, written
from clmath.audit.targets.clmath_functions import Clmath
from clmath.audit.targets.function import Function
from clmath.numbers.datatypes import type_name
from clmath.spec.families import families
from tests.audit.faulty import MAY_BE_DEFAULT, Faulty, verdicts
from tests.cases import for_each

ROWS = {row.name: row for row in families().values() if row.chapter == "printf"}
TENTH = 0.1


RIGHT = [
    ("%f", TENTH, "0.100000"),
    ("%f", math.nan, "-nan"),
    ("%f", -math.nan, "nan(0x8000000000000)"),
    ("%8.1f", math.nan, "     nan"),
    ("%+f", math.nan, "+nan"),
    ("%e", -math.inf, "-infinity"),
    ("%010e", math.inf, "       inf"),
    ("%a", 1.5, "0x1.8p+0"),
    ("%a", 1.5, "0x3p-1"),
    ("%a", 1.5, "0xcp-3"),
    ("%a", 1.5, "0x1.80p+0"),
    ("%.1a", TENTH, "0x1.ap-4"),
    ("%.1a", TENTH, "0xc.dp-7"),
    ("%.0a", 1.75, "0x2p+0"),
    ("%.0a", 1.75, "0x1p+1"),
    ("%012.1a", 1.5, "0x00001.8p+0"),
    ("%A", -1.5, "-0X3P-1"),
    ("%a", 5e-324, "0x0.0000000000001p-1022"),
    ("%a", 5e-324, "0x1p-1074"),
    ("%.20e", TENTH, "1.00000000000000005551e-01"),
    ("%.20e", TENTH, "1.00000000000000010000e-01"),
    ("%v2lf", (1.0, math.nan), "1.000000,-nan"),
]
WRONG = [
    ("%f", TENTH, "0.100001"),
    ("%f", TENTH, "+0.100000"),
    ("%f", -0.0, "0.000000"),
    ("%.0f", 2.5, "3"),
    ("%8.1f", math.nan, "nan"),
    ("%f", math.nan, "inf"),
    ("%+f", math.nan, "nan"),
    ("%f", math.inf, "-inf"),
    ("%010e", math.inf, "0000000inf"),
    ("%a", 1.5, "0x0.cp+1"),
    ("%a", 1.5, "0x1.8p+1"),
    ("%a", 1.5, "0x1.8p0"),
    ("%a", 1.5, "0x3.p-1"),
    ("%#a", 1.5, "0x3p-1"),
    ("%a", 1.5, "0X1.8P+0"),
    ("%.1a", TENTH, "0x1.9p-4"),
    ("%.1a", TENTH, "0xc.cp-7"),
    ("%.1a", TENTH, "0x1.99p-4"),
    ("%a", 5e-324, "0x0p+0"),
    ("%a", TENTH, "0x1.99999ap-4"),
    ("%12.1a", 1.5, "0x00001.8p+0"),
    ("%.20e", TENTH, "1.00000000000000020000e-01"),
    ("%.20e", TENTH, "0.99999999999999990000e-01"),
    ("%.20e", TENTH, "1.000000000000000055e-01"),
    ("%v2lf", (1.0, 2.0), "1.000000, 2.000000"),
    ("%v2lf", (1.0, 2.0), "1.000000,2.000000,3.000000"),
    ("%d", np.int32(5), "05"),
]


def elements(value):
    return list(np.atleast_1d(value))


@for_each("texts, is_allowed", [(RIGHT, True), (WRONG, False)])
def test_texts_are_right_or_wrong(texts, is_allowed):
    assert [text for *call, text in texts if is_right(call[0], elements(call[1]), text, "rte") != is_allowed] == []


@for_each("mode", ["rtz", "rtp", "rtn"])
def test_directed_modes_round_at_the_last_digit(mode):
    for format, value in (("%.2a", TENTH), ("%.2a", -TENTH), ("%.3e", 2 / 3), ("%.3e", -2 / 3)):
        text = clmath.sprintf(format, value, rounding=mode)
        assert is_right(format, [value], text, mode)
        away = clmath.sprintf(
            format, value, rounding={"rtz": "rtp" if value > 0 else "rtn", "rtp": "rtn"}.get(mode, "rtp")
        )
        assert not is_right(format, [value], away, mode)


class Directed(Clmath):
    """A device whose mode is ``rounding``; printf rounds in this mode, too."""

    def __init__(self, rounding):
        self.rounding = rounding

    def mode(self, form):  # noqa: ARG002 - the protocol's signature
        return self.rounding

    def evaluate(self, row, form, args):
        return (computed(item_of(row, form), args, self.rounding),)


@for_each("rounding, type_, profile, passes", MAY_BE_DEFAULT)
def test_printf_passes_only_in_a_default_mode(rounding, type_, profile, passes):
    """Defaults are rte (4.1) and rtz (note 30, cl_khr_fp16); functions ignore a selected mode."""
    (verdict,) = verdicts(Directed(rounding), ["printf_e"], [type_], inputs=300, profile=profile)
    assert (verdict.tally.failed == 0) == passes


def changed(name, type, fault):
    """Return clmath with a fault: a text is ``fault(text, format, *args)``."""
    formats = formats_of(ROWS[name], type)

    def change(result, *args):
        calls = zip(result, args[-1], *args[:-1], strict=True)
        texts = [fault(text.decode("latin-1"), formats[k], *values) for text, k, *values in calls]
        return np.array([text.encode("latin-1") for text in texts], result.dtype)

    return Faulty(change)


def as_float(_, format, x):
    with np.errstate(all="ignore"):
        return clmath.sprintf(format, float(np.float32(x)))


FAULTS = {
    "doubles are converted to float": ("printf_e", "double", as_float),
    "the same in hexadecimal": ("printf_a", "double", as_float),
    "digits are cut": ("printf_g", "float", lambda t, f, x: clmath.sprintf(f, x, rounding="rtz")),
    "ties go up": ("printf_f", "half", lambda t, f, x: clmath.sprintf(f, x, rounding="rtp") if abs(x) == 0.5 else t),
    "-0 has no sign": ("printf_f", "float", lambda t, f, x: t.replace("-", "") if x == 0 and "-" not in f else t),
    "infinities are padded with zeros": ("printf_g", "double", lambda t, f, x: f"{t:0>9}" if np.isinf(x) else t),
    "an exponent has three digits": ("printf_e", "float", lambda t, f, x: t.replace("e+", "e+0")),
    "lanes are separated by spaces": ("printf_vector", "float", lambda t, f, *v: t.replace(",", " ")),
    "the second half of a vector is the first": (
        "printf_vector", "float", lambda t, f, *v: ",".join(2 * t.split(",")[:4]) if "v8" in f else t,
    ),
    "the last lane is not written": ("printf_vector_d", "long", lambda t, f, *v: t.rpartition(",")[0]),
    "char is printed as int": ("printf_u", "uchar", lambda t, f, x: clmath.sprintf("%d", int(x)) if f == "%hhx" else t),
    "x is X": ("printf_u", "ulong", lambda t, f, x: t.upper()),
    "0 has a prefix": ("printf_u", "ushort", lambda t, f, x: f"0x{t}" if x == 0 and f == "%#hx" else t),
    "a precision of 0 writes 0": ("printf_d", "int", lambda t, f, x: t or "0"),
    "+ and a space write both": ("printf_d", "short", lambda t, f, x: f" {t}" if "+ " in f else t),
    "strings are never cut": ("printf_s", "uint", lambda t, f: "clmath" if t.strip() == "clm" else t),
    "characters are signed": ("printf_c", "int", lambda t, f, x: t.encode("ascii", "ignore").decode()),
}  # fmt: skip


def tied(text, format, x):
    """Return the decimal farther from zero if two are equally near, else the text itself."""
    lower, upper = (clmath.sprintf(format, x, rounding=mode) for mode in ("rtz", "rtp" if x > 0 else "rtn"))
    is_halfway = 2 * Fraction(float(x)) == sum(map(Fraction, (lower, upper))) if np.isfinite(x) else False
    return upper if is_halfway else text


def tied_in(wanted):
    return lambda text, f, x: tied(text, f, x) if f == wanted else text


EVERYDAY_FAULTS = {
    "%.3g of 999.6": ("printf_g", "double", lambda t, f, x: "999.6" if (f, t) == ("%.3g", "1e+03") else t),
    "9.995 is cut": ("printf_f", "float", lambda t, f, x: "9.99" if abs(x) == np.float32(9.995) and "2f" in f else t),
    "1e6 in %g": ("printf_g", "float", lambda t, f, x: "1000000" if (f, x) == ("%g", 1e6) else t),
    "1e5 in %g": ("printf_g", "half", lambda t, f, x: "1e+05" if f == "%g" and x == 1e4 else t),
    "%d of 42": ("printf_d", "int", lambda t, f, x: "24" if t == "42" else t),
    "0 fills up to the width in spite of a precision": (
        "printf_d", "int", lambda t, f, x: f"{x:08d}" if f == "%08.3d" else t,
    ),
    "a space before nothing is left out": ("printf_d", "long", lambda t, f, x: "" if f == "% .0ld" and x == 0 else t),
    "%% is written twice": ("printf_several", "float", lambda t, f, *v: t.replace("%", "%%")),
    "the second of two numbers is the first": (
        "printf_several", "double", lambda t, f, x, i, n: t.replace(f"{i:5d}", f"{n & 0xFFFF:5d}") if "%5d" in f else t,
    ),
    "the number of characters is returned": (
        "printf_returned", "int", lambda t, f, x: f"{t[:-1]}{len(t) - 1}",
    ),
    **{
        f"ties go away from zero in {format}": (f"printf_{format[-1]}", type_, tied_in(format))
        for format, type_ in [
            ("%.0f", "half"), ("%.3f", "float"), ("%f", "float"), ("%.5f", "half"), ("%.9f", "double"),
            ("%.17f", "double"),
            ("%.0e", "float"), ("%.3e", "float"), ("%e", "double"), ("%.8e", "double"), ("%.16e", "double"),
            ("%.3g", "half"), ("%g", "float"), ("%.5g", "double"), ("%.9g", "double"), ("%.17g", "double"),
        ]
    },
}  # fmt: skip


@pytest.mark.slow
@for_each("fault", EVERYDAY_FAULTS)
def test_faults_at_everyday_numbers_fail_with_default_inputs(fault):
    """Inputs that do not depend on the seed are enough, so random inputs are left out."""
    name, type_, wrong = EVERYDAY_FAULTS[fault]
    assert verdict_on(changed(name, type_, wrong), name, type_, 0).tally.failed


def test_integers_are_printed_as_by_the_c_library():
    formats = [
        f
        for row in ("printf_d", "printf_u")
        for type_ in ("int", "uint", "long", "ulong")
        if ROWS[row].takes(type_)
        for f in formats_of(ROWS[row], type_)
    ]
    assert "%08.3d" in formats
    library, buffer = ctypes.CDLL(None), ctypes.create_string_buffer(64)
    for format in formats:
        for value in (0, 1, 7, 42, 999, 2**31 - 1):
            library.snprintf(buffer, 64, format.encode(), ctypes.c_long(value))
            assert clmath.sprintf(format, value) == buffer.value.decode(), (format, value)


def verdict_on(target, name, type_, count=500):
    (found,) = verdicts(target, [ROWS[name]], [type_], inputs=count)
    return found


@pytest.mark.slow
@for_each("fault", list(FAULTS))
def test_faults_fail(fault):
    name, type_, wrong = FAULTS[fault]
    verdict = verdict_on(changed(name, type_, wrong), name, type_, 100)
    assert verdict.tally.failed
    example = verdict.tally.failures[0]
    assert verdict.result_text(example, example.expected) == repr(text_of(example.expected).decode("latin-1"))
    assert verdict.arguments_text(example).endswith(f" {formats_of(ROWS[name], type_)[example.args[-1]]!r}")


def test_texts_are_kept_in_reports():
    name, type_, wrong = FAULTS["ties go up"]
    verdict = verdict_on(changed(name, type_, wrong), name, type_)
    again = verdict_of(json.loads(json.dumps(written(verdict))))
    assert again.tally.failures == verdict.tally.failures
    assert not list(own_faults(again))
    assert again.result_text(again.tally.failures[0], again.tally.failures[0].got).startswith("'")


def test_callable_returns_bytes():
    def written_by(name, x, numbers):
        formats = formats_of(ROWS[name], type_name(x.dtype))
        return np.array([clmath.sprintf(formats[k], v).encode() for v, k in zip(x, numbers, strict=True)])

    assert verdict_on(Function(written_by, "written_by"), "printf_u", "uint").status == "pass"


LEFT_OPEN = {
    "the sign of NaN": lambda t, f, x: t.replace("nan", "-nan") if np.isnan(x) and t == "nan" else t,
    "infinity": lambda t, f, x: t.replace("inf", "infinity") if not any(c.isdigit() for c in f) else t,
}


@for_each("choice", LEFT_OPEN)
@for_each("name", ["printf_f", "printf_a"])
def test_unspecified_texts_pass(name, choice):
    assert verdict_on(changed(name, "double", LEFT_OPEN[choice]), name, "double").status == "pass"


def test_clmath_defines_all_formats_and_passes():
    found = verdicts(Clmath(), list(ROWS.values()), ["half", "double", "uchar", "int"], inputs=20)
    assert {v.item.builtin.name for v in found} >= ROWS.keys() - {"printf_s"}
    assert {v.status for v in found} == {"pass"}


def test_garbled_start_of_a_line_is_kept_as_printed():
    """An NVIDIA H100 omits the text before the conversion specification of a vector."""
    assert printed_lines(b"{0|1|}\nbeside\n{1|2\n3|}\n", 2) == ({0: b"1", 1: b"2\n3"}, b"beside\n")
    assert printed_lines(b"{01,2|}\n{13,4|}\n", 2) == ({0: b"{01,2|}", 1: b"{13,4|}"}, b"")
    assert printed_lines(b"{01,2|}\n", 2) == ({}, b"{01,2|}\n")
    assert printed_lines(b"a warning\n", 1) == ({}, b"a warning\n")


def test_output_of_the_process_is_captured_and_restored(capfd):
    with captured() as output:
        os.write(1, b"inside\n")
    os.write(1, b"behind\n")
    assert bytes(output) == b"inside\n"
    assert capfd.readouterr().out == "behind\n"


def test_device_without_output_is_an_error(capfd):
    (item,) = Plan.of([ROWS["printf_u"]], ["uint"], inputs=20).items()
    with pytest.raises(TargetError, match="nothing that the kernel prints reaches the standard output"):
        printed_texts(
            item, lambda _: os.write(1, b"a warning\n"), (np.arange(3, dtype=np.uint32), np.zeros(3, np.uint32))
        )
    assert capfd.readouterr().out == "a warning\n"


@for_each("name, type", [("printf_several", "float"), ("printf_returned", "int")])
def test_kernels_print_several_arguments_and_the_value_of_printf(name, type):
    (item,) = Plan.of([ROWS[name]], [type], inputs=20).items()
    source, formats = print_source(item), formats_of(item.builtin, type)
    assert source.count("case ") == len(formats)
    assert source.count('printf("%d|}') == sum(RETURNED in format for format in formats)
    assert source.count(f'"{LITERAL}"') == sum("%s" in format for format in formats) > 0


@pytest.fixture(scope="module")
def device(opencl_device):
    from clmath.audit.opencl.devices import find

    return find(opencl_device.removeprefix("opencl:"))


@pytest.mark.slow
def test_real_device_prints_integers(device):
    from clmath.audit.opencl.opencl_target import OpenCL

    verdict = verdict_on(OpenCL(device), "printf_u", "uint", 600)
    assert (verdict.status, verdict.tally.failed) == ("pass", 0)
    assert verdict.tally.tried > 1500
