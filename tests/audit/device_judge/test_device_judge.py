"""The judge on the device: its verdicts equal the host's, to the last count."""

from __future__ import annotations

import functools
import os
import signal

import numpy as np
import pytest

from clmath.audit.device_judge import device as on_device
from clmath.audit.device_judge.question import PART, question_of, swept
from clmath.audit.inputs.exhaustive import swept_parts
from clmath.audit.inputs.row_inputs import columns
from clmath.audit.isolation.isolated import Isolated
from clmath.audit.judge.piece import criteria_of
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.target import TargetError
from clmath.audit.running import device_rows
from clmath.audit.running.run import Begun
from clmath.cli import main
from tests.cases import for_each

pytestmark = pytest.mark.slow
SIN = Plan.of(["sin"], ["float"], inputs="exhaustive", part="1/2048", jobs=1)


class Counted:
    """A target that records the answers of its device and fails from answer ``breaks`` on."""

    def __init__(self, target, breaks=99):
        self._target, self._breaks, self.answers = target, breaks, []

    def __getattr__(self, name):
        return getattr(self._target, name)

    def judging(self, question, parts, *known):
        if question is None:
            return None
        if len(self.answers) == self._breaks:
            raise TargetError("the device has gone")
        self.answers.append(self._target.judging(question, parts[:1], *known))
        return self.answers[-1]


