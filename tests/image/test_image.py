"""Channel conversions, compared with exact quotients, and sRGB with powers of 400 bits."""

from __future__ import annotations

from fractions import Fraction

import gmpy2
import numpy as np
import pytest

import clmath
from clmath.direct import channels
from clmath.numbers.formats import format_of
from clmath.reference.bitwise.rounding import of_fractions, of_quotients, scaled
from tests.cases import for_each
from tests.rounding_reference import MODES, assert_bits, rounded

CHANNELS = {
    "unorm_int8": ("u1", 0, 255),
    "unorm_int16": ("u2", 0, 65535),
    "snorm_int8": ("i1", -128, 127),
    "snorm_int16": ("i2", -32768, 32767),
}
PACKED = {
    "unorm_short_565": ("u2", ((11, 31), (5, 63), (0, 31))),
    "unorm_short_555": ("u2", ((10, 31), (5, 31), (0, 31))),
    "unorm_int_101010": ("u4", ((20, 1023), (10, 1023), (0, 1023))),
}
COLORS = {"half": np.float16, "float": np.float32}
every_mode_and_type = pytest.mark.parametrize("type, mode", [(type, mode) for type in COLORS for mode in MODES])


def quotients(codes, most, dtype, mode):
    """Return ``codes / most``, but at least -1, rounded to a format."""
    codes = np.maximum(codes.astype(np.int64), -most)
    return of_quotients(abs(codes).astype(object), most, codes < 0).in_format(format_of(np.dtype(dtype)), mode)


def stored(values, least, most, mode):
    """Return colours times ``most`` rounded to integers and clipped to the channel; NaN becomes 0."""
    n, d = scaled(np.where(np.isfinite(values), values, 0))
    n = np.clip(n * most, least * d, most * d)
    codes = of_quotients(abs(n), d, np.array(n < 0, bool)).in_integers(np.dtype(np.int64), mode)
    return np.where(np.isinf(values), np.where(values > 0, most, least), codes)


