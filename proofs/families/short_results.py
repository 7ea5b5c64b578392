"""What refines quick's cbrt, hypot, powers and roots: numbers of few bits whose powers are exact are the results.

cbrt and hypot compare a power of the result in few bits, which is exact, with the argument, or an exact sum of squares.
Powers: with |x|^y = b^n and b = m 2^j, m and n integers, m^n is exact where it is not too long, and roots likewise.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clmath.ir.lanes import bits, clamp, nearest, real, select, sqrt, two_sum
from clmath.ir.program import Constant, Value
from clmath.kernels.quick import power as quick
from clmath.kernels.quick.power import (
    LONGEST,
    MANTISSA,
    is_short_power,
    is_short_root,
    is_whole,
    odd_part,
    power_of_two_exponent,
    shortened,
    small_power,
)
from proofs.engine.execution import Execution, Real, Span, constant
from proofs.engine.models import Cell, Model, Unproven, binades, dyadic
from proofs.engine.traced import traced
from proofs.families.double_roots import Claims, Family, Integers, Numbers
from proofs.families.kinds import BOOL, DOUBLE, LONG, any_double, any_integer
from proofs.families.logarithm import on_grid
from proofs.families.refining import (
    ZERO,
    Meaning,
    Never,
    Refining,
    Unchanged,
    double,
    is_equality,
    never_holds,
    zero_bits,
)
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from flint import arb

    from clmath.ir.program import Kind

__all__ = ["SECOND", "Scaled", "parts_named"]

_TOLD = (Value(1), Value(2)), (Value(2), Value(3))  # of one argument, and of two
_POWERS = (-200, 200)  # of two: results of floats, which are no zeros, lie far within
_BINADE = 1 << 52
_FLOATS = range(-149, 128)  # exponents
_LARGEST = 2.0**128
_NEAR = 2.0**-42  # how far values from 1 to 2 may be from the exact ones: quick's bounds are less than half of that


@dataclass(frozen=True)
class Scaled(Numbers):
    """The same, for values that are 2^k times those of the cell, for any k of ``powers``."""

    powers: tuple[int, int] = _POWERS

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """The multiples."""
        return Cell(*on_grid(low, high, self.grid), self.powers)


def returned(run: Execution, exact: int, expected: Model, power: int) -> Claims:
    """Where the condition ``exact`` holds ``expected`` is returned, and no bound."""
    found = run.where({exact: True})
    value, err = found.real_output(0), found.real_output(1)
    if value.power != power:
        raise Unproven("what is returned grows otherwise")
    return [(value.model - expected, 0.0), (err.model, 0.0)]


def parts_named(places: Sequence[int], *names: str) -> dict[str, int]:
    """Where values stand, by name."""
    return dict(zip(names, places, strict=True))


# cbrt


def _of_cube(x: Any, value: Any, err: Any) -> Any:
    shift = value * 68719476736.0
    short = (value + shift) - shift
    cube = short * short * short
    return short, cube, cube == x, (cube == x) & (err > 0.0)


def _said_of_shortened(_: Family, _which: Any, cell: Cell) -> Any:
    """The short number has 17 bits."""

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        short = value("short")
        if short.grid < _SHORT or short.power != 1:
            raise Unproven("it may be longer")
        return [nothing(cell), (short.model, _SHORTENED)]

    return {"value": Real(cell.argument(), -52, 1)}, claims


_SHORT, _SHORTENED = -16, 2.0 + 2.0**-15


def _said_of_cube(family: Family, _which: Any, cell: Cell) -> Any:
    """The cube of the short number is exact; it is what is returned."""
    short = cell.argument()

    def claims(run: Execution, value: Callable[[str], Real]) -> Claims:
        cube = value("cube")
        if cube.power != 3 or not is_equality(family.traced, family.at["equal"], family.at["cube"], 0):
            raise Unproven("something else is compared")
        exact = short * short * short
        return [nothing(cell), (cube.model - exact, 0.0), *returned(run, family.at["exact"], short, 1)]

    return {"short": Real(short, _SHORT, 1)}, claims


_SIGNED = [("+", 1.0, 2.0), ("-", -2.0, -1.0)]


def _cbrt(_: str) -> Sequence[Any]:
    whole = traced(quick.refined_cbrt, (DOUBLE,) * 3, (DOUBLE, DOUBLE))
    at = parts_named(whole.places(_of_cube, DOUBLE, DOUBLE, BOOL, BOOL), "short", "cube", "equal", "exact")
    family = Refining(whole, at | {"value": 1}, frozenset({"refined_cbrt"}), told=_TOLD[0])
    return (
        Unchanged(family, [("equal",)]),
        Scaled(family, "short", _SIGNED, -52, _said_of_shortened),
        Scaled(family, "cube", [("any", -_SHORTENED, _SHORTENED)], _SHORT, _said_of_cube),
    )


# hypot


def _of_squares(x: Any, y: Any, value: Any, err: Any) -> Any:
    high, low = two_sum(x * x, y * y)
    short = shortened(value)
    difference = high - short * short
    missed = difference + low
    close, is_more, level = abs(value - short) <= 2.0 * err, missed > 0.0, missed == 0.0
    numbers = x * x, y * y, high, low, short, short * short, difference, missed
    return *numbers, is_more, level, close, err > 0.0, close & (err > 0.0)


def _said_of_square(_: Family, which: tuple[str, str], cell: Cell) -> Any:
    """The square of a float is exact."""
    leg, square = which
    x = cell.argument()

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value(square).model - x * x, 0.0)]

    return {leg: Real(x, _FLOATS[0], 0, 24)}, claims


def _said_of_sum(_: Family, _which: Any, cell: Cell) -> Any:
    """The sum of both squares is exact, as a pair."""
    one, other = cell.argument(), cell.constant(_LARGEST**2 / 2) + cell.unknown(_LARGEST**2 / 2)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("high").model + value("low").model - one - other, 0.0)]

    return {"x^2": Real(one, 2 * _FLOATS[0]), "y^2": Real(other, 2 * _FLOATS[0])}, claims


def _said_of_short(_: Family, _which: Any, cell: Cell) -> Any:
    """The square of the short number is exact."""

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        short, square = value("short"), value("square")
        if square.power != 2:
            raise Unproven("the square grows otherwise")
        return [nothing(cell), (square.model - short.model * short.model, 0.0)]

    return {"value": Real(cell.argument(), -52, 1)}, claims


def _said_of_missed(_: Family, _which: Any, cell: Cell) -> Any:
    """The square, 1 to 4 times a power of two, and the sum next to it differ by a double.

    With the rest of the sum that is what the square misses: rounded, that keeps its sign, for rounding is monotonic.
    """
    square, away = cell.argument(), cell.unknown(_NEAR)
    given = {"square": Real(square, -52, 1), "high": Real(square + away, -54, 1)}

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("difference").model - away, 0.0)]

    return given, claims


def _said_of_beside(family: Family, is_more: bool | None, cell: Cell) -> Any:
    """The short number is returned, or a number next to it on the side that is told, and no bound."""
    short, at = cell.argument(), family.at
    beside = 0.0 if is_more is None else _BESIDE if is_more else -_BESIDE
    given = {"short": Real(short, -25, 1), "level": is_more is None, "is more": bool(is_more)}

    def claims(run: Execution, _: Callable[[str], Real]) -> Claims:
        (missed, exact), err = returned(run, at["found"], short + short.scaled(beside), 1)
        return [nothing(cell), (missed, exact if is_more is None else _BESIDE / 2), err]

    return given, claims


_BESIDE = 2.0**-50


def _hypot(_: str) -> Sequence[Any]:
    whole = traced(quick.refined_hypot, (DOUBLE,) * 4, (DOUBLE, DOUBLE))
    numbers = "x^2", "y^2", "high", "low", "short", "square", "difference", "missed"
    names = *numbers, "is more", "level", "close", "open", "found"
    at = parts_named(whole.places(_of_squares, *(DOUBLE,) * 8, *(BOOL,) * 5), *names)
    at |= {"x": 0, "y": 1, "value": 2, "err": 3}
    family = Refining(whole, at, frozenset({"refined_hypot"}), told=_TOLD[1])
    legs = [(leg, -_LARGEST, _LARGEST) for leg in (("x", "x^2"), ("y", "y^2"))]
    meaning = {
        "open": ("double.gt", "err", ZERO),
        "close": ("double.le", ("double.abs", ("double.sub", "value", "short")), ("double.mul", double(2.0), "err")),
        "missed": ("double.add", "difference", "low"),
        "is more": ("double.gt", "missed", ZERO),
        "level": ("double.eq", "missed", ZERO),
    }
    return (
        Meaning(family, meaning),
        Unchanged(family, [("close",), ("open",)]),
        Numbers(family, "exact squares", legs, _FLOATS[0], _said_of_square),
        Numbers(family, "sum", [("x^2", 0.0, _LARGEST**2)], 2 * _FLOATS[0], _said_of_sum),
        Scaled(family, "short", _SIGNED[:1], -52, _said_of_short),
        Scaled(family, "missed", [("square", 1.0, 4.0)], -52, _said_of_missed),
        Scaled(family, "beside", [(which, 1.0, 2.0) for which in (None, True, False)], -25, _said_of_beside),
    )


# powers and roots of quick: x = 2^k, or m 2^j with m an integer, and m^n

_INDICES = range(32)  # exponents of small powers


def _of_exponent(n: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The exponent of a number whose encoding has no bits but those of the exponent."""
    yield {"code of x": Span(n + 1023 << 52, 1)}, {"k as integer": n}


