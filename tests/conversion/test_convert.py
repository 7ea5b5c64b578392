"""Conversions of every pair of types, in every mode, with and without saturation, compared with the reference."""

from __future__ import annotations

import ast
import itertools
import re

import numpy as np
import pytest

import clmath
from clmath import convert
from clmath.reference.bitwise.conversions import converted
from tests.cases import for_each
from tests.rounding_reference import MODES, assert_bits

DTYPES = {"bool": "?", "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4"}
DTYPES |= {"long": "i8", "ulong": "u8", "half": "f2", "float": "f4", "double": "f8"}
FLOATS = ("half", "float", "double")
RANDOM = 300


def edges_of_integers(dtype: np.dtype) -> np.ndarray:
    limits = np.iinfo(dtype)
    near = {2**k + d * 2**j for k in range(65) for j in range(0, k, 5) for d in (-1, 0, 1)}
    near |= {2**k + 2 ** max(k - p, 0) + d for k in range(65) for p in (11, 24, 53) for d in (-1, 0, 1)}
    near |= {65504 + d for d in range(40)} | {0, 1, 2, 3} | {limits.max - d for d in range(1100, -1, -100)}
    signed = near | {-n for n in near}
    return np.array(sorted(n for n in signed if limits.min <= n <= limits.max), dtype)


def edges_of_floats(dtype: np.dtype) -> np.ndarray:
    points = [0.0, 0.5, 1.0, 1.5, 2.5, 3.5, 0.49999997, 65504.0, 65520.0, 65536.0, 1e300, np.inf, np.nan]
    points += [
        2.0**k for k in (-1074, -150, -149, -148, -127, -126, -26, -25, -24, -23, -15, -14, -13, 10, 23, 24, 52, 53)
    ]
    points += [2.0**k + d for k in (7, 8, 15, 16, 31, 32, 63, 64) for d in (-1.5, -1.0, -0.75, -0.5, 0.0, 0.5)]
    points += [float(np.finfo(np.float32).max), 2.0**128 - 2.0**103, 2.0**128, float(np.finfo(np.float64).max)]
    points += [(2 * n + 1) * 2.0**-25 for n in range(4)] + [1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-24]
    with np.errstate(all="ignore"):
        centre = np.array(points).astype(dtype)
        around = np.concatenate([centre, np.nextafter(centre, dtype.type(np.inf)), np.nextafter(centre, dtype.type(0))])
    return np.concatenate([around, -around])


def inputs(dtype):
    """Return every value of types of up to 16 bits; special values, numbers of all sizes and random ones of others."""
    if dtype.kind == "b":
        return np.array([False, True])
    code, generator = np.dtype(f"u{dtype.itemsize}"), np.random.default_rng(20)
    if dtype.itemsize <= 2:
        return np.arange(2 ** (8 * dtype.itemsize)).astype(code).view(dtype)
    noise = generator.integers(0, 2 ** (8 * dtype.itemsize), RANDOM, code).view(dtype)
    if dtype.kind != "f":
        shifts = generator.integers(0, 8 * dtype.itemsize, RANDOM).astype(dtype)
        return np.concatenate([edges_of_integers(dtype), noise, noise >> shifts])
    middle = (generator.standard_normal(RANDOM) * 2.0 ** generator.integers(-30, 70, RANDOM)).astype(dtype)
    return np.concatenate([edges_of_floats(dtype), noise, middle])


@pytest.mark.usefixtures("compiled_agrees")
@pytest.mark.parametrize("target", DTYPES)
def test_every_conversion_equals_the_reference(target):
    to = np.dtype(DTYPES[target])
    for source, sat in itertools.product(DTYPES, (False, True) if to.kind in "iu" else (False,)):
        values = inputs(np.dtype(DTYPES[source]))
        for mode in MODES if source in FLOATS or target in FLOATS else ("rtn",):  # other conversions have no mode
            label = f"convert_{target}{'_sat' * sat}_{mode} of {source}"
            got = convert(values, target, sat=sat, rounding=mode)
            assert_bits(label, got, converted(values, to, mode, sat=sat), values)


def test_reference_rounds_like_numpy():
    doubles = np.random.default_rng(3).integers(0, 2**64, 1000, np.uint64).view(np.float64)
    with np.errstate(all="ignore"):
        for target in (np.dtype("f2"), np.dtype("f4")):
            assert_bits("NumPy", doubles.astype(target), converted(doubles, target, "rte", sat=False), doubles)


