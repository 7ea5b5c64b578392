"""A program that only type checkers read was imported for its examples, and 'pytest' ended before its first test."""

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]


HELPERS = [
    path
    for path in sorted(TESTS.rglob("*.py"))
    if path.stem != "conftest" and not path.stem.startswith("test_") and "__" not in path.stem
]


@pytest.mark.parametrize("folder", sorted({path.parent.relative_to(TESTS).as_posix() for path in HELPERS}))
def test_helpers_of_tests_are_collected_without_errors(folder):
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", str(TESTS / folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=TESTS.parent)
    assert "ERROR" not in done.stdout
    assert done.returncode in {0, 5}  # 5: a folder of helpers alone
