"""Fine's log1p, asinh, acosh and atanh: a step of Newton's from the double kernel's logarithm l + l_lo of 1 + q.

The value is y + b, y = l + l_lo, and b no larger than the bound that the kernel is told: 1 + q = e^(y + b). The step is
(q - (e^y - 1))/(1 + q) = 1 - e^-b, which is called s here, and the value y - log(1 - s). So l alone is an argument, and
q what it has to be for every s: that q is what it should be is shown by itself. e^y - 1 is as in expm1.

Each part proves what the next one is given: that is written down once, in ``Contracts``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import (
    bits,
    clamp,
    fast_two_sum,
    from_bits,
    lesser,
    nearest,
    select,
    split,
    two_product,
    two_sum,
    two_to,
)
from clmath.ir.program import Value
from clmath.kernels.double import inverse_hyperbolic as double_hyperbolic
from clmath.kernels.double import logarithm as double
from clmath.kernels.double.exponential import STEPS_PER_E, TOP, reduced
from clmath.kernels.double.inverse_hyperbolic import ASINH_TAIL, ATANH_TAIL, SMALL, TINY, cubic, log_sum, squared
from clmath.kernels.double.logarithm import log1p_pair, log_at_pair, placed
from clmath.kernels.double.pairs import over_pair, plus, plus_pair, square_root, times_pair
from clmath.kernels.fine import inverse_hyperbolic as fine_hyperbolic
from clmath.kernels.fine import logarithm as fine
from clmath.kernels.fine.enclosures import with_sign_of
from clmath.kernels.fine.exponential import change_of_power, growth
from clmath.kernels.fine.inverse_hyperbolic import LARGE
from clmath.kernels.fine.logarithm import Q_BOUND
from proofs.accurate import inverse_hyperbolic
from proofs.engine.execution import Execution, Power, Real, constant
from proofs.engine.ideals import EXPM1, INVERSE, SQRT, applied
from proofs.engine.models import GREATEST, Cell, Model, Unproven, dyadic, lower, mirrored, upper
from proofs.engine.proof import OfFamily, Setting
from proofs.families import double_power, logarithm, narrowed
from proofs.families.floats import doubles_between, grid_of_doubles
from proofs.families.narrowed import STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clmath.ir.program import Kind
    from proofs.engine.traced import Traced

__all__ = ["CLAIMED", "CONTRACTS", "NAMES", "Rise", "Told", "fine_parts", "told"]

_NEAR, _CLOSE = 0.00136, 0.00135  # l up to which n may be, and is 0: half a step is 0.001354
_LARGEST = 711.0
_HIGHEST = 1026  # k
_LEAST_UNIT = 1000  # 2^-k is taken for 2^-1000 beyond
_GROUPS = *((k, k) for k in range(5)), (5, 6), (7, _HIGHEST)


@dataclass(frozen=True)
class Contracts:
    """What one part ensures and the next one requires.

    The bound that is told is no larger than ``told`` |l| and ``widest``; q is off by ``share`` of it, as is the pair q
    2^-k, whose second part is ``low`` of the first at most. r + r_lo is y - n ln(2)/256 but for ``off``, no larger than
    ``reach`` and ``reach_lo``; e^r - 1 is no larger than ``rise``, its second part than ``rise_lo``, and it is off by
    ``rise_off``. The step is s but for the bound of the change and ``beside`` of the bound that is told; the bound of
    the change is no larger than ``change`` |l|.
    """

    told: float = 2.0**-66.5
    widest: float = 2.0**-74.5
    share: float = Q_BOUND * (1.0 + 2.0**-5)
    low: float = 2.0**-52
    off: float = 2.0**-110
    reach: float = 0.00136
    reach_lo: float = 2.0**-61
    rise: float = 0.001362
    rise_lo: float = 2.0**-62
    rise_off: float = 2.0**-108.5
    beside: float = 2.0**-50
    change: float = 2.0**-90

    def most(self, size: float) -> float:
        """The bound that is told, at most, for |l| up to ``size``."""
        return min(self.told * size, self.widest) * (1.0 + 2.0**-50)


CONTRACTS = Contracts()


def _most_of_half(size: float) -> float:
    """The same where twice what is told is taken."""
    return CONTRACTS.most(2.0 * size) / 2.0


@dataclass(frozen=True)
class Family:
    """A logarithm of 1 + q, or half of one where ``factor`` is 1/2.

    Where values stand: ``l``: l and l_lo; ``square``: that of the bound that is told; ``q``, and that times 2^-k as
    ``top``; ``n`` and ``as_double``; ``integers``: k and n modulo 256; ``unit``: 2^-k; ``turned``: r; ``rise``: e^r -
    1; ``step``; ``change``: the bound of the change. ``own``: the kernel's own enclosure. ``negative``: whether x is
    less than zero, which changes the sign. ``large``: whether q is half of what is meant. ``least``: |l| at least.
    """

    name: str
    traced: Traced
    l: tuple[int, int]
    square: int
    q: tuple[int, int]
    top: tuple[int, int]
    n: int
    as_double: int
    integers: tuple[int, int]
    unit: int
    turned: tuple[int, int]
    rise: tuple[int, int]
    step: int
    change: int
    own: narrowed.Own
    negative: int
    large: int | None
    least: float
    factor: float

    def given_of_sign(self, sign: int) -> dict[int, Any]:
        """What is known of the conditions."""
        return {self.negative: sign < 0}


@dataclass(frozen=True)
class Part(OfFamily):
    """What all parts have."""

    family: Family


@dataclass(frozen=True)
class Reduction(Part):
    """L + l_lo is n ln(2)/256 and r + r_lo, nearly; n = 0 where l is next to 0."""

    name: str = "reduction"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of l."""
        for low, high in dyadic(self.family.least, _CLOSE):
            yield True, low, high
        for low, high in dyadic(_CLOSE, _LARGEST):
            yield False, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of l."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """L and l_lo are given."""
        family, l, l_lo = self.family, cell.argument(), _left_of(cell)
        given = {family.l[0]: Real(l, grid_of_doubles(cell.low, cell.high)), family.l[1]: Real(l_lo, -1074)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            n, as_double = run.whole(Value(family.n)), run.real(Value(family.as_double)).model
            if which:
                return [(n, 0.0), (as_double, 0.0)]
            r, r_lo = (run.real(Value(number)).model for number in family.turned)
            middle = cell.constant(STEPS * _HIGHEST / 2)
            return [
                (r + r_lo - (l + l_lo - n.scaled(arb(2).log() / STEPS)), CONTRACTS.off),
                (r, CONTRACTS.reach),
                (r_lo, CONTRACTS.reach_lo),
                (n - middle, STEPS * _HIGHEST / 2 + 0.5),
            ]

        return Setting(given, claims)


def _left_of(cell: Cell) -> Model:
    """What is left of a sum that lies in the cell: half a unit in its last place at most, 2^-53 of it."""
    return cell.unknown(upper(cell.place + cell.middle) * 2.0**-53)


@dataclass(frozen=True)
class Integers(narrowed.OfIntegers):
    """Of logarithms, which take 2^-k off."""

    family: Family

    def powers(self) -> range:
        """Every k."""
        return range(_HIGHEST + 1)

    def power(self, k: int) -> tuple[int, arb]:
        """2^-k, no less than the least."""
        return self.family.unit, arb(2) ** -min(k, _LEAST_UNIT)


@dataclass(frozen=True)
class Scaled(Part):
    """Q 2^-k, for every k and every q that it is of: cells of q, in which the first part is not rounded."""

    name: str = "scaled"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Each k with what q may be; where it is large, half of that."""
        for low, high in dyadic(self.family.least / 2.0, 1.01):
            yield (0, 0), low, high
        for k in range(1, _HIGHEST + 1):
            for twice in (0, 1) if self.family.large is not None and k > 58 else (0,):
                if k - twice <= 1024:
                    high = math.ldexp(2.02, k - twice) if k - twice < 1022 else GREATEST
                    yield (k, twice), math.ldexp(0.49, k - twice), high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of q."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Q and k are given."""
        family, (k, twice) = self.family, which
        q, q_lo = cell.argument(), cell.unknown(cell.high * CONTRACTS.low)
        given: dict[int, Any] = {family.integers[0]: k, family.q[1]: Real(q_lo, -1074)}
        given[family.q[0]] = Real(q, grid_of_doubles(cell.low, cell.high))
        if family.large is not None:
            given[family.large] = bool(twice)
        scale, size = arb(2) ** (twice - k), lower(cell.low)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            top, top_lo = (run.real(Value(number)).model for number in family.top)
            off = top + top_lo - (q + q_lo).scaled(scale)
            return [(off, float(scale.lower()) * size * Q_BOUND * 2.0**-5), (top - q.scaled(scale), 0.0)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Rise(OfFamily):
    """e^r - 1 as a pair, for all that a reduction leaves where n is not 0; its error is absolute.

    The family says where r and r_lo, ``turned``, and both parts of e^r - 1, ``rise``, stand.
    """

    name: str = "rise"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade, both signs, and what is next to 0 at once."""
        yield 0, -(2.0**-120), 2.0**-120
        yield from ((1, low, high) for _, low, high in mirrored(2.0**-120, CONTRACTS.reach))

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of r."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """R and r_lo are given."""
        family, r, r_lo = self.family, cell.argument(), cell.unknown(CONTRACTS.reach_lo)
        grid = grid_of_doubles(cell.low, cell.high) if which else -1074
        given = {family.turned[0]: Real(r, grid), family.turned[1]: Real(r_lo, -1074)}
        exact = applied(EXPM1, r + r_lo + cell.unknown(CONTRACTS.off))

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, lo = (run.real(Value(number)).model for number in family.rise)
            return [(hi + lo - exact, CONTRACTS.rise_off), (hi, CONTRACTS.rise), (lo, CONTRACTS.rise_lo)]

        return Setting(given, claims, divides=False)


@dataclass(frozen=True)
class Near(Part):
    """The step where n = 0."""

    name: str = "step near 0"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of l."""
        for low, high in dyadic(self.family.least, _NEAR):
            yield "", low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of l."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """L, l_lo, n = 0, k = 0 and q are given."""
        family, l, l_lo = self.family, cell.argument(), _left_of(cell)
        k, j = family.integers
        given: dict[int, Any] = {family.l[0]: Real(l, grid_of_doubles(cell.low, cell.high)), k: 0, j: 0}
        given |= {family.l[1]: Real(l_lo, -1074), family.n: 0, family.as_double: constant(cell, 0.0)}
        given[family.unit] = constant(cell, 1.0)
        size, most = lower(l.range()), CONTRACTS.most(upper(cell.high))
        s = cell.unknown(most)
        grown = applied(EXPM1, l + l_lo)
        less = (grown + s) * applied(INVERSE, cell.constant(1) - s)  # e^y/(1 - s) - 1
        return _setting_of_step(family, given, less, s, size)


@dataclass(frozen=True)
class Steep(Part):
    """The same where n is not 0, by e^r - 1, which n is made of."""

    name: str = "step"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All that e^r - 1 may be, at each entry of the table with each group of k."""
        for group in _GROUPS:
            for j in range(STEPS):
                if j or group != (0, 0):
                    yield (group, j), -CONTRACTS.rise, CONTRACTS.rise

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of e^r - 1, of its first part."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """e^r - 1, k, j, 2^-k and q are given."""
        family, (group, j) = self.family, which
        rise, rise_lo, one = cell.argument(), cell.unknown(CONTRACTS.rise_lo), cell.constant(1)
        k: Power | int = group[0] if group[0] == group[1] else Power()
        given: dict[int, Any] = {family.rise[0]: Real(rise, -1074), family.rise[1]: Real(rise_lo, -1074)}
        given |= dict(zip(family.integers, (k, j), strict=True))
        given[family.unit], unit = _unit(cell, group)
        s = cell.unknown(CONTRACTS.most(_LARGEST))
        power = (one + rise + rise_lo + cell.unknown(CONTRACTS.rise_off)).scaled(arb(2) ** (arb(j) / STEPS))
        less = power * applied(INVERSE, one - s) - unit
        size = 0.69 * group[0] + (j - 0.51) / STEPS * 0.69
        return _setting_of_step(family, given, less, s, size)


def _unit(cell: Cell, group: tuple[int, int]) -> tuple[Real, Model]:
    """2^-k in the trace, for any k of the group, and as it would be."""
    low, high = -min(group[1], _LEAST_UNIT), -group[0]
    ends = arb(2) ** low, arb(2) ** high
    model = cell.constant((ends[0] + ends[1]) / 2)
    if low < high:
        model += cell.unknown((ends[1] - ends[0]) / 2)
    return Real(model, low, 0, 1), model + cell.unknown(ends[0]) if group[1] > _LEAST_UNIT else model


def _setting_of_step(family: Family, given: dict[int, Any], less: Model, s: Model, size: float) -> Setting:
    """That the step is s, q 2^-k being ``less`` but for its own error; l is no smaller than ``size``."""
    cell = less.cell
    top_lo = cell.unknown(upper(less.range()) * CONTRACTS.low * (1.0 + 2.0**-20))
    top = less + less * cell.unknown(CONTRACTS.share) - top_lo
    grid = math.frexp(lower(top.range()))[1] - 53
    given |= {family.top[0]: Real(top, grid), family.top[1]: Real(top_lo, -1074)}
    most = upper(s.range())

    def claims(run: Execution) -> list[tuple[Model, float]]:
        step, change = (run.real(Value(number)).model for number in (family.step, family.change))
        if not change.range().lower() >= 0:
            raise Unproven("a bound may be negative")
        return [(step - s, lower(change.range()) + most * CONTRACTS.beside), (change, CONTRACTS.change * size)]

    return Setting(given, claims, divides=False)


@dataclass(frozen=True)
class Sums(Part):
    """The kernel's value for l, l_lo, the step, and the bound of the change, which is counted whole.

    What is claimed of it is y - log(1 - s): s^2/2 (1 + s) at most beyond y + s.
    """

    name: str = "sums"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of l, with each sign of x."""
        for sign in (1, -1):
            for low, high in dyadic(self.family.least, _LARGEST):
                yield sign, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of l."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What comes before is given."""
        family, l, l_lo = self.family, cell.argument(), _left_of(cell)
        size = upper(cell.high)
        told, half = CONTRACTS.most(size), CONTRACTS.change * size / 2
        change, square = cell.constant(half) + cell.unknown(half), cell.constant(told**2) + cell.unknown(told**2)
        step = cell.unknown(told + 2.0 * half + CONTRACTS.widest * CONTRACTS.beside)
        given: dict[int, Any] = {**family.own.given(), **family.given_of_sign(which)}
        given |= {family.l[0]: Real(l, grid_of_doubles(cell.low, cell.high)), family.l[1]: Real(l_lo, -1074)}
        given |= {family.step: Real(step, -1074), family.change: Real(change, -1074)}
        given[family.square] = Real(square, -1074)
        beside = CONTRACTS.beside * (told if size < _CLOSE else CONTRACTS.most(_LARGEST))
        counted = change + square.scaled(0.51) + cell.constant(beside)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            ideal = (l + l_lo + step).scaled(which * family.factor)
            return [family.own.within(run, ideal, counted.scaled(family.factor))]

        return Setting(given, claims)


@dataclass(frozen=True)
class Quotients(Part):
    """Q is what it should be, and a pair: of log1p x for negative x, where it is -x/(1 + x), and of atanh."""

    name: str = "quotients"
    of_half: bool = False

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of |x| and of 1 - |x|."""
        for low, high in dyadic(self.family.least / 4.0, 0.5):
            yield "", low, high
        for low, high in dyadic(2.0**-53, 0.5):
            yield "", 1.0 - high, 1.0 - low

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of |x|."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """X is given."""
        family, size = self.family, cell.argument()
        given: dict[int, Any] = {0: Real(size.scaled(-1), grid_of_doubles(cell.low, cell.high))}
        exact = size.scaled(2 if self.of_half else 1) * applied(INVERSE, cell.constant(1) - size)
        return Setting(given, lambda run: _claims_of_q(family, run, exact))


def _claims_of_q(family: Family, run: Execution, exact: Model) -> list[tuple[Model, float]]:
    """That it is as near to it as said, and its second part as small."""
    q, q_lo = (run.real(Value(number)).model for number in family.q)
    size = lower(q.range())
    return [(q + q_lo - exact, size * Q_BOUND), (q_lo, size * CONTRACTS.low)]


@dataclass(frozen=True)
class Itself(Part):
    """Q is x where that is positive, exactly, and has no second part: of log1p."""

    name: str = "itself"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades."""
        for low, high in dyadic(2.0**-60, GREATEST):
            yield "", low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of x."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """X is given."""
        family, x = self.family, cell.argument()

        def claims(run: Execution) -> list[tuple[Model, float]]:
            q, q_lo = (run.real(Value(number)).model for number in family.q)
            return [(q - x, 0.0), (q_lo, 0.0)]

        return Setting({0: Real(x, -200)}, claims)


@dataclass(frozen=True)
class ToldOf:
    """A part of the double kernel's proof, and where that kernel has hi and lo before signs and special values.

    The bound is no larger than ``most`` of the least that the value is.
    """

    traced: Traced
    part: Any
    pair: tuple[int, int]
    most: Callable[[float], float]


@dataclass(frozen=True)
class Told(OfFamily):
    """What the double kernel tells: a bound as small as said, lo that is left of the sum that hi is, no exponent.

    For all that a part of that kernel's proof speaks of, with what is given there.
    """

    family: ToldOf
    name: str = "told"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Those of the part."""
        yield from self.family.part.pieces()

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Those of the part."""
        found: Cell | None = self.family.part.cell(which, low, high)
        return found

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What the part is given."""
        family = self.family
        setting: Setting = family.part.setting(which, cell)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, _, err = (run.real_output(i).model for i in range(3))
            if run.output(3) != 0:
                raise Unproven("there is an exponent")
            if not upper(err.range()):
                return [(cell.constant(0), 0.0)]  # the fine kernel keeps what is exact
            double_power.check_rest(run, family.traced, family.pair)
            return [(err, family.most(lower(hi.range())))]

        return replace(setting, claims=claims)


@dataclass(frozen=True)
class Roots(Part):
    """Q is what it should be, and a pair: of asinh, a + a^2/(1 + sqrt(1 + a^2)), and of acosh, t + sqrt(t (t + 2)).

    Where x is large it is half of that, x - 1/2: sqrt(x^2 + 1) is x and less than 1/(2x), sqrt(x^2 - 1) less by 1/x.
    Cells are of |x|, or of t = x - 1.
    """

    name: str = "roots"
    is_next: bool = False
    root: tuple[int, int] = (0, 0)

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of t up to 1, of acosh, and of |x|; what is next to where x is large; and binades where it is."""
        close = LARGE * 2.0**-27
        for low, high in dyadic(2.0**-52, 1.0) if self.is_next else ():
            yield "next to 1", low, high
        for low, high in dyadic(2.0 if self.is_next else self.family.least / 2.0, LARGE - close):
            yield "usual", low, high
        yield "usual", LARGE - close, math.nextafter(LARGE, 0.0)
        yield "usual", LARGE, LARGE
        yield "large", math.nextafter(LARGE, math.inf), LARGE + close
        for low, high in dyadic(LARGE + close, GREATEST):
            yield "large", low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of |x|, or of t, which is a multiple of 2^-52."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """X is given."""
        family, one = self.family, cell.constant(1)
        x = cell.argument() + one if which == "next to 1" else cell.argument()
        grid = grid_of_doubles(cell.low, cell.high)
        given: dict[int, Any] = {0: Real(x, min(grid, -52) if which == "next to 1" else grid)}
        given |= self.rooted()
        if which == "large":
            exact = x - one.scaled(0.5) + cell.unknown(0.5 / cell.low)
        elif self.is_next:
            exact = x - one + applied(SQRT, (x - one) * (x + one))
        else:
            exact = x + x * x * applied(INVERSE, one + applied(SQRT, one + x * x))
        return Setting(given, lambda run: _claims_of_q(family, run, exact))

    def rooted(self) -> dict[int, Any]:
        """The root as the trace has it: what is unknown of it is squared, and taken off again; and its first half.

        That is a number that is known, where there is but one that it may be.
        """

        def evaluated(run: Execution, number: int) -> Real:
            return replace(run, given={n: one for n, one in run.given.items() if n != number}).real(Value(number))

        def root(run: Execution) -> Real:
            found = evaluated(run, self.root[0])
            run.cell.paired |= set(found.model.terms)
            return found

        def head(run: Execution) -> Real:
            return run.alone(evaluated(run, self.root[1]))

        return dict(zip(self.root, (root, head), strict=True))


# where values stand in traces


def _numbers(l: Any, l_lo: Any, l_err: Any, q: Any, twice: Any) -> Any:
    """All that ``Family`` says of ``fine.stepped``, in that order."""
    clamped = clamp(l, 0.0, TOP)
    whole, _ = nearest(clamped * STEPS_PER_E)
    rest, rest_lo, n = reduced(clamped)
    r, r_lo = plus_pair(l_lo, 0.0, rest, rest_lo)
    k = n >> 8
    unit = two_to(-lesser(k, 1000))
    m, m_lo, m_err = change_of_power(r, r_lo, n & 255, unit)
    first = k >> 1
    down, further = two_to(-first), two_to(first - k + twice)
    top, top_lo = q[0] * down * further, q[1] * down * further
    missed, _ = plus_pair(top, top_lo, -m, -m_lo)
    slope = 1.0 / (top + unit)
    doubles = (l, l_lo, l_err * l_err, *q, top, top_lo, whole, unit, r, r_lo, *growth(r, r_lo), missed * slope)
    return *doubles, (m_err + top * Q_BOUND) * (slope * 1.125), n, k, n & 255


_DOUBLES: tuple[Kind, ...] = ("double",) * 15
_INTEGERS: tuple[Kind, ...] = ("long",) * 3
_PARTS: tuple[Kind, ...] = ("double", "double", "double", "long")


def _of_log1p(x: Any, hi: Any, lo: Any, err: Any, _: Any) -> Any:
    size, size_lo = with_sign_of(x, hi, lo)
    under, under_lo = over_pair(-x, 0.0, *two_sum(1.0, x))
    negative = x < 0.0
    return _numbers(size, size_lo, err, (select(negative, under, x), select(negative, under_lo, 0.0)), 0)


def _of_asinh(x: Any, hi: Any, lo: Any, err: Any, _: Any) -> Any:
    size, size_lo = with_sign_of(x, hi, lo)
    a = abs(x)
    large = a > LARGE
    b = lesser(a, LARGE)
    z, z_lo = two_product(b, b)
    root, root_lo = fast_two_sum(*square_root(*plus(z, z_lo, 1.0)))
    part, part_lo = over_pair(z, z_lo, *plus(root, root_lo, 1.0))
    q, q_lo = plus(part, part_lo, b)
    return _numbers(size, size_lo, err, (select(large, a, q), select(large, -0.5, q_lo)), select(large, 1, 0))


def _of_acosh(x: Any, hi: Any, lo: Any, err: Any, _: Any) -> Any:
    size, size_lo = with_sign_of(x, hi, lo)
    large = x > LARGE
    b = clamp(x, 1.0, LARGE)
    t, t_lo = two_sum(b, -1.0)
    z, z_lo = times_pair(t, t_lo, *two_sum(b, 1.0))
    root, root_lo = fast_two_sum(*square_root(z, z_lo))
    q, q_lo = plus_pair(root, root_lo, t, t_lo)
    return _numbers(size, size_lo, err, (select(large, x, q), select(large, -0.5, q_lo)), select(large, 1, 0))


def _root_of_asinh(x: Any, *_: Any) -> Any:
    b = lesser(abs(x), LARGE)
    z, z_lo = two_product(b, b)
    root, _ = square_root(*plus(z, z_lo, 1.0))
    head, _ = split(root)
    return root, head


def _root_of_acosh(x: Any, *_: Any) -> Any:
    b = clamp(x, 1.0, LARGE)
    t, t_lo = two_sum(b, -1.0)
    root, _ = square_root(*times_pair(t, t_lo, *two_sum(b, 1.0)))
    head, _ = split(root)
    return root, head


def _of_atanh(x: Any, hi: Any, lo: Any, err: Any, _: Any) -> Any:
    size, size_lo = with_sign_of(x, hi, lo)
    a = abs(x)
    return _numbers(2.0 * size, 2.0 * size_lo, 2.0 * err, over_pair(a + a, 0.0, *two_sum(1.0, -a)), 0)


def _size_is_large(x: Any, *_: Any) -> Any:
    return (abs(x) > LARGE,)


def _is_large(x: Any, *_: Any) -> Any:
    return (x > LARGE,)


def _is_negative(x: Any, *_: Any) -> Any:
    return (x < 0.0,)


def _told_of_log1p(x: Any) -> Any:
    inside = (x > -1.0) & (x < double.INFINITY)
    return log1p_pair(select(inside & ~(abs(x) < double.TINY), x, 1.0), 0.0)


def _told_of_asinh(x: Any) -> Any:
    a = abs(x)
    kept = select((a < double.INFINITY) & ~(a < TINY), a, 1.0)
    b = lesser(kept, double_hyperbolic.LARGE)
    square, rest = squared(b)
    z, z_lo = two_sum(square, 1.0)
    s, s_lo = square_root(*fast_two_sum(z, z_lo + rest))
    return _told_of_odd(a, log_sum(s, b, s_lo, kept), cubic(b, ASINH_TAIL))


def _told_of_odd(a: Any, found: Any, near_zero: Any) -> Any:
    small = a < SMALL
    return fast_two_sum(select(small, a, found[0]), select(small, near_zero, found[1]))


def _told_of_acosh(x: Any) -> Any:
    kept = select((x > 1.0) & (x < double.INFINITY), x, 2.0)
    b = lesser(kept, double_hyperbolic.LARGE)
    t = b - 1.0
    square, rest = squared(t)
    z, z_lo = two_sum(t + t, square)
    s, s_lo = square_root(*fast_two_sum(z, z_lo + rest))
    found, small = log_sum(b, s, s_lo, kept), s < SMALL
    return fast_two_sum(select(small, s, found[0]), select(small, s_lo + cubic(s, ASINH_TAIL), found[1]))


def _told_of_atanh(x: Any) -> Any:
    a = abs(x)
    kept = select((a < 1.0) & ~(a < TINY), a, 0.5)
    y, y_lo = over_pair(*fast_two_sum(1.0, kept), *fast_two_sum(1.0, -kept))
    k, j, m = placed(bits(y))
    hi, lo = log_at_pair(k, j, m, y_lo * from_bits((1023 - k) << 52))
    return _told_of_odd(a, (0.5 * hi, 0.5 * lo), cubic(kept, ATANH_TAIL))


def told(
    parts: tuple[Any, ...],
    names: tuple[str, ...],
    pair: Callable[..., Any],
    most: Callable[[float], float] = CONTRACTS.most,
) -> Iterator[Told]:
    """What is told, by some parts of the double kernel's proof."""
    whole = parts[0].traced
    hi, lo = whole.places(pair, "double", "double")
    for part in parts:
        if part.name in names:
            yield Told(ToldOf(whole, part, (hi, lo), most), f"told, {part.name}")


@dataclass(frozen=True)
class Claimed:
    """What ``Family`` is told of a kernel; ``arguments``: the parts that speak of q; ``told``: of the double kernel."""

    kernel: Callable[..., Any]
    numbers: Callable[..., Any]
    arguments: Callable[[Family], tuple[Any, ...]]
    told: Callable[[], Iterator[Told]]
    least: float
    large: Callable[..., Any] | None = None
    factor: float = 1.0


def _arguments_of_log1p(family: Family) -> tuple[Any, ...]:
    return Itself(family), Quotients(family)


def _both(family: Family, function: Callable[..., Any]) -> tuple[int, int]:
    first, second = family.traced.places(function, "double", "double")
    return first, second


_OF_VALUES = "values", "near zero"
CLAIMED = {
    "log1p": Claimed(
        fine.log1p,
        _of_log1p,
        _arguments_of_log1p,
        lambda: told(logarithm.double_parts("log1p"), ("sum", "near"), _told_of_log1p),
        2.0**-60.5,
    ),
    "asinh": Claimed(
        fine_hyperbolic.asinh,
        _of_asinh,
        lambda family: (Roots(family, root=_both(family, _root_of_asinh)),),
        lambda: told(inverse_hyperbolic.LEMMAS["asinh"]("asinh"), _OF_VALUES, _told_of_asinh),
        2.0**-26.5,
        _size_is_large,
    ),
    "acosh": Claimed(
        fine_hyperbolic.acosh,
        _of_acosh,
        lambda family: (Roots(family, is_next=True, root=_both(family, _root_of_acosh)),),
        lambda: told(inverse_hyperbolic.LEMMAS["acosh"]("acosh"), _OF_VALUES, _told_of_acosh),
        2.0**-25.6,
        _is_large,
    ),
    "atanh": Claimed(
        fine_hyperbolic.atanh,
        _of_atanh,
        lambda family: (Quotients(family, of_half=True),),
        lambda: told(inverse_hyperbolic.LEMMAS["atanh"]("atanh"), _OF_VALUES, _told_of_atanh, _most_of_half),
        2.0**-25.5,
        factor=0.5,
    ),
}
NAMES = tuple(CLAIMED)


def fine_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of fine's kernels."""
    claimed = CLAIMED[name]
    whole = narrowed.fine_trace(claimed.kernel)
    numbers = whole.places(claimed.numbers, *_DOUBLES, *_INTEGERS)
    l, l_lo, square, q, q_lo, top, top_lo, as_double, unit, r, r_lo, rise, rise_lo, step, change, n, k, j = numbers
    (negative,) = whole.places(_is_negative, "bool")
    (large,) = whole.places(claimed.large, "bool") if claimed.large else (None,)
    family = Family(
        name,
        whole,
        (l, l_lo),
        square,
        (q, q_lo),
        (top, top_lo),
        n,
        as_double,
        (k, j),
        unit,
        (r, r_lo),
        (rise, rise_lo),
        step,
        change,
        narrowed.own_of(whole),
        negative,
        large,
        claimed.least,
        claimed.factor,
    )
    of_step = Reduction(family), Integers(family), Scaled(family), Rise(family), Near(family), Steep(family)
    return *claimed.told(), *claimed.arguments(family), *of_step, Sums(family)
