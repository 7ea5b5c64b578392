"""The process of a target is a copy of another process, or a fresh interpreter, and sees the audit's variables."""

import contextlib
import functools
import os
import signal
import sys
import textwrap
from multiprocessing import forkserver

import numpy as np
import pytest

from clmath.audit.isolation.isolated import Isolated
from clmath.audit.protocol.target import TargetError
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every process is a fresh interpreter")
LAB = """
    import multiprocessing, os, sys, time
    import numpy as np

    def told(name, x):
        if name == "ceil":
            os._exit(3)
        if name == "rint":
            os.closerange(3, 256)
            time.sleep(600)
        if name == "trunc":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                return np.array(pool.map(abs, x), x.dtype)
        kind = type(multiprocessing.current_process()).__name__
        with open("told", "a") as file:
            print(os.getppid(), os.environ.get("LAB_SAYS"), np.random.random(), sys.path[0], kind, file=file)
        return getattr(np, name)(x)
"""
ONES = (np.ones(1, np.float32),)


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Return a function that opens the target; its processes write to the file ``reported``."""
    (tmp_path / "told_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return functools.partial(Isolated, "told_lab:told", timeout=20.0)


def evaluated(target, name="floor"):
    return target.evaluate(builtin(name), FLOAT, ONES)[0].tolist()


def lines(tmp_path):
    return [line.split() for line in (tmp_path / "told").read_text().splitlines()]


def test_lost_process_is_replaced(opened, tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_SAYS", "hello")
    with opened() as target:
        for _ in range(3):
            assert evaluated(target) == [1.0]
            with pytest.raises(TargetError, match="ended its process with exit status 3; "):
                evaluated(target, "ceil")
    processes, said, generated, paths, _ = zip(*lines(tmp_path), strict=True)
    assert len(set(processes)) == len(set(generated)) == 3
    assert (set(said), set(paths)) == ({"hello"}, {str(tmp_path)})


def test_variable_that_is_read_once_needs_a_fresh_interpreter(opened, tmp_path, monkeypatch):
    with opened() as first:
        monkeypatch.setenv("OMP_NUM_THREADS", "1")
        with opened() as second:
            assert evaluated(first) == evaluated(second) == [1.0]
        assert evaluated(first) == [1.0]
    assert [kind for *_, kind in lines(tmp_path)] == ["ForkServerProcess", "SpawnProcess", "ForkServerProcess"]


def test_audit_does_not_wait_for_a_process_that_closed_its_files(opened, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # a fresh interpreter: one of its files shows its end
    with opened() as target, pytest.raises(TargetError, match="closed its connection to the audit; with x = "):
        evaluated(target, "rint")


def test_single_process_is_forked_directly(opened, tmp_path):
    with opened(alone=True) as target:
        for name in ("floor", "ceil", "floor"):
            with contextlib.suppress(TargetError):
                evaluated(target, name)
    assert [kind for *_, kind in lines(tmp_path)] == ["ForkProcess", "ForkServerProcess"]


def test_variables_of_this_process_are_restored(opened, monkeypatch):
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    before, script = {**os.environ}, sys.modules["__main__"]
    with opened():
        assert ({**os.environ}, sys.modules["__main__"]) == (before, script)


@pytest.mark.slow
def test_killed_server_is_replaced(opened):
    with opened() as target:
        assert evaluated(target) == [1.0]
    server = forkserver._forkserver._forkserver_pid
    os.kill(server, signal.SIGKILL)
    os.waitid(os.P_PID, server, os.WEXITED | os.WNOWAIT)
    with opened() as target:
        assert evaluated(target) == [1.0]


def test_fresh_interpreter_starts_if_the_server_fails(opened, tmp_path, monkeypatch):
    def fail(_):
        raise OSError("no memory")

    monkeypatch.setattr(forkserver, "connect_to_new_process", fail)
    with opened() as target:
        assert evaluated(target) == [1.0]
    assert [kind for *_, kind in lines(tmp_path)] == ["SpawnProcess"]


def test_target_may_use_multiprocessing(opened):
    with opened() as target:
        assert evaluated(target, "trunc") == [1.0]
