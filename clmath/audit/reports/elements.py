"""The elements of the page: text in them is escaped, including control characters."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from clmath.audit.protocol.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["cell", "copied", "element", "raw", "table"]


def element(tag: str, *content: ET.Element | str, **attributes: str) -> ET.Element:
    """Return an element that contains text and elements; ``class_`` is its class."""
    found = ET.Element(tag, {key.rstrip("_"): printable(value) for key, value in attributes.items()})
    last: ET.Element | None = None
    for part in content:
        if not isinstance(part, str):
            found.append(part)
            last = part
        elif last is None:
            found.text = (found.text or "") + printable(part)
        else:
            last.tail = (last.tail or "") + printable(part)
    return found


def raw(tag: str, text: str) -> ET.Element:
    """Return a script or style of this package, which is not escaped."""
    found = ET.Element(tag)
    found.text = text
    return found


def table(head: Iterable[ET.Element], rows: Iterable[ET.Element], *foot: ET.Element, **attributes: str) -> ET.Element:
    """Return a table with a line of headings, and ``foot`` lines of totals."""
    parts = [element("thead", element("tr", *head)), element("tbody", *rows)]
    parts += [element("tfoot", *foot)] if foot else []
    return element("div", element("table", *parts, **attributes), class_="scroll", tabindex="0")


def cell(text: str, class_: str = "", tag: str = "td") -> ET.Element:
    """Return a cell of a table."""
    return element(tag, text, **({"class_": class_} if class_ else {}), **({"scope": "col"} if tag == "th" else {}))


def copied(command: str) -> ET.Element:
    """Return a command to copy: with a button if our script runs, else as text that is selected as a unit."""
    button = element("button", "Copy", type="button", hidden="hidden")
    return element("p", element("code", command), button, class_="replay")
