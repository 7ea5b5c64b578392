"""The loop that screens results in float does on each level what is told here lane by lane, with the same bounds."""

import numpy as np
import pytest

from clmath.kernels.for_devices import kernels_of
from clmath.numbers.formats import DOUBLE, FLOAT
from tests.cases import for_each
from tests.engines.native.screened import BINS, ROWS, Enclosed, altered, arguments, requests, told


@pytest.fixture(scope="module")
def x():
    return arguments()


@pytest.mark.slow
@for_each("names", ROWS)
@np.errstate(all="ignore")
def test_the_loop_finds_what_is_told_here(natives, names, x):
    """Counts, lanes, and the floor for the next ones; of right results and of wrong ones."""
    kernels, rng = ROWS[names], np.random.default_rng(7)
    for engine in natives:
        assert engine.screens(kernels)
        enclosed = Enclosed(engine.library, kernels, x)
        for share, asked in zip((0.0, 0.1, 0.5, 1.0), requests(rng), strict=True):
            results = altered(rng, enclosed.right(), share)
            counts = np.zeros(BINS, np.int64)
            found = engine.screened(kernels, x, results, asked, counts)
            want, others, leading, failed, out, floor = told(kernels, enclosed, x, results, asked)
            assert counts.tolist() == want.tolist()
            assert found.others.tolist() == others
            assert found.leading.tolist() == leading
            assert (found.failed, found.out, found.floor) == (failed, out, floor)


def test_kernels_that_are_not_compiled_are_not_screened(natives):
    """Kernels of several arguments, of doubles, and such as devices alone have."""
    engine = natives[0]
    assert not any(engine.screens(kernels_of(name, FLOAT)) for name in ("pow", "hypot", "pown", "fma", "fmod"))
    assert not engine.screens(kernels_of("sin", DOUBLE))


def test_nothing_is_found_of_no_lanes(natives):
    counts, none = np.zeros(BINS, np.int64), np.empty(0, np.float32)
    for asked in requests(np.random.default_rng(1)):
        found = natives[0].screened(kernels_of("sin", FLOAT), none, [none], asked, counts)
        assert (found.others.size, found.leading.size, found.failed, found.out, counts.sum()) == (0, 0, 0, 0, 0)
        assert found.floor == asked.floor


def test_arrays_need_not_lie_in_one_piece(natives, x):
    """They are read as they are, with strides and read-only."""
    kernels, (asked, *_) = kernels_of("exp", FLOAT), requests(np.random.default_rng(2))
    with np.errstate(all="ignore"):
        result = np.exp(x)
    wide = np.zeros((x.size, 3), np.float32)
    wide[:, 0], wide[:, 2] = x, result
    wide.flags.writeable = False
    counts = np.zeros((2, BINS), np.int64)
    plain = natives[0].screened(kernels, x, [result], asked, counts[0])
    strided = natives[0].screened(kernels, wide[:, 0], [wide[:, 2]], asked, counts[1])
    assert all(np.array_equal(one, other) for one, other in zip(plain, strided, strict=True))
    assert np.array_equal(*counts)
