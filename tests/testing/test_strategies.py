"""The strategies draw what hurts, keep their bounds, and shrink to simple values."""

from __future__ import annotations

import builtins as python
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

import clmath
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins
from clmath.testing import strategies as cl

NAMED = {HALF: cl.halfs, FLOAT: cl.floats, DOUBLE: cl.doubles}
SEARCH = settings(max_examples=3000, derandomize=True, database=None, deadline=None)
UNSHRUNK = settings(SEARCH, phases=[Phase.generate])


def fraction(x, form):
    """The bits of the mantissa below the leading one."""
    return int(form.bits(x)) & (2 ** (form.precision - 1) - 1)


def full(form):
    """The mantissa of which every bit is one."""
    return 2 ** (form.precision - 1) - 1


def is_power_of_two(x, form):
    return np.isfinite(x) and abs(x) > 4 and fraction(x, form) == 0


LANDMARKS = {
    "+0": lambda x, form: form.bits(x) == 0,
    "-0": lambda x, form: form.bits(-x) == 0,
    "+inf": lambda x, form: x == form.dtype.type(np.inf),
    "-inf": lambda x, form: x == form.dtype.type(-np.inf),
    "NaN": lambda x, form: np.isnan(x) and fraction(x, form) == 2 ** (form.precision - 2),
    "NaN with a payload": lambda x, form: np.isnan(x) and fraction(x, form) != 2 ** (form.precision - 2),
    "largest": lambda x, form: x == form.largest,
    "smallest normal": lambda x, form: x == form.smallest_normal,
    "smallest subnormal": lambda x, form: x == form.smallest_subnormal,
    "any subnormal": lambda x, form: 4 * form.smallest_subnormal < abs(x) < form.smallest_normal / 2,
    "negative subnormal": lambda x, form: -form.smallest_normal < x < 0,
    "a power of two": is_power_of_two,
    "just above one": lambda x, form: np.isfinite(x) and x > 4 and fraction(x, form) == 1,
    "just below one": lambda x, form: 4 < x < form.largest and fraction(x, form) == full(form),
    "a full mantissa": lambda x, form: (
        np.isfinite(x) and form.precision // 3 < fraction(x, form).bit_count() < form.precision * 2 // 3
    ),
    "huge": lambda x, form: 2.0 ** (form.emax - 2) < x < form.largest,
    "1 and its neighbour": lambda x, form: x == 1 + form.eps,
}


def anything(_):
    return True


@pytest.mark.parametrize("what", LANDMARKS)
@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_what_hurts_is_found(form, what):
    found = find(NAMED[form](), lambda x: bool(LANDMARKS[what](x, form)), settings=UNSHRUNK)
    assert type(found) is form.dtype.type


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_shrinking_leaves_simple_values(form):
    numbers = NAMED[form](allow_nan=False, allow_infinity=False)
    assert find(numbers, anything, settings=SEARCH) == 0
    assert find(numbers, lambda x: x > 0, settings=SEARCH) == 1
    assert find(numbers, lambda x: x < 0, settings=SEARCH) == -1
    large = find(numbers, lambda x: x > 2000, settings=SEARCH)
    assert int(large).bit_count() <= 2
    part = find(numbers, lambda x: 0 < x < 1, settings=SEARCH)
    assert part == 0.5


@pytest.mark.parametrize("form", FORMATS, ids=str)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_bounds_are_kept(form, data):
    bounds = NAMED[form](allow_nan=False)
    low, high = python.sorted([data.draw(bounds), data.draw(bounds)])
    drawn = data.draw(NAMED[form](min_value=low, max_value=high))
    assert low <= drawn <= high


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_one_bound_is_enough(form):
    @given(NAMED[form](min_value=1.0))
    @settings(max_examples=100, database=None)
    def at_least_one(x):
        assert x >= 1

    @given(NAMED[form](max_value=-1.0, allow_infinity=False))
    @settings(max_examples=100, database=None)
    def at_most_minus_one(x):
        assert -np.inf < x <= -1

    at_least_one()
    at_most_minus_one()


def test_bounds_between_two_numbers_mean_those_within():
    eps = 2.0**-23
    drawn = set()

    @given(cl.floats(min_value=1 - eps / 3, max_value=1 + 1.1 * eps))
    @settings(max_examples=100, database=None)
    def collect(x):
        drawn.add(float(x))

    collect()
    assert drawn == {1.0, 1.0 + eps}


