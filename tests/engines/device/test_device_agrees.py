"""The device gives the bits of the NumPy engine, and leaves the same elements undecided: all kernels, all modes."""

import numpy as np
import pytest

from clmath.engines import choice
from clmath.engines.device import engine
from clmath.kernels import ACCURATE, FAST
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounded_encodings import MODE_NUMBERS, encoded_ends
from clmath.numbers.rounding import MODES
from tests.cases import for_each
from tests.engines import compared

COUNT = 1 << 10
TINY = np.arange(1, 201) * 2.0**-52  # their exp is so close to 1 + x that kernels leave it undecided in rtz
CASES = [
    (kernel, form)
    for phase, forms in ((FAST, (HALF, FLOAT)), (ACCURATE, (DOUBLE,)))
    for kernel in phase.kernels.values()
    for form in forms
]
SOME = [(kernel, form) for kernel, form in CASES if kernel.name in ("exp", "pown")]


@pytest.mark.slow
@for_each("kernel, form", SOME)
def test_results_of_some_kernels_have_the_same_bits(device, kernel, form):
    check_results(device, kernel, form)


@pytest.mark.timeout(400)  # its programs take long to compile
@pytest.mark.exhaustive
@for_each("kernel, form", [case for case in CASES if case not in SOME])
def test_results_have_the_same_bits(device, kernel, form):
    check_results(device, kernel, form)


def check_results(device, kernel, form):
    args = compared.arguments(kernel, form, COUNT)
    found = [np.empty(args[0].shape, form.dtype) for _ in range(kernel.results)]
    for mode in MODES:
        with np.errstate(all="ignore"):
            wanted, undecided = compared.rounded(kernel, form, mode, args)
            left = device.rounded(kernel, form, mode, args, found)
        for got, want in zip(found, wanted, strict=True):
            differ = np.flatnonzero(form.bits(got) != form.bits(want))[:5]
            assert not differ.size, f"{kernel.name} {mode}: {[a[differ] for a in args]}: {got[differ]} {want[differ]}"
        assert np.array_equal(left, undecided)


@pytest.mark.slow
def test_something_is_left_undecided(device):
    """Otherwise the tests above would compare only empty lists of undecided elements."""
    form, kernel = DOUBLE, ACCURATE.kernels["lgamma"]
    x = np.linspace(-30.0, -2.0, 300_000)
    found = np.empty(x.shape)
    with np.errstate(all="ignore"):
        wanted, undecided = compared.rounded(kernel, form, "rte", [x])
        left = device.rounded(kernel, form, "rte", [x], [found])
    assert left.size
    assert np.array_equal(left, undecided)
    assert np.array_equal(found, wanted[0])


@pytest.mark.exhaustive
@for_each("kernel", [k for k in ACCURATE.single if k.narrow])
def test_narrowed_enclosures_decide_the_same(device, kernel):
    """Every 17th element is refined, whether it was decided or not; the other elements stay unchanged."""
    args = compared.arguments(kernel, DOUBLE, COUNT)
    doubles = [a.astype(np.float64) for a in args]
    elements = np.arange(3, args[0].size, 17)
    some = [a[elements] for a in doubles]
    sources, types = [device.machine.put(a) for a in args], tuple(engine.ELEMENTS[a.dtype.name] for a in args)
    with np.errstate(all="ignore"):
        parts = kernel.narrow(*some, *kernel.refined(some, kernel.function(*some)))
        hi, lo, err, exponent = (np.broadcast_to(part, elements.shape) for part in parts)
    for mode in MODES:
        target, found = device.machine.put(np.full(args[0].shape, 7.0)), np.empty(args[0].shape)
        left = device.narrowed_in_place(kernel, mode, types, sources, target, elements)
        device.machine.get(target, found)
        with np.errstate(all="ignore"):
            below, above = encoded_ends(hi, lo, err, exponent, MODE_NUMBERS[mode])
        open_lanes = elements[(below != above) & (err > 0.0)]
        decided = ~np.isin(elements, open_lanes)
        assert np.array_equal(found.view(np.int64)[elements][decided], below[decided])
        assert np.array_equal(left, open_lanes)
        assert (np.delete(found, elements) == 7.0).all()


@pytest.mark.slow
def test_elements_to_narrow_are_taken_in_parts(device, monkeypatch):
    """Refine exp toward zero, also next to 1: the accurate phase decides some elements and leaves others."""
    kernel, x = ACCURATE.kernels["exp"], np.concatenate([[2.0**-27, 2.0**-54], np.linspace(1.0, 9.0, 50), TINY])
    elements, target = np.arange(x.size), device.machine.put(x)
    whole = device.narrowed_in_place(kernel, "rtz", ("double",), [target], device.machine.room(x.nbytes), elements)
    monkeypatch.setattr(engine, "ROOM", 7)
    parts = device.narrowed_in_place(kernel, "rtz", ("double",), [target], device.machine.room(x.nbytes), elements)
    assert 0 < whole.size < x.size
    assert np.array_equal(parts, whole)