def colors(dtype, most):
    """Return random and special colours, colours out of range, and colours next to codes and ties."""
    generator = np.random.default_rng(11)
    codes = np.unique(np.append(np.arange(-most - 2, most + 3, max(most // 300, 1)), [-most, 0, most]))
    centre = np.concatenate([codes / most, (codes + 0.5) / most, generator.uniform(-1.2, 1.2, 1000)]).astype(dtype)
    special = [0.0, -0.0, 1e-7, -1e-7, 1e-45, 6e4, -6e4, float(np.finfo(dtype).max), np.inf, -np.inf, np.nan, 0.5]
    noise = generator.integers(0, 2 ** (8 * dtype().itemsize), 1000, f"u{dtype().itemsize}").view(dtype)
    around = [np.nextafter(centre, dtype(2)), np.nextafter(centre, dtype(-2))]
    return np.concatenate([centre, *around, np.array(special).astype(dtype), noise])


@pytest.mark.usefixtures("compiled_agrees")
@every_mode_and_type
def test_read_of_every_code_is_correctly_rounded(type, mode):
    dtype = COLORS[type]
    for name, (kind, least, most) in CHANNELS.items():
        codes = np.arange(least, most + 1).astype(kind)
        got = getattr(clmath, f"read_{name}")(codes, type, rounding=mode)
        assert_bits(f"read_{name}, {mode}", got, quotients(codes, most, dtype, mode), codes)
        zero, one = codes[[-least, -1]]
        read = getattr(clmath, f"read_{name}")(np.array([zero, one, least], kind), type, rounding=mode)
        assert read.tobytes() == np.array([0.0, 1.0, -1.0 if least else 0.0], dtype).tobytes()  # exact by 3.11
        again = getattr(clmath, f"write_{name}")(read, rounding=mode)
        assert again.tolist() == [0, most, -most if least else 0]
    codes = np.arange(1024, dtype=np.uint32)
    packed = {name: np.arange(1 << 16, dtype=np.uint16).reshape(256, 256) for name in list(PACKED)[:2]}
    packed["unorm_int_101010"] = codes << 20 | codes[::-1] << 10 | (codes * 7 & 1023) | np.uint32(0xC0000000)
    for name, words in packed.items():
        read = getattr(clmath, f"read_{name}")
        got = read(words, type, rounding=mode)
        for component, (shift, most) in enumerate(PACKED[name][1]):
            due = quotients(words >> shift & most, most, dtype, mode)
            assert_bits(f"read_{name}, {mode}", np.ascontiguousarray(got[..., component]), due, words)
        single = read(words.reshape(-1)[345], type, rounding=mode)
        assert single.tobytes() == got.reshape(-1, 3)[345].tobytes()


@pytest.mark.usefixtures("compiled_agrees")
@every_mode_and_type
def test_write_of_normalized_integers_is_correctly_rounded(type, mode):
    for name, (kind, least, most) in CHANNELS.items():
        values = colors(COLORS[type], most)
        if name == "unorm_int8" and type == "half":
            values = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
        got = getattr(clmath, f"write_{name}")(values, rounding=mode)
        assert_bits(f"write_{name}, {mode}", got, stored(values, least, most, mode).astype(kind), values)
    for name, (kind, fields) in PACKED.items():
        values = np.concatenate([colors(COLORS[type], most) for most in {most for _, most in fields}])
        values = np.random.default_rng(1).permutation(values)[: values.size // 3 * 3].reshape(-1, 3)
        write = getattr(clmath, f"write_{name}")
        due = sum(stored(values[:, i], 0, most, mode) << shift for i, (shift, most) in enumerate(fields)).astype(kind)
        assert_bits(f"write_{name}, {mode}", write(values, rounding=mode), due, values[:, 0])
        assert [int(write(color, rounding=mode)) for color in values[:9]] == due[:9].tolist()


def test_code_that_is_read_and_written_is_unchanged():
    for name, (kind, least, most) in CHANNELS.items():
        codes = np.arange(max(least, -most), most + 1).astype(kind)
        read = getattr(clmath, f"read_{name}")(codes)
        assert_bits(name, getattr(clmath, f"write_{name}")(read), codes, codes)
    for name, step in (("srgb", 1), *((name, 1) for name in list(PACKED)[:2]), ("unorm_int_101010", 99991)):
        dtype = np.dtype(PACKED.get(name, ("u1",))[0])
        ends = {"srgb": 256, "unorm_short_565": 1 << 16, "unorm_short_555": 1 << 15, "unorm_int_101010": 1 << 30}
        codes = np.arange(0, ends[name], step).astype(dtype)
        assert_bits(name, getattr(clmath, f"write_{name}")(getattr(clmath, f"read_{name}")(codes)), codes, codes)


def test_signaling_nan_is_written_as_zero():
    """Arrays of few NaNs were once written as 255 on a processor with AVX-512."""
    signaling = {np.float16: (np.uint16, 0x7C01), np.float32: (np.uint32, 0x7F800001)}
    for name in [name for name in clmath.__all__ if name.startswith(("write_unorm", "write_snorm", "write_srgb"))]:
        components = 4 if name == "write_srgba" else 3 if name.endswith(("565", "555", "101010")) else 1
        for dtype, (bits, code) in signaling.items():
            for pattern in (code, code | 1 << 8 * dtype().itemsize - 1, code + 1):
                for count in (1, 2, 9, 100, 5000):
                    values = np.full((count, components), pattern, bits).view(dtype)
                    values = values if components > 1 else values[:, 0]
                    for mode in MODES:
                        for given in (values, values[0]):
                            assert not np.any(getattr(clmath, name)(given, rounding=mode)), (name, count, mode)


def linear(code: int) -> Fraction:
    """Return the linear value of an sRGB code, to 400 bits."""
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
    """Return 255 times the sRGB value of y, to 400 bits."""
    if not y > 0:
        return Fraction(0)
    if y >= 1:
        return Fraction(255)
    if Fraction(y) < Fraction(31308, 10**7):
        return Fraction(y) * 255 * 1292 / 100
    with gmpy2.context(precision=400):
        power = gmpy2.exp(gmpy2.log(gmpy2.mpfr(y)) * 5 / 12)
        return (Fraction(*map(int, power.as_integer_ratio())) * 1055 - 55) * 255 / 1000


def test_read_of_srgb_is_correctly_rounded():
    codes = np.arange(256, dtype=np.uint8)
    exact = [linear(c) for c in codes.tolist()]
    for type, dtype in COLORS.items():
        for mode in MODES:
            got = clmath.read_srgb(codes, type, rounding=mode)
            assert_bits(f"read_srgb, {mode}", got, rounded(exact, dtype, mode), codes)


@pytest.mark.parametrize("dtype", COLORS.values())
def test_write_of_srgb_is_correctly_rounded(dtype):
    """Colours are next to every threshold and elsewhere; the forward formula gives the expected codes."""
    generator = np.random.default_rng(12)
    r = np.arange(511) / 510
    nearest = np.where(r <= 0.04045, r / 12.92, ((r + 0.055) / 1.055) ** 2.4)
    values = np.concatenate([nearest, generator.uniform(0, 1, 300), [0.0031308, 1.0, 2.0, -1.0, np.inf, -np.inf]])
    values = values.astype(dtype)
    for _ in range(2):
        values = np.concatenate([values, np.nextafter(values, dtype(9)), np.nextafter(values, dtype(-9))])
    values = np.unique(values)
    exact = [srgb(v) for v in values.tolist()]
    for mode in MODES:
        due = of_fractions(exact).in_integers(np.dtype(np.uint8), mode)
        assert_bits(f"write_srgb, {mode}", clmath.write_srgb(values, rounding=mode), due, values)


def test_srgb_of_nan_and_out_of_range_colours_is_clamped():
    for mode in MODES:
        assert clmath.write_srgb(np.float32([np.nan, -np.inf, -1e-45, -0.0, 0.0]), rounding=mode).tolist() == [0] * 5
        assert clmath.write_srgb(np.float32([1, 1.5, np.inf]), rounding=mode).tolist() == [255] * 3
        assert clmath.write_srgb(np.float32(1e-45), rounding=mode) == (mode == "rtp")


def test_alpha_of_srgba_is_linear():
    stored = np.array([[0, 128, 255, 128], [10, 20, 30, 40]], np.uint8)
    got = clmath.read_srgba(stored, "half", rounding="rtp")
    np.testing.assert_array_equal(got[:, :3], clmath.read_srgb(stored[:, :3], "half", rounding="rtp"))
    np.testing.assert_array_equal(got[:, 3], clmath.read_unorm_int8(stored[:, 3], "half", rounding="rtp"))
    assert got.dtype == np.float16
    np.testing.assert_array_equal(clmath.write_srgba(clmath.read_srgba(stored)), stored)
    assert clmath.write_srgba(np.float16([0.5, 0.5, 0.5, 0.5]), rounding="rtz").tolist() == [187, 187, 187, 127]


def test_half_and_float_channels_are_exact():
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


def test_integer_channels_saturate():
    generator = np.random.default_rng(13)
    for sign, width in ((sign, width) for sign in ("signed", "unsigned") for width in (8, 16, 32)):
        source, target = (np.dtype(f"{'i' if sign == 'signed' else 'u'}{w // 8}") for w in (32, width))
        limits = np.iinfo(target)
        near = [v + d for v in (limits.min, limits.max, 0) for d in range(-2, 3)]
        near = [v for v in near if np.iinfo(source).min <= v <= np.iinfo(source).max]
        values = np.concatenate([np.array(near, source), generator.integers(0, 2**32, 1000, np.uint32).view(source)])
        got = getattr(clmath, f"write_{sign}_int{width}")(values)
        assert_bits(f"write_{sign}_int{width}", got, np.clip(values, limits.min, limits.max).astype(target), values)
        assert not np.shares_memory(got, values)


def test_any_memory_layout_is_accepted():
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
        (lambda: clmath.read_srgb(np.uint8(1), rounding="up"), clmath.RoundingError, "'rtp'"),
        (lambda: clmath.write_unorm_int8(np.uint8(1)), clmath.DTypeError, "color has dtype uint8"),
        (
            lambda: clmath.write_unorm_int_101010(np.zeros(4, np.float32)),
            clmath.ShapeError,
            "4 components; 3 are",
        ),
        (
            lambda: clmath.write_unorm_short_565(np.zeros(2, np.float32)),
            clmath.ShapeError,
            "2 components; 3 are",
        ),
        (lambda: clmath.read_unorm_short_555(np.uint32(1)), clmath.DTypeError, "uint16"),
        (lambda: clmath.write_srgba(np.zeros(3, np.float32)), clmath.ShapeError, "3 components; 4 are needed"),
        (lambda: clmath.read_srgba(np.zeros(3, np.uint8)), clmath.ShapeError, "3 components; 4 are needed"),
        (lambda: clmath.write_signed_int8(np.uint32(1)), clmath.DTypeError, "int32 is needed"),
        (lambda: clmath.read_half_float(np.float32(1)), clmath.DTypeError, "float16 is needed"),
        (lambda: clmath.write_float(np.float16(1)), clmath.DTypeError, "float32 is needed"),
    ],
)
def test_wrong_argument_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("mode", MODES)
def test_srgb_codes_change_only_at_their_least_floats(mode):
    """Arguments are every bound and its neighbours, the ends of the table's cells, and random encodings."""
    least = channels._least_floats(mode)
    edges = np.arange(0x38F00000, 0x3F900000, 1 << 16, dtype=np.int64)
    codes = np.concatenate([a + k for a in (least.view(np.int32).astype(np.int64), edges) for k in (-1, 0, 1)])
    some = np.random.default_rng(5).integers(0, 1 << 32, 100_000)
    special = np.float32([0.0, -0.0, 1.0, 2.0, np.inf, -np.inf, np.nan, -np.nan])
    values = np.concatenate([np.concatenate([codes, some]).astype(np.uint32).view(np.float32), special])
    with np.errstate(invalid="ignore"):
        wanted = np.array([np.count_nonzero(least <= value) for value in values])
    assert np.array_equal(channels.normalized_integer(values, channels.SRGB, mode), wanted)


@pytest.mark.parametrize("count", [3, 2000])
def test_colours_lie_in_memory_as_their_arguments(count):
    codes = np.asfortranarray(np.zeros((count, 4), np.uint8))
    assert clmath.read_srgba(codes).flags.f_contiguous
    assert clmath.write_srgba(np.asfortranarray(np.zeros((count, 4), np.float32))).flags.f_contiguous
