"""The half wrapper of OpenCL C++: a number stored as half that takes part in arithmetic."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from clmath import errors, pragmas
from clmath.call import rounded_to_format
from clmath.call.arguments import as_floats, weak
from clmath.functions.math.operators import add, div, mul, sub
from clmath.numbers.formats import DOUBLE, HALF, format_of, is_float

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike

    from clmath.typing import Floats, Ints

__all__ = ["fp16"]


def _both(
    symbol: str, operation: Callable[[Floats, Floats], Floats]
) -> tuple[Callable[[fp16, object], fp16], Callable[[fp16, object], fp16]]:
    """Return the methods of an operator with an fp16 on its left, and on its right."""

    def left(h: fp16, r: object) -> fp16:
        return fp16(operation(h.value, _half(f"fp16 {symbol}", r)))

    def right(h: fp16, r: object) -> fp16:
        return fp16(operation(_half(f"fp16 {symbol}", r), h.value))

    return left, right


def _comparison(symbol: str, comparison: Callable[[Floats, Floats], Ints]) -> Callable[[fp16, object], Ints]:
    """Return the method that compares the numbers, but leaves an operand that is not a number to its own class."""

    def compared(h: fp16, r: object) -> Ints:
        if not isinstance(r, (fp16, int)):
            dtype = np.asarray(r).dtype
            if dtype.kind not in "biufc" and not is_float(dtype):
                return NotImplemented
        return comparison(h.value, _half(f"fp16 {symbol}", r))

    return compared


class fp16:  # noqa: N801 - the specification's name
    """A value, or an array of values, stored as half: ``cl::fp16``.

    ``fp16(r)`` rounds ``r``, half, float or double of any shape (a Python number is a double), to half in the mode in
    force, as ``vstore_half`` does. ``+ - * /`` take another fp16 or an argument of ``fp16``, which is rounded to half
    first, and return an fp16: the exact result rounded once, in the mode in force. (The float arithmetic between
    ``vload_half`` and ``vstore_half`` that the specification allows gives the same numbers.) ``h += 1.0`` is ``++h``.
    ``-h``, ``+h`` and ``abs(h)`` are exact. Comparisons compare the numbers, element by element: NaN is unequal to all,
    -0 equals 0; an object that is not a number, such as None, is unequal and has no order. ``bool(h)`` is h != 0.
    An fp16 has no hash: all numbers that round to h equal it.

    ``h.value`` is the half, ``float(h)`` a Python float, ``convert(h, "float")`` a float; values never change.
    ``f"{h:.2f}"`` formats the number, or every number of an array.
    TypeError: integers, or anything else that is not floating point. Source: OpenCL C++ 1.0, 3.6.

    >>> third = fp16(1.0) / fp16(3.0)
    >>> third, third == np.float16(1 / 3), float(third * 3.0)
    (fp16(0.3333), np.True_, 1.0)
    """

    __slots__ = ("value",)
    __array_ufunc__ = None  # a NumPy operand leaves the operator to this class
    __pandas_priority__ = 5000  # so do a Series and a DataFrame, which would take an fp16 for a scalar

    value: Floats
    """The stored half: a NumPy scalar, or a read-only array."""

    def __init__(self, r: object, /) -> None:
        object.__setattr__(self, "value", _half("fp16()", r))

    def __setattr__(self, name: str, value: object) -> None:
        fact = f"{name} cannot be set to {errors.shown(value)}; an fp16 never changes"
        raise AttributeError(f"fp16: {fact}: make a new one")

    def __reduce__(self) -> tuple[type[fp16], tuple[Floats]]:
        return fp16, (self.value,)

    def __repr__(self) -> str:
        return f"fp16({np.array2string(np.asarray(self.value), separator=', ')})"

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        numbers = np.asarray(self.value, np.float64)
        return np.array2string(numbers, formatter={"float_kind": lambda x: format(float(x), spec)}, separator=", ")

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.value, dtype, copy=copy)

    def __bool__(self) -> bool:
        return bool(self.value != 0)

    def __float__(self) -> float:
        return float(self.value)

    def __neg__(self) -> fp16:
        return fp16(-self.value)

    def __pos__(self) -> fp16:
        return self

    def __abs__(self) -> fp16:
        return fp16(np.abs(self.value))

    __add__, __radd__ = _both("+", add)
    __sub__, __rsub__ = _both("-", sub)
    __mul__, __rmul__ = _both("*", mul)
    __truediv__, __rtruediv__ = _both("/", div)

    __eq__ = _comparison("==", operator.eq)
    __ne__ = _comparison("!=", operator.ne)
    __lt__ = _comparison("<", operator.lt)
    __le__ = _comparison("<=", operator.le)
    __gt__ = _comparison(">", operator.gt)
    __ge__ = _comparison(">=", operator.ge)
    __hash__ = None  # type: ignore[assignment]  # all numbers that round to an fp16 equal it


def _half(call: str, r: object) -> Floats:
    """Return ``r`` as a half scalar or a read-only array of halves, rounded in the mode in force."""
    if isinstance(r, fp16):
        return r.value
    array = weak(call, "r", r, DOUBLE) if type(r) is int else as_floats(call, "r", r)
    if format_of(array.dtype) is None:
        raise errors.wrong_dtype(call, "r", array.dtype, "half, float or double", errors.conversion("r", "half"))
    stored = rounded_to_format(array, HALF, pragmas.rounding_mode())
    stored.flags.writeable = False
    return stored[()]
