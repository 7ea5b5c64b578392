"""Kernels that compute several results together: attacked like those of each result alone, which they replace."""

import numpy as np
import pytest

from clmath.engines import choice
from clmath.kernels import QUICK
from clmath.numbers.formats import FLOAT, HALF
from clmath.numbers.rounding import MODES

TOGETHER = list(QUICK.together)


def test_there_are_some():
    assert "sincos" in TOGETHER
    assert all(QUICK.kernels[name].results > 1 for name in TOGETHER)


def attack_all(attack, name, form, x):
    with np.errstate(all="ignore"):
        found = QUICK.kernels[name].function(x.astype(np.float64))
    parts = QUICK.together[name]
    assert len(found) == 2 * len(parts)
    for part, value, err in zip(parts, found[::2], found[1::2], strict=True):
        attack(part, form, x, found=(value, err))


@pytest.mark.parametrize("name", TOGETHER)
def test_every_half(name, attack):
    attack_all(attack, name, HALF, np.arange(65536, dtype=np.uint16).view(np.float16))


@pytest.mark.parametrize("name", TOGETHER)
def test_hard_floats(name, attack, hard_floats):
    attack_all(attack, name, FLOAT, hard_floats)


@pytest.mark.parametrize("name", TOGETHER)
def test_random_floats(name, attack, bit_patterns):
    attack_all(attack, name, FLOAT, bit_patterns(100_000, seed=3))


@pytest.mark.parametrize("name", TOGETHER)
def test_floats_of_an_audit(name, attack, audited):
    attack_all(attack, name, FLOAT, *audited(name, FLOAT, 20_000))


@pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.told()["native"])
@pytest.mark.parametrize("form", [HALF, FLOAT], ids=str)
@pytest.mark.parametrize("name", TOGETHER)
def test_the_engines_give_the_bits_of_the_single_kernels(name, form, bit_patterns):
    x = bit_patterns(200_000, seed=4).view(np.uint32).astype(form.bits_dtype).view(form.dtype)
    parts = QUICK.together[name]
    for mode in MODES:
        plain, left = decided("numpy", name, form, mode, x)
        fast, left_by_fast = decided("native", name, form, mode, x)
        assert np.array_equal(left, left_by_fast)
        for part, one, other in zip(parts, plain, fast, strict=True):
            (alone,), left_alone = decided("numpy", part, form, mode, x)
            counts = np.ones(x.size, bool)
            counts[np.concatenate([left, left_alone])] = False
            for rival in (other, alone):
                differ = (form.bits(one) != form.bits(rival)) & ~(np.isnan(one) & np.isnan(rival)) & counts
                assert not differ.any(), f"{name} {mode}: {x[differ][:5]}: {one[differ][:5]} {rival[differ][:5]}"


def decided(engine, name, form, mode, x):
    """The results of one kernel, and the lanes that it leaves."""
    kernel = QUICK.kernels[name]
    targets = [np.empty_like(x) for _ in range(kernel.results)]
    with np.errstate(all="ignore"):
        left = choice.ENGINES[engine].rounded(kernel, form, mode, (x,), targets)
    return targets, left
