"""Ufuncs on large arrays, slice after slice: the bits of one call, errors and signals raised soon."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest

import clmath
from clmath import phases
from clmath.call import slices
from clmath.engines import choice, ufuncs
from clmath.pragmas import contracts
from tests.cases import for_each

pytestmark = pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.states()["native"])
POSIX = pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs POSIX")


def half_undecided(count):
    """Floats, every fourth of which has a square root that kernels leave undecided."""
    return np.resize(np.float32([1 - 2**-24, 0.25, 2.0, 3.0]), count)


@pytest.mark.slow
@for_each("threads", [1, 3])
@for_each("shape", [(400_001,), (3, 150_000), (150_000, 3), (7, 11, 4001), (1, 300_000)])
def test_slices_have_the_bits_of_one_call(shape, threads):
    x = np.random.default_rng(1).uniform(0.1, 3, shape)
    want = np.stack([clmath.pow(row, 1.5) for row in x.reshape(-1, shape[-1])]).reshape(shape)
    for layout in (x, np.asfortranarray(x), np.repeat(x, 2, axis=-1)[..., ::2]):
        assert np.array_equal(clmath.pow(layout, 1.5, threads=threads), want)
    out = x.copy()
    assert clmath.pow(out, 1.5, out=out, threads=threads) is out
    assert np.array_equal(out, want)


@for_each("threads", [1, 2])
def test_results_that_are_arguments_of_other_slices_are_right(threads):
    x = np.random.default_rng(2).uniform(0.1, 3, 400_001)
    want, memory = clmath.exp(x[:-1]), x.copy()
    clmath.exp(memory[:-1], out=memory[1:], threads=threads)
    assert memory[1:].tobytes() == want.tobytes()


@for_each("threads", [1, 3])
def test_an_error_where_elements_are_decided_stops_every_thread(threads, monkeypatch):
    def fails(*_):
        raise ZeroDivisionError

    x = half_undecided(1 << 20)
    out = np.zeros_like(x)
    with monkeypatch.context() as patched:
        patched.setattr(phases, "by_reference", fails)
        with pytest.raises(ZeroDivisionError):
            clmath.pow(x, 0.5, out=out, threads=threads)
    count = np.count_nonzero(out)
    time.sleep(0.05)
    assert np.count_nonzero(out) == count < x.size
    assert clmath.pow(x[:4_999], 0.5, threads=threads).tobytes() == clmath.pow(x[:4_999], 0.5).tobytes()


@POSIX
@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_is_answered_soon(threads, monkeypatch):
    decided, decide = [], phases.by_reference

    def pressed(*given):
        decided.append(1)
        if len(decided) == 2:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        return decide(*given)

    monkeypatch.setattr(phases, "by_reference", pressed)
    x = half_undecided(1 << 20)
    out = np.zeros_like(x)
    with pytest.raises(KeyboardInterrupt):
        clmath.pow(x, 0.5, out=out, threads=threads)
    count = np.count_nonzero(out)
    assert 0 < count < x.size
    time.sleep(0.05)
    assert np.count_nonzero(out) == count


def test_few_elements_are_not_worth_a_thread(monkeypatch):
    monkeypatch.setattr(slices, "_pool", None)
    x = np.linspace(-2, 2, 10_000)
    assert clmath.exp(x, threads=4).tobytes() == clmath.exp(x).tobytes()


def test_an_error_in_every_run_of_a_loop_is_raised_once(monkeypatch):
    """NumPy runs the loop several times for such an array."""
    x = half_undecided(64 * 1001).reshape(64, 1001)[:, ::2]
    with monkeypatch.context() as patched:
        for refer in ("by_reference", "_one_by_one"):
            patched.setattr(phases, refer, lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            clmath.pow(x, 0.5)
    assert clmath.pow(np.float32(4), 0.5) == 2
    assert not ufuncs.RAISED


def test_threads_have_the_pragmas_of_the_caller():
    seen, x, result = [], np.ones(1 << 18), np.empty(1 << 18)
    with clmath.fp_contract("OFF"):
        slices.store(lambda *_, out: seen.append((out, contracts())), slices.Operands.of([x], [result]), threads=4)
    assert len(seen) > 4
    assert not any(is_contracted for _, is_contracted in seen)


@POSIX
def test_a_signal_is_answered_soon_where_small_arrays_broadcast(monkeypatch):
    """Ufuncs took all of these elements at once."""
    decided, decide = [], phases.by_reference

    def pressed(*given):
        decided.append(1)
        if len(decided) == 1:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        return decide(*given)

    x, y = half_undecided(2048)[:, np.newaxis], np.full(2048, 0.5, np.float32)
    clmath.pow(x[:5], y[:5]), clmath.pow(x[:5, 0], y[:5])
    monkeypatch.setattr(phases, "by_reference", pressed)
    with pytest.raises(KeyboardInterrupt):
        clmath.pow(x, y)
    assert len(decided) * slices.SLICE < x.size * y.size


def test_threads_that_cannot_begin_are_done_without(monkeypatch):
    """The call waits for the threads that have begun."""
    pool = slices._pool()

    class Full:
        left = 1

        def submit(self, *given):
            if not self.left:
                raise RuntimeError("can't start new thread")
            self.left -= 1
            return pool.submit(*given)

    full = Full()
    monkeypatch.setattr(slices, "_pool", lambda: full)
    x = np.linspace(0.1, 3, 1 << 19)
    assert clmath.pow(x, 1.5, threads=4).tobytes() == clmath.pow(x, 1.5).tobytes()


@for_each("form", ["f2", "f4", "f8"])
@for_each("place", [0, 1])
def test_single_results_over_an_argument_equal_results_in_a_new_array(form, place):
    """For one element all steps are 0, and the argument and the result share their memory."""
    args = [np.array([5], form), np.array([7], form)]
    want = clmath.hypot(*args)
    assert clmath.hypot(*args, out=args[place]).tobytes() == want.tobytes()
