"""Signals: an audit saves finished cases, says how to resume, and ends all processes that it started."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the tests look processes up in /proc"),
]

LAB = """
    import ctypes, subprocess

    def three(name, x):
        return np.full_like(x, 3)

    def works(name, *args):
        open("works", "w").close()
        return right(name, *args)

    def hangs_in_c(name, x):
        open("works", "w").close()
        ctypes.PyDLL(None).sleep(600)

    def starts_and_hangs(name, x):
        subprocess.Popen(["sleep", "600"])
        ctypes.CDLL(None).sleep(600)

    def slow(name, *args):
        time.sleep(float(os.environ.get("SECONDS_A_BATCH", "0")))
        return right(name, *args)

    def waits(name, *args):
        while name == "trunc" and os.path.exists("wait"):
            time.sleep(0.05)
        return right(name, *args)
"""
QUICK = ["--functions", "floor,trunc", "--types", "float", "--inputs", "64", "--jobs", "1"]
WORKING = ["--functions", "sin,tgamma,pow", "--types", "double", "--inputs", "100000", "--jobs", "2"]
WORKING += ["--oracle", "mpfr"]
JUDGING = ["--functions", "tgamma", "--types", "float", "--inputs", "exhaustive", "--part", "1/2048"]
JUDGING += ["--oracle", "mpfr", "--jobs", "2", "--json", "report.json"]
SECONDS = 4.0  # allowed time until an audit ends; each chunk of JUDGING takes more than ten
STOPS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def children(process):
    """Return all descendants of a process from /proc; a task that has ended has none."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for child in map(int, task.read_text().split()):
                found += [child, *children(child)]
    return found


def stat(process):
    """Return the fields after the name in /proc/PID/stat, or none for a process that has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def seconds_of(process):
    """Return the processor time that a process has used."""
    fields = stat(process)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def ended(process):
    return stat(process)[:1] in ([], ["Z"], ["X"])


def until(condition, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert condition()


@pytest.fixture
def begin(lab):
    """Return a function that starts an audit; audits still running at the end are killed."""
    processes = []

    def begun(target, *words, **environment):
        command = [sys.executable, "-m", "clmath", "audit", f"{lab}:{target}", *words]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        process = subprocess.Popen(command, **pipes, start_new_session=True, env=os.environ | environment)
        processes.append(process)
        return process

    yield begun
    for process in processes:
        with process:
            process.kill()


@pytest.fixture
def no_nohup():
    """Restore the default action of SIGHUP in child processes, even if the tests run under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def is_at_work(process, words):
    """Whether all processes of an audit have started, and the target has been called."""
    return len(children(process.pid)) >= (5 if "2" in words else 2) and Path("works").exists()


def check_interrupted(process, family, end):
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert re.fullmatch(rf"clmath audit: interrupted after \d of \d cases; {end}\n", err)
    until(lambda: all(map(ended, family)), 10)


@pytest.mark.usefixtures("no_nohup")
@pytest.mark.parametrize(
    "target, words, stop",
    [
        ("hangs_in_c", QUICK, signal.SIGINT),
        *(pytest.param("hangs_in_c", QUICK, stop, marks=pytest.mark.slow) for stop in STOPS[1:]),
        pytest.param("works", WORKING, signal.SIGHUP, marks=pytest.mark.slow),  # other signals: during judging, below
    ],
)
def test_interrupt_prints_one_line_and_ends_all_processes(begin, target, words, stop):
    process = begin(target, *words)
    until(lambda: is_at_work(process, words))
    family = children(process.pid)
    if stop == signal.SIGINT:
        os.killpg(process.pid, stop)  # a terminal signals the audit and its workers
    else:
        process.send_signal(stop)
    check_interrupted(process, family, "with --json it can be resumed")


@pytest.mark.slow
@pytest.mark.parametrize("stop, signalled", [(signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill)])
def test_audit_does_not_wait_for_running_judges(begin, tmp_path, stop, signalled):
    process, report = begin("three", *JUDGING), tmp_path / "report.json"
    until(lambda: sum(map(seconds_of, [process.pid, *children(process.pid)])) > 5.0)
    family, since = children(process.pid), time.monotonic()
    signalled(process.pid, stop)
    check_interrupted(process, family, "report.json holds the finished ones: add --resume to go on")
    assert time.monotonic() - since < 2 * SECONDS
    assert json.loads(report.read_text())["complete"] is False
    assert {file.name for file in tmp_path.glob("report*")} == {report.name}


@pytest.mark.slow
@pytest.mark.parametrize(
    "target, words, count", [("works", WORKING, 5), ("hangs_in_c", QUICK, 2), ("starts_and_hangs", QUICK, 3)]
)
def test_processes_end_when_the_audit_is_killed(begin, target, words, count):
    process = begin(target, *words)
    until(lambda: len(children(process.pid)) >= count and (count == 3 or Path("works").exists()))
    family = children(process.pid)
    process.kill()
    process.communicate()
    until(lambda: all(map(ended, family)), 10)


