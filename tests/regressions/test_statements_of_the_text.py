"""Single statements of OpenCL C++ 1.0, each by a call: section, what is called, and what the sentence says of it."""

import re

import numpy as np
import pytest

import clmath
from clmath import Image, Sampler
from tests.cases import for_each

F, I, U = np.float32, np.int32, np.uint32
CLAMP, REPEAT = Sampler("clamp"), Sampler("repeat", normalized=True)
MIRROR = Sampler("mirrored_repeat", normalized=True)
TEXELS = np.array([[10, 20, 30, 40]], np.uint8)


def red(data, order="r", type="unsigned_int8"):
    return Image(np.asarray(data)[..., np.newaxis], type, order)


def border(order, type="unorm_int8"):
    stored = {"r": 1, "rx": 1, "a": 1, "rg": 2, "rgx": 2, "ra": 2, "rgb": 3, "rgbx": 3}.get(order, 4)
    stored = 1 if order in ("luminance", "intensity") else stored
    return Image(np.full((2, 2, stored), 255, np.uint8), type, order).read(CLAMP, F([-5, 0])).tolist()


def column(image, sampler, *places):
    return [int(image.read(sampler, F([place, 0.5]))[0]) for place in places]


IMAGES = {
    "5.2.1 the texel of floor(u)": lambda: (column(red(TEXELS), CLAMP, 0.99, 1.0), [10, 20]),
    "5.2.1 beyond the edge clamp reads the border": lambda: (column(red(TEXELS), CLAMP, -0.01, 4.0), [0, 0]),
    "5.2.1 clamp_to_edge reads the edge": lambda: (column(red(TEXELS), Sampler("clamp_to_edge"), -9, 99), [10, 40]),
    "5.2.4 repeat: s - floor(s)": lambda: (column(red(TEXELS), REPEAT, -0.125, 1.25, 2.5), [40, 20, 30]),
    "5.2.5 mirrored: fabs(s - 2 rint(s / 2))": lambda: (column(red(TEXELS), MIRROR, -0.125, 1.25, 0.9), [10, 40, 40]),
    "5.2.2 linear: a quarter of the next one": lambda: (
        float(red(F([[0, 1]]), "r", "float").read(Sampler("clamp_to_edge", "linear"), F([0.75, 0.5]))[0]),
        0.25,
    ),
    "5.2.2 linear: the border has a weight, too": lambda: (
        float(red(F([[1, 1]]), "r", "float").read(Sampler("clamp", "linear"), F([0, 0.5]))[0]),
        0.5,
    ),
    "3.11.11 the border of r": lambda: (border("r"), [0, 0, 0, 1]),
    "3.11.11 the border of rg": lambda: (border("rg"), [0, 0, 0, 1]),
    "3.11.11 the border of rgb": lambda: (border("rgb"), [0, 0, 0, 1]),
    "3.11.11 the border of luminance": lambda: (border("luminance"), [0, 0, 0, 1]),
    "3.11.11 the border of a": lambda: (border("a"), [0, 0, 0, 0]),
    "3.11.11 the border of ra": lambda: (border("ra"), [0, 0, 0, 0]),
    "3.11.11 the border of rx": lambda: (border("rx"), [0, 0, 0, 0]),
    "3.11.11 the border of intensity": lambda: (border("intensity"), [0, 0, 0, 0]),
    "3.11.11 the border of argb": lambda: (border("argb"), [0, 0, 0, 0]),
    "3.11.11 r is (r, 0, 0, 1)": lambda: (red(TEXELS).read(CLAMP, F([0, 0])).tolist(), [10, 0, 0, 1]),
    "3.11.11 a is (0, 0, 0, a)": lambda: (red(TEXELS, "a").read(CLAMP, F([0, 0])).tolist(), [0, 0, 0, 10]),
    "3.11.11 luminance is (l, l, l, 1)": lambda: (
        red(TEXELS, "luminance", "unorm_int8").read(CLAMP, F([0, 0])).tolist(),
        [F(10 / 255)] * 3 + [1],
    ),
    "3.11.11 intensity is (i, i, i, i)": lambda: (
        red(TEXELS, "intensity", "unorm_int8").read(CLAMP, F([0, 0])).tolist(),
        [F(10 / 255)] * 4,
    ),
    "3.11.12 alpha of srgba is linear": lambda: (
        Image(np.uint8([[[255, 0, 0, 51]]]), "unorm_int8", "srgba").read(CLAMP, F([0, 0])).tolist(),
        [1, 0, 0, F(0.2)],
    ),
    "5.3.1 -128 is -1": lambda: (clmath.read_snorm_int8(np.int8(-128)), -1),
    "5.3.1 0.5 is the even one of 127 and 128": lambda: (clmath.write_unorm_int8(F(0.5)), 128),
    "5.3.4 what is written saturates": lambda: (clmath.write_signed_int8(I(300)), 127),
    "5.3.5 NaN is 0": lambda: (clmath.write_srgb(F(np.nan)), 0),
    "5.4 the layer is clamp(rint(w), 0, layers - 1)": lambda: (
        [
            int(Image(np.uint8([[[7]], [[8]], [[9]]]), "unsigned_int8", "r", array=True).read(CLAMP, F([0, w]))[0])
            for w in (-3, 0.5, 1.5, 2.5, 9)
        ],
        [7, 7, 9, 9, 9],
    ),
}

