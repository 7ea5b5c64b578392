"""The files of an audit: its report, which can be resumed; its log; --junit, --csv, --html and --cts-json."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clmath import errors
from clmath.audit.isolation.choosing import meant
from clmath.audit.plan.rows import item_named
from clmath.audit.records import reading, record
from clmath.audit.records.record import Seal, locked
from clmath.audit.reports.for_programs import cts, junit, sheet
from clmath.audit.reports.known_failures import NONE_KNOWN, Known, known_failures
from clmath.audit.reports.outcome import Run
from clmath.audit.reports.page import page

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.target import Target
    from clmath.audit.records.record import Head
    from clmath.audit.reports.outcome import Whole
    from clmath.audit.running.run import Begun

SECONDS = 5.0  # between two writings of a report while a case goes on
SHARE = 20  # minimum ratio of the time between two writings to the time of a writing
_NOTHING = reading.Found({})


@contextlib.contextmanager
def report_file(
    options: Namespace, plan: Plan, target: Target, items: Sequence[Item], call: str
) -> Iterator[ReportFile]:
    """Open the requested report for this audit alone; with its earlier contents if the audit is resumed."""
    with reserved(options, call) as path:
        head = record.header(plan, target, items, options.chosen, options.target)
        if path is None:
            yield ReportFile(None, head, items)
            return
        found = reading.load(path, head, plan, target) if options.resume else _NOTHING
        yield ReportFile(functools.partial(record.put, path), head, items, found, str(path))


@contextlib.contextmanager
def reserved(options: Namespace, call: str) -> Iterator[Path | None]:
    """Return the requested file, for this audit alone and free to be written, or None if none is requested."""
    if options.json == "":
        raise errors.ClmathError(f"{call}: --json names no file; write --json report.json")
    for option in ("resume", "force"):
        if getattr(options, option) and not options.json:
            raise errors.ClmathError(f"{call}: --{option} needs the report to work on; add --json FILE")
    if not options.json:
        yield None
        return
    if options.resume and options.force:
        raise errors.ClmathError(f"{call}: --resume keeps what the report holds and --force does not; give one of them")
    path = _aimed_at(options.json)
    is_there = os.path.exists(path)  # noqa: PTH110 - False, not an exception, for a name that is too long
    if is_there and not path.is_file():
        raise errors.ClmathError(f"{call}: --json {path} is not a file; name one")
    with locked(path, call):
        if path.exists() and not (options.resume or options.force):
            resumed = "" if getattr(options, "reference", None) else "take it up with --resume, "
            raise errors.ClmathError(
                f"{call}: --json {path} exists; {resumed}write it anew with --force, or name another"
            )
        yield path


def _aimed_at(name: str) -> Path:
    """Return the file to which a link points: that file is locked and written anew."""
    return Path(os.path.realpath(name) if os.path.islink(name) else name)  # noqa: PTH114 - as above


class ReportFile:
    """The report on disk, which ``put`` writes to ``place``; without ``put`` nothing is written."""

    def __init__(
        self,
        put: Callable[[str], None] | None,
        head: Head,
        items: Sequence[Item],
        found: reading.Found = _NOTHING,
        place: str = "",
    ) -> None:
        self._put = put
        self._place = place
        self.head = head
        self._seal = Seal(head)
        self._items = items
        self._written, self._took = time.monotonic(), 0.0
        self._texts: dict[Item, tuple[Verdict, str]] = {}
        self._trouble: errors.ClmathError | None = None
        wanted = frozenset(items)
        # cases that could not be judged are tried again
        self.finished = {
            item: v
            for item, v in found.verdicts.items()
            if item in wanted and (v.status != "not judged" or v.is_unspecified)
        }
        self.begun = found.begun

    def keep(self, begun: Begun | None = None) -> None:
        """Write the finished cases, and the state of the next one; a full disk does not end the audit."""
        self.begun = begun
        started = time.monotonic()
        if self._put:
            rows = [self._text(self.finished[item]) for item in self._items if item in self.finished]
            text = record.report_text(self.head, rows, complete=len(rows) == len(self._items), begun=begun)
            try:
                self._put(text)
                self._trouble = None
            except errors.ClmathError as error:
                self._trouble = error
        self._written = time.monotonic()
        self._took = self._written - started

    def _text(self, verdict: Verdict) -> str:
        """Return the case as text, computed once with its digest."""
        known, text = self._texts.get(verdict.item, (None, ""))
        if known is not verdict:
            text = record.row_text(self._seal, verdict)
            self._texts[verdict.item] = (verdict, text)
        return text

    def keep_row(self) -> None:
        """Write after a case, unless the report is so long that writing it has just taken much of the time."""
        self.begun = None
        if time.monotonic() - self._written >= SHARE * self._took:
            self.keep()

    def keep_sometimes(self, begun: Begun) -> None:
        """Write, unless the last writing is recent."""
        self.begun = begun
        if time.monotonic() - self._written >= SECONDS:
            self.keep(begun)

    def check(self) -> None:
        """Raise ClmathError if the report could not be written the last time."""
        if self._trouble is not None:
            raise self._trouble

    def remedy(self) -> str:
        """Return words on the report of an interrupted audit, and how to go on."""
        if self._trouble is not None:
            return str(self._trouble).partition(": ")[2]
        return (
            f"{self._place} holds the finished ones: add --resume to go on"
            if self._put
            else ("with --json it can be resumed")
        )


class Journal:
    """Times since this object was made; the time of a case counts from the previous verdict, so that all add up.

    With ``--log FILE`` each fact is written at once to that file, as a line of JSON; a resumed audit takes the times
    of its finished cases from there. ``target``: the target of the times; empty if it is the only one.
    """

    def __init__(self, options: Namespace, call: str, target: str = "") -> None:
        self._call = call
        self._common = {"subject": target} if target else {}
        self._path = None if options.log is None else Path(options.log)
        self.command: str = options.command
        self.started = _now()
        self.seconds: dict[Item, float] = {}
        self.logs: dict[Item, str] = {}
        self.judges: dict[Item, str] = {}  # the judge of cases with many inputs
        if self._path is not None and options.resume and self._path.is_file():
            before = run_in_journal(self._path, call, target)
            self.seconds |= before.seconds
            self.logs |= before.logs
        self._trouble: errors.ClmathError | None = None
        self._write(event="start", time=self.started, command=self.command)
        self._check()
        self._last = time.monotonic()

    def judged(self, verdict: Verdict, log: str) -> None:
        """Record the verdict on a case; ``log``: output of the compiler."""
        now = time.monotonic()
        self.seconds[verdict.item], self._last = now - self._last, now
        if log:
            self.logs[verdict.item] = log
        self._write(
            event="row",
            time=_now(),
            **_row(verdict.item),
            status=verdict.status,
            seconds=round(self.seconds[verdict.item], 3),
            log=log,
            **({"reason": verdict.reason} if verdict.reason else {}),
            **({"judge": self.judges[verdict.item]} if verdict.item in self.judges else {}),
        )

    def ended(self, status: int) -> None:
        """Record the end of the audit; ClmathError if something could not be written."""
        self._write(event="end", time=_now(), status=status)
        self._check()

    def _check(self) -> None:
        if self._trouble is not None:
            raise self._trouble

    def _write(self, **facts: object) -> None:
        if self._path is None:
            return
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**facts, **self._common}, ensure_ascii=False) + "\n")
        except OSError as error:
            # a full disk does not end the audit
            self._trouble = errors.not_written(self._call, self._path, error, "--log")


def run_in_journal(path: Path, call: str, target: str = "") -> Run:
    """Return a log's facts about the run that began last, and about cases that were judged in it and before.

    ``target``: the target, for a run over several; empty for a run over one.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise errors.not_read(call, f"--log {path}", error, "a file that clmath audit --log has written") from None
    started = command = ""
    seconds: dict[Item, float] = {}
    logs: dict[Item, str] = {}
    for line in lines:
        with contextlib.suppress(ValueError, TypeError, KeyError):  # a line that a kill has truncated
            fact = json.loads(line)
            if fact.get("subject", "") != target:
                continue
            if fact["event"] == "start":
                started, command = str(fact["time"]), str(fact["command"])
            elif fact["event"] == "row":
                item = _item(fact)
                seconds[item], logs[item] = float(fact["seconds"]), str(fact["log"])
    return Run(started, command, seconds, logs)


