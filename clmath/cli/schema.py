"""``clmath schema``: the JSON Schema of reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.spec import files

if TYPE_CHECKING:
    from argparse import Namespace


def run(_: Namespace) -> int:
    """Print the schema."""
    print(files.path("report.schema.json").read_text(encoding="utf-8"), end="")
    return 0
