"""Broken pipes, full disks and closed streams: failures of output never change or fake a verdict."""

import os
import subprocess
import sys

import pytest

WORDS = ["--functions", "floor,trunc", "--types", "float", "--inputs", "64", "--jobs", "1"]
AUDIT = [sys.executable, "-m", "clmath", "audit", "numpy", *WORDS]
FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")  # noqa: PTH110


@pytest.mark.slow
def test_closed_pipe_gives_status_2():
    out, sink = os.pipe()
    os.close(out)
    found = subprocess.run(AUDIT, stdout=sink, stderr=subprocess.PIPE, text=True, check=False)
    os.close(sink)
    assert (found.returncode, found.stderr) == (2, "")


@pytest.mark.slow
@FULL
@pytest.mark.parametrize("words", [AUDIT[3:], ["eval", "add", "1", "2"]], ids=["audit", "eval"])
def test_unwritable_output_gives_status_2_and_a_message(words):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        found = subprocess.run([*AUDIT[:3], *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr == f"clmath {words[0]}: standard output cannot be written: No space left on device\n"


@pytest.mark.slow
@FULL
def test_unwritable_error_message_gives_status_2():
    with open("/dev/full", "w") as full:  # noqa: PTH123
        found = subprocess.run([*AUDIT, "--json", ""], stdout=subprocess.PIPE, stderr=full, check=False)
    assert (found.returncode, found.stdout) == (2, b"")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such limits")
@pytest.mark.parametrize("option", ["--json", "--html"])
def test_full_disk_is_named_as_the_cause(tmp_path, option):
    """The remedy used to be a writable folder, which was misleading."""
    path = tmp_path / "file"
    script = f'ulimit -f 1; exec "$@" {option} {path}'
    found = subprocess.run(["bash", "-c", script, "sh", *AUDIT], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr == (
        f"clmath audit: {option} {path} cannot be written: File too large; make room, or name a file on another disk\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "closed",
    [
        *(pytest.param(streams, marks=pytest.mark.slow) for streams in (">&-", "<&- >&- 2>&-")),
        *(pytest.param(streams, marks=pytest.mark.exhaustive) for streams in ("<&-", "2>&-")),
    ],
)
def test_closed_standard_streams_do_not_change_the_audit(closed, tmp_path):
    """The next socket or file could get their descriptors, and be closed or written to by mistake."""
    path = tmp_path / "report.json"
    found = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *AUDIT, "--jobs", "2", "--json", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert ("conforms" in found.stdout) is (">&-" not in closed.replace("2>&-", ""))
    assert '"complete": true' in path.read_text()
