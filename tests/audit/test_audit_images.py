"""Images of a real device, as they are and with channels that come from a wrong place."""

from __future__ import annotations

import re

import pytest

from clmath.audit.isolation.choosing import subject
from clmath.audit.opencl import image_calls
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit

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


def test_what_is_not_written_is_no_zero(opencl_device, monkeypatch):
    source = image_calls.image_source
    monkeypatch.setattr(image_calls, "image_source", lambda item: source(item).replace("if (i < n)", "if (i > n)"))
    found = verdicts(subject(opencl_device), "write_unorm_int8", "float")
    assert {v.status for v in found.values()} == {"fail"}
    assert any(not any(e.args) for v in found.values() for e in v.tally.failures)  # an array of zeros would be right
