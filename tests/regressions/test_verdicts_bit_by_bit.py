"""Verdicts on single calls of built-ins that are compared bit by bit, where audits were once wrong."""
# ruff: noqa: E501 - one call per line

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from clmath.audit.exact.exact_criteria import ExactCriteria
from clmath.cli import main
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from tests.audit.single_calls import BITS as FULL
from tests.audit.single_calls import outcome
from tests.cases import for_each

FORMS = {"half": HALF, "float": FLOAT, "double": DOUBLE}
INF, NAN = np.inf, np.nan
TINY = 2.0**-149
LEAST = 2.0**-126  # the smallest normal float

EMBEDDED = ExactCriteria("embedded", "rte", flushes=False)
FINITE = ExactCriteria("full", "rte", flushes=False, also=("rtz",), infinities=False)
LATER = ExactCriteria("full", "rte", flushes=False, edition="opencl-c-3.1.1")


def bits(form, code):
    return FORMS[form].from_bits(np.array([code], FORMS[form].bits_dtype))[0]


QUIET = {form: bits(form, code) for form, code in (("half", 0x7E01), ("float", 0xFFC00005), ("double", 0x7FF8 << 48))}
LOUD = {form: bits(form, code) for form, code in (("half", 0x7C01), ("float", 0x7F800001), ("double", 0x7FF4 << 48))}


def flushing(*names, criteria=FULL):
    return ExactCriteria(criteria.profile, "rte", flushes=True, flushed=frozenset(names))


def modes(*also):
    return ExactCriteria("full", "rte", flushes=False, also=also)


def apart(code, ulps):
    """Return a float whose distance from code / 255 is between ``ulps`` - 1/2 and ``ulps``."""
    near = np.float32(code / 255)
    away = np.float32(INF if near < code / 255 else -INF)
    for _ in range(ulps):
        near = np.nextafter(near, away)
    return near


