"""``clmath inputs``: the inputs of an audit are written into a folder, for a device that clmath cannot reach."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.offline.writing import write
from clmath.audit.plan import WIDTHS, Plan
from clmath.cli.audit import functions_of, names_of, whole_number, widths_named
from clmath.numbers.formats import format_named
from clmath.spec.builtins import JUDGED

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["run"]

CALL = "clmath inputs"


def run(options: Namespace) -> int:
    """Write the folder; 0."""
    if not options.out:
        raise errors.ClmathError(f"{CALL}: --out names no folder; write --out lab")
    functions = [row for row in functions_of(options.functions, options.chapters) if row.chapter in JUDGED]
    if not functions:
        fact = f"labs without Python judge {', '.join(JUDGED)} so far"
        raise errors.ClmathError(f"{CALL}: {fact}; ask for functions or chapters of these")
    plan = Plan.of(
        functions,
        None if options.types is None else [format_named(name, CALL) for name in names_of(options.types)],
        inputs=options.inputs,
        seed=whole_number("--seed", options.seed),
        part=options.part,
        edition=options.edition,
        closer=False,
        widths=widths_named(options.widths, WIDTHS, "an OpenCL device"),
    )
    if not plan.items():
        raise errors.ClmathError(f"{CALL}: nothing is asked for; leave --types or --functions out")
    folder = write(plan, Path(options.out), CALL)
    size = sum(o.bytes for row in folder.rows.values() for o in (*row.arguments, *row.results))
    calls = sum(row.calls for row in folder.rows.values())
    print(f"{options.out}: {len(folder.rows)} rows, {calls} calls, {size / 1e6:.0f} MB with their results")
    print(f"There, as README.txt says: cd {Path(options.out).name} && cc -O2 -o host host.c -lOpenCL && ./host")
    print(f"Here, with what came back: clmath check {options.out}")
    return 0
