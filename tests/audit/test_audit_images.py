"""Images: correct reads and writes pass, also on a real device; wrong channels and wrong texels are caught."""

from __future__ import annotations

import functools
import itertools
import re
from fractions import Fraction

import numpy as np
import pytest

from clmath.audit.acceptance.criteria import judging_rules
from clmath.audit.exact import images
from clmath.audit.exact.bitwise import allowed_results, waived
from clmath.audit.exact.exact_criteria import Calls, ExactCriteria
from clmath.audit.inputs import sampled
from clmath.audit.isolation.choosing import target_named
from clmath.audit.opencl import image_calls
from clmath.audit.plan import sampled_rows
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.sampled_rows import texels
from clmath.audit.plan.types import TYPES
from clmath.direct.texels import TYPES as CHANNEL_TYPES
from clmath.functions.sampling import Image, Sampler
from clmath.spec import files
from clmath.spec.families import exact_builtins, packed_by
from tests.audit.faulty import Faulty, verdicts
from tests.cases import for_each
from tests.image import sampled as of_formulas

SIZE = np.float32(sampled_rows.SIZES["2d"])
RGBA = item_of(exact_builtins()["sample_rgba"], TYPES["float"], 4)
LAW = ExactCriteria("full", "rte", flushes=False)
FREE = LAW.freedom(RGBA)


@pytest.fixture
def few_coordinates(monkeypatch):
    """Use a fifth of the structured coordinates; faults still show."""
    structured = sampled.structured
    monkeypatch.setattr(sampled, "structured", lambda item: tuple(column[::5] for column in structured(item)))


def type_of(name):
    return "uint" if "unsigned" in name else "int" if "signed" in name or "integer" in name else "float"


def statuses(device, name, inputs=200):
    """Return the status of a built-in for each number of channels."""
    return {v.item.components: v.status for v in verdicts(device, [name], [type_of(name)], inputs=inputs)}


def channels(order):
    """Return a change that reorders the four channels."""
    return lambda found, *_: found[:, order] if found.ndim > 1 and found.shape[-1] == 4 else found


MISPLACED = {  # by built-in
    "read_unorm_int8": [1, 0, 2, 3],
    "read_float": [0, 1, 3, 3],
    "write_signed_int8": [3, 0, 1, 2],
    "write_unorm_int16": [0, 0, 0, 0],
}


@pytest.mark.slow
@for_each("name", MISPLACED)
def test_misplaced_channel_is_caught(name):
    assert set(statuses(Faulty(), name).values()) == {"pass"}
    found = statuses(Faulty(channels(MISPLACED[name])), name)
    assert (found[1], found[4]) == ("pass", "fail")


def elsewhere(name, change):
    """Return reads at other coordinates: ``change`` maps the coordinates in the plane."""

    def read(_, coord):
        at = coord.copy()
        at[:, :2] = change(at[:, :2])
        return sampled_rows.computed(exact_builtins()[name], type_of(name), at)

    return read


def with_weights(bits):
    """Return a change of normalized coordinates to multiples of 2^-bits texels."""
    return lambda at: np.rint(at * SIZE * 2.0**bits) / np.float32(2.0**bits) / SIZE


def moved(name, element, what):
    """Return reads in which one coordinate passes through ``what``."""

    def read(_, coord):
        other = coord.copy()
        other[:, element] = what(other[:, element])
        return sampled_rows.computed(exact_builtins()[name], type_of(name), other)

    return read


def without_alpha(where):
    """Return reads whose alpha is 0 where ``where(coordinates)`` holds."""

    def read(found, coord):
        found = found.copy()
        found[where(coord), 3] = 0
        return found

    return read


def rounded_up(w):
    return np.floor(w + np.float32(0.5))


