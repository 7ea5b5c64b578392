"""Proofs of logarithms' bounds: parts are given what they are proven for."""

from __future__ import annotations

import collections
import math

import numpy as np
import pytest
from flint import arb

from clmath.kernels.double import logarithm as double
from clmath.kernels.quick import logarithm as quick
from clmath.numbers.lanes import two_sum
from proofs.engine.models import Cell
from proofs.families import logarithm
from tests.cases import for_each

KERNELS = [f"{rung}_{name}" for rung in ("double", "quick") for name in ("log", "log2", "log10", "log1p")]


def parts_of(kernel):
    return {part.name: part for part in getattr(logarithm, kernel)()}


def by_place(part):
    """The pieces of ``sum`` at each place."""
    found = collections.defaultdict(list)
    for (powers, place), low, high in part.pieces():
        found[place].append((powers, low, high))
    return found


def covered(pieces, k, j, m):
    return any(least <= k <= greatest and low <= m <= high for (least, greatest), low, high in pieces[j])


def next_to(x, steps=2):
    return (x.view(np.int64)[:, None] + np.arange(-steps, steps + 1)).ravel().view(np.float64)


@for_each("kernel", [name for name in KERNELS if not name.endswith("log1p")])
def test_every_argument_is_in_a_piece(kernel):
    part, rng = parts_of(kernel)["sum"], np.random.default_rng(7)
    of_double = kernel.startswith("double")
    x = np.concatenate([rng.integers(1, 2047 << 52, 2000).view(np.float64), np.exp2(rng.uniform(-0.5, 0.5, 2000))])
    x = np.concatenate(
        [x, next_to(x[-50:] * 2.0**-1030), np.arange(1, 20) * 2.0**-1074, next_to(2.0 ** np.arange(-9.0, 9.0))]
    )
    x = np.append(x, np.finfo(np.float64).max)
    if not of_double:
        x = next_to(np.exp2(np.append(rng.uniform(-149.0, 128.0, 2000), np.arange(-149.0, 128.0))))
        with np.errstate(over="ignore"):
            x = x.astype(np.float32).astype(np.float64)
        x = x[np.isfinite(x)]
    pieces = by_place(part)
    for argument in zip(*(double.reduced if of_double else quick.placed)(x), strict=True):
        assert covered(pieces, *(value.item() for value in argument))


@pytest.mark.parametrize("kernel", ["double_log1p", "quick_log1p"])
def test_every_argument_of_log1p_is_in_a_piece(kernel):
    """And what the sum lacks is as small as is said where the sum is taken for m."""
    parts, rng = parts_of(kernel), np.random.default_rng(8)
    part, near = parts["sum"], list(parts["near"].pieces())
    t = np.concatenate([np.exp2(rng.uniform(-30.0, 128.0, 3000)), -np.exp2(rng.uniform(-30.0, 0.0, 3000))])
    t = np.concatenate([t, next_to(np.exp2(np.arange(-26.0, 128.0))), next_to(-np.exp2(-np.arange(1.0, 26.0)))])
    if kernel.startswith("double"):
        t = np.concatenate([t, np.exp2(rng.uniform(-99.0, 1023.0, 3000)), [np.finfo(np.float64).max, -1.0 + 2.0**-53]])
        t = np.concatenate([t, next_to((double.LOWEST + (np.arange(257) << 44)).view(np.float64)) - 1.0])
        t = np.append(t, np.exp2(np.arange(1.0, 300.0)) * (1.0 - 2.0**-53))
    else:
        t = t.astype(np.float32).astype(np.float64)
    t = t[(t > -1.0) & np.isfinite(t) & (np.abs(t) >= part.family.one_plus.least)]
    total, left = two_sum(1.0, t)
    placed = double.placed(total.view(np.int64)) if kernel.startswith("double") else quick.placed(total)
    pieces, places = by_place(part), {place for _, place, _ in part.family.one_plus.near}
    for one, lacked, whole, *argument in zip(t.tolist(), left.tolist(), total.tolist(), *placed, strict=True):
        k, j, m = (value.item() for value in argument)
        if k == 0 and j in places:
            assert any(
                low <= one <= high and which[1] == j and math.ldexp(m, which[2]) == whole for which, low, high in near
            )
            continue
        assert covered(pieces, k, j, m)
        q = int(k) - part.family.layout.carried(j)
        cell = Cell(arb(m), arb(m), (q, q))
        logarithm._left(part.family.one_plus, cell)
        assert abs(arb(lacked)) <= cell.bounds[0] * arb(2) ** q


def test_powers_of_k_are_those_of_all_arguments():
    x = np.array([2.0**-1074, 2.0**-1022, np.finfo(np.float64).max])
    assert double.reduced(x)[0].tolist() == [-1074, -1022, 1024]
    assert logarithm._POWERS == (-1074, 1024)
