"""Random arguments that fit together: a recipe, an elementwise function, makes a call of a stream of random words.

``tables/builtins.toml`` names the recipe of each built-in of several arguments.
"""

from __future__ import annotations

from collections.abc import Callable

from clmath.audit.inputs.streams import *
from clmath.ir.primitives import bits, from_bits, nearest, real, select, two_to
from clmath.ir.values import Integer, Real
from clmath.numbers.encodings import decoded, encoded, sign_of
from clmath.numbers.formats import Format

WHOLE = 2.0**51
LOG2_E = 1.4426950408889634  # log2(e)
LOG_2 = 0.6931471805599453


def aimed(index: Integer, aim: Aim) -> tuple[Integer, ...]:
    """Return the arguments that the aim's recipe makes, as encodings, for the input numbered ``index``."""
    recipe: Callable[[Stream], tuple[Integer, ...]] = globals()[aim.recipe]  # in a trace, its copy for symbols
    return recipe(stream_of(index, aim))


def interval(stream: Stream) -> tuple[Integer, ...]:
    """Return a number in the interval of the row's inputs."""
    return (in_interval(stream, stream.bounds),)


def independent(stream: Stream) -> tuple[Integer, ...]:
    """Return independent arguments of any size."""
    return tuple(of_kind(stream, kind) for kind in stream.kinds)


def binary_logarithm(stream: Stream) -> Real:
    """Return the binary logarithm of a result anywhere in the range of the format, or a little beyond it."""
    return share(stream) * (stream.form.emax + 2.0 - stream.form.quantum) + (stream.form.quantum - 1.0)


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
    return ((series * r + 1.0) * r + 1.0) * two_to(half) * two_to(n - half)


def base_and_exponent(stream: Stream) -> tuple[Integer, Real]:
    """Return a positive base, of any size or close to one, where powers are hardest, and an exponent as a double."""
    form = stream.form
    distance = double_of(stream, between(stream, 1 - form.precision, -1))
    near = encoded(select(toss(stream), distance * -0.5, distance) + 1.0, form)
    x = select(toss(stream), near, any_number(stream, positive=True))
    size = roughly_log2(decoded(x, form))
    y = binary_logarithm(stream) / select(size == 0.0, 1.0, size)
    return x, select(y > form.largest, form.largest, select(y < -form.largest, -form.largest, y))


def positive_power(stream: Stream) -> tuple[Integer, ...]:
    """Return a base and an exponent whose power has any size."""
    x, y = base_and_exponent(stream)
    return x, encoded(y, stream.form)


def power(stream: Stream) -> tuple[Integer, ...]:
    """Return a base and an exponent as ``positive_power`` does, or a negative base with an integer exponent."""
    x, y = base_and_exponent(stream)
    whole, _ = nearest(select(abs(y) < WHOLE, y, 0.0))
    negative = percent(stream, 40) & (whole != 0.0)
    return select(negative, x | sign_of(stream.form), x), encoded(select(negative, whole, y), stream.form)


def whole_power(stream: Stream) -> tuple[Integer, ...]:
    """Return a base ±2^(t/k) and an exponent k for a result of size 2^t; k is too small for the base to round to 1."""
    form = stream.form
    k = any_int(stream, min(31, form.precision + 3))
    t = binary_logarithm(stream) / real(k)
    low, high = float(form.quantum), float(form.emax)
    x = encoded(roughly_two_to(select(t < low, low, select(t > high, high, t))), form)
    x = nearly(stream, x, 2)
    return select(toss(stream), x | sign_of(form), x), k


def root(stream: Stream) -> tuple[Integer, ...]:
    """Return a radicand, negative only for odd degrees, and a small or large degree."""
    degree = any_int(stream, select(percent(stream, 70), 6, min(31, stream.form.precision)))
    x = any_number(stream)
    return select((degree & 1) == 0, x & stream.form.magnitude, x), degree


def in_order(one: Integer, other: Integer, form: Format) -> tuple[Integer, Integer]:
    """Return the lesser of two numbers, and the other."""
    rises = decoded(one, form) <= decoded(other, form)
    return select(rises, one, other), select(rises, other, one)


def related(stream: Stream) -> tuple[Integer, Integer]:
    """Return two numbers of one size, in a quarter of calls a few places apart or opposite, or one much smaller."""
    x = any_number(stream)
    near, wide = comparable_to(stream, x, 2), comparable_to(stream, x, stream.form.precision + 3)
    like = nearly(stream, x, 6)
    return x, one_of(stream, near, near, wide, select(toss(stream), like ^ sign_of(stream.form), like))


