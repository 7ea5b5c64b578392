"""Fixtures of command-line tests: a module with targets in the current folder, and a simulated offline host."""

import sys
import textwrap

import numpy as np
import pytest

from clmath.audit.isolation.choosing import target_named
from clmath.audit.offline.folder import Folder, mark

RIGHT = """
import os, time
import numpy as np
import clmath

def right(name, *args):
    return getattr(clmath, name)(*args)

"""


@pytest.fixture
def lab(request, tmp_path, monkeypatch):
    """Name of a module in the current folder with the target ``right`` and the targets in LAB of the test's file."""
    (tmp_path / "lab.py").write_text(RIGHT + textwrap.dedent(getattr(request.module, "LAB", "")))
    monkeypatch.chdir(tmp_path)
    yield "lab"
    sys.modules.pop("lab", None)


WRONG = """
NAMES = "sin cos tan exp exp2 log log2 sinh cosh tanh asin atan tgamma".split()

def wrong(name, *args):
    by = 8 + NAMES.index(name) if name in NAMES else 0
    return right(name, *args) * (1 + by * 2.0**-49)
"""


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    """Reports of a target with 13 failing and 2 passing cases, and of a correct one with 3 other cases."""
    from clmath.cli import main

    folder = tmp_path_factory.mktemp("reports")
    (folder / "wrong_lab.py").write_text(RIGHT + WRONG)
    names = WRONG.split('"')[1].split()
    words = ["--types", "double", "--inputs", "8", "--jobs", "1"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        wrong = ["--functions", ",".join([*names, "floor", "trunc"]), *words, "--json", "wrong.json"]
        assert main(["audit", "wrong_lab:wrong", *wrong]) == 1
        right = ["--functions", "tgamma,floor,ceil,rint,round", *words, "--json", "right.json"]
        assert main(["audit", "clmath", *right]) == 0
    return folder / "wrong.json", folder / "right.json"


@pytest.fixture(scope="session")
def filled():
    """Return a function that writes results into a folder like a correct host; ``deed`` changes the arrays first."""

    def fill(folder, deed=None):
        for row in Folder.read(folder, "test").rows.values():
            args = [np.fromfile(folder / o.file, o.dtype) for o in row.arguments]
            args = [
                a.reshape(-1, o.elements) if o.elements > 1 else a for a, o in zip(args, row.arguments, strict=True)
            ]
            found = target_named("clmath").evaluate(row.item.builtin, row.item.form, tuple(args))
            for o, result in zip(row.results, found, strict=True):
                wrong = deed(row, result) if deed else result
                (folder / o.file).write_bytes(o.head.encode() + mark(o.dtype) + wrong.astype(o.dtype).tobytes())

    return fill