SAMPLED_WRONGLY = {  # by built-in
    "sample_rgba": lambda at: np.clip(at, 0, SIZE - 1),
    "sample_integer_rgba": np.trunc,
    "sample_repeat_unorm_int8": np.abs,
    "sample_mirrored_repeat_float": lambda at: at - np.floor(at),
    "sample_clamp_unorm_int16": lambda at: at + np.float32(0.5) / SIZE,
    "sample_clamp_to_edge_float": with_weights(5),
}
SIGNED_WRONGLY = {
    "sample_signed_int16": lambda found, *_: found & 0xFFFF,
    "sample_unsigned_int16": lambda found, *_: found & 0xFF,
    "sample_unsigned_int32": lambda found, *_: found & 0x7FFFFFFF,
    "sample_signed_int32": lambda found, *_: found // 256 * 256,
}
WRONG_READS = {
    **{name: elsewhere(name, change) for name, change in SAMPLED_WRONGLY.items()},
    **SIGNED_WRONGLY,
    "sample_linear_3d": moved("sample_linear_3d", 2, lambda z: (np.floor(z * 5) + np.float32(0.5)) / 5),
    "sample_bgra": channels([2, 1, 0, 3]),
    "sample_a": channels([3, 1, 2, 0]),
    # faults of PoCL 3.0 and 3.1
    "sample_r": without_alpha(lambda c: (c[:, 3] == 1) & (c[:, 0] < 0)),
    "sample_integer_r": without_alpha(lambda c: c[:, 3] >= 0),
    "sample_2d_array": moved("sample_2d_array", 2, rounded_up),
    "sample_1d_array": moved("sample_1d_array", 1, rounded_up),
    "sample_linear_1d_array": moved("sample_linear_1d_array", 1, lambda w: w * 4),
    "sample_linear_2d_array": moved("sample_linear_2d_array", 2, np.floor),
}


@pytest.mark.slow
@pytest.mark.usefixtures("few_coordinates")
@for_each("name", WRONG_READS)
def test_wrong_sampled_read_is_caught(name):
    found = [statuses(device, name) for device in (Faulty(), Faulty(WRONG_READS[name]))]
    assert found == [{4: "pass"}, {4: "fail"}]


@pytest.mark.slow
@pytest.mark.usefixtures("few_coordinates")
@for_each(
    "name", ["sample_rgba", "sample_repeat_float", "sample_linear_1d", "sample_linear_3d", "sample_unsigned_int16"]
)
def test_sampled_reads_of_a_real_device_pass(name, opencl_device):
    assert statuses(target_named(opencl_device), name) == {4: "pass"}


TINY = np.finfo(np.float32).tiny


@functools.cache
def reads_of(name, type, count):
    """Return coordinates, structured and ``count`` random ones, with clmath's results and the acceptable results."""
    item = item_of(exact_builtins()[name], TYPES[type], 4)
    parts = sampled.structured(item), sampled.generated(item, np.random.default_rng(0), count)
    coord = np.concatenate([np.stack(columns, axis=-1) for columns in parts])
    right = sampled_rows.computed(item.builtin, type, coord)
    return coord, right, allowed_results(Calls(item, (coord,), LAW))


def wrong_reads(name, read, count=0):
    """Count wrong results: ``read(how, way, at, type)`` gives the results of one way, or None for clmath's results."""
    type = type_of(name)
    (coord, right, asked), how = reads_of(name, type, count), sampled_rows.sampling(exact_builtins()[name], type)
    got = right.copy()
    for number, way in enumerate(how.ways):
        here = sampled_rows.reads_in_way(how, number, coord)
        with np.errstate(over="ignore", invalid="ignore"):
            found = read(how, way, sampled_rows.places(how, coord[here]), type)
        got[here] = got[here] if found is None else found
    return int((~(asked.accepts(got) | asked.is_free)).sum())


def of_texels(change):
    """Return reads of an image with other texels."""
    return lambda how, *args: how._replace(data=change(how.data)).read(*args)


def instead(stored, other):
    """Return reads in which the texels with one value have another one."""
    return of_texels(lambda data: np.where(data == data.dtype.type(stored), data.dtype.type(other), data))


def of_results(change, which=lambda _: True):
    """Return reads with changed results in the selected ways."""
    return lambda how, way, *args: change(how.read(way, *args)) if which(way) else None


