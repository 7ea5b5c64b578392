"""The audit of one target: the options become a plan and a target; the audit runs, is recorded, and shown."""

from __future__ import annotations

import contextlib
import fnmatch
import math
import textwrap
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.acceptance.criteria import profile_in_force, relaxing_option
from clmath.audit.inputs.exhaustive import is_swept
from clmath.audit.inputs.layout import is_exhaustive
from clmath.audit.inputs.local_search import pieces
from clmath.audit.inputs.spaced import spaced_count
from clmath.audit.isolation.choosing import chosen
from clmath.audit.isolation.isolated import TIMEOUT, Isolated, isolated
from clmath.audit.isolation.limits import default_memory
from clmath.audit.plan.plan import CHAPTERS, Plan
from clmath.audit.plan.rows import WIDTHS
from clmath.audit.plan.types import STANDARD, TYPES
from clmath.audit.protocol.printable import printable
from clmath.audit.protocol.target import widths_of
from clmath.audit.reports import terminal
from clmath.audit.reports.outcome import Outcome, Run
from clmath.audit.running.device_rows import JUDGES
from clmath.audit.running.run import audit, items_of
from clmath.audit.running.workers import ClusterError, checked_address, cluster
from clmath.audit.targets.declared import declaration
from clmath.cli.asked import names_of
from clmath.cli.progress import progress, waiting
from clmath.cli.shown import complain, shown
from clmath.numbers.formats import format_named
from clmath.spec.editions import PROFILES, title
from clmath.spec.families import audited_builtins, conversions_beyond, with_other_signatures
from clmath.spec.synonyms import not_audited

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Collection, Iterator, Sequence

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.plan.item import Item
    from clmath.audit.protocol.target import Target
    from clmath.audit.reports.known_failures import Known
    from clmath.audit.running.device_rows import Judge
    from clmath.audit.running.workers import Cluster
    from clmath.cli.audit_files import Journal, ReportFile
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin
    from clmath.spec.editions import Profile

CALL = "clmath audit"
ALL = "all"  # chapters
HEADING = 70  # characters of a line that is wrapped
LONGEST = 10_000_000  # seconds, which every system can wait


class StoppedError(errors.ClmathError):
    """An audit was stopped from outside: no other target is tried either."""


@contextlib.contextmanager
def opened(options: Namespace, named: str | None = None) -> Iterator[Target]:
    """Open the target that is ``named``, or else chosen, as the options say; from then on they name it."""
    with waiting(f"{CALL}: trying {printable(named or 'the OpenCL devices')}", quiet=options.quiet):
        choice = chosen(named, CALL)
    options.target, options.chosen = choice  # every command shown names it
    for line in choice.lines:
        print(printable(line), flush=True)
    timeout, memory = seconds_of(options.timeout), bytes_of(options.memory)
    if options.dask is not None:
        checked_address(options.dask, CALL)
    said = declaration(CALL, options.mode, options.flushes, options.no_infinities, exact=options.exact_divide)
    options.declared = " ".join(said.words)
    built = _build_options(options)
    with contextlib.ExitStack() as ends:
        with waiting(f"{CALL}: loading {printable(options.target)}", quiet=options.quiet):
            one = isolated(options.target, built, CALL, timeout, alone=options.alone, declared=said, memory=memory)
            target = ends.enter_context(one)
        yield target


def planned(options: Namespace, functions: Sequence[Builtin], target: Target) -> tuple[Plan, tuple[Item, ...]]:
    """Return the plan for the target, and the cases that it has."""
    plan = _plan(options, functions, target)
    items = tuple(i for i in items_of(plan, target) if target.defines(i.builtin, i.form))
    if not items:
        asked = f"{', '.join(dict.fromkeys(f.name for f in functions))} for {', '.join(map(str, plan.formats))}"
        if 1 not in plan.widths:
            asked += f" at --widths {','.join(map(str, plan.widths))}, which not all built-ins have"
        has_type = any(form in target.formats() for form in plan.formats)
        in_the_way = {"--functions": True, "--chapters": options.chapters, "--types": not has_type}
        options_left = " and ".join(option for option, is_so in in_the_way.items() if is_so)
        raise errors.ClmathError(
            f"{CALL}: {target.name} does not define {asked}; leave {options_left} out for all that it has"
        )
    return plan, items


