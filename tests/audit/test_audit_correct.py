"""A subject that is right must never be blamed, whatever the specification leaves it to choose."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.inputs.layout import arguments, dtypes
from clmath.audit.judge.piece import judge
from clmath.audit.law.batch import Batch
from clmath.audit.law.law import Law
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtin
from clmath.spec.edges import edges
from tests.cases import for_each, some


@pytest.fixture
def items(items):
    """An eighth of all rows, others in each run."""
    return some(items, len(items) // 8)


def blame(item, tally):
    return f"{item}: {tally.failures[:3]}" if tally.failed else ""


def are_same(one, other):
    """Whether two arrays have the same numbers, zeros with their signs; NaN is NaN."""
    are_nan = np.isnan(one) & np.isnan(other)
    return one.dtype == other.dtype and np.where(are_nan, 0, one).tobytes() == np.where(are_nan, 0, other).tobytes()


@for_each("form", FORMATS)
@for_each("mode", MODES)
def test_the_reference_rounded_in_the_claimed_mode(form, mode, items, sample, evaluate, refer):  # noqa: PLR0917
    """Other tests take clmath's own results, which are the same."""
    for item in (i for i in items if i.form is form):
        values = sample(item)
        results, own = (f(item.builtin, form, arguments(item, values), mode) for f in (refer, evaluate))
        assert all(map(are_same, results, own)), item
        tally = judge(item, values, results, Law("full", mode, flushes=False))
        assert not tally.failed, blame(item, tally)
        assert tally.tried == len(values[0])


@pytest.mark.parametrize("profile", ["embedded", "relaxed", "relaxed embedded"])
def test_the_reference_in_every_profile(profile, items, sample, refer):
    for item in (i for i in items if i.form is not DOUBLE):
        values = sample(item)
        results = refer(item.builtin, item.form, arguments(item, values), "rte")
        tally = judge(item, values, results, Law(profile, "rte", flushes=False))
        assert not tally.failed, blame(item, tally)


@pytest.mark.parametrize(
    "profile, flushes", [("embedded", True), ("relaxed embedded", False)], ids=["flushing", "relaxed"]
)
def test_an_embedded_device_that_rounds_toward_zero(profile, flushes, items, sample, evaluate):
    """It may flush subnormals as well; its results are those of the reference, or of what is left of the operands."""
    rng = np.random.default_rng(4)
    for item in (i for i in items if i.form is not DOUBLE):
        values = sample(item, 48)
        results = evaluate(item.builtin, item.form, arguments(item, values), "rtz")
        results = tuple(flush(r, item.form, rng) for r in results) if flushes else results
        tally = judge(item, values, results, Law(profile, "rtz", flushes=flushes))
        assert not tally.failed, blame(item, tally)


def flush(values, form, rng):
    """Subnormals of ``form`` as zeros of either sign; other arrays as they are."""
    if values.dtype != form.dtype:
        return values
    small = (np.abs(values) < form.smallest_normal) & (values != 0)
    zeros = np.copysign(np.zeros_like(values), rng.choice([-1.0, 1.0], values.shape).astype(form.dtype))
    return np.where(small, zeros, values)


@for_each("form", FORMATS)
@for_each("operands", [False, True])
@for_each("result", [False, True])
def test_a_device_that_flushes_in_each_of_the_four_ways(form, operands, result, items, sample, evaluate):  # noqa: PLR0917
    rng = np.random.default_rng(3)
    for item in (i for i in items if i.form is form):
        values = sample(item, 64)
        given = tuple(flush(v, form, rng) for v in values) if operands else values
        results = evaluate(item.builtin, form, arguments(item, given), "rte")
        results = tuple(flush(r, form, rng) for r in results) if result else results
        options = ("-cl-denorms-are-zero",) if form is DOUBLE else ()  # of double nothing else allows it
        tally = judge(item, values, results, Law("full", "rte", flushes=True, options=options))
        assert not tally.failed, blame(item, tally)


def test_flushing_is_excused_and_counted_only_where_it_is_allowed(sample, evaluate):
    item = Item(builtin("fabs"), FLOAT)
    values = sample(item)
    results = tuple(flush(r, FLOAT, np.random.default_rng(3)) for r in evaluate(item.builtin, FLOAT, values, "rte"))
    allowed = judge(item, values, results, Law("full", "rte", flushes=True))
    assert not allowed.failed
    assert allowed.flushed > 0
    assert allowed.worst.error == 0
    refused = judge(item, values, results, Law("full", "rte", flushes=False))
    assert refused.failed >= allowed.flushed
    assert "a subnormal flushed to zero, though the device has denormals" in dict(refused.reasons)


@for_each(
    "x, y, result",
    [
        (FLOAT.smallest_normal, 0.0, -0.0),
        (-FLOAT.smallest_normal, 1.0, 0.0),
        (-0.0, 1.0, FLOAT.smallest_normal),
        (0.0, 1.0, FLOAT.smallest_normal),  # 3.19.6 and 4.2: the next number that there is
        (-0.0, -1.0, -FLOAT.smallest_normal),
        (0.0, -1.0, -FLOAT.smallest_normal),
        (FLOAT.smallest_subnormal, 1.0, FLOAT.smallest_normal),
    ],
)
def test_what_4_5_3_says_of_nextafter(x, y, result):
    item = Item(builtin("nextafter"), FLOAT)
    values = tuple(np.array([v], np.float32) for v in (x, y))
    results = (np.array([result], np.float32),)
    assert judge(item, values, results, Law("full", "rte", flushes=True)).failed == 0
    assert judge(item, values, results, Law("full", "rte", flushes=False)).failed == 1


