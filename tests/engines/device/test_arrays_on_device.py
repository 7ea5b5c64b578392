"""Arrays of pyopencl go in and come out, with the bits that the host computes, undecided elements included."""

import threading

import numpy as np
import pytest

import clmath
from clmath import errors
from clmath.call import on_device
from clmath.call.device_arrays import opencl
from clmath.engines.device.engine import Device
from clmath.engines.device.machine import UnfitDeviceError
from clmath.engines.device.opencl import engine_of
from clmath.numbers.rounding import MODES
from tests.cases import for_each

ZERO = -2.4570247382208006  # of lgamma: enclosures close to it are wide


@pytest.fixture(scope="module")
def queue(opencl):
    import pyopencl

    context = pyopencl.Context([opencl])
    yield pyopencl.CommandQueue(context)
    del context  # Intel's driver drops it with its last handle, even if queues are left


@pytest.fixture(scope="module")
def there(queue):
    """An array of NumPy as one on the device."""
    import pyopencl.array

    return lambda a: pyopencl.array.to_device(queue, a)


def numbers(dtype, shape=(40, 50)):
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 256, (*shape, dtype().itemsize), np.uint8).view(dtype)[..., 0]
    codes[::2] = (rng.standard_normal(codes[::2].shape) * 4).astype(dtype)
    return codes


def converted(a, dtype):
    """By the host: kernels of pyopencl's own do not run with every driver."""
    import pyopencl.array

    return pyopencl.array.to_device(a.queue, a.get().astype(dtype))


def same(found, want):
    assert found.dtype == want.dtype
    assert found.shape == want.shape
    got, word = found.get(), f"u{want.dtype.itemsize}"
    assert np.array_equal(got.view(word), want.view(word))


@for_each("rounding", MODES)
@for_each("dtype", [np.float16, np.float32, np.float64])
def test_results_equal_the_hosts(there, dtype, rounding):
    x = numbers(dtype)
    same(clmath.exp(there(x), rounding=rounding), clmath.exp(x, rounding=rounding))
    same(clmath.exp(there(x), rounding=rounding, engine="device"), clmath.exp(x, rounding=rounding))


@pytest.mark.slow
def test_several_arguments_and_results(there):
    x, y = numbers(np.float32), numbers(np.float32)[::-1].copy()
    n = np.random.default_rng(1).integers(-9, 9, x.shape).astype(np.int32)
    same(clmath.atan2(there(y), there(x)), clmath.atan2(y, x))
    same(clmath.pown(there(x), there(n)), clmath.pown(x, n))
    for found, want in zip(clmath.sincos(there(x)), clmath.sincos(x), strict=True):
        same(found, want)


def test_undecided_elements_are_decided_by_the_reference(there):
    x = np.concatenate([np.linspace(1.0, 9.0, 100), ZERO + np.linspace(-1e-13, 1e-13, 20), [2.0, -1.5]])
    same(clmath.lgamma(there(x), rounding="rtp"), clmath.lgamma(x, rounding="rtp"))


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_built_ins_that_the_host_evaluates_without_a_kernel(there, dtype):
    x, y, z = numbers(dtype), numbers(dtype)[::-1].copy(), numbers(dtype)[:, ::-1].copy()
    for name in ("fma", "mad", "clamp"):
        same(getattr(clmath, name)(there(x), there(y), there(z)), getattr(clmath, name)(x, y, z))
    for name in ("div", "fdim", "fmax", "nextafter"):
        same(getattr(clmath, name)(there(x), there(y)), getattr(clmath, name)(x, y))
    for name in ("sqrt", "rint", "logb", "ilogb"):
        same(getattr(clmath, name)(there(x)), getattr(clmath, name)(x))
    same(clmath.fma(there(x), there(y), there(z), rounding="rtp"), clmath.fma(x, y, z, rounding="rtp"))


