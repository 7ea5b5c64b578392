"""Random numbers made of words of 64 random bits by elementwise functions: host and device make the same bits.

Each random input of a row has a number n. Its words are the n-th words of sequences of SplitMix64 (Steele, Lea, Flood:
Fast splittable pseudorandom number generators, 2014), one sequence for each word. ``generated`` takes the words from a
NumPy generator instead. Numbers of a format are encodings in integers, see ``encodings``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clmath.audit.inputs.aims import lowest_of
from clmath.ir.primitives import from_bits, real, select, take
from clmath.ir.values import Integer, Real, Truth
from clmath.kernels.exact import exponent_of
from clmath.numbers.encodings import code_of, decoded, encoded, mask_of, sign_of
from clmath.numbers.formats import Format, is_float

__all__ = [
    "WORDS",
    "Aim",
    "Stream",
    "any_int",
    "any_number",
    "any_values",
    "below",
    "beside_few_bits",
    "between",
    "comparable_to",
    "double_of",
    "exponent_of",
    "exponents",
    "generated",
    "in_interval",
    "mixture",
    "modest",
    "nearly",
    "of_kind",
    "one_of",
    "percent",
    "share",
    "stream_of",
    "toss",
    "with_exponent",
    "words",
]

GAMMA, FIRST, SECOND = (
    np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64).view(np.int64).tolist()
)  # constants of SplitMix64
OF_RECIPE = 64  # the first words are the recipe's, the others are for ``mixture``: 2 + 7 for each argument
WORDS = 128  # words of an input
OF_LANES = 4  # a device may work on 2^4 inputs at once, and be wrong at only one of these places
LANES = 1 << OF_LANES
TABLE_BITS = 12  # a table has at most 2^12 entries


class Aim(NamedTuple):
    """Parameters of a row that, with an input's number, determine the input.

    ``kinds``: the types of the arguments, 'gentype', 'intn' or 'nancode', one per component for vectors. ``width``: the
    number of components of each vector, 0 for scalars. ``bounds``: the interval of ``aims.interval``, for one argument.
    ``keys``: the starts of the ``WORDS`` sequences of words. ``specials``: special numbers; their count is a power of
    two. ``recipe``: the name of a function of ``recipes``.
    """

    form: Format
    kinds: tuple[str, ...]
    bounds: tuple[float, float]
    keys: tuple[int, ...]
    specials: NDArray[np.float64]
    recipe: str
    width: int = 0


class Stream(NamedTuple):
    """Words of random bits, of which each number takes the next ones; and the members of ``Aim`` that recipes use."""

    words: Iterator[Integer]
    form: Format
    kinds: tuple[str, ...] = ()
    bounds: tuple[float, float] = (-math.inf, math.inf)
    width: int = 0


def stream_of(index: Integer, aim: Aim, first: int = 0) -> Stream:
    """Return the words of the inputs numbered ``index``, from word number ``first`` on."""
    return Stream(words(index, aim.keys[first:]), aim.form, aim.kinds, aim.bounds, aim.width)


def generated(rng: np.random.Generator, form: Format, n: int, number: Callable[[Stream], Integer]) -> np.ndarray:
    """Return ``n`` numbers of a format that the function ``number`` makes of words of a NumPy generator."""
    found = (rng.integers(0, 2**64, n, np.uint64).view(np.int64) for _ in itertools.count())
    return form.from_bits(number(Stream(found, form)).astype(form.bits_dtype))


def any_values(rng: np.random.Generator, dtype: np.dtype, count: int) -> np.ndarray:
    """Return random values of a type, half of which are random bits.

    The other half of the integers have a random number of bits, since random bits are mostly long. The other half of
    the floats have everyday sizes, at most 2^64; some of these are integers.
    """
    if dtype.kind == "b":
        return rng.random(count) < 0.5
    loose, found = rng.random(count) < 0.5, rng.integers(0, 256, count * dtype.itemsize, np.uint8).view(dtype)
    if not is_float(dtype):
        return np.where(loose, found, found >> rng.integers(0, 8 * dtype.itemsize, count).astype(dtype))
    with np.errstate(all="ignore"):
        usual = np.ldexp(rng.random(count) - 0.5, rng.integers(-8, 66, count)).astype(dtype)
        usual = np.where(rng.random(count) < 0.25, np.rint(usual), usual)
    return np.where(loose, found, usual)


def words(index: Integer, keys: tuple[int, ...]) -> Iterator[Integer]:
    """Yield the words, 64 random bits each, of the inputs numbered ``index``: one word for each key."""
    steps = index * GAMMA
    for key in keys:
        word = steps + key
        word = (word ^ ((word >> 30) & 0x3FFFFFFFF)) * FIRST
        word = (word ^ ((word >> 27) & 0x1FFFFFFFFF)) * SECOND
        yield word ^ ((word >> 31) & 0x1FFFFFFFF)


def toss(stream: Stream) -> Truth:
    """Return True or False, equally likely."""
    return next(stream.words) < 0


def percent(stream: Stream, chance: int) -> Truth:
    """Return True with a probability of ``chance`` percent."""
    return below(stream, 100) < chance


def below(stream: Stream, count: Integer | int) -> Integer:
    """Return an integer from 0 to ``count`` - 1, all equally likely; ``count`` is at most 2^31."""
    return ((next(stream.words) >> 33) & 0x7FFFFFFF) * count >> 31


def between(stream: Stream, low: Integer | int, high: Integer | int) -> Integer:
    """Return an integer from ``low`` to ``high``, all equally likely."""
    return below(stream, high - low + 1) + low


def one_of(stream: Stream, *choices: Integer) -> Integer:
    """Return one of several integers, all equally likely."""
    which, chosen = below(stream, len(choices)), choices[0]
    for number, choice in enumerate(choices[1:], 1):
        chosen = select(which == number, choice, chosen)
    return chosen


def share(stream: Stream) -> Real:
    """Return a number in [0, 1); all multiples of 2^-53 are equally likely."""
    return real((next(stream.words) >> 11) & (1 << 53) - 1) * 2.0**-53


def double_of(stream: Stream, exponent: Integer) -> Real:
    """Return m 2^e in double, 1 <= m < 2, with random bits of m and a normal result."""
    return from_bits((next(stream.words) & 0xFFFFFFFFFFFFF) | (exponent + 1023 << 52))


def any_int(stream: Stream, most: Integer | int) -> Integer:
    """Return an int of 1 to ``most`` bits, every number of bits equally likely, of either sign."""
    first = 1 << below(stream, most)
    size = first | (next(stream.words) & (first - 1))
    return select(toss(stream), -size, size)


def clipped(i: Integer, low: int, high: int) -> Integer:
    """Return an integer clipped to ``low`` .. ``high``."""
    return select(i < low, low, select(i > high, high, i))


def with_exponent(stream: Stream, exponent: Integer, *, positive: bool = False) -> Integer:
    """Return a number m 2^e, 1 <= m < 2, with random bits of m; e is ``exponent`` clipped to the format's range."""
    word, form = next(stream.words), stream.form
    code = place(word & ((1 << form.precision - 1) - 1), clipped(exponent, form.quantum, form.emax), form)
    return code if positive else select(word < 0, code | sign_of(form), code)


