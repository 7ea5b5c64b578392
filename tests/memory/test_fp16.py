"""Class fp16: results are exact values, by fractions, rounded once."""

from __future__ import annotations

import copy
import operator
import pickle

import numpy as np
import pytest

import clmath
from clmath import fp16
from tests import by_fractions
from tests.cases import for_each
from tests.rounding_reference import MODES, assert_bits, rounded


@for_each("mode", MODES)
@for_each("operation", (operator.add, operator.sub, operator.mul, operator.truediv))
def test_arithmetic_is_correctly_rounded(mode, operation):
    x, y = np.random.default_rng(7).integers(0, 65536, (2, 1000), np.uint16).view(np.float16)
    usable = np.isfinite(x) & np.isfinite(y) & (x != 0) & (y != 0) & (x != y) & (x != -y)
    x, y = x[usable], y[usable]
    with clmath.select_rounding_mode(mode):
        got = operation(fp16(x), fp16(y)).value
    exact = map(operation, by_fractions.as_fractions(x), by_fractions.as_fractions(y))
    assert_bits(f"fp16 {operation.__name__}, {mode}", got, rounded([*exact], np.float16, mode), x, y)


@pytest.mark.parametrize("mode", MODES)
def test_zeros_infinities_and_overflow_follow_the_mode(mode):
    with clmath.select_rounding_mode(mode):
        x = fp16(np.float16(1.5))
        assert np.signbit((x - x).value) == (mode == "rtn")
        assert (x / fp16(-0.0)).value == -np.inf
        assert np.isnan((fp16(np.inf) - np.inf).value)
        assert (fp16(-65504.0) * x).value == (-np.inf if mode in ("rte", "rtn") else -65504)
        assert (fp16(2.0**-24) / 4.0).value == (2.0**-24 if mode == "rtp" else 0)


def test_construction_rounds_in_the_mode_in_force():
    assert fp16(1 + 2.0**-11 + 2.0**-40).value == 1 + 2.0**-10
    with clmath.select_rounding_mode("rtz"):
        assert fp16(np.float32(65535)).value == 65504
    assert fp16(np.float32(65535)).value == np.inf
    assert fp16(2).value == 2
    assert fp16(fp16(3.0)).value == 3


def test_operands_of_other_types_are_converted():
    h = fp16(np.float16([1, 2]))
    for other in (2.0, np.float32(2), np.float64(2), np.float16([2, 2]), fp16(2.0), 2):
        assert (h + other).value.tolist() == [3, 4]
        assert (other - h).value.tolist() == [1, 0]
        assert (h / other).value.tolist() == [0.5, 1]
        assert (other * h).value.tolist() == [2, 4]
        assert isinstance(other / h, fp16)
    h += 1.0
    assert h.value.tolist() == [2, 3]
    assert h.value.dtype == np.float16
    assert isinstance((fp16(np.float32(1)) + 1.0).value, np.float16)


def test_comparisons_are_elementwise_and_false_for_nan():
    x = fp16(np.float16([1, np.nan, -0.0, 2]))
    y = fp16(np.float16([1, np.nan, 0.0, 3]))
    assert (x == y).tolist() == [True, False, True, False]
    assert (x != y).tolist() == [False, True, False, True]
    assert (x < y).tolist() == [False, False, False, True]
    assert (x <= y).tolist() == [True, False, True, True]
    assert (x > y).tolist() == [False, False, False, False]
    assert (x >= y).tolist() == [True, False, True, False]
    assert np.float32(3) > fp16(2.0)
    assert (fp16(2.0) == 2.0 + 2.0**-20) == True  # noqa: E712 - the operand is converted to half first


@for_each("other", [None, "1", object(), {}, b"1"])
def test_object_that_is_not_a_number_is_unequal_and_not_ordered(other):
    h = fp16(1.0)
    assert (h == other) is False
    assert (other == h) is False
    assert (h != other) is True
    assert h not in [other, other]
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        with pytest.raises(TypeError, match="not supported between"):
            compare(h, other)


