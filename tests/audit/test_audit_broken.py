"""What a broken subject can do besides the faults of test_audit_reasons.py: each is caught."""
# ruff: noqa: ARG001, ARG005 - changes share one signature

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.inputs.layout import dtypes
from clmath.audit.judge.piece import judge
from clmath.audit.law.law import Law
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.spec.builtins import builtin
from tests.cases import for_each, some

INT_MIN = -(2**31)
EXACT_DIVIDE = ("-cl-fp32-correctly-rounded-divide-sqrt",)


def verdict_on(subject, name, form=FLOAT, **options):
    options = {"inputs": 512, "jobs": 1, "second_look": False} | options
    (verdict,) = audit(Plan.of([name], [form], **options), subject)
    return verdict


def judged(name, args, results, form=FLOAT, law=None):
    """The tally of a single call."""
    row = builtin(name)
    item = Item(row, form)
    values = tuple(np.array([a], t) for a, t in zip(args, dtypes(item), strict=True))
    types = [np.int32 if p.type == "intn" else form.dtype for p in row.outputs]
    given = tuple(np.array([r], t) for r, t in zip(results, types, strict=True))
    return judge(item, values, given, law or Law("full", "rte", flushes=False))


pytestmark = pytest.mark.slow


def reasons(verdict):
    return dict(verdict.tally.reasons)


def first_result(function):
    """A change of the first result alone."""

    def change(row, form, args, results):
        with np.errstate(all="ignore"):
            return (function(form, args, results[0]), *results[1:])

    return change


@for_each("form", FORMATS)
@for_each("name", ["add", "fma", "ldexp", "floor", "fmod", "sqrt"])
def test_one_ulp_off_at_one_input(name, form, truthful):
    """Float sqrt is allowed 3 ulp unless the program asks for correct rounding."""

    def change(form, args, result):
        wrong = result.copy()
        lanes = np.flatnonzero((wrong > 1) & (wrong < 1e4))
        if len(lanes) and not done:
            done.append(lanes[-1])
            wrong[lanes[-1]] = np.nextafter(wrong[lanes[-1]], form.dtype.type(0))
        return wrong

    done = []
    verdict = verdict_on(truthful(first_result(change), options=EXACT_DIVIDE), name, form)
    assert verdict.status == "fail"
    assert verdict.tally.failed == 1
    assert verdict.tally.failures[0].got != verdict.tally.failures[0].expected


@for_each("name", ["sin", "floor", "fmod", "cbrt", "sinpi", "tanpi", "atan2", "rint", "pow", "log1p", "erf"])
@for_each("form", [HALF, FLOAT, DOUBLE])
def test_the_sign_of_zero(name, form, truthful):
    lost = first_result(lambda form, args, y: np.where(y == 0, np.abs(y), y))
    verdict = verdict_on(truthful(lost), name, form, inputs=64)
    assert verdict.status == "fail"
    assert all(e.got == 0 and e.expected == 1 << form.width - 1 for e in verdict.tally.failures)


@pytest.mark.parametrize("name", ["fabs", "mul", "exp", "fma", "ldexp"])
def test_subnormals_flushed_though_the_device_claims_them(name, truthful):
    def flush(form, args, y):
        return np.where(np.abs(y) < form.smallest_normal, np.copysign(form.dtype.type(0), y), y)

    verdict = verdict_on(truthful(first_result(flush)), name)
    assert verdict.status == "fail"
    assert "a subnormal flushed to zero, though the device has denormals" in reasons(verdict)
    assert verdict_on(truthful(first_result(flush), flushing=True), name).status == "pass"


@for_each("claims, rounding", [("rte", "rtz"), ("rte", "rtp"), ("rtz", "rte"), ("rtz", "rtn")])
@for_each("name", ["add", "mul", "sub"])
def test_the_wrong_rounding_mode(claims, rounding, name, truthful):
    verdict = verdict_on(truthful(claims=claims, rounding=rounding), name)
    assert verdict.status == "fail"
    assert verdict_on(truthful(claims=claims), name).status == "pass"


