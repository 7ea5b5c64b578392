"""Texts of sprintf, compared with the C library, with exact decimals, and with the rules of the specification."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import platform
import random
import re
import struct
import sys
from decimal import Decimal, localcontext

import numpy as np
import pytest

import clmath
from tests.cases import for_each

MODES = {"rte": 0, "rtz": 0xC00, "rtp": 0x800, "rtn": 0x400}  # constants of fenv.h on x86
DECIMAL = {"rte": "ROUND_HALF_EVEN", "rtz": "ROUND_DOWN", "rtp": "ROUND_CEILING", "rtn": "ROUND_FLOOR"}
SPECIAL = [0.0, -0.0, float("inf"), -float("inf"), float("nan"), 5e-324, sys.float_info.max, sys.float_info.min, 9.5]
GLIBC = pytest.mark.skipif(
    platform.machine() not in {"x86_64", "AMD64"} or platform.libc_ver()[0] != "glibc",
    reason="compares with glibc's snprintf, which rounds in the mode of x86's control word",
)


@functools.cache
def libraries():
    return ctypes.CDLL(None), ctypes.CDLL(ctypes.util.find_library("m"))


def by_c(form, argument, mode):
    """Return the text of the C library's snprintf, with the processor's mode set."""
    libc, libm = libraries()
    buffer = ctypes.create_string_buffer(8192)
    libm.fesetround(MODES[mode])
    try:
        written = libc.snprintf(buffer, 8192, form, argument)
    finally:
        libm.fesetround(0)
    return buffer.raw[:written].decode("ascii")


def some_double(r):
    kinds = [
        lambda: struct.unpack("d", struct.pack("Q", r.getrandbits(64)))[0],
        lambda: float(np.uint32(r.getrandbits(32)).view(np.float32)),
        lambda: round(r.uniform(-1, 1) * 10 ** r.randint(0, 8), r.randint(0, 6)),
        lambda: r.randint(-2000, 2000) / 2 ** r.randint(0, 12),  # many are ties in few digits
        lambda: r.choice(SPECIAL),
        lambda: float(f"{r.choice('+-')}9.{'9' * r.randint(1, 17)}e{r.randint(-300, 300)}"),
        lambda: r.choice([-1, 1]) * 10.0 ** r.randint(-25, 25),
        lambda: r.choice([-1, 1]) * 2.0 ** r.randint(-1074, 1023),
    ]
    return r.choice(kinds)()


def some_case(r):
    """Return a format, an argument for clmath, the argument for C, and a mode."""
    flags = "".join(r.choices("-+ 0", k=r.choice([0, 0, 1, 2])))
    width = r.choice(["", str(r.randint(1, 40))])
    precision = r.choice(["", "", f".{r.randint(0, 20)}", f".{r.choice(['', '0', '1', '2', '300', '1100'])}"])
    mode = r.choice(list(MODES))
    conversion = r.choice("fFeEgGaAfFeEgGaAdiouxX")
    if conversion not in "diu":
        flags += r.choice(["", "#"])
    if conversion in "fFeEgGaA":
        value = some_double(r)
        return f"%{flags}{width}{precision}{conversion}", value, ctypes.c_double(value), mode
    length = r.choice(["hh", "h", "", "l"])
    bits = 64 if length == "l" else 32
    value = r.getrandbits(bits) >> r.randint(0, bits)
    if conversion in "di" or length in ("hh", "h"):
        value -= 2 ** (bits - 1) if value >= 2 ** (bits - 1) else 0
    argument = (ctypes.c_uint64 if bits == 64 else ctypes.c_uint32)(value)
    return f"%{flags}{width}{precision}{length}{conversion}", value, argument, mode


def written_otherwise(cases):
    """Return the cases for which the C library writes another text."""
    return [
        (form, value, mode)
        for form, value, argument, mode in cases
        if clmath.sprintf(form, value, rounding=mode) != by_c(form.encode(), argument, mode)
    ]


@GLIBC
def test_texts_equal_the_c_library():
    r = random.Random(20261123)
    cases = [some_case(r) for _ in range(6000)]
    assert written_otherwise(cases) == []
    assert {mode for *_, mode in cases} == set(MODES)


@GLIBC
@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
def test_a_million_random_texts_equal_the_c_library_or_exact_decimals(seed):
    """Texts of glibc 2.36 differ only for ``%#g`` with a carry, where glibc loses zeros.

    Exact decimals give the expected text for these.
    """
    r = random.Random(seed)
    for form, value, mode in written_otherwise(some_case(r) for _ in range(250_000)):
        assert "#" in form, (form, value, mode)
        assert carries(form, value, mode), (form, value, mode)
        assert clmath.sprintf(form, value, rounding=mode) == general(form, value, mode)


PARTS = re.compile(r"%([-+ #0]*)(\d*)(?:\.(\d*))?([gG])")


def rounded(form, value, mode):
    """Return the number of digits of a format, and a finite number rounded exactly to them."""
    precision = PARTS.fullmatch(form)[3]
    digits = 6 if precision is None else max(int(precision or 0), 1)
    with localcontext(prec=digits, rounding=DECIMAL[mode]):
        return digits, +Decimal(value) if value else Decimal(value)


def carries(form, value, mode):
    """Whether rounding carries into a new leading digit: 999999.9999999999 -> 1.00000e+06."""
    return rounded(form, value, mode)[1].adjusted() > Decimal(value).adjusted()


def general(form, value, mode):
    """Return the text of ``%#g`` (ISO/IEC 9899:TC2, 7.19.6.1): ``%#f`` or ``%#e``, by the exponent of ``%e``."""
    flags, width, _, conversion = PARTS.fullmatch(form).groups()
    digits, number = rounded(form, value, mode)
    exponent = number.adjusted() if number else 0
    if -4 <= exponent < digits:
        text = f"{abs(number):.{digits - 1 - exponent}f}"
        text += "" if "." in text else "."
    else:
        mantissa, _, power = f"{abs(number):.{digits - 1}e}".partition("e")
        text = f"{mantissa}{'' if '.' in mantissa else '.'}e{power[0]}{int(power[1:]):02}"
    sign = "-" if number.is_signed() else "+" if "+" in flags else " " if " " in flags else ""
    text = text.upper() if conversion == "G" else text
    if "-" in flags:
        return f"{sign}{text}".ljust(int(width or 0))
    if "0" in flags:
        return sign + text.rjust(int(width or 0) - len(sign), "0")
    return f"{sign}{text}".rjust(int(width or 0))


