"""Fine's sin, cos and tan: the double kernels' reduction with two words of 1024/pi more, then the steps of turns.

1024 x/pi is n + w (mod 2048) but for d, where w is the exact sum of six values of the trace, for all doubles of a
binade at once. No double is so close to a multiple of a step that |w| is small. Sines and cosines of r = w pi/1024 as
pairs, and the kernel's value by these at every step, are what ``narrowed_turns`` has, with d beside the sine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from flint import arb, ctx

from clmath.ir.lanes import nearest, take, two_product
from clmath.ir.program import Value
from clmath.kernels.double import trigonometric as double
from clmath.kernels.double.angles import TWO_TURNS, WORDS, significand
from proofs.engine.distances import least_distance
from proofs.engine.execution import Execution, Real
from proofs.engine.models import Cell, Model, Unproven, lower
from proofs.engine.proof import OfFamily, Setting
from proofs.families import double_angles
from proofs.families.double_angles import BITS, steps_of
from proofs.families.floats import DOUBLE, doubles_between

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


__all__ = [
    "LEAST_STEPS",
    "OFF_STEPS",
    "TOP",
    "ByWords",
    "DistanceOfSteps",
    "by_words",
    "summed",
]

_PRECISION = 300  # bits: whole turns that are taken off are as large as 2^64, and what is left is known to 2^-145
TOP = 0.5 * (1.0 + 2.0**-20)  # w in size
LEAST_STEPS = 2.0**-61.6  # the same, at least; where n is a multiple of a quarter turn, times pi/1024:
OFF_STEPS = 2.0**-144.4  # d


@dataclass(frozen=True)
class Summand:
    """A part of w: how large it is at most, and of which power of two it is a multiple."""

    most: float
    grid: int


# whole steps less, the second word's product as a pair, the third one's, and the fourth's
SUMMANDS = (
    Summand(2.0**12, -41),
    Summand(2.0**11, -93),
    Summand(2.0**-42, -145),
    Summand(2.0**-41, -145),
    Summand(2.0**-94, -197),
    Summand(2.0**-93, -249),
)


class OfWords(double_angles.OfSignificand, Protocol):
    """A kernel that reduces by four words.

    Where the ``summands`` of w stand, the whole turns that are ``taken`` off, and n.
    """

    @property
    def summands(self) -> tuple[int, ...]:
        """Of w, six."""

    @property
    def taken(self) -> int:
        """A multiple of whole turns."""

    @property
    def n(self) -> int:
        """Steps."""


@dataclass(frozen=True)
class ByWords(OfFamily):
    """m 2^(e - 52) 1024/pi is n + w (mod 2048), to ``OFF_STEPS``, for every m; how large the parts of w are."""

    family: OfWords
    name: str = "reduction"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every exponent, both signs."""
        return double_angles.significands()

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of m."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The integer m and its row are given."""
        family, m = self.family, cell.argument()
        *_, row, value = family.significand
        place = double_angles.row_of(which)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            with ctx.workprec(_PRECISION):
                summands = [run.real(Value(number)) for number in family.summands]
                taken = run.real(Value(family.taken))
                if taken.grid < math.frexp(double_angles.TURN)[1] - 1:
                    raise Unproven("what is taken off may be finer than was said")
                if any(found.grid < said.grid for found, said in zip(summands, SUMMANDS, strict=True)):
                    raise Unproven("a part of what is left may be finer than was said")
                w = _total([found.model for found in summands])
                turns = m.scaled(steps_of(which - 52, float(WORDS[place])))
                left = turns - taken.model - self.steps(run) - w
                sizes = [(found.model, said.most) for found, said in zip(summands, SUMMANDS, strict=True)]
                return [(left, OFF_STEPS), (w, TOP), *sizes]

        return Setting({value: Real(m, 0), row: place}, claims)

    def steps(self, run: Execution) -> Model:
        """What n is."""
        return run.whole(Value(self.family.n))


def _total(models: Sequence[Model]) -> Model:
    """The sum."""
    total, *others = models
    for other in others:
        total += other
    return total


@dataclass(frozen=True)
class DistanceOfSteps(double_angles.Distance):
    """No double of a binade, from TINY on, is closer to a multiple of pi/1024 than ``LEAST_STEPS`` steps.

    Below 2^-10, which is less than half a step, the next multiple is 0.
    """

    name: str = "distance from steps"

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Nothing but the distance."""

        def claims(_: Execution) -> list[tuple[Model, float]]:
            wanted = cell.constant(LEAST_STEPS + OFF_STEPS)
            if which < -10:
                return [(wanted, math.ldexp(double.HALF_TURN / math.pi * (1.0 - 2.0**-40), which))]
            return [(wanted, lower(least_distance(steps_of(which - 52), 1 << DOUBLE, BITS)))]

        return Setting({}, claims)


def summed(summands: Sequence[int], w: Model) -> dict[int, Any]:
    """The parts of ``w``, the first one by what the others leave."""
    others = [w.cell.unknown(summand.most) for summand in SUMMANDS[1:]]
    models = w - _total(others), *others
    return {number: Real(model, said.grid) for number, model, said in zip(summands, models, SUMMANDS, strict=True)}


def by_words(x: Any, *_: Any) -> Any:
    """The parts of w; whole turns that are taken off, the significand, and n."""
    m, row = significand(x)
    p, p_lo = two_product(m, take(WORDS, row))
    taken = (p + TWO_TURNS) - TWO_TURNS
    first = (p - taken) + p_lo
    q, q_lo = two_product(m * 2.0**-52, take(WORDS, row + 52))
    whole, n = nearest(first + q)
    scaled, last = m * 2.0**-104, row + 104
    third, third_lo = two_product(scaled, take(WORDS, last))
    return first - whole, q, q_lo, third, third_lo, (scaled * 2.0**-52) * take(WORDS, last + 52), taken, m, n


# what is enclosed
# double's kernels that tell it: how many results they have, and the first output of the one that is told