@pytest.mark.parametrize("claims", ["rte", "rtz", "rtp"])
def test_functions_round_to_nearest_whatever_is_in_force(claims, truthful):
    """3.17 and 3.19: of float in the full profile nothing else is right."""
    for name in ("fma", "ldexp", "fdim"):
        assert verdict_on(truthful(claims=claims, rounding="rte"), name).status == "pass"
        for mode in some(("rtz", "rtp", "rtn"), 1):
            assert verdict_on(truthful(claims=claims, rounding=mode), name).status == "fail"


@pytest.mark.parametrize("name", ["exp", "sin", "fma", "dot", "lgamma"])
def test_nan_where_a_number_is_due(name, truthful):
    """In float lgamma has no limit, yet NaN is a wrong answer at its edges, and an infinite error is reported."""
    change = first_result(lambda form, args, y: np.where(np.isfinite(y), form.dtype.type(np.nan), y))
    for verdict in audit(Plan.of([name], [HALF if name == "dot" else FLOAT], inputs=64, jobs=1), truthful(change)):
        assert verdict.status == "fail"
        assert verdict.worst_error == np.inf


def test_a_stale_buffer(truthful):
    kept = []

    def previous(row, form, args, results):
        kept.append(results)
        old = kept[-2] if len(kept) > 1 else results
        return old if old[0].shape == results[0].shape else results

    verdict = verdict_on(truthful(previous), "exp", inputs=3 * 8192)
    assert verdict.status == "fail"


def test_a_buffer_that_is_used_again_is_judged_as_it_was_returned(truthful):
    buffer = np.zeros(8192, np.float32)

    def reuse(form, args, y):
        buffer[: len(y)] = y
        return buffer[: len(y)]

    assert verdict_on(truthful(first_result(reuse)), "exp", inputs=3 * 8192).status == "pass"


def test_lgamma_is_measured_though_it_has_no_limit(truthful):
    off = first_result(lambda form, args, y: np.where(y == 0, y, y * form.dtype.type(1.001)))
    verdict = verdict_on(truthful(off), "lgamma", DOUBLE)
    assert verdict.status == "pass"
    assert verdict.worst_error > 1e6
    assert any("no number" in note for note in verdict.notes)


@pytest.mark.parametrize(
    "change",
    [
        lambda quo: quo ^ 64,
        lambda quo: quo + np.sign(quo).astype(np.int32) * (np.abs(quo) % 7 == 3),
        np.abs,
    ],
    ids=["bit 6", "off by one", "sign"],
)
def test_the_quotient_of_remquo(change, truthful):
    subject = truthful(lambda row, form, args, results: (results[0], change(results[1]).astype(np.int32)))
    verdict = verdict_on(subject, "remquo")
    assert verdict.status == "fail"
    assert verdict.tally.reasons[-1][0] == "wrong quo"


@for_each("name", ["pown", "rootn", "ldexp"])
@for_each("extreme", [INT_MIN, 2**31 - 1])
@for_each("form", FORMATS)
def test_wrong_at_the_extreme_ints(name, extreme, form, truthful):
    """As when -INT_MIN is taken to be positive: the result of the opposite int."""
    change = first_result(lambda form, args, y: np.where(args[1] == extreme, -(y + form.dtype.type(1)), y))
    verdict = verdict_on(truthful(change), name, form, inputs=0)
    assert verdict.status == "fail"
    assert all(e.args[1] == extreme for e in verdict.tally.failures)


@pytest.mark.parametrize("name", ["sin", "exp", "pow", "atan2"])
def test_off_only_at_doubles_that_are_no_floats(name, truthful):
    def change(form, args, y):
        full = (form.bits(args[0]) & np.uint64(0xFFF)) != 0
        return np.where(full & np.isfinite(y), y * (1 + 2.0**-44), y)

    verdict = verdict_on(truthful(first_result(change)), name, DOUBLE)
    assert verdict.status == "fail"
    assert verdict.tally.failed > 1000


@pytest.mark.parametrize(
    "name, wrong",
    [
        ("fract", lambda r: (r[0], r[1] + 1)),
        ("modf", lambda r: (r[0], np.abs(r[1]))),
        ("frexp", lambda r: (r[0], r[1] + np.int32(1))),
        ("sincos", lambda r: (r[1], r[0])),
        ("ilogb", lambda r: (r[0] + np.int32(r[0] == 7),)),
    ],
)
def test_every_result_counts(name, wrong, truthful):
    subject = truthful(lambda row, form, args, results: wrong(results))
    assert verdict_on(subject, name).status == "fail"


