"""A few vectors in arrays as they are, which compiled code takes at once: the bits of the reference."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath import call, ladder
from clmath.call import rounded, rounded_plans
from clmath.engines import choice
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins

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


@pytest.mark.parametrize("contract", ["ON", "OFF"])
@pytest.mark.parametrize("name, form", ROWS, ids=str)
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


@pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.told()["native"])
def test_what_is_taken_at_once(monkeypatch):
    """As many lanes as ``FEW``, whatever the steps; what is more, or of two shapes, goes another way."""
    monkeypatch.setattr(rounded, "prepare", lambda *_: pytest.fail("prepared"))
    p = np.ones((500, 4), np.float32)
    clmath.length(p)
    clmath.dot(p, p[::-1])
    clmath.normalize(p[3])
    clmath.cross(p[:, :3].copy(), p[:, 1:])
    for args in ((np.ones((rounded_plans.FEW, 4)),), (p.T.copy().T[:, 0:0],), (p.reshape(2, 250, 4),)):
        with pytest.raises(pytest.fail.Exception):
            clmath.normalize(*args)
    with pytest.raises(pytest.fail.Exception):
        clmath.dot(p, p[0])


def test_shapes_and_the_order_of_memory():
    p = np.asfortranarray(np.arange(12.0).reshape(4, 3))
    assert clmath.normalize(p).flags.f_contiguous
    same(np.ascontiguousarray(clmath.normalize(p)), clmath.normalize(p.copy("C")))
    assert clmath.length(np.empty((0, 3))).shape == (0,)
    assert clmath.cross(np.empty((0, 3)), np.empty((0, 3))).shape == (0, 3)
    assert type(clmath.length(np.float32([3, 4]))) is np.float32
    with pytest.raises(clmath.ShapeError, match="5 lanes"):
        clmath.length(np.ones((2, 5)))
