"""The OpenCL device in this process, as it is and with built-ins that are wrong on purpose."""

from __future__ import annotations

import functools
import importlib.util

import pytest

from clmath.audit.device_judge import device as on_device
from clmath.audit.device_judge import source
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.engines.device.opencl import OpenCLMachine
from tests.audit.device_judge.short_runs import part_of, shorten


@pytest.fixture(scope="session")
def once():
    """Judges are written and compiled, and devices calibrated, once: most tests change one built-in."""
    built, build = {}, OpenCLMachine.build
    calibrate, right = on_device.calibrate, set()

    def compiled(machine, source):
        key = machine._context, machine._preamble, tuple(machine._options), source.text, source.entry
        if key not in built:
            built[key] = build(machine, source)
        return built[key]

    def calibrated(machine):
        key = machine._context, machine._preamble, tuple(machine._options)
        if key not in right:
            calibrate(machine)
            right.add(key)

    return compiled, calibrated, functools.cache(source.judging)


@pytest.fixture(scope="module", autouse=True)
def _compiled_once(request):
    if importlib.util.find_spec("pyopencl") is None:
        yield
        return
    build, calibrate, judging = request.getfixturevalue("once")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OpenCLMachine, "build", build)
        patch.setattr(on_device, "calibrate", calibrate)
        patch.setattr(source, "judging", judging)
        yield


@pytest.fixture
def short_runs(monkeypatch):
    """An eighth of the floats of each part: what is wrong shows there, too."""
    shorten(monkeypatch)


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
        plan = Plan.of(names.split(","), ["float"], profile=profile, inputs="exhaustive", part=part_of(part), jobs=1)
        return list(audit(plan, subject, judge=judge, **{"on_remark": refuse} | options))

    return judged
