"""Reads and writes of colours were given single channels by ``conformance_test``, and ``assert_conforms`` raised."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings

import clmath
from clmath.testing import assert_conforms, conformance_test

QUICK = settings(database=None, deadline=None, derandomize=True, max_examples=20)
COLOURS = ["read_srgba", "write_srgba"]


@pytest.mark.parametrize("name", COLOURS)
def test_what_is_right_passes(name):
    conformance_test(getattr(clmath, name), name, settings=QUICK)()


@pytest.mark.slow
@pytest.mark.parametrize("name", COLOURS)
@pytest.mark.parametrize("order", [[1, 0, 2, 3], [0, 1, 3, 2]])
def test_channels_in_another_order_fail(name, order):
    def swapped(x):
        return getattr(clmath, name)(x)[..., order].copy()

    with pytest.raises(AssertionError) as caught:
        conformance_test(swapped, name, types=["float"], settings=QUICK)()
    first, *_, last = str(caught.value).splitlines()
    assert first.startswith(f"{name}((")
    assert last.startswith("replay: ")


def test_an_assertion_takes_one_colour_and_many():
    colours = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    for x in (colours, colours[0, 0]):
        found = clmath.read_srgba(x)
        assert_conforms(found, "read_srgba", (x,))
        with pytest.raises(AssertionError, match=r"read_srgba\(\(0, 1, 2, 3\)\)\[2\]"):
            assert_conforms(np.where(x == 2, np.float32(0.5), found), "read_srgba", (x,))
