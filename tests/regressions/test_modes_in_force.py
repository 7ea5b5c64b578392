"""Rounding modes required of built-ins: operators, the mode in force; functions, rte; either mode if texts conflict."""
# ruff: noqa: ARG002 - parameters of the protocol

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import clmath
from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.device_judge.question import refusal
from clmath.audit.inputs.random import random_columns
from clmath.audit.judge.piece import criteria_of, judge
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_named
from clmath.audit.running.run import audit
from clmath.audit.targets.clmath_functions import Clmath
from clmath.audit.targets.declared import Declaration, Declared
from clmath.audit.targets.function import Function
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from tests.cases import for_each

OPERATORS = ("add", "sub", "mul", "div", "recip")


@dataclasses.dataclass(frozen=True)
class Rounding:
    """clmath in mode ``rounds``, as a device that claims another mode."""

    rounds: str
    claims: str = "rtz"
    finite: bool = False
    name: str = "rounding"

    def __getattr__(self, name):
        return getattr(Clmath(), name)

    def mode(self, form):
        return self.claims

    def has_infinities(self, form):
        return not self.finite

    def evaluate(self, row, form, args):
        with np.errstate(all="ignore"):
            found = getattr(clmath, row.name)(*args, rounding=self.rounds)
        found = found if isinstance(found, tuple) else (found,)
        return tuple(_finite(f) for f in found) if self.finite else found


def _finite(values):
    return np.nan_to_num(values) if values.dtype.kind == "f" else values


def verdict(target, name, form, profile="full"):
    plan = Plan.of([name], [form], profile=profile, inputs=400, jobs=1, local_search=False)
    (found,) = audit(plan, target, done=plan.items()[1:])
    return found


def says(target, name, form, profile="full"):
    found = verdict(target, name, form, profile)
    return "partly unspecified" if found.status == "pass" and found.tally.unjudged else found.status


@pytest.mark.slow
@for_each(
    "name, form, profile, by_mode",
    [
        ("add", HALF, "full", ("fail", "pass", "fail")),
        ("fma", FLOAT, "embedded", ("fail", "pass", "fail")),
        ("fract", FLOAT, "embedded", ("fail", "pass", "fail")),
        ("sqrt", HALF, "full", ("partly unspecified", "partly unspecified", "fail")),
        ("ldexp", FLOAT, "embedded", ("partly unspecified", "partly unspecified", "fail")),
        ("fma", FLOAT, "full", ("pass", "fail", "fail")),
        ("ldexp", DOUBLE, "full", ("pass", "fail", "fail")),
        ("exp2", FLOAT, "full", ("pass", "fail", "pass")),  # overflow gives infinity under any limit
    ],
)
def test_verdict_by_mode_on_a_device_that_claims_rtz(name, form, profile, by_mode):
    check_by_mode(name, form, profile, by_mode)


@pytest.mark.exhaustive
@for_each(
    "name, form, profile, by_mode",
    [
        ("mul", FLOAT, "embedded", ("fail", "pass", "fail")),
        ("div", HALF, "full", ("fail", "pass", "fail")),
        ("fma", HALF, "full", ("fail", "pass", "fail")),
        ("fdim", FLOAT, "embedded", ("fail", "pass", "fail")),
        ("fdim", HALF, "full", ("partly unspecified", "partly unspecified", "fail")),
        ("ldexp", HALF, "embedded", ("partly unspecified", "partly unspecified", "fail")),
        ("fma", DOUBLE, "embedded", ("pass", "fail", "fail")),
    ],
)
def test_verdict_by_mode_of_other_functions_on_a_device_that_claims_rtz(name, form, profile, by_mode):
    check_by_mode(name, form, profile, by_mode)


def check_by_mode(name, form, profile, by_mode):
    found = tuple(says(Rounding(mode), name, form, profile) for mode in ("rte", "rtz", "rtp"))
    assert found == by_mode


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["rtp", "rtn"])
def test_directed_mode_applies_to_operators_and_not_to_functions(mode):
    """SELECT_ROUNDING_MODE: built-in functions round to nearest in any mode in force."""
    for form in (HALF, FLOAT):
        assert says(Rounding(mode, claims=mode), "add", form, "embedded") == "pass"
        assert says(Rounding(mode, claims=mode), "fma", form, "embedded") == "fail"
        assert says(Rounding("rte", claims=mode), "fma", form, "embedded") == "pass"


def test_declared_mode_of_a_format_applies_to_it():
    one = Declared(Rounding("rte", claims="rte"), Declaration("half=rtz"))
    assert [one.mode(form) for form in (HALF, FLOAT, DOUBLE)] == ["rtz", "rte", "rte"]
    assert [says(one, "mul", form) for form in (HALF, FLOAT)] == ["fail", "pass"]


def tallies(criteria, name, form, change, count):
    item = item_named(name, form)
    values = random_columns(np.random.default_rng(7), item, count)
    with np.errstate(all="ignore"):
        results = tuple(change(np.asarray(getattr(clmath, name)(*values, rounding=mode))) for mode in ("rte", "rtz"))
        rng = np.random.default_rng(8)
        mixed = np.choose(rng.integers(0, 2, len(results[0])), results)
    all_criteria = criteria.each()
    one_by_one = [[_fails(item, values, mixed, k, one) for k in range(len(mixed))] for one in all_criteria]
    return judge(item, values, (mixed,), criteria), np.array(one_by_one)


def _fails(item, values, results, k, criteria):
    return bool(judge(item, tuple(v[k : k + 1] for v in values), (results[k : k + 1],), criteria).failed)


