"""Built-ins that need no kernel on the host, of up to three arguments: judged on the device as by the host."""

import pytest

from clmath.audit.plan import NUMBERED, Plan
from clmath.audit.run import audit
from tests.audit.device_judge.test_device_judge import Counted

COUNT = NUMBERED + 5000


def judged(names, form, subject, judge, **options):
    plan = Plan.of(names.split(","), [form], **{"inputs": COUNT, "jobs": 1, "closer": False} | options)
    return list(audit(plan, subject, judge=judge))


@pytest.mark.parametrize(
    "names, form",
    [("fma,ldexp,clamp,fract", "float"), ("add,mul,div,fdim,fmax,copysign", "float"),
     ("fma,sqrt,nextafter,modf", "double"), ("sub,div,recip,minmag,step", "double")],
)  # fmt: skip
def test_the_verdicts_are_those_of_the_host(names, form, subject):
    counted = Counted(subject)
    found = judged(names, form, counted, "device")
    assert repr(found) == repr(judged(names, form, subject, "host"))
    assert len(counted.answers) == 5 * len(found)
    later = [answer for number, answer in enumerate(counted.answers) if number % 5]
    assert all(len(answer.listed) < answer.lanes // 50 for answer in later)  # at first all exact results are the worst
