"""Built-ins that are wrong on purpose, compiled for the device: its own judge finds what the host's judge finds."""

from __future__ import annotations

import re

import numpy as np
import pytest

from clmath.audit.counting.spread import BINS
from clmath.audit.counting.tally import KEPT
from clmath.audit.device_judge import device as on_device
from clmath.audit.device_judge import row_on_device, sweep
from clmath.audit.device_judge.question import question_of
from clmath.audit.inputs import floats, numbered, row_inputs
from clmath.audit.inputs.floats import swept_parts
from clmath.audit.judge.piece import law_of
from clmath.audit.plan.plan import NUMBERED, Plan
from clmath.audit.plan.rows import item_named
from clmath.audit.protocol.subject import SubjectError
from clmath.audit.running.run import audit
from clmath.engines.device.opencl import OpenCLMachine
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.spec.builtins import builtin
from tests.audit.device_judge.short_runs import part_of

WRONG = """
float wrong(float x) {{
    float y = {name}(x);
    uint code = as_uint(x), result = as_uint(y);
    {change}
    return y;
}}
"""
# built-in, what is changed, how many inputs of the part fail (of runs of so many), the reason
BROKEN = {
    "one input is 4 ulp off": ("log", "if (code == 0x45600017u) y = as_float(result + 4);", 1, "not within the limit"),
    "one input is not the nearest": ("log", "if (code == 0x45600017u) y = as_float(result ^ 1);", 0, ""),
    "each is as far off as another": ("half_exp", "if (isnormal(y)) y = as_float(result + (code & 0x7ff));", 0, ""),
    "a product is 4 ulp off": ("degrees", "if (code == 0x45600017u) y = as_float(result + 4);", 1, "in rounded steps"),
    "NaN for a number": ("exp", "if (code == 0x3f000010u) y = NAN;", 1, "NaN where a number is due"),
    "a signaling NaN": ("log", "if (code == 0xc5600017u) y = as_float(0x7f800001u);", 1, "signaling"),
    "an infinity for a number": ("exp", "if (code == 0x42b00003u) y = INFINITY;", 1, "infinity"),
    "a number for NaN": ("log", "if (code == 0xc5600017u) y = 0.0f;", 1, "NaN for x < 0"),
    "a wrong zero": ("atan", "if (x == 0.0f) y = 0.0f;", 1, ""),
    "subnormals are flushed": (
        "atan",
        "if (fabs(y) < 0x1p-126f) y = copysign(0.0f, y);",
        lambda run: 16 * run - 12,
        "flushed",
    ),
    "the first are no numbers": ("fabs", "if (code < 0x100u) y = NAN;", lambda run: run, "NaN where a number is due"),
    "nothing is stored": ("exp", "if (code == 0x3f000010u) y = as_float(0x5a5a5a5au);", 1, "not within the limit"),
}


@pytest.fixture(scope="module")
def wrong_programs(device):
    """Subjects on the device, each with one of the built-ins of a table: a program has the kernels of a whole table."""
    from clmath.audit.opencl import opencl_subject
    from clmath.engines.device.opencl import Built

    def made(cases, form, text):
        first = opencl_subject.OpenCL(device)
        parts = []
        for number, (case, (name, *_)) in enumerate(cases.items()):
            kernel = opencl_subject.kernel_source(builtin(name), form, entry=f"call_{number}")
            assert kernel.count(f" {name}(") == 1
            parts += [
                text(case).replace(" wrong(", f" wrong_{number}("),
                kernel.replace(f" {name}(", f" wrong_{number}("),
            ]
        program, context = first._program("".join(parts)), first._context

        def subject(case):
            one, entry = opencl_subject.OpenCL(device), f"call_{[*cases].index(case)}"
            assert one._context is context
            one._compiled = lambda *_: Built(first._cl.Kernel(program, entry), program)
            return one

        return subject

    return made


@pytest.fixture(scope="module")
def broken_float(wrong_programs):
    """The subject of a case of ``BROKEN`` or ``MISSING``."""
    cases = BROKEN | MISSING
    return wrong_programs(cases, FLOAT, lambda case: WRONG.format(name=cases[case][0], change=cases[case][1]))


@pytest.fixture
def verdicts(short_runs, verdicts):  # noqa: ARG001 - the parts that are judged
    """The verdicts of one judge on parts of few floats."""
    return verdicts


