"""The lists of files that determine the libraries include every file that their generators import."""

import subprocess
import sys
from fnmatch import fnmatch

import pytest

from clmath.engines.native.sources import ROOT, packages

# files that change no text: engines, which run it, tables of the specification, types of functions, errors and locks
OF_BOTH = (
    *("*/__init__.py", "clmath/spec/*", "clmath/callables.py", "clmath/errors.py", "clmath/locks.py"),
    *(f"clmath/engines/{name}.py" for name in ("choice", "numpy", "ufuncs")),
)
LEFT_OUT = {
    "clmath.engines.native": OF_BOTH,
    "clmath.audit.screens": (*OF_BOTH, "clmath/kernels/fast/*"),  # of formulas, which the loop does not evaluate
}
WRITING = """
import sys
from clmath.engines.native.sources import Package

Package("{}").texts()
modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "clmath"]
print(*(module.__file__ for module in modules if getattr(module, "__file__", None)), sep="\\n")
"""


@pytest.mark.slow
@pytest.mark.parametrize("package", packages(), ids=lambda package: package.name)
def test_every_file_that_determines_a_library_is_listed(package):
    command = [sys.executable, "-c", WRITING.format(package.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    imported = {line.removeprefix(f"{ROOT}/") for line in done.stdout.splitlines()}
    assert any(name.startswith(f"{package.folder}/") for name in imported)
    others = imported - {*package.files()}
    assert {name for name in others if not any(fnmatch(name, known) for known in LEFT_OUT[package.name])} == set()
