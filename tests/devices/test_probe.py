"""Devices that cannot compile, crash or hang are skipped with a line each; another device or libm is audited."""

import contextlib
import gc
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from clmath.audit.opencl import drivers, probe

FAST = ["--functions", "fabs", "--types", "float", "--inputs", "16", "--jobs", "1"]
REMEDY = "; run: apt install pocl-opencl-icd, or pip install 'clmath[intel]'"


@pytest.fixture
def fake(monkeypatch):
    """Function that replaces pyopencl, here and in child processes, by a fake with the given platforms."""

    def platforms(*kinds):
        monkeypatch.setenv("FAKE_OPENCL", ",".join(kinds))

    monkeypatch.delitem(sys.modules, "pyopencl", raising=False)
    monkeypatch.syspath_prepend(Path(__file__).parent / "fake")
    monkeypatch.setattr(probe, "SECONDS", 60.0)
    monkeypatch.setattr(probe.sys, "platform", "linux")
    monkeypatch.setattr(probe.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(drivers, "folders", tuple)
    monkeypatch.setattr(drivers, "intel", lambda: None)
    yield platforms
    sys.modules.pop("pyopencl", None)


@pytest.fixture
def no_waiting(monkeypatch, tmp_path):
    """Let the time limit of a child expire as soon as its driver hangs, however busy the machine is."""
    folder = tmp_path / "hanging"
    folder.mkdir()
    monkeypatch.setenv("FAKE_HANGS", str(folder))

    class Hasty(subprocess.Popen):
        def wait(self, timeout=None):
            deadline = time.monotonic() + (math.inf if timeout is None else timeout)
            while time.monotonic() < deadline:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    return super().wait(0.05)
                with contextlib.suppress(FileNotFoundError):
                    (folder / str(self.pid)).unlink()
                    break
            raise subprocess.TimeoutExpired(self.args, timeout)

    monkeypatch.setattr(probe.subprocess, "Popen", Hasty)


WHY = {
    "cannot compile": "the kernel does not compile: error: unknown target CPU 'generic'",
    "cannot be opened": "the device cannot be opened: clCreateContext failed: OUT_OF_RESOURCES",
    "crashes": "its driver crashes (SIGABRT): LLVM ERROR: [31mno such subtarget",
    "exits": "its driver ends the process (exit status 0)",
}


def test_killed_child_is_kept_until_it_has_ended(monkeypatch):
    """On a busy machine a killed process ends late; Python warns if its object is deleted before."""
    monkeypatch.setattr(probe, "SECONDS", 0.0)
    monkeypatch.setattr(probe, "DYING", 0.0)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert "hangs" in probe._ask("platforms")["trouble"]
        gc.collect()
    assert [w for w in warned if w.category is ResourceWarning] == []
    left = list(probe._DYING)
    assert len(left) == 1
    left[0].wait(60)
    assert probe._answers([]) == []
    assert not probe._DYING


NAMES = dict(zip(WHY, ("compile", "be", "crashes", "exits"), strict=True))  # unique parts of platforms' names


def passed_over(kind):
    """Return the line of an audit about a device that fails in this way."""
    words = kind.split()[0]
    return f"passed over: opencl:{NAMES[kind]}:31m{words} (Fake {kind}: the device [31m{kind}): {WHY[kind]}{REMEDY}"


@pytest.mark.slow
def test_audit_passes_over_failing_devices_and_takes_a_working_one(fake, clm, tmp_path):
    fake(*WHY, "works")
    path = tmp_path / "report.json"
    status, out, err = clm("audit", *FAST, "--json", path)
    assert (status, err) == (0, "")
    *lines, audited = [line for line in out.splitlines() if "a driver that prints" not in line][: len(WHY) + 1]
    assert lines == [passed_over(kind) for kind in WHY]
    assert audited.startswith("Fake works: the device")
    chosen = json.loads(path.read_text())["subject"]["chosen"]
    assert all(line in chosen for line in lines)


@pytest.mark.slow
def test_all_working_devices_are_audited(fake, clm, tmp_path):
    fake("works", "crashes", "works", "cannot compile")
    path = tmp_path / "report.json"
    status, out, err = clm("audit", "opencl:all", *FAST, "--json", path)
    assert (status, err) == (2, "")
    found = json.loads(path.read_text())
    works = ["opencl:works:31mworks", "opencl:works:31mworks#2"]
    fail = ["opencl:crashes:31mcrashes", "opencl:cannot:31mcannot"]
    assert found["subjects"] == [works[0], fail[0], works[1], fail[1]]
    assert [one["subject"]["asked"] for one in found["reports"]] == works
    assert all(one["complete"] for one in found["reports"])
    assert list(found["not audited"]) == fail
    assert WHY["cannot compile"] in found["not audited"][fail[1]]
    assert out.splitlines()[-1] == "4 targets: conforms 2, could not be audited 2"
    assert clm("audit", "opencl:2:all", *FAST)[1].splitlines()[-1] == "1 target: conforms 1"


@pytest.mark.slow
@pytest.mark.usefixtures("no_waiting")
def test_hanging_device_is_reported_after_the_time_limit(fake):
    fake("hangs", "works")
    hangs, works = probe.by_preference()
    assert str(hangs) == "opencl:hangs:31mhangs (Fake hangs: the device [31mhangs)"
    assert hangs.trouble == f"its driver hangs: no answer in 60 seconds{REMEDY}"
    assert not works.trouble


@pytest.mark.slow
def test_c_library_is_audited_if_no_device_works(fake, clm, tmp_path):
    fake(*WHY)
    path = tmp_path / "report.json"
    status, out, err = clm("audit", *FAST, "--json", path)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "no OpenCL device works: the C library of the host (libm) is audited"
    assert [line for line in lines if line.startswith("passed over")] == list(map(passed_over, WHY))
    assert lines[-1].endswith("conforms")
    target = json.loads(path.read_text())["subject"]
    assert target["name"] == "libm"
    assert target["chosen"].startswith("no OpenCL device works: the C library")


@pytest.mark.parametrize(
    "kinds, why",
    [
        ([], "passed over: opencl: no OpenCL device is installed; run: pip install 'clmath[opencl]' (with PoCL), or "),
        (["has no device"], "passed over: opencl: no OpenCL device is installed; run: pip install 'clmath[opencl]'"),
        (["crashes when loaded"], f"passed over: opencl: its driver crashes (SIGABRT){REMEDY}"),
        (["crashes when asked"], f"opencl:0 (Fake crashes when asked): its driver crashes (SIGSEGV){REMEDY}"),
        (["cannot be imported"], "passed over: opencl: its driver fails: ImportError: libOpenCL.so.1: cannot open"),
    ],
)
def test_reason_for_an_empty_list_of_devices_is_printed(fake, clm, kinds, why):
    fake(*kinds)
    status, out, err = clm("audit", *FAST)
    assert (status, err) == (0, "")
    assert out.startswith("no OpenCL device works: the C library of the host (libm) is audited\n")
    assert why in out.splitlines()[1]


def test_c_library_is_audited_without_pyopencl(monkeypatch, tmp_path, clm):
    (tmp_path / "pyopencl.py").write_text("raise ImportError\n")
    monkeypatch.syspath_prepend(tmp_path)
    status, out, err = clm("audit", *FAST)
    assert (status, err) == (0, "")
    why = "pyopencl is not installed; run: pip install 'clmath[opencl]'"
    assert out.splitlines()[1] == f"passed over: opencl: {why}"
    assert clm("audit", "opencl:0", *FAST) == (2, "", f"clmath audit: {why}\n")
    assert clm("devices")[1].startswith(f"opencl\n    does not work: {why}\nnumpy\n")


@pytest.mark.slow
def test_platforms_are_listed_despite_a_crashing_one(fake):
    fake("crashes when asked", "has no device", "works")
    crashes, works = probe.by_preference()
    assert str(crashes) == "opencl:0 (Fake crashes when asked)"
    assert crashes.trouble.startswith("its driver crashes (SIGSEGV)")
    assert (works.title.startswith("Fake works: the device"), works.trouble) == (True, "")


@pytest.fixture
def folder(fake, monkeypatch, tmp_path):
    """Function that puts drivers into the folder in which the loader finds them."""
    fake("of the folder")
    monkeypatch.setenv("OCL_ICD_VENDORS", str(tmp_path / "vendors"))
    monkeypatch.setenv(drivers.ONLY, "")  # so that the fixture restores it
    monkeypatch.delenv(drivers.ONLY)

    def put(*kinds):
        (tmp_path / "vendors").mkdir()
        for number, kind in enumerate(kinds):
            (tmp_path / "vendors" / f"{number}.icd").write_text(f"{kind}\n")

    return put


@pytest.mark.slow
@pytest.mark.usefixtures("no_waiting")
def test_platforms_are_listed_despite_a_driver_that_crashes_when_loaded(folder):
    folder("hangs when loaded", "works", "crashes when loaded")
    *left_out, works = probe.by_preference()
    assert [f"{one}: {one.trouble}" for one in left_out] == [
        f"opencl (hangs when loaded): its driver hangs: no answer in 60 seconds{REMEDY}",
        f"opencl (crashes when loaded): its driver crashes (SIGABRT){REMEDY}",
    ]
    assert (works.title.startswith("Fake works: the device"), works.trouble) == (True, "")


@pytest.mark.slow
def test_devices_are_listed_and_audited_despite_a_crashing_driver(folder, clm, refusal):
    folder("crashes when loaded", "has no device", "works")
    _, out, _ = clm("devices")
    why = f"opencl\n    crashes when loaded\n    does not work: its driver crashes (SIGABRT){REMEDY}\n"
    assert f"{why}opencl:works:31mworks\n" in out
    assert "    works: a kernel was built and run" in out
    status, out, err = clm("audit", "opencl:1", *FAST)
    assert (status, err) == (0, "")
    assert "Fake works: the device" in out
    assert "audit: no OpenCL platform '2'; there is 0 (Fake has no device), 1" in refusal("audit", "opencl:2", *FAST)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="the driver is compiled with cc")
