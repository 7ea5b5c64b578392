"""Output on a terminal: the closing list of failing cases, shortened messages, colours, annotations, time left."""

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from clmath.audit.counting.tally import Example, Tally
from clmath.audit.plan.item import Item
from clmath.audit.reports import known_failures, terminal
from clmath.audit.reports.terminal import HEAD, TAIL, abridged
from clmath.cli.progress import Estimate
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin
from clmath.spec.families import exact_builtins
from tests.cases import for_each

LAB = """
    def off(name, *args):
        if name == "ceil":
            raise RuntimeError("no ceil")
        value = np.array(right(name, *args))
        if name == "exp":
            return np.where(args[0] > 1, np.float32(np.nan), value).astype(value.dtype)
        wrong = (args[0] > 1) & (args[0] < (3 if name == "trunc" else 2))
        return np.where(wrong, np.nextafter(value, np.float32(np.inf)), value).astype(value.dtype)

    def of_groups(name, x):
        zero = np.zeros(x.shape, np.uint32)
        places = zero + np.arange(x.shape[-1], dtype=np.uint32)
        largest = np.broadcast_to(x.max(axis=-1, keepdims=True), x.shape)
        return np.where(largest > 0, largest - 1, largest), zero, places, zero + np.uint32(x.shape[-1])

    def growing(name, x):
        wrong = np.float32(np.sqrt(np.float64(x)))
        return np.where(x > 1, wrong * np.float32(1 + 2.0**-20), wrong)
"""
WORDS = ["--functions", "floor,exp,ceil,trunc", "--types", "float", "--inputs", "64", "--jobs", "1"]


def closing(out):
    """Return the lines of the closing list."""
    lines = out.splitlines()
    (start,) = [n for n, line in enumerate(lines) if "not pass, the most severe first:" in line]
    return lines[start:]


def test_closing_list_has_the_most_severe_first(clm, lab):
    status, out, _ = clm("audit", f"{lab}:off", *WORDS)
    assert status == 1
    head, *rows, last = closing(out)
    assert head == "4 cases do not pass, the most severe first:"
    assert [row.split()[0] for row in rows] == ["exp", "trunc", "floor", "ceil"]
    assert re.fullmatch(r"  exp float: \d+ of \d+ inputs fail; worst: .*, got nan at (inf|0x1\.?\w*p\+\d+)", rows[0])
    assert re.fullmatch(r"  trunc float: \d+ of \d+ inputs fail: not within the limit: .* at 0x1\.?\w*p\+[01]", rows[1])
    assert rows[3].startswith("  ceil float: not judged: ")
    assert last.endswith("does not conform")


def test_worst_input_comes_first_with_its_replay(clm, lab):
    """It is not among the first failures, which are kept: errors of 4 to 8 ulp at 12000 inputs."""
    words = ["audit", f"{lab}:growing", "--functions", "sqrt", "--types", "float"]
    _, out, _ = clm(*words, "--inputs", "5000", "--jobs", "1", "--json", "r.json")
    (row,) = json.loads(Path("r.json").read_text())["rows"]
    worst, kept = row["worst"], [abs(example["error"]) for example in row["failures"]]
    assert abs(worst["error"]) > max(kept)
    assert worst["reason"] == row["failures"][0]["reason"]
    at = out.split("--replay=")[1].split()[0]
    assert closing(out)[1].endswith(f" at {at}")
    _, replayed, _ = clm(*words, f"--replay={at}")
    assert float(replayed.split("error")[1].split()[0]) == pytest.approx(worst["error"], abs=1e-3)


def test_repeated_input_is_shown_once():
    example = Example(3, (0x3F800000,), 0, 1, 2, None, 5.0, "off")
    again, other = replace(example, index=7), replace(example, index=9, args=(0,), error=2.0)
    found = known_failures.worst_of(Tally(failures=(other, example, again)), "off")
    assert [e.args for e in found] == [example.args, other.args]


def test_closing_list_shortens_many_values(clm, lab):
    """The call has a work-group of 48; the failure above the list shows all values."""
    words = ["--functions", "sub_group_reduce_max", "--types", "int", "--inputs", "16", "--jobs", "1"]
    status, out, _ = clm("audit", f"{lab}:of_groups", *words)
    assert status == 1
    lines = {line.split()[1]: line for line in closing(out)[1:-1]}
    assert re.search(r" at -?\d+, -?\d+, -?\d+, -?\d+, \.\.\. \(48 values\)$", lines["int48:"])
    assert re.search(r" at -?\d+, -?\d+, -?\d+$", lines["int3:"])
    assert re.search(r"--replay=(-?\d+,){47}-?\d+\n", out)


