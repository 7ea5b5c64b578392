"""Double's asinh, acosh and atanh: a sum or quotient, its logarithm, and what follows.

f(x) = log w(x), or half of that. That the pair y + rest of the trace is w(x), but for a part of it, is proven for every
x; the logarithm of 2^k (m + m_lo) for every m at each place, every k, and every m_lo that is small enough; the kernel's
value for every x and every pair that is as near to log w(x) as that. Where x is large w is 2 x, and where f is near
zero the kernel is a polynomial, which is proven as it stands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import bits, fast_two_sum, from_bits, lesser, select, split, two_sum
from clmath.ir.program import Value
from clmath.kernels.double import inverse_hyperbolic as double
from clmath.kernels.double.inverse_hyperbolic import squared
from clmath.kernels.double.logarithm import LOWEST, log_at_pair, placed
from clmath.kernels.double.pairs import over_pair, square_root
from proofs.engine.execution import Execution, Power, Real, Whole
from proofs.engine.ideals import INVERSE, LOG, SQRT, applied
from proofs.engine.models import GREATEST, Cell, Model, Unproven, dyadic, lower, upper
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families import exponential, logarithm
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from clmath.ir.program import Kind

__all__ = ["NAMES", "double_parts"]

_DOUBLE = 53  # digits
_PLACES = 256
_BELOW_ONE, _ABOVE_ONE = 1.0 - 2.0**-53, 1.0 + 2.0**-52
_LEFT = 2.0**-51  # how large m_lo is at most
_REST = 2.0**-51.6  # of y, how large what is beside it is; no m is larger than 1.4036
_LEAST = 1.0019  # of y: f is above SMALL
_NEAR, _NEAR_OFF = 1.01, 0.75 * 2.0**-69  # where y is below that, how far its logarithm is, of its size
_OFF = 2.0**-78  # how far it is elsewhere
_LOWER = 2.0**-26  # how large the logarithm's second part is
_LAST_K = 60  # of y, where x is not large
_MOST_K = 1025  # of 2 x
_TOO_SMALL = 2.0**-60  # what f(x) is beside x below that is not looked at: x^2 is below 2^-120
_BESIDE = 0.3  # of a last place: what is no farther from a double rounds like something closer


def _finest(cell: Cell) -> int:
    """All doubles of a cell, which have one sign, are multiples of 2 to this power."""
    return exponential.grid(*(float(end.abs_lower()) for end in (cell.low, cell.high)), width=_DOUBLE)


@dataclass(frozen=True)
class Reach:
    """Arguments ``start`` + d, or - d where ``is_below``, d from ``low`` to ``high``.

    ``off``: how far y and what is beside it is from w there, of that.
    """

    low: float
    high: float
    off: float = 0.0
    start: float = 0.0
    is_below: bool = False

    def quarters(self) -> Iterator[tuple[float, float]]:
        """Arguments in binades of d, each in quarters, and powers of two by themselves."""
        for first, last in _quarters(self.low, self.high):
            yield self._ends(first, last)

    def binades(self) -> Iterator[tuple[float, float]]:
        """Arguments in binades of d."""
        for first, last in dyadic(self.low, self.high):
            yield self._ends(first, last)

    def _ends(self, first: float, last: float) -> tuple[float, float]:
        return (self.start - last, self.start - first) if self.is_below else (self.start + first, self.start + last)


@dataclass(frozen=True)
class Claimed:
    """What ``Family`` is told of a kernel.

    ``sum_of``: y, what is beside it, the encoding of which it is the logarithm, and whether x is large, if that
    matters; ``argument`` and ``ideal``: w and f; ``ordinary``: conditions of arguments that are neither special nor
    tiny, and what they are; ``small``: whether the kernel is a polynomial, and, perhaps, whether it is decided.
    ``sums`` and ``near_zero``: where x lies where it is not and where it is small, ``either``: where it may be both.
    """

    kernel: Callable[..., Any]
    parts: Callable[..., Any]
    argument: Callable[[Model], Model]
    ideal: Callable[[Model], Model]
    ordinary: Callable[..., Any]
    holds: tuple[bool, ...]
    small: Callable[..., Any]
    conditions: int
    sums: tuple[Reach, ...]
    large: bool
    near_zero: tuple[Reach, ...]
    either: tuple[float, float] | None = None
    is_odd: bool = True
    is_halved: bool = False
    terms: Callable[..., Any] | None = None


@dataclass(frozen=True)
class Family:
    """Where in the trace values stand, and what is ``claimed``.

    ``encoding``: that of y, or of 2 x; ``k``, ``j``, ``m`` and ``m_lo`` of it; ``logarithm``: the pair; ``sum``: y, and
    ``rest``, what is beside it; ``scale``: 2^-k. ``ordinary``: what conditions are; ``small``: where the polynomial is
    taken, and perhaps where it is decided.
    """

    traced: Traced
    claimed: Claimed
    encoding: int
    k: int
    j: int
    m: int
    m_lo: int
    logarithm: tuple[int, int]
    sum: int
    rest: int
    scale: int
    ordinary: Mapping[int, bool]
    small: tuple[int, ...]
    terms: tuple[int, int] | None
    heads: tuple[int, ...]
    found: tuple[int, int]

    def given(self, cell: Cell, *small: bool) -> dict[int, Any]:
        """The argument, that it is ordinary, and whether it is small, and decided."""
        x = Real(cell.argument(), _finest(cell))
        return {0: x, **self.ordinary, **dict(zip(self.small, small, strict=False))}

    def of_root(self, cell: Cell) -> dict[int, Any]:
        """The square root as the trace has it: what is unknown of it is squared, and taken off again.

        And the first parts of what is squared: a number that is known, where there is but one that they may be; of one
        argument each of two.
        """
        if self.terms is None:
            return {}
        of_root = self.terms[1]

        def evaluated(run: Execution, number: int) -> Real:
            return replace(run, given={n: one for n, one in run.given.items() if n != number}).real(Value(number))

        def root(run: Execution) -> Real:
            found = evaluated(run, of_root)
            cell.paired |= set(found.model.terms)
            return found

        def single(run: Execution, number: int) -> Real:
            found = replace(evaluated(run, number), step=number)
            one = run.alone(found)
            if cell.low == cell.high and one is found:
                run.divided(Whole(found))
            return one

        def head(number: int) -> Callable[[Execution], Real]:
            return lambda run: single(run, number)

        return {of_root: root, **{number: head(number) for number in self.heads}}

    def ordered(self, run: Execution, cell: Cell) -> Execution:
        """The same, knowing which of the root and the other term is the larger one: their order as rounded is the exact
        one, for the exact root is closer to the right side of the other, a double, than to the next one on the wrong
        side.
        """
        if self.terms is None:
            return run
        b, s = self.terms
        statement = run.program.statements[s - len(run.program.inputs)]
        (radicand,) = statement.operands
        above = applied(SQRT, run.real(radicand).model) - run.real(Value(b)).model
        is_point = cell.low == cell.high  # a power of two, perhaps: below it doubles are closer
        half = arb(2) ** (math.frexp(float(cell.low))[1] - _DOUBLE - 1 - is_point)
        if not (above.range() > -half if self.claimed.is_odd else above.range() < half):
            raise Unproven("the terms of the sum are in no order")
        first, second = (s, b) if self.claimed.is_odd else (b, s)
        return replace(run, decided={**run.decided, ("ordered", Value(first), Value(second)): True})

    def see_to_it(self, run: Execution, is_small: bool) -> None:
        """Unproven where the kernel does not see by itself that an argument is small, or that it is not."""
        either, cell = self.claimed.either, run.cell
        if either is None or (cell.low >= either[0] and cell.high <= either[1]):
            return
        (small,) = self.small
        found = replace(run, given={n: one for n, one in run.given.items() if n != small}).value(Value(small))
        if found is not is_small:
            raise Unproven("whether the kernel takes the polynomial is not as is said")

    def claim(self, run: Execution, ideal: Model) -> list[tuple[Model, float]]:
        """That the kernel's value is as near to ``ideal`` as it says, and that of -x to its negative."""
        if run.output(3) != 0:
            raise Unproven("the exponent is another")
        found = [enclosed(run, ideal, (0, 1), 2)]
        return [*found, enclosed(run.mirrored(), -ideal, (0, 1), 2)] if self.claimed.is_odd else found


