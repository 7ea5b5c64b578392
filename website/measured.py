"""What was measured: a row of a report for each subject, profile, built-in and type, with date and machine."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.atlas import runs
from benchmarks.atlas.groups import EVERY, MEASURED, SAMPLED
from benchmarks.atlas.page import sheets
from clmath.audit.records import reading
from clmath.spec.profiles import PROFILES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.records.reading import Read

__all__ = ["Row", "Subject", "curves", "of", "rows", "subjects"]

CALL = "website"


@dataclass(frozen=True)
class Subject:
    """Who was measured: ``slug`` is its address, ``title`` its name, ``driver`` the version of what was tried."""

    slug: str
    title: str
    driver: str


@dataclass(frozen=True)
class Row:
    """One row of the report ``file``: ``inputs`` that were asked for, ``date`` and ``machine`` of the run."""

    subject: Subject
    profile: str
    verdict: Verdict
    inputs: str
    date: str
    machine: str
    file: Path

    @property
    def name(self) -> str:
        """The built-in."""
        return self.verdict.item.builtin.name

    @property
    def type(self) -> str:
        """The type of its operands."""
        return self.verdict.item.form.name

    @property
    def is_exhaustive(self) -> bool:
        """Whether every input there is was tried."""
        return not self.verdict.is_sampled

    @property
    def worst_call(self) -> str:
        """The arguments that have the worst error, with their bits; empty where no error was found."""
        worst = self.verdict.tally.worst
        return self.verdict.arguments_text(worst) if worst is not None and worst.error != 0 else ""


@functools.cache
def _every() -> tuple[Row, ...]:
    """All rows of all reports."""
    return (*_swept(), *_drawn())


@functools.cache
def rows() -> tuple[Row, ...]:
    """All rows, one for each subject, profile, built-in and type: that of most inputs."""
    best: dict[tuple[str, str, str, str], Row] = {}
    for row in _every():
        key = row.subject.slug, row.profile, row.name, row.type
        if key not in best or row.verdict.tally.tried > best[key].verdict.tally.tried:
            best[key] = row
    return tuple(best.values())


@functools.cache
def subjects() -> tuple[Subject, ...]:
    """All who were measured, in the order of their reports."""
    return tuple({row.subject.slug: row.subject for row in rows()}.values())


def of(name: str, type: str = "", subject: str = "") -> list[Row]:
    """The rows of a built-in, those of the full profile first."""
    found = [r for r in rows() if r.name == name and type in {"", r.type} and subject in {"", r.subject.slug}]
    return sorted(found, key=lambda row: PROFILES.index(row.profile))


def curves(name: str, type: str) -> list[Row]:
    """The rows that know the worst error of each binade, one for each subject and profile: that of most inputs."""
    best: dict[tuple[str, str], Row] = {}
    for row in _every():
        if (row.name, row.type) == (name, type) and any(row.verdict.tally.spread.worst):
            key = row.subject.slug, row.profile
            best[key] = max(best.get(key, row), row, key=lambda row: row.verdict.tally.tried)
    return list(best.values())


def _swept() -> Iterator[Row]:
    """Those of the atlas: all inputs, or as many as a device judges in minutes."""
    for sheet in sheets(MEASURED):
        slug = sheet.name.removesuffix(f"-{sheet.profile.replace(' ', '-')}")
        for group, read in sheet.reports.items():
            yield from _rows(
                slug, read, [r for r in sheet.runs if r.group == group], MEASURED / sheet.name / f"{group}.json"
            )


def _drawn() -> Iterator[Row]:
    """Those of audits whose errors of each binade were kept."""
    for file in sorted(SAMPLED.glob("*/*.json")):
        if file.name != runs.FILE:
            made = [run for run in runs.read(file.parent) if run.group == file.stem]
            yield from _rows(file.parent.name, reading.read(file, CALL), made, file)


def _rows(slug: str, read: Read, made: Sequence[runs.Run], file: Path) -> Iterator[Row]:
    facts, plan = read.head["subject"], read.head["plan"]
    subject = Subject(slug, _title(facts), _driver(facts))
    date = made[-1].date[:10] if made else ""
    machine = made[-1].machine if made else ""
    inputs = "all inputs" if plan["inputs"] == EVERY else f"{plan['inputs']} random inputs, seed {plan['seed']}"
    for verdict in read.verdicts.values():
        yield Row(subject, plan["profile"] or verdict.profile, verdict, inputs, date, machine, file)


def _title(facts: dict[str, str]) -> str:
    """A device by its own name and that of its platform; a library by its name, with the device that it ran on."""
    words = [] if facts["kind"] == "opencl" else facts.get("device", "").split()
    device = " ".join(dict.fromkeys(words))  # JAX calls its processor "cpu cpu"
    return " on ".join(text for text in (" ".join(facts["name"].split()), device) if text)


def _driver(facts: dict[str, str]) -> str:
    versions = [facts.get(key, "") for key in ("driver", "platform version", "version")]
    return ", ".join(dict.fromkeys(" ".join(version.split()) for version in versions if version))
