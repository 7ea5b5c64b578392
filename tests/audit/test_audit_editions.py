"""Results just inside and just outside of a limit, in each edition of the specification."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from clmath import reference
from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.acceptance.findings import conclude
from clmath.audit.counting.tally import Otherwise
from clmath.audit.inputs.layout import arguments, dtypes
from clmath.audit.inputs.structured import structured
from clmath.audit.judge.piece import judge
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import Enclosure, round_enclosure, ulps
from clmath.spec.builtins import builtin
from tests.audit.single_calls import column, item_of_call, outcome
from tests.cases import for_each

CPP, C = "opencl-c++-1.0", "opencl-c-3.1.1"
INF = np.inf


def criteria(edition, profile="full", **options):
    return Criteria(profile, "rte", options.pop("flushes", False), edition=edition, **options)


class Trial:
    """One call, vectors as lists, and its exact results."""

    def __init__(self, name, form, args):
        self.call, self.form, item = (name, form, args), form, item_of_call(name, form, args)
        flat = [n for a in args for n in (a if isinstance(a, list) else [a])]
        self.exact = reference.enclose(name, tuple(column(n, t) for n, t in zip(flat, dtypes(item), strict=True)), form)

    def around(self, bound):
        """Return the largest number that is at most ``bound`` ulp too large, and the next one."""
        first = self.exact[0]
        value = (Fraction(first.hi[0]) + Fraction(first.lo[0])) * Fraction(2) ** int(first.exponent[0])
        most = value + Fraction(bound) * Fraction(ulps(first, self.form)[0])
        number = self.form.dtype.type(float(most))
        while Fraction(float(number)) <= most:
            number = np.nextafter(number, self.form.dtype.type(INF))
        while Fraction(float(number)) > most:
            number = np.nextafter(number, self.form.dtype.type(-INF))
        return number, np.nextafter(number, self.form.dtype.type(INF))

    def outcome(self, result, criteria):
        """Return the outcome of ``result``; the other components of a vector are correct."""
        others = [round_enclosure(e, self.form, "rte")[0][0] for e in self.exact[1:]]
        return outcome(*self.call, [result, *others] if others else result, criteria)

    def failed(self, result, criteria):
        return self.outcome(result, criteria) == "wrong"

    def is_unspecified(self, result, criteria):
        return self.outcome(result, criteria) == "unspecified"


V2, V3, V4 = [0.9, 0.7], [0.9, 0.7, 1.1], [0.9, 0.7, 1.1, -0.3]
W2, W3, W4 = [-0.4, 0.3], [-0.4, 0.3, 0.5], [-0.4, 0.3, 0.5, 0.6]
# the limit of OpenCL C 3.1.1 in ulp; whether the result just inside of it fails by OpenCL C++ 1.0
LIMITS = [
    ("div", HALF, (1.0, 3.0), 1, True),
    ("recip", HALF, (3.0,), 1, True),
    ("sqrt", HALF, (2.0,), 1.5, True),
    ("tan", HALF, (0.7,), 2.5, True),
    ("tan", HALF, (1.2,), 2.5, True),
    ("degrees", FLOAT, (0.3,), 2, False),
    ("radians", FLOAT, (0.3,), 2, False),
    ("degrees", DOUBLE, (0.3,), 2, True),
    ("radians", DOUBLE, (0.3,), 2, False),
    ("length", FLOAT, (V2,), 2.75 + 0.5 * 2, False),
    ("length", FLOAT, (V3,), 2.75 + 0.5 * 3, False),
    ("length", FLOAT, (V4,), 2.75 + 0.5 * 4, False),
    ("length", DOUBLE, (V4,), 5.5 + 4, False),
    ("distance", FLOAT, (V2, W2), 2.5 + 2 * 2, False),
    ("distance", FLOAT, (V4, W4), 2.5 + 2 * 4, False),
    ("distance", DOUBLE, (V3, W3), 5.5 + 2 * 3, False),
    ("normalize", FLOAT, (V2,), 2 + 2, False),
    ("normalize", FLOAT, (V4,), 2 + 4, False),
    ("normalize", DOUBLE, (V3,), 4.5 + 3, False),
    ("fast_length", FLOAT, (V3,), 8191.5 + 3, False),
    ("fast_distance", FLOAT, (V2, W2), 8191.5 + 2 * 2, False),
    ("fast_normalize", FLOAT, (V4,), 8192 + 4, True),
]


@for_each(("name", "form", "args", "bound", "stricter"), LIMITS)
def test_limit_separates_neighbouring_results(name, form, args, bound, stricter):
    trial = Trial(name, form, args)
    inside, outside = trial.around(bound)
    assert not trial.failed(inside, criteria(C))
    assert trial.failed(outside, criteria(C))
    assert trial.failed(inside, criteria(CPP)) == stricter


@pytest.mark.parametrize("form", [FLOAT, DOUBLE], ids=str)
@pytest.mark.parametrize(("name", "args", "factor"), [("dot", (V3, W3), 2 * 3 - 1), ("cross", (V3, W3), 3)])
def test_absolute_errors_of_products(name, args, factor, form):
    """The limit is max * max * (2n - 1) * EPSILON with the format's own epsilon; 1.0 requires rounded products."""
    trial = Trial(name, form, args)
    largest = float(form.dtype.type(1.1))
    bound = Fraction(largest) ** 2 * factor * Fraction(form.eps) / Fraction(ulps(trial.exact[0], form)[0])
    inside, outside = trial.around(bound)
    assert not trial.failed(inside, criteria(C))
    assert trial.failed(outside, criteria(C))
    assert trial.failed(inside, criteria(CPP))


