"""``clmath audit``: what is asked becomes a plan and a subject; the audit runs, is recorded, and reported."""

from __future__ import annotations

import contextlib
import fnmatch
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clmath import errors
from clmath.audit import record, report
from clmath.audit.plan import CHAPTERS, Plan
from clmath.audit.run import audit, items_of
from clmath.audit.subjects import subject as subject_named
from clmath.formats import format_named
from clmath.spec.builtins import builtins

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence

    from clmath.audit.plan import Item
    from clmath.audit.subject import Subject
    from clmath.audit.tally import Verdict

__all__ = ["run"]

CALL = "clmath audit"
RELAXED = "-cl-unsafe-math-optimizations"  # the build option that the relaxed limits belong to: 4.4, table 37


def run(options: Namespace) -> int:
    """Audit as the options say; the exit status of the verdict."""
    functions = _functions(options.functions, options.chapters)
    subject = subject_named(options.subject, _build_options(options), CALL)
    plan = _plan(options, functions, subject)
    items = tuple(i for i in items_of(plan, subject) if subject.defines(i.builtin, i.form))
    if not items:
        asked = f"{', '.join(f.name for f in plan.functions)} for {', '.join(map(str, plan.formats))}"
        raise errors.ClmathError(f"{CALL}: {subject.name} does not define {asked}; 'clmath list' shows what there is")
    out = report.console(sys.stdout)
    if options.replay:
        from clmath.cli import replay

        return replay.run(out, options, plan, subject, items)
    verdicts = _verdicts(options, plan, subject, items)
    out.print(_heading(plan, subject), soft_wrap=True, markup=False)
    report.show(out, verdicts, report.Replay(options.subject, _replayed(options, plan)))
    return report.exit_code(verdicts)


def _functions(names: str | None, chapters: str | None) -> list[str]:
    """The built-ins that the names and globs stand for, in the order of the table where a glob finds several."""
    rooms = _names(chapters) if chapters else list(CHAPTERS if names else CHAPTERS[:1])
    for room in rooms:
        if room not in CHAPTERS:
            raise errors.not_one_of(CALL, "--chapters", room, CHAPTERS)
    known = [row.name for row in builtins().values() if row.chapter in rooms]
    found: list[str] = []
    for name in _names(names) if names else known:
        matches = fnmatch.filter(known, name)
        if not matches:
            raise errors.unknown(CALL, "built-in", name, known, "'clmath list' shows them all")
        found += matches
    if not found:
        raise errors.ClmathError(f"{CALL}: --functions {names!r} names nothing; write --functions sin,cos")
    return list(dict.fromkeys(found))


def _names(text: str) -> list[str]:
    return [name for name in text.replace(",", " ").split() if name]


def _build_options(options: Namespace) -> str:
    given = str(options.build_options)
    wanted = (options.profile or "").startswith("relaxed") and options.subject.partition(":")[0] == "opencl"
    return f"{given} {RELAXED}".strip() if wanted and RELAXED not in given.split() else given


def _plan(options: Namespace, functions: Sequence[str], subject: Subject) -> Plan:
    offered = subject.formats()
    formats = [format_named(name, CALL) for name in _names(options.types)] if options.types is not None else offered
    for form in formats:
        if form not in offered:
            has = ",".join(f.name for f in offered)
            raise errors.UnknownNameError(
                f"{CALL}: {subject.name} has no {form}; leave --types out or write --types {has}"
            )
    if not formats:
        raise errors.UnknownNameError(f"{CALL}: --types {options.types!r} names nothing; write --types float,double")
    return Plan.of(
        functions,
        formats,
        profile=(options.profile or getattr(subject, "profile", "full")).replace("-", " "),
        inputs=options.inputs,
        seed=_integer("--seed", options.seed),
        oracle=options.oracle,
        jobs=None if options.jobs is None else _integer("--jobs", options.jobs, 1),
        exact_divide=getattr(subject, "exact_divide", False),
    )


def _integer(option: str, text: str, least: int = 0) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = least - 1
    if value < least:
        raise errors.ClmathError(
            f"{CALL}: {option} {text} is not an integer, {least} or more; write {option} {least + 1}"
        )
    return value


def _heading(plan: Plan, subject: Subject) -> str:
    facts = subject.describe()
    version = facts.get("driver") or facts.get("version") or ""
    built = f", built with {facts['build options']}" if facts.get("build options") else ""
    return (
        f"{subject.name} {version}".rstrip() + f"{built}\n"
        f"profile {plan.profile}, {plan.count} random inputs a row, seed {plan.seed}, oracle {plan.oracle}"
    )


def _replayed(options: Namespace, plan: Plan) -> list[str]:
    """The options that a replaying command must repeat."""
    repeated = ["--profile", plan.profile.replace(" ", "-")] if plan.profile != "full" else []
    # one word: the text itself begins with a dash
    return repeated + ([f"--build-options={options.build_options}"] if options.build_options else [])


def _verdicts(options: Namespace, plan: Plan, subject: Subject, items: Sequence[Item]) -> list[Verdict]:
    """The verdict on every item, in order: those of an earlier report first taken over, then the rest judged."""
    if options.resume and not options.json:
        raise errors.ClmathError(f"{CALL}: --resume needs the report to take up; add --json FILE")
    path = Path(options.json) if options.json else None
    head = record.header(plan, subject) if path else {}
    found = record.load(path, head) if path and options.resume else {}
    # what could not be judged is tried again
    finished = {item: v for item, v in found.items() if item in items and v.status != "not judged"}
    skipped = [item for item in items_of(plan, subject) if item in finished or item not in items]

    def keep() -> None:
        if path:
            rows = [finished[item] for item in items if item in finished]
            record.save(path, head, rows, complete=len(rows) == len(items))

    keep()
    try:
        with _progress(len(items), len(finished)) as (on_progress, advance):
            for verdict in audit(plan, subject, on_progress=on_progress, done=skipped):
                finished[verdict.item] = verdict
                keep()
                advance()
    except KeyboardInterrupt:
        where = (
            f"; {path} holds the finished ones: add --resume to go on" if path else "; with --json it can be resumed"
        )
        raise errors.ClmathError(f"{CALL}: interrupted after {len(finished)} of {len(items)} rows{where}") from None
    return [finished[item] for item in items]


@contextlib.contextmanager
def _progress(rows: int, finished: int) -> Iterator[tuple[Callable[[Item, int, int], None] | None, Callable[[], Any]]]:
    """A live bar on stderr, where that is a terminal."""
    if not sys.stderr.isatty():
        yield None, lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=report.console(sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=rows, completed=finished)

        def show(item: Item, piece: int, pieces: int) -> None:
            bar.update(task, description=f"{item} {piece}/{pieces}")

        yield show, lambda: bar.advance(task)
