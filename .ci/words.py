#!/usr/bin/env python3
"""Warn about words of docstrings, comments, test names, and pages that only the authors of clmath understand.

usage: python .ci/words.py [--since COMMIT] [PATH ...]

Only lines that were added since COMMIT (default: HEAD~1) are checked; PATHs are checked whole. Each warning names the
line, the word, and the term to write instead. A warning is an advice, and the exit status is always 0.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

GLOSSARY = Path(__file__).resolve().parents[1] / "docs/guide/vocabulary.md"  # its last table has the old words
ORDINARY = {"row", "lane", "edge", "open", "piece"}  # old words that also have an ordinary meaning: not warned about
STYLE = {  # a regular expression, and what to write instead
    r"besides?": "next to, in addition to, or relative to",
    r"nothing but|all but|but for": "only, or except",
    r"(?<!non-)stands? for": "is, or represents",
    r"off by": "wrong by",
    r"[Ww]hat (?:is|are|it|they|has|have|was|were|the|an?)(?![^.]*\?)": 'the noun: "the ... that"',
    r"[Tt]hose (?:of|for|in|by|with)": "the noun again",
}
CODE = re.compile(r"``.*?``|`[^`]*`|>>>.*|\"[^\"]*\"|'[a-z_ ]+'")  # and quotations
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def terms() -> dict[str, str]:
    """Return regular expressions of the old words in the glossary and of bad style, with the words to write instead."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)[2:]
    words = {word: now for old, now in rows for word in re.sub(r" \(.*?\)", "", old).split(", ")}
    return {f"{word}s?": now for word, now in words.items() if word not in ORDINARY} | STYLE


TERMS = terms()
OLD = re.compile("|".join(rf"(?P<_{i}>\b(?:{words})\b)" for i, words in enumerate(TERMS)))


def added(since: str) -> dict[str, set[int]]:
    """Return the numbers of the lines that were added to each file since a commit."""
    found: dict[str, set[int]] = {}
    lines: set[int] = set()
    command = ["git", "diff", "-U0", since]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - of this repository
    for row in text.splitlines():
        if row.startswith("+++ "):
            lines = found.setdefault(row[6:], set())
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))?", row):
            start, count = int(hunk[1]), int(hunk[2] or 1)
            lines.update(range(start, start + count))
    return found


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of prose in a file: paragraphs of a page; docstrings, comments, and test names of a module."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        fenced = FENCED.sub(lambda block: "\n" * block[0].count("\n"), source)
        yield from enumerate(fenced.splitlines(), 1)
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if ast.get_docstring(node) is not None:
                first, last = node.body[0].lineno, node.body[0].end_lineno
                yield from enumerate(source.splitlines()[first - 1 : last], first)
            if getattr(node, "name", "").startswith("test_"):
                yield node.lineno, node.name.replace("_", " ")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def warnings(path: Path, only: set[int] | None) -> Iterator[str]:
    """Yield the warnings about a file, or about some lines of it."""
    remedies = list(TERMS.values())
    for number, line in prose(path):
        if only is None or number in only:
            for found in OLD.finditer(CODE.sub(" ", line.replace('"""', ""))):
                yield f"{path}:{number}: {found[0]!r}: write {remedies[int(found.lastgroup[1:])]}"


def main() -> None:
    """Print all warnings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--since", default="HEAD~1", metavar="COMMIT")
    options = parser.parse_args()
    lines = {} if options.paths else added(options.since)
    for path in options.paths or map(Path, lines):
        if path.suffix in {".py", ".md"} and path.is_file() and path.resolve() != GLOSSARY:
            for warning in warnings(path, lines.get(str(path))):
                print(warning)


if __name__ == "__main__":
    main()
