"""Chapters judged bit by bit on the command line: every report, replay, resume, and a real device."""

import json
import shlex

import pytest

from clmath.cli.one_audit import functions_of
from clmath.spec.builtins import builtins
from clmath.spec.families import exact_builtins

pytestmark = pytest.mark.slow

LAB = """
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


def rows_of(path):
    return {(row["built-in"], row["type"]): row for row in json.loads(path.read_text())["rows"]}


def test_faulty_callable_is_caught_and_every_report_has_its_cases(clm, lab, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    assert clm("audit", f"{lab}:right", *WORDS, "--json", "right.json")[0] == 0
    files = [word for kind in ("junit", "csv", "html", "cts-json") for word in (f"--{kind}", f"off.{kind}")]
    words = ["audit", f"{lab}:off", *WORDS, "--json", "off.json"]
    status, out, _ = clm(*words, *files)
    assert (status, "clz(0)" in out) == (1, True)
    whole = (tmp_path / "off.json").read_text(encoding="utf-8")
    jsonschema.validate(json.loads(whole), json.loads(clm("schema")[1]))
    found = rows_of(tmp_path / "off.json")
    failed = {key for key, row in found.items() if row["status"] == "fail"}
    assert failed == {("convert_uchar_sat_rte", "float"), ("M_PI_F", "float"), ("clz", "uint")}
    (example, *_) = found["clz", "uint"]["failures"]
    assert (example["args"], example["got"], example["expected"]) == ([0], 0, 32)
    for kind in ("junit", "csv", "html", "cts-json"):
        assert "convert_uchar_sat_rte" in (tmp_path / f"off.{kind}").read_text(encoding="utf-8")
    assert clm("diff", "right.json", "off.json")[0] == 1
    assert clm("diff", "off.json", "right.json")[0] == 0
    (tmp_path / "known.txt").write_text("".join(f"{name} {type}: known\n" for name, type in failed))
    status, shown, _ = clm("report", "off.json", "--known-failures", "known.txt")
    assert (status, "conforms but for known failures" in shown) == (0, True)
    commands = [shlex.split(line)[1:] for line in out.splitlines() if line.strip().startswith("clmath ")]
    for command in commands:
        status, again, _ = clm(*command)
        assert (status, command[0] == "eval" or "fail: not as prescribed" in again) == (command[0] == "audit", True)
    report = json.loads(whole)
    (tmp_path / "off.json").write_text(json.dumps(report | {"rows": report["rows"][:3], "complete": False}))
    assert clm(*words, "--resume")[0] == 1
    assert (tmp_path / "off.json").read_text(encoding="utf-8") == whole


@pytest.mark.slow
def test_all_selects_every_chapter(clm, refusal, tmp_path):
    every = {row.name for row in (*builtins().values(), *exact_builtins().values())}
    assert {row.name for row in functions_of(None, "all")} == every
    functions = "clamp,convert_half_rtp,as_float,INT_MAX,write_signed_int8,any"
    words = ["--inputs", "50", "--types", "int", "--json", tmp_path / "all.json"]
    assert clm("audit", "clmath", "--chapters", "all", "--functions", functions, *words)[0] == 0
    assert {name for name, _ in rows_of(tmp_path / "all.json")} == set(functions.split(","))
    assert "'all'" in refusal("audit", "clmath", "--chapters", "everything")


@pytest.mark.slow
def test_opencl_device_is_judged(clm, tmp_path, opencl_device):
    functions = "convert_short_sat_rtp,popcount,isless,vstore_half_rtz,FLT_MAX,fp_contract_off_mul_add,read_unorm_int8"
    words = [
        "--functions",
        functions,
        "--types",
        "float,int",
        "--inputs",
        "200",
        "--jobs",
        "1",
        "--json",
        tmp_path / "pocl.json",
    ]
    status, out, err = clm("audit", opencl_device, *words)
    assert status == 0, out + err
    found = rows_of(tmp_path / "pocl.json")
    assert {name for name, _ in found} == set(functions.split(","))
    assert all(row["status"] == "pass" for row in found.values())
