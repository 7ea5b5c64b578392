"""``clmath audit``: of one target, of several one after the other with one report; single inputs; joined reports."""

from __future__ import annotations

import contextlib
import copy
import itertools
import sys
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from clmath import errors
from clmath.audit.acceptance.findings import conclude, trouble
from clmath.audit.counting.tally import Tally, off_text
from clmath.audit.inputs import values
from clmath.audit.isolation.choosing import are_several, named
from clmath.audit.judge.piece import criteria_of, judge
from clmath.audit.plan.types import code_of
from clmath.audit.protocol.printable import printable
from clmath.audit.protocol.target import TargetError
from clmath.audit.records import reading, record
from clmath.audit.records import several_reports as reports
from clmath.audit.reports import terminal
from clmath.audit.reports.outcome import Whole
from clmath.audit.targets.attempt import evaluated, printed
from clmath.cli.asked import item_for
from clmath.cli.audit_files import Journal, ReportFile, outputs_of, report_file, reserved
from clmath.cli.one_audit import CALL, StoppedError, audited, functions_of, opened, planned
from clmath.cli.shown import console
from clmath.numbers.formats import format_of
from clmath.spec.edition_names import checked_edition

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.target import Target
    from clmath.audit.records.record import Report
    from clmath.audit.reports.outcome import Outcome
    from clmath.cli.audit_files import Outputs
    from clmath.spec.builtins import Builtin

_OF_REPORTS = ("json", "junit", "csv", "html", "cts_json", "known_failures", "log", "resume", "force")


def run(options: Namespace) -> int:
    """Audit as the options say; return the exit status of the verdict."""
    if options.merge:
        from clmath.cli import rereport

        return rereport.merged(options)
    _check_replay(options)
    if getattr(options, "reference", None):
        from clmath.cli import any_audit

        return any_audit.run(options)
    _check_alone(options)
    # a replay and a folder of inputs name their cases exactly
    functions = functions_of(options.functions, options.chapters, is_exact=bool(options.replay or options.then))
    options.edition = checked_edition(CALL, options.edition)
    if are_several(options.targets):
        return _of_several(options, functions)
    with opened(options, *options.targets) as target:
        plan, items = planned(options, functions, target)
        if options.replay:
            return _replay(options, plan, target, items)
        files = outputs_of(options, CALL)
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


def _of_several(options: Namespace, functions: Sequence[Builtin]) -> int:
    """Audit every target that the options name; return the worst exit status of all."""
    found = named(options.targets, CALL)
    if options.replay:
        return _replayed(options, functions, tuple(found))
    files = outputs_of(options, CALL, together=True)
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

    def audit_one(name: str, own: Namespace) -> None:
        with opened(own, name) as target:
            plan, items = planned(own, functions, target)
            part = file.part(own, plan, target, items)
            journal = Journal(own, CALL, name)
            outcome = audited(own, plan, target, items, part, journal, files.known.of(name))
            outcomes[name] = outcome
            with file.late():
                journal.ended(terminal.exit_code(outcome.verdicts, outcome.known))

    for number, (name, known) in enumerate(found.items(), 1):
        _tell(f"{'' if number == 1 else chr(10)}target {number} of {len(found)}: {name}")
        why = known or _impossible(audit_one, options, name, is_first=number == 1)
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

    def tried(name: str, own: Namespace) -> None:
        with opened(own, name) as target:
            plan, items = planned(own, functions, target)
            codes.append(_replay(own, plan, target, items))

    for name in names:
        _tell(name)
        why = _impossible(tried, options, name, is_first=name == names[0])
        if why:
            _tell(f"could not be audited: {why}")
            codes.append(terminal.UNJUDGED)
    return terminal.worst_code(codes)


def _impossible(work: Callable[[str, Namespace], None], options: Namespace, name: str, *, is_first: bool) -> str:
    """Do ``work`` with options of its own; return why that was impossible, or ""."""
    own = copy.copy(options)
    own.alone = options.alone and is_first  # later targets find threads that the first has left running
    try:
        work(name, own)
    except StoppedError:
        raise
    except errors.ClmathError as error:
        return " ".join(str(error).removeprefix(f"{CALL}: ").split())
    return ""


def _tell(line: str) -> None:
    print(printable(line) if line.strip() else line, flush=True, file=sys.stdout)


