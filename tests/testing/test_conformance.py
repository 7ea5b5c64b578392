"""``conformance_test`` finds planted bugs, shows one simple call, and never blames what is right."""

from __future__ import annotations

import functools
import sys
import time

import numpy as np
import pytest
from hypothesis import Phase, seed, settings

import clmath
from clmath.numbers.formats import DOUBLE
from clmath.spec import files
from clmath.testing import conformance_test

SEEDS = range(20)
QUICK = settings(max_examples=20, deadline=None, database=None, phases=[Phase.generate])
WHOLE = settings(deadline=None, database=None)


def sinpi_without_nan(x):
    return np.where(np.isinf(x), x.dtype.type(0), clmath.sinpi(x))


def toward_zero_downward(x, y, rounding):
    return clmath.add(x, y, rounding="rtn" if rounding == "rtz" else rounding)


def exp_off_where_low_bits_are_5(x):
    right = clmath.exp(x)
    wrong = (DOUBLE.bits(x) & 7 == 5) & np.isfinite(right) & (right != 0)
    return np.where(wrong, np.nextafter(right, np.inf), right)


@functools.cache
def hard_inputs():
    return np.array([float.fromhex(line) for line in files.load("hard/double.toml")["exp"]])


def exp_off_at_hard_inputs(x):
    right = clmath.exp(x)
    return np.where(np.isin(x, hard_inputs()), np.nextafter(right, np.inf), right)


def flushed(values):
    return np.where(np.abs(values) < np.finfo(values.dtype).smallest_normal, np.copysign(0, values), values)


def mul_that_flushes(x, y):
    return flushed(clmath.mul(x, y)).astype(x.dtype)


def ilogb_of_the_smallest_normal(x):
    right = clmath.ilogb(x)
    return np.where(np.abs(x) == np.finfo(x.dtype).smallest_normal, right - 1, right).astype(np.int32)


def exp2_that_overflows_early(x):
    return np.where(x >= 127, np.float32(np.inf), clmath.exp2(x))


def trunc_that_loses_minus_zero(x):
    return clmath.trunc(x) + x.dtype.type(0)


def half_through_float(x):
    return x.astype(np.float32).astype(np.float16)


def mad_sat_that_overflows(a, b, c):
    with np.errstate(all="ignore"):
        return clmath.add_sat(a * b, c)


def rint_that_rounds_ties_up(x):
    return np.where(np.abs(x - np.trunc(x)) == 0.5, np.ceil(x), clmath.rint(x))


PLANTED = {
    "a special value": (sinpi_without_nan, "sinpi", {"types": ["float"]}),
    "rtz as rtn": (toward_zero_downward, "add", {"types": ["float"], "modes": ["rte", "rtz"]}),
    "exp of double, low bits": (exp_off_where_low_bits_are_5, "exp", {"types": ["double"], "correctly_rounded": True}),
    "exp of double, hard inputs": (exp_off_at_hard_inputs, "exp", {"types": ["double"], "correctly_rounded": True}),
    "mul flushes": (mul_that_flushes, "mul", {"types": ["float"]}),
    "ilogb of the smallest normal": (ilogb_of_the_smallest_normal, "ilogb", {"types": ["float"]}),
    "exp2 overflows early": (exp2_that_overflows_early, "exp2", {"types": ["float"]}),
    "trunc loses -0": (trunc_that_loses_minus_zero, "trunc", {"types": ["double"]}),
    "double to half through float": (half_through_float, "convert_half", {"types": ["double"]}),
    "mad_sat overflows": (mad_sat_that_overflows, "mad_sat", {"types": ["int"]}),
    "rint rounds ties up": (rint_that_rounds_ties_up, "rint", {"types": ["float"]}),
}

RIGHT = [
    (clmath.exp, "exp", {"types": ["double"], "correctly_rounded": True}),
    (clmath.add, "add", {"types": ["float"], "modes": ["rte", "rtz"]}),
    (clmath.sinpi, "sinpi", {"types": ["float"]}),
    (clmath.convert_half, "convert_half", {"types": ["double"]}),
    (clmath.mad_sat, "mad_sat", {"types": ["int"]}),
    (clmath.rint, "rint", {"types": ["float"]}),
]


@pytest.mark.parametrize("bug", PLANTED)
def test_planted_bugs_are_found_whatever_the_seed_within_ten_seconds(bug):
    function, name, options = PLANTED[bug]
    for number in SEEDS:
        begun = time.perf_counter()
        chosen = QUICK if number else WHOLE
        test = seed(number)(conformance_test(function, name, settings=chosen, **options))
        with pytest.raises(AssertionError, match=rf"^{name}\(.*\).* at index 0: got "):
            test()
        assert time.perf_counter() - begun < 10


@pytest.mark.parametrize("function, name, options", RIGHT, ids=lambda v: v if isinstance(v, str) else "")
def test_what_is_right_passes_whatever_the_seed(function, name, options):
    for number in SEEDS:
        seed(number)(conformance_test(function, name, settings=QUICK, **options))()


