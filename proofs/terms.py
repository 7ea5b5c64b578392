"""Statements of lemmas as plain data: terms of named values, properties of values, claims.

The prover and the independent checker interpret the same data. A name belongs to a value that the kernel marks, to an
argument, to a result, or to a real number that exists in the lemma alone. On each subinterval one variable runs from
the low to the high end; the properties say which value the variable is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.ir.program import Program

# the names of results, by their number
RESULTS = {1: ("value",), 2: ("value", "err"), 3: ("hi", "lo", "err"), 4: ("hi", "lo", "err", "exponent")}


@dataclass(frozen=True)
class Term:
    """An operation and its operands: terms, numbers or a name."""

    operation: str
    operands: tuple[Any, ...] = ()

    def __add__(self, other: Numeric) -> Term:
        return Term("add", (self, term(other)))

    def __sub__(self, other: Numeric) -> Term:
        return self + -term(other)

    def __mul__(self, other: Numeric) -> Term:
        return Term("mul", (self, term(other)))

    def __truediv__(self, other: Numeric) -> Term:
        return self * (Fraction(1) / Fraction(other) if isinstance(other, int | float | Fraction) else inverse(other))

    def __neg__(self) -> Term:
        return Term("neg", (self,))

    def names(self) -> frozenset[str]:
        """Return the names of the values in the term."""
        if self.operation == "value":
            return frozenset(self.operands)
        return frozenset[str]().union(*(one.names() for one in self.operands if isinstance(one, Term)))

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Numeric) -> Term:
        return (-self).__add__(other)


Numeric: TypeAlias = "Term | float | Fraction"


def term(x: Numeric) -> Term:
    """Return a number as a term; a term is returned unchanged."""
    if isinstance(x, Term):
        return x
    return Term("number", (Fraction(x),))


def _function(name: str) -> Callable[[Numeric], Term]:
    return lambda x: Term(name, (term(x),))


exp, log, inverse, sqrt, sin, cos, atan = map(_function, ("exp", "log", "inverse", "sqrt", "sin", "cos", "atan"))
asin, acos = map(_function, ("asin", "acos"))
erf, erfc, erfcx = map(_function, ("erf", "erfc", "erfcx"))  # erfcx x = e^(x^2) erfc x
log_gamma, log_gamma_1p = map(_function, ("log_gamma", "log_gamma_1p"))  # log_gamma_1p x = log gamma(1 + x)
gamma_less_pole = _function("gamma_less_pole")  # gamma(x) - 1/x, for small x
two_to = _function("two_to")  # a power of two with an integer exponent that is known on the cell
# for bounds: the least value on a cell (0 where the least value is negative), the least size, the greatest size, half a
# unit in the last place of doubles of a size; sizes are numbers in other terms, too
least, least_size, most, half_unit = map(_function, ("least", "least_size", "most", "half_unit"))
VARIABLE = Term("variable")
PI = atan(1) * 4


def power_of_2(x: float | Fraction) -> Term:
    """Return 2^x for a rational number x."""
    return Term("power_of_2", (Fraction(x),))


def unknown(bound: Numeric) -> Term:
    """Return an unknown real number of at most ``bound`` in size: the rest of a series, for example."""
    return Term("unknown", (term(bound),))


def precise(x: Term, bits: int) -> Term:
    """Return a number computed with ``bits`` bits: for sums of numbers that cancel."""
    return Term("precise", (x, bits))


def distance(x: Term, most: int, bits: int) -> Term:
    """Return the least distance of m x from integers, 0 < m < ``most``, for a number x of ``bits`` bits."""
    return Term("distance", (precise(x, bits), most, bits))


def lesser(*bounds: Numeric) -> Term:
    """Return the least of several bounds."""
    return Term("lesser", tuple(map(term, bounds)))


class Values:
    """Named values: ``v.r`` is the value that the kernel marks "r"."""

    def __getitem__(self, name: str) -> Term:
        return Term("value", (name,))

    def __getattr__(self, name: str) -> Term:
        return self[name]


v = Values()


# Properties: assumptions on a name. An int or a bool assumes that value.


@dataclass(frozen=True)
class Number:
    """A double 2^(power q) ``value``, which is a multiple of 2^(grid + power q), or a real number of the lemma alone.

    ``value`` may be a term of values that the kernel computes before: a result of a function that another lemma proves.
    ``bits``: the double has at most ``bits`` significant bits. Where ``grid`` is None, the grid is the unit in the last
    place of such numbers at the cell's end nearest to zero. ``snapped``: the cell ends at the first and at the last
    number of ``bits`` bits. ``paired``: products of two such numbers' errors are kept as terms of their own; ``wide``:
    products with all other errors, too.
    """

    value: Term = VARIABLE
    grid: int | None = None
    bits: int = 53
    power: int = 0
    snapped: bool = False
    paired: bool = False
    wide: bool = False


@dataclass(frozen=True)
class Residue:
    """An integer congruent to ``rest`` modulo ``modulus``, a power of two."""

    rest: int
    modulus: int


@dataclass(frozen=True)
class Exponent:
    """The integer ``sign`` q + added, q the exponent of the lemma; ``number``: claims use the integer as a number."""

    added: int = 0
    sign: int = 1
    number: bool = False


@dataclass(frozen=True)
class Encoding:
    """The integer period q + first + i, for every integer q and every i in 0 .. count - 1."""

    first: int
    count: int
    period: int = 0


@dataclass(frozen=True)
class Times:
    """The value ``name`` times 2^``power``."""

    name: str
    power: int


@dataclass(frozen=True)
class Computed:
    """A computed value: the prover keeps products of its errors as terms of their own.

    ``alone``: it is a known number if only one is possible.
    """

    alone: bool = False


Property: TypeAlias = "Number | Residue | Exponent | Encoding | Times | Computed | int | bool"
Properties: TypeAlias = "Mapping[str, Property]"


def doubles(bits: int = 53, *, snapped: bool = False) -> Number:
    """Return the numbers of ``bits`` significant bits in the subinterval."""
    return Number(bits=bits, snapped=snapped)


def multiples(grid: int) -> Number:
    """Return the multiples of 2^grid in the subinterval."""
    return Number(grid=grid)


def within(bound: float | Term, grid: int = -1074, *, paired: bool = False) -> Number:
    """Return the multiples of 2^grid whose size is at most ``bound``."""
    return Number(unknown(bound), grid, paired=paired)


def between(low: float, high: float, grid: int | None = None, **more: Any) -> Number:
    """Return the range of numbers between two numbers; doubles in it are multiples of 2^grid."""
    return Number(term((low + high) / 2) + unknown((high - low) / 2), grid, **more)


def pair(name: str, high: Number, low: Number) -> dict[str, Property]:
    """Return the properties of both doubles of a pair."""
    return {name: high, f"{name}_lo": low}


def constant(x: float) -> Number:
    """Return the constant ``x``."""
    return Number(term(x))


# Claims: the facts to be proven.


@dataclass(frozen=True)
class Bounded:
    """The size of ``error`` is at most ``bound``, less half a unit in the last place of ``rounded``, where given.

    Named doubles are divided by 2^(power q) first.
    """

    error: Term
    bound: Term
    rounded: Term | None = None
    power: int = 0


@dataclass(frozen=True)
class OnGrid:
    """A double is 2^(power q) times a multiple of 2^grid, for every q, and has at most ``bits`` significant bits."""

    name: str
    grid: int
    bits: int = 53
    power: int = 0


@dataclass(frozen=True)
class Is:
    """An integer or a condition has the property ``expected``, or one of several."""

    name: str
    expected: Property | tuple[Property, ...]


@dataclass(frozen=True)
class Even:
    """A value does not change when the first argument changes its sign."""

    name: str


@dataclass(frozen=True)
class OfNegative:
    """The claim holds for the negative of the first argument."""

    claim: Bounded | Is


@dataclass(frozen=True)
class Same:
    """A value is the value ``other``: under the assumed conditions both are the same expression."""

    name: str
    other: str


@dataclass(frozen=True)
class SameIn:
    """A value is the value of that name of another kernel: the same operations on the arguments of the same numbers.

    ``module`` and ``function`` name the kernel.
    """

    name: str
    module: str
    function: str


@dataclass(frozen=True)
class Formula:
    """A value is computed by this operation: a name of an operation, then names, constants and other operations."""

    name: str
    operation: tuple[object, ...]


@dataclass(frozen=True)
class RestOfSum:
    """``low`` is the error of the sum ``high`` by fast_two_sum: at most half a unit in the last place of ``high``."""

    high: str
    low: str


@dataclass(frozen=True)
class Calls:
    """The values ``names`` are the results of a function for the values ``arguments``: the same expressions.

    ``program``, ``tables``: the function, traced.
    """

    names: tuple[str, ...]
    program: Program
    tables: NDArray[np.float64]
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class When:
    """Where the condition holds, so do ``claims``; elsewhere ``otherwise`` does."""

    condition: str
    claims: tuple[Claim, ...]
    otherwise: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Through:
    """The doubles ``names`` add up to ``ideal`` with an error, and the claims use nothing else of them.

    The prover bounds the error of the sum and the sizes of all parts except the first, and goes on with these bounds.
    """

    names: tuple[str, ...]
    ideal: Term


Claim: TypeAlias = "Bounded | OnGrid | Is | Even | OfNegative | Same | SameIn | Formula | RestOfSum | When | Calls"
Claims: TypeAlias = "Sequence[Claim]"


@dataclass(frozen=True)
class Statement:
    """A lemma on one subinterval: the properties imply the claims, for every q between ``powers``.

    ``through``: values of which the claims only use the errors, in this order.
    """

    assume: tuple[tuple[str, Property], ...]
    claims: tuple[Claim, ...]
    powers: tuple[int, int] = (0, 0)
    through: tuple[Through, ...] = ()


@dataclass(frozen=True)
class Subinterval:
    """An interval from ``low`` to ``high`` with ``parameters`` such as j, which are attributes."""

    low: float
    high: float
    parameters: tuple[tuple[str, object], ...] = field(default=())

    def __getattr__(self, name: str) -> Any:
        for parameter, value in self.parameters if not name.startswith("_") else ():
            if parameter == name:
                return value
        raise AttributeError(name)

    @property
    def closest(self) -> float:
        """The size of the end closest to zero."""
        return min(abs(self.low), abs(self.high))

    @property
    def farthest(self) -> float:
        """The size of the end farthest from zero."""
        return max(abs(self.low), abs(self.high))

    def __str__(self) -> str:
        values = tuple(value for _, value in self.parameters)
        return str(values[0] if len(values) == 1 else values)


def at(low: float = 0.0, high: float = 0.0, **parameters: object) -> Subinterval:
    """Return a subinterval; the ends stay 0 where the lemma has no variable."""
    return Subinterval(low, high, tuple(parameters.items()))


def near(value: Term, ideal: Numeric, bound: Numeric, power: int = 0) -> Bounded:
    """Claim that ``value`` is within ``bound`` of ``ideal``; named doubles are divided by 2^(power q)."""
    return Bounded(value - ideal, term(bound), power=power)


def lies(value: Term, low: float, high: float) -> Bounded:
    """Claim that ``value`` lies between two numbers."""
    return near(value, (high + low) / 2, (high - low) / 2)


def bounded(value: Term, bound: Numeric, power: int = 0) -> Bounded:
    """Claim that the size of ``value`` is at most ``bound``; named doubles are divided by 2^(power q)."""
    return Bounded(value, term(bound), power=power)


def bounds(**most: Numeric) -> list[Claim]:
    """Claim that the sizes of named values are at most these numbers."""
    return [bounded(v[name], bound) for name, bound in most.items()]


def equals(**ideals: Numeric) -> list[Claim]:
    """Claim that named values are exactly these."""
    return [near(v[name], ideal, 0) for name, ideal in ideals.items()]


def on_grids(**grids: int) -> list[Claim]:
    """Claim that named doubles are multiples of 2^grid."""
    return [OnGrid(name, grid) for name, grid in grids.items()]


def are(**expected: Property | tuple[Property, ...]) -> list[Claim]:
    """Claim that named integers and conditions have these properties."""
    return [Is(name, found) for name, found in expected.items()]


def encloses(ideal: Term) -> Bounded:
    """Claim that hi + lo is within err of ``ideal``."""
    return Bounded(v.hi + v.lo - ideal, least(v.err))


def narrows(ideal: Term) -> Bounded:
    """Claim that new_hi + new_lo, of a function that is given an enclosure, is within new_err of ``ideal``."""
    return Bounded(v.new_hi + v.new_lo - ideal, least(v.new_err))


def encloses_rounded(ideal: Term, power: int = 0) -> Bounded:
    """Claim that value is within err, less the rounding of value -+ err, of ``ideal``; all divided by 2^(power q)."""
    return within_rounded(v.value, v.err, ideal, power)


def within_rounded(value: Term, err: Term, ideal: Term, power: int = 0) -> Bounded:
    """Claim that ``value`` is within ``err``, less the rounding of ``value`` -+ ``err``, of ``ideal``."""
    return Bounded(value - ideal, least(err), most(value) + most(err), power)


def ensures(properties: dict[str, Number], **reach: float) -> list[Claim]:
    """Return the claims that doubles have the properties that another lemma assumes.

    ``reach``: the greatest size of the double that is the other lemma's variable, by name.
    """
    claims: list[Claim] = []
    for name, found in properties.items():
        value = v[name]
        claims.append(Bounded(value, term(reach[name]) if found.value == VARIABLE else found.value.operands[0]))
        if found.grid is not None and found.grid > -1074:
            claims.append(OnGrid(name, found.grid))
    return claims
