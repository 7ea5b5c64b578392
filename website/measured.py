"""Measurements: a row for each target, profile, built-in and type, from the compact files of the atlas."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from benchmarks.atlas.compact import Device
from benchmarks.atlas.groups import DEVICES
from clmath.spec.editions import PROFILES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from clmath.audit.counting.tally import Verdict

__all__ = ["Row", "Target", "curves", "files", "of", "rows", "targets"]


@dataclass(frozen=True)
class Target:
    """A measured device or library: ``slug`` is its address, ``title`` its name, ``driver`` the version."""

    slug: str
    title: str
    driver: str


@dataclass(frozen=True)
class Row:
    """One row of a device: ``inputs`` that were asked for, ``date`` and ``machine`` of the run, its ``command``."""

    target: Target
    profile: str
    verdict: Verdict
    inputs: str
    date: str
    machine: str
    command: str

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
def _devices() -> dict[str, Device]:
    """All devices by their slugs."""
    return {file.stem: Device.load(file) for file in files()}


def files() -> Sequence[Path]:
    """The compact files, one for each device."""
    return sorted(DEVICES.glob("*.json"))


@functools.cache
def rows() -> tuple[Row, ...]:
    """Return all rows, one for each target, profile, built-in and type."""
    return tuple(row for slug, device in _devices().items() for row in _rows(slug, device))


@functools.cache
def targets() -> tuple[Target, ...]:
    """All who were measured, as their latest runs call them."""
    return tuple(_target(slug, device.last) for slug, device in _devices().items())


def of(name: str, type: str = "", target: str = "") -> list[Row]:
    """Return the rows of a built-in, the full profile first."""
    found = [r for r in rows() if r.name == name and type in {"", r.type} and target in {"", r.target.slug}]
    return sorted(found, key=lambda row: PROFILES.index(row.profile))


def curves(name: str, type: str) -> list[Row]:
    """The rows of which there is a curve, each with the run that the curve is of."""
    found = [row for row in of(name, type) if any(row.verdict.tally.spread.worst)]
    return [_made(row, _devices()[row.target.slug]) for row in found]


def _made(row: Row, device: Device) -> Row:
    """The row with the run of its curve."""
    stored = device.rows[row.profile, row.type, row.name]
    run = device.runs[stored.get("of curve", [stored["run"]])[0]]
    return replace(row, inputs=run["inputs"], date=run["date"], machine=run["machine"], command=run["command"])


def _rows(slug: str, device: Device) -> Iterator[Row]:
    for (profile, type, name), stored in device.rows.items():
        run, verdict = device.runs[stored["run"]], device.verdict(profile, type, name)
        facts = [run[key] for key in ("inputs", "date", "machine", "command")]
        yield Row(_target(slug, run), profile, verdict, *facts)


def _target(slug: str, run: dict[str, str]) -> Target:
    return Target(slug, run["title"], run["driver"])
