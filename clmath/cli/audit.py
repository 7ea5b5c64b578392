"""``clmath audit``: of one target or several, or of the joined reports of parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.isolation.choosing import are_several
from clmath.audit.reports import terminal
from clmath.audit.reports.outcome import Whole
from clmath.cli import outputs
from clmath.cli.journal import Journal
from clmath.cli.one_audit import CALL, audited, functions_of, opened, planned, replayed
from clmath.cli.report_file import report_file
from clmath.spec.edition_names import checked_edition

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["run"]

_OF_REPORTS = ("json", "junit", "csv", "html", "cts_json", "known_failures", "log", "resume", "force")


def run(options: Namespace) -> int:
    """Audit as the options say; return the exit status of the verdict."""
    if options.merge:
        from clmath.cli import merge

        return merge.run(options)
    _check_replay(options)
    if getattr(options, "reference", None):
        from clmath.cli import any_audit

        return any_audit.run(options)
    _check_alone(options)
    # a replay and a folder of inputs name their cases exactly
    functions = functions_of(options.functions, options.chapters, is_exact=bool(options.replay or options.then))
    options.edition = checked_edition(CALL, options.edition)
    if are_several(options.targets):
        from clmath.cli import several_audits

        return several_audits.run(options, functions)
    with opened(options, *options.targets) as target:
        plan, items = planned(options, functions, target)
        if options.replay:
            return replayed(options, plan, target, items)
        files = outputs.outputs_of(options, CALL)
        with report_file(options, plan, target, items, CALL) as file:
            journal = Journal(options, CALL)
            outcome = audited(options, plan, target, items, file, journal, files.known.of(options.target))
            files.write(Whole.of(outcome))
            file.check()
            status = terminal.exit_code(outcome.verdicts, outcome.known)
            journal.ended(status)
        if options.then:
            options.then(plan, outcome.verdicts)
        return status


def _check_alone(options: Namespace) -> None:
    """Raise ClmathError for an option that has no meaning without --reference."""
    for name in ("limit", "domain", "signature"):
        if getattr(options, name, None):
            rule = f"--{name} is about a function with a --reference; built-ins have the limits of the specification"
            raise errors.ClmathError(f"{CALL}: {rule}; leave it out, or add --reference MODULE:CALLABLE")


def _check_replay(options: Namespace) -> None:
    """Raise ClmathError for options without effect: encodings without a replay, reports of a replay."""
    if options.bits and not options.replay:
        rule = "--bits says how the values of --replay are written"
        raise errors.ClmathError(f"{CALL}: {rule}; add --replay V, or leave it out")
    given = [name for name in _OF_REPORTS if getattr(options, name)] if options.replay else []
    if given:
        option = "--" + given[0].replace("_", "-")
        raise errors.ClmathError(f"{CALL}: --replay tries single inputs and writes no report; leave {option} out")
