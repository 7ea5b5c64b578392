"""Write benchmarks/README.md from the small result files in benchmarks/results.

    python -m benchmarks all --json build/all.json
    python -m benchmarks.page take build/all.json epyc       # store the page's rows in benchmarks/results/epyc.json
    python -m benchmarks.page take build/sweep.json epyc     # file of 'python -m benchmarks.sweep --all --json'
    python -m benchmarks.page write                          # with --check: exit with 1 if README.md is not current

A result file has, for each section of a run, the facts of the machine and the rows, with times as [ns, share of wrong
results]. If several files have a section, the page shows the newest.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks import machine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["main", "page", "taken"]

HERE = Path(__file__).parent
RESULTS = HERE / "results"
README = HERE / "README.md"
HEAD = HERE / "head.md"
LEFT_OUT = (" : ", "target", "mpmath", "SciPy", "results/s", "gfloat", "CORE-MATH")  # in the names of columns
DIGITS = 3  # significant digits of times


class Column(NamedTuple):
    """Column of a table: heading, section and column of the results, and a condition on their rows."""

    head: str
    section: str
    name: str
    where: Mapping[str, str] = {}


class Table(NamedTuple):
    """Table of the page; ``key``: the column of results that names the lines."""

    title: str
    key: str
    columns: tuple[Column, ...]


HALF, FLOAT, DOUBLE = ({"type": name} for name in ("half", "float", "double"))
SIN, SIN_FLOAT, EXP = (
    {"function": name, "type": type} for name, type in (("sin", "double"), ("sin", "float"), ("exp", "double"))
)
REDUCE, SCAN = ({"function": name} for name in ("work_group_reduce_add", "work_group_scan_inclusive_add"))
TABLES = (
    Table(
        "Kernels: ns per number",
        "function",
        (
            Column("half", "kernels", "clmath native", HALF),
            Column("float", "kernels", "clmath native", FLOAT),
            Column("NumPy engine", "kernels", "clmath NumPy", FLOAT),
            Column("gmpy2", "kernels", "gmpy2, arrays", FLOAT),
            Column("np", "kernels", "NumPy", FLOAT),
            Column("double", "double", "clmath native"),
            Column("NumPy engine", "double", "clmath NumPy"),
            Column("gmpy2", "double", "gmpy2, arrays"),
            Column("both ends", "double", "rtn and rtp"),
            Column("crival", "double", "crival"),
        ),
    ),
    Table(
        "Exact built-ins: ns per number or vector",
        "function",
        (
            Column("float", "exact", "rte", FLOAT),
            Column("rtp", "exact", "rtp", FLOAT),
            Column("np", "exact", "NumPy", FLOAT),
            Column("double", "exact", "rte", DOUBLE),
            Column("rtp", "exact", "rtp", DOUBLE),
            Column("np", "exact", "NumPy", DOUBLE),
        ),
    ),
    Table(
        "Conversions of random bit patterns: ns per number",
        "conversion",
        tuple(Column(name, "conversions", name) for name in ("rte", "rtz", "rtp", "rtn", "astype")),
    ),
    Table(
        "Calls by the number of elements: µs",
        "elements",
        (
            Column("sin, double", "calls", "clmath", SIN),
            Column("rtp", "calls", "rtp", SIN),
            Column("loop over numbers", "calls", "loop over numbers", SIN),
            Column("np.sin", "calls", "NumPy", SIN),
            Column("sin, float", "calls", "clmath", SIN_FLOAT),
            Column("np.sin", "calls", "NumPy", SIN_FLOAT),
            Column("exp, double", "calls", "clmath", EXP),
            Column("np.exp", "calls", "NumPy", EXP),
        ),
    ),
    Table(
        "Sums of work-groups by the number of elements: ns per element",
        "elements",
        (
            Column("reduce_add, float", "sums", "clmath", REDUCE | FLOAT),
            Column("double", "sums", "clmath", REDUCE | DOUBLE),
            Column("np.sum", "sums", "NumPy", REDUCE | DOUBLE),
            Column("fsum", "sums", "fsum", REDUCE | DOUBLE),
            Column("scan_inclusive_add, float", "sums", "clmath", SCAN | FLOAT),
            Column("double", "sums", "clmath", SCAN | DOUBLE),
            Column("np.cumsum", "sums", "NumPy", SCAN | DOUBLE),
        ),
    ),
    Table(
        "The reference, and errors in ulp: ns per number",
        "function",
        (
            Column("float", "reference", "reference", FLOAT),
            Column("double", "reference", "reference", DOUBLE),
            Column("gmpy2", "reference", "gmpy2", DOUBLE),
            Column("ulp_error, float", "reference", "ulp_error", FLOAT),
            Column("ulp_error, double", "reference", "ulp_error", DOUBLE),
        ),
    ),
)


def taken(results: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a run's or a sweep's JSON that the page shows, by section."""
    if "tallies" in results:
        return {
            f"sweep {results['settings']['type']}": {"machine": machine.facts(), "rows": _swept(results["tallies"])}
        }
    shown = {column.section for table in TABLES for column in table.columns}
    return {
        section["section"]: {"machine": results["machine"], "rows": [*_rows(section["rows"])]}
        for section in results["sections"]
        if section["section"] in shown
    }


