"""Each error message of the library is raised once, and its remedy is applied to the call that failed."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from fractions import Fraction

import numpy as np
import pytest

import clmath
from clmath.numbers import formats
from clmath.numbers.datatypes import _known_type
from tests.cases import for_each

F32, F16, I8 = np.float32([1, 2, 3]), np.float16([1, 2, 3]), np.int8([1, 2, 3])
MASKED = np.ma.MaskedArray(F32, [0, 1, 0])
IMAGE = clmath.Image(F32.reshape(3, 1), "float", "r")


class Unreadable:
    def __array__(self, dtype=None, copy=None):
        raise ValueError("closed")


class OnDevice:
    """Array that is on a oneAPI device by DLPack, and can be copied to the host."""

    def __dlpack_device__(self):
        return 14, 0

    def __array__(self, dtype=None, copy=None):
        return F32


def pandas():
    return pytest.importorskip("pandas")


def frame(**columns):
    return pandas().DataFrame(columns)


def nested():
    found = 1.0
    for _ in range(70):
        found = [found]
    return found


# failing call, arguments, a part of the message, and the call that follows the remedy; if the last two are None,
# the expressions in the message are tried, each alone
CASES = [
    # clmath/call/arguments.py
    ("clmath.sin(x)", {"x": [[1], [1, 2]]}, "lists of one length", "clmath.sin([[1, 0], [1, 2]])"),
    ("clmath.clz(x)", {"x": [[np.int8(1)], [1, 2]]}, "lists of one length", "clmath.clz([[1, 0], [1, 2]])"),
    ("clmath.sin(x)", {"x": Unreadable()}, "give an array of numbers", "clmath.sin(F32)"),
    ("clmath.sin(x)", {"x": nested()}, "give an array of numbers", "clmath.sin(F32)"),
    ("clmath.sin(x)", {"x": [1, 10**400]}, "float('inf')", "clmath.sin([1, float('inf')])"),
    ("clmath.pow(x, y)", {"x": F16, "y": 1e6}, "float('inf')", "clmath.pow(x, float('inf'))"),
    ("clmath.convert(x, 'double')", {"x": [2**63, -1]}, None, None),
    ("clmath.convert(x, 'float')", {"x": [2**70]}, None, None),
    ("clmath.convert(x, 'float')", {"x": np.ones(2, np.complex64)}, None, None),
    ("clmath.sin(x)", {"x": [np.timedelta64(1, "s")]}, None, None),
    ("clmath.sin(x)", {"x": 1 + 2j}, None, None),
    ("clmath.sin(x)", {"x": [1 + 2j]}, None, None),
    ("clmath.sin(x)", {"x": pandas().Series([1 + 2j])}, None, None),
    ("clmath.sin(x, where=where)", {"x": F32, "where": [None, True, False]}, None, None),
    ("clmath.pow(x, y)", {"x": F16, "y": np.float64(2)}, None, None),
    ("clmath.fma(a, b, c)", {"a": F32, "b": F32, "c": np.float64(2)}, None, None),
    ("clmath.add_sat(x, y)", {"x": np.int32([1]), "y": np.uint32([1])}, None, None),
    ("clmath.mul_hi(x, y)", {"x": np.uint64([1]), "y": np.int64([-1])}, None, None),
    ("clmath.bitselect(a, b, c)", {"a": F32, "b": np.int32([1]), "c": F32}, None, None),
    ("clmath.length(p)", {"p": np.ones(7)}, "1, 2, 3 or 4 are needed: give an array of shape (..., components)",
     "clmath.length(p[:4])"),
    ("clmath.dot(p0, p1)", {"p0": np.int8([1, 2, 3]), "p1": np.int8([1, 2, 3])}, "of shape (..., 4)",
     "clmath.dot(np.int8([1, 2, 3, 0]), np.int8([1, 2, 3, 0]))"),
    ("clmath.sin(x)", {"x": [Fraction(1, 3), None]}, None, None),
    ("clmath.clz(x)", {"x": np.array([1, 2], object)}, None, None),
    ("clmath.clz(x)", {"x": np.array([1, 2**63], object)}, None, None),
    ("clmath.sin(x)", {"x": np.array([1, 2**64], object)}, None, None),
    ("clmath.sin(x)", {"x": {1.0, 2.0}}, None, None),
    ("clmath.sin(x)", {"x": {"a": 1.0}}, None, None),
    ("clmath.sin(x)", {"x": {1: 2.0}.values()}, None, None),
    ("clmath.sin(x)", {"x": [1.0, object()]}, "give real numbers instead", "clmath.sin(x[:1])"),
    ("clmath.sin(x)", {"x": float}, "give real numbers instead", "clmath.sin(x(1.0))"),
    ("clmath.sin(x)", {"x": [None, 1j]}, "give real numbers instead", "clmath.sin(x[1].real)"),
    ("clmath.add(x, y)", {"x": F32, "y": F32[:2]}, "make the axes equal or 1", "clmath.add(x[:2], y)"),
    # clmath/call/containers.py
    ("clmath.sin(x, out=o)", {"x": MASKED, "o": F32.copy()}, "leave out away, or give its values",
     "clmath.sin(x), clmath.sin(x.data, out=o)"),
    ("clmath.pow(x, y)", {"x": MASKED, "y": frame(a=F32).a}, "give the values of one", "clmath.pow(x.data, y)"),
    ("clmath.sin(x)", {"x": frame(a=F32, b=np.float64(F32))}, "x.apply(clmath.sin)", "x.apply(clmath.sin)"),
    ("clmath.sin(x)", {"x": frame(a=F32, b=np.float64(F32))}, "x.astype(...)", "clmath.sin(x.astype('float64'))"),
    ("clmath.sin(x)", {"x": pandas().Series([1.0, None], dtype="Float64")}, "x.fillna(...)",
     "clmath.sin(x.fillna(0.0)), clmath.sin(x.dropna())"),
    ("clmath.sin(x)", {"x": np.rec.array([(1.0,)], dtype=[("a", float)]).view(np.recarray)}, "np.asarray(x)",
     "clmath.sin(np.asarray(x)['a'])"),
    ("clmath.vload(0, p, 2)", {"p": MASKED}, "give p.filled(...), or p.data",
     "clmath.vload(0, p.filled(0), 2), clmath.vload(0, p.data, 2)"),
    ("clmath.sin(x)", {"x": OnDevice()}, None, None),
    ("clmath.pow(x, y)", {"x": frame(a=F32).a, "y": frame(a=F32).a[::-1]}, "x.align", "clmath.pow(*x.align(y))"),
    ("clmath.length(p)", {"p": frame(a=F32, b=F32)}, None, None),
    # clmath/functions/printf.py
    ("clmath.sprintf('%c', x)", {"x": "A"}, "write it with '%s', or its code, ord(args[0])",
     "clmath.sprintf('%s', x), clmath.sprintf('%c', ord(x))"),
    ("clmath.sprintf('%d', x)", {"x": b"12"}, "write args[0].decode() with '%s'", "clmath.sprintf('%s', x.decode())"),
    ("clmath.sprintf('%f', x)", {"x": "1.5"}, "another type is undefined (3.23.2): write it with '%s'",
     "clmath.sprintf('%s', x)"),
    ("clmath.sprintf('%ld', x)", {"x": 2**70}, "clmath.convert(args[0], 'ulong') has its low bits",
     "clmath.sprintf('%ld', clmath.convert(x, 'ulong'))"),
    # clmath/call/host.py, measured.py
    ("clmath.ulp_error(y, 1.0)", {"y": np.int32(1)}, "give results in one of these", "clmath.ulp_error(F32[0], 1.0)"),
    ("clmath.ulp_error(y, e)", {"y": F32, "e": [1.0, 2.0]}, "make the axes equal", "clmath.ulp_error(y, [1.0, 2, 3])"),
    ("clmath.ulp_error(y, e)", {"y": F32[:1], "e": [None]}, "give numbers", "clmath.ulp_error(y, [Fraction(1)])"),
    ("clmath.ulp_error(y, e)", {"y": F32, "e": 1j}, "parts one by one", "clmath.ulp_error(y, (1j).real)"),
    ("clmath.ulp_error(y, 1.0)", {"y": MASKED}, "give actual.compressed()", "clmath.ulp_error(y.compressed(), 1.0)"),
    ("clmath.ulp_error(y, 1.0)", {"y": MASKED}, "or actual.data", "clmath.ulp_error(y.data, 1.0)"),
    ("clmath.ulp_error(y, 1.0)", {"y": Unreadable()}, "copy it first", "clmath.ulp_error(F32.copy(), 1.0)"),
    ("clmath.ulp_error(y, 'sin', x)", {"y": F32, "x": F32}, "a tuple is needed: (x,)",
     "clmath.ulp_error(y, 'sin', (x,))"),
    ("clmath.ulp_error(y, 'sin', (x, x))", {"y": F32, "x": F32}, "takes 1: (x,)", "clmath.ulp_error(y, 'sin', (x,))"),
    ("clmath.ulp_error(y, 'sincos', (x,))", {"y": F32, "x": F32}, "2 are due: give a tuple of them",
     "clmath.ulp_error((y, y), 'sincos', (x,))"),
    ("clmath.ulp_error(y, 'sin', (x,))", {"y": F32[:2], "x": F32}, "got (2,): give the whole result",
     "clmath.ulp_error(F32, 'sin', (x,))"),
    # clmath/call/results.py, rounded.py, selected.py
    ("clmath.sin(x, out=(o, o))", {"x": F32, "o": F32.copy()}, "give one array", "clmath.sin(x, out=o)"),
    ("clmath.sincos(x, out=o)", {"x": F32, "o": F32.copy()}, "a tuple of 2 arrays or None",
     "clmath.sincos(x, out=(o, F32.copy())), clmath.sincos(x, out=(o, None))"),
    ("clmath.sin(x, out=[0.0])", {"x": F32}, "np.empty((3,), 'float32')",
     "clmath.sin(x, out=np.empty((3,), 'float32'))"),
    ("clmath.sin(x, out=o)", {"x": F32, "o": np.ones(3)}, "np.empty((3,), 'float32')",
     "clmath.sin(x, out=np.empty((3,), 'float32'))"),
    ("clmath.sin(x, out=o)", {"x": F32, "o": F32[:2].copy()}, "array of shape (3,)", "clmath.sin(x, out=F32.copy())"),
    ("clmath.sincos(x, out=(o, o))", {"x": F32, "o": F32.copy()}, "give each result an array of its own",
     "clmath.sincos(x, out=(o, F32.copy()))"),
    ("clmath.sin(x, threads=0)", {"x": F32}, "give a positive int or -1",
     "clmath.sin(x, threads=2), clmath.sin(x, threads=-1)"),
    ("clmath.native_sin(x)", {"x": F16}, None, None),
    ("clmath.native_divide(x, y)", {"x": np.ones(3), "y": np.ones(3)}, None, None),
    ("clmath.pow(x, y)", {"x": F32, "y": np.int32(2)}, None, None),
    ("clmath.pow(x, y)", {"x": np.int32(2), "y": np.int64(2)}, None, None),
    ("clmath.nan(nancode)", {"nancode": 1.5}, None, None),
    ("clmath.nan(nancode)", {"nancode": -1}, None, None),
    ("clmath.ldexp(x, k)", {"x": F32, "k": 2**70}, None, None),
    ("clmath.ldexp(x, k)", {"x": F32, "k": np.int64([2**40])}, None, None),
    ("clmath.pown(x, y)", {"x": F32, "y": 2.0}, None, None),
    ("clmath.cross(p0, p1)", {"p0": F32, "p1": np.ones(4, np.float32)}, "cut or pad", "clmath.cross(p0, p1[:3])"),
    ("clmath.sin(x, where=where)", {"x": F32, "where": np.int32([1, 0, 1])}, None, None),
    ("clmath.sin(x, where=where)", {"x": F32, "where": None}, "leave where away, or give True",
     "clmath.sin(x, where=x > 1)"),
    ("clmath.sin(x, where=where)", {"x": frame(a=F32).a, "where": frame(a=F32 > 1).a[::-1]}, None, None),
    # clmath/call/unrounded.py
    ("clmath.clz(x)", {"x": F32}, None, None),
    ("clmath.clz(x)", {"x": 2**70}, None, None),
    ("clmath.clz(x)", {"x": np.array([True])}, None, None),
    ("clmath.isless(x, y)", {"x": F32, "y": np.int32(2)}, None, None),
    ("clmath.upsample(hi, lo)", {"hi": I8, "lo": I8}, None, None),
    ("clmath.bitfield_insert(base, insert, offset, 2)", {"base": I8, "insert": I8, "offset": np.float32(1)}, None,
     None),
    ("clmath.bitfield_insert(base, insert, offset, 0)", {"base": np.int64(1), "insert": np.int64(1), "offset": [2**40]},
     "the nearest one, or without sat its low bits",
     "clmath.bitfield_insert(base, insert, clmath.convert(offset, 'uint'), 0)"),
    ("clmath.dot_acc_sat(a, b, 1)", {"a": np.int32([1, 2, 3, 4]), "b": np.int8([1, 2, 3, 4])}, None, None),
    ("clmath.max(x, y)", {"x": I8, "y": 2.5}, "give a Python int", "clmath.max(x, 2)"),
    ("clmath.max(x, y)", {"x": I8, "y": 300}, None, None),
    ("clmath.select(a, b, c)", {"a": F32, "b": F32, "c": np.int64([1, 0, 2])}, None, None),
    ("clmath.select(a, b, c, vector=True)", {"a": F32, "b": F32, "c": np.uint64([2**63, 0, 2])}, None, None),
    ("clmath.any(t)", {"t": np.float32([0.25, 0])}, None, None),
    ("clmath.any(t, vector=True)", {"t": np.array([True, False])}, "leave vector out", "clmath.any(t)"),
    # clmath/engines/choice.py
    ("clmath.sin(x, engine='nunpy')", {"x": F32}, "did you mean 'numpy'?", "clmath.sin(x, engine='numpy')"),
    ("clmath.sin(x, engine='device')", {"x": F32}, "leave it away", "clmath.sin(x)"),
    # clmath/functions
    ("clmath.ulp_error(y, e, (y,))", {"y": F32, "e": F32}, "exact values stand alone", "clmath.ulp_error(y, e)"),
    ("clmath.limit('div', 'float', build_options=None)", {}, "'-cl-mad-enable' is",
     "clmath.limit('div', 'float', build_options='-cl-mad-enable')"),
    ("clmath.limit(['sin'], 'float')", {}, "'sin' is", "clmath.limit('sin', 'float')"),
    ("clmath.convert(x, 'int', sat='no')", {"x": F32}, "give True or False", "clmath.convert(x, 'int', sat=False)"),
    ("clmath.isnan(t, vector='no')", {"t": F32}, "give True or False", "clmath.isnan(t, vector=False)"),
    ("clmath.any(t, vector=1)", {"t": I8}, "give True or False", "clmath.any(t, vector=np.True_)"),
    ("clmath.vload(2**70, p, 2)", {"p": F32}, "offsets 0 to 0 do", "clmath.vload(0, p, 2)"),
    ("clmath.convert(x, 'float', sat=True)", {"x": F32}, "leave sat out", "clmath.convert(x, 'float')"),
    ("clmath.as_type(x, 'half')", {"x": F32[:2]}, "takes 2 bytes: give as many",
     "clmath.as_type(np.uint16(1), 'half')"),
    ("clmath.as_type(x, 'uchar')", {"x": 300}, None, None),
    ("clmath.as_type(x, 'uchar')", {"x": np.array([True])}, None, None),
    ("clmath.as_type(x, 'bool')", {"x": I8}, "clmath.convert(x, 'bool')", "clmath.convert(x, 'bool')"),
    ("setattr(clmath.fp16(1.0), 'value', 2.0)", {}, "make a new one", "clmath.fp16(2.0)"),
    ("clmath.fp16(r)", {"r": np.int32(1)}, None, None),
    ("clmath.read_unorm_int8(x, 'flaot')", {"x": np.uint8(1)}, "did you mean 'float'",
     "clmath.read_unorm_int8(x, 'float')"),
    ("clmath.read_unorm_int8(x, 'double')", {"x": np.uint8(1)}, "one of 'half', 'float'",
     "clmath.read_unorm_int8(x, 'half')"),
    ("clmath.read_unorm_int8(x)", {"x": np.int32(1)}, None, None),
    ("clmath.read_unorm_int8(x)", {"x": 300}, None, None),
    ("clmath.write_unorm_int8(color)", {"color": np.ones(3)}, None, None),
    ("clmath.bitfield_extract_signed(base, 4, 8)", {"base": I8}, "offset + count <= 8",
     "clmath.bitfield_extract_signed(base, 4, 4)"),
    ("clmath.isnan(t, vector=True, dtype=bool)", {"t": F32}, "leave one of them out",
     "clmath.isnan(t, vector=True), clmath.isnan(t, dtype=bool)"),
    ("clmath.isnan(t, dtype=int)", {"t": F32}, "leave dtype out", "clmath.isnan(t)"),
    # clmath/functions/memory.py
    ("clmath.vstore(data, 0, p)", {"data": np.ones(2), "p": F32.copy()}, None, None),
    ("clmath.shuffle2(x, y, [0, 1])", {"x": np.ones(2), "y": np.ones(2, np.float32)}, None, None),
    ("clmath.shuffle2(x, y, [0, 1])", {"x": np.ones(2), "y": np.ones(4)}, "cut or pad",
     "clmath.shuffle2(x, y[:2], [0, 1])"),
    ("clmath.shuffle(x, [1, 0])", {"x": np.array([True, False])}, None, None),
    ("clmath.shuffle(x, mask)", {"x": np.ones(2), "mask": np.uint8([1, 0])}, None, None),
    ("clmath.vload(0, p, 5)", {"p": F32}, "2, 3, 4, 8, 16: give one of them", "clmath.vload(0, p, 2)"),
    ("clmath.vload(0, p, 2)", {"p": np.array([True, False])}, None, None),
    ("clmath.vload(0, p, 2)", {"p": np.ones((2, 2))}, None, None),
    ("clmath.vstore(data, 0, p)", {"data": np.ones(2), "p": [0.0, 0.0]}, None, None),
    ("clmath.vstore(data, 0, p)", {"data": np.ones(2), "p": np.broadcast_to(1.0, 2)}, None, None),
    ("clmath.vload_half(0, p)", {"p": F32}, None, None),
    ("clmath.vload(offset, p, 2)", {"offset": 1.0, "p": F32}, "clmath.convert(offset, 'long')",
     "clmath.vload(clmath.convert(0.0, 'long'), p, 2)"),
    ("clmath.vload(3, p, 2)", {"p": np.ones(6)}, "offsets 0 to 2 do", "clmath.vload([0, 2], p, 2)"),
    ("clmath.vload(0, p, 4)", {"p": F32}, "give 4 elements or more", "clmath.vload(0, np.ones(4), 4)"),
    ("clmath.vstore(data, [0, 1], p)", {"data": np.ones((3, 2)), "p": np.ones(8)}, "(2, 2): give it that shape",
     "clmath.vstore(np.ones((2, 2)), [0, 1], p)"),
    ("clmath.vstore_half(data, 0, p)", {"data": np.int32(1), "p": F16.copy()}, None, None),
    # clmath/numbers, clmath/pragmas.py
    ("clmath.convert(x, float)", {"x": F32}, "of type 'double'", "clmath.convert(x, 'double')"),
    ("clmath.convert(x, 'flaot')", {"x": F32}, "did you mean 'float'", "clmath.convert(x, 'float')"),
    ("clmath.convert(x, 'quad')", {"x": F32}, "known are bool, char", "clmath.convert(x, 'double')"),
    ("clmath.limit('sin', 'bfloat16')", {}, "use one of half, float, double", "clmath.limit('sin', 'half')"),
    # clmath/call/operands.py
    ("clmath.rem(x, 2)", {"x": F32}, None, None),
    ("clmath.bitwise_not(x, vector=True)", {"x": np.array([True, False])}, None, None),
    ("clmath.add(x, y, vector=True)", {"x": np.int8([1, 2]), "y": np.int32(300)}, None, None),
    ("clmath.rem(x, 2)", {"x": 2**64}, None, None),
    ("clmath.add(x, y, vector=True)", {"x": np.int8([1, 2, 3]), "y": np.int8([1, 2])}, "cut or pad one of them",
     "clmath.add(x[:2], y, vector=True)"),
    ("clmath.left_shift(x, y, vector=True)", {"x": np.int8(1), "y": I8}, "np.full_like(y, x)",
     "clmath.left_shift(np.full_like(y, x), y, vector=True)"),
    # clmath/functions/swizzles.py
    ("clmath.swizzle(x, 'x')", {"x": np.ones(8)}, "'s' with digits", "clmath.swizzle(x, 's0')"),
    ("clmath.swizzle(x, 0)", {"x": np.ones(4)}, "such as 'xy'", "clmath.swizzle(x, 'xy')"),
    ("clmath.swizzle_assign(x, 'xx', [1, 2])", {"x": np.ones(4)}, "each at most once",
     "clmath.swizzle_assign(x, 'xy', [1, 2])"),
    ("clmath.swizzle_assign(x, 'xy', [1, 2, 3])", {"x": np.ones(4)}, "give it that shape",
     "clmath.swizzle_assign(x, 'xy', [1, 2])"),
    ("clmath.swizzle_assign(x, 'xy', data)", {"x": np.ones(4), "data": F32[:2]}, None, None),
    ("clmath.swizzle_assign(x, 'xy', [1, 2])", {"x": [1.0, 2.0]}, "np.asarray(x)",
     "clmath.swizzle_assign(np.asarray(x), 'xy', [1, 2])"),
    ("clmath.swizzle_assign(x, 'xy', [1, 2])", {"x": np.broadcast_to(F32[0], 4)}, "use x.copy()",
     "clmath.swizzle_assign(x.copy(), 'xy', [1, 2])"),
    # clmath/pragmas.py
    ("clmath.flush_to_zero(x)", {"x": "single"}, "'float'", "clmath.flush_to_zero('float')"),
    # clmath/functions/groups.py
    ("clmath.work_group_reduce(x, 'mul')", {"x": F32}, "'add', 'min', 'max'", "clmath.work_group_reduce(x, 'add')"),
    ("clmath.work_group_reduce(x, 'add')", {"x": I8}, None, None),
    ("clmath.work_group_reduce(x, 'add', axis=1)", {"x": F32}, "give one",
     "clmath.work_group_reduce(x, 'add', axis=0)"),
    ("clmath.work_group_broadcast(x, 3)", {"x": F32}, "give 0 to 2", "clmath.work_group_broadcast(x, 2)"),
    ("clmath.work_group_broadcast(x, 0, 0)", {"x": F32}, "give as many", "clmath.work_group_broadcast(x, 0)"),
    ("clmath.group_sum_range(x, 'scan')", {"x": F32}, "'scan_inclusive'",
     "clmath.group_sum_range(x, 'scan_inclusive')"),
    # clmath/functions/copies.py
    ("clmath.async_work_group_copy(dst, src, 4)", {"dst": F32.copy(), "src": F32}, "or copy less",
     "clmath.async_work_group_copy(dst, src, 3)"),
    ("clmath.async_work_group_copy(dst, src, 1)", {"dst": F32.copy(), "src": I8}, None, None),
    ("clmath.async_work_group_copy(dst, src, 1)", {"dst": [1.0], "src": F32}, "np.asarray(dst)",
     "clmath.async_work_group_copy(np.asarray(dst, 'f4'), src, 1)"),
    ("clmath.async_work_group_copy(dst, src, 1)", {"dst": np.broadcast_to(F32[0], 3), "src": F32}, "use dst.copy()",
     "clmath.async_work_group_copy(dst.copy(), src, 1)"),
    ("clmath.async_work_group_copy(dst, src, 1)", {"dst": F32, "src": F32}, "use src.copy()",
     "clmath.async_work_group_copy(dst.copy(), src.copy(), 1)"),
    ("clmath.async_work_group_copy(dst, src, -1)", {"dst": F32.copy(), "src": F32}, "an int from 0 on",
     "clmath.async_work_group_copy(dst, src, 0)"),
    ("clmath.async_work_group_copy(dst, src, 1, width=5)", {"dst": F32.copy(), "src": F32}, "give one of them",
     "clmath.async_work_group_copy(dst, src, 1, width=2)"),
    ("clmath.async_work_group_strided_copy(dst, src, 1)", {"dst": F32.copy(), "src": F32}, "src_stride gathers",
     "clmath.async_work_group_strided_copy(dst, src, 1, src_stride=2)"),
    ("clmath.prefetch(p, 1)", {"p": np.array([True])}, None, None),
    ("clmath.prefetch(p, 1)", {"p": F32.reshape(1, 3)}, "p.reshape(-1)", "clmath.prefetch(p.reshape(-1), 1)"),
    # clmath/functions/sampling.py
    ("clmath.Sampler('repeat')", {}, "give normalized=True", "clmath.Sampler('repeat', normalized=True)"),
    ("clmath.Sampler('wrap')", {}, "not one of 'none', 'clamp'", "clmath.Sampler('clamp')"),
    ("clmath.Sampler(normalized='no')", {}, "give True or False", "clmath.Sampler(normalized=False)"),
    ("setattr(clmath.Sampler(), 'filter', 'linear')", {}, "make a new one", "clmath.Sampler(filter='linear')"),
    ("delattr(clmath.Sampler(), 'filter')", {}, "make a new one", "clmath.Sampler()"),
    ("clmath.Image(data, 'float', 'r')", {"data": np.ones((2, 1))}, "data.astype('float32')",
     "clmath.Image(data.astype('float32'), 'float', 'r')"),
    ("clmath.Image(data, 'float')", {"data": F32}, "of shape (..., 4)", "clmath.Image(np.ones((3, 4), 'f4'), 'float')"),
    ("clmath.Image(data, 'float', 'r')", {"data": F32[:1]}, "reshape it, or give array=True for layers",
     "clmath.Image(data.reshape(1, 1), 'float', 'r')"),
    ("clmath.Image(data, 'float', 'r')", {"data": F32[:0].reshape(0, 1)}, "give data with texels", "IMAGE"),
    ("clmath.Image(data, 'unorm_int16', 'srgba')", {"data": np.ones((2, 4), np.uint16)}, "order='rgba'",
     "clmath.Image(data, 'unorm_int16', 'rgba')"),
    ("clmath.Image(data, 'unorm_short_565')", {"data": np.uint16([1])}, "give order='rgb' or 'rgbx'",
     "clmath.Image(data, 'unorm_short_565', 'rgb')"),
    ("IMAGE.read(clmath.Sampler('clamp'), x)", {"x": np.float32([np.nan])}, "np.nan_to_num(coordinates)",
     "IMAGE.read(clmath.Sampler('clamp'), np.nan_to_num(x))"),
    ("IMAGE.read(clmath.Sampler(), x)", {"x": F32}, "e.g. by np.clip",
     "IMAGE.read(clmath.Sampler(), np.clip(x, 0, 2))"),
    ("IMAGE.read(clmath.Sampler(), coordinates)", {"coordinates": np.ones(3)}, None, None),
    ("IMAGE.read('clamp', F32)", {}, "give a Sampler", "IMAGE.read(clmath.Sampler('clamp'), F32)"),
    ("IMAGE.read(None, 2**31)", {}, "give a number within 32 bits", "IMAGE.read(None, 2)"),
    ("IMAGE.read(clmath.Sampler('clamp', 'linear'), 1)", {}, "filter='nearest'",
     "IMAGE.read(clmath.Sampler('clamp', filter='nearest'), 1)"),
    ("IMAGE.read(clmath.Sampler('repeat', normalized=True), 1)", {}, "give np.float32(coordinates)",
     "IMAGE.read(clmath.Sampler('repeat', normalized=True), np.float32(1))"),
    ("IMAGE.write(1, color)", {"color": np.ones(4)}, None, None),
    ("IMAGE.write([0, 1, 2], color)", {"color": np.ones((2, 4), np.float32)}, "make the axes equal or 1",
     "IMAGE.write([0, 1], color)"),
    # clmath/functions/limits.py
    ("clmath.numeric_limits('float4')", {}, "take those of 'float'", "clmath.numeric_limits('float')"),
    ("clmath.math_constants('int')", {}, "take those of 'half', 'float' or 'double'", "clmath.math_constants('float')"),
    # clmath/functions/printf.py
    ("clmath.sprintf(f, 1)", {"f": b"%d"}, "format.decode()", "clmath.sprintf(f.decode(), 1)"),
    ("clmath.sprintf('100%')", {}, "write '%%' for a percent sign", "clmath.sprintf('100%%')"),
    ("clmath.sprintf('%d %d', 1)", {}, "give 2, or write '%%'", "clmath.sprintf('%d %d', 1, 2)"),
    ("clmath.sprintf('%v4hlf', x)", {"x": F32}, "or write the vn of the argument", "clmath.sprintf('%v3hlf', x)"),
    ("clmath.sprintf('%s', 1)", {}, "convert a number with d or g", "clmath.sprintf('%d', 1)"),
    ("clmath.sprintf('%.1s', x)", {"x": "\u00e4"}, "write '%s'", "clmath.sprintf('%s', x)"),
    ("clmath.sprintf('%f', x)", {"x": 1}, "clmath.convert(args[0], 'double')",
     "clmath.sprintf('%f', clmath.convert(x, 'double'))"),
    ("clmath.sprintf('%d', x)", {"x": np.int64(1)}, "clmath.convert(args[0], 'int')",
     "clmath.sprintf('%d', clmath.convert(x, 'int'))"),
    ("clmath.sprintf('%x', x)", {"x": np.int32(-1)}, "clmath.as_type(args[0], 'uint')",
     "clmath.sprintf('%x', clmath.as_type(x, 'uint'))"),
    ("clmath.limit('sin', 'flaot')", {}, "did you mean 'float'", "clmath.limit('sin', 'float')"),
    ("clmath.sin(x, rounding='up')", {"x": F32}, "round toward +infinity is 'rtp'", "clmath.sin(x, rounding='rtp')"),
    ("clmath.fp_contract('off')", {}, "did you mean 'OFF'", "clmath.fp_contract('OFF')"),
    ("clmath.select_rounding_mode('rtz')(int)", {}, "next to each 'def'",
     "clmath.select_rounding_mode('rtz')(lambda: 1)()"),
]  # fmt: skip


KNOWN = {"clmath": clmath, "np": np, "numpy": np, "F32": F32, "IMAGE": IMAGE, "Fraction": Fraction}


def evaluated(code, names):
    return eval(code, KNOWN, {**names})  # noqa: S307


def refused(code, names):
    with pytest.raises((clmath.ClmathError, AttributeError)) as caught:
        evaluated(code, names)
    return caught.value


@for_each("call, names, says, then", CASES)
def test_remedy_works_for_the_failing_call(call, names, says, then, remedies):
    message = str(refused(call, names))
    if then is not None:
        assert says in message
        evaluated(then, names)
        return
    offers = remedies(message, names)
    assert offers, f"nothing to follow in: {message}"
    by_name = {}
    for argument, code in offers:
        by_name.setdefault(argument, []).append(code)
    for k in range(max(map(len, by_name.values()))):  # try each alternative
        chosen = {argument: evaluated(codes[min(k, len(codes) - 1)], names) for argument, codes in by_name.items()}
        evaluated(call, names | chosen)


def test_error_for_a_missing_package_names_an_existing_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    monkeypatch.delitem(formats.BFLOAT16.__dict__, "dtype", raising=False)
    _known_type.cache_clear()
    with pytest.raises(clmath.MissingDependencyError) as caught:
        clmath.convert(F32, "bfloat16")
    extra = re.search(r"pip install 'clmath\[(\w+)\]'$", str(caught.value))[1]
    assert extra in importlib.metadata.metadata("clmath").get_all("Provides-Extra")
