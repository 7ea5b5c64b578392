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
from clmath.export.conversions import arguments, is_conversion, rounded
from clmath.numbers.formats import format_of
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.export.functions import Function
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

__all__ = ["rows"]

_EACH = 32  # hard calls of a function, and other calls that have found faults
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
        return [rounded(function.row, columns[0], mode)]
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
        return [arguments(function.row, function.form, rng)]
    item = item_of(function.row, function.form, 0, 1)
    picked = [_some(source(item), rng) for source in (hard, structured)]
    types = [np.dtype(np.int32) if p.type != "gentype" else function.form.dtype for p in function.row.inputs]
    return [np.concatenate(column).astype(type) for column, type in zip(zip(*picked, strict=True), types, strict=True)]


def _some(columns: Sequence[NDArray[np.generic]], rng: np.random.Generator) -> list[NDArray[np.generic]]:
    """Return at most ``_EACH`` of the calls."""
    count = columns[0].size
    chosen = np.sort(rng.choice(count, min(_EACH, count), replace=False))
    return [column[chosen] for column in columns]