@pytest.mark.parametrize("mode", MODES)
def test_texts_of_g_equal_exact_decimals(mode):
    r = random.Random(7)
    for _ in range(3000):
        value = some_double(r)
        if value == value and abs(value) != float("inf"):
            flags, width = "".join(r.choices("-+ 0", k=2)), r.choice(["", "30"])
            form = f"%{flags}#{width}{r.choice(['', '.', '.1', f'.{r.randint(0, 20)}'])}{r.choice('gG')}"
            assert clmath.sprintf(form, value, rounding=mode) == general(form, value, mode), (form, value)
    if mode == "rte":  # zeros are kept after a carry
        assert clmath.sprintf("%#g", 999999.9999999999) == "1.00000e+06"
        assert clmath.sprintf("%#.4g", -9999.99999999) == "-1.000e+04"


@pytest.mark.parametrize("mode", MODES)
def test_texts_of_f_and_e_equal_exact_decimals(mode):
    r = random.Random(4)
    with localcontext(prec=2000, rounding=DECIMAL[mode]):
        for _ in range(1500):
            value, places = some_double(r), r.randint(0, 40)
            if value != value or abs(value) == float("inf"):
                continue
            fixed = Decimal(value).quantize(Decimal(1).scaleb(-places))
            assert clmath.sprintf(f"%.{places}f", value, rounding=mode) == f"{fixed:f}"
            if value:
                e = Decimal(value).adjusted()
                kept = Decimal(value).quantize(Decimal(1).scaleb(e - places))
                assert Decimal(clmath.sprintf(f"%.{places}e", value, rounding=mode)) == kept


def test_texts_of_a_have_the_value_of_the_number():
    r = random.Random(6)
    for _ in range(2000):
        value = some_double(r)
        if value == value and abs(value) != float("inf"):
            assert float.fromhex(clmath.sprintf("%a", value)) == value
            places = r.randint(0, 12)
            below = float.fromhex(clmath.sprintf(f"%.{places}a", value, rounding="rtn"))
            if below != -float("inf") and abs(value) < 1e308:
                above = float.fromhex(clmath.sprintf(f"%.{places}a", value, rounding="rtp"))
                assert below <= value <= above
                assert (below == above) == (below == value)


