"""Encodings of numbers as int64, and their values as float64; float and half are without a sign."""

from __future__ import annotations

import numpy as np

from clmath.ir.primitives import *
from clmath.numbers.formats import DOUBLE, FLOAT, HALF, Format
from clmath.numbers.rounded_encodings import DOUBLE_NAN, RTE, half_value, rounded_double, to_float, to_half

__all__ = ["code_of", "decoded", "encoded", "mask_of", "sign_of"]


def code_of(value: float, form: Format) -> int:
    """The encoding, as a signed 64-bit integer, of a number that is known in advance."""
    code = int(form.bits(value))
    return code - (1 << 64) if code >= 1 << 63 else code


def sign_of(form: Format) -> int:
    """The encoding's bit for the sign."""
    return code_of(-0.0, form)


def mask_of(form: Format) -> int:
    """All bits of an encoding."""
    return sign_of(form) | form.magnitude


def decoded(code: Integer, form: Format) -> Real:
    """The numbers with the given encodings; only NumPy decodes formats of other packages."""
    if form is DOUBLE:
        return from_bits(code)
    if form is FLOAT:
        return from_float_bits(code)
    return half_value(code) if form is HALF else form.from_bits(code.astype(form.bits_dtype)).astype(np.float64)


def encoded(y: Real, form: Format, mode: int = RTE) -> Integer:
    """The encodings of numbers rounded to the format, in the mode numbered ``mode``; NaN is the canonical one."""
    if form is DOUBLE:
        return select(y != y, DOUBLE_NAN, bits(y))
    if form is FLOAT:
        return to_float(y, mode) & mask_of(form)
    return to_half(y, mode) if form is HALF else rounded_double(y, form, mode)
