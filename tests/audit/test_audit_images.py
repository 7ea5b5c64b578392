"""Images: right reads and writes pass, on a real device too; channels and texels from a wrong place are caught."""

from __future__ import annotations

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
from clmath.spec.families import exact_builtins, packed_by
from tests.cases import for_each

SIZE = np.float32([7, 5])  # of the images
FREE = Freedom(1.5, 2.0**-7, 2.0**-8, 2.0**-8)


class Faulty(Clmath):
    """clmath with a fault: ``wrong`` changes the results of a row."""

    name = "faulty"

    def __init__(self, wrong=lambda found, *_: found):
        self.wrong = wrong

    def evaluate(self, row, form, args):
        (found,) = super().evaluate(row, form, args)
        return (self.wrong(found, *args),)


@pytest.fixture
def few_coordinates(monkeypatch):
    """A fifth of the coordinates that are not random: what is wrong shows there, too."""
    structured = sampled.structured
    monkeypatch.setattr(sampled, "structured", lambda item: tuple(column[::5] for column in structured(item)))


def type_of(name):
    return "uint" if "unsigned" in name else "int" if "signed" in name or "integer" in name else "float"


def statuses(device, name, inputs=200):
    """The status of a row for each number of channels."""
    plan = Plan.of([name], [type_of(name)], inputs=inputs, second_look=False, jobs=1)
    return {verdict.item.lanes: verdict.status for verdict in audit(plan, device)}


def channels(order):
    """Four channels in another order."""
    return lambda found, *_: found[:, order] if found.ndim > 1 and found.shape[-1] == 4 else found


MISPLACED = {  # by the row
    "read_unorm_int8": [1, 0, 2, 3],
    "read_float": [0, 1, 3, 3],
    "write_signed_int8": [3, 0, 1, 2],
    "write_unorm_int16": [0, 0, 0, 0],
}


@pytest.mark.slow
@for_each("name", MISPLACED)
def test_channel_at_a_wrong_place_is_caught(name):
    assert set(statuses(Faulty(), name).values()) == {"pass"}
    found = statuses(Faulty(channels(MISPLACED[name])), name)
    assert (found[1], found[4]) == ("pass", "fail")


def elsewhere(name, change):
    """Reads at other coordinates: ``change`` gives those in the plane."""

    def read(_, coord):
        at = coord.copy()
        at[:, :2] = change(at[:, :2])
        return sampled_rows.computed(exact_builtins()[name], type_of(name), at)

    return read


def with_weights(bits):
    """Normalized coordinates whose texels have weights of so many bits."""
    return lambda at: np.rint(at * SIZE * 2.0**bits) / np.float32(2.0**bits) / SIZE


def moved(name, lane, what):
    """Reads as if one coordinate were another."""

    def read(_, coord):
        other = coord.copy()
        other[:, lane] = what(other[:, lane])
        return sampled_rows.computed(exact_builtins()[name], type_of(name), other)

    return read


def without_alpha(where):
    """Reads whose alpha is 0 where ``where`` holds of coordinates."""

    def read(found, coord):
        found = found.copy()
        found[where(coord), 3] = 0
        return found

    return read


def rounded_up(w):
    return np.floor(w + np.float32(0.5))


SAMPLED_WRONGLY = {  # by the row
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
    "sample_linear_3d": moved("sample_linear_3d", 2, lambda z: (np.floor(z * 3) + np.float32(0.5)) / 3),
    "sample_bgra": channels([2, 1, 0, 3]),
    "sample_a": channels([3, 1, 2, 0]),
    # by PoCL 3.0 and 3.1
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
    assert statuses(subject(opencl_device), name) == {4: "pass"}


@pytest.mark.usefixtures("few_coordinates")
@for_each("name", ["sample_clamp_float", "sample_clamp_to_edge_unorm_int8"])
def test_weights_of_eight_bits_are_as_good_as_the_edition_says(name, monkeypatch):
    """2^-7 lets them pass; an edition that asks for more does not."""
    asked, coarse = ExactLaw.freedom, Faulty(elsewhere(name, with_weights(8)))
    assert statuses(coarse, name) == {4: "pass"}
    monkeypatch.setattr(ExactLaw, "freedom", lambda *given: asked(*given)._replace(filtered=2.0**-12, weight=2.0**-12))
    assert statuses(coarse, name) == {4: "fail"}
    assert statuses(Faulty(), name) == {4: "pass"}


def test_what_a_row_leaves_open_is_counted():
    """Coordinates beyond what the row's ways say."""
    row = exact_builtins()["sample_repeat_unorm_int8"]
    free = FREE
    coord = np.float32([[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 7], [np.nan, 0, 0, 0], [2 / 7, 0.1, 0, 1], [0.5, 0.1, 0, 1]])
    found = sampled_reads.allowed(row, "float", coord, free)
    assert found.is_free.all(axis=-1).tolist() == [False, True, True, False, False]
    row = exact_builtins()["sample_rgba"]
    coord = np.float32([[6.9, 0, 0, 0], [7, 0, 0, 0], [7, 0, 0, 1], [2.0**31, 0, 0, 1]])
    assert sampled_reads.allowed(row, "float", coord, free).is_free[:, 0].tolist() == [False, True, False, True]


@for_each("mode", ["clamp", "clamp_to_edge", "repeat", "mirrored_repeat"])
def test_near_the_end_of_a_texel_one_of_two_is_read(mode):
    """With normalized coordinates the location may be 2^-8 off; no third texel is right, and none farther inside."""
    row, free = exact_builtins()[f"sample_{mode}_unorm_int8"], FREE
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


@for_each("type", ["half", "float"])
@for_each("name", ["unorm_short_565", "unorm_short_555", "unorm_int_101010"])
def test_packed_channels_are_judged(name, type):
    """Clmath passes, and a device that takes blue for red, or green of 5 bits, does not."""

    def cut(found, *_):
        found = found.copy()
        found[:, 1] = np.floor(found[:, 1] * 31) / 31
        return found

    plan = Plan.of([f"sample_{name}"], [type], inputs=200, second_look=False, jobs=1)
    faults = {"none": lambda f, *_: f, "order": lambda f, *_: f[:, [2, 1, 0, 3]], "bits": cut}
    found = {fault: [v.status for v in audit(plan, Faulty(wrong))] for fault, wrong in faults.items()}
    assert found == {"none": ["pass"], "order": ["fail"], "bits": ["fail" if name != "unorm_short_555" else "pass"]}


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


@for_each("verb, name", [(verb, name) for name in WORDS for verb in ("read", "write")])
def test_programs_of_packed_channels_take_both_orders(verb, name):
    """No driver at hand has such images."""
    item = item_of(exact_builtins()[f"{verb}_{name}"], TYPES["float"], 3)
    assert f"{verb}_imagef(" in image_calls.image_source(item)
    assert image_calls.orders_of(item.builtin, 3) == ("RGB", "RGBx")


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
