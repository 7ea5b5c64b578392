"""A correct target is never blamed, whatever choices the specification leaves to it."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.acceptance.batch import Batch
from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.inputs.layout import arguments
from clmath.audit.judge.piece import judge
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS
from clmath.spec.builtins import builtin
from clmath.spec.special_values import special_values
from tests.cases import for_each

CLAIMS = [  # profile, rounding mode, and whether operands and results are flushed
    ("full", "rte", False, False),
    ("full", "rtz", False, False),
    ("embedded", "rte", False, False),
    ("full", "rte", True, False),
    ("relaxed", "rte", False, False),
    ("full", "rtp", False, False),
    ("full", "rte", False, True),
    ("relaxed embedded", "rtz", False, False),
    ("full", "rtn", False, False),
    ("embedded", "rtz", False, True),
    ("full", "rte", True, True),
    ("relaxed embedded", "rte", False, False),
]


def flush(values, form, rng):
    """Return subnormals of ``form`` as zeros of either sign; other arrays are unchanged."""
    if values.dtype != form.dtype:
        return values
    small = (np.abs(values) < form.smallest_normal) & (values != 0)
    zeros = np.copysign(np.zeros_like(values), rng.choice([-1.0, 1.0], values.shape).astype(form.dtype))
    return np.where(small, zeros, values)


def assert_not_blamed(item, values, claim, refer):
    """Check that correct results with the claimed rounding and flushing pass; double needs a build option to flush."""
    (profile, mode, flushes_operands, flushes_results), rng = claim, np.random.default_rng(3)
    is_double, flushes = item.form is DOUBLE, flushes_operands or flushes_results
    given = tuple(flush(v, item.form, rng) for v in values) if flushes_operands else values
    results = refer(item.builtin, item.form, arguments(item, given), mode)
    results = tuple(flush(r, item.form, rng) for r in results) if flushes_results else results
    options = ("-cl-denorms-are-zero",) if flushes and is_double else ()
    tally = judge(item, values, results, Criteria(profile, mode, flushes=flushes, options=options))
    assert not tally.failed, f"{item} {claim}: {tally.failures[:3]}"
    assert tally.tried == len(values[0])


def claims_of(item):
    return [claim for claim in CLAIMS if item.form is not DOUBLE or claim[0] == "full"]


def test_correct_results_of_every_built_in_pass(items, sample, refer):
    """The reference gives the results, rounded and flushed as one kind of device does it."""
    for number, item in enumerate(items[::5]):
        claims = claims_of(item)
        values = tuple(column[number % 3 :: 3] for column in sample(item, 48))
        assert_not_blamed(item, values, claims[number % len(claims)], refer)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_correct_results_pass_for_every_claim(form, items, sample, refer):
    for item in [item for item in items if item.form is form][::12]:
        for claim in claims_of(item):
            assert_not_blamed(item, sample(item), claim, refer)


@pytest.mark.exhaustive
@for_each("form", FORMATS)
def test_correct_results_of_every_built_in_pass_for_every_claim(form, items, sample, refer):
    for item in [item for item in items if item.form is form]:
        for claim in claims_of(item):
            assert_not_blamed(item, sample(item), claim, refer)


def test_flushing_passes_and_is_counted_only_where_it_is_allowed(sample, evaluate):
    item = Item(builtin("fabs"), FLOAT)
    values = sample(item)
    results = tuple(flush(r, FLOAT, np.random.default_rng(3)) for r in evaluate(item.builtin, FLOAT, values, "rte"))
    allowed = judge(item, values, results, Criteria("full", "rte", flushes=True))
    assert not allowed.failed
    assert allowed.flushed > 0
    assert allowed.worst.error == 0
    refused = judge(item, values, results, Criteria("full", "rte", flushes=False))
    assert refused.failed >= allowed.flushed
    assert "a subnormal flushed to zero, though the device has denormals" in dict(refused.reasons)


def test_errors_within_the_limit_pass(items, sample, evaluate):
    """Results are moved toward zero, where ulps are not wider, by at most the number that the limit allows."""
    for item in items[::8]:
        form, values = item.form, sample(item)
        args = arguments(item, values)
        criteria = Criteria("full", "rte", flushes=False)
        right = evaluate(item.builtin, form, args, "rte")
        batch = Batch.of(item, values, right, criteria)
        moved = tuple(
            moved_inward(batch, k, prescribed(item, args, r)) if batch.is_real(k) else r for k, r in enumerate(right)
        )
        tally = judge(item, values, moved, criteria)
        assert not tally.failed, f"{item}: {tally.failures[:3]}"


def prescribed(item, args, result):
    met = np.zeros(args[0].shape[0], bool)
    for special_value in special_values(item.builtin.name):
        met |= special_value.matches(args, item.form)
    return met[:, np.newaxis] if result.ndim > 1 else met


def moved_inward(batch, k, kept):
    result, form = batch.results[k], batch.form
    with np.errstate(all="ignore"):
        places = np.floor(batch.limit.bound(batch.args, batch.exact[k], form) - 0.5)
    places = np.where(np.isfinite(places), np.clip(places, 0, 2**12), 0).astype(np.int64)
    bits = form.bits(np.abs(result)).astype(np.int64)
    steady = kept | ~np.isfinite(result) | (bits <= places)
    return np.where(
        steady, result, np.copysign(form.from_bits((bits - places * ~steady).astype(form.bits_dtype)), result)
    )
