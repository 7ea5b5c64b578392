"""Assertions and limits by the edition that they are asked for."""

import numpy as np
import pytest

import clmath
from clmath.testing import assert_conforms

X = np.float16(2.0)
BELOW = np.nextafter(clmath.sqrt(X), np.float16(0.0))  # off by less than 1.5 ulp, and not correctly rounded


def test_a_result_that_one_edition_allows():
    assert_conforms(BELOW, "sqrt", (X,), edition="opencl-c-3.1.1")
    with pytest.raises(AssertionError, match=r"limit: correctly rounded \(cl_khr_fp16"):
        assert_conforms(BELOW, "sqrt", (X,))


def test_a_result_that_neither_allows_names_the_limit_of_the_edition():
    wrong = np.nextafter(BELOW, np.float16(0.0))
    with pytest.raises(AssertionError, match=r"limit: 1.5 ulp \(OpenCL C 3.1.1") as caught:
        assert_conforms(wrong, "sqrt", (X,), edition="opencl-c-3.1.1")
    assert "edition='opencl-c-3.1.1'" in str(caught.value)  # the line that replays it


def test_limits():
    assert clmath.limit("sqrt", "half").text == "correctly rounded"
    assert clmath.limit("sqrt", "half", edition="opencl-c-3.1.1").text == "1.5 ulp"
