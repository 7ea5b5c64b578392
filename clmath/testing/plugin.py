"""pytest plugin: random numbers that a printed seed brings back. Ask for it with ``-p clmath.testing.plugin``."""

from __future__ import annotations

import secrets
import zlib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import numpy as np

__all__ = ["clmath_rng"]

_SEED = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--clmath-seed``."""
    group = parser.getgroup("clmath")
    group.addoption("--clmath-seed", type=int, metavar="N", help="seed of the fixture clmath_rng (default: a new one)")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed of this run, the same for all workers of pytest-xdist."""
    given = config.getoption("--clmath-seed")
    shared = getattr(config, "workerinput", {}).get("clmath_seed")
    config.stash[_SEED] = next(s for s in (shared, given, secrets.randbits(32)) if s is not None)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Hand the seed to a worker."""
    node.workerinput["clmath_seed"] = node.config.stash[_SEED]  # type: ignore[attr-defined]


def pytest_report_header(config: pytest.Config) -> str:
    """Print the seed, so that a failing run can be repeated."""
    return f"clmath: --clmath-seed={config.stash[_SEED]}"


@pytest.fixture
def clmath_rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """A generator of random numbers for one test: it depends on the seed and the test's name alone."""
    import numpy as np

    return np.random.default_rng([request.config.stash[_SEED], zlib.crc32(request.node.nodeid.encode())])
