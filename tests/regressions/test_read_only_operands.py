"""Remainders wrote into their operands where compiled code did not serve, and failed where those are read-only."""

import numpy as np
import pytest

import clmath
from clmath.call import plain
from clmath.engines.native import Native


@pytest.fixture
def without_library(monkeypatch):
    monkeypatch.setattr(Native, "library", None)
    monkeypatch.setattr(plain, "_PLANS", {})


@pytest.mark.usefixtures("without_library")
@pytest.mark.parametrize("name", ["fmod", "remainder", "remquo"])
def test_operands_are_read_alone(name):
    x, y = np.zeros((2, 1)), np.array([[1.0, 1e-300], [2.0, 1e300]])
    spread, read_only = np.broadcast_to(0.0, (2, 2)), np.zeros((2, 2))
    read_only.flags.writeable = False
    for first in (x, spread, read_only):
        found = getattr(clmath, name)(first, y)
        assert all(not part.any() and part.shape == (2, 2) for part in (found if name == "remquo" else (found,)))
    kept = np.array([[-0.0, 5.0], [0.0, 0.0]])
    getattr(clmath, name)(kept, y)
    assert kept.tobytes() == np.array([[-0.0, 5.0], [0.0, 0.0]]).tobytes()


def test_an_empty_result_must_be_writable_too():
    out = np.empty(0, np.float32)
    out.flags.writeable = False
    with pytest.raises(clmath.ShapeError, match="out is read-only"):
        clmath.exp(np.empty(0, np.float32), out=out)
