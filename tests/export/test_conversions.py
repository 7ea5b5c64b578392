"""Exported conversions: every half, and doubles and floats next to all halves and to all midpoints of halves.

Expected results follow from how the arguments are made, not from another conversion.
"""

import ctypes

import numpy as np
import pytest

from clmath import errors
from clmath.export.functions import Function
from clmath.export.request import request_of
from clmath.export.whole import conversions
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import MODES
from tests.cases import for_each
from tests.export import bench

ROWS = {row.name: row for row in conversions()}
NARROWING = [("convert_half", FLOAT, HALF), ("convert_half", DOUBLE, HALF), ("convert_float", DOUBLE, FLOAT)]
WIDENING = [("convert_float", HALF), ("convert_double", HALF), ("convert_double", FLOAT)]
SOME = 1 << 13  # random encodings of float


@pytest.fixture(scope="module")
def library(exported, cc):
    """Compiled library of conversions."""
    folder = exported("c", ",".join(ROWS))
    sources = [f"clmath_{name}.c" for name in ROWS]
    made = bench.run(*cc, "-std=c11", "-O1", "-fPIC", "-shared", "-o", "all.so", *sources, "-lm", cwd=folder)
    assert made.returncode == 0, made.stderr
    return ctypes.CDLL(str(folder / "all.so"))


def codes_of(form):
    """Return the encodings of all halves from 0 up, or of random numbers of another format and of its ends."""
    if form is HALF:
        return np.arange(form.infinite)
    ends = [*range(8), *range(0x7FFFF8, 0x800008), *range(form.infinite - 8, form.infinite)]
    return np.concatenate([ends, np.random.default_rng(26).integers(0, form.infinite, SOME)])


def between(narrow, wide):
    """Return numbers from each of ``narrow`` to the next, the encodings below, and two flags.

    The first flag is 1 if the number above is the nearest, the second is 1 if the number is inexact in ``narrow``.
    """
    codes = codes_of(narrow)
    low, high = (narrow.from_bits((codes + n).astype(narrow.bits_dtype)).astype(wide.dtype) for n in (0, 1))
    last = np.isinf(high)
    high[last] = 2.0 * wide.dtype.type(2.0**narrow.emax)  # the next number if the range were unbounded
    middle = low + (high - low) / 2
    up, down = wide.dtype.type(np.inf), wide.dtype.type(0.0)
    numbers = [low, np.nextafter(low, up), np.nextafter(middle, down), middle]
    numbers += [np.nextafter(middle, up), np.nextafter(high, down)]
    nearest = [codes * 0, codes * 0, codes * 0, codes & 1, codes * 0 + 1, codes * 0 + 1]
    inexact = np.repeat([0, 1], [codes.size, 5 * codes.size])
    return np.concatenate(numbers), np.tile(codes, 6), np.concatenate(nearest), inexact


def expected(mode, codes, nearest, inexact, *, negative):
    """Return the expected encodings, without sign."""
    away = {"rtp": not negative, "rtn": negative, "rtz": False}
    return codes + (nearest if mode == "rte" else inexact * away[mode])


@pytest.mark.slow
@for_each("mode", MODES)
@for_each("name, wide, narrow", NARROWING)
def test_numbers_between_neighbours_of_the_narrower_format_are_rounded(library, name, wide, narrow, mode):
    function = Function(ROWS[name], wide)
    numbers, *known = between(narrow, wide)
    for negative in (False, True):
        codes = expected(mode, *known, negative=negative)
        assert codes.max() == narrow.infinite - (mode in {"rtz", "rtp" if negative else "rtn"})
        given = -numbers if negative else numbers
        (found,), _, undecided = bench.on_arrays(library, function, mode, [given], room=0)
        assert undecided == 0
        assert np.array_equal(found, codes | (negative << (narrow.width - 1)))


@pytest.mark.slow
@for_each("mode", MODES)
@for_each("name, wide, narrow", NARROWING)
def test_special_values_are_converted(library, name, wide, narrow, mode):
    largest = narrow.infinite - 1
    given = np.array([np.inf, -np.inf, np.nan, -np.nan, wide.largest, -wide.largest, 0.0, -0.0], wide.dtype)
    (found,), _, _ = bench.on_arrays(library, Function(ROWS[name], wide), mode, [given], room=0)
    sign, nan = 1 << (narrow.width - 1), narrow.quiet_nan
    beyond = [narrow.infinite - (mode in {"rtz", "rtn"}), narrow.infinite - (mode in {"rtz", "rtp"})]
    assert largest in beyond or mode == "rte"
    assert found.tolist() == [narrow.infinite, narrow.infinite | sign, nan, nan, beyond[0], beyond[1] | sign, 0, sign]


@pytest.mark.slow
@pytest.mark.parametrize("name, narrow", WIDENING, ids=str)
def test_conversions_to_wider_formats_are_exact(library, name, narrow):
    function = Function(ROWS[name], narrow)
    codes = codes_of(narrow)
    codes = np.concatenate([codes, [narrow.infinite, narrow.infinite + 1, narrow.quiet_nan]])
    codes = np.concatenate([codes, codes | (1 << (narrow.width - 1))])
    numbers = narrow.from_bits(codes.astype(narrow.bits_dtype))
    values = [value_of(int(code), narrow) for code in codes]
    wide = FLOAT if name == "convert_float" else DOUBLE
    for mode in MODES:
        (found,), _, undecided = bench.on_arrays(library, function, mode, [numbers], room=0)
        assert undecided == 0
        assert np.array_equal(found, bench.encodings(np.array(values, wide.dtype), wide))


def value_of(code, form):
    """Return the number that an encoding represents, from its fields."""
    sign = -1.0 if code >> (form.width - 1) else 1.0
    fraction = code & ((1 << (form.precision - 1)) - 1)
    exponent = (code >> (form.precision - 1)) & (form.infinite >> (form.precision - 1))
    if exponent == form.infinite >> (form.precision - 1):
        return float("nan") if fraction else sign * float("inf")
    implied = 1 << (form.precision - 1) if exponent else 0
    return sign * (implied + fraction) * 2.0 ** (max(exponent, 1) - 1 + form.quantum)


def test_conversions_take_all_other_formats():
    assert {name: list(map(str, row.formats)) for name, row in ROWS.items()} == {
        f"convert_{form}": [str(other) for other in FORMATS if other is not form] for form in FORMATS
    }
    assert len(request_of("t", "convert_*", "half,float,double", "c").functions) == 6
    assert [row.name for row in request_of("t", "convert_*", "half", "c").builtins] == [
        "convert_float",
        "convert_double",
    ]


@pytest.mark.parametrize("names", ["convert_half", "sin,convert_half", "convert_h*"])
def test_conversion_to_the_only_requested_format_is_refused(names):
    message = "t: convert_half takes numbers of other formats, and --types is 'half'; write --types float,double"
    with pytest.raises(errors.UnknownNameError, match=message):
        request_of("t", names, "half", "c")
    assert request_of("t", names, "float,double", "c").functions
