"""Dates, machines and commands of audits, which reports leave out to be reproducible byte by byte."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from benchmarks import machine
from benchmarks.atlas.groups import ROOT

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FILE", "Run", "add", "commit", "now", "read"]

FILE = "runs.json"


@dataclass(frozen=True)
class Run:
    """Audit of one group that ended at ``date``: the number of ``rows`` that it finished, in ``seconds``.

    ``commit`` of the repository, if known; ``command``: the command of the audit.
    """

    group: str
    date: str
    seconds: float
    rows: int
    machine: str
    commit: str
    command: str


def read(folder: Path) -> list[Run]:
    """Return the runs of a folder, oldest first."""
    file = folder / FILE
    return [Run(**run) for run in json.loads(file.read_text(encoding="utf-8"))] if file.exists() else []


def add(folder: Path, run: Run) -> None:
    """Append a run to the file of a folder."""
    _write(folder, [*read(folder), run])


def _write(folder: Path, runs: list[Run]) -> None:
    text = json.dumps([asdict(one) for one in runs], indent=1, ensure_ascii=False)
    (folder / FILE).write_text(text + "\n", encoding="utf-8")


def commit() -> str:
    """Return the commit of the repository, with "+" if files are changed; an empty string if Git fails."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return ""


def now(group: str, seconds: float, rows: int, commit: str, command: str) -> Run:
    """Return a run on this machine that has just ended."""
    facts, date = machine.facts(), dt.datetime.now(dt.UTC)
    place = f"{facts['processor']}; {facts['system']}"
    return Run(group, date.strftime("%Y-%m-%dT%H:%M:%SZ"), seconds, rows, place, commit, command)
