"""The last step of whole built-ins: parts of an exact value to the encoding of a number, and that as a value again.

``form`` and ``mode``, by its number, are known when the text of a loop is written. The parts are as in the phases: for
a narrow format one double that rounds alike, for double hi, lo and the exponent.

A format's name after ``moderate`` means numbers of it whose results are known to be normal numbers of the format, or
zeros, or infinite or NaN where a divisor is zero: they take fewer operations. Exponents of their parts are 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clmath.ir.lanes import *
from clmath.numbers.formats import FLOAT
from clmath.numbers.lane_rounding import (
    DOUBLE_NAN,
    RTE,
    half_value,
    to_digits_of_float,
    to_double,
    to_float,
    to_half,
    to_normal_double,
)
from clmath.numbers.rounding import MODES, narrow

MODERATE_DOUBLE, MODERATE_FLOAT = "moderate double", "moderate float"
DOUBLES = frozenset({"double", MODERATE_DOUBLE})


def is_array(value: object) -> bool:
    """Whether a function runs on arrays: NumPy computes some results in fewer operations."""
    return isinstance(value, np.ndarray)


def coded(form: str, mode: int, parts: Any) -> Integer:
    """The encoding of the value with these ``parts``, rounded in ``mode``."""
    if form == "double":
        hi, lo, exponent = parts
        return to_double(hi, lo, exponent, mode)
    if form == MODERATE_DOUBLE:
        return exactly(form, parts[0]) if mode == RTE else to_normal_double(parts[0], parts[1], 0.0, 0, mode)[0]
    if form == MODERATE_FLOAT:
        return float_bits(to_digits_of_float(parts[0], mode))
    if form == "half":
        return to_half(parts[0], mode)
    if is_array(parts[0]):  # the conversion of NumPy takes a fifth of the time
        return narrow(parts[0], FLOAT, MODES[mode]).view(np.int32).astype(np.int64)
    return to_float(parts[0], mode)


def exactly(form: str, value: Real) -> Integer:
    """The encoding of a ``value`` that is a number of the format; NaN is the canonical one."""
    if form in DOUBLES:
        return select(value != value, DOUBLE_NAN, bits(value))
    if form == MODERATE_FLOAT:
        return float_bits(value)
    return coded(form, RTE, (value,))


def value_of(form: str, code: Integer) -> Real:
    """The number with this encoding."""
    if form in DOUBLES:
        return from_bits(code)
    return half_value(code) if form == "half" else from_float_bits(code)


def rounded(form: str, mode: int, parts: Any) -> Real:
    """The value with these ``parts``, rounded in ``mode``, as a double."""
    if form == MODERATE_FLOAT:
        return to_digits_of_float(parts[0], mode)
    if form == "float" and is_array(parts[0]):
        return narrow(parts[0], FLOAT, MODES[mode]).astype(np.float64)
    return value_of(form, coded(form, mode, parts))