@pytest.fixture
def broken(device, monkeypatch):
    """A subject on the device whose built-in ``name`` is changed."""
    from clmath.audit.opencl import opencl_subject

    written = opencl_subject.kernel_source

    def made(name, change):
        def source(row, form, width):
            return WRONG.format(name=name, change=change) + f"#define {name} wrong\n" + written(row, form, width)

        monkeypatch.setattr(opencl_subject, "kernel_source", source)
        return opencl_subject.OpenCL(device)

    return made


pytestmark = pytest.mark.planted("case", "where", "entry")


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_wrong_is_found_with_the_same_report(case, broken_float, verdicts):
    name, _, failing, why = BROKEN[case]
    subject = broken_float(case)
    (found,) = verdicts(subject, "device", name)
    assert repr([found]) == repr(verdicts(subject, "host", name))  # NaN equals NaN there
    assert found.tally.failed == (failing(floats.RUN) if callable(failing) else failing)
    assert why in found.reason


def test_a_device_that_is_off_by_the_same_everywhere_does_not_drown_the_host(broken, verdicts):
    """Just below one where one is due: allowed, at most inputs, and nearly a whole ulp each time; more at one input."""
    change = "if (x > -0x1p-30f && x < 0.0f) y = 0x1.fffffep-1f; if (code == 0x3f800010u) y = as_float(result + 2);"
    subject = broken("exp2", change)
    (found,) = verdicts(subject, "device", "exp2", "1/2048")
    assert [found] == verdicts(subject, "host", "exp2", "1/2048")
    assert found.tally.spread.share < 0.9
    plan = Plan.of(["exp2"], ["float"], inputs="exhaustive", part=part_of("1/2048"))
    (item,) = plan.items()
    question, tally = question_of(item, law_of(item, plan, subject), plan), found.tally
    parts = swept_parts(plan)[1:]
    told = subject.judging(question, parts, abs(tally.worst.error), tally.spread.worst)
    assert told.lanes == sweep.PIECE
    assert told.listed.lanes < sweep.PIECE // 50


def test_what_is_as_far_off_as_an_earlier_input_is_not_listed(broken, verdicts, monkeypatch):
    """At an eighth of all floats: the report names the first of them, wherever a device comes to it."""
    monkeypatch.setattr(row_on_device, "WORTH", 0)  # equal errors are told from smaller ones by the finer kernel
    monkeypatch.setattr(row_on_device, "SEEN", 0)
    subject = broken("exp2", "if (x > -0x1p-60f && x < 0.0f) y = 0x1.fffffep-1f;")
    (found,) = verdicts(subject, "device", "exp2", "1/1024")
    assert [found] == verdicts(subject, "host", "exp2", "1/1024")
    worst, known = found.tally.worst, found.tally.spread.worst
    ties, behind = (listed(subject, "exp2", "1/1024", abs(worst.error), known, at).lanes for at in (None, worst.index))
    assert ties > sweep.PIECE // 10
    assert behind < sweep.PIECE // 1000


def listed(subject, name, part, *told, profile="full"):
    """What a device lists of the second piece of a part, as it is and once it is told what the first has."""
    plan = Plan.of([name], ["float"], inputs="exhaustive", part=part_of(part), jobs=1, profile=profile)
    (item,) = plan.items()
    question = question_of(item, law_of(item, plan, subject), plan)
    answer = subject.judging(question, swept_parts(plan)[1:2], *(told or (0.6,)))
    assert answer.lanes == sweep.PIECE
    return answer.listed


# built-in, what is changed, the profile: many of the inputs fail by the limit, and some in another way as well
MISSING = {
    "off by one part in a thousand": ("exp", "y *= 1.001f;", "full"),
    "each as far as it likes": ("exp", "if (isnormal(y)) y = as_float(result ^ (code >> 2 & 0xfffu));", "full"),
    "one in thousands": ("log", "if (code % 4099u == 0u) y = as_float(result + 9);", "full"),
    "where equality is asked": ("rint", "if (isnormal(y)) y = as_float(result ^ (code & 1u));", "full"),
    "in some of the cases NaN": ("log", "y = code % 64u ? as_float(result + 77) : NAN;", "full"),
    "of those without an absolute error": ("half_sin", "y = sin(x) + 0x1p-22f;", "relaxed"),
    "beyond an absolute error": ("sinpi", "if (code % 16u == 0u) y += 0x1p-9f;", "relaxed"),
    "where the limit grows": ("exp2", "if (code % 16u == 0u) y *= 1.0002f;", "relaxed"),
    "what no formula gives": ("tanh", "if (code % 256u == 0u) y *= 1.01f;", "relaxed"),
    "zero": ("half_sin", "y = fabs(x) < 0x1p-20f ? (code & 64u ? -0.0f : 0.0f) : sin(x);", "relaxed"),
    "zero for subnormals too": ("exp", "if (y < 0x1p-90f) y = 0.0f;", "full"),
    "flushed as well": ("half_recip", "y = fabs(x) < 0x1p-126f ? INFINITY : y * 1.01f;", "relaxed"),
}


