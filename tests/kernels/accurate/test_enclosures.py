"""Every accurate kernel attacked where it hurts, in all four modes and both engines."""

import numpy as np
import pytest

from clmath.kernels import ACCURATE
from clmath.spec import files
from clmath.spec.builtins import builtin
from tests.cases import for_each, some

ARITY = {name: len(builtin(name).inputs) for name in ACCURATE.kernels}
UNARY = [name for name, arity in ARITY.items() if arity == 1]
BINARY = [name for name, arity in ARITY.items() if arity == 2]
counted = pytest.mark.parametrize(
    "count", [100, pytest.param(800, marks=pytest.mark.slow), pytest.param(4000, marks=pytest.mark.exhaustive)]
)


def random_bits(count, seed):
    """Uniformly random encodings."""
    return np.random.default_rng(seed).integers(0, 2**64, count, np.uint64).view(np.float64)


def random_sizes(count, seed):
    """Random signs, exponents and fractions; half of the numbers between 2^-12 and 2^12."""
    rng = np.random.default_rng(seed)
    place = np.where(rng.random(count) < 0.5, rng.uniform(-12, 12, count), rng.uniform(-1074, 1023.9, count))
    return np.copysign(np.exp2(place), rng.uniform(-1, 1, count))


def second(name, values):
    """An array that fits the second parameter: ints for the built-ins that take them."""
    if builtin(name).inputs[1].type != "intn":
        return values
    whole = np.clip(np.nan_to_num(values, nan=3.0), -(2.0**31), 2.0**31 - 1.0)
    return whole.astype(np.int32)


@for_each("name", UNARY)
def test_special_arguments(name, attack, special):
    assert attack(name, special) == 0


@counted
@for_each("name", UNARY)
def test_one_argument(name, count, attack, powers, tame):
    """Powers of two and their neighbours, moderate numbers, random sizes and random encodings."""
    attack(name, np.array(some(powers, count)))
    assert attack(name, np.array(some(tame, count))) <= 8
    assert attack(name, random_sizes(count, len(name))) <= max(2, count // 200)
    attack(name, random_bits(count, len(name)))


@for_each("name", BINARY)
def test_special_pairs(name, attack, special):
    first, other = np.meshgrid(special, special)
    assert attack(name, first.ravel(), second(name, other.ravel())) == 0


@counted
@for_each("name", BINARY)
def test_two_arguments(name, count, attack, powers, tame):
    """Pairs of the same kinds, and of different ones."""
    rng, few = np.random.default_rng(len(name)), max(2, count // 200)
    assert attack(name, rng.choice(tame, count), second(name, rng.choice(tame, count))) <= few
    other = np.concatenate([rng.choice(powers, count // 2), rng.choice(tame, count // 2)])
    attack(name, rng.choice(powers, count), second(name, other))
    attack(name, other, second(name, rng.choice(powers, count)))
    attack(name, random_sizes(count, 1), second(name, random_sizes(count, 2)))
    attack(name, random_bits(count, 3), second(name, random_bits(count, 4)))


@for_each("name", [name for name in ACCURATE.kernels if name not in ACCURATE.together])
def test_hard_cases(name, attack):
    """The arguments that find.py found closest to a boundary, with the neighbours of the first one."""
    lines = [line.split() for line in files.load("hard/calls.toml")["found"]["double"].get(name, [])]
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
