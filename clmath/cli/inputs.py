"""``clmath inputs``: write the inputs of an audit into a folder, for a device that clmath cannot reach."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.offline.writing import write
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import WIDTHS
from clmath.audit.plan.types import STANDARD
from clmath.audit.protocol.printable import printable
from clmath.cli.asked import names_of
from clmath.cli.one_audit import functions_of, seed_of, type_named, widths_named

if TYPE_CHECKING:
    from argparse import Namespace

    from clmath.audit.offline.folder import Folder

CALL = "clmath inputs"


def run(options: Namespace) -> int:
    """Write the folder; return 0."""
    if not options.out:
        raise errors.ClmathError(f"{CALL}: --out needs the name of a folder; write --out lab")
    plan = Plan.of(
        functions_of(options.functions, options.chapters),
        None if options.types is None else [type_named(name) for name in names_of(options.types)],
        inputs=options.inputs,
        seed=seed_of(options.seed),
        part=options.part,
        edition=options.edition,
        local_search=False,
        widths=widths_named(options.widths, WIDTHS, "an OpenCL device"),
    )
    if not plan.items():
        raise errors.ClmathError(
            f"{CALL}: none of the requested built-ins has these types and widths; leave --types or --widths out"
        )
    _check_types(plan)
    tell(write(plan, Path(options.out), CALL), options.out)
    return 0


def _check_types(plan: Plan) -> None:
    """Raise ClmathError for cases in a format that OpenCL C, and so every device, lacks."""
    standard = {form.name for form in STANDARD}
    for item in plan.items():
        for name in sorted(item.needs - standard):
            raise errors.ClmathError(
                f"{CALL}: {item}: OpenCL C has no type {name}, so that no device can be asked for it"
            )


def tell(folder: Folder, *names: str) -> None:
    """Print a summary of the folder, and the next steps; ``names``: the folders to judge, this one last."""
    size = sum(o.bytes for row in folder.rows.values() for o in (*row.arguments, *row.results))
    calls = sum(row.calls for row in folder.rows.values())
    print(printable(f"{names[-1]}: {len(folder.rows)} cases, {calls} calls, {size / 1e6:.0f} MB with their results"))
    there = shlex.quote(Path(names[-1]).name)
    print(printable(f"There, as README.txt says: cd {there} && cc -O2 -o host host.c -lOpenCL && ./host"))
    print(printable(f"Here, with the results: {shlex.join(['clmath', 'check', *names])}"))