def at_other_places(axis, change, *which):
    """Return reads in the ways selected by words, at another coordinate in texels: ``change(u, size)``."""

    def read(how, way, at, type):
        sampler, size = way.sampler, how.sizes[axis]
        words = {sampler.addressing, sampler.filter, "normalized" if sampler.normalized else "texels"}
        if not {*which} <= words | {"ints" if way.are_ints else "floats"}:
            return None
        scale, at = size if sampler.normalized else 1, at.copy()
        u = at[:, axis] * np.float64(scale)
        u = np.floor(u) if way.are_ints else u
        at[:, axis] = np.where(change(u, size) != u, change(u, size) / scale, at[:, axis])
        return how.read(way, at, type)

    return read


def if_between(low, high, other):
    """Return a change of the coordinates from low to high, both (texels, sizes), to the part ``other`` of the size."""

    def change(u, n):
        (a, i), (b, j) = low, high
        return np.where((u >= a + i * n) & (u <= b + j * n), other * n, u)

    return change


def through_half(values):
    return values.astype(np.float16).astype(values.dtype)


AT_SIZE, BELOW_0 = ((0, 1), (0, 1)), ((-1e-5, 0), (-(2.0**-126), 0))
FAULTS = {  # faulty reads by built-in and name of the fault
    # the ends of channel types
    ("sample_linear_r_float", "halfs"): of_results(through_half),
    ("sample_clamp_to_edge_float", "halfs"): of_results(through_half),
    ("sample_repeat_float", "halfs"): of_results(through_half),
    ("sample_repeat_float", "ends of 2"): of_results(lambda found: found.clip(-2, 2)),
    ("sample_linear_depth_float", "31 bits"): of_results(
        lambda f: (f.view(np.uint32) & ~np.uint32(1)).view(np.float32)
    ),
    ("sample_clamp_half_float", "an end"): of_results(lambda found: found.clip(-65472, 65472)),
    ("sample_linear_rx_half_float", "subnormals"): of_texels(lambda d: np.where(np.abs(d) < 2.0**-14, 0 * d, d)),
    ("sample_linear_a_snorm_int8", "the least"): instead(-128, -126),
    ("sample_repeat_snorm_int8", "the least"): instead(-128, -126),
    ("sample_linear_a_snorm_int16", "the least"): instead(-32768, -32766),
    ("sample_clamp_unorm_int16", "the greatest"): instead(65535, 65534),
    **{(f"sample_signed_int{b}", "the least"): instead(-(2 ** (b - 1)), 1 - 2 ** (b - 1)) for b in (8, 16, 32)},
    **{(f"sample_signed_int{b}", "the greatest"): instead(2 ** (b - 1) - 1, 2 ** (b - 1) - 2) for b in (8, 16, 32)},
    **{(f"sample_unsigned_int{b}", "the greatest"): instead(2**b - 1, 2**b - 2) for b in (8, 16, 32)},
    # one axis at a border, the others inside
    **{
        (name, f"{what}, axis {axis}"): at_other_places(axis, if_between(*ends, other), *which)
        for name, axes in (("sample_3d", 3), ("sample_2d_array", 2), ("sample_integer_r", 2), ("sample_1d", 1))
        for axis in range(axes)
        for what, ends, other, which in [
            ("the size", AT_SIZE, 0.99, ("clamp", "texels", "floats")),
            ("below 0", BELOW_0, 0, ("clamp", "texels", "floats")),
            ("int -1", ((-1, 0), (-1, 0)), 0, ("clamp", "ints")),
            ("int beyond", AT_SIZE, 0, ("clamp_to_edge", "ints")),
            ("last int", ((-1, 1), (-1, 1)), 0, ("none", "ints")),
            ("repeated", ((0, 1), (0.8, 1)), 0.99, ("repeat", "nearest")),
            ("mirrored", ((0.2, 1), (0.8, 1)), 0.01, ("mirrored_repeat", "nearest")),
            ("over the size", ((-0.8, 0), (-0.2, 0)), 0.01, ("clamp", "nearest", "normalized")),
        ]
    },
    **{
        ("sample_linear_3d", f"{what}, axis {axis}"): at_other_places(axis, if_between(*ends, other), "linear", *which)
        for axis in range(3)
        for what, ends, other, which in [
            ("edge", ((-9, 0), (0.4, 0)), 0.9, ("clamp_to_edge", "texels")),
            ("border", ((-0.4, 0), (0.4, 0)), 0.1, ("clamp", "normalized")),
            ("seam", ((-0.4, 1), (-0.1, 1)), 0.9, ("repeat",)),
            ("inside", ((0.6, 0), (1.4, 0)), 0.5, ("none", "texels")),
        ]
    },
    # coordinates several images away
    **{
        (name, f"{mode}, {first} images away, axis {axis}"): at_other_places(
            axis, if_between((0, first), (0, first + 30), 0.4), mode, "normalized"
        )
        for name, axes in (("sample_integer_rgba", 2), ("sample_1d", 1), ("sample_3d", 3), ("sample_linear_3d", 3))
        for axis in range(axes)
        for mode in ("repeat", "mirrored_repeat")
        for first in (-35, 4)
    },
    # sizes
    ("sample_size_300x3", "8 bits"): at_other_places(0, lambda u, _: np.where(u >= 256, u - 256, u)),
    ("sample_size_1x258", "8 bits"): at_other_places(
        1, lambda u, _: np.where(u >= 256, u - 256, u), "nearest", "texels"
    ),
    ("sample_size_2x3x260", "8 bits"): at_other_places(2, lambda u, _: np.where(u >= 256, u - 256, u), "linear"),
    ("sample_size_64", "a power of two"): at_other_places(0, lambda u, n: u.clip(0.5, n - 0.5), "repeat"),
    ("sample_size_1x1x1", "one texel"): of_results(
        lambda found: 0 * found, lambda way: way.sampler.addressing == "repeat"
    ),
}


