"""Exported functions give clmath's bits for every half in every mode, and for many pairs and triples."""

import ctypes
import itertools

import numpy as np
import pytest

from clmath import phases
from clmath.engines import choice
from clmath.export import exportable
from clmath.export.functions import Function
from clmath.export.whole import is_conversion
from clmath.numbers.formats import HALF
from clmath.numbers.rounding import MODES
from tests.cases import for_each
from tests.export import bench

FUNCTIONS = {row.name: Function(row, HALF) for row in exportable() if not is_conversion(row)}
SPECIAL = (0x0000, 0x0001, 0x03FF, 0x0400, 0x3BFF, 0x3C00, 0x3C01, 0x4248, 0x6400, 0x7BFF, 0x7C00, 0x7D01, 0x7E00)
INTEGERS = (-(2**31), -40, -25, -24, -15, -3, -2, -1, 0, 1, 2, 3, 4, 5, 15, 16, 40, 2**31 - 1)


@pytest.fixture(scope="module")
def halves(exported, cc):
    """Function that compiles the exported library of a built-in of half."""

    def compiled(name):
        folder = exported("c", name, "half")
        made = bench.run(
            *cc, "-std=c11", "-O0", "-fPIC", "-shared", "-o", "one.so", f"clmath_{name}.c", "-lm", cwd=folder
        )
        assert made.returncode == 0, made.stderr
        return ctypes.CDLL(str(folder / "one.so"))

    return compiled


def arguments(function):
    """Return all halves, all pairs of 240 halves, or all triples of 44; these include special values."""
    count = {1: 1 << 16, 2: 240, 3: 44}[len(function.inputs)]
    if len(function.inputs) == 1:
        return [np.arange(1 << 16, dtype=np.uint32).astype(np.uint16).view(np.float16)]
    rng = np.random.default_rng(26)
    columns = []
    for type, _ in function.inputs:
        if type == "int":
            columns.append(np.array([*INTEGERS, *rng.integers(-20, 20, count - len(INTEGERS))], np.int32))
        else:
            known = [code | sign for code in SPECIAL for sign in (0, 0x8000)]
            sampled = rng.integers(0, 1 << 16, count - len(known))
            columns.append(np.array([*known, *sampled], np.uint16).view(np.float16))
    numbers = zip(*itertools.product(*(range(count) for _ in columns)), strict=True)
    return [column[list(elements)] for column, elements in zip(columns, numbers, strict=True)]


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
@for_each("name", FUNCTIONS)
def test_every_half_has_equal_bits(halves, name):
    function, library = FUNCTIONS[name], halves(name)
    columns = arguments(function)
    expected = bench.results(function, columns[0].size)
    for mode in MODES:
        found, _, undecided = bench.on_arrays(library, function, mode, columns, room=0)
        with np.errstate(all="ignore"):
            phases.step(name, HALF, mode, choice.PLAIN)(columns, expected)
        assert undecided == 0
        assert all(map(np.array_equal, found, bench.encoded(function, expected)))