def place(digits: Integer, e: Integer, form: Format) -> Integer:
    """Return the number (1 + ``digits`` / 2^(p - 1)) 2^e, rounded down if it is subnormal."""
    hidden = 1 << form.precision - 1
    lost = select(e < form.emin, form.emin - e, 0)
    return select(lost > 0, (digits | hidden) >> lost, digits | (e + form.emax << form.precision - 1))


def any_number(stream: Stream, *, positive: bool = False) -> Integer:
    """Return a finite number, every exponent of the format equally likely."""
    return with_exponent(stream, between(stream, stream.form.quantum, stream.form.emax), positive=positive)


def exponents(x: np.ndarray) -> NDArray[np.int64]:
    """Return the exponents e of numbers m 2^e, 1 <= m < 2, of any format."""
    with np.errstate(over="ignore"):  # in the branch for small numbers
        return exponent_of(x.astype(np.float64))


def comparable_to(stream: Stream, code: Integer, reach: Integer | int) -> Integer:
    """Return a number whose exponent differs by at most ``reach`` from the exponent of the number ``code``."""
    return with_exponent(stream, exponent_of(decoded(code, stream.form)) + between(stream, -reach, reach))


def nearly(stream: Stream, code: Integer, most: Integer | int) -> Integer:
    """Return a number less than 2^``most`` places away, on either side, never across zero or infinity."""
    size = (code & stream.form.magnitude) + any_int(stream, most)
    return clipped(size, 0, code_of(stream.form.largest, stream.form)) | (code & sign_of(stream.form))


