"""Random arguments that fit together: a recipe, an elementwise function, makes a call from the input's number.

``tables/builtins.toml`` names the recipe of each built-in of several arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.audit.inputs.draws import *
from clmath.ir.lanes import bits, from_bits, nearest, real, select
from clmath.numbers.lane_codes import decoded, encoded, sign_of

if TYPE_CHECKING:
    from clmath.ir.values import Integer, Real
    from clmath.numbers.formats import Format

__all__: list[str] = []  # recipes are looked up by name

WHOLE = 2.0**51
LOG2_E = 1.4426950408889634  # log2(e)
LOG_2 = 0.6931471805599453


def interval(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return a number in the interval of the row's inputs."""
    return (in_interval(draw_of(index, aim), aim.bounds),)


def independent(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return independent arguments of any size."""
    draw = draw_of(index, aim)
    return tuple(of_kind(draw, kind) for kind in aim.kinds)


def binary_logarithm(draw: Draw) -> Real:
    """Return the binary logarithm of a result anywhere in the range of the format, or a little beyond it."""
    return share(draw) * (draw.form.emax + 2.0 - draw.form.quantum) + (draw.form.quantum - 1.0)


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
    return ((series * r + 1.0) * r + 1.0) * from_bits(half + 1023 << 52) * from_bits(n - half + 1023 << 52)


def base_and_exponent(draw: Draw) -> tuple[Integer, Real]:
    """Return a positive base, of any size or close to one, where powers are hardest, and an exponent as a double."""
    form = draw.form
    distance = double_of(draw, between(draw, 1 - form.precision, -1))
    near = encoded(select(toss(draw), distance * -0.5, distance) + 1.0, form)
    x = select(toss(draw), near, any_number(draw, positive=True))
    size = roughly_log2(decoded(x, form))
    y = binary_logarithm(draw) / select(size == 0.0, 1.0, size)
    return x, select(y > form.largest, form.largest, select(y < -form.largest, -form.largest, y))


def positive_power(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return a base and an exponent whose power has any size."""
    x, y = base_and_exponent(draw_of(index, aim))
    return x, encoded(y, aim.form)


def power(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return a base and an exponent as ``positive_power`` does, or a negative base with an integer exponent."""
    draw = draw_of(index, aim)
    x, y = base_and_exponent(draw)
    whole, _ = nearest(select(abs(y) < WHOLE, y, 0.0))
    negative = percent(draw, 40) & (whole != 0.0)
    return select(negative, x | sign_of(aim.form), x), encoded(select(negative, whole, y), aim.form)


def whole_power(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return a base ±2^(t/k) and an exponent k for a result of size 2^t; k is too small for the base to round to 1."""
    draw, form = draw_of(index, aim), aim.form
    k = any_int(draw, min(31, form.precision + 3))
    t = binary_logarithm(draw) / real(k)
    low, high = float(form.quantum), float(form.emax)
    x = encoded(roughly_two_to(select(t < low, low, select(t > high, high, t))), form)
    x = nearly(draw, x, 2)
    return select(toss(draw), x | sign_of(form), x), k


def root(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return a radicand, negative only for odd degrees, and a small or large degree."""
    draw = draw_of(index, aim)
    degree = any_int(draw, select(percent(draw, 70), 6, min(31, aim.form.precision)))
    x = any_number(draw)
    return select((degree & 1) == 0, x & aim.form.magnitude, x), degree


def in_order(one: Integer, other: Integer, form: Format) -> tuple[Integer, Integer]:
    """Return the lesser of two numbers, and the other."""
    rises = decoded(one, form) <= decoded(other, form)
    return select(rises, one, other), select(rises, other, one)


def two_related(draw: Draw) -> tuple[Integer, Integer]:
    """Return two numbers of one size, in a quarter of calls a few places apart or opposite, or one much smaller."""
    x = any_number(draw)
    near, wide = comparable_to(draw, x, 2), comparable_to(draw, x, draw.form.precision + 3)
    like = nearly(draw, x, 6)
    return x, one_of(draw, near, near, wide, select(toss(draw), like ^ sign_of(draw.form), like))


def comparable(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return two numbers of about one size."""
    draw = draw_of(index, aim)
    x = any_number(draw)
    return x, comparable_to(draw, x, select(toss(draw), draw.form.precision // 2 + 1, 1))


def related(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return two numbers as ``two_related`` does."""
    return two_related(draw_of(index, aim))


def difference(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return two numbers as ``two_related`` does; mostly the greater comes first."""
    draw = draw_of(index, aim)
    low, high = in_order(*two_related(draw), aim.form)
    swapped = percent(draw, 10)
    return select(swapped, low, high), select(swapped, high, low)


def factors(draw: Draw) -> tuple[Integer, Integer]:
    """Return two factors of any size, whose product is within the format."""
    low, high = draw.form.quantum, draw.form.emax
    target = between(draw, low - 1, high)
    least = select(target - high < low, low, target - high)
    first = between(draw, least, select(target - low > high, high, target - low))
    return with_exponent(draw, first), with_exponent(draw, target - first)


def product(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return two factors of any size, whose product is within the format."""
    return factors(draw_of(index, aim))


def quotient(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return dividend and divisor: quotients of every size; in a third of calls just below a power of two."""
    draw, form = draw_of(index, aim), aim.form
    low, high = form.quantum, form.emax
    target = between(draw, low - 1, high)
    least = select(target + low < low, low, target + low)
    size = between(draw, least, select(target + high > high, high, target + high))
    divisor = modest(draw, -1.0)
    apart = double_of(draw, between(draw, -form.precision, -4))
    scale = from_bits(between(draw, -form.precision, 0) + 1023 << 52)
    dividend = encoded(decoded(divisor, form) * ((1.0 - apart) * scale), form)
    chosen = below(draw, 3) == 0
    x, y = with_exponent(draw, size), with_exponent(draw, size - target)
    return select(chosen, dividend, x), select(chosen, divisor, y)


def fused(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return a, b and c: product and c are comparable, one is far smaller, or they cancel down to the last bits."""
    draw, form = draw_of(index, aim), aim.form
    a, b = factors(draw)
    x, y = decoded(a, form), decoded(b, form)
    size, rounded = exponent_of(x) + exponent_of(y), encoded(x * y, form)
    rounded = select((rounded & form.magnitude) < form.infinite, rounded, a)
    beside = with_exponent(draw, size + between(draw, -2, 2))
    apart = with_exponent(draw, size + between(draw, -2 * form.precision, 2 * form.precision))
    return a, b, one_of(draw, beside, apart, rounded ^ sign_of(form), nearly(draw, rounded, 3) ^ sign_of(form))


def scale(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return a number and an exponent to scale it by: results of every exponent, with underflow and some overflow."""
    draw = draw_of(index, aim)
    x = any_number(draw)
    return x, between(draw, aim.form.quantum - 2, aim.form.emax + 1) - exponent_of(decoded(x, aim.form))


def remainder(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return two numbers to divide.

    Most quotients are near one, some as large as the format allows, some next to a half-integer.
    """
    draw, form = draw_of(index, aim), aim.form
    x = any_number(draw)
    size = exponent_of(decoded(x, form))
    small = with_exponent(draw, size - between(draw, -1, 3))
    medium = with_exponent(draw, size - between(draw, 0, 2 * form.precision - 1))
    large = with_exponent(draw, between(draw, form.quantum, size))
    multiple = encoded(decoded(x, form) / real(between(draw, 1, 511)) * 2.0, form)
    found = multiple & form.magnitude
    multiple = select((found > 0) & (found < form.infinite), multiple, small)
    return x, one_of(draw, small, medium, large, multiple)


def ordered(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return a value near two bounds, and the bounds, the lesser first."""
    draw = draw_of(index, aim)
    one = any_number(draw)
    return comparable_to(draw, one, 2), *in_order(one, comparable_to(draw, one, 2), aim.form)


def two_edges(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return two edges and an x that is mostly between them, all of modest size so that no formula overflows."""
    draw, form = draw_of(index, aim), aim.form
    one = with_exponent(draw, between(draw, form.emin // 2, form.emax // 4))
    low, high = in_order(one, comparable_to(draw, one, 3), form)
    least, greatest = decoded(low, form), decoded(high, form)
    inside = encoded(least + (greatest - least) * share(draw), form)
    return low, high, select(percent(draw, 80), inside, comparable_to(draw, one, 3))


def blend(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return two comparable ends of modest size and a share between 0 and 1."""
    draw, form = draw_of(index, aim), aim.form
    x = with_exponent(draw, between(draw, form.emin // 2, form.emax - 2))
    return x, comparable_to(draw, x, 3), in_interval(draw, (0.0, 1.0))


def vectors(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return one or two vectors; the sum of squares is mostly within the format; some components have any size."""
    draw, form = draw_of(index, aim), aim.form
    safe = between(draw, form.emin // 2 + 2, form.emax // 2 - 5)
    size = select(percent(draw, 70), safe, between(draw, form.quantum, form.emax))
    return tuple(select(percent(draw, 5), any_number(draw), code) for code in components(draw, aim, size))


def modest_vectors(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return one or two vectors whose sums of squares neither overflow nor underflow, for ``fast_`` built-ins."""
    draw = draw_of(index, aim)
    return components(draw, aim, between(draw, aim.form.emin // 2 + 4, aim.form.emax // 2 - 5))


def components(draw: Draw, aim: Aim, size: Integer) -> tuple[Integer, ...]:
    """Return one vector or two, with all components about 2^``size``.

    The second vector is independent of the first in half of the calls, and close to it in a quarter. In a quarter it is
    nearly orthogonal: the first vector's components in reverse order, every other one with the opposite sign.
    """
    first = tuple(with_exponent(draw, size + between(draw, -3, 3)) for _ in range(aim.width))
    if len(aim.kinds) == aim.width:
        return first
    which, second = below(draw, 4), []
    for number, (like, opposite) in enumerate(zip(first, reversed(first), strict=True)):
        free = with_exponent(draw, size + between(draw, -3, 3))
        turned = opposite ^ sign_of(aim.form) if number % 2 else opposite
        second.append(select(which < 2, free, select(which == 2, nearly(draw, like, 6), turned)))
    return (*first, *second)
