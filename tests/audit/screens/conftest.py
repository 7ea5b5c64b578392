"""The screens of this installation, for each level that the processor has."""

import os

import pytest

from clmath.audit.screens.loop import PACKAGE, Screens, screens
from clmath.engines.native.library import file_name, libraries
from tests.engines.native.conftest import NEEDED


@pytest.fixture(scope="session")
def loops():
    """Return (loop, library of kernels) for each level, the level of the installation first."""
    if screens() is None:
        (pytest.fail if os.environ.get(NEEDED) else pytest.skip)("the screens, or the kernels, are not compiled")
    return [(Screens(one, PACKAGE.built / file_name(one.level), one.level), one) for one in libraries()]