@pytest.mark.slow
@for_each("name", ["lgamma_r", "fract", "modf", "frexp"])
@for_each("dtype", [np.float16, np.float64])
def test_several_results_some_of_them_ints(there, name, dtype):
    x, call = numbers(dtype), getattr(clmath, name)
    x.ravel()[:20] = ZERO + np.linspace(-1e-13, 1e-13, 20)
    for found, want in zip(call(there(x)), call(x), strict=True):
        same(found, want)
    second = there(np.empty(x.shape, np.int32 if name in ("lgamma_r", "frexp") else dtype))
    assert call(there(x), out=(there(x), second))[1] is second
    same(second, call(x)[1])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sin", "sincos"])
def test_narrower_enclosures_decide_before_the_reference(there, monkeypatch, name):
    """A few of 2^18 elements are undecided; the accurate phase decides all of them, and the reference none."""
    x = np.random.default_rng(3).uniform(-10.0, 10.0, 1 << 18)
    want, asked, narrowed = getattr(clmath, name)(x), [], Device.narrowed_in_place
    narrowed_counts = []
    monkeypatch.setattr(
        Device, "narrowed_in_place", lambda *args: narrowed_counts.append(args[-1].size) or narrowed(*args)
    )
    monkeypatch.setattr(on_device, "FEW", 0)
    monkeypatch.setattr(on_device.phases, "by_reference", lambda *args: asked.append(args))
    found = getattr(clmath, name)(there(x))
    for one, other in zip(*(r if isinstance(r, tuple) else (r,) for r in (found, want)), strict=True):
        same(one, other)
    assert not asked
    assert narrowed_counts
    assert min(narrowed_counts) > 0


@pytest.mark.slow
def test_a_part_of_an_array(there):
    x = numbers(np.float32)
    same(clmath.log(there(x)[7:31]), clmath.log(x[7:31]))


@pytest.mark.slow
def test_copies_are_made_in_parts(queue, there, monkeypatch):
    import pyopencl.array

    x, made, empty = np.random.default_rng(3).uniform(-10.0, 10.0, 50_001), [], pyopencl.array.empty
    a, y, out = there(x)[1:], there(x[:-1].copy()), there(x[:-1].copy())
    whole = there(x)  # kept: a region does not keep its buffer with every driver
    shared = pyopencl.array.Array(queue, y.shape, y.dtype, data=whole.base_data.get_sub_region(0, y.nbytes))
    clmath.atan2(a, y)
    monkeypatch.setattr(opencl, "_ROOM", 1 << 17)
    monkeypatch.setattr(pyopencl.array, "empty", lambda *args: made.append(args) or empty(*args))
    for second, want in ((y, x[:-1]), (shared, x[:-1])):
        made.clear()
        clmath.atan2(a, second, out=out)
        same(out, clmath.atan2(x[1:], want))
        assert [count for _, (count,), _ in made] == [16384]
    made.clear()
    clmath.atan2(there(x)[1:9], there(x)[2:10], out=there(x[:8].copy()))
    assert [count for _, (count,), _ in made] == [8, 8]


@pytest.mark.slow
def test_work_of_other_queues_is_done_first(queue, there):
    import pyopencl

    a, event, done = there(np.float32([1.0, 2.0])), pyopencl.UserEvent(queue.context), []
    clmath.exp(a)
    a.add_event(event)
    waiting = threading.Thread(target=lambda: done.append(clmath.exp(a)))
    waiting.start()
    waiting.join(0.2)
    assert not done
    event.set_status(pyopencl.command_execution_status.COMPLETE)
    waiting.join()
    same(done[0], clmath.exp(np.float32([1.0, 2.0])))


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_python_numbers_go_with_arrays(there, monkeypatch, dtype):
    monkeypatch.setattr(opencl, "_ROOM", 1 << 14)
    x, n = numbers(dtype, (200, 50)), np.random.default_rng(1).integers(-9, 9, (200, 50)).astype(np.int32)
    same(clmath.pow(there(x), 2.5), clmath.pow(x, 2.5))
    same(clmath.atan2(-0.0, there(x)), clmath.atan2(-0.0, x))
    same(clmath.fma(there(x), 3, 0.1), clmath.fma(x, 3, 0.1))
    same(clmath.pown(there(x), -3), clmath.pown(x, -3))
    same(clmath.pown(2.5, there(n)), clmath.pown(2.5, n))
    a = there(x)
    same(clmath.hypot(a, 1.5, out=a), clmath.hypot(x, 1.5))
    same(clmath.pow(there(x[3, 4:5].reshape(())), 2.0), np.asarray(clmath.pow(x[3, 4], 2.0)))
    assert clmath.pow(there(x[:0]), 2.0).shape == (0, 50)


