"""Random arguments that follow from their numbers, in lane arithmetic: a host and a device draw the same bits.

``draws`` draws the like from a generator; here each input has a number, and its words are the outputs of SplitMix64
(Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014) with that number, one sequence for each word.
Numbers of a format are encodings in integer lanes, without a sign where they have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.engines.device.lane_ends import half_value
from clmath.numbers.formats import DOUBLE, FLOAT, Format
from clmath.numbers.lane_rounding import DOUBLE_NAN, to_float, to_half
from clmath.numbers.lanes import SIGN, bits, from_bits, from_float_bits, nearest, real, select, take

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

__all__ = ["RECIPES", "WORDS", "Aim", "mixture"]

GAMMA, FIRST, SECOND = (
    np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64).view(np.int64).tolist()
)  # of SplitMix64
OF_RECIPE = 16  # words, at most
WORDS = 48  # those of a recipe, then those of the mixture
TABLE_BITS = 12  # that select an entry of a table, at most
DIGITS = (1 << 53) - 1
WHOLE = 2.0**51
LOG2_E = 1.4426950408889634  # of e, to base 2
LOG_2 = 0.6931471805599453


class Aim(NamedTuple):
    """What the inputs of a row follow from, beside their numbers.

    ``kinds``: the types of the arguments, 'gentype' or 'intn'. ``bounds``: of one argument, where results tell
    something. ``keys``: where the sequences of words begin, WORDS of them. ``specials``: special numbers.
    """

    form: Format
    kinds: tuple[str, ...]
    bounds: tuple[float, float]
    keys: tuple[int, ...]
    specials: NDArray[np.float64]


def words(index: Any, keys: tuple[int, ...]) -> Iterator[Any]:
    """The words of the inputs numbered ``index``, 64 random bits each: one for each key."""
    steps = index * GAMMA
    for key in keys:
        word = steps + key
        word = (word ^ ((word >> 30) & 0x3FFFFFFFF)) * FIRST
        word = (word ^ ((word >> 27) & 0x1FFFFFFFFF)) * SECOND
        yield word ^ ((word >> 31) & 0x1FFFFFFFF)


def below(word: Any, count: Any) -> Any:
    """An integer from 0 to ``count`` - 1, at most 2^31 of them, all as likely to 2^-31 / count; by the first bits."""
    return ((word >> 33) & 0x7FFFFFFF) * count >> 31


def between(word: Any, low: Any, high: Any) -> Any:
    """An integer from ``low`` to ``high``, all equally likely."""
    return below(word, high - low + 1) + low


def share(word: Any) -> Any:
    """A number of [0, 1), all multiples of 2^-53 equally likely."""
    return real((word >> 11) & DIGITS) * 2.0**-53


def sized(size: Any, word: Any, most: Any) -> Any:
    """An integer of 1 to ``most`` bits, every number of bits equally likely."""
    first = 1 << below(size, most)
    return first | (word & (first - 1))


def signed(word: Any, x: Any) -> Any:
    """``x`` or its opposite; by the last bit."""
    return select((word & 1) != 0, -x, x)


def sign_of(form: Format) -> int:
    """The encoding's bit for the sign."""
    return SIGN if form is DOUBLE else 1 << form.width - 1


def magnitude(form: Format) -> int:
    """All other bits."""
    return (1 << form.width - 1) - 1


def code_of(value: float, form: Format) -> int:
    """The encoding of a number known in advance."""
    return int(form.bits(value))


def decoded(code: Any, form: Format) -> Any:
    """The numbers that encodings stand for."""
    if form is DOUBLE:
        return from_bits(code)
    return from_float_bits(code) if form is FLOAT else half_value(code)


def encoded(y: Any, form: Format) -> Any:
    """Numbers rounded to the format."""
    if form is DOUBLE:
        return select(y != y, DOUBLE_NAN, bits(y))
    return to_float(y, 0) & 0xFFFFFFFF if form is FLOAT else to_half(y, 0)


def clipped(i: Any, low: int, high: int) -> Any:
    """An integer moved into ``low`` .. ``high``."""
    return select(i < low, low, select(i > high, high, i))


def with_exponent(word: Any, form: Format, exponent: Any, *, positive: bool = False) -> Any:
    """A number m 2^e, 1 <= m < 2 with every bit of m random, for ``exponent`` moved into the format."""
    e = clipped(exponent, form.quantum, form.emax)
    hidden = 1 << form.precision - 1
    digits = word & (hidden - 1)
    lost = select(e < form.emin, form.emin - e, 0)
    code = select(lost > 0, (digits | hidden) >> lost, digits | (e + form.emax << form.precision - 1))
    return code if positive else select(word < 0, code | sign_of(form), code)


def any_number(size: Any, word: Any, form: Format, *, positive: bool = False) -> Any:
    """A finite number, every exponent of the format equally likely."""
    return with_exponent(word, form, between(size, form.quantum, form.emax), positive=positive)


