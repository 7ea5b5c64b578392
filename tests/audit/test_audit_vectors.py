"""Calls on vectors: which arguments are combined, faults that scalar calls cannot show, and reports of failures."""
# ruff: noqa: ARG001 - changes share one signature

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from clmath.audit.inputs import local_search, row_inputs, structured
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import WIDTHS
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.builtins import builtin
from tests.audit.conftest import unchanged
from tests.audit.faulty import verdicts
from tests.cases import for_each

WIDE = WIDTHS[1:]


@dataclasses.dataclass(frozen=True)
class Vectors:
    """A scalar target called for each component; ``change`` then changes the vector results."""

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


def verdicts_on(target, name, form=FLOAT, widths=WIDE, **options):
    return verdicts(target, [name], [form], widths=widths, **options)


def item_of(name, form=FLOAT, width=4):
    return Item(builtin(name), form, vector=width)


@pytest.mark.slow
@for_each(
    "name, form",
    [("powr", DOUBLE), ("ldexp", HALF), ("nan", FLOAT), ("remquo", FLOAT)],
)
def test_correct_target_passes_at_every_width(name, form, truthful):
    found = verdicts_on(Vectors(truthful(), unchanged), name, form, WIDTHS, inputs=64)
    assert [v.item.vector for v in found] == list(WIDTHS)
    assert [v.status for v in found] == ["pass"] * len(WIDTHS)
    assert str(found[3].item) == f"{name} {form}4"


def apart(args, factor=1e30):
    """Return where a vector holds arguments of very different sizes."""
    with np.errstate(all="ignore"):
        size = np.where(np.isfinite(args[0]), np.abs(args[0]), 1.0).astype(np.float64)
        return size.max(axis=1) > factor * size.min(axis=1)


def corrupted(results, where):
    """Return results in which the first one is wrong by thousands of ulp where it is a number."""
    y = results[0].copy()
    with np.errstate(all="ignore"):
        y[where] *= y.dtype.type(1.01)
    return (y, *results[1:])


@pytest.mark.slow
@pytest.mark.parametrize("element, width", [(3, 4), (0, 2), (2, 3), (15, 16)])
def test_component_that_is_wrong_only_next_to_unlike_ones_fails(element, width, truthful):
    """An example is sin((float2)(0x1p-126f, 1e20f)) of PoCL 3.1, which vectors of neighbours cannot show."""

    def change(row, form, args, results):
        where = np.zeros(args[0].shape, np.bool_)
        where[:, element] = apart(args) & (np.abs(args[0][:, element]) < 1e-30)
        return corrupted(results, where)

    (verdict,) = verdicts_on(Vectors(truthful(), change), "sin", widths=[width])
    assert verdict.status == "fail"
    for example in verdict.tally.failures:
        assert len(example.vector) == width
        assert example.index % width == element
        assert example.vector[element] == example.args
        assert apart([FLOAT.from_bits([[v for (v,) in example.vector]])]).all()


@pytest.mark.parametrize("name, lead", [("pow", 1), ("pown", 1), ("fma", 2)])
def test_arguments_are_unlike_in_each_component(name, lead, truthful):
    """Some vectors have no two components with similar values of a later argument."""

    def change(row, form, args, results):
        with np.errstate(all="ignore"):
            size = np.log2(np.abs(args[lead].astype(np.float64)) + 1e-40)
            apart = np.diff(np.sort(size, axis=1), axis=1).min(axis=1) > 2.0**-8  # false if one is infinite or NaN
        return corrupted(results, np.broadcast_to(apart[:, np.newaxis], results[0].shape))

    (verdict,) = verdicts_on(Vectors(truthful(), change), name, widths=[8], inputs=4096)
    assert verdict.status == "fail"


def wrong_near_huge(row, form, args, results):
    """All elements of a vector take the reduction that one of them needs; it is wrong for small elements."""
    small = (np.abs(args[0]) < 2.0**-30) & (args[0] != 0)
    huge = (np.abs(args[0]) > 2.0**90) & np.isfinite(args[0])
    return (np.where(small & huge.any(axis=1, keepdims=True), form.dtype.type(2.0**-8), results[0]), *results[1:])


def infinite_near_finite(row, form, args, results):
    alone = np.isinf(args[0]) & np.isfinite(args[0]).any(axis=1, keepdims=True)
    return (np.where(alone, np.nextafter(results[0], form.dtype.type(0)), results[0]),)


def not_scaled_back(row, form, args, results):
    """Scale subnormal arguments by 2^62, but not the result."""
    small = (np.abs(args[0]) < form.smallest_normal) & (args[0] != 0) & (args[0].shape[1] >= 8)
    with np.errstate(all="ignore"):
        return (np.where(small, results[0] * form.dtype.type(2.0**62), results[0]),)


