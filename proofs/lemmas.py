"""Lemmas: assumptions on named values of a kernel over subintervals, and claims that follow from them.

A lemma is a value. Its statement on a subinterval is plain data (``terms``), which the prover interprets on models and
the independent checker on integers. ``claim`` is evaluated once per subinterval, on symbols::

    Lemma(
        "power",
        kernel(exp, 2),
        over=(at(0.0, 0.3467), at(-0.3467, 0.0)),
        assume={"r": multiples(-150), "d": within(2.0**-54), "n": Exponent()},
        claim=lambda v, s: encloses_rounded(v, exp(v.r + v.d), power=1),
        powers=(-170, 170),
    )

says: where r is a multiple of 2^-150 in the subinterval, |d| <= 2^-54 and n is any integer q between the powers, the
result is within its err of 2^q e^(r + d).
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from flint import arb

from proofs import terms
from proofs.engine.assumed import Assumed, grid_of
from proofs.engine.models import Cell
from proofs.engine.proof import Setting
from proofs.engine.traced import Traced, traced
from proofs.terms import *

if TYPE_CHECKING:
    from clmath.ir.program import Kind

Assumptions: TypeAlias = "Properties | Callable[[Subinterval], Properties]"
Claiming: TypeAlias = "Callable[[Values, Subinterval], Claim | Claims]"
Formulas: TypeAlias = "Mapping[str, tuple[Any, ...]]"
Cases: TypeAlias = "Mapping[Any, tuple[Mapping[str, bool], Sequence[tuple[str, str | float]]]]"

_RESULTS: tuple[Kind, ...] = ("double", "double", "double", "long")


def kernel(function: Callable[..., Any], results: int = 4) -> Traced:
    """Return the trace of a kernel with so many results, 2 of fast kernels, or of a function that refines them.

    The fourth result, and an argument called ``exponent``, are integers, all others are doubles.
    """
    inputs: list[Kind] = ["long" if name == "exponent" else "double" for name in inspect.signature(function).parameters]
    return traced(function, inputs, [_RESULTS[i % 4] for i in range(results)])


def scoped(kernel: Traced, scope: str) -> Traced:
    """Return the kernel with the names of a scope as the function that is called there marks them."""
    names, prefix = kernel.program.names, f"{scope}."
    inner = {name.removeprefix(prefix): found for name, found in names.items() if name.startswith(prefix)}
    return replace(kernel, program=replace(kernel.program, names={**names, **inner}))


def nothing(_v: Values, _s: Subinterval) -> Sequence[Through]:
    """Return no steps."""
    return ()


@dataclass(frozen=True)
class Lemma:
    """On every subinterval of ``over`` the properties ``assume`` imply ``claim``.

    ``assume``: properties by name, the same on all subintervals or a function of the subinterval. ``claim``: one claim
    or several, from the named values and the subinterval; the certificate gives the largest share of the first claim's
    bound. ``powers``: the range of the exponent q. ``series``: the number of terms of exact functions in the prover.
    ``through``: values of which the claims use no more than their errors. ``divides``: whether an order of two sizes
    that differs on a cell is a case distinction.
    ``refines``: whether the function is called after the kernel. ``second_functions``: names of the functions beside
    the kernel that the lemma is about.
    """

    name: str
    traced: Traced
    over: Sequence[Subinterval]
    assume: Assumptions
    claim: Claiming
    powers: tuple[int, int] | Callable[[Subinterval], tuple[int, int]] = (0, 0)
    series: int = 16
    through: Callable[[Values, Subinterval], Sequence[Through]] = nothing
    divides: bool = True
    refines: bool = False
    second_functions: frozenset[str] = frozenset()

    def statement(self, s: Subinterval) -> Statement:
        """Return the lemma on one subinterval as plain data."""
        assumed = self.assume(s) if callable(self.assume) else self.assume
        claims = self.claim(Values(), s)
        powers = self.powers(s) if callable(self.powers) else self.powers
        return Statement(
            tuple(assumed.items()),
            tuple(claims) if isinstance(claims, Sequence) else (claims,),
            powers,
            tuple(self.through(Values(), s)),
        )

    # the interface of a part of a proof

    def pieces(self) -> Iterator[tuple[Subinterval, float, float]]:
        """Yield all subintervals with their ends."""
        for s in self.over:
            yield s, s.low, s.high

    def cell(self, s: Subinterval, low: arb, high: arb) -> Cell:
        """Return the cell from ``low`` to ``high`` of a subinterval."""
        stated = self.statement(s)
        for _, found in stated.assume:
            if isinstance(found, Number) and found.snapped:
                unit = arb(2) ** grid_of(found, low, high)
                first, last = (low / unit).ceil() * unit, (high / unit).floor() * unit
                low, high = first, max(first, last)
        return Cell(low, high, stated.powers)

    def setting(self, s: Subinterval, cell: Cell) -> Setting:
        """Return the known values and the claims on a cell."""
        stated = self.statement(s)
        assumed = Assumed(self.traced, cell, dict(stated.assume), self.series)
        return Setting(assumed.given, lambda run: assumed.all_claims(run, stated), self.divides)


def _from_statements(
    name: str, kernel: Traced, statements: Mapping[Subinterval, Statement], series: int, *others: Any
) -> Lemma:
    return Lemma(
        name,
        kernel,
        tuple(statements),
        lambda s: dict(statements[s].assume),
        lambda _, s: statements[s].claims,
        lambda s: statements[s].powers,
        series,
        lambda _, s: statements[s].through,
        *others,
    )


def joined(name: str, *lemmas: Lemma) -> Lemma:
    """Return the lemma that says of each subinterval of several lemmas what its lemma says."""
    statements = {s: lemma.statement(s) for lemma in lemmas for s in lemma.over}
    return _from_statements(name, lemmas[0].traced, statements, lemmas[0].series)


@dataclass(frozen=True)
class Refinement:
    """The lemmas of a function that is called after a kernel and refines its results."""

    traced: Traced
    function: str

    def lemma(self, name: str, over: Sequence[Subinterval], assume: Assumptions, claim: Claiming, **more: Any) -> Lemma:
        """Return a lemma of the function."""
        second = frozenset({self.function})
        return Lemma(name, self.traced, tuple(over), assume, claim, refines=True, second_functions=second, **more)

    @property
    def results(self) -> Sequence[str]:
        """The names of the results that the function is given."""
        return RESULTS[len(self.traced.program.outputs)]

    def unchanged(self, *groups: tuple[str, ...], name: str = "unchanged") -> Lemma:
        """Return the lemma that results stay the same where all conditions of a group are false."""
        same = tuple((f"new_{result}", result) for result in self.results)
        return self.same(name, {group: (dict.fromkeys(group, False), same) for group in groups})

    def same(self, name: str, cases: Cases) -> Lemma:
        """Return the lemma that values are other values, or numbers, under conditions; ``cases``: both by a key."""

        def claim(v: Values, s: Subinterval) -> Claims:
            return [
                Same(name, other) if isinstance(other, str) else near(getattr(v, name), term(other), 0)
                for name, other in cases[s.of][1]
            ]

        return self.lemma(name, [terms.at(of=key) for key in cases], lambda s: cases[s.of][0], claim)

    def meaning(self, formulas: Formulas, name: str = "meaning") -> Lemma:
        """Return the lemma that values are computed by these operations."""
        over = [terms.at(of=value) for value in formulas]
        return self.lemma(name, over, {}, lambda _v, s: Formula(s.of, formulas[s.of]))

    def exactly(self, v: Values, value: Any, power: int = 0) -> Claims:
        """Return the claims that the new results are ``value`` 2^(power q), with a bound of 0."""
        found = sum((getattr(v, f"new_{part}") for part in self.results if part in {"value", "hi", "lo"}), term(0))
        return [Bounded(found - value, term(0), power=power), near(v.new_err, term(0), 0)]


def binades(low: float, high: float, *, signs: bool = False, **parameters: Any) -> Iterator[Subinterval]:
    """Yield 0 < low .. high cut at powers of two; with ``signs``, each piece also mirrored, told apart by ``sign``."""
    start, last = low, math.frexp(high)[1]
    while start < high:
        exponent = math.frexp(start)[1]
        end = math.ldexp(1.0, exponent) if exponent < last else high
        if signs:
            yield terms.at(start, end, sign="+", **parameters)
            yield terms.at(-end, -start, sign="-", **parameters)
        else:
            yield terms.at(start, end, **parameters)
        start = end


def mirrored(over: Iterable[Subinterval]) -> Iterator[Subinterval]:
    """Yield subintervals, each followed by the one on the other side of zero."""
    for s in over:
        yield s
        yield replace(s, low=-s.high, high=-s.low)


def open_binades(low: float, high: float, bits: int = 53, **parameters: Any) -> Iterator[Subinterval]:
    """Yield binades of both signs, each without the power of two at its end, for numbers of so many bits."""
    for s in binades(low, high):
        last = s.high - max(math.ldexp(s.high, -bits), math.ulp(0.0))
        yield terms.at(s.low, last, sign="+", **parameters)
        yield terms.at(-last, -s.low, sign="-", **parameters)


def parts(low: float, high: float, count: int) -> Iterator[tuple[float, float]]:
    """Yield the ends of so many equal parts."""
    yield from pairwise([*(low + (high - low) * i / count for i in range(count)), high])


def eighths(low: float, high: float, **parameters: Any) -> Iterator[Subinterval]:
    """Yield the eighths of all binades from 0 < low to high, each also mirrored."""
    return mirrored(terms.at(*ends, **parameters) for s in binades(low, high) for ends in parts(s.low, s.high, 8))


def each(numbers: Iterable[int], name: str) -> list[Subinterval]:
    """Return a subinterval for every number, under that name, for lemmas without a variable."""
    return [terms.at(**{name: number}) for number in numbers]
