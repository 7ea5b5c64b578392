"""Images of a real device, as they are and with channels that come from a wrong place."""

from __future__ import annotations

import re

import numpy as np
import pytest

from clmath.audit.exact import sampled_reads
from clmath.audit.exact.allowed_results import AllowedResults
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
from clmath.spec.families import exact_builtins

WRONG = {
    "red for green": ("read_unorm_int8", "float", ".yxzw"),
    "no blue": ("read_float", "float", ".xyww"),
    "alpha first": ("write_signed_int8", "int", ".wxyz"),
    "red everywhere": ("write_unorm_int16", "float", ".xxxx"),
}


def verdicts(device, name, type):
    plan = Plan.of([name], [type], inputs=500, jobs=1)
    return {v.item.lanes: v for v in audit(plan, device)}


@pytest.mark.parametrize("case", WRONG)
def test_a_channel_at_a_wrong_place_is_caught(case, opencl_device, monkeypatch):
    name, type, taken = WRONG[case]
    assert verdicts(subject(opencl_device), name, type)[4].status == "pass"
    source = image_calls.image_source

    def wrong(item):
        return re.sub(r"read_image\w+\(.*\)(?=, i, other)|vload4\(i, other\)", rf"(\g<0>){taken}", source(item))

    monkeypatch.setattr(image_calls, "image_source", wrong)
    found = verdicts(subject(opencl_device), name, type)
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
EIGHT_BITS = ("way2, at.xy", "way2, rint(at.xy * 256) / 256")


def sampled_with(monkeypatch, taken, instead):
    source = image_calls.sampled_source

    def wrong(item):
        text = re.sub(taken, instead, source(item))
        assert text != source(item)
        return text

    monkeypatch.setattr(image_calls, "sampled_source", wrong)


def verdict(device, name):
    type = "int" if "integer" in name else "float"
    (found,) = audit(Plan.of([name], [type], inputs=500, jobs=1), device)
    return found


@pytest.mark.parametrize("case", SAMPLED_WRONGLY)
def test_a_sampled_read_that_is_wrong_is_caught(case, opencl_device, monkeypatch):
    name, *change = SAMPLED_WRONGLY[case]
    right = verdict(subject(opencl_device), name)
    assert (right.status, right.tally.failed) == ("pass", 0)
    sampled_with(monkeypatch, *change)
    assert verdict(subject(opencl_device), name).status == "fail"


@pytest.mark.parametrize("name", ["sample_clamp_float", "sample_clamp_to_edge_unorm_int8"])
def test_weights_of_eight_bits_are_as_good_as_the_edition_says(name, opencl_device, monkeypatch):
    """2^-7 lets them pass; an edition that asks for more does not, and passes what the device computes in float."""
    asked = ExactLaw.freedom
    sampled_with(monkeypatch, *EIGHT_BITS)
    assert verdict(subject(opencl_device), name).status == "pass"
    monkeypatch.setattr(ExactLaw, "freedom", lambda *given: asked(*given)._replace(filtered=2.0**-12))
    assert verdict(subject(opencl_device), name).status == "fail"
    monkeypatch.undo()
    monkeypatch.setattr(ExactLaw, "freedom", lambda *given: asked(*given)._replace(filtered=2.0**-12))
    assert verdict(subject(opencl_device), name).status == "pass"


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


@pytest.mark.parametrize("case", OF_POCL)
def test_what_a_driver_reads_wrongly_is_caught(case):
    name, read = OF_POCL[case]
    row, type = exact_builtins()[name], "int" if "integer" in name else "float"
    coord = np.stack(sampled.structured(item_of(row, TYPES[type], 4)), axis=-1)
    found = sampled_reads.allowed(row, type, coord, Freedom(1.5, 2.0**-7, 2.0**-8))
    due = AllowedResults(found.wanted, found.is_free, ends=(found.low, found.high))
    assert (due.accepts(sampled_rows.computed(row, type, coord)) | found.is_free).all()
    wrong = ~(due.accepts(read(row, type, coord)) | found.is_free)
    assert wrong.any(axis=-1).sum() >= 8


def test_what_a_row_leaves_open_is_counted():
    """Coordinates beyond what the row's ways say, and near the ends of texels where locations may be off."""
    row = exact_builtins()["sample_repeat_unorm_int8"]
    free = Freedom(1.5, 2.0**-7, 2.0**-8)
    coord = np.float32([[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 7], [np.nan, 0, 0, 0], [2 / 7, 0.1, 0, 1], [0.5, 0.1, 0, 1]])
    found = sampled_reads.allowed(row, "float", coord, free)
    assert found.is_free.all(axis=-1).tolist() == [False, True, True, True, False]
    row = exact_builtins()["sample_rgba"]
    coord = np.float32([[6.9, 0, 0, 0], [7, 0, 0, 0], [7, 0, 0, 1], [2.0**31, 0, 0, 1]])
    assert sampled_reads.allowed(row, "float", coord, free).is_free[:, 0].tolist() == [False, True, False, True]


def test_what_is_not_written_is_no_zero(opencl_device, monkeypatch):
    source = image_calls.image_source
    monkeypatch.setattr(image_calls, "image_source", lambda item: source(item).replace("if (i < n)", "if (i > n)"))
    found = verdicts(subject(opencl_device), "write_unorm_int8", "float")
    assert {v.status for v in found.values()} == {"fail"}
    assert any(not any(e.args) for v in found.values() for e in v.tally.failures)  # an array of zeros would be right
