"""``clmath list``: every built-in by chapter and section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import errors
from clmath.spec import files
from clmath.spec.builtins import JUDGED
from clmath.spec.families import TABLE, audited_builtins, chapters

if TYPE_CHECKING:
    from argparse import Namespace


CHAPTERS = (*JUDGED, *chapters())


def run(options: Namespace) -> int:
    """Print the declarations under the headings of their sections."""
    chapter = options.chapter
    if chapter is not None and chapter not in CHAPTERS:
        raise errors.not_one_of("clmath list", "--chapter", chapter, CHAPTERS)
    for section, entry in {**files.load("builtins.toml"), **files.load(TABLE)}.items():
        if chapter in (None, entry["chapter"]):
            print(f"{entry['title']} ({entry['chapter']}, {section.split(maxsplit=1)[0]}){_remark(entry)}")
            print("".join(f"    {declaration}\n" for declaration in entry["declarations"]))
    count = len({row.name for row in audited_builtins() if chapter in (None, row.chapter)})
    print(f"{count} built-ins; 'clmath show NAME' shows the limits and special values of one")
    return 0


def _remark(entry: dict[str, list[str]]) -> str:
    types = entry.get("formats") or entry.get("types")
    return f": {', '.join(types)} only" if types else ""
