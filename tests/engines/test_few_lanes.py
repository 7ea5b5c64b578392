"""Lanes to be decided give the same bits whether few or many of a chunk are: by themselves, or all in one go."""

import numpy as np
import pytest

from clmath.engines import choice
from clmath.kernels import DOUBLE as DOUBLES
from clmath.kernels import QUICK
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.numbers.rounding import MODES
from clmath.spec import files
from clmath.spec.builtins import builtin
from tests.cases import for_each

ENGINES = choice.installed()
pytestmark = [
    pytest.mark.skipif(len(ENGINES) == 1, reason="; ".join(choice.told().values())),
    pytest.mark.usefixtures("narrowing_however_few"),
]

LANES = 1300  # chunks of 512 or 1024, and a shorter one
NAMES = ["exp", "sin", "sincos", "pow", "pown", "hypot", "lgamma", "tgamma", "log10"]
COUNTS = [1, 2, 30, 300, LANES]


def unusual(name, form):
    """Arguments with results that are exact, next to a boundary, subnormal, zero, infinite, none, or out of range."""
    text = files.load(f"hard/{form}.toml").get(name, [])
    hard = [tuple(map(float.fromhex, line.split())) for line in text]
    ends = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        1.0,
        -1.0,
        2.0,
        4.0,
        1024.0,
        -1100.0,
        -740.25,
        1e-310,
        -3e-40,
        3e38,
        7e307,
    ]
    count = len(builtin(name).inputs)
    return hard + [(x,) if count == 1 else (x, y) for x in ends for y in ends[:: 1 if count == 2 else len(ends)]]


def arguments(name, form, count):
    """Ordinary arguments with ``count`` unusual ones among them."""
    rng = np.random.default_rng(count)
    rows = np.resize(np.array(unusual(name, form)), (LANES, len(builtin(name).inputs)))
    lanes = rng.choice(LANES, count, replace=False)
    columns = [rng.uniform(0.5, 2.0, LANES) for _ in builtin(name).inputs]
    for column, values in zip(columns, rng.permutation(rows).T, strict=True):
        column[lanes] = values[lanes]
    with np.errstate(all="ignore"):
        whole = [np.nan_to_num(c, posinf=9, neginf=-9).clip(-(2.0**31), 2.0**31 - 1).astype(np.int32) for c in columns]
        given = [c.astype(form.dtype) for c in columns]
    kinds = [p.type for p in builtin(name).inputs]
    return [i if kind == "intn" else x for kind, i, x in zip(kinds, whole, given, strict=True)]


@for_each("count", COUNTS)
@for_each("name", NAMES)
@for_each("form", [DOUBLE, FLOAT])
def test_few_and_many_lanes_are_decided_alike(name, form, count):
    kernel = (DOUBLES if form is DOUBLE else QUICK).kernels[name]
    args = arguments(name, form, count)
    for mode in MODES:
        found = [[np.empty(LANES, form.dtype) for _ in range(kernel.results)] for _ in ENGINES]
        with np.errstate(all="ignore"):
            left = [
                engine.rounded(kernel, form, mode, args, targets)
                for engine, targets in zip(ENGINES, found, strict=True)
            ]
        decided = np.delete(np.arange(LANES), left[0])
        for undecided, results in zip(left[1:], found[1:], strict=True):
            assert np.array_equal(undecided, left[0])
            for plain, fast in zip(found[0], results, strict=True):
                assert np.array_equal(form.bits(plain)[decided], form.bits(fast)[decided])
