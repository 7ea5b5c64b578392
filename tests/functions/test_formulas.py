"""Built-ins that the specification defines by a formula evaluate it operation by operation, as their docstrings say."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath import reference
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES, round_enclosure
from tests.cases import for_each

FORMATS = [HALF, FLOAT, DOUBLE]


class Operations:
    """The operators and fma of one format and mode, by the reference."""

    def __init__(self, form, mode):
        self.form, self.mode = form, mode

    def __getattr__(self, name):
        def operation(*args):
            columns = [np.broadcast_to(np.asarray(a, self.form.dtype), args[0].shape).copy() for a in args]
            return round_enclosure(reference.enclose(name, columns, self.form)[0], self.form, self.mode)[0]

        return operation


@pytest.fixture(params=[(f, m) for f in FORMATS for m in MODES], ids=lambda p: f"{p[0]}-{p[1]}")
def on(request):
    return Operations(*request.param)


@pytest.fixture
def numbers(on):
    """Three columns: random bits, numbers near each other, and specials."""
    rng = np.random.default_rng(7)
    form = on.form
    bits = form.from_bits(rng.integers(0, 2**form.width, (3, 100), form.bits_dtype))
    with np.errstate(over="ignore"):
        near = rng.normal(1.0, 0.5, (3, 100)).astype(form.dtype)
        special = rng.choice([0.0, -0.0, 1.0, -1.0, 2.0, 0.5, np.inf, -np.inf, np.nan, form.largest], (3, 100))
        return np.concatenate([bits, near, special.astype(form.dtype)], axis=1)


@for_each("state", ["ON", "DEFAULT", "OFF"])
def test_mad(state, on, numbers, same):
    a, b, c = numbers
    with clmath.fp_contract(state):
        got = clmath.mad(a, b, c, rounding=on.mode)
    same(got, on.add(on.mul(a, b), c) if state == "OFF" else on.fma(a, b, c))


@for_each("state", ["ON", "OFF"])
def test_mix(state, on, numbers, same):
    x, y, a = numbers
    with clmath.fp_contract(state):
        got = clmath.mix(x, y, a, rounding=on.mode)
    difference = on.sub(y, x)
    same(got, on.add(x, on.mul(difference, a)) if state == "OFF" else on.fma(difference, a, x))


@for_each("state", ["ON", "OFF"])
def test_smoothstep(state, on, numbers, same):
    edge0, edge1, x = numbers
    with clmath.fp_contract(state):
        got = clmath.smoothstep(edge0, edge1, x, rounding=on.mode)
    t = on.div(on.sub(x, edge0), on.sub(edge1, edge0))
    t = np.fmin(np.fmax(t, 0), 1).astype(on.form.dtype)
    inside = on.mul(on.mul(t, t), on.sub(np.full_like(t, 3), on.mul(np.full_like(t, 2), t)))
    want = np.where(x <= edge0, 0, np.where(x >= edge1, 1, inside)).astype(on.form.dtype)
    same(got, np.where(np.isnan(numbers).any(axis=0), np.nan, want).astype(on.form.dtype))


def vectors(numbers, lanes):
    size = numbers.size // (2 * lanes) * 2 * lanes
    return numbers.reshape(-1)[:size].reshape(2, -1, lanes)


@for_each("lanes", [1, 2, 3, 4])
def test_dot(lanes, on, numbers, same):
    p0, p1 = vectors(numbers, lanes)
    with clmath.fp_contract("OFF"):
        got = clmath.dot(p0, p1, rounding=on.mode)
    want = on.mul(p0[:, 0], p1[:, 0])
    for k in range(1, lanes):
        want = on.add(want, on.mul(p0[:, k], p1[:, k]))
    same(got, want)
    columns = [p[:, k].copy() for p in (p0, p1) for k in range(lanes)]
    same(clmath.dot(p0, p1, rounding=on.mode), on.dot(*columns))


@for_each("state", ["ON", "OFF"])
@for_each("lanes", [3, 4])
def test_cross(lanes, state, on, numbers, same):
    p0, p1 = vectors(numbers, lanes)
    with clmath.fp_contract(state):
        got = clmath.cross(p0, p1, rounding=on.mode)
    (a, b, c), (d, e, f) = p0[:, :3].T, p1[:, :3].T

    def minor(r, s, t, u):
        if state == "OFF":
            return on.add(on.mul(r, s), on.mul(-t, u))
        return on.dot(r, -t, s, u)

    want = [minor(b, f, c, e), minor(c, d, a, f), minor(a, e, b, d)]
    same(got, np.stack([*want, *[np.zeros_like(a)] * (lanes - 3)], axis=-1))
