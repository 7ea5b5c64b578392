"""Vectors judged bit by bit: a wrong component is caught for its reason, correct vectors always pass."""
# ruff: noqa: ARG001, ARG005 - changes share one signature

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.audit.inputs import row_inputs
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import WIDTHS, item_of
from clmath.audit.targets.function import Function
from clmath.spec.families import exact_builtins
from tests.audit.faulty import Faulty, verdicts
from tests.cases import for_each

ROWS = exact_builtins()
WIDE = WIDTHS[1:]
TRUTH = "a wrong number for true: it is 1 of scalars, -1 in each lane of a vector (cl_khr_fp16)"


def verdicts_on(target, name, type, widths=WIDE, **options):
    return verdicts(target, [ROWS[name]], [type], widths=widths, **options)


@pytest.mark.slow
@for_each(
    "name, type",
    [
        *(("isequal", "half"), ("isunordered", "double"), ("select", "uchar"), ("bitselect", "double")),
        *(("add_sat", "char"), ("upsample", "ushort"), ("mad_sat", "ulong"), ("bitfield_insert", "short")),
        *(("bitfield_extract_signed", "uint"), ("convert_uchar_sat_rtz", "double"), ("convert_half_rtp", "float")),
        *(("convert_long", "half"), ("as_int", "float"), ("as_half", "short")),
    ],
)
def test_correct_results_pass_at_every_width(name, type):
    found = verdicts_on(Faulty(), name, type, WIDTHS, inputs=64)
    assert [v.item.vector for v in found] == list(WIDTHS)
    for verdict in found:
        assert verdict.status == "pass", f"{verdict.item}: {verdict.tally.failures}"
    assert str(found[3].item) == f"{name} {type}4"


def at(element, what, where=lambda result, *args: True):
    """Return a change of one component where a condition holds."""

    def change(result, *args):
        found = result.copy()
        here = np.broadcast_to(where(result, *args), result.shape)[:, element]
        found[here, element] = what(result[:, element])[here]
        return found

    return change


def no_mask(result, *_):
    """Return 1 in place of -1 for true comparisons."""
    return np.abs(result)


def half_saturated(result, x, y):
    """Let the upper half of a vector wrap in place of saturating."""
    found, half = result.copy(), result.shape[1] // 2
    found[:, half:] = (x + y)[:, half:]
    return found


def all_saturate(result, x):
    """If one component is beyond the range, replace every component by an end of the range."""
    info = np.iinfo(result.dtype)
    any_beyond = ((x > info.max) | (x < info.min)).any(axis=1, keepdims=True)
    return np.where(any_beyond, np.where(x > 0, info.max, info.min), result)


def as_asked(name):
    return f"not as prescribed: {ROWS[name].limit}"


BROKEN = {
    "lane 3 of 4": ("add_sat", "int", at(3, lambda y: y ^ 1), (4,), 3, None),
    "lane 3 of 4, at one value": (
        "convert_int_rte", "float", at(3, lambda y: y + 1, lambda y, *a: y == 2), (4,), 3, None,
    ),
    "the last of 16, at one value of 256": (
        "popcount", "uchar", at(15, lambda y: y - 1, lambda y, *a: y == 8), (16,), 15, None,
    ),
    "the third of three": ("upsample", "char", at(2, lambda y: y + 1), (3,), 2, None),
    "half of the lanes wrap": ("add_sat", "short", half_saturated, WIDE, None, None),
    "true is 1": ("isequal", "float", no_mask, WIDE, None, TRUTH),
    "true is 1 in doubles": ("isnan", "double", no_mask, WIDE, None, TRUTH),
    "true is one bit, the sign": ("signbit", "half", lambda y, *a: np.where(y, -32768, 0), WIDE, None, TRUTH),
    "true for NaN": ("isless", "float", lambda y, *a: np.where(np.isnan(a[0]), -1, y), WIDE, None, None),
    "select asks for any bit": ("select", "int", lambda y, *a: np.where(a[2] != 0, a[1], a[0]), WIDE, None, None),
    "lanes change places": ("clz", "ushort", lambda y, *a: y[:, ::-1], WIDE, None, None),
    "saturated together": ("convert_char_sat", "int", all_saturate, WIDE, None, None),
    "odd lanes truncate": (
        "convert_int_rtp", "float", lambda y, *a: np.where(np.arange(y.shape[1]) % 2, np.trunc(a[0]), y), (2, 8), 1,
        None,
    ),
    "NaN made quiet in one lane": (
        "as_float", "uint", at(1, lambda y: np.where(np.isnan(y), np.float32(np.nan), y)), (2,), 1, None,
    ),
    "flushed in vectors alone": (
        "convert_half", "float", lambda y, *a: np.where(np.abs(y) < 2.0**-14, np.copysign(0, a[0]), y), WIDE, None,
        "a subnormal flushed to zero, though it may not be",
    ),
    "a bit field of the scalar's width": (
        "bitfield_extract_unsigned", "uchar", lambda y, *a: a[0].view(np.uint8) >> a[1][:, None], (8,), None, None,
    ),
    "an infinity": (
        "convert_float", "double", at(0, lambda y: np.where(y > 1e30, np.inf, y)), (2,), 0,
        "an infinity where a finite number is due",
    ),
}  # fmt: skip


