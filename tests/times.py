"""Which tests take long: ``pytest --all --times`` measures them, and writes ``tests/long.txt``.

A line says how many seconds of processor time a test takes, that of the processes that it starts counted, and which it
is. With rows: the mean of those that were run. Lines of files that were not run stay as they are.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FILE = Path(__file__).parent / "long.txt"
LEAST = 0.1  # seconds: what takes less is not listed

SPENT = pytest.StashKey[dict]()  # seconds of each row, by test function


def function(nodeid):
    """The test function of a row."""
    return nodeid.partition("[")[0]


def known(text):
    """Seconds by test function, as the lines of the file say."""
    return {name: float(seconds) for seconds, name in map(str.split, text.splitlines())}


def listed():
    """What the file says; empty where there is none."""
    return known(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def pytest_addoption(parser):
    group = parser.getgroup("rows of clmath's own tests")
    group.addoption("--times", action="store_true", help="measure which tests take long, and write tests/long.txt")


def pytest_configure(config):
    config.stash[SPENT] = {}
    if config.getoption("times") and getattr(config.option, "numprocesses", None):
        raise pytest.UsageError("--times measures the tests of one process; leave -n out")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    before = sum(os.times()[:4])
    done = yield
    item.config.stash[SPENT].setdefault(function(item.nodeid), []).append(sum(os.times()[:4]) - before)
    return done


def pytest_sessionfinish(session):
    if session.config.getoption("times"):
        FILE.write_text(lines(listed(), session.config.stash[SPENT]), encoding="utf-8")


def lines(before, spent):
    """The lines of the file: those of before, with the tests of every file that was run anew."""
    files = {name.partition("::")[0] for name in spent}
    means = {name: sum(seconds) / len(seconds) for name, seconds in spent.items()}
    found = {name: seconds for name, seconds in before.items() if name.partition("::")[0] not in files}
    found |= {name: seconds for name, seconds in means.items() if seconds >= LEAST}
    return "".join(f"{seconds:.1f} {name}\n" for name, seconds in sorted(found.items()))
