"""Hard inputs of every kernel of double, found by scanning, and inputs next to multiples of pi/2."""

import importlib
from pathlib import Path
from types import SimpleNamespace

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


def test_next_to_multiples_of_a_quarter_turn(scan, attack, monkeypatch):
    """The doubles below 2^LOW that are closest to multiples of pi/2, of either sign."""
    monkeypatch.setattr(scan, "DOUBLE", SimpleNamespace(precision=DOUBLE.precision, emax=LOW))
    x = scan.turns(FEW)
    assert x.size == FEW
    for name in ("sin", "cos", "tan"):
        attack(name, np.concatenate([x, -x]))
