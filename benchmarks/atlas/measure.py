"""Audits one group after the other, within a time; the next run goes on with the reports."""

from __future__ import annotations

import json
import math
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.atlas import runs
from benchmarks.atlas.groups import EVERY, ROOT
from clmath import errors
from clmath.audit.isolation.choosing import chosen, subject
from clmath.audit.plan.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from benchmarks.atlas.groups import Group

__all__ = ["Measured", "measure"]

GRACE = 60.0  # seconds in which an audit that is stopped writes its report
LEAST = 5.0  # seconds that are left, below which no audit is started
CALL = "benchmarks.atlas"


@dataclass(frozen=True)
class Measured:
    """What is measured, where its reports go, with which further ``options`` of ``clmath audit``."""

    subject: str
    folder: Path
    profile: str
    inputs: str = ""
    options: tuple[str, ...] = ()
    commit: str = field(default_factory=runs.commit)

    def command(self, group: Group) -> list[str]:
        """The audit of a group."""
        words = ["audit", self.subject, "--types", group.form.name, "--functions", ",".join(group.functions)]
        words += ["--inputs", self.inputs_of(group), "--profile", self.profile, *self.options]
        return [*words, "--json", str(self.report(group)), "--resume"]

    def said(self, group: Group) -> str:
        """The command as a reader would write it, beside the report."""
        file = self.report(group)
        return shlex.join(["clmath", *(file.name if word == str(file) else word for word in self.command(group)[:-1])])

    def inputs_of(self, group: Group) -> str:
        """How many inputs; where all are tried, the number that was asked for changes nothing."""
        return EVERY if group.inputs == EVERY else self.inputs or group.inputs

    def report(self, group: Group) -> Path:
        """The file."""
        return self.folder / f"{group.name}.json"


def measure(one: Measured, groups: Iterable[Group], seconds: float) -> bool:
    """Audit the groups in turn until all are complete, or the time is over; whether all are complete.

    Groups of a type that the subject does not have, half on most devices, are passed over.
    """
    until = time.monotonic() + seconds
    offered = subject(chosen(one.subject, CALL).name, call=CALL).formats()
    one.folder.mkdir(parents=True, exist_ok=True)
    are_complete = True
    for group in groups:
        if group.form not in offered:
            print(f"{group.name}: {one.subject} has no {group.form}", flush=True)
            continue
        left = until - time.monotonic()
        is_complete = _taken_up(one, group)
        if not is_complete and left > LEAST:
            is_complete = _audited(one, group, left)
        are_complete &= is_complete
        print(f"{one.report(group)}: {'complete' if is_complete else 'not complete'}", flush=True)
    return are_complete


def _taken_up(one: Measured, group: Group) -> bool:
    """Whether there is a complete report; ClmathError where the one that there is has another number of inputs."""
    file = one.report(group)
    if not file.exists():
        return False
    found, asked = _read(file)["plan"]["inputs"], Plan.of(inputs=one.inputs_of(group)).inputs
    if found != asked:
        fact = f"{file} is of {found} inputs, and {asked} are asked for"
        raise errors.ClmathError(f"{CALL}: {fact}; write --inputs {found}, or remove it")
    return _state(file)[1]


def _audited(one: Measured, group: Group, most: float) -> bool:
    """Audit a group for so long; whether it is complete."""
    file, started = one.report(group), time.monotonic()
    before, _ = _state(file)
    try:
        status = _status(one.command(group), most)
    finally:
        finished = _state(file)[0] - before
        if finished:
            seconds = round(time.monotonic() - started, 1)
            runs.add(one.folder, runs.now(group.name, seconds, finished, one.commit, one.said(group)))
    if status is not None and not file.exists():
        raise errors.ClmathError(f"{CALL}: the audit of {group.name} wrote no report (status {status}): see above")
    return _state(file)[1]


def _status(words: list[str], seconds: float) -> int | None:
    """The exit status of ``clmath``; None where it was asked to stop after so long, as it is when this process is.

    What it prints is not shown. It is out of reach of the keyboard, so that it is asked once.
    """
    command = [sys.executable, "-m", "clmath", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True) as audit:  # noqa: S603
        try:
            return audit.wait(None if math.isinf(seconds) else seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _stop(audit)


def _stop(audit: subprocess.Popen[bytes]) -> None:
    """Have the audit, if it goes on, write its report and end."""
    audit.terminate()  # as Ctrl-C, but no shell can have it ignored
    try:
        audit.wait(GRACE)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        audit.kill()


def _state(file: Path) -> tuple[int, bool]:
    """How many rows of a report are finished, and whether all are."""
    report = _read(file) if file.exists() else {"rows": [], "complete": False}
    return len(report["rows"]), report["complete"] is True


def _read(file: Path) -> dict[str, Any]:
    """A report that an audit has written."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
