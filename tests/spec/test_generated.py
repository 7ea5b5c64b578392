"""Scripts in tables/ end by writing a file, or by saying whether it is current."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

TABLES = Path(__file__).resolve().parents[2] / "tables"
if not (TABLES / "generated.py").exists():
    pytest.skip("an installed clmath has no such script", allow_module_level=True)


@pytest.fixture
def written(monkeypatch):
    monkeypatch.syspath_prepend(TABLES)
    return importlib.import_module("generated").written


def test_a_file_is_written_and_then_current(written, tmp_path, capsys):
    target = tmp_path / "made.md"
    assert written(target, "text\n", "make.py", []) == 0
    assert target.read_text(encoding="utf-8") == "text\n"
    assert written(target, "text\n", "make.py", ["--check"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("there", [None, "old\n"])
def test_one_that_is_not_current_is_told_and_left_as_it_is(written, there, tmp_path, capsys):
    target = tmp_path / "made.md"
    if there is not None:
        target.write_text(there, encoding="utf-8")
    assert written(target, "text\n", "make.py", ["--check"]) == 1
    assert capsys.readouterr().out == "made.md is not current: run python tables/make.py\n"
    assert target.exists() is (there is not None)
    assert there is None or target.read_text(encoding="utf-8") == there