@pytest.mark.slow
@for_each("name, fault", FAULTS)
def test_faults_at_ends_and_borders_are_caught(name, fault):
    """Structured coordinates catch each fault, independent of the seed."""
    assert wrong_reads(name, FAULTS[name, fault])


def filtered(change):
    return of_results(lambda found: change(found.astype(np.float64)).astype(found.dtype), is_linear)


def is_linear(way):
    return way.sampler.filter == "linear"


def in_steps(count):
    """Return filters whose results are rounded to ``count`` steps, or are nearly one step too large."""
    return filtered(lambda found: np.rint(found * count) / count), filtered(lambda found: found + 0.99 / count)


def in_codes(found):
    """Return colours rounded to sRGB codes."""
    srgb = np.where(found < 0.0031308, 12.92 * found, 1.055 * np.abs(found) ** (1 / 2.4) - 0.055)
    codes = np.rint(srgb * 255) / 255
    colours = np.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)
    return np.where(np.arange(4) < 3, colours, found)


def of_other_weights(rounded):
    """Return filters whose locations are rounded to multiples of 2^-8 texels."""

    def read(how, way, at, type):
        if not is_linear(way) or way.sampler.addressing == "none":
            return None
        axes, scale, at = len(how.sizes), how.sizes if way.sampler.normalized else 1, at.copy()
        u = at[:, :axes] * np.float64(scale)
        at[:, :axes] = np.where(np.abs(u) < 2**14, rounded(u * 256) / 256 / scale, at[:, :axes])
        return how.read(way, at, type)

    return read


def off_by(texels):
    """Return reads with the nearest filter, ``texels`` away from normalized coordinates that are not at borders."""

    def change(u, n):
        return np.where((u > 0.2) & (u < n - 0.2), u + texels, u)

    return at_other_places(0, change, "nearest", "normalized")


def larger(part):
    def read(how, way, at, type):
        found = how.read(way, at, type)
        return None if way.is_exact else np.where(np.isfinite(found * (1 + part)), found * (1 + part), found)

    return read


def without_subnormals(values):
    return np.where(np.abs(values) < TINY, np.copysign(np.float32(0), values), values)


