"""Subjects that die, hang, print and lie: each costs its own row of ``clmath audit``, and the next row goes on."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.cases import for_each

LAB = """
    import atexit, ctypes, os, signal, subprocess, sys, threading, time
    import numpy as np
    import clmath

    C = ctypes.CDLL(None)

    def right(name, *args):
        "By NumPy where it can: each process that takes the place of a lost one would have to load what clmath needs."
        return getattr(np if name in ("floor", "trunc") else clmath, name)(*args)

    def works(name, *args):
        open("works", "w").close()
        return right(name, *args)

    def at(number):
        "Does a deed where an argument of floor is the number, in a batch of any size; right otherwise."
        def of(deed):
            def subject(name, *args):
                if name == "floor" and (args[0] == number).any():
                    return deed(args[0])
                return right(name, *args)
            return subject
        return of

    def always(deed):
        def subject(name, *args):
            return deed(args[0]) if name == "floor" else right(name, *args)
        return subject

    class Tricky:
        def __reduce__(self):
            return os._exit, (0,)

    class Named(Exception):
        pass
    Named.__name__ = "Two\\nlines"

    class Loud(Exception):
        def __str__(self):
            return "\\x1b[2J\\x1b]0;title\\x07 red \\x9b31m"

    def raises(error):
        def deed(x):
            raise error
        return deed

    def fork_and_return(x):
        os.fork()
        return np.floor(x)

    def start_and_hang(x):
        subprocess.Popen(["sleep", "600"])
        C.sleep(600)

    def fork_and_die(x):
        if os.fork() == 0:
            time.sleep(600)
        os._exit(3)

    def close_all(x):
        os.closerange(0, 256)
        return np.floor(x)

    def close_standard(x):
        os.closerange(0, 3)
        return np.floor(x)

    def scribble(x):
        for number in range(3, 64):
            try:
                os.write(number, b"garbage, " * 40)
            except OSError:
                pass
        return np.floor(x)

    def signals(x):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)
        os.chdir("/")
        atexit.register(sys.exit, 0)
        return np.floor(x)

    def to_parent(number):
        def deed(x):
            os.kill(os.getppid(), number)
            time.sleep(600)
        return deed

    def to_group(number):
        def deed(x):
            os.killpg(os.getpgid(os.getppid()), number)
            time.sleep(600)
        return deed

    def stops_its_parent(x):
        os.kill(os.getppid(), signal.SIGSTOP)
        return np.floor(x)

    def leaves_a_thread(x):
        threading.Thread(target=time.sleep, args=(600,)).start()
        return np.floor(x)

    def overwrites(x):
        found = np.floor(x)
        x[...] = 0
        return found

    def prints(x):
        print("\\x1b[31mhello", flush=True)
        C.puts(b"from C")
        print("to stderr", file=sys.stderr)
        return np.floor(x)

    def prints_without_end(x):
        text = b"x" * 65536
        for _ in range(200):
            os.write(1, text)
        return np.floor(x)

    def rounds_up(x):
        C.fesetround(0x800)
        return np.floor(x)

    def flushes(x):
        environment = (ctypes.c_uint32 * 8)()
        C.fegetenv(environment)
        environment[7] |= 0x8040
        C.fesetenv(environment)
        return np.floor(x)

    def objects(x):
        found = np.empty(x.shape, object)
        found[:] = [Tricky() for _ in x]
        return found

    class Odd(np.ndarray):
        def __reduce__(self):
            return os._exit, (0,)
        def tobytes(self, *args):
            return b"nonsense"

    at_seven, late = at(7), at(-81)
    terminates, interrupts = late(to_parent(signal.SIGTERM)), late(to_parent(signal.SIGINT))
    hangs_up, uses = late(to_parent(signal.SIGHUP)), late(to_parent(signal.SIGUSR1))
    kills, ends_all = late(to_parent(signal.SIGKILL)), late(to_group(signal.SIGTERM))
    stops = always(stops_its_parent)
    exits = late(lambda x: C.exit(0))
    exits_at_once = late(lambda x: os._exit(0))
    system_exit = late(raises(SystemExit(0)))
    keyboard = late(raises(KeyboardInterrupt()))
    loud = late(raises(Loud()))
    named = late(raises(Named("told")))
    recursion = late(lambda x: (lambda f: f(f))(lambda f: f(f)))
    crashes = at_seven(lambda x: ctypes.string_at(0))
    aborts = late(lambda x: C.abort())
    hangs = at_seven(lambda x: time.sleep(600))
    starts_and_hangs = always(start_and_hang)
    hangs_in_c = late(lambda x: (open("works", "w").close(), ctypes.PyDLL(None).sleep(600)))
    crashes_at_all = always(lambda x: ctypes.string_at(0))
    huge = always(lambda x: np.broadcast_to(np.float32(0), (1 << 40,)))
    huge_too = always(lambda x: np.empty(1 << 50, np.float32))
    forks, forks_and_dies = always(fork_and_return), late(fork_and_die)
    closes, closes_standard = always(close_all), always(close_standard)
    scribbles, quiet = always(scribble), always(signals)
    thread, overwriting = always(leaves_a_thread), always(overwrites)
    talks, talks_without_end = always(prints), always(prints_without_end)
    rounding, flushing = late(rounds_up), late(flushes)
    of_objects, odd = always(objects), always(lambda x: np.floor(x).view(Odd))
    masked = always(lambda x: np.ma.array(np.floor(x), mask=x == 7))
    nested = always(lambda x: [[x]])
    crashes_once = always(lambda x: np.floor(x) if os.path.exists("seen") else (open("seen", "w"), C.abort()))
