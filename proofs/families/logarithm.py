"""log, log2, log10, log1p: that x = 2^k m with m in its place, and the sum k log 2 + log m at every place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from clmath.ir.lanes import bits, real
from clmath.ir.program import Value
from clmath.kernels.accurate import logarithm as double
from proofs.engine.execution import Execution, Real, Span, constant
from proofs.engine.models import Cell, Model, Unproven
from proofs.engine.proof import OfFamily, Setting, enclosed, in_one

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from proofs.engine.traced import Traced

_BINADE = 1 << 52  # encodings in a binade
_ONE = 1023 << 52  # the encoding of 1
_SCALED = 1074  # subnormal numbers are taken 2^1074 times as large
_CLOSE = 2.0**-27
_DOUBLE, _SINGLE = 53, 24  # digits of arguments: fast kernels are for formats that have no more than float


@dataclass(frozen=True)
class Layout:
    """Which m lie at which place: the encodings of place j are the 2^bits from start + j 2^bits on.

    x = 2^q m; k is q, and one more from the place ``carry`` on, where m stands for m/2.
    """

    start: int
    places: int
    bits: int
    carry: int

    def carried(self, place: int) -> int:
        """By how much k is greater than q."""
        return int(place >= self.carry)

    def ends(self, place: int, digits: int) -> tuple[float, float]:
        """The least and the greatest m of ``digits`` digits at a place."""
        first, beyond = self.start + (place << self.bits), self.start + (place + 1 << self.bits)
        low, high = np.array([first, beyond - (1 << (_DOUBLE - digits))]).view(np.float64).tolist()
        return low, high

    def powers(self, least: int, greatest: int) -> tuple[int, int]:
        """The least and the greatest q, of encodings."""
        return (least - self.start) // _BINADE, (greatest - self.start) // _BINADE


@dataclass(frozen=True)
class OnePlus:
    """What kernels of 1 + t add: where the rounded sum stands in the trace, what it lacks, and perhaps 2^-q.

    ``near``: (sign of t, place, q) of the sums that are next to 1; ``least``: the least t that is proven there, and
    ``digits``: how many t has. ``close``: where |t| < c is asked, and c; none where it is not.
    """

    total: int
    left: int
    scale: int | None
    near: tuple[tuple[int, int, int], ...]
    least: float
    digits: int
    close: tuple[int, float] | None = None

    def farthest(self, layout: Layout, which: tuple[int, int, int], digits: int) -> float:
        """The t farthest from 0 whose sum is next to 1, in size, of one of ``near``; ``digits``: those of sums."""
        sign, place, q = which
        low, high = layout.ends(place, digits)
        return (math.ldexp(high if sign > 0 else low, q) - 1.0) * sign + 2.0**-52

    def far(self, layout: Layout, digits: int) -> dict[int, bool]:
        """What is known of every t whose sum is not next to 1: it is not close."""
        if self.close is None:
            return {}
        where, bound = self.close
        if any(self.farthest(layout, which, digits) < bound for which in self.near):
            raise Unproven(f"|t| < {bound} where the sum is not next to 1")
        return {where: False}


@dataclass(frozen=True)
class Family:
    """A logarithm: x = 2^k m, and its value is (k log 2 + log m) ``factor``.

    ``cut``: where (k, j, m) stand in the trace; ``encodings``: where the encoding of x, and, in kernels of subnormal
    x, that of x 2^1074 and whether x is subnormal. ``ordinary``: what the conditions of special arguments are where
    0 < x < infinity. ``powers``: the k that are proven together; ``digits``: those of m. ``exact_at_one``: whether
    there is no error where m = 1. In kernels of 1 + t, x is that rounded, and the value is k log 2 + log(m + (what it
    lacks) 2^-q).
    """

    name: str
    traced: Traced
    layout: Layout
    digits: int
    cut: tuple[int, int, int]
    encodings: tuple[int, ...]
    ordinary: Mapping[int, bool]
    factor: Callable[[], arb]
    powers: tuple[tuple[int, int], ...]
    in_one: bool
    exact_at_one: bool = False
    one_plus: OnePlus | None = None

    def operand(self, number: int, operation: str) -> Value:
        """What the statement ``number`` is applied to, which is one ``operation``."""
        statement = self.traced.program.statements[number - len(self.traced.program.inputs)]
        if statement.operation != operation or not isinstance(statement.operands[0], Value):
            raise LookupError(f"the statement {number} is no {operation}")
        return statement.operands[0]

    @property
    def k_is_real(self) -> bool:
        """Whether k stands in the trace as a double."""
        return self.traced.program.statements[self.cut[0] - len(self.traced.program.inputs)].kind == "double"

    def claim(self, run: Execution, ideal: Model) -> list[tuple[Model, float]]:
        """That the kernel's value is as near to ``ideal`` as it says."""
        return [in_one(run, ideal) if self.in_one else enclosed(run, ideal, (0, 1), 2)]


