"""Every double kernel attacked where it hurts, in all four modes and both engines."""

import numpy as np
import pytest

from clmath.kernels import DOUBLE as RUNG
from clmath.spec import files
from clmath.spec.builtins import builtin
from tests.cases import for_each

COUNT = 4000


@pytest.fixture
def second(binary):
    """Make an array fit the second parameter: ints for the built-ins that take them."""

    def fit(values):
        if builtin(binary).inputs[1].type != "intn":
            return values
        whole = np.clip(np.nan_to_num(values, nan=3.0), -(2.0**31), 2.0**31 - 1.0)
        return whole.astype(np.int32)

    return fit


def test_special_arguments(unary, attack, special):
    assert attack(unary, special) == 0


def test_powers_of_two_and_their_neighbours(unary, attack, powers):
    attack(unary, powers)


def test_tame_arguments(unary, attack, tame):
    assert attack(unary, tame) <= 8


def test_random_sizes(unary, attack, random_sizes):
    assert attack(unary, random_sizes(COUNT, len(unary))) <= COUNT // 200


def test_random_bits(unary, attack, random_bits):
    attack(unary, random_bits(COUNT, len(unary)))


def test_special_pairs(binary, attack, second, special):
    first, other = np.meshgrid(special, special)
    assert attack(binary, first.ravel(), second(other.ravel())) == 0


def test_tame_pairs(binary, attack, second, tame):
    rng = np.random.default_rng(len(binary))
    assert attack(binary, rng.choice(tame, COUNT), second(rng.choice(tame, COUNT))) <= COUNT // 200


def test_powers_of_two_in_pairs(binary, attack, second, powers, tame):
    rng = np.random.default_rng(len(binary))
    other = np.concatenate([rng.choice(powers, COUNT // 2), rng.choice(tame, COUNT // 2)])
    attack(binary, rng.choice(powers, COUNT), second(other))
    attack(binary, other, second(rng.choice(powers, COUNT)))


def test_random_pairs(binary, attack, second, random_sizes, random_bits):
    attack(binary, random_sizes(COUNT, 1), second(random_sizes(COUNT, 2)))
    attack(binary, random_bits(COUNT, 3), second(random_bits(COUNT, 4)))


@for_each("name", [name for name in RUNG.kernels if name not in RUNG.together])
def test_hard_cases(name, attack):
    """What find.py found closest to a boundary, with the neighbours of the first argument."""
    lines = [line.split() for line in files.load("hard/double.toml").get(name, [])]
    kinds = [np.int32 if p.type == "intn" else np.float64 for p in builtin(name).inputs]
    read = [int if kind is np.int32 else float.fromhex for kind in kinds]
    first, *others = (
        np.array([r(line[i]) for line in lines], kind) for i, (r, kind) in enumerate(zip(read, kinds, strict=True))
    )
    attack(name, first, *others)
    with np.errstate(over="ignore"):
        beside = [np.nextafter(first, end) for end in (-np.inf, np.inf)]
    for step in beside:
        attack(name, step, *others)
