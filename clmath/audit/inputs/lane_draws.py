"""Random arguments, made of words of 64 random bits by elementwise functions: host and device make the same bits.

Each random input of a row has a number n. Its words are the n-th words of sequences of SplitMix64 (Steele, Lea, Flood:
Fast splittable pseudorandom number generators, 2014), one sequence for each word. ``draws`` calls the same functions
with words of a NumPy generator. Numbers of a format are encodings in integers, see ``lane_codes``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.audit.inputs.aims import lowest_of
from clmath.ir.lanes import bits, real, select, take
from clmath.numbers.lane_codes import code_of, decoded, encoded, mask_of, sign_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.ir.values import Integer, Real
    from clmath.numbers.formats import Format

__all__ = [
    "BEHIND_MIXTURE",
    "OF_RECIPE",
    "WORDS",
    "Aim",
    "any_code",
    "any_int",
    "any_number",
    "below",
    "beside_few_bits",
    "between",
    "comparable_to",
    "exponent_of",
    "interval",
    "interval_of",
    "mixture",
    "modest",
    "moved",
    "nearly",
    "share",
    "signed",
    "sized",
    "with_exponent",
    "words",
]

GAMMA, FIRST, SECOND = (
    np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64).view(np.int64).tolist()
)  # constants of SplitMix64
OF_RECIPE = 16  # the first words are the recipe's
BEHIND_MIXTURE = 80  # words from here on are for recipes of vectors; ``mixture`` uses earlier ones, 4 + 6 per argument
WORDS = 144  # words of an input
OF_LANES = 4  # a device may work on 2^4 inputs at once, and be wrong at only one of these places
LANES = 1 << OF_LANES
TABLE_BITS = 12  # a table has at most 2^12 entries
DIGITS = (1 << 53) - 1


class Aim(NamedTuple):
    """Parameters of a row that, with an input's number, determine the input.

    ``kinds``: the types of the arguments, 'gentype', 'intn' or 'nancode', one per component for vectors. ``width``: the
    number of components of each vector, 0 for scalars. ``bounds``: the interval of ``aims.interval``, for one argument.
    ``keys``: the starts of the ``WORDS`` sequences of words. ``specials``: special numbers; their count is a power of
    two.
    """

    form: Format
    kinds: tuple[str, ...]
    bounds: tuple[float, float]
    keys: tuple[int, ...]
    specials: NDArray[np.float64]
    width: int = 0


def words(index: Integer, keys: tuple[int, ...]) -> Iterator[Integer]:
    """Yield the words, 64 random bits each, of the inputs numbered ``index``: one word for each key."""
    steps = index * GAMMA
    for key in keys:
        word = steps + key
        word = (word ^ ((word >> 30) & 0x3FFFFFFFF)) * FIRST
        word = (word ^ ((word >> 27) & 0x1FFFFFFFFF)) * SECOND
        yield word ^ ((word >> 31) & 0x1FFFFFFFF)


def below(word: Integer, count: Integer | int) -> Integer:
    """Return an integer from 0 to ``count`` - 1, from the first 31 bits of a word; ``count`` is at most 2^31."""
    return ((word >> 33) & 0x7FFFFFFF) * count >> 31


def between(word: Integer, low: Integer | int, high: Integer | int) -> Integer:
    """Return an integer from ``low`` to ``high``, all equally likely."""
    return below(word, high - low + 1) + low


def share(word: Integer) -> Real:
    """Return a number in [0, 1); all multiples of 2^-53 are equally likely."""
    return real((word >> 11) & DIGITS) * 2.0**-53


def sized(size: Integer, word: Integer, most: Integer | int) -> Integer:
    """Return an integer of 1 to ``most`` bits; every number of bits is equally likely."""
    first = 1 << below(size, most)
    return first | (word & (first - 1))


def signed(word: Integer, x: Integer) -> Integer:
    """Return ``x`` or -``x``, by the last bit of a word."""
    return select((word & 1) != 0, -x, x)


def clipped(i: Integer, low: int, high: int) -> Integer:
    """Return an integer clipped to ``low`` .. ``high``."""
    return select(i < low, low, select(i > high, high, i))


def with_exponent(word: Integer, form: Format, exponent: Integer, *, positive: bool = False) -> Integer:
    """Return a number m 2^e, 1 <= m < 2, with random bits of m; e is ``exponent`` clipped to the format's range."""
    e = clipped(exponent, form.quantum, form.emax)
    hidden = 1 << form.precision - 1
    digits = word & (hidden - 1)
    lost = select(e < form.emin, form.emin - e, 0)
    code = select(lost > 0, (digits | hidden) >> lost, digits | (e + form.emax << form.precision - 1))
    return code if positive else select(word < 0, code | sign_of(form), code)


def any_number(size: Integer, word: Integer, form: Format, *, positive: bool = False) -> Integer:
    """Return a finite number, every exponent of the format equally likely."""
    return with_exponent(word, form, between(size, form.quantum, form.emax), positive=positive)


