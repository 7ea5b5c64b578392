"""Kernels whose enclosures may be wide, where large terms cancel: some undecided elements are not near a boundary."""

import mpmath
import numpy as np
import pytest

from clmath import call as front
from clmath.engines import choice
from clmath.kernels import FAST
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounded_encodings import near_float, wide
from clmath.numbers.rounding import MODES, narrow
from tests.cases import for_each

LGAMMA = FAST.kernels["lgamma"]
NEEDS_NATIVE = pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.states()["native"])


def floats_beside_the_zeros_of_lgamma(steps):
    """Between every two of its poles lgamma has two zeros; the floats nearest to them."""
    zeros = [zero for below in range(-12, -2) for zero in zeros_between(below)]
    nearest = np.array([float(z) for z in zeros], np.float32).view(np.int32)
    return (nearest[:, None] + np.arange(-steps, steps + 1, dtype=np.int32)).ravel().view(np.float32)


def zeros_between(below):
    """The two zeros of lgamma between ``below`` and the next integer, on both sides of its least value there."""
    lowest = mpmath.findroot(mpmath.digamma, below + 0.5)
    ends = (below + 1e-9, below + 1 - 1e-9)
    return [mpmath.findroot(lambda x: mpmath.loggamma(x).real, (end, lowest), solver="anderson") for end in ends]


@pytest.fixture(scope="module")
def beside_zeros():
    """20 zeros with 100 floats on each side."""
    return floats_beside_the_zeros_of_lgamma(100)


@np.errstate(invalid="ignore")  # poles, where infinity is taken from infinity
def ends_apart(x, mode):
    """Which enclosures of lgamma reach over a boundary; and whether some of them are not near it."""
    value, _, err, _ = choice.PLAIN.enclosure(LGAMMA, (x,))
    apart = narrow(value - err, FLOAT, mode) != narrow(value + err, FLOAT, mode)
    return apart, (apart & wide(value, err) & ~near_float(value)).sum() > 5


@for_each("engine", ["numpy", pytest.param("native", marks=NEEDS_NATIVE)])
@for_each("mode", MODES)
def test_enclosures_that_contain_a_boundary_are_undecided(beside_zeros, mode, engine):
    assert LGAMMA.record.is_wide
    apart, some_are_not_near = ends_apart(beside_zeros, mode)
    assert some_are_not_near
    with np.errstate(all="ignore"):
        undecided = choice.ENGINES[engine].rounded(LGAMMA, FLOAT, mode, (beside_zeros,), [np.empty_like(beside_zeros)])
    assert np.array_equal(undecided, np.flatnonzero(apart))


@pytest.mark.slow
@for_each("engine", ["numpy", pytest.param("native", marks=NEEDS_NATIVE)])
@for_each("mode", MODES)
def test_every_float_near_a_zero(beside_zeros, mode, engine):
    got = front.floats("lgamma", (beside_zeros,), mode, engine=engine)
    want = front.by_reference("lgamma", (beside_zeros,), mode)
    wrong = FLOAT.bits(got) != FLOAT.bits(want)
    assert not wrong.any(), f"{beside_zeros[wrong][:5]}: {got[wrong][:5]}, want {want[wrong][:5]}"
