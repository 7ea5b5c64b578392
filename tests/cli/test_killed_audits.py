"""Killed or stopped at random moments and resumed: the report is that of an audit left alone, byte for byte."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

MOMENTS = int(os.environ.get("CLMATH_TEST_KILLS", "1"))  # 20 before a release
STOPS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM]
COMMAND = [sys.executable, "-m", "clmath", "audit", "numpy", "--functions", "floor,exp", "--types", "float"]
COMMAND += ["--inputs", "exhaustive", "--part", "5/2048", "--json"]


def audited(path, *words, jobs=2, stop=signal.SIGKILL, after=None):
    """The seconds that it took, and whether it came to its end."""
    begun = time.monotonic()
    command = [*COMMAND, str(path), "--jobs", str(jobs), *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, errors = process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        process.send_signal(stop)
        process.communicate()
        return time.monotonic() - begun, False
    assert process.returncode in (0, 1), errors
    return time.monotonic() - begun, True


def resuming(path):
    return ["--resume"] if path.exists() else []


@pytest.mark.slow
def test_killed_at_any_moment_and_resumed(tmp_path):
    """Once or twice while two processes judge, and then to its end: as what one process judged that was left alone."""
    seconds, _ = audited(tmp_path / "whole.json", jobs=1)
    whole = (tmp_path / "whole.json").read_bytes()
    seed = random.SystemRandom().randrange(2**32)
    rng = random.Random(seed)
    for moment in range(MOMENTS):
        path = tmp_path / f"{moment}.json"
        kills = 0
        while kills < 2:
            if not audited(path, *resuming(path), stop=rng.choice(STOPS), after=rng.uniform(0, seconds))[1]:
                kills += 1
            elif kills:
                break
            else:
                path.unlink()  # it came to its end before
        else:
            audited(path, *resuming(path), jobs=1)
        assert path.read_bytes() == whole, f"seed {seed}, moment {moment}"
        assert not list(tmp_path.glob("*.part"))
