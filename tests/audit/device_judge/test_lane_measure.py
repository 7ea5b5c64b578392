"""What lane arithmetic says of results, on arrays: never more than the reference confirms."""

from __future__ import annotations

import numpy as np
import pytest

from clmath import ladder
from clmath.audit.batch import Batch
from clmath.audit.conformity import codes_of
from clmath.audit.deviation import steps
from clmath.audit.device_judge.asked import Asked
from clmath.audit.device_judge.lane_limits import concerned, met
from clmath.audit.device_judge.lane_measure import measured, signals
from clmath.audit.inputs import structured
from clmath.audit.law import Law
from clmath.audit.plan import Plan
from clmath.audit.prescribed import judged_by_edges
from clmath.audit.spread import BINS
from clmath.numbers.formats import FLOAT
from clmath.numbers.lane_rounding import MODE_NUMBERS, to_float
from clmath.spec.edges import edges
from clmath.spec.notation import condition

RELAXED = ("-cl-unsafe-math-optimizations",)
ROWS = [("exp", "full"), ("tgamma", "full"), ("asinpi", "embedded"), ("lgamma", "full"), ("half_cos", "full")]
ROWS += [("sin", "relaxed"), ("log2", "relaxed"), ("exp2", "relaxed")]


@pytest.fixture(autouse=True)
def quiet():
    """NaN and overflow are what is asked for."""
    with np.errstate(all="ignore"):
        yield


def upper(error):
    """An error as it is told: the upper half of a double."""
    return np.asarray(error, np.float64).view(np.int64) >> 32


def looked_at(name, profile, mode):
    """Calls with results right and wrong in many ways, their truth, and what lane arithmetic says of them."""
    (item,) = Plan.of([name], ["float"]).items()
    law = Law(profile, mode, flushes=False, options=RELAXED if profile == "relaxed" else ())
    (x,) = structured(item)
    right = Batch.of(item, (x,), (x,), law).truth[0].rounded.view(np.int32)
    kinds = [right, right + 1, right - 3, right + 4000, right ^ (-1 << 31), np.zeros_like(right)]
    kinds += [np.full_like(right, code) for code in (0x7F800000, 0x7FC00000, 0x7F800001, 0x5A5A5A5A)]
    x, codes = np.tile(x, len(kinds)), np.concatenate(kinds).astype(np.int32)
    batch = Batch.of(item, (x,), (codes.view(np.float32),), law)
    (bounds,) = ladder.enclose(name, (x,), FLOAT)
    value, err = bounds.value.hi, bounds.value.err
    got, brought = codes.view(np.uint32).astype(np.int64), signals(x.view(np.uint32).astype(np.int64))
    sure = (to_float(value - err, MODE_NUMBERS[mode]) == to_float(value + err, MODE_NUMBERS[mode])) | ~(err > 0)
    rounded = to_float(value, MODE_NUMBERS[mode])
    found = measured(x.astype(np.float64), value, err, rounded, got, brought, Asked(item, law).terms)
    plain, *rest = np.broadcast_arrays(*found)
    return batch, plain & sure, rest


@pytest.mark.parametrize("mode", ["rte", "rtz"])
@pytest.mark.parametrize("name, profile", ROWS)
def test_what_is_plain_conforms_and_is_measured_right(name, profile, mode):
    batch, plain, (is_open, counts, far, least, most) = looked_at(name, profile, mode)
    codes = codes_of(batch)[0]
    free = batch.waived(0) | (batch.has_no_limit(0) & ~judged_by_edges(batch)[0])
    counted = batch.is_counted(0)
    errors = np.abs(batch.truth[0].errors(batch.results[0]))
    apart = steps(batch.results[0], batch.truth[0].rounded, FLOAT)
    assert 0.15 < plain.mean() < 0.999
    assert (codes[plain] == 0).all()
    assert (is_open[plain] == free[plain]).all()
    assert (counts[plain] == counted[plain]).all()
    looked = plain & counted
    assert (least[looked] <= upper(errors[looked])).all()
    assert (upper(errors[looked]) <= most[looked]).all()
    ends = [0, *(1 << k for k in range(len(BINS) - 3))]
    assert (far[looked] == np.searchsorted(ends, apart[looked])).all()


@pytest.mark.parametrize("name", ["lgamma", "native_sin", "half_cos", "exp", "acosh"])
def test_where_edges_have_a_say(name):
    (item,) = Plan.of([name], ["float"]).items()
    (x,) = structured(item)
    batch = Batch.of(item, (x,), (x,), Law("full", "rte", flushes=False))
    found = concerned(x.astype(np.float64), tuple(edge for edge in edges(name) if edge.prescribes))
    assert (np.broadcast_to(found, x.shape) == judged_by_edges(batch)[0]).all()


@pytest.mark.parametrize(
    "text",
    ["x in [-π, π]", "|x| > 88", "finite x < 0", "integer x < 0", "non-integer x", "-1 < x < 1", "non-finite x",
     "infinite x", "non-NaN x"],
)  # fmt: skip
def test_conditions_are_those_of_the_tables(text):
    (item,) = Plan.of(["sin"], ["float"]).items()
    x = structured(item)[0].astype(np.float64)
    wanted = condition(text, "test")
    assert (met(wanted, {"x": x}) == wanted.holds({"x": x}, FLOAT)).all()
