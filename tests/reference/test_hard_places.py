"""Hard places in all modes by both oracles: cancellations, poles, overflow, underflow, exact results."""

import time
from math import pi

import gmpy2
import numpy as np
import pytest

from clmath import reference
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS
from clmath.spec.builtins import builtin
from tests.cases import for_each

LGAMMA_ZEROS = [-2.457024738220800623, -2.747682646727412601, -3.143580888349980059, -3.955294284858597946]
LGAMMA_ZEROS += [-4.039361839740536576, -5.008218168258988, -10.000000275573]
DEEP = [2.0**k for k in (-1074, -1060, -1022, -149, -126, -60, -30)]

PLACES = {
    "acos": [1.0, -1.0, 0.99999, *DEEP],
    "acosh": [1.0, 1.5, 2.0**1000],
    "acospi": [1.0, -1.0, 0.5, -0.5, *DEEP],
    "asin": [1.0, *DEEP],
    "asinh": [*DEEP, 2.0**1023],
    "asinpi": [0.5, -0.5, 1.0, *DEEP],
    "atan": [*DEEP, 2.0**1023],
    "atanh": [1.0, 0.5, *DEEP],
    "atanpi": [1.0, 2.0**1023, *DEEP],
    "cbrt": [27.0, -8.0, 2.0**-1074, 2.0**-1073],
    "cos": [2.0**1000, pi / 2, 11 * pi / 2, 6381956970095103.0 * 2.0**797, 2.0**120, *DEEP],
    "cosh": [710.4758600739439, 89.41598, 11.78, *DEEP],
    "cospi": [0.5, 1.5, 2.0**53 - 0.5, 2.0**51 + 0.5, *DEEP],
    "degrees": [2.0**1017, 2.0**-1074, 1.0],
    "erf": [5.9, 6.0, 27.0, 30.0, 100.0, 1e300, *DEEP],
    "erfc": [4.0, 5.9, 9.3, 10.05, 10.06, 26.5, 27.2, 27.3, 1e5, 1e300, -6.0, -1e300, *DEEP],
    "exp": [-745.13321910194122, 709.78271289338397, 88.722839, -103.97, 11.0898, -17.3, 1e300, -1e300, *DEEP],
    "exp10": [308.2547155599167, -323.3, 38.53184, -45.1, 4.816, -7.5, 2.0, 22.0, -1.0, *DEEP],
    "exp2": [1024.0, -1075.0, -1074.5, -150.0, -149.5, 127.9999, -25.0, -24.5, 10.0, 0.5, *DEEP],
    "expm1": [*DEEP, -40.0, -745.0, -1e300, 709.78, 0.5],
    "lgamma": [1.0, 2.0, 0.5, 3.0, -0.5, 1e300, -(2.0**52) + 0.5, -1e15 - 0.5, 2.5e305, *LGAMMA_ZEROS, *DEEP],
    "log": [1.0, 2.0**-1074, 1.7e308],
    "log10": [1000.0, 1e22, 0.1, 1.0, 10.0],
    "log1p": [*DEEP, -0.9999999, -1.0],
    "log2": [8.0, 2.0**-1074, 1.0, 3.0],
    "radians": [180.0, 2.0**-1074, 1.7e308],
    "rsqrt": [4.0, 2.0**-1074, 1.7e308, 0.25],
    "sin": [2.0**1000, pi, 355.0, 22.0, 6381956970095103.0 * 2.0**797, 2.0**120, 1.7e308, *DEEP],
    "sinh": [*DEEP, 710.4758600739439, 89.41598, 11.78],
    "sinpi": [0.5, 1 / 6, 0.25, 2.0**52 + 1, 2.0**51 + 0.5, 1.0 - 2.0**-24, *DEEP],
    "sqrt": [4.0, 2.0, 2.0**-1074, 1.7e308],
    "tan": [pi / 2, 11.0, 2.0**1000, 6381956970095103.0 * 2.0**797, 1.5707964, *DEEP],
    "tanh": [*DEEP, 9.0, 19.1, 50.0, 1e300],
    "tanpi": [0.25, 0.75, 1.5, 0.5 - 2.0**-24, 2.0**51 + 0.25, *DEEP],
    "tgamma": [
        5.0,
        23.0,
        30.0,
        171.6,
        171.7,
        35.04,
        9.5,
        -0.5,
        -170.5,
        -177.8,
        -183.5,
        -1e5 - 0.25,
        -42.5,
        1e300,
        *DEEP,
    ],
}


@for_each("form", FORMATS)
@for_each("name", PLACES)
def test_hard_places(name, form, differences):
    with np.errstate(all="ignore"):
        centres = np.array(PLACES[name]).astype(form.dtype)
        infinity = form.dtype.type(np.inf)
        x = np.concatenate([centres, np.nextafter(centres, infinity), np.nextafter(centres, -infinity)])
    assert not differences(name, form, [np.concatenate([x, -x])])


@for_each("k", range(-6, 4))
def test_tgamma_and_lgamma_beside_the_negative_integers(k, differences):
    for form in FORMATS:
        centre = form.dtype.type(-(abs(k) ** 2) - 1)
        x = np.array([np.nextafter(centre, form.dtype.type(0)), np.nextafter(centre, form.dtype.type(-np.inf))])
        for name in ("tgamma", "lgamma"):
            assert not differences(name, form, [x])


