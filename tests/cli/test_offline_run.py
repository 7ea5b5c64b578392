"""``clmath inputs`` and ``check``: results of an offline run are judged like a live target's, or refused."""

import json
import os
import pickle
import re
import shutil
from types import SimpleNamespace

import numpy as np
import pytest

import clmath
from clmath.audit.isolation.choosing import target_named
from clmath.audit.offline import folder as folders
from clmath.audit.offline.folder import Folder
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.target import TargetError
from clmath.audit.records import record
from clmath.audit.running.run import audit
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin
from tests.cases import for_each

pytestmark = pytest.mark.slow

NAMES = "sin,sincos,ilogb,cross,nan"  # all shapes of arguments and results
FAST = ["--inputs", "64", "--types", "float"]


@pytest.fixture(scope="module")
def made(tmp_path_factory, filled):
    """A folder of inputs with correct results, made once."""
    folder = tmp_path_factory.mktemp("made") / "lab"
    assert clmath_command("inputs", "--functions", NAMES, *FAST, "--out", str(folder)) == 0
    filled(folder)
    return folder


def clmath_command(*words):
    from clmath.cli import main

    return main(list(words))


@pytest.fixture
def lab(made, tmp_path):
    return shutil.copytree(made, tmp_path / "lab", symlinks=True)


def test_inputs_writes_a_folder_that_a_host_can_use_alone(made):
    names = {path.name for path in made.iterdir()}
    assert {path for path in names if not path.endswith((".c", ".h", ".cl"))} == {
        "README.txt",
        "inputs",
        "manifest.json",
        "results",
        "rows.txt",
    }
    reported = json.loads((made / "manifest.json").read_text())
    assert reported["plan"]["seed"] == 0
    assert reported["plan"]["edition"] == "opencl-c++-1.0"
    assert reported["versions"]["clmath"] == clmath.__version__
    row = Folder.read(made, "test").rows["sincos_float"]
    assert [o.bytes for o in row.arguments] == [4 * row.calls] == [(made / "inputs/sincos_float.0").stat().st_size]
    assert "#ifdef ROW_sincos_float\n" in (made / "kernels.cl").read_text()


def test_correct_results_pass(clm, lab):
    status, out, err = clm("check", str(lab), "--jobs", "1")
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].startswith("6 pass; ")


def test_tallies_equal_a_live_targets(clm, lab, tmp_path, filled):
    def off(row, result):
        return np.where(result == 0, -result, result) if row.builtin == "sin" else result

    class Live:
        """A live target with the same fault."""

        name, describe, formats = "live", dict, staticmethod(lambda: (FLOAT,))
        one = target_named("clmath")
        defines, flushes, mode, build_options = one.defines, one.flushes, one.mode, one.build_options

        def evaluate(self, row, form, args):
            found = self.one.evaluate(row, form, args)
            return tuple(np.where(r == 0, -r, r) if row.name == "sin" else r for r in found)

    filled(lab, off)
    report = tmp_path / "report.json"
    assert clm("check", str(lab), "--json", str(report), "--jobs", "1")[0] == 1
    plan = Plan.of(NAMES.split(","), ["float"], inputs=64, local_search=False, jobs=1)
    live = [json.loads(json.dumps(record.written(v))) for v in audit(plan, Live())]
    found = json.loads(report.read_text())["rows"]
    assert [row.items() <= other.items() for row, other in zip(live, found, strict=True)] == [True] * 6
    assert {row["built-in"] for row in found if row["status"] == "fail"} == {"sin"}


