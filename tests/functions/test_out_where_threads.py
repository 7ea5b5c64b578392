"""``out``, ``where`` and ``threads`` of all functions that do not round: of bits, channels, images, loads, shuffles."""

from __future__ import annotations

import functools
import inspect
import re

import numpy as np
import pytest

import clmath
from clmath.functions import groups, image, memory, operators
from clmath.spec.builtins import EXACT, builtins
from tests.builtins import LAYOUTS
from tests.cases import for_each

BITS = builtins(*EXACT)
RNG = np.random.default_rng(26)
SHAPE = (2, 20000)  # more than a chunk for each of two threads
CODES = {
    "read_unorm_int8": "u1",
    "read_unorm_int16": "u2",
    "read_snorm_int8": "i1",
    "read_snorm_int16": "i2",
    "read_half_float": "f2",
    "read_float": "f4",
    "read_srgb": "u1",
    "read_unorm_int_101010": "u4",
    "read_unorm_short_555": "u2",
    "read_unorm_short_565": "u2",
}
INTEGERS = {
    f"write_{sign}signed_int{bits}": f"{kind}4" for sign, kind in (("", "i"), ("un", "u")) for bits in (8, 16, 32)
}
COLORS = (
    "write_unorm_int8",
    "write_unorm_int16",
    "write_snorm_int8",
    "write_snorm_int16",
    "write_srgb",
    "write_half_float",
    "write_float",
)


def codes(dtype, shape=SHAPE):
    """Random bits."""
    dtype = np.dtype(dtype)
    found = RNG.integers(0, 256, (*shape, dtype.itemsize), np.uint8).view(dtype)[..., 0]
    return np.where(np.isnan(found), found.dtype.type(1), found) if dtype.kind == "f" else found


def colors(*components):
    return RNG.uniform(-0.2, 1.2, (*SHAPE, *components)).astype(np.float32)


def image_of(type, order="rgba", sizes=(9, 11)):
    stored = 4 if order == "rgba" else 1
    dtype = {"unorm_int8": "u1", "half_float": "f2", "float": "f4", "signed_int16": "i2"}[type]
    data = RNG.integers(0, 100, (*sizes, stored)).astype(dtype)
    return clmath.Image(data, type, order)


