"""Built-ins that are wrong on purpose, compiled for the device: its own judge finds what the host's judge finds."""

from __future__ import annotations

import re

import pytest

from clmath.audit.counting.tally import KEPT
from clmath.audit.device_judge import device as on_device
from clmath.audit.device_judge import question as questions
from clmath.audit.device_judge import row_on_device
from clmath.audit.device_judge.question import question_of
from clmath.audit.inputs import floats, numbered, row_inputs
from clmath.audit.inputs.floats import swept_parts
from clmath.audit.judge.piece import law_of
from clmath.audit.plan.plan import NUMBERED, Plan
from clmath.audit.protocol.subject import SubjectError
from clmath.audit.running.run import audit
from clmath.engines.device.opencl import OpenCLMachine
from clmath.numbers.formats import DOUBLE, FLOAT
from tests.audit.device_judge.short_runs import part_of
from tests.audit.device_judge.wrong_built_ins import changed_at, wrong_subjects
from tests.cases import for_each

# built-in, what is changed, how many inputs of the part fail (of runs of so many), the reason
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
# what single tests change
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
    """The subject of a case of any of the tables of float."""
    cases = BROKEN | MISSING | CHANGES
    return wrong_subjects(device, {case: tuple(row[:2]) for case, row in cases.items()}, FLOAT)


@pytest.fixture
def verdicts(short_runs, verdicts):  # noqa: ARG001 - the parts that are judged
    """The verdicts of one judge on parts of few floats."""
    return verdicts


pytestmark = pytest.mark.slow


@for_each("case", BROKEN)
def test_what_is_wrong_is_found_with_the_same_report(case, broken, verdicts):
    name, _, failing, why = BROKEN[case]
    subject = broken(case)
    (found,) = verdicts(subject, "device", name)
    assert repr([found]) == repr(verdicts(subject, "host", name))  # NaN equals NaN there
    assert found.tally.failed == (failing(floats.RUN) if callable(failing) else failing)
    assert why in found.reason


def test_a_device_that_is_off_by_the_same_everywhere_does_not_drown_the_host(broken, verdicts):
    """Just below one where one is due: allowed, at most inputs, and nearly a whole ulp each time; more at one input."""
    subject = broken("nearly an ulp, and two")
    (found,) = verdicts(subject, "device", "exp2", "1/2048")
    assert [found] == verdicts(subject, "host", "exp2", "1/2048")
    assert found.tally.spread.share < 0.9
    plan = Plan.of(["exp2"], ["float"], inputs="exhaustive", part=part_of("1/2048"))
    (item,) = plan.items()
    question, tally = question_of(item, law_of(item, plan, subject), plan), found.tally
    parts = swept_parts(plan)[1:]
    told = subject.judging(question, parts, abs(tally.worst.error), tally.spread.worst)
    assert told.lanes == questions.PIECE
    assert told.listed.lanes < questions.PIECE // 50


def test_what_is_as_far_off_as_an_earlier_input_is_not_listed(broken, verdicts, monkeypatch):
    """At an eighth of all floats: the report names the first of them, wherever a device comes to it."""
    monkeypatch.setattr(row_on_device, "WORTH", 0)  # equal errors are told from smaller ones by the finer kernel
    monkeypatch.setattr(row_on_device, "SEEN", 0)
    subject = broken("an ulp")
    (found,) = verdicts(subject, "device", "exp2", "1/1024")
    assert [found] == verdicts(subject, "host", "exp2", "1/1024")
    worst, known = found.tally.worst, found.tally.spread.worst
    ties, behind = (listed(subject, "exp2", "1/1024", abs(worst.error), known, at).lanes for at in (None, worst.index))
    assert ties > questions.PIECE // 10
    assert behind < questions.PIECE // 1000


def listed(subject, name, part, *told, profile="full"):
    """The list of a device for the second piece of a part, as it is or once it is told of the first."""
    plan = Plan.of([name], ["float"], inputs="exhaustive", part=part_of(part), jobs=1, profile=profile)
    (item,) = plan.items()
    question = question_of(item, law_of(item, plan, subject), plan)
    answer = subject.judging(question, swept_parts(plan)[1:2], *(told or (0.6,)))
    assert answer.lanes == questions.PIECE
    return answer.listed


# built-in, what is changed, the profile: many of the inputs fail by the limit, and some in another way as well
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
def test_what_misses_the_limit_everywhere_is_counted_where_it_lies(case, broken, verdicts):
    """But for those of the first launch, among which are the ones that reports show, and the worst."""
    name, _, profile = MISSING[case]
    subject = broken(case)
    (found,) = verdicts(subject, "device", name, profile=profile)
    assert repr([found]) == repr(verdicts(subject, "host", name, profile=profile))
    by_limit = max(count for why, count in found.tally.reasons if "not within the limit" in why)
    assert by_limit > questions.PIECE * 0.0001
    told = abs(found.tally.worst.error), found.tally.spread.worst, found.tally.worst.index
    answer = listed(subject, name, "1/2048", *told, profile=profile)
    assert answer.lanes < found.tally.failed - by_limit + row_on_device.FIRST + questions.PIECE // 40


