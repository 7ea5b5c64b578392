"""Images of a real device, as they are and with channels that come from a wrong place."""

from __future__ import annotations

import functools
import itertools
import re

import numpy as np
import pytest

from clmath.audit.exact import sampled_reads
from clmath.audit.exact.allowed_results import AllowedResults, allowed_results
from clmath.audit.exact.exact_law import ExactLaw
from clmath.audit.exact.sampled_reads import Freedom
from clmath.audit.inputs import sampled
from clmath.audit.isolation.choosing import subject
from clmath.audit.opencl import image_calls
from clmath.audit.plan import sampled_rows
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.audit.running.run import audit
from clmath.audit.subjects.clmath_itself import Clmath
from clmath.direct.texels import ORDERS
from clmath.spec.families import exact_builtins, packed_by
from tests.audit.together import Together
from tests.cases import for_each

WRONG = {
    "red for green": ("read_unorm_int8", "float", ".yxzw"),
    "no blue": ("read_float", "float", ".xyww"),
    "alpha first": ("write_signed_int8", "int", ".wxyz"),
    "red everywhere": ("write_unorm_int16", "float", ".xxxx"),
}


def verdicts(device, name, type):
    plan = Plan.of([name], [type], inputs=500, second_look=False, jobs=1)
    return {v.item.lanes: v for v in audit(plan, device)}


def misplaced(item, taken):
    """The text of a row's program that takes the channels of vectors from other places."""
    return re.sub(
        r"read_image\w+\(.*\)(?=, i, other)|vload4\(i, other\)", rf"(\g<0>){taken}", image_calls.image_source(item)
    )


@pytest.mark.slow
@for_each("case", WRONG)
def test_a_channel_at_a_wrong_place_is_caught(case, reading):
    name, type, taken = WRONG[case]
    assert verdicts(reading(image_calls.image_source), name, type)[4].status == "pass"
    found = verdicts(reading(functools.partial(misplaced, taken=taken)), name, type)
    assert (found[1].status, found[4].status) == ("pass", "fail")
    assert all(example.got != example.expected for example in found[4].tally.failures)


# rows of sampled reads, and what their kernels do instead
SAMPLED_WRONGLY = {
    "the border is the edge": ("sample_rgba", "way1 = (.*)CLAMP ", r"way1 = \1CLAMP_TO_EDGE "),
    "the edge is a border": ("sample_integer_rgba", "ADDRESS_CLAMP_TO_EDGE", "ADDRESS_CLAMP"),
    "channels in another order": ("sample_bgra", r"(read_image\w+\(image, way1, at.xy\))", r"\1.zyxw"),
    "alpha of a is red": ("sample_a", r"(read_image\w+\(image, way\d, .*?\))(?=, i, other)", r"\1.wyzx"),
    "ints cut toward zero": ("sample_rgba", "convert_int2_rtn", "convert_int2_rtz"),
    "negative coordinates are not repeated": ("sample_repeat_unorm_int8", "at.xy", "fabs(at.xy)"),
    "mirrored repeat repeats": ("sample_mirrored_repeat_float", "ADDRESS_MIRRORED_REPEAT", "ADDRESS_REPEAT"),
    "texels end at their centres": ("sample_clamp_unorm_int16", "at.xy", "(at.xy + 0.5f / (float2)(7, 5))"),
    "the last axis is not filtered": ("sample_linear_3d", r"\(at.xyz, 0\)", "(at.xy, (floor(at.z * 3) + 0.5f) / 3, 0)"),
    "of a line the ends are filtered wrongly": ("sample_linear_1d", "at.x", "clamp(at.x, 0.0f, 1.0f)"),
    "the layer is another coordinate": ("sample_3d", r"\(at.xyz, 0\)", "(at.xzy, 0)"),
    "weights of 5 bits": (
        "sample_clamp_to_edge_float",
        "way0, at.xy",
        "way0, rint(at.xy * (float2)(7, 5) * 32) / 32 / (float2)(7, 5)",
    ),
}
SAMPLED_WRONGLY |= {
    "a filtered border is the edge": ("sample_linear_bgra", "way0 = (.*)CLAMP ", r"way0 = \1CLAMP_TO_EDGE "),
    "a filtered border in texels, too": ("sample_linear_a_snorm_int16", "way4 = (.*)CLAMP ", r"way4 = \1REPEAT "),
    "a filtered order is swapped": ("sample_linear_argb", r"(read_image\w+\(image, way2, at.xy\))", r"\1.xzyw"),
    "a filtered alpha is red": ("sample_linear_a_float", r"(read_image\w+\(image, way\d, at.xy\))", r"\1.wyzx"),
    "filtered coordinates below 0": ("sample_linear_argb_snorm_int8", "way2, at.xy", "way2, fabs(at.xy)"),
    "bytes are mirrored wrongly": ("sample_linear_a_unorm_int16", "ADDRESS_MIRRORED_REPEAT", "ADDRESS_REPEAT"),
    "a nearest texel that is filtered": ("sample_linear_bgra_snorm_int8", "way5 = (.*)NEAREST", r"way5 = \1LINEAR"),
    "filtered weights of 5 bits": (
        "sample_linear_a",
        "way1, at.xy",
        "way1, rint(at.xy * (float2)(7, 5) * 32) / 32 / (float2)(7, 5)",
    ),
}
ALL_READS = r"(read_image\w+\(image, way\d, .*?\))(?=, i, other)"
# the same of channel types, whose numbers are modified
STORED_WRONGLY = {
    "sixteen bits without a sign": ("sample_signed_int16", ALL_READS, r"(\1 & 0xffff)"),
    "eight bits are kept": ("sample_unsigned_int16", ALL_READS, r"(\1 & 0xff)"),
    "the highest bit is lost": ("sample_unsigned_int32", ALL_READS, r"(\1 & 0x7fffffff)"),
    "through a float": ("sample_signed_int32", ALL_READS, r"(\1 / 256 * 256)"),
}
EIGHT_BITS = "way2, at.xy", "way2, rint(at.xy * 256) / 256"
WEIGHED = ["sample_clamp_float", "sample_clamp_to_edge_unorm_int8"]  # rows that are read with weights of eight bits