def any_int(size: Any, word: Any, most: int) -> Any:
    """A non-zero int of either sign, every number of bits up to ``most`` equally likely."""
    return signed(size, sized(size, word, most))


def exponent_of(x: Any) -> Any:
    """The exponent e of a number m 2^e, 1 <= m < 2."""
    is_small = abs(x) < 2.0**-1022
    scaled = select(is_small, x * 2.0**64, x)
    return ((bits(scaled) >> 52) & 0x7FF) - select(is_small, 1023 + 64, 1023)


def comparable_to(code: Any, size: Any, word: Any, form: Format, reach: Any) -> Any:
    """A number whose exponent differs from that of another by at most ``reach``."""
    apart = below(size, reach + reach + 1) - reach
    return with_exponent(word, form, exponent_of(decoded(code, form)) + apart)


def moved(code: Any, step: Any, form: Format) -> Any:
    """The number ``step`` places farther from zero; never across zero or infinity."""
    size = clipped((code & magnitude(form)) + step, 0, code_of(form.largest, form))
    return size | (code & sign_of(form))


def beside_few_bits(code: Any, cut: Any, size: Any, word: Any, form: Format) -> Any:
    """A number a little beside another cut to its first bits: tables and estimates change their entry there."""
    lost = form.precision - 1 - between(cut, 1, min(TABLE_BITS, form.precision - 3))
    step = signed(cut, sized(size, word, lost - 1))
    return moved(code >> lost << lost, step, form)


def interval(index: Any, aim: Aim) -> Any:
    """A number of an interval, half of them uniform, half with every exponent equally likely.

    Of an interval as wide as the format, uniform numbers would be among the largest, so half are of modest size.
    """
    form, (least, greatest), given = aim.form, aim.bounds, words(index, aim.keys)
    top = int(np.frexp(max(abs(least), abs(greatest)))[1]) - 1
    is_wide, positive = top > 2 * form.precision, least >= 0
    lowest = form.quantum if is_wide else max(form.quantum, -form.precision - 2)
    scattered = with_exponent(next(given), form, between(next(given), lowest, top), positive=positive)
    if is_wide:
        lowest = int(np.frexp(least)[1]) - 1 if least > 0 else -form.precision - 2
        even = with_exponent(next(given), form, between(next(given), lowest, form.precision + 2), positive=positive)
    else:
        part = share(next(given))
        even = encoded((1.0 - part) * least + part * greatest, form)
    code = select(next(given) < 0, even, scattered)
    y = decoded(code, form)
    mirrored = select((-y >= least) & (-y <= greatest), code ^ sign_of(form), even)
    return select((y >= least) & (y <= greatest), code, mirrored)


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
    return select((degree & 1) == 0, x & magnitude(form), x), degree


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
    rounded = select((rounded & magnitude(form)) < code_of(form.dtype.type("inf"), form), rounded, a)
    beside = with_exponent(next(given), form, size + between(next(given), -2, 2))
    apart = with_exponent(next(given), form, size + between(next(given), -2 * form.precision, 2 * form.precision))
    near = nearly(rounded, next(given), next(given), 3, form) ^ sign_of(form)
    return a, b, one_of(next(given), beside, apart, rounded ^ sign_of(form), near)


def scale(index: Any, aim: Aim) -> Any:
    """Results of every exponent, gradual underflow and a little overflow included."""
    given, form = words(index, aim.keys), aim.form
    x = any_number(next(given), next(given), form)
    return x, between(next(given), form.quantum - 2, form.emax + 1) - exponent_of(decoded(x, form))


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


def mixture(index: Any, *rest: Any) -> Any:
    """The inputs that a recipe aimed at, and others: ``rest`` is one lane an argument, and the aim.

    Three inputs in four are those of the recipe, the others of any size. One number in eight is moved beside one of few
    bits; one input in 16 has a special number in one place.
    """
    *aimed, aim = rest
    given, form = words(index, aim.keys[OF_RECIPE:]), aim.form
    is_aimed, is_special = below(next(given), 4) < 3, below(next(given), 16) == 0
    place, entry = below(next(given), len(aimed)), below(next(given), len(aim.specials))
    special = encoded(take(aim.specials, entry), form)
    found = []
    for i, (code, kind) in enumerate(zip(aimed, aim.kinds, strict=True)):
        if kind == "intn":
            found.append(select(is_aimed, code, any_int(next(given), next(given), 31)))
            continue
        number = select(is_aimed, code, any_number(next(given), next(given), form))
        beside = beside_few_bits(number, next(given), next(given), next(given), form)
        number = select(below(next(given), 8) == 0, beside, number)
        found.append(select(is_special & (place == i), special, number))
    return tuple(found)


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
    "neighbour": neighbour,
    "ordered": ordered,
    "positive_power": positive_power,
    "power": power,
    "whole_power": whole_power,
    "root": root,
}
