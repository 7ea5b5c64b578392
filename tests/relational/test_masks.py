"""Option ``dtype=bool``: results that NumPy accepts as masks."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.functions import relational
from clmath.spec.builtins import EXACT, builtins
from tests.cases import for_each

X = np.float32([1.0, -0.0, np.nan, np.inf, -1e-40, -2.0])
Y = np.float32([1.0, 0.0, 1.0, -np.inf, 1e-40, 3.0])
TESTS = [n for n in relational.__all__ if builtins(*EXACT)[n].result == "booln"]
VECTORS = np.int32([[0, 1], [0, 0], [1, 1], [-1, 0]])


def arguments(name):
    return (X, Y)[: len(builtins(*EXACT)[name].inputs)]


@for_each("name", TESTS)
def test_masks_are_true_where_results_are_1(name):
    function, args = getattr(clmath, name), arguments(name)
    ints = function(*args)
    for dtype in (bool, np.bool_, np.dtype(bool), "bool"):
        mask = function(*args, dtype=dtype)
        assert type(mask) is np.ndarray
        assert mask.dtype == np.bool_
        np.testing.assert_array_equal(mask, ints == 1)
    np.testing.assert_array_equal(X[function(*args, dtype=bool)], X[ints.astype(bool)])
    for place in range(len(X)):
        number = function(*(a[place] for a in args), dtype=bool)
        assert type(number) is np.bool_
        assert number == bool(ints[place])
    assert type(function(*(a[0] for a in args))) is np.int32


@for_each("name", TESTS)
def test_out_of_bools_gets_a_mask(name):
    function, args = getattr(clmath, name), arguments(name)
    for given in (np.ones(len(X), bool), (np.ones(len(X), bool),)):
        got = function(*args, out=given)
        assert got is (given[0] if isinstance(given, tuple) else given)
        np.testing.assert_array_equal(got, function(*args) == 1)
    with pytest.raises(clmath.DTypeError, match=rf"{name}\(\): out has dtype bool; an array of int32 is needed"):
        function(*args, vector=True, out=np.ones(len(X), bool))
    with pytest.raises(clmath.DTypeError, match=rf"{name}\(\): out has dtype int32; an array of bool is needed"):
        function(*args, dtype=bool, out=np.ones(len(X), np.int32))


@pytest.mark.parametrize("name", ["any", "all"])
@pytest.mark.parametrize("vector", [False, True])
def test_any_and_all_give_masks_of_vectors(name, vector):
    function = getattr(clmath, name)
    mask = function(VECTORS, vector=vector, dtype=bool)
    assert mask.dtype == np.bool_
    true = VECTORS < 0 if vector else VECTORS != 0
    np.testing.assert_array_equal(mask, getattr(np, name)(true, axis=-1))
    np.testing.assert_array_equal(VECTORS[mask], VECTORS[function(VECTORS, vector=vector).astype(bool)])


def test_masks_are_accepted_as_conditions_and_as_where():
    mask = clmath.isgreater(X, 0.0, dtype=bool)
    assert clmath.sqrt(X, where=mask).tolist() == [1.0, 0.0, 0.0, np.inf, 0.0, 0.0]
    for form in (np.float16, np.float32, np.float64):  # int conditions are only for float
        assert clmath.select(form(0), form(1), mask).tolist() == mask.tolist()
    assert clmath.all(np.array([mask[0], mask[3]]), dtype=bool) is np.True_
    assert (~mask).sum() == 4
