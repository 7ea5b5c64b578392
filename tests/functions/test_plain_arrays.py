"""Compiled loops take arrays of every layout directly: they return the bits of prepared arguments and of NumPy's
engine.
"""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import clmath
from clmath import call as front
from clmath import phases
from clmath.engines import choice
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from tests import builtins as every
from tests.builtins import CASES, Case, sample
from tests.cases import for_each

pytestmark = pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.states()["native"])
WITHOUT_AXES = [case for case in CASES if not case.width]
WITH_KERNEL = [case for case in WITHOUT_AXES if phases.has_kernel(case.name, case.form)]
WHOLE = [case for case in WITHOUT_AXES if phases.is_whole(case.name) and case.name != "nan"]
LAYOUTS = {
    **every.LAYOUTS,
    "one": lambda a: a[:1],
    "few": lambda a: a[:5],
    "many": lambda a: a,
    "swapped columns": lambda a: a.astype(a.dtype.newbyteorder())[:1200].reshape(30, 40).T[::2],
}
LANES = 5200  # more than a chunk


def both(name, args, **options):
    """Results of compiled code, and of NumPy's engine."""
    mode, out = options.get("rounding"), options.get("out")
    return front.floats(name, tuple(args), mode, out), front.floats(name, tuple(args), mode, out, engine="numpy")


def exactly(got, want):
    """Assert equal types, shapes, strides and bits, including the bits of NaN."""
    if isinstance(want, tuple):
        assert type(got) is tuple
        for one, other in zip(got, want, strict=True):
            exactly(one, other)
        return
    assert type(got) is type(want)
    assert (got.dtype, got.shape, got.strides) == (want.dtype, want.shape, want.strides)
    assert got.tobytes() == want.tobytes()


@for_each("case", WITH_KERNEL + WHOLE)
def test_arrays_of_every_built_in_have_equal_results_by_both_engines(case, prepared):
    args = sample(case, (2500,))
    for mode in case.modes:
        for some in (args, [a[:1200].reshape(30, 40).T[3:] for a in args], [a[7] for a in args]):
            found, want = both(case.name, some, rounding=mode)
            exactly(found, want)
            exactly(prepared(lambda some=some, mode=mode: front.floats(case.name, tuple(some), mode)), want)


def arguments_of(name, form, count=LANES):
    return sample(Case(name, form), (count,))


def test_remainders_of_near_and_far_numbers():
    """Doubles too far apart for a remainder from one quotient, among others, in every order of memory."""
    x, y = np.random.default_rng(3).uniform(1.0, 2.0, (2, 40, 150))
    x[::3, ::7] *= 2.0**900
    y[::3, ::7] *= 2.0**-900
    layouts = (x, y), (x.T, y.T), (x[::-2, 3:], y[::-2, 3:]), (x.astype(">f8"), y), (x, y[:1]), (x[0, :30], y[0, :30])
    for args in layouts:
        for name in ("fmod", "remquo"):
            exactly(*both(name, args))


OF_NUMBERS = {
    "a number": lambda x: clmath.isless(x, 0.5),
    "a number of NumPy": lambda x: clmath.isless(np.float32(0.5), x),
    "an int": lambda x: clmath.mad_hi(x.view("i4").astype("i8"), 1 << 62, -7),
    "a row": lambda x: clmath.mul_hi(x.view("i4").astype("i8")[:, None], x.view("i4").astype("i8")[:5]),
    "a bool for each": lambda x: clmath.select(x, -x, x > 0),
    "an unsigned mask": lambda x: clmath.select(x, -x, x.view("u4")),
    "an index": lambda x: clmath.bitfield_insert(x.view("u4"), 5, 3, 4),
    "a result that is given": lambda x: clmath.isnan(x, out=np.empty(x.shape, bool)),
    "longs given": lambda x: clmath.mul_hi(x.view("i4").astype("i8"), 1 << 61, out=np.empty(x.shape, "i8")),
}


@for_each("count", [1, 40, 3000, 40_000])
@for_each("case", OF_NUMBERS)
def test_numbers_combine_with_arrays_of_bits(case, count, prepared):
    x = np.random.default_rng(count).normal(size=count).astype("f4")
    exactly(OF_NUMBERS[case](x), prepared(lambda: OF_NUMBERS[case](x)))


@pytest.mark.parametrize("count", [3, 3000])
def test_errors_equal_those_for_prepared_arguments(count, prepared):
    x = np.arange(count, dtype=np.int32)
    calls = [
        lambda: clmath.add_sat(x, x.astype("u4")),
        lambda: clmath.add_sat(x, 1 << 40),
        lambda: clmath.add_sat(x, 0.5),
        lambda: clmath.isnan(x),
        lambda: clmath.mul_hi(x, x[:2]),
        lambda: clmath.bitfield_insert(x, x, 30, 4),
        lambda: clmath.isnan(x.astype("f4"), out=np.empty(count)),
        lambda: clmath.fma(x.astype("f4"), x.astype("f8"), 1.0),
        lambda: clmath.ldexp(x.astype("f4"), 1 << 31),
        lambda: clmath.fmax(x.astype("f2"), 1e9),
    ]

    def messages():
        found = []
        for call in calls:
            with pytest.raises(clmath.ClmathError) as caught:
                call()
            found.append((type(caught.value), str(caught.value)))
        return found

    reported = messages()
    assert prepared(messages) == reported


