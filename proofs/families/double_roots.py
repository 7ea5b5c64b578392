"""What integers and values are, by name, in kernels and in functions that refine their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from clmath.ir.program import Value
from clmath.kernels.double.boundaries import ONE
from proofs.engine.execution import Execution, Real, Span
from proofs.engine.models import Cell, Model, Unproven
from proofs.engine.proof import OfFamily, Setting
from proofs.families.logarithm import on_grid
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from flint import arb

    from proofs.engine.traced import Traced


__all__ = ["Family", "Integers", "Numbers", "size_normalised"]

_BINADE = 1 << 52  # encodings in a binade
_SCALED = 1074  # subnormal numbers are taken 2^1074 times as large

Claims: TypeAlias = list[tuple[Model, float]]


@dataclass(frozen=True)
class Family:
    """A kernel, or what refines its results, and where in it values stand, by name.

    ``second_functions``: the names of what is no kernel; ``refines``: whether it is called after the kernel.
    """

    traced: Traced
    at: Mapping[str, int]
    second_functions: frozenset[str] = frozenset()
    refines: bool = False


@dataclass(frozen=True)
class Integers(OfFamily):
    """What integers are: ``cases`` tells for each of some numbers what is given and what is found, by their names."""

    family: Family
    name: str
    numbers: Sequence[Any]
    cases: Callable[[Any], Iterator[tuple[dict[str, Any], dict[str, Any]]]]

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All numbers."""
        for number in self.numbers:
            yield number, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but integers."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Integers are given, case by case."""
        at = self.family.at

        def claims(run: Execution) -> Claims:
            for given, expected in self.cases(which):
                numbers = {at[name]: value for name, value in given.items()}
                each = Execution(run.program, run.tables, run.shapes, cell, numbers)
                found = {name: each.value(Value(at[name])) for name in expected}
                if found != expected:
                    raise Unproven(f"from {given} follows {found}")
            return [nothing(cell)]

        return Setting({}, claims)


@dataclass(frozen=True)
class Numbers(OfFamily):
    """What values are: ``ends`` has pieces, of multiples of 2^``grid``, ``said`` what is given and claimed there."""

    family: Family
    name: str
    ends: Sequence[tuple[Any, float, float]]
    grid: int
    said: Callable[[Family, Any, Cell], tuple[dict[str, Any], Callable[[Execution, Callable[[str], Real]], Claims]]]

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """As they are."""
        yield from self.ends

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """The multiples."""
        return Cell(*on_grid(low, high, self.grid))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Values are given by name."""
        at = self.family.at
        given, claims = self.said(self.family, which, cell)

        def claimed(run: Execution) -> Claims:
            return claims(run, lambda name: run.real(Value(at[name])))

        return Setting({at[name]: value for name, value in given.items()}, claimed)


def size_normalised(_: Any) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Encodings of normal numbers stay; subnormal numbers x get the encoding of 2^1074 x, the exponent less by 1074."""
    any_exponent = Span(ONE, _BINADE, _BINADE)
    yield {"size": any_exponent, "tiny": False}, {"encoding": any_exponent}
    lowered = Span(ONE - (_SCALED << 52), _BINADE, _BINADE)
    yield {"scaled": any_exponent, "tiny": True}, {"encoding": lowered}