def audited(  # noqa: PLR0917 - an audit, its records, and known failures
    options: Namespace,
    plan: Plan,
    target: Target,
    items: Sequence[Item],
    file: ReportFile,
    journal: Journal,
    known: Known,
) -> Outcome:
    """Audit the target, and show the results."""
    verdicts = _verdicts(options, plan, target, items, file, journal)
    words = terminal.repeated(plan.edition, plan.profile, options.build_options, options.declared)
    replay = terminal.Replay(options.target, words)
    run = Run(journal.started, journal.command, journal.seconds, journal.logs)
    outcome = Outcome(file.head, verdicts, replay, known, run)
    shown(
        options,
        (_heading(plan, target, verdicts), *lacking(options, plan, items, target.name)),
        outcome,
        options.target,
    )
    return outcome


def _unknown(name: str, known: Sequence[str], chapters: Sequence[str]) -> errors.UnknownNameError:
    """Return the error for a name that no built-in of the chapters has; the remedy is another chapter with it."""
    chapter = next((row.chapter for row in _rows(CHAPTERS) if row.name == name), "")
    if not chapter:
        return not_audited(CALL, name, known)
    fact = f"{name!r} is of the {chapter} chapter, and --chapters asks for {','.join(chapters)}"
    return errors.UnknownNameError(f"{CALL}: {fact}; write --chapters {chapter}")


def functions_of(names: str | None, chapters: str | None, *, is_exact: bool = False) -> list[Builtin]:
    """Return the built-ins of the names and globs; if a glob finds several, in the order of the table.

    Each is followed by the other signatures of the function, which have cases of their own, unless ``is_exact``.
    """
    asked = list(CHAPTERS if names else CHAPTERS[:1]) if chapters is None else _chapters(chapters, names)
    rows = _rows(asked)
    known = list(dict.fromkeys(row.name for row in rows))
    found: list[Builtin] = []
    for name in known if names is None else names_of(names):
        beyond = conversions_beyond().get(name)
        if beyond is not None and beyond.chapter in asked:
            found.append(beyond)
            continue
        matches = set(fnmatch.filter(known, name))
        if not matches:
            raise _unknown(name, known, asked)
        found += [row for row in rows if row.name in matches]
    if not found:
        some = "sin,cos" if "sin" in known else ",".join(known[:2])
        raise errors.ClmathError(f"{CALL}: --functions {names!r} names nothing; write --functions {some}")
    return list(dict.fromkeys(found)) if is_exact else with_other_signatures(found)


def _chapters(text: str, functions: str | None) -> list[str]:
    """Return the named chapters, each once; 'all' means every one. ``functions``: named functions, for the error."""
    found: list[str] = []
    for chapter in names_of(text):
        if chapter not in (*CHAPTERS, ALL):
            raise errors.not_one_of(CALL, "--chapters", chapter, (*CHAPTERS, ALL))
        found += CHAPTERS if chapter == ALL else [chapter]
    if not found:
        asked = names_of(functions)
        some = next((row.chapter for row in _rows(CHAPTERS) if row.name in asked), CHAPTERS[0])
        raise errors.ClmathError(f"{CALL}: --chapters {text!r} names nothing; write --chapters {some}")
    return list(dict.fromkeys(found))


def _rows(chapters: Collection[str]) -> list[Builtin]:
    """Return the built-ins of chapters, in the order of the tables."""
    return [row for row in audited_builtins() if row.chapter in chapters]


def _build_options(options: Namespace) -> str:
    given = str(options.build_options)
    wanted = (options.profile or "").startswith("relaxed") and options.target.partition(":")[0] == "opencl"
    relaxed = profile_in_force("full", given.split(), options.edition) == "relaxed"
    return f"{given} {relaxing_option(options.edition)}".strip() if wanted and not relaxed else given


