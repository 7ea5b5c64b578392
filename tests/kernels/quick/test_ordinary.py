"""Kernels for ordinary arguments: attacked like those for all arguments, whose results they give."""

import numpy as np
import pytest

from clmath.engines import choice
from clmath.kernels import QUICK
from clmath.numbers.formats import FLOAT, HALF
from clmath.numbers.rounding import MODES

ORDINARY = sorted(QUICK.ordinary)
ENGINES = choice.installed()
APART = 16  # lanes between two that are not ordinary: less than any engine takes at a time


def ordinary_lanes(name, x):
    """Those of ``x`` that the kernel ``name`` calls ordinary."""
    with np.errstate(invalid="ignore"):
        doubles = x.astype(np.float64)
    return x[QUICK.kernels[name].ordinary_functions.holds(doubles)]


def attack_all(attack, name, form, x):
    x = ordinary_lanes(name, x)
    assert x.size > 10_000
    with np.errstate(all="ignore"):
        found = QUICK.kernels[name].ordinary_functions.function(x.astype(np.float64))
    for n, part in enumerate(QUICK.together.get(name, (name,))):
        attack(part, form, x, found=found[2 * n : 2 * n + 2])


@pytest.mark.parametrize("name", ORDINARY)
def test_every_half(name, attack):
    attack_all(attack, name, HALF, np.arange(65536, dtype=np.uint16).view(np.float16))


@pytest.mark.parametrize("name", ORDINARY)
def test_hard_floats(name, attack, hard_floats):
    attack_all(attack, name, FLOAT, hard_floats)


@pytest.mark.parametrize("name", ORDINARY)
def test_random_floats(name, attack, bit_patterns):
    attack_all(attack, name, FLOAT, bit_patterns(60_000, seed=5))


@pytest.mark.parametrize("name", ORDINARY)
def test_next_to_multiples_of_a_quarter_turn(name, attack):
    """Where results are smallest or peak, and what the pieces of pi leave out counts most."""
    x = (np.random.default_rng(7).integers(1, 667_000, 12_000) * (np.pi / 2)).astype(np.float32)
    attack_all(attack, name, FLOAT, np.concatenate([x, np.nextafter(-x, np.float32(0.0))]))


@pytest.mark.parametrize("name", ORDINARY)
def test_both_ways_give_the_same_results(name, bit_patterns):
    """Arguments that are not ordinary, strewn in, make the engines take the general way."""
    x = ordinary_lanes(name, bit_patterns(200_000, seed=6))
    strewn = x.copy()
    strewn[::APART] = np.inf
    for engine in ENGINES:
        for mode in MODES:
            (found, decided), (other, decided_too) = (results(engine, name, mode, values) for values in (x, strewn))
            counts = decided & decided_too
            counts[::APART] = False
            assert counts.sum() > 0.9 * x.size
            for one, two in zip(found, other, strict=True):
                assert np.array_equal(one[counts], two[counts])


def results(engine, name, mode, x):
    """(encodings of each result, which lanes are decided)."""
    kernel = QUICK.kernels[name]
    targets = [np.empty_like(x) for _ in range(kernel.results)]
    with np.errstate(all="ignore"):
        left = engine.rounded(kernel, FLOAT, mode, [x], targets)
    decided = np.ones(x.shape, bool)
    decided[left] = False
    return [FLOAT.bits(target) for target in targets], decided