OPERATORS = {
    "2.4 integers wrap": lambda: (clmath.add(I(2**31 - 1), I(1)), -(2**31)),
    "2.4 chars are promoted to int": lambda: (clmath.add(np.int8(127), np.int8(1)), 128),
    "2.4 a quotient is cut": lambda: (clmath.div(I(-7), I(2)), -3),
    "2.4 the rest has the sign of the dividend": lambda: (clmath.rem(I(-7), I(2)), -1),
    "2.4 a shift counts modulo the width": lambda: (clmath.left_shift(I(1), I(33)), 2),
    "2.4 a negative number keeps its sign in a shift": lambda: (clmath.right_shift(I(-8), I(1)), -4),
    "2.4 an unsigned one is filled with 0": lambda: (clmath.right_shift(U(2**31), U(31)), 1),
    "2.4 complement": lambda: (clmath.bitwise_not(I(0)), -1),
    "2.4 a comparison of scalars is 1": lambda: (int(clmath.less(I(1), I(2))), 1),
    "2.4 of vectors -1": lambda: (clmath.less(I([1, 3]), I([2, 2]), vector=True).tolist(), [-1, 0]),
    "2.4 NaN equals nothing": lambda: (int(clmath.equal(F(np.nan), F(np.nan))), 0),
    "2.4 and differs from all": lambda: (clmath.not_equal(F([np.nan]), F([1]), vector=True).tolist(), [-1]),
    "2.4 not": lambda: (int(clmath.logical_not(F(0.0))), 1),
    "2.4 and of vectors": lambda: (clmath.logical_and(I([5, 0]), I([2, 2]), vector=True).tolist(), [-1, 0]),
    "2.4 minus of an unsigned number": lambda: (clmath.negative(U(1)), 2**32 - 1),
}

GROUPS = {
    "3.15.4 the identity of an exclusive sum is 0": lambda: (
        clmath.work_group_scan_exclusive(I([3, 1, 7, 0, 4, 1, 6, 3]), "add").tolist(),
        [0, 3, 4, 11, 11, 15, 16, 22],
    ),
    "3.15.4 an inclusive sum": lambda: (
        clmath.work_group_scan_inclusive(I([3, 1, 7, 0, 4, 1, 6, 3]), "add").tolist(),
        [3, 4, 11, 11, 15, 16, 22, 25],
    ),
    "3.15.4 a sum of all": lambda: (clmath.work_group_reduce(I([3, 1, 7, 0, 4, 1, 6, 3]), "add"), 25),
    "3.15.4 the identity of min is INT_MAX": lambda: (
        clmath.work_group_scan_exclusive(I([3, 1]), "min").tolist(),
        [2**31 - 1, 3],
    ),
    "3.15.4 the identity of max of floats is -inf": lambda: (
        clmath.work_group_scan_exclusive(F([3, 1]), "max").tolist(),
        [-np.inf, 3],
    ),
    "3.15.4 that of max of uint is 0": lambda: (clmath.sub_group_scan_exclusive(U([3]), "max").tolist(), [0]),
}

