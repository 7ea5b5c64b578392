"""Values from books, and exact and rational results."""

import gmpy2
import numpy as np

from clmath import reference
from tests.cases import for_each

KNOWN = [
    # Muller et al., Handbook of Floating-Point Arithmetic: the double nearest to a multiple of π/2
    ("cos", (6381956970095103.0 * 2.0**797,), "-4.68716592425462761112e-19"),
    # sin(10^22), a classic test of argument reduction
    ("sin", (1e22,), "-0.852200849767188801773"),
    # Abramowitz and Stegun, tables 4.2, 6.1, 7.1 and OEIS constants
    ("exp", (1.0,), "2.71828182845904523536"),
    ("log", (2.0,), "0.693147180559945309417"),
    ("log10", (2.0,), "0.301029995663981195214"),
    ("tgamma", (0.5,), "1.7724538509055160273"),
    ("lgamma", (0.5,), "0.572364942924700087072"),
    ("erf", (1.0,), "0.842700792949714869341"),
    ("erfc", (2.0,), "0.00467773498104726583793"),
    ("atan2", (-0.0, -1.0), "-3.14159265358979323846"),
    ("cbrt", (2.0,), "1.25992104989487316477"),
    ("acosh", (2.0,), "1.31695789692481670863"),
    ("sinpi", (0.25,), "0.707106781186547524401"),
    ("degrees", (1.0,), "57.2957795130823208768"),
]


@for_each("name, args, digits", KNOWN)
def test_values_equal_books(name, args, digits):
    assert reference.exact(name, *args).decimal(21) == digits


def test_known_worst_case_of_exp_is_enclosed():
    """In a worst case of Lefèvre and Muller for exp of double the 46 bits after the 54th are equal."""
    x = float.fromhex("0x1.83d4bcdebb3f4p2")
    low, high = reference.exact("exp", x).bracket(160)
    text = f"{int(low.as_mantissa_exp()[0]):b}".ljust(160, "0")
    assert text[54:100] in ("0" * 46, "1" * 46)
    assert low != high


EXACT = [
    ("sinpi", (0.5,), 1.0),
    ("cospi", (1.0,), -1.0),
    ("tanpi", (0.25,), 1.0),
    ("cbrt", (27.0,), 3.0),
    ("pow", (3.0, 5.0), 243.0),
    ("pow", (2.0, -1074.0), 2.0**-1074),
    ("powr", (2.25, 1.5), 3.375),
    ("pown", (-3.0, 3), -27.0),
    ("rootn", (32.0, 5), 2.0),
    ("rootn", (32.0, -5), 0.5),
    ("hypot", (3.0, 4.0), 5.0),
    ("exp2", (10.0,), 1024.0),
    ("exp10", (3.0,), 1000.0),
    ("log2", (8.0,), 3.0),
    ("log10", (1000.0,), 3.0),
    ("tgamma", (5.0,), 24.0),
    ("atan2pi", (1.0, 1.0), 0.25),
    ("acospi", (0.0,), 0.5),
    ("acospi", (-1.0,), 1.0),
    ("atanpi", (-1.0,), -0.25),
    ("rsqrt", (4.0,), 0.5),
    ("exp", (0.0,), 1.0),
    ("lgamma", (1.0,), 0.0),
    ("erfc", (0.0,), 1.0),
    ("length", ((2.0, 3.0, 6.0),), 7.0),
    ("distance", ((1.0, 1.0), (4.0, 5.0)), 5.0),
    ("dot", ((1.0, 2.0), (3.0, 4.0)), 11.0),
    ("smoothstep", (0.0, 4.0, 1.0), 0.15625),
    ("mix", (1.0, 2.0, 0.25), 1.25),
    ("degrees", (-0.0,), 0.0),
    ("radians", (0.0,), 0.0),
]


@for_each("name, args, want", EXACT)
def test_exact_results_have_no_error(name, args, want):
    low, high = reference.exact(name, *args).bracket(120)
    assert low == high == want


RATIONAL = [
    ("asinpi", (0.5,), 1, 6),
    ("acospi", (-0.5,), 2, 3),
    ("acospi", (0.5,), 1, 3),
    ("rootn", (27.0, -3), 1, 3),
    ("div", (1.0, 3.0), 1, 3),
    ("tgamma", (-0.0625,), None, None),
]


@for_each("name, args, top, bottom", RATIONAL)
def test_brackets_contain_rational_values(name, args, top, bottom):
    for bits in (2, 24, 53, 300, 3000):
        low, high = reference.exact(name, *args).bracket(bits)
        assert low < high
        if top:
            assert gmpy2.mpq(low) < gmpy2.mpq(top, bottom) < gmpy2.mpq(high)


def test_normalize_recognises_rational_components():
    three, four, zero = reference.exact("normalize", (3.0, 4.0, -0.0))
    low, high = map(gmpy2.mpq, three.bracket(64))
    assert low < gmpy2.mpq(3, 5) < high
    assert [float(end) for end in four.bracket(200)] == [0.8, 0.8]
    assert np.signbit(float(zero.bracket(30)[0]))