"""


@pytest.fixture
def lab(tmp_path, monkeypatch):
    (tmp_path / "hostile_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    return "hostile_lab"


@pytest.fixture
def audit(request, clm):
    """The command ``clmath audit``, whose first child is a copy; "fresh": called here, where each is a new process."""

    def call(*words):
        if getattr(request, "param", "copied") == "fresh":
            return clm("audit", *words)
        command = [sys.executable, "-m", "clmath", "audit", *words]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    return call


BOTH_WAYS = pytest.mark.parametrize("audit", ["copied", "fresh"], indirect=True)
WORDS = ["--functions", "floor,trunc", "--types", "float", "--inputs", "64", "--jobs", "1"]
AT_SEVEN = "; with x = 0x1.cp+2 [0x40e00000]"
LATE = "; with x = -0x1.44p+6 [0xc2a20000]"  # among the last of its batch: the search for it loses three processes


DEEDS = [
    ("exits", f"ended its process with exit status 0{LATE}"),
    ("exits_at_once", f"ended its process with exit status 0{LATE}"),
    ("system_exit", f"raised SystemExit: 0{LATE}"),
    ("keyboard", f"raised KeyboardInterrupt: no message{LATE}"),
    ("loud", f"raised Loud: \\x1b[2J\\x1b]0;title\\x07 red \\x9b31m{LATE}"),
    ("named", f"raised Two lines: told{LATE}"),
    ("recursion", "raised RecursionError: maximum recursion depth exceeded"),
    ("crashes", f"died of signal 11 (Segmentation fault){AT_SEVEN}"),
    ("aborts", f"died of signal 6 (Aborted){LATE}"),
    ("terminates", f"died of signal 15 (Terminated){LATE}"),
    ("interrupts", f"died of signal 2 (Interrupt){LATE}"),
    ("hangs_up", f"died of signal 1 (Hangup){LATE}"),
    ("uses", f"died of signal 10 (User defined signal 1){LATE}"),
    ("kills", f"died of signal 9 (Killed){LATE}"),
    ("ends_all", f"died of signal 15 (Terminated){LATE}"),
    ("forks_and_dies", f"ended its process with exit status 3{LATE}"),
    ("crashes_at_all", "died of signal 11 (Segmentation fault); with x = "),
    ("crashes_once", "died of signal 6 (Aborted); no single input of "),
    ("rounding", f"left another rounding mode set in the processor (fesetround){LATE}"),
    ("flushing", f"left the processor flushing subnormal numbers to zero (FTZ or DAZ){LATE}"),
    ("closes", "to the audit; with x = "),
    ("scribbles", "wrote into its connection to the audit; with x = "),
    ("huge", "returned shape (1099511627776,) for result; "),
    ("huge_too", "raised "),
    ("of_objects", "returned dtype object for result; float32 is needed"),
    ("masked", "returned masked values for result; a result for every input is needed"),
    ("nested", "returned list for result; a NumPy array is needed"),
]
HARMLESS = ["forks", "stops", "closes_standard", "quiet", "thread", "overwriting", "odd"]
HANGING = ["hangs", "hangs_in_c"]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What audits of many of these subjects print of each: none changes what is found of the others."""
    folder = tmp_path_factory.mktemp("together")
    (folder / "hostile_lab.py").write_text(textwrap.dedent(LAB))
    names = [f"hostile_lab:{name}" for name in (*(name for name, _ in DEEDS), *HARMLESS)]
    hanging = [*(f"hostile_lab:{name}" for name in HANGING), "--timeout", "2"]
    audits = [started(*words, *WORDS, cwd=folder) for words in (hanging, names)]
    found = {}
    for process in audits:
        out, err = process.communicate(timeout=300)
        assert (process.returncode, err) == (2, "")
        _, *parts = re.split(r"^subject \d+ of \d+: hostile_lab:(\w+)\n", out, flags=re.MULTILINE)
        found |= zip(parts[::2], parts[1::2], strict=True)
    return found