def test_offline_reports_are_resumed_and_replayed(clm, lab, tmp_path, monkeypatch, filled):
    def off(row, result):
        return result * np.float32(1.5) if row.name == "sin_float" else result

    filled(lab, off)
    monkeypatch.chdir(tmp_path)
    words = ["check", "lab", "--json", "r.json", "--junit", "r.xml", "--csv", "r.csv", "--html", "r.html"]
    status, out, _ = clm(*words, "--jobs", "1", "--cts-json", "c.json")
    assert status == 1
    assert all((tmp_path / name).stat().st_size for name in ("r.json", "r.xml", "r.csv", "r.html", "c.json"))
    line = next(line for line in out.splitlines() if line.strip().startswith("clmath audit files:lab"))
    status, replayed, _ = clm(*line.split()[1:])
    assert status == 1
    assert "fail: not within the limit" in replayed
    first = (tmp_path / "r.json").read_bytes()
    status, _, _ = clm("check", "lab", "--json", "r.json", "--resume", "--jobs", "1")
    assert (status, (tmp_path / "r.json").read_bytes()) == (1, first)
    (tmp_path / "lab/results/sin_float.txt").write_text("failed\n")
    _, _, err = clm("check", "lab", "--json", "r.json", "--resume", "--jobs", "1")
    assert "r.json was made with subject: results '" in err  # results of another run of the host
    (tmp_path / "lab/results/sin_float.txt").unlink()
    (tmp_path / "known.txt").write_text("sin float: half as large again\n")
    assert clm("check", "lab", "--known-failures", "known.txt", "--jobs", "1")[0] == 0


def result(lab):
    return lab / "results/sin_float.0"


def changed(deed):
    def apply(lab):
        result(lab).write_bytes(deed(result(lab).read_bytes()))

    return apply


def big_endian(lab):
    data, head = result(lab).read_bytes(), Folder.read(lab, "test").rows["sin_float"].results[0].head.encode()
    body = np.frombuffer(data[len(head) :], "<f4").astype(">f4")
    result(lab).write_bytes(head + body.tobytes())


def of_another_seed(lab):
    other = lab.with_name("other")
    clmath_command("inputs", "--functions", "sin", *FAST, "--seed", "5", "--out", str(other))
    heads = [Folder.read(folder, "test").rows["sin_float"].results[0].head.encode() for folder in (lab, other)]
    result(lab).write_bytes(result(lab).read_bytes().replace(*heads))


def linked(lab):
    shutil.move(result(lab), lab.with_name("elsewhere"))
    result(lab).symlink_to(lab.with_name("elsewhere"))


def results_linked(lab):
    shutil.move(lab / "results", lab.with_name("elsewhere"))
    (lab / "results").symlink_to(lab.with_name("elsewhere"))


def wrong_checksum(lab):
    (lab / "results/sin_float.txt").write_text("done 01234567\n")
    (lab / "results/device.txt").write_text("kind: a test\nend: all facts\n")


def flipped(lab):
    path = lab / "inputs/sin_float.0"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def reported(text):
    return lambda lab: (lab / "results/sin_float.txt").write_text(text)


