"""Functions with exactly prescribed results: each fault is caught for its reason, correct results always pass."""
# ruff: noqa: ARG005 - changes and targets share one signature

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.audit.exact import contraction
from clmath.audit.exact.exact_criteria import Calls, ExactCriteria
from clmath.audit.inputs.random import random_columns
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.audit.running.run import audit
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import MODES
from clmath.spec.families import chapters, exact_builtins
from tests.audit.faulty import Faulty, verdicts
from tests.cases import for_each, some

ROWS = exact_builtins()


def contracted(item, args, mode):
    """Return the values that an expression may have."""
    return contraction.allowed(Calls(item, args, ExactCriteria("full", mode, flushes=False)))


def verdict_on(target, name, type="float", **options):
    """Return the verdict on a function, at the first of its widths."""
    plan = Plan.of([ROWS[name]], [type], **{"inputs": 1000, "jobs": 1, "local_search": False} | options)
    (verdict,) = audit(plan, target, done=plan.items()[1:])
    return verdict


def only(where, what):
    """Return a change of the results where a condition on result and first argument holds."""
    return lambda result, *args: np.where(where(result, args[0]), what(result), result)


@for_each("chapter", chapters())
def test_correct_results_pass_in_every_chapter(chapter):
    rows = some([row for row in ROWS.values() if row.chapter == chapter], 2)
    for number, row in enumerate(rows):
        for verdict in verdicts(Faulty(), [row], [row.type_names[number % len(row.type_names)]], inputs=50):
            due = "not judged" if row.optional else "pass"  # the text prescribes no value of FP_FAST_FMA
            assert verdict.status == due, f"{verdict.item}: {verdict.tally.failures}"


@for_each("mode", MODES)
def test_conversions_of_a_device_with_another_mode_pass(mode):
    rows = [ROWS[n] for n in ("convert_float", "convert_half", "vstore_half", "fp_contract_off_mul_add_mul")]
    for verdict in verdicts(Faulty(claims=mode), rows, ["double"]):
        assert verdict.status == "pass", f"{verdict.item}: {verdict.tally.failures}"


FLUSHED = "a subnormal flushed to zero, though it may not be"
TRUTH = "a wrong number for true: it is 1 of scalars, -1 in each lane of a vector (cl_khr_fp16)"
INFINITE = "an infinity where a finite number is due"
NAN = np.float32(np.nan)


def flushed_below(least):
    return only(lambda y, x: np.abs(y) < least, lambda y: np.copysign(0, y))


def without_nan(y, *_):
    return np.where(np.isnan(y), NAN, y)


