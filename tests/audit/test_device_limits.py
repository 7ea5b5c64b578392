"""Commands and devices that crash, hang or take memory without end: each is ended at a limit, and it is said how."""

import os
import sys
import time

import pytest

from clmath.audit.isolation import limits
from clmath.audit.isolation.limits import Limits, Watch, gigabytes, run_limited
from tests.cases import for_each

MIB = 1 << 20
POSIX = pytest.mark.skipif(os.name != "posix", reason="process groups and signals are of POSIX")
GREEDY = (
    "import time; kept = [bytearray(b'x') * (8 << 20) for _ in range(200) if not time.sleep(0.002)]; time.sleep(60)"
)


def ended(source, **limits):
    return run_limited([sys.executable, "-c", source], **limits)


@POSIX
class TestRunLimited:
    def test_success_has_no_trouble(self):
        assert ended("pass", seconds=60, memory=1 << 30) == (0, "")

    def test_exit_status_is_returned(self):
        assert ended("raise SystemExit(3)") == (3, "")

    def test_crash_names_the_signal(self):
        assert ended("import ctypes; ctypes.string_at(0)") == (-11, "crashed (signal 11)")

    def test_hang_is_ended(self):
        begun = time.monotonic()
        assert ended("import time; time.sleep(60)", seconds=0.5) == (-9, "took longer than 0.5 s")
        assert time.monotonic() - begun < 20

    def test_greedy_command_is_ended(self):
        assert ended(GREEDY, memory=150 * MIB) == (-9, "took more than 0.1 GB")

    def test_memory_of_all_processes_counts(self):
        source = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {GREEDY!r}])"
        assert ended(source, memory=150 * MIB) == (-9, "took more than 0.1 GB")

    def test_processes_left_behind_are_killed(self, tmp_path):
        left = tmp_path / "left"
        late = f"import time; time.sleep(1); open({str(left)!r}, 'w')"
        assert ended(f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {late!r}])") == (0, "")
        time.sleep(1.5)
        assert not left.exists()

    def test_options_are_passed_on(self, tmp_path):
        with (tmp_path / "out").open("wb") as out:
            run_limited([sys.executable, "-c", "import os; print(os.getcwd())"], cwd=tmp_path, stdout=out)
        assert (tmp_path / "out").read_text().strip() == str(tmp_path)


@POSIX
class TestWatch:
    def test_processor_time_is_limited(self):
        watch = Watch(os.getpgid(0), Limits(processor=0.2))
        until = time.monotonic() + 30
        while not (found := watch.exceeded()) and time.monotonic() < until:
            sum(range(10000))
        assert found == "took more than 0.2 s of processor time"

    def test_proc_and_ps_agree(self):
        group = os.getpgid(0)
        for memory, other in zip(limits._in_proc(group), limits._by_ps(group), strict=False):
            assert memory.memory == pytest.approx(other.memory, rel=0.5)

    @for_each("clock, seconds", [("0:01", 1), ("1:02.50", 62.5), ("01:00:00", 3600), ("2-01:00:00", 176400)])
    def test_time_of_ps(self, clock, seconds):
        assert limits._seconds(clock) == seconds


def test_gigabytes():
    assert gigabytes(4 << 30) == "4.0 GB"


def test_default_is_a_quarter_of_the_machine_at_most_four_gigabytes(monkeypatch):
    sizes = {"SC_PHYS_PAGES": 1 << 20, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(os, "sysconf", sizes.__getitem__)
    assert limits.default_memory() == 1 << 30
    sizes["SC_PHYS_PAGES"] <<= 4
    assert limits.default_memory() == 4 << 30