MEMORY = {dtype: codes(dtype, (40000,)) for dtype in ("i1", "u2", "f2", "f4", "f8")}
OFFSETS = RNG.integers(0, 40000 // 16, SHAPE)
PLACES = RNG.uniform(0.1, 8.9, (*SHAPE, 2)).astype(np.float32)
MASK2, MASK8 = RNG.integers(0, 64, (*SHAPE, 2), np.uint32), RNG.integers(0, 256, (*SHAPE, 8), np.uint8)

# a function, its arguments with all broadcasting ones first, and the number of components of each of its vectors
CALLS = {name: (getattr(clmath, name), (codes(dtype),)) for name, dtype in (CODES | INTEGERS).items()}
CALLS |= {name: (getattr(clmath, name), (colors(),)) for name in COLORS}
CALLS |= {f"{name} of half": (getattr(clmath, name), (colors().astype(np.float16),)) for name in COLORS[:-1]}
CALLS |= {
    "write_unorm_int_101010": (clmath.write_unorm_int_101010, (colors(3),)),
    "write_unorm_short_555": (clmath.write_unorm_short_555, (colors(3),)),
    "write_unorm_short_565": (clmath.write_unorm_short_565, (colors(3),)),
    "read_srgba": (clmath.read_srgba, (codes("u1", (*SHAPE, 4)),)),
    "write_srgba": (functools.partial(clmath.write_srgba, rounding="rtp"), (colors(4),)),
    "vload2 i1": (lambda o, **how: clmath.vload(o, MEMORY["i1"], 2, **how), (OFFSETS,)),
    "vload3 f8": (lambda o, **how: clmath.vload(o, MEMORY["f8"], 3, **how), (OFFSETS.astype(np.uint16),)),
    "vload16 u2": (lambda o, **how: clmath.vload16(o, MEMORY["u2"], **how), (OFFSETS,)),
    "vload4 swapped": (lambda o, **how: clmath.vload4(o, MEMORY["f4"].astype(">f4"), **how), (OFFSETS,)),
    "vload_half": (lambda o, **how: clmath.vload_half(o, MEMORY["f2"], **how), (OFFSETS,)),
    "vload_half8": (lambda o, **how: clmath.vload_half8(o, MEMORY["f2"].astype(">f2"), **how), (OFFSETS,)),
    "vloada_half3": (lambda o, **how: clmath.vloada_half(o, MEMORY["f2"], 3, **how), (OFFSETS,)),
    "shuffle": (clmath.shuffle, (codes("f4", (*SHAPE, 4)), MASK2)),
    "shuffle of 3": (clmath.shuffle, (codes("i1", (*SHAPE, 3)), MASK8)),
    "shuffle2": (clmath.shuffle2, (codes("u4", (*SHAPE, 2)), codes("u4", (*SHAPE, 2)), MASK2)),
    "shuffle2 of 3": (clmath.shuffle2, (codes("u1", (*SHAPE, 3)), codes("u1", (*SHAPE, 3)), MASK8)),
    "convert_uchar_sat_rtz": (clmath.convert_uchar_sat_rtz, (colors() * 300,)),
    "convert_half4_rtp": (clmath.convert_half4_rtp, (colors(4),)),
    "convert_bool": (clmath.convert_bool, (colors(),)),
}
for stored, kind in (("unorm_int8", None), ("half_float", "half"), ("float", None), ("signed_int16", None)):
    for order in ("rgba", "depth"):
        if order == "depth" and stored not in ("unorm_int8", "float"):
            continue
        sampler = clmath.Sampler("clamp", "nearest" if stored == "signed_int16" else "linear")
        read = functools.partial(image_of(stored, order).read, sampler)
        CALLS[f"Image.read {stored} {order}"] = (functools.partial(read, type=kind, rounding="rtn"), (PLACES,))


def samples_of_bits(name):
    """Arguments of ``SHAPE`` for a built-in of bits: small integers, floats, or vectors of four components."""
    row = BITS[name]
    dtype = "f4" if "float" in row.types and "int" not in row.types else "i4" if "int" in row.types else "i2"
    words = {"ugentype": f"u{dtype[1]}", "byte4": "i1", "uint": "u4", "int": "i4", "word": "i4"}
    rng, args = np.random.default_rng(len(name)), []
    for p in row.inputs:
        full = (*SHAPE, 4) if row.widths and p.type in ("byte4", "truths") else SHAPE
        args.append(rng.integers(0, 9, full).astype(words.get(p.type, dtype)))
    return args


CALLS |= {f"{name} of bits": (getattr(clmath, name), samples_of_bits(name)) for name in BITS}
for name in ("add", "sub", "mul", "div", *operators.__all__):
    count = sum(p.kind is p.POSITIONAL_ONLY for p in inspect.signature(getattr(clmath, name)).parameters.values())
    CALLS[f"{name} of integers"] = (
        getattr(clmath, name),
        tuple(RNG.integers(0, 9, SHAPE, np.int32) for _ in range(count)),
    )
NAMES = list(CALLS)


def called(name, count=None):
    """The function and its arguments, some of their rows where a ``count`` is given."""
    function, args = CALLS[name]
    return function, args if count is None else tuple(a[:, :count] for a in args)


def bits(array):
    return np.ascontiguousarray(array).view(f"V{array.dtype.itemsize}").tobytes()


def native(array):
    return array.astype(array.dtype.newbyteorder("="))


def test_functions_take_all_three_or_have_a_reason():
    public = {n: inspect.signature(f).parameters for n in clmath.__all__ if inspect.isfunction(f := getattr(clmath, n))}
    out, where, threads = (
        {n for n, parameters in public.items() if word in parameters} for word in ("out", "where", "threads")
    )
    stores = {"vstore", "vstore_half", "vstorea_half"}  # into the memory that is an argument
    whole = {"as_type", "swizzle", *groups.__all__} - {"group_sum_range"}  # of bits, or over an axis
    assert whole < out
    assert where == out - whole | stores
    assert threads == out - whole | stores - {"vstore"}
    moving = {*image.__all__, *memory.__all__}
    assert out - whole - {"convert"} == {*builtins(), *BITS, *operators.__all__, *moving} - stores
    tried = {name.split()[0].rstrip("0123456789") for name in NAMES}
    assert {name.rstrip("0123456789") for name in {*BITS, *operators.__all__, *moving} - stores} <= tried


@for_each("name", [name for name in NAMES if name.endswith("of bits")])
def test_direct_and_prepared_arrays_give_equal_results(name, prepared):
    """Compiled code takes arrays of many layouts directly; results have the bits and layout of prepared ones."""
    function, args = called(name)
    flat = [a.reshape(-1, *a.shape[2:]) for a in args]
    options = [{}, {"vector": True}, {"dtype": bool}] if name.startswith("is") else [{}]

    def results():
        for layout in LAYOUTS.values():
            laid = [layout(a) for a in flat]
            for given in (laid, [laid[0], *map(np.ascontiguousarray, laid[1:])]):
                yield from (function(*given, **option) for option in options)

    for one, other in zip(results(), prepared(lambda: list(results())), strict=True):
        assert (type(one), one.dtype, one.strides) == (type(other), other.dtype, other.strides)
        assert bits(one) == bits(other)


@for_each("name", NAMES)
def test_threads_change_nothing(name):
    function, args = called(name)
    want = function(*args)
    for threads in (2, -1, np.int64(3)):
        got = function(*args, threads=threads)
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        assert bits(got) == bits(want)
    assert bits(function(*(a[:, ::-3] for a in args), threads=2)) == bits(want[:, ::-3])


@for_each("threads", [1, 2])
@for_each("layout", ["swapped", "strided", "misaligned", "asfortranarray"])
@for_each("name", NAMES)
def test_into_arrays_of_every_layout(name, layout, threads, layouts):
    (function, args), layout = called(name), getattr(layouts, layout)
    want = function(*args)
    out = layout(np.zeros_like(want))
    assert function(*args, out=out, threads=threads) is out
    assert bits(native(out)) == bits(want)
    few = layout(np.zeros_like(want[:, :3]))
    assert function(*(a[:, :3] for a in args), out=(few,), threads=threads) is few
    assert bits(native(few)) == bits(want[:, :3])


@for_each("name", NAMES)
def test_some_elements(name):
    function, args = called(name)
    want, some = function(*args), RNG.random(SHAPE) < 0.4
    components = (Ellipsis, np.newaxis) if want.ndim > 2 else ...
    kept = codes(want.dtype, want.shape) if want.dtype.kind != "b" else ~want
    for threads in (1, 2):
        out = kept.copy()
        assert function(*args, out=out, where=some, threads=threads) is out
        assert bits(out) == bits(np.where(some[components], want, kept))
        fresh = function(*args, where=some, threads=threads)
        assert bits(fresh) == bits(np.where(some[components], want, want.dtype.type(0)))
    row = function(*args, where=[[True], [False]])
    assert bits(row[0]) == bits(want[0])
    assert not row[1].any()


@for_each("name", NAMES)
def test_one_element(name):
    function, args = called(name)
    one = tuple(a[0, 0] for a in args)
    want = function(*one)
    assert bits(np.asarray(function(*one, threads=2))) == bits(np.asarray(want))
    assert type(function(*one, where=np.True_)) is type(want)
    assert type(function(*one, out=(None,))) is type(want)
    out = np.zeros_like(want)
    assert function(*one, out=out) is out
    assert bits(out) == bits(np.asarray(want))
    assert not np.any(function(*one, where=False))
    assert np.shape(function(*one, where=[True, False, True])) == (3, *np.shape(want))


def reported(name):
    """The function that an error names: a convenience function is reported as the function it calls."""
    first = name.split()[0]
    if first.startswith("convert"):
        return "convert"
    return re.sub(r"\d+$", "", first) if first.startswith("vload") else first


@for_each("name", NAMES)
def test_arrays_that_results_do_not_fit_are_refused_by_name(name):
    function, args = called(name, count=5)
    want = function(*args)
    label = reported(name)
    wrong = [
        ({"out": np.zeros((*want.shape, 1), want.dtype)}, clmath.ShapeError, "out has shape"),
        ({"out": np.zeros(want.shape, "c16")}, clmath.DTypeError, "out has dtype complex128"),
        ({"out": want.tolist()}, clmath.DTypeError, "out is a list"),
        ({"out": (want, want)}, clmath.ShapeError, "out has 2 arrays"),
        ({"where": [1]}, clmath.DTypeError, "where has dtype int64; bool is needed"),
        ({"where": np.ones(3, bool)}, clmath.ShapeError, r"where has shape \(3,"),
        ({"threads": 0}, clmath.RangeError, "threads=0 is not a number of threads"),
        ({"threads": True}, clmath.RangeError, "threads=True is not a number of threads"),
    ]
    want.flags.writeable = False
    wrong.append(({"out": want}, clmath.ShapeError, "out is read-only"))
    for how, error, message in wrong:
        with pytest.raises(error, match=rf"^{label}\(\): .*{message}"):
            function(*args, **how)


def test_over_the_arguments():
    x = codes("u4", (3000,))
    for name, source in (("read_unorm_int_101010", x), ("read_srgba", x.view(np.uint8).reshape(-1, 4))):
        function = getattr(clmath, name)
        want = function(source.copy())
        memory = np.zeros(want.shape, want.dtype)
        given = memory.reshape(-1).view(source.dtype)[: source.size].reshape(source.shape)
        given[...] = source
        assert bits(function(given, out=memory)) == bits(want)
    components = codes("u4", (3000, 4))
    want = clmath.shuffle(components, components)
    assert bits(clmath.shuffle(components, components, out=components)) == bits(want)


def test_loads_over_the_memory_that_they_read():
    memory = np.arange(64, dtype=np.float32)
    offsets = np.arange(16)[::-1]
    want = clmath.vload(offsets, memory.copy(), 4)
    assert bits(clmath.vload(offsets, memory, 4, out=memory.reshape(16, 4))) == bits(want)
    both = np.zeros(64, np.float32)
    halves = both.view(np.float16)[:64]
    halves[...] = np.arange(64)
    assert clmath.vload_half(np.arange(64), halves, out=both).tolist() == list(range(64))


def test_elements_that_are_left_out_may_lie_anywhere():
    memory = np.arange(8, dtype=np.float16)
    far, some = np.array([1, -5, 2**40]), np.array([True, False, False])
    assert clmath.vload(far, memory, 4, where=some).tolist() == [[4, 5, 6, 7], [0] * 4, [0] * 4]
    assert clmath.vload_half(far, memory, where=some).tolist() == [1, 0, 0]
    with pytest.raises(clmath.ShapeError, match=r"^vload\(\): offset -5 means"):
        clmath.vload(far, memory, 4, where=~some)
    clmath.vstore(np.float16([7, 8]), far, memory, where=some)
    assert memory.tolist() == [0, 1, 7, 8, 4, 5, 6, 7]
    places = np.float32([[1.5, 0.5], [np.nan, 0.5], [np.inf, 3]])
    read = image_of("unorm_int8").read
    got = read(clmath.Sampler("clamp"), places, where=some)
    assert bits(got[0]) == bits(read(clmath.Sampler("clamp"), places[0]))
    assert not got[1:].any()


@for_each("mode", ["rte", "rtz", "rtp", "rtn"])
@for_each(("n", "store"), [(1, "vstore_half"), (4, "vstore_half"), (3, "vstorea_half")])
def test_stores_of_halves(n, store, mode):
    offsets = RNG.permutation(20000)
    data = (colors() * 100)[0][:, np.newaxis].repeat(n, 1) if n > 1 else colors()[0] * 100
    function = functools.partial(getattr(clmath, store), data, offsets)
    want, kept = np.zeros(4 * 20000, np.float16), codes("f2", (4 * 20000,))
    function(want, n, rounding=mode)
    for threads in (2, -1):
        got = np.zeros_like(want)
        function(got, n, rounding=mode, threads=threads)
        assert bits(got) == bits(want)
    some, step = RNG.random(20000) < 0.5, 4 if n == 3 else n
    got, written = kept.copy(), np.zeros(want.size, bool)
    function(got, n, rounding=mode, where=some, threads=2)
    for component in range(n):
        written[offsets[some] * step + component] = True
    assert bits(got) == bits(np.where(written, want, kept))


@pytest.mark.parametrize("dtype", ["i1", "u8", "f4", ">f8"])
def test_stores_of_some(dtype):
    data, offsets, some = np.arange(1, 401).astype(dtype).reshape(100, 4), RNG.permutation(100), RNG.random(100) < 0.5
    for count in (100, 1):
        got, kept = np.zeros(400, dtype), np.zeros(400, dtype)
        clmath.vstore(data[:count], offsets[:count], got, where=some[:count])
        for components, offset in zip(data[:count][some[:count]], offsets[:count][some[:count]], strict=True):
            kept[4 * offset : 4 * offset + 4] = components
        assert bits(got) == bits(kept)
    clmath.vstore4(data[0], 3, got, where=False)
    assert bits(got) == bits(kept)
    clmath.vstore4(data[0], 3, got, where=[False, True])
    assert got[12:16].tolist() == data[0].tolist()


def test_stores_refuse_by_name_and_write_nothing():
    memory = np.zeros(8, np.float16)
    for how, error, message in (
        ({"where": [1, 0]}, clmath.DTypeError, "where has dtype int64; bool is needed"),
        ({"where": [True, False, True]}, clmath.ShapeError, r"offset has shape \(2,\), where has shape \(3,\)"),
        ({"threads": 0}, clmath.RangeError, "threads=0"),
    ):
        with pytest.raises(error, match=rf"^vstore_half\(\): {message}"):
            clmath.vstore_half(np.float32([1, 2]), [0, 1], memory, **how)
        if "threads" not in how:
            with pytest.raises(error, match=rf"^vstore\(\): {message}"):
                clmath.vstore(np.ones((2, 2), np.float16), [0, 1], memory, **how)
    with pytest.raises(TypeError, match="threads"):
        clmath.vstore(np.ones((2, 2), np.float16), [0, 1], memory, threads=2)
    assert not memory.any()


def test_writes_of_some():
    for where, stored in (([True, False], [128, 0]), (False, [0, 0]), ([[False], [True]], [255, 255])):
        target = clmath.Image(np.zeros((2, 1), np.uint8), "unorm_int8", "r")
        color = np.float32([0.5, 0, 0, 1]) if np.ndim(where) < 2 else np.float32([[[0.5, 0, 0, 1]], [[1, 0, 0, 1]]])
        target.write([0, 1], color, where=where)
        assert target.data[:, 0].tolist() == stored
    target.write([0, 99], np.float32([0.5, 0, 0, 1]), where=[True, False])
    with pytest.raises(clmath.RangeError, match=r"^Image.write\(\): coordinates"):
        target.write([0, 99], np.float32([0.5, 0, 0, 1]), where=[False, True])
    with pytest.raises(clmath.ShapeError, match=r"^Image.write\(\): .*where has shape \(3,\)"):
        target.write([0, 1], np.float32([0.5, 0, 0, 1]), where=[True] * 3)


def test_flushed_copies_into_arrays():
    x, out = np.float32([1e-40, 1.0, -1e-40]), np.full(3, 9, np.float32)
    with clmath.flush_to_zero("float"):
        assert bits(clmath.read_float(x)) == bits(np.float32([0.0, 1.0, -0.0]))
        assert bits(clmath.read_float(x, out=out, where=[True, True, False])) == bits(np.float32([0.0, 1.0, 9.0]))
        assert bits(clmath.write_float(x, threads=2)) == bits(np.float32([0.0, 1.0, -0.0]))
    assert bits(clmath.write_float(x, out=out)) == bits(x)
