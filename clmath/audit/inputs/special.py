"""Special arguments of every built-in (zeros, NaN, powers of two, borders of reductions ...), alone and combined."""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from clmath.audit.inputs.layout import Columns, dtypes
from clmath.audit.inputs.streams import generated, with_exponent
from clmath.audit.plan.item import Item
from clmath.numbers.formats import Format, format_of
from clmath.spec.proposals import around

PLAIN = (0.0, 1.0, -2.0, np.inf, np.nan, 0.5, -0.0, 3.0)  # values that are combined with all values of other arguments
TOGETHER = 1 << 14  # approximate number of calls with special values in all combinations
FEW = 3  # special values are tried in all combinations for at most this many arguments
COMBINED = 25  # approximate number of combinations of the other arguments' plainest values
RANDOM = 4096  # calls with random special values; calls with arguments of everyday size
_POWERS = (0.125, 0.25, 1.0, 2.0, 4.0, 8.0, 9.0, 10.0, 16.0, 25.0, 27.0, 32.0, 64.0, 125.0, 1000.0, 1024.0)
# poles, zeros and extrema of functions, ends of reductions and series of logarithms, arctangents, exponentials, sines
_BORDERS = (0.5, 1.0, 1.5, 2.0, math.pi / 4.0, math.pi / 2.0, math.pi, 2.0**-0.5, 2.0**0.5, 2.0**0.5 - 1.0, 3.0**-0.5,
            3.0**0.5, math.log(2.0) / 2.0, math.log(2.0), math.e)  # fmt: skip
_GOLDEN_RATIO = (1.0 + 5.0**0.5) / 2.0  # fractions of its multiples spread evenly over the interval from 0 to 1
_BELOW_TWO = 1.0 - 2.0**-10  # so that no significand is rounded to 2


# -- the values of one type --------------------------------------------------------------------------------------------


