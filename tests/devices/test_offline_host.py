"""Host program of offline runs: plain C99 without OpenCL headers; its results are judged as in a live audit."""

import json
import os
import shutil
import subprocess

import pytest

from clmath.audit.offline.folder import Folder

CC = shutil.which("cc")
pytestmark = [
    pytest.mark.skipif(CC is None or os.name != "posix", reason="there is no C compiler called cc"),
    pytest.mark.timeout(400),  # the first test compiles programs, which takes long
]
STRICT = [CC, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
NAMES = "exp,sincos,pown,ilogb,nan,lgamma_r"
FEW = "sincos,ilogb,cross"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return written(tmp_path_factory.mktemp("host") / "lab", NAMES)


def written(folder, names):
    """Write the folder of an offline run and return it."""
    from clmath.cli import main

    assert main(["inputs", "--functions", names, "--inputs", "300", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def where(opencl_numbers):
    platform, device = opencl_numbers
    return ["--platform", platform, "--device", device]


@pytest.fixture(scope="module")
def run(lab, where, host):
    status, out, err = host(lab, *where)
    assert (status, err) == (0, "")
    assert out.endswith("let 'clmath check' judge it\n")
    return where


@pytest.mark.slow
def test_host_refuses_unknown_options(lab, host):
    status, _, err = host(lab, "--fast")
    assert (status, err.startswith("host: --fast: is not understood; the options are ")) == (2, True)


@pytest.mark.slow
def test_verdicts_equal_a_live_audit(where, host, opencl_device, tmp_path):
    lab = written(tmp_path / "lab", FEW)
    assert host(lab, *where)[0] == 0
    judged_as_live(lab, FEW, where, host, opencl_device, tmp_path)


@pytest.mark.exhaustive
def test_verdicts_on_more_built_ins_equal_a_live_audit(lab, run, host, opencl_device, tmp_path):
    judged_as_live(lab, NAMES, run, host, opencl_device, tmp_path)


def judged_as_live(lab, names, run, host, opencl_device, tmp_path):  # noqa: PLR0917
    """Compare a complete offline run, with the local search near the worst inputs, with a live audit."""
    from clmath.audit.isolation.isolated import Isolated
    from clmath.audit.plan.plan import Plan
    from clmath.audit.records import record
    from clmath.audit.running.run import audit
    from clmath.cli import main

    report, second = tmp_path / "report.json", tmp_path / "second"
    assert main(["check", str(lab), "--local-search", str(second), "--jobs", "1"]) in {0, 1}
    assert host(second, *run)[0] == 0
    assert main(["check", str(lab), str(second), "--json", str(report), "--jobs", "1"]) in {0, 1}
    found = json.loads(report.read_text())
    with Isolated(opencl_device) as live:
        plan = Plan.of(names.split(","), live.formats(), inputs=300, jobs=1)
        rows = [json.loads(json.dumps(record.written(v))) for v in audit(plan, live)]
        facts = live.describe()
    assert [row["built-in"] for row in found["rows"]] == [row["built-in"] for row in rows]
    for row, other in zip(rows, found["rows"], strict=True):
        assert row.items() <= other.items()
    same = ("device", "driver", "profile", "language", "compiled as", "extensions", "build options", "float config")
    assert {name: found["subject"][name] for name in same} == {name: facts[name] for name in same}


@pytest.mark.slow
def test_verdicts_on_a_c_library_equal_a_live_audit(lab, tmp_path, clm):
    from clmath.audit.isolation.choosing import target_named
    from clmath.audit.plan.plan import Plan
    from clmath.audit.records import record
    from clmath.audit.running.run import audit

    other = shutil.copytree(lab, tmp_path / "lab")
    shutil.rmtree(other / "results")
    (other / "results").mkdir()
    flags = ["-O1", "-fno-builtin", "-DHAVE_lgamma_r", "-o", other / "library", other / "library.c", "-lm"]
    subprocess.run([*STRICT, *flags], check=True)
    done = subprocess.run([other / "library", "--name", "mine"], cwd=other, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (other / "results/sincos_float.txt").read_text().startswith("absent\n")
    report = tmp_path / "report.json"
    status, out, _ = clm("check", str(other), "--json", report, "--jobs", "1")
    assert (status in {0, 1}, f"cases of {other} are absent: " in out) == (True, True)
    found = json.loads(report.read_text())
    live = Plan.of(["exp", "ilogb", "lgamma_r"], ["float", "double"], inputs=300, local_search=False, jobs=1)
    rows = [json.loads(json.dumps(record.written(v))) for v in audit(live, target_named("libm"))]
    assert [row.items() <= other.items() for row, other in zip(rows, found["rows"], strict=True)] == [True] * 6
    assert found["subject"]["device"] == "mine"
    assert "DENORM" in found["subject"]["float config"]


@pytest.mark.slow
def test_host_runs_only_unfinished_rows_that_did_not_hang(lab, run, host):
    before = {path: path.stat().st_mtime_ns for path in (lab / "results").glob("*.0")}
    (lab / "results/exp_float.txt").write_text("begun 2\n")
    (lab / "results/pown_float.txt").write_text("begun 1\n")
    status, out, _ = host(lab, *run)
    assert status == 0
    assert "exp_float: not tried again: it did not end before (--again)\n" in out
    assert "pown_float: done\n" in out
    after = {path.name for path, time in before.items() if path.stat().st_mtime_ns != time}
    assert after == {"pown_float.0"}
    status, out, _ = host(lab, *run, "--again")
    assert "exp_float: done\n" in out


@pytest.fixture(scope="module")
def small_lab(tmp_path_factory, where, host):
    """Folder of two built-ins with results."""
    from clmath.cli import main

    folder = tmp_path_factory.mktemp("small") / "lab"
    assert main(["inputs", "--functions", "exp,nan", "--types", "float", "--inputs", "300", "--out", str(folder)]) == 0
    assert host(folder, *where)[0] == 0
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["missing", "damaged", "cut off", "of another row"])
def test_lost_or_damaged_results_are_computed_again(small_lab, where, host, tmp_path, fault):
    """The host computes them although the row is marked as done, as 'clmath check' promises."""
    other = shutil.copytree(small_lab, tmp_path / "lab")
    file = other / "results/nan_float.0"
    whole = file.read_bytes()
    if fault == "missing":
        file.unlink()
    elif fault == "of another row":  # with its checksums
        for name in ("0", "txt"):
            shutil.copyfile(other / f"results/exp_float.{name}", other / f"results/nan_float.{name}")
    else:
        file.write_bytes(whole[:-1] + b"\x55" * (fault == "damaged"))
    status, out, _ = host(other, *where)
    lines = [line.removeprefix("nan_float: ") for line in out.splitlines() if line.startswith("nan_float: ")]
    lost = "its results are missing, or not those that were written: it is run again"
    assert (status, lines, file.read_bytes()) == (0, [lost, "done"], whole)
    assert ": done" not in host(other, *where)[1]


@pytest.mark.slow
def test_host_refuses_a_folder_of_another_device(lab, run, host):
    status, _, err = host(lab, *run, "--build-options", "-cl-mad-enable")
    assert (status, "results of another device or of other options" in err) == (2, True)


@pytest.mark.slow
def test_kernel_that_does_not_compile_costs_only_its_row(lab, run, host, with_other_kernels, clm):
    other = shutil.copytree(lab, lab.with_name("other"))
    with_other_kernels(other, "= ilogb(", "= no_such_function(")
    for name in ("ilogb_float.txt", "ilogb_float.0"):
        (other / "results" / name).unlink()
    status, out, _ = host(other, *run)
    assert (status, "ilogb_float: the kernel does not compile: " in out) == (0, True)
    status, out, _ = clm("check", str(other), "--jobs", "1")
    assert "not judged: ilogb float: ilogb_float: the kernel does not compile: " in out


@pytest.mark.slow
def test_damaged_inputs_are_refused(lab, run, host, tmp_path):
    other = shutil.copytree(lab, tmp_path / "lab")
    file = other / Folder.read(other, "test").rows["nan_float"].arguments[0].file
    file.write_bytes(file.read_bytes()[:-1] + b"\x55")
    (other / "results/nan_float.txt").unlink()
    status, _, err = host(other, *run)
    assert (status, "was changed or damaged on its way" in err, "nan_float.0" in err) == (2, True, True)