def _types(options: Namespace, functions: Sequence[Builtin], target: Target) -> list[Format]:
    """Return the requested types that the target has, if it has any; without a request all types of the built-ins."""
    offered = target.formats()
    exact = any(row.types for row in functions)
    has = [t for t in TYPES.values() if t in offered or (exact and _has_rows(t, functions, target))]
    if options.types is None:
        standard = [t for t in has if t in STANDARD]
        return [t for t in standard if any(row.takes(t.name) for row in functions)] or standard
    formats = [type_named(name) for name in names_of(options.types)]
    found = [form for form in formats if form in has]
    if not formats:
        some = ",".join(str(t) for t in has if any(row.takes(t.name) for row in functions)) or "float,double"
        raise errors.UnknownNameError(f"{CALL}: --types {options.types!r} names nothing; write --types {some}")
    if not found:
        if not any(_has_rows(form, functions, target) for form in TYPES.values()):
            return formats  # it has none of the functions, which is the error to report
        lost = " and no ".join(map(str, formats))
        remedy = f" or write --types {','.join(map(str, has))}" if has else ""
        raise errors.UnknownNameError(f"{CALL}: {target.name} has no {lost}; leave --types out{remedy}")
    return found


def type_named(name: str) -> Format:
    """Return a type by its name in OpenCL, or, if it is a format, by the name of a dtype."""
    return TYPES.get(name) or format_named(name, CALL)


def _has_rows(form: Format, functions: Sequence[Builtin], target: Target) -> bool:
    return any(row.takes(form.name) and target.defines(row, form) for row in functions)


def _plan(options: Namespace, functions: Sequence[Builtin], target: Target) -> Plan:
    formats = _types(options, functions, target)
    return Plan.of(
        functions,
        formats,
        profile=_profile(options, target),
        inputs=options.inputs,
        seed=seed_of(options.seed),
        oracle=options.oracle,
        jobs=None if options.jobs is None else whole_number("--jobs", options.jobs, 1),
        part=options.part,
        edition=options.edition,
        local_search=options.has_local_search,
        widths=widths_named(options.widths, widths_of(target), target.name),
    )


def widths_named(text: str, offered: tuple[int, ...], who: str) -> tuple[int, ...]:
    """Return the requested vector widths that ``who`` has, if it has any of them."""
    if text == "all":
        return offered
    example = offered[min(1, len(offered) - 1)]
    asked = [whole_number("--widths", name, 1, example) for name in names_of(text)]
    found = tuple(width for width in asked if width in offered)
    for width in asked:
        if not found or width not in WIDTHS:
            raise errors.UnknownNameError(
                f"{CALL}: {who} has no vectors of width {width}; write --widths {','.join(map(str, offered))}"
            )
    if not asked:
        raise errors.UnknownNameError(f"{CALL}: --widths {text!r} names nothing; write --widths 1,4")
    return found


def _profile(options: Namespace, target: Target) -> Profile:
    """Return the requested profile, or the device's own; relaxed if a build option makes it so."""
    named = (options.profile or getattr(target, "profile", "full")).replace("-", " ")
    if named not in PROFILES:
        known = [profile.replace(" ", "-") for profile in PROFILES]
        raise errors.not_one_of(CALL, "--profile", options.profile, known)
    return profile_in_force(named, target.build_options(), options.edition)


def seed_of(text: str) -> int:
    """Return the value of --seed: the generators take 64 bits."""
    seed = whole_number("--seed", text)
    if seed >= 1 << 64:
        raise errors.ClmathError(f"{CALL}: --seed {text} is not below 2^64; write --seed {seed % (1 << 64)}")
    return seed