WRONG = {
    # 3.26.4, 4.3, 4.5.1: without a signaling NaN among the arguments no result is one
    "the macro NAN signals": ("NAN", "float", (), LOUD["float"]),
    "a quiet NaN converted to one that signals, double to float": ("convert_float", "double", (QUIET["double"],), LOUD["float"]),
    "float to half": ("convert_half_rtz", "float", (QUIET["float"],), LOUD["half"]),
    "half to double": ("convert_double_rtp", "half", (QUIET["half"],), LOUD["double"]),
    "a product of 0 and infinity signals": ("fp_contract_off_mul_add", "float", (0.0, INF, 1.0), LOUD["float"]),
    "infinity less infinity signals": ("fp_contract_on_mul_sub_mul", "double", (INF, 1.0, INF, 1.0), LOUD["double"]),
    "vload_half of a quiet NaN": ("vload_half", "half", ([QUIET["half"]],), LOUD["float"]),
    "vstore_half of a quiet NaN": ("vstore_half_rte", "float", ([QUIET["float"]],), LOUD["half"]),
    "vstorea_half of a quiet NaN": ("vstorea_half", "double", ([QUIET["double"]] * 2,), [LOUD["half"]] * 2),
    "a half channel reads a quiet NaN": ("read_half_float", "float", (QUIET["half"],), LOUD["float"]),
    "a half channel is written a quiet NaN": ("write_half_float", "float", (QUIET["float"],), LOUD["half"]),
    # built-ins that move bits keep them
    "as_float makes a NaN quiet": ("as_float", "int", (0x7F800001,), bits("float", 0x7FC00001)),
    "as_half loses the payload": ("as_half", "ushort", (0x7C01,), QUIET["half"]),
    "shuffle makes a NaN quiet": ("shuffle", "float", ([LOUD["float"], 1.0], [0, 1]), [bits("float", 0x7FC00001), 1.0]),
    "shuffle2 counts the second vector from 0": ("shuffle2", "int", ([1, 2], [3, 4], [2, 0]), [1, 1]),
    "shuffle looks at more bits of the mask": ("shuffle", "char", ([1, 2], [2, 3]), [0, 0]),
    # 5.3.1, 5.3.5: both ends of the range, and the sign of 0
    "unorm 0 is -0": ("read_unorm_int8", "float", (0,), -0.0),
    "snorm 0 is -0": ("read_snorm_int16", "half", (0,), -0.0),
    "unorm16 0 is -0": ("read_unorm_int16", "half", (0,), -0.0),
    "sRGB 0 is -0": ("read_srgb", "float", (0,), -0.0),
    "sRGB 0 is not 0": ("read_srgb", "float", (0,), 1e-4),
    "sRGB 255 is not 1": ("read_srgb", "float", (255,), 1 - 2.0**-24),
    "sRGB 255 of half is not 1": ("read_srgb", "half", (255,), 1 - 2.0**-11),
    "alpha as if it were sRGB": ("read_srgba", "float", ([0, 0, 0, 128],), [0.0, 0.0, 0.0, 0.2158605]),
    "blue as if it were alpha": ("read_srgba", "float", ([0, 0, 128, 0],), [0.0, 0.0, 128 / 255, 0.0]),
    "alpha written as if it were sRGB": ("write_srgba", "float", ([0.0, 0.0, 0.0, 0.5],), [0, 0, 0, 188]),
    "red written as if it were alpha": ("write_srgba", "float", ([0.5, 0.0, 0.0, 0.5],), [128, 0, 0, 128]),
    "a code 0.61 off": ("write_unorm_int8", "float", (77.389 / 255,), 78),
    "a code of 16 bits 0.61 off": ("write_unorm_int16", "float", (0.5000045,), 32767),
    # 5.3.2: half to half is lossless
    "a half channel written from half is flushed": ("write_half_float", "half", (2.0**-20,), 0.0),
    "a half channel read as half is flushed": ("read_half_float", "half", (2.0**-20,), 0.0, flushing("half")),
    "a half channel read as float is flushed": ("read_half_float", "float", (2.0**-20,), 0.0, flushing("half", "float")),
    # 4.2 lets only float be flushed; cl_khr_fp16: conversions from half are exact; Built-in Half Data Type: vload_half
    "convert_float(half) is flushed": ("convert_float", "half", (2.0**-20,), 0.0, flushing("half")),
    "convert_double(half) is flushed": ("convert_double_rte", "half", (2.0**-24,), 0.0, flushing("half", "float")),
    "convert_int_rtp(half) is flushed": ("convert_int_rtp", "half", (2.0**-24,), 0, flushing("half")),
    "vload_half is flushed": ("vload_half", "half", ([2.0**-20],), [0.0], flushing("half")),
    "vstore_half is flushed": ("vstore_half", "float", ([2.0**-20],), [0.0], flushing("half")),
    "a product beyond subnormal is flushed": ("fp_contract_off_mul_add", "float", (LEAST, 1.0, LEAST), LEAST, flushing("float")),
    "a product is flushed on a device that does not": ("fp_contract_off_mul_add", "float", (2.0**-70, 2.0**-60, LEAST), LEAST),
    "a flushing device contracts where that is off": ("fp_contract_off_mul_add", "float", (1 + 2.0**-23, 1 + 2.0**-23, -1 - 2.0**-22), 2.0**-46, flushing("float")),
    # 3.2.4: an infinity is out of range, so it is clamped
    "saturation of infinity": ("convert_int_sat", "float", (INF,), 0),
    "saturation of -infinity": ("convert_uchar_sat_rte", "double", (-INF,), 255),
    # neither 3.2.3 nor SELECT_ROUNDING_MODE allows these
    "a conversion in a mode of neither text": ("convert_float", "double", (1 + 2.0**-40,), 1 + 2.0**-23, modes("rtz")),
    "a store in a mode of neither text": ("vstore_half", "float", ([1 + 2.0**-20],), [1 + 2.0**-10], modes("rtz")),
    "a conversion that names its mode in another": ("convert_half_rte", "float", (1 + 3 * 2.0**-12,), 1.0, modes("rtz")),
    # 6.15.6 of OpenCL C 3.1.1: only the sign bit counts
    "any of a positive number by 3.1.1": ("any", "int", ([0, 7],), 1, LATER),
    "all of positive numbers by 3.1.1": ("all", "char", ([-1, 1],), 1, LATER),
    "any of zeros": ("any", "int", ([0, 0],), 1),
    "all of negative numbers": ("all", "long", ([-1, -(2**63)],), 0),
    "all of a zero among others": ("all", "short", ([1, 0, -1],), 1),
    # numbers of a half device without infinities are judged
    "isnan of a number": ("isnan", "half", (1.0,), 1, FINITE),
    "a conversion of a number to half": ("convert_half", "float", (1.0,), 2.0, FINITE),
    "the embedded profile reads more than 2 ulp off": ("read_unorm_int8", "float", (77,), apart(77, 3), EMBEDDED),
    "the full profile reads more than 1.5 ulp off": ("read_unorm_int8", "float", (77,), apart(77, 2)),
    "half in the embedded profile reads 2 ulp off": ("read_unorm_int8", "half", (77,), float(np.float16(77 / 255) + np.float16(2.0**-11)), EMBEDDED),
}  # fmt: skip

