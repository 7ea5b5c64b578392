"""What the types of the arguments decide in calls of the math, common and geometric chapters on arrays as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import ladder
from clmath.call import vectors
from clmath.call.by_ufunc import common_format, is_taken, reader
from clmath.call.chunks import CHUNK
from clmath.call.plain import Plan
from clmath.numbers.datatypes import declared
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.plain import Planned
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["planned"]


def planned(name: str, mode: Rounding, kinds: tuple[Any, ...]) -> Planned:
    """The plan for arguments of these kinds; None where arrays need more."""
    row = builtin(name)
    if row.widths:
        return vectors.planned(row, mode, kinds)
    given = list(zip(row.inputs, kinds, strict=True))
    form = _common_format(row, given)
    if form is None or not all(is_taken(p, kind) for p, kind in given):
        return None
    dtypes = tuple(kind if isinstance(kind, np.dtype) else declared(p.type, form.dtype) for p, kind in given)
    if ladder.direct(name) is None or not all(dtype.isnative for dtype in dtypes):
        return None
    readers = tuple(None if isinstance(kind, np.dtype) else _reader(row, p, kind, form) for p, kind in given)
    return Plan(
        f"{name}()",
        row.names,
        tuple(declared(p.type, form.dtype) for p in row.outputs),
        None,
        _moving(name, form, mode) if row.moves_bits else ladder.without_loop(name, form, mode),
        readers if any(readers) else None,
        CHUNK,
        is_quiet=row.moves_bits,
    )


def _moving(name: str, form: Format, mode: Rounding) -> Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]:
    """What moves bits, those of a NaN too."""
    implementation = ladder.direct(name)
    assert implementation is not None, name
    return lambda args: implementation(form, mode, *args)


def _common_format(row: Builtin, given: Sequence[tuple[Parameter, Any]]) -> Format | None:
    """The one format of all gentype arguments, or of the number that one code stands for; None where there is none."""
    if any(p.type not in {"gentype", "intn"} for p in row.inputs):
        return next((form for form in row.formats if [form.bits_dtype] == [kind for _, kind in given]), None)
    return common_format(row, given)


def _reader(row: Builtin, parameter: Parameter, kind: type, form: Format) -> Callable[[Any], np.ndarray | None]:
    """Return a function that makes a number an array of its type; None for an int that does not fit."""
    read = reader(row, parameter, kind, form)

    def as_array(number: object) -> np.ndarray | None:
        typed = number if read is None else read(number)
        return None if typed is None else np.asarray(typed)

    return as_array
