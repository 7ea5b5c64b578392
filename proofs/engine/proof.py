"""Lemmas of a kernel, and how they are proven on their subintervals: cells are halved until the claims hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from flint import arb

from proofs.engine.assumed import Assumed, grid_of
from proofs.engine.execution import Execution, Fork
from proofs.engine.models import Cell, Unproven, precisely, upper
from proofs.engine.traced import Traced
from proofs.terms import Claim, Claims, Number, Properties, Statement, Subinterval, Through

WANTED = 0.98  # cells are halved while the ratio is larger
_ENOUGH = 20  # failures of one process: it seeks no more
DEEP = 8  # from this number of halvings on, cells are halved only while the ratio is above 1
DEEPEST = 26  # the largest number of halvings


Assumptions: TypeAlias = "Properties | Callable[[Subinterval], Properties]"
Piece: TypeAlias = tuple[Subinterval, float, float]  # a subinterval, and the ends of a part of it
Claiming: TypeAlias = "Claim | Claims | Callable[[Subinterval], Claim | Claims]"


@dataclass(frozen=True)
class Lemma:
    """On every subinterval of ``over`` the properties ``assume`` imply ``claim``.

    ``assume``: properties by name, and ``claim``: one claim or several; both the same on all subintervals, or functions
    of the subinterval. The certificate gives the largest share of the first claim's bound. ``powers``: the range of the
    exponent q. ``series``: the number of terms of exact functions in the prover. ``through``: values of which the
    claims only use the errors. ``divides``: whether an order of two sizes that differs on a cell is a case distinction.
    """

    name: str
    traced: Traced
    over: Sequence[Subinterval]
    assume: Assumptions
    claim: Claiming
    powers: tuple[int, int] | Callable[[Subinterval], tuple[int, int]] = (0, 0)
    series: int = 16
    through: Sequence[Through] | Callable[[Subinterval], Sequence[Through]] = ()
    divides: bool = True

    def statement(self, s: Subinterval) -> Statement:
        """Return the lemma on one subinterval as plain data."""
        assumed = self.assume(s) if callable(self.assume) else self.assume
        claims = self.claim(s) if callable(self.claim) else self.claim
        powers = self.powers(s) if callable(self.powers) else self.powers
        through = self.through(s) if callable(self.through) else self.through
        return Statement(
            tuple(assumed.items()), tuple(claims) if isinstance(claims, Sequence) else (claims,), powers, tuple(through)
        )

    def free(self, s: Subinterval) -> set[str]:
        """Return the assumed names that no value of the function has: real numbers of the lemma alone."""
        return {name for name, _ in self.statement(s).assume} - self.traced.program.names.keys()

    def pieces(self) -> Iterator[Piece]:
        """Yield all subintervals with their ends."""
        for s in self.over:
            yield s, s.low, s.high

    def assumed(self, stated: Statement, low: arb, high: arb) -> Assumed:
        """Return the assumptions of a statement on the cell from ``low`` to ``high``."""
        for _, found in stated.assume:
            if isinstance(found, Number) and found.snapped:
                unit = arb(2) ** grid_of(found, low, high)
                first, last = (low / unit).ceil() * unit, (high / unit).floor() * unit
                low, high = first, max(first, last)
        return Assumed(self.traced, Cell(low, high, stated.powers), dict(stated.assume), self.series)


@dataclass
class Outcome:
    """The outcome of proving subintervals: the number of cells, and the largest share of the bound that the error
    takes.
    """

    cells: int = 0
    worst: float = 0.0
    where: str = ""
    lemmas: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)
    enough: int = _ENOUGH

    def add(self, ratio: float, where: str, lemmas: Counter[str]) -> None:
        """Count a cell."""
        self.cells += 1
        if ratio > self.worst:
            self.worst, self.where = ratio, where
        self.lemmas.update(lemmas)


def second_functions(parts: Iterable[Lemma]) -> frozenset[str]:
    """Return the names of the second functions that a proof is about."""
    return frozenset(part.traced.second for part in parts if part.traced.second)


class _Tried(NamedTuple):
    """The outcome for a cell: the ratio, the lemmas that it took, and why it may be unproven."""

    ratio: float
    lemmas: Counter[str]
    reason: str = ""


@dataclass(frozen=True)
class Prover:
    """The proof of a lemma on a subinterval."""

    lemma: Lemma
    which: Subinterval
    stated: Statement

    def tried(self, low: arb, high: arb) -> _Tried:
        """Return the ratio on the cell from ``low`` to ``high``, or why the cell is unproven."""
        try:
            return _Tried(*self.ratio(low, high))
        except Unproven as unproven:
            return _Tried(float("inf"), Counter(), str(unproven))

    def ratio(self, low: arb, high: arb) -> tuple[float, Counter[str]]:
        """Return the largest error on the cell relative to the least bound there, for all orders of conditions."""
        worst, lemmas, traced = 0.0, Counter[str](), self.lemma.traced
        pending: list[dict[object, bool]] = [{}]
        while pending:
            decided = pending.pop()
            assumed = self.lemma.assumed(self.stated, low, high)
            program = traced.program, traced.tables, traced.shapes
            run = Execution(*program, assumed.cell, assumed.given, decided, self.lemma.divides)
            try:
                claims = assumed.all_claims(run, self.stated)
            except Fork as fork:
                if len(decided) > 8:
                    raise Unproven("too many conditions are not the same on the cell") from None
                pending += [{**decided, fork.condition: True}, {**decided, fork.condition: False}]
                continue
            first, *others = (_share(upper(small.range()), bound) for small, bound in claims)
            worst = max(worst, first, *(share for share in others if share > 1.0))
            lemmas.update(run.lemmas)
        return worst, lemmas

    def prove(self, low: arb, high: arb, tried: _Tried, depth: int, outcome: Outcome) -> None:
        """Prove a cell or its two halves, the worse one first: failures are found soon, and then no more is sought."""
        if len(outcome.failed) >= outcome.enough:
            return
        if tried.ratio > (WANTED if depth < DEEP else 1.0) and depth < DEEPEST and low < high:
            middle = ((low + high) / 2).mid()
            halves = [(half, self.tried(*half)) for half in ((low, middle), (middle, high))]
            for half, found in sorted(halves, key=lambda one: -one[1].ratio):
                self.prove(*half, found, depth + 1, outcome)
            return
        where = f"{self.lemma.name} {self.which}: {float(low):.17g} .. {float(high):.17g}"
        if tried.ratio > 1.0:
            outcome.failed.append(f"{where}: {tried.reason or f'{tried.ratio:.4f} of the bound'}")
        outcome.add(tried.ratio, where, tried.lemmas)


def _share(size: float, bound: float) -> float:
    return 0.0 if size == 0.0 else size / bound if bound > 0.0 else float("inf")


def prove(lemma: Lemma, pieces: Sequence[Piece] | None = None, enough: int = _ENOUGH) -> Outcome:
    """Prove a lemma, or the given parts of its subintervals; stop after ``enough`` failures."""
    precisely()
    outcome = Outcome(enough=enough)
    for which, low, high in lemma.pieces() if pieces is None else pieces:
        if len(outcome.failed) >= enough:  # nothing more would be counted
            break
        prover, ends = Prover(lemma, which, lemma.statement(which)), (arb(low), arb(high))
        prover.prove(*ends, prover.tried(*ends), 0, outcome)
    return outcome
