"""Hard inputs of every kernel of double, found by scanning, and inputs next to multiples of pi/2."""

import importlib
from pathlib import Path

import numpy as np
import pytest

from clmath.kernels import ACCURATE
from clmath.numbers.formats import DOUBLE
from tests.cases import for_each

ROOT = Path(__file__).parents[3]
CANDIDATES = 105  # for each input
FEW, MORE, MANY, LOW = 200, 600, 2000, 60
SINGLE = [kernel.name for kernel in ACCURATE.single]


@pytest.fixture(scope="module")
def scan():
    """The script that scans."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        yield importlib.import_module("tables.hard.scan")


counted = pytest.mark.parametrize(
    "count", [FEW, pytest.param(MORE, marks=pytest.mark.slow), pytest.param(MANY, marks=pytest.mark.exhaustive)]
)


@counted
@for_each("name", SINGLE)
def test_scanned_inputs(name, count, scan, attack):
    args = scan.hard(name, count, CANDIDATES * count)
    assert len(args[0]) == count
    attack(name, *args)


def test_next_to_multiples_of_a_quarter_turn(scan, attack):
    """The doubles below 2^LOW that are closest to multiples of pi/2, two of each binade, of either sign."""
    x = scan.turns(2 * DOUBLE.emax)
    x = x[x < 2.0**LOW]
    assert x.size == 2 * (LOW - 1)
    for name in ("sin", "cos", "tan"):
        attack(name, np.concatenate([x, -x]))
