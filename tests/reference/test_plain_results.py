"""Built-ins without rounding against NumPy's and C's own."""

import numpy as np
import pytest

from clmath import reference
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import round_enclosure
from tests.builtins import Case, inputs
from tests.cases import for_each

NUMPY = {
    "ceil": np.ceil,
    "copysign": np.copysign,
    "fabs": np.abs,
    "floor": np.floor,
    "fmax": lambda x, y: np.where(np.isnan(x) | (x < y), y, x),
    "fmin": lambda x, y: np.where(np.isnan(x) | (y < x), y, x),
    "fmod": np.fmod,
    "frexp": np.frexp,
    "max": lambda x, y: np.where(x < y, y, x),
    "min": lambda x, y: np.where(y < x, y, x),
    "modf": np.modf,
    "nextafter": np.nextafter,
    "rint": np.rint,
    "sign": lambda x: np.where(np.isnan(x), 0, np.where(x == 0, x, np.sign(x))).astype(x.dtype),
    "step": lambda edge, x: np.where(x < edge, 0, 1).astype(x.dtype),
    "trunc": np.trunc,
}


@for_each("form", FORMATS)
@for_each("name", NUMPY)
def test_same_as_numpy(name, form, difference):
    args, _ = inputs(Case(name, form))
    with np.errstate(all="ignore"):
        want = NUMPY[name](*args)
    results = reference.enclose(name, args, form)
    wants = want if isinstance(want, tuple) else (want,)
    for value, expected in zip(results, wants, strict=True):
        got = value if isinstance(value, np.ndarray) else round_enclosure(value, form, "rte")[0]
        same_where = ~np.isinf(args[0]) & ~np.isnan(args[0]) if got.dtype.kind == "i" else ...
        assert not difference(form, got[same_where], expected[same_where], args)


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_round_goes_away_from_zero(form, difference):
    x = np.arange(-64, 65).astype(form.dtype) / 4
    (value,) = reference.enclose("round", [x], form)
    want = np.copysign(np.floor(np.abs(x) + 0.5), x)
    assert not difference(form, round_enclosure(value, form, "rte")[0], want, [x])


def test_round_just_below_a_half():
    x = np.array([np.nextafter(0.5, 0), -np.nextafter(0.5, 0), 2.0**52 + 1, -(2.0**53) + 1])
    (value,) = reference.enclose("round", [x], FORMATS[2])
    assert value.hi.tolist() == [0.0, 0.0, 2.0**52 + 1, -(2.0**53) + 1]
    assert np.signbit(value.hi).tolist() == [False, True, False, True]
