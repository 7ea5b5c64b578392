"""Several kernels are compiled in one program; a kernel that does not compile costs only its own row."""

import numpy as np
import pytest

from clmath.audit.isolation.isolated import Isolated
from clmath.audit.isolation.process import Process
from clmath.audit.opencl import devices, opencl_target, programs
from clmath.audit.opencl.buffers import sizes
from clmath.audit.opencl.kernel import kernel_source
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_of
from clmath.audit.protocol.target import FaultError, TargetError
from clmath.audit.running.run import audit
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin
from clmath.spec.families import exact_builtins

pytestmark = pytest.mark.slow

NAMES = ("fabs", "ceil", "floor", "trunc")
ITEMS = [item_of(builtin(name), FLOAT) for name in NAMES]


@pytest.fixture
def device(opencl_device, monkeypatch):
    """The device, and a list with the number of kernels of each compiled program."""
    one = opencl_target.OpenCL(devices.find(opencl_device.removeprefix("opencl:")))
    built, compiled = [], one._program
    monkeypatch.setattr(one, "_program", lambda text: built.append(text.count("__kernel")) or compiled(text))
    return one, built


def test_kernels_of_many_rows_are_compiled_in_one_program(device):
    one, built = device
    x = np.array([-1.5, 2.5], np.float32)
    for item in ITEMS:
        assert "error" not in one.prepare(item, *ITEMS).lower()
        assert one.evaluate(item.builtin, FLOAT, (x,))[0].tolist() == getattr(np, item.builtin.name)(x).tolist()
    assert built == [len(NAMES)]


def test_kernel_that_does_not_compile_costs_only_its_row(device, monkeypatch):
    one, built = device

    def corrupted(row, *rest):
        return kernel_source(row, *rest).replace("ceil(", "missing_from_the_device(")

    monkeypatch.setattr(programs, "kernel_source", corrupted)
    for number, item in enumerate(ITEMS):
        if item.builtin.name == "ceil":
            with pytest.raises(TargetError, match=r"ceil\(float\): the kernel does not compile: "):
                one.prepare(*ITEMS[number:])
        else:
            one.prepare(*ITEMS[number:])
    assert built == [4, 1, 1, 1, 1]


def test_kernels_are_compiled_alone_after_a_crash_of_the_compiler(opencl_device, monkeypatch):
    """A row does not fail because the compiler crashes on another one."""
    asked = []
    ask = Process.ask

    def dying(self, call, limits, kind, *items, **rest):
        if kind == "build":
            asked.append([item.builtin.name for item in items])
            if len(asked[-1]) > 1:
                raise FaultError(call, "died of signal 11 (Segmentation fault)", lasting=True)
        return ask(self, call, limits, kind, *items, **rest)

    monkeypatch.setattr(Process, "ask", dying)
    with Isolated(opencl_device) as target:
        verdicts = list(audit(Plan.of(NAMES, ["float"], inputs=0, jobs=1), target))
    assert [verdict.status for verdict in verdicts] == ["pass"] * 4
    assert asked == [list(NAMES), *([name] for name in NAMES)]


def test_prepare_starts_the_kernel_once(device, monkeypatch):
    """PoCL compiles a kernel when it first starts, which may take minutes, longer than the time limit of a batch."""
    one, _ = device
    started, start = [], one._cl.enqueue_nd_range_kernel
    monkeypatch.setattr(one._cl, "enqueue_nd_range_kernel", lambda *given: started.append(given[2:]) or start(*given))
    for row in (builtin("fabs"), exact_builtins()["isless"], exact_builtins()["vstore_half"]):
        item = item_of(row, FLOAT, 16 if row.widths else 0)
        one.prepare(item)
        assert len(started) == 1, row
        assert started.pop()[0] == started_once(one)


def started_once(one):
    """Return the global size of a single work-group."""
    return sizes(one._device, 1)[0]
