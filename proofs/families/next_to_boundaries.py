"""What refines double's roots, hypot and powers: exact results, and the sides of boundaries that others lie on.

A boundary is a double or half-way between two, and so is b = hi + lo rounded to a multiple of 2^-54 where hi is 1 to 2
in size; all boundaries are such multiples. Where |lo - (b - hi)| <= err, the value is as near to b as 2 err, less than
2^-62, and where it is known on which side, b -+ 2^-80 stands for it: no other boundary is near. An exact result that is
a boundary is b: it is a multiple of 2^-54, and within err of hi + lo, so that no other multiple is nearer to lo.

Sides. |x| = (1 + d) 2^k and |b| = (1 + g) 2^m, d and g small; ``power_beyond(d, y, g)`` tells the sign of
T = (1 + d)^y - (1 + g), or nothing, for |d| < 2^-33 and |y d| < 2^-32. With s = y (y - 1) d^2/2 it is y d - g + s and
less than 2^-32.5 |s| besides: a term of the series is (y - k) d/(k + 1) of the one before it. y d is ``first`` and
``rest`` exactly, and ``second`` is s but for 2^-45 of it (part "second"). What is computed of the sum, M, has the
sign of T wherever |M| is more than the threshold, 2^-30 |second|:
- where ``first`` and g differ by less than 1/4 -+ 1/4 of the binade of the larger one, their difference is exact (part
  "difference"); then M is off T by less than the threshold if ``second`` is the larger part, or else has its sign (part
  "sum");
- where they differ by more, all else is small beside that (part "far").

Powers: |x|^y is (1 + d)^y 2^(k y), k y an integer, and |b| its neighbour, so that both have the same power of two: the
ratio (1 + g)/(1 + d)^y is between 0.7 and 1.6. Roots: |x|^(1/n) is more than |b| where n (1 + d) is more than
n (1 + g)^n: their powers of two agree likewise, for |g| < 2^-33 is asked for, and g n is as small as d is, to 2^-36:
bounds of roots are below 2^-68, and |n| is 2^31 at most.

Powers of slight exponents: y log |x| is s + s_lo, from the kernel's own logarithm, and log(1 + g) is g - g^2/2 and
little besides. Where s is as close to g as a quarter of that, s - g is exact (part "close logarithm"), and all that is
left out and rounded is less than the bound (part "slight sum"): a difference that is more has its sign. g is next to 1
then, for s is slight, and so is |x|^y.

Exact powers: |x| = m 2^k, m an odd integer, and m^y = t^n where m is t^(2^s) and y = n/2^s; k y is an integer and t^n
one of at most 54 bits. Small powers are products of positive numbers, which grow with them, rounded: where that of one
integer is too large, so are those of larger ones. Exponents out of reach are taken to be 2^66 or 2^-130 in size, where
nothing is found: but x = 1 and what is tiny or beyond all doubles, where the kernel tells no bound.

hypot: the legs a and b, and r, which is b of above, are taken as multiples of 2^-54. a and r are integers, and b is an
integer c, its count, and a rest d below 1: counts are cut off, not rounded. Both r and the root are within err of hi +
lo, so that a^2 + b^2 - r^2 is small, and a^2 + c^2 - r^2 an integer below 2^53, known from its last 64 bits. What is
left of b^2 is 2 c d + d^2. c and d have 53 bits together: their product is exact (part "product of the rest"), and so
is the sum M of the integer and 2 c d (part "sum with the rest"). M + d^2, with d^2 rounded, has the sign of the exact
sum, or is 0, for rounding is monotonic. Where d is not 0 the root is no multiple of 2^-54: no rest is asked of exact
results.

Exact roots: 2^(k/n) where n divides k; or hi = v 2^j, v odd, with v^n = m: hi^n is x but for a power of two, and within
2^-45 of it.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import SIGN, bits, clamp, from_bits, integer, nearest, real, select, sqrt, two_product
from clmath.ir.program import Constant, Statement, Value
from clmath.kernels.double import power, roots
from clmath.kernels.double.boundaries import (
    INFINITE,
    LEAST_NORMAL,
    MANTISSA,
    SLIGHT,
    from_power_of_two,
    gap,
    in_54_bits,
    magnitude,
    normalised,
    power_beyond,
)
from clmath.kernels.double.power import (
    LN2_HI,
    LN2_LO,
    MOST,
    TOP,
    exact_scale,
    halved_root,
    is_integer_below,
    log2_of_times,
    odd_part,
    root_of_power_of_3,
    side_of_power,
    side_of_slight_power,
    small_power,
    within_reach,
)
from clmath.kernels.double.roots import ordered, scaled_legs
from proofs.engine.execution import Execution, Real, Span, constant
from proofs.engine.models import Cell, Model, Unproven, dyadic
from proofs.engine.proof import Setting, least_of
from proofs.engine.traced import Traced, traced
from proofs.families.double_roots import Claims, Family, Integers, Numbers, size_normalised
from proofs.families.kinds import BOOL, DOUBLE, ENCLOSURE, LONG, any_double, any_integer, of_both_signs
from proofs.families.refining import (
    ZERO,
    Cases,
    Meaning,
    Never,
    Refining,
    Selected,
    Unchanged,
    double,
    is_equality,
    never_holds,
)
from proofs.families.short_results import Scaled, integers_below, parts_named, said_of_odd
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clmath.ir.program import Kind

__all__ = ["BOUNDARY", "KINDS_OF_BOUNDARY", "SECOND", "of_refined", "refined_parts", "said_of_open"]

_BINADE = 1 << 52
_ONE = 1023 << 52
_QUARTER = 1 << 51  # encodings from 3/4 to 1
_UNIT, _BESIDE = 2.0**-54, 2.0**-80
_NEAR = 2.0**-31  # how far hi is from a power of two, where the side is told
_SMALL, _REST = 2.0**-31, 2.0**-52  # ``second`` and ``rest`` beside the larger of first and g
_SERIES = 2.0**-32.3  # what is left out of the series, and roundings, beside ``second``
_LEFT = 2.0**-51  # b - hi in size
_EXPONENTS = range(-500, 501)  # of hi


def of_refined(hi: Any, lo: Any, err: Any, exact: Any, side: Any) -> Any:
    """What has parts of the proof in ``refined``: ``BOUNDARY`` has the names, ``KINDS_OF_BOUNDARY`` the kinds."""
    place = bits(hi) & INFINITE
    rounded = in_54_bits(hi, lo)
    given, close = side != 0.0, abs(lo - rounded) <= err
    outward = (side > 0.0) == (hi > 0.0)
    numbers = bits(hi), place, from_bits(place), rounded
    found = (err > 0.0) & (exact | (given & close))
    return *numbers, exact, side, given, close, err > 0.0, outward, found


BOUNDARY = (
    "code of hi",
    "place",
    "power of hi",
    "rounded",
    "exact",
    "side",
    "given",
    "close",
    "open",
    "outward",
    "found",
)
KINDS_OF_BOUNDARY: tuple[Kind, ...] = (LONG, LONG, DOUBLE, DOUBLE, BOOL, DOUBLE, *(BOOL,) * 5)


def _of_gap(hi: Any, lo: Any) -> Any:
    """The code of hi's size, of the power of two next to it, of that's inverse; these as doubles; what is added; g."""
    size = magnitude(hi)
    nearest_power = (size + (1 << 51)) & INFINITE
    inverse = (2 * 1023 << 52) - nearest_power
    added = from_bits(bits(in_54_bits(hi, lo)) ^ (bits(hi) & SIGN))
    return size, nearest_power, inverse, from_bits(nearest_power), from_bits(inverse), abs(hi), added, gap(hi, lo)


_GAP = "size of hi", "next power", "its inverse", "power", "inverse", "|hi|", "added", "g"
_OF_GAP: tuple[Kind, ...] = (*(LONG,) * 3, *(DOUBLE,) * 5)


def _of_argument(x: Any) -> Any:
    size = magnitude(x)
    encoding = normalised(size)
    d, k = from_power_of_two(encoding)
    code = encoding - (k << 52)
    return size, size < LEAST_NORMAL, bits(real(size)), encoding, k, code, from_bits(code), d


_ARGUMENT = "size", "tiny", "scaled", "encoding", "k", "code of 1 + d", "1 + d", "d"
_OF_ARGUMENT: tuple[Kind, ...] = (LONG, BOOL, *(LONG,) * 4, DOUBLE, DOUBLE)


def _of_power(d: Any, y: Any, g: Any) -> Any:
    first, rest = two_product(y, d)
    second = 0.5 * first * (d * (y - 1.0))
    difference = first - g
    both = difference + rest
    missed = both + second
    threshold = abs(second) * 2.0**-30
    return first, rest, second, difference, missed, threshold, abs(missed) > threshold, power_beyond(d, y, g)


_POWER = "first", "rest", "second", "difference", "missed", "threshold", "told", "beyond"
_OF_POWER: tuple[Kind, ...] = (*(DOUBLE,) * 6, BOOL, DOUBLE)


# the enclosure, rounded


def _of_places(which: tuple[int, int]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The power of two of hi, of either sign."""
    exponent, sign = which
    code = exponent + 1023 << 52
    yield {"code of hi": Span(sign + code, _BINADE)}, {"place": code}


