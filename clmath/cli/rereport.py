"""``clmath report``: show earlier reports again, and write them to other files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.protocol.printable import printable
from clmath.audit.records import several_reports
from clmath.audit.records.reading import NOT_COMPLETE
from clmath.audit.reports import terminal
from clmath.audit.reports.outcome import Outcome, Run, Whole
from clmath.cli.audit_files import outputs_of, told_by
from clmath.cli.shown import complain, heading_of, shown

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from clmath.audit.records.reading import Read
    from clmath.audit.records.several_reports import Reports
    from clmath.audit.reports.known_failures import Known

__all__ = ["run"]

CALL = "clmath report"


def run(options: Namespace) -> int:
    """Print the reports and write the requested files; return the exit status of their verdict."""
    read = {name: several_reports.read(Path(name), CALL) for name in options.report}
    for name, reports in read.items():
        if not all(one.complete or one.missing for one in reports.reports.values()):  # nothing of it could be red
            raise errors.ClmathError(f"{CALL}: {name} {NOT_COMPLETE}")
    found = _together(read)
    if options.target is not None:
        found = _of_one(options, found)
    files = outputs_of(options, CALL, together=found.together)
    whole = _whole(options, found, files.known)
    for name, outcome in whole.outcomes.items():
        shown(options, [*([name] if whole.together else []), heading_of(outcome.head)], outcome, name)
    for line in whole.lines() if whole.together else ():
        print(printable(line))
    files.write(whole)
    if not found.complete:
        names = ", ".join(name for name, one in read.items() if not one.complete)
        complain(printable(f"{CALL}: {names} {NOT_COMPLETE}"))
    return whole.status


def _together(read: Mapping[str, Reports]) -> Reports:
    """Return the reports of several files as one run; a target in more than one file is named with its file."""
    if len(read) == 1:
        return next(iter(read.values()))
    names = Counter(name for found in read.values() for name in (*found.reports, *found.troubles, *found.unreached))

    def called(file: str, name: str) -> str:
        return name if names[name] == 1 else f"{name} of {file}"

    reports = {called(file, name): one for file, found in read.items() for name, one in found.reports.items()}
    troubles = {called(file, name): why for file, found in read.items() for name, why in found.troubles.items()}
    unreached = tuple(called(file, name) for file, found in read.items() for name in found.unreached)
    return several_reports.Reports(reports, together=True, troubles=troubles, unreached=unreached)


def _of_one(options: Namespace, found: Reports) -> Reports:
    """Return the report of one target of several."""
    one = found.reports.get(options.target)
    if one is None:
        remedy = f"choose one of {', '.join(found.reports)}" if found.reports else "name another report"
        why = found.troubles.get(options.target)
        fact = f"has no report of {options.target!r}{f', which could not be audited: {why}' if why else ''}"
        raise errors.ClmathError(f"{CALL}: {', '.join(options.report)} {fact}; {remedy}")
    return several_reports.Reports({options.target: one}, together=False)


def _whole(options: Namespace, found: Reports, known: Known) -> Whole:
    """Return the outcomes of the reports, with facts from a log."""

    def outcome(one: Read) -> Outcome:
        head, name = one.head, several_reports.name_of(one.head)
        run = Run() if options.log is None else _run(options, name, is_one_of_several=found.together)
        return Outcome(head, one.rows, terminal.replay_of(head), known.of(name), run)

    outcomes = {name: outcome(one) for name, one in found.reports.items()}
    return Whole(outcomes, together=found.together, troubles=found.troubles, unreached=found.unreached)


def _run(options: Namespace, name: str, *, is_one_of_several: bool) -> Run:
    """Return the log's facts about a target, which may be the only one of its run."""
    told = told_by(Path(options.log), CALL, name)
    return told if told.started or is_one_of_several else told_by(Path(options.log), CALL)
