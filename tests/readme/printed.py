"""Code blocks of README.md and the pages of docs, run line by line, and their output.

    python -m tests.readme.printed

runs the pages whose output is compared by tests, and replaces the output in them by the current one, except lines
that they omit by three dots. Check the differences before committing: users see them.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
TEXT = "\n".join(PAGES.values())
TUTORIALS = {
    "docs/tutorials/numerics.md": 6,
    "docs/tutorials/device.md": 3,
    "docs/tutorials/tests.md": 2,
}  # number of compared outputs
LIKE = 0.5  # least similarity of a line in a page to the new line that replaces it
_BLOCK = re.compile(r"^ *```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_PROGRAM = re.compile(r"(?<!\S)\.venv/bin/(clmath|pytest|python|dask)(?!\S)")


def blocks(text):
    """Return language, title and content of all fenced blocks."""
    return [(language, title, code) for language, title, code in _BLOCK.findall(text)]


def words_after_clmath(line):
    words = shlex.split(line)
    programs = [Path(word).name for word in words]
    return words[programs.index("clmath") + 1 :]


def command_lines(text):
    """Return the words of all clmath commands, in blocks and in running text."""
    shell = [line for language, _, code in blocks(text) if language == "sh" for line in code.splitlines()]
    found = [words_after_clmath(line) for line in shell if "bin/clmath " in line]
    return found + [shlex.split(words) for words in re.findall(r"`clmath ([^`]+)`", text) if "COMMAND" not in words]


def here(line):
    """Return a shell line with this interpreter instead of the programs of a virtual environment."""
    return _PROGRAM.sub(lambda m: shlex.join([sys.executable, *_MODULES[m[1]]]), line)


def is_shown(wanted, got):
    """Whether the output is as in a page, in which three dots match anything, even lines; spaces are normalized."""
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
    """Run a page in an empty folder: Python in one namespace, shell in the folder; titled blocks become files."""

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
            exec(compile(code, "page", "exec"), self.names)  # noqa: S102 - our own pages
        return out.getvalue()

    def _shell(self, line):
        done = subprocess.run(here(line), shell=True, cwd=self.folder, capture_output=True, text=True, check=False)  # noqa: S602
        assert done.returncode in {0, 1}, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    def _compare(self, wanted):
        assert is_shown(wanted, self.shown), f"{wanted}\n--- got ---\n{self.shown}"
        self.compared += 1


class Renewer(Follower):
    """Run a page and collect ``changes``: outputs in the page and the different current ones."""

    def __init__(self, folder):
        super().__init__(folder)
        self.changes = []

    def _compare(self, wanted):
        if not is_shown(f"...\n{wanted}", self.shown):
            self.changes.append((wanted, renewed(wanted, self.shown)))


def renewed(wanted, got):
    """Return the lines of a page, each replaced by the most similar line of the output, in order."""
    left, lines = got.splitlines(), []
    for line in wanted.splitlines():
        is_whole = line.strip() and "..." not in line
        likeness = [difflib.SequenceMatcher(None, line.split(), other.split()).ratio() for other in left]
        if is_whole and max(likeness, default=0.0) < LIKE:
            raise ValueError(
                f"nothing like this line is printed any more: write the page anew\n{line}\n--- got ---\n{got}"
            )
        place = likeness.index(max(likeness)) if is_whole else -1
        lines.append(left[place].rstrip() if is_whole else line)
        left = left[place + 1 :]
    return "\n".join(lines) + "\n"


def followed(page):
    """Return the part of a page that can be run: all of a tutorial, and the examples of README.md with output."""
    text = PAGES[page]
    return (
        text if page in TUTORIALS else text[text.index("**You write numeric code") : text.index("**You test numeric")]
    )


def main():
    """Update the pages."""
    for page in (*TUTORIALS, "README.md"):
        if page not in TUTORIALS:
            os.environ["COLUMNS"] = "100"  # as in the test of README.md; the tutorials have 80
        with tempfile.TemporaryDirectory() as folder:
            follower = Renewer(Path(folder))
            follower.follow(followed(page))
        text = PAGES[page]
        for before, after in follower.changes:
            text = text.replace(before, after)
        print(f"{page}: {len(follower.changes)} changed")
        (ROOT / page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