def _said_of_rounded(_: Family, _which: Any, cell: Cell) -> Any:
    """The multiple of 2^-54 that is nearest to lo, where hi is 1 to 2 in size, times 2^k."""
    lo = cell.argument()

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        rounded = value("rounded")
        if rounded.grid < -54 or rounded.power != 1:
            raise Unproven("it may be finer")
        return [nothing(cell), (rounded.model - lo, _UNIT / 2 * (1.0 + 2.0**-20))]

    return {"lo": Real(lo, -400, 1), "power of hi": Real(cell.constant(1), 0, 1, 1)}, claims


def _said_of_returned(family: Family, which: tuple[bool, bool | None], cell: Cell) -> Any:
    """Exactly b, or b -+ 2^-80, with no bound and the exponent that was told, where hi is 1 to 2 in size, times 2^k."""
    exact, outward = which
    hi, rounded = cell.argument(), cell.unknown(_LEFT)
    given = {"hi": Real(hi, -53, 1), "rounded": Real(rounded, -57, 1), "exact": exact, "found": True}
    given["power of hi"] = Real(cell.constant(1), 0, 1, 1)
    beside = 0.0 if exact else _BESIDE if outward else -_BESIDE

    def claims(run: Execution, _: Callable[[str], Real]) -> Claims:
        assert isinstance(family, Refining)
        if run.program.outputs[3][1] != family.told[3]:
            raise Unproven("the exponent is another")
        new_hi, new_lo, err = (run.real_output(i) for i in range(3))
        if (new_hi.power, new_lo.power) != (1, 1):
            raise Unproven("they grow otherwise")
        missed = new_hi.model + new_lo.model - hi - rounded - cell.constant(beside)
        return [nothing(cell), (missed, 0.0), (err.model, 0.0)]

    return given | ({} if exact else {"outward": outward}), claims


def refined_parts(family: Refining) -> tuple[Any, ...]:
    """The parts of the proof of ``refined``."""
    places = [(exponent, sign) for exponent in _EXPONENTS for sign in (0, SIGN)]
    cases = [(True, None), (False, True), (False, False)]
    side, hi = ("double.gt", "side", ZERO), ("double.gt", "hi", ZERO)
    meaning = {
        "open": ("double.gt", "err", ZERO),
        "given": ("double.ne", "side", ZERO),
        "close": ("double.le", ("double.abs", ("double.sub", "lo", "rounded")), "err"),
        "outward": ("bool.eq", side, hi),
    }
    return (
        Meaning(family, meaning),
        Unchanged(family, [("open",), ("exact", "given"), ("exact", "close")]),
        Integers(family, "place of hi", places, _of_places),
        Scaled(family, "rounded to a boundary", [("lo", -(2.0**-52), 2.0**-52)], -400, _said_of_rounded, (-150, 150)),
        Scaled(
            family,
            "returned",
            [(case, *ends) for case in cases for ends in ((1.0, 2.0), (-2.0, -1.0))],
            -53,
            _said_of_returned,
            (-150, 150),
        ),
    )


# g and d


def _of_next_power(_: Any) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The power of two next to numbers from 3/4 to 3/2 of it, and its inverse."""
    given = Span(_ONE - _QUARTER, _BINADE, _BINADE)
    yield {"size of hi": given}, {"next power": Span(_ONE, 1, _BINADE), "its inverse": Span(_ONE, 1, -_BINADE)}


def _given_of_gap(cell: Cell, t: Model, added: Model) -> dict[str, Any]:
    one = cell.constant(1)
    powers = {"power": Real(one, 0, 1, 1), "inverse": Real(one, 0, -1, 1)}
    return {**powers, "|hi|": Real(one + t, -53, 1), "added": Real(added, -55, 1)}


def _said_of_gap(_: Family, _which: Any, cell: Cell) -> Any:
    """G is |b| divided by that power of two, less 1, exactly, where it is small."""
    t, added = cell.argument(), cell.unknown(_LEFT)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        g = value("g")
        if g.power != 0:
            raise Unproven("it grows")
        return [nothing(cell), (g.model - t - added, 0.0)]

    return _given_of_gap(cell, t, added), claims


def _said_of_no_gap(family: Family, _which: Any, cell: Cell) -> Any:
    """Elsewhere g is not small."""

    def claims(run: Execution, _: Callable[[str], Real]) -> Claims:
        if run.value(Value(family.at["g is slight"])) is not False:
            raise Unproven("g may be small")
        return [nothing(cell)]

    return _given_of_gap(cell, cell.argument(), cell.unknown(_LEFT)), claims


def _of_next_exponent(k: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The power of two next to a number from 3/4 to 3/2 of it, and the number without it."""
    given = {"encoding": Span(_ONE - _QUARTER + (k << 52), _BINADE)}
    yield given, {"k": k, "code of 1 + d": Span(_ONE - _QUARTER, _BINADE)}


def _said_of_d(_: Family, _which: Any, cell: Cell) -> Any:
    """What is left of that is exact."""
    x = cell.argument()

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("d").model - x + cell.constant(1), 0.0)]

    return {"1 + d": Real(x, -53)}, claims


def _gaps(family: Refining) -> tuple[Any, ...]:
    far = SLIGHT * (1.0 + 2.0**-10)
    meaning = {
        "size": ("long.and", ("bits", "x"), Constant("long", ~SIGN)),
        "tiny": ("long.lt", "size", Constant("long", LEAST_NORMAL)),
        "size of hi": ("long.and", "code of hi", Constant("long", ~SIGN)),
        "code of hi": ("bits", "hi"),
    }
    return (
        Meaning(family, meaning, "meaning of sizes"),
        Integers(family, "next power", ("hi",), _of_next_power),
        Scaled(family, "gap", [("t", -_NEAR, _NEAR)], -53, _said_of_gap, (-2, 2)),
        Integers(family, "normalised argument", ("x",), size_normalised),
        Integers(family, "next exponent", range(-1075, 1025), _of_next_exponent),
        Numbers(family, "argument over a power of two", [("x", 0.75, 1.5)], -53, _said_of_d),
        Never(family, "no slight d", "d", "d is slight", of_both_signs(far, 1.0), any_double),
    )


# the sign of T


def _said_of_difference(_: Family, which: tuple[str, str, int], cell: Cell) -> Any:
    """First - g is exact where they are close: the smaller one is up to 1/2 of the binade less."""
    larger, smaller, sign = which
    x = cell.argument().scaled(sign)
    y = x - (cell.constant(0.25) + cell.unknown(0.25)).scaled(sign)
    difference = x - y if larger == "first" else y - x

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        found = value("difference")
        if found.power != 1:
            raise Unproven("it grows otherwise")
        return [nothing(cell), (found.model - difference, 0.0)]

    return {larger: Real(x, -53, 1), smaller: Real(y, -53, 1)}, claims


def _said_of_second(_: Family, which: Any, cell: Cell) -> Any:
    """``first`` and ``second`` are y d and y (y - 1) d^2/2 but for 2^-45 of them, whatever d is: 2^k times 1 to 2.

    Where y is a constant, ``which``; or for cells of y, or of y - 1 where y is next to 1.
    """
    fixed, offset = which
    d = cell.argument() if fixed else cell.constant(1.5) + cell.unknown(0.5)
    cell.paired |= set(d.terms)
    y = cell.constant(fixed) if fixed else cell.argument() + cell.constant(offset)
    product = y * d
    exact = (product * d * (y - cell.constant(1))).scaled(arb(1) / 2)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        first, second = value("first"), value("second")
        if (first.power, second.power) != (1, 2):
            raise Unproven("they grow otherwise")
        off = second.model - exact, _ROUNDINGS * _least(exact)
        return [nothing(cell), (first.model - product, _ROUNDINGS * _least(product)), off]

    given = {"factor": Real(d, -400, 1)}
    return given if fixed else {**given, "exponent of T": Real(y, -53 if offset else -200)}, claims


