"""Targets for the command line: a module of them in the current folder, and a lab in the place of a host in C."""

import sys
import textwrap

import numpy as np
import pytest

from clmath.audit.isolation.choosing import subject
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
    """The name of a module in the current folder, an empty one: ``right``, and what LAB of the test's file adds."""
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
    """The reports of a target with 13 rows that fail and 2 that pass, and of one that is right, with 3 other rows."""
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
    """A function that does in a folder what a host does that is right, or ``deed`` to its arrays of results."""

    def fill(folder, deed=None):
        for row in Folder.read(folder, "test").rows.values():
            args = [np.fromfile(folder / o.file, o.dtype) for o in row.arguments]
            args = [
                a.reshape(-1, o.elements) if o.elements > 1 else a for a, o in zip(args, row.arguments, strict=True)
            ]
            found = subject("clmath").evaluate(row.item.builtin, row.item.form, tuple(args))
            for o, result in zip(row.results, found, strict=True):
                wrong = deed(row, result) if deed else result
                (folder / o.file).write_bytes(o.head.encode() + mark(o.dtype) + wrong.astype(o.dtype).tobytes())

    return fill
