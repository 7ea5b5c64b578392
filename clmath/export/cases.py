"""Hard calls of a function with correctly rounded results, for the test program of an exported library."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

from clmath import phases
from clmath.audit.inputs.hard import hard
from clmath.audit.inputs.structured import structured
from clmath.audit.plan.rows import item_of
from clmath.engines import choice
from clmath.export.whole import is_conversion
from clmath.numbers.formats import format_named, format_of
from clmath.numbers.rounding import MODES, round_real

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.export.functions import Function
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

_EACH = 32  # hard calls of a function, and other calls that have found faults
_NUMBERS = 16  # that a conversion takes, and midpoints
_ALL = (1 << 64) - 1


def rows(function: Function) -> list[list[int]]:
    """Return encodings of the arguments, and of each result in the four modes in turn; ints as 64 bits."""
    columns = _arguments(function)
    found = [_codes(column, function.row) for column in columns]
    with np.errstate(all="ignore"):
        by_mode = [_results(function, mode, columns) for mode in MODES]
    for of_result in zip(*by_mode, strict=True):
        found += [_codes(np.asarray(values), function.row) for values in of_result]
    return [list(row) for row in zip(*found, strict=True)]


def _results(function: Function, mode: Rounding, columns: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Return the reference's results; clmath's own results if single operations are rounded, or bits are moved."""
    if is_conversion(function.row):
        form = format_named(function.row.result)
        return [np.array([round_real(x, form, mode) for x in columns[0].tolist()], form.dtype)]
    name, form = function.row.name, function.form
    if phases.is_whole(name) and (function.row.formula or function.row.moves_bits):
        return phases.by_step(name, form, mode, choice.PLAIN)(columns)
    return phases.by_reference(name, form, mode, *columns)


def _codes(column: NDArray[np.generic], row: Builtin) -> list[int]:
    """Return encodings, with the canonical one for NaN unless bits are moved."""
    form = format_of(column.dtype)
    if form is None:
        return [int(n) & _ALL for n in column.tolist()]
    plain = column if row.moves_bits else np.where(np.isnan(column), form.nan, column)
    return [int(code) for code in form.bits(plain.astype(form.dtype)).tolist()]


def _arguments(function: Function) -> Sequence[NDArray[np.generic]]:
    """Return known hard calls and some structured ones; the name of the function seeds the choice."""
    rng = np.random.default_rng(zlib.crc32(function.name.encode()))
    if is_conversion(function.row):
        return [of_conversion(function.row, function.form, rng)]
    item = item_of(function.row, function.form, 0, 1)
    picked = [_some(source(item), rng) for source in (hard, structured)]
    types = [np.dtype(np.int32) if p.type != "gentype" else function.form.dtype for p in function.row.inputs]
    return [np.concatenate(column).astype(type) for column, type in zip(zip(*picked, strict=True), types, strict=True)]


def of_conversion(row: Builtin, form: Format, rng: np.random.Generator) -> NDArray[np.generic]:
    """Return numbers of the narrower format, midpoints, the neighbours of both, and special numbers."""
    narrow = min(format_named(row.result), form, key=lambda one: one.precision)
    codes = np.concatenate([rng.integers(0, narrow.infinite, _NUMBERS), [0, 1, 2, narrow.infinite - 1]])
    numbers, above = (narrow.from_bits((codes + n).astype(narrow.bits_dtype)).astype(np.float64) for n in (0, 1))
    beyond = np.where(np.isinf(above), 2.0 * narrow.largest, above)  # one place beyond the largest number, or more
    with np.errstate(all="ignore"):
        near = np.concatenate([numbers, numbers + (beyond - numbers) / 2]).astype(form.dtype)
        special = np.array([np.inf, np.nan, form.largest, form.smallest_normal], form.dtype)
        below, upwards = (np.nextafter(near, form.dtype.type(end)) for end in (0.0, np.inf))
        found = np.concatenate([near, below, upwards, special])
        return np.concatenate([found, -found])


def _some(columns: Sequence[NDArray[np.generic]], rng: np.random.Generator) -> list[NDArray[np.generic]]:
    """Return at most ``_EACH`` of the calls."""
    count = columns[0].size
    chosen = np.sort(rng.choice(count, min(_EACH, count), replace=False))
    return [column[chosen] for column in columns]