def test_passing_audit_prints_no_closing_list(clm):
    _, out, _ = clm("audit", "clmath", *WORDS)
    assert "most severe" not in out


def test_quiet_prints_only_failures_and_the_verdict(clm, lab, tmp_path):
    status, out, err = clm("audit", f"{lab}:off", *WORDS, "--quiet", "--json", tmp_path / "r.json")
    assert (status, err) == (1, "")
    assert out.splitlines()[1:] == ["", *closing(out)]
    assert out.startswith("lab:off")
    status, again, _ = clm("report", tmp_path / "r.json", "--quiet")
    assert (status, closing(again)) == (1, closing(out))
    assert len(clm("audit", "clmath", *WORDS, "--quiet")[1].splitlines()) == 2


def test_color_is_used_on_request(clm, refusal, reports, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    plain = clm("report", reports[0])[1]
    colored = clm("report", reports[0], "--color", "always")[1]
    assert "\x1b[" in colored
    assert "\x1b[" not in plain
    assert "\x1b[" not in clm("report", reports[0], "--color", "never")[1]

    def bare(text):
        return re.sub(r"\x1b\[[\d;]*m", "", text).split()

    assert bare(colored) == plain.split()
    assert "--color='blue' is not one of 'auto', 'always', 'never'" in refusal("report", reports[0], "--color", "blue")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("color", "no_color", "colored"),
    [("auto", "", True), ("auto", "1", False), ("never", "", False), ("always", "1", True)],
)
def test_no_color_is_respected_on_a_terminal(monkeypatch, color, no_color, colored):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color:
        monkeypatch.setenv("NO_COLOR", no_color)
    stream = Terminal()
    terminal.console(stream, color).print("fail", style="red")
    assert ("\x1b[31m" in stream.getvalue()) is colored


@pytest.mark.slow
def test_annotations_are_for_github(clm, lab, monkeypatch):
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    assert "::error" not in clm("audit", f"{lab}:off", *WORDS)[1]
    asked = clm("audit", f"{lab}:off", *WORDS, "--annotations", "github")[1]
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    found = [line for line in clm("audit", f"{lab}:off", *WORDS)[1].splitlines() if line.startswith("::")]
    assert found == [line for line in asked.splitlines() if line.startswith("::")]
    assert [line.partition(" ")[0] for line in found] == ["::error", "::error", "::error", "::warning"]
    assert found[0].startswith("::error title=exp float on lab%3Aoff::")
    assert "%0Aclmath audit lab:off --functions exp --types float --replay=" in found[0]
    assert "::error" not in clm("audit", f"{lab}:off", *WORDS, "--annotations", "none")[1]


def test_annotations_are_limited_in_number(clm, reports):
    _, out, _ = clm("report", *reports, "--annotations", "github")
    assert len([line for line in out.splitlines() if line.startswith("::")]) <= 20
    _, out, _ = clm("report", reports[0], "--annotations", "github")
    lines = [line for line in out.splitlines() if line.startswith("::")]
    assert len(lines) == 10
    assert lines[-1].endswith("::4 more cases do not pass")


def test_vector_is_printed_once(clm, lab):
    _, out, _ = clm("audit", f"{lab}:off", "--functions", "floor", "--types", "float", "--inputs", "64", "--jobs", "1",
                    "--widths", "16")  # fmt: skip
    lines = [line for line in out.splitlines() if " in component " in line]
    assert lines
    assert all(re.search(r" in component \d+ of the vector replayed below$", line) for line in lines)
    assert any(line.count(",") >= 15 for line in out.splitlines() if "--replay=" in line)


def test_long_messages_are_cut():
    text = "\n".join(f"line {n}" for n in range(300))
    lines = abridged(text, "FILE has them").splitlines()
    assert lines[:HEAD] == [f"line {n}" for n in range(HEAD)]
    assert lines[-TAIL:] == [f"line {n}" for n in range(300 - TAIL, 300)]
    assert lines[HEAD] == f"[... {300 - HEAD - TAIL} more lines: FILE has them ...]"
    short = "\n".join(f"line {n}" for n in range(HEAD + TAIL + 1))
    assert abridged(short, "nowhere") == short


@pytest.mark.slow
def test_log_has_the_complete_text_of_shortened_messages(clm, tmp_path, opencl_device):
    options = "-DUNKNOWN(" + ",".join(f"a{n}" for n in range(3)) + ")=1 -include nowhere.h"
    log = tmp_path / "run.log"
    words = ["audit", opencl_device, "--functions", "floor", "--types", "float", "--inputs", "8", "--jobs", "1"]
    status, out, _ = clm(*words, f"--build-options={options}", "--log", log)
    assert status == 2
    (row,) = [fact for fact in map(json.loads, log.read_text().splitlines()) if fact["event"] == "row"]
    assert row["status"] == "not judged"
    assert len(row["reason"]) > 10
    assert row["reason"].splitlines()[0] in out