@for_each(
    "row, args, results",
    [
        ("nextafter", (1.0, 2.0), (1.0,)),
        ("fmax", (1.0, 2.0), (1.0,)),
        ("fmax", (-1.0, 0.0), (-0.0,)),
        ("fmax", (np.nan, 2.0), (np.nan,)),
        ("fdim", (1.0, 2.0), (-0.0,)),
        ("pown", (np.nan, 0), (np.nan,)),
        ("powr", (1.0, np.inf), (1.0,)),
        ("pow", (1.0, np.nan), (np.nan,)),
        ("sign", (np.nan,), (np.nan,)),
        ("fract", (-0.0,), (0.0, -0.0)),
        ("fract", (-1e-30,), (1.0, -1.0)),
        ("remquo", (1000.0, 1.0), (0.0, -(1000 & 127))),
        ("remquo", (np.inf, 1.0), (np.nan, 1)),
        ("lgamma_r", (-2.0,), (np.inf, 1)),
        ("lgamma_r", (-0.5,), (1.2655121, 1)),
        ("ilogb", (0.0,), (0,)),
        ("ilogb", (np.inf,), (INT_MIN,)),
        ("native_sin", (1.0,), None),
        ("sin", (0.0,), (-0.0,)),
        ("mul", (2.0**-100, 2.0**-100), (-0.0,)),
        ("fma", (2.0**-100, -(2.0**-100), 0.0), (0.0,)),
        ("sin", (float(np.float32(1e-40)),), (0.0,)),
    ],
)
def test_single_calls(row, args, results):
    if results is None:  # implementation-defined: nothing is wrong
        assert judged(row, args, (9.0,)).failed == 0
    else:
        assert judged(row, args, results).failed == 1


@for_each(
    "row, args, results",
    [
        ("add", (1.0, 2.0**-126), (0.0,)),
        ("mul", (2.0**-126, 1.0), (0.0,)),
        ("fabs", (1e-40,), (2e-40,)),
        ("fabs", (1e-30,), (0.0,)),
        ("exp", (-80.0,), (0.0,)),
        ("recip", (1e-40,), (1.0,)),
        ("nextafter", (1.0, 2.0), (1.0,)),
        ("fract", (1e-40,), (0.0, 1.0)),
        ("mad", (2.0**-100, 2.0**-26, 2.0**-120), (2.0**-120,)),  # the product is a normal number
    ],
)
def test_flushing_does_not_excuse(row, args, results):
    law = Law("full", "rte", flushes=True)
    args = tuple(float(np.float32(a)) for a in args)
    assert judged(row, args, results, law=law).failed == 1


def test_what_is_subnormal_before_it_is_rounded_may_be_flushed():
    """(1 + 2^-23)(1 - 2^-23) 2^-126 is just below the smallest normal number, to which it rounds."""
    law, x = Law("full", "rte", flushes=True), 2.0**-126 * (1 + 2.0**-23)
    for result, flushed in ((0.0, 1), (2.0**-126, 0)):
        tally = judged("mul", (x, 1 - 2.0**-23), (result,), FLOAT, law)
        assert (tally.failed, tally.flushed) == (0, flushed)
    assert judged("mul", (x, 1 - 2.0**-24), (0.0,), FLOAT, law).failed == 1
    assert judged("mul", (x, 1 - 2.0**-23), (0.0,), FLOAT).failed == 1


def test_double_is_never_flushed_but_by_a_build_option():
    """4.2: of single precision alone are subnormals optional; -cl-denorms-are-zero speaks of double as well."""
    x = 2.0**-1022 * (1 + 2.0**-52)
    for flushes in (False, True):
        law = Law("full", "rte", flushes=flushes)
        assert judged("mul", (x, 1 - 2.0**-52), (0.0,), DOUBLE, law).failed == 1
        assert judged("exp2", (-1030.0,), (0.0,), DOUBLE, law).failed == 1
        waived = Law("full", "rte", flushes=flushes, options=("-cl-denorms-are-zero",))
        assert judged("exp2", (-1030.0,), (0.0,), DOUBLE, waived).flushed == 1


