"""Precision and random numbers for tests of proofs."""

from __future__ import annotations

import importlib.util
import random

import numpy as np
import pytest

SEED = 1


@pytest.fixture(scope="module", autouse=True)
def _precision():
    """Arb computes with the bits that proofs have."""
    if importlib.util.find_spec("flint") is not None:
        from proofs.engine.models import precisely

        precisely()


@pytest.fixture
def draw():
    """Random numbers from a fixed seed."""
    return random.Random(SEED)


@pytest.fixture
def rng():
    """A generator of random arrays from a fixed seed."""
    return np.random.default_rng(SEED)