def whole_number(option: str, text: str, least: int = 0, example: int | None = None) -> int:
    """Return the value of an option that is an integer, ``least`` or more; ``example``: such a value."""
    try:
        value = int(text, 0)
    except ValueError:
        value = least - 1
    if value < least:
        raise errors.ClmathError(
            f"{CALL}: {option} {text} is not an integer, {least} or more; write {option} {example or least + 1}"
        )
    return value


def seconds_of(text: str) -> float:
    """Return the value of --timeout."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST:
        known = f"more than {LONGEST} seconds" if 0 < seconds < math.inf else "not a time in seconds"
        fact = f"--timeout {text} is {known}"
        raise errors.ClmathError(f"{CALL}: {fact}; write --timeout {TIMEOUT:g}")
    return seconds


def bytes_of(text: str | None) -> float:
    """Return the value of --memory, in bytes."""
    if text is None:
        return default_memory()
    try:
        size = float(text) * (1 << 30)
    except ValueError:
        size = 0.0
    if not 0 < size < math.inf:
        raise errors.ClmathError(f"{CALL}: --memory {text} is not a number of GB; write --memory 4")
    return size


def _heading(plan: Plan, target: Target, verdicts: Sequence[Verdict]) -> str:
    facts = target.describe()
    version = facts.get("driver") or facts.get("version") or ""
    built = f", built with {facts['build options']}" if facts.get("build options") else ""
    declared = f"declared: {facts['declared']}\n" if facts.get("declared") else ""
    return (
        f"{target.name} {version}".rstrip() + f"{built}\n{declared}"
        f"edition {plan.edition} ({title(plan.edition)})\n"
        f"profile {plan.profile}, {_vectors(plan)}{_inputs(plan)}, seed {plan.seed}, oracle {plan.oracle}"
        f"{_tried(plan, verdicts)}"
    )


def _vectors(plan: Plan) -> str:
    return "" if plan.widths == (1,) else f"widths {', '.join(map(str, plan.widths))}, "


def _inputs(plan: Plan) -> str:
    part = "" if plan.part == (1, 1) else "part {} of {} of ".format(*plan.part)
    if plan.total:
        return f"{plan.count} inputs per case in all"
    if not plan.exhaustive:
        return f"{part}{plan.count} random inputs per case"
    return f"{part}all inputs of one float argument or of two halfs, else {plan.count} random inputs per case"


def _tried(plan: Plan, verdicts: Sequence[Verdict]) -> str:
    """Return the number of inputs that were tried, and why it differs from the requested one; empty if it does not."""
    counts = [verdict.tally.tried for verdict in verdicts if verdict.tally.tried]
    if not counts or {*counts} == {plan.count}:
        return ""
    items = [verdict.item for verdict in verdicts]
    reasons = {
        "all that exist": any(is_exhaustive(item) for item in items),
        "all floats, or all pairs of halfs": any(is_swept(item, plan) for item in items),
        "whole vectors": plan.total and any(item.vector > 1 for item in items),
        "structured ones": not plan.total,
        "some spaced over binades": not plan.total and any(spaced_count(item, plan.count) for item in items),
        "some around the worst result": any(pieces(item, plan) for item in items),
    }
    low, high = min(counts), max(counts)
    between = str(low) if low == high else f"{low} to {high}"
    text = f"tried: {between} inputs per case: {', '.join(reason for reason, holds in reasons.items() if holds)}"
    return "".join(f"\n{line}" for line in textwrap.wrap(text, HEADING, subsequent_indent="    "))


def _judge(text: str) -> Judge:
    for judge in JUDGES:
        if judge == text:
            return judge
    raise errors.not_one_of(CALL, "--judge", text, JUDGES)


@contextlib.contextmanager
def _workers(options: Namespace) -> Iterator[Cluster | None]:
    """Return the cluster that judges, or None if this machine does."""
    if options.dask is None:
        yield None
        return
    if options.jobs is not None:
        raise errors.ClmathError(
            f"{CALL}: --jobs are processes of this machine, --dask names a cluster; give one of them"
        )
    with cluster(options.dask, CALL) as workers:
        yield workers


def _verdicts(  # noqa: PLR0917 - an audit, and its records
    options: Namespace, plan: Plan, target: Target, items: Sequence[Item], file: ReportFile, journal: Journal
) -> list[Verdict]:
    """Return the verdict on every item, in order: first taken from an earlier report, then the rest judged."""
    finished, wanted = file.finished, frozenset(items)
    skipped = [item for item in items_of(plan, target) if item in finished or item not in wanted]
    file.keep(file.begun)
    if isinstance(target, Isolated):
        target.recall(finished.values())
    try:
        with progress(plan, items, finished, quiet=options.quiet) as show, _workers(options) as workers:
            rest = audit(
                plan,
                target,
                on_progress=show,
                on_begun=file.keep_sometimes,
                done=skipped,
                begun=file.begun,
                workers=workers,
                judge=_judge(options.judge),
                on_remark=lambda text: complain(printable(f"{CALL}: {text}")),
                on_judge=journal.judges.__setitem__,
                **({"around": options.around} if options.around else {}),
            )
            with contextlib.closing(rest):
                for verdict in rest:
                    finished[verdict.item] = verdict
                    journal.judged(verdict, getattr(target, "logs", {}).get(verdict.item, ""))
                    file.keep_row()
    except KeyboardInterrupt:
        stopped = "interrupted"
    except BrokenProcessPool:
        stopped = "a process that computes exact values was killed (fewer --jobs need less memory)"
    except ClusterError as error:
        stopped = str(error).removeprefix(f"{CALL}: ") + "; stopped"
    except BaseException:
        file.keep(file.begun)
        raise
    else:
        file.keep()
        return [finished[item] for item in items]
    file.keep(file.begun)
    raise StoppedError(f"{CALL}: {stopped} after {len(finished)} of {len(items)} cases; {file.remedy()}")


SHOWN = 12  # names of functions
_GLOBS = "*?["


def lacking(options: Namespace, plan: Plan, items: Sequence[Item], who: str) -> Iterator[str]:
    """Yield lines on named functions, chapters, types and widths for which ``who`` has no case.

    ``items``: the cases of ``who``. Globs, and all widths, match whatever exists.
    """
    undefined = list(_undefined(options, plan, items))
    if undefined:
        more = f" and {len(undefined) - SHOWN} more" if len(undefined) > SHOWN else ""
        yield f"not judged: {who} does not define {', '.join(undefined[:SHOWN])}{more}"
    has = {item.builtin.chapter for item in items}
    named = names_of(options.chapters)
    chapters = [c for c in (CHAPTERS if "all" in named else dict.fromkeys(named)) if c not in has]
    if chapters:
        yield f"not judged: {who} has no case of the chapter{'s' * (len(chapters) > 1)} {', '.join(chapters)}"
    types = {name for item in items for name in (item.form.name, item.form.dtype.name)}
    for name in names_of(options.types):
        if name not in types:
            yield f"not judged: {who} has no case of the type {name}"
    vectors = {str(1 if item.builtin.vector_widths else item.vector) for item in items}
    for width in names_of(options.widths) if options.widths != "all" else ():
        if str(int(width, 0)) not in vectors:
            yield f"not judged: {who} has no vectors of width {width}"


def _undefined(options: Namespace, plan: Plan, items: Sequence[Item]) -> Iterator[str]:
    """Yield the named functions without any case, and functions with the types that they lack."""
    asked = [name for name in names_of(options.functions) if not set(name) & set(_GLOBS)]
    has = {(item.builtin.name, item.form.name) for item in items}
    due = {(item.builtin.name, item.form.name): item for item in plan.items()}
    others = {row.name for row in plan.functions if row.calls}
    for name in asked:
        types = [form for function, form in due if function == name]
        lost = [form for form in types if (name, form) not in has]
        if not types:  # none in any of the requested types: other signatures need not have one
            yield from () if name in others else (f"{name} {form}" for form in plan.formats)
            continue
        if len(lost) == len(types):
            yield name
        else:
            yield from (f"{name} {form}" for form in lost)