def comparable(stream: Stream) -> tuple[Integer, ...]:
    """Return two numbers of about one size."""
    x = any_number(stream)
    return x, comparable_to(stream, x, select(toss(stream), stream.form.precision // 2 + 1, 1))


def difference(stream: Stream) -> tuple[Integer, ...]:
    """Return two numbers as ``related`` does; mostly the greater comes first."""
    low, high = in_order(*related(stream), stream.form)
    swapped = percent(stream, 10)
    return select(swapped, low, high), select(swapped, high, low)


def product(stream: Stream) -> tuple[Integer, Integer]:
    """Return two factors of any size, whose product is within the format."""
    low, high = stream.form.quantum, stream.form.emax
    target = between(stream, low - 1, high)
    least = select(target - high < low, low, target - high)
    first = between(stream, least, select(target - low > high, high, target - low))
    return with_exponent(stream, first), with_exponent(stream, target - first)


def quotient(stream: Stream) -> tuple[Integer, ...]:
    """Return dividend and divisor: quotients of every size; in a third of calls just below a power of two."""
    form = stream.form
    low, high = form.quantum, form.emax
    target = between(stream, low - 1, high)
    least = select(target + low < low, low, target + low)
    size = between(stream, least, select(target + high > high, high, target + high))
    divisor = modest(stream, -1.0)
    apart = double_of(stream, between(stream, -form.precision, -4))
    scale = two_to(between(stream, -form.precision, 0))
    dividend = encoded(decoded(divisor, form) * ((1.0 - apart) * scale), form)
    chosen = below(stream, 3) == 0
    x, y = with_exponent(stream, size), with_exponent(stream, size - target)
    return select(chosen, dividend, x), select(chosen, divisor, y)


def fused(stream: Stream) -> tuple[Integer, ...]:
    """Return a, b and c: product and c are comparable, one is far smaller, or they cancel down to the last bits."""
    form = stream.form
    a, b = product(stream)
    x, y = decoded(a, form), decoded(b, form)
    size, rounded = exponent_of(x) + exponent_of(y), encoded(x * y, form)
    rounded = select((rounded & form.magnitude) < form.infinite, rounded, a)
    beside = with_exponent(stream, size + between(stream, -2, 2))
    apart = with_exponent(stream, size + between(stream, -2 * form.precision, 2 * form.precision))
    return a, b, one_of(stream, beside, apart, rounded ^ sign_of(form), nearly(stream, rounded, 3) ^ sign_of(form))


def scale(stream: Stream) -> tuple[Integer, ...]:
    """Return a number and an exponent to scale it by: results of every exponent, with underflow and some overflow."""
    x = any_number(stream)
    return x, between(stream, stream.form.quantum - 2, stream.form.emax + 1) - exponent_of(decoded(x, stream.form))


def remainder(stream: Stream) -> tuple[Integer, ...]:
    """Return two numbers to divide.

    Most quotients are near one, some as large as the format allows, some next to a half-integer.
    """
    form = stream.form
    x = any_number(stream)
    size = exponent_of(decoded(x, form))
    small = with_exponent(stream, size - between(stream, -1, 3))
    medium = with_exponent(stream, size - between(stream, 0, 2 * form.precision - 1))
    large = with_exponent(stream, between(stream, form.quantum, size))
    multiple = encoded(decoded(x, form) / real(between(stream, 1, 511)) * 2.0, form)
    found = multiple & form.magnitude
    multiple = select((found > 0) & (found < form.infinite), multiple, small)
    return x, one_of(stream, small, medium, large, multiple)


def ordered(stream: Stream) -> tuple[Integer, ...]:
    """Return a value near two bounds, and the bounds, the lesser first."""
    one = any_number(stream)
    return comparable_to(stream, one, 2), *in_order(one, comparable_to(stream, one, 2), stream.form)


def two_edges(stream: Stream) -> tuple[Integer, ...]:
    """Return two edges and an x that is mostly between them, all of modest size so that no formula overflows."""
    form = stream.form
    one = with_exponent(stream, between(stream, form.emin // 2, form.emax // 4))
    low, high = in_order(one, comparable_to(stream, one, 3), form)
    least, greatest = decoded(low, form), decoded(high, form)
    inside = encoded(least + (greatest - least) * share(stream), form)
    return low, high, select(percent(stream, 80), inside, comparable_to(stream, one, 3))


def blend(stream: Stream) -> tuple[Integer, ...]:
    """Return two comparable ends of modest size and a share between 0 and 1."""
    form = stream.form
    x = with_exponent(stream, between(stream, form.emin // 2, form.emax - 2))
    return x, comparable_to(stream, x, 3), in_interval(stream, (0.0, 1.0))


def vectors(stream: Stream) -> tuple[Integer, ...]:
    """Return one or two vectors; the sum of squares is mostly within the format; some components have any size."""
    form = stream.form
    safe = between(stream, form.emin // 2 + 2, form.emax // 2 - 5)
    size = select(percent(stream, 70), safe, between(stream, form.quantum, form.emax))
    return tuple(select(percent(stream, 5), any_number(stream), code) for code in components(stream, size))


def modest_vectors(stream: Stream) -> tuple[Integer, ...]:
    """Return one or two vectors whose sums of squares neither overflow nor underflow, for ``fast_`` built-ins."""
    return components(stream, between(stream, stream.form.emin // 2 + 4, stream.form.emax // 2 - 5))


def components(stream: Stream, size: Integer) -> tuple[Integer, ...]:
    """Return one vector or two, with all components about 2^``size``.

    The second vector is independent of the first in half of the calls, and close to it in a quarter. In a quarter it is
    nearly orthogonal: the first vector's components in reverse order, every other one with the opposite sign.
    """
    first = tuple(with_exponent(stream, size + between(stream, -3, 3)) for _ in range(stream.width))
    if len(stream.kinds) == stream.width:
        return first
    which, second = below(stream, 4), []
    for number, (like, opposite) in enumerate(zip(first, reversed(first), strict=True)):
        free = with_exponent(stream, size + between(stream, -3, 3))
        turned = opposite ^ sign_of(stream.form) if number % 2 else opposite
        second.append(select(which < 2, free, select(which == 2, nearly(stream, like, 6), turned)))
    return (*first, *second)
