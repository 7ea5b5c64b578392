"""Sections of the benchmarks, and their tables: in a terminal, as plain text, Markdown or JSON."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.contest import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clmath.numbers.formats import Format

__all__ = ["Cell", "Job", "Options", "Row", "Section", "as_json", "as_markdown", "print_table"]

Cell: TypeAlias = str | float | Outcome | None
Row: TypeAlias = "Mapping[str, Cell]"
Job: TypeAlias = "Callable[[], Row]"
PLAIN_WIDTH = 250  # characters of a line if the output is not a terminal

ENOUGH = 1000  # judged results from which on a percentage is shown, not a count


@dataclass(frozen=True)
class Options:
    """Options of a run; an empty tuple of functions means all functions of a section."""

    functions: tuple[str, ...]
    forms: tuple[Format, ...]
    inputs: tuple[str, ...]
    lanes: int
    judged: int
    runs: int

    def chosen(self, names: Sequence[str]) -> list[str]:
        """Return the requested ones of ``names``."""
        return [n for n in names if not self.functions or n in self.functions]


@dataclass(frozen=True)
class Section:
    """Table of results: ``jobs`` returns a job for each row; ``functions`` are the names that can be requested.

    ``kept``: a condition on the rows to show, or None for all.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    jobs: Callable[[Options], list[Job]]
    functions: tuple[str, ...] = ()
    kept: Callable[[Row], bool] | None = None


def shown(cell: Cell) -> str:
    """Return a cell as text: three significant digits or a whole number, and the wrong results if judged."""
    if cell is None or isinstance(cell, str):
        return cell or ""
    if isinstance(cell, Outcome):
        return f"{shown(cell.ns)} · {_wrong(cell)}" if cell.judged else shown(cell.ns)
    return f"{cell:.{_places(cell)}f}"


def _wrong(outcome: Outcome) -> str:
    """Return the percentage of wrong results, 100 % only for all, or their number if few were judged."""
    wrong = outcome.wrong or 0.0
    if outcome.judged < ENOUGH:
        return f"{round(wrong * outcome.judged)} of {outcome.judged}"
    percent = wrong * 100
    return "0" if wrong == 0 else f"{percent:.2g} %" if percent < 99 else f"{math.floor(percent)} %"


def _places(number: float) -> int:
    return 0 if number >= 100 else 1 if number >= 10 else 2


def print_table(section: Section, rows: Sequence[Row], *, plain: bool) -> None:
    """Print the table: with lines in a terminal, as bare columns elsewhere."""
    console = Console(width=PLAIN_WIDTH if plain else None)
    table = Table(title=section.title, title_justify="left", box=None if plain else box.SIMPLE_HEAD)
    for number, head in enumerate(section.columns):
        table.add_column(head, justify="right" if number else "left", no_wrap=plain)
    for row in rows:
        table.add_row(*(shown(row.get(head)) for head in section.columns))
    console.print(table)


def as_markdown(section: Section, rows: Sequence[Row]) -> str:
    """Return the table as Markdown."""
    lines = [section.columns, ("---", *["---:"] * (len(section.columns) - 1))]
    lines += [tuple(shown(row.get(head)) for head in section.columns) for row in rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"### {section.title}\n\n{text}\n"


def as_json(section: Section, rows: Sequence[Row]) -> dict[str, Any]:
    """Return the table as data for ``json.dumps``."""
    plain = [{k: dataclasses.asdict(v) if isinstance(v, Outcome) else v for k, v in row.items()} for row in rows]
    return {"section": section.name, "title": section.title, "rows": plain}
