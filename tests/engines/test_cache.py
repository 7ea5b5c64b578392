"""Compiled loops from many threads and processes, interrupted, on a cold, warm or damaged cache: always right."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import clmath
from clmath.engines import choice
from clmath.engines.locks import once
from clmath.engines.numba import compiled

pytestmark = pytest.mark.skipif(not choice.can_compile(), reason="numba is not installed: pip install 'clmath[fast]'")
POSIX = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX")

# clmath first: what it brings in later, such as the lock of logging, must not get in the way of a fork
SETUP = """
import sys
import clmath
import threading
from concurrent.futures import ThreadPoolExecutor
import numpy as np

x = np.linspace(-1.0, 1.0, 1 << 16, dtype=np.float32)
expected = clmath.exp(x, engine="numpy").tobytes()

def compute(_=None):
    assert clmath.exp(x, engine="numba").tobytes() == expected
    return True

def hits():
    modules = [m for name, m in list(sys.modules.items()) if name.startswith("clmath_loops")]
    functions = [v for m in modules for v in vars(m).values() if hasattr(v, "stats")]
    return sum(sum(f.stats.cache_hits.values()) for f in functions)
"""
ALONE = "compute(); print('right', hits())"
# threads meet before the first call, so that all of them ask for what is not there yet
TOGETHER = """
barrier = threading.Barrier(8)

def at_once(name):
    barrier.wait()
    a, b = (getattr(clmath, name)(x, engine=e) for e in ("numba", "numpy"))
    return a.tobytes() == b.tobytes()

with ThreadPoolExecutor(8) as pool:
    assert all(pool.map(at_once, ["exp", "exp", "exp", "exp", "exp2", "exp2", "cbrt", "cbrt"]))
print("right", hits())
"""
KEYWORD = "assert clmath.exp(x, engine='numba', threads=8).tobytes() == expected; print('right', hits())"
SCREENS = """
from clmath import kernels
from clmath.audit.spread import BINS
from clmath.engines.numba import Numba, Screen

(kernel,) = [one for one in kernels.QUICK.single if one.name == "exp"]
counts, results = np.zeros(len(BINS), np.int64), np.frombuffer(expected, np.float32)
limits = np.full(4096, 3.0), np.full(4096, np.inf), np.zeros(4096)
Numba().screened((kernel,), x, [results], Screen(*limits, np.nan, 0, 1.0, np.zeros(512)), counts)
assert x.size - 9 < counts[0] == counts.sum()
print("right", hits())
"""
HALFS = """
h = np.arange(1 << 16).astype(np.uint16).view(np.float16)
first = clmath.exp(h[1:]).tobytes()
with ThreadPoolExecutor(8) as pool:
    assert all(pool.map(lambda _: clmath.exp(h[1:]).tobytes() == first, range(8)))
print("right", 0)
"""

PRESSED = """
import os, signal

def once_pressed(name, key, pressed=[]):
    if name == key and not pressed:
        pressed.append(name)
        os.kill(os.getpid(), signal.SIGINT)

{watched}
try:
    compute()
except KeyboardInterrupt:
    compute()
    print("right", hits())
"""
IMPORTING = """
class Watching:
    def find_spec(self, name, path=None, target=None):
        once_pressed(name, "numba.core.typing")

sys.meta_path.insert(0, Watching())
"""
FIRST_COMPILING = """
import numba.core.extending

overload = numba.core.extending.overload

def pressing(function, *args, **options):  # Numba imports what knows len of strings when it compiles something
    once_pressed(getattr(function, "__name__", None), "len")
    return overload(function, *args, **options)

numba.core.extending.overload = pressing
"""
REGISTERING = """
import numba.extending

register = numba.extending.register_jitable

def pressing(**options):
    return lambda f: (register(**options)(f), once_pressed(f.__name__, "two_to"))

