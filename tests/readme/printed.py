"""What README.md and the pages of docs print: their blocks, and what comes out when they are followed line by line."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
TEXT = "\n".join(PAGES.values())
_BLOCK = re.compile(r"^ *```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_PROGRAM = re.compile(r"(?<!\S)\.venv/bin/(clmath|pytest|python|dask)(?!\S)")


def blocks(text):
    """Language, title and content of all fenced blocks."""
    return [(language, title, code) for language, title, code in _BLOCK.findall(text)]


def words_after_clmath(line):
    words = shlex.split(line)
    programs = [Path(word).name for word in words]
    return words[programs.index("clmath") + 1 :]


def command_lines(text):
    """The words of all calls of clmath, those in running text too."""
    shell = [line for language, _, code in blocks(text) if language == "sh" for line in code.splitlines()]
    found = [words_after_clmath(line) for line in shell if "bin/clmath " in line]
    return found + [shlex.split(words) for words in re.findall(r"`clmath ([^`]+)`", text) if "COMMAND" not in words]


def here(line):
    """A line for a shell with this interpreter in the place of the environment's programs."""
    return _PROGRAM.sub(lambda m: shlex.join([sys.executable, *_MODULES[m[1]]]), line)


def is_shown(wanted, got):
    """Whether the output is what a page shows: three dots are anything, also any lines, and spaces are alike."""
    lines = [" ".join(line.split()) for line in wanted.splitlines() if line.split()]
    parts = [".*?".join(map(re.escape, line.split("..."))) + r"\n" if line != "..." else "(?:.*\n)*?" for line in lines]
    shown = "".join(" ".join(line.split()) + "\n" for line in got.splitlines() if line.split())
    return re.fullmatch("".join(parts), shown) is not None


_MODULES = {
    "clmath": ["-m", "clmath"],
    "dask": ["-m", "dask"],
    "pytest": ["-m", "pytest", "-p", "no:cacheprovider", "-o", "filterwarnings="],
    "python": [],
}


@dataclass
class Follower:
    """Follows a page in an empty folder: Python in one namespace, shell in the folder, titled blocks are files."""

    folder: Path
    names: dict[str, object] = field(default_factory=dict)
    shown: str = ""
    compared: int = 0

    def follow(self, text):
        for language, title, code in blocks(text):
            if title:
                (self.folder / title).write_text(code, encoding="utf-8")
            elif language == "python":
                self.shown = self._python(code)
            elif language == "sh":
                self.shown = "".join(self._shell(line) for line in code.splitlines() if "pip install" not in line)
            elif language == "text":
                self._compare(code)

    def _python(self, code):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, "page", "exec"), self.names)  # noqa: S102 - the pages are ours
        return out.getvalue()

    def _shell(self, line):
        done = subprocess.run(here(line), shell=True, cwd=self.folder, capture_output=True, text=True, check=False)  # noqa: S602
        assert done.returncode in {0, 1}, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    def _compare(self, wanted):
        assert is_shown(wanted, self.shown), f"{wanted}\n--- got ---\n{self.shown}"
        self.compared += 1
