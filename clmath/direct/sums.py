"""Exact sums along an axis, rounded once, and between which numbers any order of rounded additions stays.

The last axis of an array is summed, as AccSum does (S. M. Rump, T. Ogita, S. Oishi, Accurate Floating-Point Summation):
sigma, a power of two that is at least n + 2 times the largest of n numbers, splits the high bits off all of them, q =
(sigma + x) - sigma, whose sums are exact; the next sigma takes the next bits, until all bits are taken. A few doubles,
the sums of each pass, then have the exact sum. Where doubles may overflow, integers are added instead.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from clmath.ir.primitives import to_odd, two_sum
from clmath.ir.values import Integer, Real, Truth
from clmath.numbers.expansions import head_and_rest
from clmath.numbers.formats import DOUBLE, Format
from clmath.numbers.rounding import Rounding, directed, narrow, round_sum, widen

_ROOM = 1 << 13  # numbers that are added at a time, which stay in a cache
_SHORT = 64  # numbers of a short line
_FEW = 32  # numbers that are added one by one
_LEAST = -1022  # exponent of the least sigma, which takes off all there is
_UNIT = 1074  # the smallest double is 2^-1074


def exact(x: np.ndarray, form: Format, mode: Rounding, *, last: bool) -> np.ndarray:
    """The sums of the first numbers of every line of ``x``, of one, of two, ... of all, each rounded once; or the last.

    ``x`` has the shape (lines, numbers), with at least one of each.
    """
    return _by_lines(x, lambda lines: _rounded(lines, [(form, mode)], last=last)[0])


def over(operation: np.ufunc, x: np.ndarray, *, last: bool, dtype: np.dtype | None = None) -> np.ndarray:
    """Combine the first numbers of every line by ``operation``; of each line all results, or the last one alone."""
    if last:
        return np.asarray(operation.reduce(x, axis=-1, keepdims=True, dtype=dtype))
    return np.asarray(operation.accumulate(x, axis=-1, dtype=dtype))


@np.errstate(all="ignore")
def _by_lines(x: np.ndarray, results: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """The ``results`` of all lines, which stay in a cache: of some lines at a time, whose results end with two axes."""
    found = [results(x[lines]) for lines in _slices(len(x), max(1, _ROOM // x.shape[1]))]
    return found[0] if len(found) == 1 else np.concatenate(found, axis=-2)


def _rounded(x: np.ndarray, targets: Sequence[tuple[Format, Rounding]], *, last: bool) -> list[np.ndarray]:
    """The sums of ``exact``, rounded to each of the formats.

    Only the sums in the first format have special values.
    """
    lines, reach = x, _reach(x)
    are_finite = bool(np.maximum.reduce(reach, axis=None) < np.inf)
    if not are_finite:
        lines = np.where(np.isfinite(x), x, x.dtype.type(0))
        reach = _reach(lines)
    results = [np.empty((len(x), 1 if last else x.shape[1]), form.dtype) for form, _ in targets]
    for columns, total in _sums(lines, reach, last=last):
        for result, (form, mode) in zip(results, targets, strict=True):
            result[:, columns] = total.rounded(form, mode)
    _overlay_zeros(x, targets[0][1], results[0])
    if not are_finite:
        _overlay_infinities(x, results[0])
    return results


def _reach(x: np.ndarray) -> np.ndarray:
    """The largest magnitude of every line. NumPy's reductions are slow for many short lines."""
    if x.shape[1] <= _SHORT and len(x) > _SHORT:
        return functools.reduce(np.maximum, (np.abs(x[:, [column]]) for column in range(x.shape[1])))
    least = np.minimum.reduce(x, axis=-1, keepdims=True)
    return np.asarray(np.maximum(np.maximum.reduce(x, axis=-1, keepdims=True), -least))


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


def _sums(x: np.ndarray, reach: np.ndarray, *, last: bool) -> Iterator[tuple[slice, _Sums]]:
    """Yield the sums of finite numbers in chunks of columns, each with its place in the result."""
    count = x.shape[1]
    if x.dtype == DOUBLE.dtype and np.maximum.reduce(reach, axis=None) >= 2.0 ** (1000 - count.bit_length()):
        yield slice(None), _by_integers(x, last=last)
        return
    if x.size <= _FEW:
        yield slice(None), _of_few(x, last=last)
        return
    parts: list[Real] = []
    for columns in _slices(count, _ROOM):
        numbers, carried = widen(x[:, columns]), [part[:, -1:] for part in parts]
        if count > _ROOM:
            numbers = np.concatenate([*carried, numbers], axis=-1)
            reach = _reach(numbers)
        parts = _extracted(numbers, reach, last=last)
        if not last:
            yield columns, _Sums.of([part[:, len(carried) :] for part in parts])
    if last:
        yield slice(None), _Sums.of(parts)


def _slices(count: int, size: int) -> Iterator[slice]:
    return (slice(start, start + size) for start in range(0, count, size))


def _extracted(x: Real, reach: np.ndarray, *, last: bool) -> list[Real]:
    """Doubles whose exact sum is the sum of each line, or of each line's first 1, 2, ... numbers."""
    room = (x.shape[1] + 1).bit_length()
    top = np.frexp(reach)[1] + room
    found = []
    while True:
        sigma = np.ldexp(1.0, np.maximum(top, _LEAST))
        high = x + sigma
        high -= sigma
        found.append(over(np.add, high, last=last))
        x = x - high
        if not np.count_nonzero(x):
            return found
        top += room - DOUBLE.precision


