"""The planted bugs, of which several tests are made."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

_SPEC = importlib.util.spec_from_file_location("planted", Path(__file__).with_name("planted.py"))
planted = importlib.util.module_from_spec(_SPEC)
sys.modules["planted"] = planted
_SPEC.loader.exec_module(planted)


def pytest_generate_tests(metafunc):
    for fixture, bugs in (("planted_bug", planted.PLANTED), ("further_bug", planted.FURTHER)):
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, bugs, ids=str)


@pytest.fixture
def same():
    """Whether two results have the same bits."""
    return planted.same


@pytest.fixture
def planted_by_name():
    """Every planted bug, by the name of its function."""
    return {str(bug): bug for bug in (*planted.PLANTED, *planted.FURTHER)}
