"""``clmath report`` and ``clmath audit --merge``: show earlier reports, join reports of parts, write other files."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.protocol.printable import printable
from clmath.audit.records import reading, record, several_reports
from clmath.audit.records.reading import NOT_COMPLETE
from clmath.audit.records.record import Seal, locked
from clmath.audit.records.several_reports import Part, joined, name_of
from clmath.audit.reports import terminal
from clmath.audit.reports.outcome import Outcome, Run, Whole
from clmath.cli.audit_files import outputs_of, run_in_journal
from clmath.cli.shown import complain, heading_of, shown

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from clmath.audit.records.reading import Read
    from clmath.audit.records.several_reports import Reports
    from clmath.audit.reports.known_failures import Known

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
    found = run_in_journal(Path(options.log), CALL, name)
    return found if found.started or is_one_of_several else run_in_journal(Path(options.log), CALL)


MERGE = "clmath audit: --merge"
_OF_MERGE = ("--merge", "--json", "--force", "--junit", "--csv", "--html", "--cts-json", "--known-failures",
            "--quiet", "--color", "--annotations")  # fmt: skip


def merged(options: Namespace) -> int:
    """Join the reports, show and write the result; return the exit status of the verdict."""
    _refuse_others(options)
    files = outputs_of(options, MERGE)
    paths = [Path(name) for name in options.merge]
    target = _file_of_whole(options, paths)
    head, verdicts = joined([Part(path, reading.read(path, MERGE)) for path in paths], MERGE)
    if target is not None:
        with locked(target, MERGE):
            seal = Seal(head)
            rows = [record.row_text(seal, verdict) for verdict in verdicts]
            record.put(target, record.report_text(head, rows, complete=True))
    known = files.known.of(name_of(head))
    outcome = Outcome(head, verdicts, terminal.replay_of(head), known)
    shown(options, [heading_of(head)], outcome)
    files.write(Whole.of(outcome))
    return terminal.exit_code(verdicts, known)


def _refuse_others(options: Namespace) -> None:
    """Refuse options that the parts determine."""
    if options.targets:
        raise errors.ClmathError(f"{MERGE}: the reports name the TARGET; leave {options.targets[0]!r} out")
    for word in shlex.split(options.command):
        option = word.partition("=")[0]
        if word.startswith("--") and option not in _OF_MERGE:
            raise errors.ClmathError(f"{MERGE}: the reports say how to audit; leave {option} out")


def _file_of_whole(options: Namespace, parts: list[Path]) -> Path | None:
    """Return the file for the report of the whole; it must be new unless --force is given, and must not be a part."""
    if not options.json:
        if options.force or options.json is not None:
            raise errors.ClmathError(f"{MERGE}: name the file for the report of the whole: --json whole.json")
        return None
    target = Path(options.json)
    if any(target.resolve() == part.resolve() for part in parts):
        raise errors.ClmathError(f"{MERGE}: --json {target} is one of the parts; name another file")
    if target.exists() and not target.is_file():
        raise errors.ClmathError(f"{MERGE}: --json {target} is not a file; name one")
    if target.exists() and not options.force:
        raise errors.ClmathError(f"{MERGE}: --json {target} exists; write it anew with --force, or name another")
    return target