_ROUNDINGS = 2.0**-45


def _seconds(fixed: float) -> list[tuple[Any, float, float]]:
    """Every d for an exponent that is known, or every exponent."""
    if fixed:
        return [((fixed, 0.0), 1.0, 2.0), ((fixed, 0.0), -2.0, -1.0)]
    below = [((0.0, 0.0), low, high) for low, high in dyadic(2.0**-131, 0.5)]
    far = [*dyadic(1.5, 2.0**67), *((-high, -low) for low, high in dyadic(2.0**-131, 2.0**67))]
    return [*below, *(((0.0, 0.0), low, high) for low, high in far)]


def _said_of_far(_: Family, which: tuple[str, str, int], cell: Cell) -> Any:
    """Where they are not close, what is computed has the sign of T."""
    larger, smaller, sign = which
    x = cell.argument().scaled(sign)
    y = x - (cell.constant(2.25) + cell.unknown(1.75)).scaled(sign)
    rest, second, others = cell.unknown(_REST), cell.unknown(_SMALL), cell.unknown(_SMALL * _SERIES)
    first, g = (x, y) if larger == "first" else (y, x)
    exact = first - g + rest + second + others
    given = {larger: Real(x, -400, 1), smaller: Real(y, -400, 1), "rest": Real(rest, -400, 1)}

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        missed = value("missed")
        if missed.power != 1:
            raise Unproven("it grows otherwise")
        return [nothing(cell), (missed.model - exact, 0.9 * _least(exact))]

    return {**given, "second": Real(second, -400, 1)}, claims


def _least(x: Model) -> float:
    """The least that a number is in size."""
    return float(x.range().abs_lower())


def _said_of_sum(_: Family, which: tuple[str, int], cell: Cell) -> Any:
    """Where the difference is exact: M is off T by less than the threshold, or has its sign."""
    larger, sign = which
    x, rest = cell.argument().scaled(sign), cell.unknown(_REST)
    both, second = (cell.unknown(4), x) if larger == "second" else (x, cell.unknown(0.5))
    exact = both + second + (cell.unknown(2.0 * _SERIES) if larger == "second" else cell.unknown(0.5 * _SERIES))
    given = {"difference": Real(both - rest, -400, 1), "rest": Real(rest, -400, 1), "second": Real(second, -400, 1)}

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        missed, threshold = value("missed"), value("threshold")
        if (missed.power, threshold.power) != (1, 1):
            raise Unproven("they grow otherwise")
        bound = least_of(threshold.model) if larger == "second" else 0.9 * _least(exact)
        return [nothing(cell), (missed.model - exact, bound)]

    return given, claims


_OF_POWERS = -300, 300


def _signs(family: Refining, fixed: float = 0.0) -> tuple[Any, ...]:
    next_to_one = [((0.0, 1.0), low, high) for _, low, high in of_both_signs(2.0**-53, 0.5)]
    pairs = [(*pair, sign) for pair in (("first", "subtracted"), ("subtracted", "first")) for sign in (1, -1)]
    sums = [((larger, sign), 1.0, 2.0) for larger in ("second", "difference") for sign in (1, -1)]
    nothing_told: Cases = {
        "not told": ({"told": False}, [("beyond", ZERO)]),
        "told": ({"told": True}, [("beyond", "missed")]),
    }
    return (
        Scaled(family, "second", _seconds(fixed), -400, _said_of_second, (-80, -30)),
        *(() if fixed else (Scaled(family, "second next to 1", next_to_one, -53, _said_of_second, (-80, -30)),)),
        Scaled(family, "difference", [(pair, 1.0, 2.0) for pair in pairs], -52, _said_of_difference, _OF_POWERS),
        Scaled(family, "far", [(pair, 1.0, 2.0) for pair in pairs], -52, _said_of_far, _OF_POWERS),
        Scaled(family, "sum", sums, -400, _said_of_sum, _OF_POWERS),
        Selected(family, nothing_told, "told"),
        Meaning(family, {"told": ("double.gt", ("double.abs", "missed"), "threshold")}, "meaning of what is told"),
    )


# cube roots and inverse roots


def _side_of_root(x: Any, n: Any, hi: Any, lo: Any) -> Any:
    d, _ = from_power_of_two(normalised(magnitude(x)))
    g = gap(hi, lo)
    slight = abs(d) < SLIGHT, abs(g) < SLIGHT
    beyond = power_beyond(g, n, d)
    return select(slight[0] & slight[1], -n * beyond, 0.0), -n * beyond, *slight, slight[0] & slight[1]


_ROOT = "side", "times beyond", "d is slight", "g is slight", "slight"
_OF_ROOT: tuple[Kind, ...] = (DOUBLE, DOUBLE, BOOL, BOOL, BOOL)


def _side_of_cbrt(x: Any, hi: Any, lo: Any, *_: Any) -> Any:
    return _side_of_root(x, 3.0, hi, lo)


def _side_of_rsqrt(x: Any, hi: Any, lo: Any, *_: Any) -> Any:
    return _side_of_root(x, -2.0, hi, lo)


def _power_of_cbrt(x: Any, hi: Any, lo: Any, *_: Any) -> Any:
    return _of_power(gap(hi, lo), 3.0, from_power_of_two(normalised(magnitude(x)))[0])


def _power_of_rsqrt(x: Any, hi: Any, lo: Any, *_: Any) -> Any:
    return _of_power(gap(hi, lo), -2.0, from_power_of_two(normalised(magnitude(x)))[0])


def _refined_cbrt(x: Any, hi: Any, lo: Any, err: Any, _: Any) -> Any:
    return of_refined(hi, lo, err, err < 0.0, _side_of_cbrt(x, hi, lo)[0])


def _refined_rsqrt(x: Any, hi: Any, lo: Any, err: Any, _: Any) -> Any:
    return of_refined(hi, lo, err, err < 0.0, _side_of_rsqrt(x, hi, lo)[0])


def _argument(x: Any, *_: Any) -> Any:
    return _of_argument(x)


def _gap_of_told(*args: Any) -> Any:
    return _of_gap(args[-4], args[-3])


def _places(whole: Traced, refined: Any, power: Any, roles: tuple[str, str]) -> dict[str, int]:
    """Where all of them stand; which of d and g is multiplied, and which subtracted: ``roles``."""
    inputs = len(whole.program.inputs)
    at = {"x": 0, "hi": inputs - 4, "lo": inputs - 3, "err": inputs - 2, "exponent": inputs - 1}
    at |= parts_named(whole.places(refined, *KINDS_OF_BOUNDARY), *BOUNDARY)
    at |= parts_named(whole.places(_argument, *_OF_ARGUMENT), *_ARGUMENT)
    at |= parts_named(whole.places(_gap_of_told, *_OF_GAP), *_GAP)
    at |= parts_named(whole.places(power, *_OF_POWER), *_POWER)
    return at | {"factor": at[roles[0]], "subtracted": at[roles[1]]}


def _told(whole: Traced) -> tuple[Value, ...]:
    """The parts of the enclosure, which are told last."""
    inputs = len(whole.program.inputs)
    return tuple(map(Value, range(inputs - 4, inputs)))


def said_of_open(family: Family, _which: Any, cell: Cell) -> Any:
    """What has a bound is not found to be exact."""

    def claims(run: Execution, _: Callable[[str], Real]) -> Claims:
        if run.value(Value(family.at["exact"])) is not False:
            raise Unproven("it may be exact")
        return [nothing(cell)]

    return {"err": Real(cell.argument(), -1074)}, claims


def _root_of(function: Callable[..., Any], n: float, refined: Any, side: Any, power: Any) -> Sequence[Any]:
    """cbrt, rsqrt: no exact results are left to find."""
    whole = traced(function, (DOUBLE, *ENCLOSURE), ENCLOSURE)
    at = _places(whole, refined, power, ("g", "d")) | parts_named(whole.places(side, *_OF_ROOT), *_ROOT)
    family = Refining(whole, at, frozenset({function.__name__}), told=_told(whole))
    bounds = [("err", low, high) for low, high in dyadic(2.0**-1074, 1.0)]
    return (
        *refined_parts(family),
        Numbers(family, "open", bounds, -1074, said_of_open),
        *_gaps(family),
        *_roots(family, n),
    )


