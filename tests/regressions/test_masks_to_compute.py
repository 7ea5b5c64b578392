"""A mask of dask was told to have the built-in called on itself."""

import numpy as np
import pytest

import clmath

X = np.float32([1.0, 2.0])
MASK = np.array([True, False])


@pytest.mark.parametrize("library", ["dask", "xarray"])
def test_a_mask_is_computed_by_what_the_message_says(library):
    import dask.array  # here: they take half a second to load
    import xarray

    mask = dask.array.from_array(MASK)
    where = xarray.DataArray(mask) if library == "xarray" else mask
    with pytest.raises(clmath.DTypeError, match=r"^sin\(\): where is a .*: np\.asarray\(where\) computes it$"):
        clmath.sin(X, where=where)
    assert clmath.sin(X, where=np.asarray(where)).tolist() == [clmath.sin(X[0]), 0.0]


def test_engines_are_listed():
    assert "engines" in dir(clmath)
    assert list(clmath.engines()) == ["native", "numpy"]
