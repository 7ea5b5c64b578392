"""Limits, symbolic constants and mathematical constants, each a scalar of the type that the specification gives it.

Source: OpenCL C++ 1.0, 3.26.3 (subnormal numbers), 3.26.4 (floating-point limits), 3.26.5 (integer limits) and 3.27
(mathematical constants), and "Macros and Limits" of OpenCL C. Half, float and double are ``np.float16``, ``np.float32``
and ``np.float64``; char to ulong are ``np.int8`` to ``np.uint64``; a constant without a type in the specification is an
int, ``np.int32``. Names that start with ``CL_`` are the names of the constants in applications.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from clmath.numbers.formats import DOUBLE, FLOAT, HALF

if TYPE_CHECKING:
    from clmath.numbers.formats import Format

__all__ = [  # noqa: RUF022 - the order of the specification
    "HALF_DIG",
    "HALF_MANT_DIG",
    "HALF_MAX_10_EXP",
    "HALF_MAX_EXP",
    "HALF_MIN_10_EXP",
    "HALF_MIN_EXP",
    "HALF_RADIX",
    "HALF_MAX",
    "HALF_MIN",
    "HALF_EPSILON",
    "FLT_DIG",
    "FLT_MANT_DIG",
    "FLT_MAX_10_EXP",
    "FLT_MAX_EXP",
    "FLT_MIN_10_EXP",
    "FLT_MIN_EXP",
    "FLT_RADIX",
    "FLT_MAX",
    "FLT_MIN",
    "FLT_EPSILON",
    "DBL_DIG",
    "DBL_MANT_DIG",
    "DBL_MAX_10_EXP",
    "DBL_MAX_EXP",
    "DBL_MIN_10_EXP",
    "DBL_MIN_EXP",
    "DBL_MAX",
    "DBL_MIN",
    "DBL_EPSILON",
    "MAXFLOAT",
    "HUGE_VALF",
    "INFINITY",
    "NAN",
    "HUGE_VAL",
    "CHAR_BIT",
    "CHAR_MAX",
    "CHAR_MIN",
    "SCHAR_MAX",
    "SCHAR_MIN",
    "SHRT_MAX",
    "SHRT_MIN",
    "INT_MAX",
    "INT_MIN",
    "LONG_MAX",
    "LONG_MIN",
    "UCHAR_MAX",
    "USHRT_MAX",
    "UINT_MAX",
    "ULONG_MAX",
    "FP_ILOGB0",
    "FP_ILOGBNAN",
    "FP_FAST_FMA_HALF",
    "FP_FAST_FMAF",
    "FP_FAST_FMA",
    "HAS_HALF_FP_DENORM",
    "HAS_SINGLE_FP_DENORM",
    "HAS_DOUBLE_FP_DENORM",
    "M_E_H",
    "M_LOG2E_H",
    "M_LOG10E_H",
    "M_LN2_H",
    "M_LN10_H",
    "M_PI_H",
    "M_PI_2_H",
    "M_PI_4_H",
    "M_1_PI_H",
    "M_2_PI_H",
    "M_2_SQRTPI_H",
    "M_SQRT2_H",
    "M_SQRT1_2_H",
    "M_E_F",
    "M_LOG2E_F",
    "M_LOG10E_F",
    "M_LN2_F",
    "M_LN10_F",
    "M_PI_F",
    "M_PI_2_F",
    "M_PI_4_F",
    "M_1_PI_F",
    "M_2_PI_F",
    "M_2_SQRTPI_F",
    "M_SQRT2_F",
    "M_SQRT1_2_F",
    "M_E",
    "M_LOG2E",
    "M_LOG10E",
    "M_LN2",
    "M_LN10",
    "M_PI",
    "M_PI_2",
    "M_PI_4",
    "M_1_PI",
    "M_2_PI",
    "M_2_SQRTPI",
    "M_SQRT2",
    "M_SQRT1_2",
    "CL_HALF_DIG",
    "CL_HALF_MANT_DIG",
    "CL_HALF_MAX_10_EXP",
    "CL_HALF_MAX_EXP",
    "CL_HALF_MIN_10_EXP",
    "CL_HALF_MIN_EXP",
    "CL_HALF_RADIX",
    "CL_HALF_MAX",
    "CL_HALF_MIN",
    "CL_HALF_EPSILON",
    "CL_FLT_DIG",
    "CL_FLT_MANT_DIG",
    "CL_FLT_MAX_10_EXP",
    "CL_FLT_MAX_EXP",
    "CL_FLT_MIN_10_EXP",
    "CL_FLT_MIN_EXP",
    "CL_FLT_RADIX",
    "CL_FLT_MAX",
    "CL_FLT_MIN",
    "CL_FLT_EPSILON",
    "CL_DBL_DIG",
    "CL_DBL_MANT_DIG",
    "CL_DBL_MAX_10_EXP",
    "CL_DBL_MAX_EXP",
    "CL_DBL_MIN_10_EXP",
    "CL_DBL_MIN_EXP",
    "CL_DBL_MAX",
    "CL_DBL_MIN",
    "CL_DBL_EPSILON",
    "CL_CHAR_BIT",
    "CL_CHAR_MAX",
    "CL_CHAR_MIN",
    "CL_SCHAR_MAX",
    "CL_SCHAR_MIN",
    "CL_SHRT_MAX",
    "CL_SHRT_MIN",
    "CL_INT_MAX",
    "CL_INT_MIN",
    "CL_LONG_MAX",
    "CL_LONG_MIN",
    "CL_UCHAR_MAX",
    "CL_USHRT_MAX",
    "CL_UINT_MAX",
    "CL_ULONG_MAX",
]


def _digits(form: Format) -> np.int32:
    """Return the number of decimal digits that survive a round trip through ``form``."""
    return np.int32(math.floor((form.precision - 1) * math.log10(2.0)))


def _least_decade(form: Format) -> np.int32:
    """Return the smallest n with 10^n a normal number of ``form``."""
    return np.int32(math.ceil(form.emin * math.log10(2.0)))


def _largest_decade(form: Format) -> np.int32:
    """Return the largest n with 10^n a finite number of ``form``."""
    return np.int32(math.floor(math.log10(form.largest)))


HALF_DIG: Final[np.int32] = _digits(HALF)
"""Decimal digits that every half keeps."""

HALF_MANT_DIG: Final[np.int32] = np.int32(HALF.precision)
"""Bits of the significand of a half."""

HALF_MAX_10_EXP: Final[np.int32] = _largest_decade(HALF)
"""The largest n with 10^n a finite half."""

HALF_MAX_EXP: Final[np.int32] = np.int32(HALF.emax + 1)
"""The largest n with 2^(n-1) a finite half."""

HALF_MIN_10_EXP: Final[np.int32] = _least_decade(HALF)
"""The smallest n with 10^n a normal half."""

HALF_MIN_EXP: Final[np.int32] = np.int32(HALF.emin + 1)
"""The smallest n with 2^(n-1) a normal half."""

HALF_RADIX: Final[np.int32] = np.int32(2)
"""Base of the exponent of a half."""

HALF_MAX: Final[np.float16] = np.float16(HALF.largest)
"""The largest finite half."""

HALF_MIN: Final[np.float16] = np.float16(HALF.smallest_normal)
"""The smallest positive normal half."""

HALF_EPSILON: Final[np.float16] = np.float16(HALF.eps)
"""Distance from 1 to the next larger half."""

FLT_DIG: Final[np.int32] = _digits(FLOAT)
"""Decimal digits that every float keeps."""

FLT_MANT_DIG: Final[np.int32] = np.int32(FLOAT.precision)
"""Bits of the significand of a float."""

FLT_MAX_10_EXP: Final[np.int32] = _largest_decade(FLOAT)
"""The largest n with 10^n a finite float."""

FLT_MAX_EXP: Final[np.int32] = np.int32(FLOAT.emax + 1)
"""The largest n with 2^(n-1) a finite float."""

FLT_MIN_10_EXP: Final[np.int32] = _least_decade(FLOAT)
"""The smallest n with 10^n a normal float."""

FLT_MIN_EXP: Final[np.int32] = np.int32(FLOAT.emin + 1)
"""The smallest n with 2^(n-1) a normal float."""

FLT_RADIX: Final[np.int32] = np.int32(2)
"""Base of the exponent of a float."""

FLT_MAX: Final[np.float32] = np.float32(FLOAT.largest)
"""The largest finite float."""

FLT_MIN: Final[np.float32] = np.float32(FLOAT.smallest_normal)
"""The smallest positive normal float."""

FLT_EPSILON: Final[np.float32] = np.float32(FLOAT.eps)
"""Distance from 1 to the next larger float."""

DBL_DIG: Final[np.int32] = _digits(DOUBLE)
"""Decimal digits that every double keeps."""

DBL_MANT_DIG: Final[np.int32] = np.int32(DOUBLE.precision)
"""Bits of the significand of a double."""

DBL_MAX_10_EXP: Final[np.int32] = _largest_decade(DOUBLE)
"""The largest n with 10^n a finite double."""

DBL_MAX_EXP: Final[np.int32] = np.int32(DOUBLE.emax + 1)
"""The largest n with 2^(n-1) a finite double."""

DBL_MIN_10_EXP: Final[np.int32] = _least_decade(DOUBLE)
"""The smallest n with 10^n a normal double."""

DBL_MIN_EXP: Final[np.int32] = np.int32(DOUBLE.emin + 1)
"""The smallest n with 2^(n-1) a normal double."""

DBL_MAX: Final[np.float64] = np.float64(DOUBLE.largest)
"""The largest finite double."""

DBL_MIN: Final[np.float64] = np.float64(DOUBLE.smallest_normal)
"""The smallest positive normal double."""

DBL_EPSILON: Final[np.float64] = np.float64(DOUBLE.eps)
"""Distance from 1 to the next larger double."""

MAXFLOAT: Final[np.float32] = FLT_MAX
"""The largest finite float."""

HUGE_VALF: Final[np.float32] = np.float32(np.inf)
"""+infinity, a float: the error value of the math functions."""

INFINITY: Final[np.float32] = np.float32(np.inf)
"""+infinity, a float."""

NAN: Final[np.float32] = np.float32(np.nan)
"""A quiet NaN, a float."""

HUGE_VAL: Final[np.float64] = np.float64(np.inf)
"""+infinity, a double: the error value of the math functions."""

CHAR_BIT: Final[np.int32] = np.int32(8)
"""Bits of a char."""

CHAR_MAX: Final[np.int8] = np.int8(np.iinfo(np.int8).max)
"""The largest char."""

CHAR_MIN: Final[np.int8] = np.int8(np.iinfo(np.int8).min)
"""The smallest char."""

SCHAR_MAX: Final[np.int8] = np.int8(np.iinfo(np.int8).max)
"""The largest signed char."""

SCHAR_MIN: Final[np.int8] = np.int8(np.iinfo(np.int8).min)
"""The smallest signed char."""

SHRT_MAX: Final[np.int16] = np.int16(np.iinfo(np.int16).max)
"""The largest short."""

SHRT_MIN: Final[np.int16] = np.int16(np.iinfo(np.int16).min)
"""The smallest short."""

INT_MAX: Final[np.int32] = np.int32(np.iinfo(np.int32).max)
"""The largest int."""

INT_MIN: Final[np.int32] = np.int32(np.iinfo(np.int32).min)
"""The smallest int."""

LONG_MAX: Final[np.int64] = np.int64(np.iinfo(np.int64).max)
"""The largest long."""

LONG_MIN: Final[np.int64] = np.int64(np.iinfo(np.int64).min)
"""The smallest long."""

UCHAR_MAX: Final[np.uint8] = np.uint8(np.iinfo(np.uint8).max)
"""The largest uchar."""

USHRT_MAX: Final[np.uint16] = np.uint16(np.iinfo(np.uint16).max)
"""The largest ushort."""

UINT_MAX: Final[np.uint32] = np.uint32(np.iinfo(np.uint32).max)
"""The largest uint."""

ULONG_MAX: Final[np.uint64] = np.uint64(np.iinfo(np.uint64).max)
"""The largest ulong."""

FP_ILOGB0: Final[np.int32] = INT_MIN
"""Result of ``ilogb(±0)``; the specification allows INT_MIN and -INT_MAX."""

FP_ILOGBNAN: Final[np.int32] = INT_MAX
"""Result of ``ilogb(NaN)``; the specification allows INT_MAX and INT_MIN."""

FP_FAST_FMA_HALF: Final[bool] = False
"""Whether ``fma`` of half is as fast as a multiply and an add; it is not, and OpenCL C then defines no macro."""

FP_FAST_FMAF: Final[bool] = False
"""Whether ``fma`` of float is as fast as a multiply and an add; it is not, and OpenCL C then defines no macro."""

FP_FAST_FMA: Final[bool] = False
"""Whether ``fma`` of double is as fast as a multiply and an add; it is not, and OpenCL C then defines no macro."""

HAS_HALF_FP_DENORM: Final[bool] = True
"""Whether half has subnormal numbers, ``numeric_limits("half").has_denorm``; devices without them define no macro."""

HAS_SINGLE_FP_DENORM: Final[bool] = True
"""Whether float has subnormal numbers, ``numeric_limits("float").has_denorm``; devices without them define no macro."""

HAS_DOUBLE_FP_DENORM: Final[bool] = True
"""Whether double has subnormal numbers, ``numeric_limits("double").has_denorm``; devices without define no macro."""

M_E_H: Final[np.float16] = np.float16(float.fromhex("0x1.5cp+1"))
"""The half nearest to e."""

M_LOG2E_H: Final[np.float16] = np.float16(float.fromhex("0x1.714p+0"))
"""The half nearest to log2(e)."""

M_LOG10E_H: Final[np.float16] = np.float16(float.fromhex("0x1.bccp-2"))
"""The half nearest to log10(e)."""

M_LN2_H: Final[np.float16] = np.float16(float.fromhex("0x1.63p-1"))
"""The half nearest to ln(2)."""

M_LN10_H: Final[np.float16] = np.float16(float.fromhex("0x1.26cp+1"))
"""The half nearest to ln(10)."""

M_PI_H: Final[np.float16] = np.float16(float.fromhex("0x1.92p+1"))
"""The half nearest to π."""

M_PI_2_H: Final[np.float16] = np.float16(float.fromhex("0x1.92p+0"))
"""The half nearest to π / 2."""

M_PI_4_H: Final[np.float16] = np.float16(float.fromhex("0x1.92p-1"))
"""The half nearest to π / 4."""

M_1_PI_H: Final[np.float16] = np.float16(float.fromhex("0x1.46p-2"))
"""The half nearest to 1 / π."""

M_2_PI_H: Final[np.float16] = np.float16(float.fromhex("0x1.46p-1"))
"""The half nearest to 2 / π."""

M_2_SQRTPI_H: Final[np.float16] = np.float16(float.fromhex("0x1.20cp+0"))
"""The half nearest to 2 / √π."""

M_SQRT2_H: Final[np.float16] = np.float16(float.fromhex("0x1.6ap+0"))
"""The half nearest to √2."""

M_SQRT1_2_H: Final[np.float16] = np.float16(float.fromhex("0x1.6ap-1"))
"""The half nearest to √(1/2)."""

M_E_F: Final[np.float32] = np.float32(float.fromhex("0x1.5bf0a8p+1"))
"""The float nearest to e."""

M_LOG2E_F: Final[np.float32] = np.float32(float.fromhex("0x1.715476p+0"))
"""The float nearest to log2(e)."""

M_LOG10E_F: Final[np.float32] = np.float32(float.fromhex("0x1.bcb7b2p-2"))
"""The float nearest to log10(e)."""

M_LN2_F: Final[np.float32] = np.float32(float.fromhex("0x1.62e43p-1"))
"""The float nearest to ln(2)."""

M_LN10_F: Final[np.float32] = np.float32(float.fromhex("0x1.26bb1cp+1"))
"""The float nearest to ln(10)."""

M_PI_F: Final[np.float32] = np.float32(float.fromhex("0x1.921fb6p+1"))
"""The float nearest to π."""

M_PI_2_F: Final[np.float32] = np.float32(float.fromhex("0x1.921fb6p+0"))
"""The float nearest to π / 2."""

M_PI_4_F: Final[np.float32] = np.float32(float.fromhex("0x1.921fb6p-1"))
"""The float nearest to π / 4."""

M_1_PI_F: Final[np.float32] = np.float32(float.fromhex("0x1.45f306p-2"))
"""The float nearest to 1 / π."""

M_2_PI_F: Final[np.float32] = np.float32(float.fromhex("0x1.45f306p-1"))
"""The float nearest to 2 / π."""

M_2_SQRTPI_F: Final[np.float32] = np.float32(float.fromhex("0x1.20dd76p+0"))
"""The float nearest to 2 / √π."""

M_SQRT2_F: Final[np.float32] = np.float32(float.fromhex("0x1.6a09e6p+0"))
"""The float nearest to √2."""

M_SQRT1_2_F: Final[np.float32] = np.float32(float.fromhex("0x1.6a09e6p-1"))
"""The float nearest to √(1/2)."""

M_E: Final[np.float64] = np.float64(float.fromhex("0x1.5bf0a8b145769p+1"))
"""The double nearest to e."""

M_LOG2E: Final[np.float64] = np.float64(float.fromhex("0x1.71547652b82fep+0"))
"""The double nearest to log2(e)."""

M_LOG10E: Final[np.float64] = np.float64(float.fromhex("0x1.bcb7b1526e50ep-2"))
"""The double nearest to log10(e)."""

M_LN2: Final[np.float64] = np.float64(float.fromhex("0x1.62e42fefa39efp-1"))
"""The double nearest to ln(2)."""

M_LN10: Final[np.float64] = np.float64(float.fromhex("0x1.26bb1bbb55516p+1"))
"""The double nearest to ln(10)."""

M_PI: Final[np.float64] = np.float64(float.fromhex("0x1.921fb54442d18p+1"))
"""The double nearest to π."""

M_PI_2: Final[np.float64] = np.float64(float.fromhex("0x1.921fb54442d18p+0"))
"""The double nearest to π / 2."""

M_PI_4: Final[np.float64] = np.float64(float.fromhex("0x1.921fb54442d18p-1"))
"""The double nearest to π / 4."""

M_1_PI: Final[np.float64] = np.float64(float.fromhex("0x1.45f306dc9c883p-2"))
"""The double nearest to 1 / π."""

M_2_PI: Final[np.float64] = np.float64(float.fromhex("0x1.45f306dc9c883p-1"))
"""The double nearest to 2 / π."""

M_2_SQRTPI: Final[np.float64] = np.float64(float.fromhex("0x1.20dd750429b6dp+0"))
"""The double nearest to 2 / √π."""

M_SQRT2: Final[np.float64] = np.float64(float.fromhex("0x1.6a09e667f3bcdp+0"))
"""The double nearest to √2."""

M_SQRT1_2: Final[np.float64] = np.float64(float.fromhex("0x1.6a09e667f3bcdp-1"))
"""The double nearest to √(1/2)."""

CL_HALF_DIG: Final[np.int32] = HALF_DIG
"""``HALF_DIG`` in the application."""

CL_HALF_MANT_DIG: Final[np.int32] = HALF_MANT_DIG
"""``HALF_MANT_DIG`` in the application."""

CL_HALF_MAX_10_EXP: Final[np.int32] = HALF_MAX_10_EXP
"""``HALF_MAX_10_EXP`` in the application."""

CL_HALF_MAX_EXP: Final[np.int32] = HALF_MAX_EXP
"""``HALF_MAX_EXP`` in the application."""

CL_HALF_MIN_10_EXP: Final[np.int32] = HALF_MIN_10_EXP
"""``HALF_MIN_10_EXP`` in the application."""

CL_HALF_MIN_EXP: Final[np.int32] = HALF_MIN_EXP
"""``HALF_MIN_EXP`` in the application."""

CL_HALF_RADIX: Final[np.int32] = HALF_RADIX
"""``HALF_RADIX`` in the application."""

CL_HALF_MAX: Final[np.float16] = HALF_MAX
"""``HALF_MAX`` in the application."""

CL_HALF_MIN: Final[np.float16] = HALF_MIN
"""``HALF_MIN`` in the application."""

CL_HALF_EPSILON: Final[np.float16] = HALF_EPSILON
"""``HALF_EPSILON`` in the application."""

CL_FLT_DIG: Final[np.int32] = FLT_DIG
"""``FLT_DIG`` in the application."""

CL_FLT_MANT_DIG: Final[np.int32] = FLT_MANT_DIG
"""``FLT_MANT_DIG`` in the application."""

CL_FLT_MAX_10_EXP: Final[np.int32] = FLT_MAX_10_EXP
"""``FLT_MAX_10_EXP`` in the application."""

CL_FLT_MAX_EXP: Final[np.int32] = FLT_MAX_EXP
"""``FLT_MAX_EXP`` in the application."""

CL_FLT_MIN_10_EXP: Final[np.int32] = FLT_MIN_10_EXP
"""``FLT_MIN_10_EXP`` in the application."""

CL_FLT_MIN_EXP: Final[np.int32] = FLT_MIN_EXP
"""``FLT_MIN_EXP`` in the application."""

CL_FLT_RADIX: Final[np.int32] = FLT_RADIX
"""``FLT_RADIX`` in the application."""

CL_FLT_MAX: Final[np.float32] = FLT_MAX
"""``FLT_MAX`` in the application."""

CL_FLT_MIN: Final[np.float32] = FLT_MIN
"""``FLT_MIN`` in the application."""

CL_FLT_EPSILON: Final[np.float32] = FLT_EPSILON
"""``FLT_EPSILON`` in the application."""

CL_DBL_DIG: Final[np.int32] = DBL_DIG
"""``DBL_DIG`` in the application."""

CL_DBL_MANT_DIG: Final[np.int32] = DBL_MANT_DIG
"""``DBL_MANT_DIG`` in the application."""

CL_DBL_MAX_10_EXP: Final[np.int32] = DBL_MAX_10_EXP
"""``DBL_MAX_10_EXP`` in the application."""

CL_DBL_MAX_EXP: Final[np.int32] = DBL_MAX_EXP
"""``DBL_MAX_EXP`` in the application."""

CL_DBL_MIN_10_EXP: Final[np.int32] = DBL_MIN_10_EXP
"""``DBL_MIN_10_EXP`` in the application."""

CL_DBL_MIN_EXP: Final[np.int32] = DBL_MIN_EXP
"""``DBL_MIN_EXP`` in the application."""

CL_DBL_MAX: Final[np.float64] = DBL_MAX
"""``DBL_MAX`` in the application."""

CL_DBL_MIN: Final[np.float64] = DBL_MIN
"""``DBL_MIN`` in the application."""

CL_DBL_EPSILON: Final[np.float64] = DBL_EPSILON
"""``DBL_EPSILON`` in the application."""

CL_CHAR_BIT: Final[np.int32] = CHAR_BIT
"""``CHAR_BIT`` in the application."""

CL_CHAR_MAX: Final[np.int8] = CHAR_MAX
"""``CHAR_MAX`` in the application."""

CL_CHAR_MIN: Final[np.int8] = CHAR_MIN
"""``CHAR_MIN`` in the application."""

CL_SCHAR_MAX: Final[np.int8] = SCHAR_MAX
"""``SCHAR_MAX`` in the application."""

CL_SCHAR_MIN: Final[np.int8] = SCHAR_MIN
"""``SCHAR_MIN`` in the application."""

CL_SHRT_MAX: Final[np.int16] = SHRT_MAX
"""``SHRT_MAX`` in the application."""

CL_SHRT_MIN: Final[np.int16] = SHRT_MIN
"""``SHRT_MIN`` in the application."""

CL_INT_MAX: Final[np.int32] = INT_MAX
"""``INT_MAX`` in the application."""

CL_INT_MIN: Final[np.int32] = INT_MIN
"""``INT_MIN`` in the application."""

CL_LONG_MAX: Final[np.int64] = LONG_MAX
"""``LONG_MAX`` in the application."""

CL_LONG_MIN: Final[np.int64] = LONG_MIN
"""``LONG_MIN`` in the application."""

CL_UCHAR_MAX: Final[np.uint8] = UCHAR_MAX
"""``UCHAR_MAX`` in the application."""

CL_USHRT_MAX: Final[np.uint16] = USHRT_MAX
"""``USHRT_MAX`` in the application."""

CL_UINT_MAX: Final[np.uint32] = UINT_MAX
"""``UINT_MAX`` in the application."""

CL_ULONG_MAX: Final[np.uint64] = ULONG_MAX
"""``ULONG_MAX`` in the application."""
