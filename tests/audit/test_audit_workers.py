"""Worker processes of the judge: results, errors, and the end of the processes at any time."""

import os
import pickle
import signal
import threading
import time
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest

from clmath.audit.plan.types import TEXT, TYPES
from clmath.audit.running.workers import Workers


@pytest.fixture(scope="module")
def workers():
    pool = Workers(2)
    yield pool
    pool.shutdown(cancel_futures=True)


def test_results_and_exceptions_return_to_the_caller(workers):
    found = [workers.submit(np.arange, n) for n in (100_000, 3, 1_000_000)]
    failing = workers.submit(int, "seven")
    assert [len(one.result(60)) for one in found] == [100_000, 3, 1_000_000]
    with pytest.raises(ValueError, match="seven") as raised:
        failing.result(60)
    assert "in _outcome" in "".join(raised.value.__notes__)  # the place where it was raised


def test_arguments_that_cannot_be_pickled_raise_in_the_caller(workers):
    with pytest.raises(TypeError, match=r"lock|pickle"):
        workers.submit(print, threading.Lock()).result(60)
    assert workers.submit(abs, -7).result(60) == 7


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="there are no masks of signals")
def test_signals_that_stop_an_audit_are_blocked_in_workers(workers):
    held = workers.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result(60)
    assert {signal.SIGINT, signal.SIGTERM, signal.SIGHUP} <= held
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.slow
def test_tasks_of_a_worker_that_dies_are_broken():
    """The worker may die while much data is being sent to it."""
    pool = Workers(1)
    broken = [pool.submit(os._exit, 3), *(pool.submit(len, b"x" * (1 << 24)) for _ in range(3))]
    for one in broken:
        with pytest.raises(BrokenProcessPool):
            one.result(60)
    pool.shutdown()


def test_shutdown_does_not_wait_for_cancelled_tasks():
    pool = Workers(2)
    assert pool.submit(abs, -1).result(60) == 1  # the processes have started
    given = [pool.submit(time.sleep, 600) for _ in range(5)]
    begun = time.monotonic()
    while sum(one.running() for one in given) < 2:
        time.sleep(0.01)
    pool.shutdown(wait=True, cancel_futures=True)
    assert time.monotonic() - begun < 60
    assert all(one.done() for one in given)
    assert sum(one.cancelled() for one in given) == 3


def test_shutdown_waits_for_submitted_tasks():
    pool = Workers(2)
    found = [pool.submit(abs, -n) for n in range(5)]
    pool.shutdown()
    assert [one.result(0) for one in found] == [0, 1, 2, 3, 4]


def test_types_keep_their_identity_through_pickle():
    for known in (*TYPES.values(), TEXT):
        assert pickle.loads(pickle.dumps(known)) is known  # noqa: S301
