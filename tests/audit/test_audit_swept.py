"""All floats are evaluated and judged in shared memory: verdicts do not depend on which process reads where."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.counting.tally import NONE_KNOWN
from clmath.audit.inputs import exhaustive
from clmath.audit.isolation import isolated
from clmath.audit.isolation.child import TEXT
from clmath.audit.isolation.isolated import Isolated
from clmath.audit.isolation.limits import Limits
from clmath.audit.judge import compiled_loop
from clmath.audit.judge.piece import judge_blocks
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_of
from clmath.audit.protocol.memory import BEHIND, Memory, is_shared
from clmath.audit.protocol.target import TargetError
from clmath.audit.running import device_rows, run, swept
from clmath.audit.running.run import audit
from clmath.audit.screens.loop import screens
from clmath.audit.targets.declared import Declaration
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin
from tests.cases import for_each

NEEDS_SCREENS = pytest.mark.skipif(screens() is None, reason="the screens, or the kernels, are not compiled")
pytestmark = pytest.mark.skipif(not is_shared(), reason="only Linux has memory that processes share by a descriptor")

LAB = """
    import os
    import numpy as np
    import clmath

    def lab(name, *args):
        "Wrong here and there, prints, and ends badly at some numbers."
        codes = args[0].view(np.uint32)
        if name == "ceil" and (codes == 0x3F880023).any():
            raise ValueError("no such number")
        if name == "trunc" and (codes == 0x3F880023).any():
            os._exit(3)
        found = getattr(clmath, name)(*args)
        if name in ("fabs", "rint"):
            found = np.where(codes == 0x80000000, -found, found)
        if name == "modf":
            found = tuple(np.where(codes < 0x200, part * np.float32(0), part) for part in found)
        if name == "floor":
            found = np.array(found)
            found[codes % 0x40000 == 0xC3] += 1
            print("floor")
        return found
"""
PART = "1/2048"  # chunks 0 and 2048 of 4096


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """The name of a target in a module of its own."""
    (tmp_path / "swept_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return "swept_lab:lab"


def verdicts(text, name, jobs=1, part=PART, *, flushes=False):
    plan = Plan.of([name], ["float"], inputs="exhaustive", part=part, jobs=jobs)
    seen = []
    with Isolated(text, declared=Declaration(flushes=("float",) if flushes else ())) as target:
        found = list(run.audit(plan, target, on_begun=lambda begun: seen.append(begun.pieces)))
    return found, seen


@pytest.mark.slow
@pytest.mark.parametrize("name", ["floor", "frexp", "ceil"])
def test_verdict_equals_the_verdict_on_sent_results(lab, name, monkeypatch):
    """Failures, a second result, and targets that raise in the middle of a case."""
    shared, one_by_one = verdicts(lab, name)
    monkeypatch.setattr(swept, "SHARES", 1)
    together, at_once = verdicts(lab, name)
    monkeypatch.setattr(isolated, "is_shared", lambda: False)
    sent, as_ever = verdicts(lab, name)
    assert shared == together == sent
    assert one_by_one == as_ever
    assert at_once == ([1] if name == "ceil" else [])


@pytest.mark.slow
def test_verdict_shows_output_and_the_input_at_fault(lab):
    ((floor,), _), ((ceil,), _), ((trunc,), _) = (verdicts(lab, name) for name in ("floor", "ceil", "trunc"))
    assert floor.tally.failed > 100
    assert floor.notes[0] == 'the target printed 12 bytes: "floor floor"'
    assert "raised ValueError: no such number; with x = 0x1.100046p+0" in str(ceil)
    assert "ended its process with exit status 3; with x = 0x1.100046p+0" in str(trunc)


@pytest.mark.slow
def test_input_at_fault_may_be_in_one_of_the_next_parts(lab):
    """A device that stores results works on several parts when its process dies."""
    item = item_of(builtin("trunc"), FLOAT)
    with Isolated(lab) as target:
        (*_,) = target.swept(item, [0, 1])
        target._facts["stores"] = True
        found = target.swept(item, [0, 2048])
        target._answer(Limits(seconds=60.0), TEXT)  # the second answer is the end of the process
        with pytest.raises(TargetError, match=r"exit status 3; with x = 0x1\.100046p\+0"):
            next(found)


@pytest.mark.slow
@NEEDS_SCREENS
@for_each("name", ["fabs", "rint", "modf"])
@for_each("together", [1, 16])
def test_worst_input_of_a_case_without_errors_is_its_first(lab, name, together, monkeypatch):
    """The block that contains it does not matter: with and without mirrored results, in one part or among several."""
    monkeypatch.setattr(swept, "IN_ALL", together)
    monkeypatch.setattr(swept, "SHARES", 1)
    part = "1/1024" if name != "modf" else "2/512"
    found, _ = verdicts(lab, name, part=part, flushes=True)
    monkeypatch.setattr(compiled_loop, "serves", lambda *_: False)
    assert found == verdicts(lab, name, part=part, flushes=True)[0]
    assert found[0].tally.worst.error == 0.0


@pytest.mark.slow
def test_several_workers_read_one_memory(lab):
    assert verdicts(lab, "floor", jobs=2)[0] == verdicts(lab, "floor")[0]


def part_of(item, part):
    """Return the inputs of a part, and results by NumPy's double."""
    (x,) = exhaustive.swept_columns(item, [part])
    with np.errstate(all="ignore"):
        return x, getattr(np, item.builtin.name)(x.astype(np.float64)).astype(np.float32)


