"""What tests of proofs share."""

from __future__ import annotations

import importlib.util
import random

import numpy as np
import pytest

from tests.sampling import SEED


@pytest.fixture(scope="module", autouse=True)
def _precision():
    """Arb computes with the bits that proofs have."""
    if importlib.util.find_spec("flint") is not None:
        from clmath.certify.models import precisely

        precisely()


@pytest.fixture
def draw(request):
    """Random numbers by the seed of the run."""
    return random.Random(f"{request.config.stash[SEED]} {request.node.nodeid}")


@pytest.fixture
def rng(request):
    """The same as arrays."""
    return np.random.default_rng([request.config.stash[SEED], len(request.node.nodeid)])
