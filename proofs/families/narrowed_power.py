"""Fine's pow, powr, pown and rootn: log2 x as for fine's logarithms, its product or quotient, and the power of 2.

As for the double kernels no part speaks of two arguments at once. What the kernel returns is for y log2 x, which p +
p_lo is but for p_err: the kernel computes that itself, from the bound of its logarithm, and a part of its own shows
that it is large enough. Each part proves what the next one is given: that is written down once, in ``Contracts``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import clamp, select, two_product
from clmath.ir.program import Constant, Value
from clmath.kernels.double import power as double
from clmath.kernels.double.boundaries import magnitude, normalised
from clmath.kernels.double.pairs import over_pair, times
from clmath.kernels.double.power import within_reach
from clmath.kernels.fine import power as fine
from clmath.kernels.fine.exponential import growth
from clmath.kernels.fine.power import in_steps_of_two, log2_of_any, two_to_power
from proofs.engine.execution import Execution, Real, Residue
from proofs.engine.execution import Power as Exponent
from proofs.engine.models import Cell, Model, Unproven, lower, upper
from proofs.engine.proof import OfFamily, Setting, least_of
from proofs.families import double_power, narrowed, narrowed_sums, power
from proofs.families.narrowed import STEPS
from proofs.narrowing import logarithm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clmath.ir.program import Kind
    from proofs.engine.traced import Traced
    from proofs.lemmas import Lemma

__all__ = [
    "CONTRACTS",
    "NAMES",
    "Family",
    "Power",
    "clipped",
    "fine_parts",
    "log2_of",
    "log2_of_first",
    "values_of_power",
]

_RISES = narrowed_sums.CONTRACTS
_LEAST_POWER, _GREATEST_POWER = 0.998, 2.003  # what hi lies between
_FINEST = -214  # err is a multiple of 2^_FINEST
_SMALL = 2.0**-1000  # what lo may lose where its half is no double is less


@dataclass(frozen=True)
class Contracts(power.Contracts):
    """As there; what the kernel is told of the logarithm, and tells of p, is its own.

    The bound of the logarithm, l_err, is no larger than ``told`` |hi|. p_err is |y| l_err, or l_err / |n|, and
    ``counted`` |p|, but for ``rounding`` |p|; it is no larger than ``err`` |p|.
    """

    told: float = 2.0**-89.5
    counted: float = 2.0**-103
    rounding: float = 2.0**-136
    err: float = 2.0**-87

    def holds(self) -> bool:
        """Whether p_err is no smaller than what p is off, and double's kernel has n, or an integer next to it.

        The sums p + p_lo of both kernels are so close to y log2 x, and each p to its sum, that both p are no farther
        than a quarter of a step from each other; where that of double is no smaller than TINY, this one is ``slight``.
        """
        is_counted = arb(self.product) * (1 + arb(2) ** -40) + self.rounding <= arb(self.counted)
        apart = double_power.AWAY + self.err + arb(2) ** -46
        is_next = apart * self.top * self.steps < 0.25
        return bool(is_counted) and bool(is_next) and bool(self.slight <= double.TINY * (1 - 2 * apart))


CONTRACTS = Contracts(
    low=2.0**-52.99,  # 2^-53, as ``check_rest`` sees
    least=2.0**-53.01,
    most=1076.0,
    product=2.0**-103.2,
    rest=2.0**-48,
    slight=double.TINY * (1.0 - 2.0**-40),
    top=double.TOP,
    off=_RISES.off,
    reach=_RISES.reach,
    exponents=1201,
    steps=STEPS,
    grids=(-1074, -1074, -1074),
    reach_lo=_RISES.reach_lo,
)


@dataclass(frozen=True, kw_only=True)
class Family(power.Family):
    """A power: as there, but that ``negative`` is whether what the kernel is told is less than zero.

    Where values stand: ``log_err``: the bound of the logarithm; ``p_err``: that of p, a size that the bound grows with;
    ``rise``: e^r - 1; ``parts``: hi, lo and err of the
    power of 2. ``own``: the kernel's own enclosure.
    """

    log_err: int
    p_err: int
    rise: tuple[int, int]
    parts: tuple[int, int, int]
    own: narrowed.Own
    contracts: Contracts = CONTRACTS

    @property
    def turned(self) -> tuple[int, ...]:
        """R and r_lo."""
        return self.rest


def log2_of(whole: Traced) -> tuple[Lemma, ...]:
    """The lemmas of the logarithm and its bound."""
    return logarithm.pair(whole, CONTRACTS.told, (CONTRACTS.least, CONTRACTS.most))


@dataclass(frozen=True)
class Product(power.Product):
    """P + p_lo is y (hi + lo), as there; and p_err is what is counted."""

    family: Family

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The bound of the logarithm is given, too."""
        found = super().setting(which, cell)
        l_err = _told(cell, upper(cell.argument().range()))

        def claims(run: Execution) -> list[tuple[Model, float]]:
            y = run.real(Value(self.family.y)).model.scaled(which)
            return [*found.claims(run), *self._claims_of_bound(run, y * l_err.model)]

        return Setting({**found.given, self.family.log_err: l_err}, claims)

    def _claims_of_bound(self, run: Execution, expected: Model) -> list[tuple[Model, float]]:
        """That p_err is ``expected`` and what is counted of |p|, nearly, and as small as said."""
        family, contracts = self.family, self.family.contracts
        p, p_err = run.real(Value(family.product[0])).model, run.real(Value(family.p_err))
        if p_err.power != 1:
            raise Unproven("the bound has not y's power of two")
        size = lower(p.range())
        counted = (p if p.range() > 0 else -p).scaled(contracts.counted)
        return [(p_err.model - counted - expected, contracts.rounding * size), (p_err.model, contracts.err * size)]


