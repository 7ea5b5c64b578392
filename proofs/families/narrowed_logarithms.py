"""Fine's log, log2 and log10: log2 x of the double kernels' powers, a step of Newton's from there, and its product.

x = 2^k m, m in 1/sqrt(2) .. sqrt(2); l + l_lo is log2 x, as is proven with double's powers, and t + t_lo what is left
of it without k. With d = m 2^-(t + t_lo) - 1, which is small, log2 x is k + t + t_lo + log2(1 + d), exactly. Each part
proves what the next one is given: that is written down once, in ``Contracts``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import bits, fast_two_sum, from_bits, nearest, real, select, two_to
from clmath.ir.program import Value
from clmath.kernels.double import logarithm as double
from clmath.kernels.double.boundaries import LEAST_NORMAL, MANTISSA, ONE, magnitude, normalised
from clmath.kernels.double.pairs import plus, plus_pair, times
from clmath.kernels.double.power import log2_of
from clmath.kernels.fine import logarithm as fine
from clmath.kernels.fine.exponential import change_of_power, growth
from clmath.kernels.fine.power import LOG2_E, SQRT2, in_steps_of_two
from proofs.engine.execution import Execution, Real, Span, constant
from proofs.engine.ideals import EXP, EXPM1, INVERSE, LOG, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, lower, mirrored, upper
from proofs.engine.proof import OfFamily, Setting, least_of
from proofs.engine.traced import Traced, traced
from proofs.families import double_power, narrowed
from proofs.families.floats import doubles_between, grid_of_doubles
from proofs.families.kinds import ENCLOSURE, PAIR
from proofs.families.narrowed import STEPS
from proofs.families.power import check_grid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


__all__ = ["CLAIMED", "NAMES", "Sums", "family_of", "fine_parts", "parts_of_steps"]

_BINADE = 1 << 52  # encodings in a binade
_ONE = 1023 << 52  # the encoding of 1
_SCALED = 1074  # subnormal numbers are taken 2^1074 times as large
_KS = -1074, 1024  # of all doubles, for m in 1/sqrt(2) .. sqrt(2)
_HALF, _REACH = 0.5 + 2.0**-36, 0.5 + 2.0**-30  # how far l is from k at most; |t| at most
_CLOSE = 2.0**-27  # next to where conditions change pieces are short: the radius of a ball has 30 bits
_LEFT_OUT = 2.0**-139  # what bounds have for d^2 where k is not 0
_FARTHEST = _KS[1] + 51.0  # |l| at most
_LEFT_OVER = 0.0019532  # what is left of -t where n is not 0, at most
_RISE, _RISE_LO, _RISE_OFF, _RISE_GRID = 0.00136, 2.0**-62, 2.0**-109, -420
# of e^r - 1 there, as a pair: the first part, the second, how far they are off, at most; of which 2^g the first is a
# multiple


@dataclass(frozen=True)
class Contracts:
    """What one part ensures and the next one requires, as shares of |l|; t_lo is what is left of the sum t, too.

    |t + t_lo - (l + l_lo - k)| <= ``apart``, and that is exact where k is 0; so log2 x is k + t + t_lo but for that and
    what double's logarithm is off, and |d| <= ``slight``. The step, d log2(e), is log2(1 + d) but for the bound of the
    change, which is ``change`` at most, and ``beside``, of the largest |l| where k is not 0; so it is ``step`` at most.
    """

    apart: float = 2.0**-104.9
    slight: float = 2.0**-80.0
    step: float = 2.0**-79.0
    beside: float = 2.0**-130
    change: float = 2.0**-90

    def holds(self) -> bool:
        """Whether what follows from others is as small as said; |l| is 0.49 or more where k is not 0."""
        off, left = arb(double_power.OFF), 1 + arb(2) ** -50  # |log2 x| <= |l| left
        d = ((off * left + self.apart) * arb(2).log()).exp() - 1
        step = -(1 - d).log() / arb(2).log() + self.change + self.beside * _FARTHEST / 0.49 + _LEFT_OUT / 0.49
        return bool(d < self.slight) and bool(step < self.step)


_CONTRACTS = Contracts()


@dataclass(frozen=True)
class Family:
    """A logarithm: log2 x times ``factor``.

    Where values stand: ``encodings``: of x, and of x 2^1074, and whether x is subnormal; ``whole``: m in 1 .. 2; ``m``;
    ``k`` and ``real_k``, ``near``: whether k is 0. ``log``: l and l_lo; ``rest``: t and t_lo; ``left`` and ``n``: -t -
    t_lo as n steps and what is left, ``as_double``: n; ``turned``: r, that times ln 2; ``rise``: e^r - 1. ``step``: d
    log2(e); ``change``: the bound of the change, times m log2(e). ``own``: the kernel's own enclosure.
    """

    name: str
    traced: Traced
    encodings: tuple[int, ...]
    whole: int
    m: int
    k: int
    real_k: int
    near: int
    log: tuple[int, int]
    rest: tuple[int, int]
    left: tuple[int, int]
    n: int
    as_double: int
    turned: tuple[int, int]
    rise: tuple[int, int]
    step: int
    change: int
    factor: Callable[[], arb]
    own: narrowed.Own


@dataclass(frozen=True)
class Halves(OfFamily):
    """x = 2^k m exactly, and m lies in 1/sqrt(2) .. sqrt(2): as ``logarithm.Places``, by the integers of the trace.

    The encoding of positive normal x is q 2^52 + that of m', 1 <= m' < 2, and m is m' with k = q, or m'/2 with k = q +
    1; of subnormal x, the same is proven of x 2^1074.
    """

    family: Family
    name: str = "halves"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All m' up to sqrt(2), and above, of normal numbers and of others."""
        unit = 2.0**-52
        below = ((1.0, SQRT2 - _CLOSE), (SQRT2 - _CLOSE, SQRT2 - unit), (SQRT2, SQRT2))
        above = ((SQRT2 + unit, SQRT2 + _CLOSE), (SQRT2 + _CLOSE, 2.0 - unit))
        for is_subnormal in (False, True):
            for is_upper, ends in enumerate((below, above)):
                for low, high in ends:
                    yield (is_subnormal, is_upper), low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of m'."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The encoding is given, and m', as ``Places`` has it."""
        family, (is_subnormal, carried) = self.family, which
        given: dict[int, Any] = {family.whole: Real(cell.argument(), -52)}
        encoding = Span(_ONE, _BINADE, _BINADE)
        whole, scaled, subnormal = family.encodings
        given |= {scaled if is_subnormal else whole: encoding, subnormal: is_subnormal}
        expected = Span(carried - (_SCALED if is_subnormal else 0), 1, 1)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.value(Value(family.k)) != expected:
                raise Unproven("k is another")
            m = run.real(Value(family.m)).model
            middle, within = 0.75 * SQRT2, 0.25 * SQRT2 + 2.0**-38  # 1/sqrt(2) .. sqrt(2)
            return [(m - cell.argument().scaled(arb(2) ** -carried), 0.0), (m - cell.constant(middle), within)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Rests(OfFamily):
    """T + t_lo is l + l_lo - k, nearly, for every k."""

    family: Family
    name: str = "rests"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every k with all l; binades of these where k is 0."""
        for k in range(_KS[0], _KS[1] + 1):
            if k:
                yield k, k - _HALF, k + _HALF
        for low, high in dyadic(double_power.LEAST, _HALF):
            yield 0, low, high
            yield 0, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of l."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """L, l_lo and k are given."""
        family, l_lo, l = self.family, _left_of(cell), cell.argument()
        given = {family.log[0]: Real(l, grid_of_doubles(cell.low, cell.high))}
        given |= {family.log[1]: Real(l_lo, double_power.GRID), family.real_k: constant(cell, float(which))}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            t, t_lo = (run.real(Value(number)) for number in family.rest)
            double_power.check_rest(run, family.traced, family.rest)
            check_grid(min(t.grid, t_lo.grid), double_power.GRID)
            off = t.model + t_lo.model - (l + l_lo - cell.constant(which))
            return [(off, _CONTRACTS.apart * lower(l.range()) if which else 0.0), (t.model, _REACH)]

        return Setting(given, claims)


def _left_of(cell: Cell) -> Model:
    """What is left of a sum that lies in the cell: half a unit in its last place at most, 2^-53 of it."""
    return cell.unknown(upper(cell.place + cell.middle) * 2.0**-53)


@dataclass(frozen=True)
class Steps(OfFamily):
    """-t - t_lo is n/256 and what is left, a pair, exactly, for every t that is nearer to another step than to 0.

    The second part of the pair is what is left of the sum that the first one is.
    """

    family: Family
    name: str = "steps"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Steps, both signs; 0, up to the last double that is nearer to it than to another one."""
        tie = 0.5 / STEPS
        for low, high in ((0.0, tie - _CLOSE), (tie - _CLOSE, math.nextafter(tie, 0.0))):
            yield 0, low, high
            yield 0, -high, -low
        for n in range(1, STEPS // 2 + 1):
            low, high = (n - 0.5) / STEPS, min((n + 0.5) / STEPS, _REACH)
            yield n, low, high
            yield -n, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of t."""
        return Cell(low, high) if low.is_zero() or high.is_zero() else doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """T is given; n is -``which``."""
        family, t, t_lo = self.family, cell.argument(), _left_of(cell)
        given = {family.rest[0]: Real(t, grid_of_doubles(cell.low, cell.high) if which else double_power.GRID)}
        given[family.rest[1]] = Real(t_lo, double_power.GRID)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            n, as_double = run.whole(Value(family.n)), run.real(Value(family.as_double))
            if not which:
                return [(n, 0.0), (as_double.model, 0.0)]
            hi, lo = (run.real(Value(number)) for number in family.left)
            double_power.check_rest(run, family.traced, family.left)
            check_grid(min(hi.grid, lo.grid), double_power.GRID)
            return [
                (hi.model + lo.model + t + t_lo + n.scaled(arb(1) / STEPS), 0.0),
                (hi.model, _LEFT_OVER),
                (n + cell.constant(which), 1.5),
                (n, STEPS / 2 + 0.5),
            ]

        return Setting(given, claims)


@dataclass(frozen=True)
class Rise(OfFamily):
    """e^r - 1 as a pair, r what is left of -t - t_lo times ln 2, where n is not 0; its error is absolute."""

    family: Family
    name: str = "rise"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade, both signs, and 0: what is left is a multiple of 2^GRID."""
        yield 0, 0.0, 0.0
        yield from ((1, low, high) for _, low, high in mirrored(2.0**double_power.GRID, _LEFT_OVER))

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """What is left of -t - t_lo, the first part."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Both parts are given."""
        family, left, left_lo = self.family, cell.argument(), _left_of(cell)
        given = {family.left[0]: Real(left, grid_of_doubles(cell.low, cell.high) if which else 2000)}
        given[family.left[1]] = Real(left_lo, double_power.GRID)
        exact = applied(EXPM1, (left + left_lo).scaled(arb(2).log()))

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, lo = (run.real(Value(number)) for number in family.rise)
            check_grid(hi.grid, _RISE_GRID)
            return [(hi.model + lo.model - exact, _RISE_OFF), (hi.model, _RISE), (lo.model, _RISE_LO)]

        return Setting(given, claims, divides=False)


@dataclass(frozen=True)
class Near(OfFamily):
    """The step is log2(1 + d), nearly, for t next to 0: d = m 2^-(t + t_lo) - 1 is what is small, m a double."""

    family: Family
    name: str = "step near 0"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of t, both signs, where k is 0 and where it is not.

        t = 0 where k is not 0 is m = 1: 2^-53 is the least |m - 1| of others, and d is smaller by far.
        """
        yield False, 0.0, 0.0
        for is_near in (True, False):
            for low, high in dyadic(double_power.LEAST, 0.5 / STEPS):
                yield is_near, low, high
                yield is_near, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of t."""
        return Cell(low, high) if low == high == 0 else doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """T, t_lo and m are given, as d is known, and that n = 0."""
        family, t, t_lo = self.family, cell.argument(), _left_of(cell)
        is_zero, top = bool(cell.low == cell.high == 0), upper(cell.place + cell.middle)
        far = top if which else _FARTHEST
        d = cell.constant(0) if is_zero else cell.unknown(_CONTRACTS.slight * far)
        m = applied(EXP, (t + t_lo).scaled(arb(2).log()))
        grid = 2000 if is_zero else grid_of_doubles(cell.low, cell.high)
        given: dict[int, Any] = {
            family.rest[0]: Real(t, grid),
            family.rest[1]: Real(t_lo, double_power.GRID),
            family.m: Real(m + m * d, min(-53, math.frexp(top)[1] - 53)),  # coarse enough for m - 1 to be exact
            family.n: 0,
            family.as_double: constant(cell, 0.0),
            family.near: which,
        }
        size = lower(t.range()) * (1.0 - 2.0**-50) if which else 1.0 - _HALF  # of l, at least
        return Setting(given, lambda run: _claims_of_step(family, run, which, d, (size, far)))


@dataclass(frozen=True)
class Steep(OfFamily):
    """The same for t that are nearer to another step than to 0, by e^r - 1: d = m 2^-(n/256) (e^r)^-1 - 1."""

    family: Family
    name: str = "step"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All that e^r - 1 may be at every step, where k is 0 and where it is not."""
        for is_near in (True, False):
            for n in range(-STEPS // 2, STEPS // 2 + 1):
                if n:
                    yield (is_near, n), -_RISE, _RISE

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of e^r - 1, of its first part."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """N, e^r - 1 and m are given, as d is known."""
        family, (is_near, n) = self.family, which
        rise, rise_lo = cell.argument(), cell.unknown(_RISE_LO)
        exact = cell.constant(1) + rise + rise_lo + cell.unknown(_RISE_OFF)
        size, far = ((abs(n) - sign * 0.51) / STEPS for sign in (1, -1)) if is_near else (1.0 - _HALF, _FARTHEST)
        d = cell.unknown(_CONTRACTS.slight * far)
        m = applied(INVERSE, exact).scaled(arb(2) ** (arb(-n) / STEPS))
        given: dict[int, Any] = {
            family.rise[0]: Real(rise, _RISE_GRID),
            family.rise[1]: Real(rise_lo, -1074),
            family.n: n,
            family.m: Real(m + m * d, -53),
            family.near: is_near,
        }
        return Setting(given, lambda run: _claims_of_step(family, run, is_near, d, (size, far)), divides=False)


def _claims_of_step(
    family: Family, run: Execution, is_near: bool, d: Model, sizes: tuple[float, float]
) -> list[tuple[Model, float]]:
    """That the step is log2(1 + d), and its bound as small as said and not negative, |l| between the two ``sizes``."""
    (least, most), one = sizes, d.cell.constant(1)
    step, change = (run.real(Value(number)).model for number in (family.step, family.change))
    if not change.range().lower() >= 0:
        raise Unproven("a bound may be negative")
    off = step - applied(LOG, d + one).scaled(1 / arb(2).log())
    bound, beside = (change, least) if is_near else (change + one.scaled(_LEFT_OUT), most)
    return [(off, least_of(bound) + _CONTRACTS.beside * beside), (change, _CONTRACTS.change * least)]


@dataclass(frozen=True)
class Sums(OfFamily):
    """The kernel's value for l, l_lo, the step, and the bound of the change, which is counted whole."""

    family: Family
    name: str = "sums"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of l, both signs, where k is 0 and where it is not."""
        for is_near, ends in ((True, (double_power.LEAST, _HALF)), (False, (1.0 - _HALF, _FARTHEST))):
            for low, high in dyadic(*ends):
                yield is_near, low, high
                yield is_near, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of l."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What comes before is given."""
        family, l, l_lo = self.family, cell.argument(), _left_of(cell)
        most, least = upper(cell.place + cell.middle), lower(l.range())
        step = cell.unknown(_CONTRACTS.step * most)
        half = _CONTRACTS.change * most / 2
        change = cell.constant(half) + cell.unknown(half)
        given: dict[int, Any] = {
            family.log[0]: Real(l, grid_of_doubles(cell.low, cell.high)),
            family.log[1]: Real(l_lo, double_power.GRID),
            family.step: Real(step, -1074),
            family.change: Real(change, -1074),
            family.near: which,
            **family.own.given(),
        }
        counted = change if which else change + cell.constant(_LEFT_OUT)
        beside = _CONTRACTS.apart * most + _CONTRACTS.beside * (most if which else _FARTHEST)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return self.claims(run, l + l_lo + step, counted + cell.constant(beside), least)

        return Setting(given, claims)

    def claims(self, run: Execution, log: Model, off: Model, least: float) -> list[tuple[Model, float]]:
        """That the kernel encloses what is within ``off`` of ``log``, which is no smaller than ``least``."""
        family = self.family
        factor = family.factor()
        return [family.own.within(run, log.scaled(factor), off.scaled(factor)), (run.cell.constant(0), least)]


# where values stand in traces


def _encodings(x: Any, *_: Any) -> Any:
    encoding = magnitude(x)
    return encoding, bits(real(encoding)), encoding < LEAST_NORMAL


def _halves(x: Any, *_: Any) -> Any:
    """m', m and k, and that as a double, and whether it is 0."""
    encoding = normalised(magnitude(x))
    whole = from_bits((encoding & MANTISSA) | ONE)
    is_upper = whole > SQRT2
    k = (encoding >> 52) - 1023 + select(is_upper, 1, 0)
    return whole, select(is_upper, 0.5 * whole, whole), k, real(k), k == 0


def _rests(x: Any, *_: Any) -> Any:
    """L and l_lo, t and t_lo."""
    l, l_lo = log2_of(normalised(magnitude(x)))
    _, _, _, k, _ = _halves(x)
    return l, l_lo, *plus(l, l_lo, -k)


def _rise(x: Any, *_: Any) -> Any:
    """What is left of -t - t_lo, n, and that as a double, r as a pair, e^r - 1."""
    _, _, t, t_lo = _rests(x)
    whole, _ = nearest(-t * 256.0)
    r, r_lo, n = in_steps_of_two(-t, -t_lo)
    return *fast_two_sum(-t - whole * 0.00390625, -t_lo), n, whole, r, r_lo, *growth(r, r_lo)


def _step(x: Any, *_: Any) -> Any:
    """The step and the bound of the change."""
    _, _, t, t_lo = _rests(x)
    _, m, _, _, _ = _halves(x)
    r, r_lo, n = in_steps_of_two(-t, -t_lo)
    scale = two_to(-(n >> 8))
    change, change_lo, err = change_of_power(r, r_lo, n & 255, scale)
    d, _ = plus_pair(m - 1.0, 0.0, *times(change, change_lo, m / scale))
    return d * LOG2_E, err * (2.125 / scale)


def _binary() -> arb:
    return arb(1)


def _natural() -> arb:
    return arb(2).log()


def _decimal() -> arb:
    return arb(2).log() / arb(10).log()


CLAIMED: dict[str, tuple[Callable[..., Any], Callable[[], arb]]] = {
    "log": (fine.log, _natural),
    "log2": (fine.log2, _binary),
    "log10": (fine.log10, _decimal),
}
NAMES = tuple(CLAIMED)


def fine_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of fine's logarithms."""
    kernel, factor = CLAIMED[name]
    whole = narrowed.fine_trace(kernel)
    family = family_of(name, whole, factor)
    narrowed.exponents_agree(whole, {}, traced(getattr(double, name), ("double",), ENCLOSURE), {})
    return *parts_of_steps(family), Sums(family)


def family_of(name: str, whole: Traced, factor: Callable[[], arb] = _binary) -> Family:
    """Where everything stands in the trace of a kernel that takes the logarithm of its first argument."""
    encodings = tuple(whole.places(_encodings, "long", "long", "bool"))
    m_of_whole, m, k, real_k, near = whole.places(_halves, "double", "double", "long", "double", "bool")
    l, l_lo, t, t_lo = whole.places(_rests, "double", "double", "double", "double")
    left, left_lo, n, as_double, r, r_lo, *rise = whole.places(_rise, *PAIR, "long", "double", *PAIR, *PAIR)
    step, change = whole.places(_step, "double", "double")
    return Family(
        name,
        whole,
        encodings,
        m_of_whole,
        m,
        k,
        real_k,
        near,
        (l, l_lo),
        (t, t_lo),
        (left, left_lo),
        n,
        as_double,
        (r, r_lo),
        (rise[0], rise[1]),
        step,
        change,
        factor,
        narrowed.own_of(whole),
    )


def parts_of_steps(family: Family) -> tuple[Any, ...]:
    """All that comes before the last sum: double's logarithm, and the step from there."""
    if not _CONTRACTS.holds():
        raise LookupError("the contracts do not follow from one another")
    of_log2 = double_power.parts_of_logarithm(family.name, family.traced, {})
    of_step = Steps(family), Rise(family), Near(family), Steep(family)
    return *of_log2, Halves(family), Rests(family), *of_step