def _row(item: Item) -> dict[str, str | int]:
    return {"built-in": item.builtin.name, "type": item.form.name, "lanes": item.width, "width": item.vector}


def _item(fact: dict[str, Any]) -> Item:
    return item_named(fact["built-in"], fact["type"], int(fact["lanes"]), int(fact["width"]))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


_KINDS: dict[str, Callable[[Whole], str]] = {"junit": junit, "csv": sheet, "html": page, "cts_json": cts}


class Outputs(NamedTuple):
    """The requested files; ``call`` is the command, for errors."""

    call: str
    files: dict[str, Path]
    known: Known

    def write(self, whole: Whole) -> None:
        """Write every file completely, or not at all."""
        for kind, path in self.files.items():
            record.put(path, _KINDS[kind](whole), self.call, f"--{_option(kind)}")


def outputs_of(options: Namespace, call: str, *, together: bool = False) -> Outputs:
    """Return the files and known failures that the options name; ClmathError, before any work, if one is impossible.

    ``together``: whether the run is over several targets.
    """
    if together and options.cts_json is not None:
        remedy = f"write it from the report of all: clmath report FILE --target TARGET --cts-json {options.cts_json}"
        raise errors.ClmathError(f"{call}: --cts-json is for one device, and there are several; {remedy}")
    files: dict[str, Path] = {}
    for kind in _KINDS:
        name = getattr(options, kind)
        if name is None:
            continue
        path = _aimed_at(name)
        obstacle = _obstacle(str(path) if name else name)
        if obstacle:
            raise errors.not_written(call, path, obstacle, f"--{_option(kind)}")
        if any(path.resolve() == other.resolve() for other in (*files.values(), *_others(options))):
            raise errors.ClmathError(
                f"{call}: --{_option(kind)} {path} is another file of this audit already; name a new one"
            )
        files[kind] = path
    known = options.known_failures
    return Outputs(call, files, NONE_KNOWN if known is None else _known(Path(known), call))


def _known(path: Path, call: str) -> Known:
    """Return the list in a file; entries with a device's number or part of its name apply to its stable name."""
    found = known_failures(path, call)
    return found.called(meant(found.apart), f"{call}: {path}")


def _obstacle(name: str) -> OSError | None:
    """Return why a file cannot be written, or None; the temporary file next to it is tried."""
    if not name or os.path.isdir(name):  # noqa: PTH112 - False, not an exception, for a name that is too long
        return OSError(0, "it is not a file in a folder that you may write to")
    if os.path.exists(name) and not os.path.isfile(name):  # noqa: PTH110, PTH113 - as above
        return OSError(0, "it is not a plain file, and would be replaced")
    beside = Path(f"{name}.part")
    try:
        beside.open("xb").close()
        beside.unlink()
    except FileExistsError:
        return None
    except OSError as error:
        return error
    return None


def _others(options: Namespace) -> list[Path]:
    """Return the report itself, the log and the list, which no other file may overwrite."""
    names = [getattr(options, name, None) for name in ("json", "log", "known_failures")]
    return [Path(name) for name in (*names, *getattr(options, "report", ())) if name]


def _option(kind: str) -> str:
    return kind.replace("_", "-")
