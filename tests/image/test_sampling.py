"""Sampled image reads, compared with the formulas in exact fractions."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import clmath
from clmath import Image, Sampler
from clmath.direct import filters
from clmath.direct.texels import ORDERS, TYPES
from tests.cases import for_each
from tests.image import sampled
from tests.rounding_reference import MODES, rounded

WHOLE = [t for t in TYPES if "signed" in t]
SAMPLERS = [
    *((a, f, n) for a in ("clamp", "clamp_to_edge") for f in ("nearest", "linear") for n in (False, True)),
    *((a, f, True) for a in ("repeat", "mirrored_repeat") for f in ("nearest", "linear")),
]


def image_of(rng, type, order, axes, array):
    """Return a small random image, with random texels or with few values, whose filtered results are often exact."""
    dtype, packs = TYPES[type].dtype, bool(TYPES[type].shifts)
    shape = (*rng.integers(1, 6, axes + array), *([] if packs else [ORDERS[order].stored]))
    bits = rng.integers(0, 1 << 8 * dtype.itemsize, shape, np.uint64).astype(f"u{dtype.itemsize}")
    if dtype.kind == "f":
        few = rng.choice([0.0, 1.0, -1.0, 0.5, 3.0, 2.0**-14], shape).astype(dtype)
        wild = bits.view(dtype)
        wild[~np.isfinite(wild)] = 1.5
        data = [few, rng.standard_normal(shape).astype(dtype), wild][rng.integers(3)]
    else:
        info = np.iinfo(dtype)
        few = rng.choice(np.array([0, info.max, info.min, 1, 10], dtype), shape)
        data = [few, bits.view(dtype), bits.view(dtype) % np.array(12, dtype)][rng.integers(3)]
    return data, Image(data, type, order, array=array)


def coordinates(rng, image, normalized, count):
    """Return coordinates at edges, centres, quarters and their neighbours; random, tiny, huge and negative ones."""
    found = []
    bounds = [*image.sizes, *([image.array_size] if image.array else [])]
    for axis, size in enumerate(bounds):
        scale = size if normalized and axis < len(image.sizes) else 1
        near = rng.integers(-9 * size, 9 * size, count) / rng.choice([4, 4 * size]) / scale
        anywhere = rng.uniform(-1.5, 2.5, count) * size / scale
        wild = np.ldexp(rng.uniform(-1, 1, count), rng.integers(-150, 128, count))
        some = rng.choice([0.0, -0.0, 1e-45, -1e-45, 3.4e38, -3.4e38, 0.5, 1.0, 2.0**24, 2.0**31, -(2.0**31)], count)
        c = np.choose(rng.choice(4, count, p=[0.4, 0.3, 0.2, 0.1]), [near, anywhere, wild, some]).astype(np.float32)
        moved = np.nextafter(c, rng.choice(np.float32([-np.inf, np.inf]), count))
        with np.errstate(over="ignore"):
            c = np.where((rng.random(count) < 0.4) & np.isfinite(moved), moved, c)
        found.append(c)
    return np.stack(found, axis=-1)


def assert_read(rng, kind, sampler, mode, count):
    """Compare reads of a random image of ``kind`` (type and order); return the number of components compared."""
    axes, array = [(1, False), (2, False), (3, False), (1, True), (2, True)][rng.integers(5)]
    data, image = image_of(rng, *kind, axes, array)
    places = coordinates(rng, image, sampler[2], count)
    type = rng.choice(TYPES[kind[0]].reads)
    given = places if places.shape[-1] > 1 else places[:, 0]
    got = image.read(Sampler(*sampler[:2], normalized=sampler[2]), given, type, rounding=mode)
    assert got.dtype == clmath.convert(0, type).dtype
    due = [sampled.sample(data, (*kind, array), sampler, place) for place in places.tolist()]
    values = [value for texel in due for value in texel]
    values = rounded(values, got.dtype, mode).tolist() if got.dtype.kind == "f" else values
    context = (image, data.tolist(), sampler, mode, places.tolist(), due)
    assert got.ravel().tolist() == values, context
    return got.size


def orders_of(type):
    if TYPES[type].shifts:
        return ["rgb", "rgbx"]
    return [o for o, order in ORDERS.items() if not order.is_srgb or type == "unorm_int8"]


def any_sampler(rng, type):
    addressing, filter, normalized = SAMPLERS[rng.integers(len(SAMPLERS))]
    return addressing, "nearest" if type in WHOLE else filter, normalized


CASES = [(t, o, s) for t in TYPES for o in orders_of(t) for s in SAMPLERS if t not in WHOLE or s[1] == "nearest"]


@pytest.mark.parametrize("mode", MODES)
def test_reads_of_every_type_order_and_sampler_are_exact(mode):
    rng = np.random.default_rng([17, *mode.encode()])
    for type, order, sampler in CASES[MODES.index(mode) :: 4]:
        assert_read(rng, (type, order), sampler, mode, 2)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
def test_a_million_random_components_are_exact(seed):
    rng, left = np.random.default_rng(seed), 250_000
    while left > 0:
        type = list(TYPES)[rng.integers(len(TYPES))]
        kind = type, rng.choice(orders_of(type))
        left -= assert_read(rng, kind, any_sampler(rng, type), MODES[rng.integers(4)], 50)


@for_each("mode", MODES)
@for_each("type, order", [("unorm_int8", "rgba"), ("unorm_int8", "srgba"), ("float", "rgbx"), ("snorm_int16", "rg")])
def test_reads_that_double_leaves_undecided_are_exact(type, order, mode, monkeypatch):
    """First all reads are decided by expansions, then all by fractions, which few reads need otherwise."""
    monkeypatch.setattr(filters, "_ERRORS", np.array([-0.25, 0.25]).reshape(2, 1, 1))
    rng = np.random.default_rng([18, *mode.encode()])
    for _ in range(5):
        assert_read(rng, (type, order), any_sampler(rng, type), mode, 4)
    rounded = filters.round_enclosure
    monkeypatch.setattr(filters, "round_enclosure", lambda *args: (rounded(*args)[0], np.ones(args[0].hi.shape, bool)))
    for _ in range(5):
        assert_read(rng, (type, order), any_sampler(rng, type), mode, 4)


@pytest.mark.parametrize("mode", MODES)
def test_filtered_srgb_at_a_rounding_boundary_is_exact(mode):
    """Code 1 is 5 / 16473, so a weight of 16473 / 2^24 gives 5 / 2^24, and its neighbours slightly less or more."""
    data = np.uint8([[[0], [1]]]).repeat(3, axis=-1)
    image = Image(data, "unorm_int8", "srgb")
    for weight in (16473 / 2**24, 16473 / 2**20, 3 * 16473 / 2**16):
        for u in np.float32([weight + 0.5, np.nextafter(np.float32(weight + 0.5), np.float32(2))]):
            got = image.read(Sampler("clamp_to_edge", "linear"), np.float32([u, 0.5]), rounding=mode)
            exact = sampled.sample(
                data, ("unorm_int8", "srgb", False), ("clamp_to_edge", "linear", False), [float(u), 0.5]
            )
            assert sampled.is_rounded(got[0], exact[0], mode)
    assert image.read(Sampler("clamp", "linear"), np.float32([0.5 + 16473 / 2**24, 0.5]), rounding=mode)[0] == 5 / 2**24


def test_border_colour_depends_on_the_order():
    """3.11.11: alpha is 1 only for r, rg, rgb and luminance; orders with x have 1 inside and 0 in the border."""
    for order in ORDERS:
        stored = np.zeros((1, ORDERS[order].stored), np.uint8)
        image = Image(stored, "unorm_int8", order)
        beyond = image.read(Sampler("clamp"), np.float32(7))
        assert beyond.tolist() == (0.0 if order == "depth" else [0, 0, 0, float(order in sampled.OPAQUE)]), order
        if "x" in order:
            assert image.read(Sampler("clamp", "linear"), np.float32([0.5, 0.25, -1])).tolist() == [
                [0, 0, 0, 1], [0, 0, 0, 0.75], [0, 0, 0, 0],
            ]  # fmt: skip
    assert {o for o, order in ORDERS.items() if order.border} == sampled.OPAQUE


def test_channel_orders_place_the_components():
    texel = np.uint8([[10, 20, 30, 40]])
    wanted = {"rgba": [10, 20, 30, 40], "bgra": [30, 20, 10, 40], "argb": [20, 30, 40, 10], "abgr": [40, 30, 20, 10]}
    for order, colour in wanted.items():
        assert Image(texel, "unsigned_int8", order).read(None, 0).tolist() == colour
    assert Image(texel[:, :2], "unsigned_int8", "ra").read(None, 0).tolist() == [10, 0, 0, 20]
    assert Image(texel[:, :1], "unsigned_int8", "a").read(None, 0).tolist() == [0, 0, 0, 10]
    assert Image(np.int8([[-5]]), "signed_int8", "luminance").read(None, 0).tolist() == [-5, -5, -5, 1]


def test_negative_coordinate_repeats_from_the_end():
    """The exact s - floor(s) = 1 - 2^-149 is in the last texel; float arithmetic would round it to the first."""
    image = Image(np.uint8([[1], [2], [3]]), "unsigned_int8", "r")
    read = image.read(Sampler("repeat", normalized=True), np.float32([-1e-45, -0.25, -2 / 3, -1, 1, 2.99, 1e30]))
    assert read[:, 0].tolist() == [3, 3, 1, 1, 1, 3, 1]
    mirrored = image.read(Sampler("mirrored_repeat", normalized=True), np.float32([-0.1, 1.1, 2.1, 3.1, -1.1, 1]))
    assert mirrored[:, 0].tolist() == [1, 3, 1, 3, 3, 3]


def test_layers_are_rounded_to_even_and_clamped():
    image = Image(np.arange(4, dtype=np.uint8).reshape(4, 1, 1, 1), "unsigned_int8", "r", array=True)
    at = np.float32([-9, 0.5, 0.5000001, 1.5, 2.5, 3.5, 1e30])
    places = np.stack([np.zeros(7), np.zeros(7), at], axis=-1).astype(np.float32)
    assert image.read(Sampler(), places)[:, 0].tolist() == [0, 0, 1, 2, 2, 3, 3]
    assert image.read(Sampler("repeat", normalized=True), places)[:, 0].tolist() == [0, 0, 1, 2, 2, 3, 3]


def test_integer_coordinates_select_texels():
    image = Image(np.arange(6, dtype=np.int16).reshape(2, 3, 1), "signed_int16", "r")
    assert image.read(None, [2, 1]).tolist() == [5, 0, 0, 1]
    places = np.int32([[2, 1], [3, 1], [-1, 0], [0, 2**31 - 1]])
    assert image.read(Sampler("clamp"), places)[:, 0].tolist() == [5, 0, 0, 0]
    assert image.read(Sampler("clamp_to_edge"), np.int32([[9, 9], [-(2**31), 1]]))[:, 0].tolist() == [5, 3]
    assert image.read(Sampler("clamp_to_edge", normalized=True), np.int32([[0, 1]]))[:, 0].tolist() == [3]


def test_special_texels_are_kept_unless_filtered():
    """Linear filters give NaN for infinities and NaNs, and +0 for zeros."""
    image = Image(np.float32([[-0.0], [-0.0], [np.inf], [1.0], [np.nan], [1e-45]]), "float", "r")
    plain = image.read(None, np.arange(6, dtype=np.int32))[:, 0]
    np.testing.assert_array_equal(plain, np.float32([-0.0, -0.0, np.inf, 1, np.nan, 1e-45]))
    assert np.signbit(plain[:2]).all()
    mixed = image.read(Sampler("clamp", "linear"), np.float32([1, 1.75, 2.5, 3.5, 4.75, 0.9, 5.5]))[:, 0]
    np.testing.assert_array_equal(mixed, np.float32([0, np.nan, np.nan, np.nan, np.nan, 0, 1e-45]))
    assert not np.signbit(mixed[:1]).any()


def test_huge_coordinates_are_outside():
    image = Image(np.uint8([[10], [20]]), "unsigned_int8", "r")
    huge = np.float32([-3.4e38, 3.4e38, -(2.0**31), 2.0**32])
    assert image.read(Sampler("clamp", normalized=True), huge)[:, 0].tolist() == [0] * 4
    assert image.read(Sampler("clamp_to_edge"), huge)[:, 0].tolist() == [10, 20, 10, 20]
    assert image.read(Sampler("repeat", normalized=True), huge)[:, 0].tolist() == [10] * 4


@for_each("type", TYPES)
def test_written_colours_are_read_again(type):
    rng = np.random.default_rng(3)
    for order in orders_of(type):
        data, image = image_of(rng, type, order, 2, array=False)
        if not TYPES[type].shifts:
            np.testing.assert_array_equal(image.data, data)
        width, height = image.sizes
        places = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(np.int32)
        color = image.read(None, places)
        for mode in MODES if TYPES[type].reads[0] != "float" else ("rte",):
            blank = Image(np.zeros_like(data), type, order)
            blank.write(places, color, rounding=mode)
            np.testing.assert_array_equal(blank.read(None, places), color)


def test_writes_equal_writes_of_channels():
    color = np.float32([0.3, -2, 0.7, 0.51])
    image = Image(np.zeros((1, 4), np.uint8), "unorm_int8", "sbgra")
    image.write(0, color, rounding="rtp")
    red, alpha = clmath.write_srgb(color[0], rounding="rtp"), clmath.write_unorm_int8(color[3], rounding="rtp")
    assert image.data.tolist() == [[clmath.write_srgb(color[2], rounding="rtp"), 0, red, alpha]]
    image = Image(np.zeros(2, np.uint16), "unorm_short_565", "rgb")
    image.write([1, 0, 1], np.float16([[0, 0, 0, 0], [1, 0, 1, 0], [0, 1, 0.5, 1]]))
    assert image.data.tolist() == [0xF81F, 0x07E0 | 16]
    image = Image(np.zeros((2, 1, 1), np.int8), "signed_int8", "a", array=True)
    image.write([0, 1], np.int32([1, 2, 3, 1000]))
    assert image.data.tolist() == [[[0]], [[127]]]
    image = Image(np.zeros((2, 1), np.float32), "float", "depth")
    image.write([0, 1], np.float32([0.5, 1.5]))
    assert image.read(None, [1, 0]).tolist() == [1.5, 0.5]


def test_image_copies_data_of_any_layout():
    data = np.arange(48, dtype=">u2").reshape(2, 4, 6)[:, ::-1, ::2].transpose(1, 0, 2)
    image = Image(data, "unorm_int16", "rgb")
    np.testing.assert_array_equal(image.data, data)
    assert image.sizes == (2, 4)
    places = np.asfortranarray(np.float32([[0.5, 1.25], [1.5, 3.5], [0.5, 9]]))
    wanted = image.read(Sampler("clamp", "linear"), np.ascontiguousarray(places))
    np.testing.assert_array_equal(image.read(Sampler("clamp", "linear"), places.astype(">f4")), wanted)
    np.testing.assert_array_equal(image.read(Sampler("clamp", "linear"), places[::-1])[::-1], wanted)
    assert image.read(Sampler("clamp", "linear"), places[:0]).shape == (0, 4)
    image.data[...] = 0
    np.testing.assert_array_equal(image.data, data)


def test_samplers_are_immutable_values():
    sampler = Sampler("repeat", "linear", normalized=True)
    assert pickle.loads(pickle.dumps(sampler)) == sampler  # noqa: S301
    assert len({sampler, Sampler("repeat", "linear", normalized=True), Sampler()}) == 2
    with pytest.raises(AttributeError, match="make a new one"):
        sampler.filter = "nearest"


IMAGE = Image(np.zeros((2, 2, 1), np.uint8), "unorm_int8", "r")
WHOLE_IMAGE = Image(np.zeros((2, 2, 1), np.uint8), "unsigned_int8", "r")


@for_each(
    ("call", "error", "message"),
    [
        (lambda: Image(np.zeros(4, np.uint8), "unorm_int8"), clmath.ShapeError, "1 to 3 axes"),
        (lambda: IMAGE.read(Sampler("clamp"), np.float32([0, -np.inf])), clmath.RangeError, "include -inf"),
        (lambda: IMAGE.read(None, [0, -1]), clmath.RangeError, "includes -1, outside"),
        (lambda: IMAGE.read(None, np.float32([0, 1])), clmath.DTypeError, "int32 is needed"),
        (lambda: IMAGE.read(Sampler(), np.zeros(3, np.float32)), clmath.ShapeError, "3 components; 2 are needed"),
        (lambda: WHOLE_IMAGE.read(Sampler("clamp", "linear"), [0.0, 1.0]), clmath.RangeError, "for integers"),
        (lambda: IMAGE.read(None, [0, 1], "double"), clmath.UnknownNameError, "'float', 'half'"),
        (lambda: WHOLE_IMAGE.read(None, [0, 1], "int"), clmath.UnknownNameError, "not one of 'uint'"),
        (lambda: IMAGE.write([0, 2], np.float32([1, 1, 1, 1])), clmath.RangeError, "outside of 2 texels"),
        (lambda: IMAGE.write([0, 1], np.float32([1, 1, 1])), clmath.ShapeError, "3 components; 4"),
        (lambda: IMAGE.write([0, 1], np.int32([1, 1, 1, 1])), clmath.DTypeError, "half or float"),
    ],
)
def test_wrong_argument_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_special_texel_does_not_leak_into_the_border():
    """The first texel used to take the place of the border, multiplied by 0."""
    for special in (np.inf, -np.inf, np.nan):
        image = Image(np.float32([[special], [1], [2]]), "float", "rx")
        found = image.read(Sampler("clamp", "linear"), np.float32([2.75, 3.25, 5, -3]))[:, 0]
        assert found.tolist() == [1.5, 0.5, 0, 0]
        flat = Image(np.float32([[[special], [1]], [[2], [3]]]), "float", "rx")
        assert flat.read(Sampler("clamp", "linear"), np.float32([50, 50]))[0] == 0