def beside_few_bits(stream: Stream, code: Integer) -> Integer:
    """Return a number close to ``code`` with only its first bits kept, where look-up tables change their entry."""
    lost = stream.form.precision - 1 - between(stream, 1, min(TABLE_BITS, stream.form.precision - 3))
    return nearly(stream, code >> lost << lost, lost - 1)


def in_interval(stream: Stream, bounds: tuple[float, float]) -> Integer:
    """Return a number in an interval: half of them are uniform, half have all exponents equally likely.

    If the interval is the whole format, nearly all uniform numbers would be huge, so these are of modest size instead.
    """
    form, (least, greatest) = stream.form, bounds
    top = int(np.frexp(max(abs(least), abs(greatest)))[1]) - 1
    scattered = with_exponent(stream, between(stream, lowest_of(form, bounds), top), positive=least >= 0)
    if top > 2 * form.precision:
        even = modest(stream, least)
    else:
        part = share(stream)
        even = encoded((1.0 - part) * least + part * greatest, form)
    code = select(toss(stream), even, scattered)
    y = decoded(code, form)
    mirrored = select((-y >= least) & (-y <= greatest), code ^ sign_of(form), even)
    return select((y >= least) & (y <= greatest), code, mirrored)


def modest(stream: Stream, least: float) -> Integer:
    """Return a number between 2^-(p + 2) and 2^(p + 2) in size; most functions are trivial beyond.

    If ``least`` is not negative, the number is positive and has at least the exponent of ``least``.
    """
    reach = stream.form.precision + 2
    lowest = int(np.frexp(least)[1]) - 1 if least > 0 else -reach
    return with_exponent(stream, between(stream, lowest, reach), positive=least >= 0)


def mixture(index: Integer, *given: *tuple[*tuple[Integer, ...], Aim]) -> tuple[Integer, ...]:
    """Return the arguments of an input; ``given``: the arguments that a recipe generated, and the aim.

    Three inputs in four keep the recipe's arguments; the others have arguments of any size. One number in eight is
    moved next to a number with few significant bits. One input in 16 has a special number as one of its arguments. The
    16 such inputs among 256 successive ones have the same special number, each at another place of a device that works
    on 16 inputs at once; the next 256 inputs have the next special number.
    """
    *codes, aim = given
    stream = stream_of(index, aim, OF_RECIPE)
    is_aimed, chosen = percent(stream, 75), below(stream, len(codes))
    is_special = (index & LANES - 1) == ((index >> OF_LANES) & LANES - 1)
    special = encoded(take(aim.specials, (index >> 2 * OF_LANES) & len(aim.specials) - 1), aim.form)
    found = []
    for i, (code, kind) in enumerate(zip(codes, aim.kinds, strict=True)):
        number = select(is_aimed, code, of_kind(stream, kind))
        if kind == "gentype":
            number = select(below(stream, 8) == 0, beside_few_bits(stream, number), number)
            number = select(is_special & (chosen == i), special, number)
        found.append(number)
    return tuple(found)


def of_kind(stream: Stream, kind: str) -> Integer:
    """Return a value of a type, every magnitude equally likely."""
    if kind == "nancode":
        return next(stream.words) & mask_of(stream.form)
    return any_int(stream, 31) if kind == "intn" else any_number(stream)