ALLOWED = {
    "a NaN with any payload and sign": ("NAN", "float", (), QUIET["float"], FULL, "right"),
    "a signaling NaN may come back as one": ("convert_float", "double", (LOUD["double"],), LOUD["float"], FULL, "right"),
    "a signaling NaN may be silenced": ("convert_float", "double", (LOUD["double"],), QUIET["float"], FULL, "right"),
    "vload_half of a signaling NaN": ("vload_half", "half", ([LOUD["half"]],), [LOUD["float"]], FULL, "right"),
    "one element signals": ("vstore_half", "float", ([LOUD["float"], 1.0],), [LOUD["half"], np.float16(1)], FULL, "right"),
    "a float channel may give any NaN (5.3.3)": ("read_float", "float", (QUIET["float"],), LOUD["float"], FULL, "right"),
    "as_float of a signaling NaN": ("as_float", "int", (0x7F800001,), LOUD["float"], FULL, "right"),
    "sRGB 1": ("read_srgb", "float", (1,), 1 / 255 / 12.92, FULL, "right"),
    "a code 0.59 off": ("write_unorm_int8", "float", (77.59 / 255,), 77, FULL, "right"),
    "an infinite alpha": ("write_srgba", "float", ([0.0, 0.0, 0.0, INF],), [0, 0, 0, 7], FULL, "right"),
    "a half channel written from float is flushed": ("write_half_float", "float", (2.0**-20,), -0.0, FULL, "right"),
    "NaN saturated to INT_MIN": ("convert_int_sat", "float", (NAN,), -(2**31), FULL, "unspecified"),
    "NaN saturated to 255": ("convert_uchar_sat_rtp", "double", (NAN,), 255, FULL, "unspecified"),
    "NaN of half saturated to 0": ("convert_long_sat", "half", (NAN,), 0, FULL, "unspecified"),
    "FP_FAST_FMAF is 2": ("FP_FAST_FMAF", "int", (), 2, FULL, "unspecified"),
    "FP_FAST_FMA is 0": ("FP_FAST_FMA", "int", (), 0, FULL, "unspecified"),
    "FP_FAST_FMA_HALF is not defined": ("FP_FAST_FMA_HALF", "int", (), -1, FULL, "unspecified"),
    "the product of an expression is flushed": ("fp_contract_off_mul_add", "float", (2.0**-70, 2.0**-60, LEAST), LEAST, flushing("float"), "right"),
    "and to a zero of the other sign": ("fp_contract_off_mul_add", "float", (2.0**-70, 2.0**-60, -0.0), -0.0, flushing("float"), "right"),
    "one of two products": ("fp_contract_off_mul_add_mul", "float", (2.0**-70, 2.0**-60, LEAST, 1.5), 1.5 * LEAST, flushing("float"), "right"),
    "the other one, contracted": ("fp_contract_on_mul_sub_mul", "float", (LEAST, 1.5, 2.0**-70, 2.0**-60), 1.5 * LEAST, flushing("float"), "right"),
    "a product of half alone": ("fp_contract_off_sub_mul", "half", (2.0**-10, 2.0**-10, 2.0**-20), 2.0**-20, flushing("half"), "right"),
    "a product of half": ("fp_contract_off_mul_add", "half", (2.0**-10, 2.0**-10, 2.0**-14), 2.0**-14, flushing("half"), "right"),
    "subnormal before it is rounded": ("convert_float", "double", (LEAST * (1 - 2.0**-30),), 0.0, flushing("float"), "right"),
    "a sum that is subnormal before it is rounded": ("fp_contract_on_mul_add", "float", (2.0**-127, 2 - 2.0**-23, 2.0**-150), 0.0, flushing("float"), "right"),
    "elements flushed each with its sign": ("vstore_half_rtp", "float", ([-TINY, TINY],), [-0.0, 0.0], flushing("float"), "right"),
    "convert_half is flushed": ("convert_half", "float", (2.0**-20,), 0.0, flushing("half"), "right"),
    "vload_half of an embedded device is flushed": ("vload_half", "half", ([2.0**-20],), [-0.0], EMBEDDED, "right"),
    "vstore_half of an embedded device is flushed": ("vstore_half_rtz", "double", ([2.0**-20],), [0.0], EMBEDDED, "right"),
    "the embedded profile reads within 2 ulp": ("read_unorm_int8", "float", (77,), apart(77, 2), EMBEDDED, "right"),
    "a conversion in the mode in force": ("convert_float", "double", (1 + 1.5 * 2.0**-23,), 1 + 2.0**-23, modes("rtz"), "unspecified"),
    "a conversion in rte": ("convert_float", "double", (1 + 1.5 * 2.0**-23,), 1 + 2.0**-22, modes("rtz"), "unspecified"),
    "a conversion on which the texts agree": ("convert_float", "double", (1.5,), 1.5, modes("rtz"), "right"),
    "a store in the mode in force": ("vstore_half", "float", ([1 + 1.5 * 2.0**-10],), [1 + 2.0**-10], modes("rtz"), "unspecified"),
    "any of a positive number as bool has it (3.21.3)": ("any", "int", ([0, 7],), 1, FULL, "unspecified"),
    "any of a positive number by its sign bit": ("any", "int", ([0, 7],), 0, FULL, "unspecified"),
    "all of positive numbers as bool has it": ("all", "char", ([-1, 1],), 1, FULL, "unspecified"),
    "all of positive numbers by their sign bits": ("all", "char", ([-1, 1],), 0, FULL, "unspecified"),
    "any on which the texts agree": ("any", "short", ([0, -7, 3],), 1, FULL, "right"),
    "all on which the texts agree": ("all", "long", ([0, 5],), 0, FULL, "right"),
    "any by the sign bit, of 3.1.1": ("any", "int", ([0, 7],), 0, LATER, "right"),
    "NaN saturated to 0, of 3.1.1": ("convert_int_sat", "float", (NAN,), 0, LATER, "right"),
    "a half device without infinities": ("convert_half", "float", (1e9,), 65504.0, FINITE, "unspecified"),
    "its comparisons of NaN": ("isnan", "half", (NAN,), 0, FINITE, "unspecified"),
    "its products that overflow": ("fp_contract_on_mul_add", "half", (300.0, 300.0, 1.0), 65504.0, FINITE, "unspecified"),
}  # fmt: skip


