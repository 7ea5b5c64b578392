"""Vectors in arrays as they are, few or many, which compiled code takes at once: the bits of the reference."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath import call, ladder
from clmath.call import rounded
from clmath.engines import choice
from clmath.engines.native.arrays import FEW
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins
from tests.cases import for_each

GEOMETRIC = {name: row for name, row in builtins().items() if row.widths}
ROWS = [(name, form) for name, row in GEOMETRIC.items() for form in FORMATS if form in row.formats]
SPECIAL = (0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan)


def vectors(form, count, width, seed):
    """Random ones of all sizes, and special lanes."""
    rng = np.random.default_rng(seed)
    found = rng.normal(size=(count, width)) * 2.0 ** rng.integers(-12, 12, (count, width))
    some = rng.random((count, width)) < 0.2
    found[some] = rng.choice([*SPECIAL, form.largest, form.smallest_normal], some.sum())
    return found.astype(form.dtype)


def wanted(name, form, mode, args, contract):
    """Results of the reference; in steps, which it does not know, those of NumPy's engine."""
    if contract == "ON":
        return call.by_reference(name, args, mode)
    return rounded._evaluated(call.prepare(name, args), ladder.step(name, form, mode, choice.PLAIN), None)


def same(got, want):
    assert (type(got), got.shape, got.dtype) == (type(want), want.shape, want.dtype)
    assert got.tobytes() == want.tobytes()


@for_each("contract", ["ON", "OFF"])
@for_each("name, form", ROWS)
def test_the_bits_of_the_reference(name, form, contract):
    row, function = GEOMETRIC[name], getattr(clmath, name)
    with clmath.fp_contract(contract):
        for width in row.widths:
            args = [vectors(form, 60, width, seed) for seed in range(len(row.inputs))]
            for mode in MODES:
                want = wanted(name, form, mode, tuple(args), contract)
                same(function(*args, rounding=mode), want)
                same(function(*[a[::2] for a in args], rounding=mode), np.ascontiguousarray(want[::2]))
                for i in range(3):
                    same(function(*[a[i] for a in args], rounding=mode), want[i])


compiled = pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.told()["native"])


@compiled
def test_what_is_taken_at_once(monkeypatch):
    """Vectors of one shape, or beside one vector, whatever the steps; what cannot be joined goes another way."""
    monkeypatch.setattr(rounded, "prepare", lambda *_: pytest.fail("prepared"))
    p = np.ones((500, 4), np.float32)
    clmath.length(p)
    clmath.dot(p, p[::-1])
    clmath.dot(p, p[0])
    clmath.normalize(p[3])
    clmath.cross(p[:, :3].copy(), p[:, 1:])
    clmath.normalize(np.ones((FEW, 4)))
    clmath.normalize(p.reshape(2, 250, 4))
    clmath.normalize(p, out=np.empty_like(p))
    clmath.dot(p, p, out=np.empty(500, np.float32), threads=2)
    cut = np.ones((20, 300, 4), np.float32)[:, ::2]
    for args in ((p.T.copy().T[:, 0:0],), (cut[:10, :100],), (p.astype(">f4"),)):
        with pytest.raises(pytest.fail.Exception):
            clmath.normalize(*args)
    with pytest.raises(pytest.fail.Exception):
        clmath.normalize(p, out=p)  # results that share memory with arguments


def apart(form, count, width, seed):
    """Vectors of random encodings, which lie far apart, infinities and NaN among them."""
    codes = np.random.default_rng(seed).integers(0, 1 << form.width, (count, width), dtype=np.uint64)
    return form.from_bits(codes.astype(form.bits_dtype))


LAYOUTS = {
    "plain": lambda p: p.copy(),
    "strided": lambda p: np.repeat(p, 2, axis=0)[::2],
    "backwards": lambda p: p[::-1, ::-1].copy()[::-1, ::-1],
    "columns": np.asfortranarray,
    "wider": lambda p: np.concatenate([p, p], axis=1)[:, : p.shape[1]],
    "of three axes": lambda p: p.reshape(-1, 100, p.shape[1]),
}


@compiled
@for_each("layout", LAYOUTS)
@for_each("name, form", ROWS)
def test_many_vectors_have_the_bits_of_numpy(name, form, layout):
    """Far apart and near, in new arrays and in given ones, by one thread and by two, several pieces of each."""
    row, function = GEOMETRIC[name], getattr(clmath, name)
    width = row.widths[-1]
    given = []
    for seed in range(len(row.inputs)):
        some = [apart(form, 5000, width, seed), vectors(form, 5000, width, seed)]
        given.append(np.concatenate(some)[np.random.default_rng(9).permutation(10000)])
    args = [LAYOUTS[layout](p) for p in given]
    for mode in MODES[::2] if layout != "plain" else MODES:
        want = by_numpy(name, form, mode, args)
        got = function(*args, rounding=mode)
        same(np.ascontiguousarray(got), np.ascontiguousarray(want))
        for threads in (1, 2):
            out = np.full_like(want, 77)
            assert function(*args, rounding=mode, out=out, threads=threads) is out
            same(out, np.ascontiguousarray(want))


def by_numpy(name, form, mode, args):
    """The results of NumPy's engine."""
    step = ladder.step(name, form, mode, choice.PLAIN)
    return rounded._evaluated(call.prepare(name, tuple(args)), step, None)


@compiled
@pytest.mark.parametrize("name", [name for name, row in GEOMETRIC.items() if len(row.inputs) == 2])
def test_many_vectors_beside_one(name):
    form = GEOMETRIC[name].formats[-1]
    many, one = vectors(form, 3000, 3, 1), vectors(form, 1, 3, 2)[0]
    for args in ((many, one), (one, many)):
        want = by_numpy(name, form, "rtp", args)
        out = np.full_like(want, 7.0)
        same(getattr(clmath, name)(*args, rounding="rtp", out=out), want)
        same(getattr(clmath, name)(*args, rounding="rtp"), want)


@compiled
def test_what_compiled_code_leaves_is_filled_in():
    """Lengths that lie next to a midpoint, some of them exactly on it, among others; also of one vector."""
    p = np.ones((4000, 2))
    p[::7] = 2.0**53, 2.0**26 * np.sqrt(2.0)
    p[1::9] = 1.0, 2.0**-26 * (1.0 + 2.0**-40)
    p[5::11] = 3.0, 4.0
    for mode in MODES:
        want = by_numpy("length", FORMATS[-1], mode, [p])
        same(clmath.length(p, rounding=mode), want)
        same(clmath.length(p.reshape(40, 100, 2), rounding=mode), want.reshape(40, 100))
        for i in (0, 1, 5):
            same(clmath.length(p[i], rounding=mode), want[i])
            same(clmath.length(p[i : i + 1], rounding=mode, out=np.empty(1)), want[i : i + 1])


def test_shapes_and_the_order_of_memory():
    p = np.asfortranarray(np.arange(12.0).reshape(4, 3))
    assert clmath.normalize(p).flags.f_contiguous
    same(np.ascontiguousarray(clmath.normalize(p)), clmath.normalize(p.copy("C")))
    assert clmath.length(np.empty((0, 3))).shape == (0,)
    assert clmath.cross(np.empty((0, 3)), np.empty((0, 3))).shape == (0, 3)
    assert type(clmath.length(np.float32([3, 4]))) is np.float32
    with pytest.raises(clmath.ShapeError, match="5 lanes"):
        clmath.length(np.ones((2, 5)))
