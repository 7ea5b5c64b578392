"""Counts of a sweep, and the file that keeps them so that a stopped sweep can resume."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Record", "Tally"]

EXAMPLES = 10


def _none() -> dict[str, int]:
    return dict.fromkeys(MODES, 0)


@dataclass
class Tally:
    """Counts over the chunks whose numbers are in ``done``.

    ``close``: results close to a rounding boundary; ``claimed``: close results with err = 0, whose kernel claims to
    know the side. ``judged``: results compared with the exact ones; ``missed``: enclosures without the exact value.
    """

    function: str
    type: str
    lanes: int = 0
    close: int = 0
    claimed: int = 0
    judged: int = 0
    missed: int = 0
    seconds: float = 0.0
    undecided: dict[str, int] = field(default_factory=_none)
    wrong: dict[str, int] = field(default_factory=_none)
    examples: list[str] = field(default_factory=list)
    done: list[int] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally of the same function."""
        for name in ("lanes", "close", "claimed", "judged", "missed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for mode in MODES:
            self.undecided[mode] += other.undecided[mode]
            self.wrong[mode] += other.wrong[mode]
        self.examples = (self.examples + other.examples)[:EXAMPLES]
        self.done = sorted(self.done + other.done)

    def line(self) -> str:
        """Return the counts as a line of text."""
        return (
            f"{self.function:8} {self.lanes} lanes, {self.close} close ({self.claimed} claimed), {self.judged} judged, "
            f"undecided {self.undecided}, wrong {self.wrong}, missed {self.missed}, {self.seconds:.0f} s "
            f"{self.examples}"
        )


class Record:
    """Tallies of a sweep, in a JSON file if one is given; ``settings`` determine the contents of chunks."""

    def __init__(self, file: Path | None, settings: dict[str, Any]) -> None:
        self.file, self.settings = file, settings
        self.tallies: dict[str, Tally] = {}
        if file is not None and file.exists():
            kept = json.loads(file.read_text(encoding="utf-8"))
            if kept["settings"] != settings:
                raise SystemExit(f"{file} holds a sweep with other settings, {kept['settings']}: name another file")
            self.tallies = {t["function"]: Tally(**t) for t in kept["tallies"]}

    def of(self, function: str, form: str) -> Tally:
        """Return the tally of a function, a new one if the function is new."""
        return self.tallies.setdefault(function, Tally(function, form))

    def write(self) -> None:
        """Replace the file, atomically."""
        if self.file is None:
            return
        scratch = self.file.with_suffix(".new")
        found = {"settings": self.settings, "tallies": [asdict(t) for t in self.tallies.values()]}
        scratch.write_text(json.dumps(found, indent=1), encoding="utf-8")
        scratch.replace(self.file)