@pytest.mark.parametrize("case", MISSING)
def test_what_misses_the_limit_everywhere_is_counted_where_it_lies(case, broken_float, verdicts):
    """But for those of the first launch, among which are the ones that reports show, and the worst."""
    name, _, profile = MISSING[case]
    subject = broken_float(case)
    (found,) = verdicts(subject, "device", name, profile=profile)
    assert repr([found]) == repr(verdicts(subject, "host", name, profile=profile))
    by_limit = max(count for why, count in found.tally.reasons if "not within the limit" in why)
    assert by_limit > sweep.PIECE * 0.0001
    told = abs(found.tally.worst.error), found.tally.spread.worst, found.tally.worst.index
    answer = listed(subject, name, "1/2048", *told, profile=profile)
    assert answer.lanes < found.tally.failed - by_limit + row_on_device.FIRST + sweep.PIECE // 40


OFTEN = "code % 64u < 3u"


@pytest.mark.parametrize(
    "where, first",
    [
        (
            f"(code >= 0x00900000u && {OFTEN}) || code == 0x00880000u",
            [0x00880000, 0x00900000, 0x00900001, 0x00900002],
        ),
        (
            f"code - 0x00900000u < 3u || code == 0x00980000u || (code >= 0x00a00000u && {OFTEN})",
            [0x00900000, 0x00900001, 0x00900002, 0x00980000],
        ),
    ],
    ids=["before all", "before the last"],
)
def test_what_misses_the_limit_before_the_first_that_are_known_is_listed(where, first, broken, verdicts):
    """Many of the first piece do, and a float before some of them that belongs to the second one."""
    subject = broken("exp", f"if ({where}) y *= 1.001f;")
    (found,) = verdicts(subject, "device", "exp", "1/2048")
    assert repr([found]) == repr(verdicts(subject, "host", "exp", "1/2048"))
    assert [one.index for one in found.tally.failures if "not within the limit" in one.reason] == first


def test_the_first_that_miss_the_limit_are_those_of_the_part_that_is_judged(broken, verdicts):
    """Not of another one that was judged before, where smaller numbers do."""
    subject = broken("exp", f"if (isnormal(x) && {OFTEN} && (x > 1.0f || !(code & 0x100u))) y *= 1.001f;")
    for part in ("1/4096", "2/4096"):
        assert repr(verdicts(subject, "device", "exp", part)) == repr(verdicts(subject, "host", "exp", part))


def test_what_is_nearly_as_far_off_as_the_worst_is_not_listed(broken, verdicts):
    """At floats by the thousand, by an ulp less 2^-29 where one of an ulp is known."""
    subject = broken("tanh", "if (x >= 16.0f && x < 0x1p24f) y = 0x1.fffffep-1f; if (x == 0.0f) y = 0x1p-149f;")
    (found,) = verdicts(subject, "device", "tanh")
    assert repr([found]) == repr(verdicts(subject, "host", "tanh"))
    assert found.tally.worst.error >= 1.0  # the device's own tanh may be farther off; host and device agree on it
    assert listed(subject, "tanh", "1/2048", 1.0, found.tally.spread.worst).lanes < sweep.PIECE // 500


def test_of_two_inputs_that_are_as_far_off_the_first_one_is_the_worst(broken, verdicts):
    """The device comes to the other one first, in a piece before. Of powers of two an ulp is the smaller one."""
    subject = broken("exp2", "if (x == 17.0f || x == 18.0f) y = as_float(result + 1);")
    (found,) = verdicts(subject, "device", "exp2", "1/2048")
    assert [found] == verdicts(subject, "host", "exp2", "1/2048")
    assert (found.tally.worst.error, found.tally.worst.index) == (2.0, int(np.float32(17.0).view(np.uint32)))


