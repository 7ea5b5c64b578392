"""The outcome of a whole audit, from which every kind of report is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from clmath.audit.counting.tally import Verdict
from clmath.audit.plan.item import Item
from clmath.audit.records.record import Head
from clmath.audit.records.several_reports import name_of
from clmath.audit.reports.known_failures import NONE_KNOWN, Known, Standing
from clmath.audit.reports.terminal import UNJUDGED, Replay, exit_code, failure_lines, meaning, summary, worst_code

K = TypeVar("K")
UNREACHED = "the run ended before it came to this target"


@dataclass(frozen=True)
class Run:
    """Facts that differ between runs of the same audit, and do not belong to its verdict.

    ``started``: ISO 8601, in UTC; ``seconds``: the wall time of cases that were judged in this run; ``logs``: output of
    the device's compiler if it succeeded.
    """

    started: str = ""
    command: str = ""
    seconds: Mapping[Item, float] = field(default_factory=lambda: MappingProxyType({}))
    logs: Mapping[Item, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class Outcome:
    """An audit: its description ``head``, as ``record.header`` writes it, and ``verdicts`` on every required case."""

    head: Head
    verdicts: Sequence[Verdict]
    replay: Replay
    known: Known = NONE_KNOWN
    run: Run = field(default_factory=Run)

    def standing(self, verdict: Verdict) -> Standing:
        """Return the status of a case, in view of the known failures."""
        return self.known.standing(verdict)

    def grouped(self, key: Callable[[Verdict], K]) -> dict[K, list[Verdict]]:
        """Return the verdicts by their keys, in their order."""
        groups: dict[K, list[Verdict]] = {}
        for verdict in self.verdicts:
            groups.setdefault(key(verdict), []).append(verdict)
        return groups

    def explained(self, verdict: Verdict) -> str:
        """Return the reason for the status of a case, on one line; empty if it passes."""
        return self.known.reason(verdict) or verdict.reason

    def failure(self, verdict: Verdict) -> Iterator[str]:
        """Yield the lines on a case that fails."""
        return failure_lines(verdict, self.replay)

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield all facts that are needed to repeat the audit, by name."""
        if self.run.command:
            yield "command line", self.run.command
        if self.run.started:
            yield "started", self.run.started
        for part in ("subject", "plan", "versions", "tables"):
            for name, value in self.head[part].items():
                shown = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
                yield f"{part}: {name}", shown


@dataclass(frozen=True)
class Whole:
    """All outcomes of a run: one per target, and the reasons why other targets could not be audited.

    Both have the SUBJECT of the command line as keys. ``together``: whether it was a run over several targets.
    ``unreached``: the targets that it did not reach.
    """

    outcomes: Mapping[str, Outcome]
    together: bool = False
    troubles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    unreached: Sequence[str] = ()

    @classmethod
    def of(cls, outcome: Outcome) -> Whole:
        """Return the outcome of a run over one target."""
        return cls({name_of(outcome.head): outcome})

    @property
    def pairs(self) -> Iterator[tuple[Outcome, Verdict]]:
        """Every verdict, with the outcome to which it belongs."""
        return ((outcome, verdict) for outcome in self.outcomes.values() for verdict in outcome.verdicts)

    def name(self, outcome: Outcome) -> str:
        """Return the name of an outcome's target if there are several; else empty."""
        return next(name for name, one in self.outcomes.items() if one is outcome) if self.together else ""

    @property
    def status(self) -> int:
        """The exit status: the worst one of all targets."""
        codes = [exit_code(outcome.verdicts, outcome.known) for outcome in self.outcomes.values()]
        return worst_code([*codes, *(UNJUDGED for _ in (*self.troubles, *self.unreached))])

    def lines(self) -> Iterator[str]:
        """Yield one line about each of several targets, and one about all."""
        for name, outcome in self.outcomes.items():
            yield f"{name} ({outcome.head['subject']['name']}): {summary(outcome.verdicts, outcome.known)}"
        yield from (f"{name}: could not be audited: {why}" for name, why in self.troubles.items())
        yield from (f"{name}: missing: {UNREACHED}" for name in self.unreached)
        said = Counter(meaning(outcome.verdicts, outcome.known) for outcome in self.outcomes.values())
        if self.troubles:
            said["could not be audited"] = len(self.troubles)
        if self.unreached:
            said["missing"] = len(self.unreached)
        count = sum(said.values())
        yield f"{count} target{'s' * (count != 1)}: {', '.join(f'{words} {n}' for words, n in sorted(said.items()))}"
