"""Strategies of image reads, channels and printed texts: generated values are accepted, and find faults."""

import re

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings

import clmath
from clmath.direct.texels import ORDERS, TYPES
from clmath.spec.families import families
from clmath.testing import assert_conforms
from clmath.testing import strategies as cl
from tests.cases import for_each
from tests.image import sampled

FEW = settings(max_examples=20, deadline=None)
DRAWN = settings(max_examples=5000, deadline=None, phases=[Phase.generate], report_multiple_bugs=False)
CHANNELS = [row for row in families().values() if re.match("(read|write)_", row.name)]


@FEW
@given(cl.reads(), cl.rounding_modes())
def test_reads_agree_with_the_formulas(read, mode):
    image, sampler = read.image, read.sampler or clmath.Sampler()
    got = image.read(read.sampler, read.coordinates, rounding=mode)
    places = read.coordinates.reshape(len(read.coordinates), -1).tolist()
    for place, texel in zip(places, got.reshape(len(places), -1), strict=True):
        kind = image.type, image.order, image.array
        true = sampled.sample(image.data, kind, (sampler.addressing, sampler.filter, sampler.normalized), place)
        if got.dtype.kind == "f":
            assert all(sampled.is_rounded(*pair, mode) for pair in zip(texel, true, strict=True))
        else:
            assert texel.tolist() == true


WANTED = {
    "a linear filter": lambda r: r.sampler is not None and r.sampler.filter == "linear",
    "a layer beyond the last": lambda r: r.image.array and (r.coordinates[:, -1] > r.image.array_size).any(),
    "no sampler": lambda r: r.sampler is None and r.image.array_size > 1,
    "three dimensions": lambda r: len(r.image.sizes) == 3,
    "a negative coordinate that is repeated": lambda r: (
        r.sampler is not None and r.sampler.addressing == "repeat" and (r.coordinates < 0).any()
    ),
    "packed": lambda r: r.image.type == "unorm_short_555",
    "srgb": lambda r: r.image.order == "sbgra",
}


@pytest.mark.exhaustive
@for_each("what", WANTED)
def test_reads_of_every_kind_are_generated(what):
    find(cl.reads(), WANTED[what], settings=DRAWN)


def test_border_of_another_colour_is_found():
    def has_alpha(read):
        found = read.image.read(read.sampler, read.coordinates)
        return found[..., 3].min() < 1  # a driver with opaque borders in every order returns 1

    read = find(cl.reads(["unorm_int8"], ["rx"]), has_alpha, settings=DRAWN)
    assert read.sampler.addressing in ("clamp", "none")


def test_types_and_orders_are_restricted_to_the_named_ones():
    @FEW
    @given(cl.reads(["unorm_short_565", "half_float"], ["rgbx", "a"]))
    def check(read):
        pair = read.image.type, read.image.order
        assert pair in {("unorm_short_565", "rgbx"), ("half_float", "rgbx"), ("half_float", "a")}

    check()


@for_each("row", CHANNELS)
def test_arguments_of_channels_are_accepted(row):
    type_ = row.types[-1]

    @settings(max_examples=5, deadline=None)
    @given(cl.arguments(row.name, type_, shape=(3,)))
    def check(args):
        (x,) = args
        components = {"write": (3,), "read": ()} if row.widths == (3,) else dict.fromkeys(("write", "read"), (4,))
        assert x.shape == ((3,) if 1 in row.widths or not row.widths else (3, *components[row.name.partition("_")[0]]))
        assert_conforms(getattr(clmath, row.name)(x), row.name, args)

    check()


@FEW
@given(cl.printed())
def test_printed_texts_are_defined(case):
    form, value = case
    text = clmath.sprintf(form, value)
    assert isinstance(text, str)
    if "v" in form:
        assert text.count(",") == np.size(value) - 1


@for_each("part", ["#", "v16hl", "hhu", "%c", ".40", "la", "ho"])
def test_every_part_of_a_format_is_generated(part):
    find(cl.printed(), lambda case: part in case[0], settings=DRAWN)


@for_each(
    ("call", "words"),
    [
        (lambda: cl.reads(["unorm8"]), "types='unorm8' is not one of"),
        (lambda: cl.reads(orders=["rgbb"]), "orders='rgbb' is not one of"),
        (lambda: cl.reads(["float"], ["srgb"]), "no type of types has an order of orders"),
        (lambda: cl.printed("fn"), "conversions='n' is not one of"),
        (lambda: cl.printed(""), "names none"),
        (lambda: cl.arguments("read_unorm_int8", "double"), "type='double' is not one of"),
    ],
)
def test_invalid_input_is_refused_by_name(call, words):
    with pytest.raises(clmath.ClmathError, match=re.escape(words)):
        call()


def test_every_pair_of_type_and_order_is_accepted():
    pairs = 0
    for type_ in TYPES:
        for order in ORDERS:
            try:
                cl.reads([type_], [order])
                pairs += 1
            except clmath.RangeError:
                data = np.zeros((1, *([] if TYPES[type_].shifts else [ORDERS[order].stored])), TYPES[type_].dtype)
                with pytest.raises(clmath.ClmathError):
                    clmath.Image(data, type_, order)
    assert pairs == (len(TYPES) - 3) * (len(ORDERS) - 4) + 4 + 3 * 2
