"""Threads that wait for work: as many as are asked for, kept a while, none that runs when the caller goes on."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import clmath
from clmath.call import plain, workers
from clmath.engines import choice
from clmath.engines.native.helpers import Job
from tests.cases import for_each

NATIVE = pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.told()["native"])
POSIX = pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs POSIX")


def test_each_thread_works_once():
    seen, together = [], threading.Barrier(4)

    def work():
        together.wait(10)
        seen.append(threading.get_ident())

    for _ in range(3):
        workers.at_once(work, 4, [])
    assert [len(set(seen[i : i + 4])) for i in (0, 4, 8)] == [4, 4, 4]
    assert len(set(seen)) == 4  # the same ones again
    assert threading.get_ident() in seen


def test_one_thread_is_the_caller_alone():
    seen = []
    for count in (-1, 0, 1):
        workers.at_once(lambda: seen.append(threading.get_ident()), count, [])
    assert seen == [threading.get_ident()] * 3


def ends(idle):
    """Whether threads without work end within ten seconds."""
    deadline = time.monotonic() + 10
    while idle and time.monotonic() < deadline:
        time.sleep(0.01)
    return not idle


def test_threads_without_work_end(monkeypatch):
    monkeypatch.setattr(workers, "_PATIENCE", 0.01)
    monkeypatch.setattr(workers._Worker, "idle", idle := [])
    together = threading.Barrier(3)
    for _ in range(20):
        workers.at_once(together.wait, 3, [])
        time.sleep(0.01)  # as they end, or just before
    assert ends(idle)


def run_together(target):
    """Run a function in four threads."""
    callers = [threading.Thread(target=target) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()


def test_an_error_is_raised_once_and_nothing_is_kept():
    failures, caller = [], threading.get_ident()

    def work():
        if threading.get_ident() != caller:
            raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            workers.at_once(work, 2, failures)
        assert not failures
    workers.at_once(lambda: None, 2, failures)


def test_threads_at_the_same_time():
    """Callers in several threads, each of which asks for more."""
    x = np.linspace(-2, 2, 200_000)
    want, found = clmath.exp(x), []

    def call():
        found.extend([clmath.exp(x, threads=3).tobytes() == want.tobytes() for _ in range(10)])

    run_together(call)
    assert found == [True] * 40


def counted(monkeypatch):
    """A list of what is done with helpers."""
    seen = []
    begin, decided = workers._Helper.begin, workers._Helper.decided

    def noted(self, *given, do):
        seen.append((do.__name__, self._record.found))
        do(self, *given)

    monkeypatch.setattr(workers._Helper, "begin", functools.partialmethod(noted, do=begin))
    monkeypatch.setattr(workers._Helper, "decided", functools.partialmethod(noted, do=decided))
    return seen


@NATIVE
@for_each("awake, at_work", [(500, 50), (0, 0), (100_000, 0), (0, 100_000)])
def test_helpers_that_sleep_or_are_waited_for_give_the_same_bits(awake, at_work, monkeypatch):
    monkeypatch.setattr(workers, "_AWAKE", awake)
    monkeypatch.setattr(workers, "_AT_WORK", at_work)
    seen = counted(monkeypatch)
    for count in (40_000, 300_001):
        x = np.random.default_rng(count).uniform(0.1, 3, count)
        want = clmath.convert(x, "half")
        for threads in (2, 3, 5):
            assert clmath.convert(x, "half", threads=threads).tobytes() == want.tobytes()
    assert seen


@NATIVE
def test_shared_jobs_are_used_again_by_one_call_at_a_time(monkeypatch):
    monkeypatch.setattr(Job, "_idle", idle := [])
    x = np.linspace(-2, 2, 100_000)
    want = clmath.convert(x, "half").tobytes()
    seen = set()
    for threads in (2, 3, 2):
        assert clmath.convert(x, "half", threads=threads).tobytes() == want
        seen |= {id(job) for job in idle}
    assert len(seen) == len(idle) == 1
    with monkeypatch.context() as patched:
        patched.setattr(plain, "helped", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            clmath.convert(x, "half", threads=2)
    assert len(idle) == 1  # given back, though the call failed
    run_together(lambda: clmath.convert(x, "half", threads=2))
    assert 1 <= len(idle) <= 4
    assert len(set(map(id, idle))) == len(idle)


@NATIVE
def test_helpers_without_work_end(monkeypatch):
    monkeypatch.setattr(workers, "_PATIENCE", 0.01)
    monkeypatch.setattr(workers._Helper, "idle", idle := [])
    x = np.linspace(-2, 2, 100_000)
    for _ in range(20):
        clmath.convert(x, "half", threads=3)
        time.sleep(0.01)
    assert ends(idle)


@NATIVE
def test_a_call_without_new_threads(monkeypatch):
    def fails(*_):
        raise RuntimeError

    monkeypatch.setattr(workers._Helper, "idle", [])
    monkeypatch.setattr(workers._thread, "start_new_thread", fails)
    x = np.linspace(-2, 2, 100_000)
    assert clmath.convert(x, "half", threads=3).tobytes() == clmath.convert(x, "half").tobytes()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_has_threads_of_its_own():
    x = np.linspace(-2, 2, 200_000)
    want = clmath.exp(x, threads=3).tobytes()  # leaves threads that wait, which a child has not
    child = os.fork()
    if not child:
        os._exit(0 if clmath.exp(x, threads=3).tobytes() == want else 1)
    for _ in range(1000):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        time.sleep(0.01)
    else:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    assert status == 0


@NATIVE
def test_an_interpreter_that_ends_with_threads_that_wait():
    code = "import numpy, clmath; x = numpy.ones(10**5); clmath.exp(x, threads=4); print(clmath.exp(x, threads=3)[0])"
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, run.returncode) == ("2.718281828459045\n", "", 0)
