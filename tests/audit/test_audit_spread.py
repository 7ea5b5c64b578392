"""Distances of results from the correctly rounded ones: every bin and every binade, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.counting.spread import steps, stretch_of, stretch_text, worst_by_stretch
from clmath.audit.judge.piece import judge
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS
from clmath.spec.builtins import builtin
from tests.audit.checks import moved
from tests.audit.faulty import verdicts

LAW = Criteria("full", "rte", flushes=False)


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_steps_count_numbers(form):
    one, tiny = form.dtype.type(1), form.dtype.type(form.smallest_subnormal)
    pairs = [
        (one, one, 0),
        (np.nextafter(one, form.dtype.type(2)), one, 1),
        (np.nextafter(one, form.dtype.type(0)), one, 1),
        (tiny, -tiny, 2),
        (-tiny, form.dtype.type(0), 1),
        (-form.dtype.type(0), form.dtype.type(0), 0),
        (form.dtype.type(np.inf), form.dtype.type(form.largest), 1),
        (form.dtype.type(np.nan), form.dtype.type(np.nan), 0),
        (form.dtype.type(np.nan), one, 2**64 - 1),
        (form.dtype.type(-np.inf), form.dtype.type(np.inf), 2 * int(form.bits(np.inf)[()])),
    ]
    got, due, wanted = zip(*pairs, strict=True)
    assert steps(np.array(got, form.dtype), np.array(due, form.dtype), form).tolist() == list(wanted)


@pytest.mark.parametrize("form", [FLOAT, DOUBLE], ids=str)
def test_results_fall_into_bins_and_binades(form):
    item = Item(builtin("sin"), form)
    x = np.array([0.75, 0.8, 1.1, 1.3, -2.9, 3.1, 0.0], form.dtype)
    right = np.sin(x.astype(np.longdouble)).astype(form.dtype)
    results = moved(form, right, np.array([0, 1, -2, 3, 100, 2**20, 0]))
    tally = judge(item, (x,), (results,), LAW)
    assert tally.spread.counts == (("0", 2), ("1", 1), ("2", 1), ("3-4", 1), ("65-128", 1), ("more", 1))
    assert (tally.spread.right, tally.spread.counted) == (2, 7)
    (worst,) = tally.spread.worst
    named = {stretch_text(stretch, form): error for stretch, error in worst}
    if form is FLOAT:
        assert set(named) == {"0x1p-1", "0x1p+0", "0x1p+1", "-0x1p+1"}
        assert 0.5 <= named["0x1p-1"] <= 1.5
        assert 2.5 <= named["0x1p+0"] <= 3.5
        assert named["0x1p+1"] == pytest.approx(2**20, rel=1e-3)
        assert stretch_of("-0x1p+1", FLOAT) == 256 + 128
    else:
        assert set(named) == {"0x1p-7", "-0x1p+1", "0x1p+1"}
    assert named["-0x1p+1"] == pytest.approx(100, rel=1e-2)


def test_errors_by_binade_are_rounded_up_to_four_digits():
    x = np.array([1.0, 1.5, 2.0, 4.0, -8.0], np.float32)
    errors = np.array([0.50001, 0.3, 2.0, 0.0, np.inf])
    (worst,) = worst_by_stretch(Item(builtin("exp"), FLOAT), (x,), errors)
    assert {stretch_text(stretch, FLOAT): error for stretch, error in worst.items()} == {
        "0x1p+0": 0.5001,
        "0x1p+1": 2.0,
        "0x1p+2": 0.0,
        "-0x1p+3": np.inf,
    }


def test_unspecified_and_flushed_results_are_not_counted():
    """Unspecified results, and results that pass only because they are flushed."""
    item = Item(builtin("half_sin"), FLOAT)
    x = np.array([1.0, 1e30], np.float32)  # unspecified beyond 2^16
    tally = judge(item, (x,), (np.array([0.0, 0.0], np.float32),), LAW)
    assert (tally.unjudged, tally.spread.counted) == (1, 1)
    small = np.array([1e-40, 1.0], np.float32)
    flushed = judge(
        Item(builtin("fabs"), FLOAT), (small,), (np.array([0, 1], np.float32),), Criteria("full", "rte", True)
    )
    assert (flushed.flushed, flushed.failed) == (1, 0)
    assert flushed.spread.counts == (("0", 1),)


def test_wrong_int_is_counted_as_an_error():
    item = Item(builtin("ilogb"), FLOAT)
    x = np.array([8.0, 0.0, np.nan], np.float32)
    tally = judge(item, (x,), (np.array([4, -(2**31), 2**31 - 1], np.int32),), LAW)
    assert tally.spread.counts == (("0", 2), ("1", 1))


def test_spread_by_enclosures_equals_spread_by_the_reference(truthful):
    def off(_, form, args, results):
        return (moved(form, results[0], (form.bits(args[0].reshape(-1)[: len(results[0])]) & 7 == 3)),)

    found_by = {oracle: verdicts(truthful(off), ["exp"], ["double"], oracle=oracle) for oracle in ("auto", "mpfr")}
    one, two = ([verdict.tally.spread for verdict in found] for found in found_by.values())
    assert one == two
    assert all(0.5 < spread.share < 1 for spread in one)
