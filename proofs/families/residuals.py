"""Double's rsqrt: the square root and its inverse, what their squares and products miss, and the value from that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import bits, from_bits, real, split, sqrt
from clmath.ir.program import Constant, Value
from clmath.kernels.double import roots as double
from clmath.kernels.double.boundaries import LEAST_NORMAL, MANTISSA, ONE, magnitude, normalised
from proofs.engine.execution import Execution, Real, Span
from proofs.engine.ideals import INVERSE, SQRT, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic
from proofs.engine.proof import Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families.logarithm import on_grid
from proofs.families.stated import nothing
from proofs.statements import InverseRoot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["NAMES", "double_parts"]

_BINADE = 1 << 52  # encodings in a binade
_SCALED = 1074  # subnormal numbers are taken 2^1074 times as large
_SHORT = 26  # digits of parts
_SECOND = 2.0**-26 * 1.03  # how large the second parts of s and y may be
_GRIDS = -25, -52, -27, -53  # s1, s2, y1 and y2 are multiples of 2 to these powers
_ONE = Constant("double", 1023 << 52)
MISSED, MISSED_SQUARE = 2.0**-53 * 1.03, 2.0**-51 * 1.03  # how large 1 - s y and m - s^2 may be
ROUNDED, ROUNDED_SQUARE = 2.0**-106, 2.0**-103  # how far they are from what is computed


@dataclass(frozen=True)
class Trace:
    """Where in the kernel values stand.

    ``encodings``: that of |x|, whether it is of a subnormal number, that of x 2^1074, and that of m; ``halves``: the
    result's exponent before its sign is changed. ``m``, ``s``, ``y``; ``split``: both parts of s, and of y;
    ``products``: s1 y1, s1 y2, s2 y1, s2 y2, s1^2, 2 s1 s2 and s2^2; ``missed``: 1 - s y and m - s^2, as computed;
    ``ordinary``: that 0 < x < infinity, and that m is not 1.
    """

    traced: Traced
    encodings: tuple[int, int, int, int]
    halves: int
    m: int
    s: int
    y: int
    split: tuple[int, int, int, int]
    products: tuple[int, ...]
    missed: tuple[int, int]
    ordinary: tuple[int, ...]


@dataclass(frozen=True)
class Halves:
    """x = 4^u m exactly, m = 1 .. 4, and u is what the result's exponent is the negative of.

    By the integers of the trace: the encoding of positive normal x is (2 u + p) 2^52 + ONE + i for some u, p = 0 or 1,
    and some i below 2^52; that of m is then ONE + p 2^52 + i. Where x is subnormal it is the same of x 2^1074, a normal
    double (the encoding of x made a number), and of u + 537.
    """

    places: Trace
    name: str = "places"

    @property
    def traced(self) -> Traced:
        """The whole kernel."""
        return self.places.traced

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Even and odd exponents, of normal numbers and of others."""
        for kind in ("normal", "subnormal"):
            yield (kind, 0), 0.0, 0.0
            yield (kind, 1), 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but integers."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The encoding is given, of x or of what it is scaled to."""
        kind, odd = which
        whole, is_subnormal, scaled, m = self.places.encodings
        encoding = Span(ONE + odd * _BINADE, _BINADE, 2 * _BINADE)
        added = 0 if kind == "normal" else -_SCALED // 2
        expected = {Value(m): Span(ONE + odd * _BINADE, _BINADE), Value(self.places.halves): Span(added, 1, 1)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            found = {value: run.value(value) for value in expected}
            if found != expected:
                raise Unproven(f"the places are {found}")
            return [nothing(cell)]

        if kind == "normal":
            return Setting({whole: encoding, is_subnormal: False}, claims)
        return Setting({scaled: encoding, is_subnormal: True}, claims)


@dataclass(frozen=True)
class Roots:
    """How large m - s^2, 1 - s y and the second parts of s and y are, and of what the parts are multiples.

    Rounding is monotonic: s, the rounded root of m = 1 .. 4, is 1 .. 2, and y, the rounded inverse of s, is 1/2 .. 1.
    Between these ends roundings are off by 2^-53 and 2^-54 at most, half a unit in the last place.
    """

    places: Trace
    name: str = "roots"

    def __post_init__(self) -> None:
        """LookupError where the trace has no such root and inverse."""
        first = len(self.traced.program.inputs)
        s, y = (self.traced.program.statements[number - first] for number in (self.places.s, self.places.y))
        if s[1:] != ("sqrt", (Value(self.places.m),)) or y[1:] != ("double.div", (_ONE, Value(self.places.s))):
            raise LookupError("there is no root of m, or it is no inverse of that")

    @property
    def traced(self) -> Traced:
        """The whole kernel."""
        return self.places.traced

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Eight numbers next to each end by themselves; then binades of the distance, and pieces between."""
        unit = 2.0**-52
        for i in range(8):
            yield "point", 1.0 + i * unit, 1.0 + i * unit
            yield "point", 2.0 - i * unit, 2.0 - i * unit
        for low, high in dyadic(8 * unit, 2.0**-5):
            yield "between", 1.0 + low, 1.0 + high
            yield "between", 2.0 - high, 2.0 - low
        for i in range(1, 31):
            yield "between", 1.0 + i / 32, 1.0 + (i + 1) / 32

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of s."""
        return Cell(*on_grid(low, high, -52))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Given: s and y."""
        places, s = self.places, cell.argument()
        y = applied(INVERSE, s) + cell.unknown(arb(2) ** -54)
        root = s + cell.unknown(arb(2) ** -53)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            parts = [run.real(Value(number)) for number in places.split]
            if any(part.grid < grid for part, grid in zip(parts, _GRIDS, strict=True)):
                raise Unproven("a part may be finer than was said")
            if any(part.width > _SHORT for part in parts):
                raise Unproven("a part may be longer than was said")
            _, second, _, y_second = parts
            return [
                nothing(cell),
                (cell.constant(1) - s * y, MISSED),
                (root * root - s * s, MISSED_SQUARE),
                (second.model, _SECOND),
                (y_second.model, _SECOND),
            ]

        return Setting({places.s: Real(s, -52), places.y: Real(y, -53)}, claims)


@dataclass(frozen=True)
class Products:
    """What is computed for 1 - s y and m - s^2 are they, but for ``ROUNDED`` and ``ROUNDED_SQUARE``.

    Unknown numbers stand for what is missed and for all products but the first; that one is what is left then. Each is
    exact: its factors have 26 bits, and are multiples of what was proven.
    """

    places: Trace
    name: str = "products"

    @property
    def traced(self) -> Traced:
        """The whole kernel."""
        return self.places.traced

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Even and odd exponents of x."""
        yield "even", 1.0, 2.0
        yield "odd", 2.0, 4.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of m."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """All products are given."""
        places, second, m = self.places, _SECOND, cell.argument()
        missed, missed_square = cell.unknown(MISSED), cell.unknown(MISSED_SQUARE)
        s1y2, s2y1, s2y2 = (cell.unknown(bound) for bound in (2 * second, second, second * second))
        s1s2, s2s2 = cell.unknown(4 * second), cell.unknown(second * second)
        s1y1 = cell.constant(1) - missed - s1y2 - s2y1 - s2y2
        s1s1 = m - missed_square - s1s2 - s2s2
        models = s1y1, s1y2, s2y1, s2y2, s1s1, s1s2, s2s2
        s1, s2, y1, y2 = _GRIDS
        grids = s1 + y1, s1 + y2, s2 + y1, s2 + y2, s1 + s1, s1 + s2 + 1, s2 + s2
        given: dict[int, Any] = {places.m: Real(m, -52)}
        given |= {
            number: Real(*one) for number, one in zip(places.products, zip(models, grids, strict=True), strict=True)
        }

        def claims(run: Execution) -> list[tuple[Model, float]]:
            one, other = (run.real(Value(number)).model for number in places.missed)
            return [nothing(cell), (one - missed, ROUNDED), (other - missed_square, ROUNDED_SQUARE)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Inverse:
    """The value: y / (1 - r) is 1/s, r = 1 - s y; and m = s^2 + q, so that it is that over sqrt(1 + q/s^2)."""

    places: Trace
    name: str = "value"

    @property
    def traced(self) -> Traced:
        """The whole kernel."""
        return self.places.traced

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Values of y."""
        for i in range(32, 64):
            yield "y", i / 64, (i + 1) / 64

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of y."""
        return Cell(*on_grid(low, high, -53))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Given: y, and what is missed."""
        places, y = self.places, cell.argument()
        missed, missed_square = cell.unknown(MISSED), cell.unknown(MISSED_SQUARE)
        one = cell.constant(1)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            inverse = y * applied(INVERSE, one - missed)
            root = applied(SQRT, one + missed_square * inverse * inverse)
            return [enclosed(run, inverse * applied(INVERSE, root), (0, 1), 2)]

        given: dict[int, Any] = {places.y: Real(y, -53), **dict.fromkeys(places.ordinary, True)}
        computed = missed + cell.unknown(ROUNDED), missed_square + cell.unknown(ROUNDED_SQUARE)
        given |= {number: Real(model, -110) for number, model in zip(places.missed, computed, strict=True)}
        return Setting(given, claims)

    def statement(self) -> InverseRoot:
        """The same as plain data."""
        places = self.places
        bounds = (MISSED, ROUNDED), (MISSED_SQUARE, ROUNDED_SQUARE)
        return InverseRoot(places.y, -53, places.missed, bounds, places.ordinary)


def _encodings(x: Any) -> Any:
    """The encoding of |x|, of x 2^1074, whether it is subnormal, of m, and the half of the exponent."""
    encoding = normalised(magnitude(x))
    exponent = (encoding >> 52) - 1023
    m = ((encoding & MANTISSA) | ONE) + ((exponent & 1) << 52)
    return magnitude(x), bits(real(magnitude(x))), magnitude(x) < LEAST_NORMAL, m, exponent >> 1


def _values(x: Any) -> Any:
    *_, encoding, _ = _encodings(x)
    m = from_bits(encoding)
    s = sqrt(m)
    y = 1.0 / s
    (s1, s2), (y1, y2) = split(s), split(y)
    products = s1 * y1, s1 * y2, s2 * y1, s2 * y2, s1 * s1, 2.0 * s1 * s2, s2 * s2
    missed = (((1.0 - s1 * y1) - s1 * y2) - s2 * y1) - s2 * y2
    return m, s, y, s1, s2, y1, y2, *products, missed, double.missed_square(m, s1, s2)


def _ordinary(x: Any) -> Any:
    *_, encoding, _ = _encodings(x)
    return x > 0.0, x < double.INFINITY, from_bits(encoding) != 1.0


def double_parts(name: str) -> Sequence[Any]:
    """The parts of the proof of double's rsqrt."""
    whole = traced(getattr(double, name), ("double",), ("double", "double", "double", "long"))
    encoding, scaled, subnormal, m_encoding, half = whole.places(_encodings, "long", "long", "bool", "long", "long")
    m, s, y, s1, s2, y1, y2, *others = whole.places(_values, *("double",) * 16)
    ordinary = tuple(whole.places(_ordinary, "bool", "bool", "bool"))
    places = Trace(
        whole,
        (encoding, subnormal, scaled, m_encoding),
        half,
        m,
        s,
        y,
        (s1, s2, y1, y2),
        tuple(others[:7]),
        (others[7], others[8]),
        ordinary,
    )
    return Halves(places), Roots(places), Products(places), Inverse(places)


NAMES = ("rsqrt",)