@pytest.mark.slow
@for_each("name, off", [("fma", True), ("ldexp", False), ("sqrt", True)])
def test_result_fails_if_both_modes_refuse_it_and_is_unspecified_if_one_does(name, off):
    def change(result):
        wrong = result.copy()
        wrong[::20] = np.nextafter(np.nextafter(wrong[::20], np.float16(np.inf)), np.float16(np.inf))
        return wrong if off else result

    criteria = Criteria("full", "rte", flushes=False, also=("rtz",), default="rtz")
    count = 30  # small, since each call is also judged alone
    found, fails = tallies(criteria, name, "half", change, count)
    assert found.tried == count
    assert found.failed == fails.all(axis=0).sum()
    assert found.unjudged == (fails.any(axis=0) & ~fails.all(axis=0)).sum() > 0
    assert (found.failed > 0) == off


def test_device_refuses_to_judge_if_texts_disagree_on_the_mode():
    plan = Plan.of(["sin"], ["float"], profile="embedded", inputs=1 << 18)
    (item,) = plan.items()
    criteria = criteria_of(item, plan, Rounding("rte"))
    assert (criteria.mode, criteria.also, criteria.default) == ("rte", ("rtz",), "rtz")
    assert refusal(item, criteria, plan) == "texts disagree on the mode in which it rounds"
    assert not refusal(item, dataclasses.replace(criteria, also=()), plan)


@pytest.mark.slow
@for_each("name", ["exp", "ldexp", "add"])
def test_half_device_without_infinities_conforms_only_in_rtz(name):
    without_infinities(name)


@pytest.mark.exhaustive
@for_each("name", ["sqrt", "fma", "hypot"])
def test_more_functions_of_half_device_without_infinities_conform_only_in_rtz(name):
    without_infinities(name)


def without_infinities(name):
    """cl_khr_fp16: CL_FP_ROUND_TO_ZERO alone, without CL_FP_INF_NAN, is enough."""
    device = Rounding("rtz", finite=True)
    assert says(device, name, HALF) in ("pass", "partly unspecified")
    assert says(dataclasses.replace(device, claims="rte"), name, HALF) == "fail"  # a device in rte must have infinities
    assert says(device, name, FLOAT) == "fail"


def test_wrong_number_of_half_device_without_infinities_fails():
    class Wrong(Rounding):
        def evaluate(self, row, form, args):
            (y,) = super().evaluate(row, form, args)
            return (np.where(args[0] == 1.5, y.dtype.type(0), y),)

    assert says(Wrong("rtz", finite=True), "exp", HALF) == "fail"


def ilogb(zero, nan, macros, other=None):
    """Return a target with these results and macros; ``other``: its result for 0 in half."""

    def target(name, x):
        if name.startswith("FP_"):
            return np.full(len(x), macros[name], np.int32)
        found = np.array(clmath.ilogb(x))
        found[x == 0] = zero if other is None or x.dtype != np.float16 else other
        found[np.isnan(x)] = nan
        return found

    return Function(target, "target")


LEAST, MOST = -(2**31), 2**31 - 1


def test_macro_has_a_prescribed_value_if_its_function_raises():
    def raising(name, x):
        if name == "ilogb":
            raise OSError
        return np.full(len(x), LEAST, np.int32)

    verdicts = audit(Plan.of(["ilogb", "FP_ILOGB0"], inputs=64, jobs=1), Function(raising, "raising"))
    assert {v.item.builtin.name: v.status for v in verdicts} == {"ilogb": "not judged", "FP_ILOGB0": "pass"}


@for_each(
    "target, failing",
    [
        (ilogb(LEAST, MOST, {"FP_ILOGB0": LEAST, "FP_ILOGBNAN": MOST}), ()),
        (ilogb(-MOST, LEAST, {"FP_ILOGB0": -MOST, "FP_ILOGBNAN": LEAST}), ()),
        (ilogb(LEAST, MOST, {"FP_ILOGB0": -MOST, "FP_ILOGBNAN": MOST}), ("FP_ILOGB0",)),
        (ilogb(LEAST, LEAST, {"FP_ILOGB0": LEAST, "FP_ILOGBNAN": MOST}), ("FP_ILOGBNAN",)),
        (ilogb(LEAST, MOST, {"FP_ILOGB0": LEAST, "FP_ILOGBNAN": MOST}, other=-MOST), ("FP_ILOGB0",)),
        (ilogb(LEAST, MOST, {"FP_ILOGB0": 0, "FP_ILOGBNAN": 0}), ("FP_ILOGB0", "FP_ILOGBNAN")),
    ],
)
@for_each("names", [["FP_ILOGB0", "FP_ILOGBNAN"], ["ilogb", "FP_ILOGB0", "FP_ILOGBNAN"]])
def test_macro_must_equal_the_result_of_its_function(target, failing, names):
    verdicts = list(audit(Plan.of(names, inputs=64, jobs=1), target))
    assert tuple(v.item.builtin.name for v in verdicts if v.status == "fail") == failing


def test_callable_with_a_type_parameter_gets_the_type_of_image_reads():
    def by_type(name, x, *, type):
        return getattr(clmath, name)(x, type)

    for target in (by_type, clmath):
        names = ["read_unorm_int8", "read_srgba", "read_half_float"]
        verdicts = list(audit(Plan.of(names, ["half", "float"], inputs=64, jobs=1), Function(target, "subject")))
        assert len(verdicts) == 10
        assert {v.status for v in verdicts} == {"pass"}


def test_callable_gets_no_type_if_it_has_no_parameter_or_the_arguments_determine_it():
    def plain(name, x):
        return getattr(clmath, name)(x)

    assert verdict(Function(plain, "subject"), "read_srgb", "float").status == "pass"

    def typed(name, x, type="none"):
        assert type == "none"  # the argument determines the type
        return getattr(clmath, name)(x)

    assert verdict(Function(typed, "subject"), "clz", "int").status == "pass"
