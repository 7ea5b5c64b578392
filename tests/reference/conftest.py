"""Both oracles on the same arguments, compared bit by bit in every mode."""

import numpy as np
import pytest

from clmath import reference
from clmath.numbers.rounding import MODES, Enclosure, round_enclosure


def _all_modes(form, results):
    """Results of ``enclose`` rounded in every mode: a list of (mode, output, array)."""
    found = []
    for output, value in enumerate(results):
        if not isinstance(value, Enclosure):
            found.append(("int", output, value))
            continue
        for mode in MODES:
            rounded, undecided = round_enclosure(value, form, mode)
            assert not undecided.any()
            found.append((mode, output, rounded))
    return found


def _difference(form, got, want, args):
    """The first elements where two results of one call differ in their bits; NaN equals NaN."""
    if got.dtype.kind == "f":
        apart = (form.bits(got) != form.bits(want)) & ~(np.isnan(got) & np.isnan(want))
    else:
        apart = got != want
    return [([a[i] for a in args], f"got {got[i]!r}, want {want[i]!r}") for i in np.flatnonzero(apart)[:3]]


def _differences(name, form, args):
    """Each mode, output and elements in which MPFR and mpmath differ."""
    first = _all_modes(form, reference.enclose(name, args, form))
    second = _all_modes(form, reference.enclose(name, args, form, "mpmath"))
    assert len(first) == len(second)
    return [
        (name, str(form), mode, output, told)
        for (mode, output, got), (_, _, want) in zip(first, second, strict=True)
        if (told := _difference(form, got, want, args))
    ]


@pytest.fixture
def difference():
    return _difference


@pytest.fixture
def differences():
    return _differences
