"""What tests of proofs share."""

from __future__ import annotations

import random

import pytest

from tests.sampling import SEED


@pytest.fixture
def draw(request):
    """Random numbers by the seed of the run."""
    return random.Random(f"{request.config.stash[SEED]} {request.node.nodeid}")