def test_mad_may_flush_its_product():
    item = Item(builtin("mad"), FLOAT)
    values = tuple(np.array([v], np.float32) for v in (2.0**-70, 2.0**-57, 2.0**-126))
    results = (np.array([2.0**-126], np.float32),)
    assert judge(item, values, results, Law("full", "rte", flushes=True)).failed == 0
    assert judge(item, values, results, Law("full", "rte", flushes=False)).failed == 1


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_errors_within_the_limit(form, items, sample, evaluate):
    """Results moved toward zero, where places are never wider, by as many places as the limit is sure to allow."""
    for item in (i for i in items if i.form is form):
        values = sample(item)
        args = arguments(item, values)
        law = Law("full", "rte", flushes=False)
        right = evaluate(item.builtin, form, args, "rte")
        batch = Batch.of(item, values, right, law)
        moved = tuple(
            moved_inward(batch, k, prescribed(item, args, r)) if batch.is_real(k) else r for k, r in enumerate(right)
        )
        tally = judge(item, values, moved, law)
        assert not tally.failed, blame(item, tally)


def prescribed(item, args, result):
    met = np.zeros(args[0].shape[0], bool)
    for edge in edges(item.builtin.name):
        met |= edge.matches(args, item.form)
    return met[:, np.newaxis] if result.ndim > 1 else met


def moved_inward(batch, k, kept):
    result, form = batch.results[k], batch.form
    with np.errstate(all="ignore"):
        places = np.floor(batch.limit.bound(batch.args, batch.truth[k].exact, form) - 0.5)
    places = np.where(np.isfinite(places), np.clip(places, 0, 2**12), 0).astype(np.int64)
    bits = form.bits(np.abs(result)).astype(np.int64)
    steady = kept | ~np.isfinite(result) | (bits <= places)
    return np.where(
        steady, result, np.copysign(form.from_bits((bits - places * ~steady).astype(form.bits_dtype)), result)
    )


@for_each(
    "name, args, results",
    [
        ("ilogb", (0.0,), (-(2**31),)),
        ("ilogb", (0.0,), (-(2**31) + 1,)),
        ("ilogb", (np.nan,), (2**31 - 1,)),
        ("ilogb", (np.nan,), (-(2**31),)),
        ("lgamma_r", (-np.inf,), (np.inf, -1)),
        ("lgamma_r", (np.nan,), (np.nan, 0)),
        ("fmax", (0.0, -0.0), (-0.0,)),
        ("fmin", (0.0, -0.0), (0.0,)),
        ("maxmag", (-0.0, 0.0), (-0.0,)),
        ("max", (np.nan, 1.0), (7.0,)),
        ("clamp", (1.0, 3.0, 2.0), (9.0,)),
        ("smoothstep", (1.0, 1.0, 2.0), (9.0,)),
        ("mix", (1.0, 2.0, 1.5), (9.0,)),
        ("half_sin", (65537.0,), (9.0,)),
        ("native_sin", (0.0,), (9.0,)),
        ("remquo", (1000.0, 1.0), (0.0, 1000 & 127)),
        ("remquo", (1000.0, 1.0), (0.0, 1000)),
        ("remquo", (-1000.0, 1.0), (-0.0, -(1000 & 127))),
        ("remquo", (128.0, 1.0), (0.0, 0)),
    ],
)
def test_what_the_specification_leaves_to_the_implementation(name, args, results):
    row = builtin(name)
    item = Item(row, FLOAT)
    values = tuple(np.array([a], t) for a, t in zip(args, dtypes(item), strict=True))
    types = [np.int32 if p.type == "intn" else np.float32 for p in row.outputs]
    given = tuple(np.array([r], t) for r, t in zip(results, types, strict=True))
    tally = judge(item, values, given, Law("full", "rte", flushes=False))
    assert not tally.failed, tally.reasons


def test_a_nan_in_an_unused_lane_voids_no_limit():
    """The fourth components play no part in a cross product: the others are still allowed their rounding errors."""
    item = Item(builtin("cross"), HALF, 4)
    p0, p1 = (1.25, 3.0, -2.0, np.nan), (0.75, 1.5, 4.0, 1.0)
    values = tuple(np.array([v], np.float16) for v in (*p0, *p1))
    exact = np.cross(p0[:3], p1[:3]).astype(np.float16)
    result = np.array([[*np.nextafter(exact, np.float16(0)), 0.0]], np.float16)
    assert judge(item, values, (result,), Law("full", "rte", flushes=False)).failed == 0


def test_a_whole_audit_of_a_correct_subject_passes(truthful):
    plan = Plan.of(["sin", "remquo", "fast_normalize"], ["float"], inputs=64, jobs=1)
    for verdict in audit(plan, truthful()):
        assert verdict.status == "pass"
        assert verdict.reason == ""
        assert verdict.worst_error <= 0.5


def test_every_half_is_tried(truthful):
    (verdict,) = audit(Plan.of(["exp"], [HALF], inputs=1000, jobs=1), truthful())
    assert verdict.tally.tried == 2**16
    assert verdict.status == "pass"
