"""``engine`` and ``threads`` are passed on and determine the number of parts of a call, but never its results."""

from __future__ import annotations

import inspect
import subprocess
import sys

import numpy as np
import pytest

import clmath
from clmath import call, errors, phases
from clmath.call import plans, slices
from clmath.engines import choice
from clmath.functions import integer
from clmath.numbers.formats import FLOAT, FORMATS
from tests import conftest
from tests.builtins import CASES, Case, as_tuple, sample
from tests.cases import for_each

SHAPE = (301, 7)
WITH_KERNEL = [case for case in CASES if case.form is FLOAT and phases.has_kernel(case.name, FLOAT)]
ENGINES = ["auto", *(engine.name for engine in choice.installed())]


@for_each("case", WITH_KERNEL)
def test_every_function_passes_its_keywords_on(case, monkeypatch, no_plans):  # noqa: ARG001
    seen = []
    monkeypatch.setattr(plans, "_KNOWN", frozenset())
    monkeypatch.setattr(call, "floats", lambda *given: seen.append(given) or (1, 2))
    args, out, where, function = sample(case, (2,)), object(), object(), getattr(clmath, case.name)
    function(*args, rounding="rtp", out=out, where=where, engine="native", threads=3)
    function(*args)
    assert seen == [(case.name, args, "rtp", out, where, "native", 3), (case.name, args, None, None, True, "auto", 1)]


@pytest.fixture
def parts(monkeypatch):
    """Arrays are cut from a few elements on; a list that grows by the part of the results that each slice has."""
    seen = []
    stored = slices._stored

    def noted(ufunc, args, results):
        seen.append(results[0].size)
        stored(ufunc, args, results)

    monkeypatch.setattr(plans, "_FEW", 10)
    monkeypatch.setattr(slices, "SLICE", 10)
    monkeypatch.setattr(slices, "LEAST", 4)
    monkeypatch.setattr(slices, "_stored", noted)
    return seen


@for_each("form", FORMATS)
@for_each("name", ["sin", "pow", "pown", "sincos", "lgamma_r"])  # two arguments, an int, two results, an int result
def test_slices_change_nothing(name, form, parts):
    args, function = sample(Case(name, form), (7, 5)), getattr(clmath, name)
    want = as_tuple(function(*args, engine="numpy"))
    for engine in ENGINES:
        for threads in (1, 2, 3):
            for layout in (np.array, *conftest.LAYOUTS.values()):
                parts.clear()
                found = as_tuple(function(*map(layout, args), engine=engine, threads=threads))
                assert sum(parts) % args[0].size == 0
                assert len(parts) >= 3
                assert max(parts) <= (14 if threads == 1 else 7)  # of 35, along an axis of seven
                assert [f.tobytes() for f in found] == [w.tobytes() for w in want], (engine, threads, layout)
            memory = np.append(args[0], args[0].ravel()[:1])
            out = (memory[1:].reshape(7, 5), *map(np.empty_like, want[1:]))
            first = memory[:-1].reshape(7, 5)
            function(first, *args[1:], out=out if len(out) > 1 else out[0], engine=engine, threads=threads)
            assert [o.tobytes() for o in out] == [w.tobytes() for w in want]


@for_each("case", WITH_KERNEL)
def test_unknown_engines(case):
    for wrong in ("cuda", "numba", "NumPy", "", None, 1):
        message = (
            rf"^{case.name}\(\): engine={wrong!r} is not one of 'auto', 'numpy', 'native'(; did you mean 'numpy'\?)?$"
        )
        with pytest.raises(clmath.UnknownNameError, match=message):
            getattr(clmath, case.name)(*sample(case, (2,)), engine=wrong)


def test_calls_succeed_without_threads_while_the_interpreter_ends():
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


@for_each("name", ["floor", "sin", "clz", "isnan", "add", "rem", "equal", "any", "conditional", "dot"])
def test_invalid_numbers_of_threads_are_refused(name):
    function = getattr(clmath, name)
    count = sum(p.kind is p.POSITIONAL_ONLY for p in inspect.signature(function).parameters.values())
    kinds = [np.int32] if name in {"clz", "any", "rem", "equal", "conditional"} else [np.float32]
    kinds += [np.int32] if name == "add" else []
    message = rf"^{name}\(\): threads=.* is not a number of threads; 1 uses .*: give a positive int or"
    for kind in kinds:
        for wrong in (0, -2, 1.5, True, np.True_, "2", None, np.int64(0)):
            with pytest.raises(errors.RangeError, match=message):
                function(*[np.ones((2, 3), kind)] * count, threads=wrong)


@for_each("threads", [-1, np.int64(2), np.uint8(1), np.int32(-1)])
def test_all_cores_and_integers_of_numpy(threads):
    x = np.arange(40_000, dtype=np.int32)
    assert integer.clz(x, threads=threads).tobytes() == integer.clz(x).tobytes()
    assert clmath.sin(x * 1.0, threads=threads).tobytes() == clmath.sin(x * 1.0).tobytes()


def test_minus_one_takes_the_cores_that_the_process_may_use(monkeypatch):
    for known in ({1, 4, 7}, {0}):
        monkeypatch.setattr("os.sched_getaffinity", lambda _, cores=known: cores, raising=False)
        assert slices.checked_threads("sin", -1) == len(known)