PAIRS = {
    "pow": [(2.0, 1024.0), (2.0, -1074.0), (2.0, -1075.0), (1 + 2.0**-52, 2.0**62), (1 + 2.0**-52, 1e300), (3.0, 5.0)],
    "powr": [(10.0, 308.2547155599167), (10.0, -323.6), (0.5, 149.0), (0.5, 149.5), (1 - 2.0**-24, 1.7e9), (9.0, 0.5)],
    "atan2": [
        (2.0**-1074, 2.0**1023),
        (2.0**1023, 2.0**-1074),
        (2.0**-1074, -(2.0**1023)),
        (1.0, 1.0),
        (2.0**-1000, 3.0),
    ],
    "atan2pi": [
        (2.0**-1074, 2.0**1023),
        (2.0**1023, 2.0**-1074),
        (2.0**-1074, -(2.0**1023)),
        (1.0, 1.0),
        (1.0, -(2.0**1000)),
    ],
    "hypot": [
        (3.0, 4.0),
        (2.0**1023, 2.0**-1074),
        (1.7e308, 1.7e308),
        (3.0 * 2.0**-1074, 4.0 * 2.0**-1074),
        (1.0, 2.0**-27),
    ],
    "fmod": [(1.7e308, 2.0**-1074), (1.7e308, 3e-310), (5.5, -2.5)],
    "remainder": [(1.7e308, 3e-310), (5.0, 2.0), (7.0, 2.0), (2.0**-1074, 2.0**-1073)],
    "div": [(1.0, 3.0), (2.0**-1074, 2.0), (1.7e308, 0.5), (3.0 * 2.0**-1074, 2.0)],
    "mul": [(2.0**-1000, 2.0**-75), (1.7e308, 1.7e308), (2.0**-100, 2.0**-50), (3.0 * 2.0**-140, 0.25)],
}


@for_each("form", FORMATS)
@for_each("name", PAIRS)
def test_hard_pairs(name, form, differences):
    with np.errstate(all="ignore"):
        pairs = [(sx * x, sy * y) for x, y in PAIRS[name] for sx in (1, -1) for sy in (1, -1)]
        args = list(np.array(pairs).astype(form.dtype).T.copy())
    assert not differences(name, form, args)


@for_each("form", FORMATS)
@for_each("name", ["pown", "rootn"])
def test_hard_powers(name, form, differences):
    x = np.array(
        [1 + form.eps, 1 - form.eps / 2, 2.0, 32.0, 0.1, -3.0, form.largest, form.smallest_subnormal], form.dtype
    )
    n = np.array([2, 3, 5, -2, -5, 7, 2**31 - 1, -(2**31), 2**30, -(2**31) + 1, 1, -1], np.int32)
    args = [np.repeat(x, len(n)), np.tile(n, len(x))]
    assert not differences(name, form, args)


KNOWN = [
    # Muller et al., Handbook of Floating-Point Arithmetic: the double nearest to a multiple of π/2
    ("cos", (6381956970095103.0 * 2.0**797,), "-4.68716592425462761112e-19"),
    # sin(10^22), a classic of argument reduction
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
def test_known_values(name, args, digits):
    assert reference.exact(name, *args).decimal(21) == digits


def test_a_known_worst_case():
    """A worst case of Lefèvre and Muller for exp in double: behind the 54th bit, 46 and more bits are alike."""
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
def test_exact_results_are_recognised(name, args, want):
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
def test_rational_and_other_values_are_bracketed_tightly(name, args, top, bottom):
    for bits in (2, 24, 53, 300, 3000):
        low, high = reference.exact(name, *args).bracket(bits)
        assert low < high
        if top:
            assert gmpy2.mpq(low) < gmpy2.mpq(top, bottom) < gmpy2.mpq(high)


def test_normalize_knows_its_rational_lanes():
    three, four, zero = reference.exact("normalize", (3.0, 4.0, -0.0))
    low, high = map(gmpy2.mpq, three.bracket(64))
    assert low < gmpy2.mpq(3, 5) < high
    assert [float(end) for end in four.bracket(200)] == [0.8, 0.8]
    assert np.signbit(float(zero.bracket(30)[0]))


@pytest.mark.parametrize("form", [FLOAT, DOUBLE], ids=str)
def test_no_argument_hangs(form):
    """Random bit patterns through every built-in: milliseconds for the slowest lane, microseconds on average."""
    random = np.random.default_rng(2026)
    for name in [*PLACES, "pow", "pown", "rootn", "atan2pi", "fmod", "hypot", "remquo"]:
        with np.errstate(all="ignore"):
            args = [
                form.from_bits(random.integers(0, 2**form.width, 400, dtype=form.bits_dtype))
                if p.type == "gentype"
                else random.integers(-(2**31), 2**31, 400).astype(np.int32)
                for p in builtin(name).inputs
            ]
        start = time.process_time()
        reference.enclose(name, args, form)
        spent = (time.process_time() - start) / 400
        print(f"{name} {form}: {spent * 1e6:.1f} us per lane")
        assert spent < 0.002, (name, spent)
