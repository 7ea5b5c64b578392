"""Aliases such as convert_uchar4_sat_rte: all names exist, are created on first use, and make the right call."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import clmath
from clmath.functions import aliases as functions
from clmath.spec.aliases import PREFIXES, aliases, stub
from tests.cases import for_each

INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
FLOATS = ("half", "float", "double")
WIDTHS = ("", "2", "3", "4", "8", "16")
NAME = re.compile(r"convert_([a-z]+)(\d*)(_sat)?(?:_(rt.))?")


def expected_names():
    modes = ("", "_rte", "_rtz", "_rtp", "_rtn")
    names = {f"convert_{t}{n}{s}{m}" for t, n, s, m in product(INTEGERS, WIDTHS, ("", "_sat"), modes)}
    names |= {f"convert_{t}{n}{m}" for t, n, m in product(FLOATS, WIDTHS, modes)}
    names |= {f"as_{t}{n}" for t, n in product(INTEGERS + FLOATS, WIDTHS)}
    names |= {f"{f}{n}" for f, n in product(("vload", "vstore", "vload_half", "vloada_half"), WIDTHS[1:])}
    names |= {f"vstore_half{n}{m}" for n, m in product(WIDTHS, modes)} - {"vstore_half"}
    names |= {f"convert_bool{n}" for n in WIDTHS}
    groups = product(("work", "sub"), ("reduce", "scan_exclusive", "scan_inclusive"), ("add", "min", "max"))
    names |= {f"{g}_group_{f}_{op}" for g, f, op in groups}
    return names | {f"vstorea_half{n}{m}" for n, m in product(WIDTHS[1:], modes)}


def test_every_name_of_opencl_c_exists():
    assert set(aliases()) == set(functions.__all__) == expected_names()
    assert set(dir(clmath)) >= expected_names()
    assert set(dir(functions)) >= expected_names()
    assert all(name.startswith(PREFIXES) for name in aliases())


def test_alias_is_a_function_with_its_own_name_and_docstring():
    for name, alias in aliases().items():
        function = getattr(clmath, name)
        assert inspect.isfunction(function)
        assert function is getattr(functions, name)
        assert (function.__name__, function.__qualname__) == (name, name)
        assert function.__module__ == functions.__name__
        assert function.__doc__ == f"``{alias.call}``."
        assert pickle.loads(pickle.dumps(function)) is copy.copy(function) is function  # noqa: S301


def test_call_of_an_alias_is_python_code():
    calls = {
        "convert_uchar4_sat_rte": 'convert(x, "uchar4", sat=True, rounding="rte")',
        "convert_bool": 'convert(x, "bool")',
        "as_float4": 'as_type(x, "float4")',
        "vload4": "vload(offset, p, 4)",
        "vstore_half_rtz": 'vstore_half(data, offset, p, rounding="rtz")',
        "vstorea_half3_rtp": 'vstorea_half(data, offset, p, 3, rounding="rtp")',
        "sub_group_scan_exclusive_min": 'sub_group_scan_exclusive(x, "min")',
    }
    assert {name: aliases()[name].call for name in calls} == calls


def test_alias_has_the_keywords_of_its_call():
    for name, alias in aliases().items():
        own = inspect.signature(getattr(clmath, name)).parameters
        called = inspect.signature(getattr(clmath, alias.base)).parameters
        assert [n for n, p in own.items() if p.kind is p.POSITIONAL_ONLY] == alias.parameters.split(", ")
        keywords = {n: p.default for n, p in own.items() if p.kind is p.KEYWORD_ONLY}
        wanted = {n: p.default for n, p in called.items() if p.kind is p.KEYWORD_ONLY} | {"axis": -1}
        left_out = {"sat", "rounding"} | (set() if "group" in name else {"axis"})
        assert keywords == {n: default for n, default in wanted.items() if n not in left_out}


def test_error_for_wrong_arguments_names_the_alias():
    for call, message in (
        (lambda: clmath.convert_float4(x=1), "convert_float4() got some positional-only arguments passed as keyword"),
        (lambda: clmath.vload4(1), "vload4() missing 1 required positional argument: 'p'"),
        (lambda: clmath.as_int(1, threads=2), "as_int() got an unexpected keyword argument 'threads'"),
    ):
        with pytest.raises(TypeError, match=re.escape(message)):
            call()


def test_import_creates_no_alias():
    code = (
        "import sys, clmath; clmath.sin; assert 'clmath.functions.aliases' not in sys.modules; clmath.convert_int4_rte"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_stub_has_every_alias_with_its_signature():
    text = stub(Path(functions.__file__).read_text(encoding="utf-8"))
    defined = dict(re.findall(r"^def (\w+)(\(.*):$", text, re.MULTILINE))
    assert set(defined) == expected_names()
    for name, signature in defined.items():
        own = str(inspect.signature(getattr(clmath, name))).replace("'", "")
        assert signature.replace("=", " = ") == own


def test_error_for_a_misspelt_name_suggests_the_nearest():
    for name, nearest in (
        ("convert_bool_sat", "convert_bool"),
        ("convert_bool_rte", "convert_bool"),
        ("convert_float_sat", "convert_float_rtz"),
        ("convert_uchar5", "convert_uchar"),
        ("convert_int4_rt", "convert_int4_rtz"),
        ("as_bool", "as_double"),
        ("vload5", "vload"),
        ("vloada_half1", "vloada_half"),
        ("work_group_reduce_mul", "work_group_reduce_min"),
    ):
        for module in (clmath, functions):
            with pytest.raises(AttributeError, match=f"has no attribute '{name}'; did you mean '{nearest}") as caught:
                getattr(module, name)
            assert caught.value.name == name
    with pytest.raises(ImportError):
        exec("from clmath import convert_uchar4_sat_rt")  # noqa: S102


@for_each("components", WIDTHS)
def test_conversion_alias_equals_its_call(components):
    shape = (3, int(components)) if components else (3,)
    x = np.linspace(-400.3, 70000.7, int(np.prod(shape))).reshape(shape)
    for name in aliases():
        match = NAME.fullmatch(name)
        if match is None or match[2] != components:
            continue
        got = getattr(clmath, name)(x)
        expected = clmath.convert(x, match[1], sat=bool(match[3]), rounding=match[4])
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected, err_msg=name)
        if components:
            with pytest.raises(clmath.ShapeError):
                getattr(clmath, name)(x[:, :-1])


@for_each("name", [n for n in sorted(expected_names()) if n.startswith("as_")])
def test_reinterpretation_alias_keeps_the_bytes(name):
    type, components = re.fullmatch(r"as_([a-z]+)(\d*)", name).groups()
    x = clmath.convert(np.arange(1, int(components or 1) + 1), type)
    got = getattr(clmath, name)(x if components else x[0])
    assert got.tobytes() == x.tobytes()
    assert got.dtype == x.dtype


def test_aliases_of_loads_and_stores_have_the_width_and_mode_of_their_names():
    for components, mode in product(WIDTHS, ("", "_rte", "_rtz", "_rtp", "_rtn")):
        n = int(components or 1)
        data = np.full(n, 1 + 2.0**-11 + 2.0**-20) if components else 1 + 2.0**-11 + 2.0**-20
        lower = mode in ("_rtz", "_rtn")
        value = 1.0 if lower else 1 + 2.0**-10
        p = np.zeros(64, np.float16)
        getattr(clmath, f"vstore_half{components}{mode}")(data, 1, p)
        assert p.tolist() == [0.0] * n + [value] * n + [0.0] * (64 - 2 * n)
        if components:
            aligned, step = np.zeros(64, np.float16), 4 if n == 3 else n
            getattr(clmath, f"vstorea_half{components}{mode}")(data, 1, aligned)
            assert aligned.tolist() == [0.0] * step + [value] * n + [0.0] * (64 - step - n)
            assert getattr(clmath, f"vload_half{components}")(1, p).tolist() == [value] * n
            assert getattr(clmath, f"vloada_half{components}")(1, aligned).tolist() == [value] * n
            memory = np.zeros(64, np.int32)
            getattr(clmath, f"vstore{components}")(np.arange(n, dtype=np.int32), 2, memory)
            assert getattr(clmath, f"vload{components}")(2, memory).tolist() == list(range(n))
            assert memory.sum() == sum(range(n))
            with pytest.raises(clmath.ShapeError):
                getattr(clmath, f"vstore{components}")(np.zeros(n + 1, np.int32), 0, memory)
