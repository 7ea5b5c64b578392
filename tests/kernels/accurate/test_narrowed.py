"""Narrowed enclosures contain the exact value and leave few elements undecided."""

import numpy as np
import pytest
from mpmath import mp, mpf

from clmath.kernels import ACCURATE
from clmath.kernels.accurate import error_function
from clmath.numbers.formats import DOUBLE
from clmath.spec import files
from clmath.spec.builtins import builtin
from tests.cases import for_each
from tests.kernels.accurate.precise import shares

COUNT = 300
KERNELS = [kernel for kernel in ACCURATE.kernels.values() if kernel.narrow]
TYPICAL = {
    **dict.fromkeys(("acos", "asin", "acospi", "asinpi", "atanh"), (-1.0, 1.0)),
    **dict.fromkeys(("acosh", "log1p"), (0.0, 30.0)),
    **dict.fromkeys(("erf", "erfc"), (-3.0, 3.0)),
    **dict.fromkeys(("pow", "powr"), (0.0, 10.0)),
    **dict.fromkeys(("lgamma", "log", "log2", "log10", "rootn"), (0.0, 100.0)),
}


of_each = for_each("narrowed", KERNELS)
counted = pytest.mark.parametrize(
    "count", [COUNT, pytest.param(1000, marks=pytest.mark.slow), pytest.param(3000, marks=pytest.mark.exhaustive)]
)


def columns(narrowed, draw):
    """Arguments of ``narrowed``: as ``draw`` gives them for each, integers where these are needed."""
    rng = np.random.default_rng(len(narrowed.name))
    arguments = [np.asarray(draw(rng), np.float64) for _ in builtin(narrowed.name).inputs]
    if builtin(narrowed.name).inputs[-1].type == "intn":
        arguments[-1] = rng.integers(-40, 40, arguments[0].size).astype(np.int32)
    return arguments


@counted
@of_each
def test_typical_arguments(narrowed, count, attack_narrowed):
    """No element in a hundred is left wider than 2^-80: of 2^28 elements hardly one is undecided then."""
    interval = TYPICAL.get(narrowed.name, (-10.0, 10.0))
    widths = attack_narrowed(narrowed.name, *columns(narrowed, lambda rng: rng.uniform(*interval, count)))
    assert widths.size > count // 4
    assert (widths > 2.0**-80).mean() < 0.01


@counted
@of_each
def test_arguments_of_every_size(narrowed, count, attack_narrowed):
    attack_narrowed(
        narrowed.name, *columns(narrowed, lambda rng: rng.integers(0, 1 << 64, count, np.uint64).view(float))
    )
    attack_narrowed(
        narrowed.name, *columns(narrowed, lambda rng: rng.normal(size=count) * np.exp2(rng.uniform(-40, 40)))
    )


@of_each
def test_special_values_moderate_ones_and_neighbours_of_powers_of_two(narrowed, attack_narrowed, special, tame, powers):
    for values in (tame, powers):
        attack_narrowed(narrowed.name, *columns(narrowed, lambda rng, v=values: rng.choice(v, COUNT)))
    attack_narrowed(narrowed.name, *columns(narrowed, lambda rng: rng.permutation(np.tile(special, 20))))


@of_each
def test_hard_cases(narrowed, attack_narrowed):
    lines = files.load("hard/calls.toml")["found"]["double"].get(narrowed.name, ())
    assert lines
    words = zip(*map(str.split, lines), strict=True)
    types = [np.int32 if p.type == "intn" else DOUBLE.dtype for p in builtin(narrowed.name).inputs]
    numbers = [
        np.array([int(w) if t is np.int32 else float.fromhex(w) for w in column], t)
        for column, t in zip(words, types, strict=True)
    ]
    attack_narrowed(narrowed.name, *numbers)


def share_of_bound(kernel, args):
    """The largest error of narrowed enclosures of ``args``, relative to their bounds."""
    with np.errstate(all="ignore"):
        full = [np.broadcast_to(part, args[0].shape) for part in kernel.function(*args)]
        full = kernel.refined(args, tuple(full))
        parts = [np.broadcast_to(part, args[0].shape) for part in kernel.narrow(*args, *full)]
        elements = np.flatnonzero((parts[2] > 0.0) & (parts[2] < full[2]) & (abs(parts[3]) < 900))
    return max(shares(kernel.name, args, parts, elements.tolist()), default=0.0), elements.size


@counted
@of_each
def test_bounds_leave_more_than_a_tenth_to_errors_that_are_met(narrowed, count):
    """A bound that leaves less has a term forgotten: certificates leave a fiftieth at the worst inputs."""
    interval = TYPICAL.get(narrowed.name, (-10.0, 10.0))
    elements = count // 3
    draws = [
        lambda rng: rng.uniform(*interval, elements),
        lambda rng: rng.integers(0, 1 << 64, elements, np.uint64).view(float),
        lambda rng: rng.normal(size=elements) * np.exp2(rng.uniform(-40, 10, elements)),
        lambda rng: 1.0 + rng.normal(size=elements) * np.exp2(rng.uniform(-52, -2, elements)),
    ]
    met = 0
    for draw in draws:
        share, count = share_of_bound(narrowed, [a.astype(np.float64) for a in columns(narrowed, draw)])
        assert share < 0.9
        met += count
    assert met > elements


def test_the_fraction_of_erfc_leaves_out_less_than_its_bound():
    """At the argument of the largest truncation error, mpmath evaluates the levels and the function."""
    with mp.workprec(300):
        x = mp.sqrt(error_function.LARGEST_SQUARE)
        level, through = x / 2 + mp.sqrt(x * x / 4 + mpf(error_function.LEVELS + 1) / 2), mpf(1)
        for n in range(error_function.LEVELS, 0, -1):
            inner, level = level, x + mpf(n) / 2 / level
            if n <= error_function.LEVELS_IN_PAIRS:
                through *= (mpf(n) / 2 / inner) / level
        exact = mp.exp(-x * x) / (mp.sqrt(mp.pi) * mp.erfc(x))
        assert abs(level / exact - 1) < 0.82 * mpf(2) ** -100
        assert through < mpf(2) ** -62
