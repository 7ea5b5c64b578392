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
from clmath.kernels.double.angles import TINY, TWO_TURNS, WORDS, significand
from clmath.kernels.double.angles import steps_of as reduced
from clmath.kernels.double.near_zero import SMALL
from clmath.kernels.double.pairs import times_pair
from clmath.kernels.double.trigonometric import QUARTER
from clmath.kernels.fine import trigonometric as fine
from clmath.kernels.fine.trigonometric import STEP, series
from proofs.engine.distances import least_distance
from proofs.engine.execution import Execution, Real
from proofs.engine.models import Cell, Model, Unproven, lower, mirrored
from proofs.engine.proof import OfFamily, Setting
from proofs.engine.traced import Traced, traced
from proofs.families import double_angles, narrowed, narrowed_turns
from proofs.families.double_angles import BITS, steps_of
from proofs.families.floats import DOUBLE, doubles_between

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clmath.ir.program import Kind, Operand

__all__ = [
    "BESIDE",
    "LEAST_STEPS",
    "NAMES",
    "OFF_STEPS",
    "TOP",
    "ByWords",
    "DistanceOfSteps",
    "by_words",
    "by_words_of_told",
    "fine_parts",
    "summed",
]

_PRECISION = 300  # bits: whole turns that are taken off are as large as 2^64, and what is left is known to 2^-145
TOP = 0.5 * (1.0 + 2.0**-20)  # w in size
LEAST_STEPS = 2.0**-61.6  # the same, at least; where n is a multiple of a quarter turn, times pi/1024:
_LEAST_ANGLE = double_angles.LEAST * (1.0 - 2.0**-9)
_SINE_OF_LEAST = 1.0 - 2.0**-20  # less than the sine of any r, as a double, is of it
OFF_STEPS = 2.0**-144.4  # d
BESIDE = 2.0**-150  # how far the sine of r is off with that, besides what is relative


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
class Angles(narrowed_turns.Turned):
    """A kernel of x: as in ``OfWords``."""

    summands: tuple[int, ...]
    taken: int
    significand: tuple[int, ...]


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


@dataclass(frozen=True)
class Tails(narrowed_turns.OfTails):
    """Of r = w pi/1024, by the parts of w."""

    family: Angles

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade, both signs."""
        yield from mirrored(LEAST_STEPS, TOP)

    def given(self, which: Any, cell: Cell) -> dict[int, Any]:
        """All parts."""
        return summed(self.family.summands, cell.argument())


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


def by_words_of_told(*args: Any) -> Any:
    """The same of hi, where a kernel is told hi, lo, err and an exponent last."""
    return by_words(args[-4])


def _tails(x: Any, *_: Any) -> Any:
    f, f_lo, _ = reduced(x)
    return series(*times_pair(f, f_lo, *STEP))


# what is enclosed
_CLAIMED: dict[str, tuple[Callable[..., Any], Callable[[Model, Model], Model]]] = {
    "sin": (fine.sin, narrowed_turns.sine),
    "cos": (fine.cos, narrowed_turns.cosine),
    "tan": (fine.tan, narrowed_turns.tangent),
}
# double's kernels that tell it: how many results they have, and the first output of the one that is told
_TOLD_BY: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "sin": {"sin": (1, 0), "sincos": (2, 0)},
    "cos": {"cos": (1, 0), "sincos": (2, 4)},
    "tan": {"tan": (1, 0)},
}
NAMES = tuple(_CLAIMED)
_DOUBLES: tuple[Kind, ...] = ("double",) * 8
_PARTS: tuple[Kind, ...] = ("double", "double", "double", "long")


_CONDITIONS: Mapping[str, Callable[[Any], Any]] = {
    "tiny": lambda x: (abs(x) < TINY,),
    "small": lambda x: (abs(x) < SMALL,),
    "finite": lambda x: (abs(x) < double.INFINITY,),
}


def _check_told(family: Angles) -> None:
    """LookupError where an exponent may be told, or a bound that is not 0 of what is not proven here.

    By the double kernel, that of ordinary arguments, and those of sine and cosine at once: exact results are kept, and
    so are infinities and NaN.
    """
    if not _is_zero(family.traced, family.own.exponent, {}):
        raise LookupError("the kernel's own enclosure has an exponent")
    for kernel, results, first, is_any in _telling(family.name):
        there = traced(kernel, ("double",), _PARTS * results)
        err, exponent = (there.program.outputs[first + i][1] for i in (2, 3))
        special = [{"tiny": True, "finite": True}, *([{"finite": False}] if is_any else [])]
        if not (_is_zero(there, exponent, {"small": False}) and all(_is_zero(there, err, one) for one in special)):
            raise LookupError("a special argument may be told with a bound, or another one with an exponent")


def _telling(name: str) -> Iterator[tuple[Callable[..., Any], int, int, bool]]:
    """Double's kernels, how many results they have, the first output of that of the name, and whether of any x."""
    for kernel, where in _TOLD_BY[name].items():
        yield getattr(double, kernel), *where, True
        yield getattr(double, f"ordinary_{kernel}"), *where, False


def _is_zero(whole: Traced, operand: Operand, known: Mapping[str, bool]) -> bool:
    """Whether a value is 0 where that is known of the argument."""
    conditions: dict[int, bool] = {}
    for condition, holds in known.items():
        *_, wanted = traced(_CONDITIONS[condition], ("double",), ("bool",)).names
        conditions |= {number: holds for number, found in enumerate(whole.names) if found == wanted}
    return whole.named(operand, whole.names_where(conditions)) in {"double 0", "long 0"}


def fine_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of fine's kernels."""
    kernel, value = _CLAIMED[name]
    whole = narrowed.fine_trace(kernel)
    *summands, taken, m, n = whole.places(by_words, *_DOUBLES, "long")
    sine, sine_lo, bend, bend_lo = whole.places(_tails, *_DOUBLES[:4])
    family = Angles(
        name=name,
        traced=whole,
        n=n,
        tails=(sine, sine_lo, bend, bend_lo),
        special=(),
        own=narrowed.own_of(whole),
        value=value,
        exact=QUARTER,
        smallest=_LEAST_ANGLE * _SINE_OF_LEAST,
        beside=(BESIDE, 0.0),
        grid=narrowed_turns.SINE_GRID,
        summands=tuple(summands),
        taken=taken,
        significand=(*whole.places(double_angles.encoded, "long", "long", "long"), m),
    )
    _check_told(family)
    first = double_angles.Significand(family), ByWords(family)
    distances = DistanceOfSteps(family), double_angles.Distance(family)
    return *first, *distances, Tails(family), narrowed_turns.At(family)
