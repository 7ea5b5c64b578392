"""The device judges listed elements again by narrower enclosures: verdicts and reports stay the same."""

from __future__ import annotations

import numpy as np
import pytest

from clmath import phases
from clmath.audit.counting.tally import NONE_KNOWN, KnownErrors
from clmath.audit.device_judge import device as on_device
from clmath.audit.device_judge.question import question_of
from clmath.audit.inputs import random, row_inputs
from clmath.audit.judge.piece import criteria_of
from clmath.audit.plan.plan import NUMBERED, Plan
from clmath.audit.plan.rows import item_named
from clmath.audit.running.device_rows import tally_of
from clmath.audit.running.run import audit
from clmath.numbers.formats import format_named
from tests.audit.device_judge.wrong_built_ins import changed_at, wrong_targets
from tests.cases import for_each

pytestmark = pytest.mark.slow
COUNT = NUMBERED + 100_000
LATE = "5/6"  # the part with the inputs that are numbered from NUMBERED on
FAR = "if (y != 0.0f && fabs(x) > fabs(y) * 0x1p30f && isfinite(x)) r = nextafter(fabs(x), 0.0f);"


@pytest.fixture
def soon(monkeypatch):
    """Use narrower enclosures from the first launch on."""
    look_closer(monkeypatch)


def look_closer(monkeypatch):
    """Use narrower enclosures regardless of their cost."""
    monkeypatch.setattr(on_device, "WORTH", 0)
    monkeypatch.setattr(on_device, "SEEN", 0)


@pytest.fixture(scope="module")
def broken(device):
    """Return the target with a fault of ``FAULTS``, or, for float, with errors where one argument is far larger."""
    forms = {}
    for case, (name, form, change, _) in FAULTS.items():
        at = changed_at(format_named(form, "tests"), name, change, undecided(name, form))
        forms.setdefault(form, {})[case] = at
    forms["float"][FAR] = ("hypot", FAR)
    made = {form: wrong_targets(device, cases, format_named(form, "tests")) for form, cases in forms.items()}

    def target(case):
        return next(made[form](case) for form, cases in forms.items() if case in cases)

    return target


def verdicts(target, judge, name, form, **options):
    """Return the verdicts of one judge."""
    plan = Plan.of([name], [form], inputs=COUNT, jobs=1, local_search=False, **options)
    return list(audit(plan, target, judge=judge))


def listed(target, name, form):
    """Number of inputs listed after the first chunk, once the errors of that chunk are known."""
    plan = Plan.of([name], [form], inputs=COUNT, jobs=1)
    (item,) = plan.items()
    question, pieces = question_of(item, criteria_of(item, plan, target), plan), random.parts(plan)
    found = target.judging(question, pieces[:1])
    known = KnownErrors.of(tally_of(question, pieces[:1], found, NONE_KNOWN))
    return target.judging(question, pieces[1:], known).listed


@for_each("name, form", [("sincos", "float"), ("pow", "double"), ("lgamma_r", "float"), ("rsqrt", "double")])
@pytest.mark.usefixtures("soon")
def test_verdicts_equal_the_hosts(name, form, target):
    found, wanted = (verdicts(target, judge, name, form, part=LATE) for judge in ("device", "host"))
    assert repr(found) == repr(wanted)


def test_one_ulp_errors_where_one_argument_is_far_larger_are_not_listed(broken, monkeypatch):
    """The fast kernel can only say that the error may be three eighths of an ulp larger."""
    target = broken(FAR)
    before = listed(target, "hypot", "float")
    look_closer(monkeypatch)
    after = listed(broken(FAR), "hypot", "float")
    assert before > COUNT // 20
    assert after < COUNT // 1600
    found, wanted = (verdicts(target, judge, "hypot", "float", part=LATE) for judge in ("device", "host"))
    assert repr(found) == repr(wanted)


@pytest.mark.usefixtures("soon")
def test_lists_that_overflow_are_judged_in_parts(broken, target, monkeypatch):
    monkeypatch.setattr(on_device, "ROOM", 16)
    right = type(target)(target._device)
    for device, name, form in [(right, "exp", "double"), (broken(FAR), "hypot", "float")]:
        found, wanted = (verdicts(device, judge, name, form, part=LATE) for judge in ("device", "host"))
        assert repr(found) == repr(wanted)


# built-in, type, the fault at one input, whether that input fails
FAULTS = {
    "two ulp where others are off by one": ("hypot", "float", FAR + "if (here) r = as_float(as_uint(r) - 1);", False),
    "more than is allowed": ("hypot", "float", FAR + "if (here) r = as_float(as_uint(r) - 4);", True),
    "the neighbour": ("exp", "double", "if (here) r = as_double(as_ulong(r) ^ 1);", False),
    "four ulp beside a midpoint": ("exp", "double", "if (here) r = as_double(as_ulong(r) + 4);", True),
    "NaN": ("exp", "double", "if (here) r = NAN;", True),
}


def undecided(name, form):
    """Number of a late input whose result the kernel leaves undecided or bounds too loosely."""
    item = item_named(name, form)
    numbers = np.arange(NUMBERED, NUMBERED + random.PIECE)
    args = random.numbered(item, 0, numbers)
    (bounds,) = phases.enclose(name, args, item.form)
    hi, lo, err, _ = bounds.value
    if form == "double":
        return int(numbers[np.flatnonzero((hi + (lo - err) != hi + (lo + err)) & (err > 0.0))[0]])
    x, y = (a.astype(np.float64) for a in args)
    is_far = (np.abs(x) > np.abs(y) * 2.0**40) & (y != 0) & np.isfinite(x) & (np.abs(x) > 2.0**-100)
    return int(numbers[np.flatnonzero(is_far & (err == 0.0))[0]])


@for_each("case", FAULTS)
@pytest.mark.usefixtures("soon")
def test_faults_at_undecided_inputs_give_the_same_report(case, broken):
    name, form, _, fails = FAULTS[case]
    number, target = undecided(name, form), broken(case)
    (found,), wanted = (verdicts(target, judge, name, form, part=LATE) for judge in ("device", "host"))
    assert repr([found]) == repr(wanted)
    place = row_inputs.place_of_first_numbered(found.item, COUNT) + number
    assert (place in [example.index for example in found.tally.failures]) == fails
    assert fails or form == "double" or found.tally.worst.index == place