@for_each(
    "deed, fact",
    [
        (changed(lambda data: data[:-1]), "is cut off: it has "),
        (changed(lambda data: data[:10]), "is cut off: it has 10 bytes of "),
        (changed(lambda data: data + b"\0"), "is too long: it has "),
        (changed(lambda _: b""), "is cut off: it has 0 bytes of .*; copy it again, or run the host again"),
        (changed(lambda data: data.replace(b"\n", b"\r\n", 1)), "other inputs|after its first line"),
        (changed(lambda data: b"\x80\x04" + pickle.dumps(data)), "is a pickle, which is not read"),
        (changed(lambda data: b"\x93NUMPY" + data), r"is a file of np.save, which is not read"),
        (changed(lambda data: b"\x1f\x8b" + data), "is compressed with gzip"),
        (changed(lambda data: data.partition(b"\n")[2]), "does not begin with its line of rows.txt"),
        (lambda lab: shutil.copy(lab / "results/ilogb_float.0", result(lab)), "holds result 0 of ilogb_float"),
        (lambda lab: shutil.copy(lab / "results/sincos_float.0", result(lab)), "holds result 0 of sincos_float"),
        (of_another_seed, "is of other inputs than these: it is from another run"),
        (big_endian, "is big-endian; write every element with its lowest byte first"),
        (lambda lab: result(lab).unlink(), "is missing; run the host, and copy results back"),
        (linked, "it is a link, and may lead out of the folder"),
        (results_linked, "results is a link, and may lead out of the folder"),
        (lambda lab: (result(lab).unlink(), os.mkfifo(result(lab))), "it is not a plain file"),
        (lambda lab: (result(lab).unlink(), result(lab).mkdir()), "it is not a plain file|Is a directory"),
        (wrong_checksum, "is not what the host wrote: its CRC-32 is another"),
        (reported("absent\n"), "the host says that there is no such function"),
        (reported("begun 1\n"), "the host began it and did not end"),
        (reported("failed\nno sin \x1b[2J here\n"), r"no sin \\x1b\[2J here"),
        (reported("pass\n"), "does not begin with done, failed, absent or begun"),
        (reported("x" * (1 << 21)), "has more than 1048576 bytes"),
        (lambda lab: (lab / "results/sin_float.txt").symlink_to("/etc/passwd"), "is a link, and may lead out"),
        (reported(""), "results/sin_float.txt is empty; copy it again, or remove it and run the host again"),
        (lambda lab: (lab / "inputs/sin_float.0").write_bytes(b"\0" * 4), "is cut off: .*; copy the folder again"),
        (
            lambda lab: (lab / "inputs/sin_float.0").write_bytes(b""),
            "is cut off: it has 0 bytes .*; copy the folder again",
        ),
        (lambda lab: (lab / "inputs/sin_float.0").unlink(), "is missing; copy the folder again from "),
        (flipped, "was changed after it was written; copy the folder again"),
    ],
)
def test_damaged_or_foreign_file_is_refused(made, tmp_path, deed, fact):
    lab = shutil.copytree(made, tmp_path / "lab")
    x = np.fromfile(lab / "inputs/sin_float.0", "<f4", 16)
    one, row = target_named(f"files:{lab}"), builtin("sin")
    assert np.array_equal(one.evaluate(row, FLOAT, (x,))[0], clmath.sin(x), equal_nan=True)
    deed(lab)
    with pytest.raises(TargetError, match=fact) as caught:
        target_named(f"files:{lab}").evaluate(row, FLOAT, (x,))
    assert str(caught.value).startswith("sin_float: ")


def test_damaged_files_affect_only_their_cases(clm, lab):
    """Other files in the folder do not matter."""
    changed(lambda data: data[:-4])(lab)
    (lab / "results/sincos_float.1").write_bytes(pickle.dumps([1]))
    (lab / "results/nan_float.txt").write_text("failed\nno \x1b[2J here\n")
    (lab / "results/sin_double.0").write_bytes(b"not asked for")
    status, out, err = clm("check", str(lab), "--jobs", "1")
    assert (status, err) == (2, "")
    assert out.splitlines()[-1].startswith("3 pass, 3 not judged; ")
    found = dict(re.findall(r"^not judged: (\w+) float: (.*)$", out, re.MULTILINE))
    assert {name: text.partition(": ")[0] for name, text in found.items()} == {
        "sin": "sin_float",
        "sincos": "sincos_float",
        "nan": "nan_float",
    }
    assert "no \\x1b[2J here" in found["nan"]


def test_file_that_changes_during_judging_is_refused(lab):
    one, x = target_named(f"files:{lab}"), np.fromfile(lab / "inputs/sin_float.0", "<f4", 32)
    one.evaluate(builtin("sin"), FLOAT, (x[:16],))
    with (lab / "results/sin_float.0").open("ab") as file:
        file.write(b"more")
    with pytest.raises(TargetError, match="was changed while it was judged"):
        one.evaluate(builtin("sin"), FLOAT, (x[16:],))