def _of_few(x: np.ndarray, *, last: bool) -> _Sums:
    """The sums of a few finite numbers by Python, whose sums are exact and rounded to nearest."""
    heads, rests = [], []
    for line in x.tolist():
        for some in [line] if last else [line[: count + 1] for count in range(len(line))]:
            heads.append(math.fsum(some))
            rests.append(math.fsum([*some, -heads[-1]]))
    head, rest = (np.array(found).reshape(len(x), -1) for found in (heads, rests))
    return _Sums(head, rest if any(rests) else None)


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
    if np.count_nonzero(result) < result.size:
        is_zero = result == 0
        last = x.shape != result.shape
        is_plus = ~over(np.logical_or, (x != 0) | np.signbit(x), last=last)
        minus = ~over(np.logical_or, (x != 0) | ~np.signbit(x), last=last) if mode != "rtn" else ~is_plus
        np.copyto(result, np.where(minus, -0.0, 0.0).astype(result.dtype), where=is_zero)


def _overlay_infinities(x: np.ndarray, result: np.ndarray) -> None:
    """Have sums be infinite or NaN where infinities or NaN are added."""
    special = over(np.add, np.where(np.isfinite(x), x.dtype.type(0), x), last=x.shape != result.shape)
    np.copyto(result, special, where=~np.isfinite(special))


def any_order(x: np.ndarray, form: Format, mode: Rounding, *, last: bool) -> np.ndarray:
    """The least and the greatest results, on the first axis, of any order of additions, each rounded in ``mode``, for
    the sums of ``exact``.

    A number that takes part in at most n - 1 additions is multiplied by at most as many factors 1 + d, with |d| <= 2^-p
    in rte and 2^(1-p) in the other modes: sums below the normal numbers are exact. So the error is at most ((1 +
    d)^(n-1) - 1) times the sum of the magnitudes, which is at most (n-1) d / (1 - (n-1) d) times that sum. Zeros do not
    count. Two numbers have one order; and where all are multiples of a unit that no sum of magnitudes exceeds 2^p
    times, every addition is exact. From -inf to inf where an addition may overflow, which may make NaN of an infinity.
    """
    return _by_lines(x, lambda lines: _bounds(lines, form, mode, last=last))


def _bounds(x: np.ndarray, form: Format, mode: Rounding, *, last: bool) -> np.ndarray:
    targets: Sequence[tuple[Format, Rounding]] = [(form, mode), (DOUBLE, "rtn"), (DOUBLE, "rtp")]
    if x.size <= _ROOM:
        found = _rounded(np.concatenate([x, np.abs(x)]), targets, last=last)
        exact, below, above, sizes = *(sums[: len(x)] for sums in found), found[2][len(x) :]
    else:  # one long line
        exact, below, above = _rounded(x, targets, last=last)
        sizes = _rounded(np.abs(x), targets, last=last)[2]
    count = over(np.add, x != 0, last=last)
    error = _relative(count, form, mode) * sizes * (1 + 2.0**-50)
    certain = (count <= 2) | (_is_exact(x, sizes, form, last=last) & (sizes <= form.largest))
    may_overflow = ~certain & (sizes + error >= form.largest) & ~np.isnan(exact)
    certain |= ~np.isfinite(exact)
    outward = narrow(np.nextafter([error - below, error + above], np.inf), form, "rtn")  # the low end's sign is changed
    np.negative(outward[0], out=outward[0])
    results: np.ndarray = np.where(certain, exact, outward)
    np.copyto(results, [[[-np.inf]], [[np.inf]]], where=may_overflow)
    return results


def _relative(count: Integer, form: Format, mode: Rounding) -> Real:
    """An upper bound of (n - 1) d / (1 - (n - 1) d), infinite if that formula does not bound the error."""
    d = 2.0 ** (-form.precision if mode == "rte" else 1 - form.precision)
    share = np.maximum(count - 1, 0) * d
    return np.where(share < 0.5, share / (1 - share) * (1 + 2.0**-50), np.inf)


def _is_exact(x: np.ndarray, sizes: Real, form: Format, *, last: bool) -> Truth:
    """Whether finite numbers are multiples of a unit such that no sum of magnitudes exceeds 2^p units."""
    parts = [over(np.minimum, _lowest_bits(x[:, columns]), last=last) for columns in _slices(x.shape[1], _ROOM)]
    unit = parts[0] if len(parts) == 1 else over(np.minimum, np.concatenate(parts, axis=-1), last=last)
    return np.asarray(sizes <= np.ldexp(unit, form.precision))


def _lowest_bits(x: np.ndarray) -> Real:
    """Return the lowest set bit of each number as a power of two; an infinity for 0, infinities and NaN."""
    fraction, exponent = np.frexp(widen(x))
    digits = np.ldexp(fraction, DOUBLE.precision).astype(np.int64)
    has_digits = np.isfinite(fraction) & (digits != 0)
    return np.where(has_digits, np.ldexp((digits & -digits).astype(np.float64), exponent - DOUBLE.precision), np.inf)
