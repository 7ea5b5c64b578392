"""What is claimed of a kernel on cells of its arguments, and how it is proven: cells are halved until it holds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from flint import arb

from proofs.engine.execution import Execution, Fork
from proofs.engine.models import Cell, Model, Unproven, precisely, upper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from proofs.engine.traced import Traced

__all__ = [
    "DEEPEST",
    "Outcome",
    "Part",
    "Setting",
    "is_refining",
    "prove",
    "second_functions",
]

WANTED = 0.98  # cells are halved while the ratio is larger
_ENOUGH = 20  # failures of one process: it seeks no more
DEEP = 8  # from so many halvings on, while it is above 1
DEEPEST = 26  # so many times at most


@dataclass(frozen=True)
class Setting:
    """One evaluation to come: what is given of the trace's values on a cell, and what the claim is.

    ``claims`` is told the execution and returns pairs: something that is to be small, as a model, and how large it may
    be at least. The first is what the certificate tells the largest share of; the others just have to hold.
    ``divides`` as in executions.
    """

    given: Mapping[int, Any]
    claims: Callable[[Execution], Sequence[tuple[Model, float]]]
    divides: bool = True


class Part(Protocol):
    """A part of the proof of a kernel: pieces of arguments, and what is to be shown on each.

    One that speaks of functions beside the kernel, too, has their names as ``second_functions``.
    """

    @property
    def name(self) -> str:
        """What it is called in the certificate."""

    @property
    def traced(self) -> Traced:
        """The kernel."""

    def pieces(self) -> Iterable[tuple[Any, float, float]]:
        """(which, low, high): all pieces; ``which`` tells pieces with the same ends apart."""

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """The cell of (part of) a piece; None where there is no argument in it."""

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What is given, and claimed, there."""


@dataclass
class Outcome:
    """What came of proving pieces: how many cells it took, the largest share of the bound that the error takes."""

    cells: int = 0
    worst: float = 0.0
    where: str = ""
    lemmas: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)
    enough: int = _ENOUGH

    def add(self, other: Outcome) -> None:
        """Count ``other`` in."""
        self.cells += other.cells
        if other.worst > self.worst:
            self.worst, self.where = other.worst, other.where
        self.lemmas.update(other.lemmas)
        self.failed += other.failed


def second_functions(parts: Iterable[Part]) -> frozenset[str]:
    """Names of the functions beside the kernel that a proof speaks of: each part may have some, by this name."""
    return frozenset[str]().union(*(getattr(part, "second_functions", ()) for part in parts))


def is_refining(part: Part) -> bool:
    """Whether a part of a proof speaks of a function that is called after the kernel, to refine its results."""
    return bool(getattr(part, "refines", False))


class _Tried(NamedTuple):
    """What came of a cell: the ratio, the lemmas that it took, and why it may be unproven."""

    ratio: float
    lemmas: Counter[str]
    reason: str = ""


def _tried(part: Part, which: Any, low: arb, high: arb) -> _Tried:
    try:
        return _Tried(*_ratio(part, which, low, high))
    except Unproven as unproven:
        return _Tried(float("inf"), Counter(), str(unproven))


def _proven(part: Part, which: Any, ends: tuple[arb, arb], tried: _Tried, depth: int, outcome: Outcome) -> None:  # noqa: PLR0917
    """Prove a cell, or its two halves, the worse one first: what fails is found soon, and then no more is sought."""
    if len(outcome.failed) >= outcome.enough:
        return
    low, high = ends
    if tried.ratio > (WANTED if depth < DEEP else 1.0) and depth < DEEPEST and low < high:
        middle = ((low + high) / 2).mid()
        halves = [(half, _tried(part, which, *half)) for half in ((low, middle), (middle, high))]
        for half, found in sorted(halves, key=lambda one: -one[1].ratio):
            _proven(part, which, half, found, depth + 1, outcome)
        return
    where = f"{part.name} {which}: {float(low):.17g} .. {float(high):.17g}"
    if tried.ratio > 1.0:
        outcome.failed.append(f"{where}: {tried.reason or f'{tried.ratio:.4f} of the bound'}")
    outcome.add(Outcome(1, tried.ratio, where, tried.lemmas))


def _ratio(part: Part, which: Any, low: arb, high: arb) -> tuple[float, Counter[str]]:
    """The largest error on the cell as a share of the least bound there, whatever conditions are not the same on it."""
    worst, lemmas = 0.0, Counter[str]()
    pending: list[dict[object, bool]] = [{}]
    while pending:
        decided = pending.pop()
        cell = part.cell(which, low, high)
        if cell is None:
            break
        setting = part.setting(which, cell)
        run = Execution(
            part.traced.program,
            part.traced.tables,
            part.traced.shapes,
            cell,
            setting.given,
            decided,
            setting.divides,
        )
        try:
            claims = setting.claims(run)
        except Fork as fork:
            if len(decided) > 8:
                raise Unproven("too many conditions are not the same on the cell") from None
            pending += [{**decided, fork.condition: True}, {**decided, fork.condition: False}]
            continue
        first, *others = (_share(upper(small.range()), bound) for small, bound in claims)
        worst = max(worst, first, *(share for share in others if share > 1.0))
        lemmas.update(run.lemmas)
    return worst, lemmas


def _share(size: float, bound: float) -> float:
    return 0.0 if size == 0.0 else size / bound if bound > 0.0 else float("inf")


def prove(part: Part, pieces: Sequence[tuple[Any, float, float]] | None = None, enough: int = _ENOUGH) -> Outcome:
    """Prove all pieces of ``part``, or those that are given; no more failures are sought than ``enough``."""
    precisely()
    outcome = Outcome(enough=enough)
    for which, low, high in part.pieces() if pieces is None else pieces:
        if len(outcome.failed) >= enough:  # nothing more would be counted
            break
        ends = arb(low), arb(high)
        _proven(part, which, ends, _tried(part, which, *ends), 0, outcome)
    return outcome
