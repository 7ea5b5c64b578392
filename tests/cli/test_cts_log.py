"""``clmath explain`` for lines of OpenCL-CTS' math_brute_force: one for each layout of its files."""

import io
import re
from pathlib import Path

from clmath.audit.inputs import values
from clmath.cli import cts_log
from clmath.numbers.formats import format_of
from tests.cases import for_each

SINE = "ERROR: sin4: 8.571000 ulp error at 0x1.8p+1 (0x40400000): *0x1.210386p-3 vs. 0x1.210398p-3"

# for each file of OpenCL-CTS: a line "# FILE: CALL: EXPECTED; GOT", and the line that it writes
LOG = (Path(__file__).parent / "opencl_cts.log").read_text()
LINES = [block.split("\n", 1) for block in re.split("^# ", LOG, flags=re.MULTILINE)[1:]]


def shown(failure):
    """Return a failure in the notation of the log's comments."""
    item = failure.call.item
    given = [values.plain_text(v, k, item.form) for v, k in zip(failure.call.given, item.columns, strict=True)]
    parts = [", ".join(map(number, columns)) for columns in (failure.expected, failure.got)]
    components = failure.components if failure.components > 1 else ""
    return f"{item.builtin.name} {item.form}{components} {', '.join(given)}: {'; '.join(parts)}"


def number(column):
    form = format_of(column.dtype)
    return str(column[0]) if form is None else values.plain_text(int(form.bits(column)[0]), "gentype", form)


@for_each("wanted, line", LINES)
def test_every_layout_is_read(wanted, line):
    for before, after in (("", ""), ("==> ", "\n"), ("12:   sin fp32  ....\n", "\nsin FAILED\n")):
        ((one, *_),) = cts_log.failures(before + line + after, None, "clmath explain")
        assert shown(one) == wanted.partition(": ")[2]


def test_ambiguous_name_is_resolved_by_the_expected_value(clm):
    """exp2 means exp2, or exp on vectors of two components."""
    for expected, called in (("0x1.6a09e6p+0", "exp2"), ("0x1.a61298p+0", "exp")):
        line = f"ERROR: exp2: 9.0 ulp error at 0x1p-1 (0x3f000000): *{expected} vs. 0x1.8p+0"
        status, out, _ = clm("explain", line, "--targets", "clmath")
        assert (status, out.partition("(")[0]) == (0, f"gentype {called}")
        assert "  got       0x1.8p+0 [0x3fc00000] = 1.5, " in out
        assert out.endswith("correctly rounded\n")


def test_results_of_a_log_are_judged(clm, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(LOG))
    status, out, _ = clm("explain", "-", "--targets", "")
    assert status == 0
    assert out.count("OpenCL-CTS:\n") == len(LINES)
    parts = [part.splitlines() for part in out.split("OpenCL-CTS:\n")[1:]]
    for (wanted, _), part in zip(LINES, parts, strict=True):
        count = 1 + wanted.partition(": ")[2].partition(";")[2].count(",")
        assert [line.split()[0] for line in part if re.match("  (got|expected) ", line)] == ["got"] * count + [
            "expected"
        ] * count


def test_divide_cr_sets_its_build_option(clm):
    line = "ERROR: divide{}: 1.0 ulp error at {{0x1p+0, 0x1.8p+1}}: *0x1.555556p-2 vs. 0x1.555554p-2 (0x3eaaaaaa)"
    for name, said in (("", "pass"), ("_cr", "fails: not within the limit: correctly rounded")):
        out = clm("explain", line.format(name), "--targets", "")[1]
        assert f"-0.667 ulp  {said}\n  expected" in out


def test_text_without_a_log_line_is_refused(refusal, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("all tests passed"))
    example = refusal("explain", "-").partition("one is '")[2].partition("'")[0]
    assert cts_log.is_log(example)
    assert "'frob' with 0x1p+0 is not a call" in refusal(
        "explain", "ERROR: frob: 1.0 ulp error at 0x1p+0: *0x1p+0 vs. 0x1p+1"
    )
    assert "'quad' is not one of" in refusal("explain", SINE, "--type", "quad")


def test_type_may_be_named(clm):
    line = "ERROR: modf: {1.0, 0.0} ulp error at 0x1.9p+1: *{0x1p-3, 0x1.8p+1} vs. {0x1p-2, 0x1.8p+1}"
    assert ", float; " in clm("explain", line, "--type", "float", "--targets", "")[1]
