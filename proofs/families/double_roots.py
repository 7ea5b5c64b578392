"""Double's cbrt and hypot: powers of two taken apart, a root of few bits, and what its power misses exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from flint import arb

from clmath.ir.lanes import SIGN, bits, fast_two_sum, from_bits, polynomial, real, select, sqrt, take
from clmath.ir.program import Value
from clmath.kernels.double import roots as double
from clmath.kernels.double.boundaries import INFINITE, LEAST_NORMAL, MANTISSA, ONE, magnitude, normalised
from clmath.kernels.double.roots import (
    CBRT_TAIL,
    INFINITY,
    RECIPROCAL,
    ROOT,
    SLIGHT,
    TO_17_BITS,
    TO_34_BITS,
    ordered,
    root_of,
    scaled_legs,
    squared,
)
from proofs.engine.execution import Execution, Real, Span
from proofs.engine.ideals import EXP, INVERSE, LOG, SQRT, applied
from proofs.engine.models import Cell, Model, Unproven
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families.floats import grid_of_doubles
from proofs.families.kinds import BOOL, DOUBLE, ENCLOSURE, LONG
from proofs.families.logarithm import on_grid
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


__all__ = ["NAMES", "Family", "Integers", "Numbers", "double_parts", "size_normalised"]

_BINADE = 1 << 52  # encodings in a binade
_EXPONENTS = range(-1074, 1024)  # of doubles
_SCALED = 1074  # subnormal numbers are taken 2^1074 times as large
_WIDEST = 31  # b, which is not slight, is no smaller than 2^-31
_PLACES = 128

Claims: TypeAlias = list[tuple[Model, float]]


@dataclass(frozen=True)
class Family:
    """A kernel, or what refines its results, and where in it values stand, by name.

    ``second_functions``: the names of what is no kernel; ``refines``: whether it is called after the kernel.
    """

    traced: Traced
    at: Mapping[str, int]
    second_functions: frozenset[str] = frozenset()
    refines: bool = False


@dataclass(frozen=True)
class Integers(OfFamily):
    """What integers are: ``cases`` tells for each of some numbers what is given and what is found, by their names."""

    family: Family
    name: str
    numbers: Sequence[Any]
    cases: Callable[[Any], Iterator[tuple[dict[str, Any], dict[str, Any]]]]

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All numbers."""
        for number in self.numbers:
            yield number, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but integers."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Integers are given, case by case."""
        at = self.family.at

        def claims(run: Execution) -> Claims:
            for given, expected in self.cases(which):
                numbers = {at[name]: value for name, value in given.items()}
                each = Execution(run.program, run.tables, run.shapes, cell, numbers)
                found = {name: each.value(Value(at[name])) for name in expected}
                if found != expected:
                    raise Unproven(f"from {given} follows {found}")
            return [nothing(cell)]

        return Setting({}, claims)


@dataclass(frozen=True)
class Numbers(OfFamily):
    """What values are: ``ends`` has pieces, of multiples of 2^``grid``, ``said`` what is given and claimed there."""

    family: Family
    name: str
    ends: Sequence[tuple[Any, float, float]]
    grid: int
    said: Callable[[Family, Any, Cell], tuple[dict[str, Any], Callable[[Execution, Callable[[str], Real]], Claims]]]

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """As they are."""
        yield from self.ends

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """The multiples."""
        return Cell(*on_grid(low, high, self.grid))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Values are given by name."""
        at = self.family.at
        given, claims = self.said(self.family, which, cell)

        def claimed(run: Execution) -> Claims:
            return claims(run, lambda name: run.real(Value(at[name])))

        return Setting({at[name]: value for name, value in given.items()}, claimed)


def _binade(exponent: int) -> Span:
    """The encodings of numbers from 2^exponent on, below twice that, be there normal numbers or not."""
    return Span(exponent + 1023 << 52, _BINADE)


def _normalised(_: Any, names: Sequence[tuple[str, str, str, str]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Encodings of normal numbers as they are; of subnormal ones those of 2^1074 x, with exponents less by 1074."""
    any_exponent = Span(ONE, _BINADE, _BINADE)
    for encoding, is_subnormal, scaled, found in names:
        yield {encoding: any_exponent, is_subnormal: False}, {found: any_exponent}
        lowered = Span(ONE - (_SCALED << 52), _BINADE, _BINADE)
        yield {scaled: any_exponent, is_subnormal: True}, {found: lowered}