@pytest.mark.slow
@for_each("name, deed", DEEDS)
def test_what_a_subject_does_costs_its_row(told, name, deed):
    out = told[name]
    (line,) = [line for line in out.splitlines() if line.startswith("not judged: floor float: ")]
    assert f"hostile_lab:{name}: floor(float) " in line
    assert deed in line
    assert re.search(r"^ ?trunc .* pass", out, re.MULTILINE)
    assert re.search(r"^1 pass, 1 not judged; .* could not be judged$", out, re.MULTILINE)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", out)


@pytest.mark.slow
@for_each("name, deed", DEEDS)
def test_the_exit_status_where_a_row_is_lost(audit, lab, name, deed):
    status, out, err = audit(f"{lab}:{name}", *WORDS)
    assert (status, err) == (2, "")
    assert deed in out
    assert out.splitlines()[-1].endswith("could not be judged")


@pytest.mark.slow
@for_each("name", HARMLESS)
def test_what_does_not_concern_the_results_is_no_matter(told, name):
    assert re.search(r"^2 pass; .* conforms$", told[name], re.MULTILINE)


@BOTH_WAYS
@for_each("name", HARMLESS)
def test_the_exit_status_where_nothing_is_lost(audit, lab, name):
    status, out, err = audit(f"{lab}:{name}", *WORDS)
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].startswith("2 pass; ")


@pytest.mark.slow
@pytest.mark.parametrize("name", HANGING)
def test_a_subject_that_hangs_is_killed(told, name):
    out = told[name]
    assert f"floor(float) did not answer within 2 s{AT_SEVEN if name == 'hangs' else LATE}" in out
    assert re.search(r"^ ?trunc .* pass", out, re.MULTILINE)
    assert re.search(r"^1 pass, 1 not judged; .* could not be judged$", out, re.MULTILINE)


def test_what_a_subject_prints_stands_in_the_notes_of_its_row(audit, lab):
    status, out, err = audit(f"{lab}:talks", *WORDS)
    assert (status, err) == (0, "")
    (note,) = [line for line in out.splitlines() if "hello" in line]
    assert note.startswith("note: floor float: the subject printed ")
    assert all(part in note for part in ("\\x1b[31mhello", "from C", "to stderr"))
    status, out, _ = audit(f"{lab}:talks_without_end", *WORDS)
    assert status == 0
    (note,) = [line for line in out.splitlines() if line.startswith("note: floor")]
    assert re.search(rf"printed \d*{200 * 65536} bytes|printed \d{{8,}} bytes", note)
    assert len(note) < 400


def test_replay_goes_the_same_way(clm, lab):
    words = ["--functions", "floor", "--types", "float", "--replay", "-81", "--replay", "3"]
    status, out, err = clm("audit", f"{lab}:exits", *words)
    assert (status, err) == (2, "")
    assert "ended its process with exit status 0" in out
    assert out.count("\n    pass\n") == 1


