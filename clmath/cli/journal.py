"""Facts that differ from run to run, and so are not in a report: dates, command lines, times, compiler logs."""

from __future__ import annotations

import contextlib
import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clmath import errors
from clmath.audit.plan.rows import item_named
from clmath.audit.reports.outcome import Run

if TYPE_CHECKING:
    from argparse import Namespace

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.plan.item import Item

__all__ = ["Journal", "told_by"]


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
            before = told_by(self._path, call, target)
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


def told_by(path: Path, call: str, target: str = "") -> Run:
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


def _row(item: Item) -> dict[str, Any]:
    return {"built-in": item.builtin.name, "type": item.form.name, "lanes": item.width, "width": item.vector}


def _item(fact: dict[str, Any]) -> Item:
    return item_named(fact["built-in"], fact["type"], int(fact["lanes"]), int(fact["width"]))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
