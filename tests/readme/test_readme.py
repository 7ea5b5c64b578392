"""README.md and docs: Python and command lines in them work; names, options, files and extras exist."""

from __future__ import annotations

import ast
import os
import platform
import re
import signal
import socket
import subprocess
import tomllib

import numpy as np
import pytest

import clmath
from clmath.__main__ import main
from clmath.audit.offline.folder import Folder, mark
from clmath.cli import _parser
from clmath.cli.one_audit import functions_of
from clmath.testing import assert_correctly_rounded
from tests.cases import for_each
from tests.readme.printed import PAGES, ROOT, TEXT, Follower, blocks, command_lines, here, is_shown

README = PAGES["README.md"]
VENDOR = PAGES["docs/guide/vendor.md"]
LAB = next(code for language, _, code in blocks(VENDOR) if language == "sh" and "--junit" in code)
SHELL = [line for language, _, code in blocks(TEXT) if language == "sh" for line in code.splitlines()]
COMMANDS = [list(words) for words in dict.fromkeys(map(tuple, command_lines(TEXT)))]
WALK = command_lines(VENDOR)


def python(page: str) -> list[str]:
    return [code for language, _, code in blocks(PAGES[page]) if language == "python"]


def results(code: str, names: dict[str, object]) -> dict[str, object]:
    """Run code and return the values of all expression statements by source."""
    values = {}
    for node in ast.parse(code).body:
        source = ast.unparse(node)
        if isinstance(node, ast.Expr):
            values[source] = eval(source, names)  # noqa: S307 - our own README
        else:
            exec(compile(ast.Module([node], []), "README.md", "exec"), names)  # noqa: S102
    return values


def test_readme_is_short():
    assert len(README.splitlines()) <= 150


def test_first_example_of_the_readme_gives_the_printed_output(tmp_path):
    code, shown = blocks(README[README.index("## A first example") :])[:2]
    follower = Follower(tmp_path)
    follower.follow(f"```python\n{code[2]}```\n```text\n{shown[2]}```\n")
    assert follower.compared == 1


