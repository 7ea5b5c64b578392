"""Behaviour of integer and relational built-ins as NumPy functions: accepted arguments, results, out, broadcasting."""

from __future__ import annotations

import inspect
import tracemalloc

import numpy as np
import pytest

import clmath
from clmath import errors
from clmath.functions import relational
from clmath.spec.builtins import EXACT, builtins
from tests.cases import for_each

ROWS = builtins(*EXACT)
DTYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "long": "i8"}
DTYPES |= {"ulong": "u8", "half": "f2", "float": "f4", "double": "f8"}


def dtype_of(word, gentype):
    size, kind = gentype.itemsize, gentype.kind
    prefix = {"gentype": kind, "ugentype": "u", "igentype": "i", "condition": "i", "truths": "i"}
    if word in prefix:
        return np.dtype(f"{prefix[word]}{size}")
    return np.dtype({"byte4": "i1", "word": "i4"}.get(word) or DTYPES[word])


def gentype_of(row):
    return np.dtype(DTYPES["short" if "short" in row.types else "float" if "float" in row.types else row.types[0]])


def arguments(name, shape=(3, 4), seed=5):
    """Return an array for each argument, of short or float if possible; bit fields are within eight bits."""
    row, rng = ROWS[name], np.random.default_rng(seed)
    args = []
    for parameter in row.inputs:
        full = (*shape, 4) if row.widths and parameter.type in ("byte4", "truths") else shape
        dtype = dtype_of(parameter.type, gentype_of(row))
        if parameter.name in ("offset", "count"):
            args.append(rng.integers(0, 5, full, dtype))
        elif dtype.kind == "f":
            args.append(rng.choice(np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan], dtype), full))
        else:
            args.append(np.asarray(rng.integers(-100 if dtype.kind == "i" else 0, 101, full)).astype(dtype))
    return tuple(args)


def function(name):
    return getattr(clmath, name)


def same(got, want):
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype.newbyteorder("=") == want.dtype
    assert got.shape == want.shape
    assert got.astype(want.dtype).tobytes() == want.tobytes()


every = for_each("name", ROWS)


@every
def test_arguments_may_have_any_layout_and_are_not_changed(name, layouts):
    args = arguments(name)
    want = function(name)(*args)
    for layout in vars(layouts).values():
        laid = [layout(a) for a in args]
        same(function(name)(*laid), want)
        for a, b in zip(laid, args, strict=True):
            same(a, b)


@every
def test_arguments_are_broadcast(name):
    columns = arguments(name, (4, 1))
    rows = arguments(name, (1, 3), seed=6)
    mixed = [c if i % 2 else r for i, (c, r) in enumerate(zip(columns, rows, strict=True))]
    vectors = [bool(ROWS[name].widths) and p.type in ("byte4", "truths") for p in ROWS[name].inputs]
    shape = np.broadcast_shapes(*(m.shape[:-1] if v else m.shape for m, v in zip(mixed, vectors, strict=True)))
    full = [np.broadcast_to(m, (*shape, 4) if v else shape) for m, v in zip(mixed, vectors, strict=True)]
    same(function(name)(*mixed), function(name)(*(f.copy() for f in full)))


@every
def test_results_are_stored_in_out(name, layouts):
    for shape in ((0,), (2, 0, 3)):
        assert function(name)(*arguments(name, shape)).shape == shape
    args = arguments(name)
    want = function(name)(*args)
    for layout in (np.array, layouts.swapped, layouts.strided, layouts.misaligned):
        out = layout(np.zeros_like(want))
        assert function(name)(*args, out=out) is out
        same(out, want)

    for out in (np.zeros((7,), want.dtype), layouts.read_only(np.zeros_like(want)), np.zeros(want.shape, "c16")):
        with pytest.raises((errors.ShapeError, errors.DTypeError), match=rf"^{name}\(\): out "):
            function(name)(*args, out=out)
        assert not out.any()


def test_out_may_be_an_argument():
    x = np.arange(-20000, 20000, dtype=np.int32)
    want = clmath.rhadd(x, x[::-1])
    assert clmath.rhadd(x, x[::-1], out=x) is x
    same(x, want)


