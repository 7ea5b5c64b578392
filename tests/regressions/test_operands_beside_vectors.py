"""What a reader with the text open found in operators, copies and reads of images."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from tests.cases import for_each


@for_each(("dtype", "literal"), [("f4", 2**24 + 1), ("f2", 2049), ("f8", 2**53 + 1)])
@for_each("name", ["add", "sub", "mul", "div", "equal", "less"])
def test_an_int_that_the_element_type_would_round_is_refused_beside_vectors(name, dtype, literal):
    """2.3: it is ill-formed unless the value is representable as the element type."""
    vectors, call = np.ones(2, dtype), getattr(clmath, name)
    for args in ((vectors, literal), (literal, vectors)):
        with pytest.raises(clmath.DTypeError, match=r"ill-formed \(2\.3\)"):
            call(*args, vector=True)
    found = call(vectors, literal - 1, vector=True)
    assert found.tobytes() == call(vectors, np.full(2, literal - 1, dtype), vector=True).tobytes()


def test_a_nan_of_a_smaller_format_is_a_nan_beside_vectors():
    assert np.isnan(clmath.add(np.float32([1, 2]), np.float16(np.nan), vector=True)).all()


@for_each("stride", [1, 2, 2**62, 2**63, 2**64 - 1])
@for_each("name", ["src_stride", "dst_stride"])
@for_each("count", [0, 1])
def test_without_a_second_element_any_stride_will_do(name, stride, count):
    dst = np.zeros(4, np.int32)
    clmath.async_work_group_strided_copy(dst, np.int32([5, 6, 7]), count, **{name: stride})
    assert dst.tolist() == [5 * count, 0, 0, 0]


def test_what_lies_outside_of_an_image_is_told_as_what_it_is():
    image = clmath.Image(np.zeros((3, 4, 1), np.uint8), "unorm_int8", "r")
    layers = clmath.Image(np.zeros((2, 3, 4, 1), np.uint8), "unorm_int8", "r", array=True)
    with pytest.raises(clmath.RangeError, match=r"outside of 2 layers.*: give coordinates inside"):
        layers.read(None, [[0, 0, 3]])
    with pytest.raises(clmath.RangeError, match=r"outside of 4 texels.*: give coordinates inside"):
        image.write([[9, 0]], np.ones((1, 4), np.float32))
    with pytest.raises(clmath.RangeError, match=r"outside of 4 texels.*: give a Sampler of another addressing"):
        image.read(clmath.Sampler("none"), [[9, 0]])
    with pytest.raises(clmath.RangeError, match="coordinates include inf as float,"):
        image.read(clmath.Sampler("clamp"), [1.0, 1e39])
