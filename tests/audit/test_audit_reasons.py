"""Faults of every chapter and profile: each is caught for its own reason, and the report shows the faulty result."""
# ruff: noqa: ARG001, ARG002, ARG005 - faults share one signature

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pytest

from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.counting.tally import KEPT
from clmath.audit.inputs import layout
from clmath.audit.judge.piece import judge, worst_failures
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF, Format
from clmath.spec.builtins import builtin
from tests.cases import for_each

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = "not within the limit: "
FLUSHED = "a subnormal flushed to zero, though the device has denormals"
INFINITE = "an infinity where another number is due"
FINITE = "a finite number where an infinity is due"


@dataclass(frozen=True)
class Fault:
    """A target that is correct except for ``change(form, args, results)``, and the expected reason."""

    what: str
    name: str
    form: Format
    change: Callable[..., object]
    reason: str
    profile: str = "full"
    width: int = 0
    target: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}_{self.form}_{self.profile}_{self.what}".replace(" ", "_")

    def results(self, row, form, args, right):
        """Return the results with the fault."""
        with np.errstate(all="ignore"):
            changed = self.change(form, args, right)
        changed = changed if isinstance(changed, tuple) else (changed, *right[1:])
        return tuple(np.asarray(c).astype(r.dtype) for c, r in zip(changed, right, strict=True))


def places(count, where=np.isfinite):
    """Return a change that moves finite results beyond the subnormals ``count`` numbers away from zero."""

    def change(form, args, r):
        moved = form.from_bits(form.bits(r[0]) + form.bits_dtype.type(count))
        steady = ~np.isfinite(r[0]) | (np.abs(r[0]) < form.smallest_normal) | ~np.isfinite(moved)
        return np.where(steady | ~where(args[0]), r[0], moved)

    return change


def becomes(value, where):
    """Return a change to ``value`` where ``where(args, result)`` holds."""
    return lambda form, args, r: np.where(where(args, r[0]), form.dtype.type(value), r[0])


def unsigned(form, args, r):
    return np.where(r[0] == 0, np.abs(r[0]), r[0])


def flushed(form, args, r):
    return np.where(np.abs(r[0]) < form.smallest_normal, np.copysign(form.dtype.type(0), r[0]), r[0])


def root_of_squares(form, args, r):
    p = args[0] - args[1] if len(args) == 2 else args[0]
    return np.sqrt(sum(np.moveaxis(p * p, -1, 0)))


FLUSHES = {"flushing": True}
EXACT = {"options": ("-cl-fp32-correctly-rounded-divide-sqrt",)}
RTZ = {"claims": "rtz"}
ROUNDED_UP = {"claims": "rtz", "rounding": "rtp"}
NEAREST = {"claims": "rtz", "rounding": "rte"}
RIGHT = lambda form, args, r: r  # noqa: E731 - only the mode is wrong

