"""Lists of Python numbers, and the order of axes in memory."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

import clmath
from tests.cases import for_each
from tests.rounding_reference import rounded

CUBE = np.linspace(0.1, 2.0, 24, dtype=np.float32).reshape(2, 3, 4)


class TestLists:
    """Lists of Python numbers are as weak to the kind of number as one Python number is: ints are doubles."""

    @for_each("ints", [[1, 2], (1, 2), [[1], [2]], [1, 2.0], [2**53 + 1, -1], [2**70, 0]])
    def test_of_ints_are_doubles(self, ints):
        doubles = np.vectorize(float)(np.array(ints, object))
        for function in (clmath.sin, clmath.fabs, clmath.isnan, clmath.degrees):
            np.testing.assert_array_equal(function(ints), function(doubles))
        assert clmath.sin(ints).dtype == np.float64

    def test_of_other_things_are_refused(self):
        for wrong in ([True, 2], [np.int64(1)], [np.arange(3)], [None, 1], ["1"], np.array([1, 2])):
            with pytest.raises(clmath.DTypeError, match=r"^sin\(\): x (has dtype|holds Python) .* needed: "):
                clmath.sin(wrong)

    def test_lists_combine_with_other_arguments(self):
        assert clmath.pow([2, 3], [3, 2]).tolist() == clmath.pown([2.0, 3.0], [3, 2]).tolist() == [8.0, 9.0]
        assert clmath.length([3, 4]) == 5.0
        assert clmath.max([1, 2], [3, 0]).dtype == np.int64
        assert clmath.max([1, 2], [1.5, 1.5]).tolist() == [1.5, 2.0]

    @for_each(
        "ints",
        [[1, 2**63 + 1], (2**64 - 1, 0), [np.uint64(2**53 + 1), np.int64(-1)], [[np.uint64(2**64 - 1)], [np.int8(3)]]],
    )
    def test_integers_that_numpy_turns_into_doubles_keep_every_bit(self, ints):
        exact = [int(i) for i in np.array(ints, object).flat]
        kind = "long" if min(exact) < 0 else "ulong"
        assert clmath.convert(ints, kind).ravel().tolist() == exact
        converted = clmath.convert(ints, "float", rounding="rtz").ravel()
        assert converted.tolist() == rounded(list(map(Fraction, exact)), "f4", "rtz").tolist()
        assert clmath.popcount(ints).ravel().tolist() == [(i % 2**64).bit_count() for i in exact]

    def test_integers_that_no_type_holds_together_are_refused(self):
        with pytest.raises(clmath.DTypeError, match=r"^convert\(\): x lists integers below 0 and from 2\^63 on"):
            clmath.convert([2**63, -1], "double")
        with pytest.raises(clmath.DTypeError, match=r"^abs\(\): x holds 18446744073709551616; .*, the nearest one"):
            clmath.abs(2**64)


def order(array):
    """The axes of more than one element, sorted by decreasing stride."""
    axes = [axis for axis in range(array.ndim) if array.shape[axis] > 1]
    return sorted(axes, key=lambda axis: -abs(array.strides[axis]))


class TestOrder:
    """Results have the memory layout of NumPy's ufuncs."""

    @for_each("axes", list(itertools.permutations(range(3))))
    def test_of_one_argument(self, axes):
        for x in (CUBE.transpose(axes), CUBE.transpose(axes)[:, ::2]):
            want = order(np.sqrt(x))
            assert order(clmath.sqrt(x)) == order(clmath.sin(x)) == order(clmath.fract(x)[1]) == want
            assert order(clmath.isnan(x)) == order(clmath.convert(x, "int")) == want
            np.testing.assert_array_equal(clmath.sqrt(x), np.sqrt(x))

    def test_of_several(self):
        c = np.ones((3, 4), np.float32)
        f = np.asfortranarray(c)
        for args in [(f, f), (f, c), (c, f), (f, f[::-1]), (f, np.float32(2)), (f, c[0]), (f[:, :1], f[:1])]:
            assert clmath.add(*args).strides == np.add(*args).strides

    def test_vectors(self):
        v = np.asfortranarray(np.ones((5, 3), np.float32))
        assert clmath.normalize(v).flags.f_contiguous


@for_each(
    "call, message",
    [
        (
            lambda: clmath.sin(1.0, roundin="rtz"),
            r"^sin\(\) got an unexpected keyword argument 'roundin'; did you mean 'rounding'\?$",
        ),
        (
            lambda: clmath.add(1, 2, thread=2),
            r"^add\(\) got an unexpected keyword argument 'thread'; did you mean 'threads'\?$",
        ),
        (lambda: clmath.clamp(1, 2, 3, wher=True), r"^clamp\(\) .* 'wher'; did you mean 'where'\?$"),
        (lambda: clmath.fabs(1.0, rounding="rtz"), r"^fabs\(\) got an unexpected keyword argument 'rounding'$"),
        (lambda: clmath.sin(1.0, casting="no"), r"^sin\(\) .* 'casting'; .* clmath\.convert"),
        (lambda: clmath.sin(1.0, dtype="f4"), r"^sin\(\) .* 'dtype'; .* clmath\.convert"),
        (lambda: clmath.pow(1.0, 2.0, order="F"), r"^pow\(\) .* 'order'; .*np\.asarray"),
        (lambda: clmath.convert(1.0, "int", subok=True), r"^convert\(\) .* 'subok'; .*np\.asarray"),
        (clmath.degrees, r"^degrees\(\) missing 1 required positional argument: 'radians'$"),
        (lambda: clmath.degrees(out=np.empty(1)), r"^degrees\(\) missing 1 required positional argument: 'radians'$"),
        (lambda: clmath.mix(1.0), r"^mix\(\) missing 2 required positional arguments: 'y' and 'a'$"),
        (lambda: clmath.atan2(1.0), r"^atan2\(\) missing 1 required positional argument: 'x'$"),
        (lambda: clmath.sin(1.0, 2.0), r"^sin\(\) takes 1 positional argument but 2 were given$"),
        (lambda: clmath.half_sin(x=1.0), r"^half_sin\(\) got some positional-only arguments .*: 'x'$"),
        (
            lambda: clmath.work_group_all(axis=0),
            r"^work_group_all\(\) missing 1 required positional argument: 'predicate'$",
        ),
        (lambda: clmath.read_unorm_int8(np.uint8(1), typ="half"), r"^read_unorm_int8\(\) .* 'typ'"),
        (
            lambda: clmath.read_unorm_int8(np.uint8(1), "half", "rtz"),
            r"^read_unorm_int8\(\) takes .* but 3 were given$",
        ),
        (lambda: clmath.convert(1.0, "int", True), r"^convert\(\) takes 2 positional arguments but 3 were given$"),
    ],
)
def test_wrong_parameters_are_named(call, message):
    for _ in range(2):  # a wrong call is not kept as a right one
        with pytest.raises(TypeError, match=message):
            call()