class _RunFile:
    """The report of all targets on disk, in which each has its part; nothing is written without a path.

    ``earlier``: the reports of an earlier _of_several, which are kept until their targets are resumed.
    """

    def __init__(self, path: Path | None, names: Sequence[str], earlier: Mapping[str, Report]) -> None:
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
        name = str(options.target)
        head = record.header(plan, target, items, options.chosen, name)
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


def _replay(options: Namespace, plan: Plan, target: Target, items: Sequence[Item]) -> int:
    """Print arguments, expected and got values and the verdict of every input given; return the exit status of all."""
    if not options.targets:  # a replay command from a report names the target
        print(f"target: {printable(options.target)}, as none is named")
    if not options.functions:
        raise errors.ClmathError(f"{CALL}: --replay needs the built-in; add --functions NAME --types TYPE")
    out, verdicts = console(options), []
    for row, form, width in dict.fromkeys((item.builtin, item.form, item.vector) for item in items):
        for text in options.replay:
            words = text.split(",")
            item = item_for(row, form, len(words), CALL, width)
            given = [values.parse(v, k, form, options.bits, CALL) for v, k in zip(words, _kinds(item), strict=True)]
            verdict, got = _judged_input(item, given, plan, target)
            for line in _lines_of(verdict, plan.edition, given, got):
                out.print(Text(printable(line)), soft_wrap=True)
            verdicts.append(verdict)
    return terminal.exit_code(verdicts)


def _kinds(item: Item) -> list[str]:
    """Return the type of every value given: for vectors, component by component."""
    return [kind for kind, count in item.given for _ in range(count)]


def _judged_input(item: Item, given: Sequence[int], plan: Plan, target: Target) -> tuple[Verdict, list[int]]:
    """Return the verdict on one input or vector, and the encodings of its results."""
    columns = tuple(_columns(item, given))
    criteria = criteria_of(item, plan, target)
    try:
        results = evaluated(target, item, columns)
    except TargetError as error:
        return trouble(item, criteria, Tally(), str(error), _printed(target)), []
    return conclude(item, criteria, judge(item, columns, results, criteria), _printed(target)), _encodings(results)


def _columns(item: Item, given: Sequence[int]) -> Iterator[np.ndarray]:
    """Yield the values given, column by column; a value shared by all components is repeated."""
    left = iter(given)
    for kind, count in item.given:
        components = [values.column(v, kind, item.form) for v in itertools.islice(left, count)]
        yield np.concatenate(components if count > 1 else components * item.vector)


def _printed(target: Target) -> tuple[str, ...]:
    remark = printed(target)
    return (remark,) if remark else ()


def _encodings(results: Sequence[np.ndarray]) -> list[int]:
    forms = [format_of(r.dtype) for r in results]
    return [
        code_of(v) for r, f in zip(results, forms, strict=True) for v in (r if f is None else f.bits(r)).reshape(-1)
    ]


def _names(item: Item) -> list[str]:
    """Return text that distinguishes results, if there are several: names of parameters."""
    outputs = item.builtin.outputs
    if len(outputs) == 1 or len(outputs) != len(item.results):
        return [""] * (len(item.results) * item.vector)
    return [f" ({output.name})" for output in outputs for _ in range(item.vector)]


def _lines_of(verdict: Verdict, edition: str, given: Sequence[int], got: Sequence[int]) -> Iterator[str]:
    item, tally = verdict.item, verdict.tally
    shown = ", ".join(values.number_text(v, k, item.form) for v, k in zip(given, _kinds(item), strict=True))
    yield f"{item}: {shown}"
    yield f"    edition  {edition}"
    yield f"    limit    {verdict.limit} ({verdict.source})"
    kinds = [kind for kind in item.results for _ in range(item.vector)]
    names = _names(item)
    for value, kind, name in zip(got, kinds, names, strict=False):
        yield f"    got      {values.number_text(value, kind, item.form)}{name}"
    worst = tally.failures[:1] or ((tally.worst,) if tally.worst else ())
    for example in worst:
        which = names[example.output * item.vector]
        which += f" in component {example.index % item.vector}" if item.vector > 1 else ""
        yield f"    expected {verdict.result_text(example, example.expected)}{which}"
        off = off_text(example, item.form)
        if off:
            yield f"    error    {off}"
    for note in verdict.notes:
        yield f"    note     {note}"
    for other in terminal.differing(verdict):
        yield f"    note     {terminal.otherwise(verdict, other)}"
    reasons = "; ".join(dict.fromkeys(e.reason for e in tally.failures)) or verdict.reason
    yield f"    {verdict.with_share(verdict.status)}{': ' if reasons else ''}{reasons}"
