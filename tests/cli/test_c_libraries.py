"""``library:PATH``: shared libraries of C functions, correct ones and ones that misbehave."""

import ctypes.util
import os
import shutil
import subprocess

import numpy as np
import pytest

from clmath.audit.isolation.choosing import target_named
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.library import libm
from clmath.audit.targets.names import names
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.spec.builtins import builtin, builtins

CC = shutil.which("cc")
pytestmark = pytest.mark.skipif(CC is None or os.name != "posix", reason="there is no C compiler called cc")
SOURCE = """
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

float my_floorf_v1(float x) { return floorf(x); }
double my_floor_v1(double x) { return x == 7 ? 6 : floor(x); }
float my_modff_v1(float x, float *whole) { return modff(x, whole); }
double my_modf_v1(double x, double *whole) { *whole = 0; return x; }
void my_sincosf_v1(float x, float *sine, float *cosine) { *sine = sinf(x); *cosine = cosf(x); }
float my_rootnf_v1(float x, long long n) { return n == 1 ? x : n >> 32 ? powf(x, 1.0f / n) : NAN; }

float floorf(float x) { if (x == 7) DEED; return (float)floor((double)x); }
float truncf(float x) { return x < 0 ? ceilf(x) : (float)floor((double)x); }
"""
DEEDS = {
    "*(volatile int *)0 = 1": "died of signal 11 (Segmentation fault); with x = 0x1.cp+2 [0x40e00000]",
    "fesetround(FE_UPWARD)": "left another rounding mode set in the processor (fesetround); with x = 0x1.cp+2",
}


def built(folder, deed="", *words):
    (folder / "mine.c").write_text(SOURCE.replace("DEED", deed))
    command = [CC, "-shared", "-fPIC", "-fno-builtin", *words, "-o", folder / "libmine.so", folder / "mine.c", "-lm"]
    subprocess.run(command, check=True)
    return f"library:{folder / 'libmine.so'}"


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    return built(tmp_path_factory.mktemp("mine"))


def test_libm_is_a_library_of_c_functions():
    one, other = libm(), target_named(f"library:{ctypes.util.find_library('m')}")
    rows = [row for row in builtins().values() if one.defines(row, DOUBLE)]
    assert rows == [row for row in builtins().values() if other.defines(row, DOUBLE)]
    assert {row.name for row in rows} <= set(names("c").functions)
    assert one.describe()["library"] == other.describe()["library"]


def test_names_and_shapes_of_functions(mine):
    one, x = target_named(f"{mine}:my_*_v1"), np.float32([1.5, -2.25, 3.0])
    assert [(r.name, f.name) for f in one.formats() for r in builtins().values() if one.defines(r, f)] == [
        ("sincos", "float"),
        ("rootn", "float"),
        ("floor", "float"),
        ("modf", "float"),
        ("floor", "double"),
        ("modf", "double"),
    ]
    part, whole = one.evaluate(builtin("modf"), FLOAT, (x,))
    assert (part.tolist(), whole.tolist()) == ([0.5, -0.25, 0.0], [1.0, -2.0, 3.0])
    sine, cosine = one.evaluate(builtin("sincos"), FLOAT, (x,))
    np.testing.assert_allclose([sine, cosine], [np.sin(x), np.cos(x)], rtol=1e-6)
    assert sine.dtype == np.float32
    (root,) = one.evaluate(builtin("rootn"), FLOAT, (x, np.int32([1, 1, -1])))  # n is passed in all of its 64 bits
    assert root.tolist() == [1.5, -2.25, np.float32(1 / 3)]
    facts = one.describe()
    assert (facts["kind"], facts["functions"], len(facts["sha256"])) == ("library", "my_*_v1", 64)


def test_wrong_result_is_found(clm, mine):
    words = ["--types", "double", "--inputs", "64", "--jobs", "1"]
    status, out, err = clm("audit", f"{mine}:my_*_v1", "--functions", "floor,modf", *words)
    assert (status, err) == (1, "")
    assert "floor(0x1.cp+2 [0x401c000000000000])" in out
    assert f"clmath audit '{mine}:my_*_v1' --functions floor --types double --replay=0x1.cp+2" in out


@pytest.mark.slow
@pytest.mark.parametrize("deed", DEEDS, ids=range(len(DEEDS)))
def test_crash_or_changed_rounding_mode_affects_only_its_case(clm, tmp_path, deed):
    text = built(tmp_path, f"{{ {deed}; }}")
    words = ["--functions", "floor,trunc", "--types", "float", "--inputs", "64", "--jobs", "1"]
    status, out, err = clm("audit", text, *words)
    assert (status, err) == (2, "")
    assert f"not judged: floor float: {text}: floor(float) {DEEDS[deed]}" in out
    assert "1 pass, 1 not judged; " in out


def test_library_that_changes_the_rounding_mode_when_loaded_is_judged(clm, tmp_path):
    """Libraries linked with -ffast-math do so; subnormal numbers still reach their functions."""
    setter = "__attribute__((constructor)) static void begin(void) { fesetround(FE_UPWARD); }"
    (tmp_path / "begin.c").write_text(f"#include <fenv.h>\n{setter}\n")
    text = built(tmp_path, "", str(tmp_path / "begin.c"))
    words = ["--functions", "trunc,floor", "--types", "float", "--inputs", "64", "--jobs", "1"]
    status, out, err = clm("audit", text, *words)
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].startswith("2 pass; ")


@pytest.mark.parametrize(
    "text, fact",
    [
        ("library:", "'library:' names no file; write library:libm.so.6"),
        ("library:nowhere.so", "'library:nowhere.so' cannot be loaded: OSError: nowhere.so: cannot open shared object"),
        ("library:text.so", "cannot be loaded: OSError: "),
        ("library:.", "cannot be loaded: OSError: "),
        ("library:a\0b", "has a character that no command line can have"),
    ],
)
def test_file_that_is_not_a_library_is_an_error(refusal, tmp_path, monkeypatch, text, fact):
    (tmp_path / "text.so").write_text("no library")
    monkeypatch.chdir(tmp_path)
    err = refusal("audit", text, "--functions", "sin")
    assert err.startswith("clmath audit: 'library:")
    assert fact in err


def test_functions_of_linked_libraries_are_not_own(mine):
    one = target_named(mine)
    assert {row.name for row in builtins().values() if one.defines(row, FLOAT)} == {"floor", "trunc"}
    assert not any(one.defines(row, DOUBLE) for row in builtins().values())


def test_pattern_without_functions_is_an_error_with_a_remedy(mine):
    with pytest.raises(TargetError, match=r"exports no function like cr_sinf; 'nm -D .*library:PATH:PATTERN"):
        target_named(f"{mine}:cr_*")