@for_each("layout", LAYOUTS)
@for_each(
    "name, form",
    [("sin", DOUBLE), ("sincos", HALF), ("pow", FLOAT), ("pown", DOUBLE), ("fma", HALF), ("remquo", FLOAT)],
)
def test_layouts(name, form, layout):
    """Strides of results are the same, too."""
    args = [LAYOUTS[layout](a) for a in arguments_of(name, form)]
    exactly(*both(name, args, rounding="rtp"))
    mixed = [args[0], *[np.ascontiguousarray(a) for a in args[1:]]]
    exactly(*both(name, mixed, rounding="rtz"))


BROADCAST = {
    "a number": lambda x, y: (x, float(y[7]) if y.dtype.kind == "f" else int(y[7])),
    "a number of NumPy": lambda x, y: (x, y[7]),
    "an array without axes": lambda x, y: (x[:2000], y[7:8].reshape(())),
    "a row": lambda x, y: (x.reshape(-1, 40), y[:40]),
    "a column": lambda x, y: (x.reshape(-1, 40), y[:130, None]),
    "both": lambda x, y: (x[:50, None], y[:70]),
    "one of one": lambda x, y: (x[:70], y[:1]),
    "against the order": lambda x, y: (x.reshape(-1, 40).T, y[:5200].reshape(40, -1)),
}


@for_each("way", BROADCAST)
@for_each("name, form", [("pow", DOUBLE), ("atan2", FLOAT), ("pown", HALF), ("rootn", DOUBLE)])
def test_broadcasting(name, form, way):
    args = BROADCAST[way](*arguments_of(name, form))
    exactly(*both(name, args))


def test_a_number_before_an_array():
    y = np.linspace(-3, 3, 2000, dtype=np.float32)
    exactly(*both("pow", (0.1, y), rounding="rtn"))  # rounded to float first
    exactly(*both("pow", (3, y)))
    exactly(*both("atan2", (y, np.float32(0.1))))
    exactly(*both("pown", (2.5, np.arange(-8, 8, dtype=np.int32))))
    exactly(*both("pown", (y, np.uint8(3))))


