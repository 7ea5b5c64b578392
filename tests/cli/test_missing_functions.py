"""Audits that request more than the target has: the rest is judged; an audit without any case is refused."""

import json
import platform
import shutil
import subprocess

import pytest

from tests.cases import for_each

CC = shutil.which("cc")
LEFT = [
    ("numpy --functions floor --widths 1,4", ["numpy has no vectors of width 4"]),
    ("libm --functions floor --types half,float", ["libm has no case of the type half"]),
    ("libm --functions floor --types float16,float32", ["libm has no case of the type float16"]),
    ("numpy --functions floor,tgamma,nonsense*", None),
    ("numpy --functions floor,tgamma,erf", ["numpy does not define tgamma, erf"]),
    ("numpy --functions floor,tgam*,fl*", []),
    ("numpy --functions floor --chapters math,images", ["numpy has no case of the chapter images"]),
    (
        "libm --functions nan,floor --types double,float,int",
        ["libm does not define nan", "libm has no case of the type int"],
    ),
    ("clmath --functions floor,FLT_DIG --types float,int --widths 1,4", []),
    ("clmath --functions floor,clz,select --types float", ["clmath does not define clz float"]),
    ("clmath --functions FLT_DIG --widths 1,2", ["clmath has no vectors of width 2"]),
]  # fmt: skip


@pytest.mark.slow
@for_each("words, wanted", LEFT)
def test_audit_judges_what_exists_and_names_the_rest(clm, tmp_path, words, wanted):
    status, out, err = clm("audit", *words.split(), "--inputs", "8", "--jobs", "1", "--json", tmp_path / "r.json")
    if wanted is None:
        assert (status, out) == (2, "")
        assert "'nonsense*' is not a known built-in" in err
        return
    assert (status, err) == (0, "")
    lines = [line.removeprefix("not judged: ") for line in out.splitlines() if line.startswith("not judged: ")]
    assert lines == wanted
    rows = json.loads((tmp_path / "r.json").read_text())["rows"]
    assert [row["status"] for row in rows] == ["pass"] * len(rows) != []


@pytest.mark.skipif(not CC or platform.machine() != "x86_64", reason="the library is compiled with cc, for SSE 4.1")
def test_audit_names_the_types_that_a_function_lacks(clm, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["--functions", "floor,ceil,trunc", "--types", "float,double", "--inputs", "8", "--jobs", "1"]
    status, out, _ = clm("audit", "library:libm.so.6", *words)
    assert status == 0
    assert "not judged" not in out
    names = {"floor": "double", "floorf": "float", "ceil": "double"}
    lines = [f"{t} {name}({t} x) {{ return __builtin_{name}(x); }}\n" for name, t in names.items()]
    (tmp_path / "own.c").write_text("".join(lines))
    subprocess.run([CC, "-O2", "-msse4.1", "-shared", "-fPIC", "-o", "own.so", "own.c"], check=True)
    status, out, _ = clm("audit", "library:./own.so", *words)
    assert status == 0
    assert "not judged: library:./own.so does not define ceil float, trunc\n" in out


def test_audit_names_chapters_without_cases(clm):
    _, out, _ = clm("audit", "libm", "--chapters", "all", "--types", "float", "--functions", "floor", "--inputs", "8")
    (line,) = (line for line in out.splitlines() if line.startswith("not judged: "))
    assert line.startswith("not judged: libm has no case of the chapters ")
    assert "integer" in line
    assert "math" not in line


@for_each(
    "words, fact",
    [
        ("libm --functions floor --widths 1,5", "libm has no vectors of width 5; write --widths 1"),
        ("libm --functions tgamma --types half,char", "libm has no half and no char; leave --types out or write"),
        ("libm --functions isless --types int", "define isless for int; leave --functions and --types out"),
        ("libm --chapters groups --types int", "; leave --functions and --chapters and --types out"),
    ],
)
def test_audit_without_any_case_is_refused(refusal, words, fact):
    assert fact in refusal("audit", *words.split(), "--inputs", "8")
