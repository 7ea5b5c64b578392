"""The screens of this installation, for each level that the processor has."""

import os

import pytest

from clmath.audit.screens.loop import PACKAGE, ScreenLibrary, Screens, screens
from clmath.engines.native.library import libraries, loadable
from tests.engines.native.conftest import NEEDED


@pytest.fixture(scope="session")
def loops():
    """(the loop, the library of kernels) for each level: the one of the installation, which is the best, first."""
    if screens() is None:
        (pytest.fail if os.environ.get(NEEDED) else pytest.skip)("the screens, or the kernels, are not compiled")
    found = {library.level: library for library in loadable(PACKAGE, ScreenLibrary)}
    return [(Screens(found[kernels.level], kernels), kernels) for kernels in libraries()]
