"""Devices that crash, hang or use unlimited memory: each is ended at a limit, and the report says which."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from clmath.audit.isolation import isolated, limits
from clmath.audit.isolation.isolated import Isolated
from clmath.audit.isolation.limits import Limits, Watch, gigabytes
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from tests.cases import for_each

MIB = 1 << 20
POSIX = pytest.mark.skipif(os.name != "posix", reason="process groups and signals are of POSIX")
FAKE = Path(__file__).parents[1] / "devices" / "fake" / "pyopencl.py"
NAMES = ["ceil", "floor", "trunc", "fabs"]
GREEDY = (
    "import time; kept = [bytearray(b'x') * (8 << 20) for _ in range(200) if not time.sleep(0.002)]; time.sleep(60)"
)


@POSIX
class TestWatch:
    def test_memory_of_all_processes_counts(self):
        source = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {GREEDY!r}])"
        process = subprocess.Popen([sys.executable, "-c", source], start_new_session=True)
        watch = Watch(process.pid, Limits(seconds=60, memory=150 * MIB))
        try:
            while not (found := watch.exceeded()):
                time.sleep(0.05)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        assert found == "took more than 0.1 GB"

    def test_processor_time_is_limited(self):
        watch = Watch(os.getpgid(0), Limits(processor=0.2))
        until = time.monotonic() + 60
        while not (found := watch.exceeded()) and time.monotonic() < until:
            sum(range(10000))
        assert found == "took more than 0.2 s of processor time"

    def test_begin_starts_anew(self):
        watch = Watch(os.getpgid(0), Limits(seconds=0.0))
        assert watch.exceeded() == "took longer than 0 s"
        watch.begin(Limits(seconds=60.0))
        assert watch.exceeded() == ""

    def test_proc_and_ps_agree(self):
        by_ps = sum(memory for _, memory in limits._by_ps(os.getpgid(0)))
        assert limits._used(os.getpgid(0))[1] == pytest.approx(by_ps, rel=0.5)

    @for_each("clock, seconds", [("0:01", 1), ("1:02.50", 62.5), ("01:00:00", 3600), ("2-01:00:00", 176400)])
    def test_time_of_ps(self, clock, seconds):
        assert limits._seconds(clock) == seconds


def test_gigabytes():
    assert gigabytes(4 << 30) == "4.0 GB"


def test_default_memory_is_a_quarter_of_the_machine_up_to_4_gb(monkeypatch):
    sizes = {"SC_PHYS_PAGES": 1 << 20, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(os, "sysconf", sizes.__getitem__)
    assert limits.default_memory() == 1 << 30
    sizes["SC_PHYS_PAGES"] <<= 4
    assert limits.default_memory() == 4 << 30


DRIVER = f"""
    import importlib.util, os, re, time

    SPEC = importlib.util.spec_from_file_location("fake_driver", {str(FAKE)!r})
    fake = importlib.util.module_from_spec(SPEC)
    SPEC.loader.exec_module(fake)
    globals().update(vars(fake))

    def grow():
        kept = []
        while True:
            kept.append(b"x" * (8 << 20))
            time.sleep(0.005)

    def spin():
        while True:
            pass

    DEEDS = {{"crashes": os.abort, "hangs": lambda: time.sleep(600), "spins": spin, "grows": grow}}

    def do(when, names):
        "FAKE_DEED: 'crashes compiling floor', 'hangs running many'; many are built-ins in one program."
        deed, *words = os.environ.get("FAKE_DEED", "").split(" ", 1)
        if words and words[0] in [f"{{when}} {{name}}" for name in (*names, *["many"] * (len(names) > 1))]:
            DEEDS[deed]()

    class Program(fake.Program):
        def build(self, options):
            self.names = re.findall(r"^    o0 = (\\w+)\\(", self.source, re.MULTILINE)
            if self.names:
                with open("built", "a") as file:
                    print(*self.names, file=file)
            do("compiling", self.names)

    class Kernel(fake.Kernel):
        def __init__(self, program, entry):
            super().__init__(program, entry)
            self.names = program.names

        def run(self):
            if len(self.source):
                do("running", self.names)
            super().run()
