"""--dask: a cluster of several processes judges, one of which is killed; the report is the same byte for byte."""

import json
import os
import signal
import socket
import textwrap
import threading
import time
from unittest import mock

import pytest

from clmath.audit.running import workers as executors

pytestmark = pytest.mark.slow
LAB = """
    import os
    import time
    import numpy as np
    import clmath

    batches = []

    def lab(name, *args):
        batches.append(name)
        while len(batches) > 4 and os.path.exists("cluster.json") and not os.path.exists("killed"):
            time.sleep(0.02)
        value = np.array(getattr(clmath, name)(*args))
        return np.where(args[0] > 100, value * np.float32(1.5), value)
"""
WORDS = ["audit", "cluster_lab:lab", "--functions", "exp2", "--types", "float", "--inputs", "3000"]
WORDS += ["--oracle", "mpfr"]  # the chunks are judged by workers


@pytest.fixture(scope="module")
def distributed():
    """The library; loading it takes half a second."""
    return pytest.importorskip("distributed", reason="pip install 'clmath[dask]'")


@pytest.fixture(scope="module")
def workers(distributed):
    """The cluster; starting it changes how child processes of this one keep memory (MALLOC_TRIM_THRESHOLD_)."""
    with (
        mock.patch.dict(os.environ),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local,
        distributed.Client(local, set_as_default=False),
    ):
        yield local


@pytest.fixture
def lab(tmp_path, monkeypatch):
    (tmp_path / "cluster_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_report_is_the_same_after_a_worker_is_killed(clm, lab, workers):
    """A worker is killed in the middle of the run; the others judge its chunks."""
    assert clm(*WORDS, "--json", "here.json", "--jobs", "1")[0] == 1
    pids = [worker.pid for worker in workers.workers.values()]
    found = []

    def kill():
        while not os.path.exists("cluster.json"):  # noqa: PTH110
            time.sleep(0.01)
        time.sleep(0.5)
        os.kill(pids[0], signal.SIGKILL)
        (lab / "killed").touch()
        found.append(json.loads((lab / "cluster.json").read_text())["complete"])

    killer = threading.Thread(target=kill)
    killer.start()
    status, _, errors = clm(*WORDS, "--json", "cluster.json", "--dask", workers.scheduler_address)
    killer.join()
    assert (status, found) == (1, [False]), errors
    assert (lab / "cluster.json").read_bytes() == (lab / "here.json").read_bytes()
    assert pids[0] not in [worker.pid for worker in workers.workers.values()]


@pytest.mark.usefixtures("lab")
def test_worker_with_another_clmath_is_refused(clm, workers, monkeypatch):
    """Its verdicts might differ; the report can be resumed."""
    monkeypatch.setattr(executors, "identity", lambda: "another")
    status, _, errors = clm(*WORDS, "--json", "other.json", "--dask", workers.scheduler_address)
    assert status == 2
    assert "a worker has another clmath, other tables, or other versions of numpy, gmpy2, mpmath or MPFR" in errors
    assert "other.json holds the finished ones: add --resume to go on" in errors


@pytest.mark.usefixtures("lab", "distributed")
def test_errors_name_the_remedy(clm, monkeypatch):
    """No scheduler, a malformed address, options that exclude each other, no package."""
    monkeypatch.setattr(executors, "SECONDS", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    status, _, errors = clm(*WORDS, "--dask", address)
    assert status == 2
    assert f"--dask {address}: no scheduler answers there" in errors
    assert "which 'dask scheduler' prints" in errors
    status, _, errors = clm(*WORDS, "--dask", "nonsense://x")
    assert (status, "--dask nonsense://x: no scheduler answers there" in errors) == (2, True)
    assert "give one of them" in clm(*WORDS, "--dask", address, "--workers", "3")[2]
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    assert "distributed is not installed; run: pip install 'clmath[dask]'" in clm(*WORDS, "--dask", address)[2]
