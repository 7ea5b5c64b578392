"""Measurements of a device about results, run on arrays: the reference confirms each claim."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clmath import phases
from clmath.audit.acceptance.batch import Batch, are_counted
from clmath.audit.acceptance.criteria import Criteria, requirement
from clmath.audit.acceptance.findings import are_acceptable, judged, out_of_limit, reason
from clmath.audit.acceptance.sets import signals
from clmath.audit.acceptance.values import in_one_double
from clmath.audit.counting.spread import BINS, steps
from clmath.audit.device_judge.measuring import measured_integer
from clmath.audit.device_judge.question import Question, finer
from clmath.audit.inputs import random
from clmath.audit.inputs.random import kernel_of
from clmath.audit.inputs.structured import structured
from clmath.audit.judge.regimes import is_elementwise
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_named
from clmath.engines import choice
from clmath.kernels import exact
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounded_encodings import MODE_NUMBERS, encoded_ends, to_float, to_half
from clmath.numbers.rounding import MODES
from clmath.spec.limits import parse
from tests.accepting import are_waived, numbers_of
from tests.audit.rule_cases import FULL, told, without
from tests.cases import for_each

FINITE = without(FULL, options=("-cl-finite-math-only",))
CLOSER = [("hypot", FLOAT, "rte"), ("pow", FLOAT, "rtz"), ("lgamma", FLOAT, "rtn"), ("exp", HALF, "rtp")]
CLOSER += [("exp", DOUBLE, "rte"), ("tgamma", DOUBLE, "rtz"), ("atan2", DOUBLE, "rtp")]


@pytest.fixture(autouse=True)
def quiet():
    """Ignore warnings: these tests ask for NaN and overflow."""
    with np.errstate(all="ignore"):
        yield


def upper(error):
    """Return an error as the device reports it: the upper half of a double."""
    return np.asarray(error, np.float64).view(np.int64) >> 32


def with_results(right, form):
    """Return encodings of results: correct ones and many kinds of wrong ones."""
    sign, infinite = 1 << form.width - 1, int(form.bits(np.inf))
    codes = right.astype(np.int64)
    others = (0, infinite, form.quiet_nan, infinite | 1, 0x5A5A5A5A5A5A5A5A & (sign - 1))
    kinds = [codes, codes + 1, codes - 3, codes + 4000, codes ^ (sign if form is not DOUBLE else -sign)]
    found = np.concatenate([*kinds, *(np.full_like(codes, code) for code in others)])
    return found if form is DOUBLE else found & (2 * sign - 1)


def calls_of(item):
    """Return some structured inputs and random ones."""
    fixed, generated = structured(item), random.numbered(item, 0, np.arange(300))
    step = max(len(fixed[0]) // 600, 1)
    return tuple(np.concatenate([a[::step], b]) for a, b in zip(fixed, generated, strict=True))


def rounded_ends(parts, form, mode):
    """Return the encodings of both rounded ends of enclosures."""
    if form is DOUBLE:
        return encoded_ends(*parts, MODE_NUMBERS[mode])
    value, err = parts
    round_ = to_float if form is FLOAT else to_half
    return [round_(end, MODE_NUMBERS[mode]) for end in (value - err, value + err)]


def enclosed(item, args, form):
    """Return the parts of enclosures by the kernel of the device."""
    kernel = kernel_of(item)
    if phases.has_kernel(item.builtin.name, form):
        (bounds,) = phases.enclose(item.builtin.name, args, form)
        found = [getattr(bounds.value, part) for part in kernel.parts]
    else:
        found = kernel.function(*(a.astype(np.float64) for a in args))
        if kernel.is_exact:
            found = (exact.in_two if form is DOUBLE else exact.in_one)(found)
    return [np.broadcast_to(np.asarray(part), args[0].shape).copy() for part in found]


def enclosed_closely(item, args):
    """Return the parts of enclosures by the accurate kernel of the device."""
    found, wide = finer(item), [a.astype(np.float64) for a in args]
    parts = choice.PLAIN.enclosure(found.kernel, wide)
    if item.form.is_narrow:
        return list(in_one_double(*parts))
    (narrow,) = found.narrowing
    return list(narrow(*wide, *parts))


def asked(item, criteria, args, codes, *, closely=False):
    """Return where the correctly rounded results are known, and the device's arguments for the results ``codes``."""
    form, mode = item.form, criteria.mode
    parts = enclosed_closely(item, args) if closely else enclosed(item, args, form)
    numbers = [a for a in args if a.dtype == form.dtype]
    brought = np.any([signals(form.bits(a).astype(np.int64), form) for a in numbers], axis=0)
    below, above = rounded_ends(parts, form, mode)
    err = parts[-2 if form is DOUBLE else -1]
    rounded = np.where(err > 0, below, middle(parts, form, mode))
    terms = Question(item, criteria).terms
    terms = terms._replace(off=0.0) if closely and form is not DOUBLE else terms
    given = (*(a.astype(np.float64) for a in args), *parts, rounded, codes, brought, terms, 0)
    return (below == above) | ~(err > 0), given


