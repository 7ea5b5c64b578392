"""The largest error by range of an argument as a picture, with the limit."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from clmath.audit.reports.charts import allowed, error_chart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from website.measured import Row

__all__ = ["figures"]


def figures(row: Row) -> Iterator[str]:
    """A figure for each argument whose errors are known."""
    verdict, item = row.verdict, row.verdict.item
    limits = allowed(verdict)
    for name, worst in zip(item.measured, verdict.tally.spread.worst, strict=False):
        if worst:
            svg = ET.tostring(error_chart(item, name, worst, limits), encoding="unicode")
            yield f'<figure class="curve" markdown="0">{svg}<figcaption>{_caption(row, name)}</figcaption></figure>'


def _caption(row: Row, name: str) -> str:
    text = f"{row.target.slug}: {row.name} of {row.type}, largest error over {name}, by ranges of binades, in ulp"
    return f"{text}. Limit (dashed): {row.verdict.limit}. {row.inputs}, {row.date}, on {row.machine}."
