"""Kernels on single numbers: the bits that they have on arrays, for every kernel."""

import numpy as np
import pytest

import clmath
from clmath import call
from clmath.engines import choice, numbers
from clmath.kernels import QUICK, RUNGS
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES, Enclosure, round_enclosure
from clmath.spec.builtins import builtin

KERNELS = [kernel for rung in RUNGS.values() for kernel in rung.single]
COUNT = 1500


def arguments(kernel):
    """Random encodings, tame and special numbers of the format that the kernel is for."""
    form = FLOAT if kernel.rung == QUICK.name else DOUBLE
    rng = np.random.default_rng(len(kernel.name))
    columns = []
    for parameter in builtin(kernel.name).inputs:
        special = rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 2.0, 0.5], 100)
        codes = form.from_bits(rng.integers(0, 1 << form.width, COUNT, np.uint64).astype(form.bits_dtype))
        with np.errstate(all="ignore"):
            column = np.concatenate([codes, rng.uniform(-20, 20, COUNT), rng.integers(-9, 9, 100) * 0.5, special])
        columns.append(rng.integers(-40, 40, len(column)).astype(np.int32) if parameter.type == "intn" else column)
    return columns


def by_way(kernel, args):
    """The arguments in one group, or in two where there is a way for ordinary ones."""
    if kernel.ordinary_functions is None:
        return [args]
    with np.errstate(all="ignore"):
        holds = kernel.ordinary_functions.holds(*(a.astype(np.float64) for a in args))
    return [[a[lanes] for a in args] for lanes in (holds, ~holds)]


@pytest.mark.drawn(rows=40)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: f"{kernel.rung} {kernel.name}")
def test_the_bits_of_arrays(kernel):
    for args in by_way(kernel, arguments(kernel)):
        check_bits(kernel, args)


def check_bits(kernel, args):
    with np.errstate(all="ignore"):
        value = choice.PLAIN.enclosure(kernel, args)
    function, told = numbers.on_numbers(kernel), 0
    for lane, row in enumerate(zip(*(a.tolist() for a in args), strict=True)):
        try:
            found = dict(zip(kernel.parts, function(*row), strict=True))
        except (ArithmeticError, ValueError):
            continue
        told += 1
        want = {part: getattr(value, part)[lane] for part in kernel.parts}
        assert all(np.array_equal(found[part], want[part], equal_nan=True) for part in found), (row, found, want)
        assert np.signbit(found["hi"]) == np.signbit(want["hi"]) or np.isnan(found["hi"])
    assert told > len(args[0]) // 8


@pytest.mark.parametrize("mode", MODES)
def test_what_a_number_cannot_decide_is_left(mode, monkeypatch):
    """Intervals around a midpoint and around a number, exact ones, and what floats cannot do."""
    monkeypatch.setattr(numbers, "on_numbers", lambda _: lambda hi, err: (hi, err))
    told = numbers.rounded(QUICK.kernels["exp"], FLOAT, mode)
    midpoint = 1.0 + 2.0**-24
    assert (told(midpoint, 2.0**-44) is None) == (mode == "rte")
    assert (told(1.5, 2.0**-44) is None) == (mode != "rte")
    assert told(midpoint, 0.0) == (1.0 + 2.0**-23 if mode == "rtp" else 1.0)
    assert told(np.inf, 0.0) == np.inf
    monkeypatch.undo()
    assert numbers.rounded(QUICK.kernels["rsqrt"], FLOAT, mode)(-1.0) is None


EXPONENTS = [-400, 400, *range(-1083, -1070), *range(-1026, -1014), *range(1020, 1030), -5000, 5000]


@pytest.mark.drawn("exponent", "mode", rows=60)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("exponent", EXPONENTS)
def test_any_exponent_is_rounded_once(mode, exponent, monkeypatch):
    """Subnormal numbers would be rounded twice by a product, and a power of two may lie beyond every double."""
    monkeypatch.setattr(numbers, "on_numbers", lambda _: lambda *parts: parts)
    told = numbers.rounded(RUNGS["double"].kernels["exp"], DOUBLE, mode)
    for hi in (1.5, -1.5, 1.0 + 2.0**-52, 1.75):
        for lo in (0.0, 2.0**-60, -(2.0**-54), 2.0**-180):
            value = Enclosure(*(np.array([part]) for part in (hi, lo, 0.0, exponent)))
            want = round_enclosure(value, DOUBLE, mode)[0][0]
            assert told(hi, lo, 0.0, exponent) == want, (hi, lo)
            between = told(hi, 0.0, 2.0**-70, exponent)
            assert between is None or between == round_enclosure(value._replace(lo=value.lo * 0.0), DOUBLE, mode)[0][0]


@pytest.mark.parametrize("form", [HALF, FLOAT], ids=str)
@pytest.mark.parametrize("mode", MODES)
def test_errors_below_the_smallest_number_count(form, mode, monkeypatch):
    """An enclosure of a number of the format, however narrow, is decided by rounding to nearest alone."""
    monkeypatch.setattr(numbers, "on_numbers", lambda _: lambda *parts: parts)
    told = numbers.rounded(QUICK.kernels["exp"], form, mode)
    for hi in (1.0 + form.eps, -1.0 - form.eps, form.smallest_normal, -form.smallest_subnormal):
        assert told(hi, abs(hi) * 2.0**-50) == (hi if mode == "rte" else None)
        assert told(hi, 0.0) == hi
    tiny = form.smallest_subnormal * 2.0**-40
    assert told(tiny, tiny * 2.0**-50) == (form.smallest_subnormal if mode == "rtp" else 0.0)
    assert told(-tiny, tiny * 2.0**-50) == (-form.smallest_subnormal if mode == "rtn" else 0.0)


@pytest.mark.parametrize("mode", MODES)
def test_zeros_keep_their_signs(mode, monkeypatch):
    monkeypatch.setattr(numbers, "on_numbers", lambda _: lambda *parts: parts)
    told = numbers.rounded(RUNGS["double"].kernels["sin"], DOUBLE, mode)
    assert [str(told(zero, 0.0, 0.0, 0)) for zero in (0.0, -0.0)] == ["0.0", "-0.0"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "name, low, high", [("tgamma", 171.6, 171.65), ("tgamma", -185.0, -169.0), ("erfc", 26.0, 28.0)]
)
def test_results_at_the_ends_of_double_are_those_of_the_reference(name, low, high, mode):
    x = np.random.default_rng(3).uniform(low, high, 50)
    want = np.asarray(call.by_reference(name, (x,), mode))
    got = np.array([getattr(clmath, name)(v, rounding=mode) for v in x])
    assert np.array_equal(got.view(np.uint64), want.view(np.uint64))
