"""Plugins of clmath's own tests, and what the examples in docstrings may use without importing it."""

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


@pytest.fixture(autouse=True)
def _names_of_examples(doctest_namespace: dict[str, object], request: pytest.FixtureRequest) -> None:
    doctest_namespace.update(np=np, clmath=clmath)
    if request.node.name.startswith("clmath.testing.strategies"):
        from hypothesis import given

        from clmath.testing import strategies

        doctest_namespace.update(given=given, cl=strategies)
