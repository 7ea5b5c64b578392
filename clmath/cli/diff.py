"""``clmath diff``: what became worse from one report to another, regressions first."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit import record
from clmath.audit.difference import KINDS, changes, differing_facts
from clmath.audit.foreign import printable

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["run"]

CALL = "clmath diff"


def run(options: Namespace) -> int:
    """Print what changed; 1 where something became worse, 0 where nothing did."""
    old, new = (record.read(Path(name), CALL) for name in (options.old, options.new))
    found = sorted(changes(old, new), key=lambda change: KINDS.index(change.kind))
    for change in found:
        print(printable(f"{change.kind}: {change.item}: {change.text}"))
    for fact in differing_facts(old, new):
        print(printable(f"differs: {fact}"))
    counts = Counter(change.kind for change in found)
    said = ", ".join(f"{counts[kind]} {_plural(kind, counts[kind])}" for kind in KINDS if counts[kind])
    both = len(old.verdicts.keys() & new.verdicts.keys())
    print(f"{both} rows compared: {said or 'no change'}")
    if counts["regression"]:
        return 1
    for name, report in ((options.old, old), (options.new, new)):
        if not report.complete:
            raise errors.ClmathError(f"{CALL}: {name} is not complete; add --resume to the audit that wrote it")
    if not both:
        raise errors.ClmathError(f"{CALL}: the reports have no row in common; audit the same --functions and --types")
    return 0


def _plural(kind: str, count: int) -> str:
    return f"{kind}s" if count != 1 and not kind.startswith("only") else kind
