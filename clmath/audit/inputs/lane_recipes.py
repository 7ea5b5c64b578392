"""Random arguments that fit together: a recipe, an elementwise function, makes a call from the input's number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.audit.inputs.lane_draws import (
    BEHIND_MIXTURE,
    OF_RECIPE,
    Aim,
    any_code,
    any_int,
    any_number,
    below,
    between,
    comparable_to,
    exponent_of,
    interval,
    interval_of,
    modest,
    nearly,
    share,
    with_exponent,
    words,
)
from clmath.ir.lanes import bits, from_bits, nearest, real, select
from clmath.numbers.lane_codes import code_of, decoded, encoded, sign_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clmath.callables import AnyFunction
    from clmath.ir.values import Integer, Real
    from clmath.numbers.formats import Format

__all__ = ["RECIPES"]

WHOLE = 2.0**51
LOG2_E = 1.4426950408889634  # log2(e)
LOG_2 = 0.6931471805599453


def angle(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return two numbers of one size, or one that is too small to matter next to the other."""
    given, form = words(index, aim.keys), aim.form
    y = any_number(next(given), next(given), form)
    return y, comparable_to(y, next(given), next(given), form, form.precision + 3)


def comparable(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return two numbers of about one size."""
    given, form = words(index, aim.keys), aim.form
    x = any_number(next(given), next(given), form)
    reach = select(next(given) < 0, form.precision // 2 + 1, 1)
    return x, comparable_to(x, next(given), next(given), form, reach)


def binary_logarithm(word: Integer, form: Format) -> Real:
    """Return the binary logarithm of a result anywhere in the range of the format, or a little beyond it."""
    return share(word) * (form.emax + 2.0 - form.quantum) + (form.quantum - 1.0)


def roughly_log2(x: Real) -> Real:
    """Return log2 of a positive number, with a relative error of about a millionth."""
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


def roughly_two_to(t: Real) -> Real:
    """Return 2^t for -1100 <= t < 1024; 2^t - 1 has a relative error of about a millionth."""
    whole, n = nearest(t)
    r = (t - whole) * LOG_2
    series = (((r * (1.0 / 720.0) + 1.0 / 120.0) * r + 1.0 / 24.0) * r + 1.0 / 6.0) * r + 0.5
    half = n >> 1
    factors = from_bits(half + 1023 << 52), from_bits(n - half + 1023 << 52)
    return ((series * r + 1.0) * r + 1.0) * factors[0] * factors[1]


def base(given: Iterator[Integer], form: Format) -> Integer:
    """Return a positive number, of any exponent, or close to one, where powers are hardest."""
    distance = from_bits((next(given) & 0xFFFFFFFFFFFFF) | (between(next(given), 1 - form.precision, -1) + 1023 << 52))
    near = encoded(select(next(given) < 0, distance * -0.5, distance) + 1.0, form)
    scattered = any_number(next(given), next(given), form, positive=True)
    return select(next(given) < 0, near, scattered)


def positive_power(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return a base and an exponent whose power has any size."""
    x, y = base_and_exponent(words(index, aim.keys), aim.form)
    return x, encoded(y, aim.form)


def base_and_exponent(given: Iterator[Integer], form: Format) -> tuple[Integer, Real]:
    """Return a positive base as its encoding, and an exponent as a double."""
    x = base(given, form)
    size = roughly_log2(decoded(x, form))
    y = binary_logarithm(next(given), form) / select(size == 0.0, 1.0, size)
    return x, select(y > form.largest, form.largest, select(y < -form.largest, -form.largest, y))


def power(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return a base and an exponent as ``positive_power`` does, or a negative base with an integer exponent."""
    given, form = words(index, aim.keys), aim.form
    x, y = base_and_exponent(given, form)
    whole, _ = nearest(select(abs(y) < WHOLE, y, 0.0))
    negative = (below(next(given), 5) < 2) & (whole != 0.0)
    return select(negative, x | sign_of(form), x), encoded(select(negative, whole, y), form)


def whole_power(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return a base ±2^(t/k) and an exponent k for a result of size 2^t; k is too small for the base to round to 1."""
    given, form = words(index, aim.keys), aim.form
    k = any_int(next(given), next(given), min(31, form.precision + 3))
    t = binary_logarithm(next(given), form) / real(k)
    low, high = float(form.quantum), float(form.emax)
    x = encoded(roughly_two_to(select(t < low, low, select(t > high, high, t))), form)
    x = nearly(x, next(given), next(given), 2, form)
    return select(next(given) < 0, x | sign_of(form), x), k


def root(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return a radicand, negative only for odd degrees, and a small or large degree."""
    given, form = words(index, aim.keys), aim.form
    few, many = any_int(next(given), next(given), 6), any_int(next(given), next(given), min(31, form.precision))
    degree = select(below(next(given), 10) < 7, few, many)
    x = any_number(next(given), next(given), form)
    return select((degree & 1) == 0, x & form.magnitude, x), degree


def one_of(word: Integer, *choices: Integer) -> Integer:
    """Return one of several integers, all equally likely."""
    which, chosen = below(word, len(choices)), choices[0]
    for number, choice in enumerate(choices[1:], 1):
        chosen = select(which == number, choice, chosen)
    return chosen


def in_order(one: Integer, other: Integer, form: Format) -> tuple[Integer, Integer]:
    """Return the lesser of two numbers, and the other."""
    rises = decoded(one, form) <= decoded(other, form)
    return select(rises, one, other), select(rises, other, one)


def independent(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return independent arguments of any size."""
    given, form = words(index, aim.keys), aim.form
    return tuple(of_any_size(given, kind, form) for kind in aim.kinds)


def of_any_size(given: Iterator[Integer], kind: str, form: Format) -> Integer:
    """Return a value of one type, all magnitudes equally likely."""
    if kind == "nancode":
        return any_code(next(given), form)
    size, word = next(given), next(given)
    return any_int(size, word, 31) if kind == "intn" else any_number(size, word, form)


def sum(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return two numbers of about one size, or one much smaller than the other, or two that nearly cancel."""
    given, form = words(index, aim.keys), aim.form
    x = any_number(next(given), next(given), form)
    near = comparable_to(x, next(given), next(given), form, 2)
    wide = comparable_to(x, next(given), next(given), form, form.precision + 2)
    like = nearly(x, next(given), next(given), 6, form)
    like = select(next(given) < 0, like ^ sign_of(form), like)
    return x, one_of(next(given), near, wide, like)


def difference(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return two numbers as for a sum; mostly the greater comes first."""
    x, y = sum(index, aim)
    low, high = in_order(x, y, aim.form)
    *_, word = words(index, aim.keys[:OF_RECIPE])
    swapped = below(word, 10) == 0
    return select(swapped, low, high), select(swapped, high, low)


def factors(given: Iterator[Integer], form: Format) -> tuple[Integer, Integer]:
    """Return two factors of any size, made of ``given`` words, whose product is within the format."""
    target = between(next(given), form.quantum - 1, form.emax)
    least = select(target - form.emax < form.quantum, form.quantum, target - form.emax)
    most = select(target - form.quantum > form.emax, form.emax, target - form.quantum)
    first = between(next(given), least, most)
    return with_exponent(next(given), form, first), with_exponent(next(given), form, target - first)


def product(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return two factors of any size, whose product is within the format."""
    return factors(words(index, aim.keys), aim.form)


def quotient(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return dividend and divisor: quotients of every size; in a third of calls just below a power of two."""
    given, form = words(index, aim.keys), aim.form
    target = between(next(given), form.quantum - 1, form.emax)
    least = select(target + form.quantum < form.quantum, form.quantum, target + form.quantum)
    most = select(target + form.emax > form.emax, form.emax, target + form.emax)
    size = between(next(given), least, most)
    x, y = with_exponent(next(given), form, size), with_exponent(next(given), form, size - target)
    divisor = modest(given, form, -1.0)
    apart = from_bits((next(given) & 0xFFFFFFFFFFFFF) | (between(next(given), -form.precision, -4) + 1023 << 52))
    scale = from_bits(between(next(given), -form.precision, 0) + 1023 << 52)
    dividend = encoded(decoded(divisor, form) * ((1.0 - apart) * scale), form)
    chosen = below(next(given), 3) == 0
    return select(chosen, dividend, x), select(chosen, divisor, y)


def fused(index: Integer, aim: Aim) -> tuple[Integer, Integer, Integer]:
    """Return a, b and c: product and c are comparable, one is far smaller, or they cancel down to the last bits."""
    given, form = words(index, aim.keys), aim.form
    a, b = factors(given, form)
    x, y = decoded(a, form), decoded(b, form)
    size, rounded = exponent_of(x) + exponent_of(y), encoded(x * y, form)
    rounded = select((rounded & form.magnitude) < code_of(form.dtype.type("inf"), form), rounded, a)
    beside = with_exponent(next(given), form, size + between(next(given), -2, 2))
    apart = with_exponent(next(given), form, size + between(next(given), -2 * form.precision, 2 * form.precision))
    near = nearly(rounded, next(given), next(given), 3, form) ^ sign_of(form)
    return a, b, one_of(next(given), beside, apart, rounded ^ sign_of(form), near)


def scale(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return a number and an exponent to scale it by: results of every exponent, with underflow and some overflow."""
    given, form = words(index, aim.keys), aim.form
    x = any_number(next(given), next(given), form)
    return x, between(next(given), form.quantum - 2, form.emax + 1) - exponent_of(decoded(x, form))


def remainder(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return two numbers to divide.

    Most quotients are near one, some as large as the format allows, some next to a half-integer.
    """
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


def neighbour(index: Integer, aim: Aim) -> tuple[Integer, Integer]:
    """Return two numbers of any size, or a few places apart."""
    given, form = words(index, aim.keys), aim.form
    x = any_number(next(given), next(given), form)
    other = any_number(next(given), next(given), form)
    return x, select(next(given) < 0, other, nearly(x, next(given), next(given), 2, form))


def ordered(index: Integer, aim: Aim) -> tuple[Integer, Integer, Integer]:
    """Return a value near two bounds, and the bounds, the lesser first."""
    given, form = words(index, aim.keys), aim.form
    one = any_number(next(given), next(given), form)
    other = comparable_to(one, next(given), next(given), form, 2)
    return comparable_to(one, next(given), next(given), form, 2), *in_order(one, other, form)


def two_edges(index: Integer, aim: Aim) -> tuple[Integer, Integer, Integer]:
    """Return two edges and an x that is mostly between them, all of modest size so that no formula overflows."""
    given, form = words(index, aim.keys), aim.form
    one = with_exponent(next(given), form, between(next(given), form.emin // 2, form.emax // 4))
    low, high = in_order(one, comparable_to(one, next(given), next(given), form, 3), form)
    least, greatest, part = decoded(low, form), decoded(high, form), share(next(given))
    inside = encoded(least + (greatest - least) * part, form)
    outside = comparable_to(one, next(given), next(given), form, 3)
    return low, high, select(below(next(given), 10) < 8, inside, outside)


def blend(index: Integer, aim: Aim) -> tuple[Integer, Integer, Integer]:
    """Return two comparable ends of modest size and a share between 0 and 1."""
    given, form = words(index, aim.keys), aim.form
    x = with_exponent(next(given), form, between(next(given), form.emin // 2, form.emax - 2))
    y = comparable_to(x, next(given), next(given), form, 3)
    return x, y, interval_of(given, form, (0.0, 1.0))


def vectors(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return one or two vectors; the sum of squares is mostly within the format; some components have any size."""
    given, form = words(index, aim.keys[BEHIND_MIXTURE:]), aim.form
    safe = between(next(given), form.emin // 2 + 2, form.emax // 2 - 5)
    size = select(below(next(given), 10) < 7, safe, between(next(given), form.quantum, form.emax))
    return tuple(
        select(below(next(given), 20) == 0, any_number(next(given), next(given), form), code)
        for code in lanes_of(given, aim, size)
    )


def modest_vectors(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return one or two vectors whose sums of squares neither overflow nor underflow, for ``fast_`` built-ins."""
    given, form = words(index, aim.keys[BEHIND_MIXTURE:]), aim.form
    return lanes_of(given, aim, between(next(given), form.emin // 2 + 4, form.emax // 2 - 5))


def lanes_of(given: Iterator[Integer], aim: Aim, size: Integer) -> tuple[Integer, ...]:
    """Return one vector or two, with all components about 2^``size``.

    The second vector is independent of the first in half of the calls, and close to it in a quarter. In a quarter it is
    nearly orthogonal: the first vector's components in reverse order, every other one with the opposite sign.
    """
    form, width = aim.form, aim.width
    first = tuple(with_exponent(next(given), form, size + between(next(given), -3, 3)) for _ in range(width))
    if len(aim.kinds) == width:
        return first
    which, second = below(next(given), 4), []
    for number, (like, opposite) in enumerate(zip(first, reversed(first), strict=True)):
        free = with_exponent(next(given), form, size + between(next(given), -3, 3))
        close = nearly(like, next(given), next(given), 6, form)
        turned = opposite ^ sign_of(form) if number % 2 else opposite
        second.append(select(which < 2, free, select(which == 2, close, turned)))
    return (*first, *second)


RECIPES: Mapping[str, AnyFunction] = {
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
    "between": two_edges,
    "blend": blend,
    "vectors": vectors,
    "modest_vectors": modest_vectors,
}