@pytest.mark.usefixtures("compiled_agrees")
@pytest.mark.parametrize("wide, target", [("f4", "half"), ("f8", "half"), ("f8", "float")])
def test_neighbours_of_numbers_and_of_midpoints_are_rounded_correctly(wide, target):
    """Arguments lie between neighbouring halves or floats, so that the expected results are known."""
    code, infinity, sign = (np.uint16, 0x7C00, 1 << 15) if target == "half" else (np.uint32, 0x7F800000, 1 << 31)
    some = np.random.default_rng(5).integers(0, infinity, 50000)
    below = np.arange(infinity) if target == "half" else np.append(some, [*range(64), *range(infinity - 64, infinity)])
    below, up = below.astype(code), (below + 1).astype(code)
    low, high = (bits.view(DTYPES[target]).astype(wide) for bits in (below, up))
    high[up == infinity] = 2.0 ** (16 if target == "half" else 128)
    middle = (low + high) / 2
    for values, nearest in (
        (low, below), (np.nextafter(low, high), below), (np.nextafter(middle, low), below),
        (middle, below + (below & 1)), (np.nextafter(middle, high), up), (np.nextafter(high, low), up),
    ):  # fmt: skip
        for mode, due in {"rte": nearest, "rtz": below, "rtp": up, "rtn": below}.items():
            wanted = below if values is low else due.astype(code)
            assert_bits(mode, convert(values, target, rounding=mode).view(code), wanted, values)
            turned = {"rtp": "rtn", "rtn": "rtp"}.get(mode, mode)
            assert_bits(turned, convert(-values, target, rounding=turned).view(code), wanted | code(sign), -values)


def test_default_modes_by_type():
    """Integers always use rtz, floating-point types the mode in force, and bool tests for zero."""
    with clmath.select_rounding_mode("rtp"):
        assert convert(np.float32(-1.5), "int") == -1
        assert convert(np.float32(1.5), "int") == 1
        assert float(convert(np.float64(0.1), "half")).hex() == "0x1.99c0000000000p-4"
        assert convert(np.int32(2**24 + 1), "float") == 2**24 + 2
        assert float(convert(np.float64(0.1), "half", rounding="rtz")).hex() == "0x1.9980000000000p-4"
    assert convert(np.int32(2**24 + 1), "float") == 2**24
    assert convert([0.0, -0.0, 1e-320, np.nan], "bool").tolist() == [False, False, True, True]
    assert convert([True, False], "float").tolist() == [1.0, 0.0]


def test_conversion_to_the_same_type_copies_the_bits():
    signalling = np.array([0x7FF0000000000001, 0x8000000000000000], np.uint64).view(np.float64)
    result = convert(signalling, "double", rounding="rtp")
    assert result.view(np.uint64).tolist() == signalling.view(np.uint64).tolist()
    assert not np.shares_memory(result, signalling)


INTO = [("double", "half", "rtp"), ("long", "float", "rtn"), ("float", "uchar", "rte"), ("int", "double", None)]
INTO += [("half", "half", None), ("double", "bool", None), ("uchar", "ulong", None)]


@for_each("source, target, mode", INTO)
def test_out_with_any_layout_gets_the_results_of_a_new_array(source, target, mode, layouts):
    """Calls are made with one thread and several, and with and without ``where``."""
    rng = np.random.default_rng(3)
    x = (abs(rng.normal(size=40000)) * 100.0).astype(DTYPES[source])
    want = convert(x, target, rounding=mode)
    square, small = x.reshape(200, 200), x[:600].reshape(20, 30)
    for layout in vars(layouts).values():
        assert_bits(layout.__name__, convert(layout(small), target, rounding=mode), want[:600].reshape(20, 30), small)
    for given, wanted in ((x, want), (square.T, want.reshape(200, 200).T), (x[::-2], want[::-2])):
        for threads in (1, 3):
            assert convert(given, target, rounding=mode, threads=threads).tobytes() == wanted.tobytes()
            out = np.full((*wanted.shape, 2), 77).astype(want.dtype)[..., 0]
            assert convert(given, target, rounding=mode, out=out, threads=threads) is out
            assert out.tobytes() == wanted.tobytes()
    some, kept = rng.random(x.size) < 0.3, np.full(x.size, 1, want.dtype)
    assert convert(x, target, rounding=mode, out=kept, where=some) is kept
    assert kept[some].tobytes() == want[some].tobytes()
    assert (kept[~some] == 1).all()
    assert not convert(x, target, rounding=mode, where=some)[~some].any()
    assert convert(x[:0].reshape(0, 4), f"{target}4").shape == (0, 4)
    assert convert(x[:1], target).shape == (1,)
    for number in (x[5], x[5:6].reshape(())):
        assert isinstance(convert(number, target), np.generic)


def test_vectors_need_their_width_on_the_last_axis():
    for components in (2, 3, 4, 8, 16):
        x = np.arange(5 * components, dtype=np.float32).reshape(5, components) + np.float32(0.5)
        np.testing.assert_array_equal(convert(x, ("int", components), rounding="rtp"), np.ceil(x).astype(np.int32))
        with pytest.raises(
            clmath.ShapeError, match=rf"the last axis of x has {components + 1} components; {components} are needed"
        ):
            convert(np.zeros((2, components + 1)), ("int", components))
        with pytest.raises(clmath.ShapeError, match="x is a scalar"):
            convert(1.0, ("int", components))


def test_where_selects_whole_vectors():
    x = np.arange(12.0).reshape(3, 4)
    out = np.full((3, 4), 9, np.uint8)
    convert(x, "uchar4", out=out, where=[True, False, True])
    np.testing.assert_array_equal(out, [[0, 1, 2, 3], [9, 9, 9, 9], [8, 9, 10, 11]])