def _told(cell: Cell, size: float) -> Real:
    """Any bound of a logarithm that is no larger than ``size``; its product with y is a term."""
    half = CONTRACTS.told * size / 2
    beside = cell.unknown(half)
    cell.paired |= set(beside.terms)
    return Real(cell.constant(half) + beside, -1074)


@dataclass(frozen=True)
class Bound(power.Quotient):
    """P_err is l_err / |n| and what is counted: cells of n 2^-k in 1 .. 2, for every k together, p 2^k in a binade."""

    family: Family
    name: str = "bound"

    def setting(self, which: Any, cell: Cell) -> Setting:
        """N, p and l_err are given."""
        family, (binade, sign) = self.family, which
        n, unit = cell.argument(), 2.0**binade
        p = (cell.constant(1.5) + cell.unknown(0.5)).scaled(sign * unit)
        l_err = _told(cell, upper((p * n).range()) * 1.001)
        given: dict[int, Any] = {family.product[0]: Real(p, binade - 52, -1), family.y: Real(n, -52, 1)}
        given[family.log_err] = l_err

        def claims(run: Execution) -> list[tuple[Model, float]]:
            p_err = run.real(Value(family.p_err))
            if p_err.power != -1:
                raise Unproven("the bound has not n's power of two")
            size = n if n.range() > 0 else -n
            counted = p.scaled(sign * family.contracts.counted)
            left = (p_err.model - counted) * size - l_err.model
            least = lower((p * n).range())
            return [(left, family.contracts.rounding * least), (p_err.model, family.contracts.err * unit)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Quotient(OfFamily):
    """P + p_lo is the quotient and what is left, exactly: cells of the first."""

    family: Family
    divided: tuple[int, int]
    name: str = "sum of the quotient"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Both signs of a binade: every other one is as this one is."""
        yield "+", 1.0, 2.0
        yield "-", -2.0, -1.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of the quotient over a power of two."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Both are given."""
        family, q = self.family, cell.argument()
        left = cell.unknown(family.contracts.rest)
        given = {self.divided[0]: Real(q, -52), self.divided[1]: Real(left, -1074)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            p, p_lo = (run.real(Value(number)).model for number in family.product)
            double_power.check_rest(run, self.traced, family.product)
            return [(p + p_lo - q - left, 0.0)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Power(OfFamily):
    """The power of 2 for e^r - 1 and n, and its err, which is to hold for y log2 x.

    That is p + p_lo + d with |d| <= p_err: the exact value is 2^(p + p_lo) 2^d, and |2^d - 1| is less than 0.7 p_err.
    What is claimed is that the error for 2^(p + p_lo) is no larger than what err leaves beside hi p_err, for each one.
    """

    family: Family
    name: str = "power"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All that e^r - 1 may be at each entry of the table."""
        for j in range(STEPS):
            yield j, -_RISES.rise, _RISES.rise

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of e^r - 1, of its first part."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Both parts, n and p_err are given."""
        family, contracts = self.family, self.family.contracts
        rise, rise_lo = cell.argument(), cell.unknown(_RISES.rise_lo)
        most = contracts.err * contracts.top / 2
        p_err = cell.constant(most) + cell.unknown(most)
        given: dict[int, Any] = {family.rise[0]: Real(rise, -1074), family.rise[1]: Real(rise_lo, -1074)}
        given |= {family.n: Residue(which, STEPS), family.p_err: Real(p_err, -1074)}
        power_of_two = arb(2) ** (arb(which) / STEPS)
        ideal = (cell.constant(1) + rise + rise_lo + cell.unknown(_RISES.rise_off)).scaled(power_of_two)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.value(family.own.exponent) != Exponent():
                raise Unproven("the exponent is not that of the power")
            hi, lo, err = (run.real(Value(number)).model for number in family.parts)
            double_power.check_rest(run, self.traced, family.parts[:2])
            power.check_grid(run.real(Value(family.parts[2])).grid, _FINEST)
            left = least_of(err - hi * p_err) * (1.0 - 2.0**-50)  # 2^-152 less: more than _SMALL
            middle, within = (_GREATEST_POWER + _LEAST_POWER) / 2, (_GREATEST_POWER - _LEAST_POWER) / 2
            sizes = [(ideal - hi, lower(hi.range()) * 2.0**-45), (hi - cell.constant(middle), within)]
            return [(hi + lo - ideal, left), *sizes]

        return Setting(given, claims, divides=False)


@dataclass(frozen=True)
class Choice(OfFamily):
    """What the kernel returns: the power with the sign and the exponent of what it is told, which is one less or more.

    By the exponents' difference alone, for every exponent. Of lo both signs of a binade are tried, for all of them, and
    what is so small that its half may not be a double.
    """

    family: Family
    name: str = "choice"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every difference, with both signs."""
        for apart in (-1, 0, 1):
            for negative in (False, True):
                yield (apart, negative, 0), -_SMALL, _SMALL
                yield (apart, negative, 1), 1.0, 2.0
                yield (apart, negative, 1), -2.0, -1.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of lo, where it is not small over a power of two."""
        return Cell(low, high, (-1000, -50) if which[2] else (0, 0))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The power, both exponents and the sign are given."""
        family, (apart, negative, scaled) = self.family, which
        own, sign = family.own, -1 if negative else 1
        assert family.negative is not None
        assert isinstance(own.exponent, Value)
        hi = cell.constant((_GREATEST_POWER + _LEAST_POWER) / 2) + cell.unknown((_GREATEST_POWER - _LEAST_POWER) / 2)
        parts = Real(hi, -53), Real(cell.argument(), -52 if scaled else -1074, scaled), Real(cell.unknown(1), _FINEST)
        told = len(self.traced.program.inputs) - 1
        given: dict[int, Any] = {own.taken: True, own.exponent.number: apart, told: 0, family.negative: negative}
        given |= dict(zip(family.parts, parts, strict=True))
        lost = 0.0, 0.0 if scaled else _SMALL, 0.0

        def claims(run: Execution) -> list[tuple[Model, float]]:
            results = [run.real_output(i) for i in range(3)]
            if run.output(3) != 0 or [found.power for found in results] != [0, scaled, 0]:
                raise Unproven("the exponent is another than what the kernel is told")
            scale = arb(2) ** apart
            ideals = [part.model.scaled(scale * by) for part, by in zip(parts, (sign, sign, 1), strict=True)]
            return [(found.model - ideal, most) for found, ideal, most in zip(results, ideals, lost, strict=True)]

        return Setting(given, claims)


# where values stand in traces


def log2_of_first(x: Any, *_: Any) -> Any:
    """The logarithm of the first argument and its bound."""
    return log2_of_any(normalised(magnitude(x)))


def _factor(_x: Any, y: Any, *_: Any) -> Any:
    return within_reach(y)


def _product(x: Any, y: Any, *_: Any) -> Any:
    """P, p_lo and p_err."""
    l, l_lo, l_err = log2_of_first(x)
    reach = within_reach(y)
    p, p_lo = times(l, l_lo, reach)
    return p, p_lo, abs(reach) * l_err + abs(p) * 2.0**-103


def _divisor(_x: Any, y: Any, *_: Any) -> Any:
    return select(y == 0.0, 1.0, y)


def _quotient(x: Any, y: Any, *_: Any) -> Any:
    """The same of roots."""
    l, l_lo, l_err = log2_of_first(x)
    n = _divisor(x, y)
    p, p_lo = over_pair(l, l_lo, n, 0.0)
    return p, p_lo, l_err / abs(n) + abs(p) * 2.0**-100


def _divided(x: Any, y: Any, *_: Any) -> Any:
    """The quotient, and what is left of it, before both are added."""
    l, l_lo, _ = log2_of_first(x)
    n = _divisor(x, y)
    quotient = l / n
    p, e = two_product(quotient, n)
    return quotient, (((l - p) - e) + (l_lo - quotient * 0.0)) / n


def values_of_power(p: Any, p_lo: Any, p_err: Any) -> Any:
    """N, r and r_lo, e^r - 1, and hi, lo and err, of p and its bound."""
    r, r_lo, n = in_steps_of_two(clamp(p, -double.TOP, double.TOP), p_lo)
    return n, r, r_lo, *growth(r, r_lo), *two_to_power(p, p_lo, p_err)[:3]


def _power_of_product(x: Any, y: Any, *_: Any) -> Any:
    return values_of_power(*_product(x, y))


def _power_of_quotient(x: Any, y: Any, *_: Any) -> Any:
    return values_of_power(*_quotient(x, y))


def clipped(p: Any) -> Any:
    """Conditions that do not hold of p up to TOP: results of larger ones are beyond every double, whatever is told."""
    return p < -double.TOP, p > double.TOP


def _clipped_product(x: Any, y: Any, *_: Any) -> Any:
    return clipped(_product(x, y)[0])


def _clipped_quotient(x: Any, y: Any, *_: Any) -> Any:
    return clipped(_quotient(x, y)[0])


def _negative(_x: Any, _y: Any, hi: Any, *_: Any) -> Any:
    return hi < 0.0


@dataclass(frozen=True)
class _Claimed:
    """Where to look for the values of a kernel, and what it has contracts of its own for."""

    kernel: Callable[..., Any]
    factor: Callable[..., Any] = _factor
    product: Callable[..., Any] = _product
    power: Callable[..., Any] = _power_of_product
    clipped: Callable[..., Any] = _clipped_product
    contracts: Contracts = CONTRACTS


_CLAIMED = {
    "pow": _Claimed(fine.pow),
    "powr": _Claimed(fine.powr),
    "pown": _Claimed(fine.pown),
    "rootn": _Claimed(
        fine.rootn,
        _divisor,
        _quotient,
        _power_of_quotient,
        _clipped_quotient,
        replace(CONTRACTS, product=2.0**-100.05, counted=2.0**-100),
    ),
}
NAMES = tuple(_CLAIMED)
_DOUBLES: tuple[Kind, ...] = ("double",) * 7


def fine_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of fine's pow, powr, pown, rootn."""
    _check_told(name)
    whole = narrowed.fine_trace(_CLAIMED[name].kernel, 2)
    family = _family(name, whole)
    if not family.contracts.holds():
        raise LookupError("the contracts do not follow from one another")
    rise = narrowed_sums.Rise(family, "rise of the power")
    last = power.Reduction(family), rise, Power(family), Choice(family)
    return *log2_of(whole), *_scaled(family), *last


def _family(name: str, whole: Any) -> Family:
    """Where everything stands that comes after the logarithm."""
    claimed = _CLAIMED[name]
    hi, lo, log_err = whole.places(log2_of_first, *_DOUBLES[:3])
    p, p_lo, p_err = whole.places(claimed.product, *_DOUBLES[:3])
    n, r, r_lo, rise, rise_lo, *parts = whole.places(claimed.power, "long", *_DOUBLES)
    return Family(
        name,
        whole,
        (hi, lo),
        (p, p_lo),
        (r, r_lo),
        n,
        dict.fromkeys(whole.places(claimed.clipped, "bool", "bool"), False),
        whole.places(_negative, "bool")[0],
        y=whole.places(claimed.factor, "double")[0],
        powers=double_power.POWERS_OF_Y,
        size=p_err,
        log_err=log_err,
        p_err=p_err,
        rise=(rise, rise_lo),
        parts=(parts[0], parts[1], parts[2]),
        own=narrowed.own_of(whole),
        contracts=claimed.contracts,
    )


def _scaled(family: Family) -> tuple[Any, ...]:
    """The parts that speak of the product, or of the quotient."""
    if _CLAIMED[family.name].product is _product:
        return (Product(family),)
    q, q_lo = family.traced.places(_divided, *_DOUBLES[:2])
    divided = replace(family, product=(q, q_lo))
    return power.Quotient(divided), Quotient(family, (q, q_lo)), Bound(family)


def _check_told(name: str) -> None:
    """LookupError where the double kernel may tell a bound that is not 0 of arguments that are not ordinary.

    These are exact results and special values, the first of its conditions, and p that is tiny or clipped, the last.
    """
    kernel, ordinary = double_power.conditions_of(name)
    *special, _, usual = ordinary
    err, zero = kernel.program.outputs[2][1], Constant("double", 0)
    for number in (*special, usual):
        known = {**dict.fromkeys(special, False), number: number != usual}
        if kernel.named(err, kernel.names_where(known)) != kernel.named(zero, ()):
            raise LookupError("the double kernel may tell a bound of what is not ordinary")
