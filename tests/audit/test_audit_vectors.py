"""Calls on vectors: which stand side by side, what is caught there and in no scalar call, and what a failure tells."""
# ruff: noqa: ARG001 - changes share one signature

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from clmath.audit.inputs import row_inputs, second_look, structured
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import WIDTHS
from clmath.audit.running.run import audit
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.builtins import builtin
from tests.cases import for_each

WIDE = WIDTHS[1:]


@dataclasses.dataclass(frozen=True)
class Vectors:
    """A subject of scalars, called lane by lane, whose vector results ``change`` then spoils."""

    scalars: object
    change: object
    widths: tuple[int, ...] = WIDTHS

    def __getattr__(self, name):
        return getattr(self.scalars, name)

    def evaluate(self, row, form, args):
        if args[0].ndim == 1 or row.widths:
            return self.scalars.evaluate(row, form, args)
        width = args[0].shape[1]
        results = self.scalars.evaluate(row, form, tuple(a.reshape(-1) for a in args))
        return self.change(row, form, args, tuple(r.reshape(-1, width) for r in results))


def unchanged(row, form, args, results):
    return results


def verdicts_on(subject, name, form=FLOAT, widths=WIDE, **options):
    options = {"inputs": 512, "jobs": 1, "second_look": False} | options
    plan = Plan.of([name], [form], widths=widths, **options)
    return list(audit(plan, subject))


def item_of(name, form=FLOAT, width=4):
    return Item(builtin(name), form, vector=width)


@pytest.mark.slow
@for_each(
    "name, form",
    [("powr", DOUBLE), ("ldexp", HALF), ("nan", FLOAT), ("remquo", FLOAT)],
)
def test_a_right_subject_is_not_blamed_at_any_width(name, form, truthful):
    verdicts = verdicts_on(Vectors(truthful(), unchanged), name, form, WIDTHS, inputs=64)
    assert [v.item.vector for v in verdicts] == list(WIDTHS)
    assert [v.status for v in verdicts] == ["pass"] * len(WIDTHS)
    assert str(verdicts[3].item) == f"{name} {form}4"


def apart(args, factor=1e30):
    """Where a vector holds arguments that have little in common."""
    with np.errstate(all="ignore"):
        size = np.where(np.isfinite(args[0]), np.abs(args[0]), 1.0).astype(np.float64)
        return size.max(axis=1) > factor * size.min(axis=1)


def spoilt(results, where):
    """The first result off by thousands of ulp where it is a number."""
    y = results[0].copy()
    with np.errstate(all="ignore"):
        y[where] *= y.dtype.type(1.01)
    return (y, *results[1:])


@pytest.mark.slow
@pytest.mark.parametrize("lane, width", [(3, 4), (0, 2), (2, 3), (15, 16)])
def test_a_lane_that_is_wrong_only_beside_unlike_ones(lane, width, truthful):
    """As sin((float2)(0x1p-126f, 1e20f)) of PoCL 3.1, which no test with neighbours side by side can see."""

    def change(row, form, args, results):
        where = np.zeros(args[0].shape, np.bool_)
        where[:, lane] = apart(args) & (np.abs(args[0][:, lane]) < 1e-30)
        return spoilt(results, where)

    (verdict,) = verdicts_on(Vectors(truthful(), change), "sin", widths=[width])
    assert verdict.status == "fail"
    for example in verdict.tally.failures:
        assert len(example.vector) == width
        assert example.index % width == lane
        assert example.vector[lane] == example.args
        assert apart([FLOAT.from_bits([[v for (v,) in example.vector]])]).all()


@pytest.mark.parametrize("name, lead", [("pow", 1), ("pown", 1), ("fma", 2)])
def test_arguments_are_unlike_in_each_place(name, lead, truthful):
    """Vectors in which no two lanes have like values of a later argument."""

    def change(row, form, args, results):
        with np.errstate(all="ignore"):
            size = np.log2(np.abs(args[lead].astype(np.float64)) + 1e-40)
            apart = np.diff(np.sort(size, axis=1), axis=1).min(axis=1) > 2.0**-8  # not where one is infinite or NaN
        return spoilt(results, np.broadcast_to(apart[:, np.newaxis], results[0].shape))

    (verdict,) = verdicts_on(Vectors(truthful(), change), name, widths=[8], inputs=4096)
    assert verdict.status == "fail"


def beside_huge(row, form, args, results):
    """A reduction that all lanes take when one needs it, and that is not made for small ones."""
    small = (np.abs(args[0]) < 2.0**-30) & (args[0] != 0)
    huge = (np.abs(args[0]) > 2.0**90) & np.isfinite(args[0])
    return (np.where(small & huge.any(axis=1, keepdims=True), form.dtype.type(2.0**-8), results[0]), *results[1:])


