"""Loads, stores and shuffles: judged by the memory that they read and leave, and tested like any built-in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, settings

import clmath
from clmath.testing import assert_conforms, assert_correctly_rounded, conformance_test
from tests.cases import for_each

QUICK = settings(max_examples=20, deadline=None, database=None, phases=[Phase.generate])
P = np.arange(12, dtype=np.float16)


def truncating(data, offset, p, n=1):
    clmath.vstore_half(data, offset, p, n, rounding="rtz")


def packed(offset, p):
    return clmath.vload_half3(offset, p)  # 3 lanes aligned as 4 begin at p[4 * offset]


def fills_the_fourth_place(data, offset, p):
    clmath.vstorea_half3(data, offset, p)
    p[np.asarray(offset) * 4 + 3] = 0


def modulo_three(x, mask):
    return clmath.shuffle(x, mask % mask.dtype.type(x.shape[-1]))


def swapped(x, y, mask):
    return clmath.shuffle2(y, x, mask)


def flushing(offset, p, n):
    lanes = clmath.vload(offset, p, n)
    return np.where(np.abs(lanes) < np.finfo(p.dtype).tiny, p.dtype.type(0), lanes)


WRONG = [
    (truncating, "vstore_half", ["float"]),
    (packed, "vloada_half3", None),
    (fills_the_fourth_place, "vstorea_half3", ["float"]),
    (modulo_three, "shuffle", ["float"]),
    (swapped, "shuffle2", ["char"]),
    (flushing, "vload", ["double"]),
]
NAMES = [
    "vload",
    "vstore",
    "vload_half",
    "vstore_half",
    "vloada_half",
    "vstorea_half",
    "shuffle",
    "shuffle2",
    "vload3",
    "vstore16",
]


@pytest.mark.slow
@for_each("function, name, types", WRONG)
def test_wrong_ones_are_found_and_the_line_that_replays_them_does(function, name, types):
    with pytest.raises(AssertionError) as caught:
        conformance_test(function, name, types=types, settings=QUICK)()
    first, *_, last = str(caught.value).splitlines()
    assert first.startswith(f"{name}(")
    assert len(first) < 2000  # not a whole memory
    known = {function.__name__: function, "np": np, "assert_conforms": assert_conforms}
    with pytest.raises(AssertionError) as again:
        exec(last.removeprefix("replay: "), known)  # noqa: S102
    assert str(again.value).split(" [")[0] == first.split(" [")[0]


@for_each("name", NAMES)
def test_right_ones_pass(name):
    conformance_test(getattr(clmath, name), name, settings=QUICK)()


def test_stores_in_every_mode():
    conformance_test(clmath.vstore_half, "vstore_half", types=["double"], modes=["rtz", "rtn"], settings=QUICK)()
    conformance_test(clmath.vstorea_half4_rtp, "vstorea_half4_rtp", settings=QUICK)()


def test_what_is_loaded():
    assert_conforms(P[4:8], "vload", (1, P, 4))
    assert_conforms(P.reshape(3, 4).astype(np.float32), "vload_half4", (np.arange(3), P))
    with pytest.raises(AssertionError, match=r"^vload2\(4, \(.*\)\)\[1\] \[4, .*\] at index 1: got 0x1p\+0 "):
        assert_conforms(np.float16([[2, 3], [8, 1]]), "vload2", (np.array([1, 4]), P))


def test_what_a_store_leaves():
    after = P.copy()
    clmath.vstore_half2(np.float32([[0.1, 0.2], [0.3, 0.4]]), [3, 0], after)
    given = (np.float32([[0.1, 0.2], [0.3, 0.4]]), [3, 0], P)
    assert_correctly_rounded(after, "vstore_half2", given)
    assert P[0] == 0
    after[11] = 0
    with pytest.raises(AssertionError, match=r"^vstore_half2\(.*\)\[11\] .*: got 0x0p\+0 \[0x0000\], want 0x1.6p\+3 "):
        assert_correctly_rounded(after, "vstore_half2", given)
    with pytest.raises(clmath.RangeError, match="offset 0 stands twice in args; which vector vstore_half2 keeps"):
        assert_conforms(after, "vstore_half2", (given[0], [0, 0], P))
