"""Results keep masks and labels; arguments whose attributes would be dropped or computed are refused with a remedy."""

from __future__ import annotations

import re

import numpy as np
import pytest

import clmath
from clmath.functions import image
from tests.cases import for_each

X = np.float32([0.5, 1.0, 2.0])


def masked(values, mask):
    return np.ma.MaskedArray(values, mask)


class TestMasked:
    def test_result_masks_combine_the_masks_of_all_arguments(self):
        got = clmath.sin(masked(X, [0, 1, 0]))
        assert type(got) is np.ma.MaskedArray
        assert got.dtype == np.float32
        np.testing.assert_array_equal(got.data, clmath.sin(X))
        beside = (lambda x: clmath.pow(x, 2.0), lambda x: clmath.pow(X, x))
        for results in (clmath.sin, clmath.sincos, clmath.frexp, *beside):
            found = results(masked(X, [0, 1, 0]))
            for got in found if isinstance(found, tuple) else (found,):
                assert got.mask.tolist() == [False, True, False]
        assert clmath.pow(masked(X, [0, 1, 0]), masked(X, [1, 0, 0])).mask.tolist() == [True, True, False]
        assert clmath.hypot(masked(X, [0, 1, 0]), X[:2, None]).mask.tolist() == [[False, True, False]] * 2

    def test_a_masked_component_masks_its_vector(self):
        vectors = masked(np.ones((2, 3), np.float32), [[0, 1, 0], [0, 0, 0]])
        assert clmath.length(vectors).mask.tolist() == [True, False]
        assert clmath.normalize(vectors).mask.tolist() == [[True] * 3, [False] * 3]
        assert clmath.dot(vectors, np.ones((2, 3), np.float32)).mask.tolist() == [True, False]
        assert clmath.length(masked(X, [0, 1, 0])) is np.ma.masked

    def test_integers_relations_and_conversions(self):
        assert clmath.clz(masked(np.int32([1, 2]), [0, 1])).mask.tolist() == [False, True]
        assert clmath.max(masked(np.int32([1, 2]), [0, 1]), 5).mask.tolist() == [False, True]
        assert clmath.isnan(masked(X, [0, 1, 0])).mask.tolist() == [False, True, False]
        assert clmath.any(masked(np.int32([[1, 0], [1, 1]]), [[0, 1], [0, 0]])).mask.tolist() == [True, False]
        assert clmath.convert(masked(X, [0, 1, 0]), "half").mask.tolist() == [False, True, False]

    def test_scalars(self):
        assert clmath.sin(masked(X, [0, 1, 0])[1]) is np.ma.masked
        assert isinstance(clmath.sin(masked(X[0], False)), np.float32)

    def test_the_arguments_keep_their_masks(self):
        x = masked(X.copy(), [0, 1, 0])
        got = clmath.sin(x)
        got.mask[0] = True
        assert x.mask.tolist() == [False, True, False]

    def test_fill_value_and_hard_mask_come_from_the_first_argument(self):
        got = clmath.pow(np.ma.MaskedArray(X, [0, 1, 0], fill_value=7, hard_mask=True), masked(X, [0, 0, 1]))
        assert (got.fill_value, got.hardmask) == (7, True)
        assert got.filled().tolist()[1:] == [7, 7]
        whole = clmath.convert(np.ma.MaskedArray(X, [0, 1, 0], fill_value=1e20), "int")  # 1e20 is out of int's range
        assert whole.mask.tolist() == [False, True, False]

    def test_the_masked_constant_takes_the_type_of_the_other_argument(self):
        element = masked(X, [0, 1, 0])[1]
        got = clmath.pow(X, element)
        assert got.dtype == np.float32
        assert got.mask.all()
        assert clmath.pow(element, np.float32(2)) is np.ma.masked
        assert clmath.sin(element) is np.ma.masked
        assert clmath.ldexp(X, element).mask.all()
        assert clmath.max(np.int8([1, 2]), element).dtype == np.int8

    def test_out_is_for_plain_arrays(self):
        with pytest.raises(clmath.DTypeError, match=r"^sin\(\): out takes results of plain arrays; x is a numpy.ma"):
            clmath.sin(masked(X, False), out=np.empty(3, np.float32))
        with pytest.raises(clmath.DTypeError, match=r"^sin\(\): out is a numpy\S+MaskedArray; an array of"):
            clmath.sin(X, out=masked(np.empty(3, np.float32), False))


