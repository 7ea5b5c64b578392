"""A lab in the place of a host in C: its device computes as clmath does, or as a test has it; signals that arrive."""

import signal

import numpy as np
import pytest

from clmath.audit.isolation.choosing import subject
from clmath.audit.offline.folder import Folder, mark


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


@pytest.fixture
def no_nohup():
    """Programs that are started end by SIGHUP, also where the tests themselves run under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)
