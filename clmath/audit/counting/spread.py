"""Distances of results from the correctly rounded ones: counts by distance, and the largest error in each binade."""

from __future__ import annotations

import decimal
import functools
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.ir.values import Integer, Real, Truth
from clmath.numbers.formats import Format, is_float

if TYPE_CHECKING:  # the text of the compiled loop does not depend on it: library.toml of screens
    from clmath.audit.plan.item import Item

# by argument, pairs of an interval and an error in ulp; an interval's number is the first bits of its encodings
Stretches: TypeAlias = tuple[tuple[tuple[int, float], ...], ...]

# pairs of a region and an error in ulp; the first bits of the encodings of two arguments number regions
Regions: TypeAlias = tuple[tuple[int, float], ...]

_SIDE_BITS = 5  # bits of an argument's encoding that number its region: the sign and four bits of the exponent
REGIONS = 1 << _SIDE_BITS  # number of regions per argument; a pair of arguments has the square of it
_EXPONENT = 8  # bits of an exponent that number intervals: all exponent bits of float
_DOUBLINGS = 16
_TWO = decimal.Context(prec=2, rounding=decimal.ROUND_CEILING)
_FOUR = decimal.Context(prec=4, rounding=decimal.ROUND_CEILING)
# distances in numbers of the format from the correctly rounded result; the last two have no upper end
BINS = (
    "0",
    "1",
    "2",
    *(f"{2**k + 1}-{2 ** (k + 1)}" for k in range(1, _DOUBLINGS)),
    "more",
    "NaN",
)


@dataclass(frozen=True)
class Spread:
    """Counts and largest errors of judged results, except flushed ones; ``+`` works in any order.

    ``counts``: the number of inputs in each bin of distance from the correctly rounded result, by the name of the bin,
    in the order of ``BINS``. The farthest of several results of an input counts; +0 and -0 are equal. ``worst``: for
    each argument and each interval of its numbers, the largest |error| in ulp, rounded up to four digits, of inputs
    whose results are not correctly rounded. ``regions``: for rows of two arguments, the largest |error| in each region
    of pairs, rounded up to two digits.
    """

    counts: tuple[tuple[str, int], ...] = ()
    worst: Stretches = ()
    regions: Regions = ()

    @property
    def counted(self) -> int:
        """The number of inputs that are counted."""
        return sum(count for _, count in self.counts)

    @property
    def right(self) -> int:
        """The number of inputs whose results are correctly rounded."""
        return dict(self.counts).get(BINS[0], 0)

    @property
    def share(self) -> float | None:
        """The share of inputs whose results are correctly rounded, or None if no input was counted."""
        return self.right / self.counted if self.counted else None

    def __add__(self, other: Spread) -> Spread:
        if not other.counts:
            return self
        if not self.counts:
            return other
        return Spread.of(
            Counter(dict(self.counts)) + Counter(dict(other.counts)),
            [_largest((*one, *two)) for one, two in zip(self.worst, other.worst, strict=True)],
            _largest((*self.regions, *other.regions)),
        )

    @classmethod
    def of(
        cls, counts: Mapping[str, int], worst: Iterable[Mapping[int, float]], regions: Mapping[int, float] | None = None
    ) -> Spread:
        """Return a spread made of mappings, whose entries are sorted."""
        named = tuple((name, int(counts[name])) for name in BINS if counts.get(name))
        return cls(named, tuple(tuple(sorted(one.items())) for one in worst), tuple(sorted((regions or {}).items())))


_LAST = np.array([0, *(1 << k for k in range(len(BINS) - 3))], np.uint64)  # the last distances of bins
FARTHEST = np.uint64(2**64 - 1)  # the distance of a NaN from a number: larger than any distance of two numbers


def same(one: np.ndarray, other: np.ndarray, *, bits_of_nan: bool = False) -> Truth:
    """Return where two arrays of one type hold equal bits; all NaN are equal unless ``bits_of_nan``."""
    if one.dtype.kind in "iubS":
        return np.asarray(one == other)
    unsigned = f"u{one.dtype.itemsize}"
    alike = np.ascontiguousarray(one).view(unsigned) == np.ascontiguousarray(other).view(unsigned)
    return np.asarray(alike if bits_of_nan else alike | (np.isnan(one) & np.isnan(other)))


