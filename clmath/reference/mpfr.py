"""The first oracle: MPFR through gmpy2, whole arrays at a time, each element evaluated once for all modes.

One number at a time, where whole arrays would cost the most, is rounded by MPFR in the format and the mode.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import gmpy2
import numpy as np
from numpy.typing import NDArray

from clmath.callables import AnyFunction
from clmath.numbers.formats import Format, is_float
from clmath.numbers.rounding import ZERO_SUM, Enclosure, Rounding
from clmath.reference.arithmetic import Arithmetic, Context, Mpfr
from clmath.reference.operations import operation

_Parts: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]"
"""Head, tail and exponent of enclosures."""

_ONE_DOUBLE = 53  # bits for half and float: rounded to odd, they decide 24 bits in every mode
_TWO_DOUBLES = 104  # bits for double: the head takes 53, the tail the rest and the mark of inexactness
_REACH = 2.0**900  # beyond it, or below its inverse, a double gets an exponent of its own
_CLAMP = 2.0**1000  # far outside half and float
_DEFAULT = gmpy2.context()
_ROUND = {"rte": gmpy2.RoundToNearest, "rtz": gmpy2.RoundToZero, "rtp": gmpy2.RoundUp, "rtn": gmpy2.RoundDown}
_VANISHED = -(2**30)  # exponent of values that underflow even MPFR's range


def enclose(name: str, args: Sequence[np.ndarray], form: Format) -> tuple[Enclosure | NDArray[np.int32], ...]:
    """Enclosures (err = 0) of every floating result of the built-in ``name`` on ``form``; arrays of its int results."""
    with gmpy2.context(gmpy2.context()), np.errstate(all="ignore"):
        columns = [_numbers(a) for a in args]
        results = _columns(name, form, columns)

        def is_minus_downward(result: int, element: int) -> bool:
            """Whether an exact +0 is -0 when rounding downward."""
            again = _columns(name, form, [[c[element]] for c in columns], downward=True)
            return bool(gmpy2.is_signed(again[result][0]))

        return tuple(
            _collected(r, _evaluation(name, form)[0], partial(is_minus_downward, i)) for i, r in enumerate(results)
        )


@functools.cache
def _evaluation(name: str, form: Format, *, downward: bool = False) -> tuple[Arithmetic, AnyFunction]:
    """Where the built-in ``name`` is evaluated, and its function."""
    on = Arithmetic(form, _ONE_DOUBLE if form.is_narrow else _TWO_DOUBLES, downward)
    return on, operation(name, on)


def _numbers(array: np.ndarray) -> list[Mpfr]:
    """The elements as Python floats or ints."""
    return (array.astype(np.float64) if is_float(array.dtype) else array).tolist()  # type: ignore[no-any-return]


def _columns(
    name: str, form: Format, columns: Sequence[Sequence[Mpfr]], *, downward: bool = False
) -> list[Sequence[Mpfr]]:
    """The results of the built-in, one sequence for each."""
    _, evaluate = _evaluation(name, form, downward=downward)
    rows = list(map(evaluate, *columns))
    return list(zip(*rows, strict=True)) if isinstance(rows[0], tuple) else [rows]


def _collected(values: Sequence[Mpfr], on: Arithmetic, is_minus_downward: Callable[[int], bool]) -> Mpfr:
    """One result's elements as an array of ints or an enclosure."""
    if isinstance(values[0], int):
        return np.array(values, np.int32)
    if isinstance(values[0], float):
        return Enclosure.of(np.array(values))
    hi, lo, exponent = _in_one_double(values) if on.form.is_narrow else _in_two_doubles(list(values), on)
    for element in _elements(hi == 0.0):
        if not np.signbit(hi[element]) and is_minus_downward(element):
            exponent[element] = ZERO_SUM
    return Enclosure(hi, lo, np.zeros(len(hi)), exponent)


def _inexact(values: Sequence[Mpfr]) -> NDArray[np.bool_]:
    """Which truncated values are not the exact ones."""
    inexact: NDArray[np.bool_] = np.fromiter([v.rc for v in values], np.int8, len(values)) != 0
    return inexact


