"""The process of a subject is a copy of one that is there: what it has of the audit's process, and how each ends."""

import os
import signal
import sys
import textwrap
import time

import numpy as np
import pytest

from clmath.audit.isolation import copies
from clmath.audit.isolation.isolated import Isolated
from clmath.audit.protocol.subject import SubjectError
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every process is a fresh interpreter")
LAB = """
    import os, sys
    import numpy as np

    def told(name, x):
        if name == "ceil":
            os._exit(3)
        with open("told", "a") as file:
            print(os.getppid(), os.environ.get("LAB_SAYS"), np.random.random(), sys.path[0], file=file)
        return getattr(np, name)(x)
"""
ONES = (np.ones(1, np.float32),)


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Opens the subject; ``told`` is what its processes have written."""
    (tmp_path / "told_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return lambda: Isolated("told_lab:told", timeout=20.0)


def evaluated(subject, name="floor"):
    return subject.evaluate(builtin(name), FLOAT, ONES)[0].tolist()


def lines(tmp_path):
    return [line.split() for line in (tmp_path / "told").read_text().splitlines()]


def until(condition):
    deadline = time.monotonic() + 20
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert condition()


def test_one_is_lost_and_another_takes_its_place(opened, tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_SAYS", "hello")
    with opened() as subject:
        for _ in range(3):
            assert evaluated(subject) == [1.0]
            with pytest.raises(SubjectError, match="ended its process with exit status 3; "):
                evaluated(subject, "ceil")
    processes, said, drawn, paths = zip(*lines(tmp_path), strict=True)
    assert len(set(processes)) == len(set(drawn)) == 3
    assert (set(said), set(paths)) == ({"hello"}, {str(tmp_path)})


def test_variables_that_are_read_once_are_those_of_now_and_both_subjects_live_on(opened, monkeypatch):
    """Another process is there to be copied; the one before ends when its last copy has."""
    with opened() as first:
        before = copies._SOURCES[os.getpid()]
        monkeypatch.setenv("OMP_NUM_THREADS", "1")
        with opened() as second:
            now = copies._SOURCES[os.getpid()]
            assert now is not before
            assert evaluated(first) == evaluated(second) == [1.0]
        assert before.is_there()
        assert evaluated(first) == [1.0]
    until(lambda: not before.is_there())
    assert now.is_there()


@pytest.mark.slow
def test_a_process_that_was_to_be_copied_and_is_killed_is_no_loss(opened):
    with opened() as subject:
        assert evaluated(subject) == [1.0]
    os.kill(copies._SOURCES[os.getpid()]._process.pid, signal.SIGKILL)
    with opened() as subject:
        assert evaluated(subject) == [1.0]


def test_where_no_copy_can_be_had_there_is_a_fresh_interpreter(opened, monkeypatch):
    monkeypatch.setattr(copies._Source, "copy", lambda *_: (_ for _ in ()).throw(OSError("no memory")))
    with opened() as subject:
        assert evaluated(subject) == [1.0]


def test_how_a_copy_ends_is_told_whenever_it_is_asked():
    kept, other = os.pipe()
    copy = copies.copy_of_another((kept, kept), other, {**os.environ}, alone=False)  # pipes are no connection: it fails
    assert copy.wait(20.0) == copy.wait() == copy.poll() == 1
    copy.kill()
    for number in (kept, other):
        os.close(number)