MATH = [
    Fault("NaN", "exp", FLOAT, becomes(np.nan, lambda a, y: np.abs(a[0]) < 1), "NaN where a number is due"),
    Fault("NaN", "fma", DOUBLE, becomes(np.nan, lambda a, y: np.isfinite(y)), "NaN where a number is due"),
    Fault("a number", "log", FLOAT, becomes(0, lambda a, y: np.isnan(y)), "log(x) = NaN for x < 0"),
    Fault("a number", "acos", DOUBLE, becomes(0, lambda a, y: np.isnan(y)), "acos(x) = NaN for |x| > 1"),
    Fault("early overflow", "exp2", FLOAT, becomes(np.inf, lambda a, y: y > 2.0**127), INFINITE),
    Fault("saturated", "sinh", DOUBLE, lambda form, a, r: np.clip(r[0], -form.largest, form.largest), FINITE),
    Fault("saturated", "recip", FLOAT, lambda form, a, r: np.clip(r[0], -form.largest, form.largest), FINITE),
    Fault("sign of zero", "sin", FLOAT, unsigned, "sin(±0) = ±0"),
    Fault("sign of zero", "rint", DOUBLE, unsigned, "rint(-0.5 <= x < 0) = -0"),
    Fault("sign of zero", "fmod", FLOAT, unsigned, "fmod(±0, y) = ±0"),
    Fault("NaN wins", "pow", FLOAT, becomes(np.nan, lambda a, y: np.isnan(a[0]) | np.isnan(a[1])), "pow(1, any) = 1"),
    Fault("NaN wins", "pown", FLOAT, becomes(np.nan, lambda a, y: np.isnan(a[0])), "pown(any, 0) = 1"),
    Fault("as pow", "powr", FLOAT, becomes(1, lambda a, y: (a[0] == 1) & np.isinf(a[1])), "powr(1, ±inf) = NaN"),
    Fault("NaN wins", "hypot", DOUBLE, becomes(np.nan, lambda a, y: np.isnan(a[0] + a[1])), "hypot(±inf, any) = +inf"),
    Fault("NaN wins", "fmax", FLOAT, becomes(np.nan, lambda a, y: np.isnan(a[0]) | np.isnan(a[1])), "fmax(NaN, y) = y"),
    Fault("0 for 0", "ilogb", FLOAT, lambda form, a, r: np.where(a[0] == 0, 0, r[0]), "ilogb(±0) = "),
    Fault("a place", "ldexp", DOUBLE, places(1), LIMIT + "correctly rounded"),
    Fault("a place", "floor", HALF, places(1, lambda x: x == 2.5), LIMIT + "correctly rounded"),
    Fault("quotient", "remquo", FLOAT, lambda form, a, r: (r[0], -r[1]), "wrong quo"),
    Fault("sign", "lgamma_r", DOUBLE, lambda form, a, r: (r[0], np.abs(r[1])), "wrong signp"),
    Fault("exponent", "frexp", FLOAT, lambda form, a, r: (r[0], r[1] + (a[0] == 1)), "wrong exp"),
    Fault("one", "fract", FLOAT, becomes(1, lambda a, y: y > 0.999), "fract"),
    Fault("no sign", "atan2", FLOAT, lambda form, a, r: np.where(a[1] == 0, np.abs(r[0]), r[0]), "atan2"),
    Fault("three places", "cbrt", DOUBLE, places(3), LIMIT + "2 ulp"),
    Fault("four places", "tan", HALF, places(4), LIMIT + "2 ulp"),
    Fault("swapped", "sincos", FLOAT, lambda form, a, r: (r[1], r[0]), LIMIT + "4 ulp"),
    Fault("downward", "trunc", FLOAT, lambda form, a, r: np.floor(a[0]), LIMIT + "correctly rounded"),
    Fault("subnormals", "erfc", DOUBLE, flushed, FLUSHED),
    Fault("subnormals", "mul", HALF, flushed, FLUSHED),
    Fault("17 places", "tgamma", FLOAT, places(20, lambda x: x < -3), LIMIT + "16 ulp"),
]

COMMON = [
    Fault("least for greatest", "clamp", FLOAT, lambda form, a, r: np.where(a[0] > a[2], a[1], r[0]), LIMIT + "0 ulp"),
    Fault("zero at the edge", "step", FLOAT, becomes(0, lambda a, y: a[0] == a[1]), "step(edge, x) = 1 for x >= edge"),
    Fault("NaN stays", "sign", DOUBLE, becomes(np.nan, lambda a, y: np.isnan(a[0])), "sign(NaN) = +0"),
    Fault("not clamped", "smoothstep", FLOAT, becomes(2, lambda a, y: a[2] > a[1]), "smoothstep"),
    Fault("three places", "degrees", DOUBLE, places(3), LIMIT),
    Fault("three places", "radians", FLOAT, places(8), LIMIT),
    Fault("the lesser", "max", FLOAT, lambda form, a, r: np.fmin(*a), LIMIT),
    Fault("the greater", "min", DOUBLE, lambda form, a, r: np.fmax(*a), LIMIT),
    Fault("another blend", "mix", FLOAT, lambda form, a, r: a[0] * (1 - a[2]) + a[1] * a[2], LIMIT),
]