@for_each("case", WRONG)
def test_result_that_no_text_allows_fails(case):
    assert outcome(*WRONG[case]) == "wrong"


@for_each("case", ALLOWED)
def test_result_that_a_text_allows_passes_or_is_unspecified(case):
    *call, due = ALLOWED[case]
    assert outcome(*call) == due


@pytest.mark.parametrize("mode", ["rtp", "rtn", "rtz"])
def test_product_is_rounded_before_it_is_subtracted(mode):
    """The difference 2 - x * x is exact in two steps, and less if the product is rounded up."""
    x, criteria = 1 + 2.0**-23, ExactCriteria("full", mode, flushes=False)
    down, up = 1 + 2.0**-22, 1 + 3 * 2.0**-23
    right, wrong = (up, down) if mode == "rtp" else (down, up)
    for name, args in (("sub_mul", (x, x, 2.0)), ("mul_sub_mul", (2.0, 1.0, x, x))):
        assert outcome(f"fp_contract_off_{name}", "float", args, 2.0 - right, criteria) == "right"
        assert outcome(f"fp_contract_off_{name}", "float", args, 2.0 - wrong, criteria) == "wrong"


@pytest.mark.parametrize("edition, other", [("opencl-c++-1.0", "opencl-c-3.1.1"), ("opencl-c-3.1.1", "opencl-c++-1.0")])
def test_report_shows_verdicts_that_differ_under_another_edition(edition, other, tmp_path, monkeypatch, capsys):
    """A device whose any() tests all bits: unspecified in one edition, and wrong in the other."""
    (tmp_path / "bool_any.py").write_text(
        "import numpy as np\ndef f(name, t):\n    return np.asarray((t != 0).any(axis=-1), np.int32)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    call = ["audit", "bool_any:f", "--functions", "any", "--types", "int", "--inputs", "50", "--edition", edition]
    status = main([*call, "--jobs", "1", "--json", "found.json"])
    rows = json.loads(Path("found.json").read_text())["rows"]
    assert status == (0 if edition == "opencl-c++-1.0" else 1)
    assert "All verdicts are the same" not in capsys.readouterr().out
    sources = {"opencl-c++-1.0": "OpenCL C++ 1.0, 3.21.3", "opencl-c-3.1.1": "OpenCL C 3.1.1, 6.15.6"}
    assert {(row["source"], row["other editions"][other]["source"]) for row in rows} == {
        (sources[edition], sources[other])
    }
    assert {row["other editions"][other]["status"] for row in rows} == {"fail" if status == 0 else "pass"}