LAWFUL = {
    **{("sample_linear_rgba", "8 bits", k): device for k, device in enumerate(in_steps(255))},
    **{("sample_linear_3d", "8 bits", k): device for k, device in enumerate(in_steps(255))},
    **{("sample_linear_a_snorm_int8", "8 bits", k): device for k, device in enumerate(in_steps(127))},
    **{("sample_linear_unorm_short_565", "5 bits", k): device for k, device in enumerate(in_steps(31))},
    **{("sample_linear_r_snorm_int16", "16 bits", k): device for k, device in enumerate(in_steps(32767))},
    **{(name, "codes", 0): filtered(in_codes) for name in ("sample_linear_srgb", "sample_linear_sbgra")},
    **{
        (name, "weights", k): of_other_weights(rounded)
        for name in ("sample_linear_3d", "sample_clamp_snorm_int8", "sample_linear_depth_float", "sample_linear_srgba")
        for k, rounded in enumerate([np.floor, np.rint, np.ceil])
    },
    **{
        (name, "location", off): off_by(off)
        for name in ("sample_rgba", "sample_integer_rgba", "sample_3d", "sample_mirrored_repeat_float")
        for off in (-0.099, 0.099)
    },
    **{
        (name, "relative", part): larger(part)
        for name in ("sample_clamp_float", "sample_repeat_unorm_int16", "sample_clamp_to_edge_half_float")
        for part in (np.float16(0.0077), np.float16(-0.0077))
    },
    ("sample_linear_r_float", "subnormal results", 0): of_results(without_subnormals),
    ("sample_clamp_float", "subnormal texels", 0): of_texels(without_subnormals),
}  # fmt: skip


@pytest.mark.slow
@for_each("name, what, case", LAWFUL)
def test_errors_within_the_rule_of_opencl_cts_pass(name, what, case):
    """5.2.2 states no precision of filters and normalized coordinates."""
    assert not wrong_reads(name, LAWFUL[name, what, case], 500)


def test_twice_the_allowed_error_of_opencl_cts_fails():
    for name, read in [
        ("sample_linear_rgba", filtered(lambda found: found + 4 / 255)),
        ("sample_linear_a_snorm_int8", filtered(lambda found: found + 6 / 127)),
        ("sample_linear_unorm_short_565", filtered(lambda found: found + 4 / 31)),
        ("sample_linear_srgb", filtered(lambda found: found + 0.05)),
        ("sample_rgba", off_by(0.2)),
        ("sample_repeat_float", larger(np.float32(0.0156))),
    ]:
        assert wrong_reads(name, read)


MOST = {"snorm_int8": 127, "unorm_int8": 255, "snorm_int16": 32767, "unorm_int16": 65535, "unorm_short_565": 31}


def filtered_by_fractions(image, sampler, place):
    """Return the exact components of a filtered read, and the largest component of its texels."""
    kind, how = (image.type, image.order, False), (sampler.addressing, "linear", sampler.normalized)
    s = [Fraction(c) for c in place]
    pairs = [of_formulas.linear(c, n, how[0], how[2]) for c, n in zip(s, image.sizes, strict=True)]
    largest = [Fraction(0)] * 4
    for chosen in itertools.product(*pairs):
        at = tuple(i for i, _ in chosen)[::-1]
        inside = all(0 <= i < n for i, n in zip(at, image.sizes[::-1], strict=True))
        texel = (
            of_formulas.color(image.data[at], image.type, image.order) if inside else of_formulas.border(image.order)
        )
        largest = [max(a, abs(b)) for a, b in zip(largest, texel, strict=True)]
    return of_formulas.sample(image.data, kind, how, place), largest


@for_each("type", [*MOST, "unorm_int_101010", "half_float", "float"])
def test_rule_of_opencl_cts_in_exact_fractions(type):
    """The largest of 2^-7 of the largest texel, an absolute error (for most types), and the smallest normal float."""
    rng, order = np.random.default_rng(5), "rgb" if CHANNEL_TYPES[type].shifts else "rgba"
    data = texels("any row", type, order, (5, 6))
    if data.dtype.kind == "f":
        data = np.where(np.isfinite(data) & (np.abs(data) < 3), data, data.dtype.type(0))
    image = Image(data, type, order)
    for sampler in (Sampler("clamp", "linear"), Sampler("repeat", "linear", normalized=True)):
        scale = np.float32(image.sizes if sampler.normalized else (1, 1))
        at = np.float32(rng.integers(-8, 32, (30, 2)) / 4) / scale
        how = sampled_rows.Sampling(type, order, "2d", (), data)
        found = images.allowed_of_image(how, "float", sampled_rows.Way(sampler), at, FREE)
        for place, low, high in zip(at.tolist(), *found.intervals[0], strict=True):
            for exact, most, *ends in zip(*filtered_by_fractions(image, sampler, place), low, high, strict=True):
                reach = max(most / 128, Fraction(1, MOST[type]) if type in MOST else 0, Fraction(TINY.item()))
                assert ends[0] <= exact - reach
                assert ends[1] >= exact + reach


