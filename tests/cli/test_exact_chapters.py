"""Chapters that are judged bit by bit, from the command line: every report, replay, resume, and a real device."""

import json
import shlex
import textwrap

import pytest

from tests.cases import for_each

LAB = """
    import numpy as np
    import clmath
    from clmath import constants

    def right(name, *args):
        if name in constants.__all__:
            return np.full(args[0].shape, getattr(constants, name))
        return getattr(clmath, name)(*args)

    def off(name, *args):
        "One conversion truncates, M_PI_F is another, clz is wrong for 0."
        value = np.array(right(name, *args))
        if name == "convert_uchar_sat_rte":
            return clmath.convert(args[0], "uchar", sat=True, rounding="rtz")
        if name == "M_PI_F":
            return np.nextafter(value, np.float32(4))
        return np.where(args[0] == 0, 0, value).astype(value.dtype) if name == "clz" else value
"""
FUNCTIONS = "convert_uchar_sat_rt[ez],clz,isless,M_*_F,as_uint"
WORDS = ["--functions", FUNCTIONS, "--types", "float,uint", "--inputs", "300", "--jobs", "1"]


@pytest.fixture
def lab(tmp_path, monkeypatch):
    (tmp_path / "exactlab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows_of(path):
    return {(row["built-in"], row["type"]): row for row in json.loads(path.read_text())["rows"]}


@pytest.mark.slow
def test_a_right_callable_conforms_and_a_broken_one_is_caught(clm, lab):
    assert clm("audit", "exactlab:right", *WORDS)[0] == 0
    status, out, _ = clm("audit", "exactlab:off", *WORDS, "--json", "off.json")
    assert status == 1
    found = rows_of(lab / "off.json")
    failed = {key for key, row in found.items() if row["status"] == "fail"}
    assert failed == {("convert_uchar_sat_rte", "float"), ("M_PI_F", "float"), ("clz", "uint")}
    (example, *_) = found["clz", "uint"]["failures"]
    assert (example["args"], example["got"], example["expected"]) == ([0], 0, 32)
    assert "clz(0)" in out


@pytest.mark.usefixtures("lab")
def test_the_replay_line_of_a_failure_shows_it_again(clm):
    _, out, _ = clm("audit", "exactlab:off", *WORDS)
    lines = [line.strip() for line in out.splitlines()]
    for line in [line for line in lines if line.startswith("clmath audit")]:
        status, again, _ = clm(*shlex.split(line)[1:])
        assert status == 1
        assert "fail: not as prescribed" in again
    for line in [line for line in lines if line.startswith("clmath eval")]:
        assert clm(*shlex.split(line)[1:])[0] == 0


def test_reports_hold_these_rows_as_others(clm, lab):
    (lab / "known.txt").write_text(
        "convert_uchar_sat_rte float: truncates\nclz uint: of 0\nM_PI_F float: one ulp up\n", encoding="utf-8"
    )
    files = [word for kind in ("junit", "csv", "html", "cts-json") for word in (f"--{kind}", f"off.{kind}")]
    status, out, _ = clm("audit", "exactlab:off", *WORDS, "--json", "off.json", *files, "--known-failures", "known.txt")
    assert status == 0
    assert "conforms but for known failures" in out
    for kind in ("junit", "csv", "html", "cts-json"):
        assert "convert_uchar_sat_rte" in (lab / f"off.{kind}").read_text(encoding="utf-8")
    assert clm("audit", "exactlab:right", *WORDS, "--json", "right.json")[0] == 0
    assert clm("diff", "right.json", "off.json")[0] == 1
    assert clm("diff", "off.json", "right.json")[0] == 0


def test_a_report_is_taken_up_and_stays_the_same(clm, lab):
    clm("audit", "exactlab:off", *WORDS, "--json", "off.json")
    whole = (lab / "off.json").read_text(encoding="utf-8")
    report = json.loads(whole)
    report["rows"], report["complete"] = report["rows"][:3], False
    (lab / "off.json").write_text(json.dumps(report), encoding="utf-8")
    assert clm("audit", "exactlab:off", *WORDS, "--json", "off.json", "--resume")[0] == 1
    assert (lab / "off.json").read_text(encoding="utf-8") == whole


def test_rows_follow_the_schema(clm, lab):
    jsonschema = pytest.importorskip("jsonschema")
    clm("audit", "exactlab:off", *WORDS, "--json", "off.json")
    jsonschema.validate(json.loads((lab / "off.json").read_text()), json.loads(clm("schema")[1]))


def test_all_stands_for_every_chapter_and_clashing_names_are_told_by_their_types(clm, lab):
    words = ["--inputs", "50", "--types", "int", "--json", "all.json"]
    assert clm("audit", "clmath", "--chapters", "all", *words)[0] == 0
    chapters = {name for name, _ in rows_of(lab / "all.json")}
    assert {"clamp", "convert_half_rtp", "as_float", "INT_MAX", "write_signed_int8", "any"} <= chapters
    status, _, err = clm("audit", "clmath", "--chapters", "everything")
    assert status == 2
    assert "'all'" in err


@for_each(
    "line, part",
    [
        ("eval convert_uchar_sat_rte 300.7", "result    255"),
        ("eval convert_uchar 300.7", "the specification leaves it open"),
        ("eval convert_half 0.1 --rounding rtp", "0x1.99cp-4 [0x2e67]"),
        ("eval FP_ILOGB0", "-2147483648, or -2147483647"),
        ("eval clamp 3 5 9 --type int", "result    5"),
        ("eval fp_contract_on_mul_add 0.1 0.1 -0.01 --rounding rte", "9.313226e-10, or 0x1.1eb852p-31"),
        ("show vstore_half_rtz", "every result: correctly rounded"),
        ("show mul24", "left open: a factor beyond 24 bits"),
        ("list --chapter images", "read_srgb"),
    ],
)
def test_eval_show_and_list_know_them(clm, line, part):
    status, out, _ = clm(*shlex.split(line))
    assert status == 0
    assert part in out


def test_an_opencl_device_is_judged(clm, lab, opencl_device):
    functions = "convert_short_sat_rtp,popcount,isless,vstore_half_rtz,FLT_MAX,fp_contract_off_mul_add,read_unorm_int8"
    words = ["--functions", functions, "--types", "float,int", "--inputs", "200", "--jobs", "1", "--json", "pocl.json"]
    status, out, err = clm("audit", opencl_device, *words)
    assert status == 0, out + err
    found = rows_of(lab / "pocl.json")
    assert {name for name, _ in found} == set(functions.split(","))
    assert all(row["status"] == "pass" for row in found.values())
