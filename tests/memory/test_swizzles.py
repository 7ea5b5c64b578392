"""Swizzles: selectors in the specification's tables, and expressions that it calls ill-formed."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import clmath
from tests.cases import for_each

TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
WIDTHS = (2, 3, 4, 8, 16)
EQUIVALENT = {  # OpenCL C++ 1.0, 2.1.2, table 7; "?" is undefined
    ("hi", 2): "1", ("hi", 3): "2?", ("hi", 4): "23", ("hi", 8): "4567", ("hi", 16): "89abcdef",
    ("lo", 2): "0", ("lo", 3): "01", ("lo", 4): "01", ("lo", 8): "0123", ("lo", 16): "01234567",
    ("even", 2): "0", ("even", 3): "02", ("even", 4): "02", ("even", 8): "0246", ("even", 16): "02468ace",
    ("odd", 2): "1", ("odd", 3): "1?", ("odd", 4): "13", ("odd", 8): "1357", ("odd", 16): "13579bdf",
}  # fmt: skip
ILL_FORMED = [  # with the examples of the specification
    ("baS01", 4), ("rx", 3), ("xyz", 8), ("w", 3), ("gb", 2), ("S7890", 8), ("s467899", 16), ("S98aabb0123", 16),
    ("z", 2), ("s", 4), ("", 4), ("x ", 4), ("hilo", 4), ("S1G", 16), ("LO", 4), ("x", 1), ("x", 5), ("x", 6),
]  # fmt: skip


def random_bits(dtype, shape, seed=0):
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    random = np.random.default_rng(seed).integers(0, 256, size, np.uint8)
    return (random & 1).astype("?").reshape(shape) if dtype == "?" else random.view(dtype).reshape(shape)


def picked(x, numbers):
    """Return the components that hexadecimal digits name; 0 for undefined components ("?")."""
    columns = [np.zeros_like(x[..., 0]) if d == "?" else x[..., int(d, 16)] for d in numbers]
    return columns[0] if len(columns) == 1 else np.stack(columns, axis=-1)


@for_each("dtype", TYPES)
@for_each("selector, width", EQUIVALENT)
def test_named_selectors_equal_the_digits_in_the_table(selector, width, dtype):
    x = random_bits(dtype, (5, width))
    due, got = picked(x, EQUIVALENT[selector, width]), clmath.swizzle(x, selector)
    assert got.dtype == x.dtype
    assert got.tobytes() == due.tobytes()


@for_each("width", WIDTHS)
def test_letters_and_digits_select_components_in_any_order(width):
    rng, x = np.random.default_rng(width), random_bits("f4", (7, width))
    for size in (1, *WIDTHS):
        for _ in range(20):
            places = rng.integers(0, width, size)
            numbers = "".join("0123456789abcdef"[p] for p in places)
            names = [f"s{numbers}", f"S{numbers.upper()}"]
            if width <= 4:
                names += ["".join(letters[p] for p in places) for letters in ("xyzw", "rgba")]
            for name in names:
                assert clmath.swizzle(x, name).tobytes() == picked(x, numbers).tobytes(), name


@for_each("selector, width", ILL_FORMED)
def test_ill_formed_selector_is_refused(selector, width):
    with pytest.raises(clmath.ShapeError, match=r"^swizzle\(\): (selector=|.* 2, 3, 4, 8 or 16)"):
        clmath.swizzle(np.zeros(width), selector)
    target = np.zeros(width)
    with pytest.raises(clmath.ShapeError, match=r"^swizzle_assign\(\): (selector=|.* 2, 3, 4, 8 or 16)"):
        clmath.swizzle_assign(target, selector, 1.0)
    assert not target.any()


def test_single_component_is_a_scalar_and_results_are_copies():
    x = np.float32([1, 2, 3, 4])
    one, all_of_them = clmath.swizzle(x, "y"), clmath.swizzle(x, "xyzw")
    assert type(one) is np.float32
    assert not np.shares_memory(all_of_them, x)
    assert clmath.swizzle(np.array([1, 2], ">i4"), "yx").dtype == np.dtype("=i4")


@for_each("width", WIDTHS)
def test_assignment_writes_the_selected_components(width):
    digits = "0123456789abcdef"[:width]
    selectors = ["lo", "hi", "even", "odd", f"s{digits[::-1]}", f"s{digits[-1]}"]
    for selector in selectors:
        x = random_bits("i2", (3, width), 1)
        before = x.copy()
        shape = clmath.swizzle(x, selector).shape
        data = random_bits("i2", shape, 2)
        clmath.swizzle_assign(x, selector, data)
        numbers = EQUIVALENT.get((selector, width), selector[1:])
        columns = data[..., np.newaxis] if len(numbers) == 1 else data
        for component, digit in enumerate(numbers):
            if digit != "?":
                before[:, int(digit, 16)] = columns[:, component]
        assert np.array_equal(x, before), selector


def test_assignment_broadcasts_and_accepts_numbers_and_any_layout():
    x = np.zeros((2, 4), ">f4")[:, ::-1]
    clmath.swizzle_assign(x, "zx", [1, 2.5])
    assert x.tolist() == [[2.5, 0, 1, 0]] * 2
    clmath.swizzle_assign(x, "w", 7)
    assert x[:, 3].tolist() == [7, 7]
    shared = np.arange(4)
    clmath.swizzle_assign(shared, "yx", shared[:2])  # the data are read before they are overwritten
    assert shared.tolist() == [1, 0, 2, 3]


def test_vec_step_counts_components():
    names = [f"{t}{n}" for t, n in itertools.product(("char", "double", "bool"), ("", 2, 3, 4, 8, 16))]
    assert [clmath.vec_step(name) for name in names] == [1, 2, 4, 4, 8, 16] * 3
    assert [clmath.vec_step(np.zeros((5, n))) for n in WIDTHS] == [2, 4, 4, 8, 16]
    assert clmath.vec_step(np.int8(3)) == clmath.vec_step(2) == 1


def test_swizzle_can_write_to_its_argument():
    v, one = np.int16([[1, 2, 3], [4, 5, 6]]), np.empty(2, np.int16)
    assert clmath.swizzle(v, "y", out=one) is one
    assert clmath.swizzle(v, "zyx", out=v) is v
    assert (v.tolist(), one.tolist()) == ([[3, 2, 1], [6, 5, 4]], [2, 5])
    with pytest.raises(clmath.ShapeError, match="out has shape"):
        clmath.swizzle(v, "xy", out=v)