numba.extending.register_jitable = pressing
"""


def environment(**changes):
    """The variables of this process but those that say where caches lie; None takes one away."""
    changed = os.environ | {"XDG_CACHE_HOME": None, "NUMBA_CACHE_DIR": None} | changes
    return {name: str(value) for name, value in changed.items() if value is not None}


def started(code, **changes):
    """A child process that runs ``code``; warnings, but for those of fork, are errors in it."""
    command = [sys.executable, "-W", "error", "-W", "ignore:.*fork.*:DeprecationWarning", "-c", SETUP + code]
    return subprocess.Popen(
        command, env=environment(**changes), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def hits(child):
    """How many compiled functions the child found in the cache, after it computed the right bits."""
    output, messages = child.communicate(timeout=240)
    assert child.returncode == 0, messages
    assert output.startswith("right "), messages
    return int(output.split()[1])


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """A cache that one process has filled."""
    folder = tmp_path_factory.mktemp("warm")
    assert hits(started(ALONE, CLMATH_CACHE_DIR=folder)) == 0
    return folder


@pytest.fixture
def copied(warm, tmp_path):
    """A copy of it, to damage or to lose."""
    for file in sorted(warm.rglob("*")):
        if file.is_file():
            (tmp_path / file.relative_to(warm)).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file.relative_to(warm)).write_bytes(file.read_bytes())
    return tmp_path


class TestOnce:
    def test_threads_that_ask_together_get_what_one_of_them_built(self):
        calls, results, barrier = [], [], threading.Barrier(8)

        @once
        def build(key):
            calls.append(key)
            time.sleep(0.05)
            return object()

        def ask():
            barrier.wait()
            results.append(build("a"))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert calls == ["a"]
        assert len({id(r) for r in results}) == 1
        assert build("b") is not results[0]

    def test_what_raises_is_built_again(self):
        calls = []

        @once
        def build():
            calls.append(1)
            if len(calls) == 1:
                raise OSError
            return "built"

        with pytest.raises(OSError):  # noqa: PT011  (it is ours)
            build()
        assert build() == "built"

    def test_a_build_may_ask_for_another(self):
        @once
        def inner():
            return 1

        @once
        def outer():
            return inner() + 1

        assert outer() == 2


class TestThreads:
    @pytest.mark.parametrize("code", [TOGETHER, KEYWORD], ids=["together", "threads="])
    def test_on_a_cold_and_a_warm_cache(self, code, tmp_path):
        assert hits(started(code, CLMATH_CACHE_DIR=tmp_path)) == 0
        assert hits(started(code, CLMATH_CACHE_DIR=tmp_path)) > 0

    def test_of_halfs_which_become_a_table(self, tmp_path):
        hits(started(HALFS, CLMATH_CACHE_DIR=tmp_path))


class TestProcesses:
    def test_on_one_cold_cache(self, tmp_path):
        codes = [ALONE, ALONE, TOGETHER, ALONE.replace("compute()", "clmath.lgamma(x, engine='numba'); compute()")]
        for child in [started(code, CLMATH_CACHE_DIR=tmp_path) for code in codes]:
            hits(child)
        assert hits(started(ALONE, CLMATH_CACHE_DIR=tmp_path)) == 1

    def test_what_screens_before_anything_else_was_compiled(self, tmp_path):
        assert hits(started(SCREENS, CLMATH_CACHE_DIR=tmp_path)) == 0
        assert hits(started(SCREENS, CLMATH_CACHE_DIR=tmp_path)) > 0

    def test_every_function_in_the_cache_has_one_signature(self, warm):
        """Numba numbers the signatures of a function without a lock: two processes could exchange two of them."""
        assert list(warm.rglob("*.1.nbc"))
        assert not list(warm.rglob("*.2.nbc"))

    @POSIX
    def test_one_killed_while_it_compiles(self, tmp_path):
        child = started(ALONE, CLMATH_CACHE_DIR=tmp_path)
        while not list(tmp_path.rglob("*.nbi")) and child.poll() is None:
            time.sleep(0.005)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        hits(started(ALONE, CLMATH_CACHE_DIR=tmp_path))
        assert hits(started(ALONE, CLMATH_CACHE_DIR=tmp_path)) == 1

    @POSIX
    def test_forked_while_another_thread_compiles(self, tmp_path):
        code = """
import os, time
from clmath.engines.numba import compiled
from clmath.engines.locks import BUILDING

thread = threading.Thread(target=compute)
thread.start()
while BUILDING.acquire(blocking=False):
    BUILDING.release()
    time.sleep(0.001)
child = os.fork()
if child == 0:
    os._exit(7 if compute() else 1)
