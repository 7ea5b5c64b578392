"""Hard calls of a function with correctly rounded results, for the test program of an exported library."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

from clmath import reference
from clmath.audit.arguments.structured import hard, structured
from clmath.audit.plan import item_of
from clmath.numbers.rounding import MODES, Enclosure, round_enclosure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.export.functions import Function

__all__ = ["rows"]

_EACH = 32  # hard calls of a function, and as many of all others that are known to hurt
_ALL = (1 << 64) - 1


def rows(function: Function) -> list[list[int]]:
    """The encodings of the arguments, and of each result in the four modes, one after the other; ints as 64 bits."""
    columns = _arguments(function)
    found = [_codes(column, function) for column in columns]
    with np.errstate(all="ignore"):
        values = reference.enclose(function.row.name, columns, function.form)
    for value in values:
        for mode in MODES:
            rounded = round_enclosure(value, function.form, mode)[0] if isinstance(value, Enclosure) else value
            found.append(_codes(np.asarray(rounded), function))
    return [list(row) for row in zip(*found, strict=True)]


def _codes(column: NDArray[np.generic], function: Function) -> list[int]:
    if column.dtype.kind == "i":
        return [int(n) & _ALL for n in column.tolist()]
    form = function.form
    canonical = np.where(np.isnan(column), form.nan, column).astype(form.dtype)
    return [int(code) for code in form.bits(canonical).tolist()]


def _arguments(function: Function) -> Sequence[NDArray[np.generic]]:
    """Known hard calls, and some of the structured ones, each of which is drawn by the name of the function."""
    item = item_of(function.row, function.form, 0, 1)
    rng = np.random.default_rng(zlib.crc32(function.name.encode()))
    picked = [_some(source(item), rng) for source in (hard, structured)]
    types = [np.dtype(np.int32) if p.type != "gentype" else function.form.dtype for p in function.row.inputs]
    return [np.concatenate(column).astype(type) for column, type in zip(zip(*picked, strict=True), types, strict=True)]


def _some(columns: Sequence[NDArray[np.generic]], rng: np.random.Generator) -> list[NDArray[np.generic]]:
    """At most so many calls."""
    count = columns[0].size
    chosen = np.sort(rng.choice(count, min(_EACH, count), replace=False))
    return [column[chosen] for column in columns]
