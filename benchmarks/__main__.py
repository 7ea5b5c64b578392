"""Compare the speed of clmath with other packages: one core, processor time. Run from the root of the repository."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import track

from benchmarks import calls, chapters, conversions, double, engines, exact, kernels, machine, reference, small, sums
from benchmarks.inputs import INPUTS
from benchmarks.options import positive
from benchmarks.sections import Options, as_json, as_markdown, print_table
from clmath import errors
from clmath.numbers.formats import FORMATS, format_named

if TYPE_CHECKING:
    from benchmarks.sections import Section

MODULES = (kernels, double, engines, calls, small, exact, chapters, conversions, sums, reference)
SECTIONS = {module.SECTION.name: module.SECTION for module in MODULES}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("section", nargs="?", default="kernels", choices=(*SECTIONS, "all"))
    parser.add_argument("--functions", default="", help="comma-separated names (default: all of the section)")
    parser.add_argument("--types", default=",".join(map(str, FORMATS)), help="some of half,float,double")
    parser.add_argument("--inputs", choices=INPUTS, help="typical ranges or random bit patterns (default: both)")
    parser.add_argument("--lanes", type=positive, default=10**6, help="elements of an array; slow packages get fewer")
    parser.add_argument("--judged", type=positive, default=20_000, help="elements whose rounding is checked")
    parser.add_argument("--runs", type=positive, default=7, help="number of runs; their median is shown")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--json", type=Path, help="write everything to a file, after each section")
    return parser


def _options(given: argparse.Namespace) -> Options:
    """Return the checked options; raise ClmathError for a type or function that no section has."""
    functions = tuple(name for name in given.functions.split(",") if name)
    known = tuple(dict.fromkeys(name for section in SECTIONS.values() for name in section.functions))
    for name in functions:
        if name not in known:
            raise errors.unknown("benchmarks", "function", name, known, "leave --functions out to see them all")
    forms = tuple(format_named(name, "benchmarks") for name in given.types.split(","))
    kinds = (given.inputs,) if given.inputs else INPUTS
    return Options(functions, forms, kinds, given.lanes, given.judged, given.runs)


def _report(section: Section, options: Options, *, markdown: bool) -> dict[str, Any] | None:
    """Run a section, print its table and return it as JSON; return None if none of its functions is requested."""
    console = Console(stderr=True)
    jobs = section.jobs(options)
    if not jobs:
        console.print(f"{section.name}: nothing of it was asked for, or a package is missing")
        return None
    rows = [
        job() for job in track(jobs, section.name, console=console, transient=True, disable=not console.is_terminal)
    ]
    count = len(rows)
    if section.kept is not None:
        rows = [row for row in rows if section.kept(row)]
        console.print(f"{section.name}: {len(rows)} of {count} rows are shown")
    if markdown:
        print(as_markdown(section, rows), flush=True)
    else:
        print_table(section, rows, plain=not sys.stdout.isatty())
    return as_json(section, rows)


def main() -> None:
    """Run the requested sections."""
    parser = _parser()
    given = parser.parse_args()
    sections = [s for s in SECTIONS.values() if given.section in (s.name, "all")]
    try:
        options = _options(given)
    except errors.ClmathError as error:
        parser.error(str(error))
    facts = machine.facts()
    print("\n".join(f"{'- ' * given.markdown}{key}: {value}" for key, value in facts.items()), end="\n\n")
    found: list[dict[str, Any]] = []
    for section in sections:
        report = _report(section, options, markdown=given.markdown)
        found += [report] if report else []
        if given.json:
            text = json.dumps({"machine": facts, "sections": found}, indent=1)
            given.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