def test_vectors_of_every_half_are_printed():
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    written = clmath.sprintf("%.3v2he", halves.reshape(-1, 2))
    assert written.shape == (2**15,)
    for pair, texts in zip(halves.reshape(-1, 2).tolist(), (t.split(",") for t in written), strict=True):
        for value, found in zip(pair, texts, strict=True):
            assert found.removeprefix("-") == f"{abs(value):.3e}"


@for_each(
    "form, args, text",
    [  # the two examples of the specification, and its rules one by one
        ("f4 = %2.2v4hlf\n", (np.float32([1, 2, 3, 4]),), "f4 = 1.00,2.00,3.00,4.00\n"),
        ("uc = %#v4hhx\n", (np.uint8([0xFA, 0xFB, 0xFC, 0xFD]),), "uc = 0xfa,0xfb,0xfc,0xfd\n"),
        ("%s\n", ("this is a test string\n",), "this is a test string\n\n"),
        ("%d", (1, 2, 3), "1"),  # excess arguments are ignored
        ("%% %d %%", (5,), "% 5 %"),
        ("%-5d|%5d|%05d|%-05d|% d|%+d|% +d", (1,) * 7, "1    |    1|00001|1    | 1|+1|+1"),
        ("%.0d|% .0d|%+.0d|%.0x|%#.0x|%.0o|%#.0o|%5.0u", (0,) * 8, "|| ||+||||0|     ".replace("|| ||", "| |")),
        ("%05.3d|%#o|%#.3o|%#x|%#X|%#x", (7, 8, 8, 255, 255, 0), "  007|010|010|0xff|0XFF|0"),
        ("%#.0f|%#.0e|%#g|%g|%#.0a", (1.0,) * 5, "1.|1.e+00|1.00000|1|0x1.p+0"),
        ("%.f|%.e|%.g|%.a", (2.5, 2.5, 2.5, 1.0), "2|2e+00|2|0x1p+0"),
        ("%f|%.0f|%g|%a|%e", (-0.0, -0.25, -0.0, -0.0, -0.0), "-0.000000|-0|-0|-0x0p+0|-0.000000e+00"),
        ("%05f|%+f|% F|%-5G|%5A", (np.inf, np.inf, np.nan, np.nan, -np.inf), "  inf|+inf| NAN|NAN  | -INF"),
        ("%#f|%#010.3a|%f", (np.inf, np.nan, np.copysign(np.nan, -1.0)), "inf|       nan|-nan"),
        ("%hhd|%hhx|%hd|%hu|%hhd", (np.int8(-1), np.int8(-1), 70000, -1, 300), "-1|ff|4464|65535|44"),
        ("%ld|%lu|%lx", (-(2**63), 2**64 - 1, np.int64(255)), "-9223372036854775808|18446744073709551615|ff"),
        ("%c%c%3c|%-3c|", (np.int8(72), 0x169, ord("!"), ord("!")), "Hi  !|!  |"),
        ("%.2s|%5s|%-5s|%s", ("abc", "abc", "abc", "a\0b"), "ab|  abc|abc  |a"),
        ("%d%d%u%x", (True, np.bool_(False), np.uint8(3), np.uint16(15)), "103f"),
        ("%5v2hld|%v2hg", (np.int32([1, -2]), np.float16([0.1, 65504])), "    1,   -2|0.0999756,65504"),
        ("%+.1v2lf", (np.float64([1, np.nan]),), "+1.0,+nan"),
        ("%v2hlu|%v2hhi|%v2lX", ([1, 2], [-1, 1], np.uint64([2**63, 10])), "1,2|-1,1|8000000000000000,A"),
        ("%v3ha", (np.float16([2**-24, 1.5, -0.0]),), "0x1p-24,0x1.8p+0,-0x0p+0"),
        ("%v2hla", (np.float32([2**-149, 3]),), "0x1p-149,0x1.8p+1"),
        ("%a %.0a %.1a", (5e-324, 1.5, 1.96875), "0x0.0000000000001p-1022 0x2p+0 0x2.0p+0"),
        ("%005d|%- 0+5d|%.05d", (1, 1, 1), "00001|+1   |00001"),
        ("%f", (np.float16(0.1),), "0.099976"),
        ("a\0%d", (), "a"),
        ("", (), ""),
    ],
)
def test_rules_of_the_specification_are_followed(form, args, text):
    assert clmath.sprintf(form, *args) == text


