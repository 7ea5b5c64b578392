"""What refines double's sines, cosines and tangents: the peaks, and what is close to zeros and to poles.

A peak is 1 or -1 but for less than 2^-61, and only exact where the kernel tells no bound: everywhere else it lies
strictly between 1 and its neighbour, and their midpoint, as 1 - 2^-80 does. That sin x and cos x, x a double but 0,
are never 1 or -1 is Lambert's theorem; of turns it is shown that no bound is told where they are.

Close to a zero x is a multiple of pi and w steps, |w| <= 1/2, for |sin x|, |cos x| or |tan x| is less than 2^-28 and
those of other steps are not; and where |tan x| is more than 2^28 it is that from a pole. w is found with four words of
1024/pi, as in fine kernels. The sign is that of the kernel's own result, whose bound is less than the result is: no
double is closer to a multiple of pi/2 than 2^-61.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import SIGN, bits, fast_two_sum, nearest, select, take, two_product
from clmath.ir.program import Value
from clmath.kernels.double import trigonometric as double
from clmath.kernels.double.angles import (
    REDUCTION,
    TWO_TURNS,
    WORDS,
    angle,
    angle_from_zero,
    significand,
    steps_of,
)
from clmath.kernels.double.trigonometric import BOUND, CLOSE
from proofs.accurate.half_turns import LEMMAS
from proofs.accurate.trigonometric import found_at
from proofs.engine.execution import Execution, Real, Residue, constant
from proofs.engine.ideals import COS, INVERSE, SIN, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families import double_angles, narrowed_angles
from proofs.families.double_roots import Claims, Family, Numbers
from proofs.families.kinds import BOOL, DOUBLE, ENCLOSURE, LONG, any_double, of_both_signs
from proofs.families.narrowed_angles import LEAST_STEPS, OFF_STEPS, by_words
from proofs.families.refining import ZERO, Meaning, Never, Refining, Unchanged
from proofs.families.refining import double as constant_of
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


__all__ = ["SECOND"]

_TOLD = tuple(map(Value, range(1, 5)))
_PEAK = 2.0**-61  # what is as close to 1 as that is a peak: no farther than 2^-60 from 1 - 2^-80
_BESIDE_PEAK = 2.0**-80
_MOST = 2.0**-62  # a bound is no larger


# peaks


def _peak(_x: Any, hi: Any, lo: Any, err: Any, *_: Any) -> Any:
    one, near = abs(hi) == 1.0, abs(lo) < _PEAK
    return one, near, err > 0.0, one & near & (err > 0.0)


_PEAKS = ("one", "near", "open", "peak")


def _said_of_peak(_: Family, which: int, cell: Cell) -> Any:
    """What is returned there, with the exponent that is told: 0, for the kernel has another where it tells no bound."""

    def claims(run: Execution, value: Callable[[str], Real]) -> Claims:  # noqa: ARG001 - outputs are asked for
        hi, lo, err = (run.real_output(i).model for i in range(3))
        if run.program.outputs[3][1] != Value(4):
            raise Unproven("the exponent is another")
        one = cell.constant(which)
        return [nothing(cell), (hi - one, 0.0), (lo + one.scaled(_BESIDE_PEAK), 0.0), (err, 0.0)]

    return {"hi": constant(cell, float(which)), "peak": True}, claims


def _peaks(family: Refining) -> tuple[Any, ...]:
    meaning = {"one": ("double.eq", ("double.abs", "hi"), constant_of(1.0)), "open": ("double.gt", "err", ZERO)}
    return (
        Meaning(family, meaning, "meaning of peaks"),
        Numbers(family, "peaks", [(1, 0.0, 0.0), (-1, 0.0, 0.0)], 0, _said_of_peak),
        Never(family, "no peaks", "lo", "near", of_both_signs(_PEAK * (1.0 + 2.0**-20), 1.0), any_double),
    )


@dataclass(frozen=True)
class Beside:
    """What finds the kernel's values, where it is for what refines its results."""

    traced: Traced
    refines: bool = True


