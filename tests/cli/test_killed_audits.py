"""kill -9 at random moments and --resume: the report is that of an audit that nobody disturbed, byte for byte."""

import os
import random
import signal
import subprocess
import sys
import time

MOMENTS = int(os.environ.get("CLMATH_TEST_KILLS", "1"))  # 20 before a release
COMMAND = [sys.executable, "-m", "clmath", "audit", "numpy", "--functions", "floor,exp", "--types", "float"]
COMMAND += ["--inputs", "exhaustive", "--part", "5/2048", "--jobs", "2", "--json"]


def audited(path, *words, kill_after=None):
    """The seconds that it took, and whether it came to its end."""
    begun = time.monotonic()
    process = subprocess.Popen([*COMMAND, str(path), *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, errors = process.communicate(timeout=kill_after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return time.monotonic() - begun, False
    assert process.returncode in (0, 1), errors
    return time.monotonic() - begun, True


def test_killed_at_any_moment_and_resumed(tmp_path):
    """Twice each time, and then to its end."""
    seconds, _ = audited(tmp_path / "whole.json")
    whole = (tmp_path / "whole.json").read_bytes()
    seed = random.SystemRandom().randrange(2**32)
    rng = random.Random(seed)
    for moment in range(MOMENTS):
        path = tmp_path / f"{moment}.json"
        kills = 0
        while not audited(path, *(["--resume"] if path.exists() else []), kill_after=rng.uniform(0, seconds))[1]:
            kills += 1
            if kills == 2:
                audited(path, *(["--resume"] if path.exists() else []))
                break
        assert path.read_bytes() == whole, f"seed {seed}, moment {moment}"
        assert not list(tmp_path.glob("*.part"))