def any_int(size: Integer, word: Integer, most: int) -> Integer:
    """Return a non-zero int of either sign, every number of bits up to ``most`` equally likely."""
    return signed(size, sized(size, word, most))


def any_code(word: Integer, form: Format) -> Integer:
    """Return any encoding, all equally likely."""
    return word & mask_of(form)


def exponent_of(x: Real) -> Integer:
    """Return the exponent e of a number m 2^e, 1 <= m < 2."""
    is_small = abs(x) < 2.0**-1022
    scaled = select(is_small, x * 2.0**64, x)
    return ((bits(scaled) >> 52) & 0x7FF) - select(is_small, 1023 + 64, 1023)


def comparable_to(code: Integer, size: Integer, word: Integer, form: Format, reach: Integer | int) -> Integer:
    """Return a number whose exponent differs by at most ``reach`` from the exponent of the number ``code``."""
    apart = below(size, reach + reach + 1) - reach
    return with_exponent(word, form, exponent_of(decoded(code, form)) + apart)


def moved(code: Integer, step: Integer, form: Format) -> Integer:
    """Return the number ``step`` places farther from zero, never across zero or infinity."""
    size = clipped((code & form.magnitude) + step, 0, code_of(form.largest, form))
    return size | (code & sign_of(form))


def nearly(code: Integer, size: Integer, word: Integer, most: int, form: Format) -> Integer:
    """Return a number less than 2^``most`` places away, on either side."""
    return moved(code, signed(size, sized(size, word, most)), form)


def beside_few_bits(code: Integer, cut: Integer, size: Integer, word: Integer, form: Format) -> Integer:
    """Return a number close to ``code`` with only its first bits kept, where look-up tables change their entry."""
    lost = form.precision - 1 - between(cut, 1, min(TABLE_BITS, form.precision - 3))
    step = signed(cut, sized(size, word, lost - 1))
    return moved(code >> lost << lost, step, form)


def interval(index: Integer, aim: Aim) -> Integer:
    """Return a number in the interval of the row's inputs."""
    return interval_of(words(index, aim.keys), aim.form, aim.bounds)


def interval_of(given: Iterator[Integer], form: Format, bounds: tuple[float, float]) -> Integer:
    """Return a number in an interval: half of them are uniform, half have all exponents equally likely.

    If the interval is the whole format, nearly all uniform numbers would be huge, so these are of modest size instead.
    """
    least, greatest = bounds
    top = int(np.frexp(max(abs(least), abs(greatest)))[1]) - 1
    is_wide, positive = top > 2 * form.precision, least >= 0
    scattered = with_exponent(next(given), form, between(next(given), lowest_of(form, bounds), top), positive=positive)
    if is_wide:
        even = modest(given, form, least)
    else:
        part = share(next(given))
        even = encoded((1.0 - part) * least + part * greatest, form)
    code = select(next(given) < 0, even, scattered)
    y = decoded(code, form)
    mirrored = select((-y >= least) & (-y <= greatest), code ^ sign_of(form), even)
    return select((y >= least) & (y <= greatest), code, mirrored)


def modest(given: Iterator[Integer], form: Format, least: float) -> Integer:
    """Return a number between 2^-(p + 2) and 2^(p + 2) in size; most functions are trivial beyond.

    If ``least`` is not negative, the number is positive and has at least the exponent of ``least``.
    """
    lowest = int(np.frexp(least)[1]) - 1 if least > 0 else -form.precision - 2
    return with_exponent(next(given), form, between(next(given), lowest, form.precision + 2), positive=least >= 0)


def mixture(index: Integer, *rest: Any) -> tuple[Integer, ...]:
    """Return the arguments of an input. ``rest``: the arguments that a recipe generated, and the aim.

    Three inputs in four keep the recipe's arguments; the others have arguments of any size. One number in eight is
    moved next to a number with few significant bits. One input in 16 has a special number as one of its arguments. The
    16 such inputs among 256 successive ones have the same special number, each at another place of a device that works
    on 16 inputs at once; the next 256 inputs have the next special number.
    """
    *aimed, aim = rest
    given, form = words(index, aim.keys[OF_RECIPE:]), aim.form
    is_aimed, place = below(next(given), 4) < 3, below(next(given), len(aimed))
    is_special = (index & LANES - 1) == ((index >> OF_LANES) & LANES - 1)
    special = encoded(take(aim.specials, (index >> 2 * OF_LANES) & len(aim.specials) - 1), form)
    found = []
    for i, (code, kind) in enumerate(zip(aimed, aim.kinds, strict=True)):
        if kind == "intn":
            found.append(select(is_aimed, code, any_int(next(given), next(given), 31)))
            continue
        if kind == "nancode":
            found.append(select(is_aimed, code, any_code(next(given), form)))
            continue
        number = select(is_aimed, code, any_number(next(given), next(given), form))
        beside = beside_few_bits(number, next(given), next(given), next(given), form)
        number = select(below(next(given), 8) == 0, beside, number)
        found.append(select(is_special & (place == i), special, number))
    return tuple(found)
