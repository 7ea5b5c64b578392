"""``where`` works as in NumPy's ufuncs: masked elements are neither computed nor written."""

from __future__ import annotations

import numpy as np
import pytest

import clmath

MASK = np.array([[True, False, False, True], [False, False, True, False], [True, True, True, False]])


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_shapes_broadcast_as_in_numpy(dtype):
    x = np.linspace(1, 4, 4, dtype=dtype)
    for where in (MASK, MASK[0], MASK[:, :1], True, np.True_, np.array(False), [True, False, True, True]):
        for given in (x, x[0], x[:, np.newaxis][:, :1] if np.ndim(where) < 2 else x):
            out = np.full(np.broadcast_shapes(np.shape(given), np.shape(where)), 9, dtype)
            want = np.sqrt(given, where=where, out=out.copy())
            np.testing.assert_array_equal(clmath.sqrt(given, where=where, out=out), want)
            assert clmath.sqrt(given, where=where).shape == want.shape


def test_numbers_and_vectors():
    assert clmath.sqrt(4.0, where=True) == 2.0
    assert type(clmath.sqrt(4.0, where=np.False_)) is np.float64
    assert clmath.sqrt(4.0, where=False) == 0.0
    assert clmath.length(np.float32([[3, 4], [6, 8]]), where=[False, True]).tolist() == [0.0, 10.0]
    assert clmath.length([3.0, 4.0], where=[[True], [False]]).tolist() == [[5.0], [0.0]]
    assert clmath.length(np.float32(-3), where=[True, False]).tolist() == [3.0, 0.0]
    assert clmath.normalize(np.float32(-3), where=[True, False]).tolist() == [-1.0, 0.0]
    assert clmath.any(np.int32([[0, 1], [0, 1]]), where=[True, False]).tolist() == [1, 0]


@pytest.mark.parametrize("shift", [0, 1])
def test_out_may_be_an_argument_or_the_mask(shift):
    x = np.linspace(0.1, 2, 9, dtype=np.float32)
    memory = x.copy()
    got = clmath.exp(memory[:8], out=memory[shift : 8 + shift], where=x[:8] > 1)
    np.testing.assert_array_equal(got, np.where(x[:8] > 1, clmath.exp(x[:8]), x[shift : 8 + shift]))
    truths = x > 1
    want = np.where(truths[:8], clmath.isless(x[:8], 1.5, dtype=bool), truths[shift : 8 + shift])
    memory = truths.copy()
    clmath.isless(x[:8], 1.5, dtype=bool, out=memory[shift : 8 + shift], where=memory[:8])
    np.testing.assert_array_equal(memory[shift : 8 + shift], want)


def test_elements_that_are_left_out_are_not_looked_at():
    x, count = np.uint32([255, 255]), np.uint32([4, 40])
    with pytest.raises(clmath.RangeError):
        clmath.bitfield_extract_unsigned(x, 0, count)
    assert clmath.bitfield_extract_unsigned(x, 0, count, where=[True, False]).tolist() == [15, 0]


def test_masked_arrays_keep_their_masks():
    x = np.ma.MaskedArray(np.float32([1, 4, 9]), [0, 1, 0])
    got = clmath.sqrt(x, where=[True, True, False])
    assert got.mask.tolist() == [False, True, False]
    assert got.data.tolist() == [1.0, 2.0, 0.0]


@pytest.mark.parametrize("wrong", [[1, 0], np.int32([1, 0]), 1, 0, np.float32([1, 0])])
def test_other_truth_than_bool_is_refused(wrong):
    x = np.float32([1, 4])
    with pytest.raises(clmath.DTypeError, match=r"^sqrt\(\): where has dtype \w+; bool .*: np.asarray\(where, bool\)"):
        clmath.sqrt(x, where=wrong)
    clmath.sqrt(x, where=np.asarray(wrong, bool))


@pytest.mark.parametrize("wrong", [None, "yes", 1j, [[True], [True, False]]])
def test_masks_that_are_not_arrays_of_bool_are_refused(wrong):
    for call in (clmath.sqrt, clmath.isnan):
        with pytest.raises(clmath.ClmathError, match=r"\(\): where (has dtype|is None|is a ragged)"):
            call(np.float32([1, 4]), where=wrong)


def test_shapes_that_do_not_broadcast_are_refused_before_anything_is_written():
    x, out = np.float32([1, 4]), np.zeros(2, np.float32)
    with pytest.raises(clmath.ShapeError, match=r"sqrt\(\): x has shape \(2,\), where has shape \(3,\); they do not"):
        clmath.sqrt(x, where=[True, False, True], out=out)
    with pytest.raises(clmath.ShapeError, match=r"sqrt\(\): out has shape \(2,\); .* \(3, 2\) is needed"):
        clmath.sqrt(x, where=[[True], [False], [True]], out=out)
    assert not out.any()
