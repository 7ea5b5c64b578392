"""Offline local search: a second folder has inputs near the worst results of the first; both are judged together."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from clmath.audit.offline.folder import Folder
from clmath.cli import main
from tests.cases import for_each

pytestmark = pytest.mark.slow

FAST = ["--inputs", "64", "--types", "float"]


@pytest.fixture(scope="module")
def looks(tmp_path_factory, filled):
    """A folder and the folder of its local search, which has the only wrong result."""

    def off(row, result):
        return np.where(np.arange(len(result)) == 7, -result, result) if row.builtin == "exp" else result

    place = tmp_path_factory.mktemp("looks")
    words = ["--functions", "exp,fabs", *FAST, "--out", str(place / "lab")]
    assert main(["inputs", *words]) == 0
    filled(place / "lab")
    assert main(["check", str(place / "lab"), "--local-search", str(place / "lab2"), "--jobs", "1"]) == 0
    filled(place / "lab2", off)
    return place


@pytest.fixture
def both(looks, tmp_path, monkeypatch):
    shutil.copytree(looks, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_local_search_is_judged_with_the_first_folder(clm, both):
    rows = Folder.read(both / "lab2", "test").rows
    assert list(rows) == ["exp_float"]  # results of fabs are always exact
    first = Folder.read(both / "lab", "test").rows["exp_float"].calls
    status, out, _ = clm("check", "lab", "lab2", "--jobs", "1", "--json", "r.json")
    assert status == 1
    (row,) = [row for row in json.loads((both / "r.json").read_text())["rows"] if row["built-in"] == "exp"]
    assert (row["tried"], row["failed"]) == (first + rows["exp_float"].calls, 1)
    words = ["--edition", "opencl-c-3.1.1", "--profile", "embedded", "--jobs", "1"]
    _, other, _ = clm("check", "lab", "lab2", *words)
    assert out.splitlines()[-1].split(";")[1] == other.splitlines()[-1].split(";")[1]  # the same number of inputs
    line = next(line for line in out.splitlines() if line.strip().startswith("clmath audit files:lab"))
    assert line.split()[2] == f"files:lab{os.pathsep}lab2"
    assert clm(*line.split()[1:])[0] == 1


@pytest.mark.usefixtures("both")
def test_local_search_needs_an_error(clm, filled):
    assert clm("inputs", "--functions", "fabs", *FAST, "--out", "exact")[0] == 0
    filled(Path("exact"))
    status, out, _ = clm("check", "exact", "--local-search", "exact2", "--jobs", "1")
    assert (status, Path("exact2").exists()) == (0, False)
    assert out.endswith("tried, or only the inputs of a part; exact2 is not written\n")


def of_another_device(both):
    (both / "lab/results/device.txt").write_text("kind: dsp\ndriver: 1\n")
    (both / "lab2/results/device.txt").write_text("kind: dsp\ndriver: 2\n")


@for_each(
    "words, deed, fact",
    [
        (["lab2"], None, "lab2 is the local search of another folder; name that folder before it"),
        (["lab2", "lab"], None, "lab2 is the local search of another folder; name that folder before it"),
        (["lab", "lab"], None, "lab is not the local search of lab; name a folder, and the one that "),
        (["lab", "lab2", "lab2"], None, "lab2 is not the local search of lab; name a folder, and the one that "),
        (
            ["lab", "lab2", "--local-search", "x"],
            None,
            "lab2 is the local search, and has no local search of its own; leave",
        ),
        (["lab", "--local-search", "lab2"], None, "--local-search lab2 is not an empty folder; name a new one"),
        (["lab", "--local-search", ""], None, "--local-search names no folder; write --local-search lab2"),
        (["lab", "lab2"], of_another_device, "lab2 has results of another device: driver is '2', and '1' in lab"),
        (["lab", f"a{os.pathsep}b"], lambda both: (both / "lab2").rename(f"a{os.pathsep}b"), "rename the folder"),
        (["lab", "lab2"], lambda both: shutil.rmtree(both / "lab2/results"), "lab2 holds no results; run its host"),
    ],
)
def test_folders_of_different_runs_are_refused(  # noqa: PLR0917
    refusal, looks, tmp_path, monkeypatch, words, deed, fact
):
    shutil.copytree(looks, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    if deed:
        deed(tmp_path)
    err = refusal("check", *words)
    assert err.startswith("clmath check: ")
    assert fact in err
