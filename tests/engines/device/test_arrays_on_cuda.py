"""Arrays on a CUDA device, CuPy's and PyTorch's: the bits that the host computes, and errors that help."""

import contextlib
import subprocess
import sys
import textwrap
import types
import weakref
from typing import ClassVar

import numpy as np
import pytest

import clmath
from clmath import errors
from clmath.call.device_arrays import cuda
from clmath.numbers.rounding import MODES
from tests.cases import for_each

ZERO = -2.4570247382208006  # of lgamma: enclosures close to it are wide


class OnCuda:
    """An array that DLPack reports on a CUDA device."""

    def __dlpack_device__(self):
        return 2, 0


class Deleted:
    """An array that no longer knows its device."""

    def __dlpack_device__(self):
        raise RuntimeError("the array has been deleted")


@pytest.fixture(scope="module")
def cupy():
    """CuPy, where it finds a device."""
    found = pytest.importorskip("cupy")
    try:
        found.cuda.runtime.getDeviceCount()
    except found.cuda.runtime.CUDARuntimeError as error:
        pytest.skip(str(error))
    return found


def numbers(dtype, shape=(40, 50)):
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 256, (*shape, dtype().itemsize), np.uint8).view(dtype)[..., 0]
    codes[::2] = (rng.standard_normal(codes[::2].shape) * 4).astype(dtype)
    return codes


def same(found, want):
    got = found.get()
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    word = f"u{want.dtype.itemsize}"
    assert np.array_equal(np.ascontiguousarray(got).view(word), np.ascontiguousarray(want).view(word))


def test_arrays_on_a_cuda_device_are_known():
    assert cuda.CUDA.owns(OnCuda())
    assert not any(map(cuda.CUDA.owns, (Deleted(), np.zeros(2), np.float32(1.0), 1.0, [1.0], "x")))


def test_results_are_made_by_the_package_of_a_base(monkeypatch):
    package = types.ModuleType("tensors")
    package.from_dlpack = object()
    monkeypatch.setitem(sys.modules, "tensors", package)
    tensor = type("Tensor", (), {"__module__": "tensors.core"})
    layer = type("Layer", (tensor,), {"__module__": __name__})
    assert cuda._from_dlpack("sin()", layer()) is package.from_dlpack
    with pytest.raises(
        errors.DTypeError, match=r"sin\(\): no from_dlpack is known.*OnCuda.*: give cupy.from_dlpack\(x\)"
    ):
        cuda._from_dlpack("sin()", OnCuda())


def test_parts_are_contiguous_and_cover_an_array_once():
    for shape in ((3, 4), (100,), (2, 30), (5, 2, 20), (3,), (4, 3, 2), (1, 50)):
        counted = np.zeros(shape, int)
        for index in cuda._parts(shape, 10):
            part = counted[index]
            assert part.flags.c_contiguous
            assert part.size <= 10
            part += 1
        assert (counted == 1).all()


class There(np.ndarray):
    """As much of an array of CuPy as the parts of a call need; it counts the bytes of copies that are alive."""

    device = contextlib.nullcontext()
    alive: ClassVar = []

    @property
    def data(self):
        return types.SimpleNamespace(ptr=self.ctypes.data)

    def copy(self):
        made = np.array(self, order="C").view(There)
        self.alive.append(self.alive[-1] + made.nbytes)
        weakref.finalize(made, lambda size: self.alive.append(self.alive[-1] - size), made.nbytes)
        return made


@pytest.fixture
def copies(monkeypatch):
    """The number of bytes of live copies, over time."""
    there = types.SimpleNamespace(broadcast_to=lambda a, shape: np.broadcast_to(a, shape, subok=True))
    monkeypatch.setitem(sys.modules, "cupy", there)
    monkeypatch.setattr(There, "alive", [0])
    return There.alive


SQUARE = np.arange(40.0 * 40.0).reshape(40, 40)
OVERLAPS = {
    "apart": lambda y: (y, y.copy(), y.copy()),
    "itself": lambda y: (y, y, y),
    "reversed": lambda y: (y, y[::-1], y),
    "transposed": lambda y: (y, y.T, y),
    "one row": lambda y: (y, y[3], y),
    "one column": lambda y: (y, y[:, 3:4], y),
    "one element": lambda y: (y, y[39:, 39], y),
    "shifted forward": lambda y: (y[:-1], y[:-1], y[1:]),
    "shifted back": lambda y: (y[1:], y[1:], y[:-1]),
    "of another type": lambda y: (y[20:], y.view(np.float32)[:20, :40], y[:20]),
}


