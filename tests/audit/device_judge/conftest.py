"""The OpenCL device in this process, as it is and with built-ins that are wrong on purpose."""

from __future__ import annotations

import pytest

from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit


@pytest.fixture(scope="session")
def device(opencl_device):
    """The ``pyopencl.Device`` that ``clmath audit`` takes when none is named."""
    from clmath.audit.opencl.devices import find

    return find(opencl_device.removeprefix("opencl:"))


@pytest.fixture(scope="session")
def is_pocl(device):
    """Whether the device is PoCL: others print nothing while they compile, and have native functions of less use."""
    return device.platform.name == "Portable Computing Language"


@pytest.fixture(scope="session")
def subject(device):
    """That device as a subject; what it has compiled serves all tests."""
    from clmath.audit.opencl.opencl_subject import OpenCL

    return OpenCL(device)


def refuse(remark):
    """The host may give the same verdicts."""
    raise AssertionError(remark)


@pytest.fixture(scope="session")
def verdicts():
    """The verdicts of one judge on parts of all floats; a device that is to judge does, unless remarks are expected."""

    def judged(subject, judge, names, part="1/4096", profile="full", **options):
        plan = Plan.of(names.split(","), ["float"], profile=profile, inputs="exhaustive", part=part, jobs=1)
        return list(audit(plan, subject, judge=judge, **{"on_remark": refuse} | options))

    return judged