def item_named(name):
    type = "uint" if "unsigned" in name else "int" if "signed" in name or "integer" in name else "float"
    return item_of(exact_builtins()[name], TYPES[type], 4)


def changed(name, taken=None, instead=""):
    """The text of a row's program, with something else in it; as it is if nothing is taken out."""
    text = image_calls.sampled_source(item_named(name))
    if taken is None:
        return text
    wrong = re.sub(taken, instead, text)
    assert wrong != text
    return wrong


def placed_texts():
    """The program texts that ``WRONG`` is about."""
    for name, type, taken in WRONG.values():
        for item in Plan.of([name], [type]).items():
            yield from (image_calls.image_source(item), misplaced(item, taken))


def sampled_texts():
    """The program texts of sampled reads, as they are and wrong."""
    cases = [*SAMPLED_WRONGLY.values(), *STORED_WRONGLY.values(), *((name, *EIGHT_BITS) for name in WEIGHED)]
    return (changed(name, *what) for name, *taken in cases for what in ((), taken))


@pytest.fixture(scope="module")
def reading(opencl_device):
    """Makes a subject on the device that reads and writes by program texts for items, of those above."""
    together = Together(
        [*placed_texts(), *sampled_texts()], lambda text: subject(opencl_device)._compiled(text, "reads").program
    )

    def made(text_of):
        device = subject(opencl_device)
        device._images.kernel = lambda item: together.kernel(text_of(item))
        return device

    return made


@pytest.fixture(scope="module")
def read_with(reading):
    """The same by one program text for whatever is read."""
    return lambda text: reading(lambda _: text)


@pytest.fixture
def few_coordinates(monkeypatch):
    """A fifth of the coordinates that are not random: what is wrong shows there, too."""
    structured = sampled.structured
    monkeypatch.setattr(sampled, "structured", lambda item: tuple(column[::5] for column in structured(item)))


def verdict(device, name, inputs=500):
    plan = Plan.of([name], [item_named(name).form.name], inputs=inputs, second_look=False, jobs=1)
    (found,) = audit(plan, device)
    return found


@pytest.mark.slow
@for_each("name", sorted({name for name, *_ in SAMPLED_WRONGLY.values()}))
def test_a_sampled_read_that_is_right_passes(name, opencl_device):
    right = verdict(subject(opencl_device), name)
    assert (right.status, right.tally.failed) == ("pass", 0)


