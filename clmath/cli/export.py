"""``clmath export``: sources of correctly rounded built-ins, for authors of device libraries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors, export
from clmath.audit.protocol.printable import printable

if TYPE_CHECKING:
    from argparse import Namespace

CALL = "clmath export"
_WIDTH = 100  # of a line of names


def run(options: Namespace) -> int:
    """Write the library, or show the built-ins that can be exported; return 0."""
    if options.list:
        _list()
        return 0
    if not options.names:
        raise errors.ClmathError(f"{CALL}: no built-in is named; write 'clmath export sin,exp --out DIR', or --list")
    if not options.out:
        raise errors.ClmathError(f"{CALL}: --out names no folder; write --out clmath_c")
    asked = export.request_of(CALL, options.names, options.types, options.language)
    folder = Path(options.out)
    export.refuse_taken(folder, CALL, force=options.force)  # before work that takes seconds
    files = export.files(asked)
    export.write(files, folder, CALL, force=options.force)
    count = len(asked.functions)
    functions = f"{count} function{'s' if count > 1 else ''}"
    print(printable(f"{folder}: {functions} in {len(files)} files; README.md says how to build and test them"))
    return 0


def _list() -> None:
    """Print the names in lines."""
    line = ""
    for row in export.exportable():
        if len(line) + len(row.name) > _WIDTH:
            print(line.rstrip())
            line = ""
        line += f"{row.name} "
    print(line.rstrip())
    print(f"{len(export.exportable())} built-ins, in half, float and double; as {', '.join(export.LANGUAGES)}")