thread.join()
compute()
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
print("right", 0)
"""
        hits(started(code, CLMATH_CACHE_DIR=tmp_path))


@POSIX
class TestInterrupted:
    """Ctrl-C stops a first call, and the next one is right."""

    @pytest.mark.parametrize(
        "watched", [IMPORTING, FIRST_COMPILING, REGISTERING], ids=["import", "first", "registered"]
    )
    def test_while_numba_gets_ready(self, copied, watched):
        assert hits(started(PRESSED.format(watched=watched), CLMATH_CACHE_DIR=copied)) == 1

    def test_before_a_lane_function_is_registered(self, monkeypatch):
        left, registered = ["first", "second", "third"], []

        def register(name):
            registered.append(name if len(registered) != 1 else "interrupted")
            if len(registered) == 2:
                raise KeyboardInterrupt

        monkeypatch.setattr("numba.extending.register_jitable", lambda **_: register)
        monkeypatch.setattr(compiled.lanes, "LANE_FUNCTIONS", left)
        monkeypatch.setattr(compiled, "SCREENING", ())
        with pytest.raises(KeyboardInterrupt):
            compiled._register_lane_functions("clmath.numbers.lanes")
        compiled._register_lane_functions("clmath.numbers.lanes")
        assert registered == ["third", "interrupted", "second", "first"]
        assert not left


def halved(data):
    return data[: len(data) // 2]


def zeroed(data):
    return bytes(len(data))


@pytest.mark.parametrize("damaged", [halved, zeroed, lambda _: b""], ids=["halved", "zeroed", "empty"])
@pytest.mark.parametrize("ending", ["nbi", "nbc", "py"])
def test_a_damaged_cache_is_replaced(copied, ending, damaged):
    files = list(copied.rglob(f"*.{ending}"))
    assert files
    for file in files:
        file.write_bytes(damaged(file.read_bytes()))
    hits(started(ALONE, CLMATH_CACHE_DIR=copied))
    hits(started(ALONE, CLMATH_CACHE_DIR=copied))
    assert hits(started(ALONE, CLMATH_CACHE_DIR=copied)) == 1


LIMITED = """
import resource, signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
"""
HOMELESS = """
import pwd

def unknown(_):
    raise KeyError

pwd.getpwuid = unknown
"""


class TestNowhereToWrite:
    """The result is right, and nothing is left behind, in the cache's place or among temporary files."""

    @pytest.fixture
    def check(self, tmp_path):
        def checked(code="", place=None, **changes):
            place, scratch = place or tmp_path / "cache", tmp_path / "scratch"
            scratch.mkdir()
            child = started(
                code + ALONE, **({"CLMATH_CACHE_DIR": place, "TMPDIR": scratch, "HOME": tmp_path} | changes)
            )
            assert hits(child) == 0
            assert not list(scratch.iterdir())

        return checked

    @POSIX
    def test_a_folder_that_cannot_be_made(self, check):
        check(place="/proc/clmath")

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
    @pytest.mark.parametrize("mode", [0o555, 0o000], ids=["read-only", "closed"])
    def test_a_folder_without_permission(self, check, tmp_path, mode):
        (tmp_path / "cache").mkdir(mode=mode)
        check()
        (tmp_path / "cache").chmod(0o755)
        assert not list((tmp_path / "cache").iterdir())

    def test_a_file_in_its_place(self, check, tmp_path):
        (tmp_path / "cache").write_text("mine")
        check()
        assert (tmp_path / "cache").read_text() == "mine"

    @POSIX
    def test_a_disk_that_takes_nothing(self, check, tmp_path):
        check(LIMITED.format(size=0))
        assert not (tmp_path / "cache").exists()

    @POSIX
    def test_a_disk_that_is_full_before_the_end(self, check, tmp_path):
        check(LIMITED.format(size=1 << 16))
        left = [file for file in (tmp_path / "cache").rglob("*") if file.is_file()]
        assert not left

    @POSIX
    def test_no_home(self, check, tmp_path):
        check(HOMELESS, HOME=None, CLMATH_CACHE_DIR=None)
        assert not (tmp_path / "cache").exists()


def test_the_result_does_not_depend_on_what_lies_in_the_cache_now(tmp_path, monkeypatch):
    """A folder that is removed while a process runs only costs it the cache."""
    from clmath.engines.numba import cache

    monkeypatch.setattr(cache, "folder", lambda: tmp_path / "gone")
    monkeypatch.setattr(compiled, "_CACHE_FAILED", threading.Event())
    x = np.linspace(-1.0, 1.0, 100, dtype=np.float32)
    assert np.array_equal(clmath.tanpi(x, engine="numba"), clmath.tanpi(x, engine="numpy"))