def infinite_beside_finite(row, form, args, results):
    alone = np.isinf(args[0]) & np.isfinite(args[0]).any(axis=1, keepdims=True)
    return (np.where(alone, np.nextafter(results[0], form.dtype.type(0)), results[0]),)


def not_scaled_back(row, form, args, results):
    """Subnormal arguments are scaled by 2^62 on the way in."""
    small = (np.abs(args[0]) < form.smallest_normal) & (args[0] != 0) & (args[0].shape[1] >= 8)
    with np.errstate(all="ignore"):
        return (np.where(small, results[0] * form.dtype.type(2.0**62), results[0]),)


def exponents_of_others(row, form, args, results):
    """The correction for subnormal arguments is made to all exponents of a vector."""
    small = ((np.abs(args[0]) < form.smallest_normal) & (args[0] != 0)).any(axis=1, keepdims=True)
    wide = small & (args[0].shape[1] >= 8)
    return results[0], np.where(wide, results[1] - 63, results[1]).astype(np.int32)


def rounded_twice(row, form, args, results):
    x, k = args
    with np.errstate(all="ignore"):
        last = np.clip(k, form.emin - form.precision, form.emax) // 2
        return (np.ldexp(np.ldexp(x, k - last), last).astype(form.dtype),)


@pytest.mark.slow
@for_each(
    "name, form, change, widths",
    [
        ("sin", FLOAT, beside_huge, WIDE),
        ("tan", FLOAT, beside_huge, WIDE),
        ("half_sin", FLOAT, beside_huge, WIDE),
        ("sincos", FLOAT, beside_huge, WIDE),
        ("tanh", FLOAT, infinite_beside_finite, WIDE),
        ("ldexp", FLOAT, rounded_twice, WIDE),
        ("ldexp", DOUBLE, rounded_twice, WIDE),
        ("pow", DOUBLE, not_scaled_back, (8, 16)),
        ("rootn", DOUBLE, not_scaled_back, (8, 16)),
        ("frexp", DOUBLE, exponents_of_others, (8, 16)),
    ],
)
def test_what_pocl_3_0_does_wrong_on_vectors_alone(name, form, change, widths, truthful):
    """Each as an audit of PoCL 3.0 with all widths has found it; its scalars conform, as does all else here."""
    tried = (1, 2, 16)
    found = {v.item.vector: v for v in verdicts_on(Vectors(truthful(), change), name, form, tried, inputs=128)}
    assert {width: v.status for width, v in found.items()} == {
        width: "fail" if width in widths else "pass" for width in tried
    }
    assert all(len(e.vector) == w for w, v in found.items() if w > 1 for e in v.tally.failures)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fract", "frexp", "remquo", "sincos", "modf"])
def test_one_lane_of_what_is_stored_through_a_pointer(name, truthful):
    def change(row, form, args, results):
        stored = results[1].copy()
        stored[:, -1] = stored[:, 0]
        return (results[0], stored)

    assert [v.status for v in verdicts_on(Vectors(truthful(), change), name, inputs=0)] == ["fail"] * len(WIDE)


def test_a_fourth_lane_where_three_were_asked_for(truthful):
    def longer(row, form, args, results):
        return tuple(np.pad(r, ((0, 0), (0, 1))) for r in results)

    (verdict,) = verdicts_on(Vectors(truthful(), longer), "exp", widths=[3])
    assert verdict.status == "not judged"
    assert "of shape (2730, 4)" in verdict.reason
    assert "of shape (2730, 3) is needed" in verdict.reason


def spread_of_ranks(x, width):
    """How many numbers of ``x`` lie between the least and the greatest one of each vector."""
    with np.errstate(all="ignore"):
        ranks = np.argsort(np.argsort(x.astype(np.float64)))
    return np.ptp(ranks.reshape(-1, width), axis=1)


@for_each("width", [3, 16])
@for_each("name, form", [("sin", HALF), ("sin", FLOAT), ("pown", FLOAT), ("fma", DOUBLE)])
def test_every_scalar_input_stands_in_vectors_alike_and_unlike(name, form, width):
    plan = Plan.of([name], [form], inputs=1000, widths=[1, width])
    scalar, item = plan.items()
    once, values = structured.structured(scalar), structured.structured(item)
    half = len(once[0]) + -len(once[0]) % width
    values = [c[: 2 * half] for c in values]  # special ones in each lane follow
    key = lambda columns: set(zip(*(c.view(f"u{c.itemsize}").tolist() for c in columns), strict=True))  # noqa: E731
    assert key(c[:half] for c in values) == key(c[half:] for c in values) == key(once)
    spread = [spread_of_ranks(values[0][part], width) for part in (slice(half), slice(half, None))]
    assert np.median(spread[0]) <= 4 * width
    assert np.median(spread[1]) > half / 8


