"""Limits of a process and of all processes in its group: time by the clock, processor time, resident memory."""

from __future__ import annotations

import contextlib
import math
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MEMORY = 4 << 30  # bytes: the most for a process group by default
CHECKS = 0.1  # seconds between two checks, at least
_COST = 20  # pause after a check, in multiples of its time, so that checks take a twentieth of a processor
_STAT = Path("/proc/self/stat")  # Linux has such a file for every process
_TIMES, _PAGES = slice(11, 15), 21  # fields after the name: times in ticks, pages of memory


class Limits(NamedTuple):
    """The most that a process group may use: seconds by the clock, seconds of processor time, resident bytes."""

    seconds: float = math.inf
    processor: float = math.inf
    memory: float = math.inf

    def times(self, factor: float) -> Limits:
        """Return limits with the same memory and multiplied times."""
        return self._replace(seconds=factor * self.seconds, processor=factor * self.processor)


class Watch:
    """Reports when the processes of a group exceed limits, which are counted from the last call of ``begin``."""

    def __init__(self, group: int, limits: Limits) -> None:
        self._group = group
        self._next = time.monotonic() + CHECKS
        self.begin(limits)

    def begin(self, limits: Limits) -> None:
        """Count time from now on; processor time that was used before does not count either."""
        self._limits, self._begun = limits, time.monotonic()
        self._before: float | None = None  # seconds of processor time at the first check

    @property
    def left(self) -> float:
        """The seconds that are left by the clock."""
        return self._limits.seconds - (time.monotonic() - self._begun)

    def exceeded(self) -> str:
        """Return words for an exceeded limit, else ""; calls may be frequent, as only some of them check."""
        if self.left <= 0:
            return f"took longer than {self._limits.seconds:g} s"
        now = time.monotonic()
        if now < self._next:
            return ""
        processor, memory = _used(self._group)
        ended = time.monotonic()
        self._next = ended + max(CHECKS, _COST * (ended - now))
        if self._before is None:
            self._before = processor
        if memory > self._limits.memory:
            return f"took more than {gigabytes(self._limits.memory)}"
        if processor - self._before > self._limits.processor:
            return f"took more than {self._limits.processor:g} s of processor time"
        return ""

    def memory(self) -> int:
        """Return the resident bytes of all processes of the group."""
        return _used(self._group)[1]


def without_core() -> None:
    """Let this process, and processes that it starts from now on, leave no core file when they crash."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def default_memory() -> int:
    """Return the default limit of resident bytes of a target: a quarter of this machine's memory, at most 4 GB."""
    try:
        return min(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4, MEMORY)
    except (AttributeError, OSError, ValueError):
        return MEMORY


def gigabytes(size: float) -> str:
    """Return bytes in words: 4.0 GB."""
    return f"{size / (1 << 30):.1f} GB"


def _used(group: int) -> tuple[float, int]:
    """Return the resources of all processes of a group: seconds of processor time so far, resident bytes now."""
    found = list(_in_proc(group) if _STAT.exists() else _by_ps(group))
    return sum(processor for processor, _ in found), sum(memory for _, memory in found)


def _in_proc(group: int) -> Iterator[tuple[float, int]]:
    """Yield the resources of each process of a group, from Linux's files; processor time includes ended children."""
    tick, page = 1 / os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    for name in filter(str.isdecimal, os.listdir("/proc")):  # noqa: PTH208 - in a loop that runs ten times a second
        try:
            if os.getpgid(int(name)) != group:
                continue
            with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123 - as above
                fields = file.read().rpartition(b")")[2].split()
        except OSError:  # it has ended
            continue
        yield sum(map(int, fields[_TIMES])) * tick, int(fields[_PAGES]) * page


def _by_ps(group: int) -> Iterator[tuple[float, int]]:
    """Yield the resources of each process of a group, from the command ps (macOS); empty on systems without ps."""
    command = ["ps", "-A", "-o", "pgid=", "-o", "rss=", "-o", "time="]
    try:
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return
    for one, kilobytes, clock in map(str.split, lines):
        if int(one) == group:
            yield _seconds(clock), int(kilobytes) << 10


def _seconds(clock: str) -> float:
    """Return the seconds in [[days-]hours:]minutes:seconds."""
    days, _, rest = clock.rpartition("-")
    parts = [float(part) for part in rest.split(":")]
    return 86400.0 * int(days or 0) + sum(part * 60.0**place for place, part in enumerate(reversed(parts)))