@pytest.mark.usefixtures("copies")
@for_each("room", [64, 1000, 1 << 20])
@for_each("overlap", OVERLAPS)
def test_results_do_not_overwrite_arguments_that_are_still_read(monkeypatch, overlap, room):
    monkeypatch.setattr(cuda, "_ROOM", room)
    first, second, out = OVERLAPS[overlap](SQUARE.copy().view(There))
    want = np.asarray(first) - 2.0 * np.asarray(second)
    for (a, b), (target,) in cuda.CUDA.pieces((first, second), (out,)):
        target[...] = -1.0  # as a kernel that is ahead in other elements
        assert a.flags.c_contiguous
        assert b.flags.c_contiguous
        target[...] = np.asarray(a) - 2.0 * np.asarray(b)
    assert np.array_equal(out, want)


def test_copies_stay_within_their_memory_limit(monkeypatch, copies):
    monkeypatch.setattr(cuda, "_ROOM", 1000)
    y = np.zeros((40, 40)).view(There)
    for args, out in (((y, y.T), np.zeros((40, 40)).view(There)), ((y, y), y), ((y[:, 3:4], y[3]), y.reshape(40, 40))):
        copies[:] = [0]
        for _ in cuda.CUDA.pieces(args, (out,)):
            pass
        assert 0 < max(copies) <= 2 * 1000 + 640  # of two parts, and of one row and column


