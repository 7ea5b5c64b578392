"""Rows of work-groups: any order of additions passes, planted faults fail, on real devices where there are any."""

# ruff: noqa: ARG001, ARG005 - every fault is given what the function is

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.audit.opencl.work_group_calls import work_group_source
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.audit.running.run import audit
from clmath.audit.subjects.clmath_itself import Clmath
from clmath.numbers.formats import FLOAT
from clmath.spec.families import families

GROUPS = [row for row in families().values() if row.chapter == "groups"]


class Faulty(Clmath):
    """clmath, but for what ``fault`` makes of the results of one function."""

    def __init__(self, name, fault, flushing=False):
        self.name, self.wrong, self.fault, self.flushing = "faulty", name, fault, flushing

    def flushes(self, form):
        return self.flushing and form is FLOAT

    def evaluate(self, row, form, args):
        (result,) = super().evaluate(row, form, args)
        if row.name != self.wrong:
            return (result,)
        with np.errstate(all="ignore"):
            return (np.array(np.broadcast_to(self.fault(result, *args), result.shape)).astype(result.dtype),)


def added(x, reverse=False):
    """Sums one after the other, each rounded in the type."""
    total = np.zeros(len(x), x.dtype)
    for lane in range(x.shape[-1])[:: -1 if reverse else 1]:
        total = total + x[:, lane]
    return total[:, np.newaxis]


def tree(x):
    lanes = [x[:, k] for k in range(x.shape[-1])]
    while len(lanes) > 1:
        lanes = [a + b for a, b in zip(lanes[::2], lanes[1::2], strict=False)] + lanes[len(lanes) & ~1 :]
    return lanes[0][:, np.newaxis]


def one_keeps_its_own(result, x):
    return np.where(np.arange(result.shape[1]), result, x)


def least_of_signed(result, x):
    return x.view("i4").min(axis=-1, keepdims=True).view("u4")


def next_one(result, x, local_id):
    return np.take_along_axis(np.roll(x, 1, axis=-1), local_id[:, np.newaxis].astype(int), axis=-1)


FAULTS = {
    "the last item is dropped": ("reduce_add", "float", lambda r, x: added(x[:, :-1])),
    "the first item is dropped": ("reduce_add", "half", lambda r, x: added(x[:, 1:])),
    "an item is added twice": ("reduce_add", "double", lambda r, x: added(x) + x[:, 2:3]),
    "an item of integers is dropped": ("reduce_add", "ulong", lambda r, x: added(x[:, 1:])),
    "one work-item is returned another value": ("reduce_max", "int", one_keeps_its_own),
    "sums saturate": ("reduce_add", "uint", lambda r, x: np.maximum(r, x.max(axis=-1, keepdims=True))),
    "the least of unsigned numbers as of signed": ("reduce_min", "uint", least_of_signed),
    "an inclusive scan is exclusive": ("scan_inclusive_add", "int", lambda r, x: np.roll(r, 1, axis=-1)),
    "an exclusive scan is inclusive": ("scan_exclusive_max", "float", lambda r, x: np.maximum.accumulate(x, axis=-1)),
    "the identity is 0": ("scan_exclusive_min", "long", lambda r, x: np.where(np.arange(r.shape[1]), r, 0)),
    "the identity is finite": ("scan_exclusive_min", "float", lambda r, x: np.minimum(r, np.finfo("f4").max)),
    "the last alone is asked of all": ("all", "int", lambda r, x: x[:, -1:] != 0),
    "the first alone is asked of any": ("any", "int", lambda r, x: x[:, :1] != 0),
    "the next one is broadcast": ("broadcast", "float", next_one),
    "sums are flushed": ("reduce_add", "float", lambda r, x: np.where(np.abs(r) < np.finfo("f4").tiny, 0, r)),
}


def failed(subject, name, type_, count=500, profile="full"):
    rows = [row for row in GROUPS if row.name == f"work_group_{name}"]
    return sum(
        verdict.tally.failed for verdict in audit(Plan.of(rows, [type_], inputs=count, profile=profile), subject)
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_fail(fault):
    name, type_, wrong = FAULTS[fault]
    assert failed(Faulty(f"work_group_{name}", wrong), name, type_)


ORDERS = {
    "forward": lambda r, x: added(x),
    "backward": lambda r, x: added(x, reverse=True),
    "a tree": lambda r, x: tree(x),
}


@pytest.mark.parametrize("type_", ["half", "float", "double", "int", "ulong"])
@pytest.mark.parametrize("order", ORDERS)
def test_any_order_of_additions_passes(order, type_):
    assert not failed(Faulty("work_group_reduce_add", ORDERS[order]), "reduce_add", type_, 3000)


class TowardZero(Clmath):
    """A device of the embedded profile that has no other mode, and adds one item after the other in it."""

    def mode(self, form):
        return "rtz" if form is FLOAT else "rte"

    def evaluate(self, row, form, args):
        if row.name != "work_group_reduce_add" or form is not FLOAT:
            return super().evaluate(row, form, args)
        (x,) = args
        total = np.zeros(len(x), np.float32)
        for lane in range(x.shape[-1]):
            total = clmath.add(total, x[:, lane], rounding="rtz")
        return (np.array(np.broadcast_to(total[:, np.newaxis], x.shape)),)


def test_sums_in_the_only_mode_of_a_device_pass():
    assert not failed(TowardZero(), "reduce_add", "float", 3000, profile="embedded")


def test_what_a_device_flushes_that_says_so_is_excused():
    fault = FAULTS["sums are flushed"][2]
    assert not failed(Faulty("work_group_reduce_add", fault, flushing=True), "reduce_add", "float")


def test_clmath_has_every_row_and_passes():
    verdicts = list(audit(Plan.of(GROUPS, list(TYPES), inputs=50), Clmath()))
    assert len(verdicts) == 2 * (2 + 7 + 9 * 7)
    assert not any(verdict.tally.failed for verdict in verdicts)


def test_spelled_names_are_the_calls_that_they_say():
    x = np.float32([3, 1, 7])
    assert clmath.work_group_reduce_add(x) == 11
    assert clmath.sub_group_scan_exclusive_min(x).tolist() == [np.inf, 3, 1]


def test_programs_pass_truths_and_one_id_for_each_group():
    by_name = {row.name: row for row in GROUPS}
    text = work_group_source(item_of(by_name["work_group_all"], TYPES["int"], 16))
    assert "out[i] = work_group_all(in0[i] != 0) != 0;" in text
    assert "reqd_work_group_size(16, 1, 1)" in text
    text = work_group_source(item_of(by_name["work_group_broadcast"], TYPES["double"], 3))
    assert "out[i] = work_group_broadcast(in0[i], in1[group]);" in text
    assert text.startswith("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n")