def _roots(family: Refining, fixed: float = 0.0) -> tuple[Any, ...]:
    """What roots have: g is asked to be small, and the sign is that of n times what is beyond."""
    cases: Cases = {
        "slight": ({"slight": True}, [("side", "times beyond")]),
        "d is not slight": ({"d is slight": False}, [("side", ZERO)]),
        "g is not slight": ({"g is slight": False}, [("side", ZERO)]),
    }
    ends = [("t", low, high) for low, high in dyadic(_NEAR / 2, 0.5)]
    ends += [("t", -high, -low) for low, high in dyadic(_NEAR / 2, 0.25)]
    degree = ("double.neg", "n") if not fixed else double(-fixed)
    return (
        Selected(family, cases, "side"),
        Meaning(family, {"times beyond": ("double.mul", degree, "beyond")}, "meaning of sides"),
        Scaled(family, "no gap", ends, -53, _said_of_no_gap, (-2, 2)),
        *_signs(family, fixed),
    )


# powers and roots of any exponent: integers, and their powers

_LONGEST = 1 << 54  # no integer up to this has more than 54 bits
_INDICES = range(64)
_FARTHEST, _LEAST_POWER = 2.0**66, 2.0**-130  # exponents in reach
_DEEPEST = 1100.0  # powers of two in size


def _places_of_odd(encoding: Any) -> Any:
    """The integer M of an encoding, its lowest bit, M as a double, m, and k: the number is m 2^k."""
    mantissa = (encoding & MANTISSA) | (MANTISSA + 1)
    return encoding, mantissa, mantissa & -mantissa, real(mantissa), *odd_part(encoding)


_ODD = "encoding of", "mantissa of", "lowest bit of", "M of", "odd part of", "k of"
_OF_ODD: tuple[Kind, ...] = (*(LONG,) * 3, DOUBLE, DOUBLE, LONG)


def _named(name: str, places: Sequence[int]) -> dict[str, int]:
    return parts_named(places, *(f"{one} {name}" for one in _ODD))