def test_missing_cupy_is_an_error_with_a_remedy(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(errors.MissingDependencyError, match=r"cupy is not installed; .*clmath\[cuda\]"):
        clmath.exp(OnCuda())


@for_each("rounding", MODES)
@for_each("dtype", [np.float16, np.float32, np.float64])
def test_results_equal_the_hosts(cupy, dtype, rounding):
    x = numbers(dtype)
    same(clmath.exp(cupy.asarray(x), rounding=rounding), clmath.exp(x, rounding=rounding))
    same(clmath.sin(cupy.asarray(x), rounding=rounding, engine="device"), clmath.sin(x, rounding=rounding))


def test_subnormal_floats_and_undecided_elements(cupy):
    """Subnormal numbers are not flushed; the reference decides the elements that kernels leave undecided."""
    x = np.arange(1, 1 << 16, 7, np.uint32).view(np.float32)
    near = np.concatenate([np.linspace(1.0, 9.0, 100), ZERO + np.linspace(-1e-13, 1e-13, 20), [2.0, -1.5]])
    for name in ("sin", "expm1", "cbrt", "asinpi", "log1p", "lgamma"):
        call, args = getattr(clmath, name), near if name == "lgamma" else x
        same(call(cupy.asarray(args), rounding="rtp"), call(args, rounding="rtp"))


def test_shapes_strides_and_numbers(cupy, monkeypatch):
    monkeypatch.setattr(cuda, "_ROOM", 64)
    x, y = numbers(np.float32), numbers(np.float32, (50,))
    n = np.random.default_rng(1).integers(-9, 9, x.shape).astype(np.int32)
    there = cupy.asarray
    same(clmath.atan2(there(x), there(y)), clmath.atan2(x, y))
    same(clmath.pow(there(x).T, 2.5), clmath.pow(x.T, 2.5))
    same(clmath.pown(there(x)[::3], there(n)[::3]), clmath.pown(x[::3], n[::3]))
    same(clmath.pown(there(x), -3), clmath.pown(x, -3))
    same(clmath.pown(2.5, there(n)), clmath.pown(2.5, n))
    same(clmath.exp(there(np.float32(1.5))), clmath.exp(np.float32([1.5])).reshape(()))
    assert clmath.exp(there(np.empty((0, 3), np.float32))).shape == (0, 3)
    for found, want in zip(clmath.sincos(there(x)), clmath.sincos(x), strict=True):
        same(found, want)


def test_a_stream_that_is_captured_goes_on(cupy):
    x, stream = cupy.asarray(numbers(np.float32)), cupy.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        with pytest.raises(errors.ClmathError, match="being captured"):
            clmath.exp(x)
        stream.end_capture()
    same(clmath.exp(x), clmath.exp(x.get()))


def test_results_are_written_to_out(cupy):
    x = numbers(np.float64)
    a = cupy.asarray(x)
    assert clmath.log2(a, out=a) is a
    same(a, clmath.log2(x))
    y = np.random.default_rng(3).uniform(-10.0, 10.0, 1 << 18)  # a handful of them are undecided
    sine, cosine = cupy.asarray(y), cupy.empty(y.shape)
    clmath.sincos(sine, out=(sine, cosine))
    for found, want in zip((sine, cosine), clmath.sincos(y), strict=True):
        same(found, want)


@for_each(
    "call, error, message",
    [
        (lambda a: clmath.pow(a, np.ones(3)), errors.DTypeError, "y is a numpy.ndarray.*cupy.asarray"),
        (lambda a: clmath.pow(a, a.astype("float64")), errors.DTypeError, "x is float32, y is float64"),
        (lambda a: clmath.pow(a, a[:2]), errors.ShapeError, "shape"),
        (lambda a: clmath.exp(a, out=a[::-1]), errors.DTypeError, "out is not contiguous"),
        (lambda a: clmath.pown(a, 2.0), errors.DTypeError, "an int, .* is needed"),
        (lambda a: clmath.exp(a, out=np.empty(3)), errors.DTypeError, "out is a numpy.ndarray"),
        (lambda a: clmath.exp(a, engine="native"), errors.UnknownNameError, "engine='native' is not one of"),
        (clmath.fabs, errors.DTypeError, r"by this built-in: x.get\(\)"),
    ],
)
def test_calls_that_are_not_computed_there_are_refused(cupy, call, error, message):
    with pytest.raises(error, match=message):
        call(cupy.asarray(np.float32([1.0, 2.0, 3.0])))


def test_numbers_across_the_borders_of_their_places_are_refused(cupy):
    """On the device they would end all that is there."""
    memory = cupy.zeros(4 * 9 + 1, cupy.uint8)
    odd, even = memory[1:33].view(cupy.float32), cupy.zeros(8, cupy.float32)
    for call in (lambda: clmath.sin(odd), lambda: clmath.pow(even, odd), lambda: clmath.sin(even, out=odd)):
        with pytest.raises(errors.DTypeError, match="at multiples of its 4 bytes"):
            call()
    same(clmath.sin(odd[:0]), np.empty(0, np.float32))


@pytest.mark.usefixtures("cupy")
def test_a_forked_process_raises_an_error():
    code = """
        import multiprocessing, cupy, clmath
        x = cupy.ones(3, cupy.float32)
        def child(queue):
            try:
                clmath.sin(x)
            except RuntimeError as error:
                queue.put(str(error))
        fork = multiprocessing.get_context("fork")
        queue = fork.Queue()
        fork.Process(target=child, args=(queue,), daemon=True).start()
        print(queue.get(timeout=30))
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "CUDA does not answer in this process" in done.stdout
    assert "spawn" in done.stdout


def test_tensors_come_back_as_tensors(cupy):
    """A negated view is read with its sign."""
    torch = pytest.importorskip("torch")
    x = numbers(np.float32)
    view = torch.complex(torch.zeros(x.shape), torch.from_numpy(x)).cuda().conj().imag
    assert view.is_neg()
    same(cupy.from_dlpack(clmath.exp(view)), clmath.exp(-x))
    found = clmath.erf(torch.from_numpy(x).cuda())
    assert isinstance(found, torch.Tensor)
    assert found.is_cuda
    assert np.array_equal(found.cpu().numpy().view("u4"), clmath.erf(x).view("u4"))
    with pytest.raises(errors.DTypeError, match="detach"):
        clmath.erf(torch.ones(3, device="cuda", requires_grad=True))


@pytest.mark.usefixtures("cupy")
def test_results_for_arrays_of_jax_are_arrays_of_jax():
    jax = pytest.importorskip("jax")
    x = numbers(np.float32)
    there = jax.numpy.asarray(x)
    if not cuda.CUDA.owns(there):
        pytest.skip("JAX has no CUDA device here")
    found = clmath.erf(there)
    assert isinstance(found, jax.Array)
    assert np.array_equal(np.asarray(found).view("u4"), clmath.erf(x).view("u4"))


def fake_cupy(monkeypatch, *, is_capturing):
    stream = types.SimpleNamespace(is_capturing=lambda: is_capturing)
    there = types.SimpleNamespace(ndarray=There, from_dlpack=lambda x: x.__dlpack__())
    runtime = types.SimpleNamespace(getDevice=lambda: 0, CUDARuntimeError=RuntimeError)
    there.cuda = types.SimpleNamespace(get_current_stream=lambda: stream, runtime=runtime)
    monkeypatch.setitem(sys.modules, "cupy", there)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: there)


def test_a_stream_that_is_captured_is_left_alone(monkeypatch):
    """Copies to the host would end the capture with an error."""
    fake_cupy(monkeypatch, is_capturing=True)
    with pytest.raises(
        errors.ClmathError, match=r"exp\(\): the current stream of CuPy is being captured.*: call it out"
    ):
        clmath.exp(OnCuda())


class Refusing(OnCuda):
    """An array that DLPack does not hand out."""

    requires_grad = False

    def __dlpack__(self, **_):
        raise BufferError("not now")


def test_an_array_that_dlpack_does_not_hand_out_is_refused_with_a_remedy(monkeypatch):
    fake_cupy(monkeypatch, is_capturing=False)
    with pytest.raises(errors.DTypeError, match=r"x is not .* DLPack \(not now\): give an array of half, float or"):
        clmath.exp(Refusing())
    monkeypatch.setattr(Refusing, "requires_grad", True)
    with pytest.raises(errors.DTypeError, match=r"\(not now\): x.detach\(\) records no gradient"):
        clmath.exp(Refusing())
