"""``clmath report``: a report that was written before is shown again, and written to other files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit import report, several
from clmath.audit.foreign import printable
from clmath.audit.reports.outcome import Outcome, Run, Whole
from clmath.cli import outputs
from clmath.cli.journal import told_by

if TYPE_CHECKING:
    from argparse import Namespace

    from clmath.audit.known import Known
    from clmath.audit.reading import Read
    from clmath.audit.several import Reports

__all__ = ["run"]

CALL = "clmath report"


def run(options: Namespace) -> int:
    """Print the report and write the files that are asked for; the exit status of its verdict."""
    found = several.read(Path(options.report), CALL)
    if options.subject is not None:
        found = _of_one(options, found)
    files = outputs.asked(options, CALL, together=found.together)
    whole = _whole(options, found, files.known)
    out = report.console(sys.stdout)
    for name, outcome in whole.outcomes.items():
        for line in (*([name] if whole.together else []), str(outcome.head["subject"]["name"])):
            out.print(printable(line), soft_wrap=True, markup=False)
        report.show(out, outcome.verdicts, outcome.replay, outcome.known)
    for line in whole.lines() if whole.together else ():
        out.print(printable(line), soft_wrap=True, markup=False)
    files.write(whole)
    if not found.complete:
        raise errors.ClmathError(f"{CALL}: {options.report} is not complete; add --resume to the audit that wrote it")
    return whole.status


def _of_one(options: Namespace, found: Reports) -> Reports:
    """The report of one subject of several."""
    one = found.reports.get(options.subject)
    if one is None:
        known = ", ".join(found.reports) or "none"
        why = found.troubles.get(options.subject)
        fact = f"has no report of {options.subject!r}{f', which could not be audited: {why}' if why else ''}"
        raise errors.ClmathError(f"{CALL}: {options.report} {fact}; choose one of {known}")
    return several.Reports({options.subject: one}, together=False, complete=one.complete)


def _whole(options: Namespace, found: Reports, known: Known) -> Whole:
    """What was audited, with what a log tells of it."""

    def outcome(name: str, one: Read) -> Outcome:
        run = Run() if options.log is None else _run(options, name, is_one_of_several=found.together)
        head = one.head
        verdicts = list(one.verdicts.values())
        return Outcome(head, verdicts, report.replay_of(head), known.of(name), run, complete=one.complete)

    outcomes = {name: outcome(name, one) for name, one in found.reports.items()}
    return Whole(outcomes, together=found.together, troubles=found.troubles)


def _run(options: Namespace, name: str, *, is_one_of_several: bool) -> Run:
    """What the log tells of a subject, which may be the only one of its run."""
    told = told_by(Path(options.log), CALL, name)
    return told if told.started or is_one_of_several else told_by(Path(options.log), CALL)
