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


def test_helpers_of_tests_are_collected_without_errors():
    places = sorted({str(path if path.parent == TESTS else path.parent) for path in HELPERS})
    words = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-p",
        "no:cacheprovider",
        "--ignore-glob=*/test_*.py",
    ]
    done = subprocess.run([*words, *places], capture_output=True, text=True, check=False, cwd=TESTS.parent)
    assert "ERROR" not in done.stdout
    assert done.returncode in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
