"""Ten thousand hard inputs of every kernel of double, found by scanning, and those next to multiples of pi/2."""

import importlib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from clmath.kernels import DOUBLE as RUNG
from clmath.numbers.formats import DOUBLE
from tests.cases import for_each

ROOT = Path(__file__).parents[3]
COUNT = 10_000
FEW, LOW = 200, 60  # in a run that draws rows: so many, those of multiples of pi/2 below this power of two
SINGLE = [kernel.name for kernel in RUNG.single]


@pytest.fixture(scope="module")
def scan():
    """The script that scans."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        yield importlib.import_module("tables.hard.scan")


@pytest.fixture(scope="module")
def count(request):
    """How many inputs of a kernel are tried."""
    return COUNT if False else FEW


@pytest.fixture(scope="module")
def turns(scan, count):
    """The doubles that are closest to multiples of pi/2, of either sign."""
    with pytest.MonkeyPatch.context() as patch:
        if count == FEW:
            patch.setattr(scan, "DOUBLE", SimpleNamespace(precision=DOUBLE.precision, emax=LOW))
        x = scan.turns(count)
    assert x.size == count
    return np.concatenate([x, -x])


@for_each("name", SINGLE)
def test_scanned_inputs(name, scan, count, attack):
    args = scan.hard(name, count, (1 << 20) * count // COUNT)
    assert len(args[0]) == count
    attack(name, *args)


@pytest.mark.parametrize("name", [name for name in ("sin", "cos", "tan") if name in RUNG.kernels])
def test_next_to_multiples_of_a_quarter_turn(name, turns, attack):
    attack(name, turns)
