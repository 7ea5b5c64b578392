"""Fixtures of all tests: memory layouts of arrays, a working OpenCL device, and the command line."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from clmath import pragmas
from clmath.__main__ import main
from clmath.audit.isolation.choosing import chosen
from clmath.audit.opencl import probe
from clmath.call import plans
from clmath.engines import choice as engines
from clmath.engines import numpy as plain
from clmath.engines.native import Native
from clmath.engines.native.library import libraries
from tests import in_child

with contextlib.suppress(ImportError):
    from hypothesis import HealthCheck, settings

    # deterministic examples, and no deadline, since times depend on how busy the machine is
    settings.register_profile(
        "clmath", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("clmath")

# NumPy loads a fifth faster in the hundreds of processes that tests start; none of them multiplies matrices
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

NEEDED = "CLMATH_TEST_NEEDS_OPENCL"  # set if a machine without a device is a failure, as in .ci/run


def swapped(a):
    """Return a copy in the other byte order."""
    return a.astype(a.dtype.newbyteorder("S"))


def strided(a):
    """Return a copy with a stride of minus two elements."""
    wide = np.zeros((2 * a.shape[0], *a.shape[1:]), a.dtype)
    wide[::2] = a[::-1]
    return wide[::2][::-1]


def misaligned(a):
    """Return a copy at an address that is one byte past alignment."""
    raw = np.zeros(a.nbytes + 1, np.uint8)
    view = raw[1:].view(a.dtype).reshape(a.shape)
    view[...] = a
    return view


def read_only(a):
    """Return a read-only copy."""
    a = a.copy()
    a.flags.writeable = False
    return a


LAYOUTS = {f.__name__: f for f in (swapped, strided, misaligned, read_only, np.asfortranarray)}


@pytest.fixture
def no_plans():
    """Forget the plans of calls before the test and after it."""
    pragmas.forget()
    yield
    pragmas.forget()


@pytest.fixture
def prepared(monkeypatch, no_plans):  # noqa: ARG001 - known plans would be used
    """Return a function that makes a call with plans disabled, so that its arguments are prepared."""

    def evaluated(call):
        with monkeypatch.context() as patched:
            patched.setattr(plans, "_KNOWN", frozenset())
            pragmas.forget()
            return call()

    return evaluated


@pytest.fixture
def compiled_agrees(monkeypatch):
    """Have NumPy evaluate fused loops, and check that the compiled loops of every level give the same bits.

    So one comparison with a reference checks all engines. Only for contiguous arrays; others are evaluated in a buffer.
    The value of the fixture is the set of labels compared so far.
    """
    if engines.NATIVE.library is None:
        yield set()
        return
    levels = [Native(library) for library in libraries()]
    compared, labels = [], set()

    def whole(self, label, args, targets):
        if not label or self.library is None or label not in self.library.wholes.numbers:
            return
        labels.add(label)
        for level in levels:
            found = [np.full_like(t, 77) for t in targets]
            assert not evaluate(level, label, args, found).size
            compared.append((label, level.library.level, found, targets))
        return

    evaluate = Native.whole
    monkeypatch.setattr(Native, "whole", whole)
    yield labels
    for label, level, found, targets in compared:
        for got, by_numpy in zip(found, targets, strict=True):
            assert got.tobytes() == by_numpy.tobytes(), (label, level)


@pytest.fixture(params=LAYOUTS)
def layout(request):
    """Function that copies an array to a memory layout, for each layout."""
    return LAYOUTS[request.param]


@pytest.fixture(scope="session")
def layouts():
    """All memory layouts by name."""
    return SimpleNamespace(**LAYOUTS)


@pytest.fixture(scope="session")
def opencl_device(request):
    """Stable name ``opencl:PLATFORM:DEVICE`` of the target that ``clmath audit`` chooses by itself."""
    name, lines = _chosen_once()
    if name.startswith("opencl"):
        from clmath.audit.opencl import devices

        in_child.tell_device(request.config, devices.find(name.removeprefix("opencl:")).platform.version)
        request.getfixturevalue("tried_once")
        return name
    why = "; ".join(lines)
    if os.environ.get(NEEDED):
        pytest.fail(why)
    return pytest.skip(why)


def _chosen_once():
    """Return the name of the device's target and remarks on the choice; one process of a run tries the devices."""
    known = Path(os.environ[in_child.KNOWN])
    if not known.exists():
        choice, mine = chosen(None), known.with_suffix(f".{os.getpid()}")
        mine.write_text(json.dumps([choice.name, choice.lines]))
        mine.replace(known)
    return json.loads(known.read_text())


@pytest.fixture(scope="session")
def tried_once():
    """Try a named device once in each environment, in audits of this process: a trial takes seconds each time."""
    known, tried = {}, probe.device

    def device(text, call="clmath audit"):
        environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
        key = text, *sorted(environment.items())
        if key not in known:
            known[key] = tried(text, call)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probe, "device", device)
        yield


@pytest.fixture(scope="session")
def opencl_numbers(opencl_device):
    """The numbers of the OpenCL device's platform and of the device, as text."""
    from clmath.audit.opencl import devices

    return devices.name_of(devices.find(opencl_device.removeprefix("opencl:"))).split(":")[1:]


@pytest.fixture
def clm(capfd):
    """Function that runs the command line: it returns the exit status, standard output and standard error."""

    def call(*words):
        status = main([str(w) for w in words])
        out, err = capfd.readouterr()
        return status, out, err

    return call


@pytest.fixture
def refusal(clm):
    """Function that runs an invalid command and returns its error message: one line, and the exit status is 2."""

    def call(*words):
        status, out, err = clm(*words)
        assert (status, out, err.count("\n")) == (2, "", 1), (out, err)
        return err

    return call


@pytest.fixture
def narrowing_however_few(monkeypatch):
    """Let NumPy's engine narrow enclosures of few elements, too, as compiled kernels do: the same stay undecided."""
    monkeypatch.setattr(plain, "_WORTH_NARROWING", 1)
