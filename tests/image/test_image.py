"""Channel conversions against Fractions, and sRGB against 400-bit powers."""

from __future__ import annotations

from fractions import Fraction

import gmpy2
import numpy as np
import pytest

import clmath
from clmath.direct import channels
from tests.cases import for_each

MODES = ("rte", "rtz", "rtp", "rtn")
CHANNELS = {
    "unorm_int8": ("u1", 0, 255),
    "unorm_int16": ("u2", 0, 65535),
    "snorm_int8": ("i1", -128, 127),
    "snorm_int16": ("i2", -32768, 32767),
}


def integer(exact: Fraction, mode: str) -> int:
    """A Fraction rounded to an integer."""
    below = exact.numerator // exact.denominator
    rest = exact - below
    if mode == "rte":
        return round(exact)
    up = rest > 0 and (mode == "rtp" or (mode == "rtz" and exact < 0))
    return below + up


def assert_rounded(got: np.ndarray, exact: list[Fraction], mode: str) -> None:
    """Each number is the exact value's neighbour that the mode names, by comparing with the neighbours."""
    form = got.dtype.type
    downs = np.nextafter(got, form(-np.inf)).tolist()
    ups = np.nextafter(got, form(np.inf)).tolist()
    even = (got.view(f"u{got.dtype.itemsize}") & 1 == 0).tolist()
    for value, down, up, is_even, true in zip(got.tolist(), downs, ups, even, exact, strict=True):
        v = Fraction(value)
        if mode == "rte":
            low, high = (v + Fraction(down)) / 2, (v + Fraction(up)) / 2
            assert low < true < high or (is_even and true in (low, high)), (value, true)
        elif mode == "rtp" or (mode == "rtz" and true < 0):
            assert Fraction(down) < true <= v, (value, true)
        else:
            assert v <= true < Fraction(up), (value, true)


@pytest.mark.usefixtures("compiled_agrees")
@for_each("mode", MODES)
@for_each("type", ["half", "float"])
@for_each("name", CHANNELS)
def test_reading_normalized_integers(name, type, mode):
    dtype, least, most = CHANNELS[name]
    step = 1 if most < 256 or (mode, type) == ("rte", "half") else 17  # 17 divides 65535
    stored = np.arange(least, most + 1, step).astype(dtype)
    got = getattr(clmath, f"read_{name}")(stored, type, rounding=mode)
    assert got.dtype == clmath.convert(0, type).dtype
    assert_rounded(got, [max(Fraction(-1), Fraction(s, most)) for s in stored.tolist()], mode)


@pytest.mark.usefixtures("compiled_agrees")
@for_each("mode", MODES)
@for_each("type", ["half", "float"])
def test_reading_101010(type, mode):
    codes = np.arange(1024, dtype=np.uint32)
    packed = codes << 20 | codes[::-1] << 10 | (codes * 7 & 1023) | np.uint32(0xC0000000)
    got = clmath.read_unorm_int_101010(packed, type, rounding=mode)
    for lane, values in enumerate((codes, codes[::-1], codes * 7 & 1023)):
        assert_rounded(np.ascontiguousarray(got[:, lane]), [Fraction(c, 1023) for c in values.tolist()], mode)


PACKED = {"unorm_short_565": ((11, 31), (5, 63), (0, 31)), "unorm_short_555": ((10, 31), (5, 31), (0, 31))}


@pytest.mark.usefixtures("compiled_agrees")
@for_each("mode", MODES)
@for_each("type", ["half", "float"])
@for_each("name", PACKED)
def test_reading_every_packed_short(name, type, mode):
    words = np.arange(1 << 16, dtype=np.uint16)
    got = getattr(clmath, f"read_{name}")(words.reshape(256, 256), type, rounding=mode)
    assert got.shape == (256, 256, 3)
    for lane, (shift, most) in enumerate(PACKED[name]):
        channel = np.ascontiguousarray(got.reshape(-1, 3)[:, lane])
        assert_rounded(channel, [Fraction(w >> shift & most, most) for w in words.tolist()], mode)
    single = getattr(clmath, f"read_{name}")(words[12345], type, rounding=mode)
    assert single.tobytes() == got.reshape(-1, 3)[12345].tobytes()