@dataclass(frozen=True)
class Part(OfFamily):
    """A part of the proof."""

    family: Family

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Arguments, which are multiples of a power of two."""
        ends = float(low.abs_lower()), float(high.abs_lower())
        return Cell(*logarithm.on_grid(low, high, exponential.grid(*ends, width=_DOUBLE)))


@dataclass(frozen=True)
class Places(Part):
    """What is taken the logarithm of is 2^k m, m at its place: as that of other logarithms, by the encoding alone."""

    name: str = "places"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every place; and every k, by itself."""
        for j in range(_PLACES):
            yield ("normal", j), 0.0, 0.0
        for k in range(_LAST_K + 1):
            yield ("k", k), 0.0, 0.0

    def setting(self, which: Any, cell: Cell) -> Setting:
        """As there; or k is given, and 2^-k is what it is to be."""
        family, (kind, k) = self.family, which
        if kind == "normal":
            cut = family.k, family.j, family.m
            layout = logarithm.Layout(LOWEST, _PLACES, 44, _PLACES)
            whole = logarithm.Family(
                "", family.traced, layout, _DOUBLE, cut, (family.encoding,), {}, _one, (), in_one=False
            )
            return logarithm.Places(whole).setting(which, cell)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            away = run.real(Value(family.scale)).model - cell.constant(arb(2) ** -k)
            if away.p.length() or not away.off().is_zero():
                raise Unproven("2^-k is another")
            return [nothing(cell)]

        return Setting({family.k: k}, claims)


