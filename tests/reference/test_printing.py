"""Texts of printf by exact fractions equal the texts of clmath.sprintf and of the C library."""

from __future__ import annotations

import ctypes
import itertools
import sys

import numpy as np
import pytest

import clmath
from clmath.numbers.rounding import MODES
from clmath.reference.bitwise.printing import parsed, text
from tests.cases import for_each

FLOATS = [
    0.0,
    -0.0,
    1.0,
    0.5,
    2.5,
    -3.5,
    9.5,
    99.95,
    0.1,
    1e-5,
    123456.5,
    999999.5,
    1e6,
    2.0**-1074,
    -1.75 * 2.0**-1022,
]
FLOATS += [
    1.7976931348623157e308,
    np.inf,
    -np.inf,
    np.nan,
    1.9999999999999998,
    *np.random.default_rng(3).normal(0, 1e3, 40),
]
FLAGS = ["", "-", "+", " ", "#", "0", "+#0", "-#", " 0"]
SIZES = ["", "12", ".0", ".1", "9.3", "30.20"]


def formats(kinds, flags=FLAGS):
    """Return all combinations of flags and sizes for some conversions."""
    return [f"%{flag}{size}{kind}" for flag, size, kind in itertools.product(flags, SIZES, kinds)]


def printed(format, value, mode):
    """Return the text of one conversion."""
    (one,) = parsed(format)
    return text(one, value, mode)


@for_each("mode", MODES)
def test_texts_of_floats_equal_clmath(mode):
    values = np.array(FLOATS)
    for format in formats("fegaFEGA"):
        wanted = clmath.sprintf(format, values, rounding=mode)
        assert [printed(format, value, mode) for value in FLOATS] == wanted.tolist(), format


@pytest.mark.skipif(sys.platform != "linux", reason="it needs snprintf of the C library")
def test_texts_of_floats_equal_the_c_library():
    library, room = ctypes.CDLL(None), ctypes.create_string_buffer(4096)
    known = [one for one in formats("feg") if "#" not in one]  # glibc 2.36 writes %#g of 999999.5 as 1.e+06
    for format, value in itertools.product(known, filter(np.isfinite, FLOATS)):
        library.snprintf(room, len(room), format.encode(), ctypes.c_double(value))
        assert printed(format, value, "rte") == room.value.decode(), (format, value)


def test_texts_of_integers_equal_clmath():
    for value in (0, 1, 7, 8, 255, 2**31 - 1):
        for format in [*formats("oxX"), *formats("u", ["", "-", "0"]), *formats("di", ["", "-", "+", " ", "0"])]:
            signed = -value if format[-1] in "di" else value
            assert printed(format, signed, "rte") == clmath.sprintf(format, signed), (format, value)


def test_vectors_characters_and_texts_are_printed():
    assert printed("%2.1v2hlf", (1.0, 2.25), "rte") == "1.0,2.2"
    assert printed("%4c", 65, "rte") == "   A"
    assert printed("%.3s", "clmath", "rte") == "clm"
    assert printed("%hhd", 200, "rte") == "-56"
    assert parsed("100%% of %d") == ("100", "%", " of ", parsed("%d")[0])
