"""Proofs of quick's sinpi, cospi and tanpi: the reduction leaves the rests that values are proven for."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("flint")

from proofs.families import turns
from tests.cases import for_each, some
from tests.proofs import concrete


@for_each("kernel", turns.NAMES)
def test_rests_are_within_reach_and_on_their_grid(kernel):
    """Of floats in binades that have a rest, the ends among them; what is taken off is a multiple of a step."""
    part, rng = next(one for one in turns.quick_parts(kernel) if one.name == "reduction"), np.random.default_rng(5)
    family = part.family
    for _, low, high in some([piece for piece in part.pieces() if abs(piece[2]) <= 2.0**21], 6):
        x = np.concatenate([rng.uniform(low, high, 200), [low, high]]).astype(np.float32).astype(np.float64)
        x = x[4.0 * x != np.rint(4.0 * x)]
        found = concrete.values(part.traced, x)
        rest, n = found[family.rest], found[family.n]
        assert np.array_equal(x, rest + n / family.steps + family.shift)
        assert np.all((np.abs(rest) >= family.least) & (np.abs(rest) <= family.reach))
        units = rest / family.least
        assert np.array_equal(units, np.rint(units))
