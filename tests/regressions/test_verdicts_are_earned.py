"""What passed though nothing allowed it, and what was blamed though a text allows it: each with its counterpart."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.audit.isolation.choosing import subject
from clmath.audit.judge.piece import judge
from clmath.audit.law.law import Law
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.reports import terminal
from clmath.audit.running.run import audit
from clmath.audit.subjects.function import Function
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF, format_named
from clmath.spec.builtins import builtin
from clmath.spec.edges import edges
from clmath.testing import assert_conforms
from tests.cases import for_each

FULL = Law("full", "rte", flushes=False)
RELAXED = Law("relaxed", "rte", flushes=False)
NAN, INF = np.nan, np.inf


def tally_of(name, form, args, results, law=FULL):
    """The tally of one call; vectors are lists."""
    row = builtin(name)
    width = len(args[0]) if row.widths else 0
    item = Item(row, form, width)
    numbers = [n for a in args for n in (a if width else [a])]
    kinds = {"gentype": form.dtype, "intn": np.int32, "nancode": form.bits_dtype, "scalar": form.dtype}
    values = tuple(np.array([n], kinds[k]) for n, k in zip(numbers, item.columns, strict=True))
    given = tuple(np.array([r], kinds[p.type]) for r, p in zip(results, row.outputs, strict=True))
    return judge(item, values, given, law)


def verdicts_on(target, names, forms, **options):
    return list(audit(Plan.of(names, forms, inputs=32, jobs=1, **options), target))


OPEN = ["mad", "mix", "smoothstep", "native_sin", "native_powr"]  # implementation-defined: of half, of float


@pytest.mark.parametrize("form", [HALF, FLOAT], ids=str)
def test_a_row_without_a_limit_does_not_pass_unjudged(form):
    """If a text comes to give numbers for one of these, take another that has none."""
    known = [name for name in OPEN if form in builtin(name).formats]
    names = [n for n in known if FULL.limit(Item(builtin(n), form)).gives_no_number and not edges(n)]
    assert names

    def nothing_but_nan(_, *args):
        return np.full(args[0].shape, NAN, form.dtype)

    found = verdicts_on(Function(nothing_but_nan, "nan"), names, [form])
    for verdict in found:
        assert (verdict.status, verdict.left_open) == ("not judged", True)
        assert "the specification gives no number" in verdict.reason
        assert verdict.tally.judged == 0
    assert terminal.exit_code(found) == terminal.UNJUDGED
    assert "conforms" not in terminal.summary(found)


def test_open_rows_do_not_stand_in_the_way_of_others():
    found = verdicts_on(subject("clmath"), ["native_sin", "sin", "mad"], [HALF, FLOAT])
    assert {str(v.item): v.status for v in found} == {
        "sin half": "pass",
        "mad half": "not judged",
        "native_sin float": "not judged",
        "sin float": "pass",
        "mad float": "pass",
    }
    assert terminal.exit_code(found) == terminal.CONFORMS


def test_half_mad_is_not_judged():
    tally = tally_of("mad", HALF, (1, 1, 1), (5,))
    assert (tally.failed, tally.judged) == (0, 0)
    assert tally_of("mad", FLOAT, (1, 1, 1), (5,)).failed == 1


@for_each("form", FORMATS)
@for_each(
    "name, args, wrong, right",
    [
        ("lgamma", (1.0,), (7.0,), (0.0,)),
        ("lgamma", (-INF,), (0.0,), (INF,)),
        ("cross", ([1, 0, 0, 5], [0, 1, 0, 5]), ([0, 0, 1, 7],), ([0, 0, 1, 0],)),
        ("cross", ([1e4, 0, 0, 5], [0, 1, 0, 5]), ([0, 0, 1e4, 7],), ([0, 0, 1e4, -0.0],)),
        ("normalize", ([INF, -INF],), ([NAN, NAN],), ([0.70703125, -0.70703125],)),
        ("normalize", ([INF, -2.0, INF],), ([0.70703125, 0.0, 0.70703125],), ([0.70703125, -0.0, 0.70703125],)),
        ("normalize", ([INF, -2.0, INF],), ([0.70703125, -0.0, INF],), ([0.70703125, -0.0, 0.70703125],)),
        ("length", ([INF, 1.0],), (NAN,), (INF,)),
        ("length", ([0.0, -0.0],), (NAN,), (0.0,)),
    ],
)
def test_prescribed_results_are_judged_where_no_limit_is(form, name, args, wrong, right):
    caught = tally_of(name, form, args, wrong)
    assert caught.failed == caught.judged == 1
    if name == "normalize" and form is not HALF:  # 0.70703125 is what half gives for the root of 1/2
        right = ([np.copysign(np.sqrt(0.5), r) if r else r for r in right[0]],)
    allowed = tally_of(name, form, args, right)
    assert (allowed.failed, allowed.judged) == (0, 1)


def test_the_element_that_cross_must_not_set_is_the_one_shown():
    (example,) = tally_of("cross", HALF, ([1, 0, 0, 5], [0, 1, 0, 5]), ([0, 0, 1, 7],)).failures
    assert example.output == 3
    assert example.reason == "cross(p0, p1) = (any, any, any, 0) for 4 elements (OpenCL C++ 1.0, 3.18.2)"


ROOT = 2.0**-66  # 1e-20 or so: its square is subnormal


@for_each(
    "name, args, wrong, right",
    [
        ("fast_length", ([0.0, 0.0],), [NAN, INF, 1e-30], [0.0, 1e-44]),
        ("fast_length", ([ROOT, 0.0],), [NAN, INF, -ROOT, 1.01 * ROOT], [0.0, ROOT, ROOT * (1 + 2.0**-11)]),
        ("fast_length", ([1.0, 0.0],), [NAN, INF, 0.0, 1.01], [1.0, 1.0 + 2.0**-11]),
        ("fast_length", ([2.0**64, 0.0],), [NAN, 0.0, 2.0**63], [INF, 2.0**64]),
        ("fast_length", ([2.0**60, 2.0**60],), [NAN, INF, 0.0], [2.0**60.5]),
        ("fast_length", ([2.0**-63, 0.0],), [0.0, NAN], [2.0**-63]),
        ("fast_length", ([NAN, 0.0],), [0.0, INF], [NAN]),
        ("fast_length", ([INF, 0.0],), [0.0, NAN], [INF]),
        ("fast_distance", ([3.0, 5.0], [3.0, 5.0]), [NAN, 1.0, INF], [0.0]),
        ("fast_distance", ([ROOT, 5.0], [0.0, 5.0]), [NAN, 1.0], [0.0, ROOT]),
        ("fast_distance", ([3e38, 0.0], [-3e38, 0.0]), [NAN, 0.0], [INF]),
    ],
)
def test_what_half_sqrt_of_squares_can_give(name, args, wrong, right):
    for result in wrong:
        assert tally_of(name, FLOAT, args, (result,)).failed == 1, result
    for result in right:
        assert tally_of(name, FLOAT, args, (result,)).failed == 0, result


def test_squares_are_flushed_where_the_device_flushes():
    flushes = Law("full", "rte", flushes=True)
    args = ([2.0**-63.4, 2.0**-63.4],)  # each square is subnormal, their sum is not
    assert tally_of("fast_length", FLOAT, args, (0.0,), flushes).failed == 0
    assert tally_of("fast_length", FLOAT, args, (0.0,)).failed == 1


@for_each("width", [1, 2, 3, 4])
@for_each("fused", [False, True])
def test_fast_length_by_floats_own_arithmetic_is_right(width, fused):
    """Squares of every size, summed in float or in double, the root cut to 12 bits or flushed."""
    rng = np.random.default_rng(7)
    p = np.ldexp(rng.uniform(-1, 1, (4000, width)), rng.integers(-140, 128, (4000, 1))).astype(np.float32)
    with np.errstate(all="ignore"):
        wide = p.astype(np.float64 if fused else np.float32)
        total = (wide * wide).sum(axis=-1).astype(np.float32)
        total = np.where(total < FLOAT.smallest_normal, np.float32(0), total)
        root = np.sqrt(total)
    cut = FLOAT.from_bits(FLOAT.bits(root) & np.uint32(0xFFFFE000))
    item = Item(builtin("fast_length"), FLOAT, width)
    tally = judge(item, tuple(p.T.copy()), (np.where(np.isfinite(root), cut, root),), FULL)
    assert tally.failed == 0, tally.failures[:1]
    assert tally.judged == 4000


@for_each(
    "name, form, args, wrong, right",
    [
        ("sqrt", DOUBLE, (INF,), (NAN,), (INF,)),
        ("trunc", HALF, (-0.5,), (0.0,), (-0.0,)),
        ("fmax", FLOAT, (1.0, NAN), (NAN,), (1.0,)),
        ("tgamma", FLOAT, (40.0,), (0.0,), (INF,)),
        ("sin", HALF, (INF,), (1.0,), (NAN,)),
        ("exp", DOUBLE, (1000.0,), (0.0,), (INF,)),
        ("sqrt", FLOAT, (-1.0,), (0.0,), (NAN,)),
        ("nan", FLOAT, (1,), (1.0,), (NAN,)),
    ],
)
def test_relaxed_waives_nothing_that_table_37_does_not_name(name, form, args, wrong, right):
    assert tally_of(name, form, args, wrong, RELAXED).failed == 1
    assert tally_of(name, form, args, right, RELAXED).failed == 0


@pytest.mark.parametrize(
    "name, args, result",
    [
        ("sin", (INF,), 1.0),
        ("exp", (1000.0,), 0.0),
        ("log", (-1.0,), 1.0),
        ("sinpi", (-0.0,), 0.0),
        ("pow", (1.0, NAN), 2.0),
    ],
)
def test_relaxed_waives_edges_of_what_table_37_names(name, args, result):
    assert tally_of(name, FLOAT, args, (result,), RELAXED).failed == 0
    assert tally_of(name, FLOAT, args, (result,)).failed == 1


@for_each(
    "option, name, form, args, result",
    [
        ("-cl-finite-math-only", "fmax", FLOAT, (1.0, NAN), NAN),
        ("-cl-finite-math-only", "sqrt", DOUBLE, (INF,), NAN),
        ("-cl-finite-math-only", "tgamma", FLOAT, (40.0,), 0.0),
        ("-cl-fast-relaxed-math", "fmax", FLOAT, (1.0, NAN), NAN),
        ("-cl-no-signed-zeros", "trunc", HALF, (-0.5,), 0.0),
        ("-cl-no-signed-zeros", "mul", FLOAT, (-0.0, 1.0), 0.0),
        ("-cl-unsafe-math-optimizations", "trunc", FLOAT, (-0.5,), 0.0),
        ("-cl-unsafe-math-optimizations", "sin", FLOAT, (1.0,), 0.8415),
        ("-cl-unsafe-math-optimizations", "fabs", FLOAT, (1e-40,), 0.0),
        ("-cl-denorms-are-zero", "fabs", FLOAT, (1e-40,), 0.0),
        ("-cl-denorms-are-zero", "fabs", DOUBLE, (1e-310,), 0.0),
    ],
)
def test_build_options_waive_what_they_say(option, name, form, args, result):
    law = Law("full", "rte", flushes=False, options=(option,))
    assert tally_of(name, form, args, (result,), law).failed == 0
    assert tally_of(name, form, args, (result,)).failed == 1


@for_each(
    "option, name, form, args, result",
    [
        ("-cl-finite-math-only", "sqrt", HALF, (INF,), NAN),
        ("-cl-finite-math-only", "trunc", FLOAT, (-0.5,), 0.0),
        ("-cl-no-signed-zeros", "fmax", FLOAT, (1.0, NAN), NAN),
        ("-cl-no-signed-zeros", "ceil", FLOAT, (-0.5,), -1.0),
        ("-cl-unsafe-math-optimizations", "fmax", FLOAT, (1.0, NAN), NAN),
        ("-cl-unsafe-math-optimizations", "sin", DOUBLE, (1.0,), 0.8415),
        ("-cl-denorms-are-zero", "fabs", HALF, (6e-8,), 0.0),
        ("-cl-mad-enable", "mad", FLOAT, (1.0, 1.0, 1.0), 5.0),
        ("-cl-fp32-correctly-rounded-divide-sqrt", "sqrt", FLOAT, (2.0,), 1.4142134),
        ("-cl-fp32-correctly-rounded-divide-sqrt", "div", FLOAT, (1.0, 3.0), 0.33333337),
        ("-cl-opt-disable", "trunc", FLOAT, (-0.5,), 0.0),
    ],
)
def test_build_options_waive_no_more(option, name, form, args, result):
    law = Law("full", "rte", flushes=False, options=(option,))
    assert tally_of(name, form, args, (result,), law).failed == 1


def test_the_options_are_those_the_subject_declares():
    class Fast(Function):
        def build_options(self):
            return ("-cl-fast-relaxed-math",)

    def loses_nans(_, x, y):
        return np.maximum(x, y)

    plain = verdicts_on(Function(loses_nans, "plain"), ["fmax"], [FLOAT])
    fast = verdicts_on(Fast(loses_nans, "fast"), ["fmax"], [FLOAT])
    assert [v.status for v in plain + fast] == ["fail", "pass"]
    (sine,) = verdicts_on(Fast(lambda name, x: getattr(clmath, name)(x), "fast"), ["sin"], [FLOAT])
    assert (sine.profile, sine.limit) == ("relaxed", "absolute 2^-11 for x in [-π, π]")


def test_a_signaling_nan_is_no_result_of_nan():
    def signals(name, code):
        result = getattr(clmath, name)(code)
        form = format_named(
            str(result.dtype).replace("float16", "half").replace("float32", "float").replace("float64", "double")
        )
        quiet = form.bits_dtype.type(1 << (form.precision - 2))
        return form.from_bits((form.bits(result) & ~quiet) | form.bits_dtype.type(1))

    found = verdicts_on(Function(signals, "signals"), ["nan"], FORMATS)
    assert [v.reason for v in found] == ["nan(any) = quiet NaN (OpenCL C++ 1.0, 3.19.6)"] * 3
    assert all(v.tally.failed == v.tally.tried for v in found)
    assert {v.status for v in verdicts_on(subject("clmath"), ["nan"], FORMATS)} == {"pass"}


@pytest.mark.parametrize("zero", [0.0, -0.0])
@pytest.mark.parametrize("bounds", [(0.0, -0.0), (-0.0, 0.0)])
def test_clamp_of_nan_to_zeros_of_both_signs_may_be_either(zero, bounds):
    assert tally_of("clamp", FLOAT, (NAN, *bounds), (zero,)).failed == 0
    assert tally_of("clamp", FLOAT, (-1.0, *bounds), (zero,)).failed == 0
    assert tally_of("clamp", FLOAT, (NAN, *bounds), (1.0,)).failed == 1


@pytest.mark.parametrize(
    "args, wrong",
    [((1.0, 0.0, -0.0), 0.0), ((1.0, -0.0, 0.0), -0.0), ((NAN, 0.0, 0.0), -0.0), ((-1.0, 0.0, 0.0), -0.0)],
)
def test_clamp_to_a_zero_that_is_an_argument(args, wrong):
    assert tally_of("clamp", FLOAT, args, (wrong,)).failed == 1
    assert tally_of("clamp", FLOAT, args, (-wrong,)).failed == 0


@for_each("form", FORMATS)
@for_each(
    "name, args, result",
    [
        ("nextafter", (-0.0, 0.0), -0.0),
        ("nextafter", (0.0, -0.0), 0.0),
        ("logb", (1.5,), -0.0),
        ("rsqrt", (INF,), -0.0),
    ],
)
def test_the_sign_of_a_zero_that_no_text_gives_is_measured_only(form, name, args, result):
    tally = tally_of(name, form, args, (result,))
    assert (tally.failed, tally.worst.error) == (0, 0.0)


@pytest.mark.parametrize(
    "name, args, result, clause",
    [
        ("fmod", (-6.0, 3.0), 0.0, "wrong sign of zero (ISO/IEC 9899:TC2, F.9.7.1, copysign(result, x))"),
        ("remainder", (-6.0, 3.0), 0.0, "wrong sign of zero (OpenCL C++ 1.0, 3.19.6, the sign of x)"),
        ("add", (1.0, -1.0), -0.0, "wrong sign of zero (OpenCL C++ 1.0, 4.4: IEEE 754, 6.3)"),
        ("ceil", (-0.5,), 0.0, "ceil(-1 < x < 0) = -0 (OpenCL C++ 1.0, 4.5.1)"),
        ("fdim", (1.0, 2.0), -0.0, "fdim(x, y) = +0 for x <= y (OpenCL C++ 1.0, 3.19.7)"),
    ],
)
def test_a_wrong_zero_is_blamed_by_its_clause(name, args, result, clause):
    assert tally_of(name, FLOAT, args, (result,)).reasons == ((clause, 1),)


def test_zeros_that_underflow_keep_the_sign_of_what_is_rounded():
    assert tally_of("ldexp", FLOAT, (-1.0, -1000), (0.0,)).failed == 1
    assert tally_of("ldexp", FLOAT, (-1.0, -1000), (-0.0,)).failed == 0


def test_assertions_and_audits_judge_by_one_law():
    tiny = np.float32(1e-40)
    assert_conforms(np.float32(0.0), "half_sin", (tiny,))  # 3.19.10: any result of 4.5.3
    assert tally_of("half_sin", FLOAT, (tiny,), (0.0,)).failed == 0
    with pytest.raises(AssertionError, match="a subnormal flushed to zero"):
        assert_conforms(np.float32(0.0), "sin", (tiny,))
    one, nan = np.float32(1.0), np.float32(NAN)
    assert_conforms(nan, "fmax", (one, nan), build_options="-cl-finite-math-only")
    with pytest.raises(AssertionError, match="fmax"):
        assert_conforms(nan, "fmax", (one, nan), profile="relaxed")


@for_each("name", ["clamp", "max", "min", "smoothstep"])
@for_each("form", FORMATS)
def test_no_edge_prescribes_what_the_chapter_leaves_undefined(name, form):
    limit = FULL.limit(Item(builtin(name), form))
    undefined = [met for rule, met in limit.clauses if getattr(rule, "why", "") == "undefined"]
    assert undefined
    for edge in edges(name):
        values = dict(zip(limit.parameters, (a.astype(np.float64) for a in edge.cases(form)), strict=True))
        assert not any(met.holds(values, form).any() for met in undefined), edge.text


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_a_signaling_nan_is_no_result_of_a_quiet_one(form):
    signaling = form.from_bits(
        form.bits_dtype.type((((1 << form.width - form.precision) - 1) << form.precision - 1) + 1)
    )
    assert np.isnan(signaling)
    for name, args in (
        ("sin", (NAN,)),
        ("sqrt", (-1.0,)),
        ("fmax", (NAN, NAN)),
        ("add", (INF, -INF)),
        ("fabs", (NAN,)),
    ):
        tally = tally_of(name, form, args, (signaling,))
        assert tally.reasons == (("a signaling NaN though no argument is one (OpenCL C++ 1.0, 4.3 and 4.5.1)", 1),)
    for name in ("sin", "sqrt", "fabs"):  # "should be converted" is no "shall"
        assert tally_of(name, form, (signaling,), (signaling,)).failed == 0
    assert tally_of("native_sin", FLOAT, (NAN,), (FLOAT.from_bits(np.uint32(0x7F800001)),)).failed == 0


@pytest.mark.parametrize(
    "name, x, flushed", [("log", -1e-40, -INF), ("ceil", -1e-40, 0.0), ("sqrt", -1e-40, 0.0), ("nextafter", 0.0, 0.0)]
)
def test_flushing_goes_before_prescribed_results_where_the_device_flushes(name, x, flushed):
    args = (x, 1.0) if name == "nextafter" else (x,)
    assert tally_of(name, FLOAT, args, (flushed,), Law("full", "rte", flushes=True)).failed == 0
    assert tally_of(name, FLOAT, args, (flushed,)).failed == 1
