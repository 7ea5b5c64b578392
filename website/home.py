"""The first page of the site: a picture of two devices, and the README's examples."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from website import curve, measured

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["completed"]

README = Path(__file__).resolve().parents[1] / "README.md"
FAILING, CONFORMING = ("exp", "double", "pocl-3.0"), ("exp", "double", "h200")
_ANCHORS = ("numerics", "device", "tests")  # of the three users, in the README's order


def completed(markdown: str) -> str:
    """The page of ``docs`` with the picture and the examples in the place of the comments that ask for them."""
    markdown = markdown.replace("<!-- picture -->", "\n\n".join(_picture()))
    return markdown.replace("<!-- examples -->", "\n\n".join(_examples()))


def _picture() -> Iterator[str]:
    """The curve of a device that fails, and of one that conforms."""
    for name, type, slug in (FAILING, CONFORMING):
        (row, *_) = [row for row in measured.curves(name, type) if row.target.slug == slug]
        yield from curve.figures(row)


def _examples() -> Iterator[str]:
    """The README's first example for each user, each under a heading."""
    text = README.read_text(encoding="utf-8")
    section = re.search(r"^## A first example for each user\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    assert section is not None
    parts = re.split(r"^\*\*(You .*?)\.\*\*", section[1], flags=re.MULTILINE)[1:]
    for anchor, title, body in zip(_ANCHORS, parts[::2], parts[1::2], strict=True):
        yield f"## {title} {{#{anchor}}}\n\n{body.strip()}".replace("](docs/", "](")
