"""Audit one group after the other within a time limit; the next run resumes the reports."""

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
from clmath.audit.isolation.choosing import chosen, target_named
from clmath.audit.plan.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from benchmarks.atlas.groups import Group

__all__ = ["Measured", "measure"]

GRACE = 60.0  # seconds that a stopped audit has to write its report
LEAST = 5.0  # seconds: no audit is started if less time is left
CALL = "benchmarks.atlas"


@dataclass(frozen=True)
class Measured:
    """Target to measure, folder of its reports, and further ``options`` of ``clmath audit``."""

    target: str
    folder: Path
    profile: str
    inputs: str = ""
    options: tuple[str, ...] = ()
    commit: str = field(default_factory=runs.commit)

    def command(self, group: Group) -> list[str]:
        """Return the words of the command that audits a group."""
        words = ["audit", self.target, "--types", group.form.name, "--functions", ",".join(group.functions)]
        words += ["--inputs", self.inputs_of(group), "--profile", self.profile, *self.options]
        return [*words, "--json", str(self.report(group)), "--resume"]

    def said(self, group: Group) -> str:
        """Return the command as a reader would type it in the folder of the report."""
        file = self.report(group)
        return shlex.join(["clmath", *(file.name if word == str(file) else word for word in self.command(group)[:-1])])

    def inputs_of(self, group: Group) -> str:
        """Return the inputs of a group: "exhaustive" for an exhaustive group, else the requested number if any."""
        return EVERY if group.inputs == EVERY else self.inputs or group.inputs

    def report(self, group: Group) -> Path:
        """Return the file of a group's report."""
        return self.folder / f"{group.name}.json"


def measure(one: Measured, groups: Iterable[Group], seconds: float) -> bool:
    """Audit the groups in turn until all are complete or the time is over; return whether all are complete.

    Groups of a type that the target lacks (half on most devices) are skipped.
    """
    until = time.monotonic() + seconds
    offered = target_named(chosen(one.target, CALL).name, call=CALL).formats()
    one.folder.mkdir(parents=True, exist_ok=True)
    are_complete = True
    for group in groups:
        if group.form not in offered:
            print(f"{group.name}: {one.target} has no {group.form}", flush=True)
            continue
        left = until - time.monotonic()
        is_complete = _taken_up(one, group)
        if not is_complete and left > LEAST:
            is_complete = _audited(one, group, left)
        are_complete &= is_complete
        print(f"{one.report(group)}: {'complete' if is_complete else 'not complete'}", flush=True)
    return are_complete


def _taken_up(one: Measured, group: Group) -> bool:
    """Whether there is a complete report; raise ClmathError if it is of another number of inputs."""
    file = one.report(group)
    if not file.exists():
        return False
    found, asked = _read(file)["plan"]["inputs"], Plan.of(inputs=one.inputs_of(group)).inputs
    if found != asked:
        fact = f"{file} is of {found} inputs, and {asked} are asked for"
        raise errors.ClmathError(f"{CALL}: {fact}; write --inputs {found}, or remove it")
    return _state(file)[1]


def _audited(one: Measured, group: Group, most: float) -> bool:
    """Audit a group for at most ``most`` seconds; return whether its report is complete."""
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
    """Run ``clmath`` and return its exit status, or None if it was stopped after ``seconds``.

    Its output is discarded. It runs in a session of its own, so Ctrl-C reaches only this process, which stops it.
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
    """Ask an audit that still runs to write its report and exit; kill it after ``GRACE`` seconds."""
    audit.terminate()  # handled like Ctrl-C, which a shell can make a background process ignore
    try:
        audit.wait(GRACE)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        audit.kill()


def _state(file: Path) -> tuple[int, bool]:
    """Return the number of finished rows of a report, and whether it is complete."""
    report = _read(file) if file.exists() else {"rows": [], "complete": False}
    return len(report["rows"]), report["complete"] is True


def _read(file: Path) -> dict[str, Any]:
    """Return the JSON of a report."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
