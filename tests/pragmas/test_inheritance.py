"""SELECT_ROUNDING_MODE: which public functions inherit the mode in force."""

from __future__ import annotations

import functools
import inspect

import numpy as np
import pytest

import clmath
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS
from clmath.numbers.rounding import MODES
from clmath.pragmas import select_rounding_mode
from clmath.spec.builtins import builtin, builtins
from tests.cases import for_each

INHERITS = ("add", "sub", "mul", "div", "recip")
NUMBERS = {
    "x": [0.3, 0.7, 1.3, 2.7, -0.1, 11.1],
    "y": [1.7, 0.9, 0.4, 5.1, 1.1, -3.3],
    "z": [0.2, 1.9, -0.8, 7.7, 0.1, 2.3],
}


def arguments(name, form):
    """Return arguments of a built-in whose inexact results differ between modes."""
    row = builtin(name)
    columns = iter(NUMBERS.values())
    args = []
    for parameter in row.inputs:
        if parameter.type == "intn":
            args.append(np.array([3, 5, 7, 2, -3, -140], np.int32))
        elif parameter.type == "nancode":
            args.append(np.arange(1, 7, dtype=form.bits_dtype))
        else:
            args.append(np.array(next(columns), form.dtype).reshape((2, 3) if row.widths else 6))
    return args


def encodings(results):
    """Return the bits of every result; all NaNs are equal."""
    results = results if isinstance(results, tuple) else (results,)
    return [np.where(r != r, "nan", r.view(f"u{r.itemsize}").astype(str)).tolist() for r in map(np.asarray, results)]


def call(name, form, **options):
    return encodings(getattr(clmath, name)(*arguments(name, form), **options))


@for_each("form", FORMATS)
@for_each("name", INHERITS)
def test_operators_inherit_the_mode(name, form):
    outside = {mode: call(name, form, rounding=mode) for mode in MODES}
    assert outside["rtp"] != outside["rtn"]
    assert call(name, form) == outside["rte"]
    for mode in MODES:
        with select_rounding_mode(mode):
            assert call(name, form) == outside[mode]


@for_each("name", [name for name in builtins() if name not in INHERITS])
def test_math_common_and_geometric_built_ins_do_not_inherit_the_mode(name):
    form = FLOAT if FLOAT in builtin(name).formats else DOUBLE
    outside = call(name, form)
    for mode in ("rtz", "rtp", "rtn"):
        with select_rounding_mode(mode):
            assert call(name, form) == outside


def test_results_of_the_arguments_differ_between_modes():
    """Every built-in that rounds gives different results in rtp and rtn, so that these tests can detect inheritance."""
    rounded = [
        n for n in builtins() if n not in INHERITS and "rounding" in inspect.signature(getattr(clmath, n)).parameters
    ]
    assert len(rounded) > 80
    assert [n for n in rounded if call(n, FLOAT, rounding="rtp") == call(n, FLOAT, rounding="rtn")] == []


SOURCES = {
    "half": [0.1, 1 / 3, -1 / 3, 1e-9, 70000.0],
    "float": [0.1, 1 / 3, -1 / 3, 1e-50, 1e300],
    "double": [2**63 - 1, -(2**63) + 1, 2**53 + 1],
}


def source(type):
    return np.array(SOURCES[type], np.int64 if type == "double" else np.float64)


@for_each("is_alias", [False, True])
@for_each("type", SOURCES)
def test_conversions_to_floating_point_inherit_the_mode(type, is_alias):
    convert = (
        getattr(clmath, f"convert_{type}") if is_alias else functools.partial(lambda t, x: clmath.convert(x, t), type)
    )
    outside = {mode: encodings(clmath.convert(source(type), type, rounding=mode)) for mode in MODES}
    assert len({str(bits) for bits in outside.values()}) == 4
    assert encodings(convert(source(type))) == outside["rte"]
    for mode in MODES:
        with select_rounding_mode(mode):
            assert encodings(convert(source(type))) == outside[mode]


@for_each("type", ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"])
def test_conversions_to_integers_always_use_rtz(type):
    values = np.array([0.5, 1.5, 1.9, 2.5, 100.99], np.float32)
    for mode in MODES:
        with select_rounding_mode(mode):
            assert clmath.convert(values, type).tolist() == [0, 1, 1, 2, 100]
            assert clmath.convert(values, type, rounding="rtp").tolist() == [1, 2, 2, 3, 101]


@pytest.mark.parametrize("name", ["vstore_half", "vstorea_half", "vstore_half2", "vstorea_half2"])
def test_stores_to_half_inherit_the_mode(name):
    data = np.array([[1 / 3, -1 / 3], [1e-9, 70000.0]], np.float32)
    width = () if name.endswith("2") else (2,)
    outside = {mode: encodings(clmath.convert(data, "half", rounding=mode).ravel()) for mode in MODES}
    assert len({str(bits) for bits in outside.values()}) == 4
    for mode in MODES:
        with select_rounding_mode(mode):
            memory = np.zeros(4, np.float16)
            getattr(clmath, name)(data, np.arange(2), memory, *width)
        assert encodings(memory) == outside[mode]


def test_image_writes_always_use_rte():
    colors = np.array([0.1, 0.3, 0.7, 0.9], np.float32)
    writes = [getattr(clmath, f"write_{name}") for name in ("unorm_int8", "snorm_int16", "half_float", "srgb")]
    outside = [encodings(write(colors)) for write in writes]
    for mode in MODES:
        with select_rounding_mode(mode):
            assert [encodings(write(colors)) for write in writes] == outside
