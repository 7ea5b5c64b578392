"""Faults in compiled built-ins of a device: its own judge finds the same as the host's judge."""

from __future__ import annotations

import re

import pytest

from clmath.audit.counting.tally import KEPT, KnownErrors
from clmath.audit.device_judge import device
from clmath.audit.device_judge import device as on_device
from clmath.audit.device_judge import question as questions
from clmath.audit.device_judge.question import question_of
from clmath.audit.inputs import exhaustive, random, row_inputs
from clmath.audit.inputs.exhaustive import swept_parts
from clmath.audit.judge.piece import criteria_of
from clmath.audit.plan.plan import NUMBERED, Plan
from clmath.audit.protocol.target import TargetError
from clmath.audit.running.run import audit
from clmath.engines.device.opencl import OpenCLMachine
from clmath.numbers.formats import DOUBLE, FLOAT
from tests.audit.device_judge.short_runs import part_of
from tests.audit.device_judge.wrong_built_ins import changed_at, wrong_targets
from tests.cases import for_each

# built-in, injected fault, number of failing inputs of the part (a function of the length of runs), reason
BROKEN = {
    "one input is 4 ulp off": ("log", "if (code == 0x45600017u) r = as_float(result + 4);", 1, "not within the limit"),
    "one input is not the nearest": ("log", "if (code == 0x45600017u) r = as_float(result ^ 1);", 0, ""),
    "a product is 4 ulp off": ("degrees", "if (code == 0x45600017u) r = as_float(result + 4);", 1, "in rounded steps"),
    "NaN for a number": ("exp2", "if (code == 0x3f000010u) r = NAN;", 1, "NaN where a number is due"),
    "a signaling NaN": ("log", "if (code == 0xc5600017u) r = as_float(0x7f800001u);", 1, "signaling"),
    "a number for NaN": ("log", "if (code == 0xc5600017u) r = 0.0f;", 1, "NaN for x < 0"),
    "a wrong zero": ("atan", "if (r == 0.0f) r = 0.0f;", 1, ""),
    "subnormals are flushed": (
        "atan",
        "if (fabs(r) < 0x1p-126f) r = copysign(0.0f, r);",
        lambda run: 16 * run - 12,
        "flushed",
    ),
    "the first are no numbers": ("fabs", "if (code < 0x100u) r = NAN;", lambda run: run, "NaN where a number is due"),
    "nothing is stored": ("exp2", "if (code == 0x3f000010u) r = as_float(0x5a5a5a5au);", 1, "not within the limit"),
}
# faults of single tests
CHANGES = {
    "nearly an ulp, and two": (
        "exp2",
        "if (x > -0x1p-30f && x < 0.0f) r = 0x1.fffffep-1f; if (code == 0x3f800010u) r = as_float(result + 2);",
    ),
    "an ulp": ("exp2", "if (x > -0x1p-60f && x < 0.0f) r = 0x1.fffffep-1f;"),
    "signs of zeros": ("tanpi", "if (r == 0.0f) r = -r; if (fabs(x) >= 0x1p24f) r = -copysign(0.0f, x);"),
    "many of the larger numbers": ("exp2", "if (x > 1.0f && x < 60.0f) r = as_float(result + 4);"),
    "nothing": ("exp2", ""),
}


@pytest.fixture(scope="module")
def broken(device):
    """Return the target with the fault of a case of the tables of float."""
    cases = BROKEN | MISSING | CHANGES
    return wrong_targets(device, {case: tuple(row[:2]) for case, row in cases.items()}, FLOAT)


@pytest.fixture
def verdicts(short_runs, verdicts):  # noqa: ARG001 - the parts that are judged
    """Return the verdicts of one judge on shortened parts of all floats."""
    return verdicts


pytestmark = pytest.mark.slow


@for_each("case", BROKEN)
def test_faults_give_the_same_report_as_on_the_host(case, broken, verdicts):
    name, _, failing, why = BROKEN[case]
    target = broken(case)
    (found,) = verdicts(target, "device", name)
    assert repr([found]) == repr(verdicts(target, "host", name))  # NaN equals NaN there
    assert found.tally.failed == (failing(exhaustive.RUN) if callable(failing) else failing)
    assert why in found.reason


def test_equal_allowed_errors_everywhere_are_not_sent_to_the_host(broken, verdicts):
    """Most inputs return the number just below 1 where 1 is due, an allowed error of nearly 1 ulp; one has more."""
    target = broken("nearly an ulp, and two")
    (found,) = verdicts(target, "device", "exp2", "1/2048")
    assert [found] == verdicts(target, "host", "exp2", "1/2048")
    assert found.tally.spread.share < 0.9
    plan = Plan.of(["exp2"], ["float"], inputs="exhaustive", part=part_of("1/2048"))
    (item,) = plan.items()
    question, tally = question_of(item, criteria_of(item, plan, target), plan), found.tally
    parts = swept_parts(plan)[1:]
    reported = target.judging(question, parts, KnownErrors.of(tally)._replace(at=None))
    assert reported.elements == questions.PART
    assert reported.listed < questions.PART // 50