@for_each(
    "text, fact",
    [
        ("", "is not a manifest: it is empty; copy the folder again"),
        ('{"schema": 7, "rows": [', "is not a manifest: it is cut off; copy the folder again"),
        ("[]", "is not a manifest"),
        ("[" * 100000, "is not a manifest"),
        ('{"schema": 7}', "has schema 7, this clmath reads 2"),
        (lambda reported: reported | {"rows": []}, "was changed after it was written"),
        (lambda reported: reported | {"rows": [reported["rows"][0] | {"name": "../x"}]}, "is not a manifest"),
        (lambda reported: reported | {"rows": [reported["rows"][0] | {"calls": 1}]}, "is not a manifest"),
        (lambda reported: reported | {"plan": reported["plan"] | {"seed": 1}}, "was changed after it was written"),
    ],
)
def test_invalid_manifest_is_an_error(refusal, made, tmp_path, text, fact):
    lab = shutil.copytree(made, tmp_path / "lab")
    path = lab / "manifest.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text(json.loads(path.read_text()))))
    err = refusal("check", str(lab))
    assert re.fullmatch(rf"clmath check: .*{re.escape(fact)}.*\n", err)


def test_folder_with_another_version_of_the_inputs_is_refused(refusal, made, monkeypatch):
    monkeypatch.setattr(folders, "VERSION", 0)
    fact = r"has version \d+ of the inputs of audits, this clmath has 0; write the inputs again with 'clmath inputs'"
    assert re.match(rf"clmath check: .* {fact}", refusal("check", str(made)))


@for_each(
    "words, fact",
    [
        (["check", "nowhere"], "clmath check: nowhere is not a folder; name a folder that 'clmath inputs' wrote"),
        (["check", "empty"], "clmath check: empty holds no results; run its host, as empty/README.txt says"),
        (["inputs", "--out", "empty"], "clmath inputs: --out empty is not an empty folder; name a new one"),
        (["inputs", "--out", ""], "clmath inputs: --out needs the name of a folder; write --out lab"),
        (["inputs", "--out", "x", "--types", "quad"], "clmath inputs: "),
        (["inputs", "--out", "x", "--functions", "sine"], "clmath inputs: 'sine' is not a known built-in"),
        (["inputs", "--out", "x", "--seed", "one"], "clmath inputs: --seed one is not an integer"),
        (["inputs", "--out", "file/x"], "clmath inputs: "),
        (["inputs", "--out", "x", "--chapters", "printf"], "clmath inputs: all that is asked for prints"),
        (["inputs"], "clmath inputs: the following arguments are required: --out"),
        (["check", "empty", "--jobs", "0"], "clmath check: "),
    ],
)
def test_wrong_usage_is_an_error(refusal, made, words, fact, tmp_path, monkeypatch):  # noqa: PLR0917
    shutil.copytree(made, tmp_path / "empty", ignore=shutil.ignore_patterns("*_float*.0", "*_float*.1"))
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    err = refusal(*words)
    assert err.startswith(fact)


def test_facts_of_the_device_choose_the_criteria(clm, lab):
    (lab / "results/device.txt").write_text(
        "kind: simulator\nplatform: Lab\ndevice: chip \x1b[2J 3\nprofile: embedded\nfloat config: ROUND_TO_ZERO\n"
    )
    status, out, _ = clm("check", str(lab), "--jobs", "1")
    assert "Lab: chip \\x1b[2J 3\n" in out
    assert "profile embedded" in out
    one = target_named(f"files:{lab}")
    assert (one.mode(FLOAT), one.flushes(FLOAT)) == ("rtz", True)
    assert status == 0  # functions may round to nearest there (3.19), or in the device's mode


