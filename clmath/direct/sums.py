"""Exact sums along an axis, rounded once, and between which numbers any order of rounded additions stays.

The last axis of an array is summed, as AccSum does (S. M. Rump, T. Ogita, S. Oishi, Accurate Floating-Point Summation):
sigma, a power of two that is at least n + 2 times the largest of n numbers, splits the high bits off all of them, q =
(sigma + x) - sigma, whose sums are exact; the next sigma takes the next bits, until all bits are taken. A few doubles,
the sums of each pass, then have the exact sum. Where doubles may overflow, integers are added instead.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from clmath.ir.lanes import to_odd, two_sum
from clmath.ir.values import Integer, Real, Truth
from clmath.numbers.formats import DOUBLE, Format
from clmath.numbers.lane_expansions import head_and_rest
from clmath.numbers.rounding import Rounding, directed, narrow, round_sum, widen

__all__ = ["any_order", "prefixes", "totals"]

_ROOM = 1 << 13  # numbers that are added at a time, which stay in a cache
_LEAST = -1022  # exponent of the least sigma, which takes off all there is
_UNIT = 1074  # the smallest double is 2^-1074


def totals(x: np.ndarray, form: Format, mode: Rounding) -> np.ndarray:
    """The sum of every line of ``x``, of shape (lines, numbers), rounded once in ``mode``."""
    return _rounded(x, form, mode, last=True)[:, 0]


def prefixes(x: np.ndarray, form: Format, mode: Rounding) -> np.ndarray:
    """The sums of the first numbers of every line: of one, of two, ... of all, each rounded once from the exact one."""
    return _rounded(x, form, mode, last=False)


@np.errstate(all="ignore")
def _rounded(x: np.ndarray, form: Format, mode: Rounding, *, last: bool) -> np.ndarray:
    """The rounded sums; of each line the last one alone, or all of them."""
    finite = _finite(x)
    (result,) = _of_finite(finite, [(form, mode)], last=last)
    _overlay_zeros(x, mode, result)
    if finite is not x:
        _overlay_infinities(x, result)
    return result


def _finite(x: np.ndarray) -> np.ndarray:
    """Replace infinities and NaN by 0."""
    reach = np.maximum(np.maximum.reduce(x, axis=None, initial=0), -np.minimum.reduce(x, axis=None, initial=0))
    return x if reach < np.inf else np.where(np.isfinite(x), x, x.dtype.type(0))


def _of_finite(x: np.ndarray, targets: Sequence[tuple[Format, Rounding]], *, last: bool) -> list[np.ndarray]:
    """The sums of finite numbers, rounded to each of the formats; a zero has any sign."""
    results = [np.empty((len(x), 1 if last else x.shape[1]), form.dtype) for form, _ in targets]
    for place, exact in _sums(x, last=last):
        for result, (form, mode) in zip(results, targets, strict=True):
            result[place] = exact.rounded(form, mode)
    return results


class _Sums(NamedTuple):
    """Exact sums (head + rest) 2^exponent: the head rounded to nearest, the rest, where there is one, to odd."""

    head: Real
    rest: Real | None = None
    exponent: Integer | None = None

    @classmethod
    def of(cls, parts: Sequence[Real]) -> _Sums:
        """The sums of ``parts``."""
        if len(parts) == 1:
            return cls(parts[0])
        return cls(*(two_sum(*parts) if len(parts) == 2 else head_and_rest(parts)))

    def rounded(self, form: Format, mode: Rounding) -> np.ndarray:
        """The sums rounded once to ``form``."""
        head, rest, exponent = self
        if rest is None:
            return narrow(head, form, mode)
        if exponent is not None:
            flat = round_sum(head.reshape(-1), rest.reshape(-1), exponent.reshape(-1), form, mode)
            return flat.reshape(head.shape)
        return directed(head, rest, form, mode) if form is DOUBLE else narrow(to_odd(head, rest), form, mode)


def _sums(x: np.ndarray, *, last: bool) -> Iterator[tuple[tuple[slice, slice], _Sums]]:
    """Yield the sums of finite numbers in chunks, each with its place in the result."""
    for some in _slices(len(x), max(1, _ROOM // max(x.shape[1], 1))):
        if _may_overflow(x[some]):
            yield (some, slice(None)), _by_integers(x[some], last=last)
            continue
        parts = [np.zeros((x[some].shape[0], 1))]
        for columns in _slices(x.shape[1], _ROOM):
            numbers = widen(x[some, columns])
            carried = [part[:, -1:] for part in parts] if columns.start else []
            parts = _extracted(np.concatenate([*carried, numbers], axis=-1) if carried else numbers, last=last)
            if not last:
                yield (some, columns), _Sums.of([part[:, len(carried) :] for part in parts])
        if last:
            yield (some, slice(None)), _Sums.of(parts)


def _slices(count: int, size: int) -> Iterator[slice]:
    return (slice(start, start + size) for start in range(0, count, size))


def _extracted(x: Real, *, last: bool) -> list[Real]:
    """Doubles whose exact sum is the sum of each line, or of each line's first 1, 2, ... numbers."""
    room = (x.shape[1] + 1).bit_length()
    top = np.frexp(np.abs(x).max(axis=-1, keepdims=True))[1] + room
    found = []
    while True:
        sigma = np.ldexp(1.0, np.maximum(top, _LEAST))
        high = x + sigma
        high -= sigma
        found.append(np.add.reduce(high, axis=-1, keepdims=True) if last else np.add.accumulate(high, axis=-1))
        x = x - high
        if not x.any():
            return found
        top += room - DOUBLE.precision


