"""Second functions of double's tgamma: where log gamma is a piece, where there is none, and for factorials.

They consist of the functions that the kernel consists of: what is proven of those is not proven again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import bits, fast_two_sum, nearest, select
from clmath.ir.program import Value
from clmath.kernels.double import gamma as double
from clmath.kernels.double.exponential import GROWTH, reduced, scaled_exp
from clmath.kernels.double.gamma import denominator, from_integer, from_integer_modulo_2, signed
from clmath.kernels.double.log_gamma import SERIES, ahead_of, log_gamma_piece, sine
from clmath.kernels.double.pairs import over_pair
from proofs.engine.execution import Execution, Real, constant
from proofs.engine.models import GREATEST, Cell, Model, Unproven, dyadic
from proofs.engine.proof import OfFamily, Setting
from proofs.engine.traced import traced
from proofs.families.double_gamma import PIECE_FAR_ERROR, REACH, Divided, Gamma, Links, Reduction, Small, Values
from proofs.families.double_roots import Claims, Numbers
from proofs.families.kinds import BOOL, DOUBLE, ENCLOSURE, LONG, any_double
from proofs.families.refining import Never, Refining, Unchanged, said_of_integers
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["SECOND"]

_LOWEST = -15.0  # 1 - x is no more than 16 there


@dataclass(frozen=True)
class Ordinary(Gamma):
    """Where log gamma is a piece."""

    second_functions: frozenset[str] = frozenset({"ordinary_tgamma"})


@dataclass(frozen=True)
class Far(Divided):
    """Where gamma takes no logarithm: 1 is divided."""

    second_functions: frozenset[str] = frozenset({"far_tgamma"})


@dataclass(frozen=True)
class LinksOfOrdinary(Links):
    """The same for the arguments of which log gamma is a piece."""

    name: str = "links, ordinary"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Those of the kernel that lie there."""
        return (piece for piece in super().pieces() if _LOWEST <= piece[1] < SERIES and piece[2] <= SERIES)


@dataclass(frozen=True)
class ValuesOfOrdinary(Values):
    """The same with the error of pieces."""

    name: str = "values, ordinary"

    def _arguments(self) -> Iterator[tuple[float, float]]:
        """Both signs: the bound is the same for all sizes."""
        yield double.SMALL, SERIES
        yield _LOWEST, -double.SMALL

    @staticmethod
    def _off(cell: Cell) -> Model:
        """What is claimed of pieces."""
        return cell.constant(PIECE_FAR_ERROR)


def _parts_of_ordinary(x: Any) -> Any:
    r, n = from_integer(x)
    ahead, size = ahead_of(x), abs(x)
    hi, lo = log_gamma_piece(ahead, size)
    log, log_lo = select(x < 0.0, -hi, hi), select(x < 0.0, -lo, lo)
    rest, rest_lo, count = reduced(log)
    rest, rest_lo = fast_two_sum(rest, rest_lo + log_lo)
    power = scaled_exp(rest, rest_lo, count & 255)
    of_sine = signed(r, n)
    over = *power, *denominator(x, r, n)
    found = ahead, size, hi, lo, log, log_lo, rest, rest_lo, of_sine, *sine(of_sine), *power, *over, *over_pair(*over)
    return *found, count, x < 0.0


def _ordinary() -> Sequence[Any]:
    whole = traced(double.ordinary_tgamma, (DOUBLE,), ENCLOSURE)
    *found, count, below = whole.places(_parts_of_ordinary, *(DOUBLE,) * 19, LONG, BOOL)
    piece, log, rest, of_sine, power, over = (tuple(found[i:j]) for i, j in pairwise((0, 4, 6, 8, 11, 13, 19)))
    family = Ordinary(
        whole,
        over,
        plain=None,
        small=(),
        false=(),
        piece=piece,
        series=(),
        log=log,
        rest=(*rest, count),
        sine=of_sine,
        power=power,
        turns=(),
        is_piece=None,
        total=None,
        below=below,
    )
    return LinksOfOrdinary(family), Reduction(family, "reduction, ordinary"), ValuesOfOrdinary(family)


def _parts_of_far(x: Any) -> Any:
    small, vanishing = (abs(x) <= double.SMALL) & (x != 0.0), abs(x) < double.VANISHING
    divisor = select(small, x, 1.0) * select(vanishing, 2.0**600, 1.0)
    touching = (abs(x) < double.TOUCHING) & ((bits(divisor) & double.FRACTION) == 0)
    _, _, is_pole = from_integer_modulo_2(x)
    below = (x < double.BOTTOM) & ~is_pole
    by = select(small, divisor, 1.0)
    places = by, *over_pair(1.0, 0.0, by, 0.0)
    return *places, small, vanishing, touching, x == 0.0, is_pole, below, x > double.TOP


