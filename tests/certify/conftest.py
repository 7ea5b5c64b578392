"""What tests of proofs share."""

from __future__ import annotations

import importlib.util
import random

import numpy as np
import pytest

SEED = 20261129


@pytest.fixture(scope="module", autouse=True)
def _precision():
    """Arb computes with the bits that proofs have."""
    if importlib.util.find_spec("flint") is not None:
        from clmath.certify.models import precisely

        precisely()


@pytest.fixture
def draw(request):
    """Random numbers by the seed of the run."""
    return random.Random(f"{SEED} {request.node.nodeid}")


@pytest.fixture
def rng(request):
    """The same as arrays."""
    return np.random.default_rng([SEED, len(request.node.nodeid)])