@dataclass(frozen=True)
class Bounds(OfFamily):
    """What finds sines tells bounds that are small next to peaks; at a peak of turns, where f = 0, it tells none."""

    name: str = "bounds"
    of_turns: bool = False

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Steps next to which sines are 1 or -1, and every rest; the peaks themselves."""
        top = 0.5 * (1.0 + 2.0**-20)
        for n in (double.QUARTER, double.QUARTER + double.HALF_TURN):
            yield n, -top, top
            if self.of_turns:
                yield n, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of what is left."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The rest is given, and the steps."""
        first = len(self.traced.program.inputs) - 2
        f, n = Real(cell.argument(), -1074), Residue(which, double_angles.TURN)
        given: dict[int, Any] = {first: f, first + 1: n}
        if not self.of_turns:
            angle = cell.argument().scaled(arb.pi() / double.HALF_TURN * (1 + arb(2) ** -30))
            error = Real(cell.constant(REDUCTION), -1074)
            given = {0: Real(angle, -1074), 1: Real(cell.unknown(2.0**-60), -1074), 2: n, 3: error}
        is_peak = self.of_turns and cell.low.is_zero() and cell.high.is_zero()

        def claims(run: Execution) -> list[tuple[Model, float]]:
            errs = [run.real_output(i).model for i in range(2, len(run.program.outputs), 3)]
            return [nothing(cell), *((err, 0.0 if is_peak else _MOST) for err in errs)]

        return Setting(given, claims)


# close to a zero


@dataclass(frozen=True)
class Angles(Refining):
    """Where the parts of w stand, whole turns, the significand, and n as a double."""

    summands: tuple[int, ...] = ()
    taken: int = 0
    n: int = 0
    significand: tuple[int, ...] = ()


@dataclass(frozen=True)
class ByWords(narrowed_angles.ByWords):
    """The same where n stands as a double."""

    def steps(self, run: Execution) -> Model:
        """What n is."""
        found = run.real(Value(self.family.n))
        if found.grid < 0:
            raise Unproven("n may be no integer")
        return found.model


@dataclass(frozen=True)
class Close(OfFamily):
    """The value for w steps from a zero, or a pole, both signs of hi, is within the bound that is told.

    ``value``: what it is for so much of an angle. ``condition`` is what tells that hi is close.
    """

    family: Angles
    name: str
    condition: str
    value: Callable[[Model], Model]

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of w, both signs, with both signs of hi."""
        for low, high in dyadic(LEAST_STEPS, _FARTHEST):
            for sign in (0, SIGN):
                yield sign, low, high
                yield sign, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of w."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The parts of w are given, and whether r changes its sign."""
        family, w, at = self.family, cell.argument(), self.family.at
        given = narrowed_angles.summed(family.summands, w)
        others = dict.fromkeys(("close", "far"), False) | {self.condition: True}
        given |= {at[name]: holds for name, holds in others.items() if name in at}
        given[at["sign"]] = which
        angle = (w + cell.unknown(OFF_STEPS)).scaled(arb.pi() / double.HALF_TURN)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.program.outputs[3][1] != Value(4):
                raise Unproven("the exponent is another")
            return [enclosed(run, self.value(-angle if which else angle), (0, 1), 2)]

        return Setting(given, claims)


_FARTHEST = 2.0**-18.5  # more steps than an angle of 2^-27.5 has


def _sine(angle: Model) -> Model:
    return applied(SIN, angle)


def _tangent(angle: Model) -> Model:
    return applied(SIN, angle) * applied(INVERSE, applied(COS, angle))


def _cotangent(angle: Model) -> Model:
    return applied(COS, angle) * applied(INVERSE, applied(SIN, angle))


def _words(x: Any, *_: Any) -> Any:
    *parts, m, _ = by_words(x)
    return *parts, m


def _sign(x: Any, hi: Any, *_: Any) -> Any:
    """Whether the angle changes its sign, and n."""
    f, f_lo, _ = steps_of(x)
    r, _ = angle(f, f_lo)
    return (bits(r) ^ bits(hi)) & SIGN


def _steps(x: Any, *_: Any) -> Any:
    """N as a double."""
    m, row = significand(x)
    p, p_lo = two_product(m, take(WORDS, row))
    first = (p - ((p + TWO_TURNS) - TWO_TURNS)) + p_lo
    return nearest(first + m * 2.0**-52 * take(WORDS, row + 52))[0]