@pytest.mark.usefixtures("compiled_agrees")
@for_each("mode", MODES)
@for_each("dtype", [np.float16, np.float32])
@for_each("name", PACKED)
def test_writing_packed_shorts(name, dtype, mode):
    values = np.concatenate([colors(dtype, 31), colors(dtype, 63)])
    values = np.random.default_rng(1).permutation(values)[: values.size // 3 * 3].reshape(-1, 3)
    write = getattr(clmath, f"write_{name}")
    got = write(values, rounding=mode)
    assert got.dtype == np.uint16
    due = [
        sum(stored_integer(v, 0, most, mode) << shift for v, (shift, most) in zip(row, PACKED[name], strict=True))
        for row in values.tolist()
    ]
    assert got.tolist() == due
    assert [int(write(row, rounding=mode)) for row in values[:9]] == due[:9]
    words = np.arange(1 << 15, dtype=np.uint16)
    np.testing.assert_array_equal(write(getattr(clmath, f"read_{name}")(words)), words)


@pytest.mark.usefixtures("compiled_agrees")
@for_each("type", ["half", "float"])
@for_each("mode", MODES)
def test_required_points(type, mode):
    for name, points in {
        "unorm_int8": {0: 0, 255: 1},
        "unorm_int16": {0: 0, 65535: 1},
        "snorm_int8": {-128: -1, -127: -1, 0: 0, 127: 1},
        "snorm_int16": {-32768: -1, -32767: -1, 0: 0, 32767: 1},
    }.items():
        stored = np.array(list(points)).astype(CHANNELS[name][0])
        read = getattr(clmath, f"read_{name}")(stored, type, rounding=mode)
        assert read.tolist() == list(points.values())
        assert not np.signbit(read[stored == 0]).any()
        again = getattr(clmath, f"write_{name}")(read, rounding=mode).tolist()
        assert again == [max(p, -CHANNELS[name][2]) for p in points]


def colors(dtype, most):
    """Random, out of range, special; every code's and every tie's neighbourhood."""
    generator = np.random.default_rng(11)
    codes = np.unique(np.append(np.arange(-most - 2, most + 3, max(most // 300, 1)), [-most, 0, most]))
    centre = np.concatenate([codes / most, (codes + 0.5) / most, generator.uniform(-1.2, 1.2, 2000)]).astype(dtype)
    special = np.array(
        [0.0, -0.0, 1e-7, -1e-7, 1e-45, 6e4, -6e4, float(np.finfo(dtype).max), np.inf, -np.inf, 0.5]
    ).astype(dtype)
    noise = generator.integers(0, 2 ** (8 * dtype().itemsize), 2000, f"u{dtype().itemsize}").view(dtype)
    around = [np.nextafter(centre, dtype(2)), np.nextafter(centre, dtype(-2))]
    return np.concatenate([centre, *around, special, noise])


@pytest.mark.usefixtures("compiled_agrees")
@for_each("mode", MODES)
@for_each("dtype", [np.float16, np.float32])
@for_each("name", CHANNELS)
def test_writing_normalized_integers(name, dtype, mode):
    target, least, most = CHANNELS[name]
    values = colors(dtype, most)
    got = getattr(clmath, f"write_{name}")(values, rounding=mode)
    assert got.dtype == np.dtype(target)
    assert got.tolist() == [stored_integer(v, least, most, mode) for v in values.tolist()]


def stored_integer(value: float, least: int, most: int, mode: str) -> int:
    if value != value:
        return 0
    if value in (np.inf, -np.inf):
        return most if value > 0 else least
    return integer(max(Fraction(least), min(Fraction(most), Fraction(value) * most)), mode)


@pytest.mark.usefixtures("compiled_agrees")
@pytest.mark.parametrize("mode", MODES)
def test_every_half_to_unorm_int8_and_back(mode):
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    expected = [stored_integer(v, 0, 255, mode) for v in halves.tolist()]
    assert clmath.write_unorm_int8(halves, rounding=mode).tolist() == expected


def test_every_code_survives_a_round_trip():
    for name, (dtype, least, most) in CHANNELS.items():
        codes = np.arange(max(least, -most), most + 1).astype(dtype)
        read = getattr(clmath, f"read_{name}")(codes)
        np.testing.assert_array_equal(getattr(clmath, f"write_{name}")(read), codes)
    codes = np.arange(256, dtype=np.uint8)
    np.testing.assert_array_equal(clmath.write_srgb(clmath.read_srgb(codes)), codes)
    packed = np.arange(0, 2**30, 99991, dtype=np.uint32)
    np.testing.assert_array_equal(clmath.write_unorm_int_101010(clmath.read_unorm_int_101010(packed)), packed)


@pytest.mark.usefixtures("compiled_agrees")
@for_each("mode", MODES)
@for_each("dtype", [np.float16, np.float32])
def test_writing_101010(dtype, mode):
    values = colors(dtype, 1023)
    values = values[: values.size // 3 * 3].reshape(-1, 3)
    got = clmath.write_unorm_int_101010(values, rounding=mode)
    codes = [[stored_integer(v, 0, 1023, mode) for v in row] for row in values.tolist()]
    assert got.dtype == np.uint32
    assert got.tolist() == [r << 20 | g << 10 | b for r, g, b in codes]


def linear(code: int) -> Fraction:
    """What an sRGB code means, to 400 bits."""
    r = Fraction(code, 255)
    if r <= Fraction(4045, 100000):
        return r * 100 / 1292
    if code == 255:
        return Fraction(1)
    with gmpy2.context(precision=400):
        base = gmpy2.mpq((r + Fraction(55, 1000)) * 1000 / 1055)
        power = gmpy2.exp(gmpy2.log(gmpy2.mpfr(base)) * 12 / 5)
        return Fraction(*map(int, power.as_integer_ratio()))


def srgb(y: float) -> Fraction:
    """255 c_sRGB(y) forward, to 400 bits."""
    if not y > 0:
        return Fraction(0)
    if y >= 1:
        return Fraction(255)
    if Fraction(y) < Fraction(31308, 10**7):
        return Fraction(y) * 255 * 1292 / 100
    with gmpy2.context(precision=400):
        power = gmpy2.exp(gmpy2.log(gmpy2.mpfr(y)) * 5 / 12)
        return (Fraction(*map(int, power.as_integer_ratio())) * 1055 - 55) * 255 / 1000


@for_each("mode", MODES)
@for_each("type", ["half", "float"])
def test_reading_srgb(type, mode):
    codes = np.arange(256, dtype=np.uint8)
    got = clmath.read_srgb(codes, type, rounding=mode)
    assert_rounded(got, [linear(c) for c in codes.tolist()], mode)


@for_each("mode", MODES)
@for_each("dtype", [np.float16, np.float32])
def test_writing_srgb(dtype, mode):
    """By the forward formula, next to every threshold and elsewhere."""
    generator = np.random.default_rng(12)
    nearest = [float(linear_at(Fraction(c, 2) / 255)) for c in range(511)]
    values = np.concatenate([nearest, generator.uniform(0, 1, 500), [0.0031308, 1.0, 2.0, -1.0, np.inf, -np.inf]])
    values = values.astype(dtype)
    for _ in range(2):
        values = np.concatenate([values, np.nextafter(values, dtype(9)), np.nextafter(values, dtype(-9))])
    values = np.unique(values)
    got = clmath.write_srgb(values, rounding=mode)
    assert got.dtype == np.uint8
    assert got.tolist() == [integer(srgb(v), mode) for v in values.tolist()]


def linear_at(r: Fraction) -> float:
    return float(r) / 12.92 if r <= Fraction(4045, 100000) else ((float(r) + 0.055) / 1.055) ** 2.4


def test_srgb_of_what_is_no_color():
    for mode in MODES:
        assert clmath.write_srgb(np.float32([np.nan, -np.inf, -1e-45, -0.0, 0.0]), rounding=mode).tolist() == [0] * 5
        assert clmath.write_srgb(np.float32([1, 1.5, np.inf]), rounding=mode).tolist() == [255] * 3
        assert clmath.write_srgb(np.float32(1e-45), rounding=mode) == (mode == "rtp")


def test_alpha_is_linear():
    stored = np.array([[0, 128, 255, 128], [10, 20, 30, 40]], np.uint8)
    got = clmath.read_srgba(stored, "half", rounding="rtp")
    np.testing.assert_array_equal(got[:, :3], clmath.read_srgb(stored[:, :3], "half", rounding="rtp"))
    np.testing.assert_array_equal(got[:, 3], clmath.read_unorm_int8(stored[:, 3], "half", rounding="rtp"))
    assert got.dtype == np.float16
    np.testing.assert_array_equal(clmath.write_srgba(clmath.read_srgba(stored)), stored)
    assert clmath.write_srgba(np.float16([0.5, 0.5, 0.5, 0.5]), rounding="rtz").tolist() == [187, 187, 187, 127]


def test_half_and_float_channels():
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    np.testing.assert_array_equal(clmath.read_half_float(halves), halves.astype(np.float32))
    again = clmath.write_half_float(clmath.read_half_float(halves))
    finite = ~np.isnan(halves)
    np.testing.assert_array_equal(again.view(np.uint16)[finite], halves.view(np.uint16)[finite])
    assert np.isnan(again[~finite]).all()
    values = np.float32([1 + 2.0**-11, 65520, -65520, 2.0**-25, 3e38])
    assert clmath.write_half_float(values).tolist() == [1, np.inf, -np.inf, 0, np.inf]
    assert clmath.write_half_float(values, rounding="rtz").tolist() == [1, 65504, -65504, 0, 65504]
    signalling = np.array([0x7F800001, 0x80000001], np.uint32).view(np.float32)
    for copy in (clmath.read_float, clmath.write_float):
        assert copy(signalling).view(np.uint32).tolist() == [0x7F800001, 0x80000001]


@for_each("width", [8, 16, 32])
@for_each("signed", [True, False])
def test_integer_channels_saturate(width, signed):
    generator = np.random.default_rng(13)
    source, target = (np.dtype(f"{'i' if signed else 'u'}{w // 8}") for w in (32, width))
    limits = np.iinfo(target)
    near = [v + d for v in (limits.min, limits.max, 0) for d in range(-2, 3)]
    near = [v for v in near if np.iinfo(source).min <= v <= np.iinfo(source).max]
    values = np.concatenate([np.array(near, source), generator.integers(0, 2**32, 1000, np.uint32).view(source)])
    write = getattr(clmath, f"write_{'' if signed else 'un'}signed_int{width}")
    got = write(values)
    assert got.dtype == target
    assert got.tolist() == [min(max(v, int(limits.min)), int(limits.max)) for v in values.tolist()]
    assert not np.shares_memory(got, values)


def test_any_layout():
    stored = np.arange(24, dtype=">u2").reshape(4, 6)[:, ::-2].T * 2700
    expected = clmath.read_unorm_int16(np.array(stored, np.uint16))
    np.testing.assert_array_equal(clmath.read_unorm_int16(stored), expected)
    assert clmath.read_unorm_int16(stored[:0]).shape == (0, 4)
    assert isinstance(clmath.read_unorm_int8(np.uint8(3), "half"), np.float16)
    assert isinstance(clmath.write_srgb(0.5), np.uint8)
    assert clmath.write_unorm_int8(0.5) == 128
    assert clmath.read_unorm_int8(255) == 1
    swapped = np.linspace(-1, 2, 50).astype(">f4")
    np.testing.assert_array_equal(clmath.write_srgb(swapped), clmath.write_srgb(swapped.astype(np.float32)))


@for_each(
    ("call", "error", "message"),
    [
        (lambda: clmath.read_unorm_int8(np.int8(1)), clmath.DTypeError, "x has dtype int8; uint8 is needed"),
        (lambda: clmath.read_unorm_int8(np.uint8(1), "double"), clmath.UnknownNameError, "not one of 'half', 'float'"),
        (lambda: clmath.read_srgb(np.uint8(1), rounding="up"), clmath.RoundingError, "'rtp'"),
        (lambda: clmath.write_unorm_int8(np.float64(1)), clmath.DTypeError, "half or float is needed"),
        (lambda: clmath.write_unorm_int8(np.uint8(1)), clmath.DTypeError, "color has dtype uint8"),
        (lambda: clmath.write_unorm_int_101010(np.zeros(4, np.float32)), clmath.ShapeError, "4 lanes; 3 are needed"),
        (lambda: clmath.write_unorm_short_565(np.zeros(2, np.float32)), clmath.ShapeError, "2 lanes; 3 are needed"),
        (lambda: clmath.read_unorm_short_555(np.uint32(1)), clmath.DTypeError, "uint16"),
        (lambda: clmath.write_srgba(np.zeros(3, np.float32)), clmath.ShapeError, "3 lanes; 4 are needed"),
        (lambda: clmath.read_srgba(np.zeros(3, np.uint8)), clmath.ShapeError, "3 lanes; 4 are needed"),
        (lambda: clmath.write_signed_int8(np.uint32(1)), clmath.DTypeError, "int32 is needed"),
        (lambda: clmath.read_half_float(np.float32(1)), clmath.DTypeError, "float16 is needed"),
        (lambda: clmath.write_float(np.float16(1)), clmath.DTypeError, "float32 is needed"),
    ],
)
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("mode", MODES)
def test_srgb_codes_change_at_their_least_floats_and_nowhere_else(mode):
    """Every bound and its neighbours, the ends of the cells that the codes are looked up by, and random encodings."""
    least = channels._least_floats(mode)
    edges = np.arange(0x38F00000, 0x3F900000, 1 << 16, dtype=np.int64)
    codes = np.concatenate([a + k for a in (least.view(np.int32).astype(np.int64), edges) for k in (-1, 0, 1)])
    some = np.random.default_rng(5).integers(0, 1 << 32, 100_000)
    special = np.float32([0.0, -0.0, 1.0, 2.0, np.inf, -np.inf, np.nan, -np.nan])
    values = np.concatenate([np.concatenate([codes, some]).astype(np.uint32).view(np.float32), special])
    with np.errstate(invalid="ignore"):
        wanted = np.array([np.count_nonzero(least <= value) for value in values])
    assert np.array_equal(channels.srgb_from_linear(values, mode), wanted)
