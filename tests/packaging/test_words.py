"""The check of words: prose that only the authors understand is found, with line and remedy, and code is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECK = Path(__file__).resolve().parents[2] / ".ci/words.py"
MODULE = '''"""Rounding of the subject."""

ladder = 1  # what is drawn


def test_museum():
    """``subject`` stays, and "law" too."""
    assert ladder == 1, "nothing but a ladder"
'''


def warnings_of(folder, *arguments):
    """Return the lines that the check prints in a folder."""
    command = [sys.executable, str(CHECK), *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return found.stdout.splitlines()


def test_check_of_words_names_line_word_and_remedy(tmp_path):
    (tmp_path / "module.py").write_text(MODULE)
    (tmp_path / "page.md").write_text("A case.\n\n```sh\nsubject\n```\n\nIt is off by one.\n")
    assert sorted(warnings_of(tmp_path, "module.py", "page.md")) == [
        "module.py:1: 'subject': write target",
        "module.py:3: 'drawn': write sampled, generated",
        "module.py:3: 'what is': write the noun: \"the ... that\"",
        "module.py:6: 'museum': write regression corpus",
        "page.md:7: 'off by': write wrong by",
    ]


def test_check_of_words_looks_only_at_added_lines(tmp_path):
    def git(*arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=tmp_path, check=True)

    git("init", "-q")
    page = tmp_path / "page.md"
    page.write_text("The law.\n")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    page.write_text("The law.\n\nThe rung.\n")
    git("commit", "-q", "-a", "-m", "second")
    assert warnings_of(tmp_path) == ["page.md:3: 'rung': write phase: fast, accurate or reference"]