@for_each(
    "call",
    [
        lambda x: clmath.vload(0, x, 2),
        lambda x: clmath.shuffle(np.ones(4), x),
        lambda x: clmath.as_type(x, "uint"),
        clmath.fp16,
        image.read_float,
        image.write_half_float,
    ],
)
def test_masks_are_refused_where_they_cannot_come_back(call):
    with pytest.raises(clmath.DTypeError, match=r"\w+\(\): \w+ is a numpy.ma.MaskedArray; a plain array .*\w.filled"):
        call(masked(np.float32([1, 2, 3, 4]), [0, 1, 0, 0]))


def test_other_subclasses_of_arrays_are_refused():
    class Quantity(np.ndarray):
        pass

    with pytest.warns(PendingDeprecationWarning):
        matrix = np.matrix([[1.0, 2.0]])
    for wrong in (matrix, X.view(Quantity)):
        with pytest.raises(clmath.DTypeError, match=r"^sin\(\): x is a .*; a plain array .*: .*np.asarray\(x\)$"):
            clmath.sin(wrong)
        with pytest.raises(clmath.DTypeError, match=r"^sin\(\): out is a \S+\.(matrix|Quantity); an array of"):
            clmath.sin(np.asarray(wrong), out=wrong)


def test_masks_inside_lists_are_refused():
    for value in ([1.0, np.ma.masked], [masked(X, [0, 1, 0])], ([X, X], [X, masked(X, [0, 1, 0])])):
        with pytest.raises(
            clmath.DTypeError, match=r"^sin\(\): x(\[\d\])+ is a numpy.ma.\w+.*; a plain array is needed"
        ):
            clmath.sin(value)


def test_an_error_on_reading_is_not_called_a_ragged_list():
    class Broken:
        def __array__(self, dtype=None, copy=None):
            raise ValueError("the file is closed")

    with pytest.raises(clmath.DTypeError, match=r"^sin\(\): x is a .*Broken, no array .*the file is closed"):
        clmath.sin(Broken())
    nested = 1.0
    for _ in range(70):
        nested = [nested]
    with pytest.raises(clmath.DTypeError, match=r"^sin\(\): x is a builtins.list, no array .*dimension"):
        clmath.sin(nested)


def test_memory_mapped_files_are_plain(tmp_path):
    mapped = np.memmap(tmp_path / "x", np.float32, "w+", shape=3)
    mapped[:] = X
    got = clmath.sin(mapped)
    assert type(got) is np.ndarray
    assert clmath.sin(X, out=mapped) is mapped
    np.testing.assert_array_equal(mapped, got)


@for_each(
    "module, remedy",
    [
        ("pyopencl.array", "x.get() copies it to the host"),
        ("cupy", "x.get() copies it to the host"),
        ("numba.cuda.cudadrv.devicearray", "cupy.asarray(x) is an array of CuPy in the same memory"),
        ("polars.series.series", "give its values, x.to_numpy()"),
        ("dask.array.core", "x.map_blocks(clmath.sin, dtype=x.dtype)"),
        ("dask.dataframe.dask_expr._collection", "x.map_partitions(clmath.sin)"),
    ],
)
def test_arrays_that_are_elsewhere_are_refused_untouched(module, remedy):
    def touched(*_, **__):
        raise AssertionError("it was computed or copied")

    members = {"__module__": module, "__array__": touched, "to_numpy": touched, "dtype": np.dtype(np.float32)}
    foreign = type("Array", (), members)()
    with pytest.raises(clmath.DTypeError, match=rf"^sin\(\): x is a {module}.Array; .*: {re.escape(remedy)}"):
        clmath.sin(foreign)
    with pytest.raises(clmath.DTypeError, match=rf"^max\(\): y is a {module}.Array"):
        clmath.max(X, foreign)


@pytest.mark.parametrize("module, remedy", [("jaxlib._jax", "numpy.asarray(x)"), ("torch", "x.detach().cpu().numpy()")])
def test_arrays_on_a_device_are_not_copied_unasked(module, remedy):
    """DLPack reports the device of an array: 14 is a oneAPI device, 1 the host."""

    def array(kind):
        members = {"__module__": module, "__dlpack_device__": lambda _: (kind, 0), "__array__": lambda *_, **__: X}
        return type("Array", (), members)()

    for call in (clmath.sin, clmath.isnan):
        with pytest.raises(clmath.DTypeError, match=rf"is a {module}.Array on a device; .*: "):
            call(array(14))
    with pytest.raises(clmath.DTypeError, match=rf"^sin\(\): x .* in memory is needed: {re.escape(remedy)}"):
        clmath.sin(array(14))
    np.testing.assert_array_equal(clmath.sin(array(1)), clmath.sin(X))


