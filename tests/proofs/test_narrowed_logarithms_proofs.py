"""Proofs of fine's log, log2 and log10: parts are given what they are proven for."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from proofs.families import double_power
from proofs.families import narrowed_logarithms as proofs
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs.proofs_of import fine_parts, told

KERNELS = tuple(proofs.CLAIMED)
CONTRACTS = proofs._CONTRACTS
EXACTLY = gmpy2.context(precision=400)


def arguments(draw, count):
    """Positive doubles of all binades, next to 1, to powers of two, to sqrt(2) and to where n changes."""
    rng = np.random.default_rng(draw.getrandbits(32))
    ties = np.exp2((np.arange(-128, 128) + 0.5) / 256)
    powers = np.exp2(rng.integers(-1070, 1023, 40).astype(float))
    ends = np.concatenate([ties, powers, [math.sqrt(2.0), math.sqrt(0.5)]])
    x = np.concatenate(
        [
            *(np.nextafter(ends, way) for way in (0.0, np.inf)),
            powers,
            np.exp2(rng.uniform(-1074.0, 1024.0, count)),
            np.exp2(rng.uniform(-0.5, 0.5, count)),
            1.0 + np.exp2(rng.uniform(-52.0, -1.0, count)) * rng.choice((-1.0, 1.0), count),
            rng.integers(1, 1 << 52, 40).view(np.float64),
            [5e-324, 2.0**-1022, np.finfo(np.float64).max, 1.0 - 2.0**-53, 1.0 + 2.0**-52],
        ]
    )
    return x[(x > 0.0) & (x < np.inf) & (x != 1.0)]


def values_of(name, x):
    """All values of the trace, told what the double kernel gives; and that."""
    given = told(name, x)
    return concrete.values(fine_parts(name)["sums"].traced, x, *given), given


@for_each("name", KERNELS)
def test_each_part_is_given_values_that_the_one_before_leaves(name, draw):
    """The contracts, at arguments of all kinds: by MPFR, with the values of the trace."""
    family, x = fine_parts(name)["sums"].family, arguments(draw, 150)
    values, _ = values_of(name, x)
    numbers = (family.m, family.k, *family.log, *family.rest, *family.left, family.n, *family.rise)
    for i, one in enumerate(x.tolist()):
        found = [gmpy2.mpfr(values[number][i].item()) for number in (*numbers, family.step, family.change)]
        m, k, l, l_lo, t, t_lo, left, left_lo, n, rise, rise_lo, step, change = found
        with EXACTLY:
            size, apart = abs(l), t + t_lo - (l + l_lo - k)
            d = m * gmpy2.exp2(-(t + t_lo)) - 1
            left_out = 2.0**-139 if k else 0.0
            assert m * gmpy2.exp2(k) == one
            assert abs(l + l_lo - gmpy2.log2(gmpy2.mpfr(one))) <= double_power.OFF * size
            assert abs(apart) <= CONTRACTS.apart * size if k else apart == 0
            assert abs(d) <= CONTRACTS.slight * size
            assert abs(step - gmpy2.log2(1 + d)) <= change + left_out + CONTRACTS.beside * size
            assert left + left_lo + t + t_lo + n / 256 == 0
            assert abs(rise + rise_lo - gmpy2.expm1((left + left_lo) * gmpy2.const_log2())) <= proofs._RISE_OFF
        assert abs(step) <= CONTRACTS.step * size
        assert 0 <= change <= CONTRACTS.change * abs(t) or (k and change <= CONTRACTS.change * 0.49)
        assert abs(rise) <= proofs._RISE
        assert abs(rise_lo) <= proofs._RISE_LO


@pytest.mark.slow
@for_each("name", KERNELS)
def test_every_argument_is_in_a_piece(name, draw):
    """Of each part that speaks of it."""
    parts = fine_parts(name)
    family, x = parts["sums"].family, arguments(draw, 100)
    values, told = values_of(name, x)
    pieces = {name: list(part.pieces()) for name, part in parts.items()}

    def has(part, which, at):
        return any(of == which and low <= at <= high for of, low, high in pieces[part])

    log, whole, k, t, left, rise, n = (
        values[number].tolist()
        for number in (family.log[0], family.whole, family.k, family.rest[0], family.left[0], family.rise[0], family.n)
    )
    is_subnormal = (x < 2.0**-1022).tolist()
    for i in range(x.size):
        is_near = k[i] == 0
        assert has("halves", (is_subnormal[i], int(whole[i] > math.sqrt(2.0))), whole[i])
        assert has("rests", k[i], log[i])
        assert has("sums", is_near, log[i])
        if t[i] != 0.0:
            assert any(low <= t[i] <= high for _, low, high in pieces["steps"])
        if n[i]:
            assert has("step", (is_near, n[i]), rise[i])
            assert has("rise", int(left[i] != 0.0), left[i])
        else:
            assert has("step near 0", is_near, t[i])
    assert values[family.own.taken].mean() > 0.8
    assert (values[family.own.scale] == 1.0).all()
    assert not np.any(told[3])