@pytest.mark.slow
@pytest.mark.usefixtures("few_coordinates")
@for_each("case, name", [(case, name) for case, (name, *_) in SAMPLED_WRONGLY.items()])
def test_a_sampled_read_that_is_wrong_is_caught(case, name, read_with):
    right, wrong = read_with(changed(name)), read_with(changed(*SAMPLED_WRONGLY[case]))
    assert [verdict(one, name).status for one in (right, wrong)] == ["pass", "fail"]


@pytest.mark.slow
@for_each("name", WEIGHED)
def test_weights_of_eight_bits_are_as_good_as_the_edition_says(name, read_with, monkeypatch):
    """2^-7 lets them pass; an edition that asks for more does not, and passes what the device computes in float."""
    asked, coarse, right = ExactLaw.freedom, read_with(changed(name, *EIGHT_BITS)), read_with(changed(name))
    assert verdict(coarse, name).status == "pass"
    monkeypatch.setattr(ExactLaw, "freedom", lambda *given: asked(*given)._replace(filtered=2.0**-12, weight=2.0**-12))
    assert verdict(coarse, name).status == "fail"
    assert verdict(right, name).status == "pass"


def moved(lane, what):
    """Reads as if one coordinate were another."""

    def read(row, type, coord):
        other = coord.copy()
        other[:, lane] = what(other[:, lane])
        return sampled_rows.computed(row, type, other)

    return read


def without_alpha(where):
    """Alpha is 0 where ``where`` says so of coordinates."""

    def read(row, type, coord):
        found = sampled_rows.computed(row, type, coord)
        found[where(coord), 3] = 0
        return found

    return read


# what PoCL 3.0 and 3.1 do, by kernels of their own: rows, and what is read
OF_POCL = {
    "the border of r is transparent": ("sample_r", without_alpha(lambda c: (c[:, 3] == 1) & (c[:, 0] < 0))),
    "integers of r are transparent": ("sample_integer_r", without_alpha(lambda c: c[:, 3] >= 0)),
    "a layer of a half is rounded up": ("sample_2d_array", moved(2, lambda w: np.floor(w + np.float32(0.5)))),
    "so is that of lines": ("sample_1d_array", moved(1, lambda w: np.floor(w + np.float32(0.5)))),
    "layers are normalized": ("sample_linear_1d_array", moved(1, lambda w: w * 4)),
    "layers are cut": ("sample_linear_2d_array", moved(2, np.floor)),
}


@pytest.mark.slow
@for_each("case", OF_POCL)
def test_what_a_driver_reads_wrongly_is_caught(case):
    name, read = OF_POCL[case]
    row, type = exact_builtins()[name], "int" if "integer" in name else "float"
    coord = np.stack(sampled.structured(item_of(row, TYPES[type], 4)), axis=-1)
    found = sampled_reads.allowed(row, type, coord, Freedom(1.5, 2.0**-7, 2.0**-8, 2.0**-8))
    due = AllowedResults(found.wanted, found.is_free, ends=(found.low, found.high))
    assert (due.accepts(sampled_rows.computed(row, type, coord)) | found.is_free).all()
    wrong = ~(due.accepts(read(row, type, coord)) | found.is_free)
    assert wrong.any(axis=-1).sum() >= 8


def test_what_a_row_leaves_open_is_counted():
    """Coordinates beyond what the row's ways say."""
    row = exact_builtins()["sample_repeat_unorm_int8"]
    free = Freedom(1.5, 2.0**-7, 2.0**-8, 2.0**-8)
    coord = np.float32([[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 7], [np.nan, 0, 0, 0], [2 / 7, 0.1, 0, 1], [0.5, 0.1, 0, 1]])
    found = sampled_reads.allowed(row, "float", coord, free)
    assert found.is_free.all(axis=-1).tolist() == [False, True, True, False, False]
    row = exact_builtins()["sample_rgba"]
    coord = np.float32([[6.9, 0, 0, 0], [7, 0, 0, 0], [7, 0, 0, 1], [2.0**31, 0, 0, 1]])
    assert sampled_reads.allowed(row, "float", coord, free).is_free[:, 0].tolist() == [False, True, False, True]


