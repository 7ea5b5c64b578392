"""Tutorials, recipes and files for continuous integration work as printed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys

import pytest

from tests.readme.printed import PAGES, ROOT, TUTORIALS, Follower, blocks

_SECTION = re.compile(r"^## .*?\{ #([\w-]+) \}\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
RECIPES = {anchor: text for anchor, text in _SECTION.findall(PAGES["docs/guide/recipes.md"]) if blocks(text)}
FILES = {
    title or f"example {number}": code for number, (_, title, code) in enumerate(blocks(PAGES["docs/guide/ci.md"]))
} | {str(path.relative_to(ROOT)): path.read_text() for path in [ROOT / "action.yml", *ROOT.glob(".github/**/*.yml")]}


@pytest.mark.slow
@pytest.mark.parametrize("page", TUTORIALS)
def test_tutorial_gives_the_printed_output(page, tmp_path):
    pytest.importorskip("hypothesis")
    follower = Follower(tmp_path)
    follower.follow(PAGES[page])
    assert follower.compared == TUTORIALS[page]


def test_every_tutorial_is_tested():
    assert {page for page in PAGES if page.startswith("docs/tutorials/")} == {*TUTORIALS, "docs/tutorials/index.md"}


@pytest.mark.slow
@pytest.mark.parametrize("recipe", [name for name, text in RECIPES.items() if "import pyopencl" not in text])
def test_recipe_runs(recipe, tmp_path):
    text = RECIPES[recipe]
    for package in re.findall(r"^import (torch|cupy|pandas|dask|matplotlib)", text, re.MULTILINE):
        pytest.importorskip(package)
    Follower(tmp_path).follow(text)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", [name for name, text in RECIPES.items() if "import pyopencl" in text])
def test_recipe_for_an_opencl_device_runs(recipe, tmp_path, opencl_device, monkeypatch):
    from clmath.audit.opencl import drivers
    from clmath.audit.opencl.devices import find

    monkeypatch.setenv("PYOPENCL_CTX", find(opencl_device.removeprefix("opencl:")).platform.name)
    with drivers.visible():
        Follower(tmp_path).follow(RECIPES[recipe])


def test_recipes_are_found():
    assert {"kernel", "exp2", "rtz", "intervals", "pandas", "dask"} <= set(RECIPES)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["action.yml", "clmath.gitlab-ci.yml"])
def test_audit_command_of_a_ci_file_writes_its_reports(name, tmp_path):
    (line,) = re.findall(r"(clmath audit .*)", FILES[name])
    line = line.replace("clmath audit", f"{shlex.quote(sys.executable)} -m clmath audit")
    variables = {"TARGET": "libm", "OPTIONS": "--functions fabs --types float --inputs 1000"}
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"clmath.json", "clmath.xml", "clmath.html"}


def test_ci_files_are_valid_yaml():
    yaml = pytest.importorskip("yaml", reason="pip install 'clmath[docs]'")
    assert FILES
    for name, text in FILES.items():
        assert isinstance(yaml.safe_load(text), dict), name


COMPLETED = {
    "clmath au": "audit",
    "clmath audit --known": "--known-failures",
    "clmath audit --profile rel": "relaxed relaxed-embedded",
    "clmath audit --types u": "uchar ushort uint ulong",
    "clmath audit num": "numpy",
    "clmath audit --functions lga": "lgamma lgamma_r",
    "clmath audit --json pyproj": "pyproject.toml",
    "clmath eval tg": "tgamma",
    "clmath eval sin --rounding ''": "rte rtz rtp rtn",
    "clmath list --chapter co": "common conversions contraction constants",
    "clmath audit --color ''": "auto always never",
}


@pytest.mark.slow
def test_man_page_can_be_generated():
    pytest.importorskip("argparse_manpage", reason="pip install 'clmath[completion]'")
    words = ["--module", "clmath.cli.completion", "--function", "parser", "--prog", "clmath"]
    command = [sys.executable, "-c", "from argparse_manpage.cli import main; main()", *words]
    page = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert page.startswith(".TH CLMATH")
    assert "COMMAND \\fI\\,'clmath audit'" in page


@pytest.mark.slow
def test_shell_completion_completes_words():
    pytest.importorskip("shtab", reason="pip install 'clmath[completion]'")
    command = [sys.executable, "-m", "shtab", "--shell=bash", "--prog", "clmath", "clmath.cli.completion.parser"]
    script = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    script += 'complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_clmath; echo "${COMPREPLY[*]}"; }\n'
    script += "".join(f"complete_words {words}\n" for words in COMPLETED)
    done = subprocess.run(["bash"], input=script, text=True, capture_output=True, check=True)
    assert dict(zip(COMPLETED, done.stdout.splitlines(), strict=True)) == COMPLETED