def test_zeros_below_all_numbers_are_counted_whatever_their_sign(broken, verdicts):
    """A quarter of all inputs; the specification asks for the sign of an exact zero alone."""
    subject = broken("exp2", "if (x < -200.0f && x > -INFINITY) y = -0.0f;")
    (found,) = verdicts(subject, "device", "exp2")
    assert [found] == verdicts(subject, "host", "exp2")
    assert found.tally.failed == 0
    assert listed(subject, "exp2", "1/2048").lanes < sweep.PIECE // 50


def test_zeros_of_the_wrong_sign_at_a_fifth_of_all_floats(broken, verdicts, monkeypatch):
    """They come to the host, in lists that are cut; of integers even and odd, and of infinities."""
    subject = broken("tanpi", "if (y == 0.0f) y = -y; if (fabs(x) >= 0x1p24f) y = -copysign(0.0f, x);")
    (wanted,) = verdicts(subject, "host", "tanpi")
    monkeypatch.setattr(on_device, "ROOM", 1 << 14)
    again = type(subject)(subject._device)
    (found,) = verdicts(again, "device", "tanpi")
    assert repr(found) == repr(wanted)
    assert found.tally.failed > sweep.PIECE // 4
    assert len(found.tally.reasons) == 3


# what is launched from the second time on with half of its work, and what is said of it
CUT = {
    "sweep": "has not made the inputs that it was asked about",
    "judge": r"judged \d+ of \d+ inputs",
    "runs": r"listed \d+ of \d+ inputs",
}


@pytest.mark.parametrize("entry", CUT)
def test_a_driver_that_ends_launches_early_and_says_nothing(entry, broken, verdicts, monkeypatch):
    """What is not judged does not conform: the host judges it."""
    run, launched, told = OpenCLMachine.run, [], []

    def cut(self, kernel, lanes, *args):
        if kernel.kernel.function_name == entry:
            launched.append(lanes)
            lanes = lanes // 2 if len(launched) > 1 else lanes
        run(self, kernel, lanes, *args)

    subject = broken("exp", "if (x > 1.0f && x < 60.0f) y = as_float(result + 4);")
    wanted = verdicts(subject, "host", "exp")
    monkeypatch.setattr(OpenCLMachine, "run", cut)
    assert repr(verdicts(subject, "device", "exp", on_remark=told.append)) == repr(wanted)
    assert re.fullmatch(f"exp float: the host judges the rest of the row: exp float: the device {CUT[entry]}", told[0])


def test_more_counts_than_inputs(broken, verdicts, monkeypatch):
    get, told = OpenCLMachine.get, []

    def doubled(self, buffer, array, first=0):
        get(self, buffer, array, first)
        if array.dtype == np.uint32 and len(array) == len(BINS) + 4:
            array += 1 << 16

    subject = broken("exp", "")
    wanted = verdicts(subject, "host", "exp")
    monkeypatch.setattr(OpenCLMachine, "get", doubled)
    assert verdicts(subject, "device", "exp", on_remark=told.append) == wanted
    assert re.search(r"the device counted \d+ of \d+ inputs", told[0])


def test_an_answer_has_no_more_failures_than_one_process_should_look_at(broken, monkeypatch):
    """However few runs they are: the next answer is for another process, and launches do not grow beyond that."""
    subject = broken("tanpi", "if (y == 0.0f) y = -y;")
    monkeypatch.setattr(on_device, "LISTED", 1 << 16)
    plan = Plan.of(["tanpi"], ["float"], inputs="exhaustive", part=part_of("1/512"), jobs=1)
    (item,) = plan.items()
    question, parts = question_of(item, law_of(item, plan, subject), plan), swept_parts(plan)
    for done in range(4):
        answer = subject.judging(question, parts[done:])
        assert answer.lanes == sweep.PIECE
        assert answer.listed.lanes > 20 * len(answer.listed.lengths)
    assert subject._judge._row.size < sweep.PIECE


