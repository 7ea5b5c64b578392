"""Tests of single numbers, which Python's floats tell: the values and types of arrays."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.direct.truths import ON_FLOATS
from clmath.numbers.formats import FORMATS
from clmath.spec.builtins import EXACT, builtins
from tests.cases import for_each

ROWS = builtins(*EXACT)


def numbers(form):
    """Neighbours of special values and random encodings, NaNs of both signs among them."""
    rng = np.random.default_rng(form.width)
    special = np.array([0.0, 1.0, form.smallest_normal, form.largest, np.inf, np.nan], form.dtype)
    codes = form.bits(special)[:, None] + np.array([-1, 0, 1]).astype(form.bits_dtype)
    codes = np.concatenate([codes.ravel(), rng.integers(0, 2**form.width, 60, np.uint64).astype(form.bits_dtype)])
    return form.from_bits(np.concatenate([codes, codes ^ form.bits_dtype.type(1 << (form.width - 1))]))


@for_each("options", [{}, {"vector": True}, {"dtype": bool}])
@for_each("form", FORMATS)
@for_each("name", ON_FLOATS)
def test_the_values_of_arrays(name, form, options):
    x, function = numbers(form), getattr(clmath, name)
    pairs = (x, x[::-1].copy()), (x, x), (x, np.roll(x, 1))
    for columns in pairs if len(ROWS[name].inputs) == 2 else [(x,)]:
        want = function(*columns, **options)
        found = [function(*row, **options) for row in zip(*columns, strict=True)]
        assert {type(value) for value in found} == {want.dtype.type}
        assert np.array(found).tobytes() == want.tobytes()


@for_each("name", ON_FLOATS)
def test_python_numbers(name):
    """Beside a float they are rounded to one; alone they are doubles."""
    function, third = getattr(clmath, name), np.float32(1 / 3)
    if len(ROWS[name].inputs) == 1:
        assert function(2.0) == function(np.array([2.0]))[0]
        assert function(2) == function(np.array([2.0]))[0]
        return
    assert function(third, 1 / 3) == function(np.array([third]), 1 / 3)[0]
    assert function(1 / 3, third) == function(1 / 3, np.array([third]))[0]
    assert function(1 / 3, 2) == function(np.array([1 / 3]), 2)[0]
    with pytest.raises(clmath.ClmathError) as one:
        function(third, 1e300)
    with pytest.raises(clmath.ClmathError) as several:
        function(np.array([third]), 1e300)
    assert (type(one.value), str(one.value)) == (type(several.value), str(several.value))


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_signs_that_are_moved(form):
    x = numbers(form)
    y = np.roll(x, 1)
    assert np.array([clmath.fabs(value) for value in x]).tobytes() == clmath.fabs(x).tobytes()
    found = np.array([clmath.copysign(*row) for row in zip(x, y, strict=True)])
    assert found.tobytes() == clmath.copysign(x, y).tobytes()
    assert {type(clmath.fabs(value)) for value in (*x, form.dtype.type(1))} == {form.dtype.type}
