"""Fine kernels narrow enclosures of double kernels: the exact value still lies in them, and few are left undecided."""

import numpy as np
import pytest

from clmath.kernels import DOUBLE as RUNG
from clmath.numbers.formats import DOUBLE
from clmath.spec import files
from clmath.spec.builtins import builtin

LANES = 3000
KERNELS = [kernel for kernel in RUNG.kernels.values() if kernel.is_narrowed]
TYPICAL = {
    **dict.fromkeys(("acos", "asin", "acospi", "asinpi", "atanh"), (-1.0, 1.0)),
    **dict.fromkeys(("acosh", "log1p"), (0.0, 30.0)),
    **dict.fromkeys(("erf", "erfc"), (-3.0, 3.0)),
    **dict.fromkeys(("pow", "powr"), (0.0, 10.0)),
    **dict.fromkeys(("lgamma", "log", "log2", "log10", "rootn"), (0.0, 100.0)),
}


@pytest.fixture(params=KERNELS, ids=lambda kernel: kernel.name)
def narrowed(request):
    return request.param


def columns(narrowed, draw):
    """Arguments of ``narrowed``: lanes of ``draw`` for each, integers where these are needed."""
    rng = np.random.default_rng(len(narrowed.name))
    arguments = [np.asarray(draw(rng), np.float64) for _ in builtin(narrowed.name).inputs]
    if builtin(narrowed.name).inputs[-1].type == "intn":
        arguments[-1] = rng.integers(-40, 40, arguments[0].size).astype(np.int32)
    return arguments


def test_typical_arguments(narrowed, attack_narrowed):
    """No lane in a hundred is left wider than 2^-80: of 2^28 lanes hardly one is undecided then."""
    interval = TYPICAL.get(narrowed.name, (-10.0, 10.0))
    widths = attack_narrowed(narrowed.name, *columns(narrowed, lambda rng: rng.uniform(*interval, LANES)))
    assert widths.size > LANES // 4
    assert (widths > 2.0**-80).mean() < 0.01


def test_arguments_of_every_size(narrowed, attack_narrowed):
    attack_narrowed(
        narrowed.name, *columns(narrowed, lambda rng: rng.integers(0, 1 << 64, LANES, np.uint64).view(float))
    )
    attack_narrowed(
        narrowed.name, *columns(narrowed, lambda rng: rng.normal(size=LANES) * np.exp2(rng.uniform(-40, 40)))
    )


def test_special_tame_and_next_to_powers_of_two(narrowed, attack_narrowed, special, tame, powers):
    for values in (tame, powers):
        attack_narrowed(narrowed.name, *columns(narrowed, lambda rng, v=values: rng.choice(v, LANES)))
    attack_narrowed(narrowed.name, *columns(narrowed, lambda rng: rng.permutation(np.tile(special, 20))))


def test_hard_cases(narrowed, attack_narrowed):
    lines = files.load("hard/double.toml").get(narrowed.name, ())
    assert lines
    words = zip(*map(str.split, lines), strict=True)
    types = [np.int32 if p.type == "intn" else DOUBLE.dtype for p in builtin(narrowed.name).inputs]
    numbers = [
        np.array([int(w) if t is np.int32 else float.fromhex(w) for w in column], t)
        for column, t in zip(words, types, strict=True)
    ]
    attack_narrowed(narrowed.name, *numbers)
