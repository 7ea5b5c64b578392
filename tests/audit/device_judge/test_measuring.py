"""Measurements of a device about results, run on arrays: the reference confirms each claim."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clmath import phases
from clmath.audit.acceptance.batch import Batch, Call
from clmath.audit.acceptance.criteria import Criteria, requirement
from clmath.audit.acceptance.findings import judged
from clmath.audit.acceptance.values import in_one_double
from clmath.audit.device_judge.measuring import measured_integer
from clmath.audit.device_judge.question import Question, finer
from clmath.audit.judge.regimes import is_elementwise
from clmath.audit.plan.rows import item_named
from clmath.engines import choice
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES, Enclosure
from clmath.spec.limits import parse
from tests.audit.checks import check_device, check_row, spoiled
from tests.audit.rule_cases import FULL, device_says, without
from tests.cases import for_each

FINITE = without(FULL, options=("-cl-finite-math-only",))
SIGNALING = {form: form.from_bits(form.bits(np.inf) + form.bits_dtype.type(1)) for form in (HALF, FLOAT, DOUBLE)}
CLOSER = [("hypot", FLOAT, "rte"), ("pow", FLOAT, "rtz"), ("lgamma", FLOAT, "rtn"), ("exp", HALF, "rtp")]
CLOSER += [("exp", DOUBLE, "rte"), ("tgamma", DOUBLE, "rtz"), ("atan2", DOUBLE, "rtp")]


@pytest.fixture(autouse=True)
def quiet():
    """Ignore warnings: these tests ask for NaN and overflow."""
    with np.errstate(all="ignore"):
        yield


def enclosed_closely(item, criteria, args):
    """Return enclosures by the accurate kernel of the device."""
    found, wide = finer(item), [a.astype(np.float64) for a in args]
    parts = choice.PLAIN.enclosure(found.kernel, wide)
    if item.form.is_narrow:
        value, err = in_one_double(*parts)
        return phases.Bounds(Enclosure.of(value, err=err), item.form, 0.0)
    (narrow,) = found.narrowing
    return phases.Bounds(Enclosure(*narrow(*wide, *parts)), item.form, Question(item, criteria).terms.off)


def closely(name, form, criteria):
    """Return calls with right and wrong results, then all with infinities, and a device's answers by close enclosures.

    Signaling NaNs are among the arguments.
    """
    item, _, values, (results,) = spoiled(name, form, criteria, 700)
    values = tuple(np.tile(v, 2) for v in values)
    results = (np.concatenate([results, np.full_like(results, np.inf)]),)
    values[0][::50] = SIGNALING[form]
    batch, call = Batch.of(item, values, results, criteria), Call.on(item, values, results, criteria)
    return batch, device_says(call, enclosed_closely(item, criteria, call.args))


@pytest.mark.slow
@for_each("mode", MODES)
@for_each("name, form", [("degrees", FLOAT), ("radians", DOUBLE)])
def test_products_with_a_constant_that_is_rounded(name, form, mode):
    """A result between two rounded products conforms."""
    check_row(*spoiled(name, form, without(FULL, mode=mode), 700), (math.inf,) * 3)


@pytest.mark.slow
@for_each("flushes", [False, True])
@for_each("name, form, mode", CLOSER)
def test_closer_enclosures_give_the_same_answers(name, form, mode, flushes):
    """In half and float, errors are known to the precision of reports."""
    batch, said = closely(name, form, Criteria("full", mode, flushes=flushes))
    check_device(batch, judged(batch), said)
    sure, plain, (counts, _, least, most, *_, flushed, _, missed) = said
    assert missed.any() == (name != "lgamma")  # its error has no limit
    errors = np.abs(batch.errors(0))
    known = plain & sure & ~flushed & counts & (errors > 0.0) & (errors < 8.0)
    assert known.any()
    if form is not DOUBLE:
        found, upper = most[known].view(np.float64), errors[known].view(np.int64) >> 32
        # for a few, it is unknown on which side of a double they are
        assert (found <= errors[known] * (1.0 + 2.0**-38)).mean() > 0.99
        exact = batch.exact[0]
        near = np.ldexp(np.abs(exact.hi), exact.exponent)[known] > form.smallest_subnormal / 16  # not far below numbers
        assert (found == errors[known])[near].mean() > 0.85
        assert (upper - least[known] <= 1).mean() > 0.99


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
