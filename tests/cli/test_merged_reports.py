"""--merge: reports of all parts become, byte for byte, the report of one complete audit; others are refused."""

import itertools
import json

import numpy as np
import pytest

from clmath.audit.inputs import exhaustive
from clmath.audit.isolation import isolated
from clmath.audit.plan import plan
from clmath.audit.records import several_reports

pytestmark = pytest.mark.slow

SMALL, EACH = 12, 256  # parts of all floats in these tests, and the number of floats in each
LAB = """
    def off(name, *args):
        value = np.array(right(name, *args))
        worse = args[0].view(np.uint32) % 97 < 9
        if name == "floor":
            value[worse & (args[0] > 1)] += 1
        elif name == "sin":
            value = np.where(worse, np.nextafter(value, np.float32(2)), value)
        return value
"""
WORDS = ["audit", "lab:off", "--functions", "floor,sin,native_sin,copysign", "--types", "float", "--jobs", "1"]
WORDS += ["--inputs", "exhaustive"]


@pytest.fixture
def small(lab, tmp_path, monkeypatch):  # noqa: ARG001 - its module is there
    """The folder of the targets, with few floats in all."""
    for module in (exhaustive, plan, several_reports):
        monkeypatch.setattr(module, "PARTS", SMALL)
    step = 2**32 // (SMALL * EACH) | 1
    codes = np.arange(SMALL * EACH, dtype=np.uint32) * np.uint32(step)
    monkeypatch.setattr(exhaustive, "encodings", lambda _, parts, *_room: codes[parts[0] :: SMALL].copy())
    monkeypatch.setattr(isolated, "is_shared", lambda: False)  # the other process would not see the changes
    monkeypatch.setattr(exhaustive, "part_length", lambda _: EACH)
    return tmp_path


def audited(clm, path, *words):
    status, _, errors = clm(*WORDS, "--json", path, *words)
    assert status == 1, errors


def parts(clm, *names):
    for name in names:
        audited(clm, f"{name.replace('/', 'of')}.json", "--part", name)
    return [f"{name.replace('/', 'of')}.json" for name in names]


def test_merged_report_equals_the_report_of_one_audit(clm, small):
    """Parts may have any order and size; the exit status is the same, and other files are written."""
    audited(clm, "whole.json")
    names = parts(clm, "1/2", "2/4", "4/4")
    whole = (small / "whole.json").read_bytes()
    assert b"part " not in whole
    for order in itertools.permutations(names):
        status, shown, _ = clm("audit", "--merge", *order, "--json", "joined.json", "--force", "--junit", "j.xml")
        assert (status, "does not conform" in shown) == (1, True)
        assert (small / "joined.json").read_bytes() == whole
    assert b'name="floor float' in (small / "j.xml").read_bytes()
    assert clm("audit", "--merge", *names)[0] == 1
    status, _, errors = clm(*WORDS, "--json", "joined.json", "--resume")
    assert (status, errors) == (1, "")


def changed(path, change):
    report = json.loads(path.read_text())
    change(report)
    path.write_text(json.dumps(report))


def test_incompatible_reports_are_not_merged(clm, refusal, small, monkeypatch):
    """Repeated or missing inputs; another plan, target or version; a case that was changed or not judged."""
    monkeypatch.setitem(globals(), "WORDS", [word.replace("floor,sin,native_sin,copysign", "floor") for word in WORDS])
    one, two, three = parts(clm, "1/3", "2/3", "3/3")
    (other,) = parts(clm, "2/4")

    assert "edition opencl-c++-1.0, profile full, part 1 of 3 of the inputs" in clm("report", one)[1]

    def refused(*words):
        return refusal("audit", "--merge", *words)

    assert "the reports of 3/3 are missing; name those of all parts" in refused(one, two)
    assert f"{one} is part 1/3 and {one} part 1/3, which have inputs in common" in refused(one, one, two, three)
    assert f"{one} is part 1/3 and {other} part 2/4, which have inputs in common" in refused(one, other)
    assert "the reports name the TARGET; leave 'numpy' out" in refusal("audit", "numpy", "--merge", one)
    assert "leave --seed out" in refused(one, "--seed", "3")
    assert "is one of the parts" in refused(one, two, three, "--json", one)
    assert "exists; write it anew with --force" in refused(one, two, three, "--json", other)
    assert "absent.json cannot be read: No such file or directory" in refused(one, two, "absent.json")
    audited(clm, "seeded.json", "--part", "3/3", "--seed", "7")
    assert f"seeded.json was made with plan: seed 7, {one} with 0" in refused(one, two, "seeded.json")
    (small / "another_lab.py").write_bytes((small / "lab.py").read_bytes())
    words = ["another_lab:off" if word == "lab:off" else word for word in WORDS]
    clm(*words, "--part", "3/3", "--json", "another.json")
    assert "another.json was made with subject: name 'another_lab:off'" in refused(one, two, "another.json")
    clm(*[w for w in WORDS if w not in ("--inputs", "exhaustive")], "--inputs", "64", "--json", "quick.json")
    assert "quick.json is of no part; only audits of exhaustive or many random inputs have parts" in refused(
        "quick.json"
    )
    changed(small / two, lambda report: report.update(complete=False))
    assert f"{two} is not complete; add --resume to the audit that wrote it" in refused(one, two, three)
    changed(small / three, lambda report: report["rows"][0].update(tried=9**9))
    assert f"{three}: case floor float was changed after it was written" in refused(one, two, three)


def test_reports_of_offline_folders_are_merged(clm, small, filled):
    def wrong(row, result):
        return -result if row.builtin == "fabs" else result

    for k in (1, 2):
        words = ["--functions", "floor,fabs", "--types", "float", "--inputs", "exhaustive", "--part", f"{k}/2"]
        assert clm("inputs", *words, "--out", f"lab{k}")[0] == 0
        filled(small / f"lab{k}", wrong)
        (small / f"lab{k}/results/device.txt").write_text("kind: dsp\ndevice: chip\n")
        assert clm("check", f"lab{k}", "--json", f"lab{k}.json", "--jobs", "1")[0] == 1
    status, out, err = clm("audit", "--merge", "lab1.json", "lab2.json", "--json", "lab.json")
    assert (status, err) == (1, "")
    assert "clmath audit SUBJECT --functions fabs" in out
    (floor,) = [row for row in json.loads((small / "lab.json").read_text())["rows"] if row["built-in"] == "floor"]
    assert floor["tried"] == SMALL * EACH


def test_merged_report_of_random_parts_has_no_local_search(clm, refusal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["audit", "clmath", "--functions", "sin", "--types", "float", "--jobs", "1", "--inputs", "2^18"]
    for k in (1, 2):
        assert clm(*words, "--part", f"{k}/2", "--json", f"{k}.json")[0] == 0
    assert clm("audit", "--merge", "1.json", "2.json", "--json", "both.json")[0] == 0
    assert json.loads((tmp_path / "both.json").read_text())["plan"]["second look"] is False
    assert "was made with plan: second look False" in refusal(*words, "--json", "both.json", "--resume")