def test_diff_folds_cases_of_only_one_side(clm, reports):
    _, out, _ = clm("diff", *reports)
    lines = [line for line in out.splitlines() if line.startswith("only in ")]
    assert lines[0].startswith("only in old: 13 cases: ")
    assert sum(int(n) for n in re.findall(r"(\d+) of ", lines[0])) == 13
    assert [line.partition(":")[0] for line in lines[1:]] == ["only in new"] * 3


def test_time_left_knows_slow_chapters():
    slow = [Item(builtin(name), FLOAT) for name in ("sin", "cos", "tan")]
    quick = [Item(exact_builtins()[name], FLOAT) for name in ("abs", "clz", "hadd", "rotate")]
    estimate = Estimate(dict.fromkeys([*quick, *slow], 100_000))
    for item in quick:
        estimate.took(item, 1.0, 1.0)
    assert estimate.left > 3 * 5  # math takes longer per input than integers
    assert estimate.share < 0.2
    estimate.took(slow[0], 0.5, 20.0)
    assert 20.0 < estimate.left < 20.0 + 40.0 + 40.0
    estimate.took(slow[0], 1.0, 20.0)
    estimate.took(slow[1], 1.0, 40.0)
    assert estimate.left == pytest.approx(40.0)
    estimate.took(slow[2], 1.0, 10.0)
    assert estimate.left == 0.0
    assert estimate.share == pytest.approx(1.0)


@for_each("late", [0, 1, 100])
def test_one_slow_case_does_not_count_for_the_others(late):
    """If a compiler hangs for five minutes, the estimate must not grow to hours."""
    items = [
        Item(row, FLOAT, vector=width)
        for row in (exact_builtins()["clz"], exact_builtins()["isless"], builtin("sin"))
        for width in range(1, 80)
    ]
    estimate = Estimate(dict.fromkeys(items, 8400))
    for number, item in enumerate(items[:-1]):
        estimate.took(item, 1.0, 300.0 if number == late else 1.0)
        assert estimate.left < 3 * (len(items) - number), number


def test_estimate_ignores_cases_of_an_earlier_run():
    first, second = (Item(builtin(name), FLOAT) for name in ("sin", "cos"))
    estimate = Estimate({first: 1000, second: 1000}, [first])
    assert estimate.share == pytest.approx(0.5)
    estimate.took(second, 0.5, 3.0)
    assert estimate.left == pytest.approx(3.0)


def test_show_charts_the_errors_of_a_report(clm, lab, tmp_path):
    path = tmp_path / "r.json"
    clm(
        "audit",
        f"{lab}:off",
        "--functions",
        "trunc,sin",
        "--types",
        "float",
        "--inputs",
        "300",
        "--jobs",
        "1",
        "--json",
        path,
    )
    status, out, _ = clm("show", "trunc", "--report", path)
    assert status == 0
    head, bars = out.splitlines()[-2:]
    assert re.fullmatch(r"measured, lab:off: trunc float: \S+ ulp at most: \d+ of \d+ inputs fail: .*", head)
    name, left, *_ = bars.split()
    assert (name, left) == ("x", "−1.7e+07")
    assert len(re.findall("[▁▂▃▄▅▆▇█]", bars)) == 1  # only [1, 2) is wrong
    assert re.search(r"up to [\d.e+]+ ulp$", bars)
    status, _, err = clm("show", "cos", "--report", path)
    assert (status, "has no case of cos; audit it" in err) == (2, True)


@pytest.mark.parametrize("words", [["exp", "1", "--type", "float"], ["div", "1", "3", "--type", "half"]])
def test_eval_charts_the_position_of_the_value(clm, words):
    _, out, _ = clm("eval", *words)
    line = out.splitlines()[-1].split()[0]
    assert (line[0], line[20], line[-1], len(line)) in {("|", "+", "|", 41), ("|", "*", "|", 41)}
    modes = {row.split()[0]: row for row in out.splitlines() if row[:3] in {"rte", "rtn", "rtp"}}
    below = -float(re.search(r"([-+][\d.]+) ulp", modes["rtn"])[1])
    assert line.index("*") == pytest.approx(40 * below, abs=1)
    assert "|" not in clm("eval", "sqrt", "4")[1]
