"""Arguments spaced evenly over all binades of a domain, so that no region of it is left out.

Random numbers leave gaps: with 32768 of them in the 554 binades of float, every other region of a hundredth of a binade
has none.
"""

from __future__ import annotations

import functools
import math
import zlib
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.inputs import operands
from clmath.audit.inputs.aims import Domain, domain
from clmath.audit.inputs.layout import dtypes, is_exhaustive
from clmath.audit.plan.exact_item import ExactItem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

Sides: TypeAlias = "list[tuple[int, int, int]]"

__all__ = ["domain_of", "spaced", "spaced_count"]

EACH = 101.618  # arguments per binade; not an integer, so that their places differ from binade to binade
DENSER = 411.618  # further arguments per binade in ``ORDINARY``, where implementations change their method
ORDINARY = (-4, 11)  # exponents of these binades, the last one excluded
MOST = 16  # the largest number of arguments for each requested random input


def spaced_count(item: Item, count: int) -> int:
    """Return the number of spaced arguments if ``count`` random inputs are requested.

    It is 0 for vectors and for several arguments.
    """
    found = domain_of(item)
    if found is None:
        return 0
    return min(sum(int(each * _binades(sides, found.form)) for sides, each in _layers(found)), MOST * count)


@functools.lru_cache(maxsize=4)
def spaced(item: Item, seed: int, count: int) -> Columns:
    """Return the spaced arguments; the ``seed`` decides where they begin."""
    found, number = domain_of(item), spaced_count(item, count)
    if found is None or not number:
        return tuple(np.empty(0, t) for t in dtypes(item))
    rng = np.random.default_rng([seed % 2**64, zlib.crc32(f"spaced {item}".encode())])
    full = spaced_count(item, 1 << 40)
    parts = [_evenly(rng, sides, found.form, each * number / full) for sides, each in _layers(found)]
    values = np.concatenate(parts)
    return (values[np.minimum(np.arange(number), len(values) - 1)],)


def _evenly(rng: np.random.Generator, sides: Sides, form: Format, each: float) -> np.ndarray:
    """Return ``each`` numbers of every binade, ascending by their size, the positive ones first."""
    step = max(int((1 << form.precision - 1) / each), 1)
    parts = [np.empty(0, form.dtype)]
    for sign, first, last in sides:
        begin = first + int(rng.integers(step))
        places = np.uint64(begin) + np.uint64(step) * np.arange(max(last - begin, -1) // step + 1, dtype=np.uint64)
        parts.append(np.copysign(_at(places, form), form.dtype.type(sign)))
    return np.concatenate(parts)


@functools.singledispatch
def domain_of(item: Item) -> Domain | None:
    """Return the domain over which arguments of a row are spaced, or None if they are not."""
    alone = item.columns == ("gentype",) and item.vector == 1 and not item.width
    return domain(item) if alone and not is_exhaustive(item) else None


def _layers(found: Domain) -> tuple[tuple[Sides, float], ...]:
    """Return the whole domain and its ordinary binades, each with the number of arguments per binade."""
    low, high = ORDINARY
    limit = 2.0**high
    ordinary = Domain(found.form, max(found.least, -limit), min(found.greatest, limit), max(found.lowest, low))
    return (_sides(found), EACH), (_sides(ordinary), DENSER)


def _sides(found: Domain) -> Sides:
    """Return, for positive and for negative numbers of a domain, the sign and the places of smallest and largest."""
    form, lowest = found.form, 2.0**found.lowest
    ends = ((1, found.least, found.greatest), (-1, -found.greatest, -found.least))
    return [(s, _place(max(low, lowest), form), _place(high, form)) for s, low, high in ends if high > max(low, lowest)]


def _binades(sides: Sides, form: Format) -> float:
    return sum((last - first) / (1 << form.precision - 1) for _, first, last in sides)


def _place(size: float, form: Format) -> int:
    """Return the place of a positive number; binades of subnormal numbers have as many places as normal ones."""
    part, exponent = math.frexp(size)
    return (exponent - 1 - form.quantum << form.precision - 1) + int((2.0 * part - 1.0) * 2.0 ** (form.precision - 1))


def _at(places: NDArray[np.uint64], form: Format) -> np.ndarray:
    """Return the numbers at these places; in binades of subnormal numbers several places have the same number."""
    digits = np.uint64(form.precision - 1)
    exponent = (places >> digits).astype(np.int64) + form.quantum
    hidden = np.uint64(1 << form.precision - 1)
    significand = (places & (hidden - np.uint64(1))) | hidden
    lost = np.maximum(form.emin - exponent, 0).astype(np.uint64)
    above = np.maximum(exponent - form.emin, 0).astype(np.uint64) << digits
    return form.from_bits(((significand >> lost) + above).astype(form.bits_dtype))


# rows whose results are prescribed one by one have domains of their own
domain_of.register(ExactItem, operands.domain)