# function, type, change of the results, and the reason of the failure if it differs from the table's
BROKEN = [
    # conversions: a halfway case, a direction, two roundings, saturation, overflow, a sign
    ("convert_uchar_rte", "float", only(lambda y, x: x == 2.5, lambda y: y + 1)),
    ("convert_int_rtp", "float", lambda y, *a: np.trunc(np.nan_to_num(a[0])).clip(-2e9, 2e9)),
    ("convert_half", "double", lambda y, *a: a[0].astype(np.float32).astype(np.float16)),
    ("convert_float", "long", lambda y, *a: a[0].astype(np.float64).astype(np.float32)),
    ("convert_float_rte", "long", only(lambda y, x: (x > 2**62) & (x % 2**40 == 2**39), lambda y: y - 2**39)),
    ("convert_half", "uint", only(lambda y, x: (x > 2**14) & (x < 2**15) & (x % 32 == 16), lambda y: y - 16)),
    ("convert_char_sat", "int", lambda y, *a: a[0].astype(np.int8)),
    ("convert_short_sat", "half", only(lambda y, x: x == -np.inf, lambda y: 0)),
    ("convert_uchar", "int", lambda y, *a: a[0].clip(0, 255)),
    ("convert_half_rtz", "float", only(lambda y, x: (x > 65504) & (x < 1e30), lambda y: np.inf), INFINITE),
    ("convert_float_rte", "double", only(lambda y, x: y == 0, np.abs), "wrong sign of zero"),
    ("convert_half_rte", "float", flushed_below(2**-14), FLUSHED),
    # integers: an end, an overflow, signs, a count beyond the width
    ("clz", "uint", only(lambda y, x: x == 0, lambda y: y - 1)),
    ("hadd", "uchar", lambda y, *a: (a[0] + a[1]) >> 1),
    ("mul_hi", "uint", lambda y, *a: a[0].view(np.int32).astype(np.int64) * a[1].view(np.int32) >> 32),
    ("add_sat", "char", only(lambda y, x: y == -128, lambda y: y + 1)),
    ("rotate", "ushort", lambda y, *a: np.where(a[1] < 16, y, a[0])),
    ("dot_mixed", "char", lambda y, *a: (a[0].astype(np.int32) * a[1].view(np.int8).astype(np.int32)).sum(-1)),
    ("dot_acc_sat_mixed", "uchar", lambda y, *a: (a[0].astype(np.int64) * a[1].astype(np.int64)).sum(-1) + a[2]),
    # truth values and choices
    ("isnormal", "double", only(lambda y, x: (np.abs(x) < 2.0**-1022) & (x != 0), lambda y: 1)),
    ("isless", "float", lambda y, *a: -y, TRUTH),
    ("islessgreater", "half", only(lambda y, x: np.isnan(x), lambda y: 1)),
    ("any", "int", lambda y, *a: (a[0] & 1).any(-1)),
    ("bitselect", "float", without_nan),
    ("select", "int", lambda y, *a: np.where(a[2] < 0, a[1], a[0])),
    ("select_signed", "ushort", lambda y, *a: np.where(a[2] < 0, a[1], a[0])),
    # bits that are only moved, loads and stores
    ("as_float", "int", without_nan),
    ("as_float", "uint", flushed_below(2**-126), FLUSHED),
    ("vload_half", "half", flushed_below(2**-14)),
    ("vstore_half_rtn", "float", flushed_below(2**-14), FLUSHED),
    ("vstore_half_rtp", "double", lambda y, *a: clmath.convert(a[0], "half", rounding="rtn")),
    ("vstorea_half", "float", lambda y, *a: np.roll(y, 1, -1)),
    # macros and contraction
    ("M_PI", "double", lambda y, *a: np.nextafter(y, 0)),
    ("INT_MAX", "int", lambda y, *a: y - 1),
    ("NAN", "float", lambda y, *a: np.zeros_like(y), "a number where NaN is due"),
    ("fp_contract_off_mul_add", "float", lambda y, *a: clmath.fma(*a)),
    ("fp_contract_on_mul_add_mul", "float", lambda y, *a: clmath.nextafter(y, np.float32(np.inf))),
    ("fp_contract_default_mul_sub", "double", lambda y, *a: a[0] * (a[1] - a[2] / a[0])),
    ("fp_contract_none_sub_mul", "float", lambda y, *a: -y),
    # channels of images
    ("read_unorm_int8", "float", lambda y, *a: a[0] / np.float32(256)),
    ("read_snorm_int16", "float", only(lambda y, x: x == -32768, lambda y: np.nextafter(y, np.float32(-2)))),
    ("write_unorm_int8", "float", lambda y, *a: np.nan_to_num(a[0] * 255).clip(0, 255).astype(np.uint8)),
    ("write_signed_int8", "int", lambda y, *a: a[0].astype(np.int8)),
    ("write_half_float", "float", lambda y, *a: clmath.convert(a[0], "half", rounding="rtp")),
    ("read_srgb", "float", lambda y, *a: a[0] / np.float32(255)),
    ("write_srgb", "float", lambda y, *a: np.where(y < 8, 8, y)),
]


@pytest.mark.slow
@for_each("case", BROKEN)
def test_fault_is_caught_for_its_reason(case):
    name, type, change, *reason = case
    reason = reason[0] if reason else f"not as prescribed: {ROWS[name].limit}"
    found = verdicts(Faulty(change), [ROWS[name]], [type], inputs=3000)
    failed = [v for v in found if not ROWS[name].widths or v.item.width == 4]
    assert failed
    for verdict in failed:
        assert verdict.status == "fail"
        assert reason in dict(verdict.tally.reasons), verdict.tally.reasons
        assert all(e.got != e.expected for e in verdict.tally.failures)
        assert verdict.worst_error > 0


def test_unspecified_results_are_not_judged():
    """A number beyond the range of the integer, mul24 beyond 24 bits, a sum that overflows."""
    free = [
        ("convert_int", "float", only(lambda y, x: ~((x >= -(2.0**31)) & (x < 2.0**31)), lambda y: 77)),
        ("convert_uchar_rtp", "double", only(lambda y, x: ~((x >= 0) & (x <= 255)), lambda y: 77)),
        ("convert_short", "long", only(lambda y, x: (x < -(2**15)) | (x >= 2**15), lambda y: 77)),
        ("mul24", "int", lambda y, *a: np.where((np.abs(a[0]) > 2**23) | (np.abs(a[1]) > 2**23), 77, y)),
        ("clamp", "int", lambda y, *a: np.where(a[1] > a[2], 77, y)),
        ("write_snorm_int8", "float", only(lambda y, x: ~np.isfinite(x), lambda y: 77)),
    ]
    for name, type, change in free:
        verdict = verdict_on(Faulty(change), name, type)
        assert verdict.status == "pass", f"{verdict.item}: {verdict.tally.failures}"
        assert verdict.tally.unjudged > 0