def test_readme_of_the_tables_names_the_numbers_of_the_rule():
    lines = files.path("README.md").read_text(encoding="utf-8").splitlines()
    (row,) = (line for line in lines if line.startswith("| which texel a sampled read takes |"))
    table = judging_rules()["sampled"]
    assert all(f"`{t}`" in row or t == "unorm_short_555" for t in table["absolute"])
    assert {*re.findall(r"1/\d+", row)} == {*table["absolute"].values()}
    numbers = 2**7 * table["relative"], table["offset"], 2**8 * table["weight"], table["srgb"]
    assert numbers == (1, 0.1, 1, 0.5)
    assert all(words in row for words in ("2^-7 of the largest", "within 0.1 texel", "2^-8 off", "half a code"))


def test_subnormal_halves_in_images_are_kept_when_results_are_flushed():
    """5.3.2: conversions are lossless; filters have no such rule."""
    item = item_of(exact_builtins()["sample_linear_r_half_float"], TYPES["half"], 4)
    criteria = ExactCriteria("full", "rte", flushes=True, flushed=frozenset({"half"}))
    coord = np.stack(sampled.structured(item), axis=-1)
    right = sampled_rows.computed(item.builtin, "half", coord)
    got = np.where(np.abs(right) < 2.0**-14, np.float16(0), right)
    lost, is_exact = (got != right).any(axis=-1), coord[:, 3] == 6
    calls = Calls(item, (coord,), criteria, got)
    asked = allowed_results(calls)
    wrong = ~(asked.accepts(got) | asked.is_free).all(axis=-1) & ~waived(calls)
    assert lost[is_exact].any()
    np.testing.assert_array_equal(wrong, lost & is_exact)


def test_unspecified_reads_are_counted():
    """Coordinates for which none of the ways to read defines a result."""
    row = exact_builtins()["sample_repeat_unorm_int8"]
    coord = np.float32([[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 7], [np.nan, 0, 0, 0], [2 / 7, 0.1, 0, 1], [0.5, 0.1, 0, 1]])
    found = images.allowed_reads(row, "float", coord, FREE)
    assert found.is_free.all(axis=-1).tolist() == [False, True, True, False, False]
    row, (width, _) = exact_builtins()["sample_rgba"], SIZE
    coord = np.float32([[width - 0.1, 0, 0, 0], [width, 0, 0, 0], [width, 0, 0, 1], [2.0**31, 0, 0, 1], [0, 0, 0, 6]])
    assert images.allowed_reads(row, "float", coord, FREE).is_free[:, 0].tolist() == [False, True, False, True, True]


@for_each("mode", ["clamp", "clamp_to_edge", "repeat", "mirrored_repeat"])
def test_either_texel_is_accepted_near_their_border(mode):
    """A normalized location may be wrong by 0.1 texel; other colours fail."""
    row, width = exact_builtins()["sample_integer_rgba"], int(SIZE[0])
    way = next(w for w, how in enumerate(sampled_rows.NEAREST) if how.sampler == Sampler(mode, normalized=True))
    for end in (-width, -1, 0, 1, 4, width, width + 1):
        u = np.array([end - 0.11, end - 0.09, end, end + 0.09, end + 0.11])
        coord = np.stack([np.float32(u / width), *np.float32([[0.3], [0], [way]]).repeat(5, axis=1)], axis=-1)
        read = sampled_rows.computed(row, "int", coord)
        due = images.allowed_reads(row, "int", coord, FREE)
        assert not due.is_free.any()
        assert due.accepts(read).all()
        assert due.accepts(read[[0, 4, 0, 0, 4]]).all()
        assert due.accepts(read[[4, 4, 4, 4, 0]])[[0, 4]].all() == (read[0] == read[4]).all()
        between = (read[0] + read[4]) // 2
        is_one = (between == read[0]) | (between == read[4])
        assert (due.accepts(np.broadcast_to(between, read.shape)) <= is_one).all()


