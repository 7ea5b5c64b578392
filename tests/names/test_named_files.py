"""Files whose paths are mentioned in code and documents exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATH = re.compile(r"(?<![\w/.])(?:clmath|tables|tests|benchmarks)/[\w./-]+\.(?:py|toml|md|json|txt)\b")


def test_mentioned_files_exist():
    folders = [ROOT / name for name in ("clmath", "tables", "benchmarks")]
    files = [file for folder in folders for kind in ("py", "toml", "md") for file in folder.rglob(f"*.{kind}")]
    named = {(file, name) for file in files for name in PATH.findall(file.read_text(encoding="utf-8"))}
    assert len(named) > 10
    assert [pair for pair in named if not any(ROOT.glob(pair[1].replace("NAME", "*")))] == []
