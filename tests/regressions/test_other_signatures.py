"""Audits of functions with several signatures: select with signed and with unsigned conditions."""

import itertools
import json
import textwrap

import pytest

from clmath.audit.opencl.kernel import group_source
from clmath.audit.plan.rows import item_called
from clmath.spec.builtins import EXACT
from clmath.spec.families import exact_builtins, kinds_of, signature

LAB = """
    import numpy as np
    import clmath

    def right(name, *args):
        vector = name == "select" and args[0].ndim > 1
        return getattr(clmath, name)(*args, **({"vector": True} if vector else {}))

    def wrong(name, a, b, c):
        if c.dtype.kind != "u":
            return right(name, a, b, c)
        top = c >> c.dtype.type(8 * c.dtype.itemsize - 1) != 0
        return np.where(top if a.ndim == 1 else c != 0, b, a)

    class Functions:
        @staticmethod
        def select(a, b, c):
            return wrong("select", a, b, c)
"""
WORDS = ["--functions", "select", "--types", "float,int,uchar", "--widths", "1,2", "--inputs", "64", "--jobs", "1"]
RIGHT = ("select float", "select int", "select_signed uchar", "select_operator float", "select_operator int")
RIGHT = {f"{row}{elements}" for row in RIGHT for elements in (1, 2)}
WRONG = {
    f"{row}{elements}"
    for row in ("select_unsigned float", "select_unsigned int", "select uchar", "select_operator uchar")
    for elements in (1, 2)
}


@pytest.fixture
def lab(tmp_path, monkeypatch):
    (tmp_path / "signatures_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    return "signatures_lab"


@pytest.fixture
def audited(clm, lab, tmp_path):
    """Function that audits a target: it returns the exit status, the status of every row, and the output."""

    def run(name, *more):
        path = tmp_path / "report.json"
        status, out, err = clm("audit", f"{lab}:{name}", *WORDS, "--json", path, *more)
        assert err == ""
        rows = json.loads(path.read_text())["rows"]
        return status, {f"{r['built-in']} {r['type']}{r['width']}": r["status"] for r in rows}, out

    return run


def test_rows_cover_every_type_of_every_parameter():
    """All combinations of the types of parameters are among the arguments of the function's rows."""
    rows = [row for row in exact_builtins().values() if row.chapter in EXACT]
    tried = {(row.called, signature(row, type)[0]) for row in rows for type in row.types}
    for row, type in ((first, type) for first in rows if not first.calls for type in first.types):
        choices = [kinds_of(p.type, type) for p in row.inputs if p.type != "word"]
        for types in itertools.product(*choices):
            assert any(name == row.called and args[: len(types)] == types for name, args in tried), (row.name, types)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wrong", "Functions"])
def test_select_that_is_wrong_for_unsigned_conditions_fails(audited, name):
    """It tests the top bit of scalars and all bits of vectors; the right tests are the opposite."""
    status, rows, out = audited(name)
    assert status == 1
    assert {row for row, verdict in rows.items() if verdict == "fail"} == WRONG
    assert {row for row, verdict in rows.items() if verdict == "pass"} == RIGHT
    replays = [line.split("clmath ", 1)[1] for line in out.splitlines() if "--functions select_unsigned" in line]
    assert any("--types int --replay=" in line for line in replays)


def test_replay_uses_the_signature_of_the_named_row(clm, lab):
    words = ["--types", "int", "--replay=5,6,1"]
    assert clm("audit", f"{lab}:wrong", "--functions", "select", *words)[0] == 0
    assert clm("audit", f"{lab}:wrong", "--functions", "select_unsigned", *words)[0] == 1


def test_audit_resumes_between_rows_of_one_function(audited, tmp_path):
    path = tmp_path / "report.json"
    status, rows, _ = audited("right")
    assert (status, rows) == (0, dict.fromkeys(WRONG | RIGHT, "pass"))
    whole = json.loads(path.read_text())
    path.write_text(json.dumps({**whole, "rows": whole["rows"][:3], "complete": False}))
    assert audited("right", "--resume")[:2] == (status, rows)
    assert json.loads(path.read_text()) == whole


@pytest.mark.slow
def test_device_is_audited_with_both_signatures(clm, opencl_device, tmp_path):
    path = tmp_path / "report.json"
    clm("audit", opencl_device, *WORDS, "--json", path)
    rows = json.loads(path.read_text())["rows"]
    assert {f"{r['built-in']} {r['type']}{r['width']}" for r in rows} == WRONG | RIGHT
    assert {r["status"] for r in rows} <= {"pass", "fail"}, rows
    assert all(r["tried"] for r in rows)


def test_kernel_of_each_signature_calls_the_function():
    text = group_source([item_called("select_unsigned float4"), item_called("select_signed uint4")])
    assert "select(vload4(i, (__global const float *)in0), vload4(i, (__global const float *)in1)," in text
    assert "vload4(i, (__global const uint *)in2))" in text
    assert "vload4(i, (__global const int *)in2))" in text
    assert "dot_acc_sat(" in group_source([item_called("dot_acc_sat_mixed char4")])
