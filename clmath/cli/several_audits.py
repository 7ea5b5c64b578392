"""``clmath audit`` of several targets: one after the other, each with its own verdict, one report for all."""

from __future__ import annotations

import contextlib
import copy
import sys
from typing import TYPE_CHECKING, Any

from clmath import errors
from clmath.audit.isolation.choosing import named
from clmath.audit.protocol.printable import printable
from clmath.audit.records import reading, record
from clmath.audit.records import several_reports as reports
from clmath.audit.reports import terminal
from clmath.audit.reports.outcome import Whole
from clmath.cli import one_audit, outputs
from clmath.cli.journal import Journal
from clmath.cli.report_file import ReportFile, header, reserved

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.target import Target
    from clmath.audit.reports.outcome import Outcome
    from clmath.cli.outputs import Outputs
    from clmath.spec.builtins import Builtin

__all__ = ["run"]

CALL = one_audit.CALL


def run(options: Namespace, functions: Sequence[Builtin]) -> int:
    """Audit every target that the options name; return the worst exit status of all."""
    found = named(options.targets, CALL)
    if options.replay:
        return _replayed(options, functions, tuple(found))
    files = outputs.outputs_of(options, CALL, together=True)
    with reserved(options, CALL) as path:
        earlier = reports.earlier(path, tuple(found)) if path and options.resume else {}
        file = _RunFile(path, tuple(found), earlier)
        whole = _each(options, functions, files, found, file)
        files.write(whole)
        file.check()
    return whole.status


def _each(
    options: Namespace, functions: Sequence[Builtin], files: Outputs, found: Mapping[str, str], file: _RunFile
) -> Whole:
    """Audit one target after the other; ``found``: their names, each with a known trouble or ""."""
    outcomes: dict[str, Outcome] = {}
    troubles: dict[str, str] = {}

    def audited(name: str, told: Namespace) -> None:
        with one_audit.opened(told, name) as target:
            plan, items = one_audit.planned(told, functions, target)
            part = file.part(told, plan, target, items)
            journal = Journal(told, CALL, name)
            outcome = one_audit.audited(told, plan, target, items, part, journal, files.known.of(name))
            outcomes[name] = outcome
            with file.late():
                journal.ended(terminal.exit_code(outcome.verdicts, outcome.known))

    for number, (name, trouble) in enumerate(found.items(), 1):
        _tell(f"{'' if number == 1 else chr(10)}target {number} of {len(found)}: {name}")
        why = trouble or _trouble(audited, options, name, is_first=number == 1)
        if why:
            troubles[name] = why
            file.refuse(name, why)
            _tell(f"could not be audited: {why}")
    whole = Whole(outcomes, together=True, troubles=troubles)
    _tell("")
    for line in whole.lines():
        _tell(line)
    return whole


def _replayed(options: Namespace, functions: Sequence[Builtin], names: Sequence[str]) -> int:
    """Replay single inputs on every target; return the worst exit status."""
    codes: list[int] = []

    def tried(name: str, told: Namespace) -> None:
        with one_audit.opened(told, name) as target:
            plan, items = one_audit.planned(told, functions, target)
            codes.append(one_audit.replayed(told, plan, target, items))

    for name in names:
        _tell(name)
        why = _trouble(tried, options, name, is_first=name == names[0])
        if why:
            _tell(f"could not be audited: {why}")
            codes.append(terminal.UNJUDGED)
    return terminal.worst_code(codes)


def _trouble(work: Callable[[str, Namespace], None], options: Namespace, name: str, *, is_first: bool) -> str:
    """Do ``work`` with options of its own; return why that was impossible, or ""."""
    told = copy.copy(options)
    told.alone = options.alone and is_first  # later targets find threads that the first has left running
    try:
        work(name, told)
    except one_audit.StoppedError:
        raise
    except errors.ClmathError as error:
        return " ".join(str(error).removeprefix(f"{CALL}: ").split())
    return ""


def _tell(line: str) -> None:
    print(printable(line) if line.strip() else line, flush=True, file=sys.stdout)


class _RunFile:
    """The report of all targets on disk, in which each has its part; nothing is written without a path.

    ``earlier``: the reports of an earlier run, which are kept until their targets are resumed.
    """

    def __init__(self, path: Path | None, names: Sequence[str], earlier: Mapping[str, dict[str, Any]]) -> None:
        self._path = path
        self._names = list(names)
        self._earlier = dict(earlier)
        self._texts = {name: reports.again(one) for name, one in earlier.items()}
        self._troubles: dict[str, str] = {}
        self._held: set[str] = set()  # targets whose earlier reports are of another audit
        self._last: errors.ClmathError | None = None
        self._late: errors.ClmathError | None = None

    def part(self, options: Namespace, plan: Plan, target: Target, items: Sequence[Item]) -> ReportFile:
        """Return the report of one target, resumed if there is an earlier one."""
        head, name = header(options, plan, target, items), str(options.target)
        if self._path is None:
            return ReportFile(None, head, items)
        before = self._earlier.get(name)
        try:
            found = reading.Found({}) if before is None else reading.taken_up(self._path, before, head, plan, target)
        except errors.ClmathError:
            self._held.add(name)
            raise

        def put(text: str) -> None:
            self._texts[name] = text
            self._write()

        return ReportFile(put, head, items, found, str(self._path))

    def refuse(self, name: str, why: str) -> None:
        """Record why a target could not be audited; earlier results stay, and stay alone if from another audit."""
        if name in self._held:
            return
        self._troubles[name] = why
        with contextlib.suppress(errors.ClmathError):  # check reports it
            self._write()

    @contextlib.contextmanager
    def late(self) -> Iterator[None]:
        """Report errors of the block only when all targets have been audited."""
        try:
            yield
        except errors.ClmathError as error:
            self._late = self._late or error

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            record.put(self._path, reports.text(self._names, self._texts, self._troubles))
        except errors.ClmathError as error:
            self._last = error
            raise
        self._last = None

    def check(self) -> None:
        """Raise ClmathError if something could not be written."""
        trouble = self._last or self._late
        if trouble is not None:
            raise trouble
