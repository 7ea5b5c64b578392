"""Arguments of classes that answer for ufuncs themselves: units are not lost, and dask computes later."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from tests.cases import for_each

X = np.linspace(0.1, 0.9, 10)


class Quantity:
    """Numbers with a unit, which refuse all ufuncs except the known ones."""

    def __init__(self, values, known=()):
        self.values, self.known = values, known

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if ufunc.__name__ not in self.known or method != "__call__":
            return NotImplemented
        taken = [i.values if isinstance(i, Quantity) else i for i in inputs]
        return Quantity(ufunc(*taken, **options))


class Opaque(Quantity):
    """Numbers of a class that takes no part in ufuncs."""

    __array_ufunc__ = None


def test_a_class_gets_the_ufunc_and_has_the_last_word():
    found = clmath.pow(Quantity(X, {"clmath.pow"}), 2.5, rounding="rtp")
    assert isinstance(found, Quantity)
    assert found.values.tobytes() == clmath.pow(X, 2.5, rounding="rtp").tobytes()
    with pytest.raises(
        clmath.DTypeError, match=r"^pow\(\): y is a .*Quantity, whose __array_ufunc__ .*np\.asarray\(y\)$"
    ):
        clmath.pow(2.0, Quantity(X))
    assert clmath.sin(np.ones(1), out=np.empty(1)) == clmath.sin(1.0)


@for_each("call", ["sin(x)", "add(x, x)", "clz(x)", "isnan(x)", "convert(x, 'half')", "length(x)"])
def test_a_class_that_takes_no_part_in_ufuncs_is_refused(call):
    with pytest.raises(clmath.DTypeError, match=r"Opaque.*np\.asarray\("):
        eval(f"clmath.{call}", {"clmath": clmath, "x": Opaque(X)})  # noqa: S307


@for_each("call", ["clz(x)", "add(x, 1)", "convert(x, 'half')"])
def test_numbers_with_units_lose_them_nowhere(call):
    with pytest.raises(clmath.DTypeError, match=r"more than its numbers.*np\.asarray\(x\)"):
        eval(f"clmath.{call}", {"clmath": clmath, "x": Quantity(X)})  # noqa: S307


@for_each("form", ["f2", "f4", "f8"])
@for_each("mode", ["rte", "rtn"])
def test_arrays_of_dask_are_computed_later_block_by_block(form, mode):
    dask = pytest.importorskip("dask.array")
    x, y = (X + 1).astype(form), X.astype(form)
    later = clmath.pow(dask.from_array(x, chunks=3), y, rounding=mode)
    assert (type(later), later.dtype, later.chunks) == (dask.Array, np.dtype(form), ((3, 3, 3, 1),))
    assert later.compute(scheduler="threads").tobytes() == clmath.pow(x, y, rounding=mode).tobytes()


@for_each("call", ["sin(x)", "mul(x, 1.0)", "isequal(x, 0.0)", "convert(x, 'bool')", "mix(y, x, y)"])
def test_arrays_of_dask_keep_the_pragmas_of_the_block_that_builds_them(call):
    dask = pytest.importorskip("dask.array")
    x, y = np.array([1e-310, -1e-310, 1e-320, 0.3]), np.array([0.3, 0.7, 0.1, 1 / 3])

    def built():
        lazy = {"x": dask.from_array(x, chunks=2), "y": dask.from_array(y, chunks=2)}
        return eval(f"clmath.{call}", {"clmath": clmath} | lazy)  # noqa: S307

    def at_once():
        return eval(f"clmath.{call}", {"clmath": clmath, "x": x, "y": y})  # noqa: S307

    plain, want = built(), at_once().tobytes()
    with clmath.flush_to_zero("double"), clmath.fp_contract("OFF"):
        flushing, flushed = built(), at_once().tobytes()
        assert plain.compute(scheduler="synchronous").tobytes() == want
    for scheduler in ("synchronous", "threads"):
        assert flushing.compute(scheduler=scheduler).tobytes() == flushed
    assert flushed != want


def test_a_class_of_its_own_is_not_flushed_and_therefore_refused():
    for call in (clmath.sin, clmath.length):
        with clmath.flush_to_zero("double"), pytest.raises(clmath.DTypeError, match=r"flush_to_zero .*np\.asarray\("):
            call(Quantity(X, {"clmath.sin", "clmath.length"}))
    with clmath.flush_to_zero("double"):
        assert isinstance(clmath.fabs(Quantity(X, {"clmath.fabs"})), Quantity)


def test_vectors_of_dask_are_computed_later():
    dask = pytest.importorskip("dask.array")
    vectors = np.arange(12, dtype=np.float32).reshape(4, 3)
    later = clmath.length(dask.from_array(vectors, chunks=(2, 3)))
    assert later.compute(scheduler="threads").tobytes() == clmath.length(vectors).tobytes()


@for_each(
    "call",
    [
        *("clz(n)", "max(n, 3)", "max(x, 0.5)", "isnan(x, dtype=bool)", "isless(x, 0.5, vector=True)"),
        *("add(n, x)", "add(n, 2**40)", "convert(x, 'half', rounding='rtp')", "convert(n, 'float')"),
    ],
)
def test_exact_functions_of_dask_are_computed_later(call):
    dask = pytest.importorskip("dask.array")
    names = {"x": X, "n": np.arange(10, dtype=np.int32)}
    want = eval(f"clmath.{call}", {"clmath": clmath, **names})  # noqa: S307
    lazy = {name: dask.from_array(array, chunks=3) for name, array in names.items()}
    later = eval(f"clmath.{call}", {"clmath": clmath, **lazy})  # noqa: S307
    assert (type(later), later.dtype) == (dask.Array, want.dtype)
    assert later.compute(scheduler="threads").tobytes() == want.tobytes()


@for_each(
    "call", ["sin(n)", "sincos(n)", "pow(x, n)", "pow(x, y)", "pow(x, 'a')", "add(x, None)", "popcount(x)", "isnan(n)"]
)
def test_arrays_of_dask_are_refused_as_arrays_of_numpy_are(call):
    dask = pytest.importorskip("dask.array")
    arrays = {"x": np.ones(5, np.float32), "y": np.ones(5), "n": np.ones(5, np.int32)}
    later = {name: dask.from_array(array, chunks=2) for name, array in arrays.items()}
    said = []
    for given in (arrays, later):
        with pytest.raises(clmath.DTypeError) as caught:
            eval(f"clmath.{call}", {"clmath": clmath, **given})  # noqa: S307
        said.append(str(caught.value))
    assert said[0] == said[1]


@for_each("call", ["sincos(x)", "frexp(x)", "modf(x)", "fract(x)", "lgamma_r(x)", "remquo(x, 0.25)"])
def test_each_result_of_a_built_in_is_an_array_of_dask(call):
    dask = pytest.importorskip("dask.array")
    want = eval(f"clmath.{call}", {"clmath": clmath, "x": X})  # noqa: S307
    found = eval(f"clmath.{call}", {"clmath": clmath, "x": dask.from_array(X, chunks=3)})  # noqa: S307
    for later, now in zip(found, want, strict=True):
        assert isinstance(later, dask.Array)
        assert later.dtype == now.dtype
        assert later.compute().tobytes() == now.tobytes()


@for_each("call", ["sin(x, where=w)", "sincos(x, where=w)[1]", "add(x, 1.0, where=w)", "clz(n, where=w)"])
@for_each("mask", [list, np.asarray, "dask"])
def test_where_leaves_zeros_in_arrays_of_dask(call, mask):
    """The other elements were uninitialised memory."""
    dask = pytest.importorskip("dask.array")
    chosen = [True, False] * 5
    names = {"x": X, "n": np.arange(10), "w": chosen}
    want = eval(f"clmath.{call}", {"clmath": clmath, **names})  # noqa: S307
    assert not want[1::2].any()
    lazy = {name: dask.from_array(names[name], chunks=3) for name in "xn"}
    lazy["w"] = dask.from_array(np.array(chosen), chunks=5) if mask == "dask" else mask(chosen)
    assert eval(f"clmath.{call}", {"clmath": clmath, **lazy}).compute().tobytes() == want.tobytes()  # noqa: S307


def test_a_mask_for_arrays_of_dask_holds_bools():
    dask = pytest.importorskip("dask.array")
    for mask in ([1, 0] * 5, dask.ones(10)):
        with pytest.raises(clmath.DTypeError, match=r"^sin\(\): where has dtype \w+; bool is needed"):
            clmath.sin(dask.from_array(X, chunks=3), where=mask)


def test_where_alone_is_refused_for_classes_of_their_own():
    quantity, chosen = Quantity(X, {"clmath.sin"}), [True, False] * 5
    with pytest.raises(clmath.DTypeError, match=r"undefined.*np\.asarray\(x\), or leave where away"):
        clmath.sin(quantity, where=chosen)
    found = clmath.sin(quantity, out=(out := np.zeros(10)), where=chosen)
    assert found.values is out
    assert out.tobytes() == clmath.sin(X, where=chosen).tobytes()


def test_an_array_in_memory_takes_no_results_of_dask():
    dask = pytest.importorskip("dask.array")
    with pytest.raises(clmath.DTypeError, match=r"^sin\(\): x is a dask.* with this out"):
        clmath.sin(dask.from_array(X, chunks=3), out=np.empty(10))
