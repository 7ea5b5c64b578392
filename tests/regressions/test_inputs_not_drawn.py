"""Faults that every door passed, since none drew an input at which they show: each is found now."""

from __future__ import annotations

import hypothesis as hy
import numpy as np
import pytest

import clmath
from clmath.audit.inputs.spaced import domain_of, spaced
from clmath.audit.inputs.structured import structured
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_named
from clmath.audit.running.run import audit
from clmath.audit.subjects.clmath_itself import Clmath
from clmath.audit.subjects.wire import item_for
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.testing import conformance_test, strategies
from tests.cases import for_each

SIGNALING = 0x7F800001


class Faulty(Clmath):
    """clmath, but ``wrong`` of the results of one row."""

    def __init__(self, item, wrong):
        self._item, self._wrong = item, wrong

    def evaluate(self, row, form, args):
        results = super().evaluate(row, form, args)
        if item_for(row, form, args) != self._item:
            return results
        return (self._wrong(results[0], *args).astype(results[0].dtype), *results[1:])


def verdicts(item, wrong, **options):
    plan = Plan.of([item.builtin], [item.form], jobs=1, second_look=False, **options)
    done = [other for other in plan.items() if other != item]
    return [v.status for v in audit(plan, Faulty(item, wrong), done=done)]


def at(x, value):
    return x == value


def bits_at(x, code):
    return np.ascontiguousarray(x).view(f"u{x.itemsize}") == code


def other(result, where):
    """Other results where ``where`` says so."""
    if result.dtype.kind == "f":
        return np.where(where, np.where((result == 0) | np.isnan(result), 1, result * 0.5), result)
    return np.where(where, result ^ 1, result)


def nan_or_one(result, where):
    return np.where(where, 1 - result, result)


CASES = {
    "mul24 of -2^23": ("mul24", "int", lambda r, x, y: other(r, at(x, -(2**23)) & at(y, -(2**23)))),
    "mul24 of 2^23 - 1": ("mul24", "int", lambda r, x, y: other(r, at(x, 2**23 - 1) & (y == x))),
    "mul24 of 2^23 - 1, second": ("mul24", "int", lambda r, x, y: other(r, at(y, 2**23 - 1) & (x == -1))),
    "mad24 of 2^23 - 1": ("mad24", "int", lambda r, x, y, z: other(r, at(x, 2**23 - 1) & (y != 0))),  # noqa: ARG005
    "mad24 of -2^23": ("mad24", "int", lambda r, x, y, z: other(r, at(y, -(2**23)))),  # noqa: ARG005
    "isnan of a signaling NaN": ("isnan", "float", lambda r, x: nan_or_one(r, bits_at(x, SIGNALING))),
    "conversion of a signaling NaN": ("convert_double", "float", lambda r, x: other(r, bits_at(x, SIGNALING))),
    "the tie below the smallest half": ("convert_half", "float", lambda r, x: other(r, at(x, 2.0**-25))),
    "the tie above minus it": ("convert_half", "double", lambda r, x: other(r, at(x, -(2.0**-25)))),
    "the tie below the smallest float": ("convert_float", "double", lambda r, x: other(r, at(x, 2.0**-150))),
    "tgamma below its end": ("tgamma", "double", lambda r, x: other(r, (x > 171.6243) & (x < 171.62437))),
    "tgamma next to its end": ("tgamma", "double", lambda r, x: other(r, (x > 171.624376956) & (x < 171.6243769562))),
    "exp below its end": ("exp", "float", lambda r, x: other(r, (x > 88.7228) & (x < 88.72283))),
    "erfc where it underflows": ("erfc", "double", lambda r, x: other(r, (x > 26.5432) & (x < 26.54325))),
    "erfc of float where it underflows": ("erfc", "float", lambda r, x: other(r, (x > 9.19453) & (x < 9.19454))),
    "a NaN with all bits set": ("islessequal", "half", lambda r, x, y: nan_or_one(r, bits_at(x, 0xFFFF))),  # noqa: ARG005
    "sinpi in a region": ("sinpi", "float", lambda r, x: np.where((x >= 300.2) & (x <= 300.8), 0.5, r)),
    "cos in a region": ("cos", "double", lambda r, x: other(r, (x >= 1.5e200) & (x <= 1.51e200))),
    "the number before the largest": ("cbrt", "double", lambda r, x: other(r, bits_at(x, 0x7FEFFFFFFFFFFFFE))),
}
by_case = pytest.mark.parametrize("case", CASES)


@by_case
def test_an_audit_finds_it(case):
    name, type, wrong = CASES[case]
    assert verdicts(item_named(name, type), wrong) == ["fail"]


@by_case
def test_the_test_kit_finds_it(case):
    name, type, wrong = CASES[case]

    def function(*args):
        right = np.asarray(getattr(clmath, name)(*args))
        with np.errstate(all="ignore"):
            return wrong(right, *args).astype(right.dtype)

    with pytest.raises(AssertionError):
        conformance_test(function, name, types=[type])()