@for_each("part, names", [("1/4096", "exp,tgamma"), ("4096/4096", "sincos,asinpi"), ("77/4096", "rint,fract,ilogb")])
def test_verdicts_on_floats_equal_the_hosts(part, names, target, verdicts):
    counted = Counted(target)
    found = verdicts(counted, "device", names, part)
    assert found == verdicts(target, "host", names, part)
    assert len(counted.answers) == len(found)
    assert all(answer.listed < PART // 8 for answer in counted.answers)


def test_verdicts_on_relaxed_and_unlimited_functions_equal_the_hosts(device, is_pocl, verdicts):
    """Limits that hold on an interval, absolute and growing limits, unspecified results."""
    from clmath.audit.opencl.opencl_target import OpenCL

    relaxed = Counted(OpenCL(device, "-cl-unsafe-math-optimizations"))
    names = "sin,log,exp,native_exp"
    found = verdicts(relaxed, "device", names, profile="relaxed")
    assert found == verdicts(relaxed, "host", names, profile="relaxed")
    assert [verdict.tally.unjudged > 0 for verdict in found] == [True] * 4
    assert len(relaxed.answers) == 4
    assert all(answer.listed < PART // 8 for answer in relaxed.answers[: 4 if is_pocl else 3])


def test_reports_of_both_judges_are_equal_byte_for_byte(opencl_device, tmp_path, capfd):
    """The device runs in a process of its own; several editions, and a function whose results are ints."""
    found = []
    for judge in ("host", "device"):
        file = tmp_path / f"{judge}.json"
        words = ["audit", opencl_device, "--functions", "lgamma,ilogb", "--types", "float", "--inputs", "exhaustive"]
        main([*words, "--part", "2/4096", "--jobs", "1", "--judge", judge, "--json", str(file)])
        found.append(file.read_bytes())
    assert found[0] == found[1]
    assert not capfd.readouterr().err


# the built-in, and the program that judges it: compiler output for the latter is not about the built-in
COMPILED = {"o1": (True, "frexp(float): the kernel"), "judge": (False, "the program")}


@pytest.mark.parametrize("name", COMPILED)
def test_compile_errors_give_the_same_report(  # noqa: PLR0917 - fixtures
    name, clm, opencl_device, is_pocl, tmp_path, monkeypatch
):
    monkeypatch.setenv("PYOPENCL_BUILD_OPTIONS", f"-D{name}=0")
    found, (is_told, reported) = [], COMPILED[name]
    for judge in ("host", "device"):
        file = tmp_path / f"{judge}.json"
        words = ["audit", opencl_device, "--functions", "frexp", "--types", "float", "--inputs", "exhaustive"]
        _, _, complaint = clm(*words, "--part", "2/4096", "--jobs", "1", "--judge", judge, "--json", str(file))
        found.append(file.read_text())
    assert found[0] == found[1]
    assert ("printed" in found[0], "does not compile" in found[0]) == (is_told and is_pocl, is_told)
    assert "frexp float: the host judges the rest of the case: " in complaint
    assert f"{reported} does not compile: clBuildProgram failed: BUILD_PROGRAM_FAILURE\n" in complaint


def test_numbered_inputs_are_all_inputs_of_the_parts_once():
    parts = swept_parts(Plan.of(["sin"], ["float"], inputs="exhaustive", part="3/2000"))
    codes = swept(parts, np.arange(len(parts) * PART, dtype=np.uint64))
    (item,) = SIN.items()
    plan = Plan.of(["sin"], ["float"], inputs="exhaustive", part="3/2000")
    wanted = [columns(item, plan, piece)[0].view(np.uint32) for piece in range(len(parts))]
    for piece, codes_of_piece in enumerate(codes.reshape(len(parts), PART)):
        assert (np.sort(codes_of_piece) == wanted[piece]).all()


def test_lists_that_overflow_are_cut_without_loss(target, verdicts, monkeypatch):
    wanted = verdicts(target, "host", "cbrt")
    monkeypatch.setattr(on_device, "ROOM", 64)
    assert verdicts(type(target)(target._device), "device", "cbrt") == wanted


def test_host_continues_when_the_device_fails(target, verdicts):
    reported = []
    broken = Counted(target, breaks=1)
    found = verdicts(broken, "device", "erf", "1/2048", on_remark=reported.append)
    assert found == verdicts(target, "host", "erf", "1/2048")
    assert len(broken.answers) == 1
    assert reported == ["erf float: the host judges the rest of the case: the device has gone"]


def test_a_begun_case_is_continued_by_either_judge(target, verdicts):
    kept = []
    (wanted,) = verdicts(Counted(target), "device", "sin", "1/2048", on_begun=kept.append)
    assert isinstance(kept[0], Begun)
    assert kept[0].pieces == 1
    for judge in ("host", "device"):
        assert verdicts(target, judge, "sin", "1/2048", begun=kept[0]) == [wanted]


@pytest.mark.parametrize("is_slow", [True, False])
def test_auto_takes_the_faster_judge(is_slow, target, verdicts, monkeypatch):
    monkeypatch.setattr(device_rows, "FEW", 2)
    monkeypatch.setattr(device_rows, "seconds_of_host", lambda *_: 0.0 if is_slow else np.inf)
    counted = Counted(target)
    verdicts(counted, "auto", "exp", "1/1024")
    assert len(counted.answers) == (2 if is_slow else 4)


def test_device_that_contracts_double_products_is_refused(device, verdicts, monkeypatch):
    from clmath.audit.opencl import opencl_target
    from clmath.engines.device import source

    text = source.header("opencl")
    broken = text.replace("double_mul(a, b) ((a) * (b))", "double_mul(a, b) fma((a), (b), 0x1p-1000)")
    assert broken != text
    monkeypatch.setattr(opencl_target, "OpenCLMachine", functools.partial(opencl_target.OpenCLMachine, preamble=broken))
    reported = []
    refused = opencl_target.OpenCL(device)
    assert verdicts(refused, "device", "exp", on_remark=reported.append) == verdicts(refused, "host", "exp")
    (line,) = reported
    assert line.startswith("the host judges: ")
    assert "a * b" in line


def test_target_without_a_device_is_judged_by_the_host(truthful, verdicts):
    reported = []
    (verdict,) = verdicts(truthful(), "device", "nan", "1/4096", on_remark=reported.append)
    assert verdict.status == "pass"
    assert reported == ["truthful is not a device that can judge: the host judges"]


def test_a_killed_device_process_raises_and_is_replaced(opencl_device):

    with Isolated(opencl_device) as isolated:
        (item,) = SIN.items()
        question = question_of(item, criteria_of(item, SIN, isolated), SIN)
        assert isolated.judging(question, swept_parts(SIN)[:1]).elements == PART
        os.kill(isolated._process._process.pid, signal.SIGKILL)
        with pytest.raises(TargetError, match="died of signal 9"):
            isolated.judging(question, swept_parts(SIN)[:1])
        assert isolated.judging(question, swept_parts(SIN)[1:]).elements == PART