def lying(item, part, results):
    return swept._Lying(item, [part], [np.concatenate([results.view(np.uint8), np.zeros(BEHIND, np.uint8)])])


@pytest.mark.parametrize(("name", "kind"), [("sin", "odd"), ("cos", "even"), ("exp", "")])
def test_blocks_hold_opposite_inputs_together(name, kind):
    """Every call occurs once with its own result, alone or as the mirror of another one; few are alone."""
    item = item_of(builtin(name), FLOAT)
    x, results = part_of(item, 700)
    results[[5, 70_000, 300_000, 1_000_000]] = 3.0
    calls, together = [], 0
    for block in lying(item, 700, results).blocks():
        (x_here,), (here,) = block.values, block.results
        calls.append((x_here.view(np.uint32).copy(), here.view(np.uint32)))
        for there in block.mirrored:
            flips = np.uint32(0x80000000 if kind == "odd" else 0)
            assert np.array_equal(there.view(np.uint32) ^ flips, here.view(np.uint32))
            calls.append((x_here.view(np.uint32) ^ np.uint32(0x80000000), there.view(np.uint32)))
            together += 2 * len(here)
    codes, found = map(np.concatenate, zip(*calls, strict=True))
    order = np.argsort(codes)
    assert np.array_equal(codes[order], x.view(np.uint32))
    assert np.array_equal(found[order], results.view(np.uint32))
    assert together > len(x) // 2 if kind else not together


@pytest.mark.slow
@NEEDS_SCREENS
@pytest.mark.parametrize(("name", "off"), [("sin", 2), ("sin", 0), ("trunc", 0), ("asin", 0)])
def test_floor_is_known_before_the_first_parts_are_judged(name, off, monkeypatch):
    """It is at most an error that occurs, it does not change the tally, and it is 0 without an error."""
    item, criteria = item_of(builtin(name), FLOAT), Criteria("full", "rte", flushes=False)
    if name == "asin":
        monkeypatch.setattr(np, "asin", np.arcsin, raising=False)
    _, results = part_of(item, 77)
    results.view(np.int32)[[1000, 500_000]] += off
    lie = lying(item, 77, results)
    with np.errstate(all="ignore"):
        floor = lie.floor(criteria)
        judged = swept.judged_part(item, [Lies(*lie.data)], criteria, [77], NONE_KNOWN)
        assert repr(judged) == repr(judge_blocks(item, lie.blocks(), criteria))
    assert 0 < floor <= abs(judged.worst.error) / 2 if name == "sin" else floor == 0


class Lies:
    """A place in memory with known bytes."""

    def __init__(self, data):
        self.data = data

    def bytes(self):
        return self.data


def test_memory_is_shared_by_its_name():
    memory = Memory(5000)
    one, other = memory.take(), memory.take()
    other.bytes(writable=True)[:3] = 1, 2, 3
    assert other.bytes()[:4].tolist() == [1, 2, 3, 0]
    assert not one.bytes().any()
    with pytest.raises(ValueError, match="read-only"):
        one.bytes()[0] = 1
    memory.give_back(one)
    memory.give_back(other)
    assert memory.take() == other  # a cache keeps more than one place
    assert memory.take() == one
    with pytest.raises(PermissionError):
        os.ftruncate(memory.descriptor, 0)
    memory.close()


def test_unused_memory_is_released():
    memory = Memory(5000)
    descriptor = memory.descriptor
    os.fstat(descriptor)
    del memory
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


def test_other_systems_have_no_shared_memory():
    """Modules that they lack are not imported; results are sent."""
    text = "import sys; sys.platform, sys.modules['fcntl'] = 'win32', None\n"
    text += "from clmath.audit.protocol import memory; print(memory.is_shared())"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.stdout == "False\n", done.stderr


@pytest.mark.slow
@NEEDS_SCREENS
def test_auto_does_not_use_a_device_that_is_the_processor(opencl_device, monkeypatch):
    """The host judges if it has a compiled loop and processes on at least half of the cores."""
    monkeypatch.setattr(device_rows, "FEW", 1)
    for name, jobs, cores, wanted in (
        ("cos", 2, 2, "host: the device is its processor"),
        ("cos", 1, 3, "device"),
    ):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        plan, reported = Plan.of([name], ["float"], inputs="exhaustive", part="1/4096", jobs=jobs), []
        with Isolated(opencl_device) as target:
            assert target.is_processor
            (verdict,) = audit(plan, target, on_judge=lambda _, who, reported=reported: reported.append(who))
        assert verdict.tally.tried == 1 << 20
        assert reported == [wanted]
