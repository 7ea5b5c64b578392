"""What texts of the project name by its path is there, also after a file has moved."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATH = re.compile(r"(?<![\w/.])(?:clmath|tables|tests|benchmarks)/[\w./-]+\.(?:py|toml|md|json|txt)\b")
TEXTS = [
    *ROOT.glob("*.md"),
    *(file for folder in ("clmath", "tables", "benchmarks") for kind in ("py", "toml", "md")
      for file in (ROOT / folder).rglob(f"*.{kind}")),
]  # fmt: skip
ONCE = {ROOT / "CHANGELOG.md"}  # its entries name files as they were called then


def named(text: str) -> set[str]:
    return set(PATH.findall(text))


def test_named_files_exist():
    missing = {
        (file.relative_to(ROOT).as_posix(), name)
        for file in set(TEXTS) - ONCE
        for name in named(file.read_text(encoding="utf-8"))
        if not any(ROOT.glob(name.replace("NAME", "*")))
    }
    assert sorted(missing) == []
