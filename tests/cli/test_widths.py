"""``clmath audit --widths``: cases of vectors in every report, replayed, resumed and compared by width."""

import csv
import json
import re
import shlex

import numpy as np
import pytest

from clmath.audit.isolation.choosing import target_named
from clmath.audit.opencl.kernel import kernel_source
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.target import FaultError
from clmath.audit.running.run import audit
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.spec.builtins import builtin
from clmath.spec.families import exact_builtins
from tests.cases import for_each

LAB = """
    def mixed(name, *args):
        "As sin of PoCL: small beside huge arguments it takes a path that is not made for them."
        y, x = np.array(right(name, *args)), args[0]
        if x.ndim == 2 and x.shape[1] <= 16 and name == "sin":  # no layout of scalars
            with np.errstate(all="ignore"):
                small = np.abs(x) < 1e-10
                y[small & (np.abs(x) > 1e10).any(axis=1)[:, None] & (y != 0)] = x.dtype.type(2.0**-8)
        return y

    def spoilt(name, *args):
        "Truth of scalars in vectors; the sign bit is not looked at; NaN is made quiet; a field too long by one bit."
        x = args[0]
        if x.ndim != 2 or x.shape[1] > 16 or name == "sin":
            return mixed(name, *args)
        if name == "select":
            return np.where(args[2] != 0, args[1], x)
        if name == "bitselect":
            y = right(name, *args)
            return np.where(np.isnan(y), np.float32(np.nan), y) if x.dtype == np.float32 else y
        if name == "bitfield_extract_signed":
            offset, count = (a[:, None].astype(int) for a in args[1:])
            return right(name, x, offset, np.minimum(count + 1, 8 - offset))
        return right(name, *args)
"""
WORDS = ["--types", "float", "--inputs", "256", "--jobs", "1"]


FUNCTIONS = "sin,isless,select,convert_uchar_sat_rte,bitfield_extract_signed,bitselect,clz"


@pytest.mark.slow
def test_wrong_components_are_caught_and_replayed_with_their_vectors(clm, lab, tmp_path):
    """Errors in ulp, and results judged bit by bit; every kind of report names the width."""
    words = [f"{lab}:spoilt", "--functions", FUNCTIONS, "--types", "float,char", "--inputs", "256", "--jobs", "1"]
    assert clm("audit", *words, "--json", "scalars.json")[0] == 0
    outputs = ["--json", "r.json", "--csv", "r.csv", "--html", "r.html", "--junit", "r.xml", "--log", "r.log"]
    status, out, _ = clm("audit", *words, "--widths", "1,4", *outputs)
    assert status == 1
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["plan"]["widths"] == [1, 4]
    rows = report["rows"]
    failed = {(r["built-in"], r["type"], r["width"]) for r in rows if r["status"] == "fail"}
    names = {
        "sin": ["float"],
        "isless": ["float"],
        "select": ["float", "char"],
        "select_unsigned": ["float", "char"],
        "select_operator": ["float", "char"],
        "bitfield_extract_signed": ["char"],
        "bitselect": ["float"],
    }
    assert failed == {(name, type, 4) for name, types in names.items() for type in types}
    (sine,) = [row for row in rows if (row["built-in"], row["width"]) == ("sin", 4)]
    for example in sine["failures"]:
        assert example["vector"][example["index"] % 4] == example["args"]
    commands = [line.strip() for line in out.splitlines() if "--replay" in line]
    of_each = {command.split("--functions")[1].split()[0]: command for command in commands}
    assert len(of_each) == len(names)
    for name, command in of_each.items():
        assert "--widths 4" in command
        status, shown, _ = clm(*shlex.split(command)[1:])
        assert (status, " in component " in shown) == (1, True)
        assert name != "sin" or "got      0x1p-8 [0x3b800000]" in shown
    assert "isless float4: " in out
    assert "    clmath eval isless " in out
    with (tmp_path / "r.csv").open(newline="") as file:
        sheet = [row for row in csv.DictReader(file) if row["built-in"] == "sin"]
    assert [row["width"] for row in sheet] == ["1", "4"]
    assert "--widths 4" in sheet[1]["replay"]
    assert all(f'name="{row}"' in (tmp_path / "r.xml").read_text() for row in ("sin float4", "select char4"))
    assert all(f">{row} <" in (tmp_path / "r.html").read_text() for row in ("sin float4", "isless float4"))
    logged = [json.loads(line) for line in (tmp_path / "r.log").read_text().splitlines()]
    assert [line["width"] for line in logged if line["event"] == "row"] == [row["width"] for row in rows]
    (tmp_path / "known.txt").write_text("".join(f"{n} {t}{w}: spoilt on purpose\n" for n, t, w in failed))
    status, out, _ = clm("report", "r.json", "--known-failures", "known.txt")
    assert (status, "known failure: sin float4: " in out) == (0, True)
    status, out, _ = clm("diff", "r.json", "scalars.json")
    assert status == 0
    assert re.search(r"^only in old: \d+ cases: .*\d+ of relational float", out, re.MULTILINE)


def test_replayed_vectors_of_several_arguments_are_read_component_by_component(clm, refusal, lab):
    words = ["audit", f"{lab}:right", "--functions", "ldexp", "--types", "float", "--widths", "3", "--jobs", "1"]
    status, out, _ = clm(*words, "--replay=1,2,3,10,20,-30")
    assert status == 0
    assert out.startswith("ldexp float3: 0x1p+0")
    got = [line.split()[1] for line in out.splitlines() if line.startswith("    got ")]
    assert got == ["0x1p+10", "0x1p+21", "0x1.8p-29"]
    assert "expected" in out
    assert " in component 0\n" in out
    assert "ldexp takes 6 values (x, k, 3 components each); 2 are given" in refusal(*words, "--replay=1,2")


