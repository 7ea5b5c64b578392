"""All pairs of halves: an exhaustive audit of a built-in with two arguments tries each pair once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clmath.audit.inputs import exhaustive
from clmath.audit.plan.plan import PARTS, Plan
from clmath.audit.plan.rows import item_named
from clmath.audit.running.run import audit
from clmath.audit.targets.function import Function
from clmath.numbers.formats import BFLOAT16, HALF
from tests.cases import for_each

PART = "1/4096"


def plan_of(names, types=("half",), **options):
    return Plan.of(names, types, **{"inputs": "exhaustive", "part": PART, "jobs": 1, **options})


@for_each(
    "name, type, is_pair",
    [
        *[("pow", "half", True), ("isless", "half", True), ("fmax", "half", True), ("remquo", "half", True)],
        *[("ldexp", "half", False), ("fma", "half", False), ("sin", "half", False), ("pow", "float", False)],
        *[("add_sat", "short", False), ("pow", "double", False)],
    ],
)
def test_all_pairs_of_halves_are_tried(name, type, is_pair):
    assert exhaustive.is_swept(item_named(name, type), plan_of([name], [type], part="1/1")) == is_pair


def test_vectors_of_two_halves_are_sampled():
    assert not exhaustive.is_swept(item_named("length", "half", 2), plan_of(["length"], part="1/1"))


def codes_of(item, part):
    """Return the encodings of a part's pairs, both arguments in one number."""
    x, y = exhaustive.swept_columns(item, [part])
    return HALF.bits(x).astype(np.uint32) << np.uint32(16) | HALF.bits(y)


def test_every_part_has_different_pairs_of_the_whole_format():
    item = item_named("pow", "half")
    for part in (1, PARTS - 1):
        codes = codes_of(item, part)
        assert (codes[1:] > codes[:-1]).all()
        assert (codes >> np.uint32(8) & np.uint32(PARTS - 1) == part).all()
        assert (codes[:: exhaustive.RUN] >> np.uint32(20) == np.arange(exhaustive.RUNS)).all()
        assert np.array_equal(codes, exhaustive.encodings(item, [part]))


def test_all_pairs_of_bfloat16_are_tried():
    pytest.importorskip("ml_dtypes")
    item = item_named("hypot", "bfloat16")
    assert exhaustive.is_swept(item, plan_of(["hypot"], ["bfloat16"]))
    assert {column.dtype for column in exhaustive.swept_columns(item, [7])} == {BFLOAT16.dtype}


def test_pairs_fill_vectors():
    item = replace(item_named("pow", "half"), vector=4)
    codes = np.sort(codes_of(item, 3))
    assert (codes[1:] > codes[:-1]).all()
    assert len(codes) == exhaustive.part_length(item)


def judged(wrong_at):
    """Return the verdict on a maximum that is wrong at one pair of encodings."""
    x_code, y_code = wrong_at

    def greater(x, y):
        found = np.fmax(x, y)
        here = (x.view(np.uint16) == x_code) & (y.view(np.uint16) == y_code)
        return np.where(here, found + found.dtype.type(1), found)

    target = Function(type("Target", (), {"fmax": staticmethod(greater)}), "tests:Target")
    return list(audit(plan_of(["fmax"]), target))


@for_each("wrong_at, status", [((0x3C00, 0x0012), "fail"), ((0x3C01, 0x0012), "pass")])
def test_fault_at_one_pair_is_found_by_its_part(wrong_at, status):
    (verdict,) = judged(wrong_at)
    assert verdict.status == status
    assert verdict.tally.tried == (1 << 32) // PARTS
    if status == "fail":
        assert verdict.tally.failed == 1
        assert verdict.tally.failures[0].index == 0x3C000012
