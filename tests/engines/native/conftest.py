"""The libraries of this installation, one for each level that the processor has."""

import os

import pytest

from clmath.engines import choice
from clmath.engines.native import Native
from clmath.engines.native.library import FOLDER, LEVELS, Library, file_name, machine

NEEDED = "CLMATH_TEST_NEEDS_NATIVE"  # set where an installation without compiled kernels is a failure, as in .ci/run


@pytest.fixture(scope="session")
def natives():
    """An engine for each level: the one of the installation, which is the best, and those below it."""
    if choice.NATIVE.library is None:
        (pytest.fail if os.environ.get(NEEDED) else pytest.skip)(choice.told()["native"])
    libraries = [Library(FOLDER / file_name(level), level) for level in LEVELS[machine()]]
    return [Native(library) for library in libraries if library.fits]