def _close(x: Any, hi: Any, lo: Any, err: Any, _exponent: Any) -> Any:
    close = (abs(hi) < CLOSE) & (err > 0.0)
    r, r_lo = angle_from_zero(x, hi)
    near, near_lo = fast_two_sum(r, r_lo - r * r * r * (1.0 / 6.0))
    found = select(close, near, hi), select(close, near_lo, lo), select(close, abs(near) * BOUND, err)
    return abs(hi) < CLOSE, err > 0.0, close, *found, *_peak(x, *found)


def _close_or_far(_x: Any, hi: Any, _lo: Any, err: Any, _exponent: Any) -> Any:
    size, bounded = abs(hi), err > 0.0
    small, large = size < CLOSE, size > 1.0 / CLOSE
    return small, large, bounded, small & bounded, large & bounded


def _of_turns(name: str) -> Sequence[Any]:
    whole = traced(double.refined_sine_of_turns, (DOUBLE, *ENCLOSURE), ENCLOSURE)
    at = dict(zip(_PEAKS, whole.places(_peak, *(BOOL,) * 4), strict=True)) | {"hi": 1, "lo": 2, "err": 3}
    family = Refining(whole, at, frozenset({"refined_sine_of_turns"}), told=_TOLD)
    *_, value = LEMMAS[name](name)
    return (
        Unchanged(family, [(one,) for one in _PEAKS[:3]]),
        *_peaks(family),
        Bounds(Beside(value.traced), of_turns=True),
    )


def _by_words(function: Callable[..., Any], at: Callable[[Traced], dict[str, int]]) -> Angles:
    """The function, and how it reduces x."""
    whole = traced(function, (DOUBLE, *ENCLOSURE), ENCLOSURE)
    *summands, taken, m = whole.places(_words, *(DOUBLE,) * 8)
    (n,) = whole.places(_steps, DOUBLE)
    (sign,) = whole.places(_sign, LONG)
    encoded = (*whole.places(double_angles.encoded, LONG, LONG, LONG), m)
    names = frozenset({function.__name__})
    return Angles(whole, at(whole) | {"sign": sign}, names, True, _TOLD, tuple(summands), taken, n, encoded)


def _reduced(family: Angles) -> tuple[Any, ...]:
    return (
        double_angles.Significand(family, "significand, refined"),
        ByWords(family, "reduction, refined"),
        narrowed_angles.DistanceOfSteps(family),
    )


def _places_of_sine(whole: Traced) -> dict[str, int]:
    names = "small", "bounded", "close", "hi", "lo", "err", *_PEAKS
    places = whole.places(_close, *(BOOL,) * 3, *(DOUBLE,) * 3, *(BOOL,) * 4)
    return dict(zip(names, places, strict=True)) | {"told hi": 1}


def _places_of_tangent(whole: Traced) -> dict[str, int]:
    names = "small", "large", "bounded", "close", "far"
    return dict(zip(names, whole.places(_close_or_far, *(BOOL,) * 5), strict=True)) | {"told hi": 1}


def _of_sine(name: str) -> Sequence[Any]:
    family = _by_words(double.refined_sine, _places_of_sine)
    needed = [(one, other) for one in ("small", "bounded") for other in _PEAKS[:3]]
    return (
        Unchanged(family, needed),
        *_reduced(family),
        Never(family, "not close", "told hi", "small", of_both_signs(2.0**-27.9, 2.0**64), any_double),
        Close(family, "close", "close", _sine),
        *_peaks(family),
        Bounds(Beside(found_at(name)), of_turns=False),
    )


def _of_tangent(_: str) -> Sequence[Any]:
    family = _by_words(double.refined_tangent, _places_of_tangent)
    far = [(0, 0.0, 0.0), *of_both_signs(2.0**-100, 2.0**27.9)]
    return (
        Unchanged(family, [("small", "large"), ("bounded",)]),
        *_reduced(family),
        Never(family, "not close", "told hi", "small", of_both_signs(2.0**-27.9, 2.0**64), any_double),
        Never(family, "not far", "told hi", "large", far, any_double),
        Close(family, "close", "close", _tangent),
        Close(family, "far", "far", _cotangent),
    )


SECOND: dict[tuple[str, str], Callable[[str], Sequence[Any]]] = {
    **dict.fromkeys([("double", name) for name in ("sinpi", "cospi")], _of_turns),
    **dict.fromkeys([("double", name) for name in ("sin", "cos", "sincos")], _of_sine),
    ("double", "tan"): _of_tangent,
}
