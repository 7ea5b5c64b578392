"""Arguments at which results of a built-in of one argument begin to overflow, to underflow, to be 1, or to be NaN."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import phases

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

__all__ = ["approaches", "heights", "thresholds"]

Codes: TypeAlias = "NDArray[np.int64]"
PARTS = 2  # parts of each binade at whose ends results are compared
FEW = 16  # thresholds of each sign that are kept, spread over all that were found
SECTIONS = 64  # sections of an interval in a search: a call on many numbers takes hardly longer than on one
ROUNDS = 3  # searches between two ends, where several thresholds may lie


def sizes(item: Item, columns: tuple[np.ndarray, ...]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the sizes f x 2^e of the first results, 1/2 <= f < 1; f is 0, infinite or NaN if the result is."""
    first: Any = phases.enclose(item.builtin.called, columns, item.form)[0]
    if isinstance(first, np.ndarray):
        return np.full(len(first), np.nan), np.zeros(len(first), np.int64)
    part, exponent = np.frexp(np.abs(first.value.hi))
    return part, (exponent + first.value.exponent).astype(np.int64)


def heights(item: Item, columns: tuple[np.ndarray, ...]) -> NDArray[np.float64]:
    """Return log2 of the sizes of the first results, interpolated linearly between powers of two; NaN if unknown."""
    with np.errstate(all="ignore"):
        part, exponent = sizes(item, columns)
        found = exponent + (2.0 * part - 2.0)
    return np.where(np.isfinite(part) & (part > 0.0), found, np.nan)


@functools.lru_cache(maxsize=8)
def thresholds(item: Item) -> np.ndarray:
    """Return the last numbers before the kind of results changes; none if a built-in's results are not enclosed."""
    form, name = item.form, item.builtin.called
    if item.columns != ("gentype",) or item.width or not phases.is_enclosed(name, form):
        return np.empty(0, form.dtype)
    positive = np.arange(0, int(form.bits(form.largest)) + 1, (1 << form.precision - 1) // PARTS)
    ends, sign = np.tile(positive, 2), np.repeat([1, -1], len(positive))
    kinds = _kinds(item, ends, sign)
    changes = np.flatnonzero((kinds[1:] != kinds[:-1]) & (sign[1:] == sign[:-1]))
    low, high, sign = ends[changes], ends[changes + 1], sign[changes]
    found = [np.empty(0, form.dtype)]
    for _ in range(ROUNDS):
        last = _last_alike(item, low, high, sign)
        found.append(_numbers(last, form, sign))
        differs = _kinds(item, last + 1, sign) != _kinds(item, high, sign)
        low, high, sign = last[differs] + 1, high[differs], sign[differs]
    every = np.concatenate(found)
    return np.concatenate([_spread(every[~np.signbit(every)]), _spread(every[np.signbit(every)])[::-1]])


def _spread(values: np.ndarray) -> np.ndarray:
    """Return at most ``FEW`` of the values, in ascending order."""
    every = np.sort(values)
    return every[np.unique(np.linspace(0, len(every) - 1, FEW).astype(np.int64))] if len(every) > FEW else every


def _last_alike(item: Item, low: Codes, high: Codes, sign: Codes) -> Codes:
    """Return the last number between ``low`` and ``high`` before the kind of results changes."""
    kinds = _kinds(item, low, sign)
    shares = np.arange(1, SECTIONS + 1)
    while len(low) and (high - low).max() > 1:
        points = low[:, np.newaxis] + (high - low)[:, np.newaxis] // SECTIONS * shares
        points[:, -1] = high
        small = (high - low < SECTIONS)[:, np.newaxis]
        points = np.where(small, np.minimum(low[:, np.newaxis] + shares, high[:, np.newaxis]), points)
        differs = (
            _kinds(item, points.ravel(), sign.repeat(SECTIONS)).reshape(points.shape) != kinds[:, np.newaxis]
        ).argmax(axis=1)
        each = np.arange(len(low))
        low, high = np.where(differs > 0, points[each, differs - 1], low), points[each, differs]
    return low


def _kinds(item: Item, codes: Codes, sign: Codes) -> NDArray[np.int64]:
    """Return the kind of each result: NaN, rounded to zero, subnormal, ordinary, rounded to 1, or overflowing."""
    form = item.form
    if not len(codes):
        return np.zeros(0, np.int64)
    with np.errstate(all="ignore"):
        part, exponent = sizes(item, (_numbers(codes, form, sign),))
        near_one = np.abs(np.ldexp(part, np.clip(exponent, -1, 2)) - 1.0) <= 0.5 * form.eps
    is_some = (exponent > form.quantum) | ((exponent == form.quantum) & (part > 0.5))
    is_normal = exponent > form.emin
    last = 1.0 - 2.0 ** -(form.precision + 1)
    overflows = (exponent > form.emax + 1) | ((exponent == form.emax + 1) & (part >= last))
    kinds = np.where(near_one, 4, is_some.astype(np.int64) + is_normal + overflows)
    return np.where(np.isfinite(part) & (part > 0.0), kinds, -1)


def _numbers(codes: Codes, form: Format, sign: Codes) -> np.ndarray:
    size = form.from_bits(codes.astype(form.bits_dtype))
    return np.asarray(np.copysign(size, sign.astype(form.dtype)))


def approaches(form: Format, centres: NDArray[np.float64]) -> np.ndarray:
    """Return numbers at distances of every size from each of ``centres``.

    Random numbers almost never come close: for example, one in 2^20 doubles in [1/2, 2) is within 2^-20 of 1.
    """
    with np.errstate(all="ignore"):
        distances = np.ldexp(np.abs(centres)[:, np.newaxis, np.newaxis], -np.arange(1, form.precision + 1))
        distances = distances * np.array([1.0, 1.3, 1.7])[:, np.newaxis]
        middle = centres[:, np.newaxis, np.newaxis]
        return np.concatenate([middle - distances, middle + distances]).ravel().astype(form.dtype)