@pytest.fixture
def copies(monkeypatch):
    """The sizes of the arrays that a call allocates in addition to arguments and results, at most 2^16 bytes."""
    import pyopencl.array

    counts, empty = [], pyopencl.array.empty
    monkeypatch.setattr(opencl, "_ROOM", 1 << 16)
    monkeypatch.setattr(pyopencl.array, "empty", lambda *args: counts.append(args[1][0]) or empty(*args))
    return counts


@pytest.fixture(scope="module")
def pooled(queue):
    """A function that copies NumPy arrays to buffers from a device memory pool, which cannot be divided into
    sub-buffers.
    """
    import pyopencl.array
    import pyopencl.tools

    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(queue))
    return lambda a: pyopencl.array.to_device(queue, a, allocator=pool)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, numbers, over, needed",
    [
        ("sin", (), [0], 2),
        ("sin", (), [1], 0),
        ("pow", (2.5,), [0], 3),
        ("pow", (2.5,), [1], 3),
        ("sincos", (), [1, 0], 3),
    ],
)
def test_arrays_of_a_pool_are_copied_in_parts(pooled, copies, *, name, numbers, over, needed):
    """``over``: whether a result is written over the argument, 0, or another array."""
    x, call = np.random.default_rng(3).uniform(-10.0, 10.0, 30_001), getattr(clmath, name)
    given, want = [pooled(x), pooled(x)], call(x, *numbers)
    out = tuple(given[place] for place in over)
    call(given[0], *numbers, out=out)
    for found, result in zip(out, want if isinstance(want, tuple) else (want,), strict=True):
        same(found, result)
    assert copies == [4096] * needed


@pytest.mark.slow
def test_small_arrays_of_a_pool_are_not_copied(pooled, copies):
    x = np.random.default_rng(3).uniform(-10.0, 10.0, 3000)
    same(clmath.pow(pooled(x), 2.5, out=pooled(x)), clmath.pow(x, 2.5))
    assert copies == [3000]  # the number


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["there", "pooled"])
def test_results_over_elements_before_their_own(there, pooled, copies, kind):
    x = np.random.default_rng(3).uniform(0.0, 10.0, 30_001)
    a = {"there": there, "pooled": pooled}[kind](x)
    clmath.atan2(a[1000:], 2.5, out=a[:-1000])
    same(a[:-1000], clmath.atan2(x[1000:], 2.5))
    assert set(copies) == {4096}


@pytest.mark.slow
@pytest.mark.parametrize("dtype, longest", [(np.float64, 8192), (np.float16, 70_001)])
def test_ints_over_the_argument(queue, there, copies, dtype, longest):
    """Ints that are wider than the argument's elements overwrite later ones."""
    import pyopencl.array

    x = np.random.default_rng(3).uniform(0.0, 10.0, 70_001).astype(dtype)
    a = there(np.concatenate([x, x]))
    out = pyopencl.array.Array(queue, x.shape, np.int32, data=a.base_data)
    clmath.ilogb(a[:70_001], out=out)
    same(out, clmath.ilogb(x))
    assert copies == [longest]


def test_results_are_written_to_out(there):
    x = numbers(np.float32)
    a = there(x)
    assert clmath.exp(a, out=a) is a
    same(a, clmath.exp(x))
    sine, cosine = there(x), there(x)
    assert clmath.sincos(there(x), out=(sine, cosine)) == (sine, cosine)
    same(cosine, clmath.cos(x))
    assert clmath.exp(a, out=(a,)) is a
    sine = there(x)
    first, second = clmath.sincos(there(x), out=(sine, None))
    assert first is sine
    same(second, clmath.cos(x))


# which argument each result is written over
OVER = {"sin": [0], "sincos": [0, None], "frexp": [0, None], "lgamma_r": [0, None], "remquo": [1, None]}


