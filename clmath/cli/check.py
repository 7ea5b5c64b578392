"""``clmath check``: what a device made of the inputs that ``clmath inputs`` wrote is judged as a live one would be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.offline.folder import Folder
from clmath.audit.subjects.files import Files
from clmath.cli import audit

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["run"]

CALL = "clmath check"


def run(options: Namespace) -> int:
    """Judge the folder by the plan in its manifest; the exit status of the verdict."""
    made = Folder.read(Path(options.folder), CALL).made["plan"]
    options.subject = f"files:{options.folder}"
    types = Files(options.folder, CALL).types()
    if not types:
        raise errors.ClmathError(
            f"{CALL}: the device has none of the functions in {options.folder}: all rows are absent, as"
            " results/NAME.txt says; write inputs of functions and types that it has"
        )
    try:
        options.functions, options.chapters = ",".join(made["functions"]), None
        options.types = ",".join(name for name in made["types"] if name in types)
        options.inputs, options.seed, options.part = made["inputs"], str(made["seed"]), made.get("part", "1/1")
        options.edition = options.edition or made["edition"]
        options.widths = ",".join(map(str, made["widths"]))
    except (KeyError, TypeError) as error:
        raise errors.ClmathError(
            f"{CALL}: the plan in {options.folder} lacks {error}; write the inputs again"
        ) from None
    options.closer, options.merge, options.replay, options.build_options = False, None, None, ""
    return audit.run(options)