@dataclass(frozen=True)
class Places(OfFamily):
    """x = 2^q m exactly, and m lies at its place.

    By the integers of the trace: the encoding of positive normal x is q 2^52 + start + j 2^bits + i for some q, some
    place j and some i below 2^bits. What is proven for each j, and all q and i: the j of the trace is this one, its m
    has the encoding start + j 2^bits + i, and its k is q, or q + 1 from the carry on. Encodings of normal numbers
    that differ by q 2^52 are of numbers that differ by the factor 2^q. Where x is subnormal, the same is proven of
    x 2^1074, a normal double (the encoding of x made a number), and k is q - 1074. Where 2^-q is in the trace, its
    encoding is proven to be that of 1, less q 2^52.
    """

    family: Family
    name: str = "places"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every place, of normal numbers and of others."""
        for j in range(self.family.layout.places):
            yield ("normal", j), 0.0, 0.0
            if len(self.family.encodings) > 1:
                yield ("subnormal", j), 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but integers."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The encoding is given, of x or of what it is scaled to."""
        kind, place = which
        layout, one_plus = self.family.layout, self.family.one_plus
        k, j, m = self.family.cut
        encoding = Span(layout.start + (place << layout.bits), 1 << layout.bits, _BINADE)
        added = layout.carried(place) - (_SCALED if kind == "subnormal" else 0)
        expected: dict[Value, Any] = {
            self.family.operand(k, "double.of_long") if self.family.k_is_real else Value(k): Span(added, 1, 1),
            Value(j): place,
            self.family.operand(m, "from_bits"): Span(encoding.first, encoding.count),
        }
        if one_plus is not None and one_plus.scale is not None:
            expected[self.family.operand(one_plus.scale, "from_bits")] = Span(_ONE, 1, -_BINADE)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            found = {value: run.value(value) for value in expected}
            if found != expected:
                raise Unproven(f"the places are {found}")
            return [(cell.constant(0), 1.0)]

        return Setting(self._given(kind, encoding), claims)

    def _given(self, kind: str, encoding: Span) -> dict[int, Any]:
        whole, *others = self.family.encodings
        if not others:
            return {whole: encoding}
        scaled, is_subnormal = others
        return {scaled: encoding, is_subnormal: True} if kind == "subnormal" else {whole: encoding, is_subnormal: False}


def _left(one_plus: OnePlus, cell: Cell) -> tuple[Model, dict[int, Any]]:
    """What 1 + t has beyond its rounding, times 2^-q, and what is given of that and of 2^-q.

    It is half a unit in the last place of m at most; and 2^-q, for t is a double, and 1 + t is no farther from it
    than 1.
    """
    least, greatest = cell.powers
    half = arb(2) ** (-54 if cell.high < 1 else -53)
    left = cell.unknown(min(half, arb(2) ** -least))
    cell.paired |= set(left.terms)
    if least == greatest:
        given: dict[int, Any] = {one_plus.left: Real(left.scaled(arb(2) ** least), -1074)}
        scale = Real(cell.constant(arb(2) ** -least), -least, 0, 1)
    else:
        given = {one_plus.left: Real(left, -1074 - greatest, 1)}
        scale = Real(cell.constant(1), 0, -1, 1)
    return left, given if one_plus.scale is None else {**given, one_plus.scale: scale}


def on_grid(low: arb, high: arb, grid: int) -> tuple[arb, arb]:
    """The first and the last multiple of 2^grid within ``low`` .. ``high``; where there is none, the next one twice."""
    unit = arb(2) ** grid
    first, last = (low / unit).ceil() * unit, (high / unit).floor() * unit
    return first, max(first, last)


def between(cell: Cell, least: int, greatest: int) -> Real:
    """Any integer of ``least`` .. ``greatest``."""
    if least == greatest:
        return constant(cell, float(least))
    middle, radius = (least + greatest) / 2, (greatest - least) / 2
    return Real(cell.constant(middle) + cell.unknown(radius), 0)


def pieces_of(low: float, high: float, digits: int, *, near: bool) -> Iterator[tuple[float, float]]:
    """``low`` .. ``high``, numbers of ``digits`` digits, in pieces: 1 is one.

    ``near``: binade by binade on both sides of 1, and below 2. Where not, pieces next to 1 are short: the radius of a
    ball has 30 bits, and must not reach to 1.
    """
    unit = 2.0 ** (1 - digits)
    if near and high + unit == 2.0:
        yield from _away(2.0, low, unit, near=near)
    elif low <= 1.0 < high:
        yield 1.0, 1.0
        yield from _away(1.0, low, unit / 2, near=near)
        yield from _away(1.0, high, unit, near=near)
    else:
        yield low, high


def _away(point: float, end: float, least: float, *, near: bool) -> Iterator[tuple[float, float]]:
    """From ``least`` beyond ``point`` to ``end``."""
    start, length, sign = least, abs(end - point), math.copysign(1.0, end - point)
    while start < length:
        stop = min(2.0 * start if near else _CLOSE if start < _CLOSE else length, length)
        low, high = sorted((point + sign * start, point + sign * stop))
        yield low, high
        start = stop


def doubling(least: int, greatest: int) -> tuple[tuple[int, int], ...]:
    """All integers from ``least`` < 0 to ``greatest`` > 0: those whose size lies between powers of two together."""
    sizes = [(1 << n, (2 << n) - 1) for n in range(11)]
    negative = [(-min(high, -least), -low) for low, high in sizes if low <= -least]
    return (*negative, (0, 0), *((low, min(high, greatest)) for low, high in sizes if low <= greatest))


def _natural() -> arb:
    return arb(1)


OF_DOUBLE = Layout(double.LOWEST, 256, 44, 256)
_GREATEST = (2047 << 52) - 1  # the encoding of the greatest double
_LEAST, _ = OF_DOUBLE.powers(_ONE, _ONE)


def _encodings(x: Any) -> Any:
    encoding = bits(x)
    return encoding, bits(real(encoding)), encoding < double.SUBNORMAL


def _special(x: Any) -> Any:
    return x == 0.0, x > 0.0, x < double.INFINITY


def places_of(name: str, whole: Traced, cut: tuple[int, int, int], encoding: int) -> Family:
    """Where k, j and m stand in a function of positive normal numbers, for ``Places`` alone."""
    return Family(name, whole, OF_DOUBLE, _DOUBLE, cut, (encoding,), {}, _natural, (), False)
