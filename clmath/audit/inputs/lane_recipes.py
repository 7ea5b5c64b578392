"""Random arguments that go together, in lane arithmetic: each recipe draws those of a call from an input's number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.audit.inputs.lane_draws import (
    OF_RECIPE,
    Aim,
    any_int,
    any_number,
    below,
    between,
    code_of,
    comparable_to,
    decoded,
    encoded,
    exponent_of,
    interval,
    moved,
    share,
    sign_of,
    signed,
    sized,
    with_exponent,
    words,
)
from clmath.numbers.lanes import bits, from_bits, nearest, real, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from clmath.numbers.formats import Format

__all__ = ["RECIPES"]

WHOLE = 2.0**51
LOG2_E = 1.4426950408889634  # of e, to base 2
LOG_2 = 0.6931471805599453


def angle(index: Any, aim: Aim) -> Any:
    """Two numbers of one size, and such that one of them is too small to be seen."""
    given, form = words(index, aim.keys), aim.form
    y = any_number(next(given), next(given), form)
    return y, comparable_to(y, next(given), next(given), form, form.precision + 3)


def comparable(index: Any, aim: Aim) -> Any:
    """Two numbers of about one size."""
    given, form = words(index, aim.keys), aim.form
    x = any_number(next(given), next(given), form)
    reach = select(next(given) < 0, form.precision // 2 + 1, 1)
    return x, comparable_to(x, next(given), next(given), form, reach)


def binary_logarithm(word: Any, form: Format) -> Any:
    """That of a result anywhere in the range of the format, a little beyond it included."""
    return share(word) * (form.emax + 2.0 - form.quantum) + (form.quantum - 1.0)


def roughly_log2(x: Any) -> Any:
    """log2 of a positive number to a millionth of itself."""
    exponent = exponent_of(x)
    small = abs(x) < 2.0**-1022
    digits = (bits(select(small, x * 2.0**64, x)) & 0xFFFFFFFFFFFFF) | (1023 << 52)
    m = from_bits(digits)
    high = m > 1.4142135623730951
    m, n = select(high, m * 0.5, m), exponent + select(high, 1, 0)
    s = (m - 1.0) / (m + 1.0)
    square = s * s
    series = ((square * (1.0 / 9.0) + 1.0 / 7.0) * square + 0.2) * square + 1.0 / 3.0
    return (series * square + 1.0) * s * (2.0 * LOG2_E) + real(n)


def roughly_two_to(t: Any) -> Any:
    """2^t for -1100 <= t < 1024, as far from one as it should be to a millionth."""
    whole, n = nearest(t)
    r = (t - whole) * LOG_2
    series = (((r * (1.0 / 720.0) + 1.0 / 120.0) * r + 1.0 / 24.0) * r + 1.0 / 6.0) * r + 0.5
    half = n >> 1
    factors = from_bits(half + 1023 << 52), from_bits(n - half + 1023 << 52)
    return ((series * r + 1.0) * r + 1.0) * factors[0] * factors[1]


def base(given: Iterator[Any], form: Format) -> Any:
    """A positive number: of any exponent, or close to one, where powers are hardest."""
    distance = from_bits((next(given) & 0xFFFFFFFFFFFFF) | (between(next(given), 1 - form.precision, -1) + 1023 << 52))
    near = encoded(select(next(given) < 0, distance * -0.5, distance) + 1.0, form)
    scattered = any_number(next(given), next(given), form, positive=True)
    return select(next(given) < 0, near, scattered)


def positive_power(index: Any, aim: Aim) -> Any:
    """Bases and exponents whose powers have any size."""
    x, y = base_and_exponent(words(index, aim.keys), aim.form)
    return x, encoded(y, aim.form)


def base_and_exponent(given: Iterator[Any], form: Format) -> Any:
    """A positive base as its encoding, and an exponent as a double."""
    x = base(given, form)
    size = roughly_log2(decoded(x, form))
    y = binary_logarithm(next(given), form) / select(size == 0.0, 1.0, size)
    return x, select(y > form.largest, form.largest, select(y < -form.largest, -form.largest, y))


def power(index: Any, aim: Aim) -> Any:
    """As for a positive base; negative bases get integer exponents."""
    given, form = words(index, aim.keys), aim.form
    x, y = base_and_exponent(given, form)
    whole, _ = nearest(select(abs(y) < WHOLE, y, 0.0))
    negative = (below(next(given), 5) < 2) & (whole != 0.0)
    return select(negative, x | sign_of(form), x), encoded(select(negative, whole, y), form)


def whole_power(index: Any, aim: Aim) -> Any:
    """Bases ±2^(t/k) for a result of size 2^t; k as large as leaves x different from one."""
    given, form = words(index, aim.keys), aim.form
    k = any_int(next(given), next(given), min(31, form.precision + 3))
    t = binary_logarithm(next(given), form) / real(k)
    low, high = float(form.quantum), float(form.emax)
    x = encoded(roughly_two_to(select(t < low, low, select(t > high, high, t))), form)
    step = next(given)
    x = moved(x, signed(step, sized(step, next(given), 2)), form)
    return select(next(given) < 0, x | sign_of(form), x), k


def root(index: Any, aim: Aim) -> Any:
    """Small and large degrees, negative radicands for odd ones only."""
    given, form = words(index, aim.keys), aim.form
    few, many = any_int(next(given), next(given), 6), any_int(next(given), next(given), min(31, form.precision))
    degree = select(below(next(given), 10) < 7, few, many)
    x = any_number(next(given), next(given), form)
    return select((degree & 1) == 0, x & form.magnitude, x), degree


def nearly(code: Any, size: Any, word: Any, most: int, form: Format) -> Any:
    """A number less than 2^``most`` places away, on either side."""
    return moved(code, signed(size, sized(size, word, most)), form)


def one_of(word: Any, *choices: Any) -> Any:
    """One of several lanes, all equally likely."""
    which, chosen = below(word, len(choices)), choices[0]
    for number, choice in enumerate(choices[1:], 1):
        chosen = select(which == number, choice, chosen)
    return chosen


def in_order(one: Any, other: Any, form: Format) -> tuple[Any, Any]:
    """The lesser of two numbers, and the other."""
    rises = decoded(one, form) <= decoded(other, form)
    return select(rises, one, other), select(rises, other, one)


def independent(index: Any, aim: Aim) -> Any:
    """Arguments that have nothing to do with one another, of any size."""
    given, form = words(index, aim.keys), aim.form
    return tuple(
        any_int(next(given), next(given), 31) if kind == "intn" else any_number(next(given), next(given), form)
        for kind in aim.kinds
    )


def sum(index: Any, aim: Aim) -> Any:
    """Two numbers of about one size, or such that little of one is seen, or that cancel."""
    given, form = words(index, aim.keys), aim.form
    x = any_number(next(given), next(given), form)
    near = comparable_to(x, next(given), next(given), form, 2)
    wide = comparable_to(x, next(given), next(given), form, form.precision + 2)
    like = nearly(x, next(given), next(given), 6, form)
    like = select(next(given) < 0, like ^ sign_of(form), like)
    return x, one_of(next(given), near, wide, like)


def difference(index: Any, aim: Aim) -> Any:
    """As for a sum, the greater number mostly first."""
    x, y = sum(index, aim)
    low, high = in_order(x, y, aim.form)
    *_, word = words(index, aim.keys[:OF_RECIPE])
    swapped = below(word, 10) == 0
    return select(swapped, low, high), select(swapped, high, low)


def factors(given: Iterator[Any], form: Format) -> tuple[Any, Any]:
    """Two factors of any size, whose product is within the format."""
    target = between(next(given), form.quantum - 1, form.emax)
    least = select(target - form.emax < form.quantum, form.quantum, target - form.emax)
    most = select(target - form.quantum > form.emax, form.emax, target - form.quantum)
    first = between(next(given), least, most)
    return with_exponent(next(given), form, first), with_exponent(next(given), form, target - first)


def product(index: Any, aim: Aim) -> Any:
    """Two factors of any size, whose product is within the format."""
    return factors(words(index, aim.keys), aim.form)


def quotient(index: Any, aim: Aim) -> Any:
    """Quotients of every size; a third, of modest numbers, are close below a power of two."""
    given, form = words(index, aim.keys), aim.form
    target = between(next(given), form.quantum - 1, form.emax)
    least = select(target + form.quantum < form.quantum, form.quantum, target + form.quantum)
    most = select(target + form.emax > form.emax, form.emax, target + form.emax)
    size = between(next(given), least, most)
    x, y = with_exponent(next(given), form, size), with_exponent(next(given), form, size - target)
    reach = form.precision + 2
    divisor = with_exponent(next(given), form, between(next(given), -reach, reach))
    apart = from_bits((next(given) & 0xFFFFFFFFFFFFF) | (between(next(given), -form.precision, -4) + 1023 << 52))
    scale = from_bits(between(next(given), -form.precision, 0) + 1023 << 52)
    dividend = encoded(decoded(divisor, form) * ((1.0 - apart) * scale), form)
    chosen = below(next(given), 3) == 0
    return select(chosen, dividend, x), select(chosen, divisor, y)


def fused(index: Any, aim: Aim) -> Any:
    """Sums a b + c: comparable, one part almost invisible, and cancelling down to the last bits of the product."""
    given, form = words(index, aim.keys), aim.form
    a, b = factors(given, form)
    x, y = decoded(a, form), decoded(b, form)
    size, rounded = exponent_of(x) + exponent_of(y), encoded(x * y, form)
    rounded = select((rounded & form.magnitude) < code_of(form.dtype.type("inf"), form), rounded, a)
    beside = with_exponent(next(given), form, size + between(next(given), -2, 2))
    apart = with_exponent(next(given), form, size + between(next(given), -2 * form.precision, 2 * form.precision))
    near = nearly(rounded, next(given), next(given), 3, form) ^ sign_of(form)
    return a, b, one_of(next(given), beside, apart, rounded ^ sign_of(form), near)


def scale(index: Any, aim: Aim) -> Any:
    """Results of every exponent, gradual underflow and a little overflow included."""
    given, form = words(index, aim.keys), aim.form
    x = any_number(next(given), next(given), form)
    return x, between(next(given), form.quantum - 2, form.emax + 1) - exponent_of(decoded(x, form))


def remainder(index: Any, aim: Aim) -> Any:
    """Quotients of every size: most near one, some as far apart as the format allows, some next to ties."""
    given, form = words(index, aim.keys), aim.form
    x = any_number(next(given), next(given), form)
    size = exponent_of(decoded(x, form))
    small = with_exponent(next(given), form, size - between(next(given), -1, 3))
    medium = with_exponent(next(given), form, size - between(next(given), 0, 2 * form.precision - 1))
    large = with_exponent(next(given), form, between(next(given), form.quantum, size))
    multiple = encoded(decoded(x, form) / real(between(next(given), 1, 511)) * 2.0, form)
    found = multiple & form.magnitude
    multiple = select((found > 0) & (found < code_of(form.dtype.type("inf"), form)), multiple, small)
    return x, one_of(next(given), small, medium, large, multiple)


def neighbour(index: Any, aim: Aim) -> Any:
    """Two numbers of any size, or a few places apart."""
    given, form = words(index, aim.keys), aim.form
    x = any_number(next(given), next(given), form)
    other = any_number(next(given), next(given), form)
    return x, select(next(given) < 0, other, nearly(x, next(given), next(given), 2, form))


def ordered(index: Any, aim: Aim) -> Any:
    """Values beside an ordered pair of bounds."""
    given, form = words(index, aim.keys), aim.form
    one = any_number(next(given), next(given), form)
    other = comparable_to(one, next(given), next(given), form, 2)
    return comparable_to(one, next(given), next(given), form, 2), *in_order(one, other, form)


RECIPES: Mapping[str, Callable[..., Any]] = {
    "interval": interval,
    "angle": angle,
    "any": independent,
    "comparable": comparable,
    "sum": sum,
    "difference": difference,
    "product": product,
    "quotient": quotient,
    "fused": fused,
    "scale": scale,
    "remainder": remainder,
    "neighbour": neighbour,
    "ordered": ordered,
    "positive_power": positive_power,
    "power": power,
    "whole_power": whole_power,
    "root": root,
}