def test_real_loader_lists_devices_despite_a_crashing_library(opencl_device, monkeypatch, tmp_path):
    library, source = tmp_path / "libcrash.so", tmp_path / "crash.c"
    source.write_text("#include <stdlib.h>\n__attribute__((constructor)) static void crash(void) { abort(); }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    vendors = tmp_path / "vendors"
    vendors.mkdir()
    for number, name in enumerate((*drivers.installed(), library)):
        (vendors / f"{number}.icd").write_text(f"{name}\n")
    monkeypatch.setenv("OCL_ICD_VENDORS", str(vendors))
    monkeypatch.setenv(drivers.ONLY, "")
    monkeypatch.delenv(drivers.ONLY)
    left_out, *others = probe.listed()
    assert str(left_out) == f"opencl ({library})"
    assert left_out.trouble.startswith("its driver crashes (SIGABRT)")
    assert opencl_device
    assert others
    assert not any(one.trouble for one in others)


@pytest.mark.slow
def test_pocl_is_preferred_least(fake):
    fake("pocl", "crashes")
    crashes, pocl = probe.by_preference()
    assert str(crashes).startswith("opencl:fake:31mcrashes (Fake crashes")
    assert (pocl.title.startswith("Portable Computing Language: the device"), pocl.trouble) == (True, "")


@pytest.mark.slow
def test_named_device_that_does_not_work_is_an_error(fake, refusal):
    fake("cannot compile", "works", "crashes")
    cannot = "opencl:cannot:31mcannot (Fake cannot compile: the device [31mcannot compile)"
    named = {
        "opencl:fake cannot:the device": (cannot, "cannot compile"),
        "opencl:crashes": ("opencl:crashes", "crashes"),
    }
    for name, (device, kind) in named.items():
        err = refusal("audit", name, "--functions", "fabs")
        assert err == f"clmath audit: {device} does not work: {WHY[kind]}{REMEDY}\n"


@pytest.mark.parametrize(
    "name, text",
    [
        ("opencl:Nvidia", "no OpenCL platform 'Nvidia'; there is 0 (Fake works), 1 (Fake has no device), by number or"),
        (
            "opencl:7",
            "no OpenCL platform '7'; there is 0 (Fake works), 1 (Fake has no device), by number or part of the",
        ),
        (
            "opencl:works:gpu",
            "no OpenCL device 'gpu'; there is 0 (the device [31mworks), by number or part of the name",
        ),
        ("opencl:0:1", "no OpenCL device '1'; there is 0 (the device [31mworks), by number or part of the name"),
        ("opencl:1", "the OpenCL platform '1' has no device; see 'clmath devices'"),
    ],
)
def test_unknown_device_is_refused(fake, refusal, name, text):
    fake("works", "has no device")
    err = refusal("audit", name, *FAST)
    assert err.startswith(f"clmath audit: {text}")


@pytest.mark.slow
def test_opencl_by_name_fails_if_no_device_works(fake, refusal):
    fake("cannot compile")
    err = refusal("audit", "opencl", *FAST)
    assert err.startswith(
        "clmath audit: no OpenCL device works; passed over: opencl:fake:31mcannot (Fake cannot compile"
    )


@pytest.mark.slow
def test_type_that_does_not_compile_is_reported_as_not_judged(fake, clm):
    fake("cannot compile double")
    status, out, _ = clm("audit", *FAST[:2], *FAST[4:])
    assert status == 2
    why = "the kernel does not compile: error: unknown target CPU 'generic'"
    assert (
        f"(Fake cannot compile double: the device [31mcannot compile double): no kernel for double works: {why}" in out
    )
    assert "1 pass, 1 not judged" in out


@pytest.mark.slow
def test_devices_command_shows_whether_each_works(fake, clm):
    fake(*WHY, "works", "cannot compile double", "has no device")
    status, out, err = clm("devices")
    assert (status, err) == (0, "")
    blocks = [block for block in re.split(r"^(?=\S)", out, flags=re.MULTILINE) if block]
    entries = {**{block.split("\n")[0]: block for block in blocks}, **dict(enumerate(blocks))}
    for number, why in enumerate(WHY.values()):
        assert f"    does not work: {why}{REMEDY}" in entries[number]
    assert "    works: a kernel was built and run" in entries["opencl:works:31mworks"]
    assert "    now also: opencl:4:0\n" in entries["opencl:works:31mworks"]
    assert entries["opencl:works:31mworks"] is entries[4]
    assert "    types: float, rte, subnormals kept; double, rte, subnormals kept" in entries[4]
    assert "    double does not work: the kernel does not compile: error" in entries[5]
    assert {"numpy", "libm", "clmath"} <= set(entries)
    assert "\x1b" not in out


@pytest.mark.slow
def test_remedy_names_a_driver_that_is_available_and_not_installed(fake, clm, monkeypatch, tmp_path):
    fake("cannot compile")
    monkeypatch.setattr(probe.platform, "machine", lambda: "aarch64")
    assert clm("audit", "opencl:0", *FAST)[2].endswith("'generic'; run: apt install pocl-opencl-icd\n")
    monkeypatch.setattr(probe.platform, "machine", lambda: "x86_64")
    (tmp_path / "pocl.icd").write_text("libpocl.so\n")
    monkeypatch.setattr(drivers, "folders", lambda: (tmp_path,))
    assert probe._remedy() == "run: pip install 'clmath[intel]'"
    monkeypatch.setattr(drivers, "intel", lambda: tmp_path)
    assert probe._remedy() == "install a newer driver"
    monkeypatch.setattr(drivers, "intel", lambda: tmp_path / "my documents")
    remedy = "Intel's runtime needs a folder without spaces in its path: make the environment there, or install a newer"
    assert probe._remedy().startswith(remedy)


@pytest.mark.slow
def test_no_process_is_left_running(fake, monkeypatch):
    def with_little_time(one):  # only for the trial, which hangs, not for listing
        monkeypatch.setattr(probe, "SECONDS", 1.0)
        return question(one)

    fake("hangs")
    question, started = probe._question, []
    monkeypatch.setattr(probe, "_question", with_little_time)
    popen = probe.subprocess.Popen
    monkeypatch.setattr(probe.subprocess, "Popen", lambda *a, **k: started.append(popen(*a, **k)) or started[-1])
    assert probe.everything()[0].trouble == f"its driver hangs: no answer in 1 seconds{REMEDY}"
    assert len(started) == 3
    for process in started:
        with pytest.raises(ProcessLookupError):
            os.kill(process.pid, 0)


@pytest.mark.slow
def test_trial_does_not_use_cached_kernels(fake, monkeypatch, tmp_path):
    fake("works")
    monkeypatch.setenv("POCL_CACHE_DIR", str(tmp_path))
    (one,) = probe.everything()
    cache = Path(one.facts["driver"])
    assert cache != tmp_path
    assert not cache.exists()
    assert os.environ["POCL_CACHE_DIR"] == str(tmp_path)


@pytest.mark.slow
def test_crashed_child_leaves_no_file(fake, monkeypatch, tmp_path):
    monkeypatch.setattr(probe.tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    fake("writes a file and crashes")
    assert probe.everything()[0].trouble.startswith("its driver crashes (SIGABRT)")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the test looks processes up in /proc")
@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGTERM])
def test_hanging_driver_ends_when_the_command_is_killed(tmp_path, stop):
    """Batch systems, or impatient users, kill commands."""
    folder = str(Path(__file__).parent / "fake")
    environment = {**os.environ, "FAKE_OPENCL": "hangs", "PYTHONPATH": folder, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-m", "clmath", "devices"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    hanging = until(lambda: [pid for pid in listed.read_text().split() if b"\0device\0" in command_of(pid)])
    process.send_signal(stop)
    _, err = process.communicate(timeout=30)
    expected = (2, b"clmath devices: interrupted\n") if stop == signal.SIGTERM else (-stop, b"")
    assert (process.returncode, err) == expected
    until(lambda: not any(command_of(pid) for pid in hanging))
    if stop == signal.SIGTERM:
        assert not list(tmp_path.iterdir())


def command_of(pid):
    """Return the command line of a process, or nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert found
    return found


@pytest.mark.slow
def test_driver_that_drops_programs_before_their_kernels_is_audited(fake, clm):
    """Intel's driver does so from 2026 on; the handle of a program has to be kept with its kernels."""
    fake("works")
    status, out, err = clm("audit", *FAST[:2], *FAST[4:])
    assert (status, err) == (0, "")
    assert "2 pass; " in out


@pytest.mark.slow
def test_device_that_computes_nonsense_does_not_work(fake):
    fake("computes nonsense")
    (one,) = probe.by_preference()
    assert str(one).startswith("opencl:fake:31mcomputes (Fake computes nonsense: the device")
    assert one.trouble == f"fabs of (-2.0, -0.5, 0.0, 1.5) returned (-2.0, -0.5, 0.0, 1.5){REMEDY}"
