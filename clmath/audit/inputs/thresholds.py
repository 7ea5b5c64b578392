"""Arguments at which results of a built-in of one argument begin to overflow, to underflow, to be 1, or to be NaN."""

from __future__ import annotations

import functools
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath import phases
from clmath.audit.inputs.layout import Columns
from clmath.audit.plan.item import Item
from clmath.numbers.encodings import sign_of

Codes: TypeAlias = "NDArray[np.int64]"
PARTS = 2  # parts of each binade at whose ends results are compared
FEW = 16  # thresholds of each sign that are kept, spread over all that were found
SECTIONS = 64  # sections of an interval in a search: a call on many numbers takes hardly longer than on one
ROUNDS = 3  # searches between two ends, where several thresholds may lie


def _sizes(item: Item, columns: Columns) -> tuple[NDArray[np.float64], Codes]:
    """Return the sizes f x 2^e of the first results, 1/2 <= f < 1; f is 0, infinite or NaN if the result is."""
    first = phases.enclose(item.builtin.called, columns, item.form)[0]
    if isinstance(first, np.ndarray):
        return np.full(len(first), np.nan), np.zeros(len(first), np.int64)
    part, exponent = np.frexp(np.abs(first.value.hi))
    return part, (exponent + first.value.exponent).astype(np.int64)


def heights(item: Item, columns: Columns) -> NDArray[np.float64]:
    """Return log2 of the sizes of the first results, interpolated linearly between powers of two; NaN if unknown."""
    with np.errstate(all="ignore"):
        part, exponent = _sizes(item, columns)
        return np.where(np.isfinite(part) & (part > 0.0), exponent + (2.0 * part - 2.0), np.nan)


@functools.lru_cache(maxsize=8)
def thresholds(item: Item) -> np.ndarray:
    """Return the last numbers before the kind of results changes; none if a built-in's results are not enclosed."""
    form = item.form
    if item.columns != ("gentype",) or item.width or not phases.is_enclosed(item.builtin.called, form):
        return np.empty(0, form.dtype)
    found = []
    for sign in (0, sign_of(form)):
        ends = np.arange(0, int(form.bits(form.largest)) + 1, (1 << form.precision - 1) // PARTS)
        kinds, last = _kinds(item, ends, sign), [np.empty(0, np.int64)]
        changes = np.flatnonzero(kinds[1:] != kinds[:-1])
        low, high = ends[changes], ends[changes + 1]
        for _ in range(ROUNDS):
            last.append(_last_alike(item, low, high, sign))
            low = last[-1] + 1
            differs = _kinds(item, low, sign) != _kinds(item, high, sign)
            low, high = low[differs], high[differs]
        every = np.sort(np.concatenate(last))
        spread = np.unique(np.linspace(0, len(every) - 1, min(FEW, len(every))).astype(np.int64))
        found.append(form.from_bits((every[spread] | sign).astype(form.bits_dtype)))
    return np.concatenate(found)


def _last_alike(item: Item, low: Codes, high: Codes, sign: int) -> Codes:
    """Return the last number between ``low`` and ``high`` before the kind of results changes."""
    kinds = _kinds(item, low, sign)[:, np.newaxis]
    while len(low) and (high - low).max() > 1:
        steps = np.maximum(-(high - low) // -SECTIONS, 1)
        points = np.minimum(np.add(low, np.multiply.outer(np.arange(SECTIONS + 1), steps)), high).T
        differs = (_kinds(item, points.ravel(), sign).reshape(points.shape) != kinds).argmax(axis=1)
        each = np.arange(len(low))
        low, high = points[each, differs - 1], points[each, differs]
    return low


def _kinds(item: Item, codes: Codes, sign: int) -> Codes:
    """Return the kind of each result: NaN, rounded to zero, subnormal, ordinary, rounded to 1, or overflowing."""
    form = item.form
    if not len(codes):
        return np.zeros(0, np.int64)
    with np.errstate(all="ignore"):
        part, exponent = _sizes(item, (form.from_bits((codes | sign).astype(form.bits_dtype)),))
        near_one = np.abs(np.ldexp(part, np.clip(exponent, -1, 2)) - 1.0) <= 0.5 * form.eps
    is_some = (exponent > form.quantum) | ((exponent == form.quantum) & (part > 0.5))
    last = 1.0 - 2.0 ** -(form.precision + 1)
    overflows = (exponent > form.emax + 1) | ((exponent == form.emax + 1) & (part >= last))
    kinds = np.where(near_one, 4, is_some.astype(np.int64) + (exponent > form.emin) + overflows)
    return np.where(np.isfinite(part) & (part > 0.0), kinds, -1)