def _one() -> arb:
    return arb(1)


@dataclass(frozen=True)
class Sums(Part):
    """Y, and what is beside it, is w but for ``off`` of that; what is beside it is small; y is far enough from 1."""

    name: str = "sums"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Arguments that are neither small nor large, in quarters of binades, of distances from 1 next to that."""
        for i, reach in enumerate(self.family.claimed.sums):
            for first, last in reach.quarters():
                yield i, first, last

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family = self.family
        off = family.claimed.sums[which].off

        def claims(run: Execution) -> list[tuple[Model, float]]:
            ordered = family.ordered(run, cell)
            family.see_to_it(ordered, False)
            y, rest = (ordered.real(Value(number)).model for number in (family.sum, family.rest))
            exact = family.claimed.argument(cell.argument())
            if not (y.range() > _LEAST and y.range() < 2.0**_LAST_K):
                raise Unproven("y is close to 1, or large")
            return [
                nothing(cell),
                (y + rest - exact, off * lower(exact.range())),
                (rest, _REST * lower(y.range())),
            ]

        return Setting({**family.given(cell, False, False), **family.of_root(cell)}, claims)


def _quarters(low: float, high: float) -> Iterator[tuple[float, float]]:
    """``low`` .. ``high`` in binades, each in quarters, and powers of two by themselves."""
    for first, last in dyadic(low, high):
        yield first, first
        inner = (first + (last - first) * i / 4 for i in range(1, 4))
        yield from pairwise((math.nextafter(first, last), *inner, math.nextafter(last, first)))
    yield high, high


@dataclass(frozen=True)
class Logarithm(Part):
    """log(2^k (m + m_lo)), as a pair that is not normalised."""

    name: str = "logarithm"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every place with k = 0, from ``_LEAST`` on, and with all other k."""
        layout = logarithm.Layout(LOWEST, _PLACES, 44, _PLACES)
        for place in range(_PLACES):
            low, high = layout.ends(place, _DOUBLE)
            yield ((1, _MOST_K), place), low, high
            ends = [end for end in (low, _LEAST, _NEAR, high) if max(low, _LEAST) <= end <= high]
            for first, last in pairwise(ends):
                yield ((0, 0), place), first, last

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of m."""
        return Cell(*logarithm.on_grid(low, high, -53 if low < 1 else -52))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """k, j, m and m_lo are given."""
        family, ((least, greatest), place) = self.family, which
        m, m_lo = cell.argument(), cell.unknown(_LEFT)
        cell.paired |= set(m_lo.terms)
        power = logarithm.between(cell, least, greatest)
        given = {
            family.k: Power(0, 1, power) if least < greatest else least,
            family.j: place,
            family.m: Real(m, -53 if cell.low < 1 else -52),
            family.m_lo: Real(m_lo, -400),
        }

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, lo = (run.real(Value(number)).model for number in family.logarithm)
            ideal = power.model.scaled(arb(2).log()) + applied(LOG, m + m_lo)
            off = min(_OFF, _NEAR_OFF * lower(ideal.range())) if greatest == 0 and cell.high <= _NEAR else _OFF
            return [nothing(cell), (hi + lo - ideal, off), (lo, _LOWER)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Values(Part):
    """The kernel's value for every pair that is as near to log w as was proven; where x is large, to log(2 x)."""

    name: str = "values"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """As sums; and what is large."""
        for i, reach in enumerate(self.family.claimed.sums):
            for first, last in reach.quarters():
                yield i, first, last
        if self.family.claimed.large:
            for low, high in dyadic(double.LARGE, GREATEST):
                yield "large", low, high

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument and the pair are given."""
        family, x = self.family, cell.argument()
        whole = x.scaled(2) if which == "large" else family.claimed.argument(x)
        exact = applied(LOG, whole)
        is_near = which != "large" and whole.range() < _NEAR * (1.0 - 2.0**-40)
        off = min(_OFF, _NEAR_OFF * upper(exact.range()) * 1.001) if is_near else _OFF
        of_sum = 0.0 if which == "large" else family.claimed.sums[which].off
        lo = cell.unknown(_LOWER)
        hi = exact + cell.unknown(off + 1.01 * of_sum) - lo
        given = family.given(cell, False, False)
        if family.claimed.is_halved:  # which is exact, but of subnormal numbers
            hi, lo = (model.scaled(arb(1) / 2).widened(arb(2) ** -1075) for model in (hi, lo))
        given |= {number: Real(model, -1074) for number, model in zip(family.found, (hi, lo), strict=True)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return family.claim(run, family.claimed.ideal(x))

        return Setting(given, claims)


@dataclass(frozen=True)
class NearZero(Part):
    """The kernel's value where it is a polynomial; where that is decided, that it is as close to x as the value is."""

    name: str = "near zero"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade; of the distance from 1, for acosh."""
        for reach in self.family.claimed.near_zero:
            for first, last in reach.binades():
                yield "decided" if reach.high == double.DECIDED else "small", first, last

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family, x = self.family, cell.argument()
        is_decided = which == "decided"

        def claims(run: Execution) -> list[tuple[Model, float]]:
            ideal = family.claimed.ideal(x)
            family.see_to_it(run, True)
            if not is_decided:
                return family.claim(run, ideal)
            return [nothing(cell), *self._beside(run, x, ideal - x), *self._beside(run.mirrored(), -x, x - ideal)]

        return Setting({**family.given(cell, True, is_decided), **family.of_root(cell)}, claims)

    def _beside(self, run: Execution, x: Model, exact: Model) -> list[tuple[Model, float]]:
        """That err is 0, and hi + lo on the same side of x as the value; both are closer to x than ``_BESIDE``."""
        hi, lo, err = (run.real_output(i).model for i in range(3))
        if err.p.length() or not err.off().is_zero() or run.output(3) != 0:
            raise Unproven("the result is another")
        both = hi + lo - x, exact
        if not (all(one.range() > 0 for one in both) or all(one.range() < 0 for one in both)):
            raise Unproven("the value may lie on the other side of x")
        last_place = math.ldexp(1.0, math.frexp(lower(x.range()))[1] - _DOUBLE)
        return [(one, _BESIDE * last_place) for one in both]


def _asinh(x: Model) -> Model:
    return applied(LOG, _sum_in_asinh(x))


def _sum_in_asinh(x: Model) -> Model:
    return x + applied(SQRT, x * x + x.cell.constant(1))


def _parts(x: Any, sum_of: Any) -> Any:
    y, rest, encoding, is_large = sum_of(x)
    k, j, m = placed(encoding)
    scale = from_bits((1023 - k) << 52)
    m_lo = rest * scale
    if is_large is not None:
        m_lo = select(is_large, 0.0, m_lo)
    return encoding, k, j, m, m_lo, *log_at_pair(k, j, m, m_lo), y, rest, scale


def _sum_of_atanh(x: Any) -> Any:
    a = abs(x)
    kept = select((a < 1.0) & ~(a < double.TINY), a, 0.5)
    y, y_lo = over_pair(*fast_two_sum(1.0, kept), *fast_two_sum(1.0, -kept))
    return y, y_lo, bits(y), None


def _parts_of_atanh(x: Any) -> Any:
    return _parts(x, _sum_of_atanh)


def _of_kept(a: Any, b: Any, b_lo: Any, x: Any) -> Any:
    y, y_lo = fast_two_sum(a, b)
    large = x > double.LARGE
    return y, y_lo + b_lo, select(large, bits(x) + (1 << 52), bits(y)), large


def _root_in_asinh(x: Any) -> Any:
    a = abs(x)
    kept = select((a < double.INFINITY) & ~(a < double.TINY), a, 1.0)
    b = lesser(kept, double.LARGE)
    square, rest = squared(b)
    z, z_lo = two_sum(square, 1.0)
    return b, *square_root(*fast_two_sum(z, z_lo + rest)), kept


def _sum_of_asinh(x: Any) -> Any:
    b, s, s_lo, kept = _root_in_asinh(x)
    return _of_kept(s, b, s_lo, kept)


def _terms_of_asinh(x: Any) -> Any:
    b, s, *_ = _root_in_asinh(x)
    return b, s, split(b)[0], split(s)[0]


def _terms_of_acosh(x: Any) -> Any:
    b, s, *_ = _root_in_acosh(x)
    return b, s, split(b - 1.0)[0], split(s)[0]


def _parts_of_asinh(x: Any) -> Any:
    return _parts(x, _sum_of_asinh)


def _root_in_acosh(x: Any) -> Any:
    kept = select((x > 1.0) & (x < double.INFINITY), x, 2.0)
    b = lesser(kept, double.LARGE)
    t = b - 1.0
    square, rest = squared(t)
    z, z_lo = two_sum(t + t, square)
    return b, *square_root(*fast_two_sum(z, z_lo + rest)), kept


def _sum_of_acosh(x: Any) -> Any:
    return _of_kept(*_root_in_acosh(x))


def _parts_of_acosh(x: Any) -> Any:
    return _parts(x, _sum_of_acosh)


def _sum_in_acosh(x: Model) -> Model:
    one = x.cell.constant(1)
    return x + applied(SQRT, (x - one) * (x + one))


def _acosh(x: Model) -> Model:
    return applied(LOG, _sum_in_acosh(x))


def _quotient(x: Model) -> Model:
    one = x.cell.constant(1)
    return (one + x) * applied(INVERSE, one - x)


def _atanh(x: Model) -> Model:
    return applied(LOG, _quotient(x)).scaled(arb(1) / 2)


def _ordinary_asinh(x: Any) -> Any:
    return abs(x) < double.TINY, abs(x) < double.INFINITY


def _ordinary_atanh(x: Any) -> Any:
    return abs(x) < double.TINY, abs(x) < 1.0, abs(x) == 1.0


def _ordinary_acosh(x: Any) -> Any:
    return x > 1.0, x < double.INFINITY, x == 1.0, x >= 1.0


def _small(x: Any) -> Any:
    return abs(x) < double.SMALL, abs(x) < double.DECIDED


def _small_acosh(x: Any) -> Any:
    return (_root_in_acosh(x)[1] < double.SMALL,)


_SMALL = Reach(_TOO_SMALL, double.DECIDED), Reach(double.DECIDED, double.SMALL)
# x - 1 where the root is about SMALL
_ABOUT_SMALL = 2.0**-19 * (1.0 - 2.0**-19), 2.0**-19
_CLAIMED = {
    "asinh": Claimed(
        double.asinh,
        _parts_of_asinh,
        _sum_in_asinh,
        _asinh,
        _ordinary_asinh,
        (False, True),
        _small,
        2,
        (Reach(double.SMALL, double.LARGE, 2.0**-78.3),),
        True,
        _SMALL,
        terms=_terms_of_asinh,
    ),
    "acosh": Claimed(
        double.acosh,
        _parts_of_acosh,
        _sum_in_acosh,
        _acosh,
        _ordinary_acosh,
        (True, True, False, True),
        _small_acosh,
        1,
        (
            Reach(_ABOUT_SMALL[0], 2.0**-10, 2.0**-90, 1.0),
            Reach(2.0**-10, 1.0, 2.0**-78.3, 1.0),
            Reach(2.0, double.LARGE, 2.0**-78.3),
        ),
        True,
        (Reach(2.0**-52, _ABOUT_SMALL[1], 0.0, 1.0),),
        (1.0 + _ABOUT_SMALL[0], 1.0 + _ABOUT_SMALL[1]),
        is_odd=False,
        terms=_terms_of_acosh,
    ),
    "atanh": Claimed(
        double.atanh,
        _parts_of_atanh,
        _quotient,
        _atanh,
        _ordinary_atanh,
        (False, True, False),
        _small,
        2,
        (Reach(double.SMALL, 0.5, 2.0**-99), Reach(2.0**-53, 0.5, 2.0**-99, 1.0, is_below=True)),
        False,
        _SMALL,
        is_halved=True,
    ),
}
NAMES = tuple(_CLAIMED)
_KINDS: tuple[Kind, ...] = ("long", "long", "long", *("double",) * 7)


def _halves_of_atanh(x: Any) -> Any:
    _, _, _, _, _, hi, lo, *_ = _parts_of_atanh(x)
    return 0.5 * hi, 0.5 * lo


def family_of(name: str) -> Family:
    """What is claimed of a kernel, and where."""
    claimed = _CLAIMED[name]
    whole = traced(claimed.kernel, ("double",), ("double", "double", "double", "long"))
    encoding, k, j, m, m_lo, hi, lo, y, rest, scale = whole.places(claimed.parts, *_KINDS)
    ordinary = whole.places(claimed.ordinary, *("bool",) * len(claimed.holds))  # type: ignore[arg-type]
    small = whole.places(claimed.small, *("bool",) * claimed.conditions)  # type: ignore[arg-type]
    found = () if claimed.terms is None else whole.places(claimed.terms, *("double",) * 4)
    first, second = whole.places(_halves_of_atanh, "double", "double") if claimed.is_halved else (hi, lo)
    halves = first, second
    return Family(
        whole,
        claimed,
        encoding,
        k,
        j,
        m,
        m_lo,
        (hi, lo),
        y,
        rest,
        scale,
        dict(zip(ordinary, claimed.holds, strict=True)),
        tuple(small),
        (found[0], found[1]) if found else None,
        tuple(found[2:]),
        halves,
    )


def double_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of double's kernels."""
    family = family_of(name)
    return Places(family), Sums(family), Logarithm(family), Values(family), NearZero(family)