def test_tensors_that_numpy_cannot_read_are_refused_by_name():
    def on_the_device(*_, **__):
        raise TypeError("can't convert cuda:0 device type tensor to numpy")

    tensor = type("Tensor", (), {"__module__": "torch", "__array__": on_the_device})()
    with pytest.raises(clmath.DTypeError, match=r"x is a torch.Tensor, no .*cuda:0.*: x.detach\(\).cpu\(\).numpy"):
        clmath.sin(tensor)
    readable = type("Tensor", (), {"__module__": "torch", "__array__": lambda *_, **__: X})()
    np.testing.assert_array_equal(clmath.sin(readable), clmath.sin(X))


class TestPandas:
    @pytest.fixture
    def pd(self):
        return pytest.importorskip("pandas")

    @pytest.fixture
    def series(self, pd):
        return pd.Series(X, index=["a", "b", "c"], name="angle")

    def test_a_series_keeps_index_name_and_attributes(self, pd, series):
        pd.testing.assert_series_equal(clmath.sin(series), pd.Series(clmath.sin(X), index=series.index, name="angle"))
        assert [r.name for r in clmath.sincos(series)] == ["angle"] * 2
        assert clmath.isnan(series).index.tolist() == ["a", "b", "c"]
        assert clmath.convert(series, "half").dtype == np.float16
        assert clmath.max(pd.Series([1, 2]), 2).tolist() == [2, 2]
        for given in (series, pd.DataFrame({"x": X})):
            given.attrs["unit"] = "rad"
            assert clmath.sin(given).attrs == {"unit": "rad"}

    def test_series_combine_with_numbers_arrays_and_series_of_equal_labels(self, pd, series):
        want = pd.Series(clmath.pow(X, X), index=series.index, name="angle")
        for y in (X, series, X.tolist() and series.copy()):
            pd.testing.assert_series_equal(clmath.pow(series, y), want)
        assert clmath.pow(series, series.rename("other")).name is None
        assert clmath.pow(2.0, series).index.equals(series.index)

    def test_a_data_frame_keeps_both_axes(self, pd):
        frame = pd.DataFrame({"x": X, "y": 2 * X}, index=["a", "b", "c"])
        got = clmath.exp(frame)
        want = pd.DataFrame({"x": clmath.exp(X), "y": clmath.exp(2 * X)}, index=frame.index)
        pd.testing.assert_frame_equal(got, want)

    def test_columns_of_several_types_are_refused(self, pd):
        frame = pd.DataFrame({"x": X, "y": np.float64(X)})
        with pytest.raises(clmath.DTypeError, match=r"x has columns of several types, float32, float64; .*x\.apply"):
            clmath.sin(frame)
        assert frame.apply(clmath.sin).dtypes.tolist() == [np.float32, np.float64]

    def test_missing_values_are_refused(self, pd):
        integers = pd.Series([2**53 + 1, None], dtype="Int64")  # NumPy makes doubles of them
        for wrong in (integers, pd.Series([1.0, None], dtype="Float32"), pd.DataFrame({"x": integers})):
            with pytest.raises(clmath.DTypeError, match=r"^convert\(\): x holds NA, .*x.dropna\(\).*x.fillna\(...\)"):
                clmath.convert(wrong, "long")
        assert clmath.convert(integers.dropna(), "long").tolist() == [2**53 + 1]
        with pytest.raises(clmath.DTypeError, match=r"x is a pandas.*NA.*: give an array of numbers$"):
            clmath.sin(pd.NA)

    def test_in_lists_and_fp16_they_are_refused(self, series):
        with pytest.raises(clmath.DTypeError, match=r"^sin\(\): x\[0\] is a pandas.*Series"):
            clmath.sin([series])
        for operation in (lambda: series + clmath.fp16(1.0), lambda: clmath.fp16(1.0) + series):
            with pytest.raises(clmath.DTypeError, match=r"^fp16 \+: r is a pandas.*Series"):
                operation()

    def test_other_labels_are_refused(self, pd, series):
        for other in (series[::-1], pd.Series(X), pd.DataFrame({"x": X})):
            with pytest.raises(clmath.DTypeError, match=r"^pow\(\): x and y have different labels: bring .*x.align$"):
                clmath.pow(series, other)

    def test_a_result_that_has_no_place_for_the_labels_is_refused(self, pd, series):
        with pytest.raises(clmath.DTypeError, match=r"result has shape \(3, 3\), x with its labels \(3,\): .*to_numpy"):
            clmath.pow(series, X[:, np.newaxis])
        with pytest.raises(clmath.DTypeError, match=r"result has shape \(3,\), p with its labels \(3, 2\)"):
            clmath.length(pd.DataFrame({"x": X, "y": X}))

    def test_an_index_and_an_extension_array_are_refused(self, pd):
        for wrong in (pd.Index(X), pd.array(X, dtype="Float32")):
            with pytest.raises(clmath.DTypeError, match=r"^sin\(\): x is a pandas.*: give its values, x.to_numpy\(\)"):
                clmath.sin(wrong)

    def test_a_mask_may_be_a_container_with_the_labels_of_the_arguments(self, pd, series):
        """A Series in where was refused, though x may be one."""
        mask = pd.Series([True, False, True], index=series.index)
        calls = [
            (clmath.sin, clmath.convert_half_rtp, clmath.isnan, lambda x, **more: clmath.add(x, x, **more)),
            (clmath.clz, lambda x, **more: clmath.rem(x, 2, **more)),
        ]
        for functions, x in zip(calls, (series, series.astype("int32")), strict=True):
            for function in functions:
                want = function(x.to_numpy(), where=mask.to_numpy())
                for chosen in (mask, mask.astype("boolean")):
                    found = function(x, where=chosen)
                    assert found.index.equals(x.index)
                    np.testing.assert_array_equal(found.to_numpy(), want)
                    np.testing.assert_array_equal(function(x.to_numpy(), where=chosen), want)
                with pytest.raises(
                    clmath.DTypeError, match=r"[xt] and where have different labels: where.to_numpy\(\)"
                ):
                    function(x, where=mask[::-1])
        with pytest.raises(clmath.DTypeError, match="where holds NA"):
            clmath.sin(series, where=mask.astype("boolean").where(mask))

    def test_two_kinds_of_containers(self, series):
        with pytest.raises(clmath.DTypeError, match=r"^pow\(\): one kind of container is needed; x is .*, y is "):
            clmath.pow(series, masked(X, False))


