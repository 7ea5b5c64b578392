"""Messages of 'clmath check' and of the hosts about missing, empty or truncated files, which were misleading."""

import os
import re
import shutil
import subprocess

import pytest

from clmath.cli import main
from tests.cases import for_each

CC = shutil.which("cc")
COMPILED = pytest.mark.skipif(CC is None or os.name != "posix", reason="there is no C compiler called cc")
NAMES = ["--functions", "floor,sqrt", "--types", "float,double", "--inputs", "16"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Folder of an offline run that a C library has filled with results."""
    folder = tmp_path_factory.mktemp("lab") / "lab"
    assert main(["inputs", *NAMES, "--out", str(folder)]) == 0
    subprocess.run([CC, "-O1", "-fno-builtin", "-o", "library", "library.c", "-lm"], cwd=folder, check=True)
    assert subprocess.run(["./library"], cwd=folder, check=False).returncode == 0
    return folder


@pytest.fixture
def copy(lab, tmp_path):
    return shutil.copytree(lab, tmp_path / "lab")


@COMPILED
@pytest.mark.parametrize(
    "text, fact",
    [
        (None, "is missing"),
        ("", "is empty"),
        ("kind: C", "is cut off"),
        ("kind: C library\ndevice: C library\n", "is cut off"),
    ],
)
def test_missing_or_truncated_device_description_is_an_error(clm, copy, text, fact):
    """Without it, results were judged by other acceptance criteria."""
    path = copy / "results/device.txt"
    path.unlink()
    if text is not None:
        path.write_text(text)
    status, out, err = clm("check", copy)
    assert (status, out) == (2, "")
    assert f"{path} {fact}" in err


@COMPILED
def test_missing_results_are_not_judged(clm, copy):
    """They are missing even if the device's description was changed to say that double is not supported."""
    for name in ("floor_double", "sqrt_double"):
        (copy / f"results/{name}.0").unlink()
        (copy / f"results/{name}.txt").unlink()
    text = (copy / "results/device.txt").read_text()
    (copy / "results/device.txt").write_text(f"extensions: cl_khr_none\n{text}")  # no cl_khr_fp64
    status, out, _ = clm("check", copy, "--jobs", "1")
    assert status == 2
    assert "2 pass, 2 not judged; " in out
    table, _, attention = out.partition("do not pass, the most severe first")
    for part in (table, attention):
        assert part.count(" is missing; run the host, and copy results back") == 2


@COMPILED
@for_each(
    "name, keep, fact",
    [
        (
            "rows.txt",
            0,
            "rows.txt: is not of this host's version, or not as it was written; copy the whole folder again",
        ),
        ("rows.txt", -9, "rows.txt: is cut off: its last line, 'all rows', is missing; copy the folder again"),
        ("rows.txt", -20, "rows.txt: is cut off: its last line, 'all rows', is missing; copy the folder again"),
        ("rows.txt", None, "rows.txt: No such file or directory; run this in the whole folder that clmath wrote"),
        (
            "kernels.cl",
            0,
            "kernels.cl: was changed or damaged on its way: its CRC-32 is another; copy the folder again",
        ),
        ("inputs/floor_float.0", 4, "inputs/floor_float.0: was changed or damaged on its way"),
        ("inputs/floor_float.0", None, "inputs/floor_float.0: No such file or directory; run this in the whole folder"),
    ],
)
def test_host_names_a_missing_or_damaged_file_of_clmath(lab, tmp_path, name, keep, fact):
    """Both hosts share this code."""
    copy = shutil.copytree(lab, tmp_path / "lab")
    shutil.rmtree(copy / "results")
    (copy / "results").mkdir()
    data = (copy / name).read_bytes()
    (copy / name).unlink()
    if keep is not None:
        (copy / name).write_bytes(data[:keep])
    done = subprocess.run(["./library"], cwd=copy, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.startswith(f"host: {fact}")) == (2, True), done.stderr


@COMPILED
def test_host_without_devices_fails_with_a_message(copy):
    """It used to print nothing and exit with status 0."""
    functions = set(re.findall(r"\bcl[A-Z]\w+(?=\()", (copy / "cl12.h").read_text()))
    (copy / "none.c").write_text("".join(f"int {name}() {{ return -1; }}\n" for name in functions))
    subprocess.run([CC, "-w", "-O0", "-o", "host", "host.c", "none.c"], cwd=copy, check=True)
    for words, fact in (
        (["--list"], "host: OpenCL: has no device here; install a driver"),
        ([], "host: OpenCL: has no device here; install a driver"),
        (["--device", "1"], "host: OpenCL: has no such device here; ./host --list shows those that there are"),
    ):
        done = subprocess.run(["./host", *words], cwd=copy, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(fact)