class TestShrinking:
    """What is shown is one call, and a simple one."""

    @pytest.mark.parametrize(
        "bug, shown",
        [
            ("a special value", "sinpi(inf)"),
            ("exp2 overflows early", "exp2(0x1.fcp+6)"),
            ("trunc loses -0", "trunc(-0x1p-1)"),
            ("ilogb of the smallest normal", "ilogb(0x1p-126)"),
            ("rint rounds ties up", "rint(0x1p-1)"),
        ],
    )
    def test_to_the_simplest_call(self, bug, shown):
        function, name, options = PLANTED[bug]
        with pytest.raises(AssertionError) as caught:
            conformance_test(function, name, settings=WHOLE, **options)()
        assert str(caught.value).startswith(shown)

    def test_digits_that_do_not_matter_are_dropped(self):
        def wrong_above_100(x):
            return np.where(x > 100, x, clmath.sqrt(x))

        with pytest.raises(AssertionError) as caught:
            conformance_test(wrong_above_100, "sqrt", types=["float"], settings=WHOLE)()
        x = float.fromhex(str(caught.value).partition("(")[2].partition(")")[0])
        assert x.as_integer_ratio()[0].bit_count() <= 2


class TestSubjects:
    """Whatever a function does, it is a failure of that function."""

    def failure(self, function, name="sqrt", **options):
        options = {"types": ["float"], "settings": WHOLE, **options}
        with pytest.raises(Exception) as caught:  # noqa: PT011
            conformance_test(function, name, **options)()
        return caught.value

    def test_one_that_raises(self):
        def raising(x):
            if np.any(x == 4):
                raise ValueError("four")
            return clmath.sqrt(x)

        assert str(self.failure(raising)) == "four"

    def test_one_that_returns_another_type(self):
        assert "float32 of shape (1,) is due" in str(self.failure(lambda x: clmath.sqrt(x).astype(np.float64)))

    def test_one_that_fails_for_neighbours_alone(self):
        def unlike(x):
            right = clmath.sqrt(x)
            return right * x.dtype.type(2) if len(x) > 1 and x[0] != x[-1] else right

        text = str(self.failure(unlike))
        assert text.startswith("sqrt(")

    def test_one_that_changes_its_arguments(self):
        def destructive(x):
            right = clmath.sqrt(x)
            x[...] = 0
            return right

        conformance_test(destructive, "sqrt", types=["float"], settings=QUICK)()

    def test_one_that_warns(self):
        conformance_test(np.exp2, "exp2", types=["double"], settings=QUICK)()

    def test_its_name_stands_in_the_line_that_replays(self):
        def my_sqrt(x):
            return clmath.sqrt(x) * x.dtype.type(2)

        assert "; assert_conforms(my_sqrt(*args), 'sqrt', args)" in str(self.failure(my_sqrt))
        nameless = self.failure(functools.partial(my_sqrt))
        assert "; assert_conforms(f(*args), 'sqrt', args)" in str(nameless)


class TestChapters:
    """Every built-in that audits judge, integers, comparisons and conversions."""

    NAMES = (
        ("length", ["float"]),
        ("frexp", ["half"]),
        ("pown", ["half"]),
        ("step", ["half"]),
        ("nan", ["float"]),
        ("clamp", ["char", "float"]),
        ("isless", ["double"]),
        ("select", ["ushort", "double"]),
        ("any", ["short"]),
        ("upsample", ["uchar"]),
        ("bitfield_insert", ["int"]),
        ("dot", ["uchar"]),
        ("dot_acc_sat", ["char"]),
        ("convert_uchar4_sat_rtz", ["float"]),
        ("as_int", None),
        ("convert_float", ["long", "double"]),
        ("convert_int_sat", ["ulong"]),
    )

    @pytest.mark.parametrize("name, types", NAMES)
    def test_right_and_wrong(self, name, types):
        right = getattr(clmath, name)
        conformance_test(right, name, types=types, settings=QUICK)()

        def wrong(*args):
            results = right(*args)
            first, *others = results if isinstance(results, tuple) else (results,)
            changed = np.where(first == first.reshape(-1)[0], first.reshape(-1)[0], first.dtype.type(7))
            return (changed, *others) if others else changed

        with pytest.raises(AssertionError):
            conformance_test(wrong, name, types=types, settings=QUICK)()

    @pytest.mark.parametrize(
        "name, options, message",
        [
            ("sine", {}, "no inputs of 'sine' are known"),
            ("sin", {"types": ["int"]}, "types='int' is not one of 'half', 'float', 'double'"),
            ("sin", {"modes": ["up"]}, "rounding='up'"),
            ("sin", {"edition": "1"}, "edition='1' is not one of"),
            ("mix", {"correctly_rounded": True}, "is the formula"),
        ],
    )
    def test_what_is_refused(self, name, options, message):
        with pytest.raises(clmath.ClmathError, match=rf"conformance_test\(\): .*{message}"):
            conformance_test(clmath.sin, name, **options)


def test_without_hypothesis_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(
        clmath.MissingDependencyError, match=r"hypothesis is not installed; run: pip install 'clmath\[test\]'"
    ):
        conformance_test(np.sqrt, "sqrt")
