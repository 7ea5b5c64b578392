"""Few or many vectors in arrays, which compiled code takes directly: results have the bits of the reference."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.call import by_reference
from clmath.engines import ufuncs
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import MODES
from tests.builtins import CASES, Case, Expected, assert_bits, expected, inputs
from tests.cases import for_each

VECTORS = [case for case in CASES if case.width]

LAYOUTS = {
    "plain": lambda p: p.copy(),
    "backwards": lambda p: p[::-1, ::-1].copy()[::-1, ::-1],
    "columns": np.asfortranarray,
    "wider": lambda p: np.concatenate([p, p], axis=1)[:, : p.shape[1]],
    "of three axes": lambda p: p.reshape(-1, 100, p.shape[1]),
}


@for_each("case", [case for case in VECTORS if case.width == 3])
def test_many_vectors_in_every_layout(case):
    """Each thread takes several chunks, with new arrays and with given ones."""
    args, kinds = inputs(case)
    places = np.random.default_rng(9).integers(0, kinds.size, 10_000)
    for number, (name, layout) in enumerate(LAYOUTS.items()):
        mode = MODES[number % 4]
        (want,) = expected(case).rounded(mode)
        laid = tuple(layout(a[places]) for a in args)
        want = want[places].reshape(*laid[0].shape[:-1], *want.shape[1:])
        assert_bits(case.call(laid, mode), (want,), case, f"{mode}, {name}", laid)
        for threads in (1, 2):
            out = np.full_like(want, 77)
            assert case.call(laid, mode, out=out, threads=threads)[0] is out
            assert_bits((out,), (want,), case, f"{mode}, {name}, {threads} threads", laid)


@for_each("case", [case for case in VECTORS if case.width == 3 and len(case.row.inputs) == 2])
def test_many_vectors_broadcast_with_one(case):
    (many, others), _ = inputs(case)
    one = others[40]
    for args in ((many, one), (one, many)):
        whole = tuple(np.broadcast_to(a, many.shape) for a in args)
        want = Expected(case, whole).rounded("rtp")
        out = np.full_like(want[0], 7.0)
        assert_bits(case.call(args, "rtp", out=out), want, case, "beside one, out", whole)
        assert_bits(case.call(args, "rtp"), want, case, "beside one", whole)


@for_each("case", [case for case in VECTORS if case.name == "distance"])
def test_distance_from_the_largest_number(case):
    """A difference is a number, but a step of two_sum overflows: the distance of doubles was NaN."""
    form, rng = case.form, np.random.default_rng(5)
    sizes = rng.uniform(0.5, 1.0, (60, case.width)) * 2.0 ** -rng.integers(0, 4, (60, case.width))
    x = (sizes * rng.choice([-1.0, 1.0], sizes.shape) * form.largest).astype(form.dtype)
    y = np.tile(np.resize([form.largest, 0.5], case.width), (60, 1)).astype(form.dtype)
    for args in ((x, y), (y, x), (x, -y), (-y, x)):
        reference = Expected(case, args)
        for mode in MODES:
            assert_bits(case.call(args, mode), reference.rounded(mode), case, mode, args)


def test_vectors_that_compiled_code_leaves_are_filled_in():
    """Test lengths next to a midpoint or exactly on it, mixed with others; also of one vector."""
    p, case = np.ones((4000, 2)), Case("length", DOUBLE, 2)
    p[::7] = 2.0**53, 2.0**26 * np.sqrt(2.0)
    p[1::9] = 1.0, 2.0**-26 * (1.0 + 2.0**-40)
    p[5::11] = 3.0, 4.0
    known = Expected(case, (p,))
    for mode in MODES:
        want = known.rounded(mode)
        assert_bits(case.call((p,), mode), want, case, mode, (p,))
        three_axes = (p.reshape(40, 100, 2),)
        assert_bits(case.call(three_axes, mode), (want[0].reshape(40, 100),), case, mode, three_axes)
        for i in (0, 1, 5):
            assert clmath.length(p[i], rounding=mode) == want[0][i]
            assert clmath.length(p[i : i + 1], rounding=mode, out=np.empty(1)) == want[0][i]


def test_shapes_and_the_order_of_memory():
    p = np.asfortranarray(np.arange(12.0).reshape(4, 3))
    assert clmath.normalize(p).flags.f_contiguous
    assert clmath.length(np.empty((0, 3))).shape == (0,)
    assert clmath.cross(np.empty((0, 3)), np.empty((0, 3))).shape == (0, 3)
    assert type(clmath.length(np.float32([3, 4]))) is np.float32
    with pytest.raises(clmath.ShapeError, match="5 components"):
        clmath.length(np.ones((2, 5)))


def test_asking_the_reference_again_makes_no_further_ufunc():
    """NumPy keeps ufuncs for ever."""
    p = np.ones((3, 3), np.float32)
    by_reference("length", (p,), "rtp")
    before = len(ufuncs._KEPT)
    for _ in range(5):
        by_reference("length", (p,), "rtp")
    assert len(ufuncs._KEPT) == before
