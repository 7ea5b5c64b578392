"""Pieces of Markdown that all generated pages are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.audit.protocol.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["code", "escaped", "table"]

_MARKS = "\\|*_`[]"


def escaped(text: str) -> str:
    """Text that Markdown shows as it stands, in a cell of a table too."""
    text = printable(" ".join(text.split()))
    for character in _MARKS:
        text = text.replace(character, f"\\{character}")
    return text.replace("<", "&lt;").replace(">", "&gt;")


def code(text: str) -> str:
    """Return text as code; an empty text stays empty."""
    return f"`{text}`" if text else ""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], sides: str = "", marks: str = "") -> str:
    """A table; ``sides``: a letter l or r for each column; ``marks``: attributes of the table, '.sortable'."""
    sides = sides or "l" * len(heads)
    lines = [heads, [{"l": "---", "r": "---:"}[side] for side in sides], *rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f'<div class="{marks}" markdown>\n\n{text}\n\n</div>' if marks else text
