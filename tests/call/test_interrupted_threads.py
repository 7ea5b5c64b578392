"""Ctrl-C, or an error, in a call with threads stops them all, and none of them runs when the caller goes on."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest

from clmath.call import slices

MAIN = threading.main_thread().ident
COUNT = 64  # blocks
POSIX = pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs POSIX")
ALARM = getattr(signal, "SIGALRM", signal.SIGTERM)


class Slow:
    """A step of 10 ms, which writes 1; in the first one something happens."""

    def __init__(self, happens):
        self._happens, self._first = happens, iter([True])
        self.begun, self.ended = [], []

    def __call__(self, _sources, targets):
        self.begun.append(1)
        if next(self._first, False):
            self._happens()
        time.sleep(0.01)
        targets[0][...] = 1
        self.ended.append(1)


@pytest.fixture
def handled():
    """Sets the handler of a signal for this test."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, ALARM)}
    yield signal.signal
    for number, handler in before.items():
        signal.signal(number, handler)


def run(step):
    """The results of ``step`` on several blocks in two threads, and the type of the exception that the call raises or
    None.
    """
    x = np.zeros(COUNT * slices.BLOCK, np.int8)
    out = np.zeros_like(x)
    try:
        slices.store_by_step("f()", step, slices.Operands.of([x], [out]), threads=2)
    except BaseException as error:  # noqa: BLE001
        return out, type(error)
    return out, None


@POSIX
@pytest.mark.parametrize("number, times", [(signal.SIGINT, 1), (signal.SIGINT, 3), (ALARM, 3)])
def test_a_signal_that_raises(number, times, handled):
    def pressed():
        for _ in range(times):
            signal.pthread_kill(MAIN, number)
            time.sleep(0.01)

    handled(number, signal.default_int_handler)
    step, threads = Slow(pressed), threading.active_count()
    out, raised = run(step)
    assert raised is KeyboardInterrupt
    assert len(step.ended) == len(step.begun) < COUNT // 2
    assert threading.active_count() <= threads + 1  # waits in the pool
    assert out.sum() == len(step.ended) * slices.BLOCK
    assert signal.getsignal(number) is signal.default_int_handler


@POSIX
def test_a_signal_that_does_not_raise(handled):
    seen = []
    handled(signal.SIGINT, lambda *_: seen.append(1))
    out, raised = run(Slow(lambda: signal.pthread_kill(MAIN, signal.SIGINT)))
    assert (seen, raised) == ([1], None)
    assert out.all()


def test_an_error_in_one_thread():
    def fails():
        raise ZeroDivisionError

    step = Slow(fails)
    _, raised = run(step)
    assert raised is ZeroDivisionError
    assert len(step.begun) < COUNT // 4