def _in_one_double(values: Sequence[Mpfr]) -> _Parts:
    """Truncated values of 53 bits, rounded to odd and clamped to 2^±1000."""
    hi, inexact = _heads(values), _inexact(values)
    for element in _outside(hi, _CLAMP):
        hi[element] = _clamped(values[element])
        inexact[element] = False
    return (hi.view(np.int64) | inexact).view(np.float64), np.zeros(len(hi)), np.zeros(len(hi), np.int64)


def _heads(values: Sequence[Mpfr]) -> NDArray[np.float64]:
    return np.fromiter(map(float, values), np.float64, len(values))


def _outside(hi: NDArray[np.float64], reach: float) -> list[int]:
    """The indices of elements whose size is not in 1/reach .. reach."""
    size = np.abs(hi)
    return _elements(~((size >= 1.0 / reach) & (size <= reach)))


def _elements(mask: NDArray[np.bool_]) -> list[int]:
    return mask.nonzero()[0].tolist()


def _clamped(value: Mpfr) -> float:
    """A value outside of 2^±1000, brought there unless it is exactly zero or infinite, or NaN."""
    if not gmpy2.is_finite(value) or (value == 0 and value.rc == 0):
        return float(value)
    size = _CLAMP if abs(value) > 1 else 1.0 / _CLAMP
    return -size if gmpy2.is_signed(value) else size


def _in_two_doubles(values: list[Mpfr], on: Arithmetic) -> _Parts:
    """Truncated values of 104 bits as head and tail; bit 106 marks inexact values."""
    hi, inexact = _heads(values), _inexact(values)
    exponent, far = np.zeros(len(values), np.int64), _outside(hi, _REACH)
    for element in far:
        values[element], exponent[element] = _scaled(values[element])
        hi[element] = float(values[element])
    rest = _heads([*map(on.target.sub, values, hi.tolist())])
    lo = rest + inexact * np.ldexp(np.copysign(1.0, hi), np.frexp(hi)[1] - (_TWO_DOUBLES + 2))
    head = hi + lo
    tail = (hi - head) + lo
    for element in far:
        if hi[element] == 0.0 or not np.isfinite(hi[element]):  # -0 + 0 would lose the sign
            head[element], tail[element] = hi[element], 0.0
    return head, tail, exponent


def _scaled(value: Mpfr) -> tuple[Mpfr, int]:
    """A non-zero finite value as one in [1/2, 1) and an exponent; every other as itself."""
    if not gmpy2.is_finite(value):
        return value, 0
    if value == 0:
        if value.rc == 0:
            return value, 0
        return gmpy2.mpfr(-0.5 if gmpy2.is_signed(value) else 0.5), _VANISHED
    return gmpy2.set_exp(value, 0), gmpy2.get_exp(value)


@dataclass(frozen=True)
class _InFormat(Arithmetic):
    """Arithmetic whose results are rounded to the format in ``mode``, including subnormal and overflowing results."""

    mode: Rounding = "rte"

    @functools.cached_property
    def target(self) -> Context:
        """The context that results come from; MPFR's exponents are for 0.1f x 2^e, one more than IEEE's."""
        return gmpy2.context(
            precision=self.form.precision,
            emax=self.form.emax + 1,
            emin=self.form.quantum + 1,
            subnormalize=True,
            round=_ROUND[self.mode],
        )


def rounded_operation(name: str, form: Format, mode: Rounding) -> Callable[..., tuple[Mpfr, ...]]:
    """The built-in ``name`` as a function of Python floats and ints, numbers of ``form``.

    It returns all results, correctly rounded in ``mode``: mpfr numbers and floats of ``form``, and ints.
    """
    evaluate = operation(name, _InFormat(form, form.precision, downward=mode == "rtn", mode=mode))

    def rounded(*args: object) -> tuple[Mpfr, ...]:
        callers = gmpy2.get_context()  # of any precision
        gmpy2.set_context(_DEFAULT)
        try:
            found = evaluate(*args)
        finally:
            gmpy2.set_context(callers)
        return found if isinstance(found, tuple) else (found,)

    return rounded