def exponents_of_others(row, form, args, results):
    """Correct the exponents of all components if one argument is subnormal."""
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
        ("sin", FLOAT, wrong_near_huge, WIDE),
        ("tan", FLOAT, wrong_near_huge, WIDE),
        ("half_sin", FLOAT, wrong_near_huge, WIDE),
        ("sincos", FLOAT, wrong_near_huge, WIDE),
        ("tanh", FLOAT, infinite_near_finite, WIDE),
        ("ldexp", FLOAT, rounded_twice, WIDE),
        ("ldexp", DOUBLE, rounded_twice, WIDE),
        ("pow", DOUBLE, not_scaled_back, (8, 16)),
        ("rootn", DOUBLE, not_scaled_back, (8, 16)),
        ("frexp", DOUBLE, exponents_of_others, (8, 16)),
    ],
)
def test_vector_faults_of_pocl_3_0_fail(name, form, change, widths, truthful):
    """An audit of PoCL 3.0 with all widths found each of them; its scalar results conform."""
    tried = (1, 2, 16)
    found = {v.item.vector: v for v in verdicts_on(Vectors(truthful(), change), name, form, tried, inputs=128)}
    assert {width: v.status for width, v in found.items()} == {
        width: "fail" if width in widths else "pass" for width in tried
    }
    assert all(len(e.vector) == w for w, v in found.items() if w > 1 for e in v.tally.failures)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fract", "frexp", "remquo", "sincos", "modf"])
def test_one_wrong_component_stored_through_a_pointer_fails(name, truthful):
    def change(row, form, args, results):
        stored = results[1].copy()
        stored[:, -1] = stored[:, 0]
        return (results[0], stored)

    assert [v.status for v in verdicts_on(Vectors(truthful(), change), name, inputs=0)] == ["fail"] * len(WIDE)


def test_a_fourth_component_for_vectors_of_three_is_not_judged(truthful):
    def longer(row, form, args, results):
        return tuple(np.pad(r, ((0, 0), (0, 1))) for r in results)

    (verdict,) = verdicts_on(Vectors(truthful(), longer), "exp", widths=[3])
    assert verdict.status == "not judged"
    assert "of shape (2730, 4)" in verdict.reason
    assert "of shape (2730, 3) is needed" in verdict.reason


def spread_of_ranks(x, width):
    """Count the numbers of ``x`` between the least and the greatest component of each vector."""
    with np.errstate(all="ignore"):
        ranks = np.argsort(np.argsort(x.astype(np.float64)))
    return np.ptp(ranks.reshape(-1, width), axis=1)


@for_each("width", [3, 16])
@for_each("name, form", [("sin", HALF), ("sin", FLOAT), ("pown", FLOAT), ("fma", DOUBLE)])
def test_every_scalar_input_occurs_in_similar_and_unlike_vectors(name, form, width):
    plan = Plan.of([name], [form], inputs=1000, widths=[1, width])
    scalar, item = plan.items()
    once, values = structured.structured(scalar), structured.structured(item)
    half = len(once[0]) + -len(once[0]) % width
    values = [c[: 2 * half] for c in values]  # vectors with special values in each component follow
    key = lambda columns: set(zip(*(c.view(f"u{c.itemsize}").tolist() for c in columns), strict=True))  # noqa: E731
    assert key(c[:half] for c in values) == key(c[half:] for c in values) == key(once)
    spread = [spread_of_ranks(values[0][part], width) for part in (slice(half), slice(half, None))]
    assert np.median(spread[0]) <= 4 * width
    assert np.median(spread[1]) > half / 8


SPECIAL = {"inf": np.isposinf, "-inf": np.isneginf, "NaN": np.isnan, "zero": lambda x: x == 0}


@for_each("name, form", [("cos", DOUBLE), ("atan2", FLOAT), ("convert_int_sat", DOUBLE), ("isequal", HALF)])
@for_each("kind", [*SPECIAL, "subnormal"])
def test_each_component_has_special_values_next_to_ordinary_ones(kind, name, form):
    """One element may decide the branch of a kernel for the whole vector."""
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
def test_chunks_consist_of_complete_vectors_and_are_reproducible(width):
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
def test_all_floats_occur_in_vectors():
    """A part has each of its floats, half of them next to neighbours and half next to other floats."""
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


def test_local_search_keeps_the_other_components_of_every_second_vector():
    plan = Plan.of(["pow"], [FLOAT], inputs=4096, widths=[4])
    (item,) = plan.items()
    calls = [
        (FLOAT.bits(np.float32(x)).item(), FLOAT.bits(np.float32(y)).item())
        for x, y in ((1, 2), (3, 1e-40), (5, 6), (1e20, 8))
    ]
    worst = (*calls[1], 1, *(v for call in calls for v in call))
    x, y = (c.reshape(-1, 4) for c in local_search.columns(item, plan, worst, 0))
    for column, k in ((x, 0), (y, 1)):
        for element in (0, 2, 3):
            assert set(column[1::2, element].view(np.uint32).tolist()) == {calls[element][k]}
        assert len(np.unique(column[1::2, 1])) > len(column) // 8
        assert len(np.unique(column[::2, 3])) > len(column) // 8