def test_results_next_to_unspecified_ones_are_judged():
    """2^31 - 128 is the largest float in the range of int; 255.5 is beyond uchar although it rounds down to 255."""
    wrong = only(lambda y, x: x == 2.0**31 - 128, lambda y: y + 1)
    assert verdict_on(Faulty(wrong), "convert_int", "float").status == "fail"
    beyond = only(lambda y, x: (x > 255) & (x < 256), lambda y: 77)
    assert verdict_on(Faulty(beyond), "convert_uchar_rtz", "double").status == "pass"


@for_each(
    "name, type",
    [
        ("convert_float", "double"),
        ("convert_double", "float"),
        ("isless", "float"),
        ("convert_int_rtp", "float"),
        ("fp_contract_off_mul_add", "float"),
        ("vstore_half_rtp", "float"),
    ],
)
def test_flushing_passes_on_a_device_without_subnormals(name, type):
    def flushed(values):
        if values.dtype != np.float32:
            return values
        return np.where((np.abs(values) < 2.0**-126) & (values != 0), np.float32(0), values)

    class Flushing(Faulty):
        def evaluate(self, row, form, args):
            (result,) = super().evaluate(row, form, tuple(map(flushed, args)))
            return (flushed(result),)

    for verdict in verdicts(Flushing(flushing=("float",)), [ROWS[name]], [type]):
        assert verdict.status == "pass", f"{verdict.item}: {verdict.tally.failures}"
    assert any(v.status == "fail" for v in verdicts(Flushing(), [ROWS[name]], [type]))


def test_bits_that_are_only_moved_are_not_flushed():
    flush = only(lambda y, x: np.abs(y) < 2.0**-126, lambda y: np.copysign(0, y))
    for name, type in (("as_float", "int"), ("bitselect", "float")):
        assert verdict_on(Faulty(flush, flushing=("half", "float", "double")), name, type).status == "fail"


def test_build_options_waive_requirements():
    lost = only(lambda y, x: np.isnan(x) | np.isinf(x), lambda y: 0)
    assert verdict_on(Faulty(lost), "isnan", "float").status == "fail"
    assert verdict_on(Faulty(lost, options=("-cl-finite-math-only",)), "isnan", "float").status == "pass"
    fused = lambda y, *a: clmath.fma(*a)  # noqa: E731
    verdict = verdict_on(Faulty(fused, options=("-cl-mad-enable",)), "fp_contract_off_mul_add", "float")
    assert verdict.status == "not judged"
    assert verdict.is_unspecified


def test_all_calls_are_tried_if_they_are_few():
    for name, type, count in (("convert_int", "half", 1 << 16), ("hadd", "char", 1 << 16), ("clz", "ushort", 1 << 16)):
        verdict = verdict_on(Faulty(), name, type)
        assert verdict.tally.tried == count
        assert not verdict.is_sampled


def test_inputs_are_reproducible_and_have_the_types_of_their_columns():
    for row in some(ROWS.values(), 100):
        type = row.type_names[0]
        item = item_of(row, TYPES[type], row.widths[0] if row.widths else 0)
        one, two = (random_columns(np.random.default_rng(5), item, 40) for _ in range(2))
        for a, b, kind in zip(one, two, item.columns, strict=True):
            assert a.dtype == TYPES[kind].dtype
            np.testing.assert_array_equal(a.view(f"u{a.itemsize}"), b.view(f"u{b.itemsize}"))


def test_contraction_off_has_one_value_that_the_inputs_distinguish():
    for form in FORMATS:
        item = item_of(ROWS["fp_contract_on_mul_add_mul"], form)
        args = random_columns(np.random.default_rng(1), item, 4000)
        with np.errstate(all="ignore"):
            found = contracted(item, args, "rte")
            values = [v.view(form.bits_dtype) for v in (found.wanted, *found.also)]
        assert len(values) == 4
        assert all((values[0] != other).sum() > 40 for other in values[1:])