@pytest.mark.slow
@for_each("name", BROKEN)
def test_wrong_component_is_caught_for_its_reason(name):
    builtin, type, change, widths, element, reason = BROKEN[name]
    assert [v.status for v in verdicts_on(Faulty(change, on_vectors=True), builtin, type, (1,), inputs=64)] == ["pass"]
    for verdict in verdicts_on(Faulty(change, on_vectors=True), builtin, type, widths, inputs=4096):
        assert verdict.status == "fail", verdict.item
        assert (reason or as_asked(builtin)) in dict(verdict.tally.reasons)
        for example in (*verdict.tally.failures, verdict.tally.worst):
            found = example.index % verdict.item.vector
            assert len(example.vector) == verdict.item.vector
            assert example.vector[found] == example.args
            assert element in (None, found) or name == "odd lanes truncate"
            assert name != "odd lanes truncate" or found % 2


def test_flushing_passes_component_by_component():
    flush = Faulty(lambda y, *_: np.where(np.abs(y) < 2.0**-14, np.copysign(0, y), y), flushing=("half", "float"))
    assert {v.status for v in verdicts_on(flush, "convert_half", "float")} == {"pass"}


def test_callable_may_return_truth_as_bool():
    """Bool is unambiguous in every encoding; 1 as a component of an integer vector is not true."""
    scalars_or_vectors = Function(lambda name, x, y: np.equal(x, y), "bools")
    assert [v.status for v in verdicts_on(scalars_or_vectors, "isequal", "float", WIDTHS, inputs=64)] == ["pass"] * 6
    ones = Function(lambda name, x, y: np.equal(x, y).astype(np.int32), "ones")
    assert [v.status for v in verdicts_on(ones, "isequal", "float", WIDTHS, inputs=64)] == ["pass", *["fail"] * 5]


def test_offset_and_count_of_a_bit_field_are_scalars():
    """cl_khr_extended_bit_ops: offset and count are scalars, which a target gets once for a vector."""
    seen = []

    def target(name, base, offset, count):
        seen.append((base.shape, offset.shape, count.shape))
        wide = (offset, count) if base.ndim == 1 else (offset[:, None], count[:, None])
        return clmath.bitfield_extract_signed(base, *wide)

    found = verdicts_on(Function(target, "fields"), "bitfield_extract_signed", "int", (1, 4), inputs=64)
    assert [v.status for v in found] == ["pass", "pass"]
    whole = [(b, o, c) for b, o, c in seen if len(o) == 1]  # other shapes occur as well
    assert all(o == c == b[:1] for b, o, c in whole)
    assert {len(b) for b, *_ in whole} == {1, 2}
    item = item_of(ROWS["bitfield_insert"], found[0].item.form, vector=4)
    plan = Plan.of([item.builtin], [item.form], inputs=64, widths=[4])
    for piece in range(row_inputs.chunks(item, plan)):
        columns = [c.reshape(-1, 4) for c in row_inputs.columns(item, plan, piece)]
        assert all((c == c[:, :1]).all() for c in columns[2:])