# hypot: the larger leg is a 2^n in size, the smaller one b 2^n; p + p_lo = a^2, q + q_lo = b^2; t + rest = p + q

_LEG, _SQUARE_REST = -114, 2.0**-52 * (1.0 + 2.0**-20)
_REST = 2.0**-50 * (1.0 + 2.0**-20)


def _of_legs(n: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The encodings of a and b for a 2^n and smaller numbers."""
    given = {"upper": _binade(n), "lower": _binades(n), "slight": False, "special": False}
    yield given, {"n": n, "exponent": n, "code of a": _binade(0), "code of b": _binades(0)}


def _binades(last: int) -> Span:
    """The encodings of all numbers below 2^(last + 1) that are no smaller than 2^(last - 31)."""
    return Span(last - _WIDEST + 1023 << 52, (_WIDEST + 1) * _BINADE)


def _said_of_square(_: Family, which: tuple[str, str, str, int], cell: Cell) -> Any:
    """Which has the square of a or b, that is 2^-i .. 2^(1 - i), to its last bit.

    Rounding is monotonic: p or q is 4^-i .. 4 4^-i, a multiple of 2^-52 4^-i, and off by 2^-52 4^-i at most.
    """
    leg, square, rest, i = which
    x, unit = cell.argument(), -52 - 2 * i
    rounded = x * x + cell.unknown(arb(2) ** unit)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        p_lo = value(rest).model
        return [nothing(cell), (rounded + p_lo - x * x, 0.0), (p_lo, _SQUARE_REST)]

    return {leg: Real(x, grid_of_doubles(cell.low, cell.high)), square: Real(rounded, unit)}, claims


def _said_of_sum(_: Family, which: float, cell: Cell) -> Any:
    """P + q is t + rest: q, whose root is no larger than that of p, is no larger, for rounding is monotonic."""
    p, half = cell.argument(), (which - 2.0**-51) / 2
    q = cell.constant(half) + cell.unknown(half)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        t, rest = value("t"), value("rest")
        missed = t.model + rest.model - p - q
        return [nothing(cell), (missed, 0.0), (rest.model, _REST), (t.model - cell.constant(4.5), 3.5 + 2.0**-20)]

    return {"p": Real(p, -52 if which == 2.0 else -51), "q": Real(q, _LEG)}, claims


def _said_of_hypot(_: Family, _which: Any, cell: Cell) -> Any:
    """The root of t and what is beside it: t = 1 .. 8, like p, is a multiple of 2^-52, and its root like it."""
    t = cell.argument()
    off = cell.unknown(arb(2) ** (-53 if cell.high <= 4 else -52))
    cell.paired |= set(off.terms)
    rest, p_lo, q_lo = (cell.unknown(bound) for bound in (_REST, _SQUARE_REST, _SQUARE_REST))
    given = {"t": Real(t, -52), "rest": Real(rest, -1074), "p_lo": Real(p_lo, -1074), "q_lo": Real(q_lo, -1074)}

    def claims(run: Execution, _: Callable[[str], Real]) -> Claims:
        return [enclosed(run, applied(SQRT, t + rest + p_lo + q_lo), (0, 1), 2)]

    root = Real(applied(SQRT, t) + off, -52)
    return {**given, "root": root, "slight": False, "special": False}, claims


def _places_of_hypot(x: Any, y: Any) -> Any:
    larger, smaller = ordered(x, y)
    upper, lower = normalised(larger), normalised(smaller)
    n = (upper >> 52) - 1023
    moved = lower - (n << 52)
    slight = (moved < SLIGHT) | (smaller == 0)
    special = (larger == 0) | (larger >= INFINITE)
    codes = (upper & MANTISSA) | ONE, select(slight | special, ONE, moved)
    subnormal = larger < LEAST_NORMAL, smaller < LEAST_NORMAL
    scaled = bits(real(larger)), bits(real(smaller))
    return larger, smaller, *subnormal, *scaled, upper, lower, n, select(special, 0, n), *codes, slight, special


def _values_of_hypot(x: Any, y: Any) -> Any:
    a, b, *_ = scaled_legs(*ordered(x, y))
    p, p_lo = squared(a)
    q, q_lo = squared(b)
    t, rest = fast_two_sum(p, q)
    return a, b, p, p_lo, q, q_lo, t, rest, sqrt(t)


def _hypot() -> Sequence[Any]:
    whole = traced(double.hypot, (DOUBLE, DOUBLE), ENCLOSURE)
    names = "larger", "smaller", "tiny", "tinier", "scaled", "scaled too", "upper", "lower", "n", "exponent"
    kinds = LONG, LONG, BOOL, BOOL, *(LONG,) * 8, BOOL, BOOL
    at = dict(
        zip(
            (*names, "code of a", "code of b", "slight", "special"), whole.places(_places_of_hypot, *kinds), strict=True
        )
    )
    at |= dict(
        zip(
            ("a", "b", "p", "p_lo", "q", "q_lo", "t", "rest", "root"),
            whole.places(_values_of_hypot, *(DOUBLE,) * 9),
            strict=True,
        )
    )
    family = Family(whole, at)
    of_b = [(("b", "q", "q_lo", i), 2.0**-i, math.nextafter(2.0 ** (1 - i), 0.0)) for i in range(_WIDEST + 1)]
    squares = [(("a", "p", "p_lo", 0), 1.0, math.nextafter(2.0, 1.0)), *of_b]
    return (
        Integers(family, "normalised", ("both",), _both_normalised),
        Integers(family, "places", _EXPONENTS, _of_legs),
        Numbers(family, "squares", squares, -84, _said_of_square),
        Numbers(family, "sum", [(2.0, 1.0, 2.0 - 2.0**-52), (4.0, 2.0, math.nextafter(4.0, 0.0))], -52, _said_of_sum),
        Numbers(family, "root", [("t", n / 16, (n + 1) / 16) for n in range(16, 128)], -52, _said_of_hypot),
    )


def _both_normalised(which: Any) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    return _normalised(which, (("larger", "tiny", "scaled", "upper"), ("smaller", "tinier", "scaled too", "lower")))


# cbrt: |x| = m 2^(3 n), m = v 2^rest; y = h + l is near the root; m - y^3 = m - h^3 - 3 h^2 l - l^2 (3 h + l)

_LOWER = 2.0**-17 * (1.0 + 2.0**-10)  # how large l is
_UPPER = 0.5 + 2.0**-15  # how far h is from 1.5
_AWAY = 2.0**-33.65  # how far y is from the root
_MISSED, _ROUNDED = 12.1 * _AWAY, 2.0**-82.95  # how large m - y^3 is, and how far off when computed
_SECOND, _THIRD = 12.04 * _LOWER, 6.01 * _LOWER**2  # how large 3 h^2 l and l^2 (3 h + l) are
_OFF_THIRD = 2.0**-84


def _of_exponents(n: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The third of the exponent, what is left, and the encodings of v and m."""
    thirds, left = divmod(n, 3)
    given = {"encoding": _binade(n), "not zero": True, "finite": True}
    yield given, {"rest": left, "exponent": thirds, "code of m": _binade(left), "code of v": _binade(0)}


def _of_places(j: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The entry of the table, by the first bits."""
    yield {"encoding": Span((1023 << 52) + (j << 45), 1 << 45, _BINADE)}, {"j": j}


def _cube_root(x: Model) -> Model:
    return applied(EXP, applied(LOG, x).scaled(arb(1) / 3))


def _said_of_near(_: Family, which: tuple[int, int], cell: Cell) -> Any:
    """Y is as near as is said, and its parts are as short."""
    rest, j = which
    v = cell.argument()
    m = v.scaled(1 << rest)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        y, h, l = value("y"), value("h"), value("l")
        if h.grid < -16 or l.grid < -33:
            raise Unproven("a part may be finer than was said")
        away = y.model - _cube_root(m)
        whole = h.model - cell.constant(1.5)
        return [
            nothing(cell),
            (away, _AWAY),
            (y.model - h.model - l.model, 2.0**-34),
            (l.model, _LOWER),
            (whole, _UPPER),
        ]

    return {"v": Real(v, -52), "rest": rest, "j": j}, claims


def _said_of_cubes(_: Family, which: str, cell: Cell) -> Any:
    """The products of h alone are exact, and those of l, but for the last one."""
    x = cell.argument()
    if which == "h":

        def of_h(_: Execution, value: Callable[[str], Real]) -> Claims:
            square, cube = value("square"), value("cube")
            exact = (square.model - x * x, 0.0), (cube.model - x * x * x, 0.0)
            if square.grid < -32 or cube.grid < -48:
                raise Unproven("a power may be finer than was said")
            return [nothing(cell), *exact]

        return {"h": Real(x, -16)}, of_h
    h, square = cell.constant(1.5) + cell.unknown(_UPPER), cell.constant(2.5) + cell.unknown(1.51)

    def of_l(_: Execution, value: Callable[[str], Real]) -> Claims:
        second, third = value("second"), value("third")
        if second.grid < -65:
            raise Unproven("a product may be finer than was said")
        exact = second.model - (square * x).scaled(3)
        ideal = x * x * (h.scaled(3) + x)
        return [
            nothing(cell),
            (exact, 0.0),
            (second.model, _SECOND),
            (third.model - ideal, _OFF_THIRD),
            (ideal, _THIRD),
        ]

    return {"h": Real(h, -16), "l": Real(x, -33), "square": Real(square, -32, 0, 33)}, of_l


def _said_of_missed(_: Family, _which: Any, cell: Cell) -> Any:
    """What is computed for d = m - y^3 is d, nearly: unknown numbers stand for d and all but h^3, which is the rest."""
    m = cell.argument()
    d, second, third = (cell.unknown(bound) for bound in (_MISSED, _SECOND, _THIRD))
    cube = m - d - second - third
    given = {"m": Real(m, -52), "cube": Real(cube, -48), "second": Real(second, -65)}

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("missed").model - d, _ROUNDED)]

    return {**given, "third": Real(third + cell.unknown(_OFF_THIRD), -1074)}, claims


def _said_of_cbrt(_: Family, which: int, cell: Cell) -> Any:
    """The root of y^3 + d with the sign of x, y (1 + u)^(1/3), u = d/y^3: 1 + u/3 - u^2/9, and less than u^3/10."""
    y, d = cell.argument(), cell.unknown(_MISSED)
    cell.paired |= set(d.terms)
    inverse = applied(INVERSE, y)
    u = d * inverse * inverse * inverse
    found = y * (cell.constant(1) + u.scaled(arb(1) / 3) - (u * u).scaled(arb(1) / 9) + cell.unknown(0.1 * _MISSED**3))
    given = {"y": Real(y, -33), "missed": Real(d + cell.unknown(_ROUNDED), -1074), "exact": False}
    given |= {"not zero": True, "finite": True, "sign": SIGN if which < 0 else 0}

    def claims(run: Execution, _: Callable[[str], Real]) -> Claims:
        return [enclosed(run, found.scaled(which), (0, 1), 2)]

    return given, claims


def _places_of_cbrt(x: Any) -> Any:
    size = magnitude(x)
    encoding = normalised(size)
    exponent = (encoding >> 52) + (1200 - 1023)
    thirds = exponent * 21846 >> 16
    rest = exponent - 3 * thirds
    fraction = encoding & MANTISSA
    codes = (fraction | ONE) + (rest << 52), fraction | ONE
    conditions = size < LEAST_NORMAL, x != 0.0, abs(x) < INFINITY
    found = select((x != 0.0) & (abs(x) < INFINITY), thirds - 400, 0)
    return size, bits(real(size)), encoding, rest, found, fraction >> 45, *codes, bits(x) & SIGN, *conditions


def _values_of_cbrt(x: Any) -> Any:
    encoding = normalised(magnitude(x))
    exponent = (encoding >> 52) + (1200 - 1023)
    rest = exponent - 3 * (exponent * 21846 >> 16)
    fraction = encoding & MANTISSA
    j = fraction >> 45
    v = from_bits(fraction | ONE)
    s = v * take(RECIPROCAL, j) - 1.0
    entry = take(ROOT, (rest << 7) + j)
    near = entry + entry * (s * polynomial(s, CBRT_TAIL))
    m = from_bits((fraction | ONE) + (rest << 52))
    h = (near + TO_17_BITS) - TO_17_BITS
    l = ((near - h) + TO_34_BITS) - TO_34_BITS
    square = h * h
    cube, second, third = square * h, 3.0 * square * l, l * l * (3.0 * h + l)
    missed = ((m - cube) - second) - third
    *_, exact = root_of(m, near)
    return v, m, h, l, h + l, square, cube, second, third, missed, exact


def _cbrt() -> Sequence[Any]:
    whole = traced(double.cbrt, (DOUBLE,), ENCLOSURE)
    names = "size", "scaled", "encoding", "rest", "exponent", "j", "code of m", "code of v", "sign", "tiny", "not zero"
    found = whole.places(_places_of_cbrt, *(LONG,) * 9, BOOL, BOOL, BOOL)
    at = dict(zip((*names, "finite"), found, strict=True))
    values = whole.places(_values_of_cbrt, *(DOUBLE,) * 10, BOOL)
    parts = "v", "m", "h", "l", "y", "square", "cube", "second", "third", "missed", "exact"
    at |= dict(zip(parts, values, strict=True))
    family = Family(whole, at)
    entries = [
        ((rest, j), 1.0 + j / _PLACES, 1.0 + (j + 1) / _PLACES - 2.0**-52) for rest in range(3) for j in range(_PLACES)
    ]
    cubes = [("h", 1.5 - _UPPER, 1.5 + _UPPER), ("l", -_LOWER, _LOWER)]
    ends = [(1.0, 1.0), (1.0 + 2.0**-33, 1.0 + 1 / 64), *((1.0 + n / 64, 1.0 + (n + 1) / 64) for n in range(1, 64))]
    roots = [(sign, *piece) for piece in ends for sign in (1, -1)]
    return (
        Integers(family, "normalised", ("x",), size_normalised),
        Integers(family, "exponents", _EXPONENTS, _of_exponents),
        Integers(family, "places", range(_PLACES), _of_places),
        Numbers(family, "near", entries, -52, _said_of_near),
        Numbers(family, "cubes", cubes, -33, _said_of_cubes),
        Numbers(family, "missed", [(rest, 2.0**rest, 2.0 ** (rest + 1)) for rest in range(3)], -52, _said_of_missed),
        Numbers(family, "root", roots, -33, _said_of_cbrt),
    )


def size_normalised(which: Any) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """That the encoding of one number is normalised."""
    return _normalised(which, (("size", "tiny", "scaled", "encoding"),))


_PARTS: dict[str, Callable[[], Sequence[Any]]] = {"hypot": _hypot, "cbrt": _cbrt}
NAMES = tuple(_PARTS)


def double_parts(name: str) -> Sequence[Any]:
    """The parts of the proof of one of double's kernels."""
    return _PARTS[name]()
