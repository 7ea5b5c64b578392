"""Built-ins that need no kernel on the host, of up to three arguments: judged on the device as by the host."""

import pytest

from clmath.audit.opencl.opencl_subject import OpenCL
from clmath.audit.plan.plan import NUMBERED, Plan
from clmath.audit.running.run import audit
from clmath.cli import main
from tests.audit.device_judge.test_device_judge import Counted

COUNT = NUMBERED + 5000


def judged(names, form, subject, judge, **options):
    plan = Plan.of(names.split(","), [form], **{"inputs": COUNT, "jobs": 1, "second_look": False} | options)
    return list(audit(plan, subject, judge=judge))


@pytest.mark.parametrize(
    "names, form",
    [("fma,mad,clamp,fract", "float"), ("add,mul,div,fdim,fmax,copysign", "float"),
     ("fma,sqrt,fmod,remquo", "double"), ("remquo,frexp", "float"), ("sub,remainder,mad,step", "double")],
)  # fmt: skip
def test_the_verdicts_are_those_of_the_host(names, form, subject):
    counted = Counted(subject)
    found = judged(names, form, counted, "device")
    assert repr(found) == repr(judged(names, form, subject, "host"))
    assert len(counted.answers) == 5 * len(found)
    assert all(answer.listed.lanes < answer.lanes // 50 for answer in counted.answers)


def test_signs_that_are_stored_beside_results(subject):
    """Those of lgamma_r, of which PoCL's are wrong at integers."""
    found = judged("lgamma_r", "double", subject, "device")
    assert repr(found) == repr(judged("lgamma_r", "double", subject, "host"))
    assert "0 for integer x < 0" in found[0].reason


def test_what_no_number_is_due_for_is_open_with_all_its_results(device):
    """Where infinities and NaN are waived: lgamma_r at poles, remquo by zero."""
    found = judged("lgamma_r,remquo", "float", OpenCL(device, "-cl-finite-math-only"), "device")
    assert repr(found) == repr(judged("lgamma_r,remquo", "float", OpenCL(device, "-cl-finite-math-only"), "host"))
    assert all(verdict.tally.unjudged > COUNT // 100 for verdict in found)
    assert not any("integer x < 0" in reason for reason, _ in found[0].tally.reasons)


def test_all_floats(subject, verdicts):
    names = "rint,recip,frexp,fract,ilogb,radians"
    counted = Counted(subject)
    found = verdicts(counted, "device", names)
    assert found == verdicts(subject, "host", names)
    assert len(counted.answers) == 6


def test_reports_are_the_same_byte_for_byte(opencl_device, tmp_path):
    """With the device in a process of its own."""
    found = []
    for judge in ("host", "device"):
        file = tmp_path / f"{judge}.json"
        words = ["audit", opencl_device, "--functions", "fma,frexp", "--types", "double", "--inputs", str(COUNT)]
        main([*words, "--jobs", "1", "--judge", judge, "--json", str(file)])
        found.append(file.read_bytes())
    assert found[0] == found[1]