@pytest.mark.slow
def test_killed_worker_is_not_an_internal_error(begin):
    """The system kills processes when memory runs out."""
    process = begin("works", *WORKING)
    workers = []

    def found():
        paths = [Path(f"/proc/{child}/cmdline") for child in children(process.pid)]
        workers[:] = [int(path.parent.name) for path in paths if b"spawn_main" in path.read_bytes()]
        return workers

    until(lambda: found() and is_at_work(process, WORKING))
    os.kill(workers[0], signal.SIGKILL)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    start = "clmath audit: a process that computes exact values was killed (fewer --jobs need less memory) after "
    assert err == f"{start}0 of 3 cases; with --json it can be resumed\n"


def test_interrupt_during_import_prints_one_line(tmp_path):
    """NumPy is being imported; half imported, it could turn an exception into another one."""
    (tmp_path / "numpy.py").write_text("import time\nprint('importing', flush=True)\ntime.sleep(600)\n")
    command = [sys.executable, "-c", "import sys, clmath.command; sys.exit(clmath.command.main())", "devices"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout.readline() == "importing\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (2, "", "clmath: interrupted\n")


SAVING = """
    import os, signal, sys, time
    from clmath.stopping import stoppable
    with stoppable():
        try:
            print("working", flush=True)
            time.sleep(600)
        except KeyboardInterrupt:
            os.kill(os.getpid(), signal.SIGINT)  # the same once more, as by timeout(1)
            print("saving", flush=True)
            time.sleep(600)
"""


@pytest.mark.usefixtures("no_nohup")
@pytest.mark.parametrize("stop", STOPS)
def test_second_signal_ends_a_command_at_once(stop):
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SAVING)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    for said in ("working\n", "saving\n"):
        assert process.stdout.readline() == said
        time.sleep(0.3)
        process.send_signal(stop)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (2, "clmath: interrupted\n")


def killed_once(process, condition):
    """Wait until the condition holds, and then kill the audit."""
    until(condition)
    process.kill()
    process.communicate()


@pytest.mark.slow
def test_killed_audit_is_resumed_with_the_same_report_and_all_times(begin, clm, tmp_path):
    """The report equals an uninterrupted one byte for byte; the log keeps the times of cases before the kill."""
    whole, cut, log, sheet = (tmp_path / name for name in ("whole.json", "cut.json", "cut.log", "cut.csv"))
    words = ["--functions", "floor,trunc,rint,ceil,fabs", *QUICK[2:]]
    clm("audit", "lab:slow", *words, "--json", whole)
    killed_once(
        begin("slow", *words, "--json", str(cut), "--log", str(log), SECONDS_A_BATCH="0.1"),
        lambda: log.exists() and '"row"' in log.read_text(),
    )
    killed = json.loads(cut.read_text())
    assert killed["complete"] is False
    assert 0 < len(killed["rows"]) < 5
    with log.open("a") as file:
        file.write('{"event": "row", "built-in"\n')  # an incomplete line, as after a kill
    assert clm("audit", "lab:slow", *words, "--json", cut, "--log", log, "--resume", "--csv", sheet)[0] == 0
    assert cut.read_bytes() == whole.read_bytes()
    assert not list(tmp_path.glob("*.part"))
    lines = sheet.read_text().splitlines()
    assert len(lines) == 6
    assert all(re.search(r",0,0,0,\d+\.\d{3},,lab:slow$", line) for line in lines[1:])
    again = tmp_path / "again.csv"
    assert clm("report", cut, "--log", log, "--csv", again)[0] == 0
    assert again.read_bytes() == sheet.read_bytes()
    assert clm("report", cut, "--csv", again)[0] == 0
    assert not re.search(r"\d\.\d{3},$", again.read_text(), re.MULTILINE)
    assert "--log no.log cannot be read" in clm("report", cut, "--log", "no.log")[2]


@pytest.mark.slow
def test_run_killed_at_its_second_target_is_resumed_with_the_same_report(begin, clm, tmp_path):
    path, words = tmp_path / "run.json", ["lab:right", "lab:waits", *QUICK, "--json", "run.json"]
    clm("audit", *words)
    whole = path.read_bytes()
    path.unlink()
    (tmp_path / "wait").touch()

    def complete():
        reports = json.loads(path.read_text())["reports"] if path.exists() else []
        return {one["subject"]["asked"]: one["complete"] for one in reports}

    killed_once(begin("right", *words[1:]), lambda: "lab:waits" in complete())
    (tmp_path / "wait").unlink()
    assert complete() == {"lab:right": True, "lab:waits": False}
    assert clm("audit", *words, "--resume")[0] == 0
    assert path.read_bytes() == whole


@pytest.mark.slow
def test_two_audits_cannot_write_one_report(refusal, begin, clm, tmp_path):
    path = tmp_path / "report.json"
    process = begin("slow", *QUICK, "--json", str(path), SECONDS_A_BATCH="50")
    until(path.exists)
    for option in ("--resume", "--force"):
        assert f"--json {path} is being written by another audit" in refusal(
            "audit", "lab:slow", *QUICK, "--json", path, option
        )
    process.kill()
    process.wait()
    assert clm("audit", "lab:slow", *QUICK, "--json", path, "--resume")[0] == 0
    assert not list(tmp_path.glob("*.lock"))
