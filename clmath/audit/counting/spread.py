"""How far results are from the correctly rounded ones: counts by distance, and the largest error in each binade."""

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

# stretch and error in ulp, by argument; a stretch is the first bits of an encoding: sign and exponent
Stretches: TypeAlias = tuple[tuple[tuple[int, float], ...], ...]

# of two arguments: region and error in ulp; a region is the first bits of the encoding of each
Regions: TypeAlias = tuple[tuple[int, float], ...]

_SIDE_BITS = 5  # bits of an argument's encoding that tell its region: the sign and four bits of the exponent
REGIONS = 1 << _SIDE_BITS  # on each side; there are this many squared
_EXPONENT = 8  # bits of an exponent by which stretches are told: all that float has
_DOUBLINGS = 16
# how many numbers of the format a result is away from the correctly rounded one; the last two have no upper end
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
    """Counts and largest errors of the results that are judged and not excused as flushed; ``+`` works in any order.

    ``counts``: the number of inputs in each bin of distance from the correctly rounded result, by the name of the bin,
    in the order of ``BINS``. Of several results of an input the farthest counts; +0 and -0 are equal. ``worst``: for
    each argument and each stretch of its numbers, the largest |error| in ulp, rounded up to four digits, of inputs
    whose results are not correctly rounded. ``regions``: the same by both arguments at once, for rows of two
    arguments, in large regions, rounded up to two digits.
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
        """The share of inputs whose results are correctly rounded; None where no input was counted."""
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
        """A spread made of mappings, whose entries are sorted."""
        named = tuple((name, int(counts[name])) for name in BINS if counts.get(name))
        return cls(named, tuple(tuple(sorted(one.items())) for one in worst), tuple(sorted((regions or {}).items())))


_LAST = np.array([0, *(1 << k for k in range(len(BINS) - 3))], np.uint64)  # the last number of each bin but two
FARTHEST = np.uint64(2**64 - 1)  # the distance of a NaN from a number: more than that of any two numbers


def bin_numbers(steps: NDArray[np.uint64]) -> NDArray[np.intp]:
    """The number of the bin of each distance; ``FARTHEST`` is the distance of a NaN from a number."""
    return np.where(steps == FARTHEST, len(BINS) - 1, np.searchsorted(_LAST, steps))


def binned(steps: NDArray[np.uint64]) -> Spread:
    """The spread of calls with these distances, without errors by binade."""
    counts = np.bincount(bin_numbers(steps), minlength=len(BINS)).tolist()
    return Spread.of(dict(zip(BINS, counts, strict=True)), ())


def _largest(pairs: Iterable[tuple[int, float]]) -> dict[int, float]:
    found: dict[int, float] = {}
    for stretch, error in pairs:
        found[stretch] = max(found.get(stretch, 0.0), error)
    return found


def shift(form: Format) -> int:
    """How many low bits of an encoding do not tell its stretch: the significand, and the exponent's bits but eight."""
    return form.precision - 1 + max(form.width - form.precision - _EXPONENT, 0)


@functools.cache  # a report names the same few thousand again and again
def stretch_text(stretch: int, form: Format) -> str:
    """The name of a stretch: its number nearest to zero as a hex float, '-0x1p+3'; 'inf' for infinities and NaN.

    A stretch is one binade, or eight of double; zero and the subnormal numbers are in the stretch that 0 names.
    """
    value = float(form.from_bits(stretch << shift(form)))
    return value.hex().replace(".0000000000000", "").replace("0x0.0p", "0x0p")


def stretch_of(text: str, form: Format) -> int:
    """The stretch whose ``stretch_text`` is ``text``; -1 where no stretch has that name."""
    return _stretches(form).get(text, -1)


@functools.cache
def _stretches(form: Format) -> dict[str, int]:
    return {stretch_text(stretch, form): stretch for stretch in range(1 << form.width - shift(form))}


def has_regions(item: Item) -> bool:
    """Whether a row has errors by region: it has two arguments, and both are numbers of the format."""
    return item.columns == ("gentype", "gentype") and len(item.measured) == 2


def side_shift(form: Format) -> int:
    """How many low bits of an argument's encoding do not tell its region."""
    return form.width - _SIDE_BITS


def region_texts(region: int, form: Format) -> tuple[str, str]:
    """The name of a region: its numbers nearest to zero as hex floats, of the first argument and of the second."""
    first, second = (_side_text(side, form) for side in divmod(region, REGIONS))
    return first, second


def region_of(first: str, second: str, form: Format) -> int:
    """The region whose ``region_texts`` are these; ValueError where no region has these names."""
    names = [_side_text(side, form) for side in range(REGIONS)]
    return names.index(first) * REGIONS + names.index(second)


@functools.cache
def _side_text(side: int, form: Format) -> str:
    value = float(form.from_bits(side << side_shift(form)))
    return value.hex().replace("0x0.0p", "0x0p").replace(".0000000000000", "")