@pytest.mark.skipif(platform.libc_ver() != ("glibc", "2.36"), reason="the output shown is of glibc 2.36")
def test_audit_in_the_readme_gives_the_printed_output(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    part = README[README.index("**You make or port") :]
    (_, _, line), (_, _, shown) = blocks(part)[:2]
    assert main(command_lines(f"```sh\n{line}```\n")[0]) == 1
    assert is_shown(f"...\n{shown}", capsys.readouterr().out)


def test_example_of_a_test_in_the_readme_passes():
    pytest.importorskip("hypothesis")
    names = {}
    results(python("README.md")[1], names)
    names["test_my_sqrt"]()


def test_failure_in_the_readme_is_printed():
    """Hypothesis finds the same simplest input with any seed."""
    hypothesis = pytest.importorskip("hypothesis")
    names, part = {}, README[README.index("**You test numeric code.**") :]
    results(python("README.md")[1], names)
    (wrong,) = re.findall(r"Were it `([^`]+)`", part)
    exec(f"def my_sqrt(x):\n    return {wrong}", names)  # noqa: S102 - our own README
    (shown,) = [text for language, _, text in blocks(part)[:3] if language == "text"]
    for seed in range(3):
        with pytest.raises(AssertionError) as caught:
            hypothesis.seed(seed)(names["test_my_sqrt"])()
        assert str(caught.value) == shown.rstrip("\n")


def test_first_example_of_arrays_gives_its_results():
    values = results(python("docs/guide/arrays.md")[0], {})
    assert len(values) >= 6
    assert values["clmath.pow(x, 2.0)"].dtype == np.float32
    assert values["clmath.convert(x, 'uchar', sat=True)"].tolist() == [0, 255, 3]
    assert isinstance(values["clmath.sincos(np.float16(1.0))"], tuple)


@pytest.mark.slow
def test_examples_of_tests_pass_and_fail_as_described():
    pytest.importorskip("hypothesis")
    from clmath.testing.fixtures import UlpRecorder

    names = {}
    results(python("docs/guide/testing.md")[0], names)
    recorded = []
    for name in ("test_exp", "test_exp_to_one_ulp", "test_sqrt"):
        names[name]()
    names["test_my_sqrt"]()
    names["test_errors"](UlpRecorder(recorded.append))
    assert recorded[0][:2] == ["sin", "float"]
    names["my_sqrt"] = lambda x: np.nextafter(clmath.sqrt(x), np.float32(np.inf))
    with pytest.raises(AssertionError, match=r"^sqrt\(\S+ = \S+\) \[0x\w+\]: got .* \(\+1 ulp\), rte\nreplay: "):
        names["test_my_sqrt"]()


@pytest.mark.slow
def test_examples_of_tests_of_single_calls_pass():
    names = {}
    results(python("docs/guide/testing.md")[1], names)
    for name in ("test_prints", "test_copies", "test_broadcasts", "test_reads"):
        names[name]()


@pytest.mark.slow
def test_examples_of_tests_of_bfloat16_pass():
    pytest.importorskip("ml_dtypes")
    names = {}
    results(python("docs/guide/testing.md")[3], names)
    for name in ("test_hypot", "test_isnan"):
        names[name]()


@pytest.mark.slow
def test_examples_of_tests_by_reference_pass():
    names = {}
    results(python("docs/guide/testing.md")[2], names)
    for name in ("test_softplus", "test_softmax"):
        names[name]()


@pytest.mark.slow
def test_example_of_arrays_on_a_device_runs(opencl_device):
    import pyopencl.array

    assert opencl_device.startswith("opencl")
    names = {}
    rounded, overwritten = results(python("docs/guide/arrays.md")[1], names).values()
    assert isinstance(rounded, pyopencl.array.Array)
    x = np.array([0.5, 1e22, np.pi], np.float32)
    assert np.array_equal(rounded.get(), clmath.sin(x, rounding="rtz"))
    assert overwritten is names["x"]
    assert np.array_equal(overwritten.get(), clmath.sin(x))


def test_failure_in_the_testing_guide_is_printed():
    (shown,) = [text for language, _, text in blocks(PAGES["docs/guide/testing.md"]) if language == "text"]
    assert shown in README
    x = np.float32(4)
    with pytest.raises(AssertionError) as caught:
        assert_correctly_rounded(np.nextafter(clmath.sqrt(x), np.float32(9)), "sqrt", (x,))
    assert str(caught.value) == shown.rstrip("\n")


def test_further_sections_of_arrays_give_the_printed_output(tmp_path):
    page = PAGES["docs/guide/arrays.md"]
    follower = Follower(tmp_path, {"np": np, "clmath": clmath})
    follower.follow(page[page.index("## Operators") :])
    assert follower.compared == 7


def test_every_python_block_is_tested():
    followed = ("README.md", "docs/guide/arrays.md", "docs/guide/testing.md", "docs/guide/recipes.md")
    others = {page for page in PAGES if python(page)} - set(followed)
    assert {page for page in others if not page.startswith("docs/tutorials/")} == set()
    assert [len(python(page)) for page in followed[:3]] == [2, 9, 4]


def test_command_lines_are_found():
    assert {words[0] for words in COMMANDS} >= {"audit", "devices", "eval", "show"}


@for_each("words", COMMANDS)
def test_command_line_is_parsed(words):
    options = _parser().parse_args(words)
    assert functions_of(getattr(options, "functions", None) or getattr(options, "name", "") or "sin", None)


@for_each("words", [w for w in COMMANDS if w[0] in ("eval", "show", "list")])
def test_printing_command_works(words, capsys):
    assert main(words) == 0
    assert len(capsys.readouterr().out.splitlines()) > 3


@pytest.mark.parametrize(
    "words", [w for w in COMMANDS if w[:2] == ["audit", "libm"] and "--replay" not in " ".join(w)], ids=" ".join
)
def test_audit_of_the_c_library_works(words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(words) in (0, 1)
    assert "inputs tried" in capsys.readouterr().out


@pytest.mark.slow
@for_each("words", [w for w in COMMANDS if w[0] == "export"])
def test_export_command_writes_sources(words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 0
    assert {"clmath.h", "clmath_sin.c", "README.md"} <= {path.name for path in (tmp_path / "sources").iterdir()}


@pytest.mark.slow
def test_commands_of_reports_work(tmp_path):
    """The block is run line by line, with fewer inputs; it makes all the files that it needs."""
    assert LAB.count(" audit libm ") == 1
    for line in LAB.replace(" audit libm ", " audit libm --inputs 1000 ").splitlines():
        done = subprocess.run(  # noqa: S602 - our own page
            here(line), shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.stderr == ""
        assert done.returncode in (0, 1)
        if "clmath diff" in line:
            assert done.returncode == 0
    files = {path.name for path in tmp_path.iterdir()}
    assert files == {"new.json", "old.json", "run.log", "report.html", "junit.xml", "rows.csv", "cts.json", "known.txt"}


@pytest.mark.slow
def test_commands_of_the_vendor_guide_work(tmp_path, monkeypatch, capsys):
    """The commands are run in order; clmath itself takes the place of the device of the offline run."""
    monkeypatch.chdir(tmp_path)
    (folder,) = {words[words.index("--out") + 1] for words in WALK if words[0] == "inputs"}
    for words in WALK:
        if words[:2] in (["audit", "library:libm.so.6"], ["audit", "numpy"]) or words[0] == "inputs":
            assert main(words) in {0, 1}
    there = next(line for line in SHELL if "./host" in line)
    assert f"{there}\n" in capsys.readouterr().out.replace("There, as README.txt says: ", "")
    assert there.partition(" && ")[2] in (tmp_path / folder / "README.txt").read_text()
    for words in [words for words in WALK if words[0] == "check"]:
        filled(tmp_path / ("lab2" if "lab2" in words[1:3] else folder))
        assert main(words) == 0
    assert {"numpy.csv", "lab.json", "lab.html", "lab2", "both.json"} <= {path.name for path in tmp_path.iterdir()}


def filled(folder):
    """Write results into a folder, as the host program does."""
    for row in Folder.read(folder, "test").rows.values():
        args = [np.fromfile(folder / o.file, o.dtype) for o in row.arguments]
        (kept,) = row.results
        results = getattr(clmath, row.builtin)(*args).tobytes()
        (folder / kept.file).write_bytes(kept.head.encode() + mark(kept.dtype) + results)


@pytest.mark.slow
def test_commands_of_a_cluster_work(tmp_path, opencl_device):
    """The block is run with another port and fewer inputs."""
    pytest.importorskip("distributed", reason="pip install 'clmath[dask]'")
    (block,) = [code for language, _, code in blocks(VENDOR) if language == "sh" and "dask scheduler" in code]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        block = block.replace("8786", str(free.getsockname()[1]))
    assert block.count(" audit opencl ") == 1
    block = block.replace(" audit opencl ", " audit opencl --inputs 5000 ")
    with (tmp_path / "shown").open("w") as shown:
        process = subprocess.Popen(
            ["/bin/sh", "-c", here(block)],
            cwd=tmp_path,
            stdout=shown,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            status = process.wait(timeout=120)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    assert status in {0, 1}
    assert "inputs tried" in (tmp_path / "shown").read_text()
    assert opencl_device.startswith("opencl")


def test_mentioned_options_exist(capsys):
    mentioned = set(re.findall(r"`(--[a-z][a-z-]+)", TEXT))
    assert [main([command, "--help"]) for command in ("audit", "check", "export")] == [0, 0, 0]
    assert mentioned - set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) == set()
    assert mentioned


def test_mentioned_names_exist():
    mentioned = set(re.findall(r"\bclmath\.(\w+)\(", TEXT))
    assert [name for name in mentioned if not callable(getattr(clmath, name, None))] == []
    assert "stats" in mentioned


def test_mentioned_files_exist():
    missing, mentioned = [], set()
    for page, text in PAGES.items():
        folder = ROOT / page if page == "README.md" else ROOT / "docs"
        links = set(re.findall(r"\]\((?!http)([^)#]+)", text)) if page == "README.md" else set()  # mkdocs: others
        named = set(re.findall(r"`((?:clmath|tables|tests|benchmarks)/(?:[\w./]*)?)`", text))
        mentioned |= links | named
        missing += [(folder.name, name) for name in sorted(links | named) if not (ROOT / name).exists()]
    assert missing == []
    assert "tables/builtins.toml" in mentioned


def test_mentioned_extras_exist():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    mentioned = {name for group in re.findall(r"(?:clmath|\.)\[([\w,]+)\]'", TEXT) for name in group.split(",")}
    assert {"opencl", "tests"} <= mentioned <= set(extras)
