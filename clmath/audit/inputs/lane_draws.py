"""Random arguments that are computed from their numbers, in lane arithmetic: host and device draw the same bits.

``draws`` draws similar arguments from a generator; here each input has a number, and its words are the outputs of
SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014) with that number, one sequence for
each word. Numbers of a format are encodings in integer lanes, without a sign where they have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.engines.device.lane_ends import half_value
from clmath.numbers.formats import DOUBLE, FLOAT, Format
from clmath.numbers.lane_rounding import DOUBLE_NAN, to_float, to_half
from clmath.numbers.lanes import SIGN, bits, from_bits, from_float_bits, real, select, take

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = [
    "OF_RECIPE",
    "WORDS",
    "Aim",
    "any_int",
    "any_number",
    "below",
    "between",
    "code_of",
    "comparable_to",
    "decoded",
    "encoded",
    "exponent_of",
    "interval",
    "mixture",
    "moved",
    "share",
    "sign_of",
    "signed",
    "sized",
    "with_exponent",
    "words",
]

GAMMA, FIRST, SECOND = (
    np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64).view(np.int64).tolist()
)  # of SplitMix64
OF_RECIPE = 16  # words, at most
WORDS = 48  # those of a recipe, then those of the mixture
TABLE_BITS = 12  # that select an entry of a table, at most
DIGITS = (1 << 53) - 1


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
    size = clipped((code & form.magnitude) + step, 0, code_of(form.largest, form))
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


def mixture(index: Any, *rest: Any) -> Any:
    """The inputs that a recipe aimed at, and others: ``rest`` is one lane per argument, and the aim.

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