@pytest.mark.slow
@for_each("room", [16, 1])
def test_a_list_that_overflows_is_cut(device, monkeypatch, room):
    rng = np.random.default_rng(4)
    x = rng.permutation(np.concatenate([TINY, np.linspace(1.0, 9.0, 500)]))
    kernel = ACCURATE.kernels["exp"]
    found, whole = np.empty(x.shape), np.empty(x.shape)
    undecided = device.rounded(kernel, DOUBLE, "rtz", [x], [whole])
    assert undecided.size > 10 * room
    monkeypatch.setattr(engine, "ROOM", room)
    assert np.array_equal(device.rounded(kernel, DOUBLE, "rtz", [x], [found]), undecided)
    assert np.array_equal(found, whole)


@pytest.mark.slow
def test_more_elements_than_a_list_can_number_are_taken_in_ranges(device, monkeypatch):
    """The numbers in a list have 32 bits."""
    assert engine.RANGE == 1 << 32
    x = np.concatenate([np.linspace(1.0, 9.0, 500), TINY])
    kernel, found, whole = ACCURATE.kernels["exp"], np.empty(700), np.empty(700)
    undecided = device.rounded(kernel, DOUBLE, "rtz", [x], [whole])
    assert undecided.max() > 500
    runs, run = [], device.machine.run
    monkeypatch.setattr(
        device.machine, "run", lambda entry, elements, *args: runs.append(elements) or run(entry, elements, *args)
    )
    monkeypatch.setattr(engine, "RANGE", 300)
    assert np.array_equal(device.rounded(kernel, DOUBLE, "rtz", [x], [found]), undecided)
    assert np.array_equal(found, whole)
    assert sorted(runs) == [100, 300, 300]


@pytest.mark.slow
def test_tables_are_there_before_a_program_is_given_out(device, monkeypatch):
    """The copy may be queued, and the next thread's work in another queue."""
    machine, queued = device.machine, []
    put, get = machine.put, machine.get
    monkeypatch.setattr(machine, "put", lambda array: queued.append(put(array)) or queued[-1])
    monkeypatch.setattr(machine, "get", lambda *args: (get(*args), queued.clear()))
    built = device._build(FAST.kernels["exp"], engine._rounding_to("half"), ("float",))
    assert built.tables
    assert not queued


@pytest.mark.slow
def test_buffers_on_the_device_stay_there(device):
    """Arguments and results stay in the caller's buffers; only the list of undecided elements is copied to the host."""
    x = np.linspace(-3.0, 3.0, 5000, dtype=np.float32)
    form, kernel, want = HALF, FAST.kernels["sincos"], [np.empty(x.shape, np.float16) for _ in range(2)]
    source_buffer, targets = device.machine.put(x), [device.machine.room(2 * x.size) for _ in range(2)]
    left = device.rounded_in_place(kernel, form, "rtp", ("float",), [source_buffer], targets, x.size)
    undecided = choice.PLAIN.rounded(kernel, form, "rtp", [x], want)
    found = [np.empty(x.shape, np.float16) for _ in range(2)]
    for buffer, array in zip(targets, found, strict=True):
        device.machine.get(buffer, array)
    assert np.array_equal(left, undecided)
    assert all(
        np.array_equal(one.view(np.uint16), other.view(np.uint16)) for one, other in zip(found, want, strict=True)
    )


@pytest.mark.slow
def test_every_half_is_read(device):
    """Two built-ins: one differs for all numbers, the other for the zeros."""
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    for name in ("asinh", "rsqrt"):
        kernel, found, want = FAST.kernels[name], np.empty(every.shape, np.float32), np.empty(every.shape, np.float32)
        left = device.rounded(kernel, FLOAT, "rtz", [every], [found])
        with np.errstate(all="ignore"):
            undecided = choice.PLAIN.rounded(kernel, FLOAT, "rtz", [every.astype(np.float64)], [want])
        assert np.array_equal(found.view(np.uint32), want.view(np.uint32))
        assert np.array_equal(left, undecided)


def test_empty_arrays_need_no_work(device):
    kernel, none = FAST.kernels["exp"], np.empty(0, np.float32)
    assert not device.rounded(kernel, FLOAT, "rte", [none], [none]).size


@pytest.mark.slow
def test_a_number_that_fills_no_group(device):
    kernel, x = FAST.kernels["exp"], np.float32([1.0, 2.0, 3.0])
    found, want = np.full(3, np.float32(7.0)), np.empty(3, np.float32)
    device.rounded(kernel, FLOAT, "rtn", [x], [found])
    choice.PLAIN.rounded(kernel, FLOAT, "rtn", [x], [want])
    assert found.tolist() == want.tolist()