SPECIAL = {"inf": np.isposinf, "-inf": np.isneginf, "NaN": np.isnan, "zero": lambda x: x == 0}


@for_each("name, form", [("cos", DOUBLE), ("atan2", FLOAT), ("convert_int_sat", DOUBLE), ("isequal", HALF)])
@for_each("kind", [*SPECIAL, "subnormal"])
def test_each_kind_of_special_number_is_in_each_lane_beside_ordinary_ones(kind, name, form):
    """Kernels may branch for the whole vector because of one element."""
    (item,) = Plan.of([name], [form], widths=[16]).items()
    with np.errstate(all="ignore"):
        columns = [np.abs(c.reshape(-1, 16)) for c in structured.structured(item)]
    is_ordinary = [np.isfinite(c) & (c >= form.smallest_normal) for c in columns]
    for number, column in enumerate(structured.structured(item)):
        x = column.reshape(-1, 16)
        subnormal = (x != 0) & (np.abs(x) < form.smallest_normal)
        found = subnormal if kind == "subnormal" else SPECIAL[kind](x)
        others = np.logical_and.reduce([*is_ordinary[:number], *is_ordinary[number + 1 :], np.ones_like(found)])
        alone = found & others & ((is_ordinary[number] & others).sum(axis=1, keepdims=True) == 15)
        assert alone.any(axis=0).all()
        assert {8, 16} <= set((found & others).sum(axis=1))


@pytest.mark.parametrize("width", WIDE)
def test_the_pieces_of_a_row_are_whole_vectors_and_the_same_every_time(width):
    plan = Plan.of(["atan2"], [FLOAT], inputs=20000, widths=[width], seed=7)
    (item,) = plan.items()
    total = 0
    for piece in range(row_inputs.chunks(item, plan)):
        values = row_inputs.columns(item, plan, piece)
        again = row_inputs.columns(item, plan, piece)
        assert all(a.tobytes() == b.tobytes() for a, b in zip(values, again, strict=True))
        assert len(values[0]) % width == 0
        assert row_inputs.places(item, plan, piece) % width == 0
        total += len(values[0])
        assert row_inputs.length(item, plan, piece + 1) == total


@pytest.mark.slow
def test_all_floats_in_vectors():
    """A part has every one of its floats, half of them beside neighbours and half beside others."""
    width = 3
    item = item_of("sin", width=width)
    plan = Plan.of(["sin"], [FLOAT], inputs="exhaustive", part="5/4096", widths=[1, width])
    scalar, _ = plan.items()
    (once,), (values,) = row_inputs.columns(scalar, plan, 0), row_inputs.columns(item, plan, 0)
    assert np.array_equal(np.unique(once.view(np.uint32)), np.unique(values.view(np.uint32)))
    assert len(values) % width == 0 == row_inputs.places(item, plan, 0) % width
    assert row_inputs.length(item, plan, 1) == len(values)
    codes = values[: len(values) // 2 // width * width].view(np.uint32).reshape(-1, width)
    assert np.mean(np.ptp(codes, axis=1) == width - 1) > 0.9
    others = values[-(len(values) // 2 // width * width) :].view(np.uint32).reshape(-1, width).astype(np.int64)
    assert np.median(np.ptp(others, axis=1)) > 2**29


def test_the_second_look_keeps_the_other_lanes_of_every_second_vector():
    plan = Plan.of(["pow"], [FLOAT], inputs=4096, widths=[4])
    (item,) = plan.items()
    calls = [
        (FLOAT.bits(np.float32(x)).item(), FLOAT.bits(np.float32(y)).item())
        for x, y in ((1, 2), (3, 1e-40), (5, 6), (1e20, 8))
    ]
    worst = (*calls[1], 1, *(v for call in calls for v in call))
    x, y = (c.reshape(-1, 4) for c in second_look.columns(item, plan, worst, 0))
    for column, k in ((x, 0), (y, 1)):
        for lane in (0, 2, 3):
            assert set(column[1::2, lane].view(np.uint32).tolist()) == {calls[lane][k]}
        assert len(np.unique(column[1::2, 1])) > len(column) // 8
        assert len(np.unique(column[::2, 3])) > len(column) // 8