@pytest.mark.slow
@for_each("room", [opencl._ROOM, 1 << 20])
@for_each("name", OVER)
def test_results_over_arguments_that_are_still_read(there, monkeypatch, name, room):
    """By the reference, for undecided elements, and by the kernel of the next result; whole and in parts."""
    monkeypatch.setattr(opencl, "_ROOM", room)
    x = np.random.default_rng(3).uniform(-10.0, 10.0, 1 << 18)
    args = [x, x[::-1].copy()] if name == "remquo" else [x]
    want = getattr(clmath, name)(*args)
    want = want if isinstance(want, tuple) else (want,)
    given = [there(a) for a in args]
    new = [there(np.zeros_like(result)) for result in want]
    out = tuple(one if place is None else given[place] for one, place in zip(new, OVER[name], strict=True))
    getattr(clmath, name)(*given, out=out)
    for found, result in zip(out, want, strict=True):
        same(found, result)


@pytest.mark.slow
@pytest.mark.usefixtures("copies")
def test_results_over_other_elements_of_an_argument(queue, there):
    """Two parts of a buffer that overlap, as two arrays."""
    import pyopencl.array

    x = np.random.default_rng(3).uniform(-10.0, 10.0, 1 << 14)
    buffer = there(np.concatenate([x, np.zeros(512)])).base_data
    parts = [buffer.get_sub_region(first, x.nbytes) for first in (0, 4096)]
    a, out = (pyopencl.array.Array(queue, x.shape, x.dtype, data=part) for part in parts)
    clmath.sin(a, out=out)
    same(out, clmath.sin(x))


def test_nothing_is_computed_of_nothing(there):
    assert clmath.exp(there(np.empty((0, 3), np.float32))).shape == (0, 3)
    out = there(np.empty((0, 3), np.float32)), there(np.empty((0, 3), np.float32))
    assert clmath.sincos(there(np.empty((0, 3), np.float32)), out=out) == out


@for_each(
    "call, error, message",
    [
        (lambda a: clmath.exp(a, engine="numpy"), errors.UnknownNameError, "engine='numpy' is not one of"),
        (lambda a: clmath.exp(a, out=np.empty(4)), errors.DTypeError, "out is a numpy.ndarray; an array"),
        (lambda a: clmath.exp(a, out=a[:2]), errors.ShapeError, r"out is float32 of shape \(2,\)"),
        (lambda a: clmath.exp(a, out=(a, a)), errors.ShapeError, "out has 2 arrays; 1 are needed"),
        (lambda a: clmath.pow(a, np.float32(2.0)), errors.DTypeError, r"y is a numpy.float32.*to_device\("),
        (lambda a: clmath.pown(a, 2.0), errors.DTypeError, r"y is 2.0; an int, .* is needed"),
        (lambda a: clmath.pow(a, np.ones(4)), errors.DTypeError, r"y is a numpy.ndarray.*to_device\("),
        (lambda a: clmath.pow(a, a[:2]), errors.ShapeError, "nothing is broadcast"),
        (lambda a: clmath.pow(a, converted(a, np.float64)), errors.DTypeError, r"y is float64.*convert y to float32"),
        (lambda a: clmath.pown(a, converted(a, np.int64)), errors.DTypeError, "int is needed"),
        (lambda a: clmath.exp(converted(a, np.int32)), errors.DTypeError, "x is int32"),
        (lambda a: clmath.exp(a[::2]), errors.ShapeError, "x is not contiguous in C order.*on the host"),
        (lambda a: clmath.exp(a.reshape(2, 2).T), errors.ShapeError, r"contiguous in C order.*: x.T is"),
        (lambda a: clmath.exp(a, out=a.reshape(2, 2).T), errors.DTypeError, r"contiguous in C order.*: out.T is"),
        (lambda a: clmath.exp(a[:2], out=a[2:]), errors.DTypeError, "out begins within its buffer"),
        (lambda a: clmath.exp(a.with_queue(None)), errors.DTypeError, r"x has no queue.*x.with_queue\(queue\)"),
        (lambda a: clmath.pow(a, a.with_queue(None)), errors.DTypeError, "y has no queue"),
        (lambda a: clmath.exp(a, out=a.with_queue(None)), errors.DTypeError, "out has no queue"),
        (lambda a: clmath.mix(a, a, a), errors.DTypeError, r"x is a pyopencl.*by this built-in: x.get\(\) copies it"),
        (lambda a: clmath.exp(a, where=[True] * 4), errors.DTypeError, "where picks elements of arrays in memory"),
        (clmath.fabs, errors.DTypeError, r"by this built-in: x.get\(\)"),
        (lambda a: clmath.nan(a.view(np.uint32)), errors.DTypeError, r"by this built-in: nancode.get\(\)"),
        (clmath.fp_contract("OFF")(lambda a: clmath.mad(a, a, a)), errors.DTypeError, r"by this built-in: a.get\(\)"),
        (lambda a: clmath.add(a, a, rounding="rtn"), errors.DTypeError, r"in 'rtn', for the signs of its zeros: x.get"),
        (lambda a: clmath.frexp(a, out=(a, a)), errors.ShapeError, "int32 of shape"),
        (lambda a: clmath.modf(a, out=(a, a)), errors.ShapeError, "the arrays of out share memory"),
    ],
)
def test_calls_that_are_not_computed_there_are_refused(there, call, error, message):
    with pytest.raises(error, match=message):
        call(there(np.float32([1.0, 2.0, 3.0, 4.0])))