"""


@pytest.fixture
def driver(tmp_path, monkeypatch):
    """Return a function that selects a fault of the fake driver, which logs the built-ins that it compiles."""
    (tmp_path / "pyopencl.py").write_text(textwrap.dedent(DRIVER))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("FAKE_OPENCL", "works")
    monkeypatch.setenv("OCL_ICD_VENDORS", str(tmp_path))
    return lambda deed: monkeypatch.setenv("FAKE_DEED", deed)


def judged(target, names=NAMES):
    """Return the reasons of the cases that are not judged, "" for those that pass."""
    verdicts = list(audit(Plan.of(names, ["float"], inputs=64, local_search=False, jobs=1), target))
    assert all(verdict.status == ("not judged" if verdict.reason else "pass") for verdict in verdicts)
    return [verdict.reason.partition(": floor(float)")[2].lstrip(": ") for verdict in verdicts]


def built():
    return [line.split() for line in Path("built").read_text().splitlines()]


@POSIX
class TestCompiler:
    """A compiler that fails at one built-in affects only this one, without a search for an input."""

    def test_crash(self, driver):
        driver("crashes compiling floor")
        with Isolated("opencl") as target:
            assert judged(target) == ["", "the compiler died of signal 6 (Aborted), no input was tried", "", ""]
        assert built() == [NAMES, *([name] for name in NAMES)]

    def test_crash_is_remembered(self, driver):
        driver("crashes compiling floor")
        with Isolated("opencl") as target:
            assert judged(target, ["floor"]) == judged(target, ["floor"]) != [""]
        assert built() == [["floor"]]

    def test_crash_of_a_joint_program_affects_no_case(self, driver):
        driver("crashes compiling many")
        with Isolated("opencl") as target:
            assert judged(target) == [""] * 4
        assert built() == [NAMES, *([name] for name in NAMES)]

    @pytest.mark.slow
    def test_crash_while_a_joint_program_runs_affects_no_case(self, driver):
        driver("crashes running many")
        with Isolated("opencl") as target:
            assert judged(target) == [""] * 4
        assert built() == [NAMES, *([name] for name in NAMES)]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "deed, words",
        [
            ("hangs", "did not answer within 3 s"),
            ("spins", "took more than 1 s of processor time"),
            ("grows", "took more than 0.4 GB"),
        ],
    )
    def test_limit(self, driver, monkeypatch, deed, words):
        monkeypatch.setattr(isolated, "TOGETHER_SECONDS", 0.5)
        driver(f"{deed} compiling floor")
        with Isolated("opencl", memory=400 * MIB) as target:
            limit = {"hangs": {"seconds": 3.0}, "spins": {"processor": 1.0}}.get(deed, {})
            target._building = target._building._replace(**limit)
            assert judged(target) == ["", f"the compiler {words}, no input was tried", "", ""]

    @pytest.mark.slow
    def test_slow_joint_program_is_compiled_separately(self, driver, monkeypatch):
        monkeypatch.setattr(isolated, "TOGETHER_SECONDS", 0.5)
        driver("spins compiling many")
        with Isolated("opencl") as target:
            assert judged(target) == [""] * 4

    @pytest.mark.slow
    def test_exit_status_and_reason(self, driver, clm):
        driver("grows compiling floor")
        words = ["--functions", "floor,trunc", "--types", "float", "--inputs", "64", "--jobs", "1", "--memory", "0.4"]
        status, out, err = clm("audit", "opencl", *words)
        assert (status, err) == (2, "")
        (line,) = [line for line in out.splitlines() if line.startswith("not judged: floor float: ")]
        assert line.endswith("floor(float): the compiler took more than 0.4 GB, no input was tried")


LAB = """
    import ctypes, os, time
    import numpy as np

    def greedy(name, x):
        kept = []
        while name == "floor" and (x == 7).any():
            kept.append(b"x" * (8 << 20))
            time.sleep(0.005)
        return getattr(np, name)(x)

    def tells(name, x):
        import resource
        folder = os.environ["POCL_CACHE_DIR"]
        with open("told", "a") as file:
            print(folder, len(os.listdir(folder)), *resource.getrlimit(resource.RLIMIT_CORE), file=file)
        open(os.path.join(folder, "left"), "w").close()
        if name == "floor":
            ctypes.string_at(0)
        return getattr(np, name)(x)
"""


@pytest.fixture
def lab(tmp_path, monkeypatch):
    (tmp_path / "limited_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    return "limited_lab"


@POSIX
class TestTarget:
    @pytest.mark.slow
    def test_unlimited_memory_ends_only_its_case(self, lab):
        with Isolated(f"{lab}:greedy", memory=400 * MIB) as target:
            reasons = judged(target)
        assert [bool(reason) for reason in reasons] == [False, True, False, False]
        assert re.fullmatch(r"took more than 0\.4 GB; with x = 0x1\.cp\+2 \[0x40e00000\]", reasons[1])

    def test_each_process_has_an_empty_cache_and_no_core_dump(self, lab, tmp_path):
        with Isolated(f"{lab}:tells") as target:
            judged(target)
        lines = [line.split() for line in (tmp_path / "told").read_text().splitlines()]
        first = {folder: files for folder, files, *_ in reversed(lines)}
        assert len(first) > 2
        assert set(first.values()) == {"0"}
        assert {tuple(core) for _, _, *core in lines} == {("0", "0")}
        assert not any(Path(folder).exists() for folder in first)


@for_each("text", ["0", "-1", "nan", "inf", "much"])
def test_memory_is_a_number_of_gigabytes(clm, text):
    status, _, err = clm("audit", "numpy", "--functions", "floor", f"--memory={text}")
    assert status == 2
    assert err == f"clmath audit: --memory {text} is not a number of GB; write --memory 4\n"