@pytest.mark.parametrize(
    ("name", "args", "tolerance"), [("mix", (2.0, 3.0, 0.3), "0.001"), ("smoothstep", (1.0, 2.0, 1.7), "0.00001")]
)
def test_absolute_errors_of_blends(name, args, tolerance):
    trial = Trial(name, FLOAT, args)
    inside, outside = trial.around(Fraction(tolerance) / Fraction(ulps(trial.exact[0], FLOAT)[0]))
    assert not trial.failed(inside, criteria(C))
    assert trial.failed(outside, criteria(C))
    assert trial.failed(inside, criteria(CPP))
    for edition, form in ((C, DOUBLE), (CPP, HALF), (C, HALF)):
        assert Trial(name, form, args).is_unspecified(0.1, criteria(edition))
    assert Trial(name, FLOAT, args).is_unspecified(0.1, criteria(C, "embedded"))
    assert Trial(name, FLOAT, args).failed(0.1, criteria(CPP, "embedded"))


def test_mix_of_large_numbers_by_its_formula_passes():
    x, y, a = np.float32([1e30, -3e29, 0.3])
    steps = x + np.float32(np.float32(y - x) * a)
    trial = Trial("mix", FLOAT, (x, y, a))
    assert abs(float(steps) - float(trial.exact[0].hi[0])) > 1e-3
    assert not trial.failed(steps, criteria(C))
    assert trial.failed(np.nextafter(np.nextafter(steps, INF), INF), criteria(C))


def test_mad_of_double_is_unspecified():
    trial = Trial("mad", DOUBLE, (3.0, 5.0, 7.0))
    assert trial.is_unspecified(1e300, criteria(C))
    assert trial.failed(1e300, criteria(CPP))
    assert Trial("mad", FLOAT, (3.0, 5.0, 7.0)).failed(21.0, criteria(C))


def test_infinity_counts_as_the_number_after_the_largest():
    """Overflow within the ulp limit is permitted, except for correctly rounded functions."""
    largest, before = 65504.0, 65472.0
    assert not Trial("div", HALF, (largest, 1.0)).failed(INF, criteria(C))
    assert Trial("div", HALF, (before, 1.0)).failed(INF, criteria(C))
    assert Trial("div", HALF, (largest, 1.0)).failed(INF, criteria(CPP))
    assert Trial("mul", HALF, (largest, 1.0)).failed(INF, criteria(C))
    for places, beyond in ((2, False), (3, True)):  # the limit of length is 3.25 ulp
        x = float(np.float32(FLOAT.largest) - np.float32(places * 2.0**104))
        assert Trial("length", FLOAT, ([x],)).failed(INF, criteria(C)) == beyond


@pytest.mark.parametrize("name", ["exp", "exp2"])
def test_limits_of_relaxed_exponentials_grow_in_the_embedded_profile(name):
    trial = Trial(name, FLOAT, (3.1,))
    for edition, profile, bound in ((C, "full", 9), (C, "embedded", 10), (CPP, "full", 9), (CPP, "embedded", 4)):
        inside, outside = trial.around(bound)
        relaxed = criteria(edition, "relaxed" if profile == "full" else "relaxed embedded")
        assert not trial.failed(inside, relaxed)
        assert trial.failed(outside, relaxed)