def steps(actual: np.ndarray, due: np.ndarray, type: Format) -> NDArray[np.uint64]:
    """Return the distance from ``due`` in numbers of a type; 0 if both are NaN. +0 and -0 are equal."""
    one, two = ordered(actual, type), ordered(due, type)
    apart: NDArray[np.uint64] = np.maximum(one, two) - np.minimum(one, two)
    if not is_float(actual.dtype):
        return np.minimum(apart, FARTHEST - np.uint64(1))
    nans = np.isnan(actual), np.isnan(due)
    return np.where(nans[0] | nans[1], np.where(nans[0] & nans[1], np.uint64(0), FARTHEST), apart)


def ordered(values: np.ndarray, type: Format) -> NDArray[np.uint64]:
    """Return integers in the order of the values; numbers next to each other differ by 1, and +0 equals -0."""
    if not is_float(values.dtype):
        return values.astype(np.int64).view(np.uint64) ^ np.uint64((values.dtype.kind == "i") << 63)
    codes, sign = type.bits(values).astype(np.uint64), np.uint64(1 << type.width - 1)
    return np.where(codes & sign, sign - (codes & ~sign), sign + codes)


def binned(steps: NDArray[np.uint64]) -> Spread:
    """Return the spread of calls with these distances, without errors by binade."""
    return Spread.of(_counts(steps), ())


def _counts(steps: NDArray[np.uint64]) -> dict[str, int]:
    """Return the number of calls in each bin of distance."""
    numbers = np.where(steps == FARTHEST, len(BINS) - 1, np.searchsorted(_LAST, steps))
    return dict(zip(BINS, np.bincount(numbers, minlength=len(BINS)).tolist(), strict=True))


@dataclass(frozen=True)
class Deviations:
    """Calls of a row, with the distance of each call's farthest result; ``counted``: mask of calls in the spread."""

    item: Item
    values: tuple[np.ndarray, ...]
    steps: NDArray[np.uint64]
    counted: Truth

    @property
    def wrong(self) -> NDArray[np.intp]:
        """The counted calls whose results are not correctly rounded."""
        return np.flatnonzero(self.counted & (self.steps > 0))

    def spread(self, calls: NDArray[np.intp], errors: Real) -> Spread:
        """Return the spread; ``errors``: |errors| in ulp of ``calls``, which include the worst of every interval."""
        counted, wrong = int(np.count_nonzero(self.counted)), self.wrong
        if not counted:
            return Spread()
        worst, count = (
            worst_by_stretch(self.item, tuple(v[calls] for v in self.values), errors),
            len(self.item.measured),
        )
        regions = {region: _rounded_up(error, _TWO) for one in worst[count:] for region, error in one.items()}
        return Spread.of(_counts(self.steps[wrong]) | {BINS[0]: counted - len(wrong)}, worst[:count], regions)


def worst_by_stretch(item: Item, values: tuple[np.ndarray, ...], errors: Real) -> list[dict[int, float]]:
    """Return the largest of ``errors`` in every interval of each argument; last, in every region of two arguments."""
    found = []
    for stretches in _stretches(item, values):
        best = _largest_in(stretches, errors)
        found.append({int(s): _rounded_up(float(best[s])) for s in np.unique(stretches)})
    return found


def leaders(item: Item, values: tuple[np.ndarray, ...], least: Real, most: Real, known: Stretches = ()) -> Truth:
    """Return which calls may have the largest error of an interval or region, by bounds on their errors.

    ``known``: largest errors that were found before, by argument, then by region if the row has regions; calls that
    cannot exceed these are not among the leaders.
    """
    may_lead = np.zeros(len(least), np.bool_)
    for number, stretches in enumerate(_stretches(item, values)):
        best = _largest_in(stretches, least)
        floors = _floors(known[number] if number < len(known) else (), len(best))
        may_lead |= (most >= best[stretches]) & (most > floors[stretches])
    return may_lead


def foremost(item: Item, values: tuple[np.ndarray, ...], most: Real) -> NDArray[np.intp]:
    """Return, for every interval of each argument, the call with the largest bound ``most`` on its error."""
    chosen = [np.empty(0, np.intp)]
    for stretches in _stretches(item, values):
        largest = np.flatnonzero(most == _largest_in(stretches, most)[stretches])
        chosen.append(largest[np.unique(stretches[largest], return_index=True)[1]])
    return np.unique(np.concatenate(chosen))


