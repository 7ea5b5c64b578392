"""Distances of results from the correctly rounded ones: counts by distance, and the largest error in each binade."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

__all__ = [
    "BINS",
    "FARTHEST",
    "REGIONS",
    "Regions",
    "Spread",
    "Stretches",
    "bin_numbers",
    "binned",
    "has_regions",
    "region_of",
    "region_texts",
    "shift",
    "side_shift",
    "stretch_of",
    "stretch_text",
]

# by argument, pairs of an interval and an error in ulp; an interval's number is the first bits of its encodings
Stretches: TypeAlias = tuple[tuple[tuple[int, float], ...], ...]

# pairs of a region and an error in ulp; the first bits of the encodings of two arguments number regions
Regions: TypeAlias = tuple[tuple[int, float], ...]

_SIDE_BITS = 5  # bits of an argument's encoding that number its region: the sign and four bits of the exponent
REGIONS = 1 << _SIDE_BITS  # number of regions per argument; a pair of arguments has the square of it
_EXPONENT = 8  # bits of an exponent that number intervals: all exponent bits of float
_DOUBLINGS = 16
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


def bin_numbers(steps: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Return the number of the bin of each distance; ``FARTHEST`` is the distance of a NaN from a number."""
    return np.where(steps == FARTHEST, len(BINS) - 1, np.searchsorted(_LAST, steps))


def binned(steps: NDArray[np.uint64]) -> Spread:
    """Return the spread of calls with these distances, without errors by binade."""
    counts = np.bincount(bin_numbers(steps), minlength=len(BINS)).tolist()
    return Spread.of(dict(zip(BINS, counts, strict=True)), ())


def _largest(pairs: Iterable[tuple[int, float]]) -> dict[int, float]:
    found: dict[int, float] = {}
    for stretch, error in pairs:
        found[stretch] = max(found.get(stretch, 0.0), error)
    return found


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
