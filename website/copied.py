"""Pages of the repository that stand outside of ``docs``, with their links made to hold on the site."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

__all__ = ["ROOT", "pages", "with_links_of_the_site"]

ROOT = Path(__file__).resolve().parents[1]
COPIED = {
    "tables/README.md": "tables.md",
    "benchmarks/README.md": "benchmarks.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
_OTHERS = {"README.md": "index.md", "benchmarks/atlas/README.md": "atlas/index.md"}
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)")


def pages() -> dict[str, str]:
    """The pages by their paths on the site."""
    return {path: _page(source) for source, path in COPIED.items()}


def with_links_of_the_site(text: str, page: str) -> str:
    """Return a page of ``docs`` in which links to files of the clone lead to their pages."""
    folder = PurePosixPath(page).parent

    def linked(link: re.Match[str]) -> str:
        words, target, anchor = link.groups()
        there = (COPIED | _OTHERS).get(_normal("docs" / folder / target))
        return f"[{words}]({os.path.relpath(there, folder)}{anchor or ''})" if there else link[0]

    return _LINK.sub(linked, text)


def _page(source: str) -> str:
    text = (ROOT / source).read_text(encoding="utf-8")
    folder = PurePosixPath(source).parent
    return _LINK.sub(lambda link: _linked(link, folder), text)


def _linked(link: re.Match[str], folder: PurePosixPath) -> str:
    """A link to a page of the site; where the site has no such page, the name of the file instead."""
    text, target, anchor = link.groups()
    path = _normal(folder / target)
    if path.startswith("docs/"):
        return f"[{text}]({path.removeprefix('docs/')}{anchor or ''})"
    there = (COPIED | _OTHERS).get(path)
    return f"[{text}]({there}{anchor or ''})" if there else f"{text} (`{path}`)" if text != path else f"`{path}`"


def _normal(path: PurePosixPath) -> str:
    """Without '..'."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
