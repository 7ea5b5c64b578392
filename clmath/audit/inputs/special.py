"""Special arguments of every built-in (zeros, NaN, powers of two, borders of reductions ...), alone and crossed."""

from __future__ import annotations

import math
import zlib
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.inputs.aims import lowest_of
from clmath.audit.inputs.draws import with_exponents
from clmath.audit.inputs.thresholds import approaches
from clmath.spec.proposals import INT32, around

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

__all__ = ["everyday", "listed", "nans", "single", "specials"]

Columns: TypeAlias = "tuple[np.ndarray, ...]"

_INTS = (0, 1, 2, 3, 4, 5, 7, 8, 10, 11, 16, 24, 31, 53, 64, 126, 127, 149, 150, 1022, 1074, 1075, 2100, 65535)
_PLAIN = (0.0, -2.0, np.inf)
_POWERS = (0.125, 0.25, 1.0, 2.0, 4.0, 8.0, 9.0, 10.0, 16.0, 25.0, 27.0, 32.0, 64.0, 125.0, 1000.0, 1024.0)
# ends of reductions and series of logarithms, arctangents, exponentials, sines, inverse hyperbolics
_BORDERS = (2.0**-0.5, 2.0**0.5, 2.0**0.5 - 1.0, 3.0**-0.5, 3.0**0.5, math.log(2.0) / 2.0, math.log(2.0), math.e)
# inputs are tried at all distances from these: poles, zeros and extrema of functions, ends of argument reductions
_ZEROS_AND_POLES = np.array([0.5, 1.0, 1.5, 2.0, math.pi / 2.0, math.pi, math.pi / 4.0, *_BORDERS])
_GOLDEN_RATIO = (1.0 + 5.0**0.5) / 2.0  # fractions of its multiples spread evenly over the interval from 0 to 1
_BELOW_TWO = 1.0 - 2.0**-10  # so that no significand is rounded to 2
_EVERYDAY = 4096  # calls of a row with arguments of everyday size
_LARGE_INTS = (2**24 + 1, 2**30, 2**31 - 2, 2**31 - 1)


def listed(item: Item, bounds: tuple[float, float]) -> Columns:
    """Return special arguments: a long list for one argument; for several, combinations of short lists, and neighbours.

    ``bounds``: the interval of ``aims.interval``, for one argument.
    """
    if item.width:
        return _special_vectors(item)
    if item.columns == ("gentype",):
        return (single(item.form, bounds),)
    short = len(item.columns) > 2
    lists = [_specials_of(kind, item.form, short=short) for kind in item.columns]
    parts = [_crossed(lists), *_turns(item), *_nice(item), *_with_small_ints(item)]
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def everyday(item: Item) -> Columns:
    """Return calls with arguments from 1/8 to 8 with random digits; in half of them, all are in one binade."""
    rng = np.random.default_rng(zlib.crc32(str(item).encode()))
    shared_binade = rng.integers(-3, 3, _EVERYDAY)
    is_alike = np.arange(_EVERYDAY) % 2 == 0

    def column(kind: str) -> np.ndarray:
        if kind == "intn":
            return rng.integers(-16, 17, _EVERYDAY).astype(np.int32)
        binade = np.where(is_alike, shared_binade, rng.integers(-3, 3, _EVERYDAY))
        signs = rng.choice((-1.0, 1.0), _EVERYDAY).astype(item.form.dtype)
        signed: np.ndarray = np.copysign(with_exponents(rng, item.form, binade), signs)
        return signed

    return tuple(column(kind) for kind in item.columns)


def _crossed(lists: Sequence[np.ndarray]) -> Columns:
    return tuple(grid.reshape(-1) for grid in np.meshgrid(*lists, indexing="ij"))


def _turns(item: Item) -> list[Columns]:
    """Return calls in which one argument in turn is any NaN, or next to a special value, and the others are plain."""
    form, kinds = item.form, item.columns
    positive = np.array([0.0, 0.5, 1.0, 2.0, np.inf, np.nan], form.dtype)
    plain = np.array(_PLAIN, form.dtype) if len(kinds) > 2 else np.concatenate([positive, -positive])
    few = {"gentype": plain, "intn": np.array([INT32.min, -3, -1, 0, 1, 2], np.int32)}
    long = np.concatenate([nans(form), neighbours(form)])
    return [
        _crossed([long if i == turn else few[other] for i, other in enumerate(kinds)])
        for turn, kind in enumerate(kinds)
        if kind == "gentype"
    ]


