"""Importing clmath is fast: modules that only some calls need are loaded by those calls."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import clmath
from clmath import public

HEAVY = ("gmpy2", "mpmath", "pyopencl", "hypothesis", "pytest", "rich", "scipy", "dask")
TABLES = ("tomllib", "clmath.spec.files", "clmath.spec.aliases", "clmath.functions.aliases")
OTHER_PARTS = ("clmath.reference", "clmath.audit", "clmath.cli", "clmath.testing")


def loaded_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_alone_loads_no_other_module():
    added = loaded_after("import clmath, clmath.command") - loaded_after("import __future__, typing, os, signal")
    assert added == {"clmath", "clmath.command", "clmath.stopping"}


def test_first_use_loads_no_optional_or_heavy_package():
    loaded = loaded_after("import clmath; clmath.sin")
    assert "numpy" in loaded
    assert not loaded.intersection(HEAVY)
    assert not loaded.intersection(TABLES)
    assert not loaded.intersection(OTHER_PARTS)
    added = loaded - loaded_after("import numpy")
    assert len([name for name in added if not name.startswith("clmath")]) < 25


def test_first_use_imports_the_module_of_the_name_and_what_that_needs():
    loaded = loaded_after("import clmath; clmath.sin")
    others = {*public.WHOLE} - {"clmath.functions.math.trigonometric"}
    unneeded = {
        "clmath.call.device_arrays",
        "clmath.call.operands",
        "clmath.direct.relational",
        "clmath.engines.wholes",
    }
    assert not loaded & (others | unneeded)
    assert len([name for name in loaded if name.startswith("clmath")]) < 65


def test_exact_built_ins_do_not_load_the_reference():
    loaded = loaded_after("import numpy as np, clmath; clmath.fma(np.float32([1]), 2.0, 3.0); clmath.max(3, 4)")
    assert not loaded.intersection(HEAVY)


def test_kit_loads_neither_hypothesis_nor_aliases():
    loaded = loaded_after("import clmath.testing, clmath.testing.strategies, clmath.testing.assertions")
    assert not loaded & {"hypothesis", "clmath.functions.aliases"}


def test_installed_version_equals_the_version_of_the_package():
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert metadata.version("clmath") == clmath.__version__


def test_type_checkers_see_the_public_names():
    """The stub has the re-exported names, and the aliases, which are loaded lazily."""
    stub = (Path(clmath.__file__).parent / "__init__.pyi").read_text(encoding="utf-8")
    assert set(re.findall(r"from (\S+) import \*", stub)) == {*public.WHOLE, "clmath.functions.aliases"}
    known = {(module, name) for module, names in public.SOME.items() for name in names}
    assert set(re.findall(r"from (\S+) import (\w+) as \2", stub)) == known
