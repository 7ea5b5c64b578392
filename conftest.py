"""Plugins of clmath's own tests, and what the examples in docstrings may use without importing it."""

import collections
import contextlib
import gc
import importlib
import os
import pathlib
import signal
import sys
from collections.abc import Generator, Iterator

import numpy as np
import pytest

import clmath

pytest_plugins = ["tests.times", "tests.sampling", "tests.summary"]


def pytest_configure(config: pytest.Config) -> None:
    """Have Ctrl-C arrive in tests, and in what they start: shells ignore it in what they run in the background.

    And let no process compile clmath anew where Python is told to keep no bytecode: there are hundreds of them.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(config.rootpath / "build" / "bytecode"))  # not beside sources
        sys.dont_write_bytecode, sys.pycache_prefix = False, os.environ["PYTHONPYCACHEPREFIX"]  # nor the tests'


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Without ``--dist``, one process of pytest-xdist runs all tests of a file: what they share is made once."""
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "loadfile"
        config.option.loadscopereorder = False  # see below


def pytest_sessionstart(session: pytest.Session) -> None:
    """Workers of pytest-xdist each begin with other files: what one has compiled, with its assertions, serves all."""
    given = getattr(session.config, "workerinput", None)
    if given is None:
        return
    folders = [session.config.rootpath / place for place in session.config.args]
    files = sorted(file for folder in folders for file in folder.rglob("test_*.py"))
    for file in files[int(given["workerid"].removeprefix("gw")) :: given["workercount"]]:
        with contextlib.suppress(Exception, pytest.skip.Exception):  # whose collection tells why
            importlib.import_module(".".join(file.relative_to(session.config.rootpath).with_suffix("").parts))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage among tests, which are tens of thousands and stay: neither now nor while they run."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: pathlib.Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in docstrings where there are some: a thousand files have none."""
    found = yield
    if not found or ">>>" in file_path.read_text(encoding="utf-8"):
        return found
    return [collector for collector in found if type(collector) is pytest.Module]


# whose tests start processes or judge many inputs, those that take longest first
LONG = (
    "tests/devices/test_probe.py",
    "tests/engines/native",
    *(f"tests/{folder}" for folder in ("readme", "cli", "packaging", "audit", "export", "testing", "benchmarks")),
    *(f"tests/{folder}" for folder in ("devices", "kernels", "engines", "regressions")),
)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Workers of pytest-xdist begin with files that take long; of the others, those with few tests come last.

    So all workers have something to do until the end.
    """
    yield  # rows are drawn
    if hasattr(config, "workerinput"):
        many = collections.Counter(item.nodeid.partition("::")[0] for item in items)
        places = {file: [place for place, name in enumerate(LONG) if file.startswith(name)] for file in many}
        rank = {file: (min(places[file], default=len(LONG)), -many[file], file) for file in many}
        items.sort(key=lambda item: rank[item.nodeid.partition("::")[0]])


EXAMPLES = 10  # that Hypothesis tries of each test in a docstring; as many as ever with --all


@pytest.fixture
def _few_of_hypothesis(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.config.getoption("all_rows"):
        yield
        return
    from hypothesis import settings

    before = settings.get_current_profile_name()
    settings.register_profile("examples in docstrings", settings(), max_examples=EXAMPLES)
    settings.load_profile("examples in docstrings")
    yield
    settings.load_profile(before)


@pytest.fixture(autouse=True)
def _names_of_examples(doctest_namespace: dict[str, object], request: pytest.FixtureRequest) -> None:
    doctest_namespace.update(np=np, clmath=clmath)
    if request.node.name.startswith("clmath.testing"):
        request.getfixturevalue("_few_of_hypothesis")
    if request.node.name.startswith("clmath.testing.strategies"):
        from hypothesis import given

        from clmath.testing import strategies

        doctest_namespace.update(given=given, cl=strategies)