def test_arrays_of_another_byte_order_are_refused(there):
    for dtype in (">f2", ">f4", ">f8"):
        with pytest.raises(errors.DTypeError, match=f"x has dtype {dtype}; .* with '{dtype[1:]}' as dtype"):
            clmath.exp(there(np.array([1.0, 2.0], dtype)))
    with pytest.raises(errors.DTypeError, match="y has dtype >i4"):
        clmath.pown(there(np.float32([1.0])), there(np.array([1], ">i4")))


@pytest.mark.slow
def test_shared_virtual_memory_is_refused(opencl):
    import pyopencl.array
    import pyopencl.tools

    context = pyopencl.Context([opencl])
    queue = pyopencl.CommandQueue(context)
    try:
        shared = pyopencl.tools.SVMAllocator(context, alignment=0, queue=queue)
        a = pyopencl.array.to_device(queue, np.float32([1.0]), allocator=shared)
    except (pyopencl.Error, RuntimeError) as error:
        pytest.skip(str(error))
    with pytest.raises(errors.DTypeError, match=r"x is in shared virtual memory.*x.get\(\)"):
        clmath.exp(a)


@pytest.mark.slow
@for_each(
    "call",
    [
        clmath.exp,
        clmath.cbrt,  # no program is built for it
        lambda a: clmath.pow(a, 2.0),
        lambda a: clmath.pow(a[:0], 2.0),
        lambda a: clmath.exp(a, out=a),
        lambda a: clmath.exp(a[1:]),
    ],
)
def test_a_process_that_was_forked_does_not_wait_for_ever(queue, there, monkeypatch, call):
    """Such calls neither build, copy, allocate nor wait."""
    import pyopencl.array

    def waits(*_):
        pytest.fail("the device is waited for")

    a = there(np.float32([1.0, 2.0]))
    clmath.exp(a)
    machine = engine_of(queue.context, queue.device).machine
    for place in ("build", "put", "room", "get", "set", "run"):
        monkeypatch.setattr(machine, place, waits)
    for place in ("to_device", "empty"):
        monkeypatch.setattr(pyopencl.array, place, waits)
    monkeypatch.setattr(pyopencl.array.Array, "finish", waits)
    monkeypatch.setattr("os.getpid", lambda: -1)
    with pytest.raises(UnfitDeviceError, match=r"^\w+\(\): .* opened before this process was forked.*'spawn'"):
        call(a)


def test_numbers_of_the_host_are_not_sent_there():
    with pytest.raises(errors.UnknownNameError, match="engine='device' is for arrays that lie on a device"):
        clmath.exp(np.float32([1.0]), engine="device")
