"""A mask of dask was told to have the built-in called on itself."""

import dask.array
import numpy as np
import pytest
import xarray

import clmath

X = np.float32([1.0, 2.0])
MASK = np.array([True, False])


@pytest.mark.parametrize(
    "where", [dask.array.from_array(MASK), xarray.DataArray(dask.array.from_array(MASK))], ids=["dask", "xarray"]
)
def test_a_mask_is_computed_by_what_the_message_says(where):
    with pytest.raises(clmath.DTypeError, match=r"^sin\(\): where is a .*: np\.asarray\(where\) computes it$"):
        clmath.sin(X, where=where)
    assert clmath.sin(X, where=np.asarray(where)).tolist() == [clmath.sin(X[0]), 0.0]


def test_engines_are_listed():
    assert "engines" in dir(clmath)
    assert list(clmath.engines()) == ["native", "numpy"]