def _mantissas(which: str, *, with_k: bool) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The integer M = 2^52 .. 2^53, and for t = 0 .. 52 its lowest bit, 2^t where it is 2^t (2 q + 1); k likewise.

    The encoding is that of the exponent q, any integer, and what is below; k is q + t - 52.
    """
    every = Span(_ONE, _BINADE, _BINADE)
    yield {f"encoding of {which}": every}, {f"mantissa of {which}": Span(_BINADE, _BINADE)}
    for t in range(53):
        yield {f"mantissa of {which}": Span(1 << t, 1, 2 << t)}, {f"lowest bit of {which}": 1 << t}
        if with_k:
            yield (
                {f"encoding of {which}": every, f"lowest bit of {which}": 1 << t},
                {f"k of {which}": Span(t - 52, 1, 1)},
            )


def _odd_parts(family: Refining, name: str, *, with_k: bool) -> tuple[Any, ...]:
    cases = functools.partial(_mantissas, with_k=with_k)
    ends = [((name, t), 2.0**52, 2.0**53 - 2.0**t) for t in range(53)]
    return Integers(family, f"mantissa of {name}", (name,), cases), Numbers(
        family, f"odd part of {name}", ends, 0, said_of_odd
    )


def _said_of_count(family: Family, _which: Any, cell: Cell) -> Any:
    """What is found has an exponent that is an integer."""

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        at, traced = family.at, family.traced
        if value("count").grid < 0 or not is_equality(traced, at["is integer"], at["count"], at["n"]):
            raise Unproven("it may be no integer, or something else is compared")
        if traced.following({at["is integer"]: False}).get(at["below"]) is not False:
            raise Unproven("that it is an integer is not asked for")
        return [nothing(cell)]

    return {"n": Real(cell.argument(), -1074)}, claims


def _beyond_count(first: float, top: float) -> list[tuple[Any, float, float]]:
    """Numbers below 0, and from ``first`` on."""
    below = [("below", -high, -low) for low, high in dyadic(2.0**-140, top)]
    return [*below, *(("above", low, high) for low, high in dyadic(first, top))]


def _said_of_below(family: Family, which: int, cell: Cell) -> Any:
    """The first integer whose power is too long is not found, nor are larger ones."""

    def claims(run: Execution, _: Callable[[str], Real]) -> Claims:
        if not never_holds(run, family, "below"):
            raise Unproven("a power may be found that is too long")
        return [nothing(cell)]

    return {"odd part of base": Real(cell.argument(), 0), "n": constant(cell, float(which))}, claims


def _first_too_long(bound: int) -> list[tuple[Any, float, float]]:
    """For each exponent the least integer whose power is larger than ``bound``."""
    ends = [(n, float(integers_below(n, bound) + 1)) for n in _INDICES if n]
    return [(n, m, m) for n, m in ends if m < 2.0**53]


def _below(family: Refining) -> tuple[Any, ...]:
    """What is found of integers and exponents."""
    return (
        Numbers(family, "count", [("n", float(n), float(n + 1)) for n in range(63)], -1074, _said_of_count),
        Never(family, "other exponents", "n", "below", _beyond_count(64.0, 2.0**80), any_double, ("is integer",)),
        Numbers(family, "powers too long", _first_too_long(_LONGEST), 0, _said_of_below),
    )


def _said_of_scale(_: Family, _which: Any, cell: Cell) -> Any:
    """K y is the sum of two doubles exactly."""
    y, k = cell.argument(), cell.unknown(_DEEPEST)
    cell.paired |= set(k.terms)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("k y").model + value("rest of k y").model - k * y, 0.0)]

    return {"usual": Real(y, -185), "k as double": Real(k, 0)}, claims


def _said_of_whole(family: Family, _which: Any, cell: Cell) -> Any:
    """The first of them is an integer where that, and that the second is 0, is found."""

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        at, traced = family.at, family.traced
        if value("whole k y").grid < 0 or not is_equality(traced, at["is whole"], at["whole k y"], at["k y"]):
            raise Unproven("it may be no integer, or something else is compared")
        for condition in ("is whole", "no rest"):
            if traced.following({at[condition]: False}).get(at["scale"]) is not False:
                raise Unproven(f"{condition} is not asked for")
        return [nothing(cell)]

    return {"k y": Real(cell.argument(), -1074)}, claims


def _scales(family: Refining) -> tuple[Any, ...]:
    top = 2400.0
    products = [("k y", -top, top), *of_both_signs(top, 2.0**80)]
    return (
        Numbers(family, "scale", [("y", -_FARTHEST, _FARTHEST)], -185, _said_of_scale),
        Numbers(family, "whole scale", products, -1074, _said_of_whole),
    )


def _of_scale(k: Any, y: Any) -> Any:
    product, rest = two_product(real(k), y)
    whole = nearest(clamp(product, -2.0 * TOP, 2.0 * TOP))[0]
    return real(k), y, product, rest, whole, rest == 0.0, whole == product, exact_scale(k, y)


_SCALE = "k as double", "usual", "k y", "rest of k y", "whole k y", "no rest", "is whole", "scale"
_OF_SCALE: tuple[Kind, ...] = (*(DOUBLE,) * 5, BOOL, BOOL, BOOL)


def _of_count(base: Any, n: Any) -> Any:
    count, index = nearest(clamp(n, 0.0, MOST - 1.0))
    return n, count, small_power(base, index), count == n, n >= 1.0, is_integer_below(base, n)


_COUNT = "n", "count", "power of base", "is integer", "n is positive", "below"
_OF_COUNT: tuple[Kind, ...] = (DOUBLE, DOUBLE, DOUBLE, BOOL, BOOL, BOOL)


def _side_of_power(x: Any, y: Any, hi: Any, lo: Any) -> Any:
    d, k = from_power_of_two(normalised(magnitude(x)))
    slight = abs(d) < SLIGHT, abs(y * d) < SLIGHT
    side = side_of_power(x, y, hi, lo)
    return side, *slight, *_of_scale(k, y)


# pown


def _refined_pown(x: Any, y: Any, hi: Any, lo: Any, err: Any, _: Any) -> Any:
    m, _k = odd_part(normalised(magnitude(x)))
    side = side_of_power(x, within_reach(y), hi, lo)
    return of_refined(hi, lo, err, (m == 1.0) | is_integer_below(m, y), side)


def _pown(x: Any, y: Any, hi: Any, lo: Any, *_: Any) -> Any:
    m, _k = odd_part(normalised(magnitude(x)))
    return *_side_of_power(x, within_reach(y), hi, lo), *_of_count(m, y), m == 1.0


_PART = "side of a power", "d is slight", "y d is slight", *_SCALE, *_COUNT, "m is one"
_OF_PART: tuple[Kind, ...] = (DOUBLE, BOOL, BOOL, *_OF_SCALE, *_OF_COUNT, BOOL)


def _odd_of_x(x: Any, *_: Any) -> Any:
    return _places_of_odd(normalised(magnitude(x)))[:5]


def _power_of(x: Any, y: Any, hi: Any, lo: Any, *_: Any) -> Any:
    return _of_power(from_power_of_two(normalised(magnitude(x)))[0], within_reach(y), gap(hi, lo))


def _no_side(family: Refining) -> tuple[Any, ...]:
    """Where no side is told; where both d and y d are small."""
    cases: Cases = {
        name: ({name: False}, [("side of a power", ZERO)]) for name in ("d is slight", "y d is slight", "scale")
    }
    both = {"d is slight": True, "y d is slight": True, "scale": True}
    far = of_both_signs(SLIGHT * (1.0 + 2.0**-10), 2.0**80)
    return (
        Selected(family, {**cases, "slight": (both, [("side of a power", "beyond")])}, "side"),
        Never(family, "no slight y d", "first", "y d is slight", far, any_double),
        *_signs(family),
    )


def _of_pown(_: str) -> Sequence[Any]:
    whole = traced(power.refined_pown, (DOUBLE, DOUBLE, *ENCLOSURE), ENCLOSURE)
    at = _places(whole, _refined_pown, _power_of, ("d", "g")) | {"y": 1}
    at |= parts_named(whole.places(_pown, *_OF_PART), *_PART)
    at["exponent of T"] = at["usual"]
    at |= parts_named(whole.places(_odd_of_x, *_OF_ODD[:5]), *(f"{one} base" for one in _ODD[:5]))
    family = Refining(whole, at, frozenset({"refined_pown"}), told=_told(whole))
    return (
        *refined_parts(family),
        Unchanged(family, [("m is one", "below", "given"), ("m is one", "below", "close")], "exact"),
        *_gaps(family),
        *_no_side(family),
        *_odd_parts(family, "base", with_k=False),
        *_below(family),
        *_scales(family),
        InReach(family, [("reach",)], "in reach"),
    )


# pow

_STEPS = range(5)
_LARGEST_ROOT = 94906265.0  # of an integer below 2^53


def _refined_pow(x: Any, y: Any, hi: Any, lo: Any, err: Any, _: Any) -> Any:
    m, k = odd_part(normalised(magnitude(x)))
    usual = within_reach(y)
    base, n = _steps(m, usual)[-2:]
    exact = ((m == 1.0) | is_integer_below(base, n)) & exact_scale(k, usual)
    side = side_of_power(x, usual, hi, lo)
    return of_refined(hi, lo, err, exact, select(side != 0.0, side, side_of_slight_power(x, usual, hi, lo)))


# pow of slight exponents: y log2 x is p + p_lo, as in the kernel, and y log x is s + s_lo


def _log2_of_power(x: Any, y: Any) -> Any:
    return log2_of_times(normalised(magnitude(x)), within_reach(y))


def _of_slight_power(x: Any, y: Any, hi: Any, lo: Any, *_: Any) -> Any:
    p, p_lo = _log2_of_power(x, y)
    g = gap(hi, lo)
    s, s_lo = two_product(p, LN2_HI)
    s_lo = s_lo + (p * LN2_LO + p_lo * LN2_HI)
    square, apart = g * g, s - g
    others = s_lo + 0.5 * square
    missed = apart + others
    threshold = abs(g) * 2.0**-77 + square * 2.0**-33
    conditions = abs(g) < SLIGHT, abs(apart) < 0.25 * abs(g), abs(missed) > threshold
    told = conditions[0] & conditions[1] & conditions[2]
    sides = side_of_slight_power(x, within_reach(y), hi, lo), side_of_power(x, within_reach(y), hi, lo) != 0.0
    return p, p_lo, s, s_lo, square, apart, others, missed, threshold, sides[0], *conditions, told, sides[1]


_SLIGHT_POWER = (
    *(
        "p",
        "p_lo",
        "s",
        "s_lo",
        "square of g",
        "s - g",
        "others",
        "missed of s",
        "bound of s",
        "side of a slight power",
    ),
    *("slight boundary", "s is close", "s is more", "told of s", "told of a power"),
)
_OF_SLIGHT_POWER: tuple[Kind, ...] = (*(DOUBLE,) * 10, *(BOOL,) * 5)
_OFF_LOGARITHM = 2.0**-100  # s + s_lo, beside p


def _said_of_natural(_: Family, _which: Any, cell: Cell) -> Any:
    """S + s_lo is p + p_lo times log 2, nearly."""
    p, p_lo = cell.argument(), cell.unknown(arb(2) ** -51)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        s, s_lo = value("s"), value("s_lo")
        if (s.power, s_lo.power) != (1, 1):
            raise Unproven("they grow otherwise")
        return [(s.model + s_lo.model - (p + p_lo).scaled(arb(2).log()), _OFF_LOGARITHM), (s_lo.model, 2.0**-50)]

    return {"p": Real(p, -52, 1), "p_lo": Real(p_lo, -400, 1)}, claims


def _said_of_s_apart(_: Family, sign: int, cell: Cell) -> Any:
    """S - g is exact where they are close."""
    g, apart = cell.argument().scaled(sign), cell.unknown(0.5)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        found = value("s - g")
        if found.power != 1:
            raise Unproven("it grows otherwise")
        return [nothing(cell), (found.model - apart, 0.0)]

    return {"g": Real(g, -52, 1), "s": Real(g + apart, -53, 1)}, claims


def _said_of_slight_sum(_: Family, _which: Any, cell: Cell) -> Any:
    """What is computed of y log x - log(1 + g) is off by less than the bound, but for its last rounding.

    log(1 + g) is g - g^2/2 and less than |g|^3/2 besides; p is below 2 |g|, being close to g log2(e).
    """
    g = cell.argument()
    size = g.range().abs_upper()
    s_lo = cell.unknown(size * 2.0**-49)
    square = g * g
    off = cell.unknown(size**3 / 2 + 2 * size * (power.BOUND_OF_EXPONENT + _OFF_LOGARITHM))

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        missed = value("others").model - s_lo - square.scaled(arb(1) / 2) + off
        return [(missed, 0.99 * least_of(value("bound of s").model))]

    return {"g": Real(g, -107), "s_lo": Real(s_lo, -1074)}, claims


@dataclass(frozen=True)
class SameLogarithm(Unchanged):
    """The logarithm of the power is that of the kernel: the same operations on the arguments."""

    def setting(self, which: Any, cell: Cell) -> Setting:
        """By their names in both traces."""
        kernel = traced(power.pow, (DOUBLE, DOUBLE), ENCLOSURE)

        def claims(_: Execution) -> Claims:
            numbers = kernel.places(_log2_of_power, DOUBLE, DOUBLE)
            wanted = [self.traced.names[self.family.at[part]] for part in ("p", "p_lo")]
            if [kernel.names[n] for n in numbers] != wanted:
                raise Unproven("the logarithm is another")
            return [nothing(cell)]

        return Setting({}, claims)


def _slight_powers(family: Refining) -> tuple[Any, ...]:
    which: Cases = {
        "told of a power": ({"told of a power": True}, [("side", "side of a power")]),
        "not told of a power": ({"told of a power": False}, [("side", "side of a slight power")]),
        "told of s": ({"told of s": True}, [("side of a slight power", "missed of s")]),
        "not told of s": ({"told of s": False}, [("side of a slight power", ZERO)]),
    }
    meaning = {
        "told of a power": ("double.ne", "side of a power", ZERO),
        "slight boundary": ("double.lt", ("double.abs", "g"), double(SLIGHT)),
        "s is close": ("double.lt", ("double.abs", "s - g"), ("double.mul", double(0.25), ("double.abs", "g"))),
        "s is more": ("double.gt", ("double.abs", "missed of s"), "bound of s"),
        "missed of s": ("double.add", "s - g", "others"),
    }
    ends = [(sign, 1.0, 2.0) for sign in (1, -1)]
    far = SLIGHT * (1.0 + 2.0**-10)
    return (
        Selected(family, which, "slight powers"),
        Meaning(family, meaning, "meaning of slight powers"),
        SameLogarithm(family, [("logarithm",)], "logarithm of the power"),
        Scaled(family, "natural logarithm", [("p", 1.0, 2.0), ("p", -2.0, -1.0)], -52, _said_of_natural, (-70, 2)),
        Scaled(family, "close logarithm", ends, -52, _said_of_s_apart, (-70, 2)),
        Numbers(family, "slight sum", of_both_signs(2.0**-55, far), -107, _said_of_slight_sum),
        Never(
            family, "no slight boundary", "g", "told of s", of_both_signs(far, 1.0), any_double, ("slight boundary",)
        ),
    )


def _steps(m: Any, usual: Any) -> Any:
    """For each step base, exponent, root, its square, twice the exponent, and the next ones; the last ones again."""
    base, n, found = m, clamp(usual, -MOST, MOST), ()
    for i in range(5):
        last = root_of_power_of_3(base)
        root = sqrt(base) if i < 3 else select(base == 25.0, 5.0, select(base == 49.0, 7.0, last)) if i == 3 else last
        following = halved_root(base, root, n)
        found = (*found, base, n, root, root * root, n + n, *following)
        base, n = following
    return *found, base, n


def _step_conditions(m: Any, usual: Any) -> Any:
    found = _steps(m, usual)
    conditions: tuple[Any, ...] = ()
    for i in range(5):
        base, _, root, square, *_ = found[7 * i : 7 * i + 7]
        conditions = (*conditions, nearest(root)[0], nearest(root)[0] == root, square == base)
    return conditions


_STEP = "base", "exponent", "root", "square", "twice", "next base", "next exponent"


def _pow_steps(x: Any, y: Any, *_: Any) -> Any:
    m, _k = odd_part(normalised(magnitude(x)))
    usual = within_reach(y)
    return *_steps(m, usual)[:-2], *_step_conditions(m, usual)


def _pow(x: Any, y: Any, hi: Any, lo: Any, *_: Any) -> Any:
    m, k = odd_part(normalised(magnitude(x)))
    usual = within_reach(y)
    base, n = _steps(m, usual)[-2:]
    return *_side_of_power(x, usual, hi, lo), *_of_count(base, n), m == 1.0, *_of_scale(k, usual)


def _all_odd_of_x(x: Any, *_: Any) -> Any:
    return _places_of_odd(normalised(magnitude(x)))


def _said_of_step(family: Family, which: int, cell: Cell) -> Any:
    """An integer root has an exact square, which is compared with the base; the exponent is doubled exactly."""
    root, at = cell.argument(), family.at
    n = cell.constant(1.5) + cell.unknown(0.5)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        if not is_equality(family.traced, at[f"equal {which}"], at[f"square {which}"], at[f"base {which}"]):
            raise Unproven("something else is compared")
        square, twice = value(f"square {which}"), value(f"twice {which}")
        return [nothing(cell), (square.model - root * root, 0.0), (twice.model - n.scaled(2), 0.0)]

    return {f"root {which}": Real(root, 0), f"exponent {which}": Real(n, -52, 1)}, claims


def _said_of_whole_root(family: Family, which: int, cell: Cell) -> Any:
    """A root is an integer where it is said to be one."""

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        whole, at = f"whole root {which}", family.at
        if value(whole).grid < 0 or not is_equality(
            family.traced, at[f"is whole {which}"], at[whole], at[f"root {which}"]
        ):
            raise Unproven("it may be no integer, or something else is compared")
        return [nothing(cell)]

    return {f"root {which}": Real(cell.argument(), -60)}, claims


def _said_of_reach(family: Family, which: float, cell: Cell) -> Any:
    """Nothing is found for exponents that are out of reach, and taken to be ``which``, unless |x| is below 2."""
    k = cell.argument()

    def claims(run: Execution, _: Callable[[str], Real]) -> Claims:
        if run.value(Value(family.at["scale of m"])) is not False:
            raise Unproven("something may be found")
        return [nothing(cell)]

    return {"usual": constant(cell, which), "k as double of m": Real(k, 0)}, claims


def _said_of_far_exponent(family: Family, which: float, cell: Cell) -> Any:
    """No integer is found for the largest exponents."""

    def claims(run: Execution, _: Callable[[str], Real]) -> Claims:
        if not never_holds(run, family, "below", ("is integer",)):
            raise Unproven("something may be found")
        return [nothing(cell)]

    return {"usual": constant(cell, which)}, claims


@dataclass(frozen=True)
class InReach(Unchanged):
    """Exponents are moved into 2^-130 .. 2^66 in size, by their encodings, and nothing else is done to them."""

    def setting(self, which: Any, cell: Cell) -> Setting:
        """By the statements themselves."""
        traced, number = self.traced, self.family.at["usual"]

        def statement(operand: Any) -> Any:
            return traced.program.statements[operand.number - len(traced.program.inputs)]

        def claims(_: Execution) -> Claims:
            encoding, sign = statement(statement(Value(number)).operands[0]).operands
            low, least, others = statement(encoding).operands
            high, greatest, size = statement(others).operands
            ends = [Constant("long", _code(end)) for end in (_LEAST_POWER, _FARTHEST)]
            shapes = [
                statement(Value(number)).operation == "from_bits",
                statement(statement(Value(number)).operands[0]).operation == "long.or",
                statement(low) == Statement("bool", "long.lt", (size, ends[0])),
                statement(high) == Statement("bool", "long.gt", (size, ends[1])),
                [least, greatest] == ends,
                statement(size).operands == (statement(sign).operands[0], Constant("long", ~SIGN)),
                statement(sign).operands[1] == Constant("long", SIGN),
            ]
            if not all(shapes):
                raise Unproven("exponents are moved otherwise")
            return [nothing(cell)]

        return Setting({}, claims)


def _code(x: float) -> int:
    """The encoding of a power of two."""
    return math.frexp(x)[1] + 1022 << 52


def _of_pow(_: str) -> Sequence[Any]:
    whole = traced(power.refined_pow, (DOUBLE, DOUBLE, *ENCLOSURE), ENCLOSURE)
    at = _places(whole, _refined_pow, _power_of, ("d", "g")) | {"y": 1}
    names = *_PART, *(f"{one} of m" for one in _SCALE)
    at |= parts_named(whole.places(_pow, *_OF_PART, *_OF_SCALE), *names)
    at |= parts_named(whole.places(_of_slight_power, *_OF_SLIGHT_POWER), *_SLIGHT_POWER)
    at["exponent of T"] = at["usual"]
    at |= _named("x", whole.places(_all_odd_of_x, *_OF_ODD))
    steps = [f"{one} {i}" for i in _STEPS for one in _STEP]
    conditions = [f"{one} {i}" for i in _STEPS for one in ("whole root", "is whole", "equal")]
    kinds: tuple[Kind, ...] = (*(DOUBLE,) * len(steps), *(DOUBLE, BOOL, BOOL) * len(_STEPS))
    at |= parts_named(whole.places(_pow_steps, *kinds), *steps, *conditions)
    at["odd part of base"] = at["next base 4"]
    family = Refining(whole, at, frozenset({"refined_pow"}), told=_told(whole))
    of_m = Refining(whole, at | {one: at[f"{one} of m"] for one in _SCALE}, family.second_functions, told=family.told)
    powers = [
        (reach, low, high) for reach in (_FARTHEST, -_FARTHEST) for low, high in ((1.0, _DEEPEST), (-_DEEPEST, -1.0))
    ]
    tiny = [
        (reach, low, high)
        for reach in (_LEAST_POWER, -_LEAST_POWER)
        for low, high in ((1.0, _DEEPEST), (-_DEEPEST, -1.0))
    ]
    return (
        *refined_parts(family),
        Unchanged(family, [("m is one", "below", which) for which in ("given", "close")], "exact"),
        Unchanged(family, [("scale of m", which) for which in ("given", "close")], "exact scale"),
        *_gaps(family),
        *_no_side(family),
        *_slight_powers(family),
        *_odd_parts(family, "x", with_k=True),
        *(_halved(family, i, condition) for i in _STEPS for condition in ("is whole", "equal")),
        Numbers(family, "whole roots", [(i, 0.5, _LARGEST_ROOT) for i in _STEPS], -60, _said_of_whole_root),
        Numbers(family, "roots", [(i, 0.0, _LARGEST_ROOT) for i in _STEPS], 0, _said_of_step),
        *_below(family),
        *_scales(family),
        *(replace(part, name=f"{part.name} of m") for part in _scales(of_m)),
        InReach(family, [("reach",)], "in reach"),
        Numbers(family, "out of reach", [*powers, *tiny], 0, _said_of_reach),
        Numbers(family, "largest exponents", [(_FARTHEST, 0.0, 0.0), (-_FARTHEST, 0.0, 0.0)], 0, _said_of_far_exponent),
    )


def _halved(family: Refining, i: int, condition: str) -> Unchanged:
    """Without an integer root whose square is the base, base and exponent are the same."""
    pairs = (f"next base {i}", f"base {i}"), (f"next exponent {i}", f"exponent {i}")
    return Unchanged(family, [(f"{condition} {i}",)], f"{condition} {i}", pairs)


# rootn


def _quotient(x: Any, n: Any, hi: Any) -> Any:
    m, k = odd_part(normalised(magnitude(x)))
    v, _ = odd_part(magnitude(hi))
    ratio = real(k) / n
    quotient = nearest(ratio)[0]
    divides, raised = quotient * n == real(k), small_power(v, integer(clamp(n, 0.0, MOST - 1.0)))
    found = (n >= 1.0) & (n < MOST) & (raised == m)
    numbers = real(k), ratio, quotient, quotient * n, raised
    return *numbers, m == 1.0, divides, n >= 1.0, n < MOST, raised == m, found


_QUOTIENT = "k as double", "k / n", "quotient", "q n", "raised"
_OF_QUOTIENT = "m is one", "divides", "n is positive", "n is small", "equal", "is power"


def _rootn(x: Any, n: Any, hi: Any, lo: Any, *_: Any) -> Any:
    return *_quotient(x, n, hi), *_side_of_root(x, n, hi, lo)


def _refined_rootn(x: Any, n: Any, hi: Any, lo: Any, err: Any, _: Any) -> Any:
    *_others, is_one, divides, _positive, _small, _equal, found = _quotient(x, n, hi)
    return of_refined(hi, lo, err, (is_one & divides) | found, _side_of_root(x, n, hi, lo)[0])


def _odd_of_hi(_x: Any, _n: Any, hi: Any, *_: Any) -> Any:
    return _places_of_odd(magnitude(hi))[:5]


def _power_of_root(x: Any, n: Any, hi: Any, lo: Any, *_: Any) -> Any:
    return _of_power(gap(hi, lo), n, from_power_of_two(normalised(magnitude(x)))[0])


def _said_of_quotient(family: Family, _which: Any, cell: Cell) -> Any:
    """What k/n is rounded to is an integer q, and q n, which is compared with k, exact."""
    n, ratio, at = cell.argument(), cell.unknown(_DEEPEST), family.at

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        q = value("quotient")
        if q.grid < 0 or not is_equality(family.traced, at["divides"], at["q n"], at["k as double"]):
            raise Unproven("it may be no integer, or something else is compared")
        return [nothing(cell), (q.model, _DEEPEST + 1.0)]

    return {"n": Real(n, 0), "k / n": Real(ratio, -1074)}, claims


def _said_of_multiple(_: Family, _which: Any, cell: Cell) -> Any:
    """Q n is exact for integers of that size."""
    n, q = cell.argument(), cell.unknown(_DEEPEST + 1.0)
    cell.paired |= set(q.terms)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("q n").model - n * q, 0.0)]

    return {"n": Real(n, 0), "quotient": Real(q, 0)}, claims


def _said_of_raised(family: Family, which: int, cell: Cell) -> Any:
    """v^n is exact where it is no longer than 53 bits; the first one that is, is larger than m, as are all others."""
    v, of_x, at = cell.argument(), cell.constant(2.0**52) + cell.unknown(2.0**52 - 1.0), family.at
    exact = functools.reduce(Model.__mul__, [v] * which, cell.constant(1))
    is_short = exact.ends()[1] <= 2**53

    def claims(run: Execution, value: Callable[[str], Real]) -> Claims:
        if not is_equality(family.traced, at["equal"], at["raised"], at["odd part of x"]):
            raise Unproven("something else is compared")
        if is_short:
            return [nothing(cell), (value("raised").model - exact, 0.0)]
        if run.value(Value(at["equal"])) is not False:
            raise Unproven("what is rounded may be found")
        return [nothing(cell)]

    return {"odd part of hi": Real(v, 0), "odd part of x": Real(of_x, 0), "n": constant(cell, float(which))}, claims


def _of_rootn(_: str) -> Sequence[Any]:
    whole = traced(power.refined_rootn, (DOUBLE, DOUBLE, *ENCLOSURE), ENCLOSURE)
    at = _places(whole, _refined_rootn, _power_of_root, ("g", "d")) | {"n": 1, "exponent of T": 1}
    kinds: tuple[Kind, ...] = (*(DOUBLE,) * 5, *(BOOL,) * 6, *_OF_ROOT)
    at |= parts_named(whole.places(_rootn, *kinds), *_QUOTIENT, *_OF_QUOTIENT, *_ROOT)
    at |= _named("x", whole.places(_all_odd_of_x, *_OF_ODD))
    at |= parts_named(whole.places(_odd_of_hi, *_OF_ODD[:5]), *(f"{one} hi" for one in _ODD[:5]))
    family = Refining(whole, at, frozenset({"refined_rootn"}), told=_told(whole))
    groups = [(one, "is power", which) for one in ("m is one", "divides") for which in ("given", "close")]
    indices = [("n", 1.0, 2.0**31), ("n", -(2.0**31), -1.0)]
    short = [(n, 1.0, float(integers_below(n, 1 << 53))) for n in _INDICES if n]
    limits = ("n is positive", "n is small")
    others = [("at", 64.0, 64.0), *_beyond_count(65.0, 2.0**31)]
    return (
        *refined_parts(family),
        Unchanged(family, groups, "exact"),
        *_gaps(family),
        *_roots(family),
        *_odd_parts(family, "x", with_k=True),
        *_odd_parts(family, "hi", with_k=False),
        Numbers(family, "nearest quotient", indices, 0, _said_of_quotient),
        Numbers(family, "multiple", indices, 0, _said_of_multiple),
        Never(family, "other exponents", "n", "is power", others, any_integer, limits),
        Numbers(family, "powers", [*short, *_first_too_long(1 << 53)], 0, _said_of_raised),
    )


# hypot: a^2 + b^2 - r^2 as an integer, r being b of other functions: hi + lo, rounded

_COUNTS = 2.0**54
_LARGEST_SUM = 2.9  # more than the root of 8, r in size


def _of_counts(x: Any, y: Any, hi: Any, lo: Any, err: Any) -> Any:
    a, b, _, slight, special = scaled_legs(*ordered(x, y))
    rounded, scaled = in_54_bits(hi, lo), (a * 2.0**54, b * 2.0**54, hi * 2.0**54, in_54_bits(hi, lo) * 2.0**54)
    counts = integer(scaled[0]), integer(scaled[1]), integer(scaled[2]) + integer(scaled[3])
    whole = real(counts[1])
    rest = scaled[1] - whole
    counted = counts[0] * counts[0] + counts[1] * counts[1] - counts[2] * counts[2]
    product = 2.0 * whole * rest
    both = real(counted) + product
    missed = both + rest * rest
    close = abs(lo - rounded) <= err
    known = close & ~(slight | special)
    level, no_rest = missed == 0.0, rest == 0.0
    exact = known & level & no_rest
    doubles = real(counted), whole, rest, product, both, missed
    return a, b, *scaled, *counts, counted, *doubles, close, slight, special, known, level, no_rest, exact


_HYPOT = "a", "b", "a 2^54", "b 2^54", "hi 2^54", "rest 2^54", "count of a", "count of b", "count of r", "counted"
_SUMS = "counted as double", "whole", "rest of b", "product", "sum", "missed"
_OF_HYPOT = *_SUMS, "close to r", "slight leg", "special", "known", "level", "no rest", "exact result"
_KINDS_OF_HYPOT: tuple[Kind, ...] = (*(DOUBLE,) * 6, *(LONG,) * 4, *(DOUBLE,) * 6, *(BOOL,) * 7)


def _hypot(x: Any, y: Any, hi: Any, lo: Any, err: Any, _: Any) -> Any:
    return _of_counts(x, y, hi, lo, err)


def _refined_hypot(x: Any, y: Any, hi: Any, lo: Any, err: Any, _: Any) -> Any:
    *_others, missed, _close, _slight, _special, known, _level, _no_rest, exact = _of_counts(x, y, hi, lo, err)
    return of_refined(hi, lo, err, exact, select(known, missed, 0.0))


def _legs(x: Any, y: Any) -> Any:
    return scaled_legs(*ordered(x, y))[:2]


def _said_of_count_of(_: Family, which: tuple[str, str], cell: Cell) -> Any:
    """A leg, hi, or what is beside it, as a multiple of 2^-54, is an integer of less than 62 bits."""
    of, scaled = which
    x = cell.argument()
    given = {of: Real(x, -54 if of == "rounded" else -52)}

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        found = value(scaled)
        if found.grid < 0:
            raise Unproven("it may be no integer")
        return [nothing(cell), (found.model - x.scaled(_COUNTS), 0.0), (found.model, 2.0**61)]

    return given, claims


def _said_of_missed(family: Family, _which: Any, cell: Cell) -> Any:
    """The sum of the squares of counts, less that of r, modulo 2^64, and so at all, if r is near to the root.

    Both are within the kernel's bound of hi + lo.
    """
    at, traced = family.at, family.traced

    def statement(number: int) -> Statement:
        return traced.program.statements[number - len(traced.program.inputs)]

    def product(name: str) -> Statement:
        return Statement("long", "long.mul", (Value(at[name]), Value(at[name])))

    def claims(_: Execution, __: Callable[[str], Real]) -> Claims:
        difference = statement(at["counted"])
        total, of_r = (statement(o.number) for o in difference.operands if isinstance(o, Value))
        squares = [statement(o.number) for o in total.operands if isinstance(o, Value)]
        if (difference.operation, total.operation) != ("long.sub", "long.add"):
            raise Unproven("something else is computed")
        if [*squares, of_r] != [product(f"count of {one}") for one in "abr"]:
            raise Unproven("something else is computed")
        parts = [_integer_of(at["hi 2^54"]), _integer_of(at["rest 2^54"])]
        legs = [statement(at[f"count of {leg}"]) == _integer_of(at[f"{leg} 2^54"]) for leg in "ab"]
        if [statement(o.number) for o in statement(at["count of r"]).operands if isinstance(o, Value)] != parts:
            raise Unproven("r is another")
        if not all(legs) or statement(at["count of r"]).operation != "long.add":
            raise Unproven("something else is counted")
        unknown = [("close to r", False), ("slight leg", True), ("special", True)]
        if any(traced.following({at[name]: holds}).get(at["known"]) is not False for name, holds in unknown):
            raise Unproven("something may be known that is not")
        return [nothing(cell), (cell.constant(_OFF_COUNTS + 1), 2.0**53 - _LARGEST_PRODUCT)]

    return {}, claims


_OFF_COUNTS = arb(2.0 * roots.HYPOT_ERROR) * 2.0 * _LARGEST_SUM * _COUNTS**2  # how large a^2 + b^2 - r^2 is


def _said_of_product(_: Family, i: int, cell: Cell) -> Any:
    """2 c d is exact where b is 2^-i to 2^(1 - i), a multiple of 2^(-52 - i)."""
    bits_of_rest = max(i - 2, 0)
    c = cell.argument()
    d = cell.unknown(1.0 - 2.0**-bits_of_rest)
    cell.paired |= set(d.terms)
    given = {"whole": Real(c, 0, 0, 55 - i), "rest of b": Real(d, -bits_of_rest, 0, bits_of_rest)}

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        product = value("product")
        if product.grid < 1 - bits_of_rest:
            raise Unproven("the product may be finer than was said")
        return [nothing(cell), (product.model - (c * d).scaled(2), 0.0), (product.model, _LARGEST_PRODUCT)]

    return given, claims


def _said_of_sum_with_rest(_: Family, _which: Any, cell: Cell) -> Any:
    """The sum of the integer and 2 c d, which is a^2 + b^2 - r^2 less d^2, is exact."""
    product, found = cell.argument(), cell.unknown(_OFF_COUNTS + 1)
    given = {"counted as double": Real(found - product, 0), "product": Real(product, 1 - _BITS_OF_REST)}

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("sum").model - found, 0.0)]

    return given, claims


_BITS_OF_REST = 29  # at most: b is no smaller than 2^-31
_LARGEST_PRODUCT = 1.5 * 2.0**52


def _integer_of(number: int) -> Statement:
    """A double as an integer."""
    return Statement("long", "integer", (Value(number),))


@dataclass(frozen=True)
class SameLegs(Unchanged):
    """The legs are those of the kernel: the same operations on the arguments."""

    def setting(self, which: Any, cell: Cell) -> Setting:
        """By their names in both traces."""
        kernel = traced(roots.hypot, (DOUBLE, DOUBLE), ENCLOSURE)

        def claims(_: Execution) -> Claims:
            numbers = kernel.places(_legs, DOUBLE, DOUBLE)
            if [kernel.names[n] for n in numbers] != [self.traced.names[self.family.at[leg]] for leg in "ab"]:
                raise Unproven("the legs are others")
            return [nothing(cell)]

        return Setting({}, claims)


def _of_hypot(_: str) -> Sequence[Any]:
    """As of the kernel a is 1 to 2, b 2^-31 to 2, and the result their root of squares times a power of two."""
    whole = traced(roots.refined_hypot, (DOUBLE, DOUBLE, *ENCLOSURE), ENCLOSURE)
    at = {"hi": 2, "lo": 3, "err": 4, "exponent": 5} | parts_named(
        whole.places(_refined_hypot, *KINDS_OF_BOUNDARY), *BOUNDARY
    )
    at |= parts_named(whole.places(_hypot, *_KINDS_OF_HYPOT), *_HYPOT, *_OF_HYPOT)
    family = Refining(whole, at, frozenset({"refined_hypot"}), told=_told(whole))
    cases: Cases = {
        "not known": ({"known": False}, [("side", ZERO)]),
        "known": ({"known": True}, [("side", "missed")]),
    }
    legs = {
        "b 2^54": ("double.mul", "b", double(_COUNTS)),
        "whole": ("double.of_long", "count of b"),
        "rest of b": ("double.sub", "b 2^54", "whole"),
        "counted as double": ("double.of_long", "counted"),
        "missed": ("double.add", "sum", ("double.mul", "rest of b", "rest of b")),
        "level": ("double.eq", "missed", ZERO),
        "no rest": ("double.eq", "rest of b", ZERO),
        "close to r": ("double.le", ("double.abs", ("double.sub", "lo", "rounded")), "err"),
    }
    counts = [
        (("a", "a 2^54"), 1.0, 2.0),
        (("hi", "hi 2^54"), 1.0, _LARGEST_SUM),
        (("rounded", "rest 2^54"), -_LEFT, _LEFT),
    ]
    products = [(i, 2.0 ** (54 - i), 2.0 ** (55 - i)) for i in range(_BITS_OF_REST + 3)]
    return (
        *refined_parts(family),
        Unchanged(family, [("known", "given"), ("known", "close")], "exact"),
        Unchanged(family, [("level", "given"), ("no rest", "given")], "exact without a rest"),
        Selected(family, cases, "side"),
        SameLegs(family, [("legs",)], "legs"),
        Meaning(family, legs, "meaning of legs"),
        Numbers(family, "counts", counts, -54, _said_of_count_of),
        Numbers(family, "product of the rest", products, 0, _said_of_product),
        Numbers(
            family,
            "sum with the rest",
            [("2 c d", -_LARGEST_PRODUCT, _LARGEST_PRODUCT)],
            1 - _BITS_OF_REST,
            _said_of_sum_with_rest,
        ),
        Numbers(family, "what is missed", [("r", 0.0, 0.0)], 0, _said_of_missed),
    )


SECOND: dict[tuple[str, str], Callable[[str], Sequence[Any]]] = {
    ("double", "hypot"): _of_hypot,
}