@for_each("width", [2, 3, 4, 8, 16])
@for_each(("name", "base", "apart"), [("any", 0, -1), ("all", -1, 0)])
def test_one_lane_alone_decides(name, base, apart, width):
    """Each lane in turn is the only one that is true, or false."""
    item = item_named(name, "int", width)
    for lane in range(width):

        def wrong(result, t, lane=lane):
            alone = np.full(t.shape[1], base)
            alone[lane] = apart
            return nan_or_one(result, (t == alone).all(axis=1))

        assert verdicts(item, wrong) == ["fail"], lane


@for_each("lane", range(16))
def test_a_special_value_stands_in_every_lane(lane):
    item = item_named("vstore_half", "float", 16)
    for code in (SIGNALING, 0x80000000, 0x7F7FFFFE, 0xFF800000, 0x00000001):
        assert verdicts(item, lambda r, x, code=code: other(r, bits_at(x[:, [lane]], code))) == ["fail"], hex(code)


@for_each(("name", "form"), [("log", FLOAT), ("cbrt", DOUBLE), ("sinpi", FLOAT), ("tan", DOUBLE)])
@for_each("seed", [0, 5])
def test_no_hundredth_of_a_binade_is_passed_over(name, form, seed):
    item = item_named(name, str(form))
    found = domain_of(item)
    (x,) = spaced(item, seed, 1 << 15)
    assert (np.abs(x) <= max(found.greatest, -found.least)).all()
    for sign in {1.0, -1.0 if found.least < 0 else 1.0}:
        size = np.sort((x * form.dtype.type(sign)).astype(np.float64)[np.sign(x) == sign])
        size = size[size >= max(2.0**found.lowest, form.smallest_normal)]
        fraction, exponent = np.frexp(size)
        places = np.sort(2.0 * fraction + exponent)
        assert np.diff(places).max() < 0.01
        ordinary = places[(size >= 0.0625) & (size < 1024.0)]
        assert np.diff(ordinary).max() < 1.0 / 400
        assert places[-1] - places[0] > np.log2(size[-1]) - np.log2(size[0]) - 2.0


@pytest.mark.parametrize("form", [FLOAT, DOUBLE], ids=str)
@pytest.mark.parametrize("name", ["lgamma", "lgamma_r"])
def test_what_is_not_judged_is_tried_below_its_end_all_the_same(name, form):
    (x,) = structured(item_named(name, str(form)))
    end = x[np.isfinite(clmath.lgamma(x)) & np.isfinite(x)].max()
    apart = (end.astype(np.float64) - x[(x <= end) & (x > end / 4)].astype(np.float64)) / float(end)
    for k in range(1, form.precision - 1):
        assert ((apart <= 2.0**-k) & (apart >= 2.0 ** -(k + 1))).any(), k


def test_spaced_inputs_begin_elsewhere_for_another_seed():
    item = item_named("exp", "double")
    one, again, other_seed = (spaced(item, seed, 1 << 15)[0] for seed in (1, 1, 2))
    assert one.tobytes() == again.tobytes()
    assert not np.isin(one, other_seed).any()


def test_few_are_spaced_where_few_are_asked_for():
    item = item_named("cbrt", "double")
    assert len(spaced(item, 0, 10)[0]) == 160
    assert len(spaced(item, 0, 0)[0]) == 0


# the ends of each type from which on a conversion overflows: the midpoint above the largest number, or the last integer
OVERFLOWS = [("double", "float", 2.0**128 - 2.0**103), ("float", "half", 65520.0), ("double", "half", 65520.0)]
OVERFLOWS += [
    ("ulong", "half", 65520),
    ("double", "uchar", 255.5),
    ("float", "ushort", 65535.5),
    ("int", "short", 2**15),
]
OVERFLOWS += [("double", "int", 2.0**31 - 0.5), ("ulong", "int", 2**31), ("double", "half", 2.0**-25)]


@for_each("shape", [None, 300])
@for_each(("source", "target", "end"), OVERFLOWS)
def test_conversions_draw_where_results_overflow(source, target, end, shape):
    """Five operands in a thousand, at least, lie at the end or next to it."""
    drawn = []

    @hy.seed(3)
    @hy.settings(
        max_examples=20 if shape else 1000, database=None, deadline=None, suppress_health_check=[*hy.HealthCheck]
    )
    @hy.given(strategies.conversions(source, target, shape=shape))
    def draw(x):
        drawn.append(np.ravel(x))

    draw()
    found = np.concatenate(drawn)
    if found.dtype.kind == "f":
        near = np.abs(found[np.isfinite(found)].astype(np.float64))
        step = float(np.spacing(np.asarray(end, found.dtype)))
        assert np.sum(np.abs(near - end) <= 2 * step) > 0.005 * len(found)
    else:
        assert np.isin(found, [end - 1, end, end + 1]).mean() > 0.005


def test_a_condition_may_be_unsigned():
    """Half of the conditions that strategies draw for select are; conformance_test tries them."""

    def select(a, b, c):
        right = clmath.select(a, b, c)
        return np.where((c > np.iinfo(c.dtype).max // 2) & (c.dtype.kind == "u"), a, right).astype(right.dtype)

    with pytest.raises(AssertionError):
        conformance_test(select, "select", types=["int"])()
