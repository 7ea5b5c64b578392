"""Proofs of double's asin and acos and their pi forms: parts are given what they are proven for."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("flint")

from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs.proofs_of import double_parts

KERNELS = ("asin", "acos", "asinpi", "acospi")


def arguments(name, rng, count=800):
    """Ordinary arguments of all sizes, next to 1, the diagonal and where the entry changes."""
    family = double_parts(name)["angles"].family
    slopes = (np.arange(257) + 0.5) / 256
    near = np.concatenate([slopes / np.hypot(1.0, slopes), 1.0 / np.hypot(1.0, slopes), np.array([0.5**0.5, 1.0])])
    near = np.concatenate([near, np.nextafter(near, 0.0), np.nextafter(near, 1.0)])
    sizes = np.concatenate(
        [near, 1.0 - np.exp2(rng.uniform(-53.0, 0.0, count)), np.exp2(rng.uniform(-90.0, 0.0, count))]
    )
    sizes = np.concatenate([sizes, np.exp2(rng.uniform(-1073.0, -80.0, count)), rng.uniform(0.0, 1.0, count)])
    sizes = sizes[(sizes >= family.least) & (sizes <= family.top)]
    x = np.concatenate([sizes, -sizes])
    return x[(np.abs(x) < 1.0) | np.isin(np.sign(x), family.at_one)]


@for_each("name", KERNELS)
def test_every_argument_is_in_a_piece_of_its_entry(name):
    parts = double_parts(name)
    family = parts["angles"].family
    x = arguments(name, np.random.default_rng(11), 300)
    values = concrete.values(family.traced, x)
    assert not np.any([values[number] for number in family.special])
    pieces = {}
    for which, low, high in parts["angles"].pieces():
        pieces.setdefault(which, []).append((low, high))
    ends = [(low, high) for _, low, high in parts["ends"].pieces()] if "ends" in parts else []
    for one, j, place, steep in zip(x, values[family.j], values[family.place], values[family.steep], strict=True):
        size, sign = abs(one), int(np.sign(one))
        assert j == place
        mine = pieces.get((sign, j, bool(steep)), []) + (pieces[sign, 256, None] if j == 256 else [])
        mine += ends if size < family.clamped else []
        assert any(low <= size <= high for low, high in mine), (one, j, steep)