def joined(known: Stretches, more: Iterable[Mapping[int, float]]) -> Stretches:
    """Return the larger error of each interval in ``known`` and ``more``."""
    pairs = itertools.zip_longest(known, (one.items() for one in more), fillvalue=())
    return tuple(tuple(sorted(_largest((*one, *two)).items())) for one, two in pairs)


def by_stretch(worst: Iterable[tuple[int, float]], form: Format) -> Real:
    """Return the largest error of every interval, as an array, with -1 for unknown errors."""
    return _floors(worst, 1 << form.width - shift(form))


def _floors(worst: Iterable[tuple[int, float]], count: int) -> Real:
    """Return the errors of the first ``count`` intervals or regions, with -1 for unknown errors."""
    found = np.full(count, -1.0)
    for place, error in worst:
        if place < count:
            found[place] = error
    return found


def _stretches(item: Item, values: tuple[np.ndarray, ...]) -> Iterator[Integer]:
    """Yield the intervals of each argument in the format, of a vector's first component, and the regions if any."""
    column = 0
    for parameter in item.builtin.inputs:
        if parameter.type in ("gentype", "scalar"):
            yield (item.form.bits(values[column]) >> shift(item.form)).astype(np.int64)
        column += item.width if item.width and parameter.type == "gentype" else 1
    if has_regions(item):
        first, second = ((item.form.bits(v) >> side_shift(item.form)).astype(np.int64) for v in values)
        yield first * REGIONS + second


def _largest_in(stretches: Integer, errors: Real) -> Real:
    """Return the largest error in each interval or region by its number, with -1 for intervals without calls."""
    best = np.full(stretches.max(initial=0) + 1, -1.0)
    np.maximum.at(best, stretches, errors)
    return best


def _largest(pairs: Iterable[tuple[int, float]]) -> dict[int, float]:
    found: dict[int, float] = {}
    for stretch, error in pairs:
        found[stretch] = max(found.get(stretch, 0.0), error)
    return found


def _rounded_up(error: float, digits: decimal.Context = _FOUR) -> float:
    """Return ``error`` rounded up in the decimal context ``digits``."""
    return float(digits.create_decimal_from_float(error)) if math.isfinite(error) else math.inf


def shift(form: Format) -> int:
    """Return the number of low bits of an encoding that vary within an interval.

    They are the bits of the significand, and all bits of the exponent except the first eight.
    """
    return form.precision - 1 + max(form.width - form.precision - _EXPONENT, 0)


@functools.cache  # a report names the same few thousand again and again
def _text(code: int, form: Format) -> str:
    """Return the name of an interval or region: its first number, '-0x1p+3'."""
    return float(form.from_bits(code)).hex().replace(".0000000000000", "").replace("0x0.0p", "0x0p")


@functools.cache
def _names(bits: int, form: Format) -> dict[str, int]:
    """Return the numbers of all intervals or regions, in which ``bits`` low bits of encodings vary, by name."""
    return {_text(number << bits, form): number for number in range(1 << form.width - bits)}


def stretch_text(stretch: int, form: Format) -> str:
    """Return the name of an interval: its number nearest to zero, '-0x1p+3'; 'inf' for infinities and NaN.

    An interval is one binade, or eight binades of double; the interval of 0 has zero and the subnormal numbers.
    """
    return _text(stretch << shift(form), form)


def stretch_of(text: str, form: Format) -> int:
    """Return the interval whose ``stretch_text`` is ``text``, or -1 if no interval has that name."""
    return _names(shift(form), form).get(text, -1)


def has_regions(item: Item) -> bool:
    """Whether a row has errors by region: it has two arguments, and both are numbers of the format."""
    return item.columns == ("gentype", "gentype") and len(item.measured) == 2


def side_shift(form: Format) -> int:
    """Return the number of low bits of an argument's encoding that vary within a region."""
    return form.width - _SIDE_BITS


def region_texts(region: int, form: Format) -> tuple[str, str]:
    """Return the name of a region: the numbers nearest to zero of both arguments, as hex floats."""
    first, second = (_text(side << side_shift(form), form) for side in divmod(region, REGIONS))
    return first, second


def region_of(first: str, second: str, form: Format) -> int:
    """Return the region whose ``region_texts`` are these; ValueError if no region has these names."""
    names = [*_names(side_shift(form), form)]
    return names.index(first) * REGIONS + names.index(second)