def test_array_arguments_are_broadcast():
    vectors = np.float32([[1, 2], [3, 4], [5, 6]])
    found = clmath.sprintf("%d: %v2hlg %s", np.int32([[0], [1]]), vectors, "x")
    assert found.shape == (2, 3)
    assert found.dtype == object
    assert found[1, 2] == "1: 5,6 x"
    assert found[0, 0] == "0: 1,2 x"
    assert clmath.sprintf("%d", np.zeros((0, 2), np.int32)).shape == (0, 2)
    swapped = np.float64([0.1, 2.0]).astype(">f8")[::-1]
    assert clmath.sprintf("%g", swapped).tolist() == ["2", "0.1"]
    assert clmath.sprintf("%d", np.array(5, np.int32)) == "5"


def test_numbers_are_rounded_in_the_mode_in_force():
    with clmath.select_rounding_mode("rtp"):
        assert clmath.sprintf("%.0f %.0f", 0.1, -0.9) == "1 -0"
        assert clmath.sprintf("%.0f", 0.1, rounding="rtz") == "0"
    assert clmath.sprintf("%.0f", 0.1) == "0"


@for_each(
    "form, args, words",
    [
        ("%lf", (1.0,), "length modifier l with f"),
        ("%lld", (1,), "ll, which is reserved"),
        ("%jd", (1,), "j, which is reserved"),
        ("%Lf", (1.0,), "L, which is reserved"),
        ("%5%", (), "shall be %%"),
        ("%n", (1,), "n, which is reserved"),
        ("%p", (1,), "each implementation defines"),
        ("%*d", (3, 1), "from an argument"),
        ("%.*f", (3, 1.0), "from an argument"),
        ("%.-1f", (1.0,), "negative precision"),
        ("%v4f", ([1.0] * 4,), "without a length modifier"),
        ("%v5hlf", ([1.0] * 5,), "specifier v5"),
        ("%vhlf", ([1.0] * 5,), "specifier v;"),
        ("%v2hc", ([1, 2],), "vector specifier with c"),
        ("%v2hhf", ([1.0, 2.0],), "hh with f"),
        ("%hf", (np.float16(1),), "h with f"),
        ("%hld", (1,), "hl without a vector"),
        ("%lc", (1,), "l with c"),
        ("%#d", (1,), "flag # with d"),
        ("%05s", ("a",), "flag 0 with s"),
        ("%.1c", (65,), "precision with c"),
        ("%y", (1,), "no conversion specifier of"),
        ("%99999999999999999999d", (1,), "more than 1048576"),
        ("%d", (1.0,), "is of type double"),
        ("%f", (True,), "of type bool"),
        ("%d", (2**31,), "holds 2147483648"),
        ("%v2hhd", (np.uint8([1, 200]),), "holds 200"),
        ("%d", (np.uint32(2**31),), "holds 2147483648"),
        ("%ld", (np.int32(1),), "needs long or ulong"),
        ("%#v2hx", (np.uint32([0x12345678, 0x87654321]),), "needs a vector of short or ushort"),  # from the text
        ("%v4hlf", (np.ones(4),), "needs a vector of float"),
        ("%v4hlf", (np.float32(1),), "needs 4 components"),
        ("%d", (np.ma.MaskedArray([1], [1]),), "filled"),
    ],
)
def test_undefined_format_is_refused(form, args, words):
    with pytest.raises(clmath.ClmathError, match=r"sprintf\(\): ") as caught:
        clmath.sprintf(form, *args)
    assert words in str(caught.value)


def test_format_is_checked_before_arguments():
    with pytest.raises(clmath.RangeError, match="takes 2"):
        clmath.sprintf("%d %d", "no number")
    with pytest.raises(clmath.RangeError, match="reserved"):
        clmath.sprintf("%d %n", "no number")