def nans(form: Format) -> np.ndarray:
    """Return NaN of every kind: quiet and signaling, of either sign, with few and with many bits of payload."""
    quiet, sign = 1 << form.precision - 2, 1 << form.width - 1
    codes = [form.infinite | low for low in (quiet, quiet | quiet // 3, 2 * quiet - 1, 1, quiet - 1)]
    return form.from_bits(np.array([code | s for code in codes for s in (0, sign)], form.bits_dtype))


def neighbours(form: Format) -> np.ndarray:
    """Return numbers next to the values at which formulas change, of either sign."""
    points = [0.0, form.smallest_normal, 2.0 ** (form.emin // 2), 0.25, 0.5, 1.0, 2.0, 4.0, 2.0**form.precision]
    points += [2.0 ** (form.emax // 2), 2.0**form.emax, form.largest, np.pi / 2.0, np.pi, 2.0 * np.pi]
    found = around(np.array(points).astype(form.dtype), form, 1)
    return np.concatenate([found, -found])


def _nice(item: Item) -> list[Columns]:
    """Return powers of small integers, with simple fractions or small ints as second arguments: (-8, 1/3), (-27, 3)."""
    if len(item.columns) != 2 or item.columns[0] != "gentype":
        return []
    fractions = {Fraction(k, n) for n in (1, 2, 3, 5, 10) for k in (1, 2, 3, 5, 7)}
    second = np.array(sorted({s * f for f in fractions for s in (1, -1)}), np.float64)
    if item.columns[1] == "intn":
        second = np.array([k for k in range(-10, 11) if k])
    first = np.array(_POWERS, item.form.dtype)
    types = {"gentype": item.form.dtype, "intn": np.dtype(np.int32)}
    return [_crossed([np.concatenate([first, -first]), second.astype(types[item.columns[1]])])]


def _with_small_ints(item: Item) -> list[Columns]:
    """Return numbers of every size with ±1 or ±2; powers of most numbers overflow or underflow with other ints."""
    if item.columns != ("gentype", "intn"):
        return []
    exponents = np.arange(item.form.emin, item.form.emax + 1)
    x = _with_digits(item.form, exponents)
    return [(np.where(exponents % 3 == 0, -x, x), np.resize(np.array([1, 2, -1, -2], np.int32), len(x)))]


def _specials_of(kind: str, form: Format, *, short: bool) -> np.ndarray:
    if kind == "gentype":
        return specials(form, short=short)
    if kind == "intn":
        magnitudes = np.array((*_INTS, *_LARGE_INTS), np.int64)
        return np.unique(np.concatenate([magnitudes, -magnitudes, [-(2**31)]])).astype(np.int32)
    places = np.arange(form.width, dtype=np.uint64)
    return np.concatenate([np.zeros(1, np.uint64), np.uint64(1) << places, ~np.uint64(0) >> places]).astype(
        form.bits_dtype
    )


def specials(form: Format, *, short: bool = False) -> np.ndarray:
    """Return values at which implementations fail, of both signs: 0, subnormals, 1 and neighbours, the largest ..."""
    p, dtype = form.precision, form.dtype.type
    positive = [0.0, form.smallest_subnormal, form.smallest_normal, 1.0 - form.eps / 2, 1.0, 1.5, 2.0, 3.0]
    positive += [2.0 ** (p - 1), form.largest, np.inf]
    if not short:
        positive += [form.smallest_normal - form.smallest_subnormal, form.smallest_normal * (1 + form.eps)]
        positive += [0.25, 0.5 - form.eps / 4, 0.5, 0.5 + form.eps / 2, 1.0 + form.eps, 2.5, 4.0, 5.0, 7.5, 10.0]
        positive += [2.0 ** (p - 1) - 0.5, 2.0 ** (p - 1) + 1.0, 2.0**p - 1.0, 2.0**p, 2.0 ** (p - 2) + 0.5]
        positive += [form.largest * (1.0 - form.eps / 2), 100.0]
        positive += [form.smallest_normal * 2.0**p, 2.0**form.emax, 2.0 ** (form.emax // 2), 2.0 ** (form.emin // 2)]
    both = np.array([*positive, *(-v for v in positive)])
    return np.concatenate([both.astype(dtype), form.from_bits([_quiet_nan(form)])])


def _quiet_nan(form: Format) -> int:
    return ((1 << form.width - form.precision + 1) - 1 << form.precision - 2) & ~(1 << form.width - 1)


def single(form: Format, interval: tuple[float, float]) -> np.ndarray:
    """Return the special arguments with which every built-in of one argument is tried."""
    powers = np.ldexp(1.0, np.arange(form.quantum, form.emax + 1)).astype(form.dtype)
    bounds = np.array([b for b in interval if abs(b) <= form.largest]).astype(form.dtype)
    parts = [
        specials(form),
        nans(form),
        neighbours(form),
        around(np.ones(1, form.dtype), form, 32),
        _beside_one(form),
        around(powers, form, 1),
        _beyond(form, interval),
        around(_integers(form), form, 1),
        _quarters(form),
        around(np.array(_BORDERS).astype(form.dtype), form, 1),
        around(bounds, form, 4),
        approaches(form, np.concatenate([_ZEROS_AND_POLES, bounds.astype(np.float64)])),
        _subnormals(form),
    ]
    positive = np.concatenate(parts)
    return np.concatenate([positive, -positive])


def _beyond(form: Format, interval: tuple[float, float]) -> np.ndarray:
    """Return numbers with many digits in each binade outside of the domain over which arguments are spaced.

    Each binade has eight equally spaced numbers in half and float, and two in double, which has more binades.
    """
    exponents = np.arange(form.emin, form.emax + 1)
    largest = np.frexp(max(map(abs, interval)))[1] - 1
    exponents = exponents[(exponents < lowest_of(form, interval)) | (exponents > largest)]
    each = 8 if form.width <= 32 else 2
    return np.concatenate([_with_digits(form, exponents, k / each) for k in range(each)])


def _with_digits(form: Format, exponents: np.ndarray, shift: float = 0.0) -> np.ndarray:
    """Return one number with many digits per binade, at varying places in the binades, moved by ``shift``."""
    parts = (exponents * _GOLDEN_RATIO + shift) % 1.0 * _BELOW_TWO
    found: np.ndarray = np.ldexp(1.0 + parts, exponents).astype(form.dtype)
    return found


def _quarters(form: Format) -> np.ndarray:
    """Return odd multiples of 1/4 in each binade that has them: eighths of a turn in half-turns."""
    base = np.ldexp(1.0, np.arange(1, form.precision - 2))
    return np.concatenate([base + offset for offset in (0.25, 0.75, 1.25, 1.75)]).astype(form.dtype)


def _beside_one(form: Format) -> np.ndarray:
    """Return x near odd multiples of half an ulp of 1: 1 + x, which many formulas compute, is next to a midpoint."""
    halves = np.outer([1.0, 3.0, 5.0], np.ldexp(1.0, -form.precision - np.arange(-1, 2))).ravel()
    parts = np.ldexp(1.0, -np.array([2, form.precision // 2, form.precision - 2]))
    return np.outer(halves, np.concatenate([1.0 + parts, 1.0 - parts])).ravel().astype(form.dtype)


def _integers(form: Format) -> np.ndarray:
    """Return small integers and half-integers, and some about powers of two up to where all numbers are integers."""
    small = np.arange(0.0, 200.0, 0.5)
    base = np.ldexp(1.0, np.arange(5, form.precision + 2))
    large = np.concatenate([base + offset for offset in (-1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0, 3.0)])
    return np.concatenate([small, large]).astype(form.dtype)


def _subnormals(form: Format) -> np.ndarray:
    """Return subnormal numbers of every size with ones and zeros among their bits; two of each size."""
    places = np.arange(1, form.precision, dtype=np.uint64)
    pattern = np.uint64(0xB504F333F9DE6484) >> (np.uint64(64) - places)
    return form.from_bits(np.concatenate([pattern, pattern ^ np.uint64(1)]).astype(form.bits_dtype))


def _special_vectors(item: Item) -> Columns:
    """Return vectors of special values: all pairs for one component, else a fixed selection, some with zeros."""
    form, count = item.form, len(item.columns)
    values = specials(form)
    if count <= 2:
        return _crossed([np.concatenate([values, nans(form)])] * count)
    rng = np.random.default_rng(count)
    values = np.concatenate([values, nans(form)])
    with np.errstate(invalid="ignore"):  # of signaling NaN
        finite = values[np.isfinite(values)]
    free = [rng.choice(values, 1024) for _ in range(count)]
    numbers = [rng.choice(finite, 2048) for _ in range(count)]
    sparse = [np.where(rng.random(1024) < 0.5, rng.choice(finite, 1024), 0.0).astype(form.dtype) for _ in range(count)]
    return tuple(np.concatenate(column) for column in zip(free, numbers, sparse, strict=True))