def test_bounds_that_hold_nothing():
    with pytest.raises(clmath.RangeError, match=r"min_value=2.0 and max_value=1.0"):
        cl.floats(min_value=2.0, max_value=1.0)
    with pytest.raises(clmath.RangeError, match="min_value=nan"):
        cl.floats(min_value=float("nan"))
    with pytest.raises(clmath.RangeError, match=r"min_value=1.00001 and max_value=1.00002"):
        cl.halfs(min_value=1.00001, max_value=1.00002)


@pytest.mark.parametrize("form", FORMATS, ids=str)
@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_infinities_and_nan_only_where_allowed(form, data):
    assert np.isfinite(data.draw(NAMED[form](allow_nan=False, allow_infinity=False)))
    assert not np.isnan(data.draw(NAMED[form](allow_nan=False)))


def test_ints_reach_the_ends():
    for low, high in [(-(2**31), -(2**31)), (2**31 - 1, 2**31 - 1), (0, 0), (-2000, -500), (2**29, 2**30)]:
        assert low <= find(cl.ints(), lambda k, a=low, b=high: a <= int(k) <= b, settings=UNSHRUNK) <= high
    assert find(cl.ints(), anything, settings=SEARCH) == 0


def test_modes():
    assert {find(cl.rounding_modes(), lambda m, w=w: m == w, settings=SEARCH) for w in MODES} == set(MODES)
    assert find(cl.rounding_modes(), anything, settings=SEARCH) == "rte"


@pytest.mark.parametrize("name", list(builtins()))
@given(data=st.data())
@settings(max_examples=8, database=None, deadline=None, suppress_health_check=list(HealthCheck))
def test_arguments_of_every_built_in(name, data):
    row = builtins()[name]
    form = data.draw(st.sampled_from(row.formats))
    shape = data.draw(st.sampled_from([None, (), (2, 3), (0,)]))
    kinds = {"gentype": form.dtype, "intn": np.dtype(np.int32), "nancode": form.bits_dtype}
    args = data.draw(cl.arguments(name, form.name, shape=shape))
    assert isinstance(args, tuple)
    assert [a.dtype for a in args] == [kinds[p.type] for p in row.inputs]
    if row.lanes:
        assert {a.shape[:-1] for a in args} == {shape or ()}
        assert len({a.shape[-1] for a in args}) == 1
        assert args[0].shape[-1] in row.lanes
    elif shape is None:
        assert all(isinstance(a, np.generic) for a in args)
    else:
        assert {a.shape for a in args} == {shape}
    getattr(clmath, name)(*args)


def test_all_widths_are_drawn():
    for width in (1, 2, 3, 4):
        (p,) = find(cl.arguments("length", "float"), lambda a, w=width: a[0].shape == (w,), settings=SEARCH)
        assert p.shape == (width,)


@pytest.mark.parametrize(
    "relation", [lambda x, y: x == y, lambda x, y: x == -y, lambda x, y: y == np.nextafter(x, np.float32(9e9))]
)
def test_later_arguments_are_often_related_to_the_first(relation):
    def chosen(args):
        return np.isfinite(args[0]) and fraction(args[0], FLOAT) != 0 and relation(*args)

    find(cl.arguments("hypot", "float"), chosen, settings=UNSHRUNK)


def test_powers_are_often_finite_and_not_trivial():
    count = 0

    @given(cl.arguments("pow", "float"))
    @settings(max_examples=1000, database=None, derandomize=True, deadline=None)
    def tally(args):
        nonlocal count
        value = clmath.pow(*args)
        count += bool(np.isfinite(value) and value not in (0, 1))

    tally()
    assert count > 75  # 11 % are, and 6 % of pairs of random bits; what is drawn depends on what is imported


def test_unknown_names_and_types():
    with pytest.raises(clmath.UnknownNameError, match=r"arguments\(\): 'sine' is not a known built-in; did you mean"):
        cl.arguments("sine", "float")
    with pytest.raises(clmath.UnknownNameError, match=r"type='quad' is not one of 'half', 'float', 'double'"):
        cl.arguments("sin", "quad")
    with pytest.raises(clmath.UnknownNameError, match=r"type='double' is not one of 'float'"):
        cl.arguments("half_sin", "double")


@pytest.mark.parametrize("make", [cl.floats, cl.ints, cl.rounding_modes, lambda: cl.arguments("sin", "half")])
def test_without_hypothesis_the_error_says_how_to_get_it(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(
        clmath.MissingDependencyError, match=r"hypothesis is not installed; run: pip install 'clmath\[test\]'"
    ):
        make()
