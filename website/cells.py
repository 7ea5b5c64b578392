"""How rows of measurements are shown in tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clmath.audit.reports.charts import EQUALITY, share_of_limit
from clmath.audit.reports.terminal import error_text, share_text
from website.markdown import code

if TYPE_CHECKING:
    from website.measured import Row

__all__ = [
    "BRIEF",
    "LEVELS",
    "brief",
    "coloured",
    "count",
    "fails",
    "how",
    "level",
    "share",
    "tried",
    "worst",
]

LEVELS = {
    "correct": "correctly rounded",
    "quarter": "up to a quarter of the limit",
    "half": "up to half of the limit",
    "limit": "within the limit",
    "beyond": "beyond the limit, or a wrong special value",
    "unknown": "not judged, or without a limit",
}
_NO_LIMIT = ("any", "implementation-defined", "no limit given", "undefined")  # as the tables say it
BRIEF = ("target", "type", "profile", "worst error (ulp)", "correctly rounded", "at", "inputs")


def brief(row: Row, page: str) -> tuple[str, ...]:
    """The most important figures; ``page``: where the others stand."""
    link = f"[{row.target.slug}]({page}#{anchor(row)})"
    return link, row.type, row.profile, worst(row) + fails(row), share(row), code(row.worst_call), tried(row)


def anchor(row: Row) -> str:
    """The place of a row on the page of its built-in and type."""
    place = row.target.slug if row.profile == "full" else f"{row.target.slug}-{row.profile}"
    return place.replace(".", "-").replace(" ", "-")


def level(row: Row) -> str:
    """The level of a row, a name in ``LEVELS``: its largest error as a share of the limit."""
    if row.verdict.status == "fail":
        return "beyond"
    error = row.verdict.worst_error
    if error <= EQUALITY:
        return "correct"
    if row.verdict.status == "not judged" or math.isnan(error) or row.verdict.limit in _NO_LIMIT:
        return "unknown"
    part = share_of_limit(row.verdict)
    return "quarter" if part <= 0.25 else "half" if part <= 0.5 else "limit"  # an absolute limit was met, too


def coloured(row: Row, text: str = "") -> str:
    """Text in the colour of the row's level; without text, a mark by which a whole cell gets the colour."""
    return f'<span class="level level-{level(row)}" title="{LEVELS[level(row)]}">{text}</span>'


def worst(row: Row) -> str:
    """The worst error in ulp."""
    return "not judged" if is_unknown(row) else error_text(row.verdict.worst_error)


def is_unknown(row: Row) -> bool:
    """Whether something went wrong: it crashed, or did not compile."""
    return row.verdict.status == "not judged" and not row.verdict.is_unspecified


def fails(row: Row) -> str:
    """A mark where an input fails."""
    return ' <span class="fails" title="inputs fail">✗</span>' if row.verdict.status == "fail" else ""


def share(row: Row) -> str:
    """The share of correctly rounded results."""
    return share_text(row.verdict.tally.spread, 2)


def count(number: int) -> str:
    """A number with thin gaps."""
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def tried(row: Row) -> str:
    """How many inputs, and whether these are all."""
    return f"{count(row.verdict.tally.tried)} {how(row)}"


def how(row: Row) -> str:
    """Whether every input there is was tried."""
    return "all" if row.is_exhaustive else "sampled"
