"""What CONTRIBUTING.md names is there: files, scripts, checks, and the extra that brings them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()]


def test_files():
    mentioned = set(re.findall(r"\]\(([^)]+)\)", TEXT))
    mentioned |= set(re.findall(r"`((?:clmath|tables|tests|\.ci)/[\w./]+)`", TEXT)) - {"tests/X", "clmath/X"}
    mentioned |= {f"tables/{name}" for name in re.findall(r"`(kernels/[\w/]+\.toml)`", TEXT)}
    mentioned |= set(re.findall(r"python (tables/[\w/]+\.py)", TEXT))
    assert len(mentioned) > 10
    assert [name for name in sorted(mentioned) if not (ROOT / name).exists()] == []


def test_where_rules_of_an_audit_stand():
    """The tables of "How an audit works" name a module, and what is to be found there."""
    table = "".join(line for line in TEXT.splitlines(keepends=True) if line.startswith("| "))
    modules = set(re.findall(r"`(\w+/\w+\.py)`", table))
    named = re.findall(r"`(\w+/\w+\.py)`: `(\w+)`", table)
    assert len(named) > 15
    assert [name for name in sorted(modules) if not (ROOT / "clmath/audit" / name).is_file()] == []
    for module, name in named:
        text = (ROOT / "clmath/audit" / module).read_text(encoding="utf-8")
        assert re.search(rf"^ *def {name}\(|^{name} = ", text, re.MULTILINE), f"{module} has no {name}"


@pytest.mark.parametrize("module", re.findall(r"python -m (kernels[\w.]+)", TEXT))
def test_scripts_of_coefficients(module):
    script = ROOT / "tables" / Path(*module.split(".")).with_suffix(".py")
    assert "def main()" in script.read_text(encoding="utf-8")


def test_the_extra_brings_every_check():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    brought = " ".join(extras["dev"] + extras["tests"] + extras["test"])
    assert "'.[all]'" in COMMANDS[0]
    assert {"dev", "tests"} <= set(re.findall(r"\w+", extras["all"][0]))
    assert any("clmath[test," in line for line in extras["tests"])
    for program, package in {
        "pytest": "pytest",
        "ruff": "ruff",
        "mypy": "mypy",
        "lint-imports": "import-linter",
    }.items():
        assert any(f".venv/bin/{program} " in f"{line} " for line in COMMANDS)
        assert package in brought


def test_ci_leaves_no_tests_out():
    """What a machine lacks is skipped, but not there: a device, compiled kernels."""
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("conftest.py")]
    switches = {name for text in sources for name in re.findall(r"CLMATH_TEST_NEEDS_\w+", text)}
    assert len(switches) > 1
    assert [name for name in sorted(switches) if f"export {name}=1" not in run] == []


def test_ci_runs_the_same_checks():
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for check in ("ruff check .", "ruff format --check .", "mypy --strict", "lint-imports"):
        assert check in run.partition("pip install --quiet -e '.[all]'")[2]
        assert any(check in line for line in COMMANDS)
