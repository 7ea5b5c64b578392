"""The values of macros: numbers as the text writes them, and constants of mathematics by MPFR."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from types import MappingProxyType

import gmpy2

from clmath.numbers.formats import DOUBLE, FLOAT, HALF, Format

# OpenCL C++ 1.0, 3.26.4 and 3.26.5, as written there
_TEXT = """
FLT_DIG         6
FLT_MANT_DIG    24
FLT_MAX_10_EXP  +38
FLT_MAX_EXP     +128
FLT_MIN_10_EXP  -37
FLT_MIN_EXP     -125
FLT_RADIX       2
FLT_MAX         0x1.fffffep127f
FLT_MIN         0x1.0p-126f
FLT_EPSILON     0x1.0p-23f
DBL_DIG         15
DBL_MANT_DIG    53
DBL_MAX_10_EXP  +308
DBL_MAX_EXP     +1024
DBL_MIN_10_EXP  -307
DBL_MIN_EXP     -1021
DBL_MAX         0x1.fffffffffffffp1023
DBL_MIN         0x1.0p-1022
DBL_EPSILON     0x1.0p-52
HALF_DIG        3
HALF_MANT_DIG   11
HALF_MAX_10_EXP +4
HALF_MAX_EXP    +16
HALF_MIN_10_EXP -4
HALF_MIN_EXP    -13
HALF_RADIX      2
HALF_MAX        0x1.ffcp15h
HALF_MIN        0x1.0p-14h
HALF_EPSILON    0x1.0p-10h
CHAR_BIT    8
CHAR_MAX    127
CHAR_MIN    -128
INT_MAX     2147483647
INT_MIN     -2147483648
LONG_MAX    0x7fffffffffffffff
LONG_MIN    -0x8000000000000000
SCHAR_MAX   127
SCHAR_MIN   -128
SHRT_MAX    32767
SHRT_MIN    -32768
UCHAR_MAX   255
USHRT_MAX   65535
UINT_MAX    0xffffffff
ULONG_MAX   0xffffffffffffffff
"""


def _number(spelled: str) -> int | float:
    """The number that the text writes: a hexadecimal float, with a suffix or none, or an integer."""
    if "p" not in spelled:
        return int(spelled, 0)
    return float.fromhex(spelled.rstrip("fh"))  # digits after a p are decimal


NUMBERS: Mapping[str, int | float] = MappingProxyType(
    {name: _number(spelled) for name, spelled in map(str.split, _TEXT.strip().splitlines())}
)
"""The limits of formats and of integer types, by name."""

_OTHERS: Mapping[str, int | float] = MappingProxyType(
    {
        "MAXFLOAT": FLOAT.largest,
        "HUGE_VALF": math.inf,
        "HUGE_VAL": math.inf,
        "INFINITY": math.inf,
        "NAN": math.nan,
        "FP_ILOGB0": -(2**31),
        "FP_ILOGBNAN": 2**31 - 1,
        "HAS_HALF_FP_DENORM": 1,
        "HAS_SINGLE_FP_DENORM": 1,
        "HAS_DOUBLE_FP_DENORM": 1,
    }
)
_FORMATS: Mapping[str, Format] = MappingProxyType({"_H": HALF, "_F": FLOAT, "": DOUBLE})
_BITS = 300


@functools.cache
def exact_constants() -> Mapping[str, object]:
    """The constants of mathematics to 300 bits, by the middle of their names."""
    with gmpy2.context(precision=_BITS):
        pi, one, two = gmpy2.const_pi(), gmpy2.mpfr(1), gmpy2.mpfr(2)
        e, ten = gmpy2.exp(one), gmpy2.mpfr(10)
        of_logarithms = {"E": e, "LOG2E": gmpy2.log2(e), "LOG10E": gmpy2.log10(e), "LN2": gmpy2.log(two)}
        of_pi = {"PI": pi, "PI_2": pi / 2, "PI_4": pi / 4, "1_PI": 1 / pi, "2_PI": 2 / pi}
        of_roots = {"SQRT2": gmpy2.sqrt(two), "SQRT1_2": 1 / gmpy2.sqrt(two), "2_SQRTPI": 2 / gmpy2.sqrt(pi)}
        return MappingProxyType({**of_logarithms, "LN10": gmpy2.log(ten), **of_pi, **of_roots})


def value(name: str) -> int | float:
    """The value of a macro, in its type."""
    known = {**NUMBERS, **_OTHERS}
    return known[name] if name in known else _rounded_constant(name.removeprefix("M_"))


def _rounded_constant(name: str) -> float:
    suffix = next(suffix for suffix in _FORMATS if name.endswith(suffix))
    with gmpy2.context(precision=_FORMATS[suffix].precision):
        return float(gmpy2.mpfr(exact_constants()[name.removesuffix(suffix)], _FORMATS[suffix].precision))