@pytest.mark.usefixtures("few_coordinates")
@for_each("name, type", [("unorm_short_565", "half"), ("unorm_short_555", "float"), ("unorm_int_101010", "float")])
def test_faults_in_packed_channels_are_caught(name, type):
    """Clmath passes; a device that exchanges red and blue, or has 5 bits of green, fails."""

    def cut(found, *_):
        found = found.copy()
        found[:, 1] = np.floor(found[:, 1] * 31) / 31
        return found

    faults = {"none": lambda f, *_: f, "order": lambda f, *_: f[:, [2, 1, 0, 3]], "bits": cut}
    found = {
        fault: verdicts(Faulty(wrong), [f"sample_{name}"], [type], inputs=200)[0].status
        for fault, wrong in faults.items()
    }
    assert found == {"none": "pass", "order": "fail", "bits": "fail" if name != "unorm_short_555" else "pass"}


WORDS = ["unorm_short_565", "unorm_short_555", "unorm_int_101010"]


def moved_by(shift):
    """Return a change that stores one channel of each word as the next smaller code, unless it is 0."""
    return lambda found, *_: np.where(found >> shift & 31, found - (1 << shift), found).astype(found.dtype)


@pytest.mark.slow
@for_each("type", ["half", "float"])
@for_each("name", WORDS)
def test_words_of_packed_channels_are_judged_channel_by_channel(name, type):
    kind = packed_by(exact_builtins()[f"write_{name}"])
    (red, green, blue), most = kind.shifts, [channel.most for channel in kind.channels]

    def swapped(found, *_):
        r, g, b = (found >> s & m for s, m in zip(kind.shifts, most, strict=True))
        return (b << red | g << green | r << blue).astype(found.dtype)

    def any_spare_bits(found, *_):
        spare = np.iinfo(found.dtype).max ^ sum(m << s for s, m in zip(kind.shifts, most, strict=True))
        return found | found.dtype.type(spare)

    def cut(_, color):
        with np.errstate(invalid="ignore"):  # for signaling NaN
            numbers = np.nan_to_num(color.astype(np.float64)).clip(0, 1)
        parts = [np.floor(numbers[:, n] * most[n]).astype(np.int64) << s for n, s in enumerate(kind.shifts)]
        return sum(parts).astype(kind.dtype)

    faults = {
        "none": (lambda found, _: found, "pass"),
        "bits of no channel": (any_spare_bits, "pass"),
        "order": (swapped, "fail"),
        "cut": (cut, "fail"),
        **{f"code at {s}": (moved_by(s), "fail") for s in kind.shifts},
    }
    for fault, (wrong, due) in faults.items():
        (verdict,) = verdicts(Faulty(wrong), [f"write_{name}"], [type], inputs=1000)
        assert (fault, verdict.status) == (fault, due)


@for_each("verb, name", [(verb, name) for name in WORDS for verb in ("read", "write")])
def test_programs_of_packed_channels_accept_both_orders(verb, name):
    """No available driver supports such images."""
    item = item_of(exact_builtins()[f"{verb}_{name}"], TYPES["float"], 3)
    assert f"{verb}_imagef(" in image_calls.image_source(item)
    assert image_calls.orders_of(item.builtin, 3) == ("rgb", "rgbx")


def test_non_finite_colour_leaves_only_its_own_channel_unspecified():
    for name in WORDS:
        item = item_of(exact_builtins()[f"write_{name}"], TYPES["float"], 3)
        kind = packed_by(item.builtin)
        color = np.float32([[np.nan, 1, 0], [np.inf, 1, 0]])
        asked = allowed_results(Calls(item, (color,), ExactCriteria("full", "rte", flushes=False)))
        green = kind.channels[1].most << kind.shifts[1]
        words = [green | red << kind.shifts[0] for red in (0, 1, kind.channels[0].most)]
        assert all(asked.accepts(np.full(2, w, kind.dtype)).all() for w in words)
        assert not asked.accepts(np.full(2, 0, kind.dtype)).any()
        assert not asked.accepts(np.full(2, words[0] | 2, kind.dtype)).any()
