"""Constants of the specification's macros; test_limits.py has the mathematical constants."""

from __future__ import annotations

import decimal
from fractions import Fraction

import numpy as np

from clmath import constants
from clmath.reference.bitwise.macros import NUMBERS
from tests.cases import for_each

INTEGERS = {"CHAR": "i1", "SCHAR": "i1", "SHRT": "i2", "INT": "i4", "LONG": "i8"}
INTEGERS |= {"UCHAR": "u1", "USHRT": "u2", "UINT": "u4", "ULONG": "u8"}
FORMATS = {"HALF": "f2", "FLT": "f4", "DBL": "f8"}

MATHEMATICS = "E LOG2E LOG10E LN2 LN10 PI PI_2 PI_4 1_PI 2_PI 2_SQRTPI SQRT2 SQRT1_2"


@for_each("name", NUMBERS)
def test_macros_have_the_specified_values_and_types(name):
    value, (kind, _, rest) = getattr(constants, name), name.partition("_")
    assert value.item() == NUMBERS[name]
    if kind in FORMATS and rest in ("MAX", "MIN", "EPSILON"):
        assert value.dtype == FORMATS[kind]
    else:
        assert value.dtype == ("i4" if kind in FORMATS or rest == "BIT" else INTEGERS[kind])
    of_host = getattr(constants, f"CL_{name}")  # the name in host programs
    assert (type(value), value.tobytes()) == (type(of_host), of_host.tobytes())


def test_decimal_exponents_follow_their_definition():
    for kind, dtype in FORMATS.items():
        info = np.finfo(dtype)
        largest, least = (Fraction(decimal.Decimal(float(v))) for v in (info.max, info.smallest_normal))
        most, fewest = (int(getattr(constants, f"{kind}_{end}_10_EXP")) for end in ("MAX", "MIN"))
        assert Fraction(10) ** most <= largest < Fraction(10) ** (most + 1)
        assert Fraction(10) ** (fewest - 1) < least <= Fraction(10) ** fewest


def test_symbolic_constants_have_values_and_types():
    assert np.finfo(np.float32).max == constants.MAXFLOAT
    for name, kind in (("HUGE_VALF", np.float32), ("INFINITY", np.float32), ("HUGE_VAL", np.float64)):
        assert type(getattr(constants, name)) is kind
        assert getattr(constants, name) == np.inf
    assert type(constants.MAXFLOAT) is type(constants.NAN) is np.float32
    bits = int(constants.NAN.view(np.uint32))
    assert bits & 0x7FC00000 == 0x7FC00000  # quiet, as the leading bit of the fraction is set


def test_ilogb_constants_are_allowed_values():
    assert int(constants.FP_ILOGB0) in (-(2**31), -(2**31) + 1)
    assert int(constants.FP_ILOGBNAN) in (-(2**31), 2**31 - 1)
    assert constants.FP_ILOGB0.dtype == constants.FP_ILOGBNAN.dtype == np.int32


def test_fast_fma_macros_are_false():
    assert (constants.FP_FAST_FMA, constants.FP_FAST_FMAF, constants.FP_FAST_FMA_HALF) == (False, False, False)


def test_every_constant_is_listed_once():
    public = {n for n in vars(constants) if n.isupper() and n not in ("HALF", "FLOAT", "DOUBLE", "TYPE_CHECKING")}
    assert sorted(constants.__all__) == sorted(public)
    expected = {
        *NUMBERS,
        *(f"CL_{n}" for n in NUMBERS),
        *(f"M_{n}{s}" for n in MATHEMATICS.split() for s in ("_H", "_F", "")),
    }
    assert expected <= public