def test_inputs_need_free_disk_space(clm, tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=10**9 if path == tmp_path else 0))
    words = ["inputs", "--functions", "sin,frexp", "--types", "float", "--inputs", "exhaustive", "--out"]
    status, out, err = clm(*words, str(tmp_path / "new/lab"))
    assert (status, out, (tmp_path / "new").exists()) == (2, "", False)
    assert err.startswith("clmath inputs: 85.9 GB are needed with results, and the disk of ")
    assert err.endswith(" has 1.0 GB; ask for fewer functions or inputs, or for a part, --part 1/64\n")
    assert clm(*words, str(tmp_path / "lab"), "--part", "1/4096")[0] == 0
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10**6))
    for many in ("pow --types double", "fmod --types float --widths 4", "convert_int --types float"):
        words = ["--functions", *many.split(), "--inputs", "2^20", "--out", str(tmp_path / "other")]
        status, out, err = clm("inputs", *words)
        assert (status, out, (tmp_path / "other").exists()) == (2, "", False)
        assert " GB are needed with results, and the disk of " in err


def test_memory_does_not_grow_with_the_folder(tmp_path, filled):
    """Inputs are written, checked and judged in blocks."""
    import tracemalloc

    words = ["inputs", "--functions", "fabs", "--types", "float", "--inputs", "3000000", "--out", str(tmp_path / "lab")]
    assert clmath_command(*words) == 0
    filled(tmp_path / "lab")
    one, item = target_named(f"files:{tmp_path / 'lab'}"), Plan.of(["fabs"], ["float"]).items()[0]
    x = np.fromfile(tmp_path / "lab/inputs/fabs_float.0", "<f4", 8192)
    tracemalloc.start()
    one.evaluate(item.builtin, FLOAT, (x,))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 4e6 < (tmp_path / "lab/inputs/fabs_float.0").stat().st_size


def test_vectors_are_returned_component_by_component(clm, tmp_path, filled):
    def swapped(row, result):
        return result[:, ::-1] if row.name == "sin_float3" else result

    lab = tmp_path / "lab"
    assert clm("inputs", "--functions", "sin,pown,nan", *FAST, "--widths", "1,3,16", "--out", str(lab))[0] == 0
    filled(lab)
    status, out, _ = clm("check", str(lab), "--jobs", "1")
    assert (status, out.splitlines()[-1].startswith("9 pass; ")) == (0, True)
    filled(lab, swapped)
    status, out, _ = clm("check", str(lab), "--jobs", "1")
    assert (status, "sin float3: " in out) == (1, True)
    assert out.splitlines()[-1].startswith("8 pass, 1 fail; ")
    for row in Folder.read(lab, "test").rows.values():  # a library of C functions has no vectors
        (lab / row.status).write_text("absent\n" if row.lanes else "done\n")
    report = tmp_path / "report.json"
    status, out, _ = clm("check", str(lab), "--jobs", "1", "--json", str(report))
    assert (status, out.startswith(f"6 cases of {lab} are absent: ")) == (0, True)
    assert out.splitlines()[-1].startswith("3 pass; ")
    assert json.loads(report.read_text())["subject"]["absent rows"] == "6"


def test_chapters_judged_bit_by_bit_in_an_offline_run(clm, tmp_path, filled):
    """Integers, conversions and constants; tests of devices cover the others."""

    def off(row, result):
        return result + 1 if row.builtin == "clz" else result

    lab = tmp_path / "lab"
    words = ["--functions", "clz,convert_uchar_sat_rtz,isless,as_float,M_PI_F", "--types", "float,uint"]
    assert clm("inputs", *words, "--inputs", "64", "--out", str(lab))[0] == 0
    filled(lab)
    status, out, _ = clm("check", str(lab), "--jobs", "1")
    assert (status, out.splitlines()[-1].startswith("7 pass; ")) == (0, True)
    filled(lab, off)
    status, out, _ = clm("check", str(lab), "--jobs", "1")
    assert (status, "clz uint: " in out, "clz(0)" in out) == (1, True, True)
    line = next(line for line in out.splitlines() if line.strip().startswith("clmath audit files:"))
    assert clm(*line.split()[1:])[0] == 1
