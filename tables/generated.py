"""What every script here ends with that writes a file: it writes it, or says whether it is current."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def written(target: Path, source: str, script: str, options: Sequence[str]) -> int:
    """The status to exit with: 0 where ``source`` has been written to ``target``, or stands there already.

    With ``--check`` among ``options`` nothing is written; 1 where the file is not there or holds something else.
    """
    if "--check" not in options:
        target.write_text(source, encoding="utf-8")
        return 0
    if target.exists() and target.read_text(encoding="utf-8") == source:
        return 0
    print(f"{target.name} is not current: run python tables/{script}")
    return 1
