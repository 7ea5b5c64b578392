"""What tests everywhere need: ways in which the same numbers may lie in memory, and an OpenCL device that works."""

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
from clmath.call import plans, rounded, unrounded
from clmath.engines import choice as engines
from clmath.engines import numpy as plain
from clmath.engines.native import Native
from clmath.engines.native.library import libraries
from tests import in_child

with contextlib.suppress(ImportError):
    from hypothesis import HealthCheck, settings

    # the same examples in each run; how long one takes depends on how busy the machine is
    settings.register_profile(
        "clmath", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("clmath")

# for processes that tests start, hundreds, none of which multiplies matrices: NumPy loads in a fifth less time
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

NEEDED = "CLMATH_TEST_NEEDS_OPENCL"  # set where a machine without a device is a failure, as in .ci/run


def swapped(a):
    """In the other byte order."""
    return a.astype(a.dtype.newbyteorder("S"))


def strided(a):
    """Two apart and backwards."""
    wide = np.zeros((2 * a.shape[0], *a.shape[1:]), a.dtype)
    wide[::2] = a[::-1]
    return wide[::2][::-1]


def misaligned(a):
    """One byte off."""
    raw = np.zeros(a.nbytes + 1, np.uint8)
    view = raw[1:].view(a.dtype).reshape(a.shape)
    view[...] = a
    return view


def read_only(a):
    """Not to be written to."""
    a = a.copy()
    a.flags.writeable = False
    return a


LAYOUTS = {f.__name__: f for f in (swapped, strided, misaligned, read_only, np.asfortranarray)}


@pytest.fixture
def no_plans():
    """Plans are made anew, and forgotten when the test ends."""
    pragmas.forget()
    yield
    pragmas.forget()


@pytest.fixture
def prepared(monkeypatch, no_plans):  # noqa: ARG001 - known plans would be used
    """A function that makes a call without plans, so that its arguments are prepared."""

    def evaluated(call):
        asked = []
        with monkeypatch.context() as patched:
            patched.setattr(plans, "_KNOWN", frozenset())
            pragmas.forget()
            for module in (rounded, unrounded):
                patched.setattr(module, "at_once", lambda *given: asked.append(given))
            result = call()
        assert asked
        return result

    return evaluated


@pytest.fixture
def compiled_agrees(monkeypatch):
    """Have NumPy evaluate what is compiled whole; at the end every level's results must have had the same bits.

    So one comparison with a reference judges all of them. For contiguous arrays: others are evaluated in a buffer. The
    labels that were compared so far are what the fixture gives.
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
    """Each of them: a function that gives such a copy of an array."""
    return LAYOUTS[request.param]


@pytest.fixture(scope="session")
def layouts():
    """All of them by name."""
    return SimpleNamespace(**LAYOUTS)


@pytest.fixture(scope="session")
def opencl_device(request):
    """The subject ``opencl:PLATFORM:DEVICE`` that ``clmath audit`` takes when none is named, by its stable name."""
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
    """The numbers of its platform and of the device, as text."""
    from clmath.audit.opencl import devices

    return devices.name_of(devices.find(opencl_device.removeprefix("opencl:"))).split(":")[1:]


@pytest.fixture
def clm(capfd):
    """The command line: its exit status, and what it and its child processes wrote."""

    def call(*words):
        status = main([str(w) for w in words])
        out, err = capfd.readouterr()
        return status, out, err

    return call


@pytest.fixture
def refusal(clm):
    """The one line on standard error with which a command is refused: its status is 2, and nothing else is printed."""

    def call(*words):
        status, out, err = clm(*words)
        assert (status, out, err.count("\n")) == (2, "", 1), (out, err)
        return err

    return call


@pytest.fixture
def narrowing_however_few(monkeypatch):
    """NumPy's engine narrows the enclosures of few lanes, too, as compiled kernels do: the two leave the same."""
    monkeypatch.setattr(plain, "_WORTH_NARROWING", 1)
