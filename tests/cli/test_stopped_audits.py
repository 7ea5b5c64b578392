"""Ctrl-C, SIGTERM and their repetition: an audit saves what is finished, says how to go on, and ends at once."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the tests look processes up in /proc")

INT, TERM = signal.SIGINT, signal.SIGTERM
SUBJECT = "import numpy as np\ndef three(name, x):\n    return np.full_like(x, 3)\n"
SLOW = ["lab:three", "--functions", "tgamma", "--types", "float"]
SLOW += ["--inputs", "exhaustive", "--part", "1/2048", "--oracle", "mpfr"]
SECONDS = 4.0  # that an audit may take to end; either piece of SLOW is judged for more than ten


def descendants(process):
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *descendants(child)]
    return found


def stat(process):
    """What the system says of a process behind its name; nothing where it is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def seconds_of(process):
    """The processor time that a process has taken."""
    fields = stat(process)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def is_there(process):
    fields = stat(process)
    return bool(fields) and fields[0] not in "ZX"


def until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert condition()


@pytest.fixture
def begun(tmp_path):
    """Begins an audit, and waits until it judges; what is left of it at the end is killed."""
    (tmp_path / "lab.py").write_text(SUBJECT)
    processes = []

    def begin(jobs):
        words = [*SLOW, "--jobs", str(jobs), "--json", str(tmp_path / "report.json")]
        command = [sys.executable, "-m", "clmath", "audit", *words]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        process = subprocess.Popen(command, **pipes, cwd=tmp_path, start_new_session=True)
        processes.append(process)

        def family():
            return [process.pid, *descendants(process.pid)]

        until(lambda: sum(map(seconds_of, family())) > 5.0, 60)
        return process, family()

    yield begin
    for process in processes:
        with process:
            process.kill()


@pytest.mark.parametrize(
    "stop, signalled, jobs",
    [(signal.SIGINT, os.killpg, 1), (signal.SIGINT, os.killpg, 2), (signal.SIGTERM, os.kill, 2)],
)
def test_an_audit_does_not_wait_for_what_is_being_judged(begun, tmp_path, jobs, stop, signalled):
    process, family = begun(jobs)
    since, report = time.monotonic(), tmp_path / "report.json"
    signalled(process.pid, stop)
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - since < SECONDS
    assert (process.returncode, out) == (2, "")
    remedy = f"{report} holds the finished ones: add --resume to go on"
    assert err == f"clmath audit: interrupted after 0 of 1 rows; {remedy}\n"
    until(lambda: not any(map(is_there, family)), SECONDS)
    assert json.loads(report.read_text())["complete"] is False
    assert {file.name for file in tmp_path.glob("report*")} == {report.name}


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
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_second_time_a_command_ends_at_once(stop):
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SAVING)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    for said in ("working\n", "saving\n"):
        assert process.stdout.readline() == said
        time.sleep(0.3)
        process.send_signal(stop)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (2, "clmath: interrupted\n")
