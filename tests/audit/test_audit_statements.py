"""Requirements of editions outside of their accuracy tables: calls that pass in one edition and fail in another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clmath
from clmath.audit.counting.tally import Otherwise
from clmath.audit.judge.piece import judge
from clmath.audit.plan.item import Item
from clmath.audit.plan.rows import item_named
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin
from tests.audit.single_calls import BITS, FULL, outcome
from tests.cases import for_each

CPP, C, CTS = "opencl-c++-1.0", "opencl-c-3.1.1", "opencl-cts"
INF, NAN = np.inf, np.nan


def by_limits(name, args, result, edition):
    """Return the outcome of one call of a built-in of float that has a limit."""
    return outcome(name, "float", args, result, replace(FULL, edition=edition))


def by_bits(name, type, args, result, edition):
    """Return the outcome of one call of a built-in judged bit by bit."""
    return outcome(name, type, args, result, replace(BITS, edition=edition))


# ISO/IEC 9899:TC2, F.9, and OpenCL C 3.1.1, 7.5.1 and 6.15.2: call, due result, a wrong result
EDGES_OF_HALF_FUNCTIONS = [
    ("half_cos", (0.0,), 1.0, 1.0 + 2.0**-23),
    ("half_cos", (INF,), NAN, 0.5),
    ("half_cos", (NAN,), NAN, 1.0),
    ("half_exp", (-0.0,), 1.0, 1.0 - 2.0**-24),
    ("half_exp", (-INF,), 0.0, -0.0),
    ("half_exp2", (0.0,), 1.0, 1.0 + 2.0**-20),
    ("half_exp10", (INF,), INF, FLOAT.largest),
    ("half_log", (1.0,), 0.0, -0.0),
    ("half_log", (-1.0,), NAN, INF),
    ("half_log2", (-0.0,), -INF, -FLOAT.largest),
    ("half_log10", (1.0,), 0.0, 1e-40),
    ("half_powr", (1.0, 3.0), 1.0, 1.0 + 2.0**-12),
    ("half_powr", (-1.0, 2.0), NAN, 1.0),
    ("half_powr", (0.0, 0.0), NAN, 1.0),
    ("half_powr", (2.0, 0.0), 1.0, 1.0 - 2.0**-12),
    ("half_rsqrt", (NAN,), NAN, 1.0),
    ("half_sin", (-0.0,), -0.0, 0.0),
    ("half_sin", (-INF,), NAN, 0.0),
    ("half_sqrt", (-0.0,), -0.0, 0.0),
    ("half_sqrt", (-4.0,), NAN, 2.0),
    ("half_tan", (-0.0,), -0.0, 0.0),
    ("half_tan", (INF,), NAN, 0.0),
]


@pytest.mark.slow
@for_each(("name", "args", "due", "wrong"), EDGES_OF_HALF_FUNCTIONS)
def test_half_functions_have_the_special_values_of_the_full_ones(name, args, due, wrong):
    assert by_limits(name, args, due, C) == "right"
    assert by_limits(name, args, wrong, C) == "wrong"
    assert by_limits(name, args, due, CPP) != "wrong"


def test_half_functions_have_no_special_values_in_the_first_edition():
    for name, args, result in (("half_cos", (0.0,), 1.0 + 2.0**-23), ("half_sin", (-0.0,), 0.0)):
        assert by_limits(name, args, result, CPP) == "right"
    for name, args in (("half_powr", (-1.0, 2.0)), ("half_sin", (INF,)), ("half_tan", (-INF,))):
        assert by_limits(name, args, 0.25, CPP) == "unspecified"


def test_half_functions_beyond_their_range_stay_unspecified():
    for name in ("half_cos", "half_sin", "half_tan"):
        for edition in (CPP, C):
            assert by_limits(name, (70000.0,), 77.0, edition) == "unspecified"
            assert by_limits(name, (1.0,), 77.0, edition) == "wrong"


def test_exp10_of_zero_has_a_limit_and_no_special_value():
    """7.5.1 of 3.1.1 omits exp10(±0) = 1: numbers next to 1 are within its limit of 3 ulp, the fifth is not."""
    for x in (0.0, -0.0):
        assert by_limits("exp10", (x,), 1.0 + 2.0**-23, C) == "right"
        assert by_limits("exp10", (x,), 1.0 + 2.0**-23, CPP) == "wrong"
        assert by_limits("exp10", (x,), 1.0 + 5 * 2.0**-23, C) == "wrong"
    assert by_limits("exp", (0.0,), 1.0 + 2.0**-23, C) == "wrong"


NAN_TO_INTEGERS = [
    ("convert_int_sat", "float"),
    ("convert_uchar_sat_rtp", "double"),
    ("convert_long_sat_rte", "half"),
    ("convert_ushort_sat", "float"),
]


@for_each(("name", "type"), NAN_TO_INTEGERS)
def test_nan_in_a_conversion_that_saturates_is_zero(name, type):
    assert by_bits(name, type, (NAN,), 0, C) == "right"
    assert by_bits(name, type, (NAN,), 1, C) == "wrong"
    assert by_bits(name, type, (NAN,), 1, CPP) == "unspecified"
    assert by_bits(name.replace("_sat", ""), type, (NAN,), 1, C) == "unspecified"


# built-in, type, arguments, the due code, a wrong code
WRITES = [
    ("write_unorm_int8", "float", (INF,), 255, 254),
    ("write_unorm_int8", "half", (-INF,), 0, 255),
    ("write_unorm_int16", "float", (NAN,), 0, 65535),
    ("write_snorm_int8", "float", (-INF,), -128, -127),
    ("write_snorm_int16", "half", (NAN,), 0, -32768),
    ("write_srgba", "float", ([0.0, 0.0, 0.0, INF],), [0, 0, 0, 255], [0, 0, 0, 0]),
    ("write_srgba", "float", ([0.0, 0.0, 0.0, NAN],), [0, 0, 0, 0], [0, 0, 0, 1]),
    ("write_unorm_int_101010", "float", ([INF, NAN, -INF],), 1023 << 20, 1023 << 20 | 1),
]


@for_each(("name", "type", "args", "due", "wrong"), WRITES)
def test_writes_of_infinities_and_nan_saturate(name, type, args, due, wrong):
    assert by_bits(name, type, args, due, C) == "right"
    assert by_bits(name, type, args, wrong, C) == "wrong"
    assert by_bits(name, type, args, wrong, CPP) != "wrong"


def test_writes_of_numbers_do_not_depend_on_the_edition():
    for edition in (CPP, C):
        assert by_bits("write_unorm_int8", "float", (0.5,), 128, edition) == "right"
        assert by_bits("write_unorm_int8", "float", (0.5,), 130, edition) == "wrong"


# unspecified in the text; the result that OpenCL-CTS expects, and a wrong one
BY_CTS_ALONE = [
    ("convert_uint", "float", (-0.5,), 0, 1),
    ("convert_uint", "float", (-1 + 2.0**-24,), 0, 2**32 - 1),
    ("convert_uchar", "float", (255.996,), 255, 0),
    ("convert_uchar_rte", "float", (-0.5,), 0, 255),
    ("convert_uchar_rte", "double", (255.49,), 255, 254),
    ("convert_uchar_rtp", "half", (-0.9,), 0, 1),
    ("convert_char", "double", (-128.9,), -128, 127),
    ("convert_char_rtn", "float", (127.5,), 127, -128),
    ("convert_int", "double", (2147483647.5,), 2147483647, -(2**31)),
    ("convert_ulong", "half", (-0.25,), 0, 1),
    ("convert_char", "int", (300,), 44, 127),
    ("convert_int", "long", (2**40 + 5,), 5, 2**31 - 1),
    ("convert_short", "ushort", (40000,), 40000 - 2**16, 32767),
    ("add", "int", (2**31 - 1, 1), -(2**31), 2**31 - 1),
    ("sub", "long", (-(2**63), 1), 2**63 - 1, -(2**63)),
    ("mul", "int", (2**16, 2**15), -(2**31), 0),
    ("mad_hi", "int", (2**30, 4, 2**31 - 1), -(2**31), 2**31 - 1),
    ("mad24", "int", (2**22, 2**9, -1), 2**31 - 1, 0),
]


@for_each(("name", "type", "args", "due", "wrong"), BY_CTS_ALONE)
def test_results_that_only_the_conformance_tests_specify(name, type, args, due, wrong):
    assert by_bits(name, type, args, due, CTS) == "right"
    assert by_bits(name, type, args, wrong, CTS) == "wrong"
    for edition in (CPP, C):
        assert by_bits(name, type, args, due, edition) == by_bits(name, type, args, wrong, edition) == "unspecified"


# calls that the conformance tests skip or accept with any result
BY_NOBODY = [
    ("convert_uint", "float", (-1.0,)),
    ("convert_uint", "float", (2.0**32,)),
    ("convert_uchar_rtp", "float", (255.1,)),
    ("convert_uchar_rtn", "half", (-0.1,)),
    ("convert_char_rte", "float", (127.5,)),
    ("convert_int", "float", (INF,)),
    ("convert_int", "float", (NAN,)),
    ("convert_int_sat", "float", (NAN,)),
    ("div", "int", (1, 0)),
    ("div", "int", (-(2**31), -1)),
    ("negative", "int", (-(2**31),)),
    ("mad24", "int", (2**23, 1, 0)),
    ("mul24", "uint", (2**24, 1)),
]


@for_each(("name", "type", "args"), BY_NOBODY)
def test_results_that_the_conformance_tests_do_not_judge(name, type, args):
    assert by_bits(name, type, args, 77, CTS) == "unspecified"


def test_conformance_tests_judge_more_conversions_to_uint():
    """Half of 4096 floats of every size are negative; only these tests judge the numbers between -1 and 0."""
    x = np.geomspace(2.0**-40, 2.0**40, 2048, dtype=np.float32)
    x = np.concatenate([x, -x])
    results = np.where((x > 0) & (x < 2.0**32), np.trunc(x), 0).astype(np.uint32)
    item = item_named("convert_uint", "float")
    found = {e: judge(item, (x,), (results,), replace(BITS, edition=e)) for e in (C, CTS)}
    beyond, into = int((x >= 2.0**32).sum() + (x <= -1).sum()), int(((x < 0) & (x > -1)).sum())
    assert (found[C].unjudged, found[CTS].unjudged) == (beyond + into, beyond)
    assert found[C].failed == found[CTS].failed == 0
    assert found[C].others == (Otherwise(CTS, beyond, 0),)


def test_limits_and_special_values_of_the_conformance_tests_equal_the_texts():
    for name, args, right, wrong in (("half_sin", (-0.0,), -0.0, 0.0), ("exp", (1.0,), np.float32(np.e), 3.0)):
        assert (by_limits(name, args, right, CTS), by_limits(name, args, wrong, CTS)) == ("right", "wrong")


BEYOND = np.float32(1.0 + 2.0**-11)  # the greatest sine of a large angle
HALF_ANGLES = [
    ("half_sin", 65537.0, BEYOND, np.nextafter(BEYOND, np.float32(INF))),
    ("half_sin", -65537.0, -BEYOND, -np.nextafter(BEYOND, np.float32(INF))),
    ("half_cos", 1e38, -1.0, INF),
    ("half_cos", -1e38, -0.0, np.nan),
    ("half_tan", 65537.0, -INF, np.nan),
    ("half_tan", -1e38, 1e38, np.nan),
]


@for_each(("name", "x", "right", "wrong"), HALF_ANGLES)
def test_conformance_tests_judge_large_angles(name, x, right, wrong):
    """OpenCL-CTS, unary_float.cpp: half_sin_cos_tan_limit is 1 + 8192 ulp below 1, and infinite for a tangent."""
    assert (by_limits(name, (x,), right, CTS), by_limits(name, (x,), wrong, CTS)) == ("right", "wrong")
    assert by_limits(name, (x,), wrong, C) == "unspecified"


# built-ins with different requirements in the two editions, and built-ins with the same
DIFFERING = [
    ("convert_int_sat", "float"),
    ("convert_uchar_sat_rtp", "half"),
    ("write_unorm_int8", "float"),
    ("any", "int"),
]
ALIKE = [("convert_int", "float"), ("convert_int_sat", "long"), ("convert_float", "double"), ("isequal", "float")]
ALIKE += [("write_half_float", "float"), ("read_unorm_int8", "float"), ("add_sat", "int"), ("mad_hi", "int")]


@for_each(("name", "type"), [*DIFFERING, *ALIKE])
def test_differing_built_ins_are_found_by_comparing_requirements(name, type):
    item = item_named(name, type, 2 if name == "any" else 0)
    for edition, other in ((CPP, C), (C, CPP)):
        found = [criteria.edition for criteria in replace(BITS, edition=edition).others(item)]
        assert (other in found) == ((name, type) in DIFFERING)


def test_saturating_conversions_are_counted_for_the_other_edition():
    item = item_named("convert_short_sat", "float", 0)
    x = np.float32([NAN, 1.5, -NAN, 1e9])
    tally = judge(item, (x,), (np.int16([0, 1, 7, 32767]),), BITS)
    assert (tally.unjudged, tally.failed) == (2, 0)
    assert Otherwise(C, 0, 1) in tally.others


@pytest.mark.parametrize("name", ["half_cos", "half_log", "half_sqrt", "half_exp10", "exp10"])
def test_counts_with_special_values_of_only_one_edition(name):
    """The compiled loop, enclosures and the reference count the same as an audit by either edition."""
    rng = np.random.default_rng(50)
    special = np.float32([0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, 2.0, 100.0, -100.0, 1e-40, 65536.0, 1e5])
    x = np.concatenate(
        [special, rng.uniform(-50, 50, 400).astype(np.float32), rng.uniform(0, 2, 400).astype(np.float32)]
    )
    right = np.asarray(getattr(clmath, name)(x))
    off = np.resize(np.uint32([0, 0, 1, 0, 3, 0, 9000, 0, 0]), x.shape)
    off[: len(special)] = 1
    with np.errstate(all="ignore"):
        results = np.where(np.isfinite(right), FLOAT.from_bits(FLOAT.bits(right) + off), right)
    item = Item(builtin(name), FLOAT, 0)

    def counts(edition, oracle):
        return judge(item, (x,), (results,), replace(FULL, oracle=oracle, edition=edition))

    found = {edition: counts(edition, "auto") for edition in (CPP, C)}
    for edition, other in ((CPP, C), (C, CPP)):
        alone = counts(edition, "mpfr")
        assert (found[edition].failed, found[edition].unjudged) == (alone.failed, alone.unjudged)
        assert Otherwise(other, found[other].unjudged, found[other].failed) in found[edition].others
    assert found[CPP].failed != found[C].failed