GEOMETRIC = [
    Fault("overflow", "length", FLOAT, root_of_squares, INFINITE, width=3),
    Fault("underflow", "distance", DOUBLE, root_of_squares, LIMIT, width=2),
    Fault("not divided", "normalize", HALF, lambda form, a, r: np.where(np.isfinite(a[0]), a[0], r[0]), LIMIT, width=2),
    Fault("fourth element", "cross", FLOAT, lambda form, a, r: r[0] + np.float32([0, 0, 0, 1]), "cross", width=4),
    Fault("negative", "dot", HALF, lambda form, a, r: -r[0], LIMIT, width=4),
    Fault("a tenth", "fast_length", FLOAT, lambda form, a, r: r[0] * np.float32(1.1), LIMIT, width=2),
    Fault("a thousandth", "fast_normalize", FLOAT, lambda form, a, r: r[0] * np.float32(1.01), LIMIT, width=3),
]

PROFILED = [
    Fault("six places", "exp", FLOAT, places(6), LIMIT + "4 ulp", profile="embedded"),
    Fault("six places", "sqrt", FLOAT, places(6), LIMIT + "4 ulp", profile="embedded"),
    Fault("upward", "add", FLOAT, RIGHT, LIMIT + "correctly rounded", profile="embedded", target=ROUNDED_UP),
    Fault("to nearest", "mul", FLOAT, RIGHT, LIMIT + "correctly rounded", profile="embedded", target=NEAREST),
    Fault("to nearest", "fma", HALF, RIGHT, LIMIT + "correctly rounded", target=NEAREST),
    Fault("2^-9", "sin", FLOAT, lambda form, a, r: r[0] + np.float32(2.0**-9), LIMIT, profile="relaxed"),
    Fault("40 places", "exp", FLOAT, places(40, lambda x: np.abs(x) < 1), LIMIT, profile="relaxed"),
    Fault("four places", "div", FLOAT, places(4), LIMIT + "2.5 ulp", profile="relaxed"),
    Fault("four places", "recip", FLOAT, places(4), LIMIT + "3 ulp", profile="relaxed embedded"),
    Fault("a place", "div", FLOAT, places(1), LIMIT + "correctly rounded", target=EXACT),
    Fault("a place", "sqrt", FLOAT, places(1), LIMIT + "correctly rounded", target=EXACT),
    Fault("numbers as well", "add", FLOAT, becomes(0, lambda a, y: np.abs(y) < 2.0**-120), LIMIT, target=FLUSHES),
    Fault(
        "doubled", "fabs", FLOAT, lambda form, a, r: np.where(r[0] < 2.0**-126, 2 * r[0], r[0]), LIMIT, target=FLUSHES
    ),
    Fault("three places", "cbrt", FLOAT, places(3), LIMIT + "2 ulp", target={**FLUSHES, **RTZ}),
]


def at_int(n):
    """Return a change where the int is ``n``: -INT_MIN taken as positive gives the result of the opposite int."""
    return lambda form, args, r: np.where(args[1] == n, -(r[0] + form.dtype.type(1)), r[0])


IN_ANY_FORMAT = [
    *(
        Fault("lost sign", n, f, unsigned, "")
        for n in ("sin", "floor", "fmod", "tanpi", "atan2", "pow")
        for f in FORMATS
    ),
    *(Fault("subnormals", name, FLOAT, flushed, FLUSHED) for name in ("fabs", "exp", "ldexp")),
    *(
        Fault(f"at {n}", name, form, at_int(n), "")
        for name in ("pown", "rootn", "ldexp")
        for n in (-(2**31), 2**31 - 1)
        for form in FORMATS
    ),
    # in float lgamma has no limit, yet NaN fails at its special values
    *(
        Fault("NaN", name, form, becomes(np.nan, lambda a, y: np.isfinite(y)), "")
        for name, form in (("dot", HALF), ("lgamma", FLOAT))
    ),
]
FAULTS = MATH + COMMON + GEOMETRIC + PROFILED + IN_ANY_FORMAT