def test_inputs_that_repeat_the_worst_error_are_not_listed(broken, verdicts, monkeypatch):
    """An eighth of all floats have the worst error: the report names the first, wherever the device finds it."""
    monkeypatch.setattr(device, "WORTH", 0)  # the accurate kernel distinguishes equal errors from smaller ones
    monkeypatch.setattr(device, "SEEN", 0)
    target = broken("an ulp")
    (found,) = verdicts(target, "device", "exp2", "1/1024")
    assert [found] == verdicts(target, "host", "exp2", "1/1024")
    known = KnownErrors.of(found.tally)
    ties, behind = (listed(target, "exp2", "1/1024", one) for one in (known._replace(at=None), known))
    assert ties > questions.PART // 10
    assert behind < questions.PART // 1000


SMALL = KnownErrors(0.6)


def listed(target, name, part, reported=SMALL, profile="full"):
    """Count the inputs that the device lists of the second chunk of a part; ``reported``: errors already known."""
    plan = Plan.of([name], ["float"], inputs="exhaustive", part=part_of(part), jobs=1, profile=profile)
    (item,) = plan.items()
    question = question_of(item, criteria_of(item, plan, target), plan)
    answer = target.judging(question, swept_parts(plan)[1:2], reported)
    assert answer.elements == questions.PART
    return answer.listed


# built-in, injected fault, profile: many inputs miss the limit, and some fail for another reason as well
MISSING = {
    "off by one part in a thousand": ("exp2", "r *= 1.001f;", "full"),
    "each as far as it likes": ("exp2", "if (isnormal(r)) r = as_float(result ^ (code >> 2 & 0xfffu));", "full"),
    "where equality is asked": ("fabs", "if (isnormal(r)) r = as_float(result ^ (code & 1u));", "full"),
    "in some of the cases NaN": ("log", "r = code % 64u ? as_float(result + 77) : NAN;", "full"),
    "of those without an absolute error": ("half_recip", "if (fabs(x) >= 0x1p10f) r += 0x1p-22f;", "relaxed"),
    "beyond an absolute error": ("sinpi", "if (code % 16u == 0u) r += 0x1p-9f;", "relaxed"),
    "where the limit grows": ("exp2", "if (code % 16u == 0u) r *= 1.0002f;", "relaxed"),
    "what no formula gives": ("asinpi", "if (code % 256u == 0u) r *= 1.01f;", "relaxed"),
    "zero": ("half_recip", "if (fabs(x) > 0x1p20f) r = code & 64u ? -0.0f : 0.0f;", "relaxed"),
    "flushed as well": ("half_recip", "r = fabs(x) < 0x1p-126f ? INFINITY : r * 1.01f;", "relaxed"),
}


@for_each("case", MISSING)
def test_results_beyond_the_limit_are_counted_on_the_device(case, broken, verdicts):
    """Apart from the first launch, which has the worst input and the examples of the report, none is listed."""
    name, _, profile = MISSING[case]
    target = broken(case)
    (found,) = verdicts(target, "device", name, profile=profile)
    assert repr([found]) == repr(verdicts(target, "host", name, profile=profile))
    by_limit = max(count for why, count in found.tally.reasons if "not within the limit" in why)
    assert by_limit > questions.PART * 0.0001
    answer = listed(target, name, "1/2048", KnownErrors.of(found.tally), profile)
    assert answer < found.tally.failed - by_limit + device.FIRST + questions.PART // 40


def test_zeros_of_the_wrong_sign_at_a_fifth_of_all_floats(broken, verdicts, monkeypatch):
    """The device lists them in lists that overflow: even integers, odd integers and infinities fail."""
    (wanted,) = verdicts(broken("signs of zeros"), "host", "tanpi")
    monkeypatch.setattr(on_device, "ROOM", 1 << 14)
    (found,) = verdicts(broken("signs of zeros"), "device", "tanpi")
    assert repr(found) == repr(wanted)
    assert found.tally.failed > questions.PART // 4
    assert len(found.tally.reasons) == 3


# the kernel that gets half of its work from the second launch on, and the remark that results
CUT = {
    "sweep": "has not made the inputs that it was asked about",
    "judge": r"judged \d+ of \d+ inputs",
    "runs": r"listed \d+ of \d+ inputs",
}


