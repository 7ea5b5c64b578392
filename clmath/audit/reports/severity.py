"""Which rows need attention, and in what order: what fails by most comes first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clmath.audit.reports.known_failures import NONE_KNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clmath.audit.counting.tally import Example, Tally, Verdict
    from clmath.audit.reports.known_failures import Known, Standing

__all__ = ["by_severity", "largest_failure", "needing_attention", "needs_attention", "severity", "worst_of"]

# standings of rows that a reader must look at, the most severe first
_ORDER: tuple[Standing, ...] = ("fail", "worse than known", "listed, but passes", "missing", "not judged")


def largest_failure(verdict: Verdict) -> Example | None:
    """Of the failures that are kept the one with the largest error; one without a size (NaN) counts as infinite."""
    return next(iter(_kept(verdict.tally)), None)


def worst_of(tally: Tally, reason: str) -> list[Example]:
    """The failures of a reason that are kept, the largest error first; each input once, however often it was tried."""
    found = {(e.args, e.vector, e.output, e.got): e for e in _kept(tally) if e.reason == reason}
    return list(found.values())


def _kept(tally: Tally) -> list[Example]:
    """The failures that are kept, and the worst input where it fails, by size of their errors, then as they stand."""
    worst = [tally.worst] if tally.worst and tally.worst.reason else []
    return sorted([*worst, *tally.failures], key=lambda example: -_size(example))


def _size(example: Example) -> float:
    return math.inf if math.isnan(example.error) else abs(example.error)


def needs_attention(verdict: Verdict, known: Known = NONE_KNOWN) -> bool:
    """Whether a reader must look at a row: it does not pass, is not known to, and was not left open."""
    return known.standing(verdict) in _ORDER and not verdict.left_open


def severity(verdict: Verdict, known: Known = NONE_KNOWN) -> tuple[int, float, float]:
    """A key that sorts rows, the most severe first: by standing, largest error of a failure, and share that fails.

    A zero of the wrong sign has no error, and comes last of failures. All rows that need no attention are equal.
    """
    if not needs_attention(verdict, known):
        return len(_ORDER), 0.0, 0.0
    worst, tally = largest_failure(verdict), verdict.tally
    share = tally.failed / max(tally.tried, 1)
    return _ORDER.index(known.standing(verdict)), -_size(worst) if worst else 0.0, -share


def by_severity(verdicts: Iterable[Verdict], known: Known = NONE_KNOWN) -> list[Verdict]:
    """All rows: those that need attention, the most severe first, then the others as they stand."""
    return sorted(verdicts, key=lambda verdict: severity(verdict, known))


def needing_attention(verdicts: Iterable[Verdict], known: Known = NONE_KNOWN) -> list[Verdict]:
    """The rows that need attention, the most severe first."""
    return [v for v in by_severity(verdicts, known) if needs_attention(v, known)]
