"""Reports that --resume accepts or refuses: every claim in a report is checked."""

import json
import resource
import signal
import subprocess
import sys

import pytest

from clmath.audit.inputs.row_inputs import VERSION
from clmath.audit.records.record import Seal, locked
from tests.cases import for_each

pytestmark = pytest.mark.slow

LAB = """
    def off(name, *args):
        value = np.array(right(name, *args))
        return value + np.asarray(args[0] > 1, value.dtype) if name == "floor" else value
"""
WORDS = ["--functions", "floor,trunc", "--types", "float", "--inputs", "64", "--jobs", "1"]


@pytest.fixture(scope="module")
def judged():
    """A list that the first test fills with the text of a complete report."""
    return []


@pytest.fixture
def report(judged, clm, lab, tmp_path):
    """Return a function that writes this report, possibly changed, and returns its path and the audit's arguments."""
    path = tmp_path / "report.json"
    words = ["audit", f"{lab}:off", *WORDS, "--json", path]
    if not judged:
        assert clm(*words)[0] == 1
        judged.append(path.read_text())

    def written(change=None):
        found = json.loads(judged[0])
        if change:
            change(found)
        path.write_text(json.dumps(found) if change else judged[0])
        return path, words

    return written


def passed(found):
    found["rows"][0] |= {"status": "pass", "reason": ""}


def passed_by_its_counts(found):
    found["rows"][0] |= {"status": "pass", "reason": "", "failed": 0, "reasons": {}, "failures": []}


def few(found):
    passed_by_its_counts(found)
    found["rows"][0]["tried"] = 10


def changed(key, value):
    def change(found):
        found["rows"][0][key] = value

    return change


def swapped(found):
    first, second = found["rows"]
    first["tried"], second["tried"] = second["tried"] + 1, first["tried"]


def histogram(found):
    found["rows"][0]["histogram"]["1"] += 10**7
    found["rows"][0]["correctly rounded"] = 4651 / (4651 + 10**7)


def begun_twice(found):
    found["begun"] = {"pieces": 1, "row": found["rows"][0] | {"pieces": 1}}


@for_each(
    "change, fact",
    [
        (passed, "case floor float has the status 'pass' with "),
        (passed_by_its_counts, "case floor float was changed after it was written: its digest is another"),
        (few, "case floor float passes with 10 inputs tried; the plan has "),
        (changed("failed", -1), "case floor float has failed -1; a count is needed"),
        (changed("tried", -5), "case floor float has tried -5; a count is needed"),
        (changed("failed", 1.5), "case floor float has failed 1.5; a count is needed"),
        (changed("failed", float("nan")), "is not a report of clmath"),
        (changed("failed", True), "case floor float has failed True; a count is needed"),
        (changed("flushed", 10**9), "case floor float has flushed 1000000000 of "),
        (changed("reasons", {}), " failed inputs and reasons for 0"),
        (changed("failures", []), "case floor float shows 0 inputs that fail by "),
        (changed("limit", "4 ulp"), "case floor float was judged by '4 ulp' ("),
        (changed("profile", "embedded"), "case floor float was judged by "),
        (changed("status", "fine"), "case floor float has the status 'fine'"),
        (changed("status", "not judged"), "case floor float has the status 'not judged' with "),
        (changed("type", "half"), "case floor half is not in the plan"),
        (changed("built-in", "florr"), "case florr float is not a case of a report (UnknownNameError: "),
        (changed("notes", 3), "case floor float is not a case of a report (TypeError: "),
        (changed("reason", ["\\x1b[2J"]), "case floor float has a reason or a note that is not text"),
        (changed("worst", {}), "case floor float "),
        (lambda r: r["rows"].append(r["rows"][0]), "case floor float stands there twice"),
        (lambda r: r["rows"][1].update({"built-in": "ceil"}), "case ceil float is not in the plan"),
        (swapped, "case floor float was changed after it was written"),
        (lambda r: r["rows"][0]["worst"].update(error="nan"), "case floor float has an input with the error NaN"),
        (
            lambda r: r["rows"][0]["failures"][0].update(got="0x1ffffffff"),
            "case floor float has the value 8589934591 for a ",
        ),
        (
            lambda r: r["rows"][0]["failures"][0]["text"].update(got="0x1p+0"),
            "case floor float does not say in its texts what its numbers say",
        ),
        (histogram, "case floor float "),
        (changed("histogram", {"0": -5}), "case floor float "),
        (changed("correctly rounded", 1.0), "case floor float does not say in its texts what its numbers say"),
        (
            lambda r: r["rows"][0]["worst by binade"]["x"].update({"0x1.8p+1": 1.0}),
            "case floor float has errors by binade of arguments or binades that there are not",
        ),
        (begun_twice, "case floor float "),
    ],
)
def test_changed_case_is_refused_by_name(refusal, report, change, fact):
    path, words = report(change)
    err = refusal(*words, "--resume")
    assert f"clmath audit: --resume: {path}" in err
    assert fact in err


