"""Exact sums along an axis, rounded once, and between which numbers any order of rounded additions stays.

The last axis of an array is summed. Where doubles hold every sum, they are added. Otherwise a sum is held as integers,
the digits of a number of base 2^32: each number of a format is its significand, shifted, and no digit is rounded. So
many digits are held as the exponents at hand need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.numbers.errorfree import two_sum, widen
from clmath.numbers.formats import DOUBLE, Format
from clmath.numbers.rounding import Rounding, narrow, round_sum

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

__all__ = ["any_order", "prefixes", "totals"]

F64: TypeAlias = "NDArray[np.float64]"
I64: TypeAlias = "NDArray[np.int64]"
Bools: TypeAlias = "NDArray[np.bool_]"

_BASE = 32  # bits of a digit
_MASK = np.int64((1 << _BASE) - 1)
_ROOM = 1 << 22  # digits that are held at a time
_LINES = 1 << 15  # lines that are added at a time: of doubles they have 2^21 digits, if no two are of a size
_TOGETHER = 1 << 15  # digits that are made at a time, which stay in a cache
_MOST = 1 << 20  # numbers that are added at a time: 2^20 digits of 32 bits are less than 2^62


def totals(x: np.ndarray, form: Format, mode: Rounding) -> np.ndarray:
    """The sum of every line of ``x``, of shape (lines, numbers), rounded once in ``mode``."""
    return _rounded(x, form, form, mode, last=True)[:, 0]


def prefixes(x: np.ndarray, form: Format, mode: Rounding) -> np.ndarray:
    """The sums of the first numbers of every line: of one, of two, ... of all, each rounded once from the exact one."""
    return _rounded(x, form, form, mode, last=False)


def _rounded(x: np.ndarray, form: Format, target: Format, mode: Rounding, *, last: bool) -> np.ndarray:
    """The sums of numbers of ``form``, rounded to ``target``; of each line the last one alone, or all of them."""
    lines, count = x.shape
    result = np.empty((lines, 1 if last else count), target.dtype)
    room = _TOGETHER if last else _MOST
    with np.errstate(all="ignore"):
        for some in _slices(lines, max(1, min(_LINES, room // max(count, 1)))):
            _add_up(widen(x[some]), form, target, mode, result[some])
        _overlay_special(x, mode, result)
    return result


def _slices(count: int, size: int) -> Iterator[slice]:
    return (slice(start, start + size) for start in range(0, count, size))


def _add_up(x: F64, form: Format, target: Format, mode: Rounding, result: np.ndarray) -> None:
    """Write the rounded sums of lines of finite numbers; of others anything."""
    significand, exponent = _parts(x, form)
    least = int(exponent.min())
    greatest, unit = int(exponent.max()) + form.precision, max(least, form.quantum)
    if greatest - unit + x.shape[1].bit_length() <= DOUBLE.precision:  # no sum has more bits: additions are exact
        result[...] = narrow(np.add.accumulate(x, axis=-1)[:, -result.shape[1] :], target, mode)
        return
    digits = (greatest - least) // _BASE + 1
    carried, running = np.zeros((digits + 1, len(x), 1), np.int64), result.shape[1] > 1
    room = _ROOM // digits if running else _TOGETHER
    for some in _slices(x.shape[1], max(1, min(_MOST, room // len(x)))):
        made = _digits(significand[:, some], exponent[:, some] - least, digits)
        if running:
            sums = _running(made, carried, significand[:, some].shape[1])
            result[:, some] = _as_numbers(sums, least, target, mode)
            carried = sums[..., -1:].copy()
        else:
            for places, held in made:
                carried[places] += held.sum(axis=-1, keepdims=True)
            _carry(carried)
    if not running:
        result[...] = _as_numbers(carried, least, target, mode)


def _digits(significand: I64, exponent: I64, digits: int) -> Iterator[tuple[slice, I64]]:
    """The digits of numbers, the lowest first, some at a time: which ones, and what they are."""
    for places in _slices(digits, max(1, _TOGETHER // significand.size)):
        numbers = np.arange(digits)[places].reshape(-1, 1, 1)
        yield slice(places.start, places.start + len(numbers)), _digit(significand, exponent - _BASE * numbers)


def _running(made: Iterable[tuple[slice, I64]], carried: I64, count: int) -> I64:
    """The digits of what was there before, and the first numbers with it: one, two, ... ``count``."""
    held = np.zeros((*carried.shape[:2], count), np.int64)
    for places, digits in made:
        np.cumsum(digits, axis=-1, out=held[places])
    held += carried
    _carry(held)
    return held


def _parts(x: F64, form: Format) -> tuple[I64, I64]:
    """The numbers as significand 2^exponent, integers; zeros, and what is not finite, take any exponent."""
    fraction, exponent = np.frexp(np.where(np.isfinite(x), x, 0.0))
    significand = np.ldexp(fraction, form.precision).astype(np.int64)
    some = exponent[significand != 0]
    exponent = np.where(significand == 0, some.min() if some.size else 0, exponent)
    return significand, exponent.astype(np.int64) - form.precision


def _digit(significand: I64, place: I64) -> I64:
    """The 32 bits of significand 2^place from 2^0 on, with the sign of the significand."""
    size = np.abs(significand).view(np.uint64)
    left = size << np.clip(place, 0, 63).astype(np.uint64)  # what is shifted out is no part of the digit
    bits = left >> np.clip(-place, 0, 63).astype(np.uint64)
    digit = (bits & np.uint64(_MASK)).view(np.int64)
    return np.where(significand < 0, -digit, digit)


def _carry(held: I64) -> None:
    """Bring digits into 0 .. 2^32 - 1; the last one, which holds the sign, is what remains."""
    for place in range(len(held) - 1):
        held[place + 1] += held[place] >> _BASE
        held[place] &= _MASK


def _as_numbers(held: I64, least: int, target: Format, mode: Rounding) -> np.ndarray:
    """Digits as numbers: the three highest ones from the first that is not 0, and whether anything follows, decide."""
    negative = held[-1] < 0
    size = np.where(negative, -held, held)
    _carry(size)
    some = size != 0
    top = len(size) - 1 - np.argmax(some[::-1], axis=0)
    lowest = np.where(some.any(axis=0), np.argmax(some, axis=0), top)

    def digit(below: int) -> I64:
        found = np.take_along_axis(size, np.maximum(top - below, 0)[np.newaxis], axis=0)[0]
        return np.where(top >= below, found, 0)

    head, rest = two_sum(digit(0) * 2.0**_BASE, digit(1).astype(np.float64))
    rest += (digit(2) + 0.5 * (lowest < top - 2)) * 2.0**-_BASE  # 11 bits and 33 behind them: exact
    head, rest = two_sum(head, rest)
    sign = np.where(negative, -1.0, 1.0)
    exponent = (top - 1) * _BASE + least
    lanes = ((sign * head).reshape(-1), (sign * rest).reshape(-1), exponent.reshape(-1))
    return round_sum(*lanes, target, mode).reshape(negative.shape)


def _overlay_special(x: np.ndarray, mode: Rounding, result: np.ndarray) -> None:
    """Sums that are zero, infinite or NaN."""

    def among(seen: Bools) -> Bools:
        """Whether there is such a number among those that are added."""
        found: Bools = np.logical_or.accumulate(seen, axis=-1) if result.shape[1] == x.shape[1] else _any(seen)
        return found

    if (result == 0).any():  # numbers are multiples of the smallest one: no sum underflows
        is_zero, is_plus = result == 0, ~among((x != 0) | np.signbit(x))
        minus = ~among((x != 0) | ~np.signbit(x)) if mode != "rtn" else ~is_plus
        np.copyto(result, np.where(minus, -0.0, 0.0).astype(result.dtype), where=is_zero)
    if np.isfinite(x).all():
        return
    up, down = among(np.isposinf(x)), among(np.isneginf(x))
    np.copyto(result, np.inf, where=up)
    np.copyto(result, -np.inf, where=down)
    np.copyto(result, np.nan, where=among(np.isnan(x)) | (up & down))


def _any(seen: Bools) -> Bools:
    found: Bools = np.logical_or.reduce(seen, axis=-1, keepdims=True)
    return found


class Range(NamedTuple):
    """Between which numbers of the format sums lie."""

    low: np.ndarray
    high: np.ndarray


def any_order(x: np.ndarray, form: Format, mode: Rounding, *, last: bool) -> Range:
    """What any order of additions, each rounded in ``mode``, may give for the sums of ``prefixes`` or ``totals``.

    A number that takes part in n - 1 additions or fewer is multiplied by as many factors 1 + d at most, where |d| is no
    more than 2^-p in rte and 2^(1-p) in the other modes: sums below the normal numbers are exact. So the result is off
    by ((1 + d)^(n-1) - 1) times the sum of the magnitudes or less, which is (n-1) d / (1 - (n-1) d) times that or less.
    Zeros do not count. Two numbers have one order; and where all are multiples of a unit that no sum of magnitudes
    exceeds 2^p times, every addition is exact. From -inf to inf where an addition may overflow,
    which may make NaN of an infinity.
    """
    with np.errstate(all="ignore"):
        exact = _rounded(x, form, form, mode, last=last)
        finite = np.where(np.isfinite(x), x, form.dtype.type(0))
        below, above = (_rounded(finite, form, DOUBLE, m, last=last) for m in ("rtn", "rtp"))
        sizes = _rounded(np.abs(finite), form, DOUBLE, "rtp", last=last)
        count = _last(np.cumsum(x != 0, axis=-1), last)
        error = _relative(count, form, mode) * sizes * (1 + 2.0**-50)
        certain = (count <= 2) | (_is_exact(finite, sizes, form, last=last) & (sizes <= form.largest))
        may_overflow = ~certain & (sizes + error >= form.largest) & ~np.isnan(exact)
        certain |= ~np.isfinite(exact)
        low = narrow(np.nextafter(below - error, -np.inf), form, "rtp")
        high = narrow(np.nextafter(above + error, np.inf), form, "rtn")
        low, high = (np.where(certain, exact, end) for end in (low, high))
        low, high = np.where(may_overflow, -np.inf, low), np.where(may_overflow, np.inf, high)
    return Range(low.astype(form.dtype), high.astype(form.dtype))


def _last(values: np.ndarray, last: bool) -> np.ndarray:
    return values[:, -1:] if last else values


def _relative(count: I64, form: Format, mode: Rounding) -> F64:
    """(n - 1) d / (1 - (n - 1) d) from above; infinite where that is no bound."""
    d = 2.0 ** (-form.precision if mode == "rte" else 1 - form.precision)
    share = np.maximum(count - 1, 0) * d
    return np.where(share < 0.5, share / (1 - share) * (1 + 2.0**-50), np.inf)


def _is_exact(x: np.ndarray, sizes: F64, form: Format, *, last: bool) -> Bools:
    """Where numbers are multiples of a unit of which no sum of magnitudes has more than 2^p."""
    significand, exponent = _parts(widen(x), form)
    lowest = np.where(significand == 0, 1 << 20, exponent + np.frexp((significand & -significand).astype(float))[1] - 1)
    unit = _last(np.minimum.accumulate(lowest, axis=-1), last)
    return np.asarray(sizes <= np.ldexp(1.0, np.clip(unit + form.precision, -1100, 1023).astype(np.int32)))
