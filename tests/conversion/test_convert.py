"""Every pair of types, mode and saturation, against Python integers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import clmath
from clmath import convert
from tests.cases import for_each

NAMES = (
    "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double",
)  # fmt: skip
FLOATS = ("half", "float", "double")
MODES = ("rte", "rtz", "rtp", "rtn")
RANDOM = 1000


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


@pytest.fixture(scope="module")
def inputs(oracle):
    generator = np.random.default_rng(20)

    def of(name):
        dtype = oracle.dtype(name)
        if name == "bool":
            return np.array([False, True])
        if dtype.itemsize <= 2:
            return np.arange(2 ** (8 * dtype.itemsize)).astype(f"u{dtype.itemsize}").view(dtype)
        noise = generator.integers(0, 2 ** (8 * dtype.itemsize), RANDOM, f"u{dtype.itemsize}").view(dtype)
        if dtype.kind != "f":  # also small numbers
            shifts = generator.integers(0, 8 * dtype.itemsize, RANDOM).astype(dtype)
            return np.concatenate([edges_of_integers(dtype), noise, noise >> shifts])
        middle = (generator.standard_normal(RANDOM) * 2.0 ** generator.integers(-30, 70, RANDOM)).astype(dtype)
        return np.concatenate([edges_of_floats(dtype), noise, middle])

    return {name: of(name) for name in NAMES}


@pytest.mark.usefixtures("compiled_agrees")
@for_each("source", NAMES)
@for_each("target", NAMES)
def test_every_pair_in_every_mode(source, target, oracle, inputs):
    values = inputs[source]
    exhaustive = values.size == 65536
    for mode in MODES:
        if exhaustive and source != "half" and target not in FLOATS and mode != "rte":
            continue  # integers to integers know no mode: shown on the other types
        expected = oracle.convert(values, source, target, mode, sat=False)
        label = f"convert_{target}_{mode} of {source}"
        oracle.assert_same(convert(values, target, rounding=mode), expected, target, label, values)


@pytest.mark.usefixtures("compiled_agrees")
@for_each("source", NAMES)
@for_each("target", [n for n in NAMES if n != "bool" and n not in FLOATS])
def test_every_pair_saturated(source, target, oracle, inputs):
    values = inputs[source]
    modes = MODES if source in FLOATS else ("rtn",)
    for mode in modes:
        expected = oracle.convert(values, source, target, mode, sat=True)
        label = f"convert_{target}_sat_{mode} of {source}"
        oracle.assert_same(convert(values, target, sat=True, rounding=mode), expected, target, label, values)


def test_the_oracle_knows_what_is_known(oracle):
    """NumPy's own casts, where they round once."""
    generator = np.random.default_rng(3)
    doubles = generator.integers(0, 2**64, 2000, np.uint64).view(np.float64)
    with np.errstate(all="ignore"):
        for target in ("half", "float"):
            expected = oracle.convert(doubles, "double", target, "rte", sat=False)
            oracle.assert_same(doubles.astype(oracle.dtype(target)), expected, target, "NumPy", doubles)


@pytest.mark.usefixtures("compiled_agrees")
@for_each("wide", [np.float32, np.float64])
@for_each("mode", MODES)
def test_half_on_every_boundary(wide, mode):
    """Every half, every midpoint of two halves, and the numbers on either side; the expectation by construction."""
    below = np.arange(0x7C00, dtype=np.uint16)  # the largest finite's successor is the infinity
    low = below.view(np.float16).astype(wide)
    high = np.append(low[1:], wide(65536.0))
    middle = (low + high) / 2
    even = below + (below & 1)
    after_low, before_middle = np.nextafter(low, high), np.nextafter(middle, low)
    after_middle, before_high = np.nextafter(middle, high), np.nextafter(high, low)
    for values, nearest in (
        (after_low, below), (before_middle, below), (middle, even), (after_middle, below + 1), (before_high, below + 1),
    ):  # fmt: skip
        up = below + 1
        positive = {"rte": nearest, "rtz": below, "rtp": up, "rtn": below}[mode]
        negative = {"rte": nearest, "rtz": below, "rtp": below, "rtn": up}[mode]
        np.testing.assert_array_equal(convert(values, "half", rounding=mode).view(np.uint16), positive)
        np.testing.assert_array_equal(convert(-values, "half", rounding=mode).view(np.uint16), negative | 0x8000)
    np.testing.assert_array_equal(convert(low, "half", rounding=mode).view(np.uint16), below)


