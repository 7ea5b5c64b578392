"""``clmath check``: what a device made of the inputs that ``clmath inputs`` wrote is judged as a live one would be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.offline.folder import Folder
from clmath.cli import audit

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["run"]

CALL = "clmath check"


def run(options: Namespace) -> int:
    """Judge the folder by the plan in its manifest; the exit status of the verdict."""
    made = Folder.read(Path(options.folder), CALL).made["plan"]
    options.subjects = [f"files:{options.folder}"]
    try:
        options.functions, options.chapters, options.types = ",".join(made["functions"]), None, None
        options.inputs, options.seed, options.part = made["inputs"], str(made["seed"]), made.get("part", "1/1")
        options.edition = options.edition or made["edition"]
        options.widths = ",".join(map(str, made["widths"]))
    except (KeyError, TypeError) as error:
        raise errors.ClmathError(
            f"{CALL}: the plan in {options.folder} lacks {error}; write the inputs again"
        ) from None
    options.closer, options.merge, options.replay, options.build_options = False, None, None, ""
    options.mode, options.flushes, options.no_infinities, options.exact_divide = None, None, None, False
    return audit.run(options)
