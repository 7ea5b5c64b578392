"""README.md and docs: their Python and command lines work, the names, options, files and extras in them exist."""

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
    """The values of all expressions that stand as statements of their own, after running everything in order."""
    values = {}
    for node in ast.parse(code).body:
        source = ast.unparse(node)
        if isinstance(node, ast.Expr):
            values[source] = eval(source, names)  # noqa: S307 - the README is ours
        else:
            exec(compile(ast.Module([node], []), "README.md", "exec"), names)  # noqa: S102
    return values


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 150


def test_the_first_example_of_the_readme(tmp_path):
    code, shown = blocks(README[README.index("## A first example") :])[:2]
    follower = Follower(tmp_path)
    follower.follow(f"```python\n{code[2]}```\n```text\n{shown[2]}```\n")
    assert follower.compared == 1


@pytest.mark.skipif(platform.libc_ver() != ("glibc", "2.36"), reason="what is shown is of glibc 2.36")
def test_the_audit_that_the_readme_shows(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    part = README[README.index("**You make or port") :]
    (_, _, line), (_, _, shown) = blocks(part)[:2]
    assert main(command_lines(f"```sh\n{line}```\n")[0]) == 1
    assert is_shown(f"...\n{shown}", capsys.readouterr().out)


def test_the_example_of_the_readme_for_testers():
    pytest.importorskip("hypothesis")
    names = {}
    results(python("README.md")[1], names)
    names["test_my_sqrt"]()


def test_the_failure_that_the_readme_shows():
    """The simplest input, to which Hypothesis comes whatever it begins with."""
    hypothesis = pytest.importorskip("hypothesis")
    names, part = {}, README[README.index("**You test numeric code.**") :]
    results(python("README.md")[1], names)
    (wrong,) = re.findall(r"Were it `([^`]+)`", part)
    exec(f"def my_sqrt(x):\n    return {wrong}", names)  # noqa: S102 - the README's own words
    (shown,) = [text for language, _, text in blocks(part)[:3] if language == "text"]
    for seed in range(3):
        with pytest.raises(AssertionError) as caught:
            hypothesis.seed(seed)(names["test_my_sqrt"])()
        assert str(caught.value) == shown.rstrip("\n")


def test_the_first_example():
    values = results(python("docs/guide/arrays.md")[0], {})
    assert len(values) >= 6
    assert values["clmath.pow(x, 2.0)"].dtype == np.float32
    assert values["clmath.convert(x, 'uchar', sat=True)"].tolist() == [0, 255, 3]
    assert isinstance(values["clmath.sincos(np.float16(1.0))"], tuple)


@pytest.mark.slow
def test_the_example_of_a_test():
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
def test_the_tests_of_single_calls():
    names = {}
    results(python("docs/guide/testing.md")[1], names)
    for name in ("test_prints", "test_copies", "test_broadcasts", "test_reads"):
        names[name]()


@pytest.mark.slow
def test_the_tests_of_bfloat16():
    pytest.importorskip("ml_dtypes")
    names = {}
    results(python("docs/guide/testing.md")[3], names)
    for name in ("test_hypot", "test_isnan"):
        names[name]()


@pytest.mark.slow
def test_the_tests_by_reference():
    names = {}
    results(python("docs/guide/testing.md")[2], names)
    for name in ("test_softplus", "test_softmax"):
        names[name]()


@pytest.mark.slow
def test_the_example_of_arrays_on_a_device(opencl_device):
    import pyopencl.array

    assert opencl_device.startswith("opencl")
    names = {}
    rounded, overwritten = results(python("docs/guide/arrays.md")[1], names).values()
    assert isinstance(rounded, pyopencl.array.Array)
    x = np.array([0.5, 1e22, np.pi], np.float32)
    assert np.array_equal(rounded.get(), clmath.sin(x, rounding="rtz"))
    assert overwritten is names["x"]
    assert np.array_equal(overwritten.get(), clmath.sin(x))


def test_the_failure_that_is_shown():
    (shown,) = [text for language, _, text in blocks(PAGES["docs/guide/testing.md"]) if language == "text"]
    assert shown in README
    x = np.float32(4)
    with pytest.raises(AssertionError) as caught:
        assert_correctly_rounded(np.nextafter(clmath.sqrt(x), np.float32(9)), "sqrt", (x,))
    assert str(caught.value) == shown.rstrip("\n")


def test_further_sections_of_arrays_print_what_they_show(tmp_path):
    page = PAGES["docs/guide/arrays.md"]
    follower = Follower(tmp_path, {"np": np, "clmath": clmath})
    follower.follow(page[page.index("## Operators") :])
    assert follower.compared == 7


def test_every_python_block_is_followed():
    followed = ("README.md", "docs/guide/arrays.md", "docs/guide/testing.md", "docs/guide/recipes.md")
    others = {page for page in PAGES if python(page)} - set(followed)
    assert {page for page in others if not page.startswith("docs/tutorials/")} == set()
    assert [len(python(page)) for page in followed[:3]] == [2, 9, 4]


def test_the_command_lines_were_found():
    assert {words[0] for words in COMMANDS} >= {"audit", "devices", "eval", "show"}


@for_each("words", COMMANDS)
def test_command_lines_are_understood(words):
    options = _parser().parse_args(words)
    assert functions_of(getattr(options, "functions", None) or getattr(options, "name", "") or "sin", None)


@for_each("words", [w for w in COMMANDS if w[0] in ("eval", "show", "list")])
def test_command_lines_that_only_print(words, capsys):
    assert main(words) == 0
    assert len(capsys.readouterr().out.splitlines()) > 3


@pytest.mark.parametrize(
    "words", [w for w in COMMANDS if w[:2] == ["audit", "libm"] and "--replay" not in " ".join(w)], ids=" ".join
)
def test_the_audit_of_the_c_library(words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(words) in (0, 1)
    assert "inputs tried" in capsys.readouterr().out


@pytest.mark.slow
@for_each("words", [w for w in COMMANDS if w[0] == "export"])
def test_sources_for_other_libraries(words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 0
    assert {"clmath.h", "clmath_sin.c", "README.md"} <= {path.name for path in (tmp_path / "sources").iterdir()}


@pytest.mark.slow
def test_the_reports_of_a_lab(tmp_path):
    """The block as it stands, of fewer inputs, line by line: what it needs it has made itself."""
    assert LAB.count(" audit libm ") == 1
    for line in LAB.replace(" audit libm ", " audit libm --inputs 1000 ").splitlines():
        done = subprocess.run(  # noqa: S602 - the page is ours
            here(line), shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.stderr == ""
        assert done.returncode in (0, 1)
        if "clmath diff" in line:
            assert done.returncode == 0
    files = {path.name for path in tmp_path.iterdir()}
    assert files == {"new.json", "old.json", "run.log", "report.html", "junit.xml", "rows.csv", "cts.json", "known.txt"}


@pytest.mark.slow
def test_the_walk_for_a_vendor(tmp_path, monkeypatch, capsys):
    """The commands of its blocks in their order; the lab, which has the device, is clmath itself."""
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
    """Do the work of the host."""
    for row in Folder.read(folder, "test").rows.values():
        args = [np.fromfile(folder / o.file, o.dtype) for o in row.arguments]
        (kept,) = row.results
        results = getattr(clmath, row.builtin)(*args).tobytes()
        (folder / kept.file).write_bytes(kept.head.encode() + mark(kept.dtype) + results)


@pytest.mark.slow
def test_the_walk_through_a_cluster(tmp_path, opencl_device):
    """Its block as it stands, but for the port and the number of inputs."""
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


def test_options(capsys):
    mentioned = set(re.findall(r"`(--[a-z][a-z-]+)", TEXT))
    assert [main([command, "--help"]) for command in ("audit", "check", "export")] == [0, 0, 0]
    assert mentioned - set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) == set()
    assert mentioned


def test_names():
    mentioned = set(re.findall(r"\bclmath\.(\w+)\(", TEXT))
    assert [name for name in mentioned if not callable(getattr(clmath, name, None))] == []
    assert "stats" in mentioned


def test_files():
    missing, mentioned = [], set()
    for page, text in PAGES.items():
        folder = ROOT / page if page == "README.md" else ROOT / "docs"
        links = set(re.findall(r"\]\((?!http)([^)#]+)", text)) if page == "README.md" else set()  # others: mkdocs
        named = set(re.findall(r"`((?:clmath|tables|tests|benchmarks)/(?:[\w./]*)?)`", text))
        mentioned |= links | named
        missing += [(folder.name, name) for name in sorted(links | named) if not (ROOT / name).exists()]
    assert missing == []
    assert "tables/builtins.toml" in mentioned


def test_extras():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    mentioned = {name for group in re.findall(r"(?:clmath|\.)\[([\w,]+)\]'", TEXT) for name in group.split(",")}
    assert {"opencl", "tests"} <= mentioned <= set(extras)
