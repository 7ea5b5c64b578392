"""The law by exact values, rule by rule: reasons of failures, waivers, and which calls may have the largest errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clmath.audit.counting.tally import Tally
from clmath.audit.law import conformity
from clmath.audit.law.batch import Batch
from clmath.audit.law.deviation import leaders
from clmath.audit.law.law import profile_in_force
from clmath.audit.law.verdict import conclude
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.builtins import builtin
from clmath.spec.limits import Limit, parse
from tests.audit.both_laws import EMBEDDED, FULL, without

INF, NAN = np.inf, np.nan
FLUSHED = "a subnormal flushed to zero, though the device has denormals"
INFINITE, FINITE = "an infinity where another number is due", "a finite number where an infinity is due"


def reasons(name, form, law, args, got):
    """The reason for each result of one call, or "" where it conforms."""
    item = Item(builtin(name), form)
    values = tuple(
        np.array([a], form.dtype if k == "gentype" else np.int32) for a, k in zip(args, item.columns, strict=True)
    )
    kinds = [np.int32 if p.type == "intn" else form.dtype for p in item.builtin.outputs]
    batch = Batch.of(item, values, tuple(np.array([g], k) for g, k in zip(got, kinds, strict=True)), law)
    codes = [int(c[0]) for c in conformity.codes_of(batch)]
    return [conformity.reason(code, batch, k) if code else "" for k, code in enumerate(codes)]


@pytest.mark.parametrize(
    "name, form, args, got, reason",
    [
        ("exp2", FLOAT, (-140.0,), 0.0, FLUSHED),
        ("exp2", FLOAT, (-140.0,), -0.0, FLUSHED),
        ("exp2", FLOAT, (-140.0,), 2.0**-130, "not within the limit: 3 ulp"),
        ("exp2", FLOAT, (-126.0,), 0.0, "not within the limit: 3 ulp"),  # the smallest normal number
        ("exp2", FLOAT, (-126.5,), 0.0, FLUSHED),
        ("exp2", FLOAT, (1.0,), 0.0, "not within the limit: 3 ulp"),
        ("mul", FLOAT, (2.0**-100, 2.0**-100), -0.0, "not within the limit: correctly rounded"),  # 0 is due
        ("exp2", FLOAT, (0.5,), INF, INFINITE),
        ("exp2", FLOAT, (0.5,), -INF, INFINITE),
        ("exp2", FLOAT, (200.0,), 1.0, FINITE),
        ("exp2", FLOAT, (200.0,), -INF, INFINITE),
        ("exp2", FLOAT, (0.5,), NAN, "NaN where a number is due"),
        ("exp2", FLOAT, (200.0,), NAN, "NaN where a number is due"),
        ("add", FLOAT, (INF, -INF), 1.0, "a number where NaN is due"),
        ("add", FLOAT, (INF, -INF), INF, "a number where NaN is due"),
        ("exp", HALF, (1.0,), 2.0, "not within the limit: 2 ulp"),
    ],
)  # fmt: skip
def test_reasons(name, form, args, got, reason):
    """By what differs: kind, sign of zero, flushing, error."""
    assert reasons(name, form, FULL, args, (got,)) == [reason]


def test_reasons_of_ints_name_the_result():
    assert reasons("remquo", FLOAT, FULL, (1000.0, 3.0), (1.0, 5)) == ["", "wrong quo"]
    assert reasons("frexp", DOUBLE, FULL, (8.0,), (0.5, 5)) == ["", "wrong exp"]


def test_the_correctly_rounded_result_passes_whatever_the_limit():
    """Even where an absolute limit is less than half an ulp; so does any NaN that is due."""
    item = Item(builtin("sin"), FLOAT)
    values = (np.array([1.0, 2.0, INF, 2.0], np.float32),)
    rounded = Batch.of(item, values, values, FULL).truth[0].rounded
    results = (np.array([rounded[0], np.nextafter(rounded[1], np.float32(0)), NAN, -rounded[3]], np.float32),)
    limit = Limit("absolute 2^-60", "test", ("x",), parse("absolute 2^-60", "test"))
    batch = replace(Batch.of(item, values, results, FULL), limit=limit)
    assert (conformity.codes_of(batch)[0] != 0).tolist() == [False, True, False, True]


def test_what_a_device_without_infinities_need_not_do():
    """Only where the text lets a device have none: float of the embedded profile."""
    item = Item(builtin("mul"), FLOAT)
    allowed = without(EMBEDDED, mode="rtz", infinities=False)
    assert allowed.waives("not finite", item)
    assert allowed.waives("overflow", item)
    for law in (without(allowed, infinities=True), without(FULL, infinities=False)):
        assert not law.waives("not finite", item)
        assert not law.waives("overflow", item)
    assert not without(allowed, infinities=False).waives("not finite", Item(builtin("mul"), DOUBLE))


@pytest.mark.parametrize(
    "profile, options, wanted",
    [
        ("full", (), "full"),
        ("full", ("-cl-fast-relaxed-math",), "relaxed"),
        ("embedded", ("-cl-fast-relaxed-math",), "relaxed embedded"),
        ("embedded", ("-cl-mad-enable",), "embedded"),
        ("relaxed", (), "relaxed"),
        ("relaxed embedded", (), "relaxed embedded"),
        ("relaxed embedded", ("-cl-fast-relaxed-math",), "relaxed embedded"),
    ],
)
def test_which_tables_build_options_put_in_force(profile, options, wanted):
    assert profile_in_force(profile, options) == wanted


@pytest.mark.parametrize(
    "tried, unjudged, failed, status",
    [(5, 0, 0, "pass"), (5, 4, 0, "pass"), (5, 5, 0, "not judged"), (5, 4, 1, "fail"), (0, 0, 0, "pass")],
)
def test_status(tried, unjudged, failed, status):
    item = Item(builtin("exp"), FLOAT)
    found = conclude(item, FULL, Tally(tried=tried, unjudged=unjudged, failed=failed))
    assert (found.status, found.left_open) == (status, status == "not judged")


def test_calls_that_cannot_have_the_largest_error():
    """Those below the least that another one of their stretch has, or not above what is known of it."""
    item, ones = Item(builtin("exp"), FLOAT), np.float32([1.0, 1.5, 1.25, 4.0])
    least, most = np.array([0.3, 0.1, 0.1, 0.1]), np.array([0.4, 0.3, 0.2, 0.2])
    assert leaders(item, (ones,), least, most).tolist() == [True, True, False, True]
    known = (((127, 0.3),),)  # the binade of 1
    assert leaders(item, (ones,), least, most, known).tolist() == [True, False, False, True]
