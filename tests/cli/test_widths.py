"""``clmath audit --widths``: rows of vectors in every report, replayed, resumed and compared by their width."""

import csv
import json
import shlex
import textwrap

import numpy as np
import pytest

from clmath.audit.subject import FaultError
from clmath.audit.subjects import subject
from clmath.audit.subjects.kernel import kernel_source
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.spec.builtins import builtin

LAB = """
    import numpy as np
    import clmath

    def right(name, *args):
        return getattr(clmath, name)(*args)

    def mixed(name, *args):
        "As sin of PoCL: small beside huge arguments it takes a path that is not made for them."
        y, x = np.array(right(name, *args)), args[0]
        if x.ndim == 2 and name == "sin":
            with np.errstate(all="ignore"):
                small = np.abs(x) < 1e-10
                y[small & (np.abs(x) > 1e10).any(axis=1)[:, None] & (y != 0)] = x.dtype.type(2.0**-8)
        return y
"""
WORDS = ["--types", "float", "--inputs", "256", "--jobs", "1"]


@pytest.fixture
def lab(tmp_path, monkeypatch):
    (tmp_path / "vector_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    return "vector_lab"


def test_a_wrong_lane_is_caught_and_replayed_with_its_vector(clm, lab, tmp_path):
    words = [f"{lab}:mixed", "--functions", "sin", *WORDS]
    assert clm("audit", *words)[0] == 0  # scalars are right
    status, out, _ = clm("audit", *words, "--widths", "2,4", "--json", tmp_path / "r.json")
    assert status == 1
    assert "sin float2: " in out
    assert "sin float4: " in out
    rows = json.loads((tmp_path / "r.json").read_text())["rows"]
    assert [(row["built-in"], row["lanes"], row["width"], row["status"]) for row in rows] == [
        ("sin", 0, 2, "fail"),
        ("sin", 0, 4, "fail"),
    ]
    for row in rows:
        for example in row["failures"]:
            assert example["vector"][example["index"] % row["width"]] == example["args"]
    commands = [line.strip() for line in out.splitlines() if "--replay" in line]
    assert commands
    for command in commands:
        assert "--widths " in command
        status, shown, _ = clm(*shlex.split(command)[1:])
        assert status == 1
        assert "got      0x1p-8 [0x3b800000]" in shown
    assert "in lane " in out


def test_replayed_vectors_of_several_arguments_go_lane_by_lane(clm, lab):
    words = ["audit", f"{lab}:right", "--functions", "ldexp", "--types", "float", "--widths", "3", "--jobs", "1"]
    status, out, _ = clm(*words, "--replay=1,2,3,10,20,-30")
    assert status == 0
    assert out.startswith("ldexp float3: 0x1p+0")
    got = [line.split()[1] for line in out.splitlines() if line.startswith("    got ")]
    assert got == ["0x1p+10", "0x1p+21", "0x1.8p-29"]
    assert "expected" in out
    assert " in lane 0\n" in out
    status, _, err = clm(*words, "--replay=1,2")
    assert status == 2
    assert "ldexp takes 2 values (x, k, 3 lanes each); 2 are given" in err


def test_every_report_names_the_width(clm, lab, tmp_path):
    known = tmp_path / "known.txt"
    known.write_text("sin float2: mixed vectors\n")
    outputs = ["--json", "r.json", "--csv", "r.csv", "--html", "r.html", "--junit", "r.xml", "--log", "r.log"]
    words = ["audit", f"{lab}:mixed", "--functions", "sin,exp", *WORDS, "--widths", "1,2", *outputs]
    status, out, _ = clm(*words, "--known-failures", known)
    assert status == 0
    assert "known failure: sin float2: " in out
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["plan"]["widths"] == [1, 2]
    with (tmp_path / "r.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["built-in"], row["width"]) for row in rows] == [("sin", "1"), ("sin", "2"), ("exp", "1"), ("exp", "2")]
    assert "--widths 2" in rows[1]["replay"]
    assert 'name="sin float2"' in (tmp_path / "r.xml").read_text()
    assert ">sin float2 <" in (tmp_path / "r.html").read_text()
    logged = [json.loads(line) for line in (tmp_path / "r.log").read_text().splitlines()]
    assert [line["width"] for line in logged if line["event"] == "row"] == [1, 2, 1, 2]


def test_resumed_rows_are_those_of_the_same_widths(clm, lab, tmp_path):
    words = ["audit", f"{lab}:mixed", "--functions", "sin", *WORDS, "--json", "r.json"]
    clm(*words, "--widths", "1,2")
    whole = (tmp_path / "r.json").read_text()
    report = json.loads(whole)
    report |= {"rows": report["rows"][:1], "complete": False}
    (tmp_path / "r.json").write_text(json.dumps(report))
    clm(*words, "--widths", "1,2", "--resume")
    assert (tmp_path / "r.json").read_text() == whole
    status, _, err = clm(*words, "--widths", "1,4", "--resume")
    assert status == 2
    assert "was made with plan: widths [1, 2], this audit has [1, 4]" in err
    report = json.loads(whole)
    report["rows"][1]["failures"][0]["vector"][0] = ["0x3f800000"]
    (tmp_path / "r.json").write_text(json.dumps(report))
    status, _, err = clm(*words, "--widths", "1,2", "--resume")
    assert status == 2
    assert "row sin float2 " in err


def test_a_width_that_became_worse_is_a_regression(clm, lab):
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


@pytest.mark.parametrize(
    "words, text",
    [
        (["libm", "--widths", "4"], "libm has no vectors of width 4; write --widths 1"),
        (["clmath", "--widths", "5"], "clmath has no vectors of width 5; write --widths 1,2,3,4,8,16"),
        (["clmath", "--widths", "wide"], "--widths wide is not an integer, 1 or more; write --widths 2"),
        (["clmath", "--widths", ","], "--widths ',' names nothing; write --widths 1,4"),
    ],
)
def test_widths_that_there_are_not(clm, words, text):
    status, _, err = clm("audit", *words, "--functions", "sin", *WORDS)
    assert status == 2
    assert text in err


def test_chapters_that_are_judged_at_width_1_say_so(clm):
    status, _, err = clm("audit", "clmath", "--functions", "clz", "--inputs", "16", "--widths", "2")
    assert status == 2
    assert "clz for char" in err
    assert "at --widths 2, which math and common built-ins have" in err


def test_all_widths_are_those_of_the_subject(clm):
    status, out, _ = clm("audit", "libm", "--functions", "fabs", *WORDS, "--widths", "all")
    assert status == 0
    assert "1 pass" in out
    assert "6 pass" in clm("audit", "clmath", "--functions", "fabs", *WORDS, "--widths", "all")[1]


@pytest.mark.parametrize("width", [2, 3, 16])
@pytest.mark.parametrize("name, form", [("frexp", DOUBLE), ("recip", FLOAT), ("pown", FLOAT), ("nan", DOUBLE)])
def test_a_device_is_given_vectors(opencl_device, name, form, width):
    """Each lane gets its arguments, and each result comes back from its lane; ``nan`` keeps its payload here."""
    device, row = subject(opencl_device), builtin(name)
    x = np.arange(1, 6 * width + 1)
    kinds = {"gentype": form.dtype, "intn": np.int32, "nancode": form.bits_dtype}
    args = tuple(x.astype(kinds[p.type]) if i == 0 else np.int32(x % 3) for i, p in enumerate(row.inputs))
    vectors = device.evaluate(row, form, tuple(a.reshape(-1, width) for a in args))
    for got, want in zip(vectors, device.evaluate(row, form, args), strict=True):
        assert got.shape == (6, width)
        np.testing.assert_array_equal(got.reshape(-1), want)


def test_a_device_that_writes_a_fourth_lane_is_caught(opencl_device, monkeypatch):
    """The fourth lane of one vector is the first of the next, which comes later and mends it; the last one's stays."""

    def longer(row, form, width=1):
        return kernel_source(row, form, width).replace("vstore3(o0, i, out0)", "vstore4(o0.xyzz, 0, out0 + 3 * i)")

    monkeypatch.setattr("clmath.audit.subjects.opencl.kernel_source", longer)
    device, x = subject(opencl_device), np.ones((4, 3), np.float32)
    with pytest.raises(FaultError, match=r"exp\(float\) wrote beyond the last of 3 lanes"):
        device.evaluate(builtin("exp"), FLOAT, (x,))
    assert device.evaluate(builtin("exp"), FLOAT, (x[:, :2],))[0].shape == (4, 2)
