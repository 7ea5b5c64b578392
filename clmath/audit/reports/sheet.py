"""Comma-separated values, for spreadsheets and data frames: one line per case."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

from clmath.audit.protocol.printable import printable
from clmath.audit.records.several_reports import name_of
from clmath.audit.reports.outcome import UNREACHED
from clmath.audit.reports.terminal import named_failure, share_text, worst_text

if TYPE_CHECKING:
    from clmath.audit.counting.tally import Verdict
    from clmath.audit.reports.outcome import Outcome, Whole

__all__ = ["COLUMNS", "sheet"]

COLUMNS = ("subject", "chapter", "built-in", "type", "lanes", "width", "profile", "limit", "source", "status",
           "verdict", "reason", "worst ulp", "worst at", "correctly rounded %", "tried", "sampled", "failed", "flushed",
           "left open", "seconds", "replay", "asked")  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\n")


def sheet(whole: Whole) -> str:
    """Return the lines, with a heading; a target that could not be audited has one line with the reason."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_cells(verdict, outcome) for outcome, verdict in whole.pairs)
    for name, why in whole.troubles.items():
        writer.writerow(_without_rows(name, "not audited", why))
    writer.writerows(_without_rows(name, "missing", UNREACHED) for name in whole.unreached)
    return text.getvalue()


def _without_rows(name: str, status: str, why: str) -> list[str]:
    """Return the line of a target without cases."""
    known = {"status": status, "reason": _plain(why), "asked": _plain(name)}
    return [known.get(column, "") for column in COLUMNS]


def _cells(verdict: Verdict, outcome: Outcome) -> list[object]:
    item, tally = verdict.item, verdict.tally
    error, seconds = verdict.worst_error, outcome.run.seconds.get(item)
    return [
        _plain(outcome.head["subject"]["name"]),
        item.builtin.chapter,
        item.builtin.name,
        item.form.name,
        item.width,
        item.vector,
        verdict.profile,
        verdict.limit,
        verdict.source,
        outcome.standing(verdict),
        verdict.with_share(outcome.standing(verdict)),
        _plain(outcome.explained(verdict)),
        "" if math.isnan(error) else f"{error:.6g}",
        worst_text(verdict),
        share_text(tally.spread, 7).removesuffix(" %").replace("-", ""),
        tally.tried,
        int(verdict.is_sampled),
        tally.failed,
        tally.flushed,
        tally.unjudged,
        "" if seconds is None else f"{seconds:.3f}",
        outcome.replay.command(item, named_failure(verdict, outcome.known)),
        _plain(name_of(outcome.head)),
    ]


def _plain(text: str) -> str:
    """Return foreign text on one line, so that a spreadsheet does not take it for a formula."""
    line = " ".join(printable(text).split())
    return f"'{line}" if line.startswith(_FORMULA) else line
