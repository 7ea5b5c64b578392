"""Ten thousand hard inputs of every kernel of double, found by scanning, and those next to multiples of pi/2."""

import importlib
from pathlib import Path

import numpy as np
import pytest

from clmath.kernels import DOUBLE as RUNG

ROOT = Path(__file__).parents[3]
COUNT = 10_000
SINGLE = [kernel.name for kernel in RUNG.single]


@pytest.fixture(scope="module")
def scan():
    """The script that scans."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        yield importlib.import_module("tables.hard.scan")


@pytest.fixture(scope="module")
def turns(scan):
    """The doubles that are closest to multiples of pi/2, of either sign."""
    x = scan.turns(COUNT)
    assert x.size == COUNT
    return np.concatenate([x, -x])


@pytest.mark.drawn(share=0.05)
@pytest.mark.parametrize("name", SINGLE)
def test_scanned_inputs(name, scan, attack):
    args = scan.hard(name, COUNT)
    assert len(args[0]) == COUNT
    attack(name, *args)


@pytest.mark.drawn(share=0.05)
@pytest.mark.parametrize("name", [name for name in ("sin", "cos", "tan") if name in RUNG.kernels])
def test_next_to_multiples_of_a_quarter_turn(name, turns, attack):
    attack(name, turns)