def shown(fault, verdict):
    """Return the failures in the report that have the expected reason."""
    return [example for example in verdict.tally.failures if fault.reason in example.reason]


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_fault_is_caught_for_its_reason(fault, truthful, evaluate, until):
    plan = Plan.of([fault.name], [fault.form], profile=fault.profile, inputs=256, jobs=1, local_search=False)
    others = [item for item in plan.items() if fault.width not in (0, item.width)]
    target = truthful(fault.results, **fault.target)
    verdict = until(lambda verdict: shown(fault, verdict), plan, target, others)
    assert verdict.status == "fail", verdict.notes
    assert shown(fault, verdict), verdict.tally.reasons
    assert fault.what != "NaN" or verdict.worst_error == np.inf
    for example in verdict.tally.failures:
        right, wrong = (results_at(example, verdict.item, f, evaluate) for f in (None, fault))
        mode = target.rounding or target.claims
        assert wrong(mode) != right(target.claims)
        assert example.got == wrong(mode)[example.output]


def results_at(example, item, fault, evaluate):
    """Return the encodings of all results at an input of the report, in the rounding mode."""
    columns = tuple(
        np.array([a], t) if t == np.int32 else item.form.from_bits(np.array([a], item.form.bits_dtype))
        for a, t in zip(example.args, layout.dtypes(item), strict=True)
    )
    args = layout.arguments(item, columns)

    def rounded(mode):
        results = evaluate(item.builtin, item.form, args, mode)
        if fault is not None:
            results = fault.results(item.builtin, item.form, args, results)
        return [int(r if r.dtype == np.int32 else item.form.bits(r)) for one in results for r in one.ravel()]

    return rounded


def test_first_failures_of_a_reason_are_shown_for_any_result():
    """Both results of sincos have the same limit, and the second one fails first."""
    x = np.linspace(0.1, 0.9, 40, dtype=np.float32)
    sine, cosine = np.sin(x), np.cos(x)
    cosine[5:15], sine[20:30] = 7.0, 7.0
    for oracle in ("auto", "mpfr"):
        tally = judge(Item(builtin("sincos"), FLOAT), (x,), (sine, cosine), Criteria("full", "rte", False, oracle))
        assert tally.reasons == (("not within the limit: 4 ulp", 20),)
        assert [(example.index, example.output) for example in tally.failures] == [(5 + k, 1) for k in range(KEPT)]


def test_wrong_int_is_shown_among_the_worst_failures():
    """The sign of lgamma_r is wrong; its logarithm has no limit and a larger error."""
    item, x = Item(builtin("lgamma_r"), FLOAT), np.float32([2.5, -0.5, 3.5])
    results = np.float32([99.0, 99.0, 99.0]), np.int32([-1, -1, 3])
    worst, other = worst_failures(item, (x,), results, Criteria("full", "rte", flushes=False), 4)
    assert [(example.index, example.output, example.got) for example in (worst, other)] == [(0, 1, -1), (2, 1, 3)]
    assert {example.reason for example in (worst, other)} == {"wrong signp"}


@pytest.mark.parametrize("at_once", [1 << 15, 7])
def test_worst_failures_come_first_for_any_sign(at_once, monkeypatch):
    """The order does not depend on the number of calls that the reference evaluates together."""
    monkeypatch.setattr("clmath.audit.judge.piece.AT_ONCE", at_once)
    x = np.linspace(0.1, 0.6, 40, dtype=np.float32)
    steps = np.random.default_rng(2).permutation(np.append(np.arange(20, 40), -np.arange(40, 60)))
    results = (np.exp(x.astype(np.float64)).astype(np.float32).view(np.int32) + steps).astype(np.int32)
    item, criteria = Item(builtin("exp"), FLOAT), Criteria("full", "rte", flushes=False)
    worst = worst_failures(item, (x,), (results.view(np.float32),), criteria, 30)
    assert [steps[example.index] for example in worst] == sorted(steps, key=abs)[:-31:-1]


def test_signaling_nan_breaks_the_special_value_that_prescribes_a_quiet_one():
    item, got = Item(builtin("nan"), FLOAT), FLOAT.from_bits(np.array([0x7F800001], np.uint32))
    tally = judge(item, (np.array([1], np.uint32),), (got,), Criteria("full", "rte", flushes=False))
    ((reason, count),) = tally.reasons
    assert (reason.partition(" (")[0], count) == ("nan(any) = quiet NaN", 1)