def test_out_may_overlap_the_argument():
    x = np.arange(-500, 500, dtype=np.float32)
    both = np.zeros(1001, np.float32)
    both[1:] = x
    assert convert(both[1:], "float", out=both[:-1]).tobytes() == x.tobytes()
    halves = np.arange(3000, dtype=np.float32)
    want = convert(halves.copy(), "half")
    assert convert(halves, "half", out=halves.view(np.float16)[:3000]).tobytes() == want.tobytes()


def test_single_number_is_stored_in_out():
    out = np.empty((), np.float32)
    for x in (2**80, 2**63, -5, 0.1, np.float64(0.1), True):
        assert convert(x, "float", rounding="rtz", out=out) is out
        assert out[()] == convert(x, "float", rounding="rtz")
        assert convert(x, "float", where=False) == 0.0


ONES = np.ones(3)


@for_each(
    ("args", "options", "error", "message"),
    [
        ((ONES, "uchar"), {"out": np.empty(2, np.uint8)}, clmath.ShapeError, r"convert\(\): out has shape \(2,\)"),
        ((ONES, "uchar"), {"out": np.empty(3, np.int8)}, clmath.DTypeError, r"convert\(\): out has dtype int8"),
        ((ONES, "uchar"), {"out": [0, 0, 0]}, clmath.DTypeError, r"convert\(\): out is a list"),
        ((ONES, "uchar"), {"threads": 0}, clmath.RangeError, r"convert\(\): threads=0 is not a number of threads"),
        ((ONES, "uchar"), {"where": [1, 0, 1]}, clmath.DTypeError, r"convert\(\): where"),
        ((ONES, "uchar"), {"where": [True, False]}, clmath.ShapeError, r"convert\(\)"),
        ((ONES, ("uint", 8)), {}, clmath.ShapeError, "8 are needed: "),
        ((1.0, ("int", 5)), {}, clmath.UnknownNameError, "'int5' is not a known type"),
        ((1.0, "float"), {"sat": True}, clmath.DTypeError, "sat=True; only integer types saturate"),
        ((1.0, "bool"), {"sat": True}, clmath.DTypeError, "sat=True"),
        ((1.0, "int5"), {}, clmath.UnknownNameError, "int5"),
        ((1.0, int), {}, clmath.UnknownNameError, "type=int is a class of Python.*of type 'long'"),
        ((1.0, np.complex64), {}, clmath.UnknownNameError, "is not a known type"),
        ((1.0, []), {}, clmath.UnknownNameError, "is not a known type"),
        ((1.0, np.generic), {}, clmath.UnknownNameError, "is not a known type"),
        ((1.0, "int"), {"rounding": "nearest"}, clmath.RoundingError, "round to nearest even is 'rte'"),
        ((1.0, "float"), {"rounding": ""}, clmath.RoundingError, "rounding=''"),
        ((1j, "float"), {}, clmath.DTypeError, "x has dtype complex128"),
        (("1", "float"), {}, clmath.DTypeError, "dtype"),
    ],
)
def test_bad_arguments_are_refused(args, options, error, message):
    with pytest.raises(error, match=message):
        convert(*args, **options)


@for_each("dtype", [np.dtype(code) for code in "?bBhHiIqQefd"])
def test_numpy_dtypes_name_their_types(dtype):
    x = np.array([0, 1, 3], np.int32)
    names = [dtype, dtype.type, dtype.newbyteorder(">")]
    names += [dtype.str[1:], dtype.str, dtype.name][: 0 if dtype.kind == "b" else 3 if dtype.itemsize > 2 else 1]
    for name in names:
        assert convert(x, name).dtype == dtype
        assert convert(x, name).tolist() == x.astype(dtype).tolist()


@for_each("name", ["int8", "int16", "uint8", "uint16", "float16"])
def test_ambiguous_name_such_as_int8_is_refused_and_both_remedies_work(name):
    components = int(re.findall(r"\d+", name)[0])
    for call in (clmath.convert, clmath.as_type):
        with pytest.raises(clmath.UnknownNameError, match="is a scalar in NumPy and a vector of") as caught:
            call(np.ones(components, np.float32), name)
    scalar, vector = map(ast.literal_eval, re.search(r"say (.*) for the scalar, (.*) for", str(caught.value)).groups())
    assert convert(np.ones(components), scalar).dtype == np.dtype(name)
    assert convert(np.ones(components), vector).dtype == getattr(clmath, f"convert_{name}")(np.ones(components)).dtype
    assert clmath.vec_step(vector) == components


def test_numpy_scalar_types_name_their_types_in_other_functions():
    assert clmath.as_type(np.float32(1.0), np.uint32) == clmath.as_type(np.float32(1.0), "uint")
    assert clmath.read_unorm_int8(np.uint8(51), np.float16) == clmath.read_unorm_int8(np.uint8(51), "half")


def test_every_type_name_is_known():
    for name, components in itertools.product(DTYPES, ("", 2, 3, 4, 8, 16)):
        assert convert(np.zeros(components or 1), (name, components) if components else name).shape == (
            components or 1,
        )
