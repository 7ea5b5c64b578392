"""The first oracle: MPFR through gmpy2, whole arrays at a time, each lane evaluated once for all modes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gmpy2
import numpy as np

from clmath.numbers.formats import Format, is_float
from clmath.numbers.rounding import ZERO_SUM, Enclosure
from clmath.reference.arithmetic import Arithmetic
from clmath.reference.operations import operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["enclose"]

_ONE_DOUBLE = 53  # bits for half and float: rounded to odd, they decide 24 bits in every mode
_TWO_DOUBLES = 104  # bits for double: the head takes 53, the tail the rest and the mark of inexactness
_REACH = 2.0**900  # beyond it, or below its inverse, a double gets an exponent of its own
_CLAMP = 2.0**1000  # far outside half and float
_VANISHED = -(2**30)  # exponent given to what underflows even MPFR's range


def enclose(name: str, args: Sequence[np.ndarray], form: Format) -> tuple[Enclosure | NDArray[np.int32], ...]:
    """Enclosures (err = 0) of every floating result of the built-in ``name`` on ``form``; arrays of its int results."""
    with gmpy2.context(gmpy2.context()), np.errstate(all="ignore"):
        on = Arithmetic(form, _ONE_DOUBLE if form.is_narrow else _TWO_DOUBLES)
        columns = [_numbers(a) for a in args]
        results = _columns(name, on, columns)
        downward = _Downward(name, Arithmetic(form, on.precision, downward=True), columns)
        return tuple(_collected(r, i, on, downward) for i, r in enumerate(results))


def _numbers(array: np.ndarray) -> list[Any]:
    """The lanes as Python floats or ints."""
    return (array.astype(np.float64) if is_float(array.dtype) else array).tolist()  # type: ignore[no-any-return]


def _columns(name: str, on: Arithmetic, columns: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The results of the built-in, one list for each."""
    rows = list(map(operation(name, on), *columns))
    return [list(c) for c in zip(*rows, strict=True)] if isinstance(rows[0], tuple) else [rows]


class _Downward:
    """The same call again, rounding downward, for the few lanes that came out as an exact +0."""

    def __init__(self, name: str, on: Arithmetic, columns: Sequence[Sequence[Any]]) -> None:
        self.name, self.on, self.columns = name, on, columns

    def negative(self, lane: int, output: int) -> bool:
        """Whether this zero is -0 when rounding downward."""
        results = _columns(self.name, self.on, [[c[lane]] for c in self.columns])
        return bool(gmpy2.is_signed(results[output][0]))


def _collected(values: list[Any], output: int, on: Arithmetic, downward: _Downward) -> Any:
    """One result's lanes as an array of ints or an enclosure."""
    if isinstance(values[0], int):
        return np.array(values, np.int32)
    if isinstance(values[0], float):
        return Enclosure.of(np.array(values))
    enclosure = _in_one_double(values) if on.form.is_narrow else _in_two_doubles(values, on)
    for lane in np.flatnonzero((enclosure.hi == 0.0) & ~np.signbit(enclosure.hi)).tolist():
        if downward.negative(lane, output):
            enclosure.exponent[lane] = ZERO_SUM
    return enclosure


def _inexact(values: Sequence[Any]) -> NDArray[np.bool_]:
    """Which truncated values are not the exact ones."""
    inexact: NDArray[np.bool_] = np.fromiter([v.rc for v in values], np.int8, len(values)) != 0
    return inexact


def _in_one_double(values: list[Any]) -> Enclosure:
    """Truncated values of 53 bits, rounded to odd and clamped to 2^±1000."""
    hi = np.fromiter(map(float, values), np.float64, len(values))
    inexact = _inexact(values)
    size = np.abs(hi)
    for lane in np.flatnonzero(~((size >= 1.0 / _CLAMP) & (size <= _CLAMP))).tolist():
        hi[lane] = _clamped(values[lane])
        inexact[lane] = False
    return _owned((hi.view(np.int64) | inexact).view(np.float64), 0.0, 0)


def _clamped(value: Any) -> float:
    """A value outside of 2^±1000, brought there unless it is exactly zero or infinite, or NaN."""
    if not gmpy2.is_finite(value) or (value == 0 and value.rc == 0):
        return float(value)
    size = _CLAMP if abs(value) > 1 else 1.0 / _CLAMP
    return -size if gmpy2.is_signed(value) else size


def _in_two_doubles(values: list[Any], on: Arithmetic) -> Enclosure:
    """Truncated values of 104 bits as head and tail; bit 106 marks what is inexact."""
    inexact = _inexact(values)
    exponent = np.zeros(len(values), np.int64)
    hi = np.fromiter(map(float, values), np.float64, len(values))
    size = np.abs(hi)
    for lane in np.flatnonzero(~((size >= 1.0 / _REACH) & (size <= _REACH))).tolist():
        values[lane], exponent[lane] = _scaled(values[lane])
        hi[lane] = float(values[lane])
    rest = map(on.target.sub, values, np.where(np.isfinite(hi), hi, 0.0).tolist())
    lo = np.where(np.isfinite(hi), np.fromiter(map(float, rest), np.float64, len(values)), 0.0)
    mark = np.ldexp(np.copysign(1.0, hi), np.frexp(hi)[1] - (_TWO_DOUBLES + 2))
    lo += np.where(inexact, mark, 0.0)
    head = np.where(hi == 0.0, hi, hi + lo)  # -0 + 0 would lose the sign
    return _owned(head, np.where(np.isfinite(hi), (hi - head) + lo, 0.0), exponent)


def _scaled(value: Any) -> tuple[Any, int]:
    """A non-zero finite value as one in [1/2, 1) and an exponent; every other as itself."""
    if not gmpy2.is_finite(value):
        return value, 0
    if value == 0:
        if value.rc == 0:
            return value, 0
        return gmpy2.mpfr(-0.5 if gmpy2.is_signed(value) else 0.5), _VANISHED
    return gmpy2.set_exp(value, 0), gmpy2.get_exp(value)


def _owned(hi: object, lo: object, exponent: object) -> Enclosure:
    """An enclosure with err = 0 whose exponents may still be written."""
    value = Enclosure.of(hi, lo, 0.0, exponent)
    return value._replace(exponent=np.array(value.exponent))
