"""Fast kernels with other code paths: several results together, and functions for ordinary arguments alone."""

import numpy as np
import pytest

from clmath.engines import choice
from clmath.kernels import FAST
from clmath.numbers.formats import FLOAT, HALF
from clmath.numbers.rounding import MODES
from tests.cases import for_each

TOGETHER = list(FAST.together)
ORDINARY = sorted(kernel.name for kernel in FAST.kernels.values() if kernel.record.ordinary)
ENGINES = choice.installed()
APART = 16  # elements between two that are not ordinary: less than any engine takes at a time
HALFS = np.arange(65536, dtype=np.uint16).view(np.float16)
counted = pytest.mark.parametrize("count", [3000, pytest.param(20_000, marks=pytest.mark.slow)])


def ordinary(name, x):
    """The elements of ``x`` that the kernel ``name`` calls ordinary."""
    with np.errstate(invalid="ignore"):
        doubles = x.astype(np.float64)
    return x[FAST.kernels[name].record.ordinary.holds(doubles)]


def attack_all(attack, name, form, x, function):
    with np.errstate(all="ignore"):
        found = function(x.astype(np.float64))
    for n, part in enumerate(FAST.together.get(name, (name,))):
        attack(part, form, x, found=found[2 * n : 2 * n + 2])


def some_floats(count, hard_floats, bit_patterns):
    """Hard floats, random ones, and multiples of a quarter turn, where the truncation of pi's parts matters most."""
    rng = np.random.default_rng(7)
    turns = (rng.integers(1, 667_000, count) * (np.pi / 2)).astype(np.float32)
    return np.concatenate([rng.choice(hard_floats, count), bit_patterns(count, seed=5), turns])


@counted
@for_each("name", TOGETHER)
def test_results_together(name, count, attack, hard_floats, bit_patterns):
    kernel = FAST.kernels[name]
    assert kernel.results == len(FAST.together[name]) > 1
    attack_all(attack, name, HALF, HALFS, kernel.function)
    attack_all(attack, name, FLOAT, some_floats(count, hard_floats, bit_patterns), kernel.function)


@pytest.mark.slow
@counted
@for_each("name", ORDINARY)
def test_functions_for_ordinary_arguments(name, count, attack, hard_floats, bit_patterns):
    function = FAST.kernels[name].record.ordinary.function
    x = ordinary(name, some_floats(count, hard_floats, bit_patterns))
    assert x.size > count
    attack_all(attack, name, FLOAT, x, function)
    attack_all(attack, name, HALF, ordinary(name, HALFS), function)


@for_each("name", ORDINARY)
def test_both_code_paths_give_the_same_results(name, bit_patterns):
    """Arguments that are not ordinary, mixed in, make the engines take the general path."""
    x = ordinary(name, bit_patterns(20_000, seed=6))
    strewn = x.copy()
    strewn[::APART] = np.inf
    for engine in ENGINES:
        for mode in MODES:
            (found, known), (other, known_too) = (decided(engine, name, FLOAT, mode, one) for one in (x, strewn))
            counts = known & known_too
            counts[::APART] = False
            assert counts.sum() > 0.9 * x.size
            for one, two in zip(found, other, strict=True):
                assert np.array_equal(FLOAT.bits(one)[counts], FLOAT.bits(two)[counts])


@pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.states()["native"])
@for_each("form", [HALF, FLOAT])
@for_each("name", TOGETHER)
def test_the_engines_give_the_bits_of_the_single_kernels(name, form, bit_patterns):
    x = bit_patterns(20_000, seed=4).view(np.uint32).astype(form.bits_dtype).view(form.dtype)
    parts = FAST.together[name]
    for mode in MODES:
        plain, known = decided(choice.ENGINES["numpy"], name, form, mode, x)
        fast, known_by_fast = decided(choice.ENGINES["native"], name, form, mode, x)
        assert np.array_equal(known, known_by_fast)
        for part, one, other in zip(parts, plain, fast, strict=True):
            (alone,), known_alone = decided(choice.ENGINES["numpy"], part, form, mode, x)
            for rival in (other, alone):
                differ = (form.bits(one) != form.bits(rival)) & ~(np.isnan(one) & np.isnan(rival))
                differ &= known & known_alone
                assert not differ.any(), f"{name} {mode}: {x[differ][:5]}: {one[differ][:5]} {rival[differ][:5]}"


def decided(engine, name, form, mode, x):
    """The results of one kernel, and which elements it decides."""
    kernel = FAST.kernels[name]
    targets = [np.empty_like(x) for _ in range(kernel.results)]
    with np.errstate(all="ignore"):
        left = engine.rounded(kernel, form, mode, (x,), targets)
    known = np.ones(x.size, bool)
    known[left] = False
    return targets, known
