"""Every fast kernel attacked where it hurts: hard floats, random encodings, audits' arguments; in all four modes.

All halfs of every built-in of one argument are in tests/functions.
"""

import numpy as np
import pytest

from clmath.engines import choice
from clmath.kernels import FAST
from clmath.numbers.formats import FLOAT, HALF
from clmath.numbers.rounded_encodings import MODE_NUMBERS, to_float, to_half
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtin
from tests.cases import for_each, some

ARITY = {kernel.name: len(builtin(kernel.name).inputs) for kernel in FAST.single}
UNARY = [name for name, arity in ARITY.items() if arity == 1]
BINARY = [name for name, arity in ARITY.items() if arity == 2]
TAME = ("exp2", "exp10", "log2", "cbrt", "sinpi", "cospi", "tanpi", "tgamma", "lgamma", "rsqrt", "exp", "log", "erf")
counted = pytest.mark.parametrize(
    "count", [200, pytest.param(2000, marks=pytest.mark.slow), pytest.param(20_000, marks=pytest.mark.exhaustive)]
)


@counted
@for_each("name", UNARY)
def test_one_argument(name, count, attack, hard_floats, bit_patterns, audited):  # noqa: PLR0917
    attack(name, FLOAT, np.array(some(hard_floats, count)))
    attack(name, FLOAT, bit_patterns(count, seed=len(name)))
    attack(name, FLOAT, *(np.array(some(column, 2 * count)) for column in audited(name, FLOAT, count)))


@counted
@for_each("name", BINARY)
def test_two_arguments(name, count, attack, bit_patterns, audited):
    second = bit_patterns(count, seed=1)
    kind = builtin(name).inputs[1].type
    attack(name, FLOAT, bit_patterns(count, seed=2), second.view(np.int32) if kind == "intn" else second)
    attack(name, FLOAT, *(np.array(some(column, 2 * count)) for column in audited(name, FLOAT, count)))
    halfs = half_grid(kind)
    found = attack(name, HALF, *(np.array(some(column, 4 * count)) for column in halfs))
    assert found.undecided.mean() < 1e-3


def half_grid(kind):
    """Over a million pairs: every 61st half and all special ones against the same, or against integers."""
    special = [0.0, np.inf, np.nan, 1.0, 2.0, 0.5, HALF.largest, HALF.smallest_normal, HALF.smallest_subnormal, 3.0]
    with np.errstate(invalid="ignore"):
        halfs = np.concatenate([special, -np.array(special), np.arange(0, 65536, 61, np.uint16).view(np.float16)])
    first = np.unique(halfs.astype(np.float16).view(np.uint16)).view(np.float16)
    ints = np.concatenate([np.arange(-460, 461), [2**31 - 1, -(2**31), 1001, -1001, 65537, -65537]]).astype(np.int32)
    second = ints if kind == "intn" else first
    return tuple(column.ravel() for column in np.meshgrid(first, second))


@pytest.mark.slow
@for_each("name", list(ARITY))
def test_few_elements_are_left_undecided(name, bit_patterns):
    """At most one of 2^17 uniformly random encodings of half and of float is undecided."""
    args = [bit_patterns(1 << 17, seed=7 + i) for i in range(ARITY[name])]
    if len(args) == 2 and builtin(name).inputs[1].type == "intn":
        args[1] = args[1].view(np.int32)
    assert max(undecided(name, args, to_float)) <= 1
    with np.errstate(all="ignore"):
        halfs = [a if a.dtype == np.int32 else a.view(np.uint32).astype(np.uint16).view(np.float16) for a in args]
    assert max(undecided(name, halfs, to_half)) <= 1


def undecided(name, args, narrow):
    """The number of undecided elements in each mode."""
    totals = [0] * len(MODES)
    with np.errstate(all="ignore"):
        for start in range(0, len(args[0]), 1 << 16):
            value, _, err, _ = choice.PLAIN.enclosure(FAST.kernels[name], [a[start : start + (1 << 16)] for a in args])
            for place, mode in enumerate(MODES):
                below, above = (narrow(end, MODE_NUMBERS[mode]) for end in (value - err, value + err))
                totals[place] += np.count_nonzero((below != above) & (err != 0.0))
    return totals


def tame_arguments():
    """Small integers, multiples of 1/2 and of 1/4, powers of two: where results are exact or next to it."""
    steps = np.arange(-2000, 2001)
    powers = 2.0 ** np.arange(-149, 128)
    return np.concatenate([steps, steps * 0.5, steps * 0.25, powers, -powers])


@for_each("name", TAME)
def test_moderate_arguments_are_decided(name):
    x = tame_arguments().astype(np.float32)
    assert sum(undecided(name, [x], to_float)) == 0


@for_each("name", ["pow", "powr", "pown", "rootn", "hypot", "atan2", "atan2pi"])
def test_moderate_pairs_are_decided(name):
    whole = np.arange(-40, 41)
    first = np.concatenate([whole, whole * 0.5, whole**2, 2.0 ** np.arange(-149, 128, 5)]).astype(np.float32)
    is_int = builtin(name).inputs[1].type == "intn"
    second = whole.astype(np.int32) if is_int else np.concatenate([whole, whole * 0.5, whole * 0.25]).astype(np.float32)
    pairs = [g.ravel() for g in np.meshgrid(first, second)]
    assert sum(undecided(name, pairs, to_float)) == 0