def test_class_with_its_own_comparison_is_asked():
    class Knows:
        def __eq__(self, other):
            return "compared"

        __hash__ = None

    assert (fp16(1.0) == Knows()) == "compared"


def test_comparison_with_a_number_of_another_type_is_an_error():
    for number in (np.int32(1), True, 1j):
        with pytest.raises(clmath.DTypeError, match=r"^fp16 ==: r has dtype"):
            _ = fp16(1.0) == number


def test_sign_operations_are_exact():
    x = np.arange(65536, dtype=np.uint16).view(np.float16)
    for mode in MODES:
        with clmath.select_rounding_mode(mode):
            for got, want in ((-fp16(x), -x), (abs(fp16(x)), np.abs(x)), (+fp16(x), x)):
                assert isinstance(got, fp16)
                assert got.value.view(np.uint16).tolist() == want.view(np.uint16).tolist()
    assert isinstance((-fp16(1.5)).value, np.float16)
    assert np.signbit((-fp16(0.0)).value)
    assert float(abs(fp16(-1.5))) == 1.5


def test_format_specifiers_work():
    assert f"{fp16(1.5):.2f}" == "1.50"
    assert f"{fp16(1 / 3):+.3e}" == "+3.333e-01"
    assert f"{fp16(np.float16([1.5, -2])):.2f}" == "[1.50, -2.00]"
    assert f"{fp16(1.5)}" == str(fp16(1.5)) == "fp16(1.5)"
    with pytest.raises(ValueError, match="format code 'd'"):
        f"{fp16(1.5):d}"


def test_fp16_is_unhashable():
    """Equal objects need equal hashes, but fp16(2.0) equals both 2.0 and 2.0 + 2^-20."""
    assert fp16(2.0) == 2.0 + 2.0**-20
    with pytest.raises(TypeError, match="unhashable"):
        hash(fp16(2.0))


@for_each("mode", MODES)
@for_each("value", [1.5, -0.0, np.float16([1, 2, np.nan])])
def test_copies_and_pickles_keep_the_bits(value, mode):
    h = fp16(value)
    with clmath.select_rounding_mode(mode):
        for made in (copy.copy(h), copy.deepcopy(h), pickle.loads(pickle.dumps(h))):  # noqa: S301 - our own bytes
            assert isinstance(made, fp16)
            assert np.asarray(made).tobytes() == np.asarray(h).tobytes()


def test_fp16_converts_to_other_types():
    h = fp16(np.float64(0.1))
    assert float(h) == 0.0999755859375
    assert clmath.convert(h, "float") == np.float32(0.0999755859375)
    assert clmath.convert(h, "double").dtype == np.float64
    assert np.asarray(h).dtype == np.float16
    assert not fp16(-0.0)
    assert fp16(float("nan"))
    assert fp16(2.0**-24)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(fp16(np.float16([1, 2])))


def test_fp16_is_immutable():
    source = np.float16([1, 2])
    h = fp16(source)
    source[0] = 9
    assert h.value.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        h.value[0] = 3
    with pytest.raises(AttributeError, match="never changes"):
        h.value = 3
    assert pickle.loads(pickle.dumps(h)).value.tolist() == [1, 2]  # noqa: S301 - our own bytes


@for_each("r", [np.int32(1), "1", None, True, 1j])
def test_construction_from_other_types_is_refused(r):
    with pytest.raises(clmath.DTypeError, match=r"(half, float or double|an array of numbers or bools) is needed"):
        fp16(r)
    with pytest.raises(clmath.DTypeError):
        fp16(1.0) + r


def test_huge_python_int_overflows_or_is_refused():
    assert fp16(2**70).value == np.inf
    assert fp16(1.0) < 2**70
    assert fp16(1.0) != 2**70
    for call in (lambda: fp16(10**400), lambda: fp16(1.0) + 10**400, lambda: fp16(1.0) < 10**400):
        with pytest.raises(clmath.RangeError, match=r"^fp16.*: r is a Python int of 1329 bits; the largest double"):
            call()
