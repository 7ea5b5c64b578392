"""``engine`` and ``threads`` decide how fast a result comes, never which."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import clmath
from clmath import call, ladder
from clmath.call import chunks, plain
from clmath.engines import choice
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins

NAMES = [name for name in builtins() if ladder.has_kernel(name, FLOAT)]
KINDS = ("sin", "pow", "pown", "sincos", "lgamma_r")  # one and two arguments, an int, two results, an int result
NEEDS_NATIVE = pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.told()["native"])
ENGINES = [
    "auto",
    "numpy",
    pytest.param("native", marks=NEEDS_NATIVE),
]


def function(name):
    return getattr(clmath, name)


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.fixture
def sample(request, sampler):
    """The sampler of a name, in float, which every built-in has."""
    return sampler(request.param, FLOAT)


@pytest.fixture
def parts(monkeypatch):
    """Arrays are cut from a few lanes on; a list that grows by one for every part that a call is cut into."""
    seen = []
    monkeypatch.setattr(chunks, "CHUNK", 4)
    monkeypatch.setattr(chunks.guard, "refuse_altered_arithmetic", seen.append)
    helped, is_done = plain.helped, plain._is_done

    def noted(helpers, job, others, *given):
        seen[:] = [job] * (1 + others)
        helped(helpers, job, others, *given)

    def tried(*given):
        done = is_done(*given)
        if not done:  # another way is gone
            seen.clear()
        return done

    monkeypatch.setattr(plain, "FEW", 0)
    monkeypatch.setattr(plain, "WORTH_A_THREAD", 4)
    monkeypatch.setattr(plain, "helped", noted)
    monkeypatch.setattr(plain, "_is_done", tried)
    return seen


@pytest.mark.parametrize("sample", NAMES, indirect=True)
def test_every_function_passes_its_keywords_on(sample, monkeypatch):
    seen = []
    monkeypatch.setattr(call, "floats", lambda *given: seen.append(given) or (1, 2))
    args, out, where = sample.args((2,)), object(), object()
    function(sample.name)(*args, rounding="rtp", out=out, where=where, engine="native", threads=3)
    function(sample.name)(*args)
    assert seen == [
        (sample.name, args, "rtp", out, where, "native", 3),
        (sample.name, args, None, None, True, "auto", 1),
    ]


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("form", [HALF, FLOAT, DOUBLE], ids=str)
@pytest.mark.parametrize("name", KINDS)
class TestTheBitsAreTheSame:
    """Whatever the engine, the threads and the layout."""

    @pytest.fixture
    def sample(self, name, form, sampler):
        return sampler(name, form)

    @pytest.fixture
    def call(self, sample, engine, threads, parts):
        """The call in question."""

        def evaluated(*args, **options):
            parts.clear()
            return function(sample.name)(*args, engine=engine, threads=threads, **options)

        return evaluated

    @pytest.fixture
    def check(self, sample, call, same):
        """Asserts that the call gives what NumPy gives for contiguous arrays in one thread."""

        def checked(*args, **options):
            plain = function(sample.name)(*(np.array(a, order="C") for a in args), engine="numpy", **options)
            same(call(*args, **options), plain)

        return checked

    def test_in_every_layout(self, sample, check, layouts, threads, parts):
        args = sample.args((7, 5))
        for layout in (np.array, *vars(layouts).values()):
            check(*map(layout, args))
            assert len(parts) == threads

    def test_in_every_mode(self, sample, check):
        args = sample.args((40,))
        for mode in MODES:
            check(*args, rounding=mode)

    def test_of_shapes_that_broadcast(self, sample, call, check, same):
        args = (sample.args((7, 1))[0], *sample.args((5,), seed=1)[1:])
        whole = [a.copy() for a in np.broadcast_arrays(*args)]
        same(call(*args), function(sample.name)(*whole))
        check(np.broadcast_to(args[0], (7, 5)), *args[1:])

    def test_of_scalars_and_empty_arrays(self, sample, check):
        check(*(a[()] for a in sample.args(())))
        check(*sample.args((0,)))
        check(*sample.args((3, 0, 2)))

    def test_in_out(self, sample, call, same):
        args = sample.args((7, 5))
        expected = as_tuple(function(sample.name)(*args))
        out = tuple(np.empty_like(e)[::-1] for e in expected)
        given = out if len(out) > 1 else out[0]
        assert call(*args, out=given) is given
        same(out, expected)

    def test_in_an_out_that_overlaps_an_argument(self, sample, call, same, parts):
        x, *rest = sample.args((40,))
        expected = as_tuple(function(sample.name)(x, *rest))
        for shift in (0, 1):
            memory = np.append(x, x[:1])
            out = (memory[shift : shift + 40], *map(np.empty_like, expected[1:]))
            call(memory[:40], *rest, out=out if len(out) > 1 else out[0])
            same(out, expected)
            assert len(parts) == 1  # one loop orders the accesses


@pytest.mark.parametrize("sample", NAMES, indirect=True)
def test_unknown_engines(sample):
    for wrong in ("cuda", "numba", "NumPy", "", None, 1):
        message = (
            rf"^{sample.name}\(\): engine={wrong!r} is not one of 'auto', 'numpy', 'native'"
            r"(; did you mean 'numpy'\?)?$"
        )
        with pytest.raises(clmath.UnknownNameError, match=message):
            function(sample.name)(*sample.args((2,)), engine=wrong)


@pytest.mark.parametrize("sample", NAMES, indirect=True)
def test_numbers_of_threads_that_are_none(sample):
    for wrong in (0, -2, 2.0, "2", None, True):
        message = rf"^{sample.name}\(\): threads={wrong!r} is no number of threads; 1 uses"
        with pytest.raises(clmath.RangeError, match=message):
            function(sample.name)(*sample.args((2,)), threads=wrong)


def test_threads_are_no_need_while_the_interpreter_ends():
    code = """
import atexit, threading
import numpy as np
import clmath

x = np.linspace(0, 1, 100000, dtype=np.float32)
want = clmath.exp(x).tobytes()
atexit.register(lambda: print("at exit", clmath.exp(x, threads=4).tobytes() == want))

def late():
    threading.main_thread().join()
    print("late", clmath.exp(x, threads=4).tobytes() == want)

threading.Thread(target=late).start()
"""
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, run.returncode) == ("late True\nat exit True\n", "", 0)
