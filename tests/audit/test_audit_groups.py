"""Functions of work-groups: sums in any order pass, faults fail; real devices are tried if they support groups."""

# ruff: noqa: ARG001, ARG005 - every fault takes the arguments of the function

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clmath
from clmath.audit.opencl.kernel import work_group_source
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.audit.reports.terminal import Replay, failure_lines
from clmath.audit.targets.clmath_functions import Clmath
from clmath.spec.families import families
from tests.audit.faulty import MAY_BE_DEFAULT, Faulty, verdicts
from tests.cases import for_each, some

GROUPS = [row for row in families().values() if row.chapter == "groups"]


def added(x, reverse=False):
    """Return the sums of items one after the other, each rounded in the type."""
    total = np.zeros(len(x), x.dtype)
    for element in range(x.shape[-1])[:: -1 if reverse else 1]:
        total = total + x[:, element]
    return total[:, np.newaxis]


def tree(x):
    elements = [x[:, k] for k in range(x.shape[-1])]
    while len(elements) > 1:
        elements = [a + b for a, b in zip(elements[::2], elements[1::2], strict=False)] + elements[len(elements) & ~1 :]
    return elements[0][:, np.newaxis]


def one_keeps_its_own(result, x):
    return np.where(np.arange(result.shape[1]), result, x)


def least_of_signed(result, x):
    return x.view("i4").min(axis=-1, keepdims=True).view("u4")


def next_one(result, x, local_id):
    return np.take_along_axis(np.roll(x, 1, axis=-1), local_id[:, np.newaxis].astype(int), axis=-1)


def without_item_32(result, x):
    return added(np.delete(x, 32, axis=-1)) if x.shape[-1] > 32 else result


def carried_no_further_than_32_bits(result, x):
    low = np.cumsum(x & 0xFFFFFFFF, axis=-1) & 0xFFFFFFFF
    return (np.cumsum(x >> 32, axis=-1) << 32) | low


def item_30_for_31(result, x, local_id):
    return np.where(local_id[:, np.newaxis] == 31, x[:, [min(30, x.shape[-1] - 1)]], result)


def of_shape(items, place):
    """Return a fault of a broadcast in groups of ``items`` items: it reads the item at another ``place``."""

    def fault(result, x, local_id):
        if x.shape[-1] != items:
            return result
        return np.take_along_axis(x, place(local_id.astype(int))[:, np.newaxis], axis=-1)

    return fault


def scanned_row_by_row(result, x):
    return np.cumsum(x.reshape(-1, 6, 8), axis=-1).reshape(x.shape) if x.shape[-1] == 48 else result


