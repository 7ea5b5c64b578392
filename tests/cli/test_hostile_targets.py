"""Targets that crash, hang, print or lie: each affects only its own case of ``clmath audit``."""

import re
import subprocess
import sys

import pytest

from tests.cases import for_each

LAB = """
    import atexit, ctypes, signal, sys, threading

    C = ctypes.CDLL(None)

    def right(name, *args):
        "By NumPy where it can: clmath takes long to load in each process that takes the place of a lost one."
        return getattr(np if name in ("floor", "trunc") else clmath, name)(*args)

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

    class Odd(np.ndarray):
        def __reduce__(self):
            return os._exit, (0,)
        def tobytes(self, *args):
            return b"nonsense"

    at_seven, late = at(7), at(-81)
    terminates, hangs_up = late(to_parent(signal.SIGTERM)), late(to_parent(signal.SIGHUP))
    kills, ends_all = late(to_parent(signal.SIGKILL)), late(to_group(signal.SIGTERM))
    stops = always(stops_its_parent)
    exits = late(lambda x: C.exit(0))
    keyboard = late(raises(KeyboardInterrupt()))
    loud = late(raises(Loud()))
    recursion = late(lambda x: (lambda f: f(f))(lambda f: f(f)))
    crashes = at_seven(lambda x: ctypes.string_at(0))
    aborts = late(lambda x: C.abort())
    hangs = at_seven(lambda x: time.sleep(600))
    hangs_in_c = late(lambda x: ctypes.PyDLL(None).sleep(600))
    crashes_at_all = always(lambda x: ctypes.string_at(0))
    huge = always(lambda x: np.broadcast_to(np.float32(0), (1 << 40,)))
    forks, forks_and_dies = always(fork_and_return), late(fork_and_die)
    closes, closes_standard = always(close_all), always(close_standard)
    scribbles, quiet = always(scribble), always(signals)
    thread, overwriting = always(leaves_a_thread), always(overwrites)
    talks, talks_without_end = always(prints), always(prints_without_end)
    rounding, flushing = late(rounds_up), late(flushes)
    odd = always(lambda x: np.floor(x).view(Odd))
    crashes_once = always(lambda x: np.floor(x) if os.path.exists("seen") else (open("seen", "w"), C.abort()))
"""
WORDS = ["--functions", "floor,trunc", "--types", "float", "--inputs", "64", "--jobs", "1"]
AT_SEVEN = "; with x = 0x1.cp+2 [0x40e00000]"
LATE = "; with x = -0x1.44p+6 [0xc2a20000]"  # late in its batch: the search for it loses three processes


DEEDS = {
    "exits": f"ended its process with exit status 0{LATE}",
    "keyboard": f"raised KeyboardInterrupt: no message{LATE}",
    "loud": f"raised Loud: \\x1b[2J\\x1b]0;title\\x07 red \\x9b31m{LATE}",
    "recursion": "raised RecursionError: maximum recursion depth exceeded",
    "crashes": f"died of signal 11 (Segmentation fault){AT_SEVEN}",
    "aborts": f"died of signal 6 (Aborted){LATE}",
    "terminates": f"died of signal 15 (Terminated){LATE}",
    "hangs_up": f"died of signal 1 (Hangup){LATE}",
    "kills": f"died of signal 9 (Killed){LATE}",
    "ends_all": f"died of signal 15 (Terminated){LATE}",
    "forks_and_dies": f"ended its process with exit status 3{LATE}",
    "crashes_at_all": "died of signal 11 (Segmentation fault); with x = ",
    "crashes_once": "died of signal 6 (Aborted); no single input of ",
    "rounding": f"left another rounding mode set in the processor (fesetround){LATE}",
    "flushing": f"left the processor flushing subnormal numbers to zero (FTZ or DAZ){LATE}",
    "overwriting": "wrote into its argument x; with x = nan [0x7fc00000]",
    "closes": "to the audit; with x = ",
    "scribbles": "wrote into its connection to the audit; with x = ",
    "huge": "returned shape (1099511627776,) for result; ",
}
HARMLESS = ["forks", "stops", "closes_standard", "quiet", "thread", "odd"]
HANGING = {
    "hangs": f"floor(float) did not answer within 1 s{AT_SEVEN}",
    "hangs_in_c": f"floor(float) did not answer within 1 s{LATE}",
}