def _far() -> Sequence[Any]:
    whole = traced(double.far_tgamma, (DOUBLE,), ENCLOSURE)
    found = tuple(whole.places(_parts_of_far, *(DOUBLE,) * 3, *(BOOL,) * 7))
    family = Far(whole, found[:3], plain=None, small=found[3:6], false=found[6:])
    return (Small(family, "small, far"),)


_FACTORIALS = range(1, 24)  # of x - 1; that of 23 has 56 bits


def _condition(x: Any, *_: Any) -> Any:
    whole, _n = nearest(x)
    is_integer = whole == x
    return whole, is_integer, x >= 1.0, x <= 23.0, (x >= 1.0) & (x <= 23.0) & is_integer


@dataclass(frozen=True)
class Factorials(OfFamily):
    """The first part is gamma(x) where x is 1 .. 23, for every pair within the kernel's bound of it.

    For gamma(x) is a double, and the first part one that is less than a unit from it.
    """

    family: Refining
    name: str = "factorials"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every x, with the powers of two that leave about 1 to 2, and on both sides of those."""
        for x in _FACTORIALS:
            exact = math.factorial(x - 1)
            exponent = exact.bit_length() - 1
            grids = (-53, -52) if exact == 2**exponent else (-52,)
            yield from (((x, exponent, grid), 0.0, 0.0) for grid in grids)
            if exact == 2**exponent:
                yield from (((x, exponent - 1, grid + 1), 0.0, 0.0) for grid in grids)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but a place in the list."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and what the kernel returns: its second part is half a unit of the first at most."""
        at, (x, exponent, grid) = self.family.at, which
        exact = cell.constant(math.factorial(x - 1)).scaled(arb(2) ** -exponent)
        hi = exact + cell.unknown(2.0 ** (grid - 1)) + cell.unknown(_LARGEST)
        given: dict[int, Any] = {at["x"]: constant(cell, float(x)), at["hi"]: Real(hi, grid), at["exponent"]: exponent}

        def claims(run: Execution) -> Claims:
            found, lo, err = (run.real_output(i) for i in range(3))
            if run.output(3) != exponent:
                raise Unproven("the exponent is another")
            if found.grid < grid or math.factorial(x - 1) % 2 ** max(exponent + grid, 0):
                raise Unproven("what is returned may be finer, or the factorial is no double")
            return [nothing(cell), (found.model - exact, 0.99 * 2.0**grid), (lo.model, 0.0), (err.model, 0.0)]

        return Setting(given, claims)


_LARGEST = 2.01 * (double.GAMMA_LEAST + GROWTH * REACH**2)  # the kernel's bound of numbers up to 2.01 and x up to 28


def _factorials() -> Sequence[Any]:
    whole = traced(double.refined_tgamma, (DOUBLE, *ENCLOSURE), ENCLOSURE)
    names = "whole", "is integer", "at least 1", "at most 23", "factorial"
    at = dict(zip(names, whole.places(_condition, DOUBLE, *(BOOL,) * 4), strict=True))
    at |= {"x": 0, "hi": 1, "exponent": 4}
    family = Refining(whole, at, frozenset({"refined_tgamma"}), told=tuple(map(Value, range(1, 5))))
    first, last = float(_FACTORIALS[0]), float(_FACTORIALS[-1])
    below = [("below", -high, -low) for low, high in dyadic(2.0**-1074, GREATEST)]
    below += [("below", 0.0, 0.5), ("below", 0.5, math.nextafter(first, 0.0))]
    above = [("above", low, high) for low, high in dyadic(math.nextafter(last, math.inf), GREATEST)]
    return (
        Unchanged(family, [("factorial",)]),
        Numbers(family, "integers", [("x", float(n), n + 1.0) for n in _FACTORIALS[:-1]], -1074, said_of_integers),
        Never(family, "others", "x", "factorial", [*below, *above], any_double, ("at least 1", "at most 23")),
        Factorials(family),
    )


SECOND: dict[tuple[str, str], Callable[[str], Sequence[Any]]] = {
    ("double", "tgamma"): lambda _: (*_ordinary(), *_far(), *_factorials()),
}