LARGE_FAULTS = {
    "item 32 is left out of a sum": ("reduce_add", "int", without_item_32),
    "item 32 is left out of a sum of floats": ("reduce_add", "float", without_item_32),
    "item 32 is not asked": ("all", "int", lambda r, x: x[:, np.arange(x.shape[-1]) != 32].all(-1)[:, None]),
    "item 63 is left out": ("reduce_max", "half", lambda r, x: x[:, :63].max(-1)[:, None] if x.shape[-1] == 64 else r),
    "item 30 is broadcast for 31": ("broadcast", "int", item_30_for_31),
    "a scan of long carries nothing across 32 bits": ("scan_inclusive_add", "long", carried_no_further_than_32_bits),
    "the rows of a group begin anew": ("scan_inclusive_add", "uint", scanned_row_by_row),
    "x and y are exchanged": ("broadcast", "long", of_shape(48, lambda k: k % 8 * 6 + k // 8)),
    "z is left out": ("broadcast", "float", of_shape(64, lambda k: k % 16)),
    "the last of 256 gets the sum of 255": (
        "scan_inclusive_add",
        "ulong",
        lambda r, x: np.where(np.arange(x.shape[-1]) == 255, np.roll(r, 1, axis=-1), r),
    ),
    "a group of one gets 0": ("reduce_add", "double", lambda r, x: 0 * r if x.shape[-1] == 1 else r),
}  # fmt: skip


FAULTS = {
    "the last item is dropped": ("reduce_add", "float", lambda r, x: added(x[:, :-1])),
    "the first item is dropped": ("reduce_add", "half", lambda r, x: added(x[:, 1:])),
    "an item is added twice": ("reduce_add", "double", lambda r, x: added(x) + x[:, -1:]),
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


def failed(target, name, type_, count=500, *, profile="full", widths=(3, 16)):
    rows = [replace(row, widths=widths or row.widths) for row in GROUPS if row.name == f"work_group_{name}"]
    return sum(v.tally.failed for v in verdicts(target, rows, [type_], inputs=count, profile=profile))


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_fail(fault):
    name, type_, wrong = FAULTS[fault]
    assert failed(Faulty(wrong, f"work_group_{name}"), name, type_, 100)


@pytest.mark.parametrize(
    "faults",
    [
        pytest.param([*LARGE_FAULTS][::2], marks=pytest.mark.slow),
        pytest.param([*LARGE_FAULTS][1::2], marks=pytest.mark.exhaustive),
    ],
)
def test_faults_of_large_groups_fail_with_default_inputs(faults):
    for name, type_, wrong in (LARGE_FAULTS[fault] for fault in faults):
        target = Faulty(wrong, f"work_group_{name}")
        assert failed(target, name, type_, "quick", widths=None), (name, type_)


ORDERS = {
    "forward": lambda r, x: added(x),
    "backward": lambda r, x: added(x, reverse=True),
    "a tree": lambda r, x: tree(x),
}


@for_each("type_", ["half", "ulong"])
@for_each("order", ORDERS)
def test_sums_in_any_order_pass(order, type_):
    assert not failed(Faulty(ORDERS[order], "work_group_reduce_add"), "reduce_add", type_, 300)


def sums_in(rounding):
    """Return a device whose mode is ``rounding``, and which adds one item after the other in that mode."""

    def change(_, x):
        total = np.zeros(len(x), x.dtype)
        for element in range(x.shape[-1]):
            total = clmath.add(total, x[:, element], rounding=rounding)
        return total[:, np.newaxis]

    return Faulty(change, claims=rounding)


@for_each("rounding, type_, profile, passes", MAY_BE_DEFAULT)
def test_sums_pass_only_in_a_default_mode(rounding, type_, profile, passes):
    """Defaults are rte (4.1) and rtz (note 30, cl_khr_fp16); functions ignore a selected mode."""
    assert (not failed(sums_in(rounding), "reduce_add", type_, 3000, profile=profile)) == passes


def test_sums_flushed_by_a_device_that_declares_it_pass():
    fault = FAULTS["sums are flushed"][2]
    assert not failed(Faulty(fault, "work_group_reduce_add", flushing=("float",)), "reduce_add", "float")


def with_signaling_nan(result, x, everywhere):
    """Return NaN as a device that keeps the bits of an item: signaling after a signaling item, or everywhere."""
    bits = x.view(np.uint16)
    signals = np.isnan(x) & (bits & 0x200 == 0)
    found = np.maximum.accumulate(np.where(signals, bits, 0), axis=-1)
    found = np.full_like(found, 0x7D00) if everywhere else found
    return np.where(np.isnan(result) & (found > 0), found.view(np.float16), result)


@for_each("everywhere", [False, True])
@for_each("function", ["reduce_add", "scan_inclusive_add", "scan_exclusive_add"])
def test_signaling_nan_of_an_item_may_be_returned(function, everywhere):
    """Intel's runtime of 2026 returns a signaling half to the work-items after it; without such an item it may not."""

    def fault(result, x):
        return with_signaling_nan(result, x, everywhere)

    assert bool(failed(Faulty(fault, f"work_group_{function}"), function, "half", 500)) == everywhere


def test_clmath_defines_all_functions_and_passes():
    rows = [replace(row, widths=(1, 33)) for row in some(GROUPS, 7)]
    found = verdicts(Clmath(), rows, ["half", "int"], inputs=20)
    assert found
    assert not any(verdict.tally.failed for verdict in found)


def test_programs_pass_truth_values_group_ids_and_sub_group_members():
    by_name = {row.name: row for row in GROUPS}
    text = work_group_source(item_of(by_name["work_group_all"], TYPES["int"], 16))
    assert "out[i] = work_group_all(in0[i] != 0) != 0;" in text
    assert "sub_group" not in text
    text = work_group_source(item_of(by_name["work_group_broadcast"], TYPES["double"], 3))
    assert "out[i] = work_group_broadcast(in0[i], in1[group]);" in text
    assert text.startswith("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n")
    text = work_group_source(item_of(by_name["work_group_broadcast"], TYPES["int"], 255))
    assert "work_group_broadcast(in0[i], in1[group] % x, in1[group] / x % y, in1[group] / (x * y));" in text
    text = work_group_source(item_of(by_name["sub_group_broadcast"], TYPES["int"], 48))
    assert "out[i] = sub_group_broadcast(in0[i], in1[group] % get_sub_group_size());" in text
    assert "sub_group[i] = get_sub_group_id(); local_id[i] = get_sub_group_local_id();" in text


class SubGroups(Clmath):
    """A target with sub-groups of ``size`` work-items (the last one smaller), whose members are in random order.

    ``fault`` changes the results of a sub-group, ``lie`` changes the reported membership.
    """

    name = "sub-groups"

    def __init__(self, size=16, fault=None, lie=lambda reported: reported, seed=0):
        self.size, self.fault, self.lie, self.seed = size, fault, lie, seed

    def evaluate(self, row, form, args):
        if not row.name.startswith("sub_group_"):
            return super().evaluate(row, form, args)
        x, *others = args
        order = np.random.default_rng(self.seed).permutation(x.shape[-1])
        result, reported = np.zeros_like(x), [np.zeros(x.shape, np.uint32) for _ in range(3)]
        for number, start in enumerate(range(0, x.shape[-1], self.size)):
            elements = order[start : start + self.size]
            part = x[:, elements]
            ids = [other % other.dtype.type(len(elements)) for other in others]
            found = super().evaluate(row, form, (part, *ids))[0]
            if self.fault is not None:
                with np.errstate(all="ignore"):
                    found = np.broadcast_to(self.fault(found, part, x, *ids), found.shape).astype(found.dtype)
            result[:, elements] = found
            for array, value in zip(reported, (number, np.arange(len(elements)), len(elements)), strict=True):
                array[:, elements] = value
        return (result, *self.lie(reported))


def verdicts_of_sub_groups(target, name, type_, count=100):
    (row,) = [replace(row, widths=(3, 48)) for row in GROUPS if row.name == f"sub_group_{name}"]
    return verdicts(target, [row], [type_], inputs=count)


@for_each(
    ("name", "type_", "size"),
    [
        ("reduce_add", "float", 32),
        ("scan_exclusive_min", "long", 1),
        ("broadcast", "double", 16),
    ],
)
def test_sub_groups_are_judged_by_their_members(name, type_, size):
    found = verdicts_of_sub_groups(SubGroups(size), name, type_)
    assert [v.status for v in found] == ["pass", "pass"]


SUB_GROUP_FAULTS = {
    "the work-group is added": ("reduce_add", "uint", lambda r, part, x: x.sum(axis=-1, keepdims=True, dtype=x.dtype)),
    "the last one is dropped": ("reduce_add", "float", lambda r, part, x: added(part[:, :-1])),
    "a scan begins with another one": ("scan_inclusive_max", "int", lambda r, part, x: np.maximum(r, x[:, :1])),
    "an exclusive scan is inclusive": ("scan_exclusive_add", "ulong", lambda r, part, x: np.cumsum(part, axis=-1)),
    "the identity is 0": ("scan_exclusive_min", "float", lambda r, part, x: np.where(np.isinf(r), 0, r)),
    "the place of the work-group is broadcast": (
        "broadcast",
        "int",
        lambda r, part, x, k: np.take_along_axis(x, k[:, np.newaxis].astype(int), axis=-1),
    ),
    "all of the work-group": ("all", "int", lambda r, part, x: (x != 0).all(axis=-1, keepdims=True)),
    "one work-item is returned its own": ("reduce_min", "half", lambda r, part, x: one_keeps_its_own(r, part)),
}  # fmt: skip


@pytest.mark.slow
@for_each("fault", SUB_GROUP_FAULTS)
def test_faults_of_sub_groups_fail(fault):
    name, type_, wrong = SUB_GROUP_FAULTS[fault]
    assert any(v.tally.failed for v in verdicts_of_sub_groups(SubGroups(16, wrong), name, type_, 20))


LIES = {
    "a size that is not theirs": lambda reported: [reported[0], reported[1], reported[2] + 1],
    "places that start with 1": lambda reported: [reported[0], reported[1] + 1, reported[2]],
    "two at one place": lambda reported: [reported[0], np.minimum(reported[1], 1), reported[2]],
    "all are one": lambda reported: [reported[0] * 0, reported[1], reported[2]],
}


@for_each("lie", LIES)
def test_impossible_membership_fails(lie):
    _, verdict = verdicts_of_sub_groups(SubGroups(16, lie=LIES[lie]), "reduce_max", "int")
    assert verdict.tally.failed == verdict.tally.tried
    (first, *_) = failure_lines(verdict, Replay("subject"))
    assert first.startswith("sub_group_reduce_max int48: ")


@pytest.mark.slow
def test_real_device_with_groups_passes(opencl_device):
    from clmath.audit.opencl.devices import find
    from clmath.audit.opencl.opencl_target import OpenCL

    target = OpenCL(find(opencl_device.removeprefix("opencl:")))
    names = ("work_group_scan_inclusive_add", "sub_group_scan_inclusive_add", "sub_group_broadcast")
    rows = [row for row in GROUPS if row.name in names and target.defines(row, TYPES["int"])]
    if not rows:
        pytest.skip("the device has no functions of groups")
    assert {v.status for v in verdicts(target, rows, ["int"], inputs=100)} == {"pass"}

    class Altered(OpenCL):
        def _program(self, text):
            return super()._program(text.replace("(in0[i]", "(in0[i] + 1 + (int)get_local_id(0)"))

    assert {v.status for v in verdicts(Altered(target._device), rows, ["int"], inputs=100)} == {"fail"}
