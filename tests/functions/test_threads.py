"""``threads``, in every function that takes ``out``: the same bits, and one message for what is no number of them."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import clmath
from clmath import errors
from clmath.call import chunks, plain, vectors, workers
from clmath.functions import groups, integer, operators
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import EXACT, builtins
from tests.cases import for_each
from tests.functions.test_where import as_tuple, function_of_bits, samples_of_bits

SHAPE = (301, 7)


@pytest.fixture
def shared(monkeypatch):
    """Few lanes are worth threads; how often work was shared."""
    seen = []
    monkeypatch.setattr(chunks, "CHUNK", 64)
    monkeypatch.setattr(plain, "WORTH_A_THREAD", 64)
    monkeypatch.setattr(plain, "FEW", 0)
    monkeypatch.setattr(vectors, "WORTH_A_THREAD", 64)
    monkeypatch.setattr(vectors, "FEW", 0)
    for module, name in ((plain, "helped"), (chunks, "at_once")):
        asked = getattr(workers, name)
        monkeypatch.setattr(module, name, lambda *given, asked=asked: (seen.append(1), asked(*given))[1])
    return seen


def same_bits(function, args, shared):
    """With threads as without, new arrays and given ones."""
    want = as_tuple(function(*args))
    found = as_tuple(function(*args, threads=3))
    out = tuple(np.empty_like(w) for w in want)
    function(*args, out=out if len(out) > 1 else out[0], threads=2)
    for one, two, three in zip(want, found, out, strict=True):
        assert one.dtype == two.dtype
        assert one.tobytes() == two.tobytes() == three.tobytes()
    assert shared


def test_every_function_that_takes_out_takes_threads():
    public = [f for n in clmath.__all__ if inspect.isfunction(f := getattr(clmath, n))]
    with_out = {f.__name__ for f in public if "out" in inspect.signature(f).parameters}
    rounding_stores = {"vstore_half", "vstorea_half"}
    whole = {"as_type", "swizzle", *groups.__all__}  # of bits, or over an axis
    assert with_out - whole | rounding_stores == {
        f.__name__ for f in public if "threads" in inspect.signature(f).parameters
    }


@for_each("name", builtins())
def test_built_ins_that_round(name, sampler, shared):
    same_bits(getattr(clmath, name), sampler(name, FLOAT).args(SHAPE), shared)


@for_each("name", builtins(*EXACT))
def test_built_ins_of_bits(name, shared):
    same_bits(function_of_bits(name), samples_of_bits(name, SHAPE), shared)


@for_each("name", ["add", "sub", "mul", "div", *operators.__all__])
def test_operators_of_integers(name, shared):
    function, rng = getattr(clmath, name), np.random.default_rng(len(name))
    parameters = [p for p in inspect.signature(function).parameters.values() if p.kind is p.POSITIONAL_ONLY]
    same_bits(function, [rng.integers(0, 9, SHAPE, np.int32) for _ in parameters], shared)


@for_each("wrong", [0, -2, 1.5, True, "2", None])
@for_each("name", ["floor", "clz", "isnan", "add", "rem", "equal", "any", "conditional", "dot"])
def test_what_is_no_number_of_threads(name, wrong):
    function = getattr(clmath, name)
    count = sum(p.kind is p.POSITIONAL_ONLY for p in inspect.signature(function).parameters.values())
    kinds = [np.int32] if name in {"clz", "any", "rem", "equal", "conditional"} else [np.float32]
    kinds += [np.int32] if name == "add" else []
    for kind in kinds:
        with pytest.raises(errors.RangeError, match=rf"^{name}\(\): threads=.* is no number of threads; 1 uses"):
            function(*[np.ones((2, 3), kind)] * count, threads=wrong)


def test_all_cores_and_integers_of_numpy(shared):
    x = np.arange(1000, dtype=np.int32)
    for threads in (-1, np.int64(2)):
        assert integer.clz(x, threads=threads).tobytes() == integer.clz(x).tobytes()
    assert shared