@pytest.mark.parametrize("name, ulps", [("sin", 4), ("asin", 4), ("expm1", 3), ("half_sin", 8192)])
def test_what_rounds_to_the_smallest_normal_number_may_be_subnormal_before(name, ulps):
    """The last argument of which that number conforms: results just below it do as well, and are flushed."""
    law, outcomes = Law("full", "rte", flushes=True), []
    for steps in range(ulps - 2, ulps + 3):
        x = 2.0**-126 + steps * 2.0**-149
        conforms = judged(name, (x,), (2.0**-126,), law=law).failed == 0
        outcomes.append(conforms)
        assert judged(name, (x,), (0.0,), law=law).failed == (not conforms)
        assert judged(name, (x,), (0.0,)).failed == 1 or name == "half_sin"  # of those that flush at any time
    assert outcomes == sorted(outcomes, reverse=True)
    assert set(outcomes) == {True, False}


@pytest.mark.parametrize("flushes", [True, False])
def test_what_is_far_from_subnormal_or_rounded_correctly_is_not_flushed(flushes):
    law, near = Law("full", "rte", flushes), [(-126.0 + k * 2.0**-17,) for k in range(1, 6)]
    for name, args in (*(("exp2", x) for x in near), ("mul", (2.0**-126, 1.0 + 2.0**-23))):
        assert judged(name, args, (0.0,), law=law).failed == 1


def test_the_sign_of_a_zero_that_is_open_is_open_for_what_underflows_too():
    """The cross product's y is -2^-28 before rounding: either zero is the correctly rounded one."""
    item = Item(builtin("cross"), HALF, 3)
    values = tuple(np.array([v], np.float16) for v in (2.0**-14, 0, 0, 0, 0, 2.0**-14))
    law = Law("full", "rte", flushes=False)
    for zero in (0.0, -0.0):
        assert judge(item, values, (np.array([[0.0, zero, 0.0]], np.float16),), law).failed == 0
    off = np.array([[0.0, 2.0**-24, 0.0]], np.float16)
    assert judge(item, values, (off,), law).failed == 1


def test_a_promise_of_correct_division_is_held_to(truthful):
    def toward_zero(form, args, y):
        return np.where(np.isfinite(y) & (y != 0), np.nextafter(y, form.dtype.type(0)), y)

    off = first_result(toward_zero)
    assert verdict_on(truthful(off), "div").status == "pass"
    assert verdict_on(truthful(off, options=EXACT_DIVIDE), "div").status == "fail"


@pytest.mark.parametrize(
    "results, fact",
    [
        (lambda r: (r[0][:-1],), "of shape (8191,)"),
        (lambda r: (r[0].astype(np.float64),), "float64"),
        (lambda r: (r[0], r[0]), "2 results"),
        (lambda r: r[0], "a ndarray"),
        (lambda r: (r[0].tolist(),), "list"),
    ],
)
def test_results_of_the_wrong_kind_are_not_judged(results, fact, truthful):
    verdict = verdict_on(truthful(lambda row, form, args, r: results(r)), "sqrt", inputs=8192)
    assert verdict.status == "not judged"
    assert fact.replace("8191", str(min(8192, len_of_first(verdict)) - 1)) in verdict.reason
    assert "needed" in verdict.reason


def len_of_first(verdict):
    from clmath.audit.inputs.row_inputs import CHUNK
    from clmath.audit.inputs.structured import structured

    return min(CHUNK, len(structured(verdict.item)[0]))


def test_every_failure_is_counted_and_the_first_are_kept(truthful):
    change = first_result(lambda form, args, y: y + form.dtype.type(1))
    verdict = verdict_on(truthful(change), "sin", inputs=1000)
    judged_lanes = verdict.tally.tried - verdict.tally.unjudged
    assert verdict.tally.failed > 0.9 * judged_lanes - 300
    assert sum(count for _, count in verdict.tally.reasons) == verdict.tally.failed
    assert len(verdict.tally.failures) <= 4 * len(verdict.tally.reasons)