@for_each("mode", ["clamp", "clamp_to_edge", "repeat", "mirrored_repeat"])
def test_near_the_end_of_a_texel_one_of_two_is_read(mode):
    """With normalized coordinates the location may be 2^-8 off; no third texel is right, and none farther inside."""
    row, free = exact_builtins()[f"sample_{mode}_unorm_int8"], Freedom(1.5, 2.0**-7, 2.0**-8, 2.0**-8)
    for end in (-7, -1, 0, 1, 4, 7, 8):
        u = np.array([end - 2.0**-7, end - 2.0**-9, end, end + 2.0**-9, end + 2.0**-7])
        coord = np.stack([np.float32(u / 7), *np.float32([[0.3], [0], [1]]).repeat(5, axis=1)], axis=-1)
        read = sampled_rows.computed(row, "float", coord)
        found = sampled_reads.allowed(row, "float", coord, free)
        due = AllowedResults(found.wanted, found.is_free, ends=(found.low, found.high))
        either = np.minimum(read[0], read[-1]), np.maximum(read[0], read[-1])
        assert not found.is_free.any()
        for i in (0, -1):
            np.testing.assert_allclose((found.low[i], found.high[i]), (read[i], read[i]), rtol=2.0**-22)
        for i in (1, 2, 3):
            np.testing.assert_allclose((found.low[i], found.high[i]), either, rtol=2.0**-22)
        assert due.accepts(read).all()
        assert due.accepts(read[[0, 4, 0, 0, 4]]).all()
        assert due.accepts(read[[4, 4, 4, 4, 0]])[[0, 4]].all() == (read[0] == read[4]).all()


@pytest.mark.slow
@pytest.mark.usefixtures("few_coordinates")
@for_each("case", STORED_WRONGLY)
def test_an_integer_that_is_read_modified_is_caught(case, read_with):
    name, *change = STORED_WRONGLY[case]
    right, wrong = read_with(changed(name)), read_with(changed(name, *change))
    assert [verdict(one, name, 200).status for one in (right, wrong)] == ["pass", "fail"]


@for_each("type", ["half", "float"])
@for_each("name", ["unorm_short_565", "unorm_short_555", "unorm_int_101010"])
def test_packed_channels_are_judged(name, type):
    """No driver at hand has these: clmath passes, and one that takes blue for red, or green of 5 bits, does not."""

    class Packed(Clmath):
        def __init__(self, wrong):
            self.wrong = wrong

        def evaluate(self, row, form, args):
            (found,) = super().evaluate(row, form, args)
            return (self.wrong(found),)

    def cut(found):
        found = found.copy()
        found[:, 1] = np.floor(found[:, 1] * 31) / 31
        return found

    plan = Plan.of([f"sample_{name}"], [type], inputs=200, second_look=False, jobs=1)
    faults = {"none": lambda f: f, "order": lambda f: f[:, [2, 1, 0, 3]], "bits": cut}
    statuses = {fault: [v.status for v in audit(plan, Packed(wrong))] for fault, wrong in faults.items()}
    due = {"none": ["pass"], "order": ["fail"], "bits": ["fail" if name != "unorm_short_555" else "pass"]}
    assert statuses == due


class Faulty(Clmath):
    """clmath with a fault: ``wrong`` makes of a row's results what a device gives."""

    def __init__(self, wrong):
        self.wrong = wrong

    def evaluate(self, row, form, args):
        (found,) = super().evaluate(row, form, args)
        return (self.wrong(found, *args),)


def bordered(alpha):
    """Coordinates farther than a texel from the image, where all that is filtered is border, have this alpha."""

    def wrong(found, coord):
        found = found.copy()
        found[(coord[:, 3] == 4) & (coord[:, :2] < -1).any(axis=-1), 3] = alpha
        return found

    return wrong


def with_weights(name, bits):
    """Weights of so many bits where coordinates are in texels."""
    row, unit = exact_builtins()[name], np.float32(2.0**bits)

    def read(_, coord):
        at, here = coord.copy(), coord[:, 3] == 4
        at[here, :2] = np.rint(at[here, :2] * unit) / unit
        return sampled_rows.computed(row, "float", at)

    return read


# orders and channel types that no driver at hand has: rows, and the alpha that its border has not
UNSEEN = {
    "sample_linear_rg": 0,
    "sample_linear_rgb": 0,
    "sample_linear_abgr": 1,
    "sample_linear_luminance": 0,
    "sample_linear_sbgra": 1,
    "sample_linear_unorm_int_101010": 0,
}


