"""Every float in every mode: an exported function has the bits of clmath, and leaves none undecided. Minutes each."""

import ctypes

import numpy as np
import pytest

from clmath import ladder
from clmath.engines import choice
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounding import MODES
from tests.export import bench

PART = 1 << 22
NAMES = ("exp", "sin", "lgamma")


@pytest.mark.exhaustive
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_all_floats(exported, cc, name, mode):
    folder = exported("c", name, "float")
    options = ("-std=c11", "-O3", "-march=native", "-fno-math-errno", "-shared", "-fPIC")
    assert bench.run(*cc, *options, f"clmath_{name}.c", "-o", f"{mode}.so", "-lm", cwd=folder).returncode == 0
    library = ctypes.CDLL(str(folder / f"{mode}.so"))
    (function,) = bench.functions(name, "float")
    step, expected = ladder.step(name, FLOAT, mode, choice.NATIVE), np.empty(PART, np.float32)
    for first in range(0, 1 << 32, PART):
        x = np.arange(first, first + PART, dtype=np.uint64).astype(np.uint32).view(np.float32)
        (found,), _, undecided = bench.on_arrays(library, function, mode, [x], room=0)
        for start in range(0, PART, choice.NATIVE.chunk):
            lanes = slice(start, start + choice.NATIVE.chunk)
            step([x[lanes]], [expected[lanes]])
        assert undecided == 0
        assert np.array_equal(found, bench.encodings(expected, FLOAT))