@pytest.mark.parametrize(("name", "args"), [("acosh", (1e3,)), ("asinh", (1e3,)), ("atan2", (1.0, 2.0))])
def test_relaxed_alternatives_to_a_formula(name, args):
    trial = Trial(name, FLOAT, args)
    inside, outside = trial.around(8192)
    assert not trial.failed(inside, criteria(C, "relaxed"))
    assert trial.failed(outside, criteria(C, "relaxed"))
    assert trial.failed(inside, criteria(CPP, "relaxed"))


def test_formula_may_use_the_alternative_of_an_inner_function():
    """8192 ulp of an angle of 1 are 10430 ulp of its quotient by π, which is below 1/2."""
    trial = Trial("atan2pi", FLOAT, (1.5574077, 1.0))
    inside, outside = trial.around(10400)[0], trial.around(10500)[0]
    assert not trial.failed(inside, criteria(C, "relaxed"))
    assert trial.failed(outside, criteria(C, "relaxed"))
    assert trial.failed(inside, criteria(CPP, "relaxed"))


def test_relaxed_quotient_has_a_domain():
    """In the embedded profile only 3.1.1 restricts the domain."""
    trial = Trial("div", FLOAT, (2.0**100, 3.0))
    assert trial.is_unspecified(1.0, criteria(C, "relaxed embedded"))
    assert trial.failed(1.0, criteria(CPP, "relaxed embedded"))
    assert trial.is_unspecified(1.0, criteria(CPP, "relaxed"))


def test_relaxed_waivers_are_equal_in_both_editions():
    """The relaxed table defines its waivers, by whichever name an edition calls its option."""
    trial = Trial("exp", FLOAT, (INF,))
    wrong = Trial("fabs", FLOAT, (-INF,))
    for edition in (C, CPP):
        assert trial.is_unspecified(0.0, criteria(edition, "relaxed"))
        assert wrong.failed(0.0, criteria(edition, "relaxed"))
        assert trial.failed(0.0, criteria(edition))


DIFFERING = ["div", "sqrt", "tan", "mad", "degrees", "radians", "mix", "smoothstep", "dot", "cross"]
DIFFERING += ["length", "distance", "normalize", "exp", "atan2", "acosh", "fast_length"]


@for_each("number, item", list(enumerate(Plan.of(DIFFERING).items()))[::2])
def test_correct_results_pass_in_both_editions(number, item, sample, evaluate):
    profile = ["full", "relaxed embedded"][number // 2 % 2]
    values = tuple(column[::2] for column in sample(item, 48))
    results = evaluate(item.builtin, item.form, arguments(item, values), "rte")
    verdict = conclude(item, criteria(C, profile), judge(item, values, results, criteria(C, profile)))
    assert verdict.tally.failed == 0
    assert all(other.status != "fail" for other in verdict.others)


@pytest.mark.slow
@for_each("profile, flushes", [("full", False), ("relaxed embedded", True)])
@for_each("name", [*DIFFERING[::2], "sin"])
def test_counts_for_the_other_edition_equal_an_audit_by_it(name, profile, flushes):
    """Every third result of the target is wrong by a few numbers."""
    row = builtin(name)
    for form in row.formats:
        item = Item(row, form, 3 if row.widths else 0)
        values = tuple(c[:: max(len(c) // 60, 1)] for c in structured(item))
        exact = reference.enclose(name, values, form)
        elements = [round_enclosure(e, form, "rte")[0] if isinstance(e, Enclosure) else e for e in exact]
        off = np.resize([0, 0, 1, 0, 0, 2, 0, 0, 30], len(elements[0])).astype(form.bits_dtype)
        with np.errstate(invalid="ignore"):
            elements = [
                form.from_bits(form.bits(r) + np.where(np.isfinite(r), off, 0).astype(off.dtype)) for r in elements
            ]
        given = (np.stack(elements, axis=-1),) if item.width and row.outputs[0].type == "gentype" else tuple(elements)
        all_criteria = [criteria(edition, profile, flushes=flushes) for edition in (CPP, C)]
        found = [judge(item, values, given, one) for one in all_criteria]
        for here, there, other in ((*found, C), (*found[::-1], CPP)):
            same = not all_criteria[0].others(item)
            assert here.others == (() if same else (Otherwise(other, there.unjudged, there.failed),))
        assert not same or (found[0].failed, found[0].unjudged) == (found[1].failed, found[1].unjudged)