def reordered(name):
    """Channels in another order."""
    components = ORDERS[sampled_rows.sampling(exact_builtins()[name], "float").order].components
    swapped = [2, 1, 0, 3] if components[0] != components[2] else [3, 1, 2, 0]
    return lambda found, _: found[:, swapped]


def not_repeated(name):
    """Negative coordinates read as positive ones where the image is repeated."""
    row = exact_builtins()[name]
    return lambda _, coord: sampled_rows.computed(row, "float", np.where(coord[:, 3:] == 2, np.abs(coord), coord))


UNSEEN_FAULTS = {
    "border": lambda name: bordered(UNSEEN[name]),
    "order": reordered,
    "repeat": not_repeated,
    "weights": lambda name: with_weights(name, 5),
}


def statuses(name, wrong):
    """What an audit of a row says of filtered reads as of such a driver."""
    plan = Plan.of([name], ["float"], inputs=200, second_look=False, jobs=1)
    return [verdict.status for verdict in audit(plan, Faulty(wrong))]


@functools.cache
def of_what_is_right(name):
    """The same without a fault: once for all faults of a row."""
    return statuses(name, lambda found, _: found)


@pytest.mark.slow
@pytest.mark.usefixtures("few_coordinates")
@for_each("name, fault", itertools.product(UNSEEN, UNSEEN_FAULTS))
def test_filtered_reads_of_orders_that_no_driver_here_has(name, fault):
    assert of_what_is_right(name) == ["pass"]
    assert statuses(name, UNSEEN_FAULTS[fault](name)) == ["fail"]


def test_depths_are_filtered():
    def opaque(found, coord):
        found = found.copy()
        found[(coord[:, 3] == 4) & (coord[:, 0] < -1), 0] = 1
        return found

    for name in ("sample_linear_depth", "sample_linear_depth_float"):
        plan = Plan.of([name], ["float"], inputs=200, second_look=False, jobs=1)
        faults = {"none": lambda found, _: found, "border": opaque, "vector": lambda found, _: found[:, [0, 0, 0, 0]]}
        statuses = {fault: [v.status for v in audit(plan, Faulty(wrong))] for fault, wrong in faults.items()}
        assert statuses == {"none": ["pass"], "border": ["fail"], "vector": ["fail"]}


WORDS = ["unorm_short_565", "unorm_short_555", "unorm_int_101010"]


def moved_by(shift):
    """One channel of each word is stored as the code next to it, where it has one."""
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
        with np.errstate(invalid="ignore"):  # of signaling NaN
            numbers = np.nan_to_num(color.astype(np.float64)).clip(0, 1)
        parts = [np.floor(numbers[:, n] * most[n]).astype(np.int64) << s for n, s in enumerate(kind.shifts)]
        return sum(parts).astype(kind.dtype)

    plan = Plan.of([f"write_{name}"], [type], inputs=1000, second_look=False, jobs=1)
    faults = {
        "none": (lambda found, _: found, "pass"),
        "bits of no channel": (any_spare_bits, "pass"),
        "order": (swapped, "fail"),
        "cut": (cut, "fail"),
        **{f"code at {s}": (moved_by(s), "fail") for s in kind.shifts},
    }
    for fault, (wrong, due) in faults.items():
        assert (fault, [v.status for v in audit(plan, Faulty(wrong))]) == (fault, [due])


def test_a_colour_that_is_no_number_leaves_its_own_channel_open():
    for name in WORDS:
        item = item_of(exact_builtins()[f"write_{name}"], TYPES["float"], 3)
        kind = packed_by(item.builtin)
        color = np.float32([[np.nan, 1, 0], [np.inf, 1, 0]])
        asked = allowed_results(item, (color,), ExactLaw("full", "rte", flushes=False))
        green = kind.channels[1].most << kind.shifts[1]
        words = [green | red << kind.shifts[0] for red in (0, 1, kind.channels[0].most)]
        assert all(asked.accepts(np.full(2, w, kind.dtype)).all() for w in words)
        assert not asked.accepts(np.full(2, 0, kind.dtype)).any()
        assert not asked.accepts(np.full(2, words[0] | 2, kind.dtype)).any()
