"""MPFR and mpmath must agree on every built-in, format and mode."""

import numpy as np
import pytest

from clmath import reference
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import Enclosure
from clmath.spec.builtins import builtins
from tests.cases import for_each

ROWS = [r for r in builtins().values() if r.chapter in ("math", "common", "geometric")]
CASES = [pytest.param(r, f, id=f"{r.name}-{f}") for r in ROWS for f in r.formats]
SLOW = ("erf", "erfc", "tgamma")  # of mpmath's functions


@for_each("row, form", CASES)
def test_oracles_agree(row, form, arguments, difference, all_modes):
    args = arguments(row, form, 8 if row.name in SLOW else 28)
    first = all_modes(form, reference.enclose(row.name, args, form))
    second = all_modes(form, reference.enclose(row.name, args, form, "mpmath"))
    assert len(first) == len(second)
    for (mode, output, got), (_, _, want) in zip(first, second, strict=True):
        assert not difference(form, got, want, args), (row.name, str(form), mode, output)


@for_each("row, form", CASES)
def test_enclosures_keep_their_promises(row, form, arguments):
    args = arguments(row, form, 12)
    for value in reference.enclose(row.name, args, form):
        if not isinstance(value, Enclosure):
            assert value.dtype == np.int32
            continue
        assert not value.err.any()
        with np.errstate(all="ignore"):
            nearest = value.hi + np.where(np.isfinite(value.hi), value.lo, 0.0)
        assert np.array_equal(value.hi, nearest, equal_nan=True)
        if form is not DOUBLE:
            assert not value.lo.any()
            assert not value.exponent[value.hi != 0.0].any()


@for_each("name", ["sin", "dot", "frexp", "normalize", "sincos"])
@for_each("oracle", ["mpfr", "mpmath"])
def test_empty_arrays(name, oracle):
    row = builtins()[name]
    args = [np.zeros(0, np.float32) for _ in range(len(row.inputs) * max(row.widths, default=1))]
    results = reference.enclose(name, args, DOUBLE, oracle)
    assert [len(getattr(r, "hi", r)) for r in results] == [0] * (4 if name == "normalize" else len(row.outputs))


@pytest.mark.slow
def test_a_difference_would_be_noticed(arguments, difference, all_modes):
    """The comparison can fail: sin of a neighbour is not sin."""
    args = arguments(builtins()["sin"], DOUBLE, 8)
    got = all_modes(DOUBLE, reference.enclose("sin", args, DOUBLE))
    with np.errstate(all="ignore"):
        neighbours = [np.nextafter(args[0], np.inf)]
    want = all_modes(DOUBLE, reference.enclose("sin", neighbours, DOUBLE, "mpmath"))
    assert all(difference(DOUBLE, g[2], w[2], args) for g, w in zip(got, want, strict=True))