@pytest.mark.usefixtures("compiled_agrees")
@pytest.mark.parametrize("mode", MODES)
def test_float_on_random_boundaries(mode):
    generator = np.random.default_rng(5)
    below = np.concatenate([generator.integers(0, 0x7F800000, 50000), np.arange(64), np.arange(0x7F7FFFC0, 0x7F800000)])
    below = below.astype(np.uint32)
    low = below.view(np.float32).astype(np.float64)
    up = below + np.uint32(1)
    high = np.where(up == 0x7F800000, 2.0**128, up.view(np.float32).astype(np.float64))
    middle = (low + high) / 2
    for values, nearest in (
        (np.nextafter(low, high), below), (np.nextafter(middle, low), below), (middle, below + (below & 1)),
        (np.nextafter(middle, high), up), (np.nextafter(high, low), up),
    ):  # fmt: skip
        positive = {"rte": nearest, "rtz": below, "rtp": up, "rtn": below}[mode]
        negative = {"rte": nearest, "rtz": below, "rtp": below, "rtn": up}[mode]
        np.testing.assert_array_equal(convert(values, "float", rounding=mode).view(np.uint32), positive)
        got = convert(-values, "float", rounding=mode).view(np.uint32)
        np.testing.assert_array_equal(got, negative | np.uint32(0x80000000))


