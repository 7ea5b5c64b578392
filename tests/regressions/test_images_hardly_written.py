"""Writes of images that are wrong between two codes, for one code of 8 bits or a few of 16, are seen at any seed."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.audit.inputs import channels
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_named
from clmath.audit.running.run import audit
from clmath.audit.subjects.function import Function
from clmath.direct.channels import linear
from tests.cases import for_each


def written(name, low, high, code):
    """A subject that stores ``code`` for the colours between ``low`` and ``high``, and is right about all others."""

    def subject(_, color):
        found = getattr(clmath, name)(color)
        return np.where((color > low) & (color < high), found.dtype.type(code), found)

    return Function(subject, "subject")


def verdicts(subject, name, type="float", **options):
    plan = Plan.of([name], [type], inputs=options.pop("inputs", 4096), jobs=1, **options)
    return {v.item.lanes: v for v in audit(plan, subject)}


@for_each("code", [0, 1, 77, 128, 254])
@for_each("name, most", [("write_unorm_int8", 255), ("write_snorm_int8", 127)])
def test_one_code_of_8_bits_rounded_up_below_its_turn(name, most, code):
    code %= most
    wrong = written(name, code / most, (code + 0.39) / most, code + 1)
    assert {v.status for v in verdicts(wrong, name, seed=code).values()} == {"fail"}
    fine = written(name, (code + 0.41) / most, (code + 0.5) / most, code + 1)  # 5.3.1: within 0.6
    assert {v.status for v in verdicts(fine, name, seed=code).values()} == {"pass"}


@pytest.mark.parametrize("code", [-128, -127, -64, -1])
def test_one_negative_code(code):
    wrong = written("write_snorm_int8", (code + 0.61) / 127, (code + 1) / 127, code)
    assert {v.status for v in verdicts(wrong, "write_snorm_int8").values()} == {"fail"}


@for_each("type", ["half", "float"])
@for_each("code", [1, 5, 60, 200])
def test_one_code_of_srgb(code, type):
    low, high = (float(linear((code + part) / 255)) for part in (0.05, 0.38))
    (found,) = verdicts(written("write_srgb", low, high, code + 1), "write_srgb", type).values()
    assert found.status == "fail"


def test_alpha_of_srgb():
    def subject(_, color):
        found = clmath.write_srgba(color)
        alpha = color[:, 3]
        found[:, 3] = np.where((alpha > 77 / 255) & (alpha < 77.39 / 255), 78, found[:, 3])
        return found

    assert verdicts(Function(subject, "subject"), "write_srgba")[4].status == "fail"


@pytest.mark.parametrize("first", [3, 20_000, 65_000])
def test_a_few_codes_of_16_bits(first):
    """A quarter of a percent of the codes, rounded up too soon."""

    def subject(_, color):
        found, product = clmath.write_unorm_int16(color), color.astype(np.float64) * 65535
        early = (product > first) & (product < first + 160) & (product % 1 > 0.2) & (product % 1 < 0.38)
        return np.where(early, np.ceil(np.where(early, product, 0)), found).astype(np.uint16)

    assert {v.status for v in verdicts(Function(subject, "subject"), "write_unorm_int16").values()} == {"fail"}


def test_every_code_of_8_bits_has_colours_on_either_side_of_its_turns():
    item = item_named("write_unorm_int8", "float", 1)
    product = channels.structured(item).astype(np.float64) * 255
    for code in range(255):
        inside = np.sort(product[(product > code) & (product < code + 1)] - code)
        for turn in channels.TURNS:
            near = inside[np.abs(inside - turn) < 1e-4]
            assert (near < turn).any()
            assert (near > turn).any()
        assert len(inside) >= 18


@pytest.mark.parametrize("name", ["read_unorm_int16", "read_snorm_int8", "read_srgba"])
def test_every_code_is_read_from_vectors_too(name):
    item = item_named(name, "float", 4)
    tried = np.concatenate(list(_structured(item)))
    assert len(np.unique(tried)) == 1 << 8 * tried.itemsize


def _structured(item):
    from clmath.audit.inputs.operands import structured

    return structured(item)
