"""``clmath audit --merge``: join the reports of all parts of an audit into the report of the whole."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.records import reading, record
from clmath.audit.records.lock import locked
from clmath.audit.records.record import Seal
from clmath.audit.records.several_reports import Part, joined, name_of
from clmath.audit.reports import terminal
from clmath.audit.reports.outcome import Outcome, Whole
from clmath.cli.audit_files import outputs_of
from clmath.cli.shown import heading_of, shown

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["run"]

CALL = "clmath audit: --merge"
_OPTIONS = ("--merge", "--json", "--force", "--junit", "--csv", "--html", "--cts-json", "--known-failures",
            "--quiet", "--color", "--annotations")  # fmt: skip


def run(options: Namespace) -> int:
    """Join the reports, show and write the result; return the exit status of the verdict."""
    _refuse_others(options)
    files = outputs_of(options, CALL)
    paths = [Path(name) for name in options.merge]
    target = _target(options, paths)
    head, verdicts = joined([Part(path, reading.read(path, CALL)) for path in paths], CALL)
    if target is not None:
        with locked(target, CALL):
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
        raise errors.ClmathError(f"{CALL}: the reports name the TARGET; leave {options.targets[0]!r} out")
    for word in shlex.split(options.command):
        option = word.partition("=")[0]
        if word.startswith("--") and option not in _OPTIONS:
            raise errors.ClmathError(f"{CALL}: the reports say how to audit; leave {option} out")


def _target(options: Namespace, parts: list[Path]) -> Path | None:
    """Return the file for the report of the whole; it must be new unless --force is given, and must not be a part."""
    if not options.json:
        if options.force or options.json is not None:
            raise errors.ClmathError(f"{CALL}: name the file for the report of the whole: --json whole.json")
        return None
    target = Path(options.json)
    if any(target.resolve() == part.resolve() for part in parts):
        raise errors.ClmathError(f"{CALL}: --json {target} is one of the parts; name another file")
    if target.exists() and not target.is_file():
        raise errors.ClmathError(f"{CALL}: --json {target} is not a file; name one")
    if target.exists() and not options.force:
        raise errors.ClmathError(f"{CALL}: --json {target} exists; write it anew with --force, or name another")
    return target
