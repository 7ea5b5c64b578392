"""Arrays of other libraries are converted through the interfaces they offer; stand-ins imitate those libraries."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.testing import assert_conforms, assert_correctly_rounded

X = np.float32([0.5, 1.0])


class OnDevice:
    """An array that copies to the host only on request, like CuPy's."""

    __module__ = "cupy"

    def __init__(self, values):
        self._values = values
        self.dtype = values.dtype
        self.shape = values.shape

    def __array__(self, *_, **__):
        raise TypeError("Implicit conversion to a NumPy array is not allowed")

    def get(self):
        return self._values.copy()


class WithGradient:
    """A tensor that records gradients, like PyTorch's."""

    __module__ = "torch"

    def __init__(self, values, *, plain=False):
        self._values, self._plain = values, plain

    def __array__(self, *_, **__):
        if not self._plain:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return self._values

    def detach(self):
        return self

    def cpu(self):
        return WithGradient(self._values, plain=True)


class Readable:
    """An array that NumPy can read, like JAX's."""

    __module__ = "jaxlib"

    def __init__(self, values):
        self._values = values

    def __array__(self, *_, **__):
        return self._values


class Exchanged:
    """An array that offers DLPack alone."""

    __module__ = "elsewhere"

    def __init__(self, values):
        self._values = values

    def __dlpack__(self, **options):
        return self._values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._values.__dlpack_device__()


@pytest.mark.parametrize("kind", [OnDevice, WithGradient, Readable, Exchanged])
def test_arrays_of_other_libraries(kind):
    got, x = kind(clmath.sin(X)), kind(X)
    np.testing.assert_array_equal(clmath.ulp_error(got, "sin", (x,)), clmath.ulp_error(clmath.sin(X), "sin", (X,)))
    assert clmath.ulp_error(x, kind(X.astype(np.float64))).tolist() == [0.0, 0.0]
    assert_conforms(got, "sin", (x,))
    assert_correctly_rounded(got, "sin", (x,))
    with pytest.raises(AssertionError, match=r"sin\(0x1p\+0 = 1\.0\)"):
        assert_correctly_rounded(kind(clmath.sin(X) * np.float32([1, 2])), "sin", (x,))


def test_arrays_of_pyopencl(opencl_device):
    from clmath.audit.opencl.devices import find

    cl = pytest.importorskip("pyopencl")
    array = pytest.importorskip("pyopencl.array")
    context = cl.Context([find(opencl_device.removeprefix("opencl:"))])  # Intel's driver drops it with its last handle
    queue = cl.CommandQueue(context)
    x, y = array.to_device(queue, X), array.to_device(queue, clmath.sin(X))
    assert_correctly_rounded(y, "sin", (x,))
    assert np.abs(clmath.ulp_error(y, "sin", (x,))).max() <= 0.5


def test_objects_that_cannot_become_arrays_are_refused():
    with pytest.raises(clmath.DTypeError, match=r"sin\(\): expected float32 of shape \(2,\), got object of shape \(\)"):
        clmath.ulp_error(object(), "sin", (X,))

    class Broken(Readable):
        def __array__(self, *_, **__):
            raise ValueError("lost")

    with pytest.raises(clmath.DTypeError, match=r"assert_conforms\(\): x is a Broken, no array for NumPy \(lost\)"):
        assert_conforms(X, "sin", (Broken(X),))


def test_lazy_arrays_are_refused():
    dask = pytest.importorskip("dask.array")
    with pytest.raises(clmath.DTypeError, match="map_blocks"):
        clmath.ulp_error(X, "sin", (dask.from_array(X),))
    with pytest.raises(clmath.DTypeError, match="map_blocks"):
        clmath.ulp_error(dask.from_array(X), "sin", (X,))
