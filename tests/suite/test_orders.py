"""Every larger folder of modules has an order that ``lint-imports`` checks, and every module a place in it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MANY = 10  # modules of a folder, from which on one does not see at a glance which import which
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
ORDERED = {name: contract for contract in CONTRACTS for name in contract.get("containers", ())}


def modules_of(folder):
    """The names of modules and packages in a folder, without its own ``__init__``."""
    files = {path.stem for path in folder.glob("*.py") if path.name not in ("__init__.py", "__main__.py")}
    return files | {path.parent.name for path in folder.glob("*/__init__.py")}


def larger_folders():
    """The packages of more than ``MANY`` modules, by their names."""
    for top in ("clmath", "benchmarks", "website"):
        for path in (ROOT / top).rglob("__init__.py"):
            if len(modules_of(path.parent)) > MANY:
                yield ".".join(path.parent.relative_to(ROOT).parts)


@pytest.mark.parametrize("package", sorted(larger_folders()))
def test_a_larger_folder_has_an_order(package):
    """A contract of layers that no module is left out of."""
    contract = ORDERED.get(package)
    assert contract, f"pyproject.toml: no contract has containers = [{package!r}]"
    assert contract["type"] == "layers"
    assert contract.get("exhaustive"), "a module without a place in the order is not checked"


@pytest.mark.parametrize("package", sorted(ORDERED))
def test_an_order_names_the_modules_there_are(package):
    """lint-imports says so, too; here without the packages that it needs."""
    contract = ORDERED[package]
    named = [name.strip() for layer in contract["layers"] for name in layer.replace("|", ":").split(":")]
    assert sorted({*named} - {"__main__"}) == sorted(modules_of(ROOT / Path(*package.split("."))))
    assert len(named) == len({*named})


def test_no_circle_is_allowed_anywhere():
    """Imports of types included, which a type checker follows."""
    (circles,) = (contract for contract in CONTRACTS if contract["type"] == "acyclic_siblings")
    assert circles["ancestors"] == ["clmath", "benchmarks", "website"]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert settings["exclude_type_checking_imports"] is False
