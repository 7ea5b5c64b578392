"""The OpenCL device in this process, with its own built-ins and with faults injected into them."""

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
    """Write and compile judges, and calibrate devices, only once: most tests change one built-in."""
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
    """Shorten each part to an eighth of its floats; faults still show."""
    shorten(monkeypatch)


@pytest.fixture(scope="session")
def device(opencl_device):
    """The ``pyopencl.Device`` that ``clmath audit`` uses by default."""
    from clmath.audit.opencl.devices import find

    return find(opencl_device.removeprefix("opencl:"))


@pytest.fixture(scope="session")
def is_pocl(device):
    """Whether the device is PoCL: others print nothing while compiling, and have less useful native functions."""
    return device.platform.name == "Portable Computing Language"


@pytest.fixture(scope="session")
def target(device):
    """The device as a target, shared by all tests so that its programs are compiled once."""
    from clmath.audit.opencl.opencl_target import OpenCL

    return OpenCL(device)


def refuse(remark):
    """Fail on any remark: a host that judges in place of the device would give the same verdicts."""
    raise AssertionError(remark)


@pytest.fixture(scope="session")
def verdicts():
    """Return the verdicts of one judge on parts of all floats; the device must judge unless remarks are expected."""

    def judged(target, judge, names, part="1/4096", profile="full", **options):
        plan = Plan.of(names.split(","), ["float"], profile=profile, inputs="exhaustive", part=part_of(part), jobs=1)
        return list(audit(plan, target, judge=judge, **{"on_remark": refuse} | options))

    return judged
