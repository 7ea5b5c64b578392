"""Plans: the second call of a kind, which looks its evaluation up, is right and refused as the first."""

from __future__ import annotations

import contextlib
import itertools

import numpy as np
import pytest

import clmath
from clmath.numbers.rounding import MODES
from tests.cases import for_each

X = np.linspace(-3.0, 3.0, 12)
CALLS = {
    "aliases": (lambda **how: clmath.convert_float(X, **how), lambda **how: clmath.convert(X, "float", **how)),
    "aliases of vectors": (
        lambda **how: clmath.convert_char4_sat_rtp(X.reshape(3, 4) * 100, **how),
        lambda **how: clmath.convert(X.reshape(3, 4) * 100, "char4", sat=True, rounding="rtp", **how),
    ),
    "encodings": (lambda **how: clmath.as_long(X, **how), lambda **how: clmath.as_type(X, "long", **how)),
}


def bits(result):
    return result.dtype, result.shape, result.strides, result.tobytes()


@for_each("name", CALLS)
def test_aliases_have_the_results_of_the_functions(name, prepared):
    alias, function = CALLS[name]
    want = prepared(function)
    for _ in range(3):
        assert bits(alias()) == bits(function()) == bits(want)
        out = np.empty_like(want)
        assert alias(out=out) is out
        assert out.tobytes() == want.tobytes()


@for_each("call", ["convert_int(x)", "convert_int_rtp(x)", "convert_uchar_sat(x)", "convert_half(x)", "as_long(x)"])
def test_numbers_are_converted_as_in_arrays(call):
    for number in (2.5, -0.1, 300.0, np.float64(1e300), np.float64("nan")):
        several = eval(f"clmath.{call}", {"clmath": clmath, "x": np.asarray([number])})  # noqa: S307
        for _ in range(2):
            alone = eval(f"clmath.{call}", {"clmath": clmath, "x": number})  # noqa: S307
            assert (type(alone), alone.tobytes()) == (several.dtype.type, several.tobytes())


@for_each("number", [0, -1, 127, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64 + 5, 10**30])
def test_ints_of_any_size_are_converted_by_aliases(number):
    clmath.convert_char(1), clmath.convert_char_sat(1)  # plans are known
    assert (int(clmath.convert_char(number)) - number) % 256 == 0
    assert clmath.convert_char_sat(number) == min(max(number, -128), 127)
    assert clmath.convert_ulong_sat(number) == min(max(number, 0), 2**64 - 1)


@for_each("call", ["convert(x, 'int', sat=1)", "isnan(x, vector=1)", "sin(x, threads=True)", "less(x, x, dtype=1)"])
def test_values_that_equal_a_known_keyword_are_refused(call):
    """1 and True are one key of a dictionary."""
    for known in (call.replace("=1", "=True"), call.replace("True", "1"), call.replace("dtype=1", "dtype=bool")):
        with contextlib.suppress(clmath.ClmathError):
            eval(f"clmath.{known}", {"clmath": clmath, "x": X})  # noqa: S307
    with pytest.raises(clmath.ClmathError):
        eval(f"clmath.{call}", {"clmath": clmath, "x": X})  # noqa: S307


@for_each("count", [1, 20])
def test_fields_are_checked_in_every_call(count):
    """The second call of a kind did not check them."""
    base = np.full(count, 200, np.uint8)
    for _ in range(3):
        for call in (clmath.bitfield_extract_signed, clmath.bitfield_extract_unsigned):
            assert call(base, 2, 3).tolist() == [2] * count
            for field in ((7, 7), (np.uint32([7]), 7)):
                with pytest.raises(clmath.RangeError, match="a field lies within its type; offset \\+ count is 14"):
                    call(base, *field)
        for args in ((base, 5, 7, 7), (5, base, 7, 7)):
            with pytest.raises(clmath.RangeError, match="base has 8 bits"):
                clmath.bitfield_insert(*args)


@for_each(
    "call", ["add(x, y)", "add(n, y)", "less(n, x)", "recip(x)", "convert(x, 'half')", "convert_int(x)", "sin(x)"]
)
def test_plans_follow_the_mode_in_force(call):
    names = {"clmath": clmath, "x": X + 0.01, "y": np.float64(1 / 3), "n": np.arange(12) + 2**53}
    function = eval(f"lambda: clmath.{call}", names)  # noqa: S307
    outside, inside = function().tobytes(), {}
    for mode, _ in itertools.product(MODES, range(3)):
        with clmath.select_rounding_mode(mode):
            inside.setdefault(mode, set()).add(function().tobytes())
    assert all(len(found) == 1 for found in inside.values())
    assert inside["rte"] == {outside} == {function().tobytes()}
    if call.startswith(("add(x", "recip", "convert(x")):
        assert len({*map(frozenset, inside.values())}) > 2
        for mode in MODES:
            named = eval(f"clmath.{call[:-1]}, rounding={mode!r})", names)  # noqa: S307
            assert inside[mode] == {named.tobytes()}


def test_keywords_with_their_defaults_change_nothing():
    want = clmath.sin(X).tobytes()
    for _ in range(2):
        assert clmath.sin(X, rounding=None, out=None, where=True, engine="auto", threads=1).tobytes() == want
    assert clmath.sin(X, out=None, where=X > 0)[:6].tolist() == [0.0] * 6
