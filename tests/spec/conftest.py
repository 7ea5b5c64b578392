"""Fixtures for tests of the specification's tables."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TABLES = HERE.parent.parent / "tables"


@pytest.fixture(scope="session")
def accuracy_rows():
    """Rows of the accuracy tables in the words of the specifications: function and six columns."""
    lines = (HERE / "accuracy_rows.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(part.strip() for part in line.split(" | ")) for line in lines if not line.startswith("#")]


@pytest.fixture(scope="session")
def differences_in_readme():
    """The rows of the README's table of differences from OpenCL-CTS, with their reasons."""
    text = (TABLES / "README.md").read_text(encoding="utf-8")
    section = text.split("## Differences from OpenCL-CTS", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| (.+) \|$", section, re.MULTILINE)[2:]
    return [tuple(part.strip().strip("`") for part in row.split(" | ")) for row in rows]