def test_counts_are_checked_even_if_the_digest_is_right(clm, report):
    """A case edited together with its digest must still have consistent counts."""

    def change(found):
        row, head = found["rows"][0], {k: found[k] for k in ("schema", "versions", "subject", "plan", "tables", "due")}
        assert row["digest"] == Seal(head).of(row)
        passed(found)
        row["digest"] = Seal(head).of(row)

    _, words = report(change)
    status, _, err = clm(*words, "--resume")
    assert status == 2
    assert "has the status 'pass' with" in err


def test_complete_report_is_accepted(clm, report):
    path, words = report()
    before = path.read_text()
    status, out, err = clm(*words, "--resume")
    assert (status, err) == (1, "")
    assert out.splitlines()[-1].endswith("does not conform")
    assert path.read_text() == before


def of_tables(found):
    found["tables"]["editions/opencl-c++-1.0/limits.toml"] = "0" * 16


def of_inputs(version):
    def change(found):
        assert found["versions"].pop("inputs") == str(VERSION)
        found["versions"] |= {"inputs": version} if version else {}

    return change


@for_each(
    "change, words, fact",
    [
        (None, ["--seed", "5"], "was made with plan: seed 0, this audit has 5;"),
        (None, ["--inputs", "65"], "was made with plan: inputs 64, this audit has 65;"),
        (None, ["--profile", "embedded"], "plan: profile 'full', this audit has 'embedded'"),
        (None, ["--edition", "opencl-c-3.1.1"], "plan: edition 'opencl-c++-1.0', this audit has 'opencl-c-3.1.1'"),
        (None, ["--inputs", "exhaustive", "--part", "2/4096"], "was made with plan: inputs 64, this audit has 'exhau"),
        (None, ["--widths", "1,2"], "was made with plan: widths [1], this audit has [1, 2]"),
        (of_tables, [], "was made with tables: editions/opencl-c++-1.0/limits.toml '0000000000000000'"),
        (of_inputs(None), [], f"was made with versions: inputs None, this audit has '{VERSION}'"),
        (of_inputs("1"), [], f"was made with versions: inputs '1', this audit has '{VERSION}'"),
    ],
)
def test_report_of_another_audit_cannot_be_resumed(refusal, report, change, words, fact):
    _, resumed = report(change)
    assert fact in refusal(*resumed, *words, "--resume")


@for_each("text", ["", "[]", "{}", '{"rows": 3}', "\xff", '{"schema": 1}'])
def test_file_that_is_not_a_report_cannot_be_resumed(refusal, report, text):
    path, words = report()
    path.write_bytes(text.encode("latin-1"))
    assert "is not a report of clmath; remove it or name another" in refusal(*words, "--resume")


def test_report_is_overwritten_only_on_request(clm, refusal, lab, tmp_path):
    path = tmp_path / "report.json"
    path.write_text("the only copy of my thesis")
    words = ["audit", f"{lab}:off", *WORDS, "--json", path]
    err = refusal(*words)
    assert "exists; take it up with --resume, write it anew with --force" in err
    assert path.read_text() == "the only copy of my thesis"
    assert clm(*words, "--resume")[0] == 2
    assert path.read_text() == "the only copy of my thesis"
    assert clm(*words, "--force")[0] == 1
    assert json.loads(path.read_text())["complete"] is True
    assert sorted(p.name for p in tmp_path.glob("report*")) == ["report.json"]


def test_link_to_a_report_is_kept(clm, lab, tmp_path):
    """The file behind the link is locked and rewritten."""
    path, link = tmp_path / "report.json", tmp_path / "link.json"
    link.symlink_to(path.name)
    words = ["audit", f"{lab}:off", *WORDS, "--json"]
    assert clm(*words, link)[0] == 1
    assert link.is_symlink()
    assert json.loads(path.read_text())["complete"] is True
    with locked(path, "clmath audit"):
        assert "is being written by another audit" in clm(*words, link, "--resume")[2]


def test_unreadable_report_is_an_error(refusal, lab, tmp_path, monkeypatch):
    path = tmp_path / "report.json"
    path.write_text("{}")

    read_text = type(path).read_text

    def refused(self, *given, **options):
        if self == path:
            raise PermissionError(13, "Permission denied")
        return read_text(self, *given, **options)

    monkeypatch.setattr(type(path), "read_text", refused)
    err = refusal("audit", f"{lab}:off", *WORDS, "--json", path, "--resume")
    assert err.startswith(f"clmath audit: --resume: {path} cannot be read: Permission denied; name a file that clmath ")


@pytest.mark.slow
def test_report_beyond_the_file_size_limit_keeps_the_last_version(lab, tmp_path):
    """The system refuses to write in the middle of an audit."""
    command = [sys.executable, "-m", "clmath", "audit", f"{lab}:off", *WORDS, "--json", "report.json"]

    def bounded():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

    found = subprocess.run(command, capture_output=True, text=True, preexec_fn=bounded, check=False)
    assert found.returncode == 2
    assert found.stdout.splitlines()[-1].endswith("does not conform")
    assert found.stderr.startswith("clmath audit: --json report.json cannot be written: File too large;")
    assert found.stderr.count("\n") == 1
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["complete"] is False
    assert not list(tmp_path.glob("*.part"))