@for_each("entry", CUT)
def test_inputs_of_launches_that_end_early_are_judged_by_the_host(entry, broken, verdicts, monkeypatch):
    """The driver reports no error; inputs that were not judged do not count as conforming."""
    run, launched, reported = OpenCLMachine.run, [], []

    def cut(self, kernel, elements, *args):
        if kernel.kernel.function_name == entry:
            launched.append(elements)
            elements = elements // 2 if len(launched) > 1 else elements
        run(self, kernel, elements, *args)

    target = broken("many of the larger numbers")
    wanted = verdicts(target, "host", "exp2")
    monkeypatch.setattr(OpenCLMachine, "run", cut)
    assert repr(verdicts(target, "device", "exp2", on_remark=reported.append)) == repr(wanted)
    why = f"exp2 float: the device {CUT[entry]}"
    assert re.fullmatch(f"exp2 float: the host judges the rest of the case: {why}", reported[0])


# built-in, the fault at the input of that number (or everywhere), number of failures, reason. Inputs are numbered from
# 2^16 on: the first part has fixed inputs, which the host always judges.
DRAWN = {
    "one input is 3 ulp off": ("pow", "if (here) r = as_double(result - 3);", 73_360, 0, ""),
    "one input is 20 ulp off": ("pow", "if (here) r = as_double(result - 20);", 65_622, 1, "not within the limit"),
    "an infinity for a number": ("exp", "if (here) r = -INFINITY;", 65_539, 1, "infinity"),
    "a wrong zero": ("pow", "if (r == 0.0) r = -r;", 0, None, ""),
    "subnormals are flushed": ("pow", "if (fabs(r) < 0x1p-1022) r = 0.0;", 0, None, "flushed"),
    "a product is rounded": ("fma", "volatile double p = a * b; r = p + c;", 0, None, "correctly rounded"),
    "two places at once": ("nextafter", "if (here) r = as_double(result + 1);", 65_613, 1, "0 ulp"),
    "nothing is stored": ("pow", "if (here) r = as_double(0x5a5a5a5a5a5a5a5aul);", 65_545, 1, "not within the limit"),
    "each is off by a part in a million": ("pow", "r *= 1.000001;", 0, None, "not within the limit"),
    "half of them are off by 100 ulp": ("pow", "if (result & 1) r = as_double(result + 100);", 0, None, "16 ulp"),
    "where the nearest is not known": ("exp", "if (result & 1) r = as_double(result + 128);", 0, None, "3 ulp"),
}


@pytest.fixture(scope="module")
def broken_double(device):
    """Return the target with the fault of a case of ``DRAWN``."""
    return wrong_targets(device, {case: changed_at(DOUBLE, *row[:3]) for case, row in DRAWN.items()}, DOUBLE)


@pytest.mark.usefixtures("short_runs")
@for_each("case", DRAWN)
def test_faults_among_generated_inputs_give_the_same_report_as_on_the_host(case, broken_double):
    name, _, number, failing, why = DRAWN[case]
    target = broken_double(case)
    count = NUMBERED + 50_000
    part = f"{(1 << 16) // random.PIECE + 1}/{-(-count // random.PIECE)}"
    plan = Plan.of([name], ["double"], inputs=count, part=part, jobs=1, local_search=False)
    found, wanted = (list(audit(plan, target, judge=judge)) for judge in ("device", "host"))
    assert repr(found) == repr(wanted)
    tally, place = found[0].tally, row_inputs.place_of_first_numbered(found[0].item, plan.count) + number
    assert tally.failed == failing if failing is not None else tally.failed > random.PIECE * 0.0015
    assert why in found[0].reason
    if failing:
        assert tally.failures[0].index == place
    elif failing == 0:
        assert tally.worst.index == place


@pytest.mark.usefixtures("short_runs")
def test_findings_before_an_error_are_listed_again(broken_double, monkeypatch):
    """The host has not received them."""
    case = "each is off by a part in a million"
    name, target = DRAWN[case][0], broken_double(case)
    plan = Plan.of([name], ["double"], inputs=NUMBERED + 50_000, jobs=1)
    (item,) = plan.items()
    question, parts = question_of(item, criteria_of(item, plan, target), plan), random.parts(plan)[:1]
    target.judging(question, parts[:0])
    run, judged = OpenCLMachine.run, []

    def ends(self, kernel, elements, *args):
        judged.extend([elements] * (kernel.kernel.function_name == "judge"))
        if len(judged) > 2:
            raise TargetError("the device has gone")
        run(self, kernel, elements, *args)

    with monkeypatch.context() as patch:
        patch.setattr(OpenCLMachine, "run", ends)
        with pytest.raises(TargetError, match="gone"):
            target.judging(question, parts)
    again, wanted = target.judging(question, parts), broken_double(case).judging(question, parts)
    assert again.elements == wanted.elements
    assert wanted.listed > KEPT
    assert again.runs.firsts[:KEPT].tolist() == wanted.runs.firsts[:KEPT].tolist()
