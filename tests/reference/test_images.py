"""Reference for image colours, compared with the formulas in fractions, one texel at a time."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from clmath.numbers.formats import FLOAT, HALF
from clmath.reference.bitwise import channels, sampling
from clmath.reference.bitwise.texels import Texels
from tests.cases import for_each
from tests.image import sampled
from tests.rounding_reference import assert_bits, rounded

CHANNELS = {"unorm_int8": "u1", "unorm_int16": "u2", "snorm_int8": "i1", "snorm_int16": "i2"}


@for_each("form", (HALF, FLOAT))
@for_each("name", CHANNELS)
def test_normalized_codes_are_rounded_quotients(name, form):
    info, most = np.iinfo(CHANNELS[name]), sampled.MOST[name]
    codes = np.arange(info.min, int(info.max) + 1, 1 if info.bits == 8 else 5).astype(info.dtype)
    codes = np.append(codes, np.array([info.min + 1, info.max], codes.dtype))
    due = rounded([max(Fraction(code, most), Fraction(-1)) for code in codes.tolist()], form.dtype, "rte")
    assert_bits(name, channels.of_normalized(codes, most, form), due, codes)


@for_each("form", (HALF, FLOAT))
def test_colours_become_the_nearest_code(form):
    rng = np.random.default_rng(1)
    for most in (31, 127, 255, 1023, 65535):
        around = np.concatenate([rng.integers(-most, 2 * most, 500), rng.integers(-most, most, 500) + 0.5]) / most
        colours = np.concatenate([around, [-0.0, 1e-30, -1e4, 6e4]]).astype(form.dtype)
        exact = [Fraction(float(c)) * most for c in colours]
        due = [min(max(round(v), -most), most) for v in exact]
        assert channels.to_normalized(colours, -most, most).tolist() == due
    special = np.array([np.nan, np.inf, -np.inf], form.dtype)
    assert channels.to_normalized(special, 0, 255).tolist() == [0, 255, 0]


@for_each("name", channels.PACKED)
def test_packed_words_have_a_field_for_each_component(name):
    fields, dtype = channels.PACKED[name], np.dtype(np.uint32 if "101010" in name else np.uint16)
    assert [(shift, most) for most, shift in fields] == [*sampled.FIELDS[name]]
    codes = np.random.default_rng(2).integers(0, [most + 1 for most, _ in fields], (500, 3))
    words = sum(codes[:, n] << shift for n, (_, shift) in enumerate(fields)).astype(dtype)
    assert (channels.unpacked(words, fields) == codes).all()
    colours = channels.of_packed(words, fields, FLOAT)
    for n, (most, _) in enumerate(fields):
        due = rounded([Fraction(int(code), most) for code in codes[:, n]], np.float32, "rte")
        assert_bits(name, np.ascontiguousarray(colours[:, n]), due, words)
    assert_bits(name, channels.to_packed(colours, fields, dtype), words, words)


@for_each("form", (HALF, FLOAT))
def test_srgb_conversions_are_correctly_rounded(form):
    codes = np.arange(256)
    colours = channels.of_srgb(codes, form)
    assert_bits("read", colours, rounded(sampled.POWERS, form.dtype, "rte"), codes)
    assert channels.to_srgb(channels.of_srgb(codes, FLOAT)).tolist() == codes.tolist()
    halfway = [channels.linear_colour(code + Fraction(1, 2)) for code in range(255)]
    below, above = (rounded(halfway, np.float32, mode) for mode in ("rtn", "rtp"))
    assert channels.to_srgb(below).tolist() == [*range(255)]
    assert channels.to_srgb(above).tolist() == [*range(1, 256)]
    assert channels.to_srgb(np.array([np.nan, -1, np.inf], form.dtype)).tolist() == [0, 0, 255]


ADDRESSINGS = ("clamp", "clamp_to_edge", "repeat", "mirrored_repeat")
IMAGES = {
    "unorm_int8": ("unorm_int8", "rgba", (3, 4), False),
    "an array": ("snorm_int8", "rg", (2, 5), True),
    "depths": ("unorm_int16", "depth", (5,), False),
    "packed": ("unorm_short_565", "rgbx", (2, 3), False),
    "sRGB": ("unorm_int8", "sbgra", (2, 3), False),
    "halfs": ("half_float", "luminance", (2, 2, 3), False),
    "floats": ("float", "argb", (3, 3), False),
}


def image_of(name, seed):
    type, order, shape, _ = IMAGES[name]
    stored = () if type in channels.PACKED else (len(sampled.LETTERS[order]),)
    rng = np.random.default_rng(seed)
    if "float" in type:
        data = rng.choice([-1.5, 0.0, 0.25, 1.0, 3.0, 7.0 / 8, 1 / 3], (*shape, *stored))
        return data.astype(np.float16 if type == "half_float" else np.float32)
    dtype = np.dtype(CHANNELS.get(type, "u2"))
    return rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, (*shape, *stored), dtype, endpoint=True)


@for_each("name", IMAGES)
@for_each("addressing", ADDRESSINGS)
def test_sampled_texels_agree_with_the_formulas(name, addressing):
    type, order, shape, is_array = IMAGES[name]
    data, sizes = image_of(name, 3), shape[is_array:][::-1]
    texels = Texels.of(data, type, order, is_array=is_array)
    rng = np.random.default_rng(4)
    at = np.concatenate([rng.integers(-24, 24, (24, len(sizes))) / 16, rng.uniform(-2, 2, (12, len(sizes)))])
    at = np.concatenate([at, np.full((2, len(sizes)), -1e-30), np.full((2, len(sizes)), 1e-30)])
    at = at.astype(np.float32).astype(np.float64)
    layers = [rng.uniform(-1, 3, len(at)).astype(np.float32).astype(np.float64)] if is_array else []
    u = [sampling.in_texels(at[:, n], size, addressing, normalized=True) for n, size in enumerate(sizes)]
    pairs = [*zip(u, sizes, strict=True)]
    layer = [sampling.layer(w, shape[0]) for w in layers]
    corner = (*layer, *(sampling.nearest(v, size, addressing) + 1 for v, size in reversed(pairs)))
    for form in (HALF, FLOAT) if type != "float" else (FLOAT,):
        got = {
            "nearest": texels.rounded(form.dtype)[texels.places[corner]],
            "linear": sampling.filtered(texels, [sampling.pair(v, s, addressing) for v, s in pairs], layer, form.dtype),
        }
        for filter, found in got.items():
            coordinates = np.column_stack([at, *layers]).tolist()
            exact = [sampled.sample(data, (type, order, is_array), (addressing, filter, True), c) for c in coordinates]
            due = rounded([value for colour in exact for value in colour], form.dtype, "rte").reshape(len(at), -1)
            seen = np.ascontiguousarray(found[:, : due.shape[1]])
            assert (seen == due).all()
            assert not found[:, due.shape[1] :].any()


def test_filtered_ties_are_rounded_to_even():
    """Double cannot decide sums at and next to ties, so the exact sum is used."""
    halfs = np.array([1.0, 1.0 + 2.0**-10], np.float16).reshape(1, 2, 1)
    texels = Texels.of(halfs, "half_float", "r", is_array=False)
    x = sampling.pair(np.array([1.0, 1.0 - 2.0**-45, 1.0 + 2.0**-45]), 2, "clamp_to_edge")
    y = sampling.pair(np.full(3, 0.5), 1, "clamp_to_edge")
    found = sampling.filtered(texels, [x, y], [], np.dtype(np.float16))
    assert found[:, 0].tolist() == [1.0, 1.0, 1.0 + 2.0**-10]