LOADS = {
    "3.22.2 vload3 from offset * 3": lambda: (clmath.vload3(1, np.arange(9, dtype=F)).tolist(), [3, 4, 5]),
    "3.22.2 vload_half3 from offset * 3": lambda: (clmath.vload_half3(1, np.arange(9, dtype="f2")).tolist(), [3, 4, 5]),
    "3.22.2 vloada_half3 from offset * 4": lambda: (
        clmath.vloada_half3(1, np.arange(9, dtype="f2")).tolist(),
        [4, 5, 6],
    ),
    "3.24 three lanes are copied as four": lambda: (copied(3), [0, 1, 2, 3, 9]),
}


def copied(width):
    dst = np.full(5, 9, F)
    clmath.async_work_group_copy(dst, np.arange(8, dtype=F), 1, width=width)
    return dst.tolist()


PRINTS = [
    ("%f", F(-0.0), "-0.000000"),
    ("%.0f", 2.5, "2"),
    ("%#.0f", 2.5, "2."),
    ("%e", 0.0, "0.000000e+00"),
    ("%E", 1e100, "1.000000E+100"),
    ("%g", 1e-5, "1e-05"),
    ("%g", 0.0001, "0.0001"),
    ("%#g", 1.0, "1.00000"),
    ("%g", 1e6, "1e+06"),
    ("%f", np.inf, "inf"),
    ("%F", -np.inf, "-INF"),
    ("%05f", np.inf, "  inf"),
    ("%+d", I(3), "+3"),
    ("% d", I(3), " 3"),
    ("%+ d", I(3), "+3"),
    ("%05d", I(-3), "-0003"),
    ("%-5d|", I(3), "3    |"),
    ("%-05d|", I(3), "3    |"),
    ("%05.1d", I(3), "    3"),
    ("%.0d", I(0), ""),
    ("%#x", U(255), "0xff"),
    ("%#x", U(0), "0"),
    ("%#o", U(8), "010"),
    ("%#.0o", U(0), "0"),
    ("%hhd", np.int8(-1), "-1"),
    ("%ld", np.int64(2**62), str(2**62)),
    ("%c", I(65), "A"),
    ("%.2s", "abc", "ab"),
    ("%%", None, "%"),
    ("%v4hld", I([1, -2, 3, 4]), "1,-2,3,4"),
    ("%2.2v2hlf", F([1, 2]), "1.00,2.00"),
    ("%v4hhx", np.uint8([1, 255, 16, 0]), "1,ff,10,0"),
    ("%#v2hlx", U([1, 0]), "0x1,0"),
]

REFUSED = ["%n", "%v4d", "%lld", "%lc", "%ls", "%hf", "%v5hld", "%d %d", "%hld", "%zd", "%Lf", "%y"]
LIMITS = {
    ("float", "digits"): 24, ("float", "max_exponent"): 128, ("float", "min_exponent"): -125, ("double", "digits"): 53,
    ("double", "digits10"): 15, ("half", "digits"): 11, ("half", "max_exponent10"): 4, ("half", "min_exponent10"): -4,
    ("int", "digits"): 31, ("uchar", "max"): 255, ("char", "min"): -128, ("ulong", "digits"): 64,
    ("uint", "is_modulo"): True, ("float", "radix"): 2, ("half", "epsilon"): 2.0**-10, ("int", "is_exact"): True,
}  # fmt: skip


@for_each("statement", [*IMAGES, *OPERATORS, *GROUPS, *LOADS])
def test_what_a_sentence_says(statement):
    got, due = {**IMAGES, **OPERATORS, **GROUPS, **LOADS}[statement]()
    assert got == due


@for_each(("form", "value", "due"), PRINTS)
def test_what_printf_writes(form, value, due):
    assert clmath.sprintf(form, *([] if value is None else [value])) == due


@for_each("form", REFUSED)
def test_what_printf_leaves_undefined_is_refused(form):
    with pytest.raises(clmath.ClmathError, match=re.escape("sprintf()")):
        clmath.sprintf(form, I(1))


@for_each(("type", "member"), LIMITS)
def test_what_a_limit_is(type, member):
    assert getattr(clmath.numeric_limits(type), member) == LIMITS[type, member]
