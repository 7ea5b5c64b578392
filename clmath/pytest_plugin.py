"""The pytest plugin of clmath: hooks and fixtures that import nothing before a test uses them."""

from __future__ import annotations

import secrets
import zlib
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from clmath.testing.fixtures import Cell, Conformance, UlpRecorder

_SEED = pytest.StashKey[int]()
_WORST = "clmath worst"  # key in a test's user_properties, which xdist brings to the process that reports
_USED = "clmath seed used"
_LISTS = {"clmath_functions": "built-ins", "clmath_types": "types"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--clmath-seed``, ``--clmath-functions`` and ``--clmath-types``; an ini file may have the last two."""
    group = parser.getgroup("clmath")
    group.addoption("--clmath-seed", type=int, metavar="N", help="seed of the fixture clmath_rng (default: a new one)")
    for name, what in _LISTS.items():
        option, described = f"--{name.replace('_', '-')}", f"{what} of the fixture conformance, commas between them"
        group.addoption(option, metavar="A,B", help=f"{described} (default: those of the ini file, else all)")
        parser.addini(name, described, default="")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed of this run, which all workers of pytest-xdist share."""
    given = config.getoption("--clmath-seed")
    shared = getattr(config, "workerinput", {}).get("clmath_seed")
    config.stash[_SEED] = next(s for s in (shared, given, secrets.randbits(32)) if s is not None)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Pass the seed to a worker."""
    node.workerinput["clmath_seed"] = node.config.stash[_SEED]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test for each built-in and type if the fixture ``conformance`` is used."""
    if "conformance" in metafunc.fixturenames:
        from clmath.errors import ClmathError
        from clmath.testing.fixtures import chosen

        try:
            cells = chosen(*(_listed(metafunc.config, name) for name in _LISTS))
        except ClmathError as error:
            raise pytest.UsageError(str(error)) from None
        metafunc.parametrize("conformance", cells, ids=[f"{name}-{type}" for name, type in cells], indirect=True)


def _listed(config: pytest.Config, name: str) -> list[str]:
    """Return the words of an option, else of the ini file."""
    text = config.getoption(f"--{name.replace('_', '-')}") or config.getini(name)
    return str(text).replace(",", " ").split()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table of worst errors, and the seed that repeats the run, if tests have used either."""
    reports = [r for group in terminalreporter.stats.values() for r in group if getattr(r, "when", "") == "call"]
    properties = [(r.nodeid, *p) for r in reports for p in r.user_properties]
    rows = [(node, *value) for node, key, value in properties if key == _WORST]
    if rows:
        from clmath.testing.fixtures import table

        terminalreporter.write_sep("=", "worst errors (clmath)")
        for line in table(rows):
            terminalreporter.write_line(line)
    if any(key == _USED for _, key, _ in properties):
        terminalreporter.write_line(f"clmath: --clmath-seed={terminalreporter.config.stash[_SEED]}")


@pytest.fixture
def clmath_rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Return a generator of random numbers for one test, which depends only on the seed and the test's name."""
    import numpy as np

    request.node.user_properties.append((_USED, True))
    return np.random.default_rng([request.config.stash[_SEED], zlib.crc32(request.node.nodeid.encode())])


@pytest.fixture
def ulp(request: pytest.FixtureRequest) -> UlpRecorder:
    """Measure results: ``ulp(actual, name, args)`` returns their errors; the worst ones are listed in a table."""
    from clmath.testing.fixtures import UlpRecorder

    return UlpRecorder(_recording(request))


@pytest.fixture
def conformance(request: pytest.FixtureRequest) -> Conformance:
    """Check an implementation against a built-in in one type, in one test for each: ``conformance(function)``."""
    from clmath.testing.fixtures import Conformance

    cell: Cell = request.param
    return Conformance(*cell, _recording(request))


def _recording(request: pytest.FixtureRequest) -> Callable[[list[str | float]], None]:
    return lambda row: request.node.user_properties.append((_WORST, row))


@pytest.fixture(scope="session")
def opencl_device() -> Any:
    """Return the first OpenCL device that works, a ``pyopencl.Device``; skip the test, with a reason, without one."""
    from clmath.audit.isolation.choosing import chosen

    choice = chosen(None)
    if not choice.name.startswith("opencl"):
        pytest.skip("; ".join(choice.lines))
    from clmath.audit.opencl import devices

    return devices.find(choice.name.partition(":")[2], "opencl_device")