def hard_roots(count):
    """Some floats whose square roots ``pow`` kernels cannot distinguish from a midpoint, among others."""
    x = np.linspace(0.25, 4, count, dtype=np.float32)
    x[:: count // 50] = 1 - 2**-24
    return x


@for_each("threads", [1, 2])
@for_each(
    "layout",
    [
        lambda a: a,
        lambda a: a[:900],
        lambda a: a.reshape(100, -1).T,
        lambda a: a.reshape(100, -1)[-2::-2, ::3],
        lambda a: a.reshape(10, 10, -1).transpose(1, 0, 2),
        lambda a: a.astype(">f4").reshape(100, -1).T,
    ],
)
def test_undecided_elements_are_found_again(layout, threads):
    x = layout(hard_roots(60_000))
    before = clmath.stats()["pow", "float"].undecided if ("pow", "float") in clmath.stats() else 0
    exactly(clmath.pow(x, 0.5, threads=threads), clmath.pow(x, 0.5, engine="numpy"))
    assert clmath.stats()["pow", "float"].undecided >= before + 2 * np.count_nonzero(x == 1 - 2**-24) > 0


READ_ONLY = np.linspace(-2, 2, 3000)
READ_ONLY.flags.writeable = False


def given_results(x):
    """Arguments, and where their results go."""
    whole = np.append(x, 0.0)
    return {
        "the argument": (x, x),
        "shifted": (whole[:-1], whole[1:]),
        "backward": (x, x[::-1]),
        "another byte order": (x, np.empty(x.shape, x.dtype.newbyteorder())),
        "not aligned": (x, np.frombuffer(bytearray(8 * x.size + 1), x.dtype, offset=1)),
        "a tuple with none": (x, (None,)),
        "mapped": (x, np.empty_like(x).view(np.memmap)),
    }


@for_each("count", [3000, 30_000])
@for_each("case", given_results(READ_ONLY))
def test_results_that_are_given(case, count):
    x, out = given_results(np.linspace(-2, 2, count))[case]
    want = clmath.exp(x.copy(), engine="numpy")
    found = clmath.exp(x, out=out)
    assert found.tobytes() == want.astype(found.dtype).tobytes()
    assert found is out or isinstance(out, tuple)


@for_each(
    "out, message",
    [
        (READ_ONLY, "read-only"),
        (np.empty(2999), "shape"),
        (np.empty(3000, np.float32), "dtype float32"),
        (np.ma.zeros(3000), "MaskedArray"),
        ((np.empty(3000), np.empty(3000)), "2 arrays"),
        (np.broadcast_to(np.zeros(1), 3000), "read-only"),
    ],
)
def test_results_that_are_refused(out, message):
    with pytest.raises(clmath.ClmathError, match=message):
        clmath.exp(READ_ONLY, out=out)


def masked(x):
    return np.ma.array(x, mask=np.arange(x.size) % 2 == 0)


OTHERS = {
    "masked": (lambda x: clmath.exp(masked(x)), lambda found: isinstance(found, np.ma.MaskedArray)),
    "mapped": (lambda x: clmath.exp(x.view(np.memmap)), lambda found: type(found) is np.ndarray),
    "a list beside": (lambda x: clmath.pow(x[:3], [1.0, 2.0, 3.0]), lambda found: found.shape == (3,)),
    "longs that fit": (lambda x: clmath.pown(x, np.full(x.shape, 2)), lambda found: found[0] == 4.0),
}


@pytest.mark.parametrize("case", OTHERS)
def test_other_containers_and_types(case):
    call, holds = OTHERS[case]
    assert holds(call(np.linspace(-2, 2, 3000)))


def test_chosen_elements():
    x, y = np.linspace(-2, 2, 200_000).reshape(2, -1), np.float32([1, 2, 3])
    mask = x[0] > x[0, 7]
    found = clmath.exp(x, where=mask)
    assert found.tobytes() == np.where(mask, clmath.exp(x, engine="numpy"), 0.0).tobytes()
    exactly(*both("pow", (y[:, None], y), where=[True, False, True]))
    exactly(*both("pow", (y, 0.5), where=False))
    clmath.exp(x[:, :-1], out=x[:, 1:], where=mask[1:])  # every argument is read before
    kept = np.linspace(-2, 2, 200_000).reshape(2, -1)
    assert x[:, 1:].tobytes() == np.where(mask[1:], clmath.exp(kept[:, :-1]), kept[:, 1:]).tobytes()


def test_pragmas_and_errstate_change_nothing():
    x = np.array([np.inf, np.nan, 1e308, 5e-324, -1.0] * 300)
    want = clmath.exp(x), clmath.log(x)
    with clmath.select_rounding_mode("rtz"), clmath.fp_contract("OFF"), np.errstate(all="raise"):
        exactly((clmath.exp(x), clmath.log(x)), want)
        exactly(clmath.pow(hard_roots(900), 0.5), clmath.pow(hard_roots(900), 0.5, engine="numpy"))
        tiny = np.full(70, 2.0**-126 * (1 - 2**-24), np.float32)  # rounds to a normal number; its root is undecided
        for count in (1, 70):
            exactly(clmath.pow(tiny[:count], 0.5), clmath.pow(tiny[:count], 0.5, engine="numpy"))


def peak(call):
    """The most bytes that a call holds at a time."""
    call()
    tracemalloc.start()
    call()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("threads", [1, 2])
def test_a_call_allocates_little_more_than_its_result(threads):
    x = np.linspace(-2, 2, 3 * 10**6)
    chunk = 4 << 20  # bytes that do not grow with the arrays
    assert peak(lambda: clmath.exp(x, threads=threads)) < x.nbytes + chunk
    out = np.empty_like(x)
    assert peak(lambda: clmath.exp(x[::2], out=out[::2], threads=threads)) < chunk
    assert peak(lambda: clmath.pow(x.reshape(100, -1).T, 0.5, out=out.reshape(-1, 100), threads=threads)) < chunk
    mask = x > 0
    assert peak(lambda: clmath.exp(x, out=out, where=mask, threads=threads)) < mask.nbytes + 2 * chunk


@for_each("seed", range(40))
def test_random_layouts(seed):
    """Steps of both signs, byte orders, broadcast axes and orders of memory, of arguments and of a given result."""
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 9, rng.integers(1, 6)))
    order = rng.permutation(len(shape))

    def array(lengths, dtype):
        whole = rng.uniform(0.1, 3.0, tuple(2 * n for n in lengths)).astype(dtype)
        cuts = [[slice(0, None, 2), slice(n), slice(n - 1, None, -1), slice(1, n + 1)] for n in lengths]
        return whole[tuple(ways[rng.integers(1 if n == 1 else 0, 4)] for ways, n in zip(cuts, lengths, strict=True))]

    x, y = (array([n if rng.random() < 0.8 else 1 for n in shape], rng.choice(["<f8", ">f8"])) for _ in range(2))
    out = array(np.broadcast_shapes(x.shape, y.shape), "f8").transpose(order)
    args = [a.transpose(order) for a in (x, y)]
    want = clmath.pow(*args, engine="numpy")
    found = clmath.pow(*args)
    assert (type(found), found.dtype, found.shape) == (type(want), want.dtype, want.shape)
    assert found.tobytes() == want.tobytes()
    clmath.pow(*args, out=out)
    assert out.tobytes() == want.tobytes()