@every
def test_large_arrays_need_bounded_memory(name):
    """In addition to the result only temporaries of a few blocks are allocated."""
    args = arguments(name, (200_000,))
    want = function(name)(*args)
    out = np.empty_like(want)
    tracemalloc.start()
    function(name)(*args, out=out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000
    same(out, want)


def test_lists_and_other_array_likes_are_accepted():
    assert clmath.add_sat([1, 2], [3, 2**63 - 1]).tolist() == [4, 2**63 - 1]
    assert clmath.add_sat(memoryview(b"\xfa\x01"), 10).tolist() == [255, 11]
    assert clmath.isless([1.0, 2.0], 1.5).tolist() == [1, 0]


@for_each("name", ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"])
def test_python_int_takes_the_type_of_the_other_argument(name):
    dtype = np.dtype(DTYPES[name])
    info = np.iinfo(dtype)
    assert clmath.max(np.array([1], dtype), info.max).dtype == dtype
    assert clmath.max(info.min, np.array([1], dtype)).tolist() == [1]
    for value in (info.min - 1, info.max + 1):
        with pytest.raises(TypeError, match=rf"max\(\): y holds {value}; {name} lies in .*sat=True\), the nearest one"):
            clmath.max(np.array([1], dtype), value)


def test_python_numbers_alone_have_default_types():
    assert clmath.add_sat(2**63 - 1, 1) == 2**63 - 1
    assert clmath.popcount(-1).dtype == np.int64
    assert clmath.mul24(3, 5).dtype == np.int32
    assert clmath.isequal(1, 1.0) == 1
    assert clmath.select(1, 2.5, True).dtype == np.float64
    assert clmath.select(1, 2, 0).dtype == np.int64
    assert clmath.upsample(1, np.uint8(2)) == 258
    assert clmath.upsample(1, np.uint8(2)).dtype == np.uint16


def test_shared_names_are_resolved_by_type():
    assert clmath.max(np.uint8(3), 200).dtype == np.uint8
    assert clmath.max(1, 2).dtype == np.int64
    assert clmath.max(1, 2.5).dtype == np.float64
    assert clmath.min(np.float32(1), 2).dtype == np.float32
    assert clmath.clamp(np.int64(2**63 - 1), 0, 2**63 - 2) == 2**63 - 2
    assert clmath.dot(np.uint8([255] * 4), np.uint8([255] * 4)) == 4 * 255 * 255
    assert clmath.dot(np.float32([1, 2]), np.float32([3, 4])).dtype == np.float32


def test_message_has_call_rule_fact_and_remedy():
    with pytest.raises(TypeError) as refused:
        clmath.clz(np.float32(1.0))
    assert str(refused.value) == (
        "clz(): x has dtype float32; char, uchar, short, ushort, int, uint, long or ulong is needed: "
        "convert it, e.g. clmath.convert(x, 'long'), which rounds it toward zero; "
        "clmath.as_type(x, 'int') has its bits"
    )
    with pytest.raises(ValueError, match=r"add_sat\(\): x has shape \(2,\), y has shape \(3,\); they do not broadcast"):
        clmath.add_sat(np.int8([1, 2]), np.int8([1, 2, 3]))


def test_upsample_requires_the_unsigned_type_of_the_same_width():
    with pytest.raises(TypeError, match=r"upsample\(\): lo has dtype int8; uchar is needed"):
        clmath.upsample(np.int8(1), np.int8(1))
    with pytest.raises(TypeError, match=r"upsample\(\): hi has dtype int64; char, uchar, short, ushort, int or uint"):
        clmath.upsample(np.int64(1), np.uint64(1))


def test_dot_products_require_four_components():
    for name, first in (("dot", "p0"), ("dot_acc_sat", "a")):
        for shape in ((3,), (2, 5), ()):
            fact = rf"{name}\(\): (the last axis of {first}|{first} is a scalar and) has \d components; 4 are needed"
            with pytest.raises(ValueError, match=fact):
                function(name)(np.ones(shape, np.uint8), np.ones(4, np.uint8), *arguments(name, ())[2:])


def test_accumulator_must_have_the_type_of_the_sum():
    vector = np.full(4, 255, np.uint8)
    assert clmath.dot_acc_sat(vector, vector, np.uint32(2**32 - 1)) == 2**32 - 1
    with pytest.raises(TypeError, match=r"dot_acc_sat\(\): acc holds -1; uint lies in"):
        clmath.dot_acc_sat(vector, vector, -1)
    assert clmath.dot_acc_sat(vector.view(np.int8), vector, -1) == -1021


@pytest.mark.parametrize("name", ["any", "all"])
def test_any_and_all_refuse_wrong_widths_and_types(name):
    call = function(name)
    for width in (5, 0, 17):
        fact = f"the last axis of t has {width} components; 1, 2, 3, 4, 8 or 16 are"
        with pytest.raises(ValueError, match=rf"{name}\(\): {fact}"):
            call(np.ones(width, np.int32))
    with pytest.raises(TypeError, match="t has dtype uint32; bool, char, short, int or long is needed"):
        call(np.ones(4, np.uint32))
    with pytest.raises(TypeError, match="t has dtype bool; char, short, int or long is needed"):
        call(np.ones(4, bool), vector=True)


def test_select_refuses_wrong_types_of_conditions():
    a, b = np.float32([1, 2]), np.float32([3, 4])
    for condition in (np.int64([0, 1]), np.float32([0, 1])):
        with pytest.raises(TypeError, match=r"select\(\): c has dtype \w+; bool, int or uint is needed: convert it"):
            clmath.select(a, b, condition)
    with pytest.raises(TypeError, match=r"select\(\): c has dtype bool; int or uint is needed"):
        clmath.select(a, b, np.array([True, False]), vector=True)
    assert clmath.select(a, b, -1, vector=True).tolist() == [3, 4]


@every
def test_public_function_has_the_declared_signature(name):
    call, row = function(name), ROWS[name]
    signature = inspect.signature(call)
    data = [p.name for p in signature.parameters.values() if p.kind is inspect.Parameter.POSITIONAL_ONLY]
    assert data == [p.name for p in row.inputs]
    options = {p.name for p in signature.parameters.values() if p.kind is inspect.Parameter.KEYWORD_ONLY}
    assert options - {"vector", "dtype", "rounding"} == {"out", "where", "threads"}  # dot of numbers is rounded
    assert ("dtype" in options) == (name in relational.__all__ and name not in ("select", "bitselect"))
    assert row.section in call.__doc__
    assert ">>> " in call.__doc__
    assert getattr(clmath, name).__name__ == name
