"""The recipe for conda has the version of clmath, and needs the packages that the wheel needs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import clmath

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "recipe/recipe.yaml"
if not RECIPE.exists():
    pytest.skip("an installed clmath has no recipe", allow_module_level=True)


def test_recipe_has_the_version():
    assert f'version: "{clmath.__version__}"' in RECIPE.read_text(encoding="utf-8")


def test_recipe_needs_the_packages_of_the_wheel():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    run = RECIPE.read_text(encoding="utf-8").split("  run:\n")[1].split("\n\n")[0]
    needed = {line.replace(" ", "") for line in re.findall(r"- (.+)", run)}
    assert needed == {f"python{project['requires-python']}", *project["dependencies"]}