def test_zeros_of_the_wrong_sign_at_a_fifth_of_all_floats(broken, verdicts, monkeypatch):
    """They come to the host, in lists that are cut; of integers even and odd, and of infinities."""
    (wanted,) = verdicts(broken("signs of zeros"), "host", "tanpi")
    monkeypatch.setattr(on_device, "ROOM", 1 << 14)
    (found,) = verdicts(broken("signs of zeros"), "device", "tanpi")
    assert repr(found) == repr(wanted)
    assert found.tally.failed > questions.PIECE // 4
    assert len(found.tally.reasons) == 3


# what is launched from the second time on with half of its work, and what is said of it
CUT = {
    "sweep": "has not made the inputs that it was asked about",
    "judge": r"judged \d+ of \d+ inputs",
    "runs": r"listed \d+ of \d+ inputs",
}


@for_each("entry", CUT)
def test_a_driver_that_ends_launches_early_and_says_nothing(entry, broken, verdicts, monkeypatch):
    """Inputs that are not judged do not conform: the host judges them."""
    run, launched, told = OpenCLMachine.run, [], []

    def cut(self, kernel, lanes, *args):
        if kernel.kernel.function_name == entry:
            launched.append(lanes)
            lanes = lanes // 2 if len(launched) > 1 else lanes
        run(self, kernel, lanes, *args)

    subject = broken("many of the larger numbers")
    wanted = verdicts(subject, "host", "exp2")
    monkeypatch.setattr(OpenCLMachine, "run", cut)
    assert repr(verdicts(subject, "device", "exp2", on_remark=told.append)) == repr(wanted)
    why = f"exp2 float: the device {CUT[entry]}"
    assert re.fullmatch(f"exp2 float: the host judges the rest of the row: {why}", told[0])


# built-in, what is changed at the input of that number (or everywhere), how many fail, the reason; the inputs are those
# from number 2^16 on; the first part has fixed ones, which the host would judge, whoever judges the others
DRAWN = {
    "one input is 3 ulp off": ("pow", "if (here) r = as_double(result - 3);", 73_354, 0, ""),
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
    """The subject of a case of ``DRAWN``."""
    return wrong_subjects(device, {case: changed_at(DOUBLE, *row[:3]) for case, row in DRAWN.items()}, DOUBLE)


@pytest.mark.usefixtures("short_runs")
@for_each("case", DRAWN)
def test_what_is_wrong_among_drawn_inputs_is_found_with_the_same_report(case, broken_double):
    name, _, number, failing, why = DRAWN[case]
    subject = broken_double(case)
    count = NUMBERED + 50_000
    part = f"{(1 << 16) // numbered.PIECE + 1}/{-(-count // numbered.PIECE)}"
    plan = Plan.of([name], ["double"], inputs=count, part=part, jobs=1, second_look=False)
    found, wanted = (list(audit(plan, subject, judge=judge)) for judge in ("device", "host"))
    assert repr(found) == repr(wanted)
    tally, place = found[0].tally, row_inputs.place_of_first_numbered(found[0].item, plan.count) + number
    assert tally.failed == failing if failing is not None else tally.failed > numbered.PIECE * 0.0015
    assert why in found[0].reason
    if failing:
        assert tally.failures[0].index == place
    elif failing == 0:
        assert tally.worst.index == place


@pytest.mark.usefixtures("short_runs")
def test_what_was_found_before_an_error_is_listed_once_more(broken_double, monkeypatch):
    """The host was not told of it."""
    case = "each is off by a part in a million"
    name, subject = DRAWN[case][0], broken_double(case)
    plan = Plan.of([name], ["double"], inputs=NUMBERED + 50_000, jobs=1)
    (item,) = plan.items()
    question, parts = question_of(item, law_of(item, plan, subject), plan), numbered.parts(plan)[:1]
    subject.judging(question, parts[:0])
    run, judged = OpenCLMachine.run, []

    def ends(self, kernel, lanes, *args):
        judged.extend([lanes] * (kernel.kernel.function_name == "judge"))
        if len(judged) > 2:
            raise SubjectError("the device has gone")
        run(self, kernel, lanes, *args)

    with monkeypatch.context() as patch:
        patch.setattr(OpenCLMachine, "run", ends)
        with pytest.raises(SubjectError, match="gone"):
            subject.judging(question, parts)
    again, wanted = subject.judging(question, parts), broken_double(case).judging(question, parts)
    assert again.lanes == wanted.lanes
    assert wanted.listed.lanes > KEPT
    assert again.listed.firsts[:KEPT].tolist() == wanted.listed.firsts[:KEPT].tolist()