class TestXarray:
    @pytest.fixture
    def xr(self):
        return pytest.importorskip("xarray")

    @pytest.fixture
    def array(self, xr):
        return xr.DataArray(X, dims="t", coords={"t": [10, 20, 30]}, name="angle", attrs={"source": "lab"})

    def test_a_data_array_keeps_everything(self, xr, array):
        got = clmath.sin(array)
        xr.testing.assert_identical(got, array.copy(data=clmath.sin(X)))
        xr.testing.assert_identical(clmath.pow(array, array), array.copy(data=clmath.pow(X, X)))
        assert clmath.sin(array[0]).dims == ()

    def test_other_labels_are_refused(self, array):
        for other in (array.assign_coords(t=[1, 2, 3]), array.rename(t="u")):
            with pytest.raises(clmath.DTypeError, match=r"x and y have different labels: bring .*xarray.align$"):
                clmath.pow(array, other)

    def test_data_sets(self, xr, array):
        with pytest.raises(clmath.DTypeError, match=r"Dataset; .*: x.map\(clmath.sin\)"):
            clmath.sin(array.to_dataset())
        xr.testing.assert_allclose(array.to_dataset().map(clmath.sin)["angle"], clmath.sin(array))

    def test_arrays_of_dask_within(self, xr, array):
        pytest.importorskip("dask.array")
        lazy = array.chunk(2)
        with pytest.raises(clmath.DTypeError, match=r"xarray.apply_ufunc\(clmath.sin, x, dask='parallelized', output_"):
            clmath.sin(lazy)
        got = xr.apply_ufunc(clmath.sin, lazy, dask="parallelized", output_dtypes=[lazy.dtype])
        np.testing.assert_array_equal(got.compute(), clmath.sin(X))


def test_dask():
    da = pytest.importorskip("dask.array")
    x = da.from_array(X, chunks=2)
    with pytest.raises(
        clmath.DTypeError, match=r"x is a dask.array.core.Array; .*: x.map_blocks\(clmath.read_float, d"
    ):
        clmath.read_float(x.astype("f4"))
    np.testing.assert_array_equal(x.map_blocks(clmath.sin, dtype=x.dtype).compute(), clmath.sin(X))
    several = da.map_blocks(clmath.pow, x, x, dtype=x.dtype)
    np.testing.assert_array_equal(several.compute(), clmath.pow(X, X))
