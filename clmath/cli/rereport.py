"""``clmath report``: a report that was written before is shown again, and written to other files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit import record, report
from clmath.audit.foreign import printable
from clmath.audit.reports.outcome import Outcome, Run
from clmath.cli import outputs
from clmath.cli.journal import told_by

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["run"]

CALL = "clmath report"


def run(options: Namespace) -> int:
    """Print the report and write the files that are asked for; the exit status of its verdict."""
    files = outputs.asked(options, CALL)
    found = record.read(Path(options.report), CALL)
    subject, verdicts = found.head["subject"], list(found.verdicts.values())
    replay = report.replay_of(found.head)
    run = Run() if options.log is None else told_by(Path(options.log), CALL)
    out = report.console(sys.stdout)
    out.print(printable(str(subject["name"])), soft_wrap=True, markup=False)
    report.show(out, verdicts, replay, files.known)
    files.write(Outcome(found.head, verdicts, replay, files.known, run, complete=found.complete))
    if not found.complete:
        raise errors.ClmathError(f"{CALL}: {options.report} is not complete; add --resume to the audit that wrote it")
    return report.exit_code(verdicts, files.known)
