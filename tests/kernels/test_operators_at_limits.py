"""Operators of doubles by NumPy, next to the limits at which they take other operations, against MPFR."""

from __future__ import annotations

import gmpy2
import numpy as np
import pytest

from clmath.kernels.whole.operators import LARGE, OF_PRODUCTS, TINY, Operators
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import MODES
from tests.cases import for_each

ROUNDINGS = {"rte": gmpy2.RoundToNearest, "rtz": gmpy2.RoundToZero, "rtp": gmpy2.RoundUp, "rtn": gmpy2.RoundDown}
LIMITS = [int(np.log2(LARGE)), int(np.log2(TINY)), OF_PRODUCTS, -OF_PRODUCTS]
EXPONENTS = sorted({near + side for near in [*LIMITS, 1023, -1022, 0, 480, -480] for side in (-54, -1, 0, 1, 54)})
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan]
OF_MPFR = {name: getattr(gmpy2, name) for name in ("add", "sub", "mul", "div", "sqrt", "fma")}


def numbers():
    """Return doubles of either sign in the binades next to limits: powers of two, their neighbours and random ones."""
    rng = np.random.default_rng(990)
    digits = np.concatenate([[0, 1, 2**52 - 1], rng.integers(0, 2**52, 3)])
    sizes = np.ldexp(1 + digits / 2.0**52, np.array([[e] for e in EXPONENTS if -1075 < e < 1024])).reshape(-1)
    return np.concatenate([sizes * rng.choice([-1.0, 1.0], sizes.size), SPECIAL])


def arguments(name):
    """Return all pairs of ``numbers``; for fma, with sums that nearly cancel, and for sqrt, magnitudes alone."""
    x, y = (grid.reshape(-1) for grid in np.meshgrid(numbers(), numbers()))
    if name == "sqrt":
        return (abs(numbers()),)
    if name == "fma":
        nearly = 1.0 + np.random.default_rng(400).integers(-2, 3, x.size) * 2.0**-52
        return x, y, -(x * y) * nearly
    return x, y


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@for_each("mode", MODES)
@for_each("name", OF_MPFR)
def test_operators_are_correctly_rounded_next_to_limits(name, mode):
    args = arguments(name)
    with np.errstate(all="ignore"):
        found = getattr(Operators(DOUBLE, mode), name)(*args)
    context = gmpy2.ieee(64)
    context.round = ROUNDINGS[mode]
    with gmpy2.context(context):
        rows = zip(*(a.tolist() for a in args), strict=True)
        wanted = np.array([float(OF_MPFR[name](*map(gmpy2.mpfr, row))) for row in rows])
    wrong = (found.view(np.int64) != wanted.view(np.int64)) & ~(np.isnan(found) & np.isnan(wanted))
    assert not wrong.any(), [[float(a[wrong][0]).hex() for a in (*args, found, wanted)]]
