"""``clmath check``: judge a device's results for the inputs that ``clmath inputs`` wrote, as on a live device."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.inputs import local_search
from clmath.audit.inputs.row_inputs import chunks, length
from clmath.audit.offline.files import Files
from clmath.audit.offline.folder import Folder
from clmath.audit.offline.writing import Second, refuse_taken, write
from clmath.audit.protocol.printable import printable
from clmath.cli import audit
from clmath.cli.inputs import tell

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan

CALL = "clmath check"
OPTION = "--local-search"


def run(options: Namespace) -> int:
    """Judge the folder by the plan in its manifest; return the exit status of the verdict."""
    files = Files(_joined(options.folders), CALL)
    _refuse_looks(options)
    options.targets = [f"files:{_joined(options.folders)}"]
    _take_over(options, files)
    around = files.around()
    options.has_local_search, options.around = bool(around), lambda item, _: around.get(item)
    options.merge, options.replay, options.bits, options.build_options = None, None, False, ""
    options.then = lambda plan, verdicts: _look_closer(options, plan, verdicts)
    return audit.run(options)


def _joined(names: Sequence[str]) -> str:
    """Return one name for all folders."""
    for name in names:
        if len(names) > 1 and os.pathsep in name:
            raise errors.ClmathError(f"{CALL}: {name!r} has {os.pathsep!r} in it; rename the folder")
    return os.pathsep.join(names)


def _refuse_looks(options: Namespace) -> None:
    """Refuse a repeated local search, and one whose folder is not new."""
    if options.local_search is None:
        return
    if len(options.folders) > 1:
        raise errors.ClmathError(
            f"{CALL}: {options.folders[1]} is the local search, and has no local search of its own; leave {OPTION} out"
        )
    if not options.local_search:
        raise errors.ClmathError(f"{CALL}: {OPTION} names no folder; write {OPTION} lab2")
    refuse_taken(Path(options.local_search), CALL, OPTION)


def _take_over(options: Namespace, files: Files) -> None:
    """Take over the plan of the inputs for the audit, limited to the cases that the device has."""
    (folder, *_), made, types = options.folders, files.made["plan"], files.types()
    if not types:
        raise errors.ClmathError(
            f"{CALL}: the device has none of the functions in {folder}: all cases are absent, as results/NAME.txt says;"
            " write inputs of functions and types that it has"
        )
    if files.absent:
        print(printable(f"{files.absent} cases of {folder} are absent: its host says that the device lacks them"))
    try:
        options.functions, options.chapters = ",".join(made["functions"]), None
        options.types = ",".join(name for name in made["types"] if name in types)
        options.inputs, options.seed, options.part = made["inputs"], str(made["seed"]), made.get("part", "1/1")
        options.edition = options.edition or made["edition"]
        options.widths = ",".join(str(n) for n in made["widths"] if n in files.widths) or str(files.widths[0])
    except (KeyError, TypeError) as error:
        raise errors.ClmathError(f"{CALL}: the plan in {folder} lacks {error}; write the inputs again") from None


def _look_closer(options: Namespace, plan: Plan, verdicts: Sequence[Verdict]) -> None:
    """Write the folder of the local search, if it is requested."""
    if options.local_search is None:
        return
    plan = replace(plan, local_search=True)
    found = {v.item: around for v in verdicts if (around := _around(v, plan)) is not None}
    if not found:
        reason = "no result had an error, all inputs were tried, or only the inputs of a part"
        print(f"No local search: {reason}; {options.local_search} is not written")
        return
    (name,) = options.folders
    second = Second(Folder.read(Path(name), CALL).digest, found)
    tell(write(plan, Path(options.local_search), CALL, second), name, options.local_search)


def _around(verdict: Verdict, plan: Plan) -> tuple[int, ...] | None:
    """Return the input to search around in a case, as in a live audit, or None if the first pass was not completed."""
    item: Item = verdict.item
    if not local_search.pieces(item, plan) or verdict.tally.tried < length(item, plan, chunks(item, plan)):
        return None
    return local_search.around(verdict.tally.worst)
