"""Run tests that use an OpenCL device in child processes, as a broken driver may crash, hang or exhaust memory.

This applies to each test with the fixture ``opencl_device``. The tests of a file share a child process, a pytest that
gets them one by one; if it is lost, the next test starts another. A test whose process is lost fails with the names of
device and test and the reason, or is skipped if the driver is known to be broken on this processor. After a test that
hangs, the remaining tests of devices fail or are skipped without being tried.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import pytest

from clmath.audit.isolation.limits import MEMORY, Limits, Watch

DEVICE = "opencl_device"  # the fixture
PIPE = "CLMATH_TEST_PIPE"  # in a child process: the file descriptor from which it reads tests and to which it reports
KNOWN = "CLMATH_TEST_DEVICE"  # file in which processes share the chosen device
SHARE = 0.5  # of a test's time limit: pytest-timeout ends the whole process at the limit
SECONDS = 120.0  # time limit without pytest-timeout

# drivers, the processors on which they crash, and the remedy
BROKEN = (("PoCL 3.0", {"AMD Zen 4", "AMD Zen 5"}, "use Debian's pocl-opencl-icd or Intel's runtime (.[intel])"),)
ZEN_4 = {*range(0x10, 0x20), *range(0x60, 0x80), *range(0xA0, 0xB0)}  # models of family 25; the others are Zen 3


class Ending(NamedTuple):
    """Reason why a child process was lost."""

    words: str
    is_drivers: bool  # whether a broken driver may be the cause
    is_late: bool = False


def pytest_addoption(parser):
    parser.addoption(
        "--device-memory", type=int, default=MEMORY, help="bytes that tests of a device may hold in memory"
    )


class Child:
    """Child process with a pytest that runs tests of one file on request."""

    _numbers = itertools.count()

    def __init__(self, path, config):
        self.path = path
        self.device = "the OpenCL device"
        self.memory = config.getoption("device_memory")
        shared = Path(config._tmp_path_factory.getbasetemp())
        folder = shared / f"device-{next(self._numbers)}"
        self.errors = folder.with_suffix(".stderr")
        ours, theirs = multiprocessing.Pipe()
        self.pipe = ours
        known = shared.parent if hasattr(config, "workerinput") else shared
        options = [f"--rootdir={config.rootpath}", f"--basetemp={folder}", "-m", "", "-p", "no:cacheprovider"]
        options += [f"-W{kind}" for kind in config.known_args_namespace.pythonwarnings or ()]
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pytest", *options, str(path)],
                env=os.environ | {PIPE: str(theirs.fileno()), KNOWN: str(known / "opencl_device.json")},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                start_new_session=True,
            )
        theirs.close()
        self.watch = Watch(self.process.pid, Limits())

    def run(self, test, following, seconds):
        """Yield the reports of a test, and an ``Ending`` if the process is lost."""
        self.watch.begin(Limits(seconds=seconds, memory=self.memory))
        try:
            self.pipe.send((test, following))
            while True:
                ending = self._wait()
                if ending:
                    yield ending
                    return
                message = self.pipe.recv()
                if message is None:
                    return
                if isinstance(message, str):
                    self.device = message
                else:
                    yield message
        except (EOFError, OSError):
            yield self._ended()

    def _wait(self):
        while not self.pipe.poll(0.1):
            words = self.watch.exceeded()
            if words:
                is_late = self.watch.left <= 0
                self.kill()
                return Ending(f"{words} and was stopped", is_drivers=True, is_late=is_late)
        return None

    def _ended(self):
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        status = self.process.poll()
        self.kill()
        if status is not None and status < 0:
            return Ending(f"crashed (signal {-status})", is_drivers=True)
        return Ending(f"ended with status {status}", is_drivers=False)

    def close(self):
        """Let the process end by itself after its last test."""
        self.pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self.kill()

    def kill(self):
        """Kill the process and its process group."""
        self.pipe.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def last_words(self):
        """Return the end of the process's output."""
        return self.errors.read_text(errors="replace")[-2000:]


