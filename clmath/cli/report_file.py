"""The report of ``clmath audit --json``: opened for one audit alone, kept up to date, resumed."""

from __future__ import annotations

import contextlib
import functools
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clmath import errors
from clmath.audit.records import reading, record
from clmath.audit.records.lock import locked
from clmath.audit.records.trusted_rows import Seal

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.target import Target
    from clmath.audit.running.run import Begun

__all__ = ["ReportFile", "header", "report_file", "reserved"]

SECONDS = 5.0  # between two writings of a report while a case goes on
SHARE = 20  # minimum ratio of the time between two writings to the time of a writing
_NOTHING = reading.Found({})


@contextlib.contextmanager
def report_file(
    options: Namespace, plan: Plan, target: Target, items: Sequence[Item], call: str
) -> Iterator[ReportFile]:
    """Open the requested report for this audit alone; with its earlier contents if the audit is resumed."""
    with reserved(options, call) as path:
        head = header(options, plan, target, items)
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


def header(options: Namespace, plan: Plan, target: Target, items: Sequence[Item]) -> dict[str, Any]:
    """Return the head of the report."""
    return record.header(plan, target, items, options.chosen, options.target)


def _aimed_at(name: str) -> Path:
    """Return the file to which a link points: that file is locked and written anew."""
    return Path(os.path.realpath(name) if os.path.islink(name) else name)  # noqa: PTH114 - as above


class ReportFile:
    """The report on disk, which ``put`` writes to ``place``; without ``put`` nothing is written."""

    def __init__(
        self,
        put: Callable[[str], None] | None,
        head: dict[str, Any],
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
            if item in wanted and (v.status != "not judged" or v.left_open)
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
