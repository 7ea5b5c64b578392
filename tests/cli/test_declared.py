"""Options that declare the behaviour of a target without a driver: in criteria, reports and replay lines."""

import json
import re
import shlex

import pytest

from tests.cases import for_each

pytestmark = pytest.mark.slow

LAB = """
    def toward_zero(name, *args):
        with np.errstate(all="ignore"):
            return getattr(clmath, name)(*args, rounding="rtz")

    def flushing(name, *args):
        y = np.array(right(name, *args))
        tiny = np.finfo(y.dtype).tiny
        return np.where(np.abs(y) < tiny, np.copysign(y.dtype.type(0), y), y)
"""
WORDS = ["--types", "float", "--inputs", "128", "--jobs", "1"]


@for_each(
    "target, declared, status",
    [
        ("right", ["--exact-divide"], 0),
        ("toward_zero", ["--mode", "rtz"], 0),
        ("flushing", ["--flushes", "half,float"], 0),
        ("flushing", [], 1),
    ],
)
def test_verdict_follows_the_declaration(clm, lab, target, declared, status):
    found, out, _ = clm("audit", f"{lab}:{target}", "--functions", "mul,div", *WORDS, *declared)
    assert found == status
    assert (f"declared: {' '.join(declared)}\n" in out) == bool(declared)
    if "--exact-divide" in declared:
        assert re.search(r"div +correc", out)


def test_declarations_are_kept_in_failures_and_reports(clm, refusal, lab, tmp_path):
    declared = ["--mode", "rtz", "--flushes", "float", "--exact-divide"]
    words = ["audit", f"{lab}:right", "--functions", "add", *WORDS, *declared]
    status, out, _ = clm(*words, "--json", "r.json")
    assert status == 1
    commands = [line.strip() for line in out.splitlines() if "--replay" in line]
    assert commands
    assert all(" ".join(declared) in command for command in commands)
    status, shown, _ = clm(*shlex.split(commands[0])[1:])
    assert status == 1
    assert "not within the limit: correctly rounded" in shown
    assert json.loads((tmp_path / "r.json").read_text())["subject"]["declared"] == " ".join(declared)
    assert commands[0] in clm("report", "r.json")[1]
    assert "was made with subject: declared" in refusal(*words[:-1], "--json", "r.json", "--resume")