def _mantissas(which: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The integer M = 2^52 .. 2^53 of an encoding, by all that stands before the exponent; its exponent does not count.

    For t = 0 .. 52 it is divided by 2^t where it is 2^t (2 q + 1).
    """
    yield {f"code of {which}": Span(0, _BINADE, _BINADE)}, {f"mantissa of {which}": Span(_BINADE, _BINADE)}
    for t in range(53):
        given = Span(1 << t, 1, 2 << t)
        yield {f"mantissa of {which}": given}, {f"lowest bit of {which}": 1 << t}


def said_of_odd(_: Family, which: tuple[str, int], cell: Cell) -> Any:
    """The integer M divided by 2^t, which divides it, is exact, and an integer: m."""
    of, t = which
    x = cell.argument()

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        odd = value(f"odd part of {of}")
        if odd.grid < 0:
            raise Unproven("it may be no integer")
        return [nothing(cell), (odd.model - x.scaled(2.0**-t), 0.0)]

    return {f"M of {of}": Real(x, t), f"lowest bit of {of}": 1 << t}, claims


def _odd_parts(family: Refining, *of: str) -> Iterator[Any]:
    """That of each number m is an integer."""
    for name in of:
        yield Integers(family, f"mantissa of {name}", (name,), _mantissas)
        ends = [((name, t), 2.0**52, 2.0**53 - 2.0**t) for t in range(53)]
        yield Numbers(family, f"odd part of {name}", ends, 0, said_of_odd)


def _places_of_odd(x: Any) -> Any:
    """M, its lowest bit, and what is divided by that; the encoding."""
    mantissa = (bits(x) & MANTISSA) | (MANTISSA + 1)
    return bits(x), mantissa, mantissa & -mantissa, real(mantissa), odd_part(x)


_ODD: tuple[Kind, ...] = (LONG, LONG, LONG, DOUBLE, DOUBLE)


def _odd_named(name: str, places: Sequence[int]) -> dict[str, int]:
    names = ("code of", "mantissa of", "lowest bit of", "M of", "odd part of")
    return parts_named(places, *(f"{one} {name}" for one in names))


def integers_below(n: int, bound: int) -> int:
    """The greatest integer whose power n is no larger than ``bound``."""
    found = int(bound ** (1.0 / n)) + 2 if n else bound
    while found**n > bound:
        found -= 1
    return found


def powers_of_integers(bound: int, largest: int) -> Iterator[tuple[Any, float, float]]:
    """For each exponent the integers from 1 to ``largest``: up to where their powers are ``bound``, and beyond."""
    for n in _INDICES:
        last = min(integers_below(n, bound), largest)
        yield (n, True), 1.0, float(last)
        yield from (((n, False), low, high) for low, high in dyadic(last + 1.0, float(largest)))


def _said_of_power(family: Family, which: tuple[int, bool], cell: Cell) -> Any:
    """m^n is exact, and has so few bits, wherever it is found."""
    n, is_short = which
    m = cell.argument()

    def claims(run: Execution, value: Callable[[str], Real]) -> Claims:
        if never_holds(run, family, "short", _FEW) or run.value(Value(family.at["short"])) is False:
            return [nothing(cell)]
        exact = functools.reduce(Model.__mul__, [m] * n, cell.constant(1))
        if not (is_short and exact.ends()[1] <= _SHORTEST):
            raise Unproven("what is found may have more bits")
        return [nothing(cell), (value("power").model - exact, 0.0)]

    return {"odd part of base": Real(m, 0), "n": constant(cell, float(n))}, claims


_SHORTEST = 1 << 26  # no integer up to this has more than 26 bits


def _said_of_count(family: Family, _which: Any, cell: Cell) -> Any:
    """What is found has an exponent that is an integer."""

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        at, traced = family.at, family.traced
        if value("count").grid < 0 or not is_equality(traced, at["is integer"], at["count"], at["n"]):
            raise Unproven("it may be no integer, or something else is compared")
        if traced.following({at["is integer"]: False}).get(at["short"]) is not False:
            raise Unproven("that it is an integer is not asked for")
        return [nothing(cell)]

    return {"n": Real(cell.argument(), -1074)}, claims


def _other_exponents(first: float, top: float) -> list[tuple[Any, float, float]]:
    """Numbers below 0, and from ``first`` on."""
    below = [("below", low, high) for sign, low, high in binades(2.0**-160, top) if sign == "-"]
    return [*below, *(("above", low, high) for low, high in dyadic(first, top))]


def _said_of_rounded(family: Family, which: int, cell: Cell) -> Any:
    """A number of 26 bits is what is returned, where the value is as near to it as bounds are small.

    It is z 2^k, and no other multiple of 2^-25, or below 1 of 2^-26, is as near to the value. ``which``: 1 or -1 where
    that is z, and else 0.
    """
    x = cell.argument()
    z, value = (cell.constant(which), x) if which else (x, x + cell.unknown(_NEAR))
    unit = -26 if cell.high.abs_lower() < 1 or cell.low.abs_lower() < 1 else -25

    def claims(run: Execution, _: Callable[[str], Real]) -> Claims:
        found = run.where({family.at["exact"]: True})
        short, err = found.real_output(0), found.real_output(1)
        if short.power != 1 or short.grid < unit:
            raise Unproven("what is returned may be finer")
        return [nothing(cell), (short.model - z, 0.99 * 2.0**unit), (err.model, 0.0)]

    return {"value": Real(value, -53, 1)}, claims


def _rounded(family: Refining) -> Scaled:
    """Numbers of 26 bits from 1 to 2, and values next to 1, of both signs."""
    eighths = [(0, 1.0 + i / 8 + (2.0**-25 if i == 0 else 0.0), 1.0 + (i + 1) / 8 - 2.0**-25) for i in range(8)]
    ends = [*eighths, (1, 1.0, 1.0 + _NEAR), (1, 1.0 - _NEAR, 1.0 - 2.0**-53)]
    return Scaled(family, "rounded", [*ends, *((-w, -high, -low) for w, low, high in ends)], -53, _said_of_rounded)


# powers


def _of_power(x: Any, y: Any, _value: Any, err: Any) -> Any:
    size = abs(x)
    lone, k = power_of_two_exponent(size)
    product = k * y
    kept = select(abs(product) < 2251799813685248.0, product, 0.0)
    rounded, is_integer = nearest(kept)[0], is_whole(product)[0]
    base, n = size, y
    steps: list[Any] = []
    for _i in range(3):
        root = sqrt(base)
        few, square = (bits(root) & 0x7FFFFFF) == 0, root * root
        usable = (n != nearest(clamp(n, -LONGEST, LONGEST))[0]) & few & (square == base)
        following = select(usable, root, base), select(usable, n + n, n)
        steps += [base, n, root, square, n + n, *following, few, square == base]
        base, n = following
    count, index = nearest(clamp(n, 0.0, 31.0))
    power = small_power(odd_part(base), index)
    short = (power <= LONGEST) & (count == n) & (n >= 1.0) & (n <= 16.0)
    exact = is_short_power(size, y) & (err > 0.0)
    k_as_integer = (bits(size) >> 52) - 1023
    numbers = n, count, power, product, kept, rounded
    return *steps, *numbers, lone, is_integer, count == n, n >= 1.0, n <= 16.0, short, err > 0.0, exact, k_as_integer


def _of_base(x: Any, y: Any, *_told: Any) -> Any:
    base, n = abs(x), y
    for _ in range(3):
        root = sqrt(base)
        usable = (n != nearest(clamp(n, -LONGEST, LONGEST))[0]) & ((bits(root) & 0x7FFFFFF) == 0)
        usable = usable & (root * root == base)
        base, n = select(usable, root, base), select(usable, n + n, n)
    return _places_of_odd(base)


def _code_of_x(x: Any, *_: Any) -> Any:
    return bits(abs(x))


_FEW = ("n >= 1", "n <= 16")
_MEANING = {
    "lone": ("long.eq", ("long.and", "code of x", Constant("long", MANTISSA)), Constant("long", 0)),
    "open": ("double.gt", "err", ZERO),
}
_STEPS = ("base", "exponent", "root", "square", "twice", "next base", "next exponent", "few bits", "equal")
_NUMBERS = ("n", "count", "power", "k y", "kept", "rounded")
_CONDITIONS = ("lone", "is whole", "is integer", *_FEW, "short", "open", "exact")


def _said_of_doubled(family: Family, which: int, cell: Cell) -> Any:
    """The root, which has so few bits, has an exact square, that is compared with the base; n is doubled exactly."""
    root, at, traced = cell.argument(), family.at, family.traced
    n = cell.constant(1.5) + cell.unknown(0.5)
    bits = 53 - zero_bits(traced, at[f"few bits {which}"])

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        if not is_equality(traced, at[f"equal {which}"], at[f"square {which}"], at[f"base {which}"]):
            raise Unproven("something else is compared")
        square, twice = value(f"square {which}"), value(f"twice {which}")
        return [nothing(cell), (square.model - root * root, 0.0), (twice.model - n.scaled(2), 0.0)]

    return {f"root {which}": Real(root, 1 - bits, 1, bits), f"exponent {which}": Real(n, -52, 1)}, claims


def _said_of_product(_: Family, which: int, cell: Cell) -> Any:
    """The product k y is exact, for every k."""
    y = cell.argument()

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("k y").model - y.scaled(which), 0.0)]

    return {"y": Real(y, _FLOATS[0], 0, _INTEGER), "k as integer": which}, claims


_INTEGER = 32  # bits of a y
_DIGITS_OF_PRODUCT = _INTEGER + 8


def _said_of_whole(family: Family, which: int, cell: Cell) -> Any:
    """The product k y is an integer where that is found."""
    product, at = cell.argument(), family.at
    grid = which - _DIGITS_OF_PRODUCT

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        if grid >= 0:
            return [nothing(cell)]
        kept, rounded = value("kept"), value("rounded")
        if rounded.grid < 0 or not is_equality(family.traced, at["is whole"], at["rounded"], at["kept"]):
            raise Unproven("it may be no integer, or something else is compared")
        return [nothing(cell), (kept.model - product, 0.0)]

    return {"k y": Real(product, max(grid, _FLOATS[0]))}, claims


def _products() -> Iterator[tuple[Any, float, float]]:
    """Products k y by binades: 2^(which - 1) .. 2^which."""
    for sign, low, high in binades(2.0 ** _FLOATS[0], 2.0**136):
        yield math.frexp(low if sign == "+" else high)[1], low, high


def _power(_: str) -> Sequence[Any]:
    whole = traced(quick.refined_power, (DOUBLE,) * 4, (DOUBLE, DOUBLE))
    kinds: tuple[Kind, ...] = (*(*(DOUBLE,) * 7, BOOL, BOOL) * 3, *(DOUBLE,) * 6, *(BOOL,) * 8, LONG)
    steps = [f"{name} {i}" for i in range(3) for name in _STEPS]
    names = *steps, *_NUMBERS, *_CONDITIONS, "k as integer"
    at = parts_named(whole.places(_of_power, *kinds), *names) | {"y": 1, "value": 2, "err": 3}
    at |= _odd_named("base", whole.places(_of_base, *_ODD))
    (at["code of x"],) = whole.places(_code_of_x, LONG)
    family = Refining(whole, at, frozenset({"refined_power"}), told=_TOLD[1])
    halved = [
        Unchanged(
            family,
            [(f"{one} {i}",)],
            f"{one} {i}",
            ((f"next base {i}", f"base {i}"), (f"next exponent {i}", f"exponent {i}")),
        )
        for i in range(3)
        for one in ("few bits", "equal")
    ]
    return (
        Meaning(family, _MEANING),
        Unchanged(family, [("open",), ("lone", "short"), ("is whole", "short")]),
        *halved,
        Scaled(family, "roots", [(i, 1.0, 2.0) for i in range(3)], -52, _said_of_doubled),
        Integers(family, "exponents", _FLOATS, _of_exponent),
        Numbers(family, "products", [(k, -_LARGEST, _LARGEST) for k in _FLOATS], _FLOATS[0], _said_of_product),
        Numbers(family, "whole", list(_products()), -1074, _said_of_whole),
        *_odd_parts(family, "base"),
        Numbers(family, "count", [("n", float(n), float(n + 1)) for n in range(31)], -1074, _said_of_count),
        Never(family, "other exponents", "n", "short", _other_exponents(32.0, 2.0**140), any_double, ("is integer",)),
        Numbers(family, "powers", list(powers_of_integers(_SHORTEST, 1 << 53)), 0, _said_of_power),
        _rounded(family),
    )


# roots


def _of_root(x: Any, n: Any, value: Any, err: Any) -> Any:
    size = abs(x)
    lone, k = power_of_two_exponent(size)
    ratio = k / n
    quotient, _ = nearest(ratio)
    short = shortened(value)
    raised = small_power(odd_part(short), nearest(clamp(n, 0.0, 31.0))[1])
    equal = raised == odd_part(size)
    found = (n >= 1.0) & (n <= 16.0) & equal
    exact = is_short_root(size, n, value) & (err > 0.0)
    numbers = ratio, quotient, quotient * n, short, raised
    conditions = lone, quotient * n == k, equal, n >= 1.0, n <= 16.0, found, err > 0.0, exact
    return *numbers, *conditions, (bits(size) >> 52) - 1023


def _of_short(_x: Any, _n: Any, value: Any, *_: Any) -> Any:
    return _places_of_odd(shortened(value))


def _of_size(x: Any, *_: Any) -> Any:
    return _places_of_odd(abs(x))


_ROOT = (
    "k / n",
    "quotient",
    "q n",
    "short value",
    "power",
    "lone",
    "divides",
    "equal",
    *_FEW,
    "short",
    "open",
    "exact",
)


def _said_of_quotient(family: Family, _which: Any, cell: Cell) -> Any:
    """What k/n is rounded to is an integer q; q n, which is compared with k, is exact."""
    n, at, traced = cell.argument(), family.at, family.traced
    ratio = cell.unknown(-float(_FLOATS[0]))

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        q = value("quotient")
        if q.grid < 0:
            raise Unproven("it may be no integer")
        if not is_equality(traced, at["divides"], at["q n"], at["k"]):
            raise Unproven("something else is compared")
        return [nothing(cell), (q.model, 1.0 - float(_FLOATS[0]))]

    return {"n": Real(n, 0), "k / n": Real(ratio, -1074)}, claims


def _said_of_multiple(_: Family, _which: Any, cell: Cell) -> Any:
    """Q n is exact for integers of that size."""
    n, q = cell.argument(), cell.unknown(1.0 - float(_FLOATS[0]))
    cell.paired |= set(q.terms)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("q n").model - n * q, 0.0)]

    return {"n": Real(n, 0), "quotient": Real(q, 0)}, claims


def _said_of_raised(family: Family, which: tuple[int, bool], cell: Cell) -> Any:
    """m^n, m that of the short value, is exact wherever it equals the integer of x, which has 24 bits."""
    n, is_short = which
    m, of_x = cell.argument(), cell.constant(2.0**23) + cell.unknown(2.0**23)

    def claims(run: Execution, value: Callable[[str], Real]) -> Claims:
        if never_holds(run, family, "short", _FEW) or run.value(Value(family.at["equal"])) is False:
            return [nothing(cell)]
        if not (is_short and is_equality(family.traced, family.at["equal"], *(family.at[o] for o in _COMPARED))):
            raise Unproven("what is compared may be rounded, or something else is compared")
        exact = functools.reduce(Model.__mul__, [m] * n, cell.constant(1))
        return [nothing(cell), (value("power").model - exact, 0.0)]

    given = {"odd part of short": Real(m, 0), "odd part of size": Real(of_x, 0), "n": constant(cell, float(n))}
    return given, claims


_COMPARED = ("power", "odd part of size")


def _root(_: str) -> Sequence[Any]:
    whole = traced(quick.refined_root, (DOUBLE,) * 4, (DOUBLE, DOUBLE))
    at = parts_named(whole.places(_of_root, *(DOUBLE,) * 5, *(BOOL,) * 8, LONG), *_ROOT, "k as integer")
    at |= {"n": 1, "value": 2, "err": 3, "k": whole.places(_k_of_x, DOUBLE)[0]}
    at |= _odd_named("short", whole.places(_of_short, *_ODD)) | _odd_named("size", whole.places(_of_size, *_ODD))
    (at["code of x"],) = whole.places(_code_of_x, LONG)
    family = Refining(whole, at, frozenset({"refined_root"}), told=_TOLD[1])
    indices = [("n", 1.0, 2.0**31), ("n", -(2.0**31), -1.0)]
    return (
        Meaning(family, _MEANING),
        Unchanged(family, [("open",), ("lone", "short"), ("divides", "short")]),
        Integers(family, "exponents", _FLOATS, _of_exponent),
        Numbers(family, "nearest quotient", indices, 0, _said_of_quotient),
        Numbers(family, "multiple", indices, 0, _said_of_multiple),
        *_odd_parts(family, "short", "size"),
        Never(family, "other exponents", "n", "short", _other_exponents(32.0, 2.0**31), any_integer, _FEW),
        Numbers(family, "powers", list(powers_of_integers(1 << 53, 1 << 26)), 0, _said_of_raised),
        _rounded(family),
    )


def _k_of_x(x: Any, *_: Any) -> Any:
    return power_of_two_exponent(abs(x))[1]


SECOND: dict[tuple[str, str], Callable[[str], Sequence[Any]]] = {
    ("quick", "cbrt"): _cbrt,
    ("quick", "hypot"): _hypot,
    **dict.fromkeys([("quick", name) for name in ("pow", "pown", "powr")], _power),
    ("quick", "rootn"): _root,
}