@for_each(
    "source, fact",
    [
        ("import os; os._exit(0)", "ended its process with exit status 0"),
        (
            "print('no licence'); import os; os._exit(7)",
            "ended its process with exit status 7; the subject printed 11 ",
        ),
        ("import time; time.sleep(600)", "did not answer within 2.5 s"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("import ctypes; ctypes.string_at(0)", "died of signal 11"),
        ("raise ValueError('\\x1b[2J')", "ValueError: \\x1b[2J"),
    ],
)
def test_a_module_that_cannot_be_loaded_is_an_error_of_one_line(audit, tmp_path, monkeypatch, source, fact):
    (tmp_path / "unloadable.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    status, out, err = audit("unloadable:f", *WORDS, "--timeout", "0.5")
    assert (status, out) == (2, "")
    assert err.startswith("clmath audit: 'unloadable:f' cannot be ")
    assert fact in err
    assert err.count("\n") == 1


@for_each("text", ["0", "-1", "nan", "inf", "soon", "1e9"])
def test_a_time_limit_is_a_number_of_seconds(clm, text):
    status, _, err = clm("audit", "numpy", *WORDS, f"--timeout={text}")
    assert status == 2
    fact = "more than 10000000 seconds" if text == "1e9" else "not a time in seconds"
    assert err == f"clmath audit: --timeout {text} is {fact}; write --timeout 60\n"


def children(process):
    """All descendants of a process, by /proc; a task that has ended has none."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for child in map(int, task.read_text().split()):
                found += [child, *children(child)]
    return found


def ended(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def started(*words, **options):
    command = [sys.executable, "-m", "clmath", "audit", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert condition()


WORKING = [
    "--functions",
    "sin,tgamma,pow",
    "--types",
    "double",
    "--inputs",
    "100000",
    "--jobs",
    "2",
    "--oracle",
    "mpfr",
]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the test looks processes up in /proc")


def is_at_work(process, words):
    """Whether all processes of an audit are there, and the subject has been asked: the one that hangs does."""
    return len(children(process.pid)) >= (6 if "2" in words else 4) and Path("works").exists()


@pytest.mark.slow
@LINUX
@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize("words", [["hostile_lab:works", *WORKING], ["hostile_lab:hangs_in_c", *WORDS]])
def test_processes_end_when_the_audit_is_killed(words):
    process = started(*words)
    until(lambda: is_at_work(process, words))
    family = children(process.pid)
    process.kill()
    process.communicate()
    until(lambda: all(map(ended, family)), 10)


@pytest.mark.slow
@LINUX
@pytest.mark.usefixtures("lab")
def test_what_a_subject_starts_ends_when_the_audit_is_killed():
    process = started("hostile_lab:starts_and_hangs", *WORDS)
    until(lambda: len(children(process.pid)) == 5)
    family = children(process.pid)
    process.kill()
    process.communicate()
    until(lambda: all(map(ended, family)), 10)


@LINUX
@BOTH_WAYS
def test_a_subject_has_no_file_open_that_is_not_its_own(audit, tmp_path, monkeypatch):
    """Not those of the audit, nor what the audit was given: a subject may write into all that it finds."""
    (tmp_path / "lister.py").write_text(
        "import os\nimport numpy as np\n"
        "def f(name, x):\n"
        "    opened = [f'/proc/self/fd/{n}' for n in os.listdir('/proc/self/fd')]\n"
        "    print(sorted(os.readlink(file).split(':')[0] for file in opened if os.path.exists(file)))\n"
        "    return np.floor(x)\n"
    )
    monkeypatch.chdir(tmp_path)
    _, out, _ = audit("lister:f", "--functions", "floor", *WORDS[2:])
    assert "['/dev/null', '/memfd', 'pipe', 'pipe', 'socket']" in out  # the memory is for its results


@LINUX
@pytest.mark.usefixtures("lab", "no_nohup")
@for_each("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@for_each("words", [["hostile_lab:works", *WORKING], ["hostile_lab:hangs_in_c", *WORDS]])
def test_an_interrupt_prints_one_line_and_ends_all(words, stop):
    process = started(*words, start_new_session=True)
    until(lambda: is_at_work(process, words))
    family = children(process.pid)
    if stop == signal.SIGINT:
        os.killpg(process.pid, stop)  # as the terminal does: to the audit and its workers alike
    else:
        process.send_signal(stop)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert re.fullmatch(r"clmath audit: interrupted after \d of \d rows; with --json it can be resumed\n", err)
    until(lambda: all(map(ended, family)), 10)


@pytest.mark.skipif(os.name != "posix", reason="the test sends a signal")
def test_an_interrupt_while_the_command_is_imported_prints_one_line(tmp_path):
    """Here while it imports NumPy, which in its half-imported state could turn an exception into another."""
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


@pytest.mark.slow
@LINUX
@pytest.mark.usefixtures("lab")
def test_a_worker_that_is_killed_is_no_internal_error():
    """As the system does it where memory runs out."""
    process = started("hostile_lab:works", *WORKING)
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
    assert err == f"{start}0 of 3 rows; with --json it can be resumed\n"