def audited(*words):
    """Run an audit in a process of its own: its first child is a copy of it, unlike children of the test process."""
    command = [sys.executable, "-m", "clmath", "audit", *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def check_row_is_lost(out, name, deed):
    (line,) = [line for line in out.splitlines() if line.startswith("not judged: floor float: ")]
    assert f"lab:{name}: floor(float) " in line
    assert deed in line
    assert re.search(r"^ ?trunc .* pass", out, re.MULTILINE)
    assert re.search(r"^1 pass, 1 not judged; .* could not be judged$", out, re.MULTILINE)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", out)


@pytest.mark.parametrize(
    "name, deed, words", [("crashes", DEEDS["crashes"], []), ("hangs", "did not", ["--timeout=2"])]
)
def test_crash_or_hang_affects_only_its_case(clm, lab, name, deed, words):
    status, out, err = clm("audit", f"{lab}:{name}", *WORDS, *words)
    assert (status, err) == (2, "")
    check_row_is_lost(out, name, deed)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("deeds, words", [(DEEDS, []), (HANGING, ["--timeout", "1"])], ids=["deeds", "hanging"])
def test_audit_of_many_hostile_targets_loses_one_case_of_each(lab, deeds, words):
    names = [*deeds, *HARMLESS] if deeds is DEEDS else [*deeds]
    status, out, err = audited(*(f"{lab}:{name}" for name in names), *WORDS, *words)
    assert (status, err) == (2, "")
    _, *parts = re.split(r"^target \d+ of \d+: lab:(\w+)\n", out, flags=re.MULTILINE)
    reported = dict(zip(parts[::2], parts[1::2], strict=True))
    assert list(reported) == names
    for name, deed in deeds.items():
        check_row_is_lost(reported[name], name, deed)
    for name in names[len(deeds) :]:
        assert re.search(r"^2 pass; .* conforms$", reported[name], re.MULTILINE), name


@pytest.mark.slow
def test_harmless_deeds_do_not_change_the_exit_status(clm, lab):
    for name in HARMLESS:
        status, out, err = clm("audit", f"{lab}:{name}", *WORDS)
        assert (status, err) == (0, ""), name
        assert out.splitlines()[-1].startswith("2 pass; ")


def test_output_of_a_target_is_a_note_of_its_case(clm, lab):
    status, out, err = clm("audit", f"{lab}:talks", *WORDS)
    assert (status, err) == (0, "")
    (note,) = [line for line in out.splitlines() if "hello" in line]
    assert note.startswith("note: floor float: the target printed ")
    assert all(part in note for part in ("\\x1b[31mhello", "from C", "to stderr"))
    status, out, _ = clm("audit", f"{lab}:talks_without_end", *WORDS)
    assert status == 0
    (note,) = [line for line in out.splitlines() if line.startswith("note: floor")]
    assert re.search(rf"printed \d*{200 * 65536} bytes|printed \d{{8,}} bytes", note)
    assert len(note) < 400


def test_replay_survives_a_target_that_exits(clm, lab):
    words = ["--functions", "floor", "--types", "float", "--replay", "-81", "--replay", "3"]
    status, out, err = clm("audit", f"{lab}:exits", *words)
    assert (status, err) == (2, "")
    assert "ended its process with exit status 0" in out
    assert out.count("\n    pass\n") == 1


@pytest.mark.slow
@for_each(
    "source, fact",
    [
        (
            "print('no licence'); import os; os._exit(7)",
            "ended its process with exit status 7; the target printed 11 ",
        ),
        ("import time; time.sleep(600)", "did not answer within 2.5 s"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("import ctypes; ctypes.string_at(0)", "died of signal 11"),
        ("raise ValueError('\\x1b[2J')", "ValueError: \\x1b[2J"),
    ],
)
def test_module_that_cannot_be_loaded_is_an_error(refusal, tmp_path, monkeypatch, source, fact):
    (tmp_path / "unloadable.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    err = refusal("audit", "unloadable:f", *WORDS, "--timeout", "0.5")
    assert err.startswith("clmath audit: 'unloadable:f' cannot be ")
    assert fact in err


@pytest.mark.skipif(sys.platform != "linux", reason="the test looks files up in /proc")
@pytest.mark.parametrize("run", [pytest.param(audited, marks=pytest.mark.slow), None], ids=["copied", "fresh"])
def test_target_has_only_its_own_files_open(clm, tmp_path, monkeypatch, run):
    """It inherits neither the audit's files nor the files given to the audit, because it might write into them."""
    (tmp_path / "lister.py").write_text(
        "import os\nimport numpy as np\n"
        "def f(name, x):\n"
        "    opened = [f'/proc/self/fd/{n}' for n in os.listdir('/proc/self/fd')]\n"
        "    print(sorted(os.readlink(file).split(':')[0] for file in opened if os.path.exists(file)))\n"
        "    return np.floor(x)\n"
    )
    monkeypatch.chdir(tmp_path)
    words = ["lister:f", "--functions", "floor", *WORDS[2:]]
    _, out, _ = run(*words) if run else clm("audit", *words)
    assert "['/dev/null', 'pipe', 'pipe', 'socket']" in out
