"""Arguments that once ended in an error of NumPy's, or were silently rounded, are refused by name or taken exactly."""

import numpy as np
import pytest

import clmath
from clmath.audit.protocol.subject import SubjectError
from clmath.audit.subjects.function import Function
from clmath.errors import ClmathError, DTypeError, RangeError, RoundingError, ShapeError
from clmath.functions import image
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin
from tests.cases import for_each

RAGGED = [[1.0], [1.0, 2.0]]


@for_each(
    "call",
    [
        lambda: clmath.convert(RAGGED, "float"),
        lambda: clmath.as_type(RAGGED, "ulong"),
        lambda: clmath.isnan(RAGGED),
        lambda: clmath.clz([[1], [1, 2]]),
        lambda: clmath.vload([[0], [0, 1]], np.arange(8), 2),
        lambda: clmath.shuffle(np.arange(4), [[0, 1], [1]]),
        lambda: image.read_float(RAGGED),
        lambda: image.write_unorm_int8(RAGGED),
    ],
)
def test_ragged_lists(call):
    with pytest.raises(ShapeError, match=r"^\w+\(\): \w+ is a ragged list"):
        call()


@for_each("mode", [np.arange(2), np.array("rte"), np.zeros(0), [], {}, 1])
def test_modes_that_are_no_text(mode):
    for call in (lambda: clmath.sin(1.0, rounding=mode), lambda: clmath.convert(1.0, "half", rounding=mode)):
        with pytest.raises(RoundingError):
            call()


def test_integers_that_no_type_holds_together():
    with pytest.raises(DTypeError, match="no integer type holds together"):
        clmath.convert([2**63 + 2**39 + 1, -1], "float")  # as doubles the first one would be rounded twice
    with pytest.raises(DTypeError, match="no integer type holds together"):
        clmath.add_sat([[2**63, -1]], 1)
    assert clmath.convert([2.0**63, -1.0], "double").tolist() == [2.0**63, -1.0]


def test_python_integers_are_rounded_once():
    above_a_midpoint = 2**62 + 2**38 + 1
    assert clmath.select(np.float32(0), above_a_midpoint, 1) == 2.0**62 + 2.0**39
    assert clmath.isequal(np.float32(2.0**62 + 2.0**39), above_a_midpoint)
    with pytest.raises(RangeError, match=r"^isinf\(\): t is a Python int of 1329 bits; the largest double is 1.797"):
        clmath.isinf(10**400)


@pytest.mark.parametrize("number", [-1, 256, 2**70])
def test_channels_refuse_integers_beyond_them(number):
    with pytest.raises(RangeError, match=r"uint8 lies in 0 \.\. 255"):
        image.read_unorm_int8(number)


@pytest.mark.parametrize("number", [1.9, float("nan")])
def test_integer_channels_refuse_floats(number):
    for read in (image.read_unorm_int8, image.read_srgb, image.write_unsigned_int8, image.write_signed_int16):
        with pytest.raises(DTypeError):
            read(number)


def test_colours_beyond_float_saturate_without_a_warning():
    assert image.write_unorm_int8(1e300) == 255
    assert image.write_half_float(-1e300) == -np.inf
    with pytest.raises(
        RangeError, match=r"^read_half_float\(\): x is a Python int of 71 bits; the largest half is 65504"
    ):
        image.read_half_float(2**70)


@pytest.mark.parametrize("n", [2.0, True, "2", np.array([2])])
def test_widths_that_are_no_integer(n):
    with pytest.raises(ShapeError):
        clmath.vload_half(0, np.zeros(8, np.float16), n)


def test_whatever_a_callable_raises_is_a_subject_error():
    class Panic(BaseException):
        pass

    def panics(*_):
        raise Panic("the device")

    with pytest.raises(SubjectError, match="raised Panic: the device"):
        Function(panics, "panics").evaluate(builtin("sin"), FLOAT, (np.zeros(2, np.float32),))
    assert issubclass(SubjectError, ClmathError)
