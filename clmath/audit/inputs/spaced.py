"""Arguments spaced evenly over all binades of a domain, so that no region of it is left out.

Random numbers leave gaps: with 32768 of them in the 554 binades of float, every other region of a hundredth of a binade
has none.
"""

from __future__ import annotations

import functools
import math
import zlib

import numpy as np

from clmath.audit.inputs import channels
from clmath.audit.inputs.aims import Domain, domain
from clmath.audit.inputs.layout import Columns, dtypes, is_exhaustive
from clmath.audit.inputs.streams import place
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.audit.plan.types import Whole
from clmath.numbers.formats import Format, format_of

EACH = 101.618  # arguments per binade; not an integer, so that their places differ from binade to binade
FEW = 8.618  # arguments per binade of the whole format; a quarter of them in double, which has more binades
DENSER = 411.618  # further arguments per binade in ``ORDINARY``, where implementations change their method
ORDINARY = (-4, 11)  # exponents of these binades, the last one excluded
_LONGEST = 1 << 62  # places between two arguments of one sign, at most: their sum with a place fits 64 bits
MOST = 16  # the largest number of arguments for each requested random input


def domain_of(item: Item) -> Domain | None:
    """Return the domain over which arguments of a row are spaced.

    None if all inputs are tried, for vectors and for several arguments. For a row that is judged bit by bit, the domain
    is slightly more than the range of a conversion's integer type or format.
    """
    (dtype, *others), target = dtypes(item), item.result if isinstance(item, ExactItem) else None
    form = format_of(dtype)
    if others or form is None or item.width or item.vector > 1 or is_exhaustive(item):
        return None
    if target is None or not isinstance(item, ExactItem):
        return domain(item) if item.columns == ("gentype",) else None
    if channels.is_written(item):  # generated about the codes of a channel instead
        return None
    if item.builtin.chapter == "conversions" and isinstance(target, Whole):
        return Domain(form, 2.0 * target.least, 2.0 * target.most, -2)
    if not isinstance(target, Whole) and target.precision < form.precision:
        return Domain(form, -2.0 * target.largest, 2.0 * target.largest, target.quantum - 1)
    return Domain(form, -form.largest, form.largest, form.quantum)


def spaced_count(item: Item, count: int) -> int:
    """Return the number of spaced arguments if ``count`` random inputs are requested."""
    found = domain_of(item)
    return 0 if found is None else min(_all(found), MOST * count)


@functools.lru_cache(maxsize=4)
def spaced(item: Item, seed: int, count: int) -> Columns:
    """Return the spaced arguments; the ``seed`` decides where they begin."""
    found, number = domain_of(item), spaced_count(item, count)
    if found is None or not number:
        return tuple(np.empty(0, t) for t in dtypes(item))
    rng = np.random.default_rng([seed % 2**64, zlib.crc32(f"spaced {item}".encode())])
    values = np.concatenate([_evenly(rng, part, each * number / _all(found)) for part, each in _layers(found)])
    return (values[np.minimum(np.arange(number), len(values) - 1)],)


def _layers(found: Domain) -> tuple[tuple[Domain, float], ...]:
    """Return the whole format, the domain, and its ordinary binades, each with the number of arguments per binade."""
    (low, high), form = ORDINARY, found.form
    ends = max(found.least, -(2.0**high)), min(found.greatest, 2.0**high)
    whole = Domain(form, -form.largest, form.largest, form.quantum)
    few = FEW if form.width <= 32 else FEW / 4
    return (whole, few), (found, EACH), (Domain(form, *ends, max(found.lowest, low)), DENSER)


def _all(found: Domain) -> int:
    """Return the number of arguments without a limit."""
    binades = [(sum(last - first for _, first, last in _sides(part)), each) for part, each in _layers(found)]
    return sum(int(each * places / (1 << found.form.precision - 1)) for places, each in binades)


def _sides(found: Domain) -> list[tuple[int, int, int]]:
    """Return, for positive and for negative numbers of a domain, the sign and the places of smallest and largest."""
    form, least = found.form, 2.0**found.lowest
    ends = ((1, found.least, found.greatest), (-1, -found.greatest, -found.least))
    return [(s, _place(max(low, least), form), _place(high, form)) for s, low, high in ends if high > max(low, least)]


def _place(size: float, form: Format) -> int:
    """Return the place of a positive number; binades of subnormal numbers have as many places as normal ones."""
    part, exponent = math.frexp(size)
    return (exponent - 1 - form.quantum << form.precision - 1) + int((2.0 * part - 1.0) * 2.0 ** (form.precision - 1))


def _evenly(rng: np.random.Generator, found: Domain, each: float) -> np.ndarray:
    """Return ``each`` numbers of every binade, ascending by their size, the positive ones first."""
    form, digits = found.form, found.form.precision - 1
    step, parts = min(max(int((1 << digits) / each), 1), _LONGEST), [np.empty(0, form.dtype)]
    for sign, first, last in _sides(found):
        begin = first + int(rng.integers(step))
        places = np.uint64(begin) + np.uint64(step) * np.arange(max(last - begin, -1) // step + 1, dtype=np.uint64)
        binades, inside = (places >> np.uint64(digits)).astype(np.int64), places & np.uint64((1 << digits) - 1)
        codes = place(inside.astype(np.int64), binades + form.quantum, form)
        parts.append(np.copysign(form.from_bits(codes.astype(form.bits_dtype)), form.dtype.type(sign)))
    return np.concatenate(parts)
