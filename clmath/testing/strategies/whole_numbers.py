"""A strategy for the eight integer types."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.audit.inputs import special as special_values
from clmath.numbers.datatypes import INTEGERS
from clmath.testing.strategies.entropy import Bits, Part, generated, mixed
from clmath.testing.strategies.keywords import checked_type

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from clmath.typing import Type

__all__ = ["SIZE", "integer", "integers", "range_of", "whole_range"]

_NEAR = 4  # numbers from an end that count as its neighbours
SIZE = 16  # bytes for an integer
_REACHES = (0, 1, 2, 3, 4, 6, 7, 8, 10, 16, 31, 32)  # sizes in bits to which integers shrink


def integers(type: Type, *, min_value: int | None = None, max_value: int | None = None) -> SearchStrategy[Any]:
    """NumPy scalars of an integer type: char uchar short ushort int uint long ulong, by name, dtype or class.

    Small ones, both ends of the type or of the bounds, powers of two and their neighbours, and any bits. They shrink
    to 0. ``min_value``, ``max_value``: inclusive. RangeError, when the strategy is made, for a bound outside of the
    type and for bounds that allow no number.

    >>> @given(cl.integers("char"), cl.integers("char"))
    ... def a_sum_stays_in_the_type(x, y):
    ...     assert clmath.add_sat(x, y) == max(-128, min(int(x) + int(y), 127))
    >>> a_sum_stays_in_the_type()
    """
    name = checked_type("integers()", type, tuple(INTEGERS))
    return generated(SIZE, integer(INTEGERS[name], *range_of("integers()", name, min_value, max_value)))


def range_of(call: str, name: str, min_value: object, max_value: object) -> tuple[int, int]:
    """Return the least and the greatest integer between the bounds."""
    limits = np.iinfo(INTEGERS[name])
    ends = []
    for keyword, bound, end in (("min_value", min_value, limits.min), ("max_value", max_value, limits.max)):
        if bound is not None and (isinstance(bound, (bool, float)) or not hasattr(bound, "__index__")):
            raise errors.DTypeError(f"{call}: {keyword}={bound!r} is not an integer; give one, such as {int(end)}")
        ends.append(int(end) if bound is None else int(bound))
    low, high = ends
    if not limits.min <= low <= high <= limits.max:
        raise errors.RangeError(
            f"{call}: min_value={low} and max_value={high} enclose no {name}, or reach beyond {limits.min} .. "
            f"{limits.max}: move them"
        )
    return low, high


@functools.lru_cache(maxsize=64)
def integer(dtype: np.dtype, low: int, high: int) -> Part[np.generic]:
    """Return a part that makes a scalar of ``dtype`` from ``low`` to ``high``."""
    near = [*range(low, min(low + _NEAR, high + 1)), *range(max(high - _NEAR, low), high + 1)]
    ends = sorted(set(near), key=_plainness)
    special = sorted((k for k in map(int, special_values.pool(dtype)) if low <= k <= high), key=_plainness) or ends
    centre = sorted((low, 0, high))[1]
    sizes = range((high - low).bit_length() + 1)

    def of_any_size(bits: Bits) -> int:
        size, sign = bits.one_of(sizes), -1 if bits.take(8) & 1 and low < centre else 1
        return min(max(centre + sign * bits.take(size), low), high)

    def of_any_bits(bits: Bits) -> int:
        return low + bits.below(high - low + 1)

    def listed(bits: Bits) -> int:
        return bits.one_of(ends if bits.take(8) & 1 else special)

    part = mixed([(6, of_any_size), (6, listed), (4, of_any_bits)])

    def made(bits: Bits) -> np.generic:
        reach = bits.at_most(_REACHES)
        found: np.generic = dtype.type(min(max(_plain(part(bits), reach), low), high))
        return found

    return made


def _plain(value: int, reach: int) -> int:
    """Return the first ``reach`` bits of an integer, with its sign."""
    size = abs(value) >> max(abs(value).bit_length() - reach, 0)
    return -size if value < 0 else size


def whole_range(dtype: np.dtype) -> tuple[np.dtype, int, int]:
    """Return a type with its least and its greatest integer."""
    limits = np.iinfo(dtype)
    return dtype, int(limits.min), int(limits.max)


def _plainness(value: int) -> tuple[bool, int]:
    """Sort key of an integer in the order of shrinking."""
    return value < 0, abs(value)
