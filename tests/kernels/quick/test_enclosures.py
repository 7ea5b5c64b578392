"""Every enclosure attacked where it hurts: all halfs, hard floats, random bits, what audits ask; in all four modes."""

import numpy as np

from clmath.engines import choice
from clmath.kernels import QUICK
from clmath.numbers.formats import FLOAT, HALF
from clmath.numbers.lane_rounding import MODE_NUMBERS, to_float, to_half
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtin
from tests.cases import for_each, some

TAME = ("exp2", "exp10", "log2", "cbrt", "sinpi", "cospi", "tanpi", "tgamma", "lgamma", "rsqrt", "exp", "log", "erf")


def test_every_half(unary, attack):
    """A run that draws tests tries some of them."""
    found = attack(unary, HALF, np.array(some(range(65536), 1 << 13), np.uint16).view(np.float16))
    assert not found.undecided.any()


def test_hard_floats(unary, attack, hard_floats):
    """A run that draws tests tries some of them."""
    attack(unary, FLOAT, hard_floats[some(range(len(hard_floats)), 4000)])


def test_random_floats(unary, attack, bit_patterns):
    attack(unary, FLOAT, bit_patterns(20_000, seed=len(unary)))


def test_floats_of_an_audit(unary, attack, audited):
    attack(unary, FLOAT, *audited(unary, FLOAT, 20_000))


def test_pairs_of_an_audit(binary, attack, audited):
    attack(binary, FLOAT, *audited(binary, FLOAT, 20_000))


def test_random_pairs(binary, attack, bit_patterns):
    second = bit_patterns(20_000, seed=1)
    kind = builtin(binary).inputs[1].type
    attack(binary, FLOAT, bit_patterns(20_000, seed=2), second.view(np.int32) if kind == "intn" else second)


def half_grid(kind):
    """Over a million pairs: every 61st half and all special ones against the same, or against integers."""
    special = [0.0, np.inf, np.nan, 1.0, 2.0, 0.5, HALF.largest, HALF.smallest_normal, HALF.smallest_subnormal, 3.0]
    with np.errstate(invalid="ignore"):
        halfs = np.concatenate([special, -np.array(special), np.arange(0, 65536, 61, np.uint16).view(np.float16)])
    first = np.unique(halfs.astype(np.float16).view(np.uint16)).view(np.float16)
    ints = np.concatenate([np.arange(-460, 461), [2**31 - 1, -(2**31), 1001, -1001, 65537, -65537]]).astype(np.int32)
    second = ints if kind == "intn" else first
    grid = np.meshgrid(first, second)
    return tuple(g.ravel() for g in grid)


def test_a_million_pairs_of_halfs(binary, attack):
    """A run that draws tests tries some of them."""
    pairs = half_grid(builtin(binary).inputs[1].type)
    assert len(pairs[0]) > 1_000_000
    for start in some(range(0, len(pairs[0]), 1 << 17), 1):
        found = attack(binary, HALF, *(p[start : start + (1 << 17)] for p in pairs))
        assert found.undecided.mean() < 1e-4


@for_each("mode", MODES)
def test_few_lanes_are_left_undecided(kernel, mode, bit_patterns):
    """Under 1 in 10^6 of uniformly random bit patterns, half and float; a run that draws tests tries some of them."""
    count = 1 << 20
    args = [bit_patterns(count, seed=7 + i) for i in range(len(builtin(kernel).inputs))]
    if len(args) == 2 and builtin(kernel).inputs[1].type == "intn":
        args[1] = args[1].view(np.int32)
    chosen = some(range(0, count, count // 8), 1)
    args = [np.concatenate([arg[start : start + count // 8] for start in chosen]) for arg in args]
    assert undecided(kernel, mode, args, to_float) <= 1
    with np.errstate(all="ignore"):
        halfs = [a if a.dtype == np.int32 else a.view(np.uint32).astype(np.uint16).view(np.float16) for a in args]
    assert undecided(kernel, mode, halfs, to_half) <= 1


def undecided(name, mode, args, narrow):
    total = 0
    with np.errstate(all="ignore"):
        for start in range(0, len(args[0]), 1 << 16):
            value, _, err, _ = choice.PLAIN.enclosure(QUICK.kernels[name], [a[start : start + (1 << 16)] for a in args])
            below, above = (narrow(end, MODE_NUMBERS[mode]) for end in (value - err, value + err))
            total += np.count_nonzero((below != above) & (err != 0.0))
    return total


def tame_arguments():
    """Small integers, multiples of 1/2 and of 1/4, powers of two: where results are exact or next to it."""
    steps = np.arange(-2000, 2001)
    return np.concatenate(
        [steps, steps * 0.5, steps * 0.25, 2.0 ** np.arange(-149, 128), -(2.0 ** np.arange(-149, 128))]
    )


@for_each("name", TAME)
def test_tame_arguments_are_decided(name):
    x = tame_arguments().astype(np.float32)
    assert sum(undecided(name, mode, [x], to_float) for mode in MODES) == 0


@for_each("name", ["pow", "powr", "pown", "rootn", "hypot", "atan2", "atan2pi"])
def test_tame_pairs_are_decided(name):
    whole = np.arange(-40, 41)
    first = np.concatenate([whole, whole * 0.5, whole**2, 2.0 ** np.arange(-149, 128, 5)]).astype(np.float32)
    is_int = builtin(name).inputs[1].type == "intn"
    second = whole.astype(np.int32) if is_int else np.concatenate([whole, whole * 0.5, whole * 0.25]).astype(np.float32)
    pairs = [g.ravel() for g in np.meshgrid(first, second)]
    assert sum(undecided(name, mode, pairs, to_float) for mode in MODES) == 0