def _swept(tallies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    shown = ("function", "lanes", "judged", "undecided", "wrong")
    return [{key: tally[key] for key in shown} for tally in tallies]


def _rows(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        if row.get("inputs", "natural") == "natural":
            kept = {key: value for key, value in row.items() if not any(word in key for word in LEFT_OUT)}
            yield {key: _short(value) for key, value in kept.items() if value not in (None, "") and key != "inputs"}


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return [_short(value["ns"]), _short(value["wrong"])]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def page() -> str:
    """Return the text of README.md."""
    found = _newest()
    parts = [HEAD.read_text(encoding="utf-8").rstrip()]
    parts += [part for table in TABLES for part in _shown(table, found)]
    return "\n\n".join([*parts, "## Sweeps through the native engine, in four modes", _sweeps(found)]) + "\n"


def _sweeps(found: Mapping[str, Any]) -> str:
    """Return a line for each sweep: the numbers of wrong results, and of results left to the reference."""
    lines = []
    for name in (name for name in found if name.startswith("sweep ")):
        facts, rows = found[name]["machine"], found[name]["rows"]
        counts = ", ".join(f"{row['function']} {max(row['undecided'].values())}" for row in rows)
        wrong = sum(sum(row["wrong"].values()) for row in rows)
        lanes, judged = max(row["lanes"] for row in rows), sum(row["judged"] for row in rows)
        lines.append(
            f"- {name.removeprefix('sweep ')}, {facts['date']}, {facts['processor']}: {lanes} numbers of each built-in,"
            f" {judged} results judged by MPFR, {wrong} wrong. At most left to the reference in a mode: {counts}."
        )
    return "\n".join(lines)


def _newest() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for file in sorted(RESULTS.glob("*.json")):
        for name, section in json.loads(file.read_text(encoding="utf-8")).items():
            if name not in found or section["machine"]["date"] > found[name]["machine"]["date"]:
                found[name] = section
    return found


def _shown(table: Table, found: Mapping[str, Any]) -> Iterator[str]:
    """Generate the heading, the machines and the lines of a table."""
    columns = [column for column in table.columns if column.section in found]
    if not columns:
        return
    yield f"## {table.title}"
    facts = [found[name]["machine"] for name in dict.fromkeys(column.section for column in columns)]
    yield "\n".join(f"- {'; '.join(fact.values())}" for fact in facts)
    rows = [_by_key(found[column.section]["rows"], table.key, column.where) for column in columns]
    lines = [["", *(column.head for column in columns)], ["---", *["---:"] * len(columns)]]
    lines += [
        [name, *(_cell(own.get(name, {}).get(column.name)) for own, column in zip(rows, columns, strict=True))]
        for name in dict.fromkeys(chain(*rows))
    ]
    yield "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _by_key(rows: Sequence[Mapping[str, Any]], key: str, where: Mapping[str, str]) -> dict[str, Mapping[str, Any]]:
    return {row[key]: row for row in rows if where.items() <= row.items()}


def _cell(value: Any) -> str:
    """Return a time in ns, followed by the share of wrong results if there are any."""
    if value is None:
        return ""
    time, wrong = value if isinstance(value, list) else (value, None)
    return f"{time:g}" + (f" · {100 * wrong:.2g} %" if wrong else "")


def main() -> int:
    """Store results, or write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.page", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_subparsers(dest="what", required=True)
    take = what.add_parser("take", help="store the results of a run that the page shows")
    take.add_argument("results", type=Path, help="file of 'python -m benchmarks ... --json'")
    take.add_argument("name", help="of the machine: epyc")
    write = what.add_parser("write", help="write README.md")
    write.add_argument("--check", action="store_true", help="write nothing; exit with 1 if it is not current")
    options = parser.parse_args()
    if options.what == "take":
        file = RESULTS / f"{options.name}.json"
        known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        save(file, known | taken(json.loads(options.results.read_text(encoding="utf-8"))))
        return 0
    if options.check:
        return int(README.read_text(encoding="utf-8") != page())
    README.write_text(page(), encoding="utf-8", newline="\n")
    return 0


def save(file: Path, sections: Mapping[str, Any]) -> None:
    """Write a result file, a line for each row."""
    parts = []
    for name, section in sections.items():
        rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in section["rows"])
        parts.append(f'"{name}": {{"machine": {json.dumps(section["machine"])}, "rows": [\n{rows}\n]}}')
    file.parent.mkdir(exist_ok=True)
    file.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