@for_each(
    ("value", "type", "mode", "expected"),
    [
        (2**64 - 1, "float", "rte", 2.0**64),
        (2**64 - 1, "float", "rtz", 2.0**64 - 2.0**40),
        (2**64 - 1, "double", "rtn", 2.0**64 - 2.0**11),
        (2**63 - 1, "float", "rtp", 2.0**63),
        (-(2**63), "float", "rtp", -(2.0**63)),
        (-(2**63) + 1, "double", "rtz", -(2.0**63) + 2.0**10),
        (2**63 - 1, "half", "rte", np.inf),
        (2**63 - 1, "half", "rtz", 65504.0),
        (-(2**63), "half", "rtp", -65504.0),
        (65519, "half", "rte", 65504.0),
        (65520, "half", "rte", np.inf),
        (2049 * 2**53 // 2**53, "half", "rtp", 2050.0),
        (1e300, "float", "rtn", float(np.finfo(np.float32).max)),
    ],
)
def test_known_values(value, type, mode, expected):
    assert float(convert(value, type, rounding=mode)) == expected


def test_defaults():
    """To integers rtz always, to floating point the mode in force, bool by being zero or not."""
    with clmath.select_rounding_mode("rtp"):
        assert convert(np.float32(-1.5), "int") == -1
        assert convert(np.float32(1.5), "int") == 1
        assert float(convert(np.float64(0.1), "half")).hex() == "0x1.99c0000000000p-4"
        assert convert(np.int32(2**24 + 1), "float") == 2**24 + 2
        assert float(convert(np.float64(0.1), "half", rounding="rtz")).hex() == "0x1.9980000000000p-4"
    assert convert(np.int32(2**24 + 1), "float") == 2**24
    assert convert([0.0, -0.0, 1e-320, np.nan], "bool").tolist() == [False, False, True, True]
    assert convert([True, False], "float").tolist() == [1.0, 0.0]


def test_same_type_is_a_copy_of_the_bits():
    signalling = np.array([0x7FF0000000000001, 0x8000000000000000], np.uint64).view(np.float64)
    result = convert(signalling, "double", rounding="rtp")
    assert result.view(np.uint64).tolist() == signalling.view(np.uint64).tolist()
    assert not np.shares_memory(result, signalling)


@pytest.mark.parametrize(("source", "target"), [("f8", "half"), ("i8", "float"), ("f4", "uchar"), ("u2", "double")])
def test_any_layout(source, target):
    """Strides, byte order, read-only, empty, zero-dimensional, larger than a block."""
    plain = (np.arange(60000) * 7 % 300).astype(source)
    expected = convert(plain, target, rounding="rtz")
    swapped = plain.astype(np.dtype(source).newbyteorder())
    swapped.flags.writeable = False
    np.testing.assert_array_equal(convert(swapped, target, rounding="rtz"), expected)
    assert convert(swapped, target).dtype.isnative
    np.testing.assert_array_equal(convert(plain[::-3], target, rounding="rtz"), expected[::-3])
    grid = plain.reshape(200, 300).T
    np.testing.assert_array_equal(convert(grid, target, rounding="rtz"), expected.reshape(200, 300).T)
    assert convert(plain[:0].reshape(0, 4), f"{target}4").shape == (0, 4)
    assert isinstance(convert(plain[5], target), np.generic)
    assert isinstance(convert(plain[5:6].reshape(()), target), np.generic)
    assert convert(plain[5:6], target).shape == (1,)


@pytest.mark.parametrize("lanes", [2, 3, 4, 8, 16])
def test_vectors(lanes):
    x = np.arange(5 * lanes, dtype=np.float32).reshape(5, lanes) + np.float32(0.5)
    np.testing.assert_array_equal(convert(x, f"int{lanes}", rounding="rtp"), np.ceil(x).astype(np.int32))
    with pytest.raises(clmath.ShapeError, match=rf"the last axis of x has {lanes + 1} lanes; {lanes} are needed"):
        convert(np.zeros((2, lanes + 1)), f"int{lanes}")
    with pytest.raises(clmath.ShapeError, match="x is a scalar"):
        convert(1.0, f"int{lanes}")


INTO = [("double", "half", "rtp"), ("long", "float", "rtn"), ("float", "uchar", "rte"), ("int", "double", None)]
INTO += [("half", "half", None), ("double", "bool", None), ("uchar", "ulong", None)]


@for_each("source, target, mode", INTO)
def test_into_arrays_that_exist(source, target, mode):
    """Those of every layout, by one thread and by several, for some elements or all: the results of a new array."""
    rng = np.random.default_rng(3)
    x = (rng.normal(size=40000) * 100.0).astype(dtype_of(source))
    if target == "uchar":
        x = np.abs(x)
    want = convert(x, target, rounding=mode)
    some = rng.random(x.size) < 0.3
    for given, wanted in ((x, want), (x.reshape(200, 200).T, want.reshape(200, 200).T), (x[::-2], want[::-2])):
        for threads in (1, 3):
            assert convert(given, target, rounding=mode, threads=threads).tobytes() == wanted.tobytes()
            out = np.full((*wanted.shape, 2), 77).astype(want.dtype)[..., 0]
            assert convert(given, target, rounding=mode, out=out, threads=threads) is out
            assert out.tobytes() == wanted.tobytes()
    kept = np.full(x.size, 1, want.dtype)
    assert convert(x, target, rounding=mode, out=kept, where=some) is kept
    assert kept[some].tobytes() == want[some].tobytes()
    assert (kept[~some] == 1).all()
    assert not convert(x, target, rounding=mode, where=some)[~some].any()


def dtype_of(name):
    return np.dtype({"long": "i8", "uchar": "u1", "int": "i4", "half": "f2", "float": "f4", "double": "f8"}[name])


def test_vectors_are_picked_whole():
    x = np.arange(12.0).reshape(3, 4)
    out = np.full((3, 4), 9, np.uint8)
    convert(x, "uchar4", out=out, where=[True, False, True])
    np.testing.assert_array_equal(out, [[0, 1, 2, 3], [9, 9, 9, 9], [8, 9, 10, 11]])


def test_in_place_and_into_what_overlaps():
    x = np.arange(-500, 500, dtype=np.float32)
    both = np.zeros(1001, np.float32)
    both[1:] = x
    assert convert(both[1:], "float", out=both[:-1]).tobytes() == x.tobytes()
    halves = np.arange(3000, dtype=np.float32)
    want = convert(halves.copy(), "half")
    assert convert(halves, "half", out=halves.view(np.float16)[:3000]).tobytes() == want.tobytes()


def test_single_numbers_into_arrays():
    out = np.empty((), np.float32)
    for x in (2**80, 2**63, -5, 0.1, np.float64(0.1), True):
        assert convert(x, "float", rounding="rtz", out=out) is out
        assert out[()] == convert(x, "float", rounding="rtz")
        assert convert(x, "float", where=False) == 0.0


@for_each(
    ("options", "error", "message"),
    [
        ({"out": np.empty(2, np.uint8)}, clmath.ShapeError, r"convert\(\): out has shape \(2,\)"),
        ({"out": np.empty(3, np.int8)}, clmath.DTypeError, r"convert\(\): out has dtype int8"),
        ({"out": [0, 0, 0]}, clmath.DTypeError, r"convert\(\): out is a list"),
        ({"threads": 0}, clmath.RangeError, r"convert\(\): threads=0 is no number of threads"),
        ({"where": [1, 0, 1]}, clmath.DTypeError, r"convert\(\): where"),
        ({"where": [True, False]}, clmath.ShapeError, r"convert\(\)"),
    ],
)
def test_errors_of_what_results_go_into(options, error, message):
    with pytest.raises(error, match=message):
        convert(np.ones(3), "uchar", **options)


def test_python_numbers():
    assert convert(3, "double").dtype == np.float64
    assert convert(-1, "ulong") == 2**64 - 1
    assert convert(2**64 - 1, "long") == -1
    assert convert(2.5, "int", rounding="rte") == 2
    assert convert(True, "half") == 1


@for_each(
    ("args", "options", "error", "message"),
    [
        ((1.0, "float"), {"sat": True}, clmath.DTypeError, "sat=True; only integer types saturate"),
        ((1.0, "half4"), {"sat": True}, clmath.DTypeError, "sat=True"),
        ((1.0, "bool"), {"sat": True}, clmath.DTypeError, "sat=True"),
        ((1.0, "flaot"), {}, clmath.UnknownNameError, "did you mean 'float'"),
        ((1.0, "int5"), {}, clmath.UnknownNameError, "int5"),
        ((1.0, int), {}, clmath.UnknownNameError, "type=int is a class of Python.*of type 'long'"),
        ((1.0, np.complex64), {}, clmath.UnknownNameError, "is not a known type"),
        ((1.0, np.dtype("c8")), {}, clmath.UnknownNameError, "'complex64' is not a known type"),
        ((1.0, []), {}, clmath.UnknownNameError, "is not a known type"),
        ((1.0, np.floating), {}, clmath.UnknownNameError, "is not a known type"),
        ((1.0, np.generic), {}, clmath.UnknownNameError, "is not a known type"),
        ((np.ones(3), "uint8"), {}, clmath.ShapeError, "8 are needed: .*, or say 'uchar' for NumPy's uint8$"),
        ((1.0, "int"), {"rounding": "nearest"}, clmath.RoundingError, "round to nearest even is 'rte'"),
        ((1.0, "float"), {"rounding": ""}, clmath.RoundingError, "rounding=''"),
        ((1j, "float"), {}, clmath.DTypeError, "x has dtype complex128"),
        (("1", "float"), {}, clmath.DTypeError, "dtype"),
        (([2**64], "float"), {}, clmath.DTypeError, "lists integers beyond 64 bits"),
        ((np.longdouble(1), "float"), {}, clmath.DTypeError, "longdouble|float128"),
    ],
)
def test_errors(args, options, error, message):
    with pytest.raises(error, match=message):
        convert(*args, **options)


@for_each("dtype", [np.dtype(code) for code in "?bBhHiIqQefd"])
def test_numpys_dtypes_stand_for_their_types(dtype):
    x = np.array([0, 1, 3], np.int32)
    spellings = [dtype, dtype.type, dtype.newbyteorder(">")]
    spellings += [dtype.str[1:], dtype.str, dtype.name][: 0 if dtype.kind == "b" else 3 if dtype.itemsize > 2 else 1]
    for spelled in spellings:
        assert convert(x, spelled).dtype == dtype
        assert convert(x, spelled).tolist() == x.astype(dtype).tolist()


def test_names_that_opencl_has_itself_are_opencls():
    assert convert(np.ones(8), "uint8").dtype == np.uint32
    assert convert(np.ones(16), "float16").dtype == np.float32
    assert clmath.as_type(np.float32(1.0), np.uint32) == clmath.as_type(np.float32(1.0), "uint")
    assert clmath.read_unorm_int8(np.uint8(51), np.float16) == clmath.read_unorm_int8(np.uint8(51), "half")


def test_every_type_name_is_known():
    for name, lanes in itertools.product(NAMES, ("", 2, 3, 4, 8, 16)):
        assert convert(np.zeros(lanes or 1), f"{name}{lanes}").shape == (lanes or 1,)
