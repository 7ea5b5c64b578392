"""What the examples in docstrings may use without importing it."""

import signal

import numpy as np
import pytest

import clmath

pytest_plugins = ["tests.in_child"]


def pytest_configure() -> None:
    """Let Ctrl-C arrive in tests and in the processes they start: shells ignore it for background jobs."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _names_of_examples(doctest_namespace: dict[str, object], request: pytest.FixtureRequest) -> None:
    doctest_namespace.update(np=np, clmath=clmath)
    if request.node.name.startswith("clmath.testing.strategies"):
        from hypothesis import given

        from clmath.testing import strategies

        doctest_namespace.update(given=given, cl=strategies)