WRONG_DOUBLE = """
double wrong({parameters}) {{
    double r = {name}({arguments});
    ulong result = as_ulong(r);
    {change}
    return r;
}}
"""
# built-in, what is changed at the input of that number (or everywhere), how many fail, the reason; the inputs are those
# from number 2^16 on; the first part has fixed ones, which the host would judge, whoever judges the others
DRAWN = {
    "one input is 1 ulp off": ("pow", "if (here) r = as_double(result - 1);", 73_354, 0, ""),
    "one input is 20 ulp off": ("pow", "if (here) r = as_double(result - 20);", 65_622, 1, "not within the limit"),
    "NaN for a number": ("hypot", "if (here) r = NAN;", 66_666, 1, "NaN where a number is due"),
    "an infinity for a number": ("exp", "if (here) r = -INFINITY;", 65_539, 1, "infinity"),
    "a wrong zero": ("cbrt", "if (x == 0.0) r = 0.0;", 0, None, ""),
    "subnormals are flushed": ("hypot", "if (fabs(r) < 0x1p-1022) r = 0.0;", 0, None, "flushed"),
    "a sum is 1 ulp off": ("fma", "if (here) r = as_double(result - 1);", 66_001, 1, "correctly rounded"),
    "a product is rounded": ("fma", "volatile double p = a * b; r = p + c;", 0, None, "correctly rounded"),
    "two places at once": ("nextafter", "if (here) r = as_double(result + 1);", 65_613, 1, "0 ulp"),
    "nothing is stored": ("pow", "if (here) r = as_double(0x5a5a5a5a5a5a5a5aul);", 65_545, 1, "not within the limit"),
    "each is off by a part in a million": ("hypot", "r *= 1.000001;", 0, None, "not within the limit"),
    "half of them are off by 100 ulp": ("pow", "if (result & 1) r = as_double(result + 100);", 0, None, "16 ulp"),
    "where the nearest is not known": ("exp", "if (result & 1) r = as_double(result + 128);", 0, None, "3 ulp"),
    "half of them are not the right ones": ("fma", "r = as_double(result & ~1ul);", 0, None, "correctly rounded"),
}


def wrong_double(name, change, number):
    """The text of the built-in ``name`` of double, changed at the input numbered ``number``."""
    item = item_named(name, "double")
    names = [p.name for p in item.builtin.inputs]
    given = [int(DOUBLE.bits(c)[0]) for c in numbered.drawn(item, 0, np.array([number]))]
    here = " && ".join(f"as_ulong({n}) == {code:#x}ul" for n, code in zip(names, given, strict=True))
    return WRONG_DOUBLE.format(
        name=name,
        parameters=", ".join(f"double {n}" for n in names),
        arguments=", ".join(names),
        change=f"const bool here = {here}; {change}",
    )


@pytest.fixture(scope="module")
def drawn_double(wrong_programs):
    """The subject of a case of ``DRAWN``."""
    return wrong_programs(DRAWN, DOUBLE, lambda case: wrong_double(*DRAWN[case][:3]))


@pytest.fixture
def broken_double(device, monkeypatch):
    """A subject on the device with such a built-in."""
    from clmath.audit.opencl import opencl_subject

    written = opencl_subject.kernel_source

    def made(name, change, number):
        text = wrong_double(name, change, number)

        def source(row, form, width):
            return text + f"#define {name} wrong\n" + written(row, form, width)

        monkeypatch.setattr(opencl_subject, "kernel_source", source)
        return opencl_subject.OpenCL(device)

    return made


@pytest.mark.usefixtures("short_runs")
@pytest.mark.parametrize("case", DRAWN)
def test_what_is_wrong_among_drawn_inputs_is_found_with_the_same_report(case, drawn_double):
    name, _, number, failing, why = DRAWN[case]
    subject = drawn_double(case)
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


def test_what_was_found_before_an_error_is_listed_once_more(broken_double, monkeypatch):
    """The host was not told of it."""
    subject = broken_double("hypot", "r *= 1.000001;", 0)
    plan = Plan.of(["hypot"], ["double"], inputs=NUMBERED + 50_000, jobs=1)
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
    again, wanted = subject.judging(question, parts), type(subject)(subject._device).judging(question, parts)
    assert again.lanes == wanted.lanes
    assert wanted.listed.lanes > KEPT
    assert again.listed.firsts[:KEPT].tolist() == wanted.listed.firsts[:KEPT].tolist()


def test_an_answer_tells_of_a_piece_however_late_it_is(subject, monkeypatch):
    """A process that was stopped may find that its time is up before its first launch."""
    monkeypatch.setattr(on_device, "ANSWER", -1.0)
    plan = Plan.of(["exp"], ["float"], inputs="exhaustive", part=part_of("1/2048"), jobs=1)
    (item,) = plan.items()
    assert subject.judging(question_of(item, law_of(item, plan, subject), plan), swept_parts(plan)).lanes == sweep.PIECE