@pytest.mark.slow
def test_resumed_cases_have_the_same_widths(clm, lab, tmp_path):
    words = ["audit", f"{lab}:spoilt", "--functions", "sin,isless,clz", "--types", "float,char", *WORDS[2:]]
    words += ["--json", "r.json", "--widths", "1,2"]
    clm(*words)
    whole = (tmp_path / "r.json").read_text()
    report = json.loads(whole)
    for count in (1, 3):  # the last case is one of scalars
        (tmp_path / "r.json").write_text(json.dumps(report | {"rows": report["rows"][:count], "complete": False}))
        clm(*words, "--resume")
        assert (tmp_path / "r.json").read_text() == whole
    report["rows"][1]["failures"][0]["vector"][0] = ["0x3f800000"]
    (tmp_path / "r.json").write_text(json.dumps(report))
    status, _, err = clm(*words, "--resume")
    assert (status, "case sin float2 " in err) == (2, True)


def test_larger_error_of_a_width_is_a_regression(clm, lab):
    words = ["--functions", "sin", *WORDS, "--widths", "1,2"]
    clm("audit", f"{lab}:right", *words, "--json", "old.json")
    clm("audit", f"{lab}:mixed", *words, "--json", "new.json")
    status, out, _ = clm("diff", "old.json", "new.json")
    assert status == 1
    assert "sin float2" in out
    assert "pass, 0.500 ulp -> fail" in out
    clm("audit", f"{lab}:right", "--functions", "sin", *WORDS, "--json", "scalars.json")
    status, out, _ = clm("diff", "old.json", "scalars.json")
    assert status == 0
    assert "only in old" in out


def test_built_in_without_vectors_is_refused_at_other_widths(refusal):
    err = refusal("audit", "clmath", "--functions", "FLT_DIG", "--inputs", "16", "--widths", "2")
    assert "FLT_DIG for int" in err
    assert "at --widths 2, which not all built-ins have" in err


def test_scalar_argument_of_a_vector_function_is_given_once(clm, refusal, lab):
    words = ["audit", f"{lab}:right", "--functions", "bitfield_extract_unsigned", "--types", "uchar", "--widths", "2"]
    status, out, _ = clm(*words, "--replay=12,255,2,3")
    assert status == 0
    assert out.startswith("bitfield_extract_unsigned uchar2: 12, 255, 2, 3")
    assert [line.split()[1] for line in out.splitlines() if line.startswith("    got ")] == ["3", "7"]
    assert (
        "(base, offset, count, 2 components each, but one value for all components of offset, count); 6 are given"
        in refusal(*words, "--replay=12,255,2,2,3,3")
    )


def test_all_widths_depend_on_the_target(clm):
    status, out, _ = clm("audit", "libm", "--functions", "fabs", *WORDS, "--widths", "all")
    assert status == 0
    assert "1 pass" in out
    assert "6 pass" in clm("audit", "clmath", "--functions", "fabs", *WORDS, "--widths", "all")[1]


@pytest.mark.slow
@for_each("width", [2, 3, 16])
@for_each(
    "name, type",
    [
        ("convert_char_sat_rtz", "float"),
        ("convert_double", "ulong"),
        ("as_uint", "float"),
        ("clz", "uchar"),
        ("mad_hi", "long"),
        ("upsample", "short"),
        ("isless", "double"),
        ("select", "ushort"),
        ("fp_contract_off_mul_add", "float"),
    ],
)
def test_device_gets_vectors_of_exact_functions(opencl_device, name, type, width):
    device, row = target_named(opencl_device), exact_builtins()[name]
    (verdict,) = audit(Plan.of([row], [type], inputs=64, jobs=1, widths=[width]), device)
    assert verdict.status == "pass", verdict.tally.failures


@pytest.mark.slow
@for_each("width", [2, 3, 16])
@for_each("name, form", [("frexp", DOUBLE), ("recip", FLOAT), ("pown", FLOAT), ("nan", DOUBLE)])
def test_device_gets_vectors(opencl_device, name, form, width):
    """Each component gets its arguments, and each result returns to its place; ``nan`` keeps its payload here."""
    device, row = target_named(opencl_device), builtin(name)
    x = np.arange(1, 6 * width + 1)
    kinds = {"gentype": form.dtype, "intn": np.int32, "nancode": form.bits_dtype}
    args = tuple(x.astype(kinds[p.type]) if i == 0 else np.int32(x % 3) for i, p in enumerate(row.inputs))
    vectors = device.evaluate(row, form, tuple(a.reshape(-1, width) for a in args))
    for got, want in zip(vectors, device.evaluate(row, form, args), strict=True):
        assert got.shape == (6, width)
        np.testing.assert_array_equal(got.reshape(-1), want)


@pytest.mark.slow
def test_device_that_writes_a_fourth_component_is_caught(opencl_device, monkeypatch):
    """The next vector overwrites a fourth component, except after the last vector."""

    def longer(row, form, width=1):
        return kernel_source(row, form, width).replace("vstore3(o0, i, out0)", "vstore4(o0.xyzz, 0, out0 + 3 * i)")

    monkeypatch.setattr("clmath.audit.opencl.programs.kernel_source", longer)
    device, x = target_named(opencl_device), np.ones((4, 3), np.float32)
    with pytest.raises(FaultError, match=r"exp\(float\) wrote beyond the last of 3 components"):
        device.evaluate(builtin("exp"), FLOAT, (x,))
    assert device.evaluate(builtin("exp"), FLOAT, (x[:, :2],))[0].shape == (4, 2)
