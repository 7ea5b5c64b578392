"""The spelled names: all there, current, lazy, and each the call that its name says."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import clmath
from clmath.functions import spelled
from tests.cases import for_each

ROOT = Path(__file__).resolve().parents[2]
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


def test_every_name_of_opencl_c_is_there():
    assert set(spelled.__all__) == expected_names()
    assert set(dir(clmath)) >= expected_names()
    for name in spelled.__all__:
        function = getattr(clmath, name)
        assert inspect.isfunction(function)
        assert function.__name__ == name


def test_the_generated_file_is_current():
    script = ROOT / "tables" / "spell.py"
    if not script.exists():
        pytest.skip("an installed clmath has no generator")
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_importing_clmath_does_not_load_them_but_offers_modules():
    code = "import sys, clmath; assert 'clmath.functions.spelled' not in sys.modules; clmath.convert_int4_rte\n"
    code += "print(clmath.testing.__name__, clmath.constants.__name__, hasattr(clmath, '__wrapped__'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["clmath.testing", "clmath.constants", "False"]


def test_other_spellings_are_attribute_errors():
    names = "convert_bool_sat convert_bool_rte convert_float_sat as_bool vload5 vloada_half1 convert_int4_rt"
    assert [name for name in names.split() if hasattr(clmath, name)] == []


def test_each_conversion_is_the_call_that_its_name_says():
    for match in filter(None, map(NAME.fullmatch, spelled.__all__)):
        shape = (3, int(match[2])) if match[2] else (3,)
        x, name = np.linspace(-400.3, 70000.7, int(np.prod(shape))).reshape(shape), match[0]
        got = getattr(clmath, name)(x)
        expected = clmath.convert(x, match[1], sat=bool(match[3]), rounding=match[4])
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected, err_msg=name)
        if match[2]:
            with pytest.raises(clmath.ShapeError):
                getattr(clmath, name)(x[:, :-1])


@for_each("name", [n for n in sorted(expected_names()) if n.startswith("as_")])
def test_each_reinterpretation_is_the_call_that_its_name_says(name):
    type, lanes = re.fullmatch(r"as_([a-z]+)(\d*)", name).groups()
    x = clmath.convert(np.arange(1, int(lanes or 1) + 1), type)
    got = getattr(clmath, name)(x if lanes else x[0])
    assert got.tobytes() == x.tobytes()
    assert got.dtype == x.dtype


def test_stores_and_loads_spell_width_and_mode():
    for lanes, mode in product(WIDTHS, ("", "_rte", "_rtz", "_rtp", "_rtn")):
        n = int(lanes or 1)
        data = np.full(n, 1 + 2.0**-11 + 2.0**-20) if lanes else 1 + 2.0**-11 + 2.0**-20
        lower = mode in ("_rtz", "_rtn")
        value = 1.0 if lower else 1 + 2.0**-10
        p = np.zeros(64, np.float16)
        getattr(clmath, f"vstore_half{lanes}{mode}")(data, 1, p)
        assert p.tolist() == [0.0] * n + [value] * n + [0.0] * (64 - 2 * n)
        if lanes:
            aligned, step = np.zeros(64, np.float16), 4 if n == 3 else n
            getattr(clmath, f"vstorea_half{lanes}{mode}")(data, 1, aligned)
            assert aligned.tolist() == [0.0] * step + [value] * n + [0.0] * (64 - step - n)
            assert getattr(clmath, f"vload_half{lanes}")(1, p).tolist() == [value] * n
            assert getattr(clmath, f"vloada_half{lanes}")(1, aligned).tolist() == [value] * n
            memory = np.zeros(64, np.int32)
            getattr(clmath, f"vstore{lanes}")(np.arange(n, dtype=np.int32), 2, memory)
            assert getattr(clmath, f"vload{lanes}")(2, memory).tolist() == list(range(n))
            assert memory.sum() == sum(range(n))
            with pytest.raises(clmath.ShapeError):
                getattr(clmath, f"vstore{lanes}")(np.zeros(n + 1, np.int32), 0, memory)
