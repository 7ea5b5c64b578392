"""Devices that evaluate the specification's formulas in rounded steps, in any order, pass."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.counting.tally import Tally, Verdict
from clmath.audit.judge.piece import judge
from clmath.audit.plan.item import Item
from clmath.audit.plan.rows import item_named
from clmath.audit.reports.charts import allowed
from clmath.kernels.whole.operators import Operators
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.builtins import builtin
from clmath.spec.limits import limit
from tests.cases import for_each

COUNT = 200
WIDER = {HALF: [np.float32, np.float64], FLOAT: [np.float64], DOUBLE: []}
# rounding mode, whether results are flushed, whether operands are flushed
DEVICES = list(itertools.product(["rte", "rtz"], [False, True], [False, True]))
SOME = DEVICES[::3]  # has each value of each of the three facts
tiers = pytest.mark.parametrize(
    "devices",
    [
        pytest.param(SOME, marks=pytest.mark.slow, id="some"),
        pytest.param([one for one in DEVICES if one not in SOME], marks=pytest.mark.exhaustive, id="others"),
    ],
)


class Device:
    """Correctly rounded operations of a device."""

    def __init__(self, form, mode="rte", results=False, operands=False):
        self.form, self.mode, self.results, self.operands = form, mode, results, operands

    @property
    def criteria(self):
        options = ("-cl-denorms-are-zero",) if self.form is DOUBLE else ()  # without it double is not flushed (4.2)
        return (
            Criteria("full", self.mode, flushes=True, options=options) if self.results or self.operands else self._exact
        )

    @property
    def _exact(self):
        return Criteria("full", self.mode, flushes=False)

    def flushed(self, x, when):
        return np.where(np.abs(x) < self.form.smallest_normal, np.copysign(x.dtype.type(0), x), x) if when else x

    def __getattr__(self, name):
        def operation(*args):
            given = [self.flushed(x, self.operands) for x in args]
            return self.flushed(getattr(Operators(self.form, self.mode), name)(*given), self.results)

        return operation

    def sum_of_products(self, pairs, rng):
        """Return the sum of products in a random order, contracted or not."""
        left = [(pair, None) for pair in pairs]
        while len(left) > 1:
            (a, done), (b, other) = (left.pop(int(rng.integers(len(left)))) for _ in range(2))
            rest = self.mul(*b) if other is None else other
            contract = done is None and rng.random() < 0.5
            total = self.fma(*a, rest) if contract else self.add(self.mul(*a) if done is None else done, rest)
            left.append((None, total))
        ((pair, total),) = left
        return self.mul(*pair) if total is None else total


def tally(name, values, result, form=FLOAT, criteria=None):
    """Return the judge's tally of results; ``values``: columns of arguments, one for each component of vectors."""
    row = builtin(name)
    item = Item(row, form, len(values) // len(row.inputs) if row.widths else 0)
    return judge(item, tuple(values), (result,), criteria or Criteria("full", "rte", flushes=False))


def failures(name, cases, form, criteria):
    """Return the number of failing results in ``cases``, pairs of argument columns and results; judged together."""
    values, results = zip(*cases, strict=True)
    columns = [np.concatenate(column) for column in zip(*values, strict=True)]
    return tally(name, columns, np.concatenate(results), form, criteria).failed


def samples(form, rng, count):
    """Generate random encodings, and numbers near 1, near overflow, near underflow, and whose products underflow."""
    yield [rng.integers(0, 1 << form.width, COUNT, np.uint64).astype(f"u{form.width // 8}") for _ in range(count)]
    for place in (0, form.emax // 2, form.emax - 2, form.emin // 2, form.emin, form.quantum + 3):
        exponents = rng.integers(place - 6, place + 7, (count, COUNT)).clip(form.quantum, form.emax)
        sizes = np.ldexp(rng.uniform(1, 2, (count, COUNT)) * rng.choice([-1, 1], (count, COUNT)), exponents)
        with np.errstate(over="ignore"):
            yield list(sizes.astype(form.dtype))


def numbers(form, rng, count):
    for sampled in samples(form, rng, count):
        values = [v.view(form.dtype) for v in sampled]
        yield [np.where(np.isnan(v), form.dtype.type(1), v) for v in values]


def relaxed_formulas(rng):
    """Generate built-ins, their formulas in float with random errors within table 37, and numbers of arguments."""

    def noisy(value, ulps):
        return (value * (1 + rng.uniform(-ulps, ulps, value.shape) * 2.0**-24)).astype(np.float32)

    def log(x):
        value = np.log(x.astype(np.float64))
        off = np.where((x >= 0.5) & (x <= 2), rng.uniform(-1, 1, x.shape) * 2.0**-21, 0)
        return (noisy(value, 2.9) + off * 0.99).astype(np.float32)

    def root(x):
        return noisy(np.sqrt(x.astype(np.float64)), 2.9)

    def arc(y, x):
        angle = noisy(np.arctan(noisy(y.astype(np.float64) / x, 2.4).astype(np.float64)), 4000)
        turn = np.where(x > 0, 0, np.copysign(np.float32(np.pi), y)).astype(np.float32)
        return angle + turn

    yield "acosh", lambda x: log(x + root(x * x - 1)), 1
    yield "asinh", lambda x: log(x + root(x * x + 1)), 1
    yield "atan2", arc, 2


@pytest.mark.slow
@pytest.mark.parametrize("flushes", [False, True])
def test_relaxed_formula_passes(flushes):
    rng = np.random.default_rng(37)
    device = Device(FLOAT, results=flushes)
    for name, formula, count in relaxed_formulas(rng):
        for values in numbers(FLOAT, rng, count):
            with np.errstate(all="ignore"):
                result = device.flushed(formula(*values).astype(np.float32), flushes)
            assert tally(name, values, result, criteria=Criteria("relaxed", "rte", flushes=flushes)).failed == 0


def weights(form, rng):
    yield rng.uniform(0, 1, COUNT).astype(form.dtype)
    yield np.ldexp(rng.uniform(1, 2, COUNT), rng.integers(-40, 0, COUNT)).astype(form.dtype)
    yield rng.integers(0, 2, COUNT).astype(form.dtype)


@tiers
@for_each("form", [FLOAT, DOUBLE])
def test_mix_in_rounded_steps_passes(form, devices):
    assert [facts for facts in devices if failures_of_mix(form, facts)] == []


def failures_of_mix(form, facts):
    rng, device, cases = np.random.default_rng(5), Device(form, *facts), []
    for (x, y), a in itertools.product(numbers(form, rng, 2), weights(form, rng)):
        with np.errstate(all="ignore"):
            for other in (y, -x, np.nextafter(x, y)):
                t = device.sub(other, x)
                cases += [((x, other, a), r) for r in (device.fma(t, a, x), device.add(x, device.mul(t, a)))]
    return failures("mix", cases, form, device.criteria)


@tiers
@for_each("form", [FLOAT, DOUBLE])
def test_smoothstep_in_rounded_steps_passes(form, devices):
    assert [facts for facts in devices if failures_of_smoothstep(form, facts)] == []


def failures_of_smoothstep(form, facts):
    rng, device, cases = np.random.default_rng(6), Device(form, *facts), []
    one = np.ones(COUNT, form.dtype)
    for sampled in numbers(form, rng, 3):
        low, high = np.minimum(*sampled[:2]), np.maximum(*sampled[:2])
        with np.errstate(all="ignore"):
            inside = (low + (high - low) * rng.uniform(0, 1, COUNT)).astype(form.dtype)
            for x in (sampled[2], np.where(np.isnan(inside), low, inside)):
                t = device.div(device.sub(x, low), device.sub(high, low))
                t = np.nextafter(t, form.dtype.type(7)) if form is FLOAT and facts[0] == "rte" else t
                t = np.fmin(np.fmax(t, 0 * one), one)
                slope = device.fma(-2 * one, t, 3 * one)
                result = device.mul(device.mul(t, t), slope)
                given = [device.flushed(v, facts[2]) for v in (x, low, high)]
                result = np.where(given[0] >= given[2], one, np.where(given[0] <= given[1], 0 * one, result))
                cases.append(((low, high, x), result))
    return failures("smoothstep", cases, form, device.criteria)


@tiers
@for_each("form", [FLOAT, DOUBLE])
@for_each(("name", "constant"), [("degrees", 180 / np.pi), ("radians", np.pi / 180)])
def test_degrees_and_radians_by_a_rounded_constant_pass(form, name, constant, devices):
    assert [facts for facts in devices if failures_of_product(form, name, constant, facts)] == []


def failures_of_product(form, name, constant, facts):
    rng, device, cases = np.random.default_rng(8), Device(form, *facts), []
    for (x,) in numbers(form, rng, 1):
        with np.errstate(all="ignore"):
            cases.append(((x,), device.mul(np.full(COUNT, constant, form.dtype), x)))
    return failures(name, cases, form, device.criteria)


@pytest.mark.parametrize(
    "widths",
    [pytest.param((3,), marks=pytest.mark.slow), pytest.param((1, 2, 4), marks=pytest.mark.exhaustive)],
)
@for_each("form", [HALF, FLOAT, DOUBLE])
@for_each("facts", SOME)
def test_dot_in_any_order_passes(form, widths, facts):
    assert [width for width in widths if failures_of_dot(form, width, facts)] == []


def failures_of_dot(form, width, facts):
    rng, device, cases = np.random.default_rng(9), Device(form, *facts), []
    for values in numbers(form, rng, 2 * width):
        with np.errstate(all="ignore"):
            pairs = list(zip(values[:width], values[width:], strict=True))
            cases.append((values, device.sum_of_products(pairs, rng)))
    return failures("dot", cases, form, device.criteria)


@tiers
@for_each("form", [HALF, FLOAT, DOUBLE])
def test_cross_in_rounded_steps_passes(form, devices):
    assert [facts for facts in devices if failures_of_cross(form, facts)] == []


def failures_of_cross(form, facts):
    rng, device, cases = np.random.default_rng(10), Device(form, *facts), []
    for values in numbers(form, rng, 6):
        (a, b, c), (x, y, z) = values[:3], values[3:]
        with np.errstate(all="ignore"):
            planes = [[(p, r), (-q, s)] for p, r, q, s in ((b, z, c, y), (c, x, a, z), (a, y, b, x))]
            cases.append((values, np.stack([device.sum_of_products(pairs, rng) for pairs in planes], axis=-1)))
    return failures("cross", cases, form, device.criteria)


@pytest.mark.slow
@pytest.mark.parametrize("form", [HALF, FLOAT], ids=str)
def test_formula_with_extra_precision_passes(form):
    rng = np.random.default_rng(11)
    for wide in WIDER[form]:
        for values in numbers(form, rng, 4):
            a, b, c, d = (v.astype(wide) for v in values)
            with np.errstate(all="ignore"):
                assert tally("dot", values, (a * c + b * d).astype(form.dtype), form).failed == 0
                if form is not HALF:
                    weight = rng.uniform(0, 1, COUNT).astype(form.dtype)
                    blend = (a + (b - a) * weight).astype(form.dtype)
                    assert tally("mix", (*values[:2], weight), blend, form).failed == 0


def plain_length(*p):
    return np.sqrt(sum(x * x for x in p))


def scaled_length(*p):
    largest = np.max(np.abs(p), axis=0)
    place = np.frexp(np.where(np.isfinite(largest), largest, 1))[1]
    return np.ldexp(plain_length(*(np.ldexp(x, -place) for x in p)), place)


@pytest.mark.slow
@for_each("form", [FLOAT, DOUBLE])
@for_each("width", [1, 2, 3, 4])
def test_scaled_length_passes_and_unscaled_length_fails(form, width):
    rng, failed = np.random.default_rng(12), []
    for p in numbers(form, rng, width):
        with np.errstate(all="ignore"):
            assert tally("length", p, scaled_length(*p), form).failed == 0
            failed.append(tally("length", p, plain_length(*p), form).failed)
    assert failed[1] == 0  # near 1
    assert all(failed[i] > COUNT / 2 for i in (3, 5))  # near overflow, near the smallest normal number


@for_each("form", [FLOAT, DOUBLE])
def test_zero_sum_of_mad_in_rtn_is_negative(form):
    """A product that is rounded to -c, plus c, is -0 in rtn (IEEE 754, 6.3), not +0."""
    unit = 2.0 ** -((form.precision + 1) // 2)  # its square is less than half a place of 1
    args = tuple(np.array([x], form.dtype) for x in (1.0 + unit, 1.0 + unit, -1.0 - 2.0 * unit))
    zeros = (np.array([zero], form.dtype) for zero in (-0.0, 0.0))
    found = [judge(Item(builtin("mad"), form), args, (zero,), Criteria("full", "rtn", False)).failed for zero in zeros]
    assert found == [0, 1]


def test_flushed_vector_is_compared_with_the_argument():
    """A zero for a subnormal element may replace the element of the argument, which fast_normalize may return."""
    x = np.array([1e-39], np.float32)
    item, zeros = Item(builtin("fast_normalize"), FLOAT, 3), np.zeros((1, 3), np.float32)
    assert judge(item, (x, x, x), (zeros,), Criteria("full", "rte", True)).failed == 0


def test_limits_by_sum_of_squares_have_charts_of_one_component():
    item = item_named("fast_normalize", "float", 1)
    found = limit("fast_normalize", item.form)
    verdict = Verdict(item, "full", found.text, found.source, "pass", Tally())
    assert {*allowed(verdict).values()} == {8192.0}
