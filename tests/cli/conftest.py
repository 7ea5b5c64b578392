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