def _may_overflow(x: np.ndarray) -> bool:
    """Whether sums of doubles may come near to the largest one."""
    reach = 2.0 ** (1000 - x.shape[1].bit_length())
    return x.dtype == DOUBLE.dtype and bool(max(x.max(), -x.min()) >= reach)


def _by_integers(x: Real, *, last: bool) -> _Sums:
    """The sums of finite numbers by integers: multiples of the smallest double."""
    found = []
    for line in x.tolist():
        units = ((n << _UNIT) // d for n, d in map(float.as_integer_ratio, line))
        found.append([_in_doubles(total) for total in ([sum(units)] if last else itertools.accumulate(units))])
    head, rest, exponent = np.moveaxis(np.array(found), -1, 0)
    return _Sums(head, rest, exponent.astype(np.int64))


def _in_doubles(total: int) -> tuple[float, float, int]:
    """An integer as head, rest and exponent: all bits except the 104 highest are rounded to odd."""
    shift = max(total.bit_length() - 104, 0)
    kept = total >> shift
    kept |= kept << shift != total
    head = float(kept)
    return head, float(kept - int(head)), shift - _UNIT


def _overlay_zeros(x: np.ndarray, mode: Rounding, result: np.ndarray) -> None:
    """Give sums that are zero their signs: numbers are multiples of the smallest one, so that no sum underflows."""
    is_zero = result == 0
    if is_zero.any():
        is_plus = ~_among((x != 0) | np.signbit(x), result)
        minus = ~_among((x != 0) | ~np.signbit(x), result) if mode != "rtn" else ~is_plus
        np.copyto(result, np.where(minus, -0.0, 0.0).astype(result.dtype), where=is_zero)


def _overlay_infinities(x: np.ndarray, result: np.ndarray) -> None:
    """Have sums be infinite or NaN where infinities or NaN are added."""
    up, down = _among(np.isposinf(x), result), _among(np.isneginf(x), result)
    np.copyto(result, np.inf, where=up)
    np.copyto(result, -np.inf, where=down)
    np.copyto(result, np.nan, where=_among(np.isnan(x), result) | (up & down))


def _among(seen: Truth, result: np.ndarray) -> Truth:
    """Whether such a number is among the added ones."""
    if result.shape == seen.shape:
        return np.logical_or.accumulate(seen, axis=-1)
    return np.asarray(np.logical_or.reduce(seen, axis=-1, keepdims=True))


class Range(NamedTuple):
    """Between which numbers of the format sums lie."""

    low: np.ndarray
    high: np.ndarray


@np.errstate(all="ignore")
def any_order(x: np.ndarray, form: Format, mode: Rounding, *, last: bool) -> Range:
    """The range of results that any order of additions, each rounded in ``mode``, can return for the sums of
    ``prefixes`` or ``totals``.

    A number that takes part in at most n - 1 additions is multiplied by at most as many factors 1 + d, with |d| <= 2^-p
    in rte and 2^(1-p) in the other modes: sums below the normal numbers are exact. So the error is at most ((1 +
    d)^(n-1) - 1) times the sum of the magnitudes, which is at most (n-1) d / (1 - (n-1) d) times that sum. Zeros do not
    count. Two numbers have one order; and where all are multiples of a unit that no sum of magnitudes exceeds 2^p
    times, every addition is exact. From -inf to inf where an addition may overflow, which may make NaN of an infinity.
    """
    finite = _finite(x)
    exact = _rounded(x, form, mode, last=last)
    below, above = _of_finite(finite, [(DOUBLE, "rtn"), (DOUBLE, "rtp")], last=last)
    (sizes,) = _of_finite(np.abs(finite), [(DOUBLE, "rtp")], last=last)
    count = np.count_nonzero(x, axis=-1, keepdims=True) if last else np.add.accumulate(x != 0, axis=-1, dtype=np.int64)
    error = _relative(count, form, mode) * sizes * (1 + 2.0**-50)
    certain = (count <= 2) | (_is_exact(finite, sizes, form, last=last) & (sizes <= form.largest))
    may_overflow = ~certain & (sizes + error >= form.largest) & ~np.isnan(exact)
    certain |= ~np.isfinite(exact)
    low = narrow(np.nextafter(below - error, -np.inf), form, "rtp")
    high = narrow(np.nextafter(above + error, np.inf), form, "rtn")
    low, high = (np.where(certain, exact, end) for end in (low, high))
    low, high = np.where(may_overflow, -np.inf, low), np.where(may_overflow, np.inf, high)
    return Range(low.astype(form.dtype), high.astype(form.dtype))


def _relative(count: Integer, form: Format, mode: Rounding) -> Real:
    """An upper bound of (n - 1) d / (1 - (n - 1) d), infinite if that formula does not bound the error."""
    d = 2.0 ** (-form.precision if mode == "rte" else 1 - form.precision)
    share = np.maximum(count - 1, 0) * d
    return np.where(share < 0.5, share / (1 - share) * (1 + 2.0**-50), np.inf)


def _is_exact(x: np.ndarray, sizes: Real, form: Format, *, last: bool) -> Truth:
    """Whether numbers are multiples of a unit such that no sum of magnitudes exceeds 2^p units."""
    fraction, exponent = np.frexp(widen(x))
    digits = np.ldexp(fraction, DOUBLE.precision).astype(np.int64)
    lowest = np.where(digits == 0, np.inf, np.ldexp((digits & -digits).astype(np.float64), exponent - DOUBLE.precision))
    unit = np.minimum.reduce(lowest, axis=-1, keepdims=True) if last else np.minimum.accumulate(lowest, axis=-1)
    return np.asarray(sizes <= np.ldexp(unit, form.precision))
