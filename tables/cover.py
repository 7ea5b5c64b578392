"""Prints in Markdown which names and rows of audits clmath has of every section of the texts, by tables/sections.toml.

``python tables/cover.py > build/coverage.md`` keeps it. ``--text FILE`` compares the
titles with those of OpenCL C++ 1.0 in Markdown.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HERE = Path(__file__).resolve().parent
SHOWN = 6  # names of a section that has more rows
MAIN = "OpenCL C++ 1.0"

HEAD = """# What clmath has of each section

Written by `tables/cover.py` from `tables/sections.toml`, the tables of built-ins and the public names.
Sections and titles: OpenCL C++ 1.0 and pages of OpenCL C, Khronos, CC-BY-4.0 (see `README.md`).

**Names** implement a section, **rows** of an audit judge it; where it gives no number the reason stands in their place.
"""


def sections() -> dict[str, Any]:
    """The parsed table."""
    return tomllib.loads((HERE / "sections.toml").read_text(encoding="utf-8"))


def rows_by_section() -> Mapping[str, list[Any]]:
    """The rows of an audit by the number of their section."""
    from clmath.spec.families import audited_builtins

    found = defaultdict(list)
    for row in audited_builtins():
        found[row.section].append(row)
    return found


def is_parent(number: str, titles: Mapping[str, str]) -> bool:
    """Whether there are sections below it."""
    return any(other.startswith(f"{number}.") for other in titles)


def reasons(text: Mapping[str, Any]) -> dict[str, str]:
    """Why a section has no name, by its number."""
    return {number: reason for reason, numbers in text.get("without", {}).items() for number in numbers}


def names_of(number: str, text: Mapping[str, Any], rows: Mapping[str, list[Any]], *, main: bool) -> list[str]:
    """The names of a section: those that the table says, and those of its rows."""
    import clmath

    by_rows = [row.called for row in rows.get(number, ()) if hasattr(clmath, row.called)] if main else []
    return list(dict.fromkeys((*text.get("names", {}).get(number, ()), *by_rows)))


def lines() -> Iterator[str]:
    """The file, line by line."""
    rows = rows_by_section()
    known: defaultdict[str, list[Any]] = defaultdict(list)
    for row in (row for group in rows.values() for row in group):
        known[row.called].append(row)
    yield HEAD
    for name, text in sections().items():
        yield from (f"## {name}\n", "| section | title | names | rows of |", "| --- | --- | --- | --- |")
        without = reasons(text)
        for number, title in text["titles"].items():
            if is_parent(number, text["titles"]):
                yield f"| **{number}** | **{title}** | | |"
            elif number in without:
                yield f"| {number} | {title} | none: {without[number]} | |"
            else:
                names = names_of(number, text, rows, main=name == MAIN)
                own = rows.get(number, ()) if name == MAIN else ()
                judged = list(dict.fromkeys((*(row for n in names for row in known.get(n, ())), *own)))
                yield f"| {number} | {title} | {_shown(names)} | {_judged(judged)} |"
        yield ""


def _shown(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > 2 * SHOWN else ""
    return ", ".join(f"`{n}`" for n in (names[:SHOWN] if more else names)) + more


def _judged(rows: list[Any]) -> str:
    chapters: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        chapters[row.chapter] += 1
    return ", ".join(f"{chapter} ({count})" for chapter, count in chapters.items())


def source() -> str:
    """The whole file."""
    return "\n".join(lines()).rstrip("\n") + "\n"


def headings(markdown: str) -> dict[str, str]:
    """The numbered sections of OpenCL C++ 1.0 by number."""
    outside = re.sub(r"^\s*```.*?^\s*```", "", markdown, flags=re.DOTALL | re.MULTILINE)
    found = re.findall(r"^#{2,4} (\d[\d.]*)\. (.*)$", outside, re.MULTILINE)
    return {number: title.replace("\\", "") for number, title in found}


def main() -> int:
    """Print everything, or compare the titles."""
    if "--text" in sys.argv[1:]:
        told = headings(Path(sys.argv[sys.argv.index("--text") + 1]).read_text(encoding="utf-8"))
        differing = set(told.items()) ^ set(sections()[MAIN]["titles"].items())
        print("\n".join(map(str, sorted(differing))) or "every section is listed")
        return bool(differing)
    print(source(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