def specials(form: Format, *, short: bool = False) -> np.ndarray:
    """Return values at which implementations fail, of both signs: 0, subnormals, 1 and neighbours, the largest ..."""
    p, tiny = form.precision, form.smallest_normal
    positive = [0.0, form.smallest_subnormal, tiny, 1.0 - form.eps / 2, 1.0, 1.5, 2.0, 3.0]
    positive += [2.0 ** (p - 1), form.largest, np.inf]
    if not short:
        positive += [tiny - form.smallest_subnormal, tiny * (1 + form.eps), tiny * 2.0**p]
        positive += [0.25, 0.5 - form.eps / 4, 0.5, 0.5 + form.eps / 2, 1.0 + form.eps, 2.5, 4.0, 5.0, 7.5, 10.0, 100.0]
        positive += [2.0 ** (p - 1) - 0.5, 2.0 ** (p - 1) + 1.0, 2.0**p - 1.0, 2.0**p, 2.0 ** (p - 2) + 0.5]
        positive += [form.largest * (1.0 - form.eps / 2), 2.0**form.emax, 2.0 ** (form.emax // 2)]
        positive += [2.0 ** (form.emin // 2)]
    both = np.array([*positive, *(-v for v in positive)])
    return np.append(both.astype(form.dtype), form.from_bits([form.infinite | 1 << p - 2]))


def nans(form: Format) -> np.ndarray:
    """Return NaN of every kind: quiet and signaling, of either sign, with few and with many bits of payload."""
    quiet, sign = 1 << form.precision - 2, 1 << form.width - 1
    codes = [form.infinite | low for low in (quiet, quiet | quiet // 3, 2 * quiet - 1, 1, quiet - 1)]
    return form.from_bits(np.array([code | s for code in codes for s in (0, sign)], form.bits_dtype))


@functools.cache
def pool(dtype: np.dtype, *, short: bool = False) -> np.ndarray:
    """Return special values of a type, the plainest first; the array is read-only."""
    form = format_of(dtype)
    if form is not None:
        found = np.concatenate([np.array(PLAIN).astype(dtype), specials(form, short=short), nans(form)])
    elif dtype.kind == "b":
        found = np.array([False, True])
    else:
        least, greatest = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        powers = [s * 2**e + d for e in range(8 * dtype.itemsize) for d in (-1, 0, 1) for s in (1, -1)]
        ends = (least, least + 1, greatest - 1, greatest, 0, 1)
        known = {v for v in (*powers, *ends) if least <= v <= greatest}
        found = np.array([*dict.fromkeys(ends), *sorted(known - set(ends), key=abs)], dtype)
    found.flags.writeable = False
    return found


def approaches(form: Format, centres: NDArray[np.float64]) -> np.ndarray:
    """Return numbers at distances of every size from each of ``centres``.

    Random numbers almost never come close: for example, one in 2^20 doubles in [1/2, 2) is within 2^-20 of 1.
    """
    with np.errstate(all="ignore"):
        shares = np.outer([1.0, 1.3, 1.7], np.ldexp(1.0, -np.arange(1, form.precision + 1)))
        return np.multiply.outer(centres, [1.0 - shares, 1.0 + shares]).ravel().astype(form.dtype)


# -- one argument ------------------------------------------------------------------------------------------------------


def single(form: Format, interval: tuple[float, float]) -> np.ndarray:
    """Return the special arguments with which every built-in of one argument is tried."""
    powers = np.ldexp(1.0, np.arange(form.quantum, form.emax + 1))
    bounds = [b for b in interval if abs(b) <= form.largest]
    steps = [0.0, 0.25, form.largest, 2.0 * np.pi, math.log(2.0) / 2.0, *bounds]
    parts = [
        specials(form),
        nans(form),
        _near(form, [1.0], 32),
        _near(form, powers, 1),
        _near(form, [*steps, *_BORDERS], 4),
        _near(form, _integers(form), 1),
        _beside_one(form),
        _quarters(form),
        approaches(form, np.array([*_BORDERS, *bounds])),
        _subnormals(form),
    ]
    positive = np.concatenate(parts)
    return np.concatenate([positive, -positive])


def _near(form: Format, points: Sequence[float] | NDArray[np.float64], reach: int) -> np.ndarray:
    """Return numbers and their neighbours up to ``reach`` places away."""
    return around(np.array(points).astype(form.dtype), form, reach)


def _with_digits(form: Format, exponents: np.ndarray) -> np.ndarray:
    """Return one number with many digits per binade, at varying places in the binades."""
    parts = exponents * _GOLDEN_RATIO % 1.0 * _BELOW_TWO
    return np.asarray(np.ldexp(1.0 + parts, exponents).astype(form.dtype))


def _quarters(form: Format) -> np.ndarray:
    """Return odd multiples of 1/4 in each binade that has them: eighths of a turn in half-turns."""
    return (
        np.add.outer(np.ldexp(1.0, np.arange(1, form.precision - 2)), [0.25, 0.75, 1.25, 1.75])
        .ravel()
        .astype(form.dtype)
    )


def _beside_one(form: Format) -> np.ndarray:
    """Return x near odd multiples of half an ulp of 1: 1 + x, which many formulas compute, is next to a midpoint."""
    halves = np.outer([1.0, 3.0, 5.0], np.ldexp(1.0, -form.precision - np.arange(-1, 2)))
    parts = np.ldexp(1.0, -np.array([2, form.precision // 2, form.precision - 2]))
    return np.outer(halves, [1.0 + parts, 1.0 - parts]).ravel().astype(form.dtype)


def _integers(form: Format) -> NDArray[np.float64]:
    """Return small integers and half-integers, and some about powers of two up to where all numbers are integers."""
    offsets = [-1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0, 3.0]
    large: NDArray[np.float64] = np.add.outer(np.ldexp(1.0, np.arange(5, form.precision + 2)), offsets).ravel()
    return np.concatenate([np.arange(0.0, 200.0, 0.5), large])


def _subnormals(form: Format) -> np.ndarray:
    """Return subnormal numbers of every size with ones and zeros among their bits; two of each size."""
    places = np.arange(1, form.precision, dtype=np.uint64)
    pattern = np.uint64(0xB504F333F9DE6484) >> (np.uint64(64) - places)
    return form.from_bits(np.concatenate([pattern, pattern ^ np.uint64(1)]).astype(form.bits_dtype))


# -- several arguments -------------------------------------------------------------------------------------------------


def listed(item: Item, bounds: tuple[float, float]) -> Columns:
    """Return special arguments: a long list for one argument, and combinations for several.

    ``bounds``: the interval of ``aims.interval``, for one argument.
    """
    if item.columns == ("gentype",):
        return (single(item.form, bounds),)
    types = dtypes(item)
    parts = [combined(np.random.default_rng(len(types)), types)]
    if len(types) == 2 and not item.width and item.columns[0] == "gentype":
        parts += [_nice(types), _with_ints(item.form)] if types[1].kind == "i" else [_nice(types)]
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def everyday(item: Item) -> Columns:
    """Return calls with arguments from 1/8 to 8 with random digits; in half of them, all are in one binade."""
    rng = np.random.default_rng(zlib.crc32(str(item).encode()))
    shared, is_alike, columns = rng.integers(-3, 3, RANDOM), np.arange(RANDOM) % 2 == 0, []
    for kind in item.columns:
        binade = np.where(is_alike, shared, rng.integers(-3, 3, RANDOM))
        numbers = generated(rng, item.form, RANDOM, functools.partial(with_exponent, exponent=binade))
        columns.append(rng.integers(-16, 17, RANDOM).astype(np.int32) if kind == "intn" else numbers)
    return tuple(columns)


def combined(rng: np.random.Generator, types: Sequence[np.dtype]) -> Columns:
    """Return special values of several arguments together, some calls twice.

    There are all combinations of special values, or a selection; each argument in turn has all special values, and the
    others are plain; and arguments of one type are equal, opposite, or next to one another.
    """
    if len(types) == 1:
        return (pool(types[0]),)
    parts = [_crossed(rng, types), *(_in_turn(rng, types, turn) for turn in range(len(types)))]
    if len(set(types)) == 1:
        values = pool(types[0])
        parts += [(values, *(other,) * (len(types) - 1)) for other in next_to_one_another(values)]
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def next_to_one_another(values: np.ndarray) -> list[np.ndarray]:
    """Return the values themselves, their opposites, and numbers next to them."""
    if values.dtype.kind == "b":
        return [values, ~values]
    with np.errstate(all="ignore"):
        one = values.dtype.type(1)
        return [values, np.negative(values), values + one, values - one]


def _grid(lists: Sequence[np.ndarray]) -> Columns:
    return tuple(grid.reshape(-1) for grid in np.meshgrid(*lists, indexing="ij"))


def _crossed(rng: np.random.Generator, types: Sequence[np.dtype]) -> Columns:
    """Return special values in all combinations, or in a selection; random ones, many of them 0, for many arguments."""
    if len(types) > FEW:
        may_be_zero = np.where(np.arange(RANDOM) % 4 == 0, 0.5, 0.0)
        return tuple(
            np.where(rng.random(RANDOM) < may_be_zero, t.type(0), rng.choice(pool(t, short=True), RANDOM))
            for t in types
        )
    most, lists = int(TOGETHER ** (1 / len(types))), []
    for values in (pool(t, short=len(types) > 2) for t in types):
        spared = np.concatenate([values[: most // 2], rng.choice(values, most // 2)])
        lists.append(values if len(values) <= most else spared)
    return _grid(lists)


def _in_turn(rng: np.random.Generator, types: Sequence[np.dtype], turn: int) -> Columns:
    """Return calls in which one argument has all special values and the others are plain.

    The plain values occur in all combinations, or in random ones if there are many arguments, as for vectors.
    """
    plain = min(int(COMBINED ** (1 / (len(types) - 1)) + 0.01), len(PLAIN))
    long = pool(types[turn])
    if plain > 1:
        return _grid([long if i == turn else pool(t)[:plain] for i, t in enumerate(types)])
    return tuple(long if i == turn else rng.choice(pool(t)[: len(PLAIN)], len(long)) for i, t in enumerate(types))


def _nice(types: Sequence[np.dtype]) -> Columns:
    """Return powers of small integers, with simple fractions or small ints as second arguments: (-8, 1/3), (-27, 3)."""
    fractions = {float(Fraction(s * k, n)) for n in (1, 2, 3, 5, 10) for k in (1, 2, 3, 5, 7) for s in (1, -1)}
    second = [k for k in range(-10, 11) if k] if types[1].kind == "i" else sorted(fractions)
    first = np.array(_POWERS)
    return _grid([np.concatenate([first, -first]).astype(types[0]), np.array(second).astype(types[1])])


def _with_ints(form: Format) -> Columns:
    """Return numbers of every size with ±1 or ±2; powers of most numbers overflow or underflow with other ints."""
    exponents = np.arange(form.emin, form.emax + 1)
    x = _with_digits(form, exponents)
    return np.where(exponents % 3 == 0, -x, x), np.resize(np.array([1, 2, -1, -2], np.int32), len(x))