class Parent:
    """Hands tests of a device to child processes, and their reports to pytest."""

    def __init__(self):
        self.child = None
        self.hung = None  # the device on which a test has hung

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        if DEVICE not in item.fixturenames:
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in self._reports(item, nextitem):
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        item.session._setupstate.teardown_exact(nextitem)  # fixtures that the preceding test kept
        return True

    def _reports(self, item, nextitem):
        if self.hung:
            yield _lost(item, self.hung, Ending("is not tried, as a test before hung on it,", is_drivers=True))
            return
        if self.child is None or self.child.path != item.path:
            self._end()
            self.child = Child(item.path, item.config)
        is_last = nextitem is None or nextitem.path != item.path
        for report in self.child.run(item.nodeid, "" if is_last else nextitem.nodeid, SHARE * _limit(item)):
            if isinstance(report, Ending):
                yield _lost(item, self.child.device, report, self.child.last_words())
                self.hung = self.child.device if report.is_late else None
                self.child = None
            else:
                yield report
        if is_last:
            self._end()

    def pytest_sessionfinish(self):
        self._end()

    def _end(self):
        if self.child is not None:
            self.child.close()
            self.child = None


def _limit(item):
    """Return the time limit of a test in seconds."""
    mark = item.get_closest_marker("timeout")
    if mark:
        return float((*mark.args, *mark.kwargs.values())[0])
    with contextlib.suppress(ValueError, KeyError):
        return float(item.config.getini("timeout"))
    return SECONDS


def _lost(item, device, ending, words=""):
    """Return the report of a test whose process was lost: skipped if the driver is known to be broken, else failed."""
    remedy = _remedy(device) if ending.is_drivers else ""
    text = f"{device} {ending.words} in {item.nodeid}"
    if remedy:
        outcome, longrepr = "skipped", (str(item.path), item.location[1] or 0, f"Skipped: {text} on {remedy}")
    else:
        outcome, longrepr = "failed", f"{text}\n{words}"
    return pytest.TestReport(item.nodeid, item.location, {}, outcome, longrepr, "call")


def _remedy(device):
    """Return the processor on which a driver is known to be broken, and what to use; "" for other drivers."""
    found = processor()
    return next((f"{found}: known, {remedy}" for driver, on, remedy in BROKEN if driver in device and found in on), "")


def processor():
    """Return "AMD Zen 4" or "AMD Zen 5" on a processor of these, "" on others."""
    with contextlib.suppress(OSError, KeyError):
        lines = Path("/proc/cpuinfo").read_text().partition("\n\n")[0].splitlines()
        facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        family, model = int(facts["cpu family"]), int(facts["model"])
        if facts["vendor_id"] == "AuthenticAMD":
            return "AMD Zen 5" if family == 26 else "AMD Zen 4" if family == 25 and model in ZEN_4 else ""
    return ""


class Told:
    """Run the tests that the parent names, in a child process."""

    def __init__(self, pipe):
        self.pipe = pipe

    def pytest_runtestloop(self, session):
        items = {item.nodeid: item for item in session.items}
        with contextlib.suppress(EOFError):
            while True:
                test, following = self.pipe.recv()
                item = items[test]
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=self._next(items, test, following))
                self.pipe.send(None)
        return True

    @staticmethod
    def _next(items, test, following):
        """Return the test whose fixtures are kept: the following one, or another if that runs in the parent."""
        if not following:
            return None
        return items.get(following) or next((item for name, item in items.items() if name != test), None)

    def pytest_runtest_logreport(self, report):
        self.pipe.send(report)

    def tell_device(self, name):
        self.pipe.send(name)


def pytest_configure(config):
    number = os.environ.get(PIPE)
    known = Parent() if number is None else Told(Connection(int(number)))
    config.pluginmanager.register(known, "tests_of_devices")


def tell_device(config, name):
    """Send the name and version of the driver to the parent, for its messages."""
    plugin = config.pluginmanager.get_plugin("tests_of_devices")
    if isinstance(plugin, Told):
        plugin.tell_device(name)
