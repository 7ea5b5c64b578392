"""What came of sweeping some chunks, and the file that keeps it, so that a sweep can be stopped and goes on."""

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
    """What came of sweeping ``done``, chunks by number.

    ``close``: lanes next to a rounding boundary; ``claimed``: those whose kernel claims to know the side. ``judged``:
    lanes that were compared with the truth; ``missed``: enclosures that do not hold it.
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
        """Take another tally of the same function in."""
        for name in ("lanes", "close", "claimed", "judged", "missed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for mode in MODES:
            self.undecided[mode] += other.undecided[mode]
            self.wrong[mode] += other.wrong[mode]
        self.examples = (self.examples + other.examples)[:EXAMPLES]
        self.done = sorted(self.done + other.done)

    def line(self) -> str:
        """One line for people."""
        return (
            f"{self.function:8} {self.lanes} lanes, {self.close} close ({self.claimed} claimed), {self.judged} judged, "
            f"undecided {self.undecided}, wrong {self.wrong}, missed {self.missed}, {self.seconds:.0f} s "
            f"{self.examples}"
        )


class Record:
    """The tallies of a sweep in a JSON file, where one is asked for; ``settings`` say what the chunks are."""

    def __init__(self, file: Path | None, settings: dict[str, Any]) -> None:
        self.file, self.settings = file, settings
        self.tallies: dict[str, Tally] = {}
        if file is not None and file.exists():
            kept = json.loads(file.read_text(encoding="utf-8"))
            if kept["settings"] != settings:
                raise SystemExit(f"{file} holds a sweep with other settings, {kept['settings']}: name another file")
            self.tallies = {t["function"]: Tally(**t) for t in kept["tallies"]}

    def of(self, function: str, form: str) -> Tally:
        """What is known of a function."""
        return self.tallies.setdefault(function, Tally(function, form))

    def write(self) -> None:
        """Write the file anew, whole."""
        if self.file is None:
            return
        scratch = self.file.with_suffix(".new")
        found = {"settings": self.settings, "tallies": [asdict(t) for t in self.tallies.values()]}
        scratch.write_text(json.dumps(found, indent=1), encoding="utf-8")
        scratch.replace(self.file)