def looked_at(name, mode, form, *, flushes=False, closely=False):
    """Return calls with correct and wrong results, their exact values, and the measurements of the device."""
    (item,) = Plan.of([name], [form]).items()
    criteria = Criteria("full", mode, flushes=flushes)
    args = calls_of(item)
    right = form.bits(Batch.of(item, args, (args[0],), criteria).due[0])
    codes = with_results(right, form)
    args = tuple(np.tile(a, len(codes) // len(right)) for a in args)
    results = form.from_bits(codes.view(np.uint64).astype(form.bits_dtype))
    batch = Batch.of(item, args, (results,), criteria)
    sure, given = asked(item, criteria, args, codes, closely=closely)
    plain, *rest, flushed, fails, missed = told(sure, *given)
    accept_flushed(batch, np.flatnonzero(flushed & sure))
    assert numbers_of(batch)[0][fails & sure].all()
    assert not (plain & missed).any()
    check_missed(batch, np.flatnonzero(missed & sure))
    return batch, plain & sure & ~flushed, missed & sure, rest


def check_missed(batch, missed):
    """Check that results reported as beyond the limit miss it, and that no rule of the target accepts them."""
    if missed.size:
        found, criteria = batch.elements(missed), batch.criteria
        assert {reason(int(code), batch, 0) for code in numbers_of(found)[0]} == {out_of_limit(batch.limit)}
        any_zero = criteria.waives("signs of zero", batch.item)
        assert not are_acceptable(found, requirement(batch.item, criteria), any_zero=any_zero).any()


def accept_flushed(batch, flushed):
    """Check that results reported as flushed fail, but are accepted as flushed."""
    if flushed.size:
        assert numbers_of(batch.elements(flushed))[0].all()
        assert are_waived(batch.elements(flushed)).all()


def middle(parts, form, mode):
    """Return the encodings of the rounded middles of enclosures."""
    if form is DOUBLE:
        hi, lo, _, exponent = parts
        return encoded_ends(hi, lo, np.zeros_like(lo), exponent, MODE_NUMBERS[mode])[0]
    return (to_float if form is FLOAT else to_half)(parts[0], MODE_NUMBERS[mode])


@pytest.mark.slow
@for_each("mode", MODES)
@for_each("name, form", [("degrees", FLOAT), ("radians", DOUBLE)])
def test_products_with_a_constant_that_is_rounded(name, form, mode):
    """A result between two rounded products conforms."""
    batch, plain, *_ = looked_at(name, mode, form)
    assert not numbers_of(batch)[0][plain].any()
    beside = plain & (batch.results[0] != batch.due[0]) & np.isfinite(batch.results[0])
    assert np.mean(beside) > 0.05


@pytest.mark.slow
@for_each("name, form, mode", CLOSER)
def test_closer_enclosures_give_the_same_answers(name, form, mode):
    """In half and float, errors are known to the precision of reports."""
    batch, plain, missed, said = looked_at(name, mode, form, closely=True)
    check(batch, plain, missed, said, form)
    (counts, _, least, most, *_), errors = said, np.abs(batch.errors(0))
    known = plain & counts & (errors > 0.0) & (errors < 8.0)
    assert known.any()
    if form is not DOUBLE:
        found = most[known].view(np.float64)
        assert (
            found <= errors[known] * (1.0 + 2.0**-38)
        ).mean() > 0.99  # for a few, it is unknown on which side of a double they are
        exact = batch.exact[0]
        near = np.ldexp(np.abs(exact.hi), exact.exponent)[known] > form.smallest_subnormal / 16  # not far below numbers
        assert (found == errors[known])[near].mean() > 0.85
        assert (upper(errors[known]) - least[known] <= 1).mean() > 0.99


@pytest.mark.slow
@for_each("name, form, mode", CLOSER)
def test_results_of_a_target_that_flushes(name, form, mode):
    """Results beyond the limit are never accepted, flushed results are: see ``looked_at``."""
    _, plain, missed, _ = looked_at(name, mode, form, flushes=True)
    assert plain.any()
    assert missed.any() == (name != "lgamma")  # its error has no limit


def check(batch, plain, missed, said, form):
    """Check with the reference that plain results conform, are counted correctly and lie between the bounds.

    Results that miss the limit are counted and bounded in the same way, but fail.
    """
    counts, far, least, most, is_unspecified, *_ = said
    codes = numbers_of(batch)[0]
    free = judged(batch).unspecified[:, 0]
    counted = are_counted(batch, 0)
    errors = np.abs(batch.errors(0))
    apart = steps(batch.results[0], batch.due[0], form)
    assert (0.095 if batch.limit.is_equality else 0.15) < plain.mean() < 0.999  # one in ten is correct
    assert (codes[plain] == 0).all()
    assert missed.any() != batch.limit.gives_no_number
    told = plain | missed
    assert (is_unspecified[told] == free[told]).all()
    assert (counts[told] == counted[told]).all()
    looked = told & counted
    assert (least[looked] <= upper(errors[looked])).all()
    assert (errors[looked] <= most[looked].view(np.float64)).all()
    low, high = (error[plain & counted & (far > 0)].view(np.float64) for error in (least << 32, most))
    wide = high - low - 2.0**-18 * high  # more than the loss of the lower half of a double
    assert form is not DOUBLE or not wide.size or ((wide <= 2.0**-5).all() and np.mean(wide <= 2.0**-10) > 0.4)
    ends = [0, *(1 << k for k in range(len(BINS) - 3))]
    assert (far[looked] == np.searchsorted(ends, apart[looked])).all()


@for_each(
    "text, form, wanted",
    [
        ("absolute 2^-11", FLOAT, True),
        ("absolute 2^-11", DOUBLE, True),
        ("3 + floor(|2x|) ulp", FLOAT, True),
        ("derived exp(x) or 4 ulp", FLOAT, True),
        ("derived exp(x) or 4 ulp", HALF, False),  # values of a formula are in double
        ("derived exp(x) or absolute 2^-9", FLOAT, True),
        ("derived exp(x) or absolute max * max * 3 * EPSILON", FLOAT, False),
    ],
)
def test_limits_that_elementwise_functions_evaluate(text, form, wanted):
    need = requirement(item_named("pow", form.name), FULL)
    assert [is_elementwise(rule, need) for rule, _ in parse(text, "test")] == [wanted]


def integer(name, criteria, args, due, got, *, infinite=False):
    """Return whether the int of a call conforms, counts, is unspecified in the first edition, and surely fails."""
    elements = [np.array([float(a)]) for a in args]
    ints, terms = (
        [np.array([value], np.int64) for value in (due, got)],
        Question(item_named(name, "float"), criteria).terms,
    )
    found = measured_integer(*elements, np.array([infinite]), *ints, terms, 1)
    conforms, counts, is_unspecified, fails = (bool(np.broadcast_to(one, (1,))[0]) for one in found)
    return conforms, counts, is_unspecified, fails


def test_an_int_fails_only_where_one_is_required():
    """If infinities are waived, no int is required next to a number that overflows."""
    assert integer("lgamma_r", FULL, (3.5,), 1, 1) == (True, True, False, False)
    assert integer("lgamma_r", FULL, (3.5,), 1, 7) == (False, True, False, True)
    assert integer("lgamma_r", FULL, (3.5,), 1, 7, infinite=True) == (False, True, False, True)
    assert integer("lgamma_r", FINITE, (3.5,), 1, 7) == (False, True, False, True)
    assert integer("lgamma_r", FINITE, (3.5,), 1, 7, infinite=True) == (True, True, True, False)
    assert integer("lgamma_r", FINITE, (math.inf,), 1, 7) == (True, False, True, False)
