"""Readers: functions that bring Python numbers, and arrays, to the types of a plan's ufunc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import format_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Kind: TypeAlias = type | np.dtype
"""The dtype of an array, or the class of another argument."""

Operand: TypeAlias = np.ndarray | float
"""An array, or a number."""

Reader: TypeAlias = "Callable[[Any], object]"
"""Returns an argument in the type of a ufunc's parameter; an error for an argument that needs preparation."""

NUMPYS: frozenset[type[np.generic]] = frozenset({np.longlong, np.ulonglong, *(t.type for t in SCALARS.values())})
INTS: frozenset[Kind] = frozenset({int, *(kind for kind in NUMPYS if np.dtype(kind).kind in "iu")})


def int_reader(needed: np.dtype, largest: int | None = None) -> Reader:
    """Return a function that gives an int the integer type ``needed``.

    OverflowError for an int beyond the type's ends, or above ``largest`` if given.
    """
    number = needed.type
    if largest is None:
        return lambda n: number(int(n))

    def limited(n: int) -> object:
        if n > largest:
            raise OverflowError
        return number(n)

    return limited


def sample(kind: Kind) -> Operand:
    """Return an argument of a kind: an array, or a plain Python number."""
    if isinstance(kind, np.dtype):
        return np.empty(0, kind)
    return kind(0) if kind in (int, float) else np.asarray(kind(0))


def number_reader(read: Reader | None, kind: Kind, needed: np.dtype, kinds: Sequence[Kind]) -> Reader | None:
    """Return a function that gives an argument the type ``needed``, or None for arguments that have it.

    ``read`` does so for arrays and plain Python numbers. The function raises an error for an int that the type does
    not hold. ``kinds``: the kinds of all arguments. NumPy takes an int of another argument's type, or an int or a float
    alone, itself.
    """
    if kind is int and needed.kind in "iu":
        return None if needed == SCALARS["long"] or _is_among(needed, kinds) else int_reader(needed)
    if kind is float and needed == SCALARS["double"]:
        return None
    if read is not None and kind in INTS and needed.kind in "iu":
        return int_reader(needed)
    if read is None or isinstance(kind, np.dtype):
        return read
    if kind in {int, float}:
        return _float_reader(read, needed)
    return lambda number: read(np.asarray(number))


def _float_reader(read: Reader, needed: np.dtype) -> Reader:
    """Return ``read``, which rounds Python numbers to a format, except numbers that NumPy converts itself."""
    form = format_of(needed)
    if form is None:
        return read
    least, most = form.smallest_normal, min(form.largest, 2**53)  # NumPy rounds larger ints twice
    return lambda x: x if least <= abs(x) <= most or x == 0 else read(x)


def _is_among(needed: np.dtype, kinds: Sequence[Kind]) -> bool:
    """Whether an array or a number of NumPy is of the type ``needed``."""
    return any(kind not in {int, float} and np.dtype(kind).newbyteorder("=") == needed for kind in kinds)
