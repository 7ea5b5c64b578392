"""Ints of more digits than Python writes broke messages: its ValueError came in place of clmath's own errors."""

import numpy as np
import pytest

import clmath
from tests.cases import for_each

LONG = 10**5000  # Python writes 4300 digits
X = np.float32([1.0, 2.0])
LANES = np.zeros(4, np.uint8)


@for_each("sign", [1, -1])
@for_each(
    "asked",
    [
        lambda n: clmath.ldexp(X, n),
        lambda n: clmath.ldexp(2.0, n),
        lambda n: clmath.pown(X, n),
        lambda n: clmath.rootn(X, n),
        lambda n: clmath.pow(X, n),
        clmath.nan,
        clmath.clz,
        lambda n: clmath.add_sat(np.int8(1), n),
        lambda n: clmath.select(X, X, n),
        clmath.as_float,
        lambda n: clmath.as_type(X, n),
        lambda n: clmath.as_type(X, [n]),
        lambda n: clmath.convert(X, n),
        lambda n: clmath.convert(X, "int", sat=n),
        lambda n: clmath.convert(X, "int", rounding=n),
        lambda n: clmath.sin(X, engine=n),
        lambda n: clmath.sin(X, threads=-abs(n)),
        lambda n: clmath.isnan(X, dtype=n),
        lambda n: clmath.isnan(X, dtype=[n]),
        lambda n: clmath.vload(n, 0, X),
        lambda n: clmath.vload(0, X, n),
        clmath.read_unorm_int8,
        clmath.select_rounding_mode,
        clmath.fp_contract,
        lambda n: clmath.limit(n, "float"),
        lambda n: clmath.limit("sin", n),
    ],
)
def test_long_ints_are_refused_in_words(asked, sign):
    with pytest.raises(clmath.ClmathError, match=r"\(\)[:,] ") as caught:
        asked(sign * LONG)
    assert len(str(caught.value)) < 500


def test_the_length_of_a_long_int_is_told():
    with pytest.raises(clmath.DTypeError, match=r"^pown\(\): y is a Python int of 16610 bits; an int lies in"):
        clmath.pown(X, LONG)
    with pytest.raises(clmath.DTypeError, match=r"^pown\(\): y holds 2147483648; an int lies in"):
        clmath.pown(X, 2**31)


@pytest.mark.parametrize("args", [X, LANES, [1.0]])
def test_arguments_beside_exact_values_are_refused_in_words(args):
    with pytest.raises(clmath.DTypeError, match=r"^ulp_error\(\): args go with the name"):
        clmath.ulp_error(X, X, args)


def test_an_array_is_no_state_of_contraction():
    with pytest.raises(clmath.UnknownNameError, match=r"^fp_contract\(\): state=array"):
        clmath.fp_contract(X)
