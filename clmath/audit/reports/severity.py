"""Cases that need attention, in descending order of their errors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clmath.audit.reports.known_failures import NONE_KNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clmath.audit.counting.tally import Example, Tally, Verdict
    from clmath.audit.reports.known_failures import Known, Standing

__all__ = ["by_severity", "largest_failure", "needing_attention", "needs_attention", "severity", "worst_of"]

# statuses of cases that a reader must look at, the most severe first
_ORDER: tuple[Standing, ...] = ("fail", "worse than known", "listed, but passes", "missing", "not judged")


def largest_failure(verdict: Verdict) -> Example | None:
    """Return the kept failure with the largest error, or None; an error without a size (NaN) counts as infinite."""
    return next(iter(_kept(verdict.tally)), None)


def worst_of(tally: Tally, reason: str) -> list[Example]:
    """Return the kept failures with a reason, the largest error first; each input appears once."""
    found = {(e.args, e.vector, e.output, e.got): e for e in _kept(tally) if e.reason == reason}
    return list(found.values())


def _kept(tally: Tally) -> list[Example]:
    """Return the kept failures, and the worst input if it fails, in descending order of errors."""
    worst = [tally.worst] if tally.worst and tally.worst.reason else []
    return sorted([*worst, *tally.failures], key=lambda example: -_size(example))


def _size(example: Example) -> float:
    return math.inf if math.isnan(example.error) else abs(example.error)


def needs_attention(verdict: Verdict, known: Known = NONE_KNOWN) -> bool:
    """Whether a reader must look at a case: it does not pass, is not a known failure, and is not unspecified."""
    return known.standing(verdict) in _ORDER and not verdict.left_open


def severity(verdict: Verdict, known: Known = NONE_KNOWN) -> tuple[int, float, float]:
    """Return a key that sorts cases, the most severe first: by status, largest error of a failure, and failing share.

    A zero of the wrong sign has no error, and comes last of failures. All cases that need no attention are equal.
    """
    if not needs_attention(verdict, known):
        return len(_ORDER), 0.0, 0.0
    worst, tally = largest_failure(verdict), verdict.tally
    share = tally.failed / max(tally.tried, 1)
    return _ORDER.index(known.standing(verdict)), -_size(worst) if worst else 0.0, -share


def by_severity(verdicts: Iterable[Verdict], known: Known = NONE_KNOWN) -> list[Verdict]:
    """Return all cases: first the ones that need attention, the most severe first, then the others in their order."""
    return sorted(verdicts, key=lambda verdict: severity(verdict, known))


def needing_attention(verdicts: Iterable[Verdict], known: Known = NONE_KNOWN) -> list[Verdict]:
    """Return the cases that need attention, the most severe first."""
    return [v for v in by_severity(verdicts, known) if needs_attention(v, known)]
