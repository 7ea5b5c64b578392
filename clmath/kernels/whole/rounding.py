"""The last step of whole built-ins: parts of an exact value to the encoding of a number, and that as a value again.

``form`` and ``mode``, by its number, are known when the text of a loop is written. The parts are as in the phases: hi,
lo and the exponent for double; for a narrow format hi alone, a double that rounds alike.

A format's name after ``moderate`` means numbers of it whose results are known to be normal numbers of the format, or
zeros, or infinite or NaN where a divisor is zero: they take fewer operations. Exponents of their parts are 0.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from clmath.ir.primitives import *
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounded_encodings import (
    DOUBLE_NAN,
    RTE,
    half_value,
    saturated,
    to_digits_of_float,
    to_double,
    to_float,
    to_half,
    to_normal_double,
)
from clmath.numbers.rounding import MODES, narrow

MODERATE_DOUBLE, MODERATE_FLOAT = "moderate double", "moderate float"
DOUBLES = frozenset({"double", MODERATE_DOUBLE})

Exact: TypeAlias = "tuple[Real, Real | float, Integer | int]"
"""The parts of an exact value, (hi + lo) 2^exponent."""


def is_array(value: object) -> bool:
    """Whether a function runs on arrays: NumPy computes some results in fewer operations."""
    return isinstance(value, np.ndarray)


def coded(form: str, mode: int, hi: Real, lo: Real | float = 0.0, exponent: Integer | int = 0) -> Integer:
    """The encoding of the value with these parts, rounded in ``mode``."""
    if form in DOUBLES:
        assert not isinstance(lo, float)  # of doubles that are rounded
        if form == "double":
            return (_array_to_double if is_array(hi) else to_double)(hi, lo, exponent, mode)
        return exactly(form, hi) if mode == RTE else to_normal_double(hi, lo, 0.0, 0, mode)[0]
    if form == MODERATE_FLOAT:
        return float_bits(to_digits_of_float(hi, mode))
    if form == "half":
        return to_half(hi, mode)
    if is_array(hi):  # the conversion of NumPy takes a fifth of the time
        return narrow(hi, FLOAT, MODES[mode]).view(np.int32).astype(np.int64)
    return to_float(hi, mode)


def _array_to_double(hi: Real, lo: Real, exponent: Integer | int, mode: int) -> Integer:
    """``to_double``: normal numbers, and results far out of range, take a third of the operations or less."""
    code, others = to_normal_double(hi, lo, 0.0, exponent, mode)
    left = np.nonzero(others | ((hi == 0.0) & (exponent != 0)))  # a sum that cancels has any exponent
    if left[0].size:
        high, low, place = (np.broadcast_to(part, hi.shape)[left] for part in (hi, lo, exponent))
        found, known = saturated(high, place, mode)
        rest = np.nonzero(~known)
        found[rest] = to_double(high[rest], low[rest], place[rest], mode)
        code[left] = found
    return code


def exactly(form: str, value: Real) -> Integer:
    """The encoding of a ``value`` that is a number of the format; NaN is the canonical one."""
    if form in DOUBLES:
        return select(value != value, DOUBLE_NAN, bits(value))
    if form == MODERATE_FLOAT:
        return float_bits(value)
    return coded(form, RTE, value)


def value_of(form: str, code: Integer) -> Real:
    """The number with this encoding."""
    if form in DOUBLES:
        return from_bits(code)
    return half_value(code) if form == "half" else from_float_bits(code)


def rounded(form: str, mode: int, hi: Real, lo: Real | float = 0.0, exponent: Integer | int = 0) -> Real:
    """The value with these parts, rounded in ``mode``, as a double."""
    if form == MODERATE_FLOAT:
        return to_digits_of_float(hi, mode)
    if form == "float" and is_array(hi):
        return narrow(hi, FLOAT, MODES[mode]).astype(np.float64)
    return value_of(form, coded(form, mode, hi, lo, exponent))
