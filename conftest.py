"""Plugins of clmath's own tests, and what the examples in docstrings may use without importing it."""

import collections
import signal

import numpy as np
import pytest

import clmath

pytest_plugins = ["tests.sampling", "tests.summary"]


def pytest_configure() -> None:
    """Have Ctrl-C arrive in tests, and in what they start: shells ignore it in what they run in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Without ``--dist``, one process of pytest-xdist runs all tests of a file: what they share is made once."""
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "loadfile"
        config.option.loadscopereorder = False  # see below


LONG = tuple(
    f"tests/{place}"
    for place in (
        "devices/test_probe.py",
        "engines/native",
        "readme",
        "cli",
        "packaging",
        "audit",
        "export",
        "testing",
        "benchmarks",
        "devices",
        "kernels",
        "engines",
        "regressions",
    )
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Workers of pytest-xdist begin with files that take long, and then go from many tests to few.

    So they end at the same time: what is left at the end is short.
    """
    if hasattr(config, "workerinput"):
        files = [item.nodeid.partition("::")[0] for item in items]
        many = collections.Counter(files)
        rank = {
            file: (next((n for n, place in enumerate(LONG) if file.startswith(place)), len(LONG)), -many[file], file)
            for file in many
        }
        items.sort(key=lambda item: rank[item.nodeid.partition("::")[0]])


@pytest.fixture(autouse=True)
def _names_of_examples(doctest_namespace: dict[str, object], request: pytest.FixtureRequest) -> None:
    doctest_namespace.update(np=np, clmath=clmath)
    if request.node.name.startswith("clmath.testing.strategies"):
        from hypothesis import given

        from clmath.testing import strategies

        doctest_namespace.update(given=given, cl=strategies)
